#pragma once

#include "data/experiment/experiment_document.h"
#include "data/measured/trace_pair.h"
#include "ui/measured/measured_row.h"

#include <QObject>
#include <QStringList>

#include <functional>
#include <memory>
#include <string>

namespace ui {

class ExperimentModel;
class MeasuredView;
class RunController;
class TimePicture;
class ViewState;
class Workbench;

/// Opens traces of real machines, shows them in a view of their own and above the runs of the view Compare, and makes a
/// measured pair the experiment.
class MeasuredFeature final : public QObject {
    Q_OBJECT

public:
    struct Hooks {
        /// Shows a picture above the compared runs; null takes it away.
        std::function<void(TimePicture* picture, ViewState* state, const QString& name, std::int64_t endPs)> showBeside;
        /// Compares the experiment under these policies, and shows the view Compare.
        std::function<void(const std::vector<std::string>& policies)> compareWith;
    };

    /// All but the hooks must outlive the feature.
    MeasuredFeature(Workbench& workbench, ExperimentModel& experiment, RunController& runs, std::string classesFolder,
                    Hooks hooks);
    ~MeasuredFeature() override;

    MeasuredView& view() { return *m_view; }
    void open(const QStringList& files);
    void ask();
    /// Adds the chosen pair to the evaluation in a file, new or existing, and opens it. Returns false, with a message, if
    /// that fails.
    bool useIn(const QString& file);

private:
    void simulate();
    void fitParts();
    /// Adds the pair to an evaluation that the user chooses.
    void askWhereToUse();
    void takeFit(const data::PartsFit& fit);
    void showBeside();

    Workbench& m_workbench;
    ExperimentModel& m_experiment;
    RunController& m_runs;
    Hooks m_hooks;
    MeasuredView* m_view;
    MeasuredComparison m_row;
};

}  // namespace ui
