#pragma once

#include "data/laboratory/broken_invariants.h"
#include "engine/api/experiment.h"
#include "engine/api/runner.h"
#include "engine/api/units.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

namespace data {

/// A function that runs experiments side by side and returns an outcome for each, as engine::runMany does.
using ManyRuns =
    std::function<std::vector<engine::RunOutcome>(std::span<const engine::Experiment>, const engine::RunManyOptions&)>;

/// Returns engine::runMany.
ManyRuns usualRuns();

/// The times of both kernels alone if a GPU of C CUs is divided between them.
struct ReserveCandidate {
    std::int64_t reserved = 0;   ///< k, the CUs that only collectives get
    engine::Duration own;        ///< the own work alone on C-k CUs
    engine::Duration companion;  ///< the collective alone on k CUs, at the clock that they have beside a GEMM

    engine::Duration longer() const { return std::max(own, companion); }
    bool operator==(const ReserveCandidate&) const = default;
};

/// Advice on how many CUs to reserve for a companion collective: the candidate whose longer part is shortest, and the
/// smallest of equal ones. It needs no run of both together. (C3's rule, arXiv 2412.14335, second-hand.)
struct ReserveAdvice {
    std::vector<ReserveCandidate> candidates;  ///< with rising k, at least one
    std::size_t best = 0;                      ///< position in `candidates`
    BrokenInvariants broken;

    std::int64_t reserved() const { return candidates[best].reserved; }
};

struct ReserveOptions {
    int threads = 1;
    std::stop_token stop{};
    std::function<void(double)> progress{};  ///< fraction done, 0 to 1, rising; called on a running thread
    ManyRuns runs = usualRuns();
};

/// Runs experiments side by side and reports the progress by their expected costs. `each`: options of every run.
std::vector<engine::RunOutcome> outcomesOf(const std::vector<engine::Experiment>& experiments,
                                           const ReserveOptions& options, const engine::RunOptions& each);

/// Returns whether CUs can be reserved: the companion is a collective, the own work has a GEMM, and the GPU has at
/// least two CUs.
bool canReserve(const engine::Experiment& experiment);

/// Returns the candidates 4, 8, 16, … up to half of the CUs, or only half of the CUs if that is less than 4.
/// Precondition: at least two CUs.
std::vector<std::int64_t> reserveCandidates(std::int64_t cus);

/// Returns the own work of an experiment without its companion, on all CUs except `reserved`.
engine::Experiment ownBesideReserved(const engine::Experiment& experiment, std::int64_t reserved);

/// Returns the companion's collective alone, as a kernel of `workgroups` workgroups, each on a CU of its own, with the
/// pace that it has at cu.matrix_clock. The companion's window, which limits it beside other work, is removed.
/// Precondition: hasCompanionCollective.
engine::Experiment companionAlone(const engine::Experiment& experiment, std::int64_t workgroups);

/// Returns the experiments that the advice simulates: for each candidate the own work, then the companion with no more
/// workgroups than it has.
std::vector<engine::Experiment> advisingRuns(const engine::Experiment& experiment);

/// Simulates the candidates and returns the advice. Precondition: canReserve. Throws engine::InvalidExperiment,
/// engine::RunStopped or engine::Deadlock.
ReserveAdvice reserveAdvice(const engine::Experiment& experiment, const ReserveOptions& options = {});

}  // namespace data
