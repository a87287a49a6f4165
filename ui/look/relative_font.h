#pragma once

#include <QFont>

class QWidget;

namespace ui {

/// Type of `factor` times the size around it, for as long as `widget` lives: it grows with the window's type, which a
/// font that was set once would not. `widget` needs its parent by now.
void setRelativeFont(QWidget& widget, double factor, QFont::Weight weight = QFont::Normal);

}  // namespace ui
