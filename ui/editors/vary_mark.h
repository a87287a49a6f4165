#pragma once

class QToolButton;
class QWidget;

namespace engine {
struct Parameter;
}

namespace ui {

/// The wave beside a field: pressed while the parameter is an axis of the sweep. Whoever shows it says when that is; a
/// click alone changes nothing, since a sweep may have no room for another axis.
QToolButton* newVaryMark(const engine::Parameter& parameter, QWidget* parent);
/// Call it again when the palette changes.
void showVaryMark(QToolButton& mark, bool varied);

}  // namespace ui
