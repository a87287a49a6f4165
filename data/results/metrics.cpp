#include "data/results/metrics.h"

#include "engine/api/quantity.h"
#include "engine/api/run_times.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace data {
namespace {

using engine::ParameterUnit;
using engine::RunResult;
using enum Better;

using Number = std::optional<double>;
using Read = Number (*)(const RunResult&);

constexpr ParameterUnit kTime = ParameterUnit::picoseconds;
constexpr ParameterUnit kBytes = ParameterUnit::bytes;

double numberOf(engine::Duration time) { return static_cast<double>(time.ps); }
double numberOf(engine::Bandwidth rate) { return static_cast<double>(rate.bytesPerSecond); }
double numberOf(engine::Bytes bytes) { return static_cast<double>(bytes.count); }
double numberOf(std::int64_t count) { return static_cast<double>(count); }
double numberOf(double ratio) { return ratio; }

/// The number at `field` of a group that every result has.
template <auto group, auto field>
Number always(const RunResult& result) {
    return numberOf(result.*group.*field);
}

/// The same of a group of one GPU that only some policies have.
template <auto group, auto field>
Number ofGpu(const RunResult& result) {
    const auto& values = result.last.*group;
    return values ? Number(numberOf((*values).*field)) : std::nullopt;
}

template <auto field>
Number ofTime(const RunResult& result) {
    return numberOf(result.last.time.*field);
}

template <auto field>
Number ofNetwork(const RunResult& result) {
    return result.network ? Number(numberOf((*result.network).*field)) : std::nullopt;
}

/// Of a result that says which links its algorithm uses; those of older versions do not.
template <auto field>
Number ofLinks(const RunResult& result) {
    return result.network && result.network->linksOfGpu != 0 ? ofNetwork<field>(result) : std::nullopt;
}

template <auto field>
Number ofIsolated(const RunResult& result) {
    return result.isolated ? Number(numberOf((*result.isolated).*field)) : std::nullopt;
}

/// Of a run that has a sequential run to compare with.
template <auto field>
Number ofHiding(const RunResult& result) {
    const auto hiding = engine::hidingOf(result);
    return hiding ? Number(numberOf((*hiding).*field)) : std::nullopt;
}

/// Of a run with an all-to-all; others have none, in documents as here.
template <Read read>
Number ofExchange(const RunResult& result) {
    return result.last.time.allToAll.ps != 0 ? read(result) : std::nullopt;
}

Metric ratio(const char* path, const char* label, Better better, const char* meaning, Read read) {
    return {path, label, ParameterUnit::none, better, meaning, read, false};
}

Metric count(const char* path, const char* label, Better better, const char* meaning, Read read) {
    return {path, label, ParameterUnit::none, better, meaning, read, true};
}

Metric quantity(const char* path, const char* label, ParameterUnit unit, Better better, const char* meaning,
                Read read) {
    return {path, label, unit, better, meaning, read, true};
}

void appendShape(std::vector<Metric>& table) {
    using engine::Shape;
    constexpr auto kShape = &RunResult::shape;
    table.push_back(count("shape.m", "M", neither, "Rows of the GEMM's output.", &always<kShape, &Shape::m>));
    table.push_back(count("shape.n", "N", neither, "Columns of the GEMM's output.", &always<kShape, &Shape::n>));
    table.push_back(count("shape.k", "K", neither, "Length of the GEMM's sums on one GPU, after slicing.",
                          &always<kShape, &Shape::k>));
    table.push_back(count("shape.tiles", "Tiles", neither, "Workgroups of the GEMM, or slabs of a collective alone.",
                          &always<kShape, &Shape::tiles>));
    table.push_back(quantity("shape.output_bytes", "Output", kBytes, neither, "Size of what is reduced and gathered.",
                             &always<kShape, &Shape::outputBytes>));
}

void appendTimes(std::vector<Metric>& table) {
    using engine::Hiding;
    using engine::TimeResult;
    table.push_back(quantity("time_ps.total", "Total time", kTime, smaller, "From the start to the last end.",
                             &ofTime<&TimeResult::total>));
    table.push_back(quantity("time_ps.gemm", "GEMM time", kTime, smaller,
                             "From the first workgroup's start to the last store landed or sent.",
                             &ofTime<&TimeResult::gemm>));
    table.push_back(quantity("time_ps.reduce_scatter", "Reduce-scatter time", kTime, smaller,
                             "From its kernel's start, or the first remote store, to the last update that landed.",
                             &ofTime<&TimeResult::reduceScatter>));
    table.push_back(quantity("time_ps.all_gather", "All-gather time", kTime, smaller,
                             "From the all-gather's start to its last write.", &ofTime<&TimeResult::allGather>));
    table.push_back(quantity("time_ps.all_to_all", "All-to-all time", kTime, smaller,
                             "From the all-to-all's start, or the first store that leaves, to its last write.",
                             &ofExchange<&ofTime<&TimeResult::allToAll>>));
    table.push_back(quantity("time_ps.hidden", "Hidden communication", kTime, larger,
                             "Total time of `sequential` without this run's; negative where this run is slower.",
                             &ofHiding<&Hiding::hidden>));
    table.push_back(quantity("time_ps.exposed", "Exposed communication", kTime, smaller,
                             "Total time without the GEMM's alone. Hidden and exposed add up to the communication of "
                             "`sequential`.",
                             &ofHiding<&Hiding::exposed>));
    table.push_back(quantity("time_ps.overlapped", "GEMM and collective at once", kTime, larger,
                             "How long GEMM and reduce-scatter went on at once, also while the GEMM waited.",
                             &ofTime<&TimeResult::overlapped>));
    table.push_back(quantity("time_ps.exposed_communication", "Total without the GEMM", kTime, smaller,
                             "Total time without the GEMM's in this run, also while it waited.",
                             &ofTime<&TimeResult::exposedCommunication>));
}

void appendRatios(std::vector<Metric>& table) {
    using engine::IsolatedTimes;
    table.push_back(quantity("isolated_ps.gemm", "GEMM alone", kTime, smaller, "The GEMM alone on the machine.",
                             &ofIsolated<&IsolatedTimes::gemm>));
    table.push_back(quantity("isolated_ps.reduce_scatter", "Reduce-scatter alone", kTime, smaller,
                             "The reduce-scatter alone on the machine, reduced by compute units.",
                             &ofIsolated<&IsolatedTimes::reduceScatter>));
    table.push_back(quantity("isolated_ps.reduce_scatter_nmc", "Reduce-scatter alone, NMC", kTime, smaller,
                             "The reduce-scatter alone on the machine, reduced near memory.",
                             &ofIsolated<&IsolatedTimes::reduceScatterNmc>));
    table.push_back(quantity("isolated_ps.all_gather", "All-gather alone", kTime, smaller,
                             "The all-gather alone on the machine.", &ofIsolated<&IsolatedTimes::allGather>));
    table.push_back(quantity("isolated_ps.all_to_all", "All-to-all alone", kTime, smaller,
                             "The all-to-all alone on the machine.",
                             &ofExchange<&ofIsolated<&IsolatedTimes::allToAll>>));
    table.push_back(ratio("speedup_over_sequential", "Speed-up over sequential", larger,
                          "Total time of `sequential` on the same machine, divided by this run's.",
                          [](const RunResult& result) { return result.speedupOverSequential; }));
    table.push_back(ratio("gemm_stretch", "GEMM stretch", smaller,
                          "The GEMM in this run, divided by the GEMM alone: what communication slows it down.",
                          &ofHiding<&engine::Hiding::gemmStretch>));
}

void appendDram(std::vector<Metric>& table) {
    using engine::DramResult;
    const auto add = [&](const char* path, const char* label, const char* meaning, Read read) {
        table.push_back(quantity(path, label, kBytes, smaller, meaning, read));
    };
    constexpr auto kDram = &engine::GpuResult::dram;
    add("dram_bytes.gemm_read", "DRAM read, GEMM", "Read from DRAM by the GEMM.", &ofGpu<kDram, &DramResult::gemmRead>);
    add("dram_bytes.gemm_write", "DRAM written, GEMM", "Written to DRAM by the GEMM, its own updates included.",
        &ofGpu<kDram, &DramResult::gemmWrite>);
    add("dram_bytes.rs_read", "DRAM read, RS", "Read from DRAM by the reduce-scatter.",
        &ofGpu<kDram, &DramResult::rsRead>);
    add("dram_bytes.rs_write", "DRAM written, RS", "Written to DRAM by the reduce-scatter, arriving updates included.",
        &ofGpu<kDram, &DramResult::rsWrite>);
    add("dram_bytes.ag_read", "DRAM read, AG", "Read from DRAM by the all-gather.", &ofGpu<kDram, &DramResult::agRead>);
    add("dram_bytes.ag_write", "DRAM written, AG", "Written to DRAM by the all-gather.",
        &ofGpu<kDram, &DramResult::agWrite>);
    add("dram_bytes.a2a_read", "DRAM read, all-to-all", "Read from DRAM by the all-to-all.",
        &ofExchange<&ofGpu<kDram, &DramResult::a2aRead>>);
    add("dram_bytes.a2a_write", "DRAM written, all-to-all", "Written to DRAM by the all-to-all.",
        &ofExchange<&ofGpu<kDram, &DramResult::a2aWrite>>);
    add("dram_bytes.total", "DRAM traffic", "All that one GPU reads from and writes to DRAM.",
        &ofGpu<kDram, &DramResult::total>);
}

void appendDramOutcome(std::vector<Metric>& table) {
    using engine::DramOutcome;
    constexpr auto kOutcome = &engine::GpuResult::dramOutcome;
    table.push_back(ratio("dram_outcome.efficiency", "DRAM efficiency", larger,
                          "Share of its peak bandwidth that the bank model reached while it served.",
                          &ofGpu<kOutcome, &DramOutcome::efficiency>));
    table.push_back(ratio("dram_outcome.update_cost", "Update cost", smaller,
                          "Service time of an update's bytes, divided by that of a plain request's.",
                          &ofGpu<kOutcome, &DramOutcome::updateCost>));
    table.push_back(ratio("dram_outcome.row_hit_rate", "Row hit rate", larger,
                          "Share of column accesses that found their row open.",
                          &ofGpu<kOutcome, &DramOutcome::rowHitRate>));
    table.push_back(count("dram_outcome.activations", "Activations", smaller, "Rows opened.",
                          &ofGpu<kOutcome, &DramOutcome::activations>));
    table.push_back(quantity("dram_outcome.turnaround_ps", "Turnaround", kTime, smaller,
                             "Time lost between reads and writes.", &ofGpu<kOutcome, &DramOutcome::turnaround>));
    table.push_back(quantity("dram_outcome.refresh_ps", "Refresh", kTime, smaller, "Time lost to refreshes.",
                             &ofGpu<kOutcome, &DramOutcome::refresh>));
}

void appendLink(std::vector<Metric>& table) {
    using engine::LinkResult;
    constexpr auto kLink = &engine::GpuResult::link;
    table.push_back(quantity("link_bytes.reduce_scatter", "Sent, RS", kBytes, smaller,
                             "Payload that left one GPU for the reduce-scatter.",
                             &ofGpu<kLink, &LinkResult::reduceScatter>));
    table.push_back(quantity("link_bytes.all_gather", "Sent, AG", kBytes, smaller,
                             "Payload that left one GPU for the all-gather.", &ofGpu<kLink, &LinkResult::allGather>));
    table.push_back(quantity("link_bytes.all_to_all", "Sent, all-to-all", kBytes, smaller,
                             "Payload that left one GPU for the all-to-all.",
                             &ofExchange<&ofGpu<kLink, &LinkResult::allToAll>>));
}

void appendNetwork(std::vector<Metric>& table) {
    using engine::NetworkResult;
    table.push_back(
        count("network.links", "Links", neither, "Directed links of the topology.", &ofNetwork<&NetworkResult::links>));
    table.push_back(count("network.switches", "Switches", neither, "Switches of the topology.",
                          &ofNetwork<&NetworkResult::switches>));
    table.push_back(quantity("network.egress_bytes_per_s", "Egress of a GPU", ParameterUnit::bytesPerSecond, neither,
                             "What all links that leave the GPU carry together.", &ofNetwork<&NetworkResult::egress>));
    table.push_back(count("network.links_shared_by_ring", "Links shared by the ring", smaller,
                          "Links that more than one hop of the ring takes.",
                          &ofNetwork<&NetworkResult::linksSharedByRing>));
    table.push_back(count("network.links_of_gpu", "Links of a GPU", neither, "Links that leave the GPU.",
                          &ofLinks<&NetworkResult::linksOfGpu>));
    table.push_back(count("network.links_used", "Links used", neither,
                          "Links of these that the collective algorithm sends on.",
                          &ofLinks<&NetworkResult::linksUsed>));
    table.push_back(quantity("network.used_bytes_per_s", "Egress used", ParameterUnit::bytesPerSecond, neither,
                             "What the links that the algorithm sends on carry together.",
                             &ofLinks<&NetworkResult::used>));
}

void appendTracker(std::vector<Metric>& table) {
    using engine::TrackerResult;
    constexpr auto kTracker = &engine::GpuResult::tracker;
    table.push_back(count("tracker.peak_entries", "Tracker entries, peak", smaller, "Workgroups tracked at once.",
                          &ofGpu<kTracker, &TrackerResult::peakEntries>));
    table.push_back(count("tracker.capacity_stalls", "Tracker stalls", smaller,
                          "Pairs of tile and source that had to wait for a set of the tracker.",
                          &ofGpu<kTracker, &TrackerResult::capacityStalls>));
    table.push_back(count("tracker.triggers", "Triggers", neither, "DMA commands that the tracker made ready.",
                          &ofGpu<kTracker, &TrackerResult::triggers>));
    table.push_back(count("tracker.updates", "Updates", neither, "Update requests that landed.",
                          &ofGpu<kTracker, &TrackerResult::updates>));
    table.push_back(quantity("tracker.held_peak_bytes", "Held updates, peak", kBytes, smaller,
                             "Receive buffer for updates that had to wait for a set of the tracker.",
                             &ofGpu<kTracker, &TrackerResult::heldPeak>));
}

void appendDma(std::vector<Metric>& table) {
    using engine::DmaResult;
    constexpr auto kDma = &engine::GpuResult::dma;
    table.push_back(count("dma.commands", "DMA commands", neither, "DMA commands carried out.",
                          &ofGpu<kDma, &DmaResult::commands>));
    table.push_back(quantity("dma.bytes", "DMA traffic", kBytes, neither, "Read and sent by the DMA engines.",
                             &ofGpu<kDma, &DmaResult::bytes>));
    table.push_back(count("dma.peak_queue", "DMA queue, peak", smaller, "Ready DMA commands waiting at once.",
                          &ofGpu<kDma, &DmaResult::peakQueue>));
}

void appendCache(std::vector<Metric>& table) {
    using engine::LlcResult;
    constexpr auto kCache = &engine::GpuResult::llc;
    table.push_back(quantity("llc.hit_bytes", "LLC hits", kBytes, larger, "Found in the last-level cache.",
                             &ofGpu<kCache, &LlcResult::hit>));
    table.push_back(quantity("llc.miss_bytes", "LLC misses", kBytes, smaller, "Not found in the last-level cache.",
                             &ofGpu<kCache, &LlcResult::miss>));
    table.push_back(ratio("llc.hit_rate", "LLC hit rate", larger, "Share of bytes found in the last-level cache.",
                          &ofGpu<kCache, &LlcResult::hitRate>));
}

void appendBounds(std::vector<Metric>& table) {
    using engine::BoundsResult;
    constexpr auto kBounds = &RunResult::bounds;
    table.push_back(quantity("bounds_ps.compute", "Compute bound", kTime, smaller,
                             "What the arithmetic takes at least.", &always<kBounds, &BoundsResult::compute>));
    table.push_back(quantity("bounds_ps.memory", "Memory bound", kTime, smaller,
                             "What the DRAM traffic takes at least.", &always<kBounds, &BoundsResult::memory>));
    table.push_back(quantity("bounds_ps.link", "Link bound", kTime, smaller, "What the link traffic takes at least.",
                             &always<kBounds, &BoundsResult::link>));
    table.push_back(quantity("bounds_ps.total", "Bound of this policy", kTime, smaller,
                             "No run under this policy with this traffic can be faster.",
                             &always<kBounds, &BoundsResult::total>));
}

void appendEffort(std::vector<Metric>& table) {
    table.push_back(count("invariants.checked", "Invariants checked", neither, "Invariants checked on this run.",
                          &always<&RunResult::invariants, &engine::InvariantsResult::checked>));
    table.push_back(count("events", "Events", neither, "Events simulated for this run.",
                          [](const RunResult& result) { return Number(numberOf(result.events)); }));
    table.push_back(count("wall_ns", "Simulation time, ns", neither,
                          "Nanoseconds that the simulation took; differs from machine to machine.",
                          [](const RunResult& result) { return Number(numberOf(result.wallNs)); }));
    table.push_back(count("threads", "Threads", neither, "Threads that simulated it.",
                          [](const RunResult& result) { return Number(numberOf(std::int64_t{result.threads})); }));
}

std::vector<Metric> buildTable() {
    std::vector<Metric> table;
    appendShape(table);
    appendTimes(table);
    appendRatios(table);
    appendDram(table);
    appendDramOutcome(table);
    appendLink(table);
    appendNetwork(table);
    appendTracker(table);
    appendDma(table);
    appendCache(table);
    appendBounds(table);
    appendEffort(table);
    return table;
}

/// `digits` significant digits without an exponent, whatever the locale: "2.004", "1.47", "150".
std::string significant(double value, int digits) {
    if (!std::isfinite(value))
        return "";
    const int magnitude = value == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::abs(value))));
    const int decimals = std::clamp(digits - 1 - magnitude, 0, 12);
    std::array<char, 400> buffer{};
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, decimals);
    return {buffer.data(), end.ptr};
}

