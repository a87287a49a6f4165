#include "data/figure/gallery_words.h"

#include "data/document/names.h"
#include "data/evaluations/reference.h"
#include "data/experiment/experiment_document.h"
#include "data/laboratory/laboratory.h"
#include "engine/api/letters.h"
#include "engine/api/runner.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace data {
namespace {

std::string programText() {
    return "Ringside " RINGSIDE_VERSION " (engine " + std::string(engine::engineVersion()) + ")";
}

/// Returns ", with link.bandwidth = 75 GB/s", or an empty text without settings.
std::string settingsText(const Settings& settings) {
    std::string text;
    const char* between = ", with ";
    for (const auto& [path, value] : settings) {
        if (path == "detail.level")
            continue;
        text += between + path + " = " + engine::formatValue(*engine::findParameter(path), value);
        between = ", ";
    }
    return text;
}

}  // namespace

std::string signedText(double value, int decimals, std::string_view unit) {
    return signedNumber(value, decimals) + " " + std::string(unit);
}

std::string rangeText(std::span<const double> values, int decimals) {
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return fixedNumber(*least, decimals) + " to " + fixedNumber(*most, decimals);
}

std::string withDegrees(const NamedDegrees& degrees) {
    std::string text;
    for (const auto& [name, tps] : degrees) {
        const bool first = &name == &degrees.front().first, last = &name == &degrees.back().first;
        text += (first ? "" : last ? " and " : ", ") + name + " (TP " + joined(tps, ", ") + ")";
    }
    return text;
}

double geomeanOf(std::span<const double> values) {
    assert(!values.empty());
    double logs = 0;
    for (const double value : values)
        logs += std::log(value);
    return std::exp(logs / static_cast<double>(values.size()));
}

std::string modelTitle(std::string_view name) {
    const Preset* preset = findModel(name);
    return preset == nullptr ? std::string(name) : preset->title;
}

std::string sublayerTitle(std::string_view name) {
    std::string title(name);
    std::transform(title.begin(), title.end(), title.begin(), engine::upperLetter);
    return title;
}

std::string parameterTitle(const engine::Parameter& parameter) {
    struct Own {
        std::string_view path, title;
    };
    static constexpr Own kOwn[]{{"parallel.tp", "TP degree"},
                                {"link.bandwidth", "Bandwidth of a link"},
                                {"link.latency", "Latency of a link"},
                                {"division.pp", "Number of stages"},
                                {"dma.block_tiles", "Number of tiles of a block"},
                                {"division.dp", "Number of replicas"},
                                {"division.microbatches", "Number of micro-batches"},
                                {"companion.bytes", "Size of the traffic"}};
    const auto* own = std::ranges::find(kOwn, parameter.path, &Own::path);
    if (own != std::end(kOwn))
        return std::string(own->title);
    using enum engine::ParameterGroup;
    constexpr std::array kParts{companion, node, gemm, cu, llc, memory, tracker, dma, link, topology};
    const std::string& label = parameter.label;
    const bool word = label.find(' ') == std::string::npos;
    // The part of the machine says what a single word such as "Latency" or "Window" is about.
    std::string title = label;
    if (const std::string group(engine::name(parameter.group));
        word && group != label && std::ranges::find(kParts, parameter.group) != kParts.end())
        title = group + " " + engine::inASentence(label);
    const bool counts = parameter.kind == engine::ParameterKind::integer &&
                        parameter.unit == engine::ParameterUnit::none && label.ends_with('s') && word;
    return counts ? "Number of " + engine::inASentence(title) : title;
}

std::string placeTitle(const engine::Parameter& parameter, const std::string& text) {
    if (parameter.path == "workload.model")
        return modelTitle(text);
    if (parameter.path == "machine") {
        const Preset* preset = findMachine(text);
        return preset == nullptr ? text : preset->title;
    }
    return parameter.path == "workload.sublayer" ? sublayerTitle(text) : text;
}

std::string policyTitle(std::string_view name) {
    const auto preset = engine::policyPresetNamed(name);
    return std::string(preset ? engine::rowOf(*preset).figureTitle : name);
}

std::string policyMeaning(std::string_view name) { return "policy/" + std::string(name); }

std::string madeSentence(engine::DetailLevel level, const Settings& settings) {
    return "Simulated by " + programText() + " at " + std::string(engine::name(level)) + " detail" +
           settingsText(settings) + ".";
}

std::string computedSentence(const Settings& settings) {
    return "Computed by " + programText() + settingsText(settings) + ".";
}

FigureAxis speedupAxis() { return {"Speed-up", "", "sequential", FigureScale::linear, 0.0, {}, {}}; }

FigureAxis shareAxis() { return {"Share of runtime", "%", "", FigureScale::linear, 0.0, 100.0, {0, 25, 50, 75, 100}}; }

void useTicks(FigureAxis& axis, double most, double to, std::vector<double> ticks) {
    if (most > to)
        return;
    axis.to = to;
    axis.ticks = std::move(ticks);
}

