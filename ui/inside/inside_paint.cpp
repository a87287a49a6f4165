#include "ui/inside/inside_paint.h"

#include "ui/inside/flow_stroke.h"
#include "ui/look/format.h"
#include "ui/look/kernel_style.h"
#include "ui/look/tile_style.h"
#include "ui/look/widget_parts.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

using data::GpuInside;
using data::GpuPart;
using data::TrafficOwner;

constexpr double kRadius = 0.3;               // lines
constexpr double kSmall = 0.88;               // of the usual size of type
constexpr double kWaits = 0.35, kDone = 0.5;  // how much colour is in what waits and in what is over
constexpr double kEmptySlot = 0.12;           // of ink
constexpr double kTextured = 0.7;             // lines: cells from that size on have textures
constexpr double kNumbered = 1.5;             // and from that width on numbers

QString insideTr(const char* text) { return QCoreApplication::translate("InsideView", text); }

QString rateText(double bytesPerSecond) {
    return insideTr("%1/s").arg(formatBytes(static_cast<std::int64_t>(std::llround(bytesPerSecond))));
}

QColor paler(const QColor& color, const Palette& colors, double share) {
    return Palette::mixed(colors.surface, color, share);
}

/// One painting of the parts; a member for what all parts share.
class Parts {
public:
    Parts(QPainter& painter, const InsideLayout& layout, const InsideLook& look, const InsideMoment& moment)
        : m_painter(painter), m_layout(layout), m_look(look), m_colors(look.colors), m_moment(moment),
          m_inventory(moment.inventory), m_now(moment.inside), m_line(look.line),
          m_small(scaledFont(look.font, kSmall)) {}

    void paint() {
        m_painter.setRenderHint(QPainter::Antialiasing, false);
        paintUnits();
        paintCache();
        paintChunks();
        paintTracker();
        paintChannels();
        paintDma();
        paintLinks(m_layout.linksIn, m_now.linksIn, m_inventory.inFrom);
        paintLinks(m_layout.linksOut, m_now.linksOut, m_inventory.outTo);
        paintValues();
        m_painter.setRenderHint(QPainter::Antialiasing, true);
        paintFlows();
        paintSelection();
    }

private:
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
    /// Fills the lowest `share` of a box. Returns that part of it.
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

    void paintUnits() {
        const CellGrid& units = m_layout.units;
        const std::uint32_t slots = std::max(1u, m_inventory.slots);
        const double gap = std::min(units.cell(0).width() * 0.1, m_line * 0.18);
        for (std::uint32_t unit = 0; unit < units.count; ++unit) {
            const QRectF cell = units.cell(unit).adjusted(gap / 2, gap / 2, -gap / 2, -gap / 2);
            const double width = cell.width() / slots;
            for (std::uint32_t slot = 0; slot < slots; ++slot) {
                const std::size_t index = std::size_t{unit} * slots + slot;
                if (index < m_now.slots.size())
                    paintSlot(m_now.slots[index], QRectF(cell.left() + width * slot, cell.top(),
                                                         width - (slots > 1 ? m_look.pixel : 0), cell.height()));
            }
        }
    }

