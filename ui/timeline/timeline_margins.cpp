#include "ui/timeline/timeline_margins.h"

#include "ui/look/format.h"
#include "ui/look/kernel_style.h"
#include "ui/look/plate.h"
#include "ui/look/run_words.h"
#include "ui/look/widget_parts.h"
#include "ui/timeline/timeline_layout.h"
#include "ui/timeline/timeline_model.h"

#include <QCoreApplication>
#include <QImage>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

QBrush stripes(const Palette& colors, double line) {
    // Stripes of GEMM's blue and reduce-scatter's orange show that both run at once, by pattern as well as by colour.
    const int size = std::max(8, static_cast<int>(std::round(line * 0.7)));
    QImage tile(size, size, QImage::Format_RGB32);
    for (int y = 0; y < size; ++y) {
        for (int x = 0; x < size; ++x) {
            const bool orange = (x + y) % size < size / 2;
            tile.setPixelColor(x, y, colors.of(orange ? Role::reduceScatter : Role::gemm));
        }
    }
    return QBrush(tile);
}

QString legendTr(const char* text) { return QCoreApplication::translate("TimelineLegend", text); }

bool hasPhase(const TimelineModel& model, Role role) {
    const std::vector<Phase>& phases = model.phases();
    return std::any_of(phases.begin(), phases.end(), [role](const Phase& phase) { return phase.role == role; });
}

void paintChevron(QPainter& painter, const TimelineLayout& layout, const Palette& colors, QPointF middle, bool open) {
    const double size = layout.line() * 0.22;
    QPolygonF corners{QPointF(-size, -size / 2), QPointF(0, size / 2), QPointF(size, -size / 2)};
    for (QPointF& corner : corners)
        corner = middle + (open ? corner : corner.transposed());
    QPainterPath chevron;
    chevron.addPolygon(corners);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colors.inkFaint, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPath(chevron);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

// Paints the background of the row in focus, below its names.
void paintFocus(QPainter& painter, const TimelineLayout& layout, const Palette& colors, std::size_t row) {
    const auto [first, last] = layout.blockOf(row);
    const double top = layout.boxOf(first).top;
    const double height = layout.boxOf(last).bottom() - top;
    painter.fillRect(QRectF(0, top, layout.geometry().left - 4, height), colors.stripe);
    painter.fillRect(QRectF(0, top, 3, height), colors.accent);
}

QString footTr(const char* text) { return QCoreApplication::translate("ui::TimelineView", text); }

// Appends the kernels of a run with a companion: workgroups and DRAM services have their fills.
void appendKernels(const TimelineModel& model, std::vector<TimelineLegendEntry>& legend) {
    const data::TraceIndex::Gpu& gpu = model.index()->gpu(0);
    const auto works = [](const data::KernelGrids& grids, data::KernelNumber kernel) {
        return std::any_of(grids.begin(), grids.end(), [kernel](const auto& grid) { return grid.kernel == kernel; });
    };
    for (std::size_t i = 0; i < data::kernelsOf(model.index()->trace()); ++i) {
        const auto kernel = static_cast<data::KernelNumber>(i);
        if (kernel < data::kFirstCopy && !works(gpu.slotKernels, kernel) && !works(gpu.dramKernels, kernel))
            continue;
        const QString name = kernelName(model.run().run.experiment, kernel);
        legend.push_back({Role::neutral, name, name, kernel});
    }
}

// Appends the empty slots, with their number if it is the same on all GPUs.
void appendEmptySlots(const TimelineModel& model, std::vector<TimelineLegendEntry>& legend) {
    const data::LastWave* some = nullptr;
    bool alike = true;
    for (std::uint32_t gpu = 0; gpu < model.gpus(); ++gpu) {
        const data::LastWave& last = model.lastWave(gpu);
        some = some == nullptr && last.hasEmptySlots() ? &last : some;
        alike = alike && last.empty.size() == model.lastWave(0).empty.size();
    }
    if (some != nullptr)
        legend.push_back({Role::gemm,
                          alike ? emptySlotsText(*some) : legendTr("slots that stay empty in the last wave"),
                          legendTr("empty slots"),
                          {},
                          true});
}

}  // namespace

