#include "data/page/page_words.h"

#include "data/document/readable_number.h"
#include "data/presets/presets.h"
#include "engine/api/run_parts.h"

#include <algorithm>
#include <cmath>

namespace data {
namespace {

std::string timeWords(engine::Duration time) { return readableTime(time.ps).text(); }

std::string shareWords(const HeadlineNumber& number, const char* of) {
    const std::optional<double> share = number.share();
    return share ? readablePercent(*share).text() + " " + of : std::string();
}

std::string totalRemark(const engine::RunResult& result) {
    return result.whole       ? "until the last GPU ends"
           : result.companion ? "until both have ended"
           : result.access    ? "requests to memory"
                              : "one sub-layer, one GPU";
}

std::string partRemark(const HeadlineNumber& number) {
    return number.stretch ? readableDecimals(*number.stretch, *number.stretch < 10 ? 2 : 1) + "\u00a0× alone"
                          : shareWords(number, "of the total");
}

std::string slowdownWords(double ratio) {
    const double percent = std::abs(ratio - 1) * 100;
    if (percent < 0.05)
        return "as fast as alone";
    if (isToldAsFactor(ratio))
        return readableDecimals(ratio, 1) + "\u00a0times as long as alone";
    return readableDecimals(percent, percent < 10 ? 1 : 0) + "\u00a0% " + (ratio > 1 ? "slower" : "faster");
}

std::string companyRemark(const BesideTime& beside) {
    if (!beside.slowdown)
        return "until its end";
    const std::string slowdown = slowdownWords(*beside.slowdown);
    return beside.waits.ps == 0 ? slowdown : "waits " + timeWords(beside.waits) + " for a CU, then " + slowdown;
}

std::string speedupRemark(const HeadlineNumber& number) {
    if (number.inCompany)
        return !number.ratio    ? "no times alone to compare"
               : number.ofIdeal ? "over serial, " + readablePercent(*number.ofIdeal).text() + " of ideal"
                                : "over serial execution";
    return !number.ratio  ? "no sequential run to compare"
           : number.alone ? "over sequential, " + timeWords(*number.alone)
                          : "over sequential";
}

std::string collectiveWords(const engine::Experiment& experiment) {
    const engine::RunParts parts = engine::runPartsOf(experiment);
    return parts.scatters() && parts.allGather ? "collective"
           : parts.scatters()                  ? std::string(scatterNameOf(experiment))
                                               : "all-gather";
}

std::string companionWords(const engine::Experiment& experiment) {
    if (engine::hasInMemoryPass(experiment))
        return "companion pass inside memory";
    return "companion " + (engine::hasCompanionGemm(experiment)
                               ? std::string("GEMM")
                               : std::string(engine::name(experiment.companion.operation)));
}

/// Returns the title of a preset, or its name if there is no such preset.
std::string presetTitle(const Preset* preset, std::string_view name) {
    return std::string(preset != nullptr ? std::string_view(preset->title) : name);
}

std::string workWords(const engine::Experiment& experiment) {
    const std::string_view sublayer = engine::name(experiment.workload.sublayer);
    const auto known = std::ranges::find(sublayers(), sublayer, &Preset::name);
    const std::string part = presetTitle(known == sublayers().end() ? nullptr : &*known, sublayer);
    if (!engine::isPartOfModel(experiment.workload.sublayer))
        return part;
    return presetTitle(findModel(experiment.workload.model), experiment.workload.model) + ", " + part;
}

}  // namespace

std::string_view titleOf(const HeadlineNumber& number) {
    switch (number.kind) {
    case HeadlineKind::total: return "Total";
    case HeadlineKind::gemm: return "GEMM";
    case HeadlineKind::reduceScatter: return "Reduce-scatter";
    case HeadlineKind::allToAll: return "All-to-all";
    case HeadlineKind::allGather: return "All-gather";
    case HeadlineKind::hidden: return number.isLost() ? "Lost" : "Hidden";
    case HeadlineKind::exposed: return "Exposed";
    case HeadlineKind::ownWork: return "Own work";
    case HeadlineKind::companion: return "Companion";
    case HeadlineKind::speedup: return "Speed-up";
    }
    return {};
}

std::string remarkOf(const HeadlineNumber& number, const engine::RunResult& result) {
    switch (number.kind) {
    case HeadlineKind::total: return totalRemark(result);
    case HeadlineKind::gemm:
    case HeadlineKind::reduceScatter:
    case HeadlineKind::allToAll:
    case HeadlineKind::allGather: return partRemark(number);
    case HeadlineKind::hidden:
        return number.isLost() ? "slower than sequential" : shareWords(number, "of communication");
    case HeadlineKind::exposed: return shareWords(number, "of communication");
    case HeadlineKind::ownWork:
    case HeadlineKind::companion: return companyRemark(*number.beside);
    case HeadlineKind::speedup: return speedupRemark(number);
    }
    return {};
}

std::string_view roleOf(const HeadlineNumber& number) {
    switch (number.kind) {
    case HeadlineKind::gemm: return "gemm";
    case HeadlineKind::reduceScatter:
    case HeadlineKind::allToAll: return "reduce-scatter";
    case HeadlineKind::allGather: return "all-gather";
    default: return {};
    }
}

std::string_view scatterNameOf(const engine::Experiment& experiment) {
    return engine::runPartsOf(experiment).allToAll ? "all-to-all" : "reduce-scatter";
}

std::string formulaOf(const engine::Experiment& experiment) {
    const bool feeds = engine::consumesAllGather(experiment);
    const std::string hidden = feeds ? "all-gather" : std::string(scatterNameOf(experiment));
    const bool gathersAfter = !feeds && experiment.collective.operation == engine::CollectiveOperation::allReduce;
    return "max(GEMM, " + hidden + ")" + (gathersAfter ? " + all-gather" : "");
}

std::vector<std::string> kernelNames(const engine::Experiment& experiment) {
    if (!engine::hasCompanion(experiment))
        return {"GEMM", collectiveWords(experiment)};
    std::vector<std::string> names{"own GEMM", "own " + collectiveWords(experiment)};
    if (experiment.companion.copies <= 1)
        names.push_back(companionWords(experiment));
    for (std::int64_t copy = 1; copy <= experiment.companion.copies && experiment.companion.copies > 1; ++copy)
        names.push_back("companion copy " + std::to_string(copy));
    return names;
}

std::string experimentInWords(const LaboratoryRun& run) {
    const engine::Experiment& experiment = run.experiment;
    const std::string_view policy = engine::name(experiment.policy.preset);
    std::string words = workWords(experiment) + ", " + std::to_string(experiment.parallel.tp) +
                        (experiment.parallel.tp == 1 ? " GPU, " : " GPUs, ") + presetTitle(findPolicy(policy), policy);
    words += ", machine " + presetTitle(findMachine(experiment.machine), experiment.machine);
    if (engine::hasCompanion(experiment))
        words += ", beside a " + companionWords(experiment);
    return words;
}

std::string_view nameOf(engine::PathAct act) {
    using engine::PathAct;
    switch (act) {
    case PathAct::startsWorkgroup: return "a workgroup waits for its start or for room on a CU";
    case PathAct::computes: return "a CU computes";
    case PathAct::loads: return "a load is on its way";
    case PathAct::passesCache: return "a load waits in the slices of the cache";
    case PathAct::stores: return "stores are on their way into memory";
    case PathAct::behindStream: return "DRAM serves earlier requests of the same stream";
    case PathAct::behindOther: return "DRAM serves the other stream or another kernel";
    case PathAct::sends: return "packets are sent";
    case PathAct::travels: return "a packet travels on a link";
    case PathAct::waitsForSet: return "a tile waits for a set of the tracker";
    case PathAct::triggers: return "the tracker triggers a DMA command";
    case PathAct::waitsForEngine: return "a DMA command waits for an engine";
    case PathAct::paces: return "a collective kernel works at its own pace";
    case PathAct::barrier: return "a step of a collective waits at its barrier";
    case PathAct::begins: return "a kernel begins";
    case PathAct::waits: return "something waits that no lane shows";
    }
    return {};
}

}  // namespace data
