#pragma once

#include "engine/api/attribution.h"
#include "engine/api/experiment.h"
#include "engine/api/problem.h"
#include "engine/api/units.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace engine {

struct Trace;

/// The times of one GPU. `overlapped` is the intersection of two intervals: that of the GEMM and that of the collective
/// which can run beside it (the reduce-scatter or all-to-all that follows it, or the all-gather that feeds it).
/// `exposedCommunication` is the end of the own work minus `gemm`; without a companion that is total - gemm.
struct TimeResult {
    Duration total;
    Duration gemm;
    Duration reduceScatter;
    Duration allGather;
    Duration overlapped;
    Duration exposedCommunication;
    Duration allToAll;
    bool operator==(const TimeResult&) const = default;
};

/// The times over all GPUs of a run whose GPUs differ: each phase lasts from the first GPU that begins it to the last
/// that ends it. The starts are counted from the beginning of the run.
struct WholeRun {
    TimeResult time;
    Duration gemmStart, scatterStart, gatherStart;
    bool operator==(const WholeRun&) const = default;
};

/// The times of each part of the sub-layer alone on the machine, as `sequential` runs it; of the reduce-scatter also
/// with NMC.
struct IsolatedTimes {
    Duration gemm;
    Duration reduceScatter;
    Duration reduceScatterNmc;
    Duration allGather;
    Duration allToAll;
    bool operator==(const IsolatedTimes&) const = default;
};

/// DRAM traffic of one GPU. Under T3 the GEMM's local updates count as `gemmWrite` and arriving updates as `rsWrite`.
struct DramResult {
    Bytes gemmRead, gemmWrite, rsRead, rsWrite, agRead, agWrite, total, a2aRead, a2aWrite;
    bool operator==(const DramResult&) const = default;
};

/// Outcomes of the bank model that can be compared with the constants of the sustained model. Absent with the sustained
/// model.
struct DramOutcome {
    /// Time on the bus at peak bandwidth / time that the service took, of plain reads and writes.
    double efficiency = 0;
    double updateCost = 0;  ///< service time of an update's bytes / of a plain request's bytes; 0 without updates
    double rowHitRate = 0;  ///< share of column accesses that hit an open row
    std::int64_t activations = 0;
    Duration turnaround;  ///< time lost when service changed between reads and writes
    Duration refresh;     ///< time lost to refreshes
    bool operator==(const DramOutcome&) const = default;
};

/// How unevenly DRAM channels are used: the bytes of the busiest channel divided by the mean of all channels. 1 if all
/// have equally many; the number of channels if one has all.
struct CampingResult {
    double camping = 0;        ///< over the run
    double campingWindow = 0;  ///< mean over windows, one after the other, of kCampingWindow requests a channel
    bool operator==(const CampingResult&) const = default;
};
inline constexpr std::int64_t kCampingWindow = 16;
/// With fewer requests a channel there is no camping: even traffic would seem uneven.
inline constexpr std::int64_t kLeastForCamping = 4;

/// Payload that one GPU sent.
struct LinkResult {
    Bytes reduceScatter, allGather, allToAll;
    bool operator==(const LinkResult&) const = default;
};

struct TrackerResult {
    std::int64_t peakEntries = 0;     ///< most workgroups held at once
    std::int64_t capacityStalls = 0;  ///< pairs of tile and source whose updates had to be held
    std::int64_t triggers = 0;
    std::int64_t updates = 0;        ///< update requests that reached memory
    Bytes heldPeak;                  ///< largest size of the receive buffer for updates that waited for a set
    std::int64_t arrivalStalls = 0;  ///< how often the arrivals of a source began to wait for room in that buffer
    bool operator==(const TrackerResult&) const = default;
};

struct DmaResult {
    std::int64_t commands = 0;
    Bytes bytes;
    std::int64_t peakQueue = 0;
    bool operator==(const DmaResult&) const = default;
};

struct LlcResult {
    Bytes hit, miss;
    double hitRate = 0;  ///< 0 if there were no requests
    bool operator==(const LlcResult&) const = default;
};

