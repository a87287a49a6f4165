#include "tests/ui/machine_run.h"
#include "tests/ui/sample_trace.h"
#include "tests/ui/window_test.h"

#include "tests/ui/window_parts.h"
#include "ui/editors/parameter_field.h"
#include "ui/ringside_window.h"
#include "ui/shared/view_state.h"
#include "ui/timeline/ghost_bar.h"
#include "ui/timeline/ghost_overlay.h"
#include "ui/timeline/headline_strip.h"
#include "ui/timeline/timeline_view.h"

#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QSignalSpy>
#include <QSlider>
#include <QTemporaryDir>
#include <QToolButton>

#include <memory>

using ui::Difference;
using ui::Headline;
using ui::RingsideWindow;

namespace {

Headline lasting(double ps, bool moreIsBetter = false) {
    Headline headline;
    headline.number = ps;
    headline.moreIsBetter = moreIsBetter;
    return headline;
}

ui::DrawItem item(double x, double y, double width, double height) {
    return {.x = x, .y = y, .width = width, .height = height};
}

double lengthOf(const std::vector<QLineF>& lines) {
    double length = 0;
    for (const QLineF& line : lines)
        length += line.length();
    return length;
}

/// Returns the share of pixels that differ.
double differing(const QImage& a, const QImage& b) {
    qsizetype count = 0;
    for (int y = 0; y < a.height(); ++y) {
        for (int x = 0; x < a.width(); ++x)
            count += a.pixel(x, y) != b.pixel(x, y) ? 1 : 0;
    }
    return static_cast<double>(count) / (1.0 * a.width() * a.height());
}

}  // namespace

class TestPinnedRun : public QObject {
    Q_OBJECT

    std::unique_ptr<RingsideWindow> m_window;

