#pragma once

#include "data/figure/figure_spec.h"
#include "ui/shared/figure_offer.h"

#include <QObject>
#include <QString>

#include <functional>
#include <optional>
#include <utility>

namespace ui {

class ExperimentModel;
class FigureView;
class RunController;
class Workbench;

/// The Figure view: takes figures from any other view, makes the figures of the gallery, writes figures to files, and
/// opens such files together with the experiment from which the figure was made.
class FigureFeature final : public QObject {
    Q_OBJECT

public:
    /// All must outlive the feature.
    FigureFeature(Workbench& workbench, ExperimentModel& experiment, RunController& runs, FigureAgain again = {});

    FigureView& view() { return *m_view; }
    /// Takes a figure and shows it in the view.
    void take(FigureOffer offer);
    /// Returns the current view as a figure; an empty optional if it has none. It has the source that setSource() gives,
    /// unless the view gives one itself.
    std::optional<FigureOffer> figureOfView() const;
    /// Sets what returns the source of a figure of the current view, so that it can be made again.
    void setSource(std::function<data::FigureSource()> source) { m_source = std::move(source); }
    /// Shows the current view's figure in the Figure view. If the Figure view is current, asks where to write the
    /// files.
    void exportFigure();
    /// Copies the current figure to the clipboard.
    void copyFigure();
    /// Shows the figure of the gallery with this name, or exports the view or picture with this name.
    /// FigureView::figureShown() follows. Returns false if there is no such name or no figure to take.
    bool showFigure(const QString& name);

private:
    void addCommands();
    void open(const QString& file);
    QString openExperimentOf(const data::FigureProvenance& made);
    bool isInFront() const;
    void sayNothingToExport();

    Workbench& m_workbench;
    ExperimentModel& m_experiment;
    RunController& m_runs;
    FigureView* m_view;
    std::function<data::FigureSource()> m_source;
};

}  // namespace ui