/// Lower bounds that no simulation can undercut (MODEL.md, section 4.3).
struct BoundsResult {
    Duration compute, memory, link, total;
    bool operator==(const BoundsResult&) const = default;
};

/// The network of the run.
struct NetworkResult {
    std::int64_t links = 0;  ///< directed links of the topology
    std::int64_t switches = 0;
    Bandwidth egress;                    ///< bandwidth of all links together that leave the GPU that ends last
    std::int64_t linksSharedByRing = 0;  ///< links that more than one hop of the ring uses
    std::int64_t linksOfGpu = 0;         ///< links that leave that GPU; 0 in results of older versions
    std::int64_t linksUsed = 0;          ///< those of linksOfGpu that the algorithm uses
    Bandwidth used;                      ///< bandwidth of linksUsed together
    bool operator==(const NetworkResult&) const = default;
};

/// The times and traffic of a companion (CompanionConfig) on one GPU, and the time of the own work beside it.
struct CompanionPart {
    Duration own;   ///< time until the last stage of the own work has ended
    Duration time;  ///< time until the whole companion has ended
    /// Parts of `own` and `time`: from launching its first kernel until a workgroup of it has room on a CU. 0 for DMA.
    /// Empty in results that were kept before they had it.
    std::optional<Duration> ownWaits, waits;
    Bytes dramRead, dramWritten, sent;
    /// The share, 0 to 1, that the other kernel had done when the first of the two ended, in K-steps or received bytes.
    /// Empty unless the own work is one kernel and the companion is one other kernel.
    std::optional<double> otherDone;
    bool operator==(const CompanionPart&) const = default;
};

/// The result of one GPU. The bounds `ideal-overlap*` are formulas and have times only.
struct GpuResult {
    TimeResult time;
    std::optional<DramResult> dram;
    std::optional<DramOutcome> dramOutcome;
    std::optional<CampingResult> memory;  ///< absent with one channel, and below kLeastForCamping requests a channel
    std::optional<LinkResult> link;
    std::optional<TrackerResult> tracker;
    std::optional<DmaResult> dma;
    std::optional<LlcResult> llc;
    std::optional<CompanionPart> companion;
    bool operator==(const GpuResult&) const = default;
};

/// The speed of two kernels while both were on the GPU. Let t be the end of the first, p the share that the other had
/// done by then, and T the time of a kernel alone. The slow-down is t / T for the first and t / (p T) for the other.
/// Absent if one of them waited for a CU: until it had one, the other ran by itself.
struct WhileBoth {
    Duration time;
    double ownSlowdown = 0, slowdown = 0;
    bool operator==(const WhileBoth&) const = default;
};

/// The time that the own work of a run lost to its companion, and the companion to the own work. Values of the run with
/// both are of the GPU that ends last. Values that need the times alone are absent without RunOptions::baselines.
struct CompanionResult {
    CompanionOperation operation{};
    CollectiveCarrier by{};
    std::int64_t copies = 1;
    Bytes bytes;         ///< of a collective, all chunks together, or of a pass inside memory; 0 for a GEMM
    Duration own, time;  ///< time until the own work, and until the companion, has ended
    std::optional<Duration> ownWaits, waits;  ///< as in CompanionPart
    Duration perKernel;                       ///< total / (1 + copies)
    std::optional<Duration> ownAlone;         ///< T_o: the own work on the whole GPU
    std::optional<Duration> alone;            ///< the companion with its settings, on the whole GPU
    /// T_o + T_c; T_c is the sum over all copies, and a collective is carried out by a kernel.
    std::optional<Duration> serial;
    std::optional<double> ownSlowdown, slowdown;
    std::optional<double> speedupOverSerial, idealSpeedup, fractionOfIdeal;
    std::optional<WhileBoth> whileBoth;
    Bytes dramRead, dramWritten, sent;
    bool operator==(const CompanionResult&) const = default;
};

