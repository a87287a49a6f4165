#pragma once

#include "app/ringside_arguments.h"

class QApplication;

namespace ui {
class RingsideWindow;
}

namespace app {

class InterruptNotifier;

/// Goes through the lesson of the arguments in the window and writes it as a PDF. Returns the exit code: 0, 3 when the
/// machine fails or a step takes too long, 130 after Ctrl+C, which leaves no file.
int writeHandout(QApplication& application, ui::RingsideWindow& window, const Arguments& arguments,
                 const InterruptNotifier& interrupts);

}  // namespace app
