#include "tests/ui/machine_run.h"
#include "tests/ui/sample_trace.h"
#include "tests/ui/window_test.h"

#include "ui/machine/machine_view.h"
#include "ui/shared/ring_moment.h"
#include "ui/shared/view_state.h"

#include <QImage>
#include <QToolTip>

using data::TileState;
using ui::MachineView;

namespace {

/// A view with the data that the main window would set.
struct MachineViewBench {
    explicit MachineViewBench(std::shared_ptr<const data::ShownRun> run, QSize size = {1100, 620}) {
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

struct PaintedText {
    QRectF box;
    QString text;
};

/// Returns the boxes of the texts in a drawing, in points.
std::vector<PaintedText> textsOf(const data::DrawingMark& drawing, const QFont& font) {
    std::vector<PaintedText> texts;
    for (const data::DrawingMark::Item& item : drawing.items) {
        const auto* text = std::get_if<data::DrawingText>(&item);
        if (text == nullptr)
            continue;
        QFont own = font;
        own.setPixelSize(200);
        own.setWeight(text->weight == data::DrawingText::Weight::regular    ? QFont::Normal
                      : text->weight == data::DrawingText::Weight::semiBold ? QFont::DemiBold
                                                                            : QFont::Bold);
        const QFontMetricsF metrics(own);
        const QString words = QString::fromStdString(text->text);
        const double scale = text->size / 200;
        // The height of digits, without the space above and below them.
        texts.push_back({{text->x, text->y - metrics.capHeight() * scale, metrics.horizontalAdvance(words) * scale,
                          metrics.capHeight() * scale},
                         words});
    }
    return texts;
}

}  // namespace

class TestMachineView : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void noTwoWordsMeetAndNoneIsCutWhateverTheSize() {
        for (const char* experiment : {"t-nlg/fc-2/tp8", "t-nlg/fc-2/tp16", "mt-nlg/fc-2/tp64"}) {
            MachineViewBench bench(tests::simulatedRun(experiment));
            bench.seek(0.4);
            const QSize least = bench.view.minimumSizeHint();
            for (const QSize size : {least, QSize(640, 240), QSize(640, 400), QSize(900, 330), QSize(1160, 290),
                                     QSize(1160, 700), QSize(500, 900), QSize(1900, 900)}) {
                bench.view.resize(size.expandedTo(least));
                QApplication::processEvents();
                const auto drawing = bench.view.drawing();
                const std::vector<PaintedText> texts = textsOf(*drawing, bench.view.font());
                QVERIFY(texts.size() > 8);
                for (std::size_t i = 0; i < texts.size(); ++i) {
                    const auto where = [&](const PaintedText& text) {
                        return QStringLiteral("%1 at %2 x %3: %4 at %5, %6")
                            .arg(QString::fromLatin1(experiment))
                            .arg(size.width())
                            .arg(size.height())
                            .arg(text.text)
                            .arg(text.box.x())
                            .arg(text.box.y())
                            .toUtf8();
                    };
                    QVERIFY2(QRectF(0, 0, drawing->width, drawing->height).contains(texts[i].box),
                             where(texts[i]).constData());
                    for (std::size_t j = 0; j < i; ++j)
                        QVERIFY2(!texts[i].box.intersects(texts[j].box),
                                 (where(texts[i]) + " meets " + where(texts[j])).constData());
                }
            }
        }
    }

    void aClickOnACardBringsItsGpuIntoFocus() {
        MachineViewBench bench(tests::simulatedRun("t-nlg/fc-2/tp8"));
        QCOMPARE(bench.view.focusedGpu(), 0u);
        QTest::mouseClick(&bench.view, Qt::LeftButton, {}, bench.cardCentre(5));
        QCOMPARE(bench.view.focusedGpu(), 5u);
        QCOMPARE(bench.state.focusedGpu(), 5u);
    }

