#pragma once

#include <QColor>
#include <QIcon>

class QString;
class QWidget;

namespace ui {

/// One of the bundled drawings in `color`, sharp at 1x, 2x and 3x.
QIcon tintedIcon(const QString& name, const QColor& color);

/// In the colour of the widget's text, fainter when disabled.
QIcon tintedIcon(const QString& name, const QWidget& widget);

}  // namespace ui
