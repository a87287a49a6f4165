// Tests the base class of pictures that consist of parts, alone and in the pictures of a run.
#include "tests/ui/machine_run.h"
#include "tests/ui/window_test.h"

#include "ui/chunks/chunk_view.h"
#include "ui/inside/inside_view.h"
#include "ui/machine/machine_view.h"
#include "ui/memory/memory_view.h"
#include "ui/shared/view_state.h"
#include "ui/split/split_view.h"

#include <QBackingStore>
#include <QImage>
#include <QPainter>

namespace {

/// Two boxes side by side; each shows a number.
class TwoBoxes final : public ui::PartPicture {
public:
    TwoBoxes()
        : PartPicture({.name = QStringLiteral("boxes"), .spoken = QStringLiteral("Boxes"), .least = {4, 2}}, {}) {
        resize(200, 100);
    }
    void show(int left, int right) {
        numbers = {left, right};
        follow();
    }
    QString emptyText() const override { return empty; }
    void layOut() override { ++layouts; }
    QRectF box(int i) const { return QRectF(width() / 2.0 * i, 0, width() / 2.0 - 20, height()); }
    std::vector<ui::Part> parts() override {
        std::vector<ui::Part> parts;
        for (int i = 0; i < 2; ++i)
            parts.push_back({box(i),
                             [this, i](QPointF) { return QString::number(numbers[static_cast<std::size_t>(i)]); },
                             [this, i](QPointF) { log << QStringLiteral("press %1").arg(i); },
                             [this, i](QPointF) { log << QStringLiteral("drag %1").arg(i); },
                             [this, i] { log << QStringLiteral("open %1").arg(i); }});
        return parts;
    }
    std::vector<ui::PartState> states() override {
        return {{box(0), ui::stateOf(numbers[0])}, {box(1), ui::stateOf(numbers[1])}};
    }
    void paintBackground(QPainter& painter) override {
        ++backgrounds;
        painter.fillRect(rect(), Qt::yellow);
    }
    void paintMoment(QPainter& painter, const QRegion& region) override {
        painted = region;
        for (int i = 0; i < 2; ++i)
            painter.fillRect(box(i), QColor::fromHsv(numbers[static_cast<std::size_t>(i)] % 360, 255, 255));
    }
    std::function<void()> actionOf(int key) override {
        return key == Qt::Key_Up ? std::function<void()>([this] { log << QStringLiteral("up"); })
                                 : std::function<void()>();
    }
    QString spokenText() const override { return QStringLiteral("%1 and %2").arg(numbers[0]).arg(numbers[1]); }

    std::array<int, 2> numbers{1, 2};
    QString empty;
    QStringList log;
    QRegion painted;
    int layouts = 0, backgrounds = 0;
};

/// Returns what is on the screen, without asking the picture to paint.
QImage onScreen(QWidget& widget) {
    QApplication::processEvents();
    const auto* shown = dynamic_cast<QImage*>(widget.backingStore()->paintDevice());
    return shown == nullptr ? QImage() : shown->convertToFormat(QImage::Format_RGB32);
}

QImage paintedWhole(QWidget& widget) { return widget.grab().toImage().convertToFormat(QImage::Format_RGB32); }

template <class View>
void playTo(const std::shared_ptr<const data::ShownRun>& run) {
    ui::ViewState state;
    ui::RingMoment moment(state);
    View view(state, moment);
    state.setRunEnd(run->run.result.last.time.total.ps);
    tests::show(moment, run);
    view.resize(1000, 620);
    view.show();
    state.setFollowedChunk(1);
    for (const int step : {0, 100, 101, 102, 140, 141, 300, 301, 700, 699, 999, 1000}) {
        state.setCursor(state.runEnd() * step / 1000);
        const QImage shown = onScreen(view);
        QVERIFY2(shown == paintedWhole(view),
                 qPrintable(view.objectName() + QStringLiteral(" at ") + QString::number(step)));
        QVERIFY(!view.accessibleDescription().isEmpty() || qobject_cast<ui::InsideView*>(&view) != nullptr);
    }
    state.setCursor({});
    QCOMPARE(onScreen(view), paintedWhole(view));
}

}  // namespace

