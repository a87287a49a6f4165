#pragma once

#include "engine/api/arbitration_policy.h"
#include "engine/api/collective_algorithm.h"
#include "engine/api/problem.h"
#include "engine/api/units.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace engine {

/// What is simulated: one of the four sub-layers with the collective that belongs to it, a collective alone, or a GEMM of
/// its own on each GPU.
enum class SubLayer { op, fc2, fc1, ip, reduceScatter, allGather, allReduce, allToAll, gemm };

/// The feed-forward part of a layer: two matrices, or three with a gate that is multiplied in.
enum class Mlp { plain, gated };

enum class PolicyPreset { sequential, t3, t3Mca, idealOverlap, idealOverlapNmc, cuSplit };
enum class ProducerOrder { plain, staggered };
enum class OutputMapping { local, remoteDma };
enum class OutputCaching { allocate, bypass };
enum class CommunicationStart { afterGemm, whenReady, concurrent };
enum class Reduction { cu, nmc };
enum class StoreOrder { inOrder, readsFirst, writeDrain };
enum class WriteBack { eager, atEnd };
/// What limits the workgroups that are resident on a CU: its registers, or a number given by hand.
enum class Residency { registers, slots };
enum class DramModel { sustained, banks };
/// What follows a sub-layer's GEMM, or precedes it: an all-gather feeds a GEMM that consumes its result.
enum class CollectiveOperation { allReduce, reduceScatter, allToAll, allGather };
enum class TopologyKind { ring, fullyConnected, switched, torus, twoNodes, custom };
enum class TopologyEgress { perLink, shared };
enum class DetailLevel { interactive, standard, fine };
enum class DetailMode { automatic, mirrored, full };
/// The order in which a stage works on its micro-batches: one forward, one backward, or all forward passes first (GPipe).
enum class PipelineSchedule { oneForwardOneBackward, allForward };
/// What is dealt out over the replicas, each with what stands before it: ZeRO stages 0 to 3.
enum class Sharding { none, optimizer, gradients, weights };
/// Attention as one kernel, or scores, softmax and value as operators of their own.
enum class AttentionOperators { fused, separate };
enum class Dropout { off, on };
/// What the backward pass computes again instead of keeping it; each includes those before it.
enum class Recompute { none, gathers, attention, layer };
enum class OptimizerKind { adam, momentum, sgd, lamb };
/// Who chooses the tile of the own GEMM: a person, or a search over the tiles of engine/api/tile_choice.h.
enum class TileChoice { fixed, best };
/// What a tile at the edge of the output costs: `real`, what exists of it; `full`, as much as a whole one. Automatic:
/// full for GEMMs alone (SubLayer::gemm and companions), real for sub-layers of models.
enum class TilePadding { automatic, real, full };
/// What runs beside the experiment's own work on each GPU and does not depend on it.
enum class CompanionOperation { none, allGather, reduceScatter, allReduce, allToAll, gemm };
/// What carries a companion's collective: a kernel on CUs, or DMA engines with a tracker of their own.
enum class CompanionCarrier { kernel, dma };
/// Which kernel's workgroup gets the next room on a CU. Automatic: reserved where policy.start=concurrent, else in-order.
enum class DispatchRule { automatic, inOrder, companionFirst, roundRobin, reserved };
/// Whose count of bytes for weights, gradients and buffers applies: ZeRO's, Megatron-LM's or DeepSpeed's estimators'.
enum class Accounting { zero, megatron, deepspeed };

