#include "tests/least_time.h"
#include "tests/ui/window_test.h"

#include "data/laboratory/laboratory.h"
#include "tests/ui/window_parts.h"
#include "ui/ringside_window.h"
#include "ui/workbench/explore_page.h"

#include <QSignalSpy>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

using ui::RingsideWindow;

namespace {

/// Returns a configuration in which the first run is simulated. Later runs reach a quarter of their work and never end.
ui::RingsideWindowConfig stuckAfterTheFirst() {
    ui::RingsideWindowConfig config;
    config.draft = data::openDraft("t-nlg/fc-2/tp8").draft;
    config.draft.explicitValues["detail.level"] = std::string("interactive");
    config.session.simulate = [count = std::make_shared<std::atomic<int>>(0)](const data::ExperimentDraft& draft,
                                                                              const engine::RunOptions& options) {
        if (count->fetch_add(1) == 0)
            return data::Laboratory().run(draft, options);
        while (!options.stop.stop_requested()) {
            options.progress(0.25);
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        throw engine::RunStopped();
    };
    return config;
}

std::unique_ptr<RingsideWindow> openStuck() {
    auto window = std::make_unique<RingsideWindow>(stuckAfterTheFirst());
    window->resize(1400, 850);
    window->show();
    QSignalSpy shown(&window->runs(), &ui::RunController::settled);
    if (!window->runs().shown() && !shown.wait(5'000))
        qFatal("the window shows no run after 5 s");
    window->runs().run();
    return window;
}

}  // namespace

class TestWindowRuns : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theRunBeforeStaysDimmedAndShowsTheTimeLeft() {
        const auto window = openStuck();
        auto* overlay = window->findChild<ui::WaitingOverlay*>();
        QVERIFY(!overlay->isVisible());
        QTRY_VERIFY(overlay->isVisible());
        QVERIFY(overlay->text().isEmpty());
        QTRY_VERIFY(overlay->text().contains(QStringLiteral("s left")));
        QTest::keyClick(window.get(), Qt::Key_Escape);
        QVERIFY(!overlay->isVisible());
        QVERIFY(!window->runs().session().isRunning());
        QVERIFY(window->runs().shown());
    }

    void thePictureCanBeReadAndMovedWhileARunIsUnderWay() {
        const auto window = openStuck();
        QTRY_VERIFY(window->findChild<ui::WaitingOverlay*>()->isVisible());
        auto* timeline = window->findChild<QWidget*>(QStringLiteral("timeline"));
        timeline->setFocus();
        QTest::keyClick(timeline, Qt::Key_W);
        QVERIFY(!window->viewState().showsAll());
        QVERIFY(window->runs().session().isRunning());
    }

    void theWindowClosesAtOnceDuringARun() {
        using namespace std::chrono_literals;
        const auto least = tests::leastTime(1000ms, [] {
            auto window = openStuck();
            if (!QTest::qWaitFor([&] { return window->findChild<ui::WaitingOverlay*>()->isVisible(); }))
                qFatal("no run started in time");
            return tests::timeOf([&] {
                window->close();
                window.reset();
            });
        });
        QVERIFY2(least < 1000ms, qPrintable(QString::number(least.count())));
    }
};

RINGSIDE_WINDOW_TEST(TestWindowRuns)
#include "tst_window_runs.moc"
