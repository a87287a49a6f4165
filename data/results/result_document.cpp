#include "data/results/result_document.h"

#include "data/document/json_reading.h"
#include "data/document/parameter_words.h"
#include "data/experiment/experiment_document.h"
#include "data/results/group_json.h"
#include "data/results/result_fields.h"
#include "data/results/result_json.h"
#include "engine/api/run_times.h"
#include "engine/api/runner.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <string_view>
#include <type_traits>

namespace data {

namespace {

using engine::Bytes;
using engine::Cause;
using engine::Duration;
using Json = ResultJson;

constexpr int kIndent = 2;

Json shapeJson(const engine::Shape& shape) {
    Json json = groupJson(shape);
    if (shape.batch != 1)
        json["batch"] = shape.batch;
    json["chunk_bytes"] = jsonList(shape.chunkBytes, [](Bytes chunk) { return chunk.count; });
    return json;
}

void addParts(Json& json, const engine::CauseTimes& causes, bool detail) {
    for (const AttributionPart& part : attributionParts())
        if (part.detail == detail && (!part.later || part.ps(causes) != 0))
            json[part.key] = part.ps(causes);
}

Json causesWithDetail(const engine::CauseTimes& causes) {
    Json json;
    addParts(json, causes, false);
    addParts(json, causes, true);
    return json;
}

constexpr std::array<const char*, engine::kWorkPhases> kPhaseKeys{"gemm",       "reduce_scatter", "all_to_all",
                                                                  "all_gather", "companion",      "access"};

void addAttribution(Json& document, const engine::AttributionResult& attribution) {
    addParts(document["attribution_ps"], attribution.causes, false);
    Json& detail = document["attribution_detail_ps"];
    addParts(detail, attribution.causes, true);
    if (attribution.load.ps != 0)
        detail["load"] = attribution.load.ps;
    detail["by_phase"] = Json::object();
    for (std::size_t phase = 0; phase < kPhaseKeys.size(); ++phase)
        if (attribution.byPhase[phase].total().ps != 0)
            detail["by_phase"][kPhaseKeys[phase]] = causesWithDetail(attribution.byPhase[phase]);
    detail["by_gpu"] = jsonList(attribution.byGpu, causesWithDetail);
}

void addTraffic(Json& document, const engine::GpuResult& gpu) {
    visitGroups([&](const char* key, auto member) {
        if (const auto& group = gpu.*member)
            document[key] = groupJson(*group);
    });
}

Json gpuJson(const engine::GpuResult& gpu) {
    Json entry;
    entry["time_ps"] = groupJson(gpu.time);
    addTraffic(entry, gpu);
    if (gpu.companion)
        entry["companion"] = groupJson(*gpu.companion);
    return entry;
}

constexpr std::array<const char*, 2> kBoundWords{"compute", "memory"};  // in the enumerators' order

Json gemmJson(const engine::GemmResult& gemm) {
    Json json = groupJson(gemm);
    json["bound"] = kBoundWords.at(static_cast<std::size_t>(gemm.bound));
    return json;
}

/// The parameters whose words the enumerations of a companion's result have.
constexpr const char* kOperationPath = "companion.operation";
constexpr const char* kCarrierPath = "companion.by";

/// Returns the companion's object. A number that the GPU that ends last has of the companion is added to it.
Json companionJson(const engine::CompanionResult& companion, const engine::GpuResult& last) {
    Json json{{"operation", wordAt(kOperationPath, companion.operation)}, {"by", wordAt(kCarrierPath, companion.by)}};
    json.update(groupJson(companion));
    if (last.companion && last.companion->otherDone)
        json["other_done"] = *last.companion->otherDone;
    return json;
}

// Returns the times of a run. Hidden and exposed communication come before the older "overlapped", which also counts
// the time in which the GEMM waits.
Json runTimeJson(const engine::RunResult& result) {
    const Json times = groupJson(result.last.time);
    Json json;
    for (const auto& [key, value] : times.items()) {
        if (const auto hiding = key == "overlapped" ? engine::hidingOf(result) : std::nullopt) {
            json["hidden"] = hiding->hidden.ps;
            json["exposed"] = hiding->exposed.ps;
        }
        json[key] = value;
    }
    return json;
}

/// Reads values out of one object and remembers where it is, so that a message can name the key.
class Reader {
public:
    Reader(const Json& json, std::string where) : m_json(json), m_where(std::move(where)) {
        if (!json.is_object())
            throw DamagedDocument(m_where + ": an object is expected");
    }

    bool has(const char* key) const { return m_json.contains(key); }

    Reader in(const std::string& key) const { return {at(key.c_str()), name(key.c_str())}; }

    const Json& list(const char* key) const {
        const Json& value = at(key);
        if (!value.is_array())
            throw DamagedDocument(name(key) + ": a list is expected");
        return value;
    }

    std::int64_t whole(const char* key) const { return wholeOf(at(key), name(key)); }
    Duration time(const char* key) const { return {whole(key)}; }