struct WorkloadConfig {
    std::string model = "t-nlg";
    SubLayer sublayer = SubLayer::fc2;
    std::int64_t hidden = 4256;    ///< H
    std::int64_t sequence = 1024;  ///< tokens of one sequence
    std::int64_t batch = 8;        ///< sequences; M = sequence x batch
    std::int64_t layers = 78;
    std::optional<std::int64_t> heads;        ///< of the queries; nothing: one for each 128 of H
    std::optional<std::int64_t> kvHeads;      ///< of keys and values; nothing: as many
    std::optional<std::int64_t> headSize;     ///< nothing: H/heads, so that queries are as wide as H
    std::optional<std::int64_t> feedForward;  ///< width between the matrices of the feed-forward part; nothing: 4H
    Mlp mlp = Mlp::plain;
    std::int64_t vocabulary = 51200;
    std::int64_t experts = 1;          ///< feed-forward parts to choose from; 1: dense
    std::int64_t expertsPerToken = 1;  ///< chosen by each token
    Bytes bytes{64 * 1024 * 1024};     ///< output of a collective alone; unused by the sub-layers
    bool operator==(const WorkloadConfig&) const = default;
};

struct ParallelConfig {
    std::int64_t tp = 8;  ///< GPUs in the tensor-parallel group, N; 1 for whole models only
    bool operator==(const ParallelConfig&) const = default;
};

/// How a model is dealt out over GPUs besides parallel.tp: GPUs = tp x dp x pp. A run of a sub-layer reads none of it.
struct DivisionConfig {
    std::int64_t dp = 1;            ///< replicas, d
    std::int64_t pp = 1;            ///< stages of the pipeline, p
    std::int64_t microbatches = 1;  ///< of one replica in one step, m; each is workload.batch sequences
    PipelineSchedule schedule = PipelineSchedule::oneForwardOneBackward;
    std::int64_t interleave = 1;  ///< chunks of layers of one stage, v
    Sharding sharding = Sharding::none;
    std::int64_t bucket = 500'000'000;    ///< elements of one data-parallel message
    std::optional<std::int64_t> weights;  ///< of a model known by that number alone; nothing: the model's
    bool operator==(const DivisionConfig&) const = default;
};

/// Which operators a layer of a whole model has, and which of them the backward pass repeats.
struct OperatorsConfig {
    AttentionOperators attention = AttentionOperators::fused;
    Dropout dropout = Dropout::off;
    Recompute recompute = Recompute::none;
    std::int64_t elementBits = 16;              ///< of activations, weights and gradients: 8, 16 or 32
    std::optional<std::int64_t> embeddingRows;  ///< what the rows on each GPU are a multiple of; nothing: the model's
    bool operator==(const OperatorsConfig&) const = default;
};

struct TrainingConfig {
    OptimizerKind optimizer = OptimizerKind::adam;
    Accounting accounting = Accounting::zero;
    bool operator==(const TrainingConfig&) const = default;
};

struct NodeConfig {
    std::int64_t gpus = 8;
    std::optional<Bytes> memory;  ///< capacity of one GPU; nothing: unlimited
    bool operator==(const NodeConfig&) const = default;
};

/// The GEMM of SubLayer::gemm, on each GPU.
struct MatrixConfig {
    std::int64_t m = 4096;
    std::int64_t n = 4096;
    std::int64_t k = 4096;
    std::int64_t batch = 1;  ///< independent GEMMs of these sides in one kernel
    bool operator==(const MatrixConfig&) const = default;
};

/// Independent work that begins with the experiment's own.
struct CompanionConfig {
    CompanionOperation operation = CompanionOperation::none;
    Bytes bytes = 64_MiB;           ///< of a collective, all chunks together
    std::optional<std::int64_t> m;  ///< of a GEMM; nothing, here and in the next five: as the own GEMM
    std::optional<std::int64_t> n;
    std::optional<std::int64_t> k;
    std::optional<std::int64_t> tileM;
    std::optional<std::int64_t> tileN;
    std::optional<std::int64_t> slots;  ///< workgroups that fill one CU
    std::int64_t copies = 1;            ///< of a GEMM; each is a kernel
    CompanionCarrier by = CompanionCarrier::kernel;
    std::int64_t workgroups = 16;         ///< of a collective kernel; each takes a whole CU
    std::optional<Bytes> window = 1_MiB;  ///< read and not yet departed; nothing: unlimited
    Duration issue{};                     ///< the host's time for one DMA copy
    bool operator==(const CompanionConfig&) const = default;
};

