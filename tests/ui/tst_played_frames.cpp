#include "tests/ui/open_window.h"
#include "tests/ui/window_test.h"

#include "tests/ui/window_parts.h"
#include "ui/inspector/inspector_panel.h"
#include "ui/look/steady_room.h"
#include "ui/ringside_window.h"
#include "ui/timeline/timeline_view.h"

#include <QBackingStore>
#include <QLabel>
#include <QPaintEvent>

#include <functional>

// Tests that playback paints only the parts that change, and that the screen is the same as if everything were painted.

using ui::RingsideWindow;

namespace {

constexpr int kFrames = 60;             // of the whole run
constexpr int kInspectorPauseMs = 150;  // longer than a change of the range waits for its sums
constexpr int kLateTextMs = 2'000;      // another thread delivers its text within this time, also on a busy machine

/// Returns the pixels of the window on the screen.
QImage onScreen(RingsideWindow& window) {
    auto* pixels = dynamic_cast<QImage*>(window.backingStore()->paintDevice());
    if (pixels == nullptr)
        qFatal("the window is not painted into an image");
    QImage image = pixels->copy().convertToFormat(QImage::Format_RGB32);
    image.setDevicePixelRatio(1);
    return image.copy(QRect(QPoint(), window.size() * window.devicePixelRatioF()));
}

QImage paintedAnew(RingsideWindow& window) {
    QImage image = window.grab().toImage().convertToFormat(QImage::Format_RGB32);
    image.setDevicePixelRatio(1);
    return image;
}

/// Returns where two pictures of the same window differ; empty if they are equal.
QString differenceOf(const QImage& left, const QImage& right) {
    if (left.size() != right.size())
        return QStringLiteral("sizes");
    if (left == right)
        return {};
    QRect different;
    for (int y = 0; y < left.height(); ++y) {
        for (int x = 0; x < left.width(); ++x) {
            if (left.pixel(x, y) != right.pixel(x, y))
                different |= QRect(x, y, 1, 1);
        }
    }
    return different.isNull() ? QStringLiteral("formats")
                              : QStringLiteral("%1 x %2 pixels from %3, %4")
                                    .arg(different.width())
                                    .arg(different.height())
                                    .arg(different.x())
                                    .arg(different.y());
}

void playFrames(RingsideWindow& window, int first, int count) {
    for (int frame = first; frame < first + count; ++frame) {
        window.player().seek(window.player().end() * frame / kFrames);
        QTest::qWait(0);
    }
    QTest::qWait(20);
}

/// Plays from a frame. Returns where the screen then differs from a complete painting of the same moment.
/// A text that another thread delivers in between is painted at the next turn of the event loop. Pixels that playback
/// left behind stay: nothing else paints them.
QString driftAfter(RingsideWindow& window, int first) {
    playFrames(window, first, 4);
    QString drift;
    const auto isSame = [&] {
        const QImage played = onScreen(window);
        drift = differenceOf(played, paintedAnew(window));
        return drift.isEmpty();
    };
    return QTest::qWaitFor(isSame, kLateTextMs) ? QString() : drift;
}

/// Counts how often a widget is painted, and sums the painted area in pixels of the screen.
class PaintedArea final : public QObject {
public:
    explicit PaintedArea(QWidget& widget) { widget.installEventFilter(this); }
    int times() const { return m_times; }
    qint64 area() const { return m_area; }

protected:
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() != QEvent::Paint)
            return false;
        ++m_times;
        for (const QRect& rect : static_cast<QPaintEvent*>(event)->region())
            m_area += qint64{rect.width()} * rect.height();
        return false;
    }

private:
    int m_times = 0;
    qint64 m_area = 0;
};

std::unique_ptr<RingsideWindow> windowPlaying(const QString& picture, bool beside = false) {
    auto window = tests::openWindow();
    window->workbench().pictures().showView(picture);
    window->workbench().pictures().setBeside(beside);
    playFrames(*window, 1, 2);
    // Another thread computes the inspector's sums. After these have arrived, only playback changes the window.
    const auto* inspector = window->findChild<ui::InspectorPanel*>();
    if (!QTest::qWaitFor([inspector] { return inspector->toPlainText().contains(QStringLiteral("DRAM bytes")); }))
        qFatal("the inspector shows no sums in time");
    QTest::qWait(kInspectorPauseMs);
    return window;
}

}  // namespace

