#pragma once

#include "data/experiment/experiment_document.h"
#include "data/measured/measured_report.h"
#include "engine/api/results.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace data {

/// A span of one of several traces.
using MeasuredPlace = CollectiveMember;

/// What is to be simulated: a GEMM, a collective, or both.
struct MeasuredChoice {
    std::optional<MeasuredPlace> gemm, collective;
    bool operator==(const MeasuredChoice&) const = default;
};

enum class PairKind : std::uint8_t {
    nothing,
    dependent,    ///< the collective begins after the GEMM on the same rank and has the bytes of its output
    independent,  ///< a GEMM and a collective that do not depend on each other
    gemmAlone,
    collectiveAlone
};

/// A value of the experiment, and where it comes from.
struct PairValue {
    std::string path;   ///< "gemm.tile_m"
    std::string value;  ///< as on the command line: "128"
    bool assumed = false;
    std::string from;  ///< "Input Dims of aten::mm", "assumed: the trace has no group size"
};

/// Times of the two parts alone and of both together, in ps; 0 for a part that is not there.
struct PairTimes {
    std::int64_t gemm = 0, collective = 0, together = 0;

    /// Returns p, the parts alone combined: one after the other if dependent, at once if independent.
    std::int64_t parts(PairKind kind) const;
    /// Returns i, the rest: waiting, gaps and contention.
    std::int64_t interaction(PairKind kind) const { return together - parts(kind); }
    bool operator==(const PairTimes&) const = default;
};

/// Why a measured pair takes another time than the simulated one: total = parts + interaction, exactly, in ps.
struct PairDifference {
    std::int64_t total = 0, parts = 0, interaction = 0;
};
PairDifference differenceOf(const PairTimes& measured, const PairTimes& simulated, PairKind kind);

/// A measured GEMM and collective as an experiment.
struct TracePair {
    PairKind kind = PairKind::nothing;
    std::string name;                  ///< "4096x4096x1024 then all-reduce of 64 MiB"
    std::vector<PairValue> values;     ///< in the order in which they are set
    std::vector<std::string> missing;  ///< what the trace does not say and the experiment therefore has its default for
    std::string refusal;               ///< why it cannot be simulated; empty if it can
    PairTimes measured;
    std::vector<std::string> remarks;  ///< sentences about what was measured

    bool runnable() const { return kind != PairKind::nothing && refusal.empty(); }
    /// Returns the experiment, under the policy `sequential`. Values that no longer fit are problems.
    ExperimentDraft draft(engine::Problems& problems) const;
};

/// Returns the chosen spans as an experiment. `match` and `report` are of the same traces and steps.
TracePair tracePairOf(std::span<const MeasuredTrace> traces, const RankMatch& match, const MeasuredReport& report,
                      const MeasuredChoice& choice);

/// Returns the collective of the same rank and of these steps that a GEMM most likely belongs to: the one that runs beside it for longest, or
/// else the first that begins after it ends.
std::optional<MeasuredPlace> nearestCollective(std::span<const MeasuredTrace> traces, const StepChoice& steps,
                                               const MeasuredPlace& gemm);

/// Finds a pair in the steps of a report by words: the text of a GEMM's shape ("4096x4096x1024") and an operation ("all-reduce"); either may be
/// empty. Takes the first GEMM of that shape beside such a collective, or else
/// the first that such a collective follows. Reports what is there if nothing
/// fits.
MeasuredChoice choiceNamed(std::span<const MeasuredTrace> traces, const MeasuredReport& report, std::string_view gemm,
                           std::string_view operation, engine::Problems& problems);

/// The same for both words in one text: "4096x4096x1024,all-reduce".
MeasuredChoice choiceNamed(std::span<const MeasuredTrace> traces, const MeasuredReport& report, std::string_view pair,
                           engine::Problems& problems);

/// The bundled machine of a measured GPU.
struct MeasuredMachine {
    std::string name;      ///< empty if there is none
    bool assumed = false;  ///< likely, not certain
};
/// Finds the machine by the name of the GPU, else by its SMs.
MeasuredMachine machineOf(const MeasuredDevice& device);

/// Returns the same times of a run of the pair's experiment.
PairTimes simulatedTimes(const engine::RunResult& result, PairKind kind);

/// A pair as it was simulated under one policy.
struct SimulatedPair {
    std::string policy;
    PairTimes times;
};
/// Returns the policies with which a pair is compared: sequential, and T3-MCA for a sub-layer.
std::vector<std::string> policiesOf(PairKind kind);

/// Parts of a simulated pair that were scaled until they take the measured times.
struct PartsFit {
    ExperimentDraft draft;  ///< with cu.tensor_efficiency and link.bandwidth
    PairTimes simulated;
    int runs = 0;
    std::string refusal;  ///< why a part keeps another time; empty if both agree to 0.5 %
};
/// Scales cu.tensor_efficiency and link.bandwidth of `draft` until the parts alone take the measured times. `run` simulates
/// a draft, and may throw.
PartsFit fitParts(const ExperimentDraft& draft, const TracePair& pair,
                  const std::function<engine::RunResult(const ExperimentDraft&)>& run);

}  // namespace data
