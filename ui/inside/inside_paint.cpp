#include "ui/inside/inside_paint.h"

#include "ui/inside/flow_stroke.h"
#include "ui/inside/inside_brush.h"
#include "ui/look/kernel_style.h"

namespace ui {
namespace {

using data::GpuInside;
using data::GpuPart;
using data::TrafficOwner;

constexpr double kNumbered = 1.5;  // lines: chunks at least four times as wide have numbers

/// Paints all parts except memory.
class Parts : InsideBrush {
public:
    using InsideBrush::InsideBrush;

    void paint() {
        m_painter.setRenderHint(QPainter::Antialiasing, false);
        paintUnits();
        paintChunks();
        paintTracker();
        paintInsideMemory(m_painter, m_layout, m_look, m_moment);
        paintDma();
        paintLinks(m_layout.linksIn, m_now.linksIn, m_inventory.inFrom);
        paintLinks(m_layout.linksOut, m_now.linksOut, m_inventory.outTo);
        paintValues();
        m_painter.setRenderHint(QPainter::Antialiasing, true);
        paintFlows();
        paintSelection();
    }

private:
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
            return fill(box, paler(m_colors.inkSoft, m_colors, kInsideEmpty));
        const auto companion = static_cast<data::KernelNumber>(data::kFirstCopy + slot.kernel - 1);
        if (slot.doing == Doing::collective)
            return fill(box, slot.kernel == engine::kOwnKernel ? fillOf(TrafficOwner::communication, m_colors)
                                                               : fillOf(companion, m_colors));
        const Fill full = slot.kernel == engine::kOwnKernel
                              ? Fill{slot.wave % 2 == 0 ? m_colors.of(Role::gemm) : m_colors.shaded(Role::gemm), {}, {}}
                              : fillOf(companion, m_colors, slot.wave % 2 != 0);
        fill(box, paler(full.color, m_colors, kInsideWaits));
        const double share = slot.steps == 0 ? 1 : static_cast<double>(slot.stepsDone) / slot.steps;
        const QRectF done = fillUp(box, slot.doing == Doing::storing ? 1 : share, full);
        const double mark = std::max(m_look.pixel, m_line * 0.12);
        if (slot.doing == Doing::loading)  // waits for data: a bar above the part that is done
            fill(QRectF(box.left(), std::max(box.top(), done.top() - mark), box.width(), mark), m_colors.ink);
        if (slot.doing == Doing::storing)
            fill(QRectF(box.left(), box.center().y() - mark / 2, box.width(), mark), m_colors.surface);
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

    void paintTracker() {
        if (!m_layout.has(GpuPart::tracker))
            return;
        const CellGrid& cells = m_layout.entries;
        const double gap = std::min(cells.cell(0).width() * 0.15, m_line * 0.15);
        const auto boxOf = [&](std::uint32_t index) {
            return cells.cell(index).adjusted(gap / 2, gap / 2, -gap / 2, -gap / 2);
        };
        if (m_inventory.trackerWays == 0)
            return writeSmall(cells.box, insideTr("no ways, so no entries"), Qt::AlignCenter);
        for (std::uint32_t i = 0; i < cells.count; ++i)
            fill(boxOf(i), m_colors.grid);
        const std::vector<std::uint32_t> places = entryCells(m_moment.state.tracker, m_inventory.trackerWays);
        for (std::size_t held = 0; held < places.size(); ++held) {
            const data::TrackerEntry& entry = m_moment.state.tracker[held];
            double landed = 0, needed = 0;
            for (std::size_t i = 0; i < entry.landedBytes.size(); ++i) {
                landed += entry.landedBytes[i];
                needed += entry.thresholdBytes[i];
            }
            const std::uint32_t index = places[held];
            if (index >= cells.count)
                continue;
            fill(boxOf(index), paler(m_colors.of(Role::tracker), m_colors, kInsideWaits));
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
                 paler(m_colors.of(Role::tracker), m_colors, kInsideDone));
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

    void paintDma() {
        if (!m_layout.has(GpuPart::dma))
            return;
        paintCommands();
        for (std::size_t i = 0; i < m_layout.engines.size() && i < m_now.engines.size(); ++i)
            paintEngine(m_layout.engines[i], m_now.engines[i]);
    }

    void paintCommands() {
        const std::uint32_t moving = movingCommands(m_now);
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
                fill(cell, paler(m_colors.of(Role::dma), m_colors, kInsideDone));
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
        if (command == nullptr || command->bytes == 0) {
            if (QFontMetricsF(m_small).height() <= box.height() + m_line * 0.1)
                writeSmall(box.adjusted(m_line * 0.3, 0, 0, 0), insideTr("idle"));
            return;
        }
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
                       (command->to ? insideTr("to GPU %1: %2 read, %3 sent").arg(*command->to)
                                    : insideTr("block %1: %2 read, %3 sent").arg(command->block))
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
        m_painter.drawRoundedRect(box.adjusted(-out, -out, out, out), m_line * kInsideRadius, m_line * kInsideRadius);
    }
};

}  // namespace

void paintInsideMoment(QPainter& painter, const InsideLayout& layout, const PictureLook& look,
                       const InsideMoment& moment) {
    Parts(painter, layout, look, moment).paint();
}

}  // namespace ui
