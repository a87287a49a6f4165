#include "data/figure/figure_document.h"
#include "tests/ui/window_test.h"
#include "ui/compare/compare_row.h"
#include "ui/compare/waterfall.h"

using data::BarMark;
using engine::Cause;

namespace {

constexpr std::int64_t kFigureUs = 1'000'000;

std::shared_ptr<const data::ShownRun> runOf(const std::string& policy, std::int64_t contention, std::int64_t link) {
    auto run = std::make_shared<data::ShownRun>();
    data::ExperimentDraft draft = data::draftNamed("t-nlg/fc-2/tp8").draft;
    draft.explicitValues["policy.preset"] = policy;
    run->run.experiment = data::expand(draft).experiment;
    run->run.draft = draft;
    run->run.name = policy;
    engine::RunResult& result = run->run.result;
    result.attribution.emplace();
    result.attribution->causes[Cause::contention] = {contention};
    result.attribution->causes[Cause::link] = {link};
    result.last.time.total = {contention + link};
    return run;
}

ui::WaterfallColumn columnOf(const data::ShownRun& from, const data::ShownRun& to) {
    return {QStringLiteral("T3"), QString::fromStdString(to.run.name), "t3", to.run.name,
            ui::waterfallOf(from.run.result, to.run.result)};
}

}  // namespace

class TestCompareFigure : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aBarACauseAndTheTotalBehindThem() {
        const auto t3 = runOf("t3", 300 * kFigureUs, 100 * kFigureUs),
                   mca = runOf("t3-mca", 160 * kFigureUs, 120 * kFigureUs);
        const auto figure = ui::waterfallFigure({columnOf(*t3, *mca)}, {t3, mca});
        QVERIFY(figure);
        QVERIFY(data::problemsOf(*figure).empty());
        const data::FigurePanel& panel = figure->panels.front();
        QCOMPARE(panel.categories.labels, (std::vector<std::string>{"memory contention", "link", "total"}));
        QCOMPARE(panel.y.unit, std::string("µs"));
        const auto& series = std::get<BarMark>(panel.marks.front()).bars.front().stack.front();
        QCOMPARE(series.values, (data::FigureValues{-140.0, 20.0, -120.0}));
        QCOMPARE(series.meaning, std::string("policy/t3-mca"));
        QCOMPARE(figure->provenance.experiments.size(), std::size_t{2});
        QVERIFY(figure->alternative.find("120\u00a0µs faster than T3: −140\u00a0µs memory contention") !=
                std::string::npos);
    }

    void runsOfOnePolicyHaveColoursOfTheirOwn() {
        const auto t3 = runOf("t3", 300 * kFigureUs, 100 * kFigureUs),
                   fast = runOf("t3-mca", 160 * kFigureUs, 120 * kFigureUs),
                   slow = runOf("t3-mca", 200 * kFigureUs, 120 * kFigureUs);
        const auto figure = ui::waterfallFigure({columnOf(*t3, *fast), columnOf(*t3, *slow)}, {t3, fast, slow});
        const auto& bars = std::get<BarMark>(figure->panels.front().marks.front()).bars;
        QCOMPARE(bars.size(), std::size_t{2});
        QVERIFY(bars[0].stack.front().meaning != bars[1].stack.front().meaning);
        QVERIFY(data::problemsOf(*figure).empty());
    }

    void withoutTwoRunsThereIsNone() { QVERIFY(!ui::waterfallFigure({}, {})); }

    void theBandShowsTheCauseThatHasMostOfAPixelAndHidesWithoutAPath() {
        auto path = std::make_shared<engine::CriticalPath>();
        for (const auto& [from, to, cause] : {std::tuple{0, 40, Cause::compute}, {40, 100, Cause::link}}) {
            engine::PathStep& step = path->steps.emplace_back();
            step.start = {from * kFigureUs};
            step.end = {to * kFigureUs};
            step.cause = cause;
        }
        auto run = std::make_shared<data::ShownRun>();
        ui::CauseBand band([] { return ui::TimelineGeometry{{0, 100 * kFigureUs}, 50, 100, 1}; });
        band.showRun(run);
        QVERIFY(band.isHidden());
        auto explained = std::make_shared<data::ShownRun>();
        explained->run.result.path = path;
        band.showRun(explained);
        QVERIFY(!band.isHidden());
        QCOMPARE(band.causeAt(60), std::optional(Cause::compute));
        QCOMPARE(band.causeAt(120), std::optional(Cause::link));
        QVERIFY(!band.causeAt(20));
    }
};

RINGSIDE_WINDOW_TEST(TestCompareFigure)
#include "tst_compare_figure.moc"
