#include "tests/ui/open_window.h"
#include "tests/ui/window_test.h"

#include "tests/ui/window_parts.h"
#include "ui/lessons/lesson_library.h"
#include "ui/ringside_window.h"
#include "ui/workbench/pictures.h"
#include "ui/workbench/window_views.h"

#include <QElapsedTimer>
#include <QTemporaryDir>

#include <map>
#include <memory>
#include <vector>

// Tests that an idle window uses no processor time, so that it can stay open beside other work or on battery.

using ui::RingsideWindow;

namespace {

constexpr int kAloneMs = 3'000;

/// Counts the events that wake the program up: timers, queued calls, and paint events.
class WakeUps final : public QObject {
public:
    WakeUps() { qApp->installEventFilter(this); }

    bool eventFilter(QObject* watched, QEvent* event) override {
        switch (event->type()) {
        case QEvent::Timer: count(watched, "timer of"); break;
        case QEvent::Paint: count(watched, "painting of"); break;
        case QEvent::MetaCall: count(watched, "call to"); break;
        default: break;
        }
        return false;
    }

    void forget() {
        m_counts.clear();
        m_sinceLast.start();
    }
    qint64 quietForMs() const { return m_sinceLast.elapsed(); }

    /// Returns the events that happened more often than this; empty if there are none.
    QString moreOftenThan(int times) const {
        QStringList found;
        for (const auto& [key, count] : m_counts) {
            if (count.times > times)
                found << QStringLiteral("%1 times %2").arg(count.times).arg(count.name);
        }
        return found.join(QStringLiteral("; "));
    }

private:
    struct Count {
        QString name;
        int times = 0;
    };

    void count(const QObject* object, const char* what) {
        Count& found = m_counts[{object, what}];
        if (found.times++ == 0) {
            const QObject* parent = object->parent();
            found.name =
                QStringLiteral("%1 %2 \"%3\" in %4 \"%5\"")
                    .arg(QLatin1String(what), QLatin1String(object->metaObject()->className()), object->objectName(),
                         QLatin1String(parent != nullptr ? parent->metaObject()->className() : "nothing"),
                         parent != nullptr ? parent->objectName() : QString());
        }
        m_sinceLast.start();
    }

    std::map<std::pair<const QObject*, const char*>, Count> m_counts;
    QElapsedTimer m_sinceLast;
};

struct Place {
    QString view;
    QSize size{1280, 720};
    bool lesson = false;
};

}  // namespace

class TestWindowAtRest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::vector<std::unique_ptr<RingsideWindow>> m_windows;

    void open(const Place& place) {
        ui::RingsideWindowConfig config = tests::interactiveConfig();
        config.runsWhileEditing.reset();
        config.welcomes = true;
        config.session.storePath = m_folder.filePath(QStringLiteral("%1.sqlite").arg(m_windows.size())).toStdString();
        m_windows.push_back(tests::openWindow(std::move(config), place.size));
        RingsideWindow& window = *m_windows.back();
        if (place.lesson)
            QVERIFY(window.lessons().open(ui::bundledLessons().front().file));
        else if (window.workbench().pictures().names().contains(place.view))
            window.workbench().pictures().showView(place.view);
        else
            QVERIFY2(window.workbench().views().showView(place.view), qPrintable(place.view));
    }

private Q_SLOTS:
    void init() {
        // A caret blinks at the rate of the user's settings. It is the only part that may be active, so it is switched
        // off here.
        QApplication::setCursorFlashTime(0);
    }

    // All windows are tested at the same time, since each needs three seconds.
    void nothingHappensInAWindowThatIsLeftAlone() {
        for (const QSize size : {QSize(1280, 720), QSize(1600, 900), QSize(1920, 1080)})
            open({QStringLiteral("timeline"), size});
        for (const char* view : {"machine", "chunks", "split", "tracker", "compare", "sweep", "figure", "runs", "model",
                                 "model/operators"})
            open({QString::fromLatin1(view)});
        open({.view = {}, .lesson = true});
        WakeUps wakeUps;
        wakeUps.forget();
        // The work of a view after it is shown must come to an end.
        const bool cameToRest = QTest::qWaitFor([&wakeUps] { return wakeUps.quietForMs() > 700; }, 40'000);
        QVERIFY2(cameToRest, qPrintable(wakeUps.moreOftenThan(20)));
        wakeUps.forget();
        QTest::qWait(kAloneMs);
        QCOMPARE(wakeUps.moreOftenThan(kAloneMs / 1'000), QString());
    }
};

RINGSIDE_WINDOW_TEST(TestWindowAtRest)
#include "tst_window_at_rest.moc"
