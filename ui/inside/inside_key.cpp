// Paints the parts of the picture of one GPU that do not change with time: frames, titles, names of rows, and the
// legend.
#include "ui/inside/inside_brush.h"

#include <functional>

namespace ui {
namespace {

using data::GpuPart;
using data::TrafficKind;
using data::TrafficOwner;

/// Writes the entries of the legend, in rows.
class Key {
public:
    enum class Mark : std::uint8_t { none, top, middle };

    Key(QPainter& painter, const QRectF& room, const PictureLook& look)
        : m_painter(painter), m_look(look), m_room(room), m_rest(room) {}

    /// Begins a row, with a heading if one is given. Returns false if there is no room for the row.
    bool beginRow(const QString& heading = {}) {
        if (m_begun)
            m_rest.setTop(m_row.bottom() + (heading.isEmpty() ? 0 : m_look.line * 0.4));
        m_begun = true;
        const double needed = m_look.line * (heading.isEmpty() ? 1.4 : 2.7);
        if (m_rest.height() < needed * 0.99)
            return false;
        if (!heading.isEmpty()) {
            m_painter.setFont(strongFont(m_look.font));
            m_painter.setPen(m_look.colors.inkSoft);
            m_painter.drawText(QRectF(m_rest.left(), m_rest.top(), m_rest.width(), m_look.line * 1.3),
                               Qt::AlignLeft | Qt::AlignVCenter, heading);
            m_rest.setTop(m_rest.top() + m_look.line * 1.3);
        }
        m_row = QRectF(m_rest.left(), m_rest.top(), m_rest.width(), m_look.line * 1.4);
        m_x = m_row.left();
        return true;
    }
    /// Returns the room beneath the heading of the row that was begun last.
    QRectF rest() const { return m_rest; }

    /// Adds an entry; `paint` paints its swatch.
    void entry(const QString& words, const std::function<void(const QRectF& swatch)>& paint) {
        if (const QRectF swatch = place(words); !swatch.isEmpty())
            paint(swatch);
    }
    void entry(const Fill& with, const QString& words) {
        entry(words, [&](const QRectF& swatch) { paintFill(m_painter, swatch, with, textureSpacing(m_look.line)); });
    }
    /// Adds an entry that shows a workgroup in its slot.
    void slotEntry(Mark mark, const QString& words) {
        entry(words, [&](const QRectF& swatch) {
            const QColor color = m_look.colors.of(Role::gemm);
            m_painter.fillRect(swatch, paler(color, m_look.colors, kInsideWaits));
            const double height = m_look.line * 0.12;
            const QRectF done = swatch.adjusted(0, mark == Mark::middle ? 0 : swatch.height() * 0.45, 0, 0);
            m_painter.fillRect(done, color);
            if (mark == Mark::top)
                m_painter.fillRect(QRectF(done.left(), done.top() - height, done.width(), height), m_look.colors.ink);
            if (mark == Mark::middle)
                m_painter.fillRect(QRectF(done.left(), done.center().y() - height / 2, done.width(), height),
                                   m_look.colors.surface);
        });
    }
    /// Adds the entries of the letters of requests on their plates and, if there is one, of the threshold.
    void requestEntries(const std::vector<TrafficKind>& kinds, bool hasThreshold) {
        for (const TrafficKind kind : kinds)
            entry(nameOf(kind), [&](const QRectF& swatch) {
                m_painter.fillRect(swatch, m_look.colors.grid);
                m_painter.setPen(m_look.colors.ink);
                m_painter.drawText(swatch, Qt::AlignCenter, letterOf(kind));
            });
        if (hasThreshold)
            entry(insideTr("threshold"), [&](const QRectF& swatch) {
                m_painter.setPen(thresholdPen(m_look));
                m_painter.drawLine(QPointF(swatch.left(), swatch.center().y()),
                                   QPointF(swatch.right(), swatch.center().y()));
            });
    }

    /// Adds the entries of the states of a bank.
    void bankEntries() {
        const auto cell = [this](const QRectF& swatch, bool open, bool opened) {
            m_painter.setPen(QPen(m_look.colors.line, m_look.pixel));
            m_painter.setBrush(Qt::NoBrush);
            m_painter.drawRect(swatch);
            if (open)
                m_painter.fillRect(swatch, paler(m_look.colors.inkSoft, m_look.colors, kInsideOpen));
            if (opened)
                paintOpened(m_painter, swatch, m_look);
        };
        entry(insideTr("row closed"), [&](const QRectF& swatch) { cell(swatch, false, false); });
        entry(insideTr("row open"), [&](const QRectF& swatch) { cell(swatch, true, false); });
        entry(insideTr("just opened"), [&](const QRectF& swatch) { cell(swatch, true, true); });
    }

private:
    /// Writes the text of an entry. Returns the room of its swatch, or an empty one if there is no room left.
    QRectF place(const QString& words) {
        m_painter.setFont(scaledFont(m_look.font, kInsideSmall));
        const double line = m_look.line, width = QFontMetricsF(m_painter.font()).horizontalAdvance(words);
        const double needed = line * 1.7 + width;
        if (m_x > m_row.left() && m_x + needed > m_row.right()) {
            m_row.translate(0, m_row.height());
            m_x = m_row.left();
        }
        if (m_row.bottom() > m_room.bottom() + line * 0.2 || m_x + needed > m_row.right() + 1)
            return {};
        const QRectF swatch(m_x, m_row.center().y() - line * 0.4, line * 1.3, line * 0.8);
        m_painter.setPen(m_look.colors.inkSoft);
        m_painter.drawText(QRectF(swatch.right() + line * 0.4, m_row.top(), width + line, m_row.height()),
                           Qt::AlignLeft | Qt::AlignVCenter, words);
        m_x += needed + line * 1.1;
        return swatch;
    }