    void paintSlot(const GpuInside::Slot& slot, const QRectF& box) {
        using Doing = GpuInside::Slot::Doing;
        if (slot.doing == Doing::empty)
            return fill(box, paler(m_colors.inkSoft, m_colors, kEmptySlot));
        if (slot.doing == Doing::collective)
            return fill(box,
                        slot.kernel == engine::kOwnKernel
                            ? fillOf(TrafficOwner::communication, m_colors)
                            : fillOf(static_cast<data::KernelNumber>(data::kFirstCopy + slot.kernel - 1), m_colors));
        const Fill full = slot.kernel == engine::kOwnKernel
                              ? Fill{slot.wave % 2 == 0 ? m_colors.of(Role::gemm) : m_colors.shaded(Role::gemm), {}, {}}
                              : fillOf(static_cast<data::KernelNumber>(data::kFirstCopy + slot.kernel - 1), m_colors,
                                       slot.wave % 2 != 0);
        fill(box, paler(full.color, m_colors, kWaits));
        const double share = slot.steps == 0 ? 1 : static_cast<double>(slot.stepsDone) / slot.steps;
        const QRectF done = fillUp(box, slot.doing == Doing::storing ? 1 : share, full);
        const double mark = std::max(m_look.pixel, m_line * 0.12);
        if (slot.doing == Doing::loading)  // waits for data: a bar on top of what is done
            fill(QRectF(box.left(), std::max(box.top(), done.top() - mark), box.width(), mark), m_colors.ink);
        if (slot.doing == Doing::storing)
            fill(QRectF(box.left(), box.center().y() - mark / 2, box.width(), mark), m_colors.surface);
    }

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
    /// Words on a bar of one colour; left out where they do not fit.
    void writeOn(const QRectF& bar, const QString& words, const QColor& ground) {
        if (fits(words, bar.width() - m_line * 0.5) && bar.height() >= QFontMetricsF(m_small).ascent())
            write(bar, words, Qt::AlignCenter, Palette::inkOn(ground), m_small);
    }
    /// On the bar of misses, which has a texture, or behind it where it is too short.
    void writeMisses(const QRectF& bar, const QString& words) {
        const double needed = QFontMetricsF(m_small).horizontalAdvance(words) + m_line * 0.6;
        if (needed <= bar.width())
            return writePlate(bar, words);
        if (bar.right() + needed < m_layout.cacheBars.right() && bar.height() >= m_line * 0.8)
            write(QRectF(bar.right() + m_line * 0.3, bar.top(), needed, bar.height()), words,
                  Qt::AlignLeft | Qt::AlignVCenter, m_colors.ink, m_small);
    }

    void paintChunks() {
        const CellGrid& chunks = m_layout.chunks;
        for (std::uint32_t chunk = 0; chunk < chunks.count && chunk < m_moment.state.chunkTiles.size(); ++chunk) {
            const QRectF cell = chunks.cell(chunk).adjusted(0, m_line * 0.08, -m_line * 0.1, -m_line * 0.08);
            const bool numbered = cell.width() >= m_line * kNumbered * 4 && cell.height() >= m_line * 0.8;
            const QRectF bar = numbered ? cell.adjusted(m_line * 1.5, 0, 0, 0) : cell;
            double x = bar.left();
            double tiles = 0;
            for (const std::uint32_t count : m_moment.state.chunkTiles[chunk])
                tiles += count;
            for (auto state = kAllTileStates.rbegin(); state != kAllTileStates.rend() && tiles > 0; ++state) {
                const double width =
                    bar.width() * m_moment.state.chunkTiles[chunk][static_cast<std::size_t>(*state)] / tiles;
                if (width > 0)
                    fill(QRectF(x, bar.top(), width, bar.height()), fillOf(*state, m_colors));
                x += width;
            }
            if (numbered)
                writeSmall(QRectF(cell.left(), cell.top(), m_line * 1.3, cell.height()), QString::number(chunk),
                           Qt::AlignRight | Qt::AlignVCenter);
            if (numbered && chunk < m_moment.chunks.size())
                writePlate(bar, routeText(m_moment.chunks[chunk]));
        }
    }

    static QString routeText(const data::ChunkPart& part) {
        if (part.direct)
            return insideTr("to a link");
        if (part.own)
            return insideTr("stays here");
        return part.counted > 0 ? insideTr("memory, then DMA") : insideTr("memory");
    }

    /// Words on their own ground in the middle of a box that is full of textures; left out where they do not fit.
    void writePlate(const QRectF& box, const QString& words) {
        const QFontMetricsF metrics(m_small);
        const QSizeF size(metrics.horizontalAdvance(words) + m_line * 0.5, metrics.height());
        if (size.width() > box.width() || size.height() > box.height() + m_line * 0.1)
            return;
        const QRectF plate(box.center() - QPointF(size.width() / 2, size.height() / 2), size);
        fill(plate.intersected(box), Palette::seeThrough(m_colors.surface, 215));
        write(plate, words, Qt::AlignCenter, m_colors.ink, m_small);
    }

