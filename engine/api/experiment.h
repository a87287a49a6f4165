#pragma once

#include "engine/api/collective_algorithm.h"
#include "engine/api/policy_preset.h"
#include "engine/api/problem.h"
#include "engine/api/units.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace engine {

/// The work that is simulated: one of a Transformer layer's four sub-layers with the collective that belongs to it, a
/// collective alone, a GEMM alone on each GPU, or an access pattern, which is requests to the memory of one GPU and
/// nothing else.
enum class SubLayer { op, fc2, fc1, ip, reduceScatter, allGather, allReduce, allToAll, gemm, access };

/// Which addresses an access pattern has: turns at a distance from each other, turns at random places, or those of a
/// request file.
enum class AccessPatternKind { stride, random, trace };

/// The feed-forward part of a layer: two matrices, or three if the output of one is a gate multiplied into another's.
enum class Mlp { plain, gated };

enum class StoreOrder { inOrder, readsFirst, writeDrain };
enum class WriteBack { eager, atEnd };
/// The limit on the number of workgroups that are resident on a CU: the registers they need, or a number set by the
/// user.
enum class Residency { registers, slots };
enum class DramModel { sustained, banks };
/// The collective that follows a sub-layer's GEMM, or that precedes it: an all-gather feeds a GEMM that consumes its
/// result.
enum class CollectiveOperation { allReduce, reduceScatter, allToAll, allGather };
enum class TopologyKind { ring, fullyConnected, switched, torus, twoNodes, custom };
enum class TopologyEgress { perLink, shared };
enum class DetailLevel { interactive, standard, fine };
enum class DetailMode { automatic, mirrored, full };
/// The order in which a pipeline stage works on its micro-batches: one forward, one backward (1F1B), or all forward
/// passes first (GPipe); weight gradients in a pass of their own, which fills gaps (ZB-H1); or gradients of an earlier
/// mini-batch for each module (Ouroboros), with a barrier between forward and backward passes or without.
enum class PipelineSchedule { oneForwardOneBackward, allForward, zeroBubbleH1, delayed, delayedPipelined };
/// The model states that the data-parallel replicas divide instead of each holding a copy. Each value includes the
/// values before it: ZeRO stages 0 to 3.
enum class Sharding { none, optimizer, gradients, weights };
/// Whether attention is one kernel, or scores, softmax and value are separate operators.
enum class AttentionOperators { fused, separate };
enum class Dropout { off, on };
/// The results that the backward pass recomputes instead of reading stored ones. Each value includes the values before
/// it.
enum class Recompute { none, gathers, attention, layer };
enum class OptimizerKind { adam, momentum, sgd, lamb };
/// Who chooses the tile of the experiment's own GEMM: the user, or a search over the tiles of engine/api/tile_choice.h
/// for the one that is fastest alone (`best`) or beside the companion's GEMMs (`shared`). Automatic: a search for the
/// best on machines that state the bandwidth of their cache.
enum class TileChoice { automatic, fixed, best, shared };
/// The cost of a tile at the edge of the output: `real`, only the part that exists; `full`, as much as a whole tile.
/// Automatic: full for GEMMs alone (SubLayer::gemm and companions), real for sub-layers of models.
enum class TilePadding { automatic, real, full };
/// When the copies of the weights in other formats (training.copies) are made: they are kept, or made from the weights
/// just before a layer needs them.
enum class Quantise { stored, justInTime };
/// The companion: work that runs beside the experiment's own work on each GPU and does not depend on it. `inMemory`: a
/// pass inside memory, see PassConfig.
enum class CompanionOperation { none, allGather, reduceScatter, allReduce, allToAll, gemm, inMemory };
/// The rule that chooses whose workgroup gets the next room on a CU. Automatic: reserved where a collective kernel
/// of the own work runs beside the GEMM (hasKernelBesideGemm), otherwise in-order.
enum class DispatchRule { automatic, inOrder, companionFirst, roundRobin, reserved };
/// The convention for the bytes of weights, gradients and buffers: ZeRO's, Megatron-LM's or that of DeepSpeed's memory
/// estimators.
enum class Accounting { zero, megatron, deepspeed };

