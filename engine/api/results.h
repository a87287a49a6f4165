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

/// Times of one GPU. `overlapped` is the intersection of the GEMM's interval and that of the collective which can run
/// beside it: the reduce-scatter or all-to-all that follows it, or the all-gather that feeds it.
/// `exposedCommunication` is the end of the own work - gemm: without a companion total - gemm.
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

/// The times of a run whose GPUs differ, over all of them: each phase lasts from the first GPU that begins it to the
/// last that ends it. Moments are counted from the beginning of the run.
struct WholeRun {
    TimeResult time;
    Duration gemmStart, scatterStart, gatherStart;
    bool operator==(const WholeRun&) const = default;
};

/// Each part of the sub-layer alone on the machine, as `sequential` runs it; the reduce-scatter also with NMC.
struct IsolatedTimes {
    Duration gemm;
    Duration reduceScatter;
    Duration reduceScatterNmc;
    Duration allGather;
    Duration allToAll;
    bool operator==(const IsolatedTimes&) const = default;
};

/// DRAM traffic of one GPU. Under T3 the GEMM's local updates are `gemmWrite`, arriving updates `rsWrite`.
struct DramResult {
    Bytes gemmRead, gemmWrite, rsRead, rsWrite, agRead, agWrite, total, a2aRead, a2aWrite;
    bool operator==(const DramResult&) const = default;
};

/// What the bank model came to, to be compared with the constants of the sustained model. Absent under that.
struct DramOutcome {
    double efficiency = 0;  ///< time on the bus at peak bandwidth / time that service took, plain reads and writes
    double updateCost = 0;  ///< service time of an update's bytes / of a plain request's bytes; 0 without updates
    double rowHitRate = 0;  ///< of column accesses
    std::int64_t activations = 0;
    Duration turnaround;  ///< lost between reads and writes
    Duration refresh;     ///< lost to refreshes
    bool operator==(const DramOutcome&) const = default;
};

/// Payload that left one GPU.
struct LinkResult {
    Bytes reduceScatter, allGather, allToAll;
    bool operator==(const LinkResult&) const = default;
};

struct TrackerResult {
    std::int64_t peakEntries = 0;     ///< workgroups held at once
    std::int64_t capacityStalls = 0;  ///< held pairs of tile and source
    std::int64_t triggers = 0;
    std::int64_t updates = 0;        ///< update requests that landed
    Bytes heldPeak;                  ///< receive buffer for updates that had to wait for a set
    std::int64_t arrivalStalls = 0;  ///< times at which a source's arrivals began to wait for room in that buffer
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
    double hitRate = 0;  ///< 0 when nothing was asked for
    bool operator==(const LlcResult&) const = default;
};

/// No simulation can be faster than these (model.md, section 4.3).
struct BoundsResult {
    Duration compute, memory, link, total;
    bool operator==(const BoundsResult&) const = default;
};

/// How the GPUs of the run were joined.
struct NetworkResult {
    std::int64_t links = 0;  ///< directed ones
    std::int64_t switches = 0;
    Bandwidth egress;                    ///< all links that leave the GPU that ends last, together
    std::int64_t linksSharedByRing = 0;  ///< that more than one hop of the ring takes
    std::int64_t linksOfGpu = 0;         ///< that leave that GPU; 0 in results of older versions
    std::int64_t linksUsed = 0;          ///< those of them that the algorithm sends on
    Bandwidth used;                      ///< what these carry together
    bool operator==(const NetworkResult&) const = default;
};

/// What one GPU knows of a companion (CompanionConfig) and of the own work beside it.
struct CompanionPart {
    Duration own;   ///< until the last stage of the own work has ended
    Duration time;  ///< until all of the companion has
    Bytes dramRead, dramWritten, sent;
    /// What the other had done when the first of the two kernels ended: K-steps or received bytes, 0 to 1. Nothing unless the
    /// own work is one kernel and the companion another one.
    std::optional<double> otherDone;
    bool operator==(const CompanionPart&) const = default;
};

/// What one GPU did. The bounds `ideal-overlap*` are formulas and have times only.
struct GpuResult {
    TimeResult time;
    std::optional<DramResult> dram;
    std::optional<DramOutcome> dramOutcome;
    std::optional<LinkResult> link;
    std::optional<TrackerResult> tracker;
    std::optional<DmaResult> dma;
    std::optional<LlcResult> llc;
    std::optional<CompanionPart> companion;
    bool operator==(const GpuResult&) const = default;
};

