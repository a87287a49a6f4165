#include "ui/figure/figure_feature.h"

#include "data/experiment/experiment_document.h"
#include "data/figure/figure_gallery.h"
#include "ui/figure/figure_bundle.h"
#include "ui/figure/figure_view.h"
#include "ui/look/format.h"
#include "ui/shared/experiment_model.h"
#include "ui/shared/run_controller.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/documents.h"
#include "ui/workbench/message_bar.h"
#include "ui/workbench/window_session.h"
#include "ui/workbench/window_views.h"
#include "ui/workbench/workbench.h"

#include <QFileInfo>
#include <QUndoStack>

#include <algorithm>
#include <utility>

namespace ui {
namespace {

constexpr auto kFigureView = "figure";
constexpr int kFigureRank = 10;  // position in the File menu

}  // namespace

FigureFeature::FigureFeature(Workbench& workbench, ExperimentModel& experiment, RunController& runs, FigureAgain again)
    : m_workbench(workbench), m_experiment(experiment), m_runs(runs),
      m_view(new FigureView({.again = std::move(again)}, &workbench.views())) {
    m_workbench.views().addView(
        {.name = QString::fromLatin1(kFigureView),
         .title = tr("Figure"),
         .widget = m_view,
         .key = Qt::Key_F5,
         .hint = tr("Figures for papers and slides: made from simulation, or taken from any view"),
         .undo = &m_view->undoStack(),
         .stepOut = [view = m_view] { return view->stepOut(); }});
    connect(m_view, &FigureView::said, &m_workbench, &Workbench::confirm);
    connect(m_view, &FigureView::failed, &m_workbench, &Workbench::fail);
    m_workbench.session().add({QString::fromLatin1(kFigureView), SessionScope::window,
                               [view = m_view] { return view->save(); },
                               [view = m_view](const QJsonValue& kept) { return view->restore(kept); }});
    m_workbench.documents().add(data::DocumentKind::figure, [this](const QString& file) { open(file); });
    addCommands();
}

void FigureFeature::addCommands() {
    Commands& commands = m_workbench.commands();
    commands.add(
        {.id = "file.open-figure",
         .text = tr("Open &Figure…"),
         .group = CommandGroup::file,
         .hint = tr(
             "Opens a PDF, SVG, PNG, zip or spec.json that Ringside wrote, and the experiment from which it was made"),
         .startsSection = true,
         .rank = kFigureRank},
        this, [this] {
            const QString file = m_workbench.documents().askWhatToOpen(
                tr("Open Figure"), tr("Figures (*.pdf *.svg *.png *.zip *.json);;All files (*)"));
            if (!file.isEmpty())
                open(file);
        });
    commands.add(
        {.id = "file.export-figure",
         .text = tr("Export Fi&gure…"),
         .group = CommandGroup::file,
         .keys = {QKeySequence(Qt::CTRL | Qt::Key_E)},
         .hint = tr("Opens the picture of this view in the Figure view; used there, writes the figure to files"),
         .rank = kFigureRank},
        this, &FigureFeature::exportFigure);
    commands.add({.id = "file.copy-figure",
                  .text = tr("Cop&y Figure"),
                  .group = CommandGroup::file,
                  .keys = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C)},
                  .hint = tr("Copies the picture of this view as vectors and as an image, in the colours for paper"),
                  .rank = kFigureRank},
                 this, &FigureFeature::copyFigure);
    m_view->commands().adoptInto(commands, kFigureRank);
}

bool FigureFeature::isInFront() const { return m_workbench.views().currentView().widget == m_view; }

std::optional<FigureOffer> FigureFeature::figureOfView() const {
    const WindowView& view = m_workbench.views().currentView();
    std::optional<FigureOffer> offer = view.figure ? view.figure() : std::nullopt;
    if (offer && m_source && offer->figure.from.kind == data::FigureSource::Kind::unknown)
        offer->figure.from = m_source();
    return offer;
}

void FigureFeature::sayNothingToExport() {
    m_workbench.notify(tr("There is nothing here that could be a figure. Once they show a result, you can export the "
                          "timeline, the machine, the chunk map, compared runs, the chart of a sweep, the model's bars "
                          "and the figure of an evaluation."));
}

void FigureFeature::take(FigureOffer offer) {
    m_view->take(std::move(offer));
    m_workbench.views().showView(QString::fromLatin1(kFigureView));
}

void FigureFeature::exportFigure() {
    if (isInFront())
        return m_view->askAndExport();
    auto offer = figureOfView();
    if (!offer)
        return sayNothingToExport();
    take(std::move(*offer));
}

void FigureFeature::copyFigure() {
    if (isInFront())
        return m_view->copy();
    const auto offer = figureOfView();
    if (!offer)
        return sayNothingToExport();
    m_workbench.confirm(putOnClipboard(ready(offer->figure)));
}

bool FigureFeature::showFigure(const QString& name) {
    if (data::findGalleryEntry(name.toStdString()) != nullptr) {
        m_workbench.views().showView(QString::fromLatin1(kFigureView));
        return m_view->open(name);
    }
    if (!m_workbench.showViewOrPicture(name))
        return false;
    const bool there = figureOfView().has_value();
    if (there)
        exportFigure();
    return there;
}

void FigureFeature::open(const QString& file) {
    FigureOpening opening = openFigure(file);
    if (!opening.figure)
        return m_workbench.documents().reportUnreadable(file, opening.problems);
    m_workbench.documents().remember(file);
    const data::FigureProvenance made = opening.figure->provenance;
    take({std::move(*opening.figure), {}});
    const int before = m_experiment.undoStack().index();
    const QString text =
        tr("%1 is open in the Figure view. %2").arg(QFileInfo(file).fileName(), openExperimentOf(made));
    const int after = m_experiment.undoStack().index();
    if (after == before)
        return m_workbench.confirm(text);
    // The button undoes the step that opened the experiment, and does nothing if other steps followed.
    m_workbench.messages().showMessage(MessageBar::Kind::done, text, tr("Restore Previous Experiment"), [this, after] {
        if (m_experiment.undoStack().index() == after)
            m_experiment.undoStack().undo();
    });
}

// Opens the experiment as one undo step, and returns a sentence that says whether it worked.
QString FigureFeature::openExperimentOf(const data::FigureProvenance& made) {
    const auto first = std::find_if(made.experiments.begin(), made.experiments.end(),
                                    [](const auto& experiment) { return !experiment.document.empty(); });
    if (first == made.experiments.end())
        return tr("The file does not contain the experiment from which it was made.");
    const QString name = QString::fromStdString(first->name);
    data::DraftReading reading = data::readDraft(first->document, "the figure's experiment");
    if (reading.problems.empty())
        reading.problems = data::expand(data::withOwnPresets(reading.draft, m_experiment.ownPresets())).problems;
    if (!reading.problems.empty())
        return tr("The experiment from which it was made, %1, cannot be opened:\n%2").arg(name, text(reading.problems));
    m_runs.commit();
    m_experiment.replaceDraft(std::move(reading.draft), tr("Open Experiment of Figure"));
    m_runs.runInPlace();
    return made.experiments.size() == 1
               ? tr("The experiment from which it was made, %1, is open as well.").arg(name)
               : tr("The first of the %1 experiments from which it was made, %2, is open as well.")
                     .arg(made.experiments.size())
                     .arg(name);
}

}  // namespace ui
