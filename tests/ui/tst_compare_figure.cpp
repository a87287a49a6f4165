#include "data/figure/figure_document.h"
#include "tests/ui/window_test.h"
#include "ui/compare/compare_foot.h"
#include "ui/compare/compare_row.h"
#include "ui/compare/waterfall.h"
#include "ui/figure/figure_lint.h"

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
        const data::FigureBar& bar = std::get<BarMark>(panel.marks.front()).bars.front();
        QCOMPARE(bar.from, (std::vector<double>{0, -140, 0}));
        QCOMPARE(bar.stack.size(), std::size_t{3});
        for (std::size_t i = 0; i < 3; ++i) {
            data::FigureValues values(3);
            values[i] = std::vector<double>{-140, 20, -120}[i];
            QCOMPARE(bar.stack[i].values, values);
        }
        QCOMPARE(bar.stack.front().meaning, std::string("cause/memory contention"));
        QCOMPARE(bar.stack.back().meaning, std::string("policy/t3-mca"));
        QCOMPARE(figure->provenance.experiments.size(), std::size_t{2});
        QVERIFY(ui::lint(*figure, ui::layOut(*figure)).empty());
        QVERIFY(figure->alternative.find("120\u00a0µs faster than T3: −140\u00a0µs memory contention") !=
                std::string::npos);
    }

    void eachRunHasAPanelOfItsOwnOnOneScaleWithTheSameCauses() {
        const auto t3 = runOf("t3", 300 * kFigureUs, 100 * kFigureUs),
                   fast = runOf("t3-mca", 160 * kFigureUs, 120 * kFigureUs),
                   slow = runOf("t3-mca", 200 * kFigureUs, 120 * kFigureUs);
        const auto figure = ui::waterfallFigure({columnOf(*t3, *fast), columnOf(*t3, *slow)}, {t3, fast, slow});
        QCOMPARE(figure->panels.size(), std::size_t{2});
        QVERIFY(figure->panels[0].categories == figure->panels[1].categories);
        QCOMPARE(figure->panels[0].y.from, std::optional(-140.0));
        QCOMPARE(figure->panels[0].y.to, std::optional(0.0));
        QVERIFY(figure->panels[0].y == figure->panels[1].y);
        for (const data::FigurePanel& panel : figure->panels)
            QCOMPARE(panel.title, std::string("t3-mca"));
        QVERIFY(data::problemsOf(*figure).empty());
    }

    void theWindowShowsTheFigureInRowsWithAmountsThatAddUp() {
        const auto t3 = runOf("t3", 300 * kFigureUs, 100 * kFigureUs),
                   mca = runOf("t3-mca", 160 * kFigureUs, 120 * kFigureUs),
                   cu = runOf("cu-split", 300 * kFigureUs, 130 * kFigureUs);
        const std::vector columns{columnOf(*t3, *mca), columnOf(*t3, *cu)};
        const auto figure = ui::waterfallFigure(columns, {t3, mca, cu});
        const ui::FigureCanvas::Content content = ui::waterfallContent(columns, *figure);
        QVERIFY(content.figure == *figure);
        const auto amountsOf = [&](std::size_t panel) {
            QStringList amounts;
            for (const ui::RowOptions::Cell& cell : content.rows->columns[panel].cells)
                amounts << QString(cell.text).replace(QChar(0xa0), u' ');
            return amounts;
        };
        QCOMPARE(amountsOf(0), (QStringList{"\u2212140 \u00b5s", "+20 \u00b5s", "\u2212120 \u00b5s"}));
        QCOMPARE(amountsOf(1), (QStringList{"", "+30.0 \u00b5s", "+30.0 \u00b5s"}));
        QVERIFY(content.rows->columns[0].cells[0].tone == ui::RowOptions::Tone::better);
        QVERIFY(content.rows->columns[0].cells[1].tone == ui::RowOptions::Tone::error);
        QVERIFY(content.rows->heads[0].titles.front().contains("faster than T3"));
        QVERIFY(content.rows->heads[0].note.contains("memory contention"));
        QVERIFY(content.summary.contains("slower than T3"));
        QVERIFY2(content.choices[0].contains("cu-split: no difference"), qPrintable(content.choices[0]));
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
