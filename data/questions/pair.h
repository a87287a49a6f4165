#pragma once

#include "data/experiment/experiment_document.h"
#include "data/laboratory/broken_invariants.h"
#include "data/questions/reserve_advice.h"
#include "engine/api/experiment.h"
#include "engine/api/results.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace data {

/// One way to run an experiment and its companion together.
struct DispatchRow {
    std::string name;  ///< "in-order", "reserved 32", "dma + reserved 8"
    engine::DispatchRule rule{};
    engine::CompanionCarrier by{};
    std::optional<std::int64_t> reserved;  ///< CUs that GEMMs do not get
    ExperimentDraft draft;                 ///< the experiment, run in this way
};

/// Returns the rules by which a companion's kernel can be dispatched: in-order, companion-first, round-robin, and for a
/// collective beside a GEMM also reserved, with as many CUs as dispatch.reserved says, else as companion.workgroups says.
/// Each draft sets dispatch.rule and companion.by=kernel, whatever the given one has there. Empty without a companion.
std::vector<DispatchRow> dispatchRows(const ExperimentDraft& draft);

/// CUs that are kept free of GEMMs beside DMA engines, which take none: the GEMM loses 8 CUs and gains from less
/// competition for memory and cache. (assumed)
inline constexpr std::int64_t kReservedBesideDma = 8;

/// Returns the rows of dispatchRows, with `reserved` CUs and as many workgroups in the last of them, and then what DMA
/// engines can do: dma, and dma with kReservedBesideDma CUs kept free. A companion that is a GEMM, or that reduces on CUs,
/// has no rows of DMA.
std::vector<DispatchRow> pairRows(const ExperimentDraft& draft, std::optional<std::int64_t> reserved);

struct PairQuestion {
    ExperimentDraft draft;                 ///< with its companion; own presets written out
    std::optional<std::int64_t> reserved;  ///< CUs of the row `reserved`; nothing: dispatch.reserved, else an advice
};

struct PairRow {
    DispatchRow how;
    engine::Experiment experiment;
    engine::RunResult result;  ///< has a companion, with the times alone
};

/// An experiment and its companion under every rule.
struct Pair {
    engine::Experiment experiment;  ///< as it was asked
    std::string name;               ///< "t-nlg/fc-2/tp8"
    std::vector<PairRow> rows;      ///< in-order first
    std::optional<ReserveAdvice> advice;
    engine::Notices notices;
    BrokenInvariants broken;

    /// The own work alone on the whole GPU.
    engine::Duration ownAlone() const;
    /// The companion alone on the whole GPU, as a kernel, each copy counted: what one would run otherwise. Rows differ in
    /// the workgroups of a collective; that of the fastest counts.
    engine::Duration companionAlone() const;
    /// One after the other: the sum of both, exactly.
    engine::Duration serial() const { return ownAlone() + companionAlone(); }
    double idealSpeedup() const;
    /// Of a row over `serial`. The row's own result compares with a collective of the row's workgroups.
    double speedupOf(const PairRow& row) const;
    /// (speed-up - 1) / (ideal - 1), not clamped; nothing where one of both takes no time.
    std::optional<double> fractionOfIdeal(const PairRow& row) const;
};

struct PairOptions {
    int threads = 1;  ///< on which the rows run side by side
    std::stop_token stop{};
    std::function<void(double)> progress{};  ///< fraction done, 0 to 1, rising; called on a running thread
    ManyRuns runs = usualRuns();
};

/// What is wrong with the question: all problems of the experiment and of every row, at once; empty when it can be asked.
engine::Problems check(const PairQuestion& question);

/// Finds the CUs to reserve where nobody says how many, then simulates every row. Rows share their runs alone. Throws
/// engine::InvalidExperiment for what check finds, engine::RunStopped and engine::Deadlock.
Pair pairOf(const PairQuestion& question, const PairOptions& options = {});

}  // namespace data
