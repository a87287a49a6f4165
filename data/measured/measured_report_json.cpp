#include "data/measured/measured_report_json.h"

#include "data/document/json_reading.h"

#include <nlohmann/json.hpp>

#include <array>
#include <utility>

namespace data {
namespace {

using ReportJson = nlohmann::ordered_json;

template <class Value>
void setIfKnown(ReportJson& json, const char* key, const std::optional<Value>& value) {
    if (value)
        json[key] = *value;
}

void setIfSaid(ReportJson& json, const char* key, const std::string& text) {
    if (!text.empty())
        json[key] = text;
}

ReportJson rankJson(const MeasuredRank& rank, const RankClock& clock) {
    ReportJson json = ReportJson::object();
    setIfKnown(json, "rank", rank.rank);
    json["file"] = rank.file;
    setIfSaid(json, "device", rank.device);
    json["spans"] = rank.spans;
    const IntervalReport& times = rank.intervals;
    json["span_ps"] = times.span;
    json["compute_ps"] = times.compute;
    json["communication_ps"] = times.communication;
    json["overlapped_ps"] = times.overlapped;
    json["exposed_ps"] = times.exposed;
    json["memory_ps"] = times.memory;
    json["idle_ps"] = times.idle;
    setIfKnown(json, "overlap", rank.overlap);
    setIfKnown(json, "waiting_ps", rank.waiting);
    setIfSaid(json, "ends_early", rank.endsEarly);
    if (clock.offset) {
        json["clock"] = {{"offset_us", microsecondsText(*clock.offset)},
                         {"deviation_ps", *clock.deviation},
                         {"collectives", clock.collectives},
                         {"applied", clock.applied}};
    }
    return json;
}

ReportJson collectiveJson(const CollectiveRow& row) {
    ReportJson json{{"operation", wordOf(row.operation)},
                    {"by", row.carrier == SpanKind::kernel ? "kernel" : "copy-engine"},
                    {"group", row.group}};
    setIfKnown(json, "ranks", row.groupSize);
    json["assumed"] = row.assumed;
    setIfKnown(json, "bytes", row.bytes);
    setIfSaid(json, "bytes_unknown", row.bytesUnknown);
    json["count"] = row.count;
    json["least_ps"] = row.least;
    json["median_ps"] = row.median;
    json["greatest_ps"] = row.greatest;
    setIfKnown(json, "skew_ps", row.skew);
    setIfKnown(json, "waiting_ps", row.waiting);
    json["total_ps"] = row.total;
    json["overlapped_ps"] = row.overlapped;
    setIfKnown(json, "hidden", row.hidden());
    setIfKnown(json, "algbw", row.algbw);
    setIfKnown(json, "busbw", row.busbw);
    json["lower_bound"] = row.lowerBound;
    setIfSaid(json, "unmatched", row.unmatched);
    return json;
}

ReportJson wavesJson(const GemmWaves& waves) {
    ReportJson json = ReportJson::object();
    setIfKnown(json, "tile_m", waves.tileM);
    setIfKnown(json, "tile_n", waves.tileN);
    setIfKnown(json, "tiles", waves.tiles);
    setIfKnown(json, "workgroups_per_sm", waves.perMultiprocessor);
    json["assumed"] = waves.assumed;
    setIfKnown(json, "slots", waves.slots);
    setIfKnown(json, "waves", waves.waves);
    setIfKnown(json, "wave_efficiency", waves.efficiency());
    setIfSaid(json, "unknown", waves.unknown);
    return json;
}

ReportJson kernelJson(const KernelRow& row) {
    ReportJson json{{"name", row.name}, {"class", wordOf(row.kernelClass)}};
    if (row.shape)
        json["shape"] = {{"batch", row.shape->batch}, {"m", row.shape->m}, {"n", row.shape->n}, {"k", row.shape->k}};
    setIfSaid(json, "shape_unknown", row.shapeUnknown);
    setIfSaid(json, "type", row.type);
    if (row.launch) {
        setIfKnown(json, "workgroups", row.launch->workgroups());
        setIfKnown(json, "threads", row.launch->threads());
    }
    json["count"] = row.count;
    json["total_ps"] = row.total;
    json["alone"] = row.aloneCount;
    json["beside"] = row.besideCount;
    json["partly"] = row.partlyCount();
    setIfKnown(json, "alone_ps", row.alone);
    setIfKnown(json, "beside_ps", row.beside);
    setIfKnown(json, "stretch", row.stretch());
    setIfKnown(json, "flops", row.flopRate());
    if (row.kernelClass == KernelClass::gemm)
        json["waves"] = wavesJson(row.waves);
    return json;
}

/// The lines of the CSV form. Every line has all columns.
class ReportLines {
public:
    /// Adds a line of the values that an object has under the names of columns.
    void add(const char* kind, ReportJson values) {
        values["kind"] = kind;
        std::vector<std::string>& line = m_lines.emplace_back();
        for (const char* column : kColumns) {
            const auto found = values.find(column);
            if (found == values.end())
                line.emplace_back();
            else
                line.push_back(found->is_string() ? found->get<std::string>() : found->dump());
        }
    }

