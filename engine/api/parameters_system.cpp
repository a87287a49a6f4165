#include "engine/api/parameter_field.h"

// The table's entries for what moves data: memory, arbitration, tracker, DMA and links.

namespace engine {
namespace {

constexpr double kMega = 1e6, kGiga = 1e9, kTera = 1e12;
constexpr double kMicro = 1e6, kMilli = 1e9, kSecond = 1e12;  // in picoseconds
constexpr double kKiB = 1024, kMiB = 1024.0 * 1024, kGiB = 1024.0 * 1024 * 1024;

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
        .meaning =
            "Added to the service time of a read, an update or a write, which has landed then; requests behind it do "
            "not wait for it.",
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
    table.push_back(field::ofOptional<kSameWord, s, &S::arrivingUpdateCost>({
        .path = "memory.arriving_update_cost",
        .label = "Cost of arriving updates",
        .group = group,
        .minimum = 1,
        .maximum = 16,
        .meaning = "The same for updates that arrive by the link, where they are to cost something else than the "
                   "GEMM's own.",
        .sourceLabel = chosen,
        .source = kModelSection2,
    }));
    table.push_back(field::of<s, &S::model>({
        .path = "memory.model",
        .label = "DRAM model",
        .group = group,
        .meaning = "sustained: peak bandwidth x efficiency, updates cost update_cost writes. banks: bank groups, rows, "
                   "turnaround and refresh of the dram.* settings; efficiency and update cost are then results.",
        .sourceLabel = chosen,
        .source = "model.md, section 3, open questions",
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
    table.push_back(field::of<s, &S::writeDrainHigh>({
        .path = "memory.write_drain_high",
        .label = "Write drain, high mark",
        .group = group,
        .minimum = 64,
        .maximum = 1024 * kMiB,
        .logarithmic = true,
        .meaning =
            "With the store order write-drain: bytes of waiting stores, all channels together, from which on they "
            "are served before loads.",
        .sourceLabel = assumed,
        .source = "a write buffer of four DRAM queues",
    }));
    table.push_back(field::of<s, &S::writeDrainLow>({
        .path = "memory.write_drain_low",
        .label = "Write drain, low mark",
        .group = group,
        .minimum = 64,
        .maximum = 1024 * kMiB,
        .logarithmic = true,
        .meaning = "The same: bytes down to which the stores are then served.",
        .sourceLabel = assumed,
        .source = "one DRAM queue",
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

std::string arbitrationMeaning() {
    std::string meaning = "Who goes next to DRAM.";
    for (const ArbitrationPolicyText& policy : kArbitrationPolicies)
        meaning.append(" ").append(policy.word).append(": ").append(policy.meaning).append(";");
    meaning.back() = '.';
    return meaning + " Part of the policy preset.";
}

void appendArbitration(std::vector<Parameter>& table) {
    using S = ArbitrationConfig;
    constexpr auto s = &Experiment::arbitration;
    constexpr auto group = ParameterGroup::arbitration;
    table.push_back(field::of<s, &S::policy>({
        .path = "arbitration.policy",
        .label = "Arbitration",
        .group = group,
        .meaning = arbitrationMeaning(),
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
        .meaning = "Bytes of one turn under round robin; `granule` is one request of the simulation. Where a turn is "
                   "shorter than a request, what goes beyond it counts in the turns after it.",
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
        .meaning = "Under mca, communication is served only while less than this remains in the DRAM queue. What "
                   "remains, the rest of the request in service included, is measured by the time that it still takes, "
                   "against the time of this many bytes of reads or writes. `auto` chooses 5, 10 or 30 of 64 parts of "
                   "the queue, or no limit, from the GEMM's DRAM utilisation between its first load and the end of its "
                   "first stage.",
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
        .minimum = 0,
        .maximum = 64,
        .meaning = "Workgroups that one set of the tracker can hold. With 0 nothing can be tracked, and a run that "
                   "needs the tracker stops with a message that says who waits for what.",
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
        .meaning =
            "DMA engines of one GPU, each of which reads the block of one command at a time. Their number changes "
            "times only where dma.window limits what each has in flight: without a limit one engine asks for "
            "whole blocks at once, in the same order as several would.",
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
        .meaning =
            "From a command becoming ready to the moment from which an engine may take it. Commands start up side "
            "by side, so that one that waits behind others has done so meanwhile.",
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
        .meaning = "Bandwidth of each directed link, on every topology. Links between two nodes have "
                   "topology.node_bandwidth instead, links of a custom topology may have their own.",
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
        .meaning =
            "From the last byte of a packet entering a link to its arrival at the other end, of each link that has "
            "no latency of its own.",
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

}  // namespace

void appendSystemParameters(std::vector<Parameter>& table) {
    appendMemory(table);
    appendArbitration(table);
    appendTracker(table);
    appendDma(table);
    appendLink(table);
}

}  // namespace engine
