#include "ui/timeline/lane_spot_overlay.h"

#include <QPainter>

#include <algorithm>

namespace ui {
namespace {

RowKind rowOf(engine::LaneKind lane) {
    using engine::LaneKind;
    switch (lane) {
    case LaneKind::gemmWaves: return RowKind::waves;
    case LaneKind::workgroupSlot: return RowKind::slots;
    case LaneKind::loads: return RowKind::loads;
    case LaneKind::stores: return RowKind::stores;
    case LaneKind::tracker: return RowKind::tracker;
    case LaneKind::dma: return RowKind::dma;
    case LaneKind::linkOut: return RowKind::link;
    case LaneKind::linkIn: return RowKind::linkIn;
    case LaneKind::dramChannel:
    case LaneKind::landings: return RowKind::dram;
    case LaneKind::reduceScatter: return RowKind::reduceScatter;
    case LaneKind::allGather: return RowKind::allGather;
    }
    return RowKind::waves;
}

}  // namespace

void LaneSpotOverlay::paint(QPainter& painter, const TimelinePicture& picture) const {
    if (!m_lane)
        return;
    const RowKind own = rowOf(*m_lane), owner = LaneArrangement::lanesOwner(own);
    const auto has = [&](RowKind kind) {
        return std::find_if(picture.rows.begin(), picture.rows.end(),
                            [kind](const PicturedRow& row) { return row.row.kind == kind; });
    };
    auto row = has(own);
    if (row == picture.rows.end())
        row = has(owner);
    if (row == picture.rows.end())
        return;
    const double line = picture.line / 7, half = line / 2;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(picture.palette.of(Role::exposed), line));
    painter.drawRoundedRect(row->box.adjusted(half, half, -half, -half), line * 2, line * 2);
}

}  // namespace ui
