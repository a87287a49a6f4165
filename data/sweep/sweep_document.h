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

/// Equally spaced values, or values of equal ratios, both ends included. The range is kept as it was written, so that
/// it can be edited again. Values between the ends are rounded to four digits ("35.36 GB/s"), whole numbers to whole
/// numbers that differ from each other. A parameter that allows only powers of two takes a logarithmic range through
/// powers of two.
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
    std::optional<AxisRange> range{};  ///< the range that gave `values`; absent: a list
    /// The unit in which the document writes all values or ends, "GB/s"; empty if they have several or none. Only texts
    /// depend on it, so columns that differ in nothing else are equal.
    std::string unit{};
    bool operator==(const AxisColumn& other) const {
        return path == other.path && values == other.values && range == other.range;
    }
};

/// One axis: one parameter, or several that change together (zipped lists of the same length, such as machine and
/// bandwidth).
struct SweepAxis {
    std::vector<AxisColumn> columns;  ///< at least one
    std::size_t size() const { return columns.empty() ? 0 : columns.front().values.size(); }
    bool operator==(const SweepAxis&) const = default;
};

/// A base experiment, up to four axes, the policies that are compared at each combination of their values, and the
/// metrics to watch.
struct Sweep {
    DocumentTexts texts;  ///< "label", "notes"; not part of the identity
    ExperimentDraft base;
    std::vector<SweepAxis> axes;                   ///< the first varies slowest
    std::vector<std::string> policies;             ///< at least one; varies fastest. For footprints: footprintPolicies
    std::vector<std::string> metrics;              ///< paths of metricsOf(of), at least one; the first is drawn first
    ResultSubject of = ResultSubject::run;         ///< the subject of each point
    std::optional<ExperimentDraft> projectFrom{};  ///< model and degree from whose simulation all times are projected
    bool operator==(const Sweep&) const = default;
};

/// Returns the policies of a sweep whose points depend on none: one word that is not a policy.
const std::vector<std::string>& footprintPolicies();

/// Returns the metrics of a sweep that names none.
std::vector<std::string> usualMetrics(ResultSubject of);

inline constexpr std::string_view kSweepFormat = "ringside-sweep";

struct SweepReading {
    Sweep sweep;
    engine::Problems problems;  ///< all problems, each by path ("axes[1].values[3]"), value and what is allowed
};

/// The sweep document:
///
///   { "format": "ringside-sweep", "version": 1, "label": "…", "notes": "…",
///     "base": { … an experiment document without format and version … },
///     "axes": [ { "path": "link.bandwidth", "range": { "from": "50 GB/s", "to": "200 GB/s", "count": 7,
///                                                       "scale": "log" } },
///               { "path": "dma.block_tiles", "values": [1, 2, 4] },
///               { "zip": [ { "path": "machine", "values": [ … ] }, { "path": "parallel.tp", "values": [ … ] } ] } ],
///     "policies": ["sequential", "t3-mca"], "metrics": ["speedup_over_sequential", "time_ps.total"] }
///
/// The key `"of"` makes each point a whole model. With `"footprint"` a point has the bytes that one GPU holds and
/// sends, without a policy and without simulation; with `"training"`, `"prompt"` or `"generation"` it also has the time
/// of that phase. Without `of` a point is a run. If points have times, `"project_from": { … an experiment … }` names
/// another model with `workload.*` and `parallel.tp`: only that model is simulated, under `sequential`, and the times of
/// each point are projected from its times (data/model/projection.h).
///
/// `policies` may be missing (default: the base's policy), and so may `metrics` (default: speed-up and total time, or
/// the footprint). `scale` is "linear", which is the default, or "log". Own machines and models are looked up in `own`;
/// their values are written into the sweep (see withOwnPresets), so that it means the same without them.
SweepReading readSweep(std::string_view json, std::string_view origin, const OwnPresets* own = nullptr);
/// Reads a sweep that is part of another document; paths begin at the sweep.
SweepReading readSweep(const DocumentNode& root, std::string_view origin, const OwnPresets* own = nullptr);
/// Reads the file of a sweep; "-" is standard input. Every command and the window pass the user's own presets, so that
/// a sweep that one of them runs is never refused by another.
SweepReading readSweepFile(const std::string& path, const OwnPresets& own);
/// Sets values of the base. Adds a problem for a policy, which the sweep compares, and for a parameter of an axis.
void setInBase(const Settings& settings, Sweep& sweep, engine::Problems& problems);

std::string writeSweep(const Sweep& sweep);  ///< pretty-printed; reads back to an equal value

/// Returns the sweep with the values of the own models and machines that base or axes name: in the base under its
/// explicit values, and as further columns of the axis that names them.
Sweep withOwnPresets(const Sweep& sweep, const OwnPresets& own);

/// Returns the parameters that the axes set, in the order of the axes.
std::vector<std::string> axisPaths(const Sweep& sweep);

/// Returns the names of the axes: "Bandwidth per direction × Tiles of a block", or the policies if there are no axes.
std::string axesText(const Sweep& sweep);

/// Returns a point as --set would write it: "link.bandwidth=75 GB/s dma.block_tiles=4 t3-mca". `at` has the index of the
/// value of each axis.
std::string pointText(const Sweep& sweep, const std::vector<std::size_t>& at, std::size_t policy);

/// Checks a sweep that was not read from a document by the rules of readSweep. Returns no problems if it can run.
engine::Problems check(const Sweep& sweep);

/// Returns the values of a range. If it is invalid, returns no values and adds problems with the paths "from", "to",
/// "count", "scale".
std::vector<engine::ParameterValue> valuesOf(const engine::Parameter& parameter, const AxisRange& range,
                                             engine::Problems& problems);

/// Returns twelve hexadecimal digits of the SHA-256 of base, axes, policies and, unless it is `run`, `of`. Metrics,
/// label and notes are not part of it. The same sweep has the same id on every machine.
std::string sweepId(const Sweep& sweep);

enum class PointState { missing, done, failed };

/// One point of a sweep with its state and values.
struct SweepRow {
    std::size_t index = 0;
    std::vector<std::size_t> at;  ///< index of the value of each axis
    std::size_t policy = 0;       ///< index in Sweep::policies
    PointState state = PointState::missing;
    std::string reason;                         ///< why it failed
    std::optional<std::int64_t> runId;          ///< id in the store, if it is done
    std::vector<std::optional<double>> values;  ///< one for each metric of the table; empty if there is no such number
    engine::Notices notices{};                  ///< of its result, if it is done
};

/// A sweep in the form that charts and tables read: all its points, in the order of their index. Points that are
/// missing or failed are included; a failed point has a reason.
struct SweepTable {
    Sweep sweep;
    std::string id;                    ///< sweepId
    std::vector<std::string> metrics;  ///< paths; at least those of the sweep
    std::vector<SweepRow> rows;
    std::string engineVersion{};  ///< of all results in it; points of different engines are never in one table
};

/// Returns the notices of the results, one for each parameter, with the number of points that have it and the first of
/// them (sharedText).
engine::Notices noticesOf(const SweepTable& table);

/// Returns only those that qualify the numbers (qualifiesNumbers), for all points or for the points with these indices.
engine::Notices qualifyingNotices(const SweepTable& table);
engine::Notices qualifyingNotices(const SweepTable& table, const std::vector<std::size_t>& points);

}  // namespace data
