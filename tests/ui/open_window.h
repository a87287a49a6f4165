#pragma once

#include "data/experiment/experiment_document.h"
#include "tests/ui/window_parts.h"
#include "ui/workbench/presenter.h"

#include <QApplication>
#include <QFontMetricsF>
#include <QScreen>
#include <QSignalSpy>

#include <memory>
#include <string>
#include <utility>

namespace tests {

/// Returns the configuration with which most tests open a window: the real engine at interactive detail, which takes a
/// few milliseconds. Runs start only on request.
inline ui::RingsideWindowConfig interactiveConfig(const char* experiment = "t-nlg/fc-2/tp8") {
    ui::RingsideWindowConfig config;
    config.draft = data::openDraft(experiment).draft;
    config.draft.explicitValues["detail.level"] = std::string("interactive");
    config.runsWhileEditing = false;
    return config;
}

/// Opens a window and waits until it is active and has its first run with its log.
inline std::unique_ptr<ui::RingsideWindow> openWindow(ui::RingsideWindowConfig config = interactiveConfig(),
                                                      QSize size = {1400, 850}) {
    auto window = std::make_unique<ui::RingsideWindow>(std::move(config));
    QSignalSpy shown(&window->logs(), &ui::RunLogBuilder::settled);
    window->resize(size);
    window->show();
    if (shown.isEmpty() && !shown.wait(20'000))
        qFatal("the window shows no run after 20 s");
    window->activateWindow();
    QApplication::processEvents();
    return window;
}

/// Returns the factor by which presenter mode enlarges type on the screen of a window.
inline double presenterEnlargement(const ui::RingsideWindow& window) {
    return ui::Presenter::enlargement(QFontMetricsF(QApplication::font()).lineSpacing(),
                                      window.screen()->size().height());
}

}  // namespace tests
