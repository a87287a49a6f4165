#include "data/results/result_document.h"

#include "data/document/json_reading.h"
#include "data/results/result_json.h"
#include "data/experiment/experiment_document.h"
#include "engine/api/run_times.h"
#include "engine/api/runner.h"

#include <array>

namespace data {

ResultJson timeJson(const engine::TimeResult& time) {
    ResultJson json{{"total", time.total.ps},
                    {"gemm", time.gemm.ps},
                    {"reduce_scatter", time.reduceScatter.ps},
                    {"all_gather", time.allGather.ps},
                    {"overlapped", time.overlapped.ps},
                    {"exposed_communication", time.exposedCommunication.ps}};
    if (time.allToAll.ps != 0)
        json["all_to_all"] = time.allToAll.ps;
    return json;
}

ResultJson dramJson(const engine::DramResult& dram) {
    ResultJson json{{"gemm_read", dram.gemmRead.count}, {"gemm_write", dram.gemmWrite.count},
                    {"rs_read", dram.rsRead.count},     {"rs_write", dram.rsWrite.count},
                    {"ag_read", dram.agRead.count},     {"ag_write", dram.agWrite.count},
                    {"total", dram.total.count}};
    if ((dram.a2aRead + dram.a2aWrite).count != 0) {
        json["a2a_read"] = dram.a2aRead.count;
        json["a2a_write"] = dram.a2aWrite.count;
    }
    return json;
}

namespace {

using engine::Bytes;
using engine::Cause;
using engine::Duration;
using Json = ResultJson;

constexpr int kIndent = 2;

Json shapeJson(const engine::Shape& shape) {
    Json chunks = Json::array();
    for (const Bytes chunk : shape.chunkBytes)
        chunks.push_back(chunk.count);
    return {{"m", shape.m},
            {"n", shape.n},
            {"k", shape.k},
            {"tiles", shape.tiles},
            {"output_bytes", shape.outputBytes.count},
            {"chunk_bytes", std::move(chunks)}};
}

Json isolatedJson(const engine::IsolatedTimes& times) {
    Json json{{"gemm", times.gemm.ps},
              {"reduce_scatter", times.reduceScatter.ps},
              {"reduce_scatter_nmc", times.reduceScatterNmc.ps},
              {"all_gather", times.allGather.ps}};
    if (times.allToAll.ps != 0)
        json["all_to_all"] = times.allToAll.ps;
    return json;
}

Json dramOutcomeJson(const engine::DramOutcome& outcome) {
    return {{"efficiency", outcome.efficiency},       {"update_cost", outcome.updateCost},
            {"row_hit_rate", outcome.rowHitRate},     {"activations", outcome.activations},
            {"turnaround_ps", outcome.turnaround.ps}, {"refresh_ps", outcome.refresh.ps}};
}

Json linkJson(const engine::LinkResult& link) {
    Json json{{"reduce_scatter", link.reduceScatter.count}, {"all_gather", link.allGather.count}};
    if (link.allToAll.count != 0)
        json["all_to_all"] = link.allToAll.count;
    return json;
}

Json networkJson(const engine::NetworkResult& network) {
    Json json{{"links", network.links},
              {"switches", network.switches},
              {"egress_bytes_per_s", network.egress.bytesPerSecond},
              {"links_shared_by_ring", network.linksSharedByRing}};
    if (network.linksOfGpu != 0) {
        json["links_of_gpu"] = network.linksOfGpu;
        json["links_used"] = network.linksUsed;
        json["used_bytes_per_s"] = network.used.bytesPerSecond;
    }
    return json;
}

Json trackerJson(const engine::TrackerResult& tracker) {
    return {{"peak_entries", tracker.peakEntries},
            {"capacity_stalls", tracker.capacityStalls},
            {"triggers", tracker.triggers},
            {"updates", tracker.updates},
            {"held_peak_bytes", tracker.heldPeak.count}};
}

Json dmaJson(const engine::DmaResult& dma) {
    return {{"commands", dma.commands}, {"bytes", dma.bytes.count}, {"peak_queue", dma.peakQueue}};
}

Json llcJson(const engine::LlcResult& llc) {
    return {{"hit_bytes", llc.hit.count}, {"miss_bytes", llc.miss.count}, {"hit_rate", llc.hitRate}};
}

Json boundsJson(const engine::BoundsResult& bounds) {
    return {{"compute", bounds.compute.ps},
            {"memory", bounds.memory.ps},
            {"link", bounds.link.ps},
            {"total", bounds.total.ps}};
}

// Memory as a whole, the pace of a collective kernel with it, which is that of its loads and stores. What it is made of
// is told beside it: `memory_own` and `memory_contention` are all of it, `collective_kernel` is a part of `memory_own`.
Json causesJson(const engine::CauseTimes& causes) {
    return {{"compute", causes[Cause::compute].ps},
            {"memory", (causes[Cause::memory] + causes[Cause::contention] + causes[Cause::collectiveKernel]).ps},
            {"link", causes[Cause::link].ps},
            {"tracker_dma", causes[Cause::trackerDma].ps},
            {"dependency", causes[Cause::dependency].ps},
            {"dispatch", causes[Cause::dispatch].ps}};
}

void addPartsOfMemory(Json& json, const engine::CauseTimes& causes) {
    json["memory_own"] = (causes[Cause::memory] + causes[Cause::collectiveKernel]).ps;
    json["memory_contention"] = causes[Cause::contention].ps;
    json["collective_kernel"] = causes[Cause::collectiveKernel].ps;
}

Json causesWithDetail(const engine::CauseTimes& causes) {
    Json json = causesJson(causes);
    addPartsOfMemory(json, causes);
    return json;
}

constexpr std::array<const char*, engine::kWorkPhases> kPhaseKeys{"gemm", "reduce_scatter", "all_to_all", "all_gather"};

Json attributionDetailJson(const engine::AttributionResult& attribution) {
    Json json;
    addPartsOfMemory(json, attribution.causes);
    json["by_phase"] = Json::object();
    for (std::size_t phase = 0; phase < kPhaseKeys.size(); ++phase)
        if (attribution.byPhase[phase].total().ps != 0)
            json["by_phase"][kPhaseKeys[phase]] = causesWithDetail(attribution.byPhase[phase]);
    json["by_gpu"] = Json::array();
    for (const engine::CauseTimes& gpu : attribution.byGpu)
        json["by_gpu"].push_back(causesWithDetail(gpu));
    return json;
}

void addTraffic(Json& document, const engine::GpuResult& gpu) {
    if (gpu.dram)
        document["dram_bytes"] = dramJson(*gpu.dram);
    if (gpu.dramOutcome)
        document["dram_outcome"] = dramOutcomeJson(*gpu.dramOutcome);
    if (gpu.link)
        document["link_bytes"] = linkJson(*gpu.link);
    if (gpu.tracker)
        document["tracker"] = trackerJson(*gpu.tracker);
    if (gpu.dma)
        document["dma"] = dmaJson(*gpu.dma);
    if (gpu.llc)
        document["llc"] = llcJson(*gpu.llc);
}

Json perGpuJson(const std::vector<engine::GpuResult>& gpus) {
    Json list = Json::array();
    for (const engine::GpuResult& gpu : gpus) {
        Json entry;
        entry["time_ps"] = timeJson(gpu.time);
        addTraffic(entry, gpu);
        list.push_back(std::move(entry));
    }
    return list;
}

// Before the older measures, which count a GEMM that waits as one that hides communication.
Json runTimeJson(const engine::RunResult& result) {
    const auto hiding = engine::hidingOf(result);
    if (!hiding)
        return timeJson(result.last.time);
    const Json older = timeJson(result.last.time);
    Json json;
    for (const auto& [key, value] : older.items()) {
        if (key == "overlapped") {
            json["hidden"] = hiding->hidden.ps;
            json["exposed"] = hiding->exposed.ps;
        }
        json[key] = value;
    }
    return json;
}

Json wholeRunJson(const engine::WholeRun& whole) {
    Json json = timeJson(whole.time);
    json["gemm_start"] = whole.gemmStart.ps;
    json["reduce_scatter_start"] = whole.scatterStart.ps;
    json["all_gather_start"] = whole.gatherStart.ps;
    return json;
}

Json noticesJson(const engine::Notices& notices) {
    Json list = Json::array();
    for (const engine::Notice& notice : notices)
        list.push_back({{"path", notice.path}, {"text", notice.text}});
    return list;
}

/// Reads values out of one object and remembers where it is, so that a message can name the key.
class Reader {
public:
    Reader(const Json& json, std::string where) : m_json(json), m_where(std::move(where)) {
        if (!json.is_object())
            throw DamagedDocument(m_where + ": an object is expected");
    }

