#pragma once

#include "data/replay/output_grid.h"
#include "data/replay/ring_state.h"
#include "ui/look/palette.h"

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

namespace data {
class TraceIndex;
}  // namespace data

namespace ui {

class TileWords;

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

    std::vector<Gauge> gaugesOf(const data::GpuState& state) const;
    std::int64_t most(GaugeKind kind) const { return m_most[static_cast<std::size_t>(kind)]; }

private:
    std::array<std::int64_t, kGaugeKinds> m_most{};
    std::int64_t m_capacity = 0;  // of the tracker
};

/// "wave 4 of 12", "sends chunk 3 to GPU 2", "receives chunk 5 from GPU 4", or that it waits or is done.
/// `scatter`: the word for the collective before the all-gather, see scatterWord().
QStringList doingLines(const data::TraceIndex& index, const QString& scatter, std::uint32_t gpu,
                       const data::GpuState& state, bool ended);
/// What it says of a GPU that does nothing.
QString idleLine(bool ended);

/// Tile, place, chunk, state since when and how far its updates have come; several lines.
QString tileText(const data::OutputGrid& grid, const TileWords& words, std::uint32_t gpu, std::uint32_t tile,
                 const data::GpuState& state, std::int64_t sincePs);

/// "output 8192 × 4256 (M × N) in 32 × 34 tiles, M from left to right".
QString outputText(const data::OutputGrid& grid, const engine::Shape& shape, bool outerAcross);
/// The same, and after it shorter texts for less room: without the direction, and the number of tiles alone.
QStringList outputTexts(const data::OutputGrid& grid, const engine::Shape& shape, bool outerAcross);

}  // namespace ui
