#include "engine/api/parameter_field.h"
#include "engine/api/parameter_reading.h"

// The table's entries for the components that move data: memory, arbitration, tracker, DMA and links.

namespace engine {
namespace {

constexpr double kMega = 1e6, kGiga = 1e9, kTera = 1e12;
constexpr double kMicro = 1e6, kMilli = 1e9, kSecond = 1e12;  // in picoseconds
constexpr double kKiB = 1024, kMiB = 1024.0 * 1024, kGiB = 1024.0 * 1024 * 1024;

using enum SourceLabel;

constexpr char kModelPage[] = "MODEL.md, What is modelled";
constexpr char kCalibration[] = "MODEL.md, Calibration";

void appendMemory(std::vector<Parameter>& table) {
    using S = MemoryConfig;
    constexpr auto s = &Experiment::memory;
    const auto add = adder(table, ParameterGroup::memory);
    add(field::of<s, &S::bandwidth>({
        .path = "memory.bandwidth",
        .label = "Peak bandwidth",
        .range = logarithmic(1 * kGiga, 1000 * kTera),
        .meaning = "Peak bandwidth of one GPU's DRAM, all channels together.",
        .source = {published, "T3, table 1"},
    }));
    add(field::of<s, &S::efficiency>({
        .path = "memory.efficiency",
        .label = "Efficiency",
        .range = {0.01, 1},
        .meaning =
            "Share of the peak bandwidth that plain reads and writes reach; refresh, row misses and bank conflicts "
            "cost the rest.",
        .source = {calibrated, kCalibration},
    }));
    add(field::of<s, &S::latency>({
        .path = "memory.latency",
        .label = "Latency",
        .range = {0, 1 * kMilli},
        .meaning =
            "Time that is added after the service of a read, an update or a write, until it has landed. Requests "
            "queued behind it do not wait for this time.",
        .source = {assumed, kModelPage},
    }));
    add(field::of<s, &S::updateCost>({
        .path = "memory.update_cost",
        .label = "Update cost",
        .range = {1, 16},
        .meaning =
            "Service time of a near-memory update (op-and-store) relative to that of a write: an update occupies its "
            "bank for a longer column-to-column delay. Plausible from 1.0 to 2.0.",
        .source = {calibrated, kCalibration},
        .reading = {.byRun = reading::updates},
    }));
    add(field::ofOptional<kSameWord, s, &S::arrivingUpdateCost>({
        .path = "memory.arriving_update_cost",
        .label = "Cost of arriving updates",
        .range = {1, 16},
        .meaning = "Update cost of the updates that arrive by the link, if it differs from that of the GEMM's own "
                   "updates.",
        .source = {chosen, kModelPage},
    }));
    add(field::of<s, &S::model>({
        .path = "memory.model",
        .label = "DRAM model",
        .meaning = "sustained: peak bandwidth x efficiency, updates cost update_cost writes. banks: bank groups, rows, "
                   "turnaround and refresh of the dram.* settings; efficiency and update cost are then results.",
        .source = {chosen, "MODEL.md, Readings"},
    }));
    add(field::of<s, &S::queue>({
        .path = "memory.queue",
        .label = "DRAM queue",
        .range = logarithmic(64, 64 * kMiB),
        .meaning =
            "Bytes of requests between arbiter and DRAM, all channels together; at least one request per channel. A "
            "request in the queue can no longer be overtaken.",
        .source = {calibrated, kCalibration},
    }));
    add(field::of<s, &S::storeOrder>({
        .path = "memory.store_order",
        .label = "Order of loads and stores",
        .meaning =
            "Order of the GEMM's loads and its own stores in the compute stream. in-order: a wave's burst of stores "
            "delays the next wave's first loads, which causes the larger part of plain T3's loss.",
        .source = {calibrated, kCalibration},
    }));
    add(field::of<s, &S::writeDrainHigh>({
        .path = "memory.write_drain_high",
        .label = "Write drain, high mark",
        .range = logarithmic(64, 1024 * kMiB),
        .meaning = "With memory.store_order=write-drain: bytes of waiting stores, all channels together, at which they "
                   "begin to be served before loads.",
        .source = {assumed, "a write buffer of four DRAM queues"},
    }));
    add(field::of<s, &S::writeDrainLow>({
        .path = "memory.write_drain_low",
        .label = "Write drain, low mark",
        .range = logarithmic(64, 1024 * kMiB),
        .meaning =
            "With memory.store_order=write-drain: bytes of waiting stores at which loads are served first again.",
        .source = {assumed, "one DRAM queue"},
    }));
    add(field::of<s, &S::turnaround>({
        .path = "memory.turnaround",
        .label = "Read/write turnaround",
        .range = {0, 10 * kMicro},
        .meaning = "Time that a channel loses when it changes between reads and writes or updates.",
        .source = {assumed, kModelPage},
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

std::string arbitrationMeaning() {
    std::string meaning = "Rule that chooses which stream sends the next request to DRAM.";
    for (const ArbitrationPolicyText& policy : kArbitrationPolicies)
        meaning.append(" ").append(policy.word).append(": ").append(policy.meaning).append(";");
    meaning.back() = '.';
    return meaning + " Part of the policy preset.";
}

void appendArbitration(std::vector<Parameter>& table) {
    using S = ArbitrationConfig;
    constexpr auto s = &Experiment::arbitration;
    const auto add = adder(table, ParameterGroup::arbitration, {.byRun = reading::hasTwoStreams});
    add(field::of<s, &S::policy>({
        .path = "arbitration.policy",
        .label = "Arbitration",
        .meaning = arbitrationMeaning(),
        .source = {published, "T3, section 4.5"},
    }));
    add(field::of<s, &S::share>({
        .path = "arbitration.share",
        .label = "Communication to compute",
        .unit = ParameterUnit::toOne,
        .range = logarithmic(1, 1024),
        .meaning = "Under round-robin, the number of turns of communication for one turn of compute while both wait.",
        .source = {calibrated, "MODEL.md, Calibration; 1:1 and 2:1 are the alternatives"},
        .reading = {.byRun = reading::takesTurns},
    }));
    add(field::ofOptional<kGranuleWord, s, &S::turn>({
        .path = "arbitration.turn",
        .label = "Turn",
        .range = logarithmic(64, 16 * kMiB),
        .meaning =
            "Bytes of one turn under round-robin; `granule` is one request of the simulation. If a turn is shorter "
            "than a request, the excess counts in the turns after it.",
        .source = {chosen, kModelPage},
    }));
    add(field::through<Bytes>(
        {
            .path = "arbitration.threshold",
            .label = "MCA threshold",
            .range = logarithmic(64, 64 * kMiB),
            .words = {"auto", "none"},
            .meaning =
                "Under mca, communication is served only while the DRAM queue holds less than this. The content of the "
                "queue, with the rest of the request in service, is measured by its remaining service time, which is "
                "compared with the time of this many bytes of reads or writes. `auto` chooses 5/64, 10/64 or 30/64 of "
                "the queue, or no limit, from the GEMM's DRAM utilisation between its first load and the end of its "
                "first "
                "stage.",
            .source = {secondHand,
                       "T3, section 4.5: 5, 10, 30 or no limit; the utilisations that separate them are assumed"},
            .reading = {.byRun = reading::isMca},
        },
        &readThreshold, &writeThreshold));
    add(field::of<s, &S::starvationLimit>({
        .path = "arbitration.starvation_limit",
        .label = "Starvation limit",
        .range = logarithmic(0, 1 * kSecond),
        .meaning = "Under mca, one request of communication is served when communication has waited this long.",
        .source = {assumed, kModelPage},
        .reading = {.byRun = reading::isMca},
    }));
}

void appendTracker(std::vector<Parameter>& table) {
    using S = TrackerConfig;
    constexpr auto s = &Experiment::tracker;
    const auto add = adder(table, ParameterGroup::tracker, {.byRun = reading::tracks});
    add(field::of<s, &S::entries>({
        .path = "tracker.entries",
        .label = "Entries",
        .range = logarithmic(1, 1048576),
        .meaning = "Sets of the tracker, indexed by the low bits of the workgroup's number. A set holds one workgroup "
                   "for each way from its first update to its last; updates of later workgroups wait outside.",
        .source = {secondHand, "T3, section 4.2: 256 entries, about 19 KB"},
    }));
    add(field::of<s, &S::ways>({
        .path = "tracker.ways",
        .label = "Ways",
        .range = {0, 64},
        .meaning =
            "Workgroups that one set of the tracker can hold. With 0 no tile can be tracked, and a run that needs the "
            "tracker stops with a message that names what waits for what.",
        .source = {assumed, kModelPage},
    }));
    add(field::ofOptional<kUnlimitedWord, s, &S::heldBytes>({
        .path = "tracker.held_bytes",
        .label = "Held updates",
        .range = logarithmic(1, 1024 * kGiB),
        .meaning =
            "Bytes of arriving updates that one GPU can hold while their tile has no set of the tracker. If there is "
            "no room, the updates queued behind wait as well, and their senders stop after the bytes of one round "
            "trip; a buffer smaller than one update holds none.",
        .source = {assumed, kModelPage},
        .since = "0.4",
    }));
    add(field::of<s, &S::wfPerWg>({
        .path = "tracker.wf_per_wg",
        .label = "Wavefronts per workgroup",
        .range = {1, 64},
        .meaning = "Wavefronts of one workgroup, each with its own counter in the tracker.",
        .source = {secondHand, "T3, section 4.2"},
    }));
    add(field::of<s, &S::triggerLatency>({
        .path = "tracker.trigger_latency",
        .label = "Trigger latency",
        .range = {0, 1 * kMilli},
        .meaning = "Time from the last update of a DMA block until its command is ready.",
        .source = {assumed, kModelPage},
    }));
}

void appendDma(std::vector<Parameter>& table) {
    using S = DmaConfig;
    constexpr auto s = &Experiment::dma;
    const auto add = adder(table, ParameterGroup::dma, {.byRun = reading::copies});
    add(field::of<s, &S::engines>({
        .path = "dma.engines",
        .label = "Engines",
        .range = {1, 64},
        .meaning =
            "DMA engines of one GPU, each of which reads the block of one command at a time. For commands that the "
            "tracker triggers their number changes times only if dma.window limits the bytes that each has in flight: "
            "without a limit one engine requests whole blocks at once, in the same order as several engines. A copy "
            "(collective.by=dma) keeps its engine until its last byte has left the GPU.",
        .source = {assumed, kModelPage},
    }));
    add(field::of<s, &S::blockTiles>({
        .path = "dma.block_tiles",
        .label = "Block",
        .range = logarithmic(1, 65536),
        .meaning =
            "Tiles that one DMA command sends once all of them are complete. Smaller blocks start earlier, larger "
            "ones pay the start-up less often. A block never crosses a chunk.",
        .source = {calibrated, kCalibration},
        .reading = {.byRun = reading::tracks},
    }));
    add(field::ofOptional<kUnlimitedWord, s, &S::window>({
        .path = "dma.window",
        .label = "Window",
        .range = logarithmic(64, 1 * kGiB),
        .meaning = "Bytes that one engine may have requested from memory and not yet put on the link; for copies "
                   "(collective.by=dma) those that have not left by it.",
        .source = {assumed, kModelPage},
    }));
    add(field::of<s, &S::startupLatency>({
        .path = "dma.startup_latency",
        .label = "Start-up",
        .range = {0, 1 * kMilli},
        .meaning =
            "Time from a command becoming ready until an engine may take it. Commands start up at the same time, so a "
            "command that is queued behind others starts up while it waits.",
        .source = {assumed, kModelPage},
    }));
    add(field::of<s, &S::issue>({
        .path = "dma.issue",
        .label = "Time to hand over",
        .range = {0, 1 * kMilli},
        .meaning = "Time that the host takes to hand over one copy with collective.by=dma. Copies are handed over one "
                   "after the other; then each starts up.",
        .source = {chosen, "0: the host costs no time"},
        .since = "0.5",
        .reading = {.byRun = copiesByDma, .whyNot = reading::whyNoCopies},
    }));
}

void appendLink(std::vector<Parameter>& table) {
    using S = LinkConfig;
    constexpr auto s = &Experiment::link;
    const auto add = adder(table, ParameterGroup::link, {.byRun = reading::communicates});
    add(field::of<s, &S::bandwidth>({
        .path = "link.bandwidth",
        .label = "Bandwidth per direction",
        .symbol = "B",
        .range = logarithmic(100 * kMega, 1000 * kTera),
        .meaning = "Bandwidth of each directed link, on every topology. Links between two nodes have "
                   "topology.node_bandwidth instead; links of a custom topology may have their own.",
        .source =
            {assumed,
             "T3, table 1 gives 150 GB/s bi-directional; read as 150 per direction (machine t3-table-1-75 reads 75)"},
    }));
    add(field::of<s, &S::efficiency>({
        .path = "link.efficiency",
        .label = "Efficiency",
        .range = {0.01, 1},
        .meaning = "Share of link.bandwidth at which packets move; the rest goes to the protocol. Links with a "
                   "bandwidth of their own (topology.node_bandwidth, or in topology.links) move packets at that "
                   "bandwidth.",
        .source = {chosen, "1: link.bandwidth is the bandwidth of packets"},
        .since = "0.5",
    }));
    add(field::of<s, &S::latency>({
        .path = "link.latency",
        .label = "Latency",
        .range = {0, 1 * kMilli},
        .meaning = "Time from the last byte of a packet entering a link to its arrival at the other end, for each link "
                   "without a latency of its own.",
        .source = {published, "T3, table 1"},
    }));
    add(field::ofOptional<kGranuleWord, s, &S::packet>({
        .path = "link.packet",
        .label = "Packet",
        .range = logarithmic(64, 1 * kMiB),
        .meaning = "Payload of one packet; `granule` is one request of the simulation.",
        .source = {assumed, kModelPage},
    }));
    add(field::of<s, &S::header>({
        .path = "link.header",
        .label = "Header",
        .range = {0, 4 * kKiB},
        .meaning = "Bytes that a packet takes on the link besides its payload.",
        .source = {assumed, kModelPage},
    }));
}

}  // namespace

void appendSystemParameters(std::vector<Parameter>& table) {
    appendMemory(table);
    appendArbitration(table);
    appendTracker(table);
    appendDma(table);
    appendLink(table);
}

}  // namespace engine
