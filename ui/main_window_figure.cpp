#include "ui/main_window.h"

#include "data/experiment/experiment_document.h"
#include "data/figure/figure_gallery.h"
#include "ui/charts/chart_canvas.h"
#include "ui/charts/chart_view.h"
#include "ui/chunks/chunk_figure.h"
#include "ui/compare/compare_view.h"
#include "ui/editors/experiment_form.h"
#include "ui/figure/figure_bundle.h"
#include "ui/figure/figure_copy.h"
#include "ui/figure/figure_view.h"
#include "ui/look/text.h"
#include "ui/machine/machine_figure.h"
#include "ui/model/model_figure.h"
#include "ui/model/model_view.h"
#include "ui/timeline/timeline_figure.h"
#include "ui/timeline/timeline_view.h"
#include "ui/workbench/centre_views.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/message_bar.h"
#include "ui/workbench/window_views.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QUndoStack>

#include <algorithm>

// Figures: taken from any view, opened from files, and what made them opened again.

namespace ui {
namespace {

constexpr auto kFigure = "figure";

QString nameOf(const QString& file) { return QFileInfo(file).fileName(); }

}  // namespace

void MainWindow::buildFigure() {
    m_figures = new FigureView({}, m_windowViews);
    m_windowViews->addView({QString::fromLatin1(kFigure), tr("Figure"), m_figures, Qt::Key_F5,
                            tr("Figures for papers and slides: made from simulation, or taken from any view")});
    connect(m_figures, &FigureView::said, this,
            [this](const QString& text) { m_messages->showMessage(MessageBar::Kind::done, text); });
    connect(m_figures, &FigureView::failed, this,
            [this](const QString& text) { m_messages->showMessage(MessageBar::Kind::error, text); });
    connect(m_figures, &FigureView::figureShown, this, &MainWindow::figureShown);
    m_sessionParts.add({QString::fromLatin1(kFigure), SessionScope::window, [this] { return m_figures->save(); },
                        [this](const QJsonValue& kept) { return m_figures->restore(kept); }});
}

void MainWindow::addFigureCommands() {
    m_commands->add(
        {.id = "file.open-figure",
         .text = tr("Open &Figure…"),
         .group = CommandGroup::file,
         .hint = tr("A PDF, SVG, PNG, zip or spec.json that Ringside wrote, and the experiment that made it"),
         .startsSection = true},
        this, [this] {
            const QString file =
                QFileDialog::getOpenFileName(this, tr("Open Figure"), documentFolder(),
                                             tr("Figures (*.pdf *.svg *.png *.zip *.json);;All files (*)"));
            if (!file.isEmpty())
                openFigureFile(file);
        });
    m_commands->add({.id = "file.export-figure",
                     .text = tr("Export Fi&gure…"),
                     .group = CommandGroup::file,
                     .keys = {QKeySequence(Qt::CTRL | Qt::Key_E)},
                     .hint = tr("Takes what this view shows to the view Figure; there it writes the files")},
                    this, &MainWindow::exportFigure);
    m_commands->add({.id = "file.copy-figure",
                     .text = tr("Cop&y Figure"),
                     .group = CommandGroup::file,
                     .keys = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C)},
                     .hint = tr("What this view shows, as vectors and as an image, in the colours of paper")},
                    this, &MainWindow::copyFigure);
    for (const auto& [command, action] : m_figures->commands())
        m_commands->adopt(command, action);
}

// What can be seen now; a selected stretch of time counts as what is meant.
std::optional<FigureOffer> MainWindow::figureOfView() {
    const QString view = m_windowViews->current();
    if (view == QLatin1String("sweep"))
        return m_chart->canvas().figure();
    if (view == QLatin1String("model") && m_model->shown())
        return FigureOffer{modelFigure(*m_model->shown(), m_model->phase()), {}};
    if (view == QLatin1String("compare"))
        return m_compare->figure();
    if (view != QLatin1String("explore"))
        return std::nullopt;
    const QString picture = m_views->current();
    if (picture == QLatin1String("machine"))
        return machineFigure(m_viewState, *m_moment);
    if (picture == QLatin1String("chunks"))
        return chunkFigure(m_viewState, *m_moment);
    if (picture != QLatin1String("timeline"))
        return std::nullopt;
    auto figure =
        timelineFigure(m_timeline->model(), m_timeline->arrangement(), selectedRange().value_or(m_viewState.range()));
    return figure ? std::optional(FigureOffer{std::move(*figure), {}}) : std::nullopt;
}

