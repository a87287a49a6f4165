#include "app/ringside_cli_report.h"

#include "app/ringside_cli_companion.h"
#include "app/ringside_cli_table.h"
#include "data/document/names.h"
#include "data/results/metrics.h"
#include "data/results/result_document.h"
#include "data/results/result_json.h"
#include "data/results/run_limit.h"
#include "engine/api/run_times.h"

#include <algorithm>
#include <array>
#include <optional>
#include <ostream>
#include <utility>

namespace cli {
namespace {

using data::LaboratoryRun;
using engine::Duration;

constexpr const char* kAbsent = "-";

std::string percentText(double fraction) { return fixedText(100 * fraction, 1) + " %"; }

/// Returns "256 x 128", or "256 x 128 (chosen of 7)".
std::string tileText(const engine::GemmResult& gemm) {
    const std::string sides = std::to_string(gemm.tileM) + " x " + std::to_string(gemm.tileN);
    return gemm.tilesTried == 0 ? sides : sides + " (chosen of " + std::to_string(gemm.tilesTried) + ")";
}

/// Returns ", bound by memory latency" and, on a line of its own, what would help.
std::string limitLine(const LaboratoryRun& run) {
    const auto limit = data::limitOf(run.experiment, run.result);
    if (!limit)
        return {};
    return ", " + limit->text() + (limit->advice.empty() ? "" : "\n" + limit->advice);
}

/// Returns "GEMM 2304 x 4096 x 4096, 288 tiles of 256 x 128, 3 waves of 108, wave efficiency 88.9 %", and a second line
/// with time, rate, side of the roofline and limit.
std::string ownGemmLines(const LaboratoryRun& run) {
    const engine::Shape& shape = run.result.shape;
    const engine::GemmResult& gemm = *run.result.gemm;
    const Duration time = engine::timesOfRun(run.result).gemm;
    const std::string lines = gemmsText(shape.batch, sidesText(shape.m, shape.n, shape.k)) + ", " +
                              std::to_string(gemm.tiles) + " tiles of " + tileText(gemm) + ", " +
                              std::to_string(gemm.waves) + (gemm.waves == 1 ? " wave of " : " waves of ") +
                              std::to_string(gemm.slots) + ", wave efficiency " + percentText(gemm.waveEfficiency) +
                              "\n";
    const TimeScale scale = TimeScale::forLongest(time);
    const std::string rate =
        data::formatMetric(*data::findMetric("gemm.flops_per_second"), static_cast<double>(gemm.rate.flopsPerSecond));
    return lines + "time " + scale.text(time) + " " + std::string(scale.unit) + ", " + rate + ", " +
           percentText(gemm.shareOfPeak) + " of peak, " +
           (gemm.bound == engine::GemmBound::compute ? "compute" : "memory") + " side of the roofline" + limitLine(run);
}

/// Returns "2 reads, 1 write": the streams of an access pattern by their kind.
std::string streamsText(const engine::AccessConfig& access) {
    std::string text;
    const auto add = [&](std::int64_t count, const char* one) {
        if (count == 0)
            return;
        if (!text.empty())
            text += ", ";
        text += std::to_string(count) + " " + one + (count == 1 ? "" : "s");
    };
    add(access.reads, "read");
    add(access.writes, "write");
    add(access.updates, "update");
    return text;
}

/// Returns "100000 requests of 256 B, stride 64 KiB, streams: 1 read, 32 channels", and a second line with time,
/// bandwidth and share of the peak.
std::string accessLines(const LaboratoryRun& run) {
    const engine::Experiment& e = run.experiment;
    const engine::AccessResult& access = *run.result.access;
    const auto valueAt = [&](const char* path) {
        const engine::Parameter& parameter = *engine::findParameter(path);
        return engine::formatValue(parameter, parameter.read(e));
    };
    std::string lines = std::to_string(access.requests) + " requests of " + valueAt("detail.granule");
    switch (e.access.pattern) {
    case engine::AccessPatternKind::stride:
        lines += e.access.stride ? ", stride " + valueAt("access.stride") : ", turn after turn";
        break;
    case engine::AccessPatternKind::random: lines += ", turns at random places"; break;
    case engine::AccessPatternKind::trace: lines += ", request file " + e.access.trace.substr(0, 16); break;
    }
    if (e.access.pattern != engine::AccessPatternKind::trace)
        lines += ", streams: " + streamsText(e.access);
    lines += ", " + std::to_string(e.detail.channels);
    lines += e.detail.channels == 1 ? " channel" : " channels";
    const Duration time = run.result.last.time.total;
    const TimeScale scale = TimeScale::forLongest(time);
    lines += "\ntime " + scale.text(time) + " " + std::string(scale.unit) + ", bandwidth " +
             data::formatMetric(*data::findMetric("access.bandwidth_bytes_per_s"),
                                static_cast<double>(access.bandwidth.bytesPerSecond)) +
             ", " + percentText(access.shareOfPeak) + " of peak";
    if (const auto& camping = run.result.last.memory)
        lines += ", busiest channel " + fixedText(camping->camping, 2) + " times the mean";
    return lines;
}

std::string workloadLine(const LaboratoryRun& run) {
    if (run.result.access)
        return accessLines(run);
    const engine::Shape& shape = run.result.shape;
    if (run.experiment.workload.sublayer == engine::SubLayer::gemm && run.result.gemm)
        return ownGemmLines(run);
    const auto [least, most] = std::minmax_element(shape.chunkBytes.begin(), shape.chunkBytes.end());
    std::string line;
    if (shape.k > 0)
        line = "GEMM " + std::to_string(shape.m) + " x " + std::to_string(shape.n) + " x " + std::to_string(shape.k) +
               ", " + std::to_string(shape.tiles) + " tiles" +
               (run.result.gemm && run.result.gemm->tilesTried > 0 ? " of " + tileText(*run.result.gemm) : "") + ", ";
    line += "output " + bytesText(shape.outputBytes) + " in " + std::to_string(shape.chunkBytes.size()) +
            " chunks of " + bytesText(*least);
    if (*least != *most)
        line += " to " + bytesText(*most);
    return line;
}

std::string setupLine(const LaboratoryRun& run) {
    const engine::Experiment& e = run.experiment;
    std::string line = "machine " + e.machine + ", " + std::string(engine::name(e.detail.level)) + " detail, ";
    line += run.result.mirrored ? "one GPU simulated for all " : "all ";
    line += std::to_string(e.parallel.tp) + (run.result.mirrored ? "" : " GPUs simulated");
    const auto word = [&](const char* path) { return std::get<std::string>(engine::findParameter(path)->read(e)); };
    const bool sends = engine::sendsData(e.workload.sublayer) || engine::hasCompanionCollective(e);
    const bool usual = e.topology.kind == engine::TopologyKind::ring &&
                       e.collective.algorithm == engine::CollectiveAlgorithm::ring &&
                       e.collective.operation == engine::CollectiveOperation::allReduce;
    if (sends && !usual) {
        line += "\n" + word("collective.algorithm");
        if (engine::isPartOfModel(e.workload.sublayer))
            line += " " + word("collective.operation");
        line += " on topology " + word("topology.kind");
    }
    return line;
}

std::string hashLine(const LaboratoryRun& run) {
    return "experiment " + run.hash.substr(0, 16) + ", engine " + std::string(engine::engineVersion());
}

std::string speedupText(const engine::RunResult& result) {
    return result.speedupOverSequential ? fixedText(*result.speedupOverSequential, 3) : kAbsent;
}

std::string ofTotal(Duration part, Duration total) {
    if (total.ps == 0)
        return "";
    return fixedText(100.0 * static_cast<double>(part.ps) / static_cast<double>(total.ps), 1) + " %";
}

/// The columns of tables with a row for each policy or GPU. An exchange takes the place of the reduce-scatter.
void addTimeColumns(Table& table, const engine::TimeResult& like, const std::string& unit) {
    for (const char* name : {"total", "GEMM", like.allToAll.ps != 0 ? "all-to-all" : "RS", "AG"})
        table.addColumn(name, Align::right, unit);
}

std::vector<std::string> timeCells(const engine::TimeResult& time, const TimeScale& scale) {
    return {scale.text(time.total), scale.text(time.gemm), scale.text(time.reduceScatter + time.allToAll),
            scale.text(time.allGather)};
}

std::string stretchText(const engine::Hiding& hiding) { return fixedText(hiding.gemmStretch, 3); }

/// Prints hidden and exposed communication. A policy that is slower than sequential has a negative hidden time, which
/// is printed as lost.
void writeHiding(const engine::Hiding& hiding, std::ostream& out) {
    const Duration whole = hiding.communication();
    const TimeScale scale = TimeScale::forLongest(std::max({whole, hiding.exposed, Duration{} - hiding.hidden}));
    Table table({{"communication", Align::left}, {"", Align::right, std::string(scale.unit)}, {"of sequential's"}});
    const bool lost = hiding.hidden.ps < 0;
    const Duration saved = lost ? Duration{} - hiding.hidden : hiding.hidden;
    table.addRow({"of the sequential run", scale.text(whole), ofTotal(whole, whole)});
    table.addRow({lost ? "lost (slower than sequential)" : "hidden", scale.text(saved), ofTotal(saved, whole)});
    table.addRow({"exposed", scale.text(hiding.exposed), ofTotal(hiding.exposed, whole)});
    out << "\n";
    table.write(out);
}

void writeTimes(const engine::RunResult& result, std::ostream& out) {
    const engine::TimeResult& time = engine::timesOfRun(result);
    const TimeScale scale = TimeScale::forLongest(time.total);
    Table table({{"time", Align::left},
                 {"", Align::right, std::string(scale.unit)},
                 {"of total"},
                 {"alone", Align::right, result.isolated ? std::string(scale.unit) : ""}});
    const auto row = [&](const char* name, Duration part, std::optional<Duration> alone) {
        table.addRow({name, scale.text(part), ofTotal(part, time.total), alone ? scale.text(*alone) : ""});
    };
    using Parts = engine::IsolatedTimes;
    const auto alone = [&](Duration Parts::*part) {
        return result.isolated ? std::optional((*result.isolated).*part) : std::nullopt;
    };
    row("total", time.total, std::nullopt);
    row("GEMM", time.gemm, alone(&Parts::gemm));
    const bool exchanges = time.allToAll.ps != 0;
    if (exchanges)
        row("all-to-all", time.allToAll, alone(&Parts::allToAll));
    else
        row("reduce-scatter", time.reduceScatter, alone(&Parts::reduceScatter));
    if (result.isolated && !exchanges)
        table.addRow({"  with NMC", "", "", scale.text(result.isolated->reduceScatterNmc)});
    row("all-gather", time.allGather, alone(&Parts::allGather));
    row("bound of this policy", result.bounds.total, std::nullopt);
    table.write(out);
    const auto hiding = engine::hidingOf(result);
    if (hiding)
        writeHiding(*hiding, out);
    if (result.speedupOverSequential)
        out << "\nspeed-up over sequential  " << speedupText(result) << "\n";
    if (hiding)
        out << "GEMM here / GEMM alone    " << stretchText(*hiding) << "\n";
}

/// Prints only causes with a time: most runs have no more than four or five.
void writeAttribution(const engine::RunResult& result, std::ostream& out) {
    const Duration total = result.last.time.total;
    const TimeScale scale = TimeScale::forLongest(total);
    Table table({{"where the time goes", Align::left}, {"", Align::right, std::string(scale.unit)}, {"of total"}});
    for (std::size_t i = 0; i < engine::kCauses; ++i) {
        const auto cause = static_cast<engine::Cause>(i);
        const Duration part = result.attribution->causes[cause];
        if (part.ps > 0)
            table.addRow({std::string(engine::name(cause)), scale.text(part), ofTotal(part, total)});
    }
    out << "\n";
    table.write(out);
}

/// Returns the GPU whose traffic a result contains: any GPU if all do the same, otherwise the one that ends last.
std::string trafficTitle(const engine::RunResult& result) {
    const auto last = std::find(result.perGpu.begin(), result.perGpu.end(), result.last);
    if (!result.whole || last == result.perGpu.end())
        return "DRAM of one GPU";
    return "DRAM of GPU " + std::to_string(last - result.perGpu.begin()) + ", the last to end";
}

void writeTraffic(const engine::RunResult& result, std::ostream& out) {
    const engine::GpuResult& gpu = result.last;
    if (gpu.dram) {
        const engine::DramResult& dram = *gpu.dram;
        Table table({{trafficTitle(result), Align::left}});
        const bool exchanges = (dram.a2aRead + dram.a2aWrite).count != 0;
        for (const char* name : {"GEMM", exchanges ? "all-to-all" : "RS", "AG", "total"})
            table.addColumn(name, Align::right, "MB");
        const engine::Bytes read = dram.rsRead + dram.a2aRead, written = dram.rsWrite + dram.a2aWrite;
        table.addRow({"read", megabytesText(dram.gemmRead), megabytesText(read), megabytesText(dram.agRead),
                      megabytesText(dram.gemmRead + read + dram.agRead)});
        table.addRow({"written or updated", megabytesText(dram.gemmWrite), megabytesText(written),
                      megabytesText(dram.agWrite), megabytesText(dram.gemmWrite + written + dram.agWrite)});
        out << "\n";
        table.write(out);
    }
    Table facts({{"", Align::left}, {"", Align::left}});
    bool any = false;
    const auto fact = [&](const char* name, std::string text) {
        facts.addRow({name, std::move(text)});
        any = true;
    };
    if (gpu.link)
        fact("sent", (gpu.link->allToAll.count != 0 ? bytesText(gpu.link->allToAll) + " all-to-all, "
                                                    : bytesText(gpu.link->reduceScatter) + " reduce-scatter, ") +
                         bytesText(gpu.link->allGather) + " all-gather");
    // Parts that this policy does not use would be rows of zeros.
    if (gpu.tracker && gpu.tracker->updates > 0)
        fact("tracker",
             std::to_string(gpu.tracker->peakEntries) + " entries at most, " + std::to_string(gpu.tracker->updates) +
                 " updates, " + std::to_string(gpu.tracker->triggers) + " triggers, " +
                 std::to_string(gpu.tracker->capacityStalls) + " capacity stalls" +
                 (gpu.tracker->heldPeak.count > 0 ? ", " + bytesText(gpu.tracker->heldPeak) + " held at most" : ""));
    if (gpu.dma && gpu.dma->commands > 0)
        fact("DMA", std::to_string(gpu.dma->commands) + " commands, " + bytesText(gpu.dma->bytes) + ", queue of " +
                        std::to_string(gpu.dma->peakQueue) + " at most");
    if (gpu.llc && (gpu.llc->hit + gpu.llc->miss).count > 0)
        fact("LLC", fixedText(100 * gpu.llc->hitRate, 1) + " % of " + bytesText(gpu.llc->hit + gpu.llc->miss) + " hit");
    if (any)
        facts.write(out);
}

/// Prints the links and the bandwidth at which a GPU can send: that of all its links, or of the links that the
/// algorithm uses.
void writeNetwork(const LaboratoryRun& run, const engine::NetworkResult& network, std::ostream& out) {
    const engine::Parameter& bandwidth = *engine::findParameter("link.bandwidth");
    out << "\nnetwork  " << network.links << " links";
    if (network.switches > 0)
        out << ", " << network.switches << (network.switches == 1 ? " switch" : " switches");
    out << ", " << engine::formatValue(bandwidth, network.egress.bytesPerSecond) << " can leave a GPU";
    if (network.linksUsed < network.linksOfGpu) {
        const engine::Parameter& algorithm = *engine::findParameter("collective.algorithm");
        out << ", of which the " << std::get<std::string>(algorithm.read(run.experiment)) << " algorithm can use "
            << engine::formatValue(bandwidth, network.used.bytesPerSecond) << " (" << network.linksUsed << " of "
            << network.linksOfGpu << " links)";
    }
    if (network.linksSharedByRing > 0)
        out << ", " << network.linksSharedByRing << " links are shared by hops of the ring";
    out << "\n";
}

void writePerGpu(const std::vector<engine::GpuResult>& gpus, std::ostream& out) {
    if (gpus.empty())
        return;
    Duration longest;
    for (const engine::GpuResult& gpu : gpus)
        longest = std::max(longest, gpu.time.total);
    const TimeScale scale = TimeScale::forLongest(longest);
    Table table({{"GPU"}});
    addTimeColumns(table, gpus.front().time, std::string(scale.unit));
    table.addColumn("DRAM", Align::right, "MB");
    for (std::size_t i = 0; i < gpus.size(); ++i) {
        std::vector<std::string> row = timeCells(gpus[i].time, scale);
        row.insert(row.begin(), std::to_string(i));
        row.push_back(gpus[i].dram ? megabytesText(gpus[i].dram->total) : kAbsent);
        table.addRow(row);
    }
    out << "\n";
    table.write(out);
}

void writeInvariants(const engine::InvariantsResult& invariants, std::ostream& out) {
    out << "\ninvariants  " << invariants.checked << " checked, ";
    if (invariants.failed.empty()) {
        out << "all hold\n";
        return;
    }
    out << invariants.failed.size() << " broken:\n";
    for (const std::string& failed : invariants.failed)
        out << "  " << failed << "\n";
}

/// A number of CSV output, in base units, the same for one run and for many. It is empty if a policy has no such value.
struct CsvColumn {
    const char* name;
    const char* place;          ///< the key in `--output json`
    bool zeroIfAbsent = false;  ///< 0 instead of an empty cell if its group is present
};

constexpr std::array kCsvColumns{
    CsvColumn{"total_ps", "/time_ps/total"},
    CsvColumn{"gemm_ps", "/time_ps/gemm"},
    CsvColumn{"reduce_scatter_ps", "/time_ps/reduce_scatter"},
    CsvColumn{"all_gather_ps", "/time_ps/all_gather"},
    CsvColumn{"hidden_ps", "/time_ps/hidden"},
    CsvColumn{"exposed_ps", "/time_ps/exposed"},
    CsvColumn{"overlapped_ps", "/time_ps/overlapped"},
    CsvColumn{"exposed_communication_ps", "/time_ps/exposed_communication"},
    CsvColumn{"speedup_over_sequential", "/speedup_over_sequential"},
    CsvColumn{"gemm_stretch", "/gemm_stretch"},
    CsvColumn{"gemm_read_bytes", "/dram_bytes/gemm_read"},
    CsvColumn{"gemm_write_bytes", "/dram_bytes/gemm_write"},
    CsvColumn{"rs_read_bytes", "/dram_bytes/rs_read"},
    CsvColumn{"rs_write_bytes", "/dram_bytes/rs_write"},
    CsvColumn{"ag_read_bytes", "/dram_bytes/ag_read"},
    CsvColumn{"ag_write_bytes", "/dram_bytes/ag_write"},
    CsvColumn{"dram_total_bytes", "/dram_bytes/total"},
    CsvColumn{"link_reduce_scatter_bytes", "/link_bytes/reduce_scatter"},
    CsvColumn{"link_all_gather_bytes", "/link_bytes/all_gather"},
    CsvColumn{"all_to_all_ps", "/time_ps/all_to_all", true},
    CsvColumn{"a2a_read_bytes", "/dram_bytes/a2a_read", true},
    CsvColumn{"a2a_write_bytes", "/dram_bytes/a2a_write", true},
    CsvColumn{"link_all_to_all_bytes", "/link_bytes/all_to_all", true},
    CsvColumn{"tracker_peak_entries", "/tracker/peak_entries"},
    CsvColumn{"tracker_capacity_stalls", "/tracker/capacity_stalls"},
    CsvColumn{"dma_commands", "/dma/commands"},
    CsvColumn{"events", "/events"},
    CsvColumn{"own_ps", "/companion/own_ps"},
    CsvColumn{"companion_ps", "/companion/time_ps"},
    CsvColumn{"serial_ps", "/companion/serial_ps"},
    CsvColumn{"own_slowdown", "/companion/own_slowdown"},
    CsvColumn{"companion_slowdown", "/companion/slowdown"},
    CsvColumn{"speedup_over_serial", "/companion/speedup_over_serial"},
    CsvColumn{"fraction_of_ideal", "/companion/fraction_of_ideal"},
};

std::string numberCell(const data::ResultJson& document, const CsvColumn& column) {
    const data::ResultJson::json_pointer place(column.place);
    if (document.contains(place))
        return document[place].dump();
    return column.zeroIfAbsent && document.contains(place.parent_pointer()) ? "0" : "";
}

void writeCsv(const std::vector<LaboratoryRun>& runs, std::ostream& out) {
    std::vector<std::string> names{"experiment", "policy", "machine"};
    for (const CsvColumn& column : kCsvColumns)
        names.emplace_back(column.name);
    names.insert(names.end(), {"engine_version", "experiment_hash"});
    out << csvLine(names);
    for (const LaboratoryRun& run : runs) {
        const data::ResultJson document = data::outcomeJson(run.result);
        std::vector<std::string> cells{data::caseName(run.experiment),
                                       std::string(engine::name(run.experiment.policy.preset)), run.experiment.machine};
        for (const CsvColumn& column : kCsvColumns)
            cells.push_back(numberCell(document, column));
        cells.insert(cells.end(), {std::string(engine::engineVersion()), run.hash});
        out << csvLine(cells);
    }
}

void writeComparisonTable(const std::vector<LaboratoryRun>& runs, std::ostream& out) {
    Duration longest;
    for (const LaboratoryRun& run : runs)
        longest = std::max(longest, run.result.last.time.total);
    const TimeScale scale = TimeScale::forLongest(longest);
    const std::string unit(scale.unit);
    out << data::caseName(runs.front().experiment) << "\n"
        << workloadLine(runs.front()) << "\n"
        << setupLine(runs.front()) << "\n\n";
    Table table({{"policy", Align::left}});
    addTimeColumns(table, runs.front().result.last.time, unit);
    table.addColumn("hidden", Align::right, unit);
    table.addColumn("exposed", Align::right, unit);
    table.addColumn("GEMM stretch");
    table.addColumn("speed-up");
    table.addColumn("DRAM", Align::right, "MB");
    for (const LaboratoryRun& run : runs) {
        std::vector<std::string> row = timeCells(engine::timesOfRun(run.result), scale);
        const auto hiding = engine::hidingOf(run.result);
        row.push_back(hiding ? scale.text(hiding->hidden) : kAbsent);
        row.push_back(hiding ? scale.text(hiding->exposed) : kAbsent);
        row.push_back(hiding ? stretchText(*hiding) : kAbsent);
        row.insert(row.begin(), std::string(engine::name(run.experiment.policy.preset)));
        row.push_back(speedupText(run.result));
        row.push_back(run.result.last.dram ? megabytesText(run.result.last.dram->total) : kAbsent);
        table.addRow(row);
    }
    table.write(out);
    writeCompanions(runs, scale, out);
}

std::size_t placeOfGroup(std::string_view group) {
    constexpr std::array<std::string_view, 6> kOrder{"conservation", "counts",      "bounds",
                                                     "limits",       "exclusivity", "determinism"};
    return static_cast<std::size_t>(std::find(kOrder.begin(), kOrder.end(), group) - kOrder.begin());
}

}  // namespace

void writeRun(const LaboratoryRun& run, Output output, std::ostream& out) {
    if (output == Output::json) {
        out << data::writeResult(run.experiment, run.result);
        return;
    }
    if (output == Output::csv)
        return writeCsv({run}, out);
    out << run.name << "\n" << workloadLine(run) << "\n" << setupLine(run) << "\n" << hashLine(run) << "\n\n";
    const bool isAccess = run.result.access.has_value();  // it has no parts, and sends nothing
    if (!isAccess)
        writeTimes(run.result, out);
    writeCompanion(run, out);
    if (run.result.attribution)
        writeAttribution(run.result, out);
    if (!isAccess)
        writeTraffic(run.result, out);
    if (run.result.network && !isAccess)
        writeNetwork(run, *run.result.network, out);
    writePerGpu(run.result.perGpu, out);
    writeInvariants(run.result.invariants, out);
    writeNotices(run.result.notices, out);
}

void writeComparison(const std::vector<LaboratoryRun>& runs, Output output, std::ostream& out) {
    if (output == Output::json) {
        std::vector<std::string> documents;
        documents.reserve(runs.size());
        for (const LaboratoryRun& run : runs)
            documents.push_back(data::writeResult(run.experiment, run.result));
        out << listOfDocuments(documents);
        return;
    }
    if (output == Output::csv)
        return writeCsv(runs, out);
    writeComparisonTable(runs, out);
    engine::Notices notices;
    bool broken = false;
    for (const LaboratoryRun& run : runs) {
        broken = broken || !run.result.invariants.failed.empty();
        for (const engine::Notice& notice : run.result.notices)
            data::addOnce(notices, notice);
    }
    if (!notices.empty() || broken)
        out << "\n";
    writeNotices(notices, out);
    for (const LaboratoryRun& run : runs) {
        for (const std::string& failed : run.result.invariants.failed)
            out << "broken invariant  " << engine::name(run.experiment.policy.preset) << ": " << failed << "\n";
    }
}

void writeChecks(const engine::Experiment& experiment, const std::vector<engine::Check>& checks, Output output,
                 std::ostream& out) {
    const auto failed =
        std::count_if(checks.begin(), checks.end(), [](const engine::Check& check) { return !check.held; });
    if (output == Output::json) {
        const auto checkJson = [](const engine::Check& check) {
            return Json{
                {"group", check.group}, {"name", check.name}, {"held", check.held}, {"evidence", check.evidence}};
        };
        return printJson({{"engine_version", engine::engineVersion()},
                          {"experiment_hash", data::experimentHash(experiment)},
                          {"checked", checks.size()},
                          {"failed", failed},
                          {"checks", jsonList(checks, checkJson)}},
                         out);
    }
    if (output == Output::csv) {
        out << "group,name,held,evidence\n";
        for (const engine::Check& check : checks)
            out << csvLine({check.group, check.name, check.held ? "true" : "false", check.evidence});
        return;
    }
    // Prints the checks by group, in whatever order they were made.
    std::vector<engine::Check> sorted = checks;
    std::stable_sort(sorted.begin(), sorted.end(), [](const engine::Check& a, const engine::Check& b) {
        return placeOfGroup(a.group) < placeOfGroup(b.group);
    });
    Table table(
        {{"group", Align::left}, {"holds", Align::left}, {"invariant", Align::left}, {"evidence", Align::left}});
    for (const engine::Check& check : sorted)
        table.addRow({check.group, check.held ? "yes" : "NO", check.name, check.evidence});
    table.write(out);
    out << "\n" << checks.size() << " invariants checked, ";
    if (failed == 0) {
        out << "all hold\n";
    } else {
        out << failed << (failed == 1 ? " does not hold\n" : " do not hold\n");
    }
}

}  // namespace cli
