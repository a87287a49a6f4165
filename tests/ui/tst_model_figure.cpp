#include "tests/ui/window_test.h"

#include "data/figure/figure_document.h"
#include "ui/model/model_parts.h"

using data::BarMark;

namespace {

data::ModelRun sampleModel() {
    data::ModelRun run;
    for (const auto policy : {engine::PolicyPreset::sequential, engine::PolicyPreset::t3Mca}) {
        data::PolicyModelTime& time = run.policies.emplace_back();
        time.policy = policy;
        const bool fused = policy == engine::PolicyPreset::t3Mca;
        time.time.feedingGemm = {40'000'000'000};
        time.time.gemm = {30'000'000'000};
        time.time.reduceScatter = {fused ? 2'000'000'000 : 12'000'000'000};
        time.time.allGather = {9'000'000'000};
        time.communicationShare = fused ? 0.14 : 0.23;
    }
    return run;
}

}  // namespace

class TestModelFigure : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPolicyIsAStackOfThePartsThatItHas() {
        const data::FigureSpec figure = ui::modelFigure(sampleModel(), engine::ModelPhase::training);
        QVERIFY(data::problemsOf(figure).empty());
        const auto& bars = std::get<BarMark>(figure.panels.front().marks.front());
        QCOMPARE(figure.panels.front().categories.labels.size(), std::size_t{2});
        QCOMPARE(bars.bars.size(), std::size_t{1});
        QCOMPARE(bars.bars.front().stack.size(), std::size_t{4});  // attention and others take no time here
        QCOMPARE(bars.bars.front().stack.front().meaning, std::string("gemm"));
    }

    void stacksSumToTheTotalInTheUnitOfTheAxis() {
        const data::ModelRun run = sampleModel();
        const data::FigureSpec figure = ui::modelFigure(run, engine::ModelPhase::prompt);
        QCOMPARE(figure.panels.front().y.unit, std::string("ms"));
        QCOMPARE(figure.panels.front().y.from, std::optional(0.0));
        const auto& stack = std::get<BarMark>(figure.panels.front().marks.front()).bars.front().stack;
        for (std::size_t policy = 0; policy < run.policies.size(); ++policy) {
            double sum = 0;
            for (const data::FigureSeries& series : stack)
                sum += *series.values[policy];
            QVERIFY(std::abs(sum - static_cast<double>(run.policies[policy].time.total().ps) / 1e9) < 1e-9);
        }
    }

    void itSaysWhatIsToBeSeenAndWhatMadeIt() {
        const data::FigureSpec figure = ui::modelFigure(sampleModel(), engine::ModelPhase::training);
        QVERIFY(figure.alternative.find("exposed communication") != std::string::npos);
        QVERIFY(!figure.caption.empty());
        QVERIFY(!figure.provenance.experiments.front().document.empty());
    }
};

RINGSIDE_WINDOW_TEST(TestModelFigure)
#include "tst_model_figure.moc"
