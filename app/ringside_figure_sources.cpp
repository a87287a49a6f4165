#include "app/ringside_figure_sources.h"

#include "app/ringside_cli_draft.h"
#include "data/document/document_body.h"
#include "data/document/names.h"
#include "data/document/problem_list.h"
#include "data/experiment/own_presets.h"
#include "data/figure/evaluation_chart.h"
#include "data/figure/evaluation_source.h"
#include "data/figure/figure_choice.h"
#include "data/figure/figure_combination.h"
#include "data/figure/figure_edits.h"
#include "data/store/store.h"
#include "data/sweep/sweep_runner.h"
#include "data/sweep/sweep_store.h"
#include "engine/api/problem.h"
#include "engine/api/runner.h"
#include "ui/charts/chart_choices.h"
#include "ui/charts/chart_figure.h"
#include "ui/charts/sweep_points.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace app {
namespace {

/// Returns the values of the settings of a source; throws with all problems.
data::Settings settingsOf(const data::FigureSource& source) {
    engine::Problems problems;
    data::Settings settings = cli::readSettings(source.settings, problems);
    data::refuseAny(std::move(problems));
    return settings;
}

/// Returns the figure of an evaluation that a source means: by its name in the document, or by its full name; the only
/// one if there is no name.
const data::EvaluationFigure& figureNamed(const data::Evaluation& evaluation, const data::FigureSource& source) {
    std::vector<std::string> names;
    for (const data::EvaluationFigure& figure : evaluation.figures) {
        names.push_back(data::chartName(evaluation, figure));
        if (names.back() == source.name || figure.name == source.name)
            return figure;
    }
    if (source.name.empty() && evaluation.figures.size() == 1)
        return evaluation.figures.front();
    const std::string there =
        names.empty() ? "the evaluation has no figures" : "its figures are " + data::joinedNames(names, " and ");
    throw engine::InvalidExperiment({{"NAME", source.name,
                                      (source.name.empty() ? "the figure of " + source.file + " is missing; "
                                                           : "no figure of " + source.file + " has this name; ") +
                                          there}});
}

}  // namespace

data::FigureSource withSettings(data::FigureSource source, const std::vector<std::string>& settings) {
    const auto pathOf = [](const std::string& assignment) { return data::choiceOf(assignment).option; };
    for (const std::string& setting : settings) {
        std::erase_if(source.settings, [&](const std::string& own) { return pathOf(own) == pathOf(setting); });
        source.settings.push_back(setting);
    }
    return source;
}

ui::FigureOffer FigureMaker::make(const data::FigureSource& source) {
    using enum data::FigureSource::Kind;
    if (m_options.stop.stop_requested())
        throw engine::RunStopped();
    ui::FigureOffer offer;
    switch (source.kind) {
    case unknown:
        throw engine::InvalidExperiment({{"--again", "",
                                          "the file does not say where its numbers come from; it was made "
                                          "by an older Ringside or by hand"}});
    case gallery: offer = ofGallery(source); break;
    case evaluation: offer = ofEvaluation(source); break;
    case sweep: offer = ofSweep(source); break;
    case view: offer = figureOfView(source, m_options.stop); break;
    case combined: return ofCombined(source);  // the documents of its parts are new
    }
    offer.figure.from = source;
    return offer;
}

data::GalleryOptions FigureMaker::galleryOptions(const data::Settings& settings) const {
    return {settings, m_options.threads, m_options.stop, m_options.progress, m_options.store};
}

ui::FigureOffer FigureMaker::ofGallery(const data::FigureSource& source) {
    if (data::findGalleryEntry(source.name) == nullptr)
        throw engine::InvalidExperiment({{"from.name", source.name, "the gallery has no figure of this name"}});
    data::Settings settings = settingsOf(source);
    if (!m_gallery || settings != m_gallerySettings)
        m_gallery = std::make_unique<data::Gallery>(galleryOptions(settings));
    m_gallerySettings = std::move(settings);
    return {m_gallery->make(source.name), {}};
}

