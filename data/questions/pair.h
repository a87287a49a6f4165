#pragma once

#include "data/experiment/experiment_document.h"
#include "data/laboratory/broken_invariants.h"
#include "data/questions/reserve_advice.h"
#include "engine/api/experiment.h"
#include "engine/api/results.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace data {

/// One way to run an experiment and its companion together.
struct DispatchRow {
    std::string name;  ///< "in-order", "reserved 32", "dma + reserved 8", "in-switch"
    engine::DispatchRule rule{};
    engine::CollectiveCarrier by{};
    std::optional<std::int64_t> reserved;  ///< CUs reserved from GEMMs
    ExperimentDraft draft;                 ///< the experiment with the settings of this row
    bool inSwitch = false;                 ///< the row is about collective.algorithm=in-switch, which others do not set
};

/// Returns whether the experiment has a companion that can share the GPU in several ways. A pass inside memory cannot:
/// it needs no part of the GPU but memory.
bool hasWaysToShare(const engine::Experiment& experiment);

/// Returns the rules by which a companion's kernel can be dispatched: in-order, companion-first, round-robin, and for a
/// collective beside a GEMM also reserved, with the CUs of dispatch.reserved or, if that is not set, of
/// companion.workgroups. Each draft sets dispatch.rule and companion.by=kernel, overriding the given draft. Empty
/// without hasWaysToShare.
std::vector<DispatchRow> dispatchRows(const ExperimentDraft& draft);

/// CUs that are reserved from GEMMs beside DMA engines, which use none: the GEMM loses 8 CUs and gains from less
/// competition for memory and cache. (assumed)
inline constexpr std::int64_t kReservedBesideDma = 8;

/// Returns whether DMA engines could carry the companion's collective: it adds nothing, or memory adds, and no switch.
bool canBeCopied(const engine::Experiment& experiment);

/// Returns whether the switch could add or copy the packets of the companion's collective without changing the own work:
/// one switch joins all GPUs, the collective has another algorithm and is no all-to-all, and the own work has no
/// collective, which would have the same algorithm.
bool canGoThroughSwitch(const engine::Experiment& experiment);

/// Returns the rows of dispatchRows, of which the row `reserved` has `reserved` CUs and as many workgroups, followed by
/// the rows for DMA engines: dma, and dma with kReservedBesideDma reserved CUs, where canBeCopied, and by the row
/// in-switch where canGoThroughSwitch: the companion's kernel gets room first, and the switch adds or copies its packets.
std::vector<DispatchRow> pairRows(const ExperimentDraft& draft, std::optional<std::int64_t> reserved);

struct PairQuestion {
    ExperimentDraft draft;                 ///< with its companion; own presets written out
    std::optional<std::int64_t> reserved;  ///< CUs of the row `reserved`; empty: dispatch.reserved, or else an advice
};

struct PairRow {
    DispatchRow how;
    engine::Experiment experiment;
    engine::RunResult result;  ///< contains the companion's result, with the times of each part alone
};

/// An experiment and its companion under every rule.
struct Pair {
    engine::Experiment experiment;  ///< as requested
    std::string name;               ///< "t-nlg/fc-2/tp8"
    std::vector<PairRow> rows;      ///< in-order first
    std::optional<ReserveAdvice> advice;
    engine::Notices notices;
    BrokenInvariants broken;

    /// Returns the time of the own work alone on the whole GPU.
    engine::Duration ownAlone() const;
    /// Returns the time of the companion alone on the whole GPU, as a kernel, with all its copies and the algorithm that
    /// is asked for. If rows have different numbers of workgroups for a collective, the fastest time counts.
    engine::Duration companionAlone() const;
    /// Returns the time of both if they run one after the other: the exact sum.
    engine::Duration serial() const { return ownAlone() + companionAlone(); }
    double idealSpeedup() const;
    /// Returns the speed-up of a row over `serial`. It may differ from the row's own result, which compares with a
    /// collective of the row's number of workgroups.
    double speedupOf(const PairRow& row) const;
    /// The CUs that a kernel would hold and copies leave free.
    struct FreedCus {
        std::int64_t cus = 0;
        engine::Duration time;  ///< for which the kernel holds them
        double share = 0;       ///< of the CU time of the whole run with that kernel
    };
    /// Returns what DMA frees in comparison with the kernel that gets room first, or an empty optional without both rows.
    std::optional<FreedCus> freedByCopies() const;
    /// Returns (speed-up - 1) / (ideal - 1), not clamped, or an empty optional if one of both takes no time.
    std::optional<double> fractionOfIdeal(const PairRow& row) const;
};

/// How the rows run.
using PairOptions = ReserveOptions;

/// Returns all problems of the question: those of the experiment and of every row. Empty if it can be answered.
engine::Problems check(const PairQuestion& question);

/// Finds the number of CUs to reserve if nobody sets it, then simulates every row. Runs of each part alone are shared
/// between rows. Throws engine::InvalidExperiment for the problems of check, engine::RunStopped and engine::Deadlock.
Pair pairOf(const PairQuestion& question, const PairOptions& options = {});

}  // namespace data