std::vector<TimelineLegendEntry> legendOf(const TimelineModel& model) {
    std::vector<TimelineLegendEntry> legend;
    if (!model.hasRun())
        return legend;
    const auto add = [&](bool isThere, Role role, const QString& text, const QString& brief) {
        if (isThere)
            legend.push_back({role, text, brief});
    };
    const auto has = [&](RowKind kind) { return model.has({0, kind}); };
    const QString scatter = scatterWord(model.run().run.experiment);
    const QString gather = legendTr("all-gather");
    const bool reduces = has(RowKind::reduceScatter);
    const bool inCompany = model.inCompany();
    if (inCompany)
        appendKernels(model, legend);
    add(has(RowKind::waves) && !inCompany, Role::gemm, legendTr("GEMM, compute stream"), legendTr("GEMM"));
    if (has(RowKind::waves))
        appendEmptySlots(model, legend);
    add(has(RowKind::boundGemm), Role::gemm, legendTr("GEMM"), legendTr("GEMM"));
    add(has(RowKind::boundReduceScatter), Role::reduceScatter, scatter, scatter);
    // The communication stream of DRAM has the colour of the reduce-scatter, whatever the collective is.
    add(reduces && !inCompany, Role::reduceScatter, legendTr("%1, communication stream").arg(scatter), scatter);
    add(reduces && inCompany, Role::reduceScatter, scatter, scatter);
    add(!reduces && !inCompany && has(RowKind::dram), Role::reduceScatter, legendTr("communication stream"),
        legendTr("comm. stream"));
    add(has(RowKind::allGather) || has(RowKind::boundAllGather), Role::allGather, gather, gather);
    add(hasPhase(model, Role::overlapped), Role::overlapped, legendTr("GEMM and collective at once"),
        legendTr("both at once"));
    add(hasPhase(model, Role::exposed), Role::exposed, legendTr("collective only"), legendTr("no GEMM"));
    // These entries come last, where a narrow window cuts the list, because the lanes have the same names.
    add(has(RowKind::tracker), Role::tracker, legendTr("tracker"), legendTr("tracker"));
    add(has(RowKind::dma), Role::dma, legendTr("DMA"), legendTr("DMA"));
    add(has(RowKind::link), Role::link, legendTr("link"), legendTr("link"));
    return legend;
}

QBrush legendBrush(const Palette& colors, Role role, double line) {
    return role == Role::overlapped ? stripes(colors, line) : QBrush(colors.of(role));
}

void paintGutter(QPainter& painter, const TimelineLayout& layout, const Palette& colors, bool pinned,
                 std::optional<std::size_t> focusedRow) {
    const std::vector<Row>& rows = layout.rows();
    const double line = layout.line();
    const double left = layout.geometry().left;
    const QFont bold = layout.boldFont();
    QFont small = layout.font();
    if (focusedRow && rows[*focusedRow].pinned == pinned)
        paintFocus(painter, layout, colors, *focusedRow);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Row& row = rows[i];
        const RowBox box = layout.boxOf(i);
        if (row.pinned != pinned || box.bottom() < layout.axisHeight() || box.top > layout.height())
            continue;
        if (row.opensGroup && i > 0 && !pinned) {
            const double border = std::round((layout.boxOf(i - 1).bottom() + box.top) / 2);
            painter.fillRect(QRectF(0, border, layout.width(), 1), colors.grid);
        }
        const double right = left - line * (row.openable ? 1.15 : 0.5);
        small.setPixelSize(std::max(7, static_cast<int>(box.height * 0.82)));
        painter.setFont(box.height < line ? small : layout.font());
        painter.setPen(colors.inkSoft);
        painter.drawText(QRectF(0, box.top, right, box.height), Qt::AlignRight | Qt::AlignVCenter, row.label);
        if (row.openable)
            paintChevron(painter, layout, colors, {left - line * 0.6, box.top + box.height / 2}, row.open);
        if (!row.opensGroup || layout.model().isBound())
            continue;
        const double height = row.compact                  ? layout.boxOf(layout.blockOf(i).second).bottom() - box.top
                              : row.kind == RowKind::waves ? line * 1.3
                                                           : box.height;
        if (!pinned)
            paintChevron(painter, layout, colors, {line * 0.75, box.top + height / 2}, !row.compact);
        painter.setFont(bold);
        painter.setPen(colors.ink);
        painter.drawText(QRectF(line * 1.4, box.top, right, height), Qt::AlignLeft | Qt::AlignVCenter,
                         TimelineLayout::gpuName(row.gpu));
    }
}

