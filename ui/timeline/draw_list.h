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

/// A rectangle to fill. Its edges lie on device pixels.
struct DrawItem {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
    Role role{};
    std::optional<data::KernelNumber> kernel =
        {};                               ///< if set, the item has the fill of this kernel instead of its role's
    bool shaded = false;                  ///< drawn in the role's second tint
    bool merged = false;                  ///< represents several spans, each narrower than a pixel
    std::uint32_t first = engine::kNone;  ///< index of the span: wave, step, block
    std::uint32_t chunk = engine::kNone;  ///< chunk, as numbered on the row's GPU
};

/// Returns whether an item belongs to a chunk of the run's own work. A companion's chunks have the same numbers but are
/// other chunks.
inline bool isAbout(const DrawItem& item, std::uint32_t chunk) {
    return item.chunk == chunk && item.kernel.value_or(data::kGemmKernel) < data::kFirstCopy;
}

/// Stacked areas: for each device pixel column, the top of each layer in device pixels above the band's bottom.
struct DrawArea {
    struct Layer {
        Role role{};
        std::optional<data::KernelNumber>
            kernel;                       ///< if set, the area has the fill of this kernel instead of its role's
        std::vector<std::uint16_t> tops;  ///< ascending from layer to layer
    };
    double top = 0;
    double height = 0;
    std::int64_t firstColumn = 0;
    std::vector<Layer> layers;
    bool merged = false;  ///< represents spans that would be drawn one by one if there were room
};

/// A step function drawn as a line: for each device pixel column its mean over time and its lowest and highest value,
/// in device pixels above the bottom.
struct DrawLine {
    double top = 0;
    double height = 0;
    std::int64_t firstColumn = 0;
    std::optional<Role> role;  ///< empty: the colour of text
    std::vector<std::uint16_t> low, mean, high;
};

struct DrawLabel {
    QRectF box;
    QString text;
    Role role{};
    std::optional<data::KernelNumber> kernel = {};
    bool onGap = false;    ///< drawn on hatching, whatever the role
    bool onPlate = false;  ///< drawn on a plate of its own in the colour of the surface, whatever the role
};

/// The end of a piece of the GEMM, drawn as a line through its row. `x` is the left edge of a device pixel.
struct DrawPieceEnd {
    double x = 0;
    double y = 0;
    double height = 0;
};

/// Workgroup slots that a GEMM's last wave leaves empty, drawn hatched. The edges lie on device pixels.
struct DrawGap {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
    QRectF box() const { return {x, y, width, height}; }
};

/// Everything that the rows show, in the viewport's coordinates, from back to front: areas, items, gaps, lines, ends of
/// pieces, labels.
struct DrawList {
    std::vector<DrawArea> areas;
    std::vector<DrawItem> items;
    std::vector<DrawGap> gaps;
    std::vector<DrawLine> lines;
    std::vector<DrawPieceEnd> pieceEnds;
    std::vector<DrawLabel> labels;
};

/// A horizontal strip of the picture that items are placed in.
struct Band {
    double top = 0;
    double height = 0;
    Role role{};
};

/// The device pixel columns inside a range of time, and the times at their edges.
struct PixelColumns {
    std::int64_t first = 0;
    std::vector<std::int64_t>
        edges;  ///< one more than there are columns; each is at least a picosecond after the one before

    PixelColumns() = default;
    PixelColumns(const TimelineGeometry& geometry, std::int64_t start, std::int64_t end);
    std::size_t count() const { return edges.empty() ? 0 : edges.size() - 1; }
};

/// Appends the spans of one track, with at most one item for each device pixel: spans narrower than a pixel are merged.
/// Exactly the pixels that spans touch are covered, at every zoom. `chunkOf` returns the chunk number to show for a
/// span, or kNone. `kernelOf`, if given, returns the kernel whose fill a span has; a pixel in which several kernels ran
/// has the fill of the first.
using ShownKernel = std::function<std::optional<data::KernelNumber>(const engine::Span&)>;
void appendSpans(const data::SpanList& spans, const TimelineGeometry& geometry, const Band& band,
                 const std::function<std::uint32_t(const engine::Span&)>& chunkOf, std::vector<DrawItem>& items,
                 const ShownKernel& kernelOf = {});

/// Tracks whose busy share is drawn. `serves`: count only spans of this stream, or all if empty; `counts`: count only
/// spans of this kernel, or all if empty. `kernel`: the kernel whose fill the area has, if any.
struct AreaSource {
    const data::BusyGrid* busy = nullptr;
    std::vector<data::SpanList> tracks;
    std::optional<engine::Stream> serves;
    Role role{};
    std::optional<data::KernelNumber> counts = {};
    std::optional<data::KernelNumber> kernel = {};
};
/// Returns for each device pixel column the fraction of its time that each source was busy, relative to `most` tracks
/// that could be busy. Uses the precomputed grid as long as a pixel is at least as long as one of its buckets, and the
/// spans themselves at higher zoom.
DrawArea areaOf(const std::vector<AreaSource>& sources, double most, const PixelColumns& columns, const Band& band,
                double pixel);

/// Appends running workgroups as an area: for each device pixel column the time-weighted mean relative to `most`, in
/// the tint of the wave that runs there. Without samples every wave is drawn as a full block.
void appendWaves(const data::SpanList& waves, const engine::CounterSeries* running, std::int64_t most,
                 const TimelineGeometry& geometry, const Band& band, std::vector<DrawItem>& items);

/// Appends gaps that hang from the band's top: for each device pixel column the mean share of slots that the last wave
/// leaves empty.
void appendEmptyShare(const data::LastWave& last, const TimelineGeometry& geometry, const Band& band,
                      std::vector<DrawGap>& gaps);

/// Appends a gap over the whole band from `from` to the end of the last wave, if that is visible.
void appendEmptySlot(const data::LastWave& last, std::int64_t from, const TimelineGeometry& geometry, const Band& band,
                     std::vector<DrawGap>& gaps);

/// The values of a step function by device pixel column: lowest, highest and time-weighted mean.
struct ColumnValues {
    std::vector<std::int64_t> low, high;
    std::vector<double> mean;
};
ColumnValues valuesOf(const engine::CounterSeries& series, const PixelColumns& columns);

DrawLine lineOf(const engine::CounterSeries& series, std::int64_t most, const PixelColumns& columns, const Band& band,
                double pixel, std::optional<Role> role);

}  // namespace ui
