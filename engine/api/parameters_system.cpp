#include "engine/api/parameter_field.h"

// The table's entries for what moves data: memory, arbitration, tracker, DMA, links, collectives, policy, detail.

namespace engine {
namespace {

constexpr double kMega = 1e6, kGiga = 1e9, kTera = 1e12;
constexpr double kMicro = 1e6, kMilli = 1e9, kSecond = 1e12;  // in picoseconds
constexpr double kKiB = 1024, kMiB = 1024.0 * 1024, kGiB = 1024.0 * 1024 * 1024;
constexpr double kLargestExactInteger = 9007199254740991.0;  // 2^53 - 1: what every JSON reader keeps

using enum SourceLabel;

constexpr char kModelSection2[] = "model.md, section 2";

void appendMemory(std::vector<Parameter>& table) {
    using S = MemoryConfig;
    constexpr auto s = &Experiment::memory;
    constexpr auto group = ParameterGroup::memory;
    table.push_back(field::of<s, &S::bandwidth>({
        .path = "memory.bandwidth",
        .label = "Peak bandwidth",
        .group = group,
        .minimum = 1 * kGiga,
        .maximum = 1000 * kTera,
        .logarithmic = true,
        .meaning = "Peak bandwidth of one GPU's DRAM, all channels together.",
        .sourceLabel = published,
        .source = "T3, table 1",
    }));
    table.push_back(field::of<s, &S::efficiency>({
        .path = "memory.efficiency",
        .label = "Efficiency",
        .group = group,
        .minimum = 0.01,
        .maximum = 1,
        .meaning = "Share of the peak bandwidth that plain reads and writes reach: what refresh, row misses and bank "
                   "conflicts cost.",
        .sourceLabel = calibrated,
        .source = kModelSection2,
    }));
    table.push_back(field::of<s, &S::latency>({
        .path = "memory.latency",
        .label = "Latency",
        .group = group,
        .minimum = 0,
        .maximum = 1 * kMilli,
        .meaning = "Added to a request's service time; requests behind it do not wait for it.",
        .sourceLabel = assumed,
        .source = kModelSection2,
    }));
    table.push_back(field::of<s, &S::updateCost>({
        .path = "memory.update_cost",
        .label = "Update cost",
        .group = group,
        .minimum = 1,
        .maximum = 16,
        .meaning = "Service time of a near-memory update (op-and-store), in writes: it keeps its bank for a longer "
                   "column-to-column delay. Plausible from 1.0 to 2.0.",
        .sourceLabel = calibrated,
        .source = kModelSection2,
    }));
    table.push_back(field::of<s, &S::queue>({
        .path = "memory.queue",
        .label = "DRAM queue",
        .group = group,
        .minimum = 64,
        .maximum = 64 * kMiB,
        .logarithmic = true,
        .meaning = "Bytes of requests between arbiter and DRAM, all channels together; at least one request a channel. "
                   "What is in it can no longer be overtaken.",
        .sourceLabel = calibrated,
        .source = kModelSection2,
    }));
    table.push_back(field::of<s, &S::storeOrder>({
        .path = "memory.store_order",
        .label = "Order of loads and stores",
        .group = group,
        .meaning = "How the GEMM's loads stand to its own stores in the compute stream. In order, a wave's burst of "
                   "stores delays the next wave's first loads, which is the larger part of plain T3's loss.",
        .sourceLabel = calibrated,
        .source = "model.md, sections 2 and 3",
    }));
    table.push_back(field::of<s, &S::turnaround>({
        .path = "memory.turnaround",
        .label = "Read/write turnaround",
        .group = group,
        .minimum = 0,
        .maximum = 10 * kMicro,
        .meaning = "Time a channel loses when it changes between reads and writes or updates.",
        .sourceLabel = assumed,
        .source = kModelSection2,
    }));
}

ParameterValue readThreshold(const Experiment& e) {
    using Kind = ArbitrationThreshold::Kind;
    switch (e.arbitration.threshold.kind) {
    case Kind::automatic: return std::string("auto");
    case Kind::none: return std::string("none");
    case Kind::bytes: break;
    }
    return e.arbitration.threshold.bytes.count;
}

void writeThreshold(Experiment& e, const ParameterValue& v) {
    using Kind = ArbitrationThreshold::Kind;
    if (const auto* word = std::get_if<std::string>(&v)) {
        e.arbitration.threshold = {*word == "none" ? Kind::none : Kind::automatic, {}};
    } else {
        e.arbitration.threshold = {Kind::bytes, Bytes{std::get<std::int64_t>(v)}};
    }
}

void appendArbitration(std::vector<Parameter>& table) {
    using S = ArbitrationConfig;
    constexpr auto s = &Experiment::arbitration;
    constexpr auto group = ParameterGroup::arbitration;
    table.push_back(field::of<s, &S::policy>({
        .path = "arbitration.policy",
        .label = "Arbitration",
        .group = group,
        .meaning = "Who goes next to DRAM. round-robin: turns of communication and compute; mca: compute first, "
                   "communication while the DRAM queue is short, with a limit against starvation; compute-first: mca "
                   "without both. Part of the policy preset.",
        .sourceLabel = published,
        .source = "T3, section 4.5",
    }));
    table.push_back(field::of<s, &S::share>({
        .path = "arbitration.share",
        .label = "Communication to compute",
        .group = group,
        .unit = ParameterUnit::toOne,
        .minimum = 1,
        .maximum = 1024,
        .logarithmic = true,
        .meaning = "Under round robin, turns of communication to one turn of compute while both wait.",
        .sourceLabel = calibrated,
        .source = "model.md, section 2; 1:1 and 2:1 are the alternatives",
    }));
    table.push_back(field::ofOptional<kGranuleWord, s, &S::turn>({
        .path = "arbitration.turn",
        .label = "Turn",
        .group = group,
        .minimum = 64,
        .maximum = 16 * kMiB,
        .logarithmic = true,
        .meaning = "Bytes of one turn under round robin; `granule` is one request of the simulation.",
        .sourceLabel = chosen,
        .source = kModelSection2,
    }));
    table.push_back(field::withDefault({
        .path = "arbitration.threshold",
        .label = "MCA threshold",
        .group = group,
        .kind = ParameterKind::integer,
        .unit = ParameterUnit::bytes,
        .minimum = 64,
        .maximum = 64 * kMiB,
        .logarithmic = true,
        .words = {"auto", "none"},
        .meaning = "Under mca, communication is served only while less than this is in the DRAM queue. `auto` chooses "
                   "5, 10 or 30 of 64 parts of the queue, or no limit, from the GEMM's DRAM utilisation in its first "
                   "stage.",
        .sourceLabel = secondHand,
        .source = "T3, section 4.5: 5, 10, 30 or no limit; the utilisations that separate them are assumed",
        .read = &readThreshold,
        .write = &writeThreshold,
    }));
    table.push_back(field::of<s, &S::starvationLimit>({
        .path = "arbitration.starvation_limit",
        .label = "Starvation limit",
        .group = group,
        .minimum = 0,
        .maximum = 1 * kSecond,
        .logarithmic = true,
        .meaning = "Under mca, communication that has waited this long gets one request through.",
        .sourceLabel = assumed,
        .source = kModelSection2,
    }));
}

void appendTracker(std::vector<Parameter>& table) {
    using S = TrackerConfig;
    constexpr auto s = &Experiment::tracker;
    constexpr auto group = ParameterGroup::tracker;
    table.push_back(field::of<s, &S::entries>({
        .path = "tracker.entries",
        .label = "Entries",
        .group = group,
        .minimum = 1,
        .maximum = 1048576,
        .logarithmic = true,
        .meaning = "Sets of the tracker, indexed by the low bits of the workgroup's number. A set holds one workgroup "
                   "for each way from its first update to its last; later ones wait outside.",
        .sourceLabel = secondHand,
        .source = "T3, section 4.2: 256 entries, about 19 KB",
    }));
    table.push_back(field::of<s, &S::ways>({
        .path = "tracker.ways",
        .label = "Ways",
        .group = group,
        .minimum = 1,
        .maximum = 64,
        .meaning = "Workgroups that one set of the tracker can hold.",
        .sourceLabel = assumed,
        .source = kModelSection2,
    }));
    table.push_back(field::of<s, &S::wfPerWg>({
        .path = "tracker.wf_per_wg",
        .label = "Wavefronts per workgroup",
        .group = group,
        .minimum = 1,
        .maximum = 64,
        .meaning = "Wavefronts of one workgroup, each with its own counter in the tracker.",
        .sourceLabel = secondHand,
        .source = "T3, section 4.2",
    }));
    table.push_back(field::of<s, &S::triggerLatency>({
        .path = "tracker.trigger_latency",
        .label = "Trigger latency",
        .group = group,
        .minimum = 0,
        .maximum = 1 * kMilli,
        .meaning = "From the last update of a DMA block to its command being ready.",
        .sourceLabel = assumed,
        .source = kModelSection2,
    }));
}

void appendDma(std::vector<Parameter>& table) {
    using S = DmaConfig;
    constexpr auto s = &Experiment::dma;
    constexpr auto group = ParameterGroup::dma;
    table.push_back(field::of<s, &S::engines>({
        .path = "dma.engines",
        .label = "Engines",
        .group = group,
        .minimum = 1,
        .maximum = 64,
        .meaning = "DMA engines of one GPU; each works on one command at a time.",
        .sourceLabel = assumed,
        .source = kModelSection2,
    }));
    table.push_back(field::of<s, &S::blockTiles>({
        .path = "dma.block_tiles",
        .label = "Block",
        .group = group,
        .minimum = 1,
        .maximum = 65536,
        .logarithmic = true,
        .meaning =
            "Tiles that one DMA command sends once all of them are complete. Smaller blocks start earlier, larger "
            "ones pay the start-up less often. A block never crosses a chunk.",
        .sourceLabel = calibrated,
        .source = kModelSection2,
    }));
    table.push_back(field::ofOptional<kUnlimitedWord, s, &S::window>({
        .path = "dma.window",
        .label = "Window",
        .group = group,
        .minimum = 64,
        .maximum = 1 * kGiB,
        .logarithmic = true,
        .meaning = "Bytes that one engine may have asked of memory and not yet put on the link.",
        .sourceLabel = assumed,
        .source = kModelSection2,
    }));
    table.push_back(field::of<s, &S::startupLatency>({
        .path = "dma.startup_latency",
        .label = "Start-up",
        .group = group,
        .minimum = 0,
        .maximum = 1 * kMilli,
        .meaning = "From an engine taking a command to its first read; hidden behind the command before it.",
        .sourceLabel = assumed,
        .source = kModelSection2,
    }));
    table.push_back(field::ofOptional<kUnlimitedWord, s, &S::queue>({
        .path = "dma.queue",
        .label = "Queue",
        .group = group,
        .minimum = 1,
        .maximum = 1048576,
        .logarithmic = true,
        .meaning = "Ready commands that can wait for an engine; when it is full they stay in the tracker's table.",
        .sourceLabel = assumed,
        .source = kModelSection2,
    }));
}

void appendLink(std::vector<Parameter>& table) {
    using S = LinkConfig;
    constexpr auto s = &Experiment::link;
    constexpr auto group = ParameterGroup::link;
    table.push_back(field::of<s, &S::bandwidth>({
        .path = "link.bandwidth",
        .label = "Bandwidth per direction",
        .symbol = "B",
        .group = group,
        .minimum = 100 * kMega,
        .maximum = 1000 * kTera,
        .logarithmic = true,
        .meaning = "Bandwidth of a ring link in one direction.",
        .sourceLabel = assumed,
        .source =
            "T3, table 1 gives 150 GB/s bi-directional; read as 150 per direction (machine t3-table-1-75 reads 75)",
    }));
    table.push_back(field::of<s, &S::latency>({
        .path = "link.latency",
        .label = "Latency",
        .group = group,
        .minimum = 0,
        .maximum = 1 * kMilli,
        .meaning = "From the last byte of a packet leaving one GPU to its arrival at the next.",
        .sourceLabel = published,
        .source = "T3, table 1",
    }));
    table.push_back(field::ofOptional<kGranuleWord, s, &S::packet>({
        .path = "link.packet",
        .label = "Packet",
        .group = group,
        .minimum = 64,
        .maximum = 1 * kMiB,
        .logarithmic = true,
        .meaning = "Payload of one packet; `granule` is one request of the simulation.",
        .sourceLabel = assumed,
        .source = kModelSection2,
    }));
    table.push_back(field::of<s, &S::header>({
        .path = "link.header",
        .label = "Header",
        .group = group,
        .minimum = 0,
        .maximum = 4 * kKiB,
        .meaning = "Bytes that a packet takes on the link besides its payload.",
        .sourceLabel = assumed,
        .source = kModelSection2,
    }));
}

void appendCollective(std::vector<Parameter>& table) {
    using S = CollectiveConfig;
    constexpr auto s = &Experiment::collective;
    constexpr auto group = ParameterGroup::collective;
    table.push_back(field::of<s, &S::algorithm>({
        .path = "collective.algorithm",
        .label = "Algorithm",
        .group = group,
        .meaning = "How the chunks travel: ring, N-1 steps to the neighbour.",
        .sourceLabel = published,
        .source = "T3, section 2",
    }));
    table.push_back(field::of<s, &S::reduction>({
        .path = "collective.reduction",
        .label = "Reduction",
        .group = group,
        .meaning = "Where contributions are added: on compute units, which read both and write the sum, or near memory "
                   "(NMC), as updates beside the DRAM banks. Part of the policy preset.",
        .sourceLabel = published,
        .source = "T3, section 4.3",
    }));
    table.push_back(field::ofOptional<kAllWord, s, &S::cuCount>({
        .path = "collective.cu_count",
        .label = "CUs",
        .group = group,
        .minimum = 1,
        .maximum = 4096,
        .logarithmic = true,
        .meaning = "Compute units that a collective kernel runs on.",
        .sourceLabel = assumed,
        .source = "model.md, section 2: kernels run one after the other, each on the whole GPU",
    }));
    table.push_back(field::ofOptional<kUnlimitedWord, s, &S::cuBandwidth>({
        .path = "collective.cu_bandwidth",
        .label = "Throughput per CU",
        .group = group,
        .minimum = 1 * kMega,
        .maximum = 1000 * kTera,
        .logarithmic = true,
        .meaning = "Bytes per second that one compute unit can send in a collective kernel.",
        .sourceLabel = calibrated,
        .source = kModelSection2,
    }));
    table.push_back(field::of<s, &S::startLatency>({
        .path = "collective.start_latency",
        .label = "Start latency",
        .group = group,
        .minimum = 0,
        .maximum = 10 * kMilli,
        .meaning = "Time to launch a collective kernel.",
        .sourceLabel = assumed,
        .source = kModelSection2,
    }));
}

void appendTopology(std::vector<Parameter>& table) {
    using S = TopologyConfig;
    constexpr auto s = &Experiment::topology;
    constexpr auto group = ParameterGroup::topology;
    table.push_back(field::of<s, &S::kind>({
        .path = "topology.kind",
        .label = "Topology",
        .group = group,
        .meaning = "How the GPUs are joined: ring, each to two neighbours.",
        .sourceLabel = published,
        .source = "T3, table 1",
    }));
    table.push_back(field::of<s, &S::egress>({
        .path = "topology.egress",
        .label = "Egress",
        .group = group,
        .meaning =
            "Whether a GPU's outgoing links have their own bandwidth or share one. On a ring only one is used, so "
            "both are the same.",
        .sourceLabel = assumed,
        .source = "model.md, section 2: every link serialises for itself",
    }));
}

void appendPolicy(std::vector<Parameter>& table) {
    using S = PolicyConfig;
    constexpr auto s = &Experiment::policy;
    constexpr auto group = ParameterGroup::policy;
    table.push_back(field::of<s, &S::preset>({
        .path = "policy.preset",
        .label = "Policy",
        .group = group,
        .meaning = "Preset of order, mapping, caching, start, reduction and arbitration. sequential: GEMM, then "
                   "reduce-scatter, then all-gather; t3: fused by tracking and triggering; t3-mca: with "
                   "communication-aware arbitration; ideal-overlap and ideal-overlap-nmc: perfect overlap of the "
                   "isolated parts, a formula.",
        .sourceLabel = published,
        .source = "T3, section 5.3",
    }));
    table.push_back(field::of<s, &S::order>({
        .path = "policy.order",
        .label = "Producer order",
        .group = group,
        .meaning = "Order in which workgroups are dispatched. staggered: GPU i begins with chunk i, the one that its "
                   "neighbour needs next; plain: all GPUs begin with chunk 0.",
        .sourceLabel = published,
        .source = "T3, section 4.4",
    }));
    table.push_back(field::of<s, &S::mapping>({
        .path = "policy.mapping",
        .label = "Output mapping",
        .group = group,
        .meaning =
            "Where the GEMM's stores go. local: to the GPU's own memory; remote-dma: the first chunk straight to "
            "the neighbour, the others by triggered DMA once the neighbour's contribution has arrived.",
        .sourceLabel = published,
        .source = "T3, section 4.1",
    }));
    table.push_back(field::of<s, &S::outputCaching>({
        .path = "policy.output_caching",
        .label = "Output caching",
        .group = group,
        .meaning =
            "Whether the GEMM's output passes through the last-level cache (allocate), where it displaces inputs, "
            "or goes around it (bypass).",
        .sourceLabel = published,
        .source = "T3, section 4.3",
    }));
    table.push_back(field::of<s, &S::start>({
        .path = "policy.start",
        .label = "Start of communication",
        .group = group,
        .meaning =
            "Whether the reduce-scatter begins when the GEMM has ended or follows the data as they become ready.",
        .sourceLabel = published,
        .source = "T3, section 4",
    }));
}

void appendDetail(std::vector<Parameter>& table) {
    using S = DetailConfig;
    constexpr auto s = &Experiment::detail;
    constexpr auto group = ParameterGroup::detail;
    table.push_back(field::of<s, &S::level>({
        .path = "detail.level",
        .label = "Detail",
        .group = group,
        .meaning = "Preset of granule and channels. interactive: 16 KiB on 1 channel, for turning knobs; standard: "
                   "4 KiB on 8; fine: 256 B on 32.",
        .sourceLabel = chosen,
        .source = kModelSection2,
    }));
    table.push_back(field::of<s, &S::granule>({
        .path = "detail.granule",
        .label = "Granule",
        .group = group,
        .minimum = 64,
        .maximum = 64 * kKiB,
        .logarithmic = true,
        .powerOfTwo = true,
        .meaning = "Largest request that is simulated as one. Smaller granules take longer to simulate.",
        .sourceLabel = chosen,
        .source = kModelSection2,
    }));
    table.push_back(field::of<s, &S::channels>({
        .path = "detail.channels",
        .label = "Channels",
        .group = group,
        .minimum = 1,
        .maximum = 64,
        .logarithmic = true,
        .powerOfTwo = true,
        .meaning = "DRAM channels of one GPU, each with its own streams, arbiter and queue. They share the bandwidth; "
                   "their number never changes how many bytes move.",
        .sourceLabel = chosen,
        .source = kModelSection2,
    }));
    table.push_back(field::of<s, &S::mode>({
        .path = "detail.mode",
        .label = "GPUs simulated",
        .group = group,
        .meaning = "mirrored: one GPU, whose own packets stand for its neighbour's; exact when all GPUs and chunks are "
                   "alike. full: every GPU. auto: mirrored where that is exact.",
        .sourceLabel = chosen,
        .source = kModelSection2,
    }));
}

}  // namespace

void appendSystemParameters(std::vector<Parameter>& table) {
    appendMemory(table);
    appendArbitration(table);
    appendTracker(table);
    appendDma(table);
    appendLink(table);
    appendCollective(table);
    appendTopology(table);
    appendPolicy(table);
    appendDetail(table);
    table.push_back(field::withDefault({
        .path = "seed",
        .label = "Seed",
        .group = ParameterGroup::detail,
        .kind = ParameterKind::integer,
        .minimum = 0,
        .maximum = kLargestExactInteger,
        .meaning = "Chooses the start jitter of each workgroup. The same seed gives the same run, bit for bit.",
        .sourceLabel = chosen,
        .source = "cli.md: 1 when it is not given",
        .read = [](const Experiment& e) { return ParameterValue{e.seed}; },
        .write = [](Experiment& e, const ParameterValue& v) { e.seed = std::get<std::int64_t>(v); },
    }));
}

}  // namespace engine