struct WorkloadConfig {
    std::string model = "t-nlg";
    SubLayer sublayer = SubLayer::fc2;
    std::int64_t hidden = 4256;    ///< H
    std::int64_t sequence = 1024;  ///< tokens of one sequence
    std::int64_t batch = 8;        ///< sequences; M = sequence x batch
    std::int64_t layers = 78;
    std::optional<std::int64_t> heads;        ///< heads of the queries; empty: one for each 128 of H
    std::optional<std::int64_t> kvHeads;      ///< heads of keys and values; empty: as many as of the queries
    std::optional<std::int64_t> headSize;     ///< empty: H/heads, so that the queries together are as wide as H
    std::optional<std::int64_t> feedForward;  ///< width between the feed-forward part's matrices; empty: 4H
    Mlp mlp = Mlp::plain;
    std::int64_t vocabulary = 51200;
    std::int64_t experts = 1;          ///< feed-forward parts (mixture of experts); 1: dense
    std::int64_t expertsPerToken = 1;  ///< feed-forward parts that each token passes through
    Bytes bytes{64 * 1024 * 1024};     ///< buffer of a collective alone; the sub-layers do not read it
    std::string network = "none";      ///< operators of a model that is no Transformer; MODEL.md describes the text
    std::string symbols = "none";      ///< "NAME=EXPRESSION, …": values that replace those of the network
    bool operator==(const WorkloadConfig&) const = default;
};

struct ParallelConfig {
    std::int64_t tp = 8;  ///< GPUs in the tensor-parallel group, N; 1 for whole models only
    bool operator==(const ParallelConfig&) const = default;
};

/// How a model is divided over GPUs besides parallel.tp: GPUs = tp x dp x pp. A run of a sub-layer does not read it.
struct DivisionConfig {
    std::int64_t dp = 1;  ///< data-parallel replicas, d
    std::int64_t pp = 1;  ///< pipeline stages, p
    /// Micro-batches of one replica in one training step, m; each has workload.batch sequences.
    std::int64_t microbatches = 1;
    PipelineSchedule schedule = PipelineSchedule::oneForwardOneBackward;
    std::int64_t interleave = 1;  ///< chunks of layers that each stage has, v (interleaved schedule)
    Sharding sharding = Sharding::none;
    std::int64_t bucket = 500'000'000;  ///< elements of one data-parallel message
    /// Weights of a model of which only this number is known; empty: they follow from the model.
    std::optional<std::int64_t> weights;
    bool operator==(const DivisionConfig&) const = default;
};

/// How operators and messages of a whole model overlap outside the runs of their sub-layers.
struct StepConfig {
    /// W: of the operators of a layer, in their order, the first W unfinished ones may run; empty: all.
    std::optional<std::int64_t> lookahead = 1;
    bool operator==(const StepConfig&) const = default;
};

/// Which operators a layer of a whole model has, and which of them the backward pass recomputes.
struct OperatorsConfig {
    AttentionOperators attention = AttentionOperators::fused;
    Dropout dropout = Dropout::off;
    Recompute recompute = Recompute::none;
    double passes = 1;              ///< how often element-wise operators of activations move their bytes
    std::int64_t elementBits = 16;  ///< of activations, weights and gradients: 8, 16 or 32
    /// The embedding gets unused rows until each GPU's part is a multiple of this; empty: as many rows as the model
    /// has.
    std::optional<std::int64_t> embeddingRows;
    bool operator==(const OperatorsConfig&) const = default;
};

struct TrainingConfig {
    OptimizerKind optimizer = OptimizerKind::adam;
    Accounting accounting = Accounting::zero;
    std::string copies = "none";  ///< of the weights in other formats; engine/api/weight_copies.h reads it
    Quantise quantise = Quantise::stored;
    std::optional<Bytes>
        states;  ///< of a weight, its gradient and the optimizer's state together; empty: by accounting
    bool operator==(const TrainingConfig&) const = default;
};

