#pragma once

#include "ui/inside/inside_paint.h"
#include "ui/look/format.h"
#include "ui/look/tile_style.h"
#include "ui/look/widget_parts.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ui {

inline constexpr double kInsideRadius = 0.3;  // in lines of text: corner radius of parts
inline constexpr double kInsideSmall = 0.88;  // relative to the usual text size
inline constexpr double kInsideWaits = 0.35;  // share of colour in the fill of work that waits
inline constexpr double kInsideDone = 0.5;    // share of colour in the fill of work that is done
inline constexpr double kInsideOpen = 0.3;    // share of the text colour in a bank whose row is open
inline constexpr double kInsideEmpty = 0.12;  // share of the text colour in an empty slot

inline QString insideTr(const char* text) { return QCoreApplication::translate("InsideView", text); }

/// Formats a rate: "2.93 TB/s".
inline QString rateText(double bytesPerSecond) {
    return insideTr("%1/s").arg(formatBytes(static_cast<std::int64_t>(std::llround(bytesPerSecond))));
}

/// Returns the background colour with a share of `color` mixed in.
inline QColor paler(const QColor& color, const Palette& colors, double share) {
    return Palette::mixed(colors.surface, color, share);
}

/// Paints the lines of a bank whose row was just opened.
void paintOpened(QPainter& painter, const QRectF& cell, const PictureLook& look);

/// Base class of the painters of the parts: the moment to draw, and functions that draw boxes and text in its colours
/// and font.
class InsideBrush {
public:
    InsideBrush(QPainter& painter, const InsideLayout& layout, const PictureLook& look, const InsideMoment& moment)
        : m_painter(painter), m_layout(layout), m_look(look), m_colors(look.colors), m_moment(moment),
          m_inventory(moment.inventory), m_now(moment.inside), m_line(look.line),
          m_small(scaledFont(look.font, kInsideSmall)) {}

protected:
    static constexpr double kTextured = 0.7;  // in lines of text: boxes have a texture from this size on

    double snapped(double value) const { return std::round(value / m_look.pixel) * m_look.pixel; }
    QRectF snapped(const QRectF& box) const {
        return QRectF(QPointF(snapped(box.left()), snapped(box.top())),
                      QPointF(snapped(box.right()), snapped(box.bottom())));
    }
    void fill(const QRectF& box, const QColor& color) { m_painter.fillRect(snapped(box), color); }
    void fill(const QRectF& box, const Fill& with) {
        if (box.width() < m_line * kTextured || box.height() < m_line * kTextured * 0.5)
            fill(box, with.color);
        else
            paintFill(m_painter, snapped(box), with, textureSpacing(m_line));
    }
    /// Fills the lowest `share` of a box, and returns the filled part.
    QRectF fillUp(const QRectF& box, double share, const Fill& with) {
        const QRectF filled = box.adjusted(0, box.height() * (1 - std::clamp(share, 0.0, 1.0)), 0, 0);
        if (filled.height() > 0)
            fill(filled, with);
        return filled;
    }
    void write(const QRectF& room, const QString& words, int alignment, const QColor& ink, const QFont& font) {
        const QFontMetricsF metrics(font);
        m_painter.setFont(font);
        m_painter.setPen(ink);
        m_painter.drawText(room, alignment | Qt::TextSingleLine,
                           metrics.elidedText(words, Qt::ElideRight, room.width()));
    }
    bool fits(const QString& words, double width) const {
        return QFontMetricsF(m_small).horizontalAdvance(words) <= width;
    }
    void writeSmall(const QRectF& room, const QString& words, int alignment = Qt::AlignLeft | Qt::AlignVCenter) {
        write(room, words, alignment, m_colors.inkSoft, m_small);
    }

    /// Draws a text on a plate in the middle of a box with textures; omits it if it does not fit.
    void writePlate(const QRectF& box, const QString& words) {
        const QFontMetricsF metrics(m_small);
        const QSizeF size(metrics.horizontalAdvance(words) + m_line * 0.5, metrics.height());
        if (size.width() > box.width() || size.height() > box.height() + m_line * 0.1)
            return;
        const QRectF plate(box.center() - QPointF(size.width() / 2, size.height() / 2), size);
        fill(plate.intersected(box), Palette::seeThrough(m_colors.surface, 215));
        write(plate, words, Qt::AlignCenter, m_colors.ink, m_small);
    }

    /// Returns the bandwidth of all channels together, in bytes per second.
    double peak() const { return m_inventory.channelBytesPerSecond * m_inventory.channels; }

    QPainter& m_painter;
    const InsideLayout& m_layout;
    const PictureLook& m_look;
    const Palette& m_colors;
    const InsideMoment& m_moment;
    const data::GpuInventory& m_inventory;
    const data::GpuInside& m_now;
    double m_line;
    QFont m_small;
};

/// Paints the last-level cache, the memory controller and the channels.
void paintInsideMemory(QPainter& painter, const InsideLayout& layout, const PictureLook& look,
                       const InsideMoment& moment);

}  // namespace ui
