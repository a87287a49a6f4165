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
#include <utility>
#include <vector>

namespace engine {
class BaselineCache;
}

namespace data {

/// A published figure beside what the simulation comes to. Numbers that there are none of are not a number (NaN).
struct ReproducedItem {
    PublishedItem published;  ///< its id is the row's: "fig-1[sharding=none]" of an item with a row for each point
    double value = 0;
    double difference = 0;    ///< value/published - 1; for fractions value - published
    bool isFraction = false;  ///< a percentage
    EvaluationRole role = EvaluationRole::context;
    std::optional<bool> holds{};  ///< of exact rows and of those with a tolerance, unless settings change the runs
    std::string note{};           ///< why there is no value or no difference
    std::string valueText{};      ///< as the published number is written, with a digit more: "1.340", "35.9 %"
    std::string publishedText{};  ///< "1.350", "36.0 %"
    std::string allowedText{};    ///< what would hold, where `holds` is false: "2.4 to 2.6"
    std::vector<std::size_t> points{};  ///< indices in the item's sweep that it was computed of
};

/// One sub-layer of the published evaluation.
struct EvaluatedCase {
    std::string model, sublayer;
    std::int64_t tp = 0;
};

/// All of them: two models, TP 8 and 16, four sub-layers.
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
    /// What the axes set besides model, sub-layer and degree, with the value's text: {"link.bandwidth", "75 GB/s"}.
    std::vector<std::pair<std::string, std::string>> axes{};
};

struct Reproduction {
    std::vector<ReproducedItem> items;
    std::vector<ReproducedCase> cases;  ///< points that have a result, by sweep, then index
    BrokenInvariants broken;
    std::vector<TrafficProfile> traffic;  ///< of the document's place, by policy
    std::string trafficCase;              ///< "t-nlg/fc-2/tp8"
    /// 12 hexadecimal digits of the SHA-256 of `calibrated`, the experiment hash of every point and the engine's version.
    std::string constants;
    bool stopped = false;               ///< rows without a value were not reached
    std::vector<std::string> failures;  ///< of points that could not be simulated to their end
    engine::Notices notices;            ///< what was left out
    std::vector<DamagedRun> damaged;    ///< kept runs that were run anew, because they were damaged
    std::vector<SweepTable> tables{};   ///< the points of each sweep with metricsOf, as far as they have ended
};

struct ReproduceOptions {
    std::vector<std::string> items;  ///< ids; empty: all. Unknown ones are the caller's problem: see checkItems
    Settings settings;               ///< explicit values over every case, as far as it has them: settingsOfCollective
    int threads = 1;
    std::stop_token stop{};
    std::function<void(double)> progress{};
    std::string store{};    ///< where runs are kept and taken from; empty: in memory
    bool keptOnly = false;  ///< simulates nothing: rows are computed of what the store has
    bool traffic = true;    ///< false: DRAM traffic over time is left out
    std::shared_ptr<engine::BaselineCache> baselineCache{};  ///< shared by all sweeps, and with other evaluations
    /// Gets the rows a few times a second while points end, one call at a time, on some thread.
    std::function<void(std::vector<ReproducedItem>)> rows{};
};

/// Those that a collective without a GEMM, or a GEMM alone, has as well: no size of a model.
Settings settingsOfCollective(const Settings& settings);

/// Problems of `items` that name no item of the evaluation, with the nearest names.
engine::Problems checkItems(const std::vector<std::string>& items);
engine::Problems checkItems(const Evaluation& evaluation, const std::vector<std::string>& items);

/// Runs the points of an evaluation that are not in the store yet and computes its rows. A stop keeps what there is: rows
/// whose points have ended have their value.
/// Throws engine::InvalidExperiment where `settings` make a point impossible or the work is more than kMostEvaluationEvents,
/// StoreError where the store cannot be opened or written.
Reproduction reproduce(const Evaluation& evaluation, const ReproduceOptions& options);

/// The same, and nothing less: throws also engine::RunStopped after a stop, and engine::Deadlock where a point has no end.
Reproduction reproduceAll(const Evaluation& evaluation, const ReproduceOptions& options);

/// The events that the points of an evaluation may be expected to take together: about half an hour on one thread.
inline constexpr double kMostEvaluationEvents = 2e10;

/// Runs the published evaluation of T3: every case of it under five policies, by case, then policy.
/// Throws as reproduceAll does.
Reproduction reproduce(const ReproduceOptions& options);

/// `reproduce --output json` (cli.md), pretty-printed.
std::string writeReproduction(const Reproduction& reproduction);
/// The same of several evaluations, by their names: "evaluations", a list of objects that begin with "evaluation".
std::string writeReproductions(const std::vector<std::pair<std::string, Reproduction>>& reproductions);

}  // namespace data