struct NodeConfig {
    std::int64_t gpus = 8;
    std::optional<Bytes> memory;  ///< memory capacity of one GPU; empty: unlimited
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

/// The requests of SubLayer::access: streams that take turns, each within a region of memory of its own.
struct AccessConfig {
    AccessPatternKind pattern = AccessPatternKind::stride;
    std::int64_t reads = 1;          ///< streams of reads; they take turns before the others
    std::int64_t writes = 0;         ///< streams of writes
    std::int64_t updates = 0;        ///< streams of op-and-store updates; they take turns last
    std::optional<Bytes> turn;       ///< bytes that a stream accesses in a row; empty: one granule
    std::optional<Bytes> stride;     ///< from the start of a stream's turn to that of its next one; empty: one turn
    Bytes footprint = 1024_MiB;      ///< region of a stream, after which it begins again
    Bytes skew{};                    ///< distance of each next region beyond the footprint
    std::int64_t communication = 0;  ///< the last so many streams are in the communication stream of the controller
    std::int64_t count = 100'000;    ///< requests of all streams together; each is one granule
    /// Requests that are issued and not yet served; empty: 64 for each channel.
    std::optional<std::int64_t> outstanding;
    std::string trace = "none";  ///< SHA-256 of the request file of AccessPatternKind::trace
    Frequency clock = 1000_MHz;  ///< of the cycles in the request file
    bool operator==(const AccessConfig&) const = default;
};

/// The companion: independent work that begins at the same time as the experiment's own work.
struct CompanionConfig {
    CompanionOperation operation = CompanionOperation::none;
    Bytes bytes = 64_MiB;           ///< buffer of a collective, all chunks together; data of a pass inside memory
    std::optional<std::int64_t> m;  ///< sides of a GEMM; empty, here and in the next five: as the experiment's own GEMM
    std::optional<std::int64_t> n;
    std::optional<std::int64_t> k;
    std::optional<std::int64_t> tileM;
    std::optional<std::int64_t> tileN;
    std::optional<std::int64_t> slots;                 ///< workgroups that fill one CU
    std::int64_t copies = 1;                           ///< copies of a GEMM; each is a kernel of its own
    CollectiveCarrier by = CollectiveCarrier::kernel;  ///< of its collective; DMA engines have a tracker of their own
    std::int64_t workgroups = 16;                      ///< workgroups of a collective kernel; each occupies a whole CU
    /// Bytes that a companion collective may have read and not yet sent, for each link; empty: unlimited.
    std::optional<Bytes> window = 1_MiB;
    Duration issue{};  ///< time that the host needs to issue one DMA copy
    bool operator==(const CompanionConfig&) const = default;
};

/// A pass inside memory: processors at the banks work on data that no bus carries (CompanionOperation::inMemory). It
/// takes a channel for itself, piece by piece.
struct PassConfig {
    double rate = 4;             ///< bandwidth inside the banks, relative to that of the bus
    double cost = 2;             ///< how often a pass moves each byte
    Duration switchTime = 1_us;  ///< of a channel, from requests to the pass and back again
    Bytes piece = 8_MiB;         ///< that all channels together work on before requests have their turn
    bool operator==(const PassConfig&) const = default;
};

struct DispatchConfig {
    DispatchRule rule = DispatchRule::automatic;
    /// CUs reserved for collectives; empty: as many as the kernel has workgroups.
    std::optional<std::int64_t> reserved;
    bool operator==(const DispatchConfig&) const = default;
};

struct LaunchConfig {
    Duration kernel{};  ///< time from launching a kernel to its first workgroup
    bool operator==(const LaunchConfig&) const = default;
};

struct GemmConfig {
    std::int64_t tileM = 256;
    std::int64_t tileN = 128;
    std::int64_t kStep = 32;  ///< elements of K in one step
    /// Elements of K whose loads may be outstanding; empty: as many K-steps as fit into local memory (tilingOf).
    std::optional<std::int64_t> prefetch;
    Duration epilogue = 1_us;
    /// Height of a group of tile rows that workgroups walk through column by column; 1: row after row.
    std::int64_t group = 4;
    /// Neighbouring workgroups for which an operand that they share passes from the cache once; see
    /// LlcConfig::bandwidth.
    std::int64_t multicast = 1;
    /// Tiles whose accumulators a slot keeps. 2: the next workgroup starts when the last K-step is done, while the tile
    /// is still being stored.
    std::int64_t accumulators = 1;
    bool operator==(const GemmConfig&) const = default;
};

struct TilesConfig {
    TileChoice choice = TileChoice::automatic;
    TilePadding padding = TilePadding::automatic;
    bool operator==(const TilesConfig&) const = default;
};

struct CuConfig {
    std::int64_t count = 80;
    Frequency clock = 1400_MHz;
    /// Clock while a workgroup of a GEMM is resident on the GPU; empty: the same.
    std::optional<Frequency> matrixClock;
    std::int64_t flopsPerCycle = 1024;  ///< peak of one CU, with elements of 16 bits
    double rate32 = 0.25;               ///< peak with elements of 32 bits, relative to 16 bits
    double rate8 = 1;                   ///< peak with elements of 8 bits, relative to 16 bits
    Residency residency = Residency::registers;
    Bytes registers = 256_KiB;  ///< vector registers of one CU; read with Residency::registers
    std::int64_t slots = 2;     ///< workgroups resident on one CU; read with Residency::slots
    /// Memory of one CU for the K-steps that its workgroups have loaded; read if GemmConfig::prefetch is empty.
    Bytes localMemory = 64_KiB;
    double tensorEfficiency = 0.88;
    Duration startJitter = 1_us;
    bool operator==(const CuConfig&) const = default;
};

struct LlcConfig {
    Bytes size = 16_MiB;
    Duration latency = 250_ns;
    WriteBack writeBack = WriteBack::eager;
    /// A hit waits for its turn while the compute streams of all channels together hold more bytes than this; empty:
    /// never.
    std::optional<Bytes> queue = 128_KiB;
    std::optional<Bandwidth> bandwidth;  ///< of all loads together, from the cache to the CUs; empty: unlimited
    bool operator==(const LlcConfig&) const = default;
};

struct MemoryConfig {
    Bandwidth bandwidth = 1000_GBps;
    double efficiency = 0.75;
    Duration latency = 300_ns;
    double updateCost = 1.4;                   ///< service time of an update relative to that of a write
    std::optional<double> arrivingUpdateCost;  ///< the same for updates that arrive by the link; empty: updateCost
    Bytes queue = 64_KiB;                      ///< DRAM queue, all channels together
    StoreOrder storeOrder = StoreOrder::inOrder;
    /// Waiting stores, all channels together, at which StoreOrder::writeDrain begins to drain them.
    Bytes writeDrainHigh = 256_KiB;
    Bytes writeDrainLow = 64_KiB;  ///< waiting stores at which the drain ends
    DramModel model = DramModel::sustained;
    Duration turnaround{};  ///< time lost when DRAM changes between reads and writes
    bool operator==(const MemoryConfig&) const = default;
};

/// The DRAM banks behind the channels, for `memory.model` = `banks`. In that model efficiency, update cost and
/// turnaround are outcomes of these timings, and the constants for them in MemoryConfig are not read. The defaults are
/// timings of HBM2.
struct DramConfig {
    /// Number on one GPU, all channels together; those of one channel work in lock step.
    std::int64_t pseudoChannels = 64;
    std::int64_t bankGroups = 4;
    std::int64_t banksPerGroup = 4;
    Bytes row = 1_KiB;            ///< row of one bank of one pseudo-channel
    Bytes burst = 32_B;           ///< one column access; back-to-back accesses in different bank groups fill the bus
    Bytes groupRun = 256_B;       ///< consecutive bytes of one pseudo-channel that lie in one bank group
    Duration columnDelay = 4_ns;  ///< tCCD_L, between column accesses of one group
    Duration updateColumnDelay = 8_ns;   ///< the same after an op-and-store update
    Duration activate = 14_ns;           ///< tRCD
    Duration precharge = 14_ns;          ///< tRP
    Duration writeRecovery = 16_ns;      ///< tWR, from the last write or update of a row to its precharge
    Duration writeToRead = 8_ns;         ///< tWTR
    Duration readToWrite = 4_ns;         ///< bus turnaround
    Duration refreshInterval = 3900_ns;  ///< tREFI
    Duration refreshTime = 260_ns;       ///< tRFC, all banks
    // Limits on the activations of a channel. 0: not modelled.
    Duration rowCycle{};         ///< tRC, between two activations of one bank
    Duration activateSpacing{};  ///< tRRD, between two activations
    Duration fourActivates{};    ///< tFAW, from an activation to the fourth after it
    std::int64_t lookAhead = 1;  ///< requests at the head of a stream among which the controller chooses
    bool operator==(const DramConfig&) const = default;
};

/// Words for AddressConfig::mapping. spread: each component spreads its data over the channels by a rule of its own.
/// usual: the usual order of address bits.
inline constexpr char kSpreadMapping[] = "spread", kUsualMapping[] = "usual";

/// The hash of the channel bits of an address with the bits above them.
enum class ChannelHash { none, bitwise, polynomial };
/// The hash of the bits of bank and bank group with the lowest bits of the row.
enum class BankHash { none, bitwise };

/// Which bits of an address name channel, bank group, bank and column.
struct AddressConfig {
    std::string mapping = kSpreadMapping;  ///< or kUsualMapping, or a letter for each bit, see dram_place.h
    ChannelHash hash = ChannelHash::none;
    BankHash bankHash = BankHash::none;
    bool operator==(const AddressConfig&) const = default;
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
    std::int64_t share = 4;     ///< round-robin: turns of communication for each turn of compute
    std::optional<Bytes> turn;  ///< empty: one granule
    ArbitrationThreshold threshold;
    Duration starvationLimit = 500_ns;
    bool operator==(const ArbitrationConfig&) const = default;
};

struct TrackerConfig {
    std::int64_t entries = 256;  ///< sets
    std::int64_t ways = 1;
    std::optional<Bytes> heldBytes;  ///< room on a GPU for updates that found no free set; empty: unlimited
    std::int64_t wfPerWg = 8;
    Duration triggerLatency = 20_ns;
    bool operator==(const TrackerConfig&) const = default;
};

struct DmaConfig {
    std::int64_t engines = 1;
    std::int64_t blockTiles = 4;
    std::optional<Bytes> window;  ///< bytes in flight of one engine; empty: unlimited
    Duration startupLatency = 100_ns;
    Duration issue{};  ///< time of the host for each copy of the own collective (copiesByDma)
    bool operator==(const DmaConfig&) const = default;
};

struct LinkConfig {
    Bandwidth bandwidth = 150_GBps;  ///< per direction
    double efficiency = 1;           ///< share of `bandwidth` that packets reach, see packetBandwidth
    Duration latency = 500_ns;
    std::optional<Bytes> packet;  ///< empty: one granule
    Bytes header{};
    bool operator==(const LinkConfig&) const = default;
};

/// How many CUs a collective kernel runs on: a number that follows from the policy, all CUs of the GPU, or a given
/// number.
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

/// Passes of memory for a byte that goes through a buffer: it is written, read and written again.
inline constexpr std::int64_t kPassesOfBuffers = 3;

struct CollectiveConfig {
    CollectiveOperation operation = CollectiveOperation::allReduce;
    CollectiveAlgorithm algorithm = CollectiveAlgorithm::ring;
    Reduction reduction = Reduction::nmc;
    CollectiveCarrier by = CollectiveCarrier::kernel;                  ///< read with byPiece, see copiesByDma
    CollectiveCus cuCount;                                             ///< resolved by collectiveCus()
    std::optional<Bandwidth> cuBandwidth = Bandwidth{13'300'000'000};  ///< bandwidth of one CU; empty: unlimited
    Duration startLatency{};
    std::int64_t staging = 1;    ///< passes of memory for a byte that arrives, see copiesThroughBuffers
    std::optional<Bytes> piece;  ///< bytes from one GPU that a kernel takes at once; empty: granule by granule
    std::string table = "none";  ///< rules by operation, GPUs and size for whole models (collective_table.h)
    bool operator==(const CollectiveConfig&) const = default;
};

struct TopologyConfig {
    TopologyKind kind = TopologyKind::ring;
    TopologyEgress egress = TopologyEgress::perLink;
    std::optional<std::int64_t> torusColumns;  ///< empty: the columns of the most square shape
    Bandwidth nodeBandwidth = 50_GBps;         ///< of a link between two nodes, per direction
    Duration nodeLatency = 2_us;               ///< latency of a link between two nodes
    std::string links = "none";  ///< links of a custom topology; engine/api/topology.h describes the format
    bool operator==(const TopologyConfig&) const = default;
};

/// Switches that add packets (CollectiveAlgorithm::inSwitch).
struct SwitchConfig {
    std::optional<Bandwidth> reduceBandwidth;  ///< at which the packets of one port are added; empty: unlimited
    Duration reduceLatency{};                  ///< time from the last summand to the sum
    bool operator==(const SwitchConfig&) const = default;
};

/// The parts of a policy that are not components of their own. `arbitration.policy` and `collective.reduction` are
/// parts of the policy as well, but are stored with the component that they control.
struct PolicyConfig {
    PolicyPreset preset = PolicyPreset::t3Mca;
    ProducerOrder order = ProducerOrder::staggered;
    OutputMapping mapping = OutputMapping::remoteDma;
    OutputCaching outputCaching = OutputCaching::bypass;
    CommunicationStart start = CommunicationStart::whenReady;
    std::optional<std::int64_t> pieces;  ///< kernels as which the GEMM is launched (byPiece); empty: one for each chunk
    std::int64_t queues = 2;             ///< a piece is launched when the piece this many before it has ended
    Duration signalLatency{};            ///< from the landing of output to the collective kernel that waits for it
    bool operator==(const PolicyConfig&) const = default;
};

/// Differences between GPUs or links. If any of these is set, all GPUs are simulated.
struct VariationConfig {
    std::optional<std::int64_t> gpu;  ///< the GPU to which the next four apply; empty: none
    double linkFactor = 1;            ///< bandwidth of its outgoing links, relative to the others'
    double clockFactor = 1;           ///< clock of its CUs, relative to the others'
    Duration startSkew{};             ///< how much later than the others it begins
    Bandwidth backgroundTraffic{};    ///< reads by other software on it, in the compute stream, until its run has ended
    Duration jitter{};                ///< jitter of each workgroup's start, drawn separately for each GPU
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

/// All settings of one run, after presets have been expanded. A value type. The same experiment gives the same result,
/// bit for bit.
struct Experiment {
    std::string machine = "t3-table-1";
    WorkloadConfig workload;
    MatrixConfig matrix;
    AccessConfig access;
    CompanionConfig companion;
    PassConfig pass;
    ParallelConfig parallel;
    DivisionConfig division;
    StepConfig step;
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
    AddressConfig address;
    ArbitrationConfig arbitration;
    TrackerConfig tracker;
    DmaConfig dma;
    LinkConfig link;
    CollectiveConfig collective;
    TopologyConfig topology;
    SwitchConfig switches;
    PolicyConfig policy;
    VariationConfig variation;
    DetailConfig detail;
    std::int64_t seed = 1;
    bool operator==(const Experiment&) const = default;
};

/// Returns whether `sublayer` is a collective without a GEMM.
bool isCollectiveAlone(SubLayer sublayer);

/// Returns the collective alone that is this operation.
SubLayer collectiveAlone(CollectiveOperation operation);

/// Returns whether `sublayer` is a sub-layer of a model, whose shape follows from the model's; false for a collective
/// alone, a GEMM alone and an access pattern.
bool isPartOfModel(SubLayer sublayer);

/// Returns whether the model is a network (workload.network) and no Transformer.
bool isNetwork(const Experiment& experiment);

/// Returns the layers of the model; a network counts as one.
std::int64_t layersOfModel(const Experiment& experiment);

/// Returns whether `sublayer` has a GEMM, of a model or alone.
bool hasOwnGemm(SubLayer sublayer);

/// Returns whether GPUs that work on `sublayer` send data to each other: false for a GEMM alone and an access pattern,
/// which each GPU has for itself.
bool sendsData(SubLayer sublayer);

/// Returns whether the experiment has a companion.
bool hasCompanion(const Experiment& experiment);

/// Returns whether one order of address bits (address.mapping) says where all data lie in memory.
bool hasAddressMapping(const Experiment& experiment);

/// Returns whether times depend on where data lie in memory: on banks, or on channels that an address mapping names.
bool feelsAddresses(const Experiment& experiment);

/// Returns whether the companion is a collective.
bool hasCompanionCollective(const Experiment& experiment);

/// Returns whether the companion is one GEMM or copies of it.
bool hasCompanionGemm(const Experiment& experiment);

/// Returns whether the companion is a pass inside memory.
bool hasInMemoryPass(const Experiment& experiment);

/// Returns the dispatch rule, with `automatic` resolved.
DispatchRule dispatchRuleOf(const Experiment& experiment);

/// Returns the number of CUs that take workgroups of collectives only; they are the GPU's last ones. 0 unless the rule
/// is `reserved`.
std::int64_t reservedCus(const Experiment& experiment);

/// Returns whether the sub-layer's GEMM reads the result of an all-gather instead of producing the input of a
/// reduction.
bool consumesAllGather(const Experiment& experiment);

/// Returns whether software takes the output of the GEMM while the GEMM produces it, and sends each part when it is in
/// memory: a collective kernel, or copies (copiesByDma).
bool overlapsInSoftware(const Experiment& experiment);

/// Returns whether DMA engines carry the collective of a GEMM in pieces, as copies that the host hands over.
bool copiesByDma(const Experiment& experiment);

/// Returns whether the own GEMM is launched in pieces: each produces output that is sent, or reads chunks that copies
/// bring.
bool launchesPieces(const Experiment& experiment);

/// Returns whether a collective kernel of the own work runs beside the GEMM, with its output or with other data
/// (policy.start=concurrent).
bool hasKernelBesideGemm(const Experiment& experiment);

/// Returns the number of kernels as which the own GEMM is launched: 1 unless it is launched in pieces.
std::int64_t piecesOf(const Experiment& experiment);

/// Returns the number of attention heads of the queries: one for each 128 of H unless workload.heads is set.
std::int64_t queryHeads(const WorkloadConfig& workload);

/// Return the columns of all query heads together (H unless the heads' size is set), of all key heads together, and of
/// the feed-forward part.
std::int64_t queryWidth(const WorkloadConfig& workload);
std::int64_t keyWidth(const WorkloadConfig& workload);
std::int64_t feedForwardWidth(const WorkloadConfig& workload);

/// Returns the side of the sub-layer's matrix that is sliced over the GPUs, before slicing. For op it is the queries'
/// width (H by default), for fc-2 the feed-forward width (4H by default), for fc-1 the same, doubled with a gate, for
/// ip the width of queries, keys and values (3H by default). The side is K if the output is reduced, and N if the input
/// is gathered. Returns 0 for a collective alone.
std::int64_t slicedSide(const WorkloadConfig& workload);

/// Returns the bytes of one element of the matrices: 1, 2 or 4.
std::int64_t elementBytes(const Experiment& experiment);

/// Returns the operators.* that a run of the engine reads, namely the size of an element, with defaults for the rest.
OperatorsConfig operatorsOfRun(const Experiment& experiment);

/// Returns how fast a CU computes with elements of operators.element_bits, relative to 16 bits: 1, cu.rate_8 or
/// cu.rate_32.
double elementRate(const Experiment& experiment);

/// Returns the clock of the CUs while a workgroup of a GEMM is resident: cu.matrix_clock, with `same` resolved.
Frequency matrixClockOf(const Experiment& experiment);

/// Returns the operations per second of one CU, at the clock of GEMMs, with elements of operators.element_bits, without
/// cu.tensor_efficiency. If the rate exceeds 63 bits, which no valid experiment does, returns the highest that fits.
std::int64_t peakFlopsOfCu(const Experiment& experiment);

/// Returns the bandwidth at which a link without a bandwidth of its own moves packets: its bandwidth times its
/// efficiency.
Bandwidth packetBandwidth(const LinkConfig& link);

/// Returns whether a tile at the edge of the own GEMM's output costs as much as a whole one: tiles.padding, with
/// `automatic` resolved.
bool paysFullTiles(const Experiment& experiment);

/// Returns the same for a companion GEMM, whatever the experiment's own work is.
bool companionPaysFullTiles(const Experiment& experiment);

/// Returns the number of workgroups that are resident on one CU, 1 to 64. With Residency::registers it is the number
/// for which the registers have room: each needs the fp32 accumulators of its tile and the operands of one K-step on
/// their way to local memory. If gemm.prefetch is automatic, local memory limits that number, too: it holds two K-steps
/// of each workgroup.
std::int64_t residentWorkgroups(const Experiment& experiment);

/// Returns whether collective kernels copy data that arrive out of a buffer (collective.staging=3). Then DMA and
/// kernels also read data for several GPUs once for each of them.
bool copiesThroughBuffers(const Experiment& experiment);

/// Returns whether a switch adds and copies packets (CollectiveAlgorithmText::addsInSwitch).
bool addsInSwitch(const Experiment& experiment);
/// The K-steps that local memory holds for a workgroup at least: it computes one while the next one is loaded.
inline constexpr std::int64_t kLeastStages = 2;

/// Returns the bytes of local memory that one K-step of a tile takes: its part of A and of B.
Bytes stageBytes(const Experiment& experiment, const GemmConfig& tiling);

/// Returns the elements of K whose loads may be outstanding for each of `workgroups` workgroups of a CU. If
/// gemm.prefetch is automatic, these are the K-steps for which local memory has room, at least kLeastStages.
std::int64_t prefetchOf(const Experiment& experiment, const GemmConfig& tiling, std::int64_t workgroups);

/// Returns the tiling of the own GEMM, with its prefetch as a number.
GemmConfig tilingOf(const Experiment& experiment);

/// Returns the experiment with the values that its automatic settings stand for, where a run with these values is the
/// same run: gemm.prefetch and tiles.choice, and with the plain texts of a network and of a table. The canonical form is that of this experiment.
Experiment withAutomaticValues(const Experiment& experiment);

/// Returns the number of CUs that a collective kernel runs on. An automatic number is 16 if the kernel runs beside the
/// GEMM (hasKernelBesideGemm), otherwise all CUs.
std::int64_t collectiveCus(const Experiment& experiment);

/// Sets the preset's name and its parts (kPolicyPartPaths), and no other field.
void applyPolicyPreset(Experiment& experiment, PolicyPreset preset);

/// Returns whether `preset` is a formula over the times of `sequential` (PolicyRow::isFormula).
constexpr bool isIdeal(PolicyPreset preset) { return rowOf(preset).isFormula; }

/// Returns the settings with which GPU `gpu` runs: the experiment's, with this GPU's own link and clock.
Experiment asOnGpu(const Experiment& experiment, std::int64_t gpu);

/// Sets the granule, the channels and the name of a detail level.
void applyDetailLevel(Experiment& experiment, DetailLevel level);

/// The sizes of the workload after it is cut into tiles and chunks. If a GEMM consumes an all-gather, the bytes are
/// those of its gathered input and the tiles those of its output. For a collective alone m, n and k are 0, and `tiles`
/// counts slabs of one macro-tile's bytes.
struct Shape {
    std::int64_t m = 0;
    std::int64_t n = 0;
    std::int64_t k = 0;
    std::int64_t batch = 1;  ///< SubLayer::gemm: number of GEMMs with these sides
    std::int64_t tiles = 0;
    Bytes outputBytes;
    std::vector<Bytes> chunkBytes;  ///< one for each GPU
    bool operator==(const Shape&) const = default;
};

/// Returns every problem of the experiment, in table order; empty if it can be run. Checks each value against the
/// parameter table first, then the rules between several values (TP divides K, at least one tile per GPU, parts of the
/// policy that exclude each other, memory needed). Never allocates memory in proportion to a value that it has not
/// checked.
Problems validate(const Experiment& experiment);

/// Returns the sizes of the experiment's tiles and chunks. Precondition: `validate(experiment)` is empty.
Shape shapeOf(const Experiment& experiment);

}  // namespace engine