    std::vector<std::vector<std::string>> take() { return std::move(m_lines); }

private:
    static constexpr std::array kColumns{"kind",
                                         "rank",
                                         "name",
                                         "by",
                                         "group",
                                         "ranks",
                                         "bytes",
                                         "type",
                                         "m",
                                         "n",
                                         "k",
                                         "batch",
                                         "count",
                                         "span_ps",
                                         "compute_ps",
                                         "communication_ps",
                                         "overlapped_ps",
                                         "exposed_ps",
                                         "memory_ps",
                                         "idle_ps",
                                         "overlap",
                                         "waiting_ps",
                                         "least_ps",
                                         "median_ps",
                                         "greatest_ps",
                                         "skew_ps",
                                         "algbw",
                                         "busbw",
                                         "hidden",
                                         "lower_bound",
                                         "assumed",
                                         "total_ps",
                                         "alone_ps",
                                         "beside_ps",
                                         "stretch",
                                         "flops",
                                         "tiles",
                                         "slots",
                                         "waves",
                                         "wave_efficiency",
                                         "unknown"};

    std::vector<std::vector<std::string>> m_lines{{kColumns.begin(), kColumns.end()}};
};

/// Returns a kernel's line: the values of its shape and waves beside its own.
ReportJson kernelLine(const KernelRow& row) {
    ReportJson line = kernelJson(row);
    std::string unknown = row.shapeUnknown;
    for (const char* part : {"shape", "waves"}) {
        const auto found = line.find(part);
        if (found == line.end())
            continue;
        const ReportJson inner = *found;
        line.erase(part);
        line.update(inner);
    }
    if (!row.waves.unknown.empty() && row.waves.unknown != unknown)
        unknown += (unknown.empty() ? "" : "; ") + row.waves.unknown;
    line.erase("unknown");
    setIfSaid(line, "unknown", unknown);
    if (row.kernelClass != KernelClass::gemm)
        line.erase("assumed");
    return line;
}

}  // namespace

nlohmann::ordered_json measuredReportJson(const MeasuredReport& report) {
    ReportJson json{{"steps", textOf(report.steps)}};
    json["ranks"] = ReportJson::array();
    for (std::size_t i = 0; i < report.ranks.size(); ++i)
        json["ranks"].push_back(rankJson(report.ranks[i], report.clocks[i]));
    json["collectives"] = jsonList(report.collectives, collectiveJson);
    json["gemms"] = jsonList(report.gemms, kernelJson);
    json["kernels"] = jsonList(report.others, kernelJson);
    json["unclassed"] = jsonList(report.unclassed, [](const UnclassedKernel& kernel) {
        return ReportJson{{"name", kernel.name}, {"count", kernel.count}, {"total_ps", kernel.total}};
    });
    json["unknown"] = jsonList(report.unknowns, [](const MeasuredUnknown& unknown) {
        return ReportJson{{"count", unknown.count}, {"what", unknown.what}, {"reason", unknown.reason}};
    });
    json["notices"] = report.notices;
    return json;
}

std::vector<std::vector<std::string>> measuredReportLines(const MeasuredReport& report) {
    ReportLines lines;
    for (std::size_t i = 0; i < report.ranks.size(); ++i) {
        ReportJson line = rankJson(report.ranks[i], report.clocks[i]);
        line["name"] = report.ranks[i].file;
        setIfSaid(line, "unknown", report.ranks[i].endsEarly);
        lines.add("rank", std::move(line));
    }
    for (const CollectiveRow& row : report.collectives) {
        ReportJson line = collectiveJson(row);
        line["name"] = line["operation"];
        setIfSaid(line, "unknown", row.bytesUnknown.empty() ? row.unmatched : row.bytesUnknown);
        lines.add("collective", std::move(line));
    }
    for (const KernelRow& row : report.gemms)
        lines.add("gemm", kernelLine(row));
    for (const KernelRow& row : report.others)
        lines.add("kernel", kernelLine(row));
    return lines.take();
}

nlohmann::ordered_json tracePairJson(const TracePair& pair, const std::vector<SimulatedPair>& simulated) {
    const auto write = [&](ReportJson& json, const PairTimes& times) {
        json["gemm_ps"] = times.gemm;
        json["collective_ps"] = times.collective;
        json["together_ps"] = times.together;
        json["interaction_ps"] = times.interaction(pair.kind);
    };
    ReportJson json{{"name", pair.name}};
    json["values"] = jsonList(pair.values, [](const PairValue& value) {
        return ReportJson{
            {"path", value.path}, {"value", value.value}, {"assumed", value.assumed}, {"from", value.from}};
    });
    json["missing"] = pair.missing;
    json["remarks"] = pair.remarks;
    write(json["measured"], pair.measured);
    json["simulated"] = jsonList(simulated, [&](const SimulatedPair& each) {
        ReportJson one{{"policy", each.policy}};
        write(one, each.times);
        const PairDifference difference = differenceOf(pair.measured, each.times, pair.kind);
        one["difference"] = {
            {"total_ps", difference.total}, {"parts_ps", difference.parts}, {"interaction_ps", difference.interaction}};
        return one;
    });
    return json;
}

}  // namespace data
