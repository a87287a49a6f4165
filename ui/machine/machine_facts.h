#pragma once

#include "data/replay/output_grid.h"
#include "data/replay/ring_state.h"
#include "data/replay/trace_index.h"
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

namespace ui {

class TileWords;

/// A quantity of a GPU that fills up, shown relative to its capacity or to the run's maximum.
struct Gauge {
    QString title;
    QString value;  ///< with its unit
    QString scale;  ///< the meaning of a full gauge
    double share = 0;
    Role role{};

    bool operator==(const Gauge&) const = default;
};

/// The full-scale values of a run's gauges. A gauge that was always empty has none and is omitted.
class GaugeScales {
public:
    GaugeScales() = default;
    GaugeScales(const engine::Trace& trace, const engine::Experiment& experiment);

    std::vector<Gauge> gaugesOf(const data::GpuState& state) const;

private:
    std::array<std::int64_t, engine::kCounterKinds> m_most{};  // by counter
    std::int64_t m_capacity = 0;                               // of the tracker
};

/// Describes what a GPU does: "wave 4 of 12", "sends chunk 3 to GPU 2", "receives chunk 5 from GPU 4", or that it waits
/// or is done. `scatter` is the name of the collective before the all-gather, see scatterWord().
QStringList doingLines(const data::TraceIndex& index, const QString& scatter, std::uint32_t gpu,
                       const data::GpuState& state, bool ended);
/// Returns the text of doingLines() for an idle GPU.
QString idleLine(bool ended);

/// Describes a tile in several lines: its number, place, chunk, state and since when, and the progress of its updates.
QString tileText(const data::OutputGrid& grid, const TileWords& words, std::uint32_t gpu, std::uint32_t tile,
                 const data::GpuState& state, std::int64_t sincePs);

/// Describes the output: "output 8192 × 4256 (M × N) in 32 × 34 tiles, M from left to right", followed by two shorter
/// texts for less room: without the direction, and the number of tiles alone.
QStringList outputTexts(const data::OutputGrid& grid, const engine::Shape& shape, bool outerAcross);

}  // namespace ui
