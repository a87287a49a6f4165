#pragma once

#include "ui/drawing/display_list.h"

#include <QStringList>

#include <optional>
#include <variant>

namespace tests {
namespace dumping {

inline QString number(double value) {
    const QString text = QString::number(value, 'f', 1);
    return text == QLatin1String("-0.0") ? QStringLiteral("0.0") : text;
}
inline QString point(const QPointF& at) { return number(at.x()) + QLatin1Char(',') + number(at.y()); }
inline QString box(const QRectF& box) {
    return point(box.topLeft()) + QLatin1Char(' ') + number(box.width()) + QLatin1Char('x') + number(box.height());
}
inline QString points(const QPolygonF& polygon) {
    QStringList parts;
    for (const QPointF& at : polygon)
        parts << point(at);
    return parts.join(QLatin1Char(' '));
}

inline QString textureName(ui::Texture texture) {
    static constexpr const char* kNames[]{"plain", "falling", "rising", "crossed", "rows", "dots"};
    return QLatin1String(kNames[static_cast<int>(texture)]);
}

inline QString filled(const std::optional<ui::FigureFill>& fill) {
    if (!fill)
        return {};
    QString text = QStringLiteral(" fill ") + fill->colour.name();
    if (fill->texture != ui::Texture::plain)
        text += QLatin1Char(' ') + textureName(fill->texture);
    return text;
}

inline QString drawn(const std::optional<ui::FigurePen>& pen) {
    if (!pen)
        return {};
    QString text = QStringLiteral(" pen ") + pen->colour.name() + QLatin1Char(' ') + QString::number(pen->width);
    for (const double length : pen->dash)
        text += QLatin1Char('/') + QString::number(length);
    return text;
}

inline QString described(const ui::RectItem& item) {
    return QStringLiteral("rect ") + box(item.box) + filled(item.fill) + drawn(item.pen);
}
inline QString described(const ui::PolylineItem& item) {
    return QStringLiteral("line ") + points(item.points) + drawn(item.pen);
}
inline QString described(const ui::PolygonItem& item) {
    return QStringLiteral("polygon ") + points(item.points) + filled(item.fill) + drawn(item.pen);
}
inline QString described(const ui::EllipseItem& item) {
    return QStringLiteral("ellipse ") + box(item.box) + filled(item.fill) + drawn(item.pen);
}
inline QString described(const ui::ImageItem& item) {
    return QStringLiteral("image %1 of %2x%3").arg(box(item.box)).arg(item.image.width()).arg(item.image.height());
}
inline QString described(const ui::TextItem& item) {
    static constexpr const char* kWeights[]{"", " semi-bold", " bold"};
    static constexpr const char* kAligns[]{" left", " centre", " right"};
    QString text = QStringLiteral("text ") + point(item.at) + QStringLiteral(" \"") + item.text + QLatin1Char('"');
    text += QLatin1Char(' ') + number(item.size) + QLatin1String(kWeights[static_cast<int>(item.weight)]) +
            QLatin1String(kAligns[static_cast<int>(item.align)]);
    if (item.angle != 0)
        text += QStringLiteral(" turned ") + number(item.angle);
    return text + QLatin1Char(' ') + item.colour.name();
}

}  // namespace dumping

/// Returns a line for each item, with numbers to a tenth of a point. Golden tests compare this text.
inline QString dumped(const ui::DisplayList& list) {
    using namespace dumping;
    QStringList lines{QStringLiteral("page ") + number(list.page.width()) + QLatin1Char('x') +
                      number(list.page.height())};
    for (const ui::DisplayItem& item : list.items) {
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

}  // namespace tests