void paintLegend(QPainter& painter, const TimelineLayout& layout, const Palette& colors) {
    const double line = layout.line();
    const double left = layout.geometry().left;
    painter.setFont(layout.font());
    const std::vector<TimelineLegendEntry> legend = legendOf(layout.model());
    double needed = left;
    for (const TimelineLegendEntry& entry : legend)
        needed += painter.fontMetrics().horizontalAdvance(entry.text) + line * 2.3;
    const bool roomy = needed <= layout.width();
    double x = roomy ? left : line;
    const double middle = layout.height() - line * 0.8;
    for (const TimelineLegendEntry& entry : legend) {
        const QString text = roomy ? entry.text : entry.brief;
        const double width = painter.fontMetrics().horizontalAdvance(text);
        if (x + line + width > layout.width())
            break;
        const QRectF swatch(x, std::round(middle - line * 0.35), std::round(line * 0.9), std::round(line * 0.7));
        if (entry.kernel || entry.isGap)
            paintFill(painter, swatch, entry.isGap ? emptySlotFill(colors) : fillOf(*entry.kernel, colors),
                      std::max(4.0, line * 0.35));
        else
            painter.fillRect(swatch, legendBrush(colors, entry.role, line));
        painter.setPen(colors.inkSoft);
        painter.drawText(QRectF(swatch.right() + line * 0.35, middle - line, width + 2, line * 2),
                         Qt::AlignLeft | Qt::AlignVCenter, text);
        x = swatch.right() + line * 1.4 + width;
    }
}

void paintReminder(QPainter& painter, const TimelineLayout& layout, const Palette& colors) {
    const QRectF box = layout.reminderBox();
    if (box.isEmpty())
        return;
    painter.setFont(layout.font());
    paintPlate(painter, box, 4, colors.notice, layout.reminder());
}

void paintBoundStatement(QPainter& painter, const TimelineLayout& layout, const Palette& colors) {
    const TimelineModel& model = layout.model();
    const auto lengthOf = [&](RowKind kind) {
        const engine::Span span = model.boundSpan(kind);
        return formatTime((span.end - span.start).ps);
    };
    const double rows = layout.stack().height;
    const QRectF area(layout.geometry().left, layout.axisHeight() + rows, layout.geometry().width,
                      std::max(0.0, layout.rowsArea().height() - rows));
    painter.setFont(scaledFont(layout.font(), 1.6, QFont::DemiBold));
    painter.setPen(colors.ink);
    painter.drawText(area.adjusted(0, 0, 0, -area.height() / 2), Qt::AlignHCenter | Qt::AlignBottom,
                     footTr("Sequential parts, perfectly overlapped: a formula, not a simulation"));
    painter.setFont(scaledFont(layout.font(), 1.15));
    painter.setPen(colors.inkSoft);
    painter.drawText(area.adjusted(0, area.height() / 2 + layout.line() * 0.5, 0, 0),
                     Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap,
                     footTr("%1 = %2\nEach part was simulated alone, without contention for memory or links.")
                         .arg(boundFormula(model.run().run.experiment,
                                           {lengthOf(RowKind::boundGemm), lengthOf(RowKind::boundReduceScatter),
                                            lengthOf(RowKind::boundAllGather)}),
                              formatTime(model.end())));
}

}  // namespace ui
