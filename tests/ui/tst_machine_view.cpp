#include "tests/ui/machine_run.h"
#include "tests/ui/sample_trace.h"
#include "tests/ui/window_test.h"

#include "ui/machine/machine_view.h"
#include "ui/shared/ring_moment.h"
#include "ui/shared/view_state.h"

#include <QImage>
#include <QToolTip>

using ui::MachineView;
using ui::TileState;

namespace {

/// A view with what the main window would give it.
struct Bench {
    explicit Bench(std::shared_ptr<const ui::ShownRun> run, QSize size = {1100, 620}) {
        state.setRunEnd(run->run.result.last.time.total.ps);
        tests::show(moment, run);
        view.resize(size);
        view.show();
        QApplication::processEvents();
    }
    void seek(double share) { state.setCursor(static_cast<std::int64_t>(share * static_cast<double>(state.runEnd()))); }
    QPoint cardCentre(std::uint32_t gpu) const { return view.map().cards[gpu].center().toPoint(); }

    ui::ViewState state;
    ui::RingMoment moment{state};
    MachineView view{state, moment};
};

}  // namespace

class TestMachineView : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aClickOnACardBringsItsGpuIntoFocus() {
        Bench bench(tests::simulatedRun("t-nlg/fc-2/tp8"));
        QCOMPARE(bench.view.focusedGpu(), 0u);
        QTest::mouseClick(&bench.view, Qt::LeftButton, {}, bench.cardCentre(5));
        QCOMPARE(bench.view.focusedGpu(), 5u);
        QCOMPARE(bench.state.focusedGpu(), 5u);
    }

    void arrowsMoveTheFocusToTheNextCardInTheirDirection() {
        Bench bench(tests::simulatedRun("t-nlg/fc-2/tp16"));
        const auto centre = [&] { return bench.view.map().cards[bench.view.focusedGpu()].center(); };
        const QPointF start = centre();
        QTest::keyClick(&bench.view, Qt::Key_Right);
        QVERIFY(centre().x() > start.x());
        QTest::keyClick(&bench.view, Qt::Key_Left);
        QCOMPARE(centre(), start);
        QTest::keyClick(&bench.view, Qt::Key_Down);
        QVERIFY(centre().y() > start.y());
        QTest::keyClick(&bench.view, Qt::Key_Up);
        QTest::keyClick(&bench.view, Qt::Key_Up);  // there is nothing further up
        QCOMPARE(centre().y(), start.y());
    }

    void aClickOnATileFollowsItsChunkAndASecondOneLetsGo() {
        Bench bench(tests::simulatedRun("t-nlg/fc-2/tp8"));
        const std::uint32_t tile = bench.moment.run()->index->trace().output.chunkTile[3] + 20;
        const QPoint at = bench.view.tileBox(tile).center().toPoint();
        QTest::mouseClick(&bench.view, Qt::LeftButton, {}, at);
        QCOMPARE(bench.state.followedChunk(), std::optional(3u));
        QTest::mouseClick(&bench.view, Qt::LeftButton, {}, at);
        QVERIFY(!bench.state.followedChunk());
    }

    void thePictureFollowsTheCursor() {
        Bench bench(tests::simulatedRun("t-nlg/fc-2/tp8"));
        bench.seek(0);
        const QImage start = bench.view.grab().toImage();
        bench.seek(0.4);
        const QImage middle = bench.view.grab().toImage();
        QVERIFY(start != middle);
        bench.seek(0);
        QCOMPARE(bench.view.grab().toImage(), start);
    }

    void hoveringATileTellsWhatBecameOfIt() {
        Bench bench(tests::simulatedRun("t-nlg/fc-2/tp8"));
        bench.seek(1);
        const QPoint at = bench.view.tileBox(17).center().toPoint();
        QMouseEvent move(QEvent::MouseMove, QPointF(at), bench.view.mapToGlobal(QPointF(at)), Qt::NoButton,
                         Qt::NoButton, Qt::NoModifier);
        QApplication::sendEvent(&bench.view, &move);
        QVERIFY2(QToolTip::text().contains(QStringLiteral("tile 17 of chunk 0")), qPrintable(QToolTip::text()));
        QVERIFY(QToolTip::text().contains(QStringLiteral("reduced")));
    }

    void aScreenReaderHearsWhatTheGpuInFocusDoes() {
        Bench bench(tests::simulatedRun("t-nlg/fc-2/tp8"));
        bench.state.setFocusedGpu(2);
        bench.seek(0.3);
        QVERIFY(bench.view.accessibleDescription().startsWith(QStringLiteral("GPU 2: wave")));
        bench.seek(1);
        QCOMPARE(bench.view.accessibleDescription(), QStringLiteral("GPU 2: done"));
        QVERIFY(!bench.view.accessibleName().isEmpty());
    }

    void aRunOfFewerGpusShowsItsLastInFocus() {
        Bench bench(tests::simulatedRun("t-nlg/fc-2/tp16"));
        bench.state.setFocusedGpu(15);
        tests::show(bench.moment, tests::simulatedRun("t-nlg/fc-2/tp8"));
        QCOMPARE(bench.view.focusedGpu(), 7u);
        QVERIFY(!bench.view.grab().isNull());
    }

    void whereThereIsNothingToPlayTheViewSaysWhatToDo() {
        Bench bench(tests::sampleBound());
        const QImage bound = bench.view.grab().toImage();
        QTest::keyClick(&bench.view, Qt::Key_Right);
        QTest::mouseClick(&bench.view, Qt::LeftButton, {}, {50, 50});
        QCOMPARE(bench.view.grab().toImage(), bound);
        ui::ViewState state;
        ui::RingMoment moment(state);
        MachineView empty(state, moment);
        empty.resize(800, 500);
        QVERIFY(empty.grab().toImage() != bound);
    }

    void everyKindOfRunCanBeDrawnInAnySize() {
        for (const char* policy : {"sequential", "t3", "cu-split"}) {
            Bench bench(tests::simulatedRun("t-nlg/op/tp8", policy));
            bench.seek(0.5);
            for (const QSize size : {QSize(480, 280), QSize(700, 900), QSize(2200, 700)}) {
                bench.view.resize(size);
                QVERIFY(!bench.view.grab().isNull());
            }
        }
        Bench alone(tests::simulatedRun("collective/all-reduce/tp8"));
        alone.seek(0.5);
        QVERIFY(!alone.view.grab().isNull());
    }
};

RINGSIDE_WINDOW_TEST(TestMachineView)
#include "tst_machine_view.moc"