std::string noticeSentences(const engine::Notices& notices) {
    std::string text;
    for (const engine::Notice& notice : notices)
        text += " Notice (" + notice.path + "): " + notice.text + ".";
    return text;
}

FigureProvenance::Experiment provenanceOf(const std::string& name, const engine::Experiment& experiment,
                                          const Settings& settings) {
    const engine::SubLayer sublayer = experiment.workload.sublayer;
    const bool alone = !engine::isPartOfModel(sublayer);
    ExperimentDraft draft{alone ? settingsOfCollective(settings) : settings};
    const auto put = [&](const char* path) {
        draft.explicitValues.insert_or_assign(path, engine::findParameter(path)->read(experiment));
    };
    for (const char* path : {"workload.sublayer", "parallel.tp", "policy.preset"})
        put(path);
    if (experiment.policy.preset == engine::PolicyPreset::cuSplit)
        put("collective.cu_count");
    if (engine::hasCompanion(experiment))
        for (const char* path : {"companion.operation", "companion.by", "companion.bytes", "dispatch.rule"})
            put(path);
    if (engine::hasAddressMapping(experiment))
        for (const char* path : {"memory.model", "dram.pseudo_channels", "detail.level", "address.mapping"})
            put(path);
    if (sublayer == engine::SubLayer::gemm) {
        for (const char* path : {"matrix.m", "matrix.n", "matrix.k", "tiles.choice"})
            put(path);
    } else if (sublayer != engine::SubLayer::access) {
        put(alone ? "workload.bytes" : "workload.model");
    }
    return {name, experimentHash(experiment), writeDraft(draft)};
}

std::string publishedText(const std::string& number, std::string_view label) {
    return "published: " + number + (label == "published" ? std::string() : ", " + std::string(label));
}

FigureProvenance::Published publishedUse(std::string_view id) {
    for (const PublishedItem& item : publishedItems()) {
        if (item.id == id)
            return {item.id, item.label, item.value};
    }
    assert(false && "no such published item");
    return {};
}

ReproducedCases casesUnder(const Reproduction& evaluation, std::string_view policy) {
    ReproducedCases cases;
    for (const ReproducedCase& one : evaluation.cases) {
        if (one.policy == policy)
            cases.push_back(&one);
    }
    return cases;
}

FigureCategories categoriesOf(std::size_t model) {
    FigureCategories categories;
    const std::vector<EvaluatedCase> cases = evaluatedCases();
    for (std::size_t i = model * kPanelCases; i < (model + 1) * kPanelCases; ++i) {
        const std::string group = "TP " + std::to_string(cases[i].tp);
        if (categories.groups.empty() || categories.groups.back().label != group)
            categories.groups.push_back({group, 0});
        ++categories.groups.back().count;
        categories.labels.push_back(sublayerTitle(cases[i].sublayer));
    }
    return categories;
}

std::string allCasesTitle() { return "All " + std::to_string(evaluatedCases().size()) + " sub-layers"; }

std::string evaluatedModel(std::size_t model) { return modelTitle(evaluatedCases()[model * kPanelCases].model); }

std::string titleOf(const ReproducedCase& one) {
    return modelTitle(one.model) + " " + sublayerTitle(one.sublayer) + ", TP " + std::to_string(one.tp);
}

const ReproducedItem& itemOf(const Reproduction& evaluation, std::string_view id) {
    const auto found = std::find_if(evaluation.items.begin(), evaluation.items.end(),
                                    [&](const ReproducedItem& item) { return item.published.id == id; });
    assert(found != evaluation.items.end());
    return *found;
}

std::string comparisonText(const Reproduction& evaluation, const std::vector<ComparedItem>& items) {
    std::string text;
    for (const ComparedItem& compared : items) {
        const ReproducedItem& item = itemOf(evaluation, compared.id);
        const auto number = [&](double value) {
            return item.isFraction ? percentText(value, 1) : fixedNumber(value, 2);
        };
        const PublishedItem& published = item.published;
        text += (text.empty() ? "" : "; ") + std::string(compared.name) + " " + number(item.value) + " (" +
                publishedText(item.isFraction ? percentText(published.value, 0) : number(published.value),
                              published.label) +
                ", " + signedText(100 * item.difference, 1, item.isFraction ? "points" : "%") + ")";
    }
    return text;
}

std::string publishedSentence() { return "Marks are published values (" + publishedCitation() + ")."; }

FigureReference markOf(const ReproducedItem& item, double value, std::size_t category, std::size_t bar) {
    return {value, "Published: " + fixedNumber(value, 2), item.published.label, category, bar};
}

void addExperiments(const ReproducedCases& cases, const Settings& settings, FigureProvenance& provenance) {
    for (const ReproducedCase* one : cases)
        provenance.experiments.push_back(
            provenanceOf(caseName(one->experiment) + " " + one->policy, one->experiment, settings));
}

}  // namespace data
