#pragma once

#include <string>

class QDockWidget;

namespace ui {

class Workbench;

/// Points at a part of the window, as a step of a lesson names it: a parameter, a lane or one of data::lessonParts(). Points
/// at nothing if the part is empty, or hidden by presenter mode. `lessonDock` keeps most of the height of its side.
/// Returns the panel that it has opened for that, or null.
QDockWidget* pointAtLessonPart(Workbench& workbench, QDockWidget& lessonDock, const std::string& part);

}  // namespace ui
