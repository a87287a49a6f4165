#pragma once

#include "ui/shared/output_grid.h"
#include "ui/shared/palette.h"
#include "ui/shared/ring_state.h"

#include <QString>
#include <QStringList>

#include <array>
#include <cstdint>
#include <vector>

namespace engine {
struct Experiment;
struct Shape;
struct Trace;
}  // namespace engine

namespace ui {

class TileWords;
class TraceIndex;

/// What fills up on a GPU.
enum class GaugeKind : std::uint8_t { workgroups, computeBacklog, communicationBacklog, trackerEntries, dmaQueue };
inline constexpr std::size_t kGaugeKinds = 5;

/// One of them at a moment, against the most there can be or ever was.
struct Gauge {
    GaugeKind kind{};
    QString title;
    QString value;  ///< with its unit
    QString scale;  ///< what a full gauge stands for
    double share = 0;
    Role role{};
};

/// The scales of a run's gauges. What has no scale never filled and is left out.
class GaugeScales {
public:
    GaugeScales() = default;
    GaugeScales(const engine::Trace& trace, const engine::Experiment& experiment);

    std::vector<Gauge> gaugesOf(const GpuState& state) const;
    std::int64_t most(GaugeKind kind) const { return m_most[static_cast<std::size_t>(kind)]; }

private:
    std::array<std::int64_t, kGaugeKinds> m_most{};
    std::int64_t m_capacity = 0;  // of the tracker
};

/// "wave 4 of 12", "sends chunk 3 to GPU 2", "receives chunk 5 from GPU 4", or that it waits or is done.
/// `scatter`: the word for the collective before the all-gather, see scatterWord().
QStringList doingLines(const TraceIndex& index, const QString& scatter, std::uint32_t gpu, const GpuState& state,
                       bool ended);
/// What it says of a GPU that does nothing.
QString idleLine(bool ended);

/// Tile, place, chunk, state since when and how far its updates have come; several lines.
QString tileText(const OutputGrid& grid, const TileWords& words, std::uint32_t gpu, std::uint32_t tile,
                 const GpuState& state, std::int64_t sincePs);

/// "output 8192 × 4256 (M × N) in 32 × 34 tiles, M from left to right".
QString outputText(const OutputGrid& grid, const engine::Shape& shape, bool outerAcross);
/// The same, and after it shorter texts for less room: without the direction, and the number of tiles alone.
QStringList outputTexts(const OutputGrid& grid, const engine::Shape& shape, bool outerAcross);

}  // namespace ui
