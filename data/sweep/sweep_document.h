#pragma once

#include "data/experiment/experiment_document.h"
#include "data/results/result_subject.h"
#include "engine/api/parameters.h"
#include "engine/api/problem.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace data {

class OwnPresets;
struct DocumentNode;

inline constexpr std::size_t kMostAxes = 4;
inline constexpr std::size_t kMostPoints = 1'000'000;

/// Equally spaced values, or equal ratios, both ends included. Kept as it was written, so that it can be edited again.
/// Between the ends values are rounded where nobody would see it, to four digits ("35.36 GB/s"), and whole numbers to
/// whole numbers that differ; a parameter that allows powers of two only takes a log range, through powers of two.
struct AxisRange {
    engine::ParameterValue from, to;
    std::int64_t count = 0;
    bool logarithmic = false;
    bool operator==(const AxisRange&) const = default;
};

/// One parameter of an axis and the values that it takes.
struct AxisColumn {
    std::string path;  ///< any parameter's, also "machine" or "workload.model"; not "policy.preset"
    std::vector<engine::ParameterValue> values;
    std::optional<AxisRange> range{};  ///< where `values` come from; nothing: a list
    bool operator==(const AxisColumn&) const = default;
};

/// What varies along one direction: one parameter, or several that go together step by step (zipped lists of the same
/// length, such as machine and bandwidth).
struct SweepAxis {
    std::vector<AxisColumn> columns;  ///< at least one
    std::size_t size() const { return columns.empty() ? 0 : columns.front().values.size(); }
    bool operator==(const SweepAxis&) const = default;
};

/// A base experiment, up to four axes, the policies compared at every place and the metrics to watch.
struct Sweep {
    DocumentTexts texts;  ///< "label", "notes"; no part of the identity
    ExperimentDraft base;
    std::vector<SweepAxis> axes;        ///< the first varies slowest
    std::vector<std::string> policies;  ///< at least one; varies fastest. Of footprints the one of footprintPolicies
    std::vector<std::string> metrics;   ///< paths of metricsOf(of), at least one; the first is drawn first
    ResultSubject of = ResultSubject::run;  ///< what its points are
    bool operator==(const Sweep&) const = default;
};

/// What stands for the policies of a sweep whose points depend on none: one word that is no policy.
const std::vector<std::string>& footprintPolicies();

/// The metrics of a sweep that names none.
std::vector<std::string> usualMetrics(ResultSubject of);

inline constexpr std::string_view kSweepFormat = "ringside-sweep";

struct SweepReading {
    Sweep sweep;
    engine::Problems problems;  ///< every one of them, each by path ("axes[1].values[3]"), value and what is allowed
};

/// The sweep document:
///
///   { "format": "ringside-sweep", "version": 1, "label": "…", "notes": "…",
///     "base": { … an experiment document without format and version … },
///     "axes": [ { "path": "link.bandwidth", "range": { "from": "50 GB/s", "to": "200 GB/s", "count": 7, "scale": "log" } },
///               { "path": "dma.block_tiles", "values": [1, 2, 4] },
///               { "zip": [ { "path": "machine", "values": [ … ] }, { "path": "parallel.tp", "values": [ … ] } ] } ],
///     "policies": ["sequential", "t3-mca"], "metrics": ["speedup_over_sequential", "time_ps.total"] }
///
/// `"of": "footprint"`, `"training"`, `"prompt"` or `"generation"` beside them makes each point a whole model: what one GPU
/// holds and sends, without a policy and without simulation, or that with the time of the phase. Without `of` a point is a run.
///
/// `policies` may be missing (the base's own), `metrics` too (speed-up and total time, or the footprint); scale is "linear" (also when
/// it is missing) or "log". Machines and models of somebody's own are looked up in `own`: what they say is written
/// into the sweep (see withOwnPresets), so that it means the same without them.
SweepReading readSweep(std::string_view json, std::string_view origin, const OwnPresets* own = nullptr);
/// The same of a sweep that is part of another document; paths are counted from it.
SweepReading readSweep(const DocumentNode& root, std::string_view origin, const OwnPresets* own = nullptr);
SweepReading readSweepFile(const std::string& path, const OwnPresets* own = nullptr);  ///< "-" is standard input
std::string writeSweep(const Sweep& sweep);  ///< pretty-printed; reads back to an equal value

/// The values of own models and machines that base or axes name: under what is explicit in the base, and as further
/// columns of the axis that names them.
Sweep withOwnPresets(const Sweep& sweep, const OwnPresets& own);

/// The parameters that the axes set, in the order of the axes.
std::vector<std::string> axisPaths(const Sweep& sweep);

/// What varies: "Bandwidth per direction × Tiles of a block"; the policies where nothing else does.
std::string axesText(const Sweep& sweep);

/// What is wrong with a sweep that was put together otherwise, by the same rules as readSweep; empty when it can run.
engine::Problems check(const Sweep& sweep);

/// The values of a range; empty with problems where it makes no sense, their paths being "from", "to", "count", "scale".
std::vector<engine::ParameterValue> valuesOf(const engine::Parameter& parameter, const AxisRange& range,
                                             engine::Problems& problems);

/// Twelve hexadecimal digits of the SHA-256 of base, axes, policies and, unless it is `run`, `of` (metrics, label and notes are not part of it):
/// the same sweep has the same id on every machine.
std::string sweepId(const Sweep& sweep);

enum class PointState { missing, done, failed };

/// One point of a sweep with what became of it.
struct SweepRow {
    std::size_t index = 0;
    std::vector<std::size_t> at;  ///< which value of each axis
    std::size_t policy = 0;       ///< which of Sweep::policies
    PointState state = PointState::missing;
    std::string reason;                         ///< of a failed one
    std::optional<std::int64_t> runId;          ///< in the store, of a done one
    std::vector<std::optional<double>> values;  ///< one for each metric of the table; nothing where there is none
};

/// A sweep as charts and tables take it: all its points, in the order of their index, whatever became of them.
/// Nothing is left out: what has no value says why.
struct SweepTable {
    Sweep sweep;
    std::string id;                    ///< sweepId
    std::vector<std::string> metrics;  ///< paths; at least those of the sweep
    std::vector<SweepRow> rows;
    std::string engineVersion{};  ///< of all results in it; points of different engines are never in one table
};

}  // namespace data