    QPainter& m_painter;
    const PictureLook& m_look;
    QRectF m_room, m_rest, m_row;
    double m_x = 0;
    bool m_begun = false;
};

void paintRowNames(QPainter& painter, const InsideLayout& layout, const PictureLook& look,
                   const data::GpuInventory& inventory) {
    if (layout.rowNames <= 0 || layout.channels.empty())
        return;
    const InsideLayout::Channel& first = layout.channels.front();
    const double left = layout.box(GpuPart::arbiter).left() + look.line * 0.45;
    painter.setFont(scaledFont(look.font, kInsideSmall));
    painter.setPen(look.colors.inkSoft);
    const auto name = [&](const QRectF& row, const QString& words) {
        painter.drawText(QRectF(left, row.top(), row.left() - left - look.line * 0.3, row.height()),
                         Qt::AlignLeft | Qt::AlignVCenter, words);
    };
    name(first.streams[0], insideTr("streams"));
    name(first.pick, insideTr("choice"));
    const double row = std::min(first.queue.height(), look.line * 1.2);
    name(QRectF(first.queue.left(), first.queue.top(), 0, row), insideTr("DRAM queue"));
    if (!first.nearMemory.isEmpty())
        name(first.nearMemory, insideTr("updates"));
    if (!inventory.threshold || *inventory.threshold > inventory.dramQueue)
        return;
    const double y = first.queue.bottom() - first.queue.height() * *inventory.threshold / inventory.dramQueue;
    if (y - row / 2 >= first.queue.top() + row)
        name(QRectF(first.queue.left(), y - row / 2, 0, row), insideTr("threshold"));
}

}  // namespace

void paintInsideKey(QPainter& painter, const QRectF& room, const PictureLook& look, const TileWords& words,
                    const data::GpuInventory& inventory, const InsideKeyParts& parts) {
    Key key(painter, room, look);
    key.beginRow();
    key.entry(fillOf(TrafficOwner::compute, look.colors), insideTr("compute, long dashes"));
    key.entry(fillOf(TrafficOwner::communication, look.colors), insideTr("communication, short dashes"));
    if (parts.companion)
        key.entry(fillOf(TrafficOwner::companion, look.colors), insideTr("companion, dots"));
    if (!key.beginRow(insideTr("Workgroups in their slots"))) {  // there is one row only
        key.requestEntries(servedKindsOf(inventory), inventory.threshold.has_value());
        if (parts.banks)
            key.bankEntries();
        return;
    }
    key.slotEntry(Key::Mark::none, insideTr("K-steps done"));
    key.slotEntry(Key::Mark::top, insideTr("waits for data"));
    key.slotEntry(Key::Mark::middle, insideTr("stores"));
    key.entry({paler(look.colors.inkSoft, look.colors, kInsideEmpty), {}, {}}, insideTr("empty"));
    if (key.beginRow(insideTr("Requests in the memory channels")))
        key.requestEntries(servedKindsOf(inventory), inventory.threshold.has_value());
    if (parts.banks && key.beginRow(insideTr("Banks of the channels")))
        key.bankEntries();
    if (!key.beginRow(insideTr("Tiles of the output")))
        return;
    painter.setFont(look.font);
    const QRectF left = key.rest();
    if (tileLegendHeight(words, left.width(), QFontMetricsF(look.font)) <= left.height())
        paintTileLegend(painter, left, words, look.colors);
}

void paintInsideFrames(QPainter& painter, const InsideLayout& layout, const PictureLook& look,
                       const data::GpuInventory& inventory) {
    const Palette& colors = look.colors;
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (std::size_t i = 0; i < data::kGpuParts; ++i) {
        const QRectF& box = layout.parts[i];
        if (box.isEmpty())
            continue;
        painter.setPen(QPen(colors.line, std::max(look.pixel, look.line * 0.06)));
        painter.setBrush(colors.stripe);
        painter.drawRoundedRect(box, look.line * kInsideRadius, look.line * kInsideRadius);
        if (layout.titles[i].isEmpty())
            continue;
        painter.setFont(strongFont(look.font));
        painter.setPen(colors.ink);
        const QFontMetricsF metrics(painter.font());
        const QString full = nameOf(static_cast<GpuPart>(i));
        const bool fits = metrics.horizontalAdvance(full) <= layout.titles[i].width();
        painter.drawText(layout.titles[i], Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                         metrics.elidedText(fits ? full : shortNameOf(static_cast<GpuPart>(i)), Qt::ElideRight,
                                            layout.titles[i].width()));
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (const InsideLayout::Channel& channel : layout.channels) {
        for (const QRectF& stream : channel.streams)
            painter.fillRect(stream, colors.grid);
        painter.fillRect(channel.queue, colors.grid);
        painter.fillRect(channel.service, colors.grid);
        if (!channel.nearMemory.isEmpty())
            painter.fillRect(channel.nearMemory, colors.grid);
    }
    if (inventory.channels > 0)
        paintRowNames(painter, layout, look, inventory);
}

}  // namespace ui