class TestPartPicture final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void thePartUnderThePointerIsFoundPressedDraggedAndOpened() {
        TwoBoxes boxes;
        boxes.QWidget::show();
        QCOMPARE(boxes.partAt({150, 50})->tip({150, 50}), QStringLiteral("2"));
        QVERIFY(!boxes.partAt({90, 50}));
        QTest::mousePress(&boxes, Qt::LeftButton, {}, {10, 50});
        QMouseEvent move(QEvent::MouseMove, QPointF(150, 50), {}, Qt::LeftButton, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&boxes, &move);
        QTest::mouseRelease(&boxes, Qt::LeftButton, {}, {150, 50});
        QCOMPARE(boxes.log, QStringList({"press 0", "drag 0"}));  // the part that was pressed
        boxes.log.clear();
        QTest::mousePress(&boxes, Qt::RightButton, {}, {10, 50});
        QTest::mousePress(&boxes, Qt::LeftButton, {}, {90, 50});
        QCOMPARE(boxes.log, QStringList());
        QTest::mouseDClick(&boxes, Qt::LeftButton, {}, {150, 50});
        QCOMPARE(boxes.log.back(), QStringLiteral("open 1"));
    }

    void aKeyDoesWhatThePictureSaysAndOtherKeysAreLeftToTheWindow() {
        TwoBoxes boxes;
        boxes.QWidget::show();
        QKeyEvent wanted(QEvent::ShortcutOverride, Qt::Key_Up, Qt::NoModifier);
        QKeyEvent changed(QEvent::ShortcutOverride, Qt::Key_Up, Qt::ControlModifier);
        QKeyEvent other(QEvent::ShortcutOverride, Qt::Key_Down, Qt::NoModifier);
        for (QKeyEvent* key : {&wanted, &changed, &other}) {
            key->ignore();
            QApplication::sendEvent(&boxes, key);
        }
        QVERIFY(wanted.isAccepted() && !changed.isAccepted() && !other.isAccepted());
        QTest::keyClick(&boxes, Qt::Key_Up);
        QTest::keyClick(&boxes, Qt::Key_Down);
        QCOMPARE(boxes.log, QStringList("up"));
    }

    void onlyAPartWhoseStateHasChangedIsPaintedAgain() {
        TwoBoxes boxes;
        boxes.QWidget::show();
        onScreen(boxes);
        boxes.show(1, 77);
        QCOMPARE(onScreen(boxes), paintedWhole(boxes));
        boxes.show(1, 78);
        QApplication::processEvents();
        QVERIFY(boxes.painted.boundingRect().left() > 80);
        QCOMPARE(boxes.accessibleDescription(), QStringLiteral("1 and 78"));
        QCOMPARE(boxes.backgrounds, 1);
        boxes.resize(300, 100);
        QCOMPARE(onScreen(boxes), paintedWhole(boxes));
        QCOMPARE(boxes.backgrounds, 2);
    }

    void aHiddenPictureIsNotLaidOutUntilItIsShown() {
        TwoBoxes boxes;
        boxes.resize(400, 300);
        boxes.show(3, 4);
        QCOMPARE(boxes.layouts, 0);
        QVERIFY(boxes.accessibleDescription().isEmpty());
        boxes.QWidget::show();
        QCOMPARE(onScreen(boxes), paintedWhole(boxes));
        QCOMPARE(boxes.accessibleDescription(), QStringLiteral("3 and 4"));
    }

    void anEmptyPictureHasATextAndNeitherPartsNorKeys() {
        TwoBoxes boxes;
        boxes.QWidget::show();
        const QImage full = paintedWhole(boxes);
        boxes.empty = QStringLiteral("Nothing to see");
        boxes.show(1, 2);
        QVERIFY(paintedWhole(boxes) != full);
        QVERIFY(!boxes.partAt({10, 50}) && !boxes.drawing());
        QTest::keyClick(&boxes, Qt::Key_Up);
        QCOMPARE(boxes.log, QStringList());
        QVERIFY(boxes.accessibleDescription().isEmpty());
    }

    void aDrawingLeavesThePictureAsItIs() {
        TwoBoxes boxes;
        boxes.QWidget::show();
        const QImage before = paintedWhole(boxes);
        const auto drawing = boxes.drawing();
        QVERIFY(drawing && drawing->items.size() == 3);
        QCOMPARE(paintedWhole(boxes), before);
    }

    void playbackLeavesOnTheScreenWhatTheWholePictureShows() {
        for (const char* policy : {"t3-mca", "sequential"}) {
            const auto run = tests::simulatedRun("t-nlg/fc-2/tp8", policy);
            playTo<ui::ChunkView>(run);
            playTo<ui::SplitView>(run);
            playTo<ui::InsideView>(run);
            playTo<ui::MemoryView>(run);
            playTo<ui::MachineView>(run);
        }
        const data::Settings torus{{"topology.kind", std::string("torus")}};
        playTo<ui::MachineView>(tests::simulatedRun("t-nlg/fc-2/tp8", "t3", torus));
        playTo<ui::MachineView>(tests::simulatedRun("t-nlg/fc-2/tp32", "t3"));
    }
};

RINGSIDE_WINDOW_TEST(TestPartPicture)
#include "tst_part_picture.moc"
