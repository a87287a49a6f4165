#pragma once

#include "data/figure/figure_spec.h"
#include "ui/shared/figure_offer.h"

#include <QObject>
#include <QString>

#include <optional>

namespace ui {

class ExperimentModel;
class FigureView;
class RunController;
class Workbench;

/// The view Figure: takes figures from any other view, makes those of the gallery, writes them into files, and opens
/// such files again with the experiment that made them.
class FigureFeature final : public QObject {
    Q_OBJECT

public:
    /// All must outlive the feature.
    FigureFeature(Workbench& workbench, ExperimentModel& experiment, RunController& runs);

    FigureView& view() { return *m_view; }
    /// Takes a figure and shows it in the view.
    void take(FigureOffer offer);
    /// Returns what the view in front would be as a figure; nothing if it has none.
    std::optional<FigureOffer> figureOfView() const;
    /// Takes what is shown to the view Figure; there it asks where to write the files.
    void exportFigure();
    /// Puts what is shown on the clipboard as a figure.
    void copyFigure();
    /// Shows a figure by its name in the gallery, or takes what a view or a picture of this name shows. FigureView's
    /// figureShown() follows. Returns false if there is no such name, or nothing to take.
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
};

}  // namespace ui