    template <class T>
    T* part(const char* name) const {
        return m_window->findChild<T*>(QString::fromLatin1(name));
    }
    void open(const char* experiment, bool follows = false) {
        ui::RingsideWindowConfig config;
        config.draft = data::openDraft(experiment).draft;
        config.draft.explicitValues["detail.level"] = std::string("interactive");
        config.runsWhileEditing = follows;
        m_window = std::make_unique<RingsideWindow>(std::move(config));
        QSignalSpy shown(&m_window->runs(), &ui::RunController::settled);
        m_window->resize(1400, 850);
        m_window->show();
        QVERIFY(shown.wait(10'000));
        m_window->activateWindow();
        QApplication::processEvents();
    }
    void run(const char* path, const char* text) {
        m_window->experiment().setText(*engine::findParameter(path), QString::fromLatin1(text));
        m_window->experiment().finishEdit();
        QSignalSpy shown(&m_window->runs(), &ui::RunController::settled);
        m_window->runs().run();
        QVERIFY(shown.wait(10'000));
    }
    void pressG(Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        auto* timeline = part<ui::TimelineView>("timeline");
        timeline->setFocus();
        QTest::keyClick(timeline, Qt::Key_G, modifiers);
    }
    ui::HeadlineStrip& strip() const { return *part<ui::HeadlineStrip>("headlines"); }

private Q_SLOTS:
    void cleanup() { m_window.reset(); }

    void lessTimeIsBetterAndMoreSpeedUpIs() {
        // From 200 ns to 150 ns: 50 ns of 200 ns are 25 %.
        const Difference faster = ui::differenceOf(lasting(150'000), lasting(200'000));
        QCOMPARE(faster.verdict, Difference::Verdict::better);
        QCOMPARE(faster.text, QStringLiteral("▼ −25.0\u00a0%  −50.0\u00a0ns"));
        const Difference slower = ui::differenceOf(lasting(200'000), lasting(150'000));
        QCOMPARE(slower.verdict, Difference::Verdict::worse);
        QVERIFY(slower.brief.startsWith(QStringLiteral("▲ +33.3")));
        QCOMPARE(ui::differenceOf(lasting(2, true), lasting(1, true)).verdict, Difference::Verdict::better);
        QCOMPARE(ui::differenceOf(lasting(1, true), lasting(2, true)).verdict, Difference::Verdict::worse);
    }

    void equalAndMissingNumbersAreNeitherBetterNorWorse() {
        QCOMPARE(ui::differenceOf(lasting(5), lasting(5)).verdict, Difference::Verdict::none);
        QCOMPARE(ui::differenceOf(lasting(5), Headline{}).verdict, Difference::Verdict::none);
        QCOMPARE(ui::differenceOf(Headline{}, lasting(5)).verdict, Difference::Verdict::none);
        // A percentage of zero does not exist.
        QVERIFY(!ui::differenceOf(lasting(5'000), lasting(0)).text.contains(QLatin1Char('%')));
        QCOMPARE(ui::differenceOf(lasting(5'000), lasting(0)).verdict, Difference::Verdict::worse);
        // One picosecond in a second is also a difference.
        QCOMPARE(ui::differenceOf(lasting(1e12 + 1), lasting(1e12)).verdict, Difference::Verdict::worse);
    }

    void aBlockHasFourEdges() {
        QCOMPARE(ui::edgesOf({item(10, 5, 20, 8)}).size(), std::size_t{4});
        QCOMPARE(lengthOf(ui::edgesOf({item(10, 5, 20, 8)})), 56.0);
        QCOMPARE(ui::edgesOf({item(10, 5, 3, 8)}).size(), std::size_t{4});
        QCOMPARE(ui::edgesOf({item(10, 5, 2, 8)}).size(), std::size_t{2});
    }

    void aSkylineGoesUpAndDownAndIsClosedAtBothEnds() {
        // Four pixels of height 10 and six of 20 on a base line at 100: up 10, right 4, up 10, right 6, down 20.
        const auto lines = ui::skylineOf({10, 10, 10, 10, 20, 20, 20, 20, 20, 20}, 0, 100, 1);
        QCOMPARE(lengthOf(lines), 10.0 + 4 + 10 + 6 + 20);
        QCOMPARE(lines.front().p1(), QPointF(0, 100));
        QCOMPARE(lines.back().p2(), QPointF(10, 100));
    }

    void aGapInASkylineTouchesTheGround() {
        // Two blocks of four half pixels each: four sides of 10 and two roofs of 2.
        const auto lines = ui::skylineOf({10, 10, 10, 10, 0, 0, 10, 10, 10, 10}, 30, 100, 0.5);
        QCOMPARE(lengthOf(lines), 4.0 * 10 + 2 + 2);
        QCOMPARE(lines.back().p2(), QPointF(35, 100));
        QVERIFY(ui::skylineOf({}, 0, 100, 1).empty());
        QVERIFY(ui::skylineOf({0, 0, 0}, 0, 100, 1).empty());
    }

    void gPinsTheShownRunAndGAgainLetsGo() {
        open("t-nlg/fc-2/tp8");
        QVERIFY(part<ui::GhostBar>("ghostBar")->isHidden());
        pressG();
        QCOMPARE(m_window->runs().pinned(), m_window->runs().shown());
        QVERIFY(part<ui::GhostBar>("ghostBar")->isVisible());
        pressG();
        QVERIFY(!m_window->runs().pinned());
        QVERIFY(part<ui::GhostBar>("ghostBar")->isHidden());
        QVERIFY(strip().differences().empty());
    }

    void theLetterGStaysALetterInAField() {
        open("t-nlg/fc-2/tp8");
        auto* field = part<ui::ParameterField>("field:link.bandwidth")->findChild<QLineEdit*>();
        field->setFocus();
        QTest::keyClick(field, Qt::Key_G);
        QVERIFY(!m_window->runs().pinned());
        QVERIFY(field->text().contains(QLatin1Char('g')));
    }

    void theStripShowsWhatDiffersFromThePinnedRun() {
        open("t-nlg/fc-2/tp8");
        pressG();
        QCOMPARE(strip().differences().front().verdict, Difference::Verdict::none);
        run("link.bandwidth", "75 GB/s");
        const auto& total = strip().differences().front();
        QCOMPARE(total.verdict, Difference::Verdict::worse);
        QVERIFY(total.text.contains(QLatin1Char('+')) && total.text.contains(QLatin1Char('%')));
        QVERIFY(strip().accessibleDescription().contains(QStringLiteral("worse")));
        pressG(Qt::ShiftModifier);
        run("link.bandwidth", "150 GB/s");
        QCOMPARE(strip().differences().front().verdict, Difference::Verdict::better);
    }

    void theBarShowsWhatIsPinnedAndWhatDiffers() {
        open("t-nlg/fc-2/tp8");
        pressG();
        run("link.bandwidth", "75 GB/s");
        QVERIFY2(part<ui::GhostBar>("ghostBar")->text().contains(QStringLiteral("150 GB/s")),
                 qPrintable(part<ui::GhostBar>("ghostBar")->text()));
        run("policy.preset", "sequential");
        const QString text = part<ui::GhostBar>("ghostBar")->text();
        QVERIFY2(text.startsWith(QStringLiteral("Pinned: T3-MCA")), qPrintable(text));
        QVERIFY2(!text.contains(QStringLiteral("more")), qPrintable(text));  // the parts of the policy are not named
    }

    void timeCoversThePinnedRunWhileItIsTheLongerOne() {
        open("t-nlg/fc-2/tp8");
        run("link.bandwidth", "75 GB/s");
        const std::int64_t slow = m_window->viewState().runEnd();
        pressG();
        run("link.bandwidth", "300 GB/s");
        QCOMPARE(m_window->viewState().runEnd(), slow);
        QVERIFY(m_window->viewState().showsAll());
        const std::int64_t shown = m_window->runs().shown()->run.result.last.time.total.ps;
        QVERIFY(shown < slow);
        pressG();
        QVERIFY(m_window->viewState().runEnd() < slow);
        QVERIFY(m_window->viewState().showsAll());
    }

    void backToItSetsTheFormAndCanBeUndone() {
        open("t-nlg/fc-2/tp8");
        const data::ExperimentDraft pinned = m_window->experiment().draft();
        pressG();
        run("link.bandwidth", "75 GB/s");
        const data::ExperimentDraft changed = m_window->experiment().draft();
        part<QToolButton>("ghostRestore")->click();
        QCOMPARE(m_window->experiment().draft(), pinned);
        m_window->experiment().undoStack().undo();
        QCOMPARE(m_window->experiment().draft(), changed);
        part<QToolButton>("ghostUnpin")->click();
        QVERIFY(!m_window->runs().pinned());
    }

    void outlinesLieOverTheRowsOnlyWhileARunIsPinned() {
        ui::ViewState viewState;
        ui::GhostOverlay ghost;
        ui::TimelineView timeline(viewState);
        ui::TimelineModel model(tests::sampleRun());
        viewState.setRunEnd(model.end());
        timeline.resize(1200, 600);
        timeline.showModel(std::move(model));
        timeline.addOverlay(ghost);
        const QImage plain = timeline.grab().toImage();
        ghost.setPinned(tests::sampleRun());
        QCOMPARE(ghost.end(), viewState.runEnd());
        const QImage pinned = timeline.grab().toImage();
        QVERIFY(pinned != plain);
        QCOMPARE(timeline.grab().toImage(), pinned);
        viewState.setRange({0, viewState.runEnd() / 2});
        QVERIFY(timeline.grab().toImage() != pinned);
        viewState.showAll();
        QCOMPARE(timeline.grab().toImage(), pinned);
        ghost.setPinned(nullptr);
        QCOMPARE(timeline.grab().toImage(), plain);
        timeline.removeOverlay(ghost);
    }

    // An opened lane stacks a hundred workgroups, each one pixel high: their outlines would be a black block.
    void outlinesLeaveAnOpenedLaneInSight() {
        ui::ViewState viewState;
        ui::GhostOverlay ghost;
        ui::TimelineView timeline(viewState);
        const auto run = tests::simulatedRun("t-nlg/fc-2/tp8");
        ui::TimelineModel model(run);
        viewState.setRunEnd(model.end());
        timeline.resize(1200, 900);
        ui::LaneArrangement lanes;
        lanes.opened = {{0, ui::RowKind::waves}};
        timeline.lanes().setArrangement(lanes);
        timeline.showModel(std::move(model));
        timeline.addOverlay(ghost);
        for (const double share : {1.0, 0.1}) {
            viewState.setRange({0, static_cast<std::int64_t>(share * static_cast<double>(viewState.runEnd()))});
            for (const ui::PicturedRow& place : timeline.picture().rows) {
                const QRect box = place.box.toAlignedRect().intersected(place.box.toRect());
                const auto lane = [&] {
                    return timeline.viewport()->grab(box).toImage().convertToFormat(QImage::Format_RGB32);
                };
                ghost.setPinned(nullptr);
                const QImage plain = lane();
                ghost.setPinned(run);
                QVERIFY2(differing(plain, lane()) < 0.45, qPrintable(place.row.label));
            }
        }
        timeline.removeOverlay(ghost);
    }

    void aGhostOfAnotherKindOfRunIsDrawnAsFarAsItHasTheSameRows() {
        open("t-nlg/fc-2/tp8");
        pressG();
        for (const char* policy : {"sequential", "ideal-overlap", "t3"}) {
            run("policy.preset", policy);
            part<ui::TimelineView>("timeline")->grab();
        }
        pressG(Qt::ShiftModifier);
        run("parallel.tp", "16");  // more GPUs than the pinned run has
        // Shows every lane: details, channels, and one lane pinned above the others.
        ui::LaneArrangement all;
        all.expanded = {0, 12};
        for (const std::uint32_t gpu : all.expanded) {
            for (const ui::RowKind kind : ui::LaneArrangement::usualOrder())
                all.opened.insert({gpu, kind});
        }
        all.togglePinned({0, ui::RowKind::dma});
        part<ui::TimelineView>("timeline")->lanes().setArrangement(all);
        part<ui::TimelineView>("timeline")->grab();
        run("detail.level", "standard");  // eight channels of DRAM, of which the pinned run has one
        part<ui::TimelineView>("timeline")->grab();
        run("policy.preset", "ideal-overlap");
        pressG(Qt::ShiftModifier);
        run("policy.preset", "t3");
        part<ui::TimelineView>("timeline")->grab();
        QVERIFY(m_window->runs().pinned());
    }

    void aHeldSliderLeavesThePinnedRunWhereItIs() {
        open("t-nlg/fc-2/tp8", true);
        pressG();
        const auto pinned = m_window->runs().pinned();
        auto* slider = part<ui::ParameterField>("field:link.bandwidth")->findChild<QSlider*>();
        QSignalSpy shown(&m_window->runs(), &ui::RunController::settled);
        slider->setSliderDown(true);
        for (const int position : {110, 100, 90}) {
            slider->setValue(position);
            QVERIFY(shown.wait(10'000));
            QCOMPARE(m_window->runs().pinned(), pinned);
            QCOMPARE(strip().differences().front().verdict, Difference::Verdict::worse);
        }
        slider->setSliderDown(false);
        QVERIFY(shown.wait(10'000));
        QCOMPARE(m_window->runs().pinned(), pinned);
    }
};

RINGSIDE_WINDOW_TEST(TestPinnedRun)
#include "tst_pinned_run.moc"