void MainWindow::sayNothingToExport() {
    m_messages->showMessage(MessageBar::Kind::notice,
                            tr("There is nothing here that could be a figure. Timeline, machine, chunk map, compared "
                               "runs, the chart of a sweep and the model's bars can, once they show a result."));
}

void MainWindow::exportFigure() {
    if (m_windowViews->current() == QLatin1String(kFigure))
        return m_figures->askAndExport();
    auto offer = figureOfView();
    if (!offer)
        return sayNothingToExport();
    m_figures->take(std::move(*offer));
    m_windowViews->showView(QString::fromLatin1(kFigure));
}

void MainWindow::copyFigure() {
    if (m_windowViews->current() == QLatin1String(kFigure))
        return m_figures->copy();
    const auto offer = figureOfView();
    if (!offer)
        return sayNothingToExport();
    m_messages->showMessage(MessageBar::Kind::done, putOnClipboard(ready(offer->figure)));
}

bool MainWindow::showFigure(const QString& name) {
    if (data::findGalleryEntry(name.toStdString()) != nullptr) {
        m_windowViews->showView(QString::fromLatin1(kFigure));
        return m_figures->open(name);
    }
    if (m_views->names().contains(name)) {
        m_windowViews->showView(QStringLiteral("explore"));
        m_views->showView(name);
    } else if (!m_windowViews->showView(name)) {
        return false;
    }
    const bool there = figureOfView().has_value();
    if (there)
        exportFigure();
    return there;
}

void MainWindow::openFigureFile(const QString& file) {
    FigureOpening opening = openFigure(file);
    if (!opening.figure)
        return showUnreadable(file, opening.problems);
    rememberDocument(file);
    const data::FigureProvenance made = opening.figure->provenance;
    m_figures->take({std::move(*opening.figure), {}});
    m_windowViews->showView(QString::fromLatin1(kFigure));
    const int before = m_experiment.undoStack().index();
    const QString text = tr("%1 is in the view Figure. %2").arg(nameOf(file), openExperimentOf(made));
    const int after = m_experiment.undoStack().index();
    if (after == before)
        return m_messages->showMessage(MessageBar::Kind::done, text);
    // The step that opened it, and nothing that came after.
    m_messages->showMessage(MessageBar::Kind::done, text, tr("Bring Back the One Before"), [this, after] {
        if (m_experiment.undoStack().index() == after)
            m_experiment.undoStack().undo();
    });
}

// What became of it, in a sentence. The draft is replaced by a step that can be taken back.
QString MainWindow::openExperimentOf(const data::FigureProvenance& made) {
    const auto first = std::find_if(made.experiments.begin(), made.experiments.end(),
                                    [](const auto& experiment) { return !experiment.document.empty(); });
    if (first == made.experiments.end())
        return tr("It does not carry the experiment that made it.");
    const QString name = QString::fromStdString(first->name);
    data::DraftReading reading = data::readDraft(first->document, "the figure's experiment");
    if (reading.problems.empty())
        reading.problems = data::expand(data::withOwnPresets(reading.draft, m_experiment.ownPresets())).problems;
    if (!reading.problems.empty())
        return tr("The experiment that made it, %1, cannot be opened:\n%2").arg(name, text(reading.problems));
    m_form->commit();
    m_experiment.replaceDraft(std::move(reading.draft), tr("opening of the experiment of a figure"));
    startExperiment();
    return made.experiments.size() == 1 ? tr("The experiment that made it, %1, is open as well.").arg(name)
                                        : tr("The first of the %1 experiments that made it, %2, is open as well.")
                                              .arg(made.experiments.size())
                                              .arg(name);
}

bool MainWindow::stepOutOfFigure() {
    return m_windowViews->current() == QLatin1String(kFigure) && m_figures->stepOut();
}

}  // namespace ui
