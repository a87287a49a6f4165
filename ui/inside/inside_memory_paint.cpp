// The part of the painting of one GPU that concerns memory.
#include "ui/inside/inside_brush.h"

namespace ui {
namespace {

using data::GpuInside;
using data::TrafficOwner;

class MemoryPainter : InsideBrush {
public:
    using InsideBrush::InsideBrush;

    void paint() {
        paintCache();
        paintChannels();
    }

private:
    void paintCache() {
        const QRectF& bars = m_layout.cacheBars;
        if (bars.isEmpty())
            return;
        const double rates[2] = {m_now.cacheHitsPerSecond, m_now.cacheMissesPerSecond};
        const double most = std::max({rates[0] + rates[1], peak(), 1.0});
        const QRectF bar = bars.adjusted(0, bars.height() * 0.12, 0, -bars.height() * 0.12);
        fill(bar, m_colors.grid);
        const double hits = bar.width() * rates[0] / most, misses = bar.width() * rates[1] / most;
        const QRectF hitBar(bar.left(), bar.top(), hits, bar.height()),
            missBar(bar.left() + hits, bar.top(), misses, bar.height());
        fill(hitBar, m_colors.of(Role::gemm));
        fill(missBar, Fill{m_colors.of(Role::exposed), m_colors.surface, Texture::rising});
        if (rates[0] > 0)
            writeOn(hitBar, insideTr("hits %1").arg(rateText(rates[0])), m_colors.of(Role::gemm));
        if (rates[1] > 0)
            writeMisses(missBar, insideTr("misses %1").arg(rateText(rates[1])));
        if (m_now.cacheWaiting <= 0)
            return;
        const QString full = (m_now.cacheWaiting == 1 ? insideTr("1 hit waits behind misses")
                                                      : insideTr("%1 hits wait behind misses").arg(m_now.cacheWaiting));
        const bool isRoomy = fits(full, m_layout.cacheQueue.width());
        const QString waiting = isRoomy ? full : insideTr("%1 wait").arg(m_now.cacheWaiting);
        writeSmall(m_layout.cacheQueue, waiting, Qt::AlignRight | Qt::AlignVCenter);
    }
    /// Writes a text on a bar of one colour, if it fits.
    void writeOn(const QRectF& bar, const QString& words, const QColor& ground) {
        if (fits(words, bar.width() - m_line * 0.5) && bar.height() >= QFontMetricsF(m_small).ascent())
            write(bar, words, Qt::AlignCenter, Palette::inkOn(ground), m_small);
    }
    /// Writes a text on the bar of misses, which has a texture, or beside the bar if it is too short.
    void writeMisses(const QRectF& bar, const QString& words) {
        const double needed = QFontMetricsF(m_small).horizontalAdvance(words) + m_line * 0.6;
        if (needed <= bar.width())
            return writePlate(bar, words);
        if (bar.right() + needed < m_layout.cacheBars.right() && bar.height() >= m_line * 0.8)
            write(QRectF(bar.right() + m_line * 0.3, bar.top(), needed, bar.height()), words,
                  Qt::AlignLeft | Qt::AlignVCenter, m_colors.ink, m_small);
    }

    void paintChannels() {
        for (std::size_t i = 0; i < m_layout.channels.size() && i < m_now.channels.size(); ++i)
            paintChannel(m_layout.channels[i], m_now.channels[i]);
        if (m_inventory.threshold && !m_layout.channels.empty())
            paintThreshold(*m_inventory.threshold);
    }

    void paintChannel(const InsideLayout::Channel& place, const GpuInside::Channel& channel) {
        static constexpr TrafficOwner kOwners[2] = {TrafficOwner::compute, TrafficOwner::communication};
        for (std::size_t stream = 0; stream < 2; ++stream)
            fillUp(place.streams[stream],
                   static_cast<double>(channel.waiting[stream]) / std::max(1u, m_moment.mostWaiting),
                   fillOf(kOwners[stream], m_colors));
        paintPick(place.pick, channel);
        const double entry = place.queue.height() / std::max(1u, m_inventory.dramQueue);
        double bottom = place.queue.bottom();
        for (std::size_t stream = 0; stream < 2; ++stream) {
            const double height = entry * channel.queuedOf[stream];
            if (height > 0)
                fill(QRectF(place.queue.left(), bottom - height, place.queue.width(), height),
                     fillOf(kOwners[stream], m_colors));
            bottom -= height;
        }
        paintService(place, channel);
    }

