#pragma once

#include "data/evaluations/evaluation.h"
#include "data/results/result_subject.h"
#include "engine/api/experiment.h"
#include "ui/evaluations/evaluations_view.h"

#include <QJsonValue>
#include <QObject>
#include <QString>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ui {

class ExperimentModel;
class RunController;
class SweepState;
class Workbench;

/// The view Evaluations: published numbers beside simulated ones, from bundled documents and files. Opens the points of
/// a row in Explore, in the Model view or in the Sweep view.
class EvaluationsFeature final : public QObject {
    Q_OBJECT

public:
    /// Shows the whole model of the experiment in the form, in the phase of the subject under the policy.
    using OpenModel = std::function<void(data::ResultSubject, engine::PolicyPreset)>;

    struct Hooks {
        OpenModel openModel;
        EvaluationLessons lessons;
    };

    /// All but the hooks must outlive the feature. `storePath` is where the window keeps points of sweeps.
    EvaluationsFeature(Workbench& workbench, ExperimentModel& experiment, RunController& runs, SweepState& sweepState,
                       const std::string& storePath, Hooks hooks);

    EvaluationsView& view() { return *m_view; }
    /// Shows the view with a bundled evaluation, given by its name, or with the evaluation in a file. If there is
    /// neither, shows a message with the reason and returns false.
    bool open(const QString& nameOrFile);
    /// Attaches the measured numbers of a CSV file to the shown evaluation. If they do not fit, shows a message with the
    /// reason and returns false.
    bool attachMeasured(const QString& file);

private:
    void addView();
    bool openFile(const QString& file);
    void askWhatToOpen();
    void askWhatToAttach();
    void openPoints(const data::Evaluation& evaluation, const data::EvaluationItem& item,
                    const std::vector<std::size_t>& points);
    void brushOpened();
    bool restore(const QJsonValue& kept);

    Workbench& m_workbench;
    ExperimentModel& m_experiment;
    RunController& m_runs;
    SweepState& m_sweepState;
    OpenModel m_openModel;
    std::string m_openedSweep;  ///< the sweep whose points are brushed once its table is shown; empty: none
    std::vector<std::size_t> m_openedPoints;
    std::string m_openedMetric;
    EvaluationsView* m_view;
};

}  // namespace ui