    bool has(const char* key) const { return m_json.contains(key); }

    Reader in(const char* key) const { return {at(key), name(key)}; }

    const Json& list(const char* key) const {
        const Json& value = at(key);
        if (!value.is_array())
            throw DamagedDocument(name(key) + ": a list is expected");
        return value;
    }

    std::int64_t whole(const char* key) const { return wholeOf(at(key), name(key)); }
    Duration time(const char* key) const { return {whole(key)}; }
    Bytes bytes(const char* key) const { return {whole(key)}; }

    double real(const char* key) const {
        const Json& value = at(key);
        if (!value.is_number())
            throw DamagedDocument(name(key) + ": a number is expected");
        return value.get<double>();
    }

    std::string text(const char* key) const { return textOf(at(key), name(key)); }
    std::string name(const char* key) const { return m_where.empty() ? key : m_where + "." + key; }

    static std::int64_t wholeOf(const Json& value, const std::string& where) {
        if (!value.is_number_integer())
            throw DamagedDocument(where + ": a whole number is expected");
        return value.get<std::int64_t>();
    }

    static std::string textOf(const Json& value, const std::string& where) {
        if (!value.is_string())
            throw DamagedDocument(where + ": a string is expected");
        return value.get<std::string>();
    }

private:
    const Json& at(const char* key) const {
        const auto found = m_json.find(key);
        if (found == m_json.end())
            throw DamagedDocument(name(key) + ": missing");
        return *found;
    }