class TestPlayedFrames : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatPlayingLeavesOnTheScreenIsWhatPaintingAnewShows_data() {
        QTest::addColumn<QString>("picture");
        QTest::addColumn<bool>("beside");
        for (const char* picture : {"timeline", "machine", "chunks", "tracker"})
            QTest::newRow(picture) << QString::fromLatin1(picture) << false;
        QTest::newRow("machine beside") << QStringLiteral("machine") << true;
    }

    void whatPlayingLeavesOnTheScreenIsWhatPaintingAnewShows() {
        QFETCH(QString, picture);
        QFETCH(bool, beside);
        const auto window = windowPlaying(picture, beside);
        for (const int frame : {4, 22, 43, 50, 56})
            QCOMPARE(driftAfter(*window, frame), QString());
        QCOMPARE(driftAfter(*window, 8), QString());  // also backwards
    }

    void comparedRunsPlayAsTheyArePaintedAnew() {
        const auto window = tests::openWindow();
        window->compare().compareWith({"t3-mca", "sequential"});
        const auto isThere = [&] {
            return window->compare().view().rowCount() == 2 && window->compare().view().comparison().isComplete();
        };
        QVERIFY(QTest::qWaitFor(isThere, 20'000));
        playFrames(*window, 1, 2);
        for (const int frame : {10, 30, 55})
            QCOMPARE(driftAfter(*window, frame), QString());
    }

    // A picture that is kept for the next frame is made again when its contents change.
    void whatIsKeptForTheNextFrameFollowsThemeTypeSizeRangeChunkAndRun() {
        const auto window = windowPlaying(QStringLiteral("chunks"), true);
        const std::vector<std::pair<const char*, std::function<void()>>> changes{
            {"theme", [&] { window->workbench().setTheme(ui::Theme::dark); }},
            {"type",
             [&] {
                 QFont larger = window->font();
                 larger.setPointSizeF(larger.pointSizeF() * 1.2);
                 window->setFont(larger);
             }},
            {"size", [&] { window->resize(1500, 900); }},
            {"range",
             [&] {
                 window->viewState().setRange({0, window->viewState().runEnd() * 3 / 4});
             }},
            {"followed chunk", [&] { window->viewState().setFollowedChunk(2); }},
            {"run",
             [&] {
                 QSignalSpy built(&window->logs(), &ui::RunLogBuilder::settled);
                 window->experiment().setText(*engine::findParameter("link.bandwidth"), QStringLiteral("75 GB/s"));
                 window->runs().run();
                 QVERIFY(built.wait(20'000));
             }},
            {"picture", [&] { window->workbench().pictures().showView(QStringLiteral("machine")); }},
            {"GPU in focus", [&] { window->viewState().setFocusedGpu(5); }},
        };
        int frame = 6;
        for (const auto& [name, change] : changes) {
            change();
            QTest::qWait(150);  // statistics follow a moment later
            playFrames(*window, frame, 2);
            const QString drift = driftAfter(*window, frame + 2);
            QVERIFY2(drift.isEmpty(), qPrintable(QLatin1String(name) + QStringLiteral(": ") + drift));
            frame += 3;
        }
    }

    void aFrameInWhichOnlyTheCursorMovesPaintsItsStripOfTheTimeline() {
        const auto window = windowPlaying(QStringLiteral("timeline"));
        QWidget& lanes = *window->findChild<ui::TimelineView*>(QStringLiteral("timeline"))->viewport();
        QWidget& ribbon = *window->findChild<QWidget*>(QStringLiteral("ribbon"));
        QWidget& overview = *window->findChild<QWidget*>(QStringLiteral("minimap"));
        for (QWidget* widget : {&lanes, &ribbon, &overview}) {
            const PaintedArea painted(*widget);
            playFrames(*window, 20, 10);
            QVERIFY(painted.times() >= 10);
            const qint64 all = qint64{widget->width()} * widget->height() * painted.times();
            QVERIFY2(painted.area() * 10 < all, qPrintable(widget->objectName()));
        }
    }

    void aFrameOfTheMachineLeavesOutWhatStandsStill() {
        const auto window = windowPlaying(QStringLiteral("machine"));
        QWidget& machine = *window->findChild<QWidget*>(QStringLiteral("machine"));
        const PaintedArea painted(machine);
        playFrames(*window, 20, 10);
        QVERIFY(painted.times() >= 10);
        QVERIFY(painted.area() * 2 < qint64{machine.width()} * machine.height() * painted.times());
    }

    // Texts that change with every frame must not cause another layout of the window, which would paint it again.
    void aMomentIsPaintedOnce() {
        const auto window = windowPlaying(QStringLiteral("timeline"));
        playFrames(*window, 10, 4);
        const PaintedArea painted(*window);
        playFrames(*window, 20, 10);
        QVERIFY2(painted.times() <= 11, qPrintable(QString::number(painted.times())));
    }

    void wordsThatWrapTakeTheLinesThatTheyNeedInARoomAsWellAsAlone() {
        auto* label = new QLabel;
        label->setWordWrap(true);
        ui::SteadyRoom room(label);
        QVERIFY(room.hasHeightForWidth());
        const int one = room.heightForWidth(200);
        label->setText(QStringLiteral("tile 12 was closed, and its block has left for the neighbour long since"));
        QVERIFY(room.heightForWidth(200) > one);
        QCOMPARE(room.heightForWidth(4'000), label->heightForWidth(4'000));
    }

    void aRoomGrowsWithItsWordsAndShrinksOnRequest() {
        auto* label = new QLabel(QStringLiteral("1.5 ms"));
        ui::SteadyRoom room(label);
        const int narrow = room.sizeHint().width();
        label->setText(QStringLiteral("1.5 ms of 20 ms"));
        room.follow();
        const int wide = room.sizeHint().width();
        QVERIFY(wide > narrow);
        label->setText(QStringLiteral("1.5 ms"));
        room.follow();
        QCOMPARE(room.sizeHint().width(), wide);
        room.forget();
        QCOMPARE(room.sizeHint().width(), narrow);
    }
};

RINGSIDE_WINDOW_TEST(TestPlayedFrames)
#include "tst_played_frames.moc"
