#pragma once

#include "data/evaluations/evaluation.h"
#include "data/evaluations/reference.h"
#include "data/laboratory/broken_invariants.h"
#include "data/presets/presets.h"
#include "data/store/store.h"
#include "data/trace/traffic_profile.h"
#include "engine/api/experiment.h"
#include "engine/api/results.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace engine {
class BaselineCache;
}

namespace data {

/// What an evaluation says about a row.
enum class RowVerdict : std::uint8_t {
    holds,
    fails,             ///< the row does not hold, or its number cannot be computed
    constantsChanged,  ///< a blind row, which is compared only under its own constants
    notRun,            ///< its points have not been run
    unpublished,       ///< no published value yet
    noNumber,          ///< our number cannot be computed, and the row is not judged; the note says why
    notJudged          ///< calibrated rows without a tolerance, context rows, and rows under other settings
};

/// A published number beside the simulated one. Numbers that do not exist are NaN.
struct ReproducedItem {
    PublishedItem published;  ///< its id is the id of the row: "fig-1[sharding=none]" if the item has a row for each
                              ///< point
    double value = 0;
    double difference = 0;    ///< value/published - 1; for fractions value - published
    bool isFraction = false;  ///< a percentage
    EvaluationRole role = EvaluationRole::context;
    RowVerdict verdict = RowVerdict::notJudged;
    std::string note{};           ///< why the value or the difference is missing
    std::string valueText{};      ///< in the format of the published number, with one digit more: "1.340", "35.9 %"
    std::string publishedText{};  ///< "1.350", "36.0 %"
    std::string allowedText{};    ///< the range that would hold, if the row fails: "2.4 to 2.6"
    std::vector<std::size_t> points{};  ///< indices of its points in the item's sweep
    std::string
        placeText{};  ///< of a row for one point of several: "tensor-parallel degree 8, bandwidth per direction 50 GB/s"
    std::string boundText{};                ///< what the item claims: "at least 1.05"; empty if it claims nothing
    std::optional<double> least{}, most{};  ///< the same as numbers

