// Tests that every picture of a run can be the first one that a small window shows.
#include "tests/ui/machine_run.h"
#include "tests/ui/open_window.h"
#include "tests/ui/window_test.h"

#include "ui/inside/inside_layout.h"
#include "ui/inside/inside_view.h"
#include "ui/machine/machine_view.h"
#include "ui/shared/view_state.h"

#include <QTest>

namespace {

constexpr const char* kExperiments[] = {"t-nlg/fc-2/tp2",
                                        "t-nlg/fc-2/tp4",
                                        "t-nlg/fc-2/tp8",
                                        "t-nlg/fc-2/tp16",
                                        "t-nlg/fc-2/tp32",
                                        "t-nlg/fc-2/tp64",
                                        "t-nlg/op/tp2",
                                        "gemm/2048x2048x2048",
                                        "collective/all-reduce/tp2",
                                        "collective/all-gather/tp8"};

constexpr const char* kPictures[] = {"timeline", "machine", "chunks", "tracker", "inside", "split", "memory"};

/// Returns whether a picture has more than one colour, so that something is drawn.
bool isDrawn(QWidget& picture) {
    const QImage image = picture.grab().toImage();
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (image.pixel(x, y) != image.pixel(0, 0))
                return true;
    return false;
}

}  // namespace

class TestFirstPicture final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPictureIsDrawnThoughNoneWasShownBefore_data() {
        QTest::addColumn<QString>("experiment");
        for (const char* experiment : kExperiments)
            QTest::newRow(experiment) << experiment;
    }
    void everyPictureIsDrawnThoughNoneWasShownBefore() {
        QFETCH(QString, experiment);
        const auto window = tests::openWindow(tests::interactiveConfig(qPrintable(experiment)), {1024, 600});
        ui::Pictures& pictures = window->workbench().pictures();
        QCOMPARE(pictures.names().size(), static_cast<qsizetype>(std::size(kPictures)));
        for (const char* name : kPictures) {
            QVERIFY2(pictures.showView(QString::fromLatin1(name)), name);
            QApplication::processEvents();
            QVERIFY2(isDrawn(pictures), name);
        }
        QVERIFY(pictures.showView(QStringLiteral("machine")));
        auto* machine = window->findChild<ui::MachineView*>();
        QTest::keyClick(machine, Qt::Key_Return);
        QApplication::processEvents();
        QVERIFY(machine->showsInside());
        QVERIFY(isDrawn(*machine));
    }

    void theInsideIsLaidOutInItsLeastSizeAndInNoneThatIsTooSmall_data() {
        everyPictureIsDrawnThoughNoneWasShownBefore_data();
    }
    void theInsideIsLaidOutInItsLeastSizeAndInNoneThatIsTooSmall() {
        QFETCH(QString, experiment);
        const auto run = tests::simulatedRun(experiment.toStdString());
        ui::ViewState state;
        ui::RingMoment moment{state};
        state.setRunEnd(run->run.result.last.time.total.ps);
        tests::show(moment, run);
        ui::InsideView view{state, moment};
        view.resize(view.minimumSizeHint());
        view.show();
        QApplication::processEvents();
        QVERIFY(view.insideLayout().has(data::GpuPart::arbiter));
        QVERIFY(view.insideLayout().has(data::GpuPart::channels));
        QVERIFY(isDrawn(view));
        for (const QSize size : {QSize(1, 1), QSize(100, 30), QSize(900, 30)}) {
            view.resize(size);
            QApplication::processEvents();
            QVERIFY(!view.insideLayout().has(data::GpuPart::arbiter));
            view.grab();
        }
        for (int height = 40; height < 400; height += 24)  // no picture between is too low to be drawn
            for (const int width : {60, 300, 700, 1200}) {
                view.resize(width, height);
                QApplication::processEvents();
                view.grab();
            }
    }
};

RINGSIDE_WINDOW_TEST(TestFirstPicture)
#include "tst_first_picture.moc"
