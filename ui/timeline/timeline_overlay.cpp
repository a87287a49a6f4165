#include "ui/timeline/timeline_overlay.h"

#include "ui/look/plate.h"
#include "ui/timeline/row_tracks.h"

#include <QPainter>

#include <algorithm>
#include <array>

namespace ui {
namespace {

QRectF boxIn(const TimelinePicture& picture, const QRectF& row, const engine::Span& span, double top, double bottom) {
    const double left = picture.geometry.columnOf(span.start.ps);
    const double right = std::max(left + picture.geometry.pixel, picture.geometry.xOf(span.end.ps));
    return {QPointF(left, row.top() + top * row.height()), QPointF(right, row.top() + bottom * row.height())};
}

}  // namespace

std::array<RowKind, 4> rowsNear(engine::LaneKind kind) {
    using engine::LaneKind;
    switch (kind) {
    case LaneKind::gemmWaves: return {RowKind::waves, RowKind::waves, RowKind::collective, RowKind::dram};
    case LaneKind::workgroupSlot: return {RowKind::slots, RowKind::waves, RowKind::collective, RowKind::dram};
    case LaneKind::loads: return {RowKind::loads, RowKind::waves, RowKind::dram, RowKind::collective};
    case LaneKind::stores: return {RowKind::stores, RowKind::waves, RowKind::tracker, RowKind::collective};
    case LaneKind::tracker: return {RowKind::tracker, RowKind::dma, RowKind::collective, RowKind::reduceScatter};
    case LaneKind::dma: return {RowKind::dma, RowKind::tracker, RowKind::collective, RowKind::reduceScatter};
    case LaneKind::linkOut: return {RowKind::link, RowKind::linkIn, RowKind::collective, RowKind::reduceScatter};
    case LaneKind::linkIn: return {RowKind::linkIn, RowKind::link, RowKind::collective, RowKind::reduceScatter};
    case LaneKind::dramChannel: return {RowKind::dramChannel, RowKind::dram, RowKind::collective, RowKind::waves};
    case LaneKind::landings: return {RowKind::dram, RowKind::tracker, RowKind::collective, RowKind::waves};
    case LaneKind::reduceScatter: return {RowKind::reduceScatter, RowKind::collective, RowKind::link, RowKind::waves};
    case LaneKind::allGather: return {RowKind::allGather, RowKind::collective, RowKind::link, RowKind::waves};
    case LaneKind::companion: return {RowKind::companion, RowKind::slots, RowKind::link, RowKind::waves};
    }
    return {RowKind::waves, RowKind::collective, RowKind::link, RowKind::dram};
}

std::optional<Anchor> anchorOf(const TimelinePicture& picture, const data::Flow& flow, data::SpanRef ref) {
    const PicturedRow* any = nullptr;
    const PicturedRow* near = nullptr;
    const std::array<RowKind, 4> kinds = rowsNear(flow.lane(ref).kind);
    std::size_t distance = kinds.size();
    for (const PicturedRow& pictured : picture.rows) {
        if (pictured.row.gpu != ref.gpu)
            continue;
        any = any == nullptr ? &pictured : any;
        const auto at =
            static_cast<std::size_t>(std::find(kinds.begin(), kinds.end(), pictured.row.kind) - kinds.begin());
        if (at == kinds.size())
            continue;
        // Asks only rows that can show the span, because their tracks are computed for each call.
        if (const auto shown = shownIn(picture.model, pictured.row, ref))
            return Anchor{boxIn(picture, pictured.box, shown->span, shown->top, shown->bottom), true};
        if (at < distance) {
            distance = at;
            near = &pictured;
        }
    }
    if (any == nullptr)
        return std::nullopt;
    return Anchor{boxIn(picture, (near != nullptr ? near : any)->box, flow.span(ref), 0, 1), false};
}

std::optional<std::pair<double, double>> rowsOf(const TimelinePicture& picture, std::uint32_t firstGpu,
                                                std::uint32_t lastGpu) {
    std::optional<std::pair<double, double>> extent;
    for (const PicturedRow& pictured : picture.rows) {
        if (pictured.row.gpu < firstGpu || pictured.row.gpu > lastGpu)
            continue;
        if (!extent)
            extent = {pictured.box.top(), pictured.box.bottom()};
        extent->first = std::min(extent->first, pictured.box.top());
        extent->second = std::max(extent->second, pictured.box.bottom());
    }
    return extent;
}

void drawPlate(QPainter& painter, const TimelinePicture& picture, QPointF centre, const QString& text,
               const QColor& color) {
    const QFontMetricsF metrics(painter.font());
    QRectF plate(0, 0, metrics.horizontalAdvance(text) + picture.line * 0.8, picture.line * 1.25);
    plate.moveCenter(centre);
    plate.moveLeft(std::clamp(plate.left(), picture.clip.left(),
                              std::max(picture.clip.left(), picture.clip.right() - plate.width())));
    plate.moveTop(std::clamp(plate.top(), picture.clip.top(),
                             std::max(picture.clip.top(), picture.clip.bottom() - plate.height())));
    paintPlate(painter, plate, picture.line * 0.2, color, text, QPen(picture.palette.surface, 1));
}

}  // namespace ui