    /// Returns whether the row holds; an empty optional if it is not judged.
    std::optional<bool> holds() const {
        return verdict <= RowVerdict::fails ? std::optional(verdict == RowVerdict::holds) : std::nullopt;
    }
};

/// Returns the id of the item to which a row belongs: that of the row without "[sharding=none]".
std::string itemIdOf(const ReproducedItem& row);

/// One sub-layer of the published evaluation.
struct EvaluatedCase {
    std::string model, sublayer;
    std::int64_t tp = 0;
};

/// Returns all sub-layers of the published evaluation: two models, TP 8 and 16, four sub-layers.
std::vector<EvaluatedCase> evaluatedCases();

/// One point of an evaluation's sweeps: a case under one policy.
struct ReproducedCase {
    std::string model, sublayer, policy;
    std::int64_t tp = 0;
    engine::Experiment experiment;
    double speedup = 1;  ///< over sequential
    engine::TimeResult time;
    std::optional<engine::DramResult> dram;  ///< absent for the ideal bounds
    std::size_t sweep = 0;                   ///< position in Evaluation::sweeps
    /// The values that the axes set besides model, sub-layer and degree: {"link.bandwidth", "75 GB/s"}.
    std::vector<std::pair<std::string, std::string>> axes{};
    engine::Notices notices{};
};

/// What the rows of a measured table show together, for one target and one machine. Numbers that do not exist are NaN.
struct MeasuredAnswer {
    std::string table, target, machine;  ///< id of the item; id of the target, or empty; empty: all machines
    std::string what;                    ///< the target in words
    std::size_t rows = 0, n = 0;         ///< number of rows; number of those that are compared
    double bias = 0;                     ///< geometric mean of ours / measured
    double median = 0, p90 = 0;          ///< median and 90th percentile of |ours / measured - 1|
    double rank = 0;                     ///< rank correlation (Spearman) of ours and measured
    double worst = 0;                    ///< ours / measured - 1 of the row that is furthest off
    std::string worstRow;                ///< its id
    std::optional<bool> holds{};         ///< set once all rows have ended, if there is a target
    std::string failure{};               ///< what does not hold: "median error 54.2 %, allowed: up to 8.0 %"
};

struct Reproduction {
    std::vector<ReproducedItem> items;
    std::vector<MeasuredAnswer> measured;  ///< see measuredAnswers
    std::vector<ReproducedCase> cases;     ///< points that have a result, by sweep, then index
    BrokenInvariants broken;
    std::vector<TrafficProfile> traffic;  ///< of the experiment that the document names, one for each policy
    std::string trafficCase;              ///< "t-nlg/fc-2/tp8"
    /// 12 hexadecimal digits of the SHA-256 of `calibrated`, the experiment hash of every point and the engine's
    /// version.
    std::string constants;
    bool stopped = false;               ///< the reproduction was stopped: rows without a value were not reached
    std::vector<std::string> failures;  ///< messages about points whose simulation did not reach its end
    engine::Notices notices;            ///< parts that were left out, and why; notices of the points' results
    std::vector<DamagedRun> damaged;    ///< kept runs that were damaged and therefore simulated again
    std::vector<SweepTable> tables{};   ///< the points of each sweep with metricsOf, as far as they have ended
};

struct ReproduceOptions {
    std::vector<std::string> items;  ///< ids; empty: all. The caller refuses unknown ones: see checkItems
    Settings settings;               ///< explicit values over every case, as far as the case has them: see
                                     ///< settingsOfCollective
    int threads = 1;
    std::stop_token stop{};
    std::function<void(double)> progress{};
    std::string store{};    ///< the store that runs are read from and kept in; empty: in memory
    bool keptOnly = false;  ///< simulates nothing: rows are computed from the runs that the store has
    bool traffic = true;    ///< false: DRAM traffic over time is left out
    std::shared_ptr<engine::BaselineCache> baselineCache{};  ///< shared by all sweeps, and with other evaluations
    std::optional<std::size_t> sweep{};  ///< simulates the points of this sweep of the evaluation alone; empty: of all
    /// Receives the rows a few times a second while points end. Calls never overlap, but come from any thread.
    std::function<void(std::vector<ReproducedItem>)> rows{};
};

/// Returns the settings that also apply to a collective without a GEMM, or to a GEMM alone: no sizes of a model.
Settings settingsOfCollective(const Settings& settings);

/// Returns a problem, with the nearest names, for each of `items` that is not an item of the evaluation.
engine::Problems checkItems(const std::vector<std::string>& items);
engine::Problems checkItems(const Evaluation& evaluation, const std::vector<std::string>& items);

/// Runs the points of an evaluation that are not yet in the store, and computes its rows. A stop keeps the finished
/// work: rows whose points have ended have their value. Throws engine::InvalidExperiment if `settings` make a point
/// impossible or the work exceeds kMostEvaluationEvents, StoreError if the store cannot be opened or written.
Reproduction reproduce(const Evaluation& evaluation, const ReproduceOptions& options);

/// Does the same, but never returns an incomplete result: also throws engine::RunStopped after a stop, and
/// engine::Deadlock if a point never ends.
Reproduction reproduceAll(const Evaluation& evaluation, const ReproduceOptions& options);

/// The limit on the expected number of events of all points of an evaluation together: about half an hour on one
/// thread.
inline constexpr double kMostEvaluationEvents = 2e10;

/// Runs the published evaluation of T3: every case under five policies, ordered by case, then policy. Throws as
/// reproduceAll does.
Reproduction reproduce(const ReproduceOptions& options);

/// Returns the reproduction as pretty-printed JSON, as `reproduce --output json` prints it.
std::string writeReproduction(const Reproduction& reproduction);
/// Returns several reproductions by the names of their evaluations: "evaluations", a list of objects that begin with
/// "evaluation".
std::string writeReproductions(const std::vector<std::pair<std::string, Reproduction>>& reproductions);

}  // namespace data