    template <class Value>
    void read(const char* key, Value& value) const {
        if constexpr (std::is_same_v<Value, double>)
            value = real(key);
        else if constexpr (std::is_integral_v<Value>)
            value = static_cast<Value>(whole(key));
        else
            value = {whole(key)};
    }

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

template <class Group>
void readFields(const Reader& from, Group& group);

/// Reads one member. `key` is the last part of the field's key, without the objects around it.
template <class Member>
void readField(const Reader& from, const char* key, Member& member) {
    if constexpr (kIsOptional<Member>) {
        if (from.has(key))
            readField(from, key, member.emplace());
    } else if constexpr (kIsGroup<Member>) {
        readFields(from.in(key), member);
    } else {
        from.read(key, member);
    }
}

template <class Group>
void readFields(const Reader& from, Group& group) {
    std::optional<bool> later;
    visitFields(&group, [&](const ResultField& field, auto member) {
        if (field.later && !later)
            later = from.has(field.key);
        if (field.later && !*later)
            return;
        const std::string_view key = field.key;
        const std::size_t dot = key.find('.');
        if (dot == std::string_view::npos)
            readField(from, field.key, group.*member);
        else
            readField(from.in(std::string(key.substr(0, dot))), field.key + dot + 1, group.*member);
    });
}

template <class Group>
void readGroup(const Reader& from, const char* key, std::optional<Group>& group) {
    if (from.has(key))
        readFields(from.in(key), group.emplace());
}

void readShape(const Reader& from, engine::Shape& shape) {
    readFields(from, shape);
    if (from.has("batch"))
        shape.batch = from.whole("batch");
    for (const Json& chunk : from.list("chunk_bytes"))
        shape.chunkBytes.push_back({Reader::wholeOf(chunk, from.name("chunk_bytes"))});
}

void readGpu(const Reader& from, engine::GpuResult& gpu) {
    readFields(from.in("time_ps"), gpu.time);
    visitGroups([&](const char* key, auto member) { readGroup(from, key, gpu.*member); });
}

/// Reads the times by cause from the parts of the attribution that consist of one cause. Detailed parts are in `split`.
engine::CauseTimes readCauses(const Reader& whole, const Reader& split) {
    engine::CauseTimes causes;
    for (const AttributionPart& part : attributionParts()) {
        const Reader& from = part.detail ? split : whole;
        const Cause cause = part.causes.front();
        // Older documents count the collective kernel as compute.
        if (part.causes.size() == 1 && ((cause != Cause::collectiveKernel && !part.later) || from.has(part.key)))
            causes[cause] = from.time(part.key);
    }
    // Older documents do not divide the memory's own part; it counts as bandwidth.
    causes[Cause::memory] = split.time("memory_own") - causes[Cause::collectiveKernel] - causes[Cause::latency] -
                            causes[Cause::cacheSlices];
    return causes;
}

engine::AttributionResult readAttribution(const Reader& from) {
    const Reader detail = from.in("attribution_detail_ps"), phases = detail.in("by_phase");
    engine::AttributionResult attribution;
    attribution.causes = readCauses(from.in("attribution_ps"), detail);
    if (detail.has("load"))
        attribution.load = detail.time("load");
    for (std::size_t phase = 0; phase < kPhaseKeys.size(); ++phase)
        if (phases.has(kPhaseKeys[phase]))
            attribution.byPhase[phase] = readCauses(phases.in(kPhaseKeys[phase]), phases.in(kPhaseKeys[phase]));
    for (const Json& gpu : detail.list("by_gpu")) {
        const Reader in(gpu, "attribution_detail_ps.by_gpu");
        attribution.byGpu.push_back(readCauses(in, in));
    }
    return attribution;
}

template <class Enum>
Enum wordFrom(const Reader& from, const char* key, const char* path) {
    const std::vector<std::string>& words = engine::findParameter(path)->words;
    const auto found = std::find(words.begin(), words.end(), from.text(key));
    if (found == words.end())
        throw DamagedDocument(from.name(key) + ": none of its words");
    return static_cast<Enum>(found - words.begin());
}

void readGemm(const Reader& from, engine::RunResult& result) {
    engine::GemmResult& gemm = result.gemm.emplace();
    readFields(from, gemm);
    const auto* found = std::find(kBoundWords.begin(), kBoundWords.end(), from.text("bound"));
    if (found == kBoundWords.end())
        throw DamagedDocument(from.name("bound") + ": none of its words");
    gemm.bound = static_cast<engine::GemmBound>(found - kBoundWords.begin());
}

engine::Notices noticesIn(const Reader& from) {
    engine::Notices notices;
    for (const Json& notice : from.list("notices")) {
        const Reader in(notice, "notices");
        notices.push_back({in.text("path"), in.text("text")});
    }
    return notices;
}

void readCompanion(const Reader& from, engine::RunResult& result) {
    engine::CompanionResult& companion = result.companion.emplace();
    readFields(from, companion);
    readFields(from, result.last.companion.emplace());
    companion.operation = wordFrom<engine::CompanionOperation>(from, "operation", kOperationPath);
    companion.by = wordFrom<engine::CollectiveCarrier>(from, "by", kCarrierPath);
}

void readRest(const Reader& from, engine::RunResult& result) {
    readGroup(from, "isolated_ps", result.isolated);
    const Reader time = from.in("time_ps");
    if (time.has("hidden")) {
        result.sequentialTotal = result.last.time.total + time.time("hidden");
        result.sequentialGemm = result.last.time.total - time.time("exposed");
    }
    readGroup(from, "run_time_ps", result.whole);
    if (result.whole)
        readFields(from.in("run_time_ps"), result.whole->time);
    readGroup(from, "network", result.network);
    if (from.has("speedup_over_sequential"))
        result.speedupOverSequential = from.real("speedup_over_sequential");
    if (from.has("gemm"))
        readGemm(from.in("gemm"), result);
    readGroup(from, "access", result.access);
    if (from.has("companion"))
        readCompanion(from.in("companion"), result);
    if (from.has("attribution_ps"))
        result.attribution = readAttribution(from);
    readFields(from.in("bounds_ps"), result.bounds);
    const Reader invariants = from.in("invariants");
    readFields(invariants, result.invariants);
    for (const Json& failed : invariants.list("failed"))
        result.invariants.failed.push_back(Reader::textOf(failed, "invariants.failed"));
    result.notices = noticesIn(from);
    readFields(from, result);
}

}  // namespace

std::int64_t AttributionPart::ps(const engine::CauseTimes& times) const {
    return std::accumulate(causes.begin(), causes.end(), std::int64_t{0},
                           [&](std::int64_t sum, Cause cause) { return sum + times[cause].ps; });
}

const std::vector<AttributionPart>& attributionParts() {
    using enum Cause;
    static const std::vector<AttributionPart> kParts{
        {false, "compute", {compute}},
        {false, "memory", {latency, memory, cacheSlices, contention, collectiveKernel}},
        {false, "link", {link}},
        {false, "tracker_dma", {trackerDma}},
        {false, "dependency", {dependency}},
        {false, "dispatch", {dispatch}},
        {false, "companion", {companion}, true},
        {true, "memory_own", {latency, memory, cacheSlices, collectiveKernel}},
        {true, "memory_latency", {latency}, true},
        {true, "memory_bandwidth", {memory}, true},
        {true, "cache_slices", {cacheSlices}, true},
        {true, "memory_contention", {contention}},
        {true, "collective_kernel", {collectiveKernel}}};
    return kParts;
}

engine::Notices readNotices(const ResultJson& document) { return noticesIn(Reader(document, "")); }

ResultJson noticesJson(const engine::Notices& notices) {
    return jsonList(notices, [](const engine::Notice& notice) {
        return Json{{"path", notice.path}, {"text", notice.text}};
    });
}

ResultJson timeJson(const engine::TimeResult& time) { return groupJson(time); }

ResultJson dramJson(const engine::DramResult& dram) { return groupJson(dram); }

ResultJson outcomeJson(const engine::RunResult& result) {
    Json document;
    document["shape"] = shapeJson(result.shape);
    document["time_ps"] = runTimeJson(result);
    if (result.whole)
        (document["run_time_ps"] = groupJson(result.whole->time)).update(groupJson(*result.whole));
    if (result.isolated)
        document["isolated_ps"] = groupJson(*result.isolated);
    if (result.speedupOverSequential)
        document["speedup_over_sequential"] = *result.speedupOverSequential;
    if (const auto hiding = engine::hidingOf(result))
        document["gemm_stretch"] = hiding->gemmStretch;
    if (result.gemm)
        document["gemm"] = gemmJson(*result.gemm);
    if (result.access)
        document["access"] = groupJson(*result.access);
    if (result.companion)
        document["companion"] = companionJson(*result.companion, result.last);
    addTraffic(document, result.last);
    if (result.attribution)
        addAttribution(document, *result.attribution);
    document["bounds_ps"] = groupJson(result.bounds);
    if (result.network)
        document["network"] = groupJson(*result.network);
    if (!result.perGpu.empty())
        document["per_gpu"] = jsonList(result.perGpu, gpuJson);
    document["invariants"] = groupJson(result.invariants);
    document["invariants"]["failed"] = result.invariants.failed;
    document["notices"] = noticesJson(result.notices);
    document.update(groupJson(result));
    return document;
}

engine::RunResult readOutcome(const ResultJson& document) {
    const Reader from(document, "");
    engine::RunResult result;
    readShape(from.in("shape"), result.shape);
    readGpu(from, result.last);
    if (from.has("per_gpu")) {
        for (const Json& entry : from.list("per_gpu")) {
            const Reader in(entry, "per_gpu");
            engine::GpuResult& gpu = result.perGpu.emplace_back();
            readGpu(in, gpu);
            readGroup(in, "companion", gpu.companion);
        }
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
