#include "engine/api/parameter_field.h"
#include "engine/api/parameter_reading.h"

// The table's entries for collectives, topology, policy, detail and seed.

namespace engine {
namespace {

std::string algorithmMeaning() {
    std::string text = "Algorithm by which the chunks travel.";
    for (const CollectiveAlgorithmText& algorithm : kCollectiveAlgorithms)
        text += " " + std::string(algorithm.word) + ": " + std::string(algorithm.meaning) + ".";
    return text;
}

std::string policyMeaning() {
    std::string text = "Preset of order, mapping, caching, start, reduction and arbitration.";
    const char* before = " ";
    for (const PolicyRow& policy : kPolicyRows) {
        text += before + std::string(policy.word);
        if (!policy.meaning.empty())
            text += ": " + std::string(policy.meaning);
        before = policy.meaning.empty() ? " and " : "; ";
    }
    return text + ".";
}

constexpr double kMega = 1e6, kTera = 1e12;
constexpr double kMilli = 1e9;  // in picoseconds
constexpr double kKiB = 1024, kGiB = 1024.0 * 1024 * 1024;
constexpr double kLargestExactInteger = 9007199254740991.0;  // 2^53 - 1: every JSON reader keeps it

using enum SourceLabel;

constexpr char kModelPage[] = "MODEL.md, What is modelled";
constexpr char kCalibration[] = "MODEL.md, Calibration";

ParameterValue readCollectiveCus(const Experiment& e) {
    using Kind = CollectiveCus::Kind;
    switch (e.collective.cuCount.kind) {
    case Kind::automatic: return std::string(kAutoWord);
    case Kind::all: return std::string(kAllWord);
    case Kind::number: break;
    }
    return e.collective.cuCount.number;
}

void writeCollectiveCus(Experiment& e, const ParameterValue& v) {
    if (const auto* word = std::get_if<std::string>(&v)) {
        e.collective.cuCount = *word == kAllWord ? CollectiveCus::all() : CollectiveCus{};
    } else {
        e.collective.cuCount = std::get<std::int64_t>(v);
    }
}

void appendCollective(std::vector<Parameter>& table) {
    using S = CollectiveConfig;
    constexpr auto s = &Experiment::collective;
    const auto add = adder(table, ParameterGroup::collective, {.byRun = reading::communicates});
    add(field::of<s, &S::operation>({
        .path = "collective.operation",
        .label = "Operation",
        .meaning = "Collective that belongs to the sub-layer's GEMM. all-reduce: reduce-scatter, then all-gather. "
                   "reduce-scatter: without the all-gather (sequence parallelism). all-to-all: of the output (expert "
                   "parallelism). all-gather: of the input, for whose chunks the GEMM's workgroups wait. A collective "
                   "alone does not read this.",
        .source = {published, "T3, section 2; the others, section 7"},
        .reading = {.atAll = reading::isSubLayer},
    }));
    add(field::of<s, &S::algorithm>({
        .path = "collective.algorithm",
        .label = "Algorithm",
        .meaning = algorithmMeaning(),
        .source =
            {published,
             "T3, section 2; direct: section 7; halving-doubling: Thakur et al. 2005; double-tree: Sanders et al. "
             "2009; in-switch: Klenk et al. 2020"},
    }));
    add(field::of<s, &S::reduction>({
        .path = "collective.reduction",
        .label = "Reduction",
        .meaning = "Where contributions are added: on compute units, which read both and write the sum, or near memory "
                   "(NMC), as updates beside the DRAM banks. Part of the policy preset.",
        .source = {published, "T3, section 4.3"},
    }));
    add(field::of<s, &S::by>({
        .path = "collective.by",
        .label = "Carrier",
        .meaning = "With policy.start=by-piece: a collective kernel on CUs (kernel), or copies by DMA that the host "
                   "hands over when a piece has ended, with one kernel that adds what has come (dma, with "
                   "collective.algorithm=direct). Part of the policy preset.",
        .source = {published, "dma: PyTorch's asynchronous tensor parallelism"},
        .since = "0.5",
        .reading = {.byRun = reading::mayCopy, .whyNot = reading::whyNoCarrier},
    }));
    add(field::through<std::int64_t>(
        {
            .path = "collective.cu_count",
            .label = "CUs",
            .range = logarithmic(1, 4096),
            .words = {"auto", "all"},
            .meaning =
                "Compute units that a collective kernel runs on. auto: 16 beside a GEMM (policy.start=concurrent, by-piece "
                "with collective.by=kernel, or when-ready with policy.mapping=local), which gets the others; otherwise "
                "all. A number applies under every policy, also in the sequential run to which speed-ups refer.",
            .source = {assumed, "kernels run one after the other, each on the whole GPU; 16 fill a link"},
            .reading = {.byRun = [](const Experiment& e) { return !reading::tracks(e) && reading::addsOrSends(e); }},
        },
        &readCollectiveCus, &writeCollectiveCus));
    add(field::ofOptional<kUnlimitedWord, s, &S::cuBandwidth>({
        .path = "collective.cu_bandwidth",
        .label = "Throughput per CU",
        .range = logarithmic(1 * kMega, 1000 * kTera),
        .meaning = "Bytes per second that one compute unit can send in a collective kernel.",
        .source = {calibrated, kCalibration},
        .reading =
            {.byRun = [](const Experiment& e) { return reading::hasCollectiveKernels(e) && e.collective.cuBandwidth; }},
    }));
    add(field::of<s, &S::startLatency>({
        .path = "collective.start_latency",
        .label = "Start latency",
        .range = {0, 10 * kMilli},
        .meaning = "Time to launch a collective kernel.",
        .source = {assumed, kModelPage},
    }));
    add(field::of<s, &S::staging>({
        .path = "collective.staging",
        .label = "Passes of arriving bytes",
        .range = {1, kPassesOfBuffers},
        .meaning =
            "Passes of memory for a byte that arrives in a collective kernel. 1: it is written where it belongs. 3: "
            "kernels copy through a buffer, so that it is written there, read and written where it belongs, and data "
            "for several GPUs are read once for each of them, by DMA as well. Contributions that a kernel adds wait in "
            "a buffer in any case, and updates (NMC) go straight to memory.",
        .source = {chosen, "1: nothing is copied"},
        .since = "0.5",
        .reading = {.byRun =
                        [](const Experiment& e) {
                            return reading::communicates(e) && (!copiesByDma(e) || hasCompanionCollective(e));
                        }},
    }));
    add(field::ofOptional<kOffWord, s, &S::piece>({
        .path = "collective.piece",
        .label = "Piece",
        .range = logarithmic(64, 1 * kGiB),
        .meaning =
            "Bytes that a collective kernel takes from one GPU at once, all its workgroups together. It handles a "
            "piece when the flag behind its last byte has come, as fast as the link delivers. off: it handles each "
            "request as it comes.",
        .source = {chosen, "off: flags cost no time"},
        .since = "0.5",
        .reading = {.byRun = reading::takesPieces},
    }));
    add(field::of<s, &S::table>({
        .path = "collective.table",
        .label = "Table of collectives",
        .range = {0, 65536},
        .words = {"none"},
        .meaning =
            "Rules for the collectives of whole models, one a line (or divided by semicolons), of which the first "
            "that fits holds: \"all-reduce 8 0..1048576: collective.algorithm=direct\", with bytes of the whole "
            "buffer, or \"all-reduce 8: measured 65536=21us 1048576=40us\". Without GPUs a rule holds for any "
            "number of them. Runs do not read it.",
        .source = {chosen, "none: one setting for all"},
        .since = "0.5",
        .reading = {.byRun = reading::never},
    }));
}

void appendTopology(std::vector<Parameter>& table) {
    using S = TopologyConfig;
    constexpr auto s = &Experiment::topology;
    const auto add = adder(table, ParameterGroup::topology);
    add(field::of<s, &S::kind>({
        .path = "topology.kind",
        .label = "Topology",
        .meaning = "How the GPUs are joined. ring: each to two neighbours. fully-connected: each to all. switch: all "
                   "to one switch. torus: rows and columns of rings. two-nodes: two fully connected halves, each GPU "
                   "joined to its counterpart by a slower link. custom: by topology.links.",
        .source = {published, "T3, table 1"},
    }));
    add(field::of<s, &S::egress>({
        .path = "topology.egress",
        .label = "Egress",
        .meaning =
            "per-link: each outgoing link of a GPU has its own bandwidth. shared: all of them together have the "
            "bandwidth of the fastest one, first in, first out; a packet that waits for a busy link then also delays "
            "packets queued behind it for free links. The ring algorithm sends on one link, so both give the same "
            "result.",
        .source = {assumed, "every link serialises for itself"},
    }));
    add(field::ofOptional<kAutoWord, s, &S::torusColumns>({
        .path = "topology.torus_columns",
        .label = "Torus columns",
        .range = {1, 64},
        .meaning = "GPUs in a row of the torus; must divide the number of GPUs. auto: the most square shape.",
        .source = {chosen, "the shortest routes"},
        .reading = {.atAll = [](const Experiment& e) { return e.topology.kind == TopologyKind::torus; }},
    }));
    add(field::of<s, &S::nodeBandwidth>({
        .path = "topology.node_bandwidth",
        .label = "Bandwidth between nodes",
        .range = logarithmic(1 * kMega, 1000 * kTera),
        .meaning = "Bandwidth of one link between two nodes, per direction. Used by two-nodes.",
        .source = {assumed, "one network adapter of 400 Gbit/s for each GPU"},
        .reading = {.byRun = reading::joinsNodes, .atAll = reading::isTwoNodes},
    }));
    add(field::of<s, &S::nodeLatency>({
        .path = "topology.node_latency",
        .label = "Latency between nodes",
        .range = {0, 1 * kMilli},
        .meaning = "Latency of one link between two nodes. Used by two-nodes.",
        .source = {assumed, "adapter, switch and adapter of an RDMA network"},
        .reading = {.byRun = reading::joinsNodes, .atAll = reading::isTwoNodes},
    }));
    add(field::of<s, &S::links>({
        .path = "topology.links",
        .label = "Custom topology",
        .range = {0, 65536},
        .meaning =
            "The links of a custom topology, separated by spaces. \"0-1\" joins GPU 0 and GPU 1 by a link each way, "
            "\"0>1\" by one link; s0 to s63 are switches. \"@75GB/s\" behind it, \"@75GB/s,1us\" or \"@,1us\" give "
            "each of these links its own bandwidth and latency; otherwise they have link.bandwidth and link.latency. "
            "Two nodes can have at most one link in each direction.",
        .source = {chosen, "none: the other kinds need no list"},
        .reading = {.atAll = [](const Experiment& e) { return e.topology.kind == TopologyKind::custom; }},
    }));
}

void appendSwitches(std::vector<Parameter>& table) {
    using S = SwitchConfig;
    constexpr auto s = &Experiment::switches;
    const auto add = adder(table, ParameterGroup::topology);
    add(field::ofOptional<kUnlimitedWord, s, &S::reduceBandwidth>({
        .path = "switch.reduce_bandwidth",
        .label = "Adding for each port",
        .range = logarithmic(100 * kMega, 1000 * kTera),
        .meaning = "Bandwidth at which the switch adds the packets that come by one port. Read with "
                   "collective.algorithm=in-switch.",
        .source = {chosen, "unlimited: as fast as its links"},
        .since = "0.5",
        .reading = {.byRun = reading::sumsInSwitch, .whyNot = reading::whyNoSumsInSwitch},
    }));
    add(field::of<s, &S::reduceLatency>({
        .path = "switch.reduce_latency",
        .label = "Latency of a sum",
        .range = {0, 1 * kMilli},
        .meaning = "Time from the last packet of a sum to the departure of the sum. Read with "
                   "collective.algorithm=in-switch.",
        .source = {chosen, "0: link.latency has the latency of the switch"},
        .since = "0.5",
        .reading = {.byRun = reading::sumsInSwitch, .whyNot = reading::whyNoSumsInSwitch},
    }));
}

void appendPolicy(std::vector<Parameter>& table) {
    using S = PolicyConfig;
    constexpr auto s = &Experiment::policy;
    const auto add = adder(table, ParameterGroup::policy, {.byRun = reading::hasGemm});
    add(field::of<s, &S::preset>({
        .path = "policy.preset",
        .label = "Policy",
        .meaning = policyMeaning(),
        .source = {published, "T3, section 5.3"},
    }));
    add(field::of<s, &S::order>({
        .path = "policy.order",
        .label = "Producer order",
        .meaning = "Order in which workgroups are dispatched. staggered: GPU i begins with chunk i, the one that its "
                   "neighbour needs next; plain: all GPUs begin with chunk 0.",
        .source = {published, "T3, section 4.4"},
        .reading = {.byRun = reading::isSubLayer},
    }));
    add(field::of<s, &S::mapping>({
        .path = "policy.mapping",
        .label = "Output mapping",
        .meaning =
            "Where the GEMM's stores go. local: to the GPU's own memory; remote-dma: the first chunk straight to "
            "the neighbour, the others by triggered DMA once the neighbour's contribution has arrived.",
        .source = {published, "T3, section 4.1"},
        .reading = {.byRun = reading::isSubLayer},
    }));
    add(field::of<s, &S::outputCaching>({
        .path = "policy.output_caching",
        .label = "Output caching",
        .meaning =
            "Whether the GEMM's output passes through the last-level cache (allocate), where it displaces inputs, "
            "or goes around it (bypass).",
        .source = {published, "T3, section 4.3"},
    }));
    add(field::of<s, &S::start>({
        .path = "policy.start",
        .label = "Start of communication",
        .meaning =
            "after-gemm: the reduce-scatter or all-to-all begins when the GEMM has ended; a GEMM that consumes an "
            "all-gather begins when the all-gather has ended. when-ready: data are sent as they become ready (with "
            "policy.mapping=remote-dma); a consuming GEMM begins at once, and its workgroups wait for their chunks. "
            "concurrent: an all-reduce of other data begins with the GEMM, on CUs that it takes from the GEMM "
            "(collective.cu_count). by-piece: the GEMM is launched as several kernels (policy.pieces), and a collective "
            "kernel beside it takes the output of each when it has ended. when-ready with policy.mapping=local: a "
            "collective kernel beside the GEMM takes each tile when it is in memory. collective.by=dma with by-piece: "
            "copies take the output; before a GEMM that consumes an all-gather they bring the chunks, and a piece is "
            "launched when its chunks have come.",
        .source = {published, "T3, section 4; by-piece: PyTorch's asynchronous tensor parallelism; when-ready with "
                              "local: Flux (arXiv 2406.06858)"},
        .reading = {.byRun = reading::isSubLayer},
    }));
    add(field::ofOptional<kAutoWord, s, &S::pieces>({
        .path = "policy.pieces",
        .label = "Pieces of the GEMM",
        .range = logarithmic(1, 1024),
        .meaning = "Kernels as which the GEMM is launched with policy.start=by-piece: 1, a divisor of the number of "
                   "GPUs or a multiple of it. Each pays launch.kernel. auto: one for each chunk.",
        .source = {chosen, "auto: the chunks of the collective, as in PyTorch's asynchronous tensor parallelism"},
        .since = "0.5",
        .reading = {.byRun = launchesPieces, .whyNot = reading::whyNoPieces},
    }));
    add(field::of<s, &S::queues>({
        .path = "policy.queues",
        .label = "Queues of pieces",
        .range = {1, 4},
        .meaning = "With policy.start=by-piece: a piece is launched when the piece this many before it has ended. With "
                   "1 the pieces run one after the other; with 2 the next one fills the CUs that the last wave of a "
                   "piece leaves free.",
        .source = {published, "PyTorch's asynchronous tensor parallelism alternates two streams"},
        .since = "0.5",
        .reading = {.byRun = launchesPieces, .whyNot = reading::whyNoPieces},
    }));
    add(field::of<s, &S::signalLatency>({
        .path = "policy.signal_latency",
        .label = "Latency of a signal",
        .range = {0, 1 * kMilli},
        .meaning = "Time from the landing of output in memory until the collective kernel beside the GEMM, or the host "
                   "that hands over copies, knows of it, piece by piece or tile by tile.",
        .source = {assumed, "0: the kernel sees its flag at once"},
        .since = "0.5",
        .reading = {.byRun = reading::waitsForSignals, .whyNot = reading::whyNoSignals},
    }));
}

void appendDetail(std::vector<Parameter>& table) {
    using S = DetailConfig;
    constexpr auto s = &Experiment::detail;
    const auto add = adder(table, ParameterGroup::detail);
    add(field::of<s, &S::level>({
        .path = "detail.level",
        .label = "Detail",
        .meaning = "Preset of granule and channels. interactive: 16 KiB on 1 channel, for quick answers; standard: 4 "
                   "KiB on 8; fine: 256 B on 32.",
        .source = {chosen, kModelPage},
    }));
    add(field::of<s, &S::granule>({
        .path = "detail.granule",
        .label = "Granule",
        .range = powersOfTwo(32, 64 * kKiB),
        .meaning = "Largest request that is simulated as one. Smaller granules take longer to simulate.",
        .source = {chosen, kModelPage},
    }));
    add(field::of<s, &S::channels>({
        .path = "detail.channels",
        .label = "Channels",
        .range = powersOfTwo(1, 64),
        .meaning = "DRAM channels of one GPU, each with its own streams, arbiter and queue. They share the bandwidth; "
                   "their number never changes how many bytes move.",
        .source = {chosen, kModelPage},
    }));
    add(field::of<s, &S::mode>({
        .path = "detail.mode",
        .label = "GPUs simulated",
        .meaning =
            "mirrored: one GPU stands for all, and its own packets arrive at it in place of its neighbour's; exact if "
            "all GPUs and chunks are alike. full: every GPU. auto: mirrored if that is exact, and at "
            "detail.level=interactive also if it is an approximation, with a notice; full with memory.model=banks.",
        .source = {chosen, kModelPage},
    }));
    add(field::through<std::int64_t>(
        {
            .path = "seed",
            .label = "Seed",
            .range = {0, kLargestExactInteger},
            .meaning = "Chooses the start jitter of each workgroup. The same seed gives the same run, bit for bit.",
            .source = {chosen, "1 when it is not given"},
        },
        [](const Experiment& e) { return ParameterValue{e.seed}; },
        [](Experiment& e, const ParameterValue& v) { e.seed = std::get<std::int64_t>(v); }));
}

}  // namespace

void appendPolicyParameters(std::vector<Parameter>& table) {
    appendCollective(table);
    appendTopology(table);
    appendSwitches(table);
    appendPolicy(table);
    appendDetail(table);
}

}  // namespace engine