constexpr int kDigits = 3;
constexpr int kTimeDigits = 4;  // times of policies differ by little

// Results are decimal, as data sheets write them; capacities that a person enters stay as entered.
bool isBinary(std::string_view unit) { return unit.find('i') != std::string_view::npos; }

std::string withUnit(ParameterUnit unit, double value, int more) {
    const auto names = engine::unitNames(unit);
    const engine::UnitName* best = &names.front();
    for (const engine::UnitName& name : names) {
        const bool wanted = name.shown && !isBinary(name.text);
        if (wanted && static_cast<double>(name.factor) <= std::abs(value) && name.factor >= best->factor)
            best = &name;
    }
    const double number = value / static_cast<double>(best->factor);
    const bool exact = best->factor == 1;
    return (exact ? significant(std::round(value), 1)
                  : significant(number, (unit == ParameterUnit::picoseconds ? kTimeDigits : kDigits) + more)) +
           " " + std::string(best->text);
}

}  // namespace

std::span<const Metric> metrics() {
    static const std::vector<Metric> kTable = buildTable();
    return kTable;
}

const Metric* findMetric(std::string_view path) {
    const auto table = metrics();
    const auto found = std::find_if(table.begin(), table.end(), [&](const Metric& one) { return one.path == path; });
    return found == table.end() ? nullptr : &*found;
}

std::vector<std::string> nearestMetrics(std::string_view path) {
    std::vector<std::string> paths;
    for (const Metric& metric : metrics())
        paths.push_back(metric.path);
    return engine::nearestNames(path, paths);
}

namespace {

/// With `more` digits than usual.
std::string formatWith(const Metric& metric, double value, int more) {
    if (metric.unit != ParameterUnit::none)
        return withUnit(metric.unit, value, more);
    return metric.whole ? significant(std::round(value), 1) : significant(value, kDigits + more);
}

}  // namespace

std::string formatMetric(const Metric& metric, double value) { return formatWith(metric, value, 0); }

std::string formatApart(const Metric& metric, double value, double other) {
    constexpr int kMostMore = 12;
    int more = 0;
    while (more < kMostMore && value != other && formatWith(metric, value, more) == formatWith(metric, other, more))
        ++more;
    return formatWith(metric, value, more);
}

}  // namespace data
