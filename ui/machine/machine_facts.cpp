#include "ui/machine/machine_facts.h"

#include "engine/api/experiment.h"
#include "engine/api/trace.h"
#include "ui/look/format.h"
#include "ui/look/tile_style.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <numeric>

namespace ui {
namespace {

using engine::CounterKind;

QString machineTr(const char* text) { return QCoreApplication::translate("Machine", text); }

/// The name of a gauge, its colour, the counter that it shows, and the member of GpuState with the counter's value.
struct GaugeFacts {
    engine::CounterKind counter;
    const char* title;
    Role role;
    std::int64_t data::GpuState::*value;
    bool isBytes = false;
};

// The gauges of a GPU. The cache has no gauge here; the view Inside One GPU shows it.
constexpr auto kGauges = std::to_array<GaugeFacts>({
    {CounterKind::runningWorkgroups, QT_TRANSLATE_NOOP("Machine", "workgroups running"), Role::gemm,
     &data::GpuState::runningWorkgroups},
    {CounterKind::computeBacklog, QT_TRANSLATE_NOOP("Machine", "compute backlog"), Role::gemm,
     &data::GpuState::computeBacklog, true},
    {CounterKind::communicationBacklog, QT_TRANSLATE_NOOP("Machine", "communication backlog"), Role::reduceScatter,
     &data::GpuState::communicationBacklog, true},
    {CounterKind::trackerEntries, QT_TRANSLATE_NOOP("Machine", "tracker entries"), Role::tracker,
     &data::GpuState::trackerEntries},
    {CounterKind::heldBytes, QT_TRANSLATE_NOOP("Machine", "held updates"), Role::tracker, &data::GpuState::heldBytes,
     true},
    {CounterKind::dmaQueue, QT_TRANSLATE_NOOP("Machine", "DMA queue"), Role::dma, &data::GpuState::dmaQueue},
});

QString updatesText(const data::TrackerEntry& entry) {
    const auto landed = std::accumulate(entry.landedBytes.begin(), entry.landedBytes.end(), std::int64_t{0});
    const auto threshold = std::accumulate(entry.thresholdBytes.begin(), entry.thresholdBytes.end(), std::int64_t{0});
    return machineTr("tracker set %1: %2 of %3 landed")
        .arg(QString::number(entry.set), formatBytes(landed), formatBytes(threshold));
}

}  // namespace

GaugeScales::GaugeScales(const engine::Trace& trace, const engine::Experiment& experiment)
    : m_capacity(experiment.tracker.entries * experiment.tracker.ways) {
    for (const engine::CounterSeries& series : trace.counters) {
        std::int64_t& most = m_most[static_cast<std::size_t>(series.kind)];
        for (const engine::CounterSample& sample : series.samples)
            most = std::max(most, sample.value);
    }
}

std::vector<Gauge> GaugeScales::gaugesOf(const data::GpuState& state) const {
    std::vector<Gauge> gauges;
    for (const GaugeFacts& facts : kGauges) {
        const std::int64_t most = m_most[static_cast<std::size_t>(facts.counter)];
        if (most == 0)
            continue;
        const bool tracker = facts.counter == CounterKind::trackerEntries;
        const std::int64_t full = tracker ? std::max(m_capacity, most) : most;
        const std::int64_t value = state.*facts.value;
        const auto text = [&](std::int64_t number) {
            return facts.isBytes ? formatBytes(number) : formatCount(number);
        };
        const QString scale = tracker ? machineTr("of %1").arg(text(full)) : machineTr("peak %1").arg(text(full));
        gauges.push_back({machineTr(facts.title), text(value), scale,
                          std::clamp(static_cast<double>(value) / static_cast<double>(full), 0.0, 1.0), facts.role});
    }
    return gauges;
}

QStringList doingLines(const data::TraceIndex& index, const QString& scatter, std::uint32_t gpu,
                       const data::GpuState& state, bool ended) {
    const data::TraceIndex::Gpu& lanes = index.gpu(gpu);
    const std::uint32_t gpus = index.gpus();
    QStringList parts;
    if (state.wave && state.runningWorkgroups > 0)
        parts << machineTr("wave %1 of %2").arg(*state.wave - lanes.firstWave + 1).arg(lanes.waveCount);
    if (state.collectiveStep && state.gathering)
        parts << machineTr("all-gather step %1").arg(*state.collectiveStep);
    if (state.collectiveStep && !state.gathering)
        parts << machineTr("%1 step %2").arg(scatter).arg(*state.collectiveStep);
    if (state.sendingChunk)
        parts << machineTr("sends chunk %1 to GPU %2").arg(*state.sendingChunk).arg((gpu + gpus - 1) % gpus);
    if (state.receivingChunk)
        parts << machineTr("receives chunk %1 from GPU %2").arg(*state.receivingChunk).arg((gpu + 1) % gpus);
    if (parts.isEmpty())
        parts << idleLine(ended);
    return parts;
}

QString idleLine(bool ended) { return ended ? machineTr("done") : machineTr("waiting"); }

QString tileText(const data::OutputGrid& grid, const TileWords& words, std::uint32_t gpu, std::uint32_t tile,
                 const data::GpuState& state, std::int64_t sincePs) {
    const data::OutputGrid::Cell cell = grid.cellOf(tile);
    QStringList lines;
    lines << machineTr("GPU %1, tile %2 of chunk %3").arg(gpu).arg(tile).arg(grid.chunkOf(tile));
    if (grid.isMatrix) {
        lines << machineTr("row %1, column %2")
                     .arg(grid.rowsAreOuter ? cell.outer : cell.inner)
                     .arg(grid.rowsAreOuter ? cell.inner : cell.outer);
    }
    if (tile < state.tiles.size()) {
        lines << machineTr("%1: %2").arg(words.nameOf(state.tiles[tile]), words.meaningOf(state.tiles[tile]))
              << machineTr("since %1").arg(formatTime(sincePs));
    }
    for (const data::TrackerEntry& entry : state.tracker) {
        if (entry.tile == tile)
            lines << updatesText(entry) << machineTr("first update at %1").arg(formatTime(entry.firstUpdatePs));
    }
    return lines.join(QLatin1Char('\n'));
}

QStringList outputTexts(const data::OutputGrid& grid, const engine::Shape& shape, bool outerAcross) {
    if (!grid.isMatrix) {
        const QString chunks = machineTr("%1 chunks").arg(grid.chunks());
        const QString whole =
            machineTr("buffer of %1 in %2 slabs and %3 chunks")
                .arg(formatBytes(shape.outputBytes.count), formatCount(grid.tiles()), QString::number(grid.chunks()));
        return {whole, whole, chunks};
    }
    const std::uint32_t rows = grid.rowsAreOuter ? grid.outer : grid.inner;
    const std::uint32_t columns = grid.rowsAreOuter ? grid.inner : grid.outer;
    const bool rowsAcross = grid.rowsAreOuter == outerAcross;
    const QString whole = machineTr("output %1 × %2 (M × N) in %3 × %4 tiles, %5")
                              .arg(formatCount(shape.m), formatCount(shape.n))
                              .arg(rows)
                              .arg(columns)
                              .arg(rowsAcross ? machineTr("M from left to right") : machineTr("M from top to bottom"));
    return {whole, whole.section(QStringLiteral(", "), 0, 0), machineTr("%1 × %2 tiles").arg(rows).arg(columns)};
}

}  // namespace ui