struct DispatchConfig {
    DispatchRule rule = DispatchRule::automatic;
    std::optional<std::int64_t> reserved;  ///< CUs for collectives; nothing: as many as the kernel has workgroups
    bool operator==(const DispatchConfig&) const = default;
};

struct LaunchConfig {
    Duration kernel{};  ///< from handing over a kernel to its first workgroup
    bool operator==(const LaunchConfig&) const = default;
};

struct GemmConfig {
    std::int64_t tileM = 256;
    std::int64_t tileN = 128;
    std::int64_t kStep = 32;     ///< elements of K in one step
    std::int64_t prefetch = 64;  ///< elements of K whose loads may be outstanding
    Duration epilogue = 1_us;
    std::int64_t group = 4;  ///< tile rows that workgroups walk together, column by column; 1: row after row
    bool operator==(const GemmConfig&) const = default;
};

struct TilesConfig {
    TileChoice choice = TileChoice::fixed;
    TilePadding padding = TilePadding::automatic;
    bool operator==(const TilesConfig&) const = default;
};

struct CuConfig {
    std::int64_t count = 80;
    Frequency clock = 1400_MHz;
    std::int64_t flopsPerCycle = 1024;  ///< of one CU, with elements of 16 bits
    double rate32 = 0.25;               ///< of elements of 32 bits, relative to those of 16
    double rate8 = 1;                   ///< of elements of 8 bits, likewise
    Residency residency = Residency::registers;
    Bytes registers = 256_KiB;  ///< vector registers of one CU; read with Residency::registers
    std::int64_t slots = 2;     ///< workgroups resident on one CU; read with Residency::slots
    double tensorEfficiency = 0.88;
    Duration startJitter = 1_us;
    bool operator==(const CuConfig&) const = default;
};

struct LlcConfig {
    Bytes size = 16_MiB;
    Duration latency = 250_ns;
    WriteBack writeBack = WriteBack::eager;
    /// Bytes in the compute streams, all channels together, above which a hit waits for its turn; nothing: never.
    std::optional<Bytes> queue = 128_KiB;
    bool operator==(const LlcConfig&) const = default;
};

struct MemoryConfig {
    Bandwidth bandwidth = 1000_GBps;
    double efficiency = 0.75;
    Duration latency = 300_ns;
    double updateCost = 1.4;                   ///< service time of an update, in writes
    std::optional<double> arrivingUpdateCost;  ///< the same for updates from the link; nothing: alike
    Bytes queue = 64_KiB;                      ///< DRAM queue, all channels together
    StoreOrder storeOrder = StoreOrder::inOrder;
    Bytes writeDrainHigh = 256_KiB;  ///< stores waiting, all channels together, that start a drain (write-drain)
    Bytes writeDrainLow = 64_KiB;    ///< and that end it
    DramModel model = DramModel::sustained;
    Duration turnaround{};  ///< when service changes between reads and writes
    bool operator==(const MemoryConfig&) const = default;
};

/// The banks behind one channel, used when `memory.model` is `banks`: then efficiency, update cost and turnaround are
/// outcomes of these, and the constants of MemoryConfig are not read. Times of HBM2.
struct DramConfig {
    std::int64_t pseudoChannels = 64;  ///< of one GPU, all channels together; those of one channel work in step
    std::int64_t bankGroups = 4;
    std::int64_t banksPerGroup = 4;
    Bytes row = 1_KiB;                   ///< of one bank of one pseudo-channel
    Bytes burst = 32_B;                  ///< of one column access; back to back in different groups it fills the bus
    Bytes groupRun = 256_B;              ///< consecutive bytes of one pseudo-channel that lie in one bank group
    Duration columnDelay = 4_ns;         ///< tCCD_L, between column accesses of one group
    Duration updateColumnDelay = 8_ns;   ///< the same after an op-and-store update
    Duration activate = 14_ns;           ///< tRCD
    Duration precharge = 14_ns;          ///< tRP
    Duration writeRecovery = 16_ns;      ///< tWR, from the last write or update of a row to its precharge
    Duration writeToRead = 8_ns;         ///< tWTR
    Duration readToWrite = 4_ns;         ///< bus turnaround
    Duration refreshInterval = 3900_ns;  ///< tREFI
    Duration refreshTime = 260_ns;       ///< tRFC, all banks
    bool operator==(const DramConfig&) const = default;
};