    void paintTracker() {
        if (!m_layout.has(GpuPart::tracker))
            return;
        const CellGrid& cells = m_layout.entries;
        const double gap = std::min(cells.cell(0).width() * 0.15, m_line * 0.15);
        const auto boxOf = [&](std::uint32_t index) {
            return cells.cell(index).adjusted(gap / 2, gap / 2, -gap / 2, -gap / 2);
        };
        if (m_inventory.trackerWays == 0)
            return writeSmall(cells.box, insideTr("no ways: it holds nothing"), Qt::AlignCenter);
        for (std::uint32_t i = 0; i < cells.count; ++i)
            fill(boxOf(i), m_colors.grid);
        std::uint32_t set = 0xffffffffu, way = 0;
        for (const data::TrackerEntry& entry : m_moment.state.tracker) {
            way = entry.set == set ? way + 1 : 0;
            set = entry.set;
            double landed = 0, needed = 0;
            for (std::size_t i = 0; i < entry.landedBytes.size(); ++i) {
                landed += entry.landedBytes[i];
                needed += entry.thresholdBytes[i];
            }
            const std::uint32_t index = set * m_inventory.trackerWays + way;
            if (index >= cells.count)
                continue;
            fill(boxOf(index), paler(m_colors.of(Role::tracker), m_colors, kWaits));
            fillUp(boxOf(index), needed > 0 ? landed / needed : 0, {m_colors.of(Role::tracker), {}, {}});
        }
        paintNearest();
        paintHeld();
    }

    struct Counter {
        const data::TrackerEntry* entry = nullptr;
        std::size_t wavefront = 0;
        double share = 0;
    };
    std::vector<Counter> nearest(std::size_t most) const {
        std::vector<Counter> counters;
        for (const data::TrackerEntry& entry : m_moment.state.tracker)
            for (std::size_t i = 0; i < entry.landedBytes.size(); ++i)
                if (entry.landedBytes[i] < entry.thresholdBytes[i])
                    counters.push_back(
                        {&entry, i, static_cast<double>(entry.landedBytes[i]) / entry.thresholdBytes[i]});
        const std::size_t kept = std::min(most, counters.size());
        std::partial_sort(counters.begin(), counters.begin() + static_cast<std::ptrdiff_t>(kept), counters.end(),
                          [](const Counter& a, const Counter& b) {
                              return a.share != b.share               ? a.share > b.share
                                     : a.entry->tile != b.entry->tile ? a.entry->tile < b.entry->tile
                                                                      : a.wavefront < b.wavefront;
                          });
        counters.resize(kept);
        return counters;
    }

    void paintNearest() {
        QRectF row(m_layout.nearest.left(), m_layout.nearest.top(), m_layout.nearest.width(), m_line * 1.2);
        const QString heading = insideTr("nearest to their threshold");
        writeSmall(row, fits(heading, row.width()) ? heading : insideTr("nearest"));
        const auto rows =
            static_cast<std::size_t>(std::max(0.0, (m_layout.nearest.height() - row.height()) / row.height()));
        for (const Counter& counter : nearest(rows)) {
            row.translate(0, row.height());
            const QRectF bar = row.adjusted(0, m_line * 0.08, 0, -m_line * 0.08);
            fill(bar, m_colors.grid);
            fill(QRectF(bar.left(), bar.top(), bar.width() * counter.share, bar.height()),
                 paler(m_colors.of(Role::tracker), m_colors, kDone));
            const QString bytes = insideTr("%1 of %2")
                                      .arg(formatBytes(counter.entry->landedBytes[counter.wavefront]),
                                           formatBytes(counter.entry->thresholdBytes[counter.wavefront]));
            const QString full =
                insideTr("tile %1, WF %2: %3").arg(counter.entry->tile).arg(counter.wavefront).arg(bytes);
            const QRectF room = bar.adjusted(m_line * 0.2, 0, -m_line * 0.2, 0);
            write(room, fits(full, room.width()) ? full : bytes, Qt::AlignLeft | Qt::AlignVCenter, m_colors.ink,
                  m_small);
        }
    }

