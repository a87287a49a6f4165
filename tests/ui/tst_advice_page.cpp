#include "tests/ui/window_test.h"

#include "data/figure/figure_document.h"
#include "engine/api/runner.h"
#include "ui/look/value_table.h"
#include "ui/model/advice_facts.h"
#include "ui/model/advice_page.h"

#include <QFrame>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <thread>

using ui::AdvicePage;

namespace {

/// Returns a model with h 512, a 8 and t 2. It keeps all rules except that of the vocabulary, which is 1001.
engine::Experiment advisedModel() {
    engine::Experiment experiment;
    engine::applyPolicyPreset(experiment, engine::PolicyPreset::sequential);
    experiment.workload.hidden = 512;
    experiment.workload.heads = 8;
    experiment.workload.layers = 4;
    experiment.workload.batch = 2;
    experiment.workload.sequence = 128;
    experiment.workload.vocabulary = 1001;
    experiment.parallel.tp = 2;
    return experiment;
}

data::ModelAdvice endlessAdvice(const data::AdviceQuestion&, const data::AdviceOptions& options) {
    while (!options.stop.stop_requested())
        std::this_thread::yield();
    throw engine::RunStopped();
}

struct AdvicePageBench {
    explicit AdvicePageBench(ui::AdviceConfig config = {}, const engine::Experiment& experiment = advisedModel())
        : page(std::move(config)), answered(&page, &AdvicePage::answered) {
        page.resize(1000, 700);
        ask(experiment);
        page.show();
    }
    void ask(const engine::Experiment& experiment) { page.ask({experiment, engine::ModelPhase::training, {}}); }
    void wait() {
        if (!page.isAnswered())
            QVERIFY(answered.wait(20'000));
    }
    QString text(const char* label) const { return page.findChild<QLabel*>(QString::fromLatin1(label))->text(); }
    QPushButton* button(const char* name) const { return page.findChild<QPushButton*>(QString::fromLatin1(name)); }
    QWidget* card(const char* rule) const {
        return page.findChild<QFrame*>(QStringLiteral("advice:") + QString::fromLatin1(rule));
    }

    AdvicePage page;
    QSignalSpy answered;
};

}  // namespace

class TestAdvicePage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingIsComputedUntilThePageIsShown() {
        std::atomic<int> computed = 0;
        AdvicePage page({.compute = [&](const data::AdviceQuestion& question, const data::AdviceOptions& options) {
            ++computed;
            return data::modelAdviceOf(question, options);
        }});
        QSignalSpy answered(&page, &AdvicePage::answered);
        page.ask({advisedModel(), engine::ModelPhase::training, {}});
        QTest::qWait(50);
        QCOMPARE(computed.load(), 0);
        page.show();
        QVERIFY(answered.wait(20'000));
        QCOMPARE(computed.load(), 1);
    }

    void aBrokenRuleHasACardWithItsCostAndAnOrder() {
        AdvicePageBench bench;
        bench.wait();
        QVERIFY(bench.card("vocabulary-multiple")->isVisible());
        QVERIFY(!bench.card("head-size-multiple")->isVisible());
        const data::RuleAdvice& rule = bench.page.advice()->rules[1];
        QCOMPARE(bench.text("advice:vocabulary-multiple:sentence"), ui::withFastUnits(data::adviceSentence(rule)));
        QCOMPARE(bench.text("advice:vocabulary-multiple:detail"), ui::withFastUnits(data::adviceDetail(rule)));
        QCOMPARE(bench.button("advice:vocabulary-multiple:apply")->text(), QStringLiteral("Set Vocabulary to 1024"));
        QVERIFY(bench.text("adviceHeadline").endsWith(QStringLiteral("1 of 9 rules is broken")));
        QVERIFY(bench.text("adviceNotes").contains(QStringLiteral("h/a = 512/8 = 64 is divisible by 64")));
        QVERIFY(bench.text("adviceNotes").contains(QStringLiteral("node.memory is unlimited")));
    }

    void theButtonAndReturnOnTheLineAskForTheChange() {
        AdvicePageBench bench;
        bench.wait();
        QSignalSpy asked(&bench.page, &AdvicePage::changeRequested);
        bench.button("advice:vocabulary-multiple:apply")->click();
        bench.page.table().choose(std::size_t{1});
        QTest::keyClick(&bench.page.table(), Qt::Key_Return);
        QCOMPARE(asked.size(), 2);
        for (const QList<QVariant>& each : asked) {
            QCOMPARE(each[0].value<data::AdviceChange>(),
                     (data::AdviceChange{{"workload.vocabulary", std::int64_t{1024}}}));
            QCOMPARE(each[1].toString(), QStringLiteral("Set Vocabulary to 1024"));
        }
        bench.page.table().choose(std::size_t{0});  // a rule that holds, so it has no change
        QTest::keyClick(&bench.page.table(), Qt::Key_Return);
        QCOMPARE(asked.size(), 2);
    }

    void theTableHasALineForEachRuleAndSaysTheVerdictInWords() {
        AdvicePageBench bench;
        bench.wait();
        const auto& rows = bench.page.table().rows();
        QCOMPARE(rows.size(), data::kShapeRules.size());
        QCOMPARE(rows[1].cells[1], QStringLiteral("broken"));
        QCOMPARE(rows[4].cells[1], QStringLiteral("holds"));
        QCOMPARE(rows[2].cells[1], QStringLiteral("not known"));
        for (const ui::ValueRow& row : rows)
            QVERIFY(!row.spoken.isEmpty());
    }

    void withoutABrokenRuleThePageSaysSo() {
        engine::Experiment experiment = advisedModel();
        experiment.workload.vocabulary = 1024;
        AdvicePageBench bench({}, experiment);
        bench.wait();
        QVERIFY(bench.page.findChild<QLabel*>(QStringLiteral("adviceNone"))->isVisible());
        QVERIFY(bench.text("adviceHeadline").endsWith(QStringLiteral("no rule is broken")));
        QVERIFY(!bench.page.figure());
    }

    void headsThatDoNotDivideAreAdvisedWithoutTimes() {
        engine::Experiment experiment = advisedModel();
        experiment.workload.heads = 7;
        AdvicePageBench bench({}, experiment);
        bench.wait();
        QVERIFY(bench.card("heads-divide-width")->isVisible());
        QCOMPARE(bench.button("advice:heads-divide-width:apply")->text(), QStringLiteral("Set Query Heads to 8"));
        QVERIFY(!bench.page.figure());
    }

    void theFigureHasTwoBarsForEachSimulatedRule() {
        engine::Experiment experiment = advisedModel();
        experiment.workload.sequence = 100;
        AdvicePageBench bench({}, experiment);
        bench.wait();
        const auto offer = bench.page.figure();
        QVERIFY(offer.has_value());
        QVERIFY(data::problemsOf(offer->figure).empty());
        const data::FigurePanel& panel = offer->figure.panels.front();
        QCOMPARE(panel.categories.labels, (std::vector<std::string>{"vocabulary", "b s"}));
        const auto& bars = std::get<data::BarMark>(panel.marks.front()).bars;
        QCOMPARE(bars.size(), std::size_t{2});
        const data::RuleAdvice& rule = bench.page.advice()->rules[1];
        QCOMPARE(bars[0].stack.front().values.front().value(), 1.0);
        QCOMPARE(bars[1].stack.front().values.front().value(),
                 static_cast<double>(rule.changed->part.ps) / static_cast<double>(rule.now->part.ps));
    }

    void cancelEndsItAndComputeAgainStartsItAnew() {
        std::atomic<bool> endless = true;
        AdvicePageBench bench(
            {.compute = [&](const data::AdviceQuestion& question, const data::AdviceOptions& options) {
                return endless ? endlessAdvice(question, options) : data::modelAdviceOf(question, options);
            }});
        QVERIFY(bench.page.isComputing());
        QVERIFY(!bench.page.isAnswered());
        QVERIFY(bench.page.findChild<QProgressBar*>()->isVisible());
        QVERIFY(bench.page.stepOut());
        QVERIFY(!bench.page.isComputing());
        QVERIFY(bench.text("adviceHeadline").contains(QStringLiteral("Cancelled")));
        endless = false;
        bench.button("adviceStart")->click();
        bench.wait();
        QVERIFY(bench.page.advice());
    }

    void whileItComputesNoOldChangeCanBeMade() {
        std::atomic<bool> endless = false;
        AdvicePageBench bench(
            {.compute = [&](const data::AdviceQuestion& question, const data::AdviceOptions& options) {
                return endless ? endlessAdvice(question, options) : data::modelAdviceOf(question, options);
            }});
        bench.wait();
        QVERIFY(bench.button("advice:vocabulary-multiple:apply")->isEnabled());
        endless = true;
        engine::Experiment other = advisedModel();
        other.workload.vocabulary = 1003;
        bench.ask(other);
        QVERIFY(!bench.button("advice:vocabulary-multiple:apply")->isEnabled());
        QSignalSpy asked(&bench.page, &AdvicePage::changeRequested);
        bench.page.table().choose(std::size_t{1});
        QTest::keyClick(&bench.page.table(), Qt::Key_Return);
        QCOMPARE(asked.size(), 0);
    }

    void hidingThePageEndsItAndShowingItStartsItAnew() {
        std::atomic<int> begun = 0;
        AdvicePageBench bench(
            {.compute = [&](const data::AdviceQuestion& question, const data::AdviceOptions& options) {
                ++begun;
                return endlessAdvice(question, options);
            }});
        QTRY_COMPARE(begun.load(), 1);
        bench.page.hide();
        QVERIFY(!bench.page.isComputing());
        QTest::qWait(50);
        QCOMPARE(begun.load(), 1);
        bench.page.show();
        QTRY_COMPARE(begun.load(), 2);
    }

    void theTimeLeftIsReportedOnceItCanBe() {
        AdvicePageBench bench({.compute = [](const data::AdviceQuestion& question, const data::AdviceOptions& options) {
            for (int i = 1; i < 20 && !options.stop.stop_requested(); ++i) {
                std::this_thread::sleep_for(std::chrono::milliseconds(100));
                options.progress(i / 40.0);
            }
            return endlessAdvice(question, options);
        }});
        QTRY_VERIFY_WITH_TIMEOUT(bench.text("adviceLeft").endsWith(QStringLiteral(" left")), 5000);
        QVERIFY(bench.page.findChild<QProgressBar*>()->value() > 0);
    }

    void aProblemAndAFailureAreSaidInWords() {
        engine::Experiment experiment = advisedModel();
        experiment.parallel.tp = 3;
        AdvicePageBench bench({}, experiment);
        QVERIFY(bench.text("adviceWords").contains(QStringLiteral("parallel.tp: 3")));
        QVERIFY(!bench.page.hasAnswer());
        AdvicePageBench failing(
            {.compute = [](const data::AdviceQuestion&, const data::AdviceOptions&) -> data::ModelAdvice {
                throw std::runtime_error("no memory left");
            }});
        failing.wait();
        QVERIFY(failing.text("adviceWords").contains(QStringLiteral("no memory left")));
    }

    void closingWhileItComputesEndsAtOnce() {
        auto page = std::make_unique<AdvicePage>(ui::AdviceConfig{.compute = endlessAdvice});
        page->ask({advisedModel(), engine::ModelPhase::training, {}});
        page->show();
        QVERIFY(page->isComputing());
        page.reset();
        QVERIFY(!page);
    }
};

RINGSIDE_WINDOW_TEST(TestAdvicePage)
#include "tst_advice_page.moc"