/// MCA's limit on the DRAM queue under which communication may be served.
struct ArbitrationThreshold {
    enum class Kind { automatic, none, bytes };
    Kind kind = Kind::automatic;
    Bytes bytes{};  ///< all channels together; meaningful for Kind::bytes
    bool operator==(const ArbitrationThreshold&) const = default;
};

struct ArbitrationConfig {
    ArbitrationPolicy policy = ArbitrationPolicy::mca;
    std::int64_t share = 4;     ///< turns of communication to one turn of compute
    std::optional<Bytes> turn;  ///< nothing: one granule
    ArbitrationThreshold threshold;
    Duration starvationLimit = 500_ns;
    bool operator==(const ArbitrationConfig&) const = default;
};

struct TrackerConfig {
    std::int64_t entries = 256;  ///< sets
    std::int64_t ways = 1;
    std::optional<Bytes> heldBytes;  ///< of updates without a set that a GPU can hold; nothing: unlimited
    std::int64_t wfPerWg = 8;
    Duration triggerLatency = 20_ns;
    bool operator==(const TrackerConfig&) const = default;
};

struct DmaConfig {
    std::int64_t engines = 1;
    std::int64_t blockTiles = 4;
    std::optional<Bytes> window;  ///< bytes in flight of one engine; nothing: unlimited
    Duration startupLatency = 100_ns;
    bool operator==(const DmaConfig&) const = default;
};

struct LinkConfig {
    Bandwidth bandwidth = 150_GBps;  ///< per direction
    Duration latency = 500_ns;
    std::optional<Bytes> packet;  ///< nothing: one granule
    Bytes header{};
    bool operator==(const LinkConfig&) const = default;
};

/// How many CUs a collective kernel runs on: as many as suit the policy, all of the GPU's, or a number.
struct CollectiveCus {
    enum class Kind { automatic, all, number };
    Kind kind = Kind::automatic;
    std::int64_t number = 0;  ///< meaningful for Kind::number

    CollectiveCus() = default;
    CollectiveCus(std::int64_t count)  // NOLINT(google-explicit-constructor): a number of CUs is one
        : kind(Kind::number), number(count) {}
    static CollectiveCus all() {
        CollectiveCus cus;
        cus.kind = Kind::all;
        return cus;
    }
    bool operator==(const CollectiveCus&) const = default;
};