    void arrowsMoveTheFocusToTheNextCardInTheirDirection() {
        MachineViewBench bench(tests::simulatedRun("t-nlg/fc-2/tp16"));
        const auto centre = [&] { return bench.view.map().cards[bench.view.focusedGpu()].center(); };
        const QPointF start = centre();
        QTest::keyClick(&bench.view, Qt::Key_Right);
        QVERIFY(centre().x() > start.x());
        QTest::keyClick(&bench.view, Qt::Key_Left);
        QCOMPARE(centre(), start);
        QTest::keyClick(&bench.view, Qt::Key_Down);
        QVERIFY(centre().y() > start.y());
        QTest::keyClick(&bench.view, Qt::Key_Up);
        QTest::keyClick(&bench.view, Qt::Key_Up);  // there is no part above
        QCOMPARE(centre().y(), start.y());
    }

    void aClickOnATileFollowsItsChunkAndASecondOneLetsGo() {
        MachineViewBench bench(tests::simulatedRun("t-nlg/fc-2/tp8"));
        const std::uint32_t tile = bench.moment.run()->index->trace().output.chunkTile[3] + 20;
        const QPoint at = bench.view.tileBox(tile).center().toPoint();
        QTest::mouseClick(&bench.view, Qt::LeftButton, {}, at);
        QCOMPARE(bench.state.followedChunk(), std::optional(3u));
        QTest::mouseClick(&bench.view, Qt::LeftButton, {}, at);
        QVERIFY(!bench.state.followedChunk());
    }

    void thePictureFollowsTheCursor() {
        MachineViewBench bench(tests::simulatedRun("t-nlg/fc-2/tp8"));
        bench.seek(0);
        const QImage start = bench.view.grab().toImage();
        bench.seek(0.4);
        const QImage middle = bench.view.grab().toImage();
        QVERIFY(start != middle);
        bench.seek(0);
        QCOMPARE(bench.view.grab().toImage(), start);
    }

    void hoveringATileShowsItsHistory() {
        MachineViewBench bench(tests::simulatedRun("t-nlg/fc-2/tp8"));
        bench.seek(1);
        const QPoint at = bench.view.tileBox(17).center().toPoint();
        QMouseEvent move(QEvent::MouseMove, QPointF(at), bench.view.mapToGlobal(QPointF(at)), Qt::NoButton,
                         Qt::NoButton, Qt::NoModifier);
        QApplication::sendEvent(&bench.view, &move);
        QVERIFY2(QToolTip::text().contains(QStringLiteral("tile 17 of chunk 0")), qPrintable(QToolTip::text()));
        QVERIFY(QToolTip::text().contains(QStringLiteral("reduced")));
    }

    void aScreenReaderHearsWhatTheGpuInFocusDoes() {
        MachineViewBench bench(tests::simulatedRun("t-nlg/fc-2/tp8"));
        bench.state.setFocusedGpu(2);
        bench.seek(0.3);
        QVERIFY(bench.view.accessibleDescription().startsWith(QStringLiteral("GPU 2: wave")));
        bench.seek(1);
        QCOMPARE(bench.view.accessibleDescription(), QStringLiteral("GPU 2: done"));
        QVERIFY(!bench.view.accessibleName().isEmpty());
    }

    void aRunOfFewerGpusShowsItsLastInFocus() {
        MachineViewBench bench(tests::simulatedRun("t-nlg/fc-2/tp16"));
        bench.state.setFocusedGpu(15);
        tests::show(bench.moment, tests::simulatedRun("t-nlg/fc-2/tp8"));
        QCOMPARE(bench.view.focusedGpu(), 7u);
        QVERIFY(!bench.view.grab().isNull());
    }

    void whereThereIsNothingToPlayTheViewSaysWhatToDo() {
        MachineViewBench bench(tests::sampleBound());
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
            MachineViewBench bench(tests::simulatedRun("t-nlg/op/tp8", policy));
            bench.seek(0.5);
            for (const QSize size : {QSize(480, 280), QSize(700, 900), QSize(2200, 700)}) {
                bench.view.resize(size);
                QVERIFY(!bench.view.grab().isNull());
            }
        }
        MachineViewBench alone(tests::simulatedRun("collective/all-reduce/tp8"));
        alone.seek(0.5);
        QVERIFY(!alone.view.grab().isNull());
    }
};

RINGSIDE_WINDOW_TEST(TestMachineView)
#include "tst_machine_view.moc"