    /// Paints a wedge on the side of the stream that the arbiter chose last.
    void paintPick(const QRectF& box, const GpuInside::Channel& channel) {
        if (!channel.lastPick || m_now.ps - channel.lastPickPs > m_now.window)
            return;
        const bool communication = *channel.lastPick == engine::Stream::communication;
        const double half = box.width() / 2;
        const QRectF side(box.left() + (communication ? half : 0), box.top(), half, box.height());
        const QRectF mark =
            side.adjusted(side.width() * 0.1, side.height() * 0.15, -side.width() * 0.1, -side.height() * 0.15);
        const QColor color =
            fillOf(communication ? TrafficOwner::communication : TrafficOwner::compute, m_colors).color;
        if (mark.width() < m_line * 0.5)
            return fill(mark, color);
        m_painter.setRenderHint(QPainter::Antialiasing, true);
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(color);
        m_painter.drawPolygon(QPolygonF{mark.topLeft(), mark.topRight(), QPointF(mark.center().x(), mark.bottom())});
        m_painter.setRenderHint(QPainter::Antialiasing, false);
    }

    /// Paints a cell for each bank: empty while its row is closed, pale while it is open, with lines if it was just
    /// opened, and full while a request to it is in service. Returns the box of the banks in service.
    QRectF paintBanks(const CellGrid& cells, const GpuInside::Channel& channel) {
        const QColor open = paler(m_colors.inkSoft, m_colors, kInsideOpen);
        const double gap = std::max(m_look.pixel, m_line * 0.06);
        QRectF serving;
        for (std::uint32_t bank = 0; bank < cells.count; ++bank) {
            const QRectF cell = snapped(cells.cell(bank).adjusted(gap / 2, gap / 2, -gap / 2, -gap / 2));
            const data::BankState state = bank < channel.banks.size() ? channel.banks[bank] : data::BankState::closed;
            m_painter.setPen(QPen(m_colors.line, m_look.pixel));
            m_painter.setBrush(Qt::NoBrush);
            m_painter.drawRect(cell.adjusted(m_look.pixel / 2, m_look.pixel / 2, -m_look.pixel / 2, -m_look.pixel / 2));
            if (state == data::BankState::serving && channel.serving) {
                m_painter.fillRect(cell, fillOf(channel.serving->owner, m_colors).color);
                serving |= cell;
            } else if (state == data::BankState::open || state == data::BankState::opened) {
                m_painter.fillRect(cell, open);
            }
            if (state == data::BankState::opened)
                paintOpened(m_painter, cell, m_look);
        }
        return serving;
    }

    void paintService(const InsideLayout::Channel& place, const GpuInside::Channel& channel) {
        if (place.banks.count > 0) {
            const QRectF serving = paintBanks(place.banks, channel);
            if (!channel.serving)
                return;
            if (channel.serving->kind == data::TrafficKind::update && !place.nearMemory.isEmpty())
                fill(place.nearMemory, fillOf(channel.serving->owner, m_colors));
            const QColor ground = fillOf(channel.serving->owner, m_colors).color;
            const QString letter = letterOf(channel.serving->kind);
            const QFontMetricsF metrics(m_small);
            if (serving.height() >= metrics.ascent() && serving.width() >= metrics.horizontalAdvance(letter))
                write(serving, letter, Qt::AlignCenter, Palette::inkOn(ground), m_small);
            return;
        }
        if (!channel.serving)
            return;
        const Fill with = fillOf(channel.serving->owner, m_colors);
        fill(place.service, paler(with.color, m_colors, kInsideDone));
        fillUp(place.service, channel.serving->doneShare, with);
        const bool updates = channel.serving->kind == data::TrafficKind::update;
        if (updates && !place.nearMemory.isEmpty())
            fill(place.nearMemory, with);
        if (place.service.width() < m_line * 1.1)
            return;
        const QRectF plate(place.service.center() - QPointF(m_line * 0.5, m_line * 0.45), QSizeF(m_line, m_line * 0.9));
        fill(plate.intersected(place.service), Palette::seeThrough(m_colors.surface, 215));
        write(plate, letterOf(channel.serving->kind), Qt::AlignCenter, m_colors.ink, m_small);
    }

    void paintThreshold(std::uint32_t threshold) {
        const QRectF first = m_layout.channels.front().queue, last = m_layout.channels.back().queue;
        const double share = static_cast<double>(threshold) / std::max(1u, m_inventory.dramQueue);
        if (share > 1)
            return;
        const double y = snapped(first.bottom() - first.height() * share);
        m_painter.setPen(thresholdPen(m_look));
        m_painter.drawLine(QPointF(first.left() - m_line * 0.3, y), QPointF(last.right() + m_line * 0.3, y));
    }
};

}  // namespace

void paintOpened(QPainter& painter, const QRectF& cell, const PictureLook& look) {
    constexpr int kLines = 2;
    painter.setPen(QPen(look.colors.ink, look.pixel));
    for (int line = 1; line <= kLines; ++line) {
        const double y =
            cell.top() + std::round(cell.height() * line / (kLines + 1) / look.pixel) * look.pixel + look.pixel / 2;
        painter.drawLine(QPointF(cell.left() + look.pixel, y), QPointF(cell.right() - look.pixel, y));
    }
}

void paintInsideMemory(QPainter& painter, const InsideLayout& layout, const PictureLook& look,
                       const InsideMoment& moment) {
    MemoryPainter(painter, layout, look, moment).paint();
}

}  // namespace ui
