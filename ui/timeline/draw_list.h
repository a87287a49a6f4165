#pragma once

#include "engine/api/trace.h"
#include "ui/shared/busy_curve.h"
#include "ui/shared/palette.h"
#include "ui/shared/span_list.h"
#include "ui/shared/timeline_geometry.h"

#include <QRectF>
#include <QString>

#include <cstdint>
#include <functional>
#include <vector>

namespace ui {

/// One rectangle to fill. Edges lie on device pixels.
struct DrawItem {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
    Role role{};
    bool shaded = false;                  ///< the role's second tint
    bool merged = false;                  ///< stands for several spans, each narrower than a pixel
    std::uint32_t first = engine::kNone;  ///< of the span: wave, step, block
    std::uint32_t chunk = engine::kNone;  ///< as numbered on the row's GPU
};

struct DrawLabel {
    QRectF box;
    QString text;
    Role role{};
};

struct DrawList {
    std::vector<DrawItem> items;
    std::vector<DrawLabel> labels;
};

/// A strip of the picture that items go into.
struct Band {
    double top = 0;
    double height = 0;
    Role role{};
};

/// Spans of one track, at most one item a device pixel: those narrower than a pixel become one item together.
/// Every pixel that a span touches is covered and no other, whatever the zoom.
/// `chunkOf` turns a span into the chunk number to show, or kNone.
void appendSpans(const SpanList& spans, const TimelineGeometry& geometry, const Band& band,
                 const std::function<std::uint32_t(const engine::Span&)>& chunkOf, std::vector<DrawItem>& items);

/// Stacked areas, from the bottom up: for each device pixel the fraction of its time that each was busy.
/// Neighbouring pixels of equal height become one item.
struct Layer {
    const Utilisation* use;
    Role role;
};
void appendUtilisation(const std::vector<Layer>& layers, const TimelineGeometry& geometry, const Band& band,
                       std::int64_t end, std::vector<DrawItem>& items);

/// A step function as an area: for each device pixel its time-weighted mean against `most`, tinted by the
/// wave that runs there. Without samples every wave is a full block.
void appendWaves(const SpanList& waves, const engine::CounterSeries* running, std::int64_t most,
                 const TimelineGeometry& geometry, const Band& band, std::vector<DrawItem>& items);

/// Mean of a step function over [start, end).
double meanOf(const engine::CounterSeries& series, std::int64_t start, std::int64_t end);

}  // namespace ui