    const Json& m_json;
    std::string m_where;
};

engine::Shape readShape(const Reader& from) {
    engine::Shape shape{
        from.whole("m"), from.whole("n"), from.whole("k"), from.whole("tiles"), from.bytes("output_bytes"), {}};
    for (const Json& chunk : from.list("chunk_bytes"))
        shape.chunkBytes.push_back({Reader::wholeOf(chunk, from.name("chunk_bytes"))});
    return shape;
}

engine::TimeResult readTime(const Reader& from) {
    const Duration exchanged = from.has("all_to_all") ? from.time("all_to_all") : Duration{};
    return {from.time("total"),
            from.time("gemm"),
            from.time("reduce_scatter"),
            from.time("all_gather"),
            from.time("overlapped"),
            from.time("exposed_communication"),
            exchanged};
}

engine::GpuResult readGpu(const Reader& from) {
    engine::GpuResult gpu;
    gpu.time = readTime(from.in("time_ps"));
    if (from.has("dram_bytes")) {
        const Reader in = from.in("dram_bytes");
        gpu.dram = {in.bytes("gemm_read"), in.bytes("gemm_write"), in.bytes("rs_read"), in.bytes("rs_write"),
                    in.bytes("ag_read"),   in.bytes("ag_write"),   in.bytes("total")};
        if (in.has("a2a_read")) {
            gpu.dram->a2aRead = in.bytes("a2a_read");
            gpu.dram->a2aWrite = in.bytes("a2a_write");
        }
    }
    if (from.has("dram_outcome")) {
        const Reader in = from.in("dram_outcome");
        gpu.dramOutcome = {in.real("efficiency"),   in.real("update_cost"),   in.real("row_hit_rate"),
                           in.whole("activations"), in.time("turnaround_ps"), in.time("refresh_ps")};
    }
    if (from.has("link_bytes")) {
        const Reader in = from.in("link_bytes");
        gpu.link = {in.bytes("reduce_scatter"), in.bytes("all_gather"),
                    in.has("all_to_all") ? in.bytes("all_to_all") : Bytes{}};
    }
    if (from.has("tracker")) {
        const Reader in = from.in("tracker");
        gpu.tracker = {in.whole("peak_entries"), in.whole("capacity_stalls"), in.whole("triggers"), in.whole("updates"),
                       in.bytes("held_peak_bytes")};
    }
    if (from.has("dma")) {
        const Reader in = from.in("dma");
        gpu.dma = {in.whole("commands"), in.bytes("bytes"), in.whole("peak_queue")};
    }
    if (from.has("llc")) {
        const Reader in = from.in("llc");
        gpu.llc = {in.bytes("hit_bytes"), in.bytes("miss_bytes"), in.real("hit_rate")};
    }
    return gpu;
}

// The keys of causesJson in `whole`, those of its split in `split`.
engine::CauseTimes readCauses(const Reader& whole, const Reader& split) {
    engine::CauseTimes causes;
    causes[Cause::compute] = whole.time("compute");
    if (split.has("collective_kernel"))  // older documents count it as compute
        causes[Cause::collectiveKernel] = split.time("collective_kernel");
    causes[Cause::memory] = split.time("memory_own") - causes[Cause::collectiveKernel];
    causes[Cause::contention] = split.time("memory_contention");
    causes[Cause::link] = whole.time("link");
    causes[Cause::trackerDma] = whole.time("tracker_dma");
    causes[Cause::dependency] = whole.time("dependency");
    causes[Cause::dispatch] = whole.time("dispatch");
    return causes;
}

engine::AttributionResult readAttribution(const Reader& from) {
    const Reader detail = from.in("attribution_detail_ps"), phases = detail.in("by_phase");
    engine::AttributionResult attribution;
    attribution.causes = readCauses(from.in("attribution_ps"), detail);
    for (std::size_t phase = 0; phase < kPhaseKeys.size(); ++phase)
        if (phases.has(kPhaseKeys[phase]))
            attribution.byPhase[phase] = readCauses(phases.in(kPhaseKeys[phase]), phases.in(kPhaseKeys[phase]));
    for (const Json& gpu : detail.list("by_gpu")) {
        const Reader in(gpu, "attribution_detail_ps.by_gpu");
        attribution.byGpu.push_back(readCauses(in, in));
    }
    return attribution;
}

void readRest(const Reader& from, engine::RunResult& result) {
    if (from.has("isolated_ps")) {
        const Reader in = from.in("isolated_ps");
        result.isolated = {in.time("gemm"), in.time("reduce_scatter"), in.time("reduce_scatter_nmc"),
                           in.time("all_gather"), in.has("all_to_all") ? in.time("all_to_all") : Duration{}};
    }
    const Reader time = from.in("time_ps");
    if (time.has("hidden")) {
        result.sequentialTotal = result.last.time.total + time.time("hidden");
        result.sequentialGemm = result.last.time.total - time.time("exposed");
    }
    if (from.has("run_time_ps")) {
        const Reader in = from.in("run_time_ps");
        result.whole = {readTime(in), in.time("gemm_start"), in.time("reduce_scatter_start"),
                        in.time("all_gather_start")};
    }
    if (from.has("network")) {
        const Reader in = from.in("network");
        result.network = {in.whole("links"),
                          in.whole("switches"),
                          {in.whole("egress_bytes_per_s")},
                          in.whole("links_shared_by_ring")};
        if (in.has("links_used")) {
            result.network->linksOfGpu = in.whole("links_of_gpu");
            result.network->linksUsed = in.whole("links_used");
            result.network->used = {in.whole("used_bytes_per_s")};
        }
    }
    if (from.has("speedup_over_sequential"))
        result.speedupOverSequential = from.real("speedup_over_sequential");
    if (from.has("attribution_ps"))
        result.attribution = readAttribution(from);
    const Reader bounds = from.in("bounds_ps");
    result.bounds = {bounds.time("compute"), bounds.time("memory"), bounds.time("link"), bounds.time("total")};
    const Reader invariants = from.in("invariants");
    result.invariants.checked = invariants.whole("checked");
    for (const Json& failed : invariants.list("failed"))
        result.invariants.failed.push_back(Reader::textOf(failed, "invariants.failed"));
    for (const Json& notice : from.list("notices")) {
        const Reader in(notice, "notices");
        result.notices.push_back({in.text("path"), in.text("text")});
    }
    result.events = from.whole("events");
    result.wallNs = from.whole("wall_ns");
    result.threads = static_cast<int>(from.whole("threads"));
}

}  // namespace

ResultJson outcomeJson(const engine::RunResult& result) {
    Json document;
    document["shape"] = shapeJson(result.shape);
    document["time_ps"] = runTimeJson(result);
    if (result.whole)
        document["run_time_ps"] = wholeRunJson(*result.whole);
    if (result.isolated)
        document["isolated_ps"] = isolatedJson(*result.isolated);
    if (result.speedupOverSequential)
        document["speedup_over_sequential"] = *result.speedupOverSequential;
    if (const auto hiding = engine::hidingOf(result))
        document["gemm_stretch"] = hiding->gemmStretch;
    addTraffic(document, result.last);
    if (result.attribution) {
        document["attribution_ps"] = causesJson(result.attribution->causes);
        document["attribution_detail_ps"] = attributionDetailJson(*result.attribution);
    }
    document["bounds_ps"] = boundsJson(result.bounds);
    if (result.network)
        document["network"] = networkJson(*result.network);
    if (!result.perGpu.empty())
        document["per_gpu"] = perGpuJson(result.perGpu);
    document["invariants"] = {{"checked", result.invariants.checked}, {"failed", result.invariants.failed}};
    document["notices"] = noticesJson(result.notices);
    document["events"] = result.events;
    document["wall_ns"] = result.wallNs;
    document["threads"] = result.threads;
    return document;
}

engine::RunResult readOutcome(const ResultJson& document) {
    const Reader from(document, "");
    engine::RunResult result;
    result.shape = readShape(from.in("shape"));
    result.last = readGpu(from);
    if (from.has("per_gpu")) {
        for (const Json& gpu : from.list("per_gpu"))
            result.perGpu.push_back(readGpu(Reader(gpu, "per_gpu")));
    }
    readRest(from, result);
    return result;
}

std::string writeResult(const engine::Experiment& experiment, const engine::RunResult& result, bool withExperiment) {
    Json document;
    document["engine_version"] = engine::engineVersion();
    document["experiment_hash"] = experimentHash(experiment);
    if (withExperiment)
        document["experiment"] = parseJson<Json>(writeExperiment(experiment));
    document.update(outcomeJson(result));
    return document.dump(kIndent) + "\n";
}

engine::RunResult readResult(std::string_view json) {
    const Json document = parseJson<Json>(json);
    if (document.is_discarded())
        throw DamagedDocument("the result is not valid JSON");
    return readOutcome(document);
}

}  // namespace data