/// The requests of an access pattern on one GPU.
struct AccessResult {
    std::int64_t requests = 0;
    Bytes bytes;
    Bandwidth bandwidth;     ///< `bytes` / time until the last request's data are back or in memory
    double shareOfPeak = 0;  ///< `bandwidth` / memory.bandwidth
    bool operator==(const AccessResult&) const = default;
};

enum class GemmBound { compute, memory };

/// Operations per second. A multiply-add counts as two operations.
struct FlopRate {
    std::int64_t flopsPerSecond = 0;
    auto operator<=>(const FlopRate&) const = default;
};

/// The own GEMM of a run: its tiles, waves and rate.
struct GemmResult {
    std::int64_t tileM = 0, tileN = 0;  ///< the tile as set, or as chosen by tiles.choice
    std::int64_t tilesTried = 0;        ///< number of tiles from which tiles.choice chose; 0 if the tile was set
    std::int64_t tiles = 0, slots = 0, waves = 0;  ///< as in WaveCount
    double tileEfficiency = 0, waveEfficiency = 0;
    /// The largest power of two, in bytes, that divides M, N and K, each times the bytes of an element.
    Bytes alignment;
    FlopRate rate;           ///< 2 M N K B / time of the GEMM
    double shareOfPeak = 0;  ///< `rate` divided by the peak of the GPU with elements of this size
    /// The side of the roofline: which of two times is longer, its operations at peak rate, or A, B and C moved once at
    /// peak bandwidth.
    GemmBound bound{};
    std::int64_t pieces = 1;  ///< kernels as which the GEMM is launched; `waves` is the sum over them
    /// What a GEMM whose collective copies carry loses (FiCCO, arXiv 2512.10236): how much longer its pieces take alone
    /// than one kernel, and how much longer again beside the copies, waits for chunks included. Absent for other
    /// policies and without baselines.
    std::optional<Duration> decomposition, contention;
    bool operator==(const GemmResult&) const = default;
};

/// GemmResult::decomposition and GemmResult::contention by cause.
struct LossByCause {
    CauseTimes decomposition;
    /// Empty if the critical path leaves the GEMM before its end, so that it does not show all of its time.
    std::optional<CauseTimes> contention;
    bool operator==(const LossByCause&) const = default;
};

struct InvariantsResult {
    std::int64_t checked = 0;
    std::vector<std::string> failed;  ///< each names the invariant and both numbers
    bool operator==(const InvariantsResult&) const = default;
};

/// The outcome of one experiment. Everything but `wallNs`, `threads`, `trace` and `path` depends on the experiment
/// only.
struct RunResult {
    Shape shape;
    GpuResult last;                               ///< the GPU that ends last, lowest index first
    std::optional<WholeRun> whole;                ///< present if it differs from `last`; read it through timesOfRun()
    std::optional<IsolatedTimes> isolated;        ///< absent for a collective alone
    std::optional<double> speedupOverSequential;  ///< absent for a collective or a GEMM alone, and with a companion
    std::optional<CompanionResult> companion;     ///< absent without one
    std::optional<GemmResult> gemm;               ///< absent for a collective alone and an access pattern
    std::optional<AccessResult> access;           ///< present for an access pattern only
    /// The time that speedupOverSequential is relative to; where GPUs differ, not the sum of the parts.
    std::optional<Duration> sequentialTotal;
    std::optional<Duration> sequentialGemm;  ///< the GEMM of the sequential run, over all GPUs: the GEMM alone
    BoundsResult bounds;
    std::optional<NetworkResult> network;  ///< absent in results of older versions
    std::vector<GpuResult> perGpu;         ///< present on request and in full mode
    InvariantsResult invariants;
    Notices notices;
    bool mirrored = true;
    std::int64_t events = 0;  ///< of this policy's run only
    std::int64_t wallNs = 0;  ///< of this policy's run only
    int threads = 1;
    std::optional<AttributionResult> attribution;  ///< present on request; the bounds have none
    std::optional<LossByCause> loss;               ///< present with attribution and GemmResult::decomposition
    std::shared_ptr<const Trace> trace;            ///< present on request
    std::shared_ptr<const CriticalPath> path;      ///< the critical path of `trace`, if both were requested
};

}  // namespace engine