/// How fast two kernels ran while both were on the GPU: t is the end of the first, p the share that the other had done by
/// then; slow-downs are t / T of the first and t / (p T) of the other, T the time alone.
struct WhileBoth {
    Duration time;
    double ownSlowdown = 0, slowdown = 0;
    bool operator==(const WhileBoth&) const = default;
};

/// What the work of a run lost to its companion, and the companion to it. What is told in company is of the GPU that ends
/// last; what needs the times alone is absent without RunOptions::baselines.
struct CompanionResult {
    CompanionOperation operation{};
    CompanionCarrier by{};
    std::int64_t copies = 1;
    Bytes bytes;                       ///< of a collective, all chunks together; 0 for a GEMM
    Duration own, time;                ///< until the own work and until the companion has ended
    Duration perKernel;                ///< total / (1 + copies)
    std::optional<Duration> ownAlone;  ///< T_o: the own work on the whole GPU
    std::optional<Duration> alone;     ///< the companion as it is set, on the whole GPU
    std::optional<Duration> serial;    ///< T_o + T_c, where T_c counts each copy and a collective is a kernel
    std::optional<double> ownSlowdown, slowdown;
    std::optional<double> speedupOverSerial, idealSpeedup, fractionOfIdeal;
    std::optional<WhileBoth> whileBoth;
    Bytes dramRead, dramWritten, sent;
    bool operator==(const CompanionResult&) const = default;
};

enum class GemmBound { compute, memory };

/// Operations per second; a multiply-add counts as two.
struct FlopRate {
    std::int64_t flopsPerSecond = 0;
    auto operator<=>(const FlopRate&) const = default;
};

/// The own GEMM of a run as its library and its GPU see it.
struct GemmResult {
    std::int64_t tileM = 0, tileN = 0;             ///< as set, or as tiles.choice=best has chosen
    std::int64_t tilesTried = 0;                   ///< from which tiles.choice=best has chosen; 0 where it was set
    std::int64_t tiles = 0, slots = 0, waves = 0;  ///< as WaveCount has them
    double tileEfficiency = 0, waveEfficiency = 0;
    Bytes alignment;         ///< the largest power of two of bytes that divides M, N and K, each times an element
    FlopRate rate;           ///< 2 M N K B / time of the GEMM
    double shareOfPeak = 0;  ///< that, divided by the peak of the GPU with elements of this size
    GemmBound bound{};  ///< the longer of its operations at peak rate and of A, B and C moved once at peak bandwidth
    bool operator==(const GemmResult&) const = default;
};

struct InvariantsResult {
    std::int64_t checked = 0;
    std::vector<std::string> failed;  ///< each names the invariant and both numbers
    bool operator==(const InvariantsResult&) const = default;
};

/// The outcome of one experiment. Everything but `wallNs`, `threads`, `trace` and `path` is a function of the experiment.
struct RunResult {
    Shape shape;
    GpuResult last;                               ///< the GPU that ends last, lowest index first
    std::optional<WholeRun> whole;                ///< where it differs from `last`; read it through timesOfRun()
    std::optional<IsolatedTimes> isolated;        ///< absent for a collective alone
    std::optional<double> speedupOverSequential;  ///< absent for a collective or a GEMM alone, and with a companion
    std::optional<CompanionResult> companion;     ///< absent without one
    std::optional<GemmResult> gemm;               ///< absent for a collective alone
    std::optional<Duration> sequentialTotal;  ///< what that is a ratio of; where GPUs differ not the sum of the parts
    std::optional<Duration> sequentialGemm;   ///< the GEMM of that run, over all GPUs: the GEMM alone
    BoundsResult bounds;
    std::optional<NetworkResult> network;  ///< absent in results of older versions
    std::vector<GpuResult> perGpu;         ///< on request and in full mode
    InvariantsResult invariants;
    Notices notices;
    bool mirrored = true;
    std::int64_t events = 0;  ///< of this policy's run only
    std::int64_t wallNs = 0;  ///< of this policy's run only
    int threads = 1;
    std::optional<AttributionResult> attribution;  ///< when it was asked for; the bounds have none
    std::shared_ptr<const Trace> trace;            ///< when it was asked for
    std::shared_ptr<const CriticalPath> path;      ///< of `trace`, when both were asked for
};

}  // namespace engine
