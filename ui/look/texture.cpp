#include "ui/look/texture.h"

#include <QImage>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr double kThickness = 0.18;  // relative to the spacing
constexpr double kDot = 0.3;

// Adds the lines x + y * slope = k * spacing for whole k, where `slope` is 1 (rising) or -1 (falling).
void addDiagonals(double slope, const QRectF& box, double spacing, std::vector<QLineF>& lines) {
    const double least = box.left() + std::min(slope * box.top(), slope * box.bottom());
    const double most = box.right() + std::max(slope * box.top(), slope * box.bottom());
    for (double k = std::ceil(least / spacing); k * spacing <= most; ++k) {
        const double c = k * spacing;
        // y runs over the part of the box that the line crosses.
        const double a = (c - box.left()) * slope;
        const double b = (c - box.right()) * slope;
        const double top = std::max(box.top(), std::min(a, b));
        const double bottom = std::min(box.bottom(), std::max(a, b));
        if (bottom > top)
            lines.emplace_back(c - slope * top, top, c - slope * bottom, bottom);
    }
}

void addRows(const QRectF& box, double spacing, std::vector<QLineF>& lines) {
    const double step = spacing / 2;
    for (double k = std::ceil(box.top() / step - 0.5); (k + 0.5) * step < box.bottom(); ++k)
        lines.emplace_back(box.left(), (k + 0.5) * step, box.right(), (k + 0.5) * step);
}

// Adds two dots in each period, in the middle of opposite quarters.
void addDots(const QRectF& box, double spacing, std::vector<QLineF>& lines) {
    const double length = spacing * kDot;
    for (const double quarter : {0.25, 0.75}) {
        for (double row = std::ceil(box.top() / spacing - quarter); (row + quarter) * spacing < box.bottom(); ++row) {
            const double y = (row + quarter) * spacing;
            for (double column = std::floor(box.left() / spacing - quarter);
                 (column + quarter) * spacing < box.right() + length; ++column) {
                const double x = (column + quarter) * spacing;
                const double left = std::max(box.left(), x - length / 2);
                const double right = std::min(box.right(), x + length / 2);
                if (right > left)
                    lines.emplace_back(left, y, right, y);
            }
        }
    }
}

}  // namespace

std::vector<QLineF> textureLines(Texture texture, const QRectF& box, double spacing) {
    std::vector<QLineF> lines;
    if (box.isEmpty() || spacing <= 0)
        return lines;
    if (texture == Texture::falling || texture == Texture::crossed)
        addDiagonals(-1, box, spacing, lines);
    if (texture == Texture::rising || texture == Texture::crossed)
        addDiagonals(1, box, spacing, lines);
    if (texture == Texture::rows)
        addRows(box, spacing, lines);
    if (texture == Texture::dots)
        addDots(box, spacing, lines);
    return lines;
}

void paintFill(QPainter& painter, const QRectF& box, const Fill& fill, double spacing) {
    painter.fillRect(box, fill.color);
    paintTexture(painter, box, fill, spacing);
}

void paintTexture(QPainter& painter, const QRectF& box, const Fill& fill, double spacing) {
    if (fill.texture == Texture::plain)
        return;
    const std::vector<QLineF> lines = textureLines(fill.texture, box, spacing);
    const double width = fill.texture == Texture::dots ? kDot : kThickness;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(fill.ink, spacing * width, Qt::SolidLine, Qt::FlatCap));
    painter.drawLines(lines.data(), static_cast<int>(lines.size()));
    painter.restore();
}

QImage fillStamp(const Fill& fill, int spacing) {
    // Three periods are drawn and the middle one is cut out, so that lines across one edge continue at the opposite
    // edge.
    QImage sheet(spacing * 3, spacing * 3, QImage::Format_RGB32);
    QPainter painter(&sheet);
    paintFill(painter, sheet.rect(), fill, spacing);
    painter.end();
    return sheet.copy(spacing, spacing, spacing, spacing);
}

}  // namespace ui
