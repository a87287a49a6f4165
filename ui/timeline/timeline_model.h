#pragma once

#include "data/replay/last_wave.h"
#include "data/replay/shown_run.h"
#include "ui/look/palette.h"
#include "ui/shared/view_state.h"
#include "ui/timeline/lane_arrangement.h"

#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ui {

/// One row of the picture.
struct Row {
    RowKind kind{};
    std::uint32_t gpu = 0;
    bool opensGroup = false;  ///< first row of its GPU
    bool compact = false;
    QString label;
    double weight = 1;        ///< height relative to a line of text
    std::uint32_t index = 0;  ///< of a channel
    bool pinned = false;
    bool openable = false;  ///< has details
    bool open = false;
    LaneKey key() const { return {gpu, kind, index}; }
};

/// A stretch of the run that the ribbon above the rows names.
struct Phase {
    std::int64_t start = 0;
    std::int64_t end = 0;
    Role role{};
    QString label;
    QString shortLabel;
    bool inCompany = false;  ///< the companion runs beside what `role` says, or alone where that is neutral
};

/// A moment worth a line through all rows.
struct TimelineMarker {
    std::int64_t ps = 0;
    Role role{};
    QString label;
    std::optional<data::KernelNumber> kernel = {};  ///< whose fill it has, whatever the role
};

/// A lane's spans, each cut where the next one begins, so that none overlap. Sorted; each keeps its place in the lane.
struct CutLane {
    std::uint32_t lane = 0;  ///< into Trace::lanes
    std::vector<engine::Span> spans;
};

/// What stands in one strip of a companion's row: the waves of a copy, or what does not overlap of a lane.
struct CompanionTrack {
    std::uint32_t lane = 0;  ///< into Trace::lanes
    data::SpanList spans;
};

/// Returns what of a GPU's trace a row of this kind shows; null where it shows none of it or several.
const data::PackedLane* laneOf(const data::TraceIndex::Gpu& gpu, RowKind kind);

/// What the timeline can draw of one run: its rows, phases and markers. Holds no pixels and no colours.
class TimelineModel {
public:
    TimelineModel() = default;
    explicit TimelineModel(std::shared_ptr<const data::ShownRun> run);

    bool hasRun() const { return m_run != nullptr; }
    /// Absent for the bounds and before the first run.
    const data::ShownRun& run() const { return *m_run; }
    const data::TraceIndex* index() const { return m_run && m_run->index ? &*m_run->index : nullptr; }
    bool isBound() const { return m_run && !m_run->index; }
    std::int64_t end() const { return m_end; }
    std::uint32_t gpus() const { return index() != nullptr ? index()->gpus() : 1; }

    /// Whether the run has anything for this lane.
    bool has(LaneKey key) const;
    /// As the reader has arranged them, the pinned ones first.
    std::vector<Row> rows(const LaneArrangement& arrangement) const;
    /// Lanes that this run has and the arrangement hides; a hidden GPU counts as one.
    int hiddenRows(const LaneArrangement& arrangement) const;
    const CutLane& waves(std::uint32_t gpu) const;
    /// What the last wave leaves empty; without slots where nothing is told about that.
    const data::LastWave& lastWave(std::uint32_t gpu) const;
    /// The slots that a lane of workgroups has room for: also those that never have one, where the trace tells.
    std::size_t slots(std::uint32_t gpu) const;
    /// The place of a track among these slots, from the top.
    std::size_t slotPlace(std::uint32_t gpu, std::size_t track) const;
    /// Reduce-scatter steps, for where there is room for one track only.
    const CutLane& steps(std::uint32_t gpu) const;
    /// From the top down; empty without a companion.
    std::vector<CompanionTrack> companion(std::uint32_t gpu) const;
    /// The single span of a bound's row.
    engine::Span boundSpan(RowKind kind) const;
    const std::vector<Phase>& phases() const { return m_phases; }
    /// Sorted by time.
    const std::vector<TimelineMarker>& markers() const { return m_markers; }

private:
    void readTrace();
    void readBound();
    bool hasBound(RowKind kind) const;
    template <class T>
    const T& of(const std::vector<T>& perGpu, std::uint32_t gpu) const;
    Row rowOf(LaneKey key, const LaneArrangement& arrangement) const;
    void appendGpu(std::uint32_t gpu, const LaneArrangement& arrangement, std::vector<Row>& rows) const;
    void appendDetails(const Row& row, const LaneArrangement& arrangement, std::vector<Row>& rows) const;

    std::shared_ptr<const data::ShownRun> m_run;
    std::int64_t m_end = 1'000'000;
    std::vector<CutLane> m_waves;  // by recorded GPU, as the next
    std::vector<CutLane> m_steps;
    std::vector<data::LastWave> m_lastWaves;
    std::vector<std::vector<CutLane>> m_companionWaves;  // by recorded GPU, then copy
    std::vector<Phase> m_phases;
    std::vector<TimelineMarker> m_markers;
};

/// The intervals that GEMM, reduce-scatter and all-gather cut a run into: alone, GEMM and collective at once, the collective alone.
/// `scatter`: what the second is called.
/// `companion` cuts them further.
std::vector<Phase> phasesOf(data::TimeRange gemm, data::TimeRange reduceScatter, data::TimeRange allGather,
                            const QString& scatter = QStringLiteral("reduce-scatter"),
                            data::TimeRange companion = {0, 0});

}  // namespace ui
