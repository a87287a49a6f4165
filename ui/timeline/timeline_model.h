#pragma once

#include "data/replay/gemm_pieces.h"
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

/// One row of the timeline.
struct Row {
    RowKind kind{};
    std::uint32_t gpu = 0;
    bool opensGroup = false;  ///< first row of its GPU
    bool compact = false;
    QString label;
    double weight = 1;        ///< height relative to a line of text
    std::uint32_t index = 0;  ///< the number of a channel
    bool pinned = false;
    bool openable = false;  ///< has details that can be shown
    bool open = false;
    LaneKey key() const { return {gpu, kind, index}; }
};

/// A part of the run that is named in the strip above the rows.
struct Phase {
    std::int64_t start = 0;
    std::int64_t end = 0;
    Role role{};
    QString label;
    QString shortLabel;
    bool inCompany = false;  ///< the companion runs beside the work of `role`, or alone if `role` is neutral
};

/// A time that is marked by a line through all rows.
struct TimelineMarker {
    std::int64_t ps = 0;
    Role role{};
    QString label;
    std::optional<data::KernelNumber> kernel =
        {};  ///< if set, the line has the colour of this kernel instead of the role's
};

/// A lane's spans without overlaps: each is cut where the next one begins. The spans are sorted and keep their indices.
struct CutLane {
    std::uint32_t lane = 0;  ///< into Trace::lanes
    std::vector<engine::Span> spans;
};

/// One strip of a companion's row: the waves of one copy, or a set of spans of a lane that do not overlap.
struct CompanionTrack {
    std::uint32_t lane = 0;  ///< into Trace::lanes
    data::SpanList spans;
};

/// Returns the lane of a GPU's trace that a row of this kind shows; null if it shows none or several.
const data::PackedLane* laneOf(const data::TraceIndex::Gpu& gpu, RowKind kind);

/// The contents of the timeline of one run: rows, phases and markers. Contains no pixels and no colours.
class TimelineModel {
public:
    TimelineModel() = default;
    explicit TimelineModel(std::shared_ptr<const data::ShownRun> run);

    bool hasRun() const { return m_run != nullptr; }
    /// Returns the shown run, which may be a bound. Precondition: hasRun().
    const data::ShownRun& run() const { return *m_run; }
    const data::TraceIndex* index() const { return m_run && m_run->index ? &*m_run->index : nullptr; }
    bool isBound() const { return m_run && !m_run->index; }
    std::int64_t end() const { return m_end; }
    std::uint32_t gpus() const { return index() != nullptr ? index()->gpus() : 1; }

    /// Returns whether the run has data for this lane.
    bool has(LaneKey key) const;
    /// Returns the rows in the user's arrangement, pinned ones first.
    std::vector<Row> rows(const LaneArrangement& arrangement) const;
    /// Returns how many lanes of this run the arrangement hides; a hidden GPU counts as one.
    int hiddenRows(const LaneArrangement& arrangement) const;
    const CutLane& waves(std::uint32_t gpu) const;
    /// Returns the slots that a GPU's last wave leaves empty; LastWave::slots is 0 if the trace does not record slots.
    const data::LastWave& lastWave(std::uint32_t gpu) const;
    /// Returns the pieces of a GPU's GEMM; none if it is one kernel.
    const std::vector<data::GemmPiece>& pieces(std::uint32_t gpu) const;
    /// Returns whether the run has a companion.
    bool inCompany() const { return index() != nullptr && index()->trace().companionCopies > 0; }
    /// Returns the number of workgroup slots of a GPU, including slots that never hold a workgroup if the trace records
    /// them.
    std::size_t slots(std::uint32_t gpu) const;
    /// Returns the position of a track among these slots, from the top.
    std::size_t slotPlace(std::uint32_t gpu, std::size_t track) const;
    /// Returns reduce-scatter steps without overlaps, for rows with room for one track only.
    const CutLane& steps(std::uint32_t gpu) const;
    /// Returns the strips of a companion's row from top to bottom; empty without a companion.
    std::vector<CompanionTrack> companion(std::uint32_t gpu) const;
    /// Returns the single span of a bound's row.
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
    std::vector<CutLane> m_waves;  // by recorded GPU, as are the next three
    std::vector<CutLane> m_steps;
    std::vector<data::LastWave> m_lastWaves;
    std::vector<std::vector<data::GemmPiece>> m_pieces;
    std::vector<std::vector<CutLane>> m_companionWaves;  // by recorded GPU, then copy
    std::vector<Phase> m_phases;
    std::vector<TimelineMarker> m_markers;
};

/// Divides a run by the intervals of GEMM, reduce-scatter and all-gather into phases: GEMM alone, GEMM and collective
/// at once, collective alone. `scatter` is the name of the collective before the all-gather. `companion` divides the
/// phases further.
std::vector<Phase> phasesOf(data::TimeRange gemm, data::TimeRange reduceScatter, data::TimeRange allGather,
                            const QString& scatter = QStringLiteral("reduce-scatter"),
                            data::TimeRange companion = {0, 0});

}  // namespace ui
