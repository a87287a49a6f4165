#include "ui/drawing/display_list.h"

#include "ui/drawing/figure_text.h"

#include <QTransform>

namespace ui {

QString nameOf(FigurePart part) {
    static constexpr const char* kNames[]{"background", "grid",  "mark",      "axis",       "category",
                                          "legend",     "title", "reference", "annotation", "value"};
    return QLatin1String(kNames[static_cast<int>(part)]);
}

QRectF TextItem::box() const {
    const QRectF flat(leftEndOf(*this), -ascentOf(size), width, lineHeightOf(size));
    return QTransform().translate(at.x(), at.y()).rotate(angle).mapRect(flat);
}

}  // namespace ui