ui::FigureOffer FigureMaker::ofEvaluation(const data::FigureSource& source) {
    data::EvaluationReading reading = data::evaluationOf(source, data::OwnPresets(data::usualPresetFolder()));
    data::refuseAny(std::move(reading.problems));
    data::Gallery gallery(galleryOptions(settingsOf(source)));
    return {gallery.make(reading.evaluation, figureNamed(reading.evaluation, source)), {}};
}

ui::FigureOffer FigureMaker::ofCombined(const data::FigureSource& source) {
    engine::Problems problems;
    std::vector<data::CombinedPart> parts = data::partsIn(source, problems);
    data::refuseAny(std::move(problems));
    for (data::CombinedPart& part : parts) {
        if (part.figure.from.kind == data::FigureSource::Kind::unknown)
            throw engine::InvalidExperiment({{part.file, "", "this part does not say where its numbers come from"}});
        ui::FigureOffer made = make(withSettings(part.figure.from, source.settings));
        made.figure.name = part.figure.name;
        for (const engine::Problem& problem : data::applyEdits(made.figure, part.figure.edits))
            m_stale.push_back(part.file + ": " + engine::describe(problem));
        ui::redraw(made.figure, made.redraw);
        part.figure = std::move(made.figure);
    }
    problems.clear();
    std::vector<std::string> remarks;
    ui::FigureOffer offer{data::combined(parts, problems, remarks), {}};
    data::refuseAny(std::move(problems));
    offer.figure.from.settings = source.settings;
    return offer;
}

ui::FigureOffer FigureMaker::ofSweep(const data::FigureSource& source) {
    data::SweepReading reading = data::readSweep(source.document, source.file);
    if (reading.problems.empty())
        data::setInBase(cli::readSettings(source.settings, reading.problems), reading.sweep, reading.problems);
    if (reading.problems.empty() && !source.settings.empty()) {
        reading.sweep = data::withOwnPresets(reading.sweep, data::OwnPresets(data::usualPresetFolder()));
        reading.problems = data::check(reading.sweep);
    }
    data::refuseAny(std::move(reading.problems));
    engine::Problems problems;
    ui::ChartChoice chosen = ui::readChartChoice(std::move(reading.sweep), source.choices, problems);
    data::refuseAny(std::move(problems));

    const data::SweepPlan plan = data::planOf(std::move(chosen.sweep), {}, {m_options.stop, {}});
    data::Store store(m_options.store.empty() ? ":memory:" : m_options.store);
    data::SweepOptions options;
    options.threads = m_options.threads;
    options.stop = m_options.stop;
    options.texts = data::SweepTexts::kept;
    if (m_options.progress) {
        options.progress = [show = m_options.progress](const data::SweepProgress& progress) {
            show(progress.toRun == 0 ? 1 : static_cast<double>(progress.done) / static_cast<double>(progress.toRun));
        };
    }
    if (data::runSweep(plan, store, options).stopped)
        throw engine::RunStopped();
    auto table = std::make_shared<data::SweepTable>(data::SweepStore(store).table(plan));
    const std::string metric = plan.sweep.metrics.at(chosen.metric);
    ui::ChartInput input;
    input.metric = static_cast<std::size_t>(std::ranges::find(table->metrics, metric) - table->metrics.begin());
    input.plan = ui::planChart(chosen.settings, *table, input.metric);
    input.scale = chosen.settings.scale;
    input.published = chosen.settings.published;
    input.withPoints = chosen.settings.points;
    input.points = std::make_shared<ui::SweepPoints>(std::move(table));
    std::optional<ui::FigureOffer> offer = ui::chartFigure(input);
    if (!offer)
        throw engine::InvalidExperiment({{source.file, "", "the sweep has no points that a chart could show"}});
    return std::move(*offer);
}

}  // namespace app
