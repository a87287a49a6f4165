#include "data/presets/presets.h"

#include "data/document/bundled_json.h"
#include "data/document/names.h"
#include "data/presets/preset_document.h"

#include <set>

namespace data {
namespace {

using engine::SourceLabel;

/// Makes the presets of the policies. Their settings are read from experiments to which the engine has applied them.
std::vector<Preset> buildPolicies() {
    std::vector<Preset> policies;
    for (std::size_t i = 0; i < engine::kPolicyRows.size(); ++i) {
        engine::Experiment experiment;
        engine::applyPolicyPreset(experiment, static_cast<engine::PolicyPreset>(i));
        Preset& preset = policies.emplace_back();
        preset.name = engine::kPolicyRows[i].word;
        preset.title = engine::kPolicyRows[i].title;
        preset.settings.emplace("policy.preset", engine::findParameter("policy.preset")->read(experiment));
        for (const std::string_view path : engine::kPolicyPartPaths)
            preset.settings.emplace(path, engine::findParameter(path)->read(experiment));
        preset.sourceLabel = SourceLabel::published;
        preset.source = "T3, section 5.3";
        preset.notes = engine::kPolicyRows[i].notes;
    }
    return policies;
}

Preset sublayer(engine::SubLayer which, const char* title, const char* notes, const char* source) {
    Preset preset;
    preset.name = engine::name(which);
    preset.title = title;
    preset.settings = {{"workload.sublayer", preset.name}};
    preset.sourceLabel = SourceLabel::published;
    preset.source = source;
    preset.notes = notes;
    return preset;
}

std::vector<Preset> buildSublayers() {
    using enum engine::SubLayer;
    constexpr const char* kGemm = "T3, section 2";
    constexpr const char* kAlone = "T3, section 6: reduce-scatter on its own";
    return {
        sublayer(op, "Attention output projection", "forward, K = H/TP", kGemm),
        sublayer(fc2, "Second feed-forward", "forward, K = 4H/TP", kGemm),
        sublayer(fc1, "First feed-forward", "backward, K = 4H/TP: the same shape as fc-2", kGemm),
        sublayer(ip, "Attention input projection", "backward, K = 3H/TP", kGemm),
        sublayer(reduceScatter, "Reduce-scatter alone", "collective/reduce-scatter/tpN, workload.bytes", kAlone),
        sublayer(allGather, "All-gather alone", "collective/all-gather/tpN, workload.bytes", kAlone),
        sublayer(allReduce, "All-reduce alone", "collective/all-reduce/tpN, workload.bytes", kAlone),
        sublayer(allToAll, "All-to-all alone", "collective/all-to-all/tpN, workload.bytes", "T3, section 7"),
        sublayer(gemm, "GEMM alone", "gemm/MxNxK or gemm/BxMxNxK, matrix.*: on each GPU, no collective",
                 "C3 (arXiv 2412.14335): GEMMs beside collectives that do not depend on them"),
        sublayer(access, "Access pattern", "access, access.*: requests to the memory of one GPU alone",
                 "AerialVision, as used in arXiv 1811.08933: which channels and banks have the traffic"),
    };
}

std::vector<std::string> pathsOf(std::span<const Preset> presets) {
    std::set<std::string> paths;
    for (const Preset& preset : presets) {
        for (const auto& [path, value] : preset.settings)
            paths.insert(path);
    }
    return {paths.begin(), paths.end()};
}

}  // namespace

std::span<const Preset> models() {
    static const std::vector<Preset> kModels = readBundled(OwnKind::model, kModelsJson);
    return kModels;
}

std::span<const Preset> machines() {
    static const std::vector<Preset> kMachines = readBundled(OwnKind::machine, kMachinesJson);
    return kMachines;
}

std::span<const Preset> policies() {
    static const std::vector<Preset> kPolicies = buildPolicies();
    return kPolicies;
}

std::span<const Preset> sublayers() {
    static const std::vector<Preset> kSublayers = buildSublayers();
    return kSublayers;
}

const std::vector<std::string>& neededPaths(std::string_view namingPath) {
    // This list never grows, so that a document that once set enough stays valid.
    static const std::vector<std::string> kMachinePaths{"cu.clock",        "cu.count",     "cu.tensor_efficiency",
                                                        "link.bandwidth",  "link.latency", "llc.size",
                                                        "memory.bandwidth"};
    static const std::vector<std::string> kModelPaths{"workload.batch", "workload.hidden", "workload.sequence"};
    return namingPath == "machine" ? kMachinePaths : kModelPaths;
}

bool setsNetwork(const std::function<bool(const std::string&)>& isSet) {
    return isSet("workload.network") && isSet("workload.batch");
}

const std::vector<std::string>& saidPaths(std::string_view namingPath) {
    static const std::vector<std::string> kMachinePaths = pathsOf(machines());
    static const std::vector<std::string> kModelPaths = pathsOf(models());
    return namingPath == "machine" ? kMachinePaths : kModelPaths;
}

std::vector<std::string> publishedCases() {
    std::vector<std::string> cases;
    for (const Preset& model : models()) {
        for (const Preset& part : sublayers()) {
            if (!engine::isPartOfModel(*engine::sublayerNamed(part.name)))
                continue;
            for (const std::int64_t tp : model.tps)
                cases.push_back(model.name + "/" + part.name + "/tp" + std::to_string(tp));
        }
    }
    return cases;
}

const Preset* findModel(std::string_view name) { return findNamed(models(), &Preset::name, name); }

const Preset* findMachine(std::string_view name) { return findNamed(machines(), &Preset::name, name); }

const Preset* findPolicy(std::string_view name) { return findNamed(policies(), &Preset::name, name); }

}  // namespace data
