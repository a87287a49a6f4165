#include "data/figure/gallery_runs.h"
#include "data/figure/gallery_words.h"
#include "data/laboratory/laboratory.h"
#include "data/model/model_run.h"
#include "engine/api/parameters.h"

#include <algorithm>
#include <array>
#include <iterator>

// Figures of whole models: the speed-up of policies, and the parts of the time.

namespace data {
namespace {

using engine::ModelPhase;

constexpr std::array kPhases{ModelPhase::training, ModelPhase::prompt};

std::string phaseTitle(ModelPhase phase) { return phase == ModelPhase::training ? "Training step" : "Prompt"; }

std::string modelCaseTitle(const ModelRun& run) {
    return modelTitle(run.base.workload.model) + ", TP " + std::to_string(run.base.parallel.tp);
}

constexpr const char* kDegreeTitle = "TP degree by model";

/// Returns by how much a run is faster than sequential execution, in per cent.
double gainOf(double speedup) { return 100 * (speedup - 1); }

/// Returns the axis of gains. It starts at zero as bars have to, and shows differences that speed-ups from zero hide.
FigureAxis gainAxis() {
    FigureAxis axis;
    axis.title = "Gain over sequential";
    axis.unit = "%";
    return axis;
}

/// Returns categories with a group for each model and a category for each degree.
FigureCategories categoriesOf(const ModelSurvey& survey, bool geomean) {
    FigureCategories categories;
    for (const ModelRun& run : survey.runs) {
        const std::string model = modelTitle(run.base.workload.model);
        if (categories.groups.empty() || categories.groups.back().label != model)
            categories.groups.push_back({model, 0});
        ++categories.groups.back().count;
        categories.labels.push_back(std::to_string(run.base.parallel.tp));
    }
    if (geomean) {
        categories.labels.emplace_back("Geom. mean");
        categories.groups.push_back({{}, 1});
    }
    return categories;
}

FigurePanel speedupPanel(const ModelSurvey& survey, ModelPhase phase) {
    FigurePanel panel;
    panel.title = phaseTitle(phase);
    panel.categories = categoriesOf(survey, true);
    panel.x.title = kDegreeTitle;
    panel.y = gainAxis();
    BarMark mark;
    double highest = 0, lowest = 0;
    for (std::size_t policy = 0; policy < survey.gains.size(); ++policy) {
        const std::string_view name = engine::name(survey.gains[policy].policy);
        FigureSeries series{policyTitle(name), policyMeaning(name), {}, {}, {}, 0};
        for (const ModelRun& run : survey.runs)
            series.values.emplace_back(gainOf(run.policies[policy].speedupOverSequential));
        series.values.emplace_back(gainOf(survey.gains[policy].geomean));
        for (const std::optional<double>& value : series.values) {
            highest = std::max(highest, *value);
            lowest = std::min(lowest, *value);
        }
        mark.bars.push_back({{}, {std::move(series)}});
    }
    if (lowest >= 0)
        useTicks(panel.y, highest, 17.5, {0, 5, 10, 15});
    panel.marks.emplace_back(std::move(mark));
    return panel;
}

std::string speedupAlternative(const ModelSurvey& survey, ModelPhase phase) {
    std::string text = " " + phaseTitle(phase) + ":";
    for (std::size_t policy = 0; policy < survey.gains.size(); ++policy) {
        std::vector<double> values;
        for (const ModelRun& run : survey.runs)
            values.push_back(gainOf(run.policies[policy].speedupOverSequential));
        const auto most = std::max_element(values.begin(), values.end());
        text += std::string(policy == 0 ? " " : "; ") + policyTitle(engine::name(survey.gains[policy].policy)) + " " +
                rangeText(values, 1) + " %, geomean " + fixedNumber(gainOf(survey.gains[policy].geomean), 1) +
                " %, most in " + modelCaseTitle(survey.runs[static_cast<std::size_t>(most - values.begin())]);
    }
    return text + ".";
}

/// The parts of a model's time as figures distinguish them, exposed communication last.
struct TimePart {
    const char* name;
    const char* meaning;
    engine::Duration (*of)(const ModelTime&);
};
constexpr std::array kParts{
    TimePart{"GEMMs", "gemm", [](const ModelTime& time) { return time.feedingGemm + time.gemm; }},
    TimePart{"Attention", "attention", [](const ModelTime& time) { return time.attention; }},
    TimePart{"Element-wise", "element-wise", [](const ModelTime& time) { return time.elementWise; }},
    TimePart{"Reduce-scatter", "reduce-scatter", [](const ModelTime& time) { return time.reduceScatter; }},
    TimePart{"All-gather", "all-gather", [](const ModelTime& time) { return time.allGather; }},
    TimePart{"All-to-all", "all-to-all", [](const ModelTime& time) { return time.allToAll; }}};

double shareOf(const ModelTime& time, const TimePart& part) {
    return 100 * static_cast<double>(part.of(time).ps) / static_cast<double>(time.total().ps);
}

/// Returns whether at least one model spends time on a part. Dense models have no all-to-all.
bool isThere(const ModelSurvey& survey, const TimePart& part) {
    return std::any_of(survey.runs.begin(), survey.runs.end(),
                       [&](const ModelRun& run) { return part.of(run.sequential.time).ps > 0; });
}

FigurePanel sharePanel(const ModelSurvey& survey, ModelPhase phase) {
    FigurePanel panel;
    panel.title = phaseTitle(phase);
    panel.categories = categoriesOf(survey, false);
    panel.x.title = kDegreeTitle;
    panel.y = shareAxis();
    BarMark mark;
    mark.bars.resize(1);
    for (const TimePart& part : kParts) {
        if (!isThere(survey, part))
            continue;
        FigureSeries series{part.name, part.meaning, {}, {}, {}, 0};
        for (const ModelRun& run : survey.runs)
            series.values.emplace_back(shareOf(run.sequential.time, part));
        mark.bars.front().stack.push_back(std::move(series));
    }
    panel.marks.emplace_back(std::move(mark));
    return panel;
}

std::vector<double> communicationShares(const ModelSurvey& survey) {
    std::vector<double> shares;
    for (const ModelRun& run : survey.runs)
        shares.push_back(100 * run.sequential.communicationShare);
    return shares;
}

std::string shareAlternative(const ModelSurvey& survey, ModelPhase phase) {
    const std::vector<double> shares = communicationShares(survey);
    std::string text = " " + phaseTitle(phase) + ": communication takes";
    for (std::size_t i = 0; i < shares.size(); ++i)
        text +=
            std::string(i == 0 ? " " : ", ") + fixedNumber(shares[i], 1) + " % in " + modelCaseTitle(survey.runs[i]);
    return text + ".";
}

void addExperiments(const ModelSurvey& survey, const Settings& settings, FigureProvenance& provenance) {
    for (const ModelRun& run : survey.runs)
        provenance.experiments.push_back(provenanceOf(modelCaseName(run.base), run.base, settings));
}

}  // namespace

FigureSpec endToEndFigure(GalleryRuns& runs) {
    FigureSpec figure;
    figure.alternative = "Bars by policy for whole models, in two panels by phase, as gains over sequential.";
    std::size_t models = 0;
    std::string geomeans;
    for (const ModelPhase phase : kPhases) {
        const ModelSurvey& survey = runs.models(phase, true);
        figure.panels.push_back(speedupPanel(survey, phase));
        figure.alternative += speedupAlternative(survey, phase);
        models = survey.runs.size();
    }
    const ModelSurvey& survey = runs.models(ModelPhase::training, true);
    figure.caption =
        "By how much a whole training step and a whole prompt are faster than under sequential execution: speed-up "
        "less one (n = " +
        std::to_string(models) +
        " pairs of a model and a TP degree, and their geometric mean). Operators without a collective take "
        "the same time under every policy. No published end-to-end speed-ups ship with the program, so none are "
        "marked.";
    addExperiments(survey, runs.settings(), figure.provenance);
    return figure;
}

FigureSpec communicationShareFigure(GalleryRuns& runs) {
    FigureSpec figure;
    figure.alternative = "Stacked bars of 100 % by model, in two panels by phase.";
    for (const ModelPhase phase : kPhases) {
        const ModelSurvey& survey = runs.models(phase, false);
        figure.panels.push_back(sharePanel(survey, phase));
        figure.alternative += shareAlternative(survey, phase);
    }
    const ModelSurvey& training = runs.models(ModelPhase::training, false);
    figure.caption = "Where the time of a training step and of a prompt goes under sequential execution (n = " +
                     std::to_string(training.runs.size()) + " pairs of a model and a TP degree). Communication takes " +
                     rangeText(communicationShares(training), 0) + " % of a training step and " +
                     rangeText(communicationShares(runs.models(ModelPhase::prompt, false)), 0) + " % of a prompt.";
    addExperiments(training, runs.settings(), figure.provenance);
    return figure;
}

}  // namespace data
