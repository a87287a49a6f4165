#pragma once

#include <QFont>

class QWidget;

namespace ui {

/// Returns `font` at `factor` times its size.
QFont scaledFont(QFont font, double factor, QFont::Weight weight = QFont::Normal);

/// Returns `font` in the weight of headings and of what is chosen.
QFont strongFont(QFont font);

/// Type of `factor` times the size around it, for as long as `widget` lives: it grows with the window's type, which a
/// font that was set once would not. `widget` needs its parent by now.
void setRelativeFont(QWidget& widget, double factor, QFont::Weight weight = QFont::Normal);

}  // namespace ui
