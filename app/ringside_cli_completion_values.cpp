#include "app/ringside_cli_completion_values.h"

#include "data/document/document_body.h"
#include "data/document/names.h"
#include "data/evaluations/evaluation.h"
#include "data/experiment/own_presets.h"
#include "data/figure/figure_gallery.h"
#include "data/laboratory/laboratory.h"
#include "data/lessons/lesson_library.h"
#include "data/results/metrics.h"
#include "data/trace/chrome_trace.h"
#include "engine/api/parameters.h"

#include <array>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace cli {
namespace {

using Words = std::vector<std::string>;

Words together(Words words, Words more) {
    words.insert(words.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    return words;
}

Words ownNames(data::OwnKind kind) {
    return data::namesOf(data::listedPresets(kind, data::OwnPresets(data::usualPresetFolder())), &data::Preset::name);
}

Words modelNames() {
    return together(data::namesOf(data::models(), &data::Preset::name), ownNames(data::OwnKind::model));
}

/// Returns the bundled models at their published degrees, and all other models by name: "mega-gpt-2/tp8".
Words modelCases() {
    Words cases;
    for (const data::Preset& preset : data::models()) {
        for (const std::int64_t degree : preset.tps)
            cases.push_back(preset.name + "/tp" + std::to_string(degree));
        if (preset.tps.empty())
            cases.push_back(preset.name);
    }
    return together(std::move(cases), ownNames(data::OwnKind::model));
}

Words machineNames() {
    return together(data::namesOf(data::machines(), &data::Preset::name), ownNames(data::OwnKind::machine));
}

Words lessonNames() { return data::namesOf(data::bundledLessons(), &data::BundledLesson::name); }

/// A GEMM alone may have any sides: one example is offered, to be edited.
std::string ownGemm() {
    engine::Experiment gemm;
    gemm.workload.sublayer = engine::SubLayer::gemm;
    return data::caseName(gemm);
}

Words experimentNames() {
    return together(together(data::publishedCases(), {ownGemm()}), ownNames(data::OwnKind::experiment));
}

Words policyNames() { return data::namesOf(data::policies(), &data::Preset::name); }

Words evaluationNames() { return data::namesOf(data::evaluations(), &data::Evaluation::name); }

Words itemIds() {
    Words ids;
    for (const data::Evaluation& evaluation : data::evaluations())
        ids = together(std::move(ids), data::namesOf(evaluation.items, &data::EvaluationItem::id));
    return ids;
}

/// An item of the default evaluation may be named without the evaluation.
Words evaluationsAndItems() { return together(evaluationNames(), itemIds()); }

Words metricPaths() { return data::namesOf(data::metrics(), &data::Metric::path); }

Words numberPaths() {
    Words paths;
    for (const engine::Parameter& parameter : engine::parameters()) {
        if (parameter.kind == engine::ParameterKind::integer || parameter.kind == engine::ParameterKind::real)
            paths.push_back(parameter.path);
    }
    return paths;
}

Words parameterPaths() { return data::namesOf(engine::parameters(), &engine::Parameter::path); }

Words columnPaths() { return together(metricPaths(), parameterPaths()); }

Words wordsOfParameter(const engine::Parameter& parameter) {
    if (parameter.path == "machine")
        return machineNames();
    return parameter.path == "workload.model" ? modelNames() : parameter.words;
}

/// Returns each path with its "=", followed by the words that the parameter allows.
Words settingWords() {
    Words words;
    const auto add = [&words](const std::string& key, const engine::Parameter& parameter) {
        words.push_back(key + "=");
        for (const std::string& word : wordsOfParameter(parameter))
            words.push_back(key + "=" + word);
    };
    const std::string shorter = "policy";  // of policy.preset
    add(shorter, *data::parameterNamed(shorter));
    for (const engine::Parameter& parameter : engine::parameters())
        add(parameter.path, parameter);
    return words;
}

Words shardingWords() { return engine::findParameter("division.sharding")->words; }

/// The words with which a value of `--companion` begins.
Words companionWords() {
    Words words = engine::findParameter("companion.operation")->words;
    std::erase(words, "none");
    std::erase(words, "in-memory");  // takes no part of the GPU that dispatch could share out
    return words;
}

Words figureNames() { return data::namesOf(data::galleryEntries(), &data::GalleryEntry::name); }

Words kernelClassTables() { return {"hta"}; }

Words stepWords() { return {"all", "all-but-last"}; }

Words tracePartNames() { return data::namesOf(data::traceParts(), &data::TracePart::name); }

/// The offer for a value of this name.
struct ShellKind {
    std::string_view key;
    Words (*words)() = nullptr;
    bool files = false;
};

constexpr std::array kShellKinds{ShellKind{"--classes", kernelClassTables, true},
                                 ShellKind{"--columns", columnPaths},
                                 ShellKind{"--companion", companionWords},
                                 ShellKind{"--controls", parameterPaths},
                                 ShellKind{"--evaluation", evaluationNames, true},
                                 ShellKind{"--figure", figureNames},
                                 ShellKind{"--metric", metricPaths},
                                 ShellKind{"--parameter", numberPaths},
                                 ShellKind{"--policies", policyNames},
                                 ShellKind{"--project-from", modelCases, true},
                                 ShellKind{"--sharding", shardingWords},
                                 ShellKind{"--steps", stepWords},
                                 ShellKind{"CONFIG", nullptr, true},
                                 ShellKind{"DIR", nullptr, true},
                                 ShellKind{"EVALUATION", evaluationsAndItems, true},
                                 ShellKind{"EXPERIMENT", experimentNames, true},
                                 ShellKind{"FILE", nullptr, true},
                                 ShellKind{"ITEM", itemIds},
                                 ShellKind{"LESSON", lessonNames, true},
                                 ShellKind{"MACHINE", machineNames},
                                 ShellKind{"MODEL", modelNames, true},
                                 ShellKind{"PART,...", tracePartNames},
                                 ShellKind{"PATH=VALUE", settingWords},
                                 ShellKind{"POLICY", policyNames},
                                 ShellKind{"STORE", nullptr, true},
                                 ShellKind{"SWEEP", nullptr, true},
                                 ShellKind{"WHAT", figureNames, true}};

}  // namespace

ShellValue shellValueOf(const std::string& option, const std::string& name) {
    ShellValue value;
    value.name = name;
    for (const std::string& key : {option, name}) {
        const ShellKind* kind = data::findNamed(kShellKinds, &ShellKind::key, key);
        if (kind == nullptr)
            continue;
        if (kind->words != nullptr)
            value.words = kind->words();
        value.files = kind->files;
        break;
    }
    return value;
}

}  // namespace cli
