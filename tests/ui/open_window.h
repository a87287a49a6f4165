#pragma once

#include "data/experiment/experiment_document.h"
#include "ui/main_window.h"

#include <QApplication>
#include <QSignalSpy>

#include <memory>
#include <string>
#include <utility>

namespace tests {

/// What most tests open a window with: the real engine, at the level that takes a few milliseconds, and runs only when
/// they are asked for.
inline ui::MainWindowConfig interactiveConfig(const char* experiment = "t-nlg/fc-2/tp8") {
    ui::MainWindowConfig config;
    config.draft = data::openDraft(experiment).draft;
    config.draft.explicitValues["detail.level"] = std::string("interactive");
    config.runsWhileEditing = false;
    return config;
}

/// A window that is shown, active, and has its first run with its log.
inline std::unique_ptr<ui::MainWindow> openWindow(ui::MainWindowConfig config = interactiveConfig(),
                                                  QSize size = {1400, 850}) {
    auto window = std::make_unique<ui::MainWindow>(std::move(config));
    QSignalSpy shown(window.get(), &ui::MainWindow::logShown);
    window->resize(size);
    window->show();
    if (shown.isEmpty() && !shown.wait(20'000))
        qFatal("no run");
    window->activateWindow();
    QApplication::processEvents();
    return window;
}

}  // namespace tests
