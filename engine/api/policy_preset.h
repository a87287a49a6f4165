#pragma once

#include "engine/api/arbitration_policy.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace engine {

/// How GEMM and collective are combined.
enum class PolicyPreset { sequential, t3, t3Mca, idealOverlap, idealOverlapNmc, cuSplit, chunked, chunkedDma, signals };
enum class ProducerOrder { plain, staggered };
enum class OutputMapping { local, remoteDma };
enum class OutputCaching { allocate, bypass };
enum class CommunicationStart { afterGemm, whenReady, concurrent, byPiece };
enum class Reduction { cu, nmc };
/// What carries a collective: a kernel on compute units, or DMA engines.
enum class CollectiveCarrier { kernel, dma };

/// The settings of a policy.
struct PolicyParts {
    ProducerOrder order = ProducerOrder::plain;
    OutputMapping mapping = OutputMapping::local;
    OutputCaching caching = OutputCaching::allocate;
    CommunicationStart start = CommunicationStart::afterGemm;
    Reduction reduction = Reduction::cu;
    ArbitrationPolicy arbitration = ArbitrationPolicy::roundRobin;
    CollectiveCarrier by = CollectiveCarrier::kernel;
};

/// The paths of the parameters that are the parts of a policy, in the order of PolicyParts.
inline constexpr std::array<std::string_view, 7> kPolicyPartPaths{
    "policy.order",         "policy.mapping",     "policy.output_caching", "policy.start",
    "collective.reduction", "arbitration.policy", "collective.by"};

constexpr bool isPolicyPart(std::string_view path) {
    return std::find(kPolicyPartPaths.begin(), kPolicyPartPaths.end(), path) != kPolicyPartPaths.end();
}

/// Returns the parts of T3 with a rule of arbitration.
constexpr PolicyParts partsOfT3(ArbitrationPolicy arbitration) {
    return {ProducerOrder::staggered,      OutputMapping::remoteDma, OutputCaching::bypass,
            CommunicationStart::whenReady, Reduction::nmc,           arbitration};
}

/// Everything about a policy but its look (ui/look/policy_look.cpp).
struct PolicyRow {
    std::string_view word;         ///< the value of policy.preset
    std::string_view title;        ///< for lists
    std::string_view figureTitle;  ///< shorter, for figures
    std::string_view notes;        ///< what it does, for lists
    std::string_view meaning;      ///< for the meaning of policy.preset; empty: that of the next policy
    PolicyParts parts;
    /// A bound that is a formula over the times of `sequential`, has its parts and simulates nothing of its own.
    bool isFormula = false;
    /// The policy under which a whole model simulates the collectives that belong to no GEMM.
    PolicyPreset alone = PolicyPreset::sequential;
};

/// The policies, in the order of the enumerators.
inline constexpr std::array kPolicyRows{
    PolicyRow{.word = "sequential",
              .title = "Sequential",
              .figureTitle = "Sequential",
              .notes = "GEMM, then reduce-scatter, then all-gather, each on all CUs",
              .meaning = "GEMM, then reduce-scatter, then all-gather",
              .parts = {}},
    PolicyRow{.word = "t3",
              .title = "T3",
              .figureTitle = "T3",
              .notes =
                  "reduce-scatter fused into the GEMM by tracking and triggering, near-memory updates, round robin",
              .meaning = "fused by tracking and triggering",
              .parts = partsOfT3(ArbitrationPolicy::roundRobin),
              .alone = PolicyPreset::t3},
    PolicyRow{.word = "t3-mca",
              .title = "T3-MCA",
              .figureTitle = "T3-MCA",
              .notes = "T3 with communication-aware arbitration in the memory controller",
              .meaning = "t3 with communication-aware arbitration",
              .parts = partsOfT3(ArbitrationPolicy::mca),
              .alone = PolicyPreset::t3Mca},
    PolicyRow{.word = "ideal-overlap",
              .title = "Ideal-GEMM-RS-Overlap",
              .figureTitle = "Ideal overlap",
              .notes = "sequential parts, perfectly overlapped, a formula: (G+R+A)/(max(G,R)+A) from isolated times",
              .meaning = "",
              .parts = {},
              .isFormula = true},
    PolicyRow{.word = "ideal-overlap-nmc",
              .title = "Ideal-RS+NMC",
              .figureTitle = "Ideal overlap + NMC",
              .notes = "the same formula with the reduce-scatter sped up by near-memory updates",
              .meaning = "perfect overlap of the isolated parts, a formula",
              .parts = {},
              .isFormula = true,
              .alone = PolicyPreset::t3},
    PolicyRow{.word = "cu-split",
              .title = "CU split",
              .figureTitle = "CU split",
              .notes = "GEMM and the all-reduce of as many bytes side by side on disjoint CUs, without a dependence "
                       "between them",
              .meaning = "the GEMM beside an all-reduce of other data of the same size, each on CUs of its own",
              .parts = {.start = CommunicationStart::concurrent}},
    PolicyRow{
        .word = "chunked",
        .title = "Chunked",
        .figureTitle = "Chunked",
        .notes = "the GEMM as several kernels on two queues; a collective kernel on 16 CUs takes the output of each "
                 "when it has ended",
        .meaning = "overlap in software, the GEMM as several kernels and a collective kernel that takes the output "
                   "of each",
        .parts = {.order = ProducerOrder::staggered, .start = CommunicationStart::byPiece}},
    PolicyRow{.word = "chunked-dma",
              .title = "Chunked, DMA",
              .figureTitle = "Chunked DMA",
              .notes = "the GEMM as several kernels on two queues; copies by DMA send the output of each when it has "
                       "ended, and one kernel adds what has come (collective.algorithm=direct)",
              .meaning = "the same with copies by DMA in place of the collective kernel",
              .parts = {.order = ProducerOrder::staggered,
                        .start = CommunicationStart::byPiece,
                        .by = CollectiveCarrier::dma}},
    PolicyRow{.word = "signals",
              .title = "Signals",
              .figureTitle = "Signals",
              .notes =
                  "one GEMM; a collective kernel on 16 CUs takes each tile when a signal says that it is in memory",
              .meaning = "overlap in software, one GEMM whose tiles signal a collective kernel",
              .parts = {.order = ProducerOrder::staggered,
                        .caching = OutputCaching::bypass,
                        .start = CommunicationStart::whenReady}},
};

constexpr const PolicyRow& rowOf(PolicyPreset preset) { return kPolicyRows[static_cast<std::size_t>(preset)]; }

}  // namespace engine
