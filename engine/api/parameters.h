#pragma once

#include "engine/api/experiment.h"
#include "engine/api/problem.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace engine {

/// A parameter's value without its type: whole numbers in base units (ps, bytes, Hz, bytes/s, counts),
/// real numbers, or a word (a choice such as "mca", a keyword such as "unlimited", a preset's name).
using ParameterValue = std::variant<std::int64_t, double, std::string>;

enum class ParameterGroup {
    model,
    sublayer,
    matrix,
    companion,
    parallelism,
    division,
    operators,
    training,
    node,
    machine,
    gemm,
    tiles,
    cu,
    dispatch,
    launch,
    llc,
    memory,
    dram,
    arbitration,
    tracker,
    dma,
    link,
    collective,
    topology,
    policy,
    variation,
    detail
};
enum class ParameterKind { integer, real, choice, text };
/// `toOne`: a ratio N:1, written "4:1". `flopsPerSecond`: of results only.
enum class ParameterUnit { none, picoseconds, bytes, hertz, bytesPerSecond, toOne, flopsPerSecond };

/// Where a number comes from, as model.md labels it.
enum class SourceLabel { published, secondHand, derived, calibrated, assumed, chosen };

/// The first engine version whose times are pinned, and the one up to which every parameter is part of an experiment's
/// canonical form. A newer one is left out while it has its default, so that it changes no hash.
inline constexpr std::string_view kPinnedVersion = "0.3";

/// One setting of an experiment: everything that editor, sweep axis, command line, messages and reference page show.
struct Parameter {
    std::string path{};    ///< "link.bandwidth"
    std::string label{};   ///< "Bandwidth per direction"
    std::string symbol{};  ///< "B", or empty
    ParameterGroup group{};
    ParameterKind kind{};
    ParameterUnit unit{};
    double minimum = 0;                       ///< inclusive, base units; numbers only
    double maximum = 0;                       ///< inclusive; texts: bytes, 0 for those of a name
    bool logarithmic = false;                 ///< a slider moves by ratio
    bool powerOfTwo = false;                  ///< only powers of two are allowed
    std::vector<std::string> words{};         ///< kind choice: all values; numbers: keywords allowed besides
    std::string meaning{};                    ///< one sentence or two
    SourceLabel sourceLabel{};                ///< of the default
    std::string source{};                     ///< "T3, table 1"
    std::string_view since = kPinnedVersion;  ///< the engine version that brought it; all up to that one count as that
    ParameterValue defaultValue{};
    ParameterValue (*read)(const Experiment&) = nullptr;
    void (*write)(Experiment&, const ParameterValue&) = nullptr;  ///< precondition: `check` found nothing
};

/// True for a parameter that the canonical form leaves out while it has its default.
inline bool isNewerThanPins(const Parameter& parameter) { return parameter.since != kPinnedVersion; }

/// The one table, in the order it is shown.
std::span<const Parameter> parameters();

/// Nothing when no parameter has this path.
const Parameter* findParameter(std::string_view path);

/// Paths most like `path`, best first, at most three; for "did you mean".
std::vector<std::string> nearestParameters(std::string_view path);

/// The names of `candidates` most like `name`, best first, at most three.
std::vector<std::string> nearestNames(std::string_view name, std::span<const std::string> candidates);

/// Checks kind, range and words. Nothing when `value` is allowed.
std::optional<Problem> check(const Parameter& parameter, const ParameterValue& value);

/// Returns everything that the parameters' own limits refuse, in the order of the table. What holds between parameters is
/// not looked at.
Problems tableProblems(const Experiment& experiment);

/// Reads text as a person writes it: "75GB/s", "70 GiB/s", "500 ns", "64 KiB", "0.75", "mca", "unlimited";
/// a bare number is in base units. Locale plays no part. On failure adds to `problems` and returns nothing.
std::optional<ParameterValue> parseValue(const Parameter& parameter, std::string_view text, Problems& problems);

/// The shortest exact text for people: "75 GB/s", "500 ns", "64 KiB"; reads back to the same value.
std::string formatValue(const Parameter& parameter, const ParameterValue& value);

/// What is allowed, for messages and tooltips: "1 GB/s to 100 TB/s", "one of round-robin, mca, compute-first".
std::string describeAllowed(const Parameter& parameter);

std::string_view name(ParameterGroup group);  ///< "Link"
std::string_view name(ParameterUnit unit);    ///< "ps", "B", "Hz", "B/s", ":1", "FLOP/s", ""
std::string_view name(SourceLabel label);     ///< "published"
std::string_view name(SubLayer sublayer);     ///< "fc-2", as in documents
std::string_view name(PolicyPreset preset);   ///< "t3-mca"
std::string_view name(DetailLevel level);
std::string_view name(CompanionOperation operation);  ///< "all-gather"
std::string_view name(DispatchRule rule);             ///< "in-order"
std::optional<PolicyPreset> policyPresetNamed(std::string_view name);
std::optional<SubLayer> sublayerNamed(std::string_view name);

}  // namespace engine
