#pragma once

#include "data/replay/busy_grid.h"
#include "data/replay/kernel_number.h"
#include "data/replay/last_wave.h"
#include "data/replay/span_list.h"
#include "engine/api/trace.h"
#include "ui/look/palette.h"
#include "ui/look/timeline_geometry.h"

#include <QRectF>
#include <QString>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace ui {

/// One rectangle to fill. Edges lie on device pixels.
struct DrawItem {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
    Role role{};
    std::optional<data::KernelNumber> kernel = {};  ///< has its fill, whatever the role
    bool shaded = false;                            ///< the role's second tint
    bool merged = false;                            ///< stands for several spans, each narrower than a pixel
    std::uint32_t first = engine::kNone;            ///< of the span: wave, step, block
    std::uint32_t chunk = engine::kNone;            ///< as numbered on the row's GPU
};

/// True where an item is about a chunk of the own work; a companion has chunks of its own by the same numbers.
inline bool isAbout(const DrawItem& item, std::uint32_t chunk) {
    return item.chunk == chunk && item.kernel.value_or(data::kGemmKernel) < data::kFirstCopy;
}

/// Areas upon each other: for each device pixel of the width how high each reaches, in device pixels from the band's foot.
struct DrawArea {
    struct Layer {
        Role role{};
        std::optional<data::KernelNumber> kernel;  ///< has its fill, whatever the role
        std::vector<std::uint16_t> tops;           ///< ascending from layer to layer
    };
    double top = 0;
    double height = 0;
    std::int64_t firstColumn = 0;
    std::vector<Layer> layers;
    bool merged = false;  ///< stands for spans that would be told apart if there were room
};

/// A step function as a line: for each device pixel its mean over time, the lowest and the highest value, in device
/// pixels from the foot.
struct DrawLine {
    double top = 0;
    double height = 0;
    std::int64_t firstColumn = 0;
    std::optional<Role> role;  ///< nothing: ink
    std::vector<std::uint16_t> low, mean, high;
};

struct DrawLabel {
    QRectF box;
    QString text;
    Role role{};
    std::optional<data::KernelNumber> kernel = {};
    bool onGap = false;  ///< stands on a hatching, whatever the role
};

/// Slots that a GEMM's last wave leaves empty: hatched. Edges lie on device pixels.
struct DrawGap {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
    QRectF box() const { return {x, y, width, height}; }
};

/// What the rows show, in the viewport's coordinates, from the back to the front: areas, items, gaps, lines, labels.
struct DrawList {
    std::vector<DrawArea> areas;
    std::vector<DrawItem> items;
    std::vector<DrawGap> gaps;
    std::vector<DrawLine> lines;
    std::vector<DrawLabel> labels;
};

/// A strip of the picture that items go into.
struct Band {
    double top = 0;
    double height = 0;
    Role role{};
};

/// The device pixels of the width that lie inside a stretch of time, and the moments at their edges.
struct PixelColumns {
    std::int64_t first = 0;
    std::vector<std::int64_t> edges;  ///< one more than columns; ascending by at least a picosecond

    PixelColumns() = default;
    PixelColumns(const TimelineGeometry& geometry, std::int64_t start, std::int64_t end);
    std::size_t count() const { return edges.empty() ? 0 : edges.size() - 1; }
};

/// Spans of one track, at most one item a device pixel: those narrower than a pixel become one item together.
/// Every pixel that a span touches is covered and no other, whatever the zoom.
/// `chunkOf` turns a span into the chunk number to show, or kNone. `kernelOf`, where there is one, tells whose fill a span
/// has; what several kernels did within a pixel has that of the first.
using ShownKernel = std::function<std::optional<data::KernelNumber>(const engine::Span&)>;
void appendSpans(const data::SpanList& spans, const TimelineGeometry& geometry, const Band& band,
                 const std::function<std::uint32_t(const engine::Span&)>& chunkOf, std::vector<DrawItem>& items,
                 const ShownKernel& kernelOf = {});

/// Tracks of which the busy share is drawn. `serves`: nothing, or the stream whose spans count; `counts` likewise: the
/// kernel. `kernel`: whose fill it has, if any.
struct AreaSource {
    const data::BusyGrid* busy = nullptr;
    std::vector<data::SpanList> tracks;
    std::optional<engine::Stream> serves;
    Role role{};
    std::optional<data::KernelNumber> counts = {};
    std::optional<data::KernelNumber> kernel = {};
};
/// For each device pixel the fraction of its time that each source was busy, against `most` tracks that could be. The
/// grid is asked as long as a pixel holds a bucket, the spans themselves beyond.
DrawArea areaOf(const std::vector<AreaSource>& sources, double most, const PixelColumns& columns, const Band& band,
                double pixel);

/// Running workgroups as an area: for each device pixel the time-weighted mean against `most`, tinted by the
/// wave that runs there. Without samples every wave is a full block.
void appendWaves(const data::SpanList& waves, const engine::CounterSeries* running, std::int64_t most,
                 const TimelineGeometry& geometry, const Band& band, std::vector<DrawItem>& items);

/// Gaps that hang from the band's top: for each device pixel the mean share of the slots that the last wave leaves
/// empty.
void appendEmptyShare(const data::LastWave& last, const TimelineGeometry& geometry, const Band& band,
                      std::vector<DrawGap>& gaps);

/// A gap over the whole band from `from` to the end of the last wave, where that is in sight.
void appendEmptySlot(const data::LastWave& last, std::int64_t from, const TimelineGeometry& geometry, const Band& band,
                     std::vector<DrawGap>& gaps);

/// A step function by device pixel: its extremes there, and its mean, weighed by time.
struct ColumnValues {
    std::vector<std::int64_t> low, high;
    std::vector<double> mean;
};
ColumnValues valuesOf(const engine::CounterSeries& series, const PixelColumns& columns);

DrawLine lineOf(const engine::CounterSeries& series, std::int64_t most, const PixelColumns& columns, const Band& band,
                double pixel, std::optional<Role> role);

}  // namespace ui
