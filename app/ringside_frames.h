#pragma once

#include "app/ringside_arguments.h"

class QApplication;

namespace ui {
class RingsideWindow;
}

namespace app {

class InterruptNotifier;

/// Plays the window's run into numbered pictures or a film, with progress on standard error. Returns the exit code: 0,
/// 2 for a folder that may not be written into, 3 if the machine fails, 130 after Ctrl+C, which keeps the finished
/// frames.
int writeFrames(QApplication& application, ui::RingsideWindow& window, const Arguments& arguments,
                const InterruptNotifier& interrupts);

}  // namespace app
