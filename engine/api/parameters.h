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

/// A parameter's value without its C++ type: a whole number in base units (ps, bytes, Hz, bytes/s, counts), a real
/// number, or a word (a choice such as "mca", a keyword such as "unlimited", a preset's name).
using ParameterValue = std::variant<std::int64_t, double, std::string>;

enum class ParameterGroup {
    model,
    sublayer,
    matrix,
    access,
    companion,
    parallelism,
    division,
    step,
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
    address,
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
/// `toOne`: a ratio N:1, written "4:1". `flopsPerSecond`: used by results only.
enum class ParameterUnit { none, picoseconds, bytes, hertz, bytesPerSecond, toOne, flopsPerSecond };

/// The kind of source of a number, with the labels of MODEL.md.
enum class SourceLabel { published, secondHand, derived, calibrated, assumed, chosen };

/// The first engine version whose times are pinned. Every parameter up to this version is part of an experiment's
/// canonical form. A newer parameter is left out while it has its default (Parameter::leftOutValue), so that adding it
/// changes no hash.
inline constexpr std::string_view kPinnedVersion = "0.3";

/// Which experiments read a parameter. A null function: every experiment does.
struct ParameterReading {
    /// Returns whether the run itself reads it, so that a change may help. Runs that its ratios refer to, and a
    /// companion GEMM, may read it nevertheless.
    bool (*byRun)(const Experiment&) = nullptr;
    /// Returns whether the experiment or anything that it is compared with reads it.
    bool (*atAll)(const Experiment&) = nullptr;
    /// Returns why nothing reads it: "it applies to a GEMM alone (workload.sublayer=gemm)"; empty if something does.
    /// Results have a notice with this text if the parameter is set. The experiment need not be valid.
    std::string (*whyNot)(const Experiment&) = nullptr;
};

/// The description of one setting of an experiment: everything about it that the editor, sweep axes, the command line,
/// messages and the reference page show.
struct Parameter {
    std::string path{};    ///< "link.bandwidth"
    std::string label{};   ///< "Bandwidth per direction"
    std::string symbol{};  ///< "B", or empty
    ParameterGroup group{};
    ParameterKind kind{};
    ParameterUnit unit{};
    double minimum = 0;                ///< inclusive, base units; numbers only
    double maximum = 0;                ///< inclusive; texts: length in bytes, 0 for texts that are names
    bool logarithmic = false;          ///< a slider moves in ratios instead of differences
    bool powerOfTwo = false;           ///< only powers of two are allowed
    std::vector<std::string> words{};  ///< choices: all values; numbers: keywords that are also allowed
    std::string meaning{};             ///< one sentence or two
    SourceLabel sourceLabel{};         ///< of the default
    std::string source{};              ///< "T3, table 1"
    /// The engine version that introduced it; kPinnedVersion for all up to that one.
    std::string_view since = kPinnedVersion;
    ParameterValue defaultValue{};
    /// The value with which the canonical form leaves the parameter out, if it is newer than the pins: the default, or
    /// the default of the version that introduced it.
    ParameterValue leftOutValue{};
    ParameterReading reading{};
    ParameterValue (*read)(const Experiment&) = nullptr;
    void (*write)(Experiment&, const ParameterValue&) = nullptr;  ///< precondition: `check` returns an empty optional
};

/// Returns whether an experiment, or anything that it is compared with, reads the parameter.
bool isRead(const Parameter& parameter, const Experiment& experiment);
/// Returns whether the run itself reads the parameter: ParameterReading::byRun.
bool isReadByRun(const Parameter& parameter, const Experiment& experiment);

/// Returns whether the canonical form leaves the parameter out while it has its Parameter::leftOutValue.
inline bool isNewerThanPins(const Parameter& parameter) { return parameter.since != kPinnedVersion; }

/// Returns the table of all parameters, in the order in which they are shown.
std::span<const Parameter> parameters();

/// Returns the parameter with this path, or nullptr if there is none.
const Parameter* findParameter(std::string_view path);

/// Returns the parameter paths that are most similar to `path`, best first, at most three, for "did you mean".
std::vector<std::string> nearestParameters(std::string_view path);

/// Returns the names of `candidates` that are most similar to `name`, best first, at most three.
std::vector<std::string> nearestNames(std::string_view name, std::span<const std::string> candidates);

/// Checks kind, range and words. Returns an empty optional if `value` is allowed.
std::optional<Problem> check(const Parameter& parameter, const ParameterValue& value);

/// Returns the problems of values that break their own parameter's limits, in the order of the table. Rules between
/// several parameters are not checked.
Problems tableProblems(const Experiment& experiment);

/// Parses a value as a person writes it: "75GB/s", "70 GiB/s", "500 ns", "64 KiB", "0.75", "mca", "unlimited". A bare
/// number is in base units. The locale has no influence. On failure adds to `problems` and returns an empty optional.
std::optional<ParameterValue> parseValue(const Parameter& parameter, std::string_view text, Problems& problems);

/// Returns the shortest exact text for people: "75 GB/s", "500 ns", "64 KiB". It parses back to the same value.
std::string formatValue(const Parameter& parameter, const ParameterValue& value);

/// Describes the allowed values for messages and tooltips: "1 GB/s to 100 TB/s", "one of round-robin, mca,
/// compute-first".
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
/// Returns the problem of an experiment that has to be simulated and whose policy is a formula.
Problem problemOfFormula(PolicyPreset preset);
std::optional<SubLayer> sublayerNamed(std::string_view name);

}  // namespace engine