struct CollectiveConfig {
    CollectiveOperation operation = CollectiveOperation::allReduce;
    CollectiveAlgorithm algorithm = CollectiveAlgorithm::ring;
    Reduction reduction = Reduction::nmc;
    CollectiveCus cuCount;                                             ///< resolved by collectiveCus()
    std::optional<Bandwidth> cuBandwidth = Bandwidth{13'300'000'000};  ///< of one CU; nothing: unlimited
    Duration startLatency{};
    bool operator==(const CollectiveConfig&) const = default;
};

struct TopologyConfig {
    TopologyKind kind = TopologyKind::ring;
    TopologyEgress egress = TopologyEgress::perLink;
    std::optional<std::int64_t> torusColumns;  ///< nothing: the most square shape
    Bandwidth nodeBandwidth = 50_GBps;         ///< of a link between two nodes, per direction
    Duration nodeLatency = 2_us;               ///< of such a link
    std::string links = "none";                ///< of a custom topology; engine/api/topology.h has the form
    bool operator==(const TopologyConfig&) const = default;
};

/// The parts of a policy that are not components of their own. `arbitration.policy` and
/// `collective.reduction` belong to it as well, but live with the component they steer.
struct PolicyConfig {
    PolicyPreset preset = PolicyPreset::t3Mca;
    ProducerOrder order = ProducerOrder::staggered;
    OutputMapping mapping = OutputMapping::remoteDma;
    OutputCaching outputCaching = OutputCaching::bypass;
    CommunicationStart start = CommunicationStart::whenReady;
    bool operator==(const PolicyConfig&) const = default;
};

/// What makes GPUs or links differ. With any of these set all GPUs are simulated.
struct VariationConfig {
    std::optional<std::int64_t> gpu;  ///< the GPU that the next four concern; nothing: none
    double linkFactor = 1;            ///< its outgoing links' bandwidth, times the others'
    double clockFactor = 1;           ///< its compute units' clock, times the others'
    Duration startSkew{};             ///< how much later it begins
    Bandwidth backgroundTraffic{};    ///< reads of something else on it, in the compute stream, until it has ended
    Duration jitter{};                ///< of each workgroup's start, drawn for each GPU apart
    bool operator==(const VariationConfig&) const = default;

