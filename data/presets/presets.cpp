#include "data/presets/presets.h"

#include "data/presets/machine_presets.h"
#include "engine/api/experiment.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace data {
namespace {

using engine::ParameterValue;
using engine::SourceLabel;

ParameterValue whole(std::int64_t value) { return value; }

ParameterValue word(std::string_view value) { return std::string(value); }

struct ModelSize {
    std::int64_t hidden, layers, sequence, batch, heads, vocabulary;
};

/// A model as T3 evaluated it. Widths of heads and of the feed-forward part are left at what the published K of the
/// sub-layers follow from (H, 4H and 3H), also where the real model has others.
Preset model(const char* name, const char* title, const ModelSize& size, std::vector<std::int64_t> tps,
             const ValueSource& heads, const ValueSource& vocabulary, const std::string& notes = {}) {
    const ValueSource notesOnT3{SourceLabel::secondHand, "notes about T3"};
    const auto said = [](const ValueSource& source) {
        return std::string(engine::name(source.label)) + ", " + source.source;
    };
    Preset preset;
    preset.name = name;
    preset.title = title;
    for (const auto& [path, value, source] : {std::tuple{"workload.hidden", size.hidden, notesOnT3},
                                              {"workload.layers", size.layers, notesOnT3},
                                              {"workload.sequence", size.sequence, notesOnT3},
                                              {"workload.batch", size.batch, notesOnT3},
                                              {"workload.heads", size.heads, heads},
                                              {"workload.vocabulary", size.vocabulary, vocabulary}}) {
        preset.settings.emplace(path, whole(value));
        preset.sources.emplace(path, source);
    }
    preset.sourceLabel = SourceLabel::secondHand;
    preset.source = "H, layers, sequence and batch read second-hand in notes about T3; TP degrees published (T3, "
                    "section 5); heads " +
                    said(heads) + "; vocabulary " + said(vocabulary);
    preset.tps = std::move(tps);
    preset.notes = std::to_string(size.layers) + " layers" + notes;
    return preset;
}

constexpr std::int64_t kGpt2Tokens = 50257;    // of GPT-2's byte-pair encoding
constexpr std::int64_t kPaddedTokens = 51200;  // the same up to a multiple of 1,024, as Megatron-LM trains it at TP 8

std::vector<Preset> buildModels() {
    using enum SourceLabel;
    const ValueSource megatron{secondHand, "the Megatron-LM paper: its GPT-2 with 8.3 billion parameters"};
    return {
        model("mega-gpt-2", "Mega-GPT-2", {3072, 74, 1024, 16, 24, kPaddedTokens}, {8, 16}, megatron,
              {secondHand, "the Megatron-LM paper: 50,257 tokens padded to 51,200"}, "; that paper has 72"),
        model("t-nlg", "T-NLG", {4256, 78, 1024, 8, 28, kPaddedTokens}, {8, 16},
              {secondHand, "Microsoft's announcement of Turing-NLG"}, {assumed, "GPT-2's, padded to 51,200"}),
        model("gpt-3", "GPT-3", {12288, 96, 1024, 2, 96, kGpt2Tokens}, {32}, {secondHand, "the GPT-3 paper, table 2.1"},
              {secondHand, "GPT-2's byte-pair encoding"}),
        model(
            "palm", "PALM", {18432, 118, 1024, 2, 48, 256000}, {32},
            {secondHand, "the PaLM paper, section 2 (540 billion parameters)"},
            {secondHand, "the PaLM paper, section 2"},
            "; the real model has multi-query attention with heads of 256 and a gated feed-forward part; kept are T3's "
            "shapes (H, 4H and 3H)"),
        model("mt-nlg", "MT-NLG", {20480, 105, 1024, 2, 128, kPaddedTokens}, {32},
              {secondHand, "the Megatron-Turing NLG paper (530 billion parameters)"},
              {derived, "GPT-2's, padded to 51,200"}),
    };
}

/// The parts that a policy stands for, read back from what the engine makes of its name.
Preset policy(engine::PolicyPreset which, const char* title, const char* notes) {
    engine::Experiment experiment;
    engine::applyPolicyPreset(experiment, which);
    Preset preset;
    preset.name = engine::name(which);
    preset.title = title;
    for (const char* path : {"policy.preset", "policy.order", "policy.mapping", "policy.output_caching", "policy.start",
                             "collective.reduction", "arbitration.policy"})
        preset.settings.emplace(path, engine::findParameter(path)->read(experiment));
    preset.sourceLabel = SourceLabel::published;
    preset.source = "T3, section 5.3";
    preset.notes = notes;
    return preset;
}

std::vector<Preset> buildPolicies() {
    using enum engine::PolicyPreset;
    return {
        policy(sequential, "Sequential", "GEMM, then reduce-scatter, then all-gather, each on all CUs"),
        policy(t3, "T3",
               "reduce-scatter fused into the GEMM by tracking and triggering, near-memory updates, round robin"),
        policy(t3Mca, "T3-MCA", "T3 with communication-aware arbitration in the memory controller"),
        policy(idealOverlap, "Ideal-GEMM-RS-Overlap",
               "sequential parts, perfectly overlapped, a formula: (G+R+A)/(max(G,R)+A) from isolated times"),
        policy(idealOverlapNmc, "Ideal-RS+NMC",
               "the same formula with the reduce-scatter sped up by near-memory updates"),
        policy(cuSplit, "CU split",
               "GEMM and the all-reduce of as many bytes side by side on disjoint CUs, without a dependence between "
               "them"),
    };
}

Preset sublayer(engine::SubLayer which, const char* title, const char* notes, const char* source) {
    Preset preset;
    preset.name = engine::name(which);
    preset.title = title;
    preset.settings = {{"workload.sublayer", word(engine::name(which))}};
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
    };
}

std::vector<std::string> pathsOf(const Settings& settings) {
    std::vector<std::string> paths;
    for (const auto& [path, value] : settings)
        paths.push_back(path);
    return paths;
}

std::vector<std::string> pathsOf(std::span<const Preset> presets) {
    Settings all;
    for (const Preset& preset : presets)
        all.insert(preset.settings.begin(), preset.settings.end());
    return pathsOf(all);
}

const Preset* find(std::span<const Preset> presets, std::string_view name) {
    const auto found = std::find_if(presets.begin(), presets.end(), [&](const Preset& p) { return p.name == name; });
    return found == presets.end() ? nullptr : &*found;
}

}  // namespace

std::span<const Preset> models() {
    static const std::vector<Preset> kModels = buildModels();
    return kModels;
}

std::span<const Preset> machines() {
    static const std::vector<Preset> kMachines = bundledMachines();
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
    // Fixed: a document that said enough when it was written goes on doing so.
    static const std::vector<std::string> kMachinePaths = pathsOf(machines().front().settings);
    static const std::vector<std::string> kModelPaths{"workload.batch", "workload.hidden", "workload.sequence"};
    return namingPath == "machine" ? kMachinePaths : kModelPaths;
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
            if (engine::isCollectiveAlone(*engine::sublayerNamed(part.name)))
                continue;
            for (const std::int64_t tp : model.tps)
                cases.push_back(model.name + "/" + part.name + "/tp" + std::to_string(tp));
        }
    }
    return cases;
}

const Preset* findModel(std::string_view name) { return find(models(), name); }

const Preset* findMachine(std::string_view name) { return find(machines(), name); }

const Preset* findPolicy(std::string_view name) { return find(policies(), name); }

}  // namespace data
