#include "data/figure/figure_document.h"
#include "tests/test_program.h"
#include "tests/ui/sample_path.h"
#include "ui/look/ribbon_columns.h"
#include "ui/why/cause_figure.h"
#include "ui/why/cause_shares.h"

#include <QTest>

#include <cmath>
#include <numeric>

using data::CauseIndex;
using engine::Cause;
using engine::CauseTimes;

namespace {

CauseTimes counted(const engine::CriticalPath& path, std::int64_t from, std::int64_t to) {
    CauseTimes times;
    for (const engine::PathStep& step : path.steps) {
        const std::int64_t lasts = std::min(step.end.ps, to) - std::max(step.start.ps, from);
        if (lasts > 0)
            times[step.cause] += engine::Duration{lasts};
    }
    return times;
}

int sumOf(const std::vector<ui::ShareRow>& rows) {
    return std::accumulate(rows.begin(), rows.end(), 0, [](int sum, const auto& row) { return sum + row.tenths; });
}

}  // namespace

class TestCauseIndex : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void timeBetweenAnyTwoMomentsIsWhatCountingStepsGives() {
        const auto path = tests::randomPath(200, 7);
        const data::CauseIndex index(path);
        const std::int64_t end = index.end();
        std::mt19937 random(11);
        for (int i = 0; i < 500; ++i) {
            const auto a = static_cast<std::int64_t>(random() % static_cast<unsigned>(end));
            const auto b = static_cast<std::int64_t>(random() % static_cast<unsigned>(end));
            QCOMPARE(index.between({std::min(a, b), std::max(a, b)}), counted(*path, std::min(a, b), std::max(a, b)));
        }
        QCOMPARE(index.until(end), counted(*path, 0, end));
        QCOMPARE(index.until(end + 99), index.until(end));
        QCOMPARE(index.until(-5), CauseTimes{});
    }

    void aMomentBelongsToTheStepThatBeginsThereAndTheEndToTheLast() {
        const auto path = tests::randomPath(50, 3);
        const data::CauseIndex index(path);
        for (std::size_t i = 0; i < path->steps.size(); ++i) {
            QCOMPARE(index.stepAt(path->steps[i].start.ps), i);
            QCOMPARE(index.stepAt(path->steps[i].end.ps - 1), i);
        }
        QCOMPARE(index.stepAt(index.end()), path->steps.size() - 1);
        QVERIFY(data::CauseIndex().empty());
        QCOMPARE(data::CauseIndex().until(5), CauseTimes{});
    }

    void aColumnHoldsTheTimeOfItsPixelAtAnyZoom() {
        const auto path = tests::randomPath(3'000, 5);
        const data::CauseIndex index(path);
        const std::int64_t end = index.end();
        for (const data::TimeRange range : {data::TimeRange{0, end}, {end / 3, end / 2}, {end / 3, end / 3 + 20'000}}) {
            for (const double pixel : {1.0, 0.5}) {
                const ui::TimelineGeometry geometry{range, 100, 700, pixel};
                const ui::RibbonColumns columns = ui::ribbonColumns(index, geometry);
                QVERIFY(std::abs(static_cast<double>(columns.times.size()) - 700 / pixel) <= 1);
                for (std::size_t i = 0; i < columns.times.size(); ++i) {
                    const auto column = static_cast<double>(columns.first + static_cast<std::int64_t>(i));
                    QCOMPARE(columns.times[i],
                             counted(*path, geometry.timeAt(column * pixel), geometry.timeAt((column + 1) * pixel)));
                }
            }
        }
    }

    void aPixelShorterThanAPicosecondShowsWhatItsMomentShows() {
        auto path = std::make_shared<engine::CriticalPath>();
        path->steps = {tests::step(Cause::link, 0, 10, engine::PathAct::sends)};
        const ui::RibbonColumns columns = ui::ribbonColumns(data::CauseIndex(path), {{0, 10}, 0, 100, 1});
        QCOMPARE(columns.times.size(), 100u);
        for (const CauseTimes& times : columns.times)
            QVERIFY(times[Cause::link].ps > 0);
    }

    void nothingIsDrawnBeyondTheEndOfTheRun() {
        auto path = std::make_shared<engine::CriticalPath>();
        path->steps = {tests::step(Cause::link, 0, 1'000, engine::PathAct::sends)};
        const ui::RibbonColumns columns = ui::ribbonColumns(data::CauseIndex(path), {{0, 2'000}, 50, 200, 1});
        QCOMPARE(columns.first, 50);
        QCOMPARE(columns.times.size(), 100u);
    }

    void heightsOfAColumnAlwaysFillIt() {
        const data::CauseIndex index(tests::randomPath(400, 9));
        for (std::int64_t at = 0; at + 20'000 < index.end(); at += 20'000) {
            const auto heights = ui::ribbonHeights(index.between({at, at + 20'000}), 37);
            QCOMPARE(std::accumulate(heights.begin(), heights.end(), 0), 37);
        }
        const auto none = ui::ribbonHeights({}, 37);
        QCOMPARE(std::accumulate(none.begin(), none.end(), 0), 0);
    }

    void wordsStandWhereOneCauseLasts() {
        auto path = std::make_shared<engine::CriticalPath>();
        path->steps = {tests::step(Cause::compute, 0, 500, engine::PathAct::computes),
                       tests::step(Cause::link, 500, 504, engine::PathAct::sends),
                       tests::step(Cause::compute, 504, 700, engine::PathAct::computes),
                       tests::step(Cause::memory, 700, 1'000, engine::PathAct::loads)};
        const ui::TimelineGeometry geometry{{0, 1'000}, 0, 1'000, 1};
        const auto stretches = ui::ribbonStretches(ui::ribbonColumns(data::CauseIndex(path), geometry), geometry, 10);
        QCOMPARE(stretches.size(), 2u);
        QCOMPARE(stretches[0].cause, Cause::compute);
        QCOMPARE(stretches[0].right, 700.0);
        QVERIFY(stretches[0].share > 0.99 && stretches[0].share < 1);
        QCOMPARE(stretches[1].cause, Cause::memory);
    }

    void sharesSumToAHundredPercentHoweverTheyFall() {
        for (unsigned seed = 1; seed <= 40; ++seed) {
            const data::CauseIndex index(tests::randomPath(5 + seed * 3, seed));
            for (const auto kind : {ui::ShareKind::cause, ui::ShareKind::gpu, ui::ShareKind::phase}) {
                QCOMPARE(sumOf(ui::shareRows(index, {0, index.end()}, kind)), 1000);
                QCOMPARE(sumOf(ui::shareRows(index, {index.end() / 7, index.end() / 2}, kind)), 1000);
            }
        }
        const std::vector<std::int64_t> thirds{1, 1, 1};
        QCOMPARE(ui::tenthsOf(thirds), (std::vector<int>{334, 333, 333}));
        const std::vector<std::int64_t> none{0, 0};
        QCOMPARE(ui::tenthsOf(none), (std::vector<int>{0, 0}));
        QCOMPARE(ui::formatTenths(1000), QStringLiteral("100.0\u00a0%"));
        QCOMPARE(ui::formatTenths(7), QStringLiteral("0.7\u00a0%"));
    }

    void byCauseByGpuAndByPhaseAreTheSameTime() {
        const data::CauseIndex index(tests::randomPath(300, 2));
        const data::TimeRange range{index.end() / 5, index.end() / 2};
        for (const auto kind : {ui::ShareKind::cause, ui::ShareKind::gpu, ui::ShareKind::phase}) {
            std::int64_t total = 0;
            CauseTimes causes;
            for (const ui::ShareRow& row : ui::shareRows(index, range, kind)) {
                total += row.total;
                for (std::size_t i = 0; i < engine::kCauses; ++i)
                    causes.by[i] += row.times.by[i];
            }
            QCOMPARE(total, range.span());
            QCOMPARE(causes, index.between(range));
        }
        QCOMPARE(ui::shareRows(index, range, ui::ShareKind::cause).size(), engine::kCauses);
    }

    void asAFigureTheStacksAreTheTimesOfTheRuns() {
        auto run = std::make_shared<data::ShownRun>();
        run->run.name = "t-nlg/fc-2/tp8 t3";
        run->run.result.path = tests::randomPath(2'000, 6);
        const auto figure = ui::causeFigure({nullptr, run, std::make_shared<data::ShownRun>()});
        QVERIFY(figure);
        QVERIFY(data::problemsOf(*figure).empty());
        QCOMPARE(figure->panels.front().categories.labels.size(), std::size_t{1});
        double sum = 0;
        for (const data::FigureSeries& series :
             std::get<data::BarMark>(figure->panels.front().marks.front()).bars.front().stack)
            sum += *series.values.front();
        QVERIFY(std::abs(sum - static_cast<double>(run->run.result.path->steps.back().end.ps) / 1e6) < 1e-9);
        QVERIFY(!ui::causeFigure({nullptr, std::make_shared<data::ShownRun>()}));
    }

    void aRangeBeyondTheRunHasNoTimeAndNoPercent() {
        const data::CauseIndex index(tests::randomPath(10, 2));
        const auto rows = ui::shareRows(index, {index.end() + 5, index.end() + 50}, ui::ShareKind::cause);
        QCOMPARE(sumOf(rows), 0);
        QVERIFY(ui::shareRows(data::CauseIndex(), {0, 10}, ui::ShareKind::gpu).empty());
    }
};

RINGSIDE_CORE_TEST(TestCauseIndex)
#include "tst_cause_index.moc"