    bool any() const { return *this != VariationConfig{}; }
};

struct DetailConfig {
    DetailLevel level = DetailLevel::standard;
    Bytes granule = 4_KiB;
    std::int64_t channels = 8;
    DetailMode mode = DetailMode::automatic;
    bool operator==(const DetailConfig&) const = default;
};

/// Every setting of one run, after presets have been expanded. A value: copy it, compare it, keep it.
/// The same experiment gives the same result, bit for bit.
struct Experiment {
    std::string machine = "t3-table-1";
    WorkloadConfig workload;
    MatrixConfig matrix;
    CompanionConfig companion;
    ParallelConfig parallel;
    DivisionConfig division;
    OperatorsConfig operators;
    TrainingConfig training;
    NodeConfig node;
    GemmConfig gemm;
    TilesConfig tiles;
    CuConfig cu;
    DispatchConfig dispatch;
    LaunchConfig launch;
    LlcConfig llc;
    MemoryConfig memory;
    DramConfig dram;
    ArbitrationConfig arbitration;
    TrackerConfig tracker;
    DmaConfig dma;
    LinkConfig link;
    CollectiveConfig collective;
    TopologyConfig topology;
    PolicyConfig policy;
    VariationConfig variation;
    DetailConfig detail;
    std::int64_t seed = 1;
    bool operator==(const Experiment&) const = default;
};

/// True for a collective without a GEMM.
bool isCollectiveAlone(SubLayer sublayer);

/// True for a sub-layer of a model, whose shape follows from the model's: neither a collective alone nor a GEMM of its own.
bool isPartOfModel(SubLayer sublayer);

/// True where something runs beside the experiment's own work.
bool hasCompanion(const Experiment& experiment);

/// True where the companion is a collective.
bool hasCompanionCollective(const Experiment& experiment);

/// The rule of dispatch with `automatic` resolved.
DispatchRule dispatchRuleOf(const Experiment& experiment);

/// Returns the CUs that take workgroups of collectives only, the last ones of the GPU; 0 unless the rule is `reserved`.
std::int64_t reservedCus(const Experiment& experiment);

/// True where the sub-layer's GEMM waits for an all-gather instead of producing what is reduced.
bool consumesAllGather(const Experiment& experiment);

/// Attention heads of the queries, one for each 128 of H unless they are set.
std::int64_t queryHeads(const WorkloadConfig& workload);

/// Columns of all query heads together, H unless heads have a size of their own; of all key heads; and of the
/// feed-forward part.
std::int64_t queryWidth(const WorkloadConfig& workload);
std::int64_t keyWidth(const WorkloadConfig& workload);
std::int64_t feedForwardWidth(const WorkloadConfig& workload);

/// The side of the sub-layer's matrix that is sliced over the GPUs, before slicing: for op the queries' width (H), for
/// fc-2 the feed-forward width (4H), for fc-1 that, twice with a gate, for ip the width of queries, keys and values (3H);
/// in brackets without anything set. K where the output is reduced, N where the input is gathered. 0 for a collective
/// alone.
std::int64_t slicedSide(const WorkloadConfig& workload);

/// Returns the bytes of one element of the matrices: 1, 2 or 4.
std::int64_t elementBytes(const Experiment& experiment);

/// Returns what of operators.* a run of the engine reads, the size of an element, and defaults for the rest.
OperatorsConfig operatorsOfRun(const Experiment& experiment);

/// Returns how fast a CU computes with elements of operators.element_bits, relative to 16 bits: 1, cu.rate_8 or
/// cu.rate_32.
double elementRate(const Experiment& experiment);

/// Returns the operations per second of one CU with elements of operators.element_bits, without cu.tensor_efficiency. A
/// rate that leaves 63 bits, which no valid experiment has, is the highest that does not.
std::int64_t peakFlopsOfCu(const Experiment& experiment);

/// Returns whether a tile at the edge of the own GEMM's output costs as much as a whole one: tiles.padding with
/// `automatic` resolved.
bool paysFullTiles(const Experiment& experiment);

/// The same of a companion GEMM, whatever work is beside it.
bool companionPaysFullTiles(const Experiment& experiment);

/// Returns how many workgroups are resident on one CU, 1 to 64. By registers: as many as have room there for the fp32
/// accumulators of their tile and for the operands of one K-step on their way to local memory.
std::int64_t residentWorkgroups(const Experiment& experiment);

/// Returns the number of CUs that a collective kernel runs on. An automatic number is 16 where the kernel runs beside
/// the GEMM (policy.start=concurrent), else all CUs.
std::int64_t collectiveCus(const Experiment& experiment);

/// Sets every part that `preset` stands for (order, mapping, caching, start, reduction, arbitration)
/// and the preset's name, and nothing else. The ideal bounds have the parts of `sequential`: they are formulas over its
/// times.
void applyPolicyPreset(Experiment& experiment, PolicyPreset preset);

/// True for the bounds that are formulas over the times of `sequential` and simulate nothing of their own.
bool isIdeal(PolicyPreset preset);

/// The settings that GPU `gpu` runs with: the experiment's, with its own link and clock.
Experiment asOnGpu(const Experiment& experiment, std::int64_t gpu);

/// Sets granule and channels of a detail level, and the level's name.
void applyDetailLevel(Experiment& experiment, DetailLevel level);

/// What the workload comes to once it is cut into tiles and chunks. Where a GEMM consumes an all-gather the bytes are those
/// of its gathered input, the tiles those of its output.
/// For a collective alone m, n and k are 0 and tiles counts slabs of one macro-tile's bytes.
struct Shape {
    std::int64_t m = 0;
    std::int64_t n = 0;
    std::int64_t k = 0;
    std::int64_t batch = 1;  ///< of SubLayer::gemm: GEMMs of these sides
    std::int64_t tiles = 0;
    Bytes outputBytes;
    std::vector<Bytes> chunkBytes;  ///< one for each GPU
    bool operator==(const Shape&) const = default;
};

/// Every problem of the experiment, in table order; empty when it can be run.
/// Checks each value against the parameter table first, then what only holds between values
/// (TP divides K, at least one tile a GPU, parts of the policy that exclude each other, memory needed).
/// Never allocates in proportion to a value it has not checked.
Problems validate(const Experiment& experiment);

/// Precondition: `validate(experiment)` is empty.
Shape shapeOf(const Experiment& experiment);

}  // namespace engine
