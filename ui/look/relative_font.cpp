#include "ui/look/relative_font.h"

#include "ui/look/widget_events.h"

#include <QWidget>

namespace ui {

QFont scaledFont(QFont font, double factor, QFont::Weight weight) {
    font.setPointSizeF(font.pointSizeF() * factor);
    font.setWeight(weight);
    return font;
}

QFont strongFont(QFont font) {
    font.setWeight(QFont::DemiBold);
    return font;
}

void setRelativeFont(QWidget& widget, double factor, QFont::Weight weight) {
    QWidget& around = *widget.parentWidget();
    const auto apply = [&widget, &around, factor, weight] {
        if (widget.parentWidget() == &around)
            widget.setFont(scaledFont(around.font(), factor, weight));
    };
    apply();
    onEvents(around, {QEvent::FontChange}, apply, &widget);
}

}  // namespace ui
