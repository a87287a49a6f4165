#include "ui/figure/display_list.h"

#include "ui/figure/figure_text.h"

#include <QStringList>
#include <QTransform>

namespace ui {
namespace {

QString number(double value) {
    const QString text = QString::number(value, 'f', 1);
    return text == QLatin1String("-0.0") ? QStringLiteral("0.0") : text;
}
QString point(const QPointF& at) { return number(at.x()) + QLatin1Char(',') + number(at.y()); }
QString box(const QRectF& box) {
    return point(box.topLeft()) + QLatin1Char(' ') + number(box.width()) + QLatin1Char('x') + number(box.height());
}
QString points(const QPolygonF& polygon) {
    QStringList parts;
    for (const QPointF& at : polygon)
        parts << point(at);
    return parts.join(QLatin1Char(' '));
}

QString nameOf(Texture texture) {
    static constexpr const char* kNames[]{"plain", "falling", "rising", "crossed", "rows", "dots"};
    return QLatin1String(kNames[static_cast<int>(texture)]);
}

QString filled(const std::optional<FigureFill>& fill) {
    if (!fill)
        return {};
    QString text = QStringLiteral(" fill ") + fill->colour.name();
    if (fill->texture != Texture::plain)
        text += QLatin1Char(' ') + nameOf(fill->texture);
    return text;
}

QString drawn(const std::optional<FigurePen>& pen) {
    if (!pen)
        return {};
    QString text = QStringLiteral(" pen ") + pen->colour.name() + QLatin1Char(' ') + QString::number(pen->width);
    for (const double length : pen->dash)
        text += QLatin1Char('/') + QString::number(length);
    return text;
}

QString described(const RectItem& item) {
    return QStringLiteral("rect ") + box(item.box) + filled(item.fill) + drawn(item.pen);
}
QString described(const PolylineItem& item) { return QStringLiteral("line ") + points(item.points) + drawn(item.pen); }
QString described(const PolygonItem& item) {
    return QStringLiteral("polygon ") + points(item.points) + filled(item.fill) + drawn(item.pen);
}
QString described(const EllipseItem& item) {
    return QStringLiteral("ellipse ") + box(item.box) + filled(item.fill) + drawn(item.pen);
}
QString described(const ImageItem& item) {
    return QStringLiteral("image %1 of %2x%3").arg(box(item.box)).arg(item.image.width()).arg(item.image.height());
}
QString described(const TextItem& item) {
    static constexpr const char* kWeights[]{"", " semi-bold", " bold"};
    static constexpr const char* kAligns[]{" left", " centre", " right"};
    QString text = QStringLiteral("text ") + point(item.at) + QStringLiteral(" \"") + item.text + QLatin1Char('"');
    text += QLatin1Char(' ') + number(item.size) + QLatin1String(kWeights[static_cast<int>(item.weight)]) +
            QLatin1String(kAligns[static_cast<int>(item.align)]);
    if (item.angle != 0)
        text += QStringLiteral(" turned ") + number(item.angle);
    return text + QLatin1Char(' ') + item.colour.name();
}

}  // namespace

QString nameOf(FigurePart part) {
    static constexpr const char* kNames[]{"background", "grid",  "mark",      "axis",       "category",
                                          "legend",     "title", "reference", "annotation", "value"};
    return QLatin1String(kNames[static_cast<int>(part)]);
}

QRectF TextItem::box() const {
    const QRectF flat(leftEndOf(*this), -ascentOf(size), width, lineHeightOf(size));
    return QTransform().translate(at.x(), at.y()).rotate(angle).mapRect(flat);
}

QString dumped(const DisplayList& list) {
    QStringList lines{QStringLiteral("page ") + number(list.page.width()) + QLatin1Char('x') +
                      number(list.page.height())};
    for (const DisplayItem& item : list.items) {
        QString line = nameOf(item.part);
        if (item.panel)
            line += QLatin1Char(' ') + QString::number(*item.panel);
        if (item.mark)
            line += QLatin1Char('.') + QString::number(*item.mark);
        if (!item.meaning.isEmpty())
            line += QStringLiteral(" [") + item.meaning + QLatin1Char(']');
        line += QStringLiteral(": ") + std::visit([](const auto& shape) { return described(shape); }, item.shape);
        if (item.clip)
            line += QStringLiteral(" clip ") + box(*item.clip);
        lines << line;
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

}  // namespace ui