    void paintHeld() {
        if (m_now.heldBytes <= 0)
            return;
        fill(m_layout.held, Fill{m_colors.of(Role::exposed), m_colors.surface, Texture::falling});
        const QString words = insideTr("%1 held outside").arg(formatBytes(m_now.heldBytes));
        const QFontMetricsF metrics(m_small);
        const double width = metrics.horizontalAdvance(words);
        write(QRectF(m_layout.held.right() - width - m_line * 0.2, m_layout.held.bottom() + m_line * 0.1,
                     width + m_line, m_line),
              words, Qt::AlignLeft | Qt::AlignVCenter, m_colors.ink, m_small);
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

    /// A wedge on the side of the stream that the arbiter took last.
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

    void paintService(const InsideLayout::Channel& place, const GpuInside::Channel& channel) {
        if (!channel.serving)
            return;
        const Fill with = fillOf(channel.serving->owner, m_colors);
        fill(place.service, paler(with.color, m_colors, kDone));
        fillUp(place.service, channel.serving->doneShare, with);
        const bool updates = channel.serving->kind == data::TrafficKind::update;
        if (updates && !place.nearMemory.isEmpty())
            fill(place.nearMemory, with);
        if (place.service.width() < m_line * 1.1)
            return;
        const QString letter = updates                                             ? insideTr("U")
                               : channel.serving->kind == data::TrafficKind::write ? insideTr("W")
                                                                                   : insideTr("R");
        const QRectF plate(place.service.center() - QPointF(m_line * 0.5, m_line * 0.45), QSizeF(m_line, m_line * 0.9));
        fill(plate.intersected(place.service), Palette::seeThrough(m_colors.surface, 215));
        write(plate, letter, Qt::AlignCenter, m_colors.ink, m_small);
    }

    void paintThreshold(std::uint32_t threshold) {
        const QRectF first = m_layout.channels.front().queue, last = m_layout.channels.back().queue;
        const double share = static_cast<double>(threshold) / std::max(1u, m_inventory.dramQueue);
        if (share > 1)
            return;
        const double y = snapped(first.bottom() - first.height() * share);
        m_painter.setPen(QPen(m_colors.ink, std::max(m_look.pixel, m_line * 0.09), Qt::DashLine));
        m_painter.drawLine(QPointF(first.left() - m_line * 0.3, y), QPointF(last.right() + m_line * 0.3, y));
    }

    void paintDma() {
        if (!m_layout.has(GpuPart::dma))
            return;
        paintCommands();
        for (std::size_t i = 0; i < m_layout.engines.size() && i < m_now.engines.size(); ++i)
            paintEngine(m_layout.engines[i], m_now.engines[i]);
    }

    void paintCommands() {
        std::uint32_t moving = 0;
        for (const GpuInside::Engine& engine : m_now.engines)
            moving += static_cast<std::uint32_t>((engine.reading ? 1 : 0) + engine.next.size() + engine.sending.size());
        const QString all = insideTr("%1 done, %2 move, %3 ready, %4 wait")
                                .arg(m_now.commandsDone)
                                .arg(moving)
                                .arg(m_now.commandsReady)
                                .arg(m_now.commandsWaiting);
        writeSmall(m_layout.commandWords,
                   fits(all, m_layout.commandWords.width())
                       ? all
                       : insideTr("%1 of %2 done").arg(m_now.commandsDone).arg(m_inventory.commands));
        const CellGrid& cells = m_layout.commands;
        const double gap = std::min(cells.cell(0).width() * 0.15, m_line * 0.15);
        const std::uint32_t done = m_now.commandsDone, ready = done + moving + m_now.commandsReady;
        for (std::uint32_t i = 0; i < cells.count; ++i) {
            const QRectF cell = cells.cell(i).adjusted(0, 0, -gap, -gap);
            if (i < done)
                fill(cell, paler(m_colors.of(Role::dma), m_colors, kDone));
            else if (i < done + moving)
                fill(cell, {m_colors.of(Role::link), m_colors.surface, Texture::rising});
            else if (i < ready)
                fill(cell, m_colors.of(Role::dma));
            else
                fill(cell, m_colors.grid);
        }
    }

    void paintEngine(const QRectF& box, const GpuInside::Engine& engine) {
        fill(box, m_colors.grid);
        const GpuInside::Command* command = engine.reading           ? &*engine.reading
                                            : engine.sending.empty() ? nullptr
                                                                     : &engine.sending.back();
        if (command == nullptr || command->bytes == 0)
            return writeSmall(box.adjusted(m_line * 0.3, 0, 0, 0), insideTr("idle"));
        const double read =
            std::min(1.0, static_cast<double>(command->readBytes) / static_cast<double>(command->bytes));
        const double sent =
            std::min(1.0, static_cast<double>(command->sentBytes) / static_cast<double>(command->bytes));
        const QRectF bars = box.height() > m_line * 2 ? box.adjusted(0, m_line * 1.15, 0, 0) : box;
        const QRectF top(bars.left(), bars.top(), bars.width() * read, bars.height() / 2);
        const QRectF bottom(bars.left(), bars.center().y(), bars.width() * sent, bars.height() / 2);
        fill(top, m_colors.of(Role::dma));
        fill(bottom, {m_colors.of(Role::link), m_colors.surface, Texture::rising});
        if (box.height() > m_line * 2)
            writeSmall(QRectF(box.left() + m_line * 0.3, box.top(), box.width(), m_line * 1.15),
                       insideTr("block %1: %2 read, %3 sent")
                           .arg(command->block)
                           .arg(formatPercent(read), formatPercent(sent)));
    }

    void paintLinks(const std::vector<QRectF>& boxes, const std::vector<GpuInside::Link>& links,
                    const std::vector<std::optional<std::uint32_t>>& ends) {
        for (std::size_t i = 0; i < boxes.size() && i < links.size(); ++i) {
            const QRectF& box = boxes[i];
            fill(box, m_colors.grid);
            fillUp(box, links[i].useOf,
                   {paler(m_colors.of(Role::link), m_colors, 0.6), m_colors.surface, Texture::plain});
            const QString gpu = i < ends.size() && ends[i] ? insideTr("GPU %1").arg(*ends[i]) : insideTr("switch");
            const bool two = box.height() > m_line * 2.1;
            const QRectF first(box.left(), box.center().y() - (two ? m_line : m_line / 2), box.width(), m_line);
            if (box.height() >= m_line * 0.8)
                write(first, gpu, Qt::AlignCenter, m_colors.ink, m_small);
            if (!two)
                continue;
            const QString rate = rateText(links[i].bytesPerSecond);
            write(first.translated(0, m_line), fits(rate, box.width()) ? rate : formatPercent(links[i].useOf),
                  Qt::AlignCenter, m_colors.ink, m_small);
        }
    }

    void paintValues() {
        for (std::size_t i = 0; i < data::kGpuParts; ++i) {
            const QRectF& title = m_layout.titles[i];
            if (title.isEmpty() || m_moment.values[i].isEmpty())
                continue;
            const double name =
                QFontMetricsF(strongFont(m_look.font)).horizontalAdvance(nameOf(static_cast<GpuPart>(i)));
            const QRectF room = title.adjusted(name + m_line, 0, 0, 0);
            if (fits(m_moment.values[i], room.width()))
                writeSmall(room, m_moment.values[i], Qt::AlignRight | Qt::AlignVCenter);
        }
    }

    double peak() const { return m_inventory.channelBytesPerSecond * m_inventory.channels; }

    void paintFlows() {
        for (const InsideLayout::Flow& flow : m_layout.flows) {
            if (flow.kind == FlowKind::trigger) {
                paintTrigger(flow);
                continue;
            }
            const auto rates = rateOn(flow.kind, m_now);
            double total = 0;
            for (const double rate : rates)
                total += rate;
            paintStream(m_painter, flow.path, rates, strokeLook());
            if (total > 0 && !flow.label.isEmpty()) {
                QRectF row(flow.label.left(), flow.label.top(), flow.label.width(), m_line);
                const int alignment = (flow.labelRight ? Qt::AlignLeft : Qt::AlignHCenter) | Qt::AlignVCenter;
                writeSmall(row, nameOf(flow.kind), alignment);
                row.translate(0, m_line);
                write(row, rateText(total), alignment, m_colors.ink, m_small);
            }
        }
    }

    StreamLook strokeLook() const {
        StreamLook stroke{m_colors, m_line, m_layout.widest, peak(), 0};
        stroke.phase = m_now.window > 0
                           ? static_cast<double>(m_now.ps % (m_now.window * 1'000)) / static_cast<double>(m_now.window)
                           : 0;
        return stroke;
    }

    void paintTrigger(const InsideLayout::Flow& flow) {
        const bool now = m_now.trigger.has_value();
        const QColor color = now ? m_colors.of(Role::tracker) : m_colors.line;
        paintSignal(m_painter, flow.path, color, m_line * (now ? 0.28 : 0.08), m_line);
        if (now && !flow.label.isEmpty())
            write(flow.label, insideTr("trigger: block %1 is ready").arg(m_now.trigger->block),
                  Qt::AlignLeft | Qt::AlignVCenter, m_colors.ink, strongFont(m_look.font));
    }

    void paintSelection() {
        if (!m_moment.selected)
            return;
        const QRectF box = m_layout.boxOf(*m_moment.selected);
        if (box.isEmpty())
            return;
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setPen(QPen(m_colors.accent, m_line * 0.16));
        const double out = m_line * 0.08;
        m_painter.drawRoundedRect(box.adjusted(-out, -out, out, out), m_line * kRadius, m_line * kRadius);
    }

    QPainter& m_painter;
    const InsideLayout& m_layout;
    const InsideLook& m_look;
    const Palette& m_colors;
    const InsideMoment& m_moment;
    const data::GpuInventory& m_inventory;
    const GpuInside& m_now;
    double m_line;
    QFont m_small;
};

/// Entries of the key, in rows.
class Key {
public:
    enum class Mark : std::uint8_t { none, top, middle };

    Key(QPainter& painter, const QRectF& room, const InsideLook& look)
        : m_painter(painter), m_look(look), m_room(room), m_rest(room) {}

    /// Begins a row under a heading. Returns false if there is no room for it.
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

    void entry(const Fill& with, const QString& words) {
        const QRectF swatch = place(words);
        if (!swatch.isEmpty())
            paintFill(m_painter, swatch, with, textureSpacing(m_look.line));
    }
    /// A workgroup in its slot.
    void slotEntry(const QColor& color, Mark mark, const QString& words) {
        const QRectF swatch = place(words);
        if (swatch.isEmpty())
            return;
        m_painter.fillRect(swatch, paler(color, m_look.colors, kWaits));
        const double height = m_look.line * 0.12;
        const QRectF done = swatch.adjusted(0, mark == Mark::middle ? 0 : swatch.height() * 0.45, 0, 0);
        m_painter.fillRect(done, color);
        if (mark == Mark::top)
            m_painter.fillRect(QRectF(done.left(), done.top() - height, done.width(), height), m_look.colors.ink);
        if (mark == Mark::middle)
            m_painter.fillRect(QRectF(done.left(), done.center().y() - height / 2, done.width(), height),
                               m_look.colors.surface);
    }

private:
    /// Writes the words of an entry. Returns the room of its swatch, or an empty one if there is no room left.
    QRectF place(const QString& words) {
        m_painter.setFont(scaledFont(m_look.font, kSmall));
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
    const InsideLook& m_look;
    QRectF m_room, m_rest, m_row;
    double m_x = 0;
    bool m_begun = false;
};

void paintRowNames(QPainter& painter, const InsideLayout& layout, const InsideLook& look,
                   const data::GpuInventory& inventory) {
    if (!layout.roomy || layout.channels.empty())
        return;
    const InsideLayout::Channel& first = layout.channels.front();
    const double left = layout.box(GpuPart::arbiter).left() + look.line * 0.45;
    painter.setFont(scaledFont(look.font, kSmall));
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

Fill fillOf(TrafficOwner owner, const Palette& colors) {
    switch (owner) {
    case TrafficOwner::compute: return {colors.of(Role::gemm), colors.surface, Texture::plain};
    case TrafficOwner::communication: return {colors.of(Role::reduceScatter), colors.surface, Texture::rising};
    case TrafficOwner::companion: break;
    }
    return fillOf(data::kFirstCopy, colors);
}

QString nameOf(TrafficOwner owner) {
    switch (owner) {
    case TrafficOwner::compute: return insideTr("compute");
    case TrafficOwner::communication: return insideTr("communication");
    case TrafficOwner::companion: break;
    }
    return insideTr("companion");
}

QString nameOf(GpuPart part) {
    switch (part) {
    case GpuPart::computeUnits: return insideTr("Compute units");
    case GpuPart::cache: return insideTr("Last-level cache");
    case GpuPart::addressMap: return insideTr("Address map");
    case GpuPart::tracker: return insideTr("Tracker");
    case GpuPart::nearMemory: return insideTr("Near-memory updates");
    case GpuPart::arbiter: return insideTr("Memory controller");
    case GpuPart::channels: return insideTr("Memory channels");
    case GpuPart::dma: return insideTr("DMA engine");
    case GpuPart::linksIn: return insideTr("In");
    case GpuPart::linksOut: break;
    }
    return insideTr("Out");
}

QString shortNameOf(GpuPart part) {
    switch (part) {
    case GpuPart::computeUnits: return insideTr("CUs");
    case GpuPart::cache: return insideTr("LLC");
    case GpuPart::addressMap: return insideTr("Map");
    case GpuPart::nearMemory: return insideTr("NMC");
    case GpuPart::arbiter: return insideTr("Memory");
    case GpuPart::channels: return insideTr("Channels");
    case GpuPart::dma: return insideTr("DMA");
    case GpuPart::tracker:
    case GpuPart::linksIn:
    case GpuPart::linksOut: break;
    }
    return nameOf(part);
}

QString nameOf(FlowKind flow) {
    switch (flow) {
    case FlowKind::loads: return insideTr("loads");
    case FlowKind::misses: return insideTr("reads");
    case FlowKind::stores: return insideTr("stores");
    case FlowKind::localStores: return insideTr("to memory");
    case FlowKind::directStores: return insideTr("to a link");
    case FlowKind::arrivals: return insideTr("arrivals");
    case FlowKind::updates: return insideTr("updates");
    case FlowKind::blockReads: return insideTr("reads");
    case FlowKind::sends: return insideTr("sends");
    case FlowKind::trigger: break;
    }
    return insideTr("trigger");
}

std::array<double, data::kTrafficOwners> rateOn(FlowKind flow, const GpuInside& inside) {
    using data::TrafficKind;
    static constexpr auto kCommunication = static_cast<std::size_t>(TrafficOwner::communication);
    const data::Traffic& memory = inside.memoryPerSecond;
    const auto links = [](const std::vector<GpuInside::Link>& all) {
        std::array<double, data::kTrafficOwners> sum{};
        for (const GpuInside::Link& link : all)
            for (std::size_t owner = 0; owner < sum.size(); ++owner)
                sum[owner] += link.ofOwner[owner];
        return sum;
    };
    const auto written = [&](TrafficOwner owner) {
        return memory.of(owner, TrafficKind::write) + memory.of(owner, TrafficKind::update);
    };
    // While an engine has a command the collective moves by DMA; else kernels on the compute units move it.
    const bool byDma = std::ranges::any_of(
        inside.engines, [](const GpuInside::Engine& engine) { return engine.reading || !engine.sending.empty(); });
    const double reads = memory.of(TrafficOwner::communication, TrafficKind::read);
    const double companionReads = memory.of(TrafficOwner::companion, TrafficKind::read);
    const bool companionOnUnits = std::ranges::any_of(
        inside.slots, [](const GpuInside::Slot& slot) { return slot.kernel != engine::kOwnKernel; });
    const double unitReads = companionOnUnits ? companionReads : 0;
    const auto in = links(inside.linksIn), out = links(inside.linksOut);
    // What the collective writes has come over a link, or compute units have added it up.
    const double arrived = std::min(in[kCommunication], written(TrafficOwner::communication));
    const bool kernelsRun = std::ranges::any_of(inside.slots, [](const GpuInside::Slot& slot) {
        return slot.doing == GpuInside::Slot::Doing::collective && slot.kernel == engine::kOwnKernel;
    });
    const double summed = kernelsRun ? written(TrafficOwner::communication) - arrived : 0;
    switch (flow) {
    case FlowKind::loads: return {inside.loadsPerSecond, byDma ? 0 : reads, unitReads};
    case FlowKind::misses: return {memory.of(TrafficOwner::compute, TrafficKind::read), byDma ? 0 : reads, unitReads};
    case FlowKind::stores: return {inside.storesPerSecond, summed + (byDma ? 0 : out[kCommunication]), 0};
    case FlowKind::localStores: return {written(TrafficOwner::compute), summed, 0};
    case FlowKind::directStores: return {out[0], byDma ? 0 : out[kCommunication], 0};
    case FlowKind::arrivals: return in;
    case FlowKind::updates: return {0, written(TrafficOwner::communication) - summed, written(TrafficOwner::companion)};
    case FlowKind::blockReads: return {0, byDma ? reads : 0, companionReads - unitReads};
    case FlowKind::sends: return {0, byDma ? out[kCommunication] : 0, out[2]};
    case FlowKind::trigger: break;
    }
    return {};
}

void paintInsideKey(QPainter& painter, const QRectF& room, const InsideLook& look, const TileWords& words,
                    bool companion) {
    Key key(painter, room, look);
    key.beginRow();
    key.entry(fillOf(TrafficOwner::compute, look.colors), insideTr("compute, long dashes"));
    key.entry(fillOf(TrafficOwner::communication, look.colors), insideTr("communication, short dashes"));
    if (companion)
        key.entry(fillOf(TrafficOwner::companion, look.colors), insideTr("companion, dots"));
    if (!key.beginRow(insideTr("Workgroups in their slots")))
        return;
    const QColor gemm = look.colors.of(Role::gemm);
    key.slotEntry(gemm, Key::Mark::none, insideTr("K-steps done"));
    key.slotEntry(gemm, Key::Mark::top, insideTr("waits for data"));
    key.slotEntry(gemm, Key::Mark::middle, insideTr("stores"));
    key.entry({paler(look.colors.inkSoft, look.colors, kEmptySlot), {}, {}}, insideTr("empty"));
    if (!key.beginRow(insideTr("Tiles of the output")))
        return;
    painter.setFont(look.font);
    const QRectF left = key.rest();
    if (tileLegendHeight(words, left.width(), QFontMetricsF(look.font)) <= left.height())
        paintTileLegend(painter, left, words, look.colors);
}

void paintInsideFrames(QPainter& painter, const InsideLayout& layout, const InsideLook& look,
                       const data::GpuInventory& inventory) {
    const Palette& colors = look.colors;
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (std::size_t i = 0; i < data::kGpuParts; ++i) {
        const QRectF& box = layout.parts[i];
        if (box.isEmpty())
            continue;
        painter.setPen(QPen(colors.line, std::max(look.pixel, look.line * 0.06)));
        painter.setBrush(colors.stripe);
        painter.drawRoundedRect(box, look.line * kRadius, look.line * kRadius);
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

void paintInsideMoment(QPainter& painter, const InsideLayout& layout, const InsideLook& look,
                       const InsideMoment& moment) {
    Parts(painter, layout, look, moment).paint();
}

}  // namespace ui
