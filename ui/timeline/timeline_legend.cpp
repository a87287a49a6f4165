#include "ui/timeline/timeline_legend.h"

#include "ui/look/collective_words.h"
#include "ui/timeline/timeline_model.h"

#include <QCoreApplication>
#include <QImage>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

QBrush stripes(const Palette& colors, double line) {
    // GEMM's blue with reduce-scatter's orange, so that overlap reads as both at once; told by form as well as by colour.
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

// The communication stream of DRAM has the colour of the reduce-scatter, whatever the collective is.
void addCollectives(const TimelineModel& model, std::vector<TimelineLegendEntry>& legend) {
    const QString scatter = scatterWord(model.run().run.experiment);
    if (model.has({0, RowKind::boundReduceScatter}))
        legend.push_back({Role::reduceScatter, scatter, scatter});
    if (model.has({0, RowKind::reduceScatter}))
        legend.push_back({Role::reduceScatter, legendTr("%1, communication stream").arg(scatter), scatter});
    else if (model.has({0, RowKind::dram}))
        legend.push_back({Role::reduceScatter, legendTr("communication stream"), legendTr("comm. stream")});
    if (model.has({0, RowKind::allGather}) || model.has({0, RowKind::boundAllGather}))
        legend.push_back({Role::allGather, legendTr("all-gather"), legendTr("all-gather")});
}

}  // namespace

std::vector<TimelineLegendEntry> legendOf(const TimelineModel& model) {
    std::vector<TimelineLegendEntry> legend;
    if (!model.hasRun())
        return legend;
    if (model.has({0, RowKind::waves}))
        legend.push_back({Role::gemm, legendTr("GEMM, compute stream"), legendTr("GEMM")});
    if (model.has({0, RowKind::boundGemm}))
        legend.push_back({Role::gemm, legendTr("GEMM"), legendTr("GEMM")});
    addCollectives(model, legend);
    if (hasPhase(model, Role::overlapped))
        legend.push_back({Role::overlapped, legendTr("GEMM and collective at once"), legendTr("both at once")});
    if (hasPhase(model, Role::exposed))
        legend.push_back({Role::exposed, legendTr("collective only"), legendTr("no GEMM")});
    // Last, where a narrow window cuts the list: lanes of these names say it themselves.
    if (model.has({0, RowKind::tracker}))
        legend.push_back({Role::tracker, legendTr("tracker"), legendTr("tracker")});
    if (model.has({0, RowKind::dma}))
        legend.push_back({Role::dma, legendTr("DMA"), legendTr("DMA")});
    if (model.has({0, RowKind::link}))
        legend.push_back({Role::link, legendTr("link"), legendTr("link")});
    return legend;
}

QBrush legendBrush(const Palette& colors, Role role, double line) {
    return role == Role::overlapped ? stripes(colors, line) : QBrush(colors.of(role));
}

}  // namespace ui
