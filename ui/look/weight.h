#pragma once

#include <QFont>
#include <QWidget>

namespace ui {

/// Sets the weight of a widget's font and nothing else. A font that is copied from QWidget::font() would also fix the
/// size, so that the widget would keep the large type of presenter mode.
inline void setWeight(QWidget& widget, QFont::Weight weight) {
    QFont font;
    font.setWeight(weight);
    widget.setFont(font);
}

}  // namespace ui
