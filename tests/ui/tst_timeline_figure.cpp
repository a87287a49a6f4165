#include "tests/ui/sample_run.h"
#include "tests/ui/sample_trace.h"
#include "tests/ui/window_test.h"

#include "data/figure/figure_meaning.h"
#include "ui/timeline/timeline_figure.h"

#include <set>

using data::AreaMark;
using data::FigureSpec;
using data::TimelineMark;
using data::TimeRange;
using ui::LaneArrangement;
using ui::TimelineModel;

namespace {

const TimelineMark& lanesOf(const FigureSpec& figure) {
    return std::get<TimelineMark>(figure.panels.front().marks.front());
}

std::set<std::string> meaningsOf(const TimelineMark& lanes) {
    std::set<std::string> meanings;
    for (const TimelineMark::Span& span : lanes.spans)
        meanings.insert(span.meaning);
    return meanings;
}

}  // namespace

class TestTimelineFigure : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void withoutARunThereIsNoFigure() { QVERIFY(!ui::timelineFigure(TimelineModel(), {}, {0, 1'000'000})); }

    void everySpanLiesInItsRangeAndHasAMeaningThatFiguresKnow() {
        const TimelineModel model(tests::simulated("t-nlg/fc-2/tp8", {"policy=t3-mca"}));
        const data::TimeRange range{model.end() / 4, model.end() / 2};
        const FigureSpec figure = *ui::timelineFigure(model, {}, range);
        const data::FigureAxis& time = figure.panels.front().x;
        QVERIFY(*time.from < *time.to);
        QVERIFY(!lanesOf(figure).spans.empty());
        for (const TimelineMark::Span& span : lanesOf(figure).spans) {
            QVERIFY(span.lane < lanesOf(figure).lanes.size());
            QVERIFY(span.from >= *time.from - 1e-9 && span.to <= *time.to + 1e-9 && span.from < span.to);
            QVERIFY2(data::isMeaning(span.meaning), span.meaning.c_str());
        }
    }

    void timesAreThoseOfTheTraceInTheUnitOfTheAxis() {
        const TimelineModel model(tests::simulated("t-nlg/fc-2/tp8", {"policy=sequential"}));
        const FigureSpec figure = *ui::timelineFigure(model, {}, {0, model.end()});
        QCOMPARE(figure.panels.front().x.unit, std::string("ms"));
        const auto& waves = model.waves(0).spans;
        const TimelineMark::Span& first = lanesOf(figure).spans.front();
        QCOMPARE(first.lane, std::size_t{0});
        QCOMPARE(first.from, static_cast<double>(waves.front().start.ps) / 1e9);
        QCOMPARE(first.to, static_cast<double>(waves.front().end.ps) / 1e9);
    }

    void lanesComeInTheOrderOnTheScreenUnderTheirGpu() {
        const TimelineModel model(tests::simulated("t-nlg/fc-2/tp8", {"policy=t3-mca"}));
        const FigureSpec figure = *ui::timelineFigure(model, {}, {0, model.end()});
        const auto& lanes = lanesOf(figure).lanes;
        QCOMPARE(lanes.front().label, std::string("compute"));
        QCOMPARE(lanes.front().group, std::string("GPU 0"));
        QCOMPARE(lanes.back().group, std::string("GPU 7"));
    }

    void whatIsHiddenOnTheScreenIsNotInTheFigure() {
        const TimelineModel model(tests::simulated("t-nlg/fc-2/tp8", {"policy=t3-mca"}));
        LaneArrangement arrangement;
        arrangement.expanded = {};
        for (std::uint32_t gpu = 1; gpu < 8; ++gpu)
            arrangement.hiddenGpus.insert(gpu);
        const FigureSpec figure = *ui::timelineFigure(model, arrangement, {0, model.end()});
        QCOMPARE(figure.panels.size(), std::size_t{1});
        for (const auto& lane : lanesOf(figure).lanes)
            QCOMPARE(lane.group, std::string("GPU 0"));
    }

    void aLaneNeverHasTwoSpansAtOnce() {
        const TimelineModel model(tests::simulated("t-nlg/fc-2/tp8", {"policy=t3-mca"}));
        const TimelineMark lanes = lanesOf(*ui::timelineFigure(model, {}, {0, model.end()}));
        std::vector<double> ends(lanes.lanes.size(), -1);
        for (const TimelineMark::Span& span : lanes.spans) {
            QVERIFY(span.from >= ends[span.lane] - 1e-9);
            ends[span.lane] = span.to;
        }
    }

    void aLongRunWeighsNoMoreThanPrintCanShow() {
        const TimelineModel model(tests::simulated("t-nlg/fc-2/tp8", {"policy=t3-mca"}));
        LaneArrangement arrangement;
        for (std::uint32_t gpu = 0; gpu < 8; ++gpu)
            arrangement.expanded.insert(gpu);
        const FigureSpec figure = *ui::timelineFigure(model, arrangement, {0, model.end()});
        const TimelineMark& lanes = lanesOf(figure);
        QVERIFY(lanes.spans.size() <= lanes.lanes.size() * 2000);
        QVERIFY(figure.panels.size() <= 7);
        QVERIFY(QString::fromStdString(figure.caption).contains(QStringLiteral("further lanes are not shown")));
    }

    void areasAreSharesOfTheirWholeOverTheSameTime() {
        const TimelineModel model(tests::simulated("t-nlg/fc-2/tp8", {"policy=t3-mca"}));
        const FigureSpec figure = *ui::timelineFigure(model, {}, {0, model.end()});
        QVERIFY(figure.panels.size() > 1);
        bool streams = false;
        for (std::size_t i = 1; i < figure.panels.size(); ++i) {
            const data::FigurePanel& panel = figure.panels[i];
            QCOMPARE(panel.x.from, figure.panels.front().x.from);
            QVERIFY(!panel.y.title.empty() && !panel.y.unit.empty());
            const auto& area = std::get<AreaMark>(panel.marks.front());
            QVERIFY(area.stepped && std::is_sorted(area.x.begin(), area.x.end()));
            streams = streams || area.series.size() == 2;
            for (std::size_t x = 0; x + 1 < area.x.size(); ++x) {
                double sum = 0;
                for (const data::FigureSeries& series : area.series) {
                    QCOMPARE(series.values.size() + 1, area.x.size());
                    sum += *series.values[x];
                }
                QVERIFY(panel.y.unit != "% busy" || (sum >= 0 && sum <= 100.5));
            }
        }
        QVERIFY(streams);  // DRAM traffic by owner
    }

    void theCollectivesOfTheRunAreReportedByTheirMeaning() {
        const TimelineModel model(tests::simulated("t-nlg/fc-2/tp8", {"policy=sequential"}));
        const auto meanings = meaningsOf(lanesOf(*ui::timelineFigure(model, {}, {0, model.end()})));
        QVERIFY(meanings.contains("gemm") && meanings.contains("reduce-scatter") && meanings.contains("all-gather"));
    }

    void itSaysWhatMadeItAndWhatIsToBeSeen() {
        const TimelineModel model(tests::simulated("t-nlg/fc-2/tp8", {"policy=t3-mca"}));
        const FigureSpec figure = *ui::timelineFigure(model, {}, {0, model.end() / 3});
        QCOMPARE(figure.provenance.experiments.front().hash, model.run().run.hash);
        QVERIFY(!figure.provenance.experiments.front().document.empty());
        QVERIFY(figure.provenance.moment.starts_with("from "));
        QVERIFY(!figure.caption.empty() && !figure.alternative.empty());
        QCOMPARE(figure.theme, data::FigureTheme::paper);
    }
};

RINGSIDE_WINDOW_TEST(TestTimelineFigure)
#include "tst_timeline_figure.moc"
