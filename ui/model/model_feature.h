#pragma once

#include "data/document/document_reader.h"
#include "data/results/result_subject.h"
#include "engine/api/experiment.h"

#include <QObject>
#include <QString>

namespace ui {

class ExperimentModel;
class ModelView;
class RunController;
class Workbench;

/// The view Model: times the whole model that the experiment is a part of, and opens one of its operators as an
/// experiment. Documents of tasks are opened here too.
class ModelFeature final : public QObject {
    Q_OBJECT

public:
    /// All must outlive the feature.
    ModelFeature(Workbench& workbench, ExperimentModel& experiment, RunController& runs);

    ModelView& view() { return *m_view; }
    /// Shows the page for a result of this subject, and selects its phase and a policy. Precondition: the subject is
    /// one of whole models.
    void show(data::ResultSubject subject, engine::PolicyPreset policy);

    /// Opens a document of tasks on the page Step. If it cannot be read, a message explains why, the page stays as it
    /// was, and the result is false.
    bool openTasks(const QString& file);

private:
    /// Changes the settings of the experiment as one undo step with the text `title`.
    void apply(const data::Settings& settings, const QString& title);
    void open(const engine::Experiment& opened, engine::PolicyPreset policy, const QString& title);

    Workbench& m_workbench;
    ExperimentModel& m_experiment;
    RunController& m_runs;
    ModelView* m_view;
};

}  // namespace ui
