#pragma once

#include "engine/api/experiment.h"

#include <QObject>
#include <QString>

namespace ui {

class ExperimentModel;
class ModelView;
class RunController;
class Workbench;

/// The view Model: times the whole model that the experiment is a part of, and opens one of its operators as an
/// experiment.
class ModelFeature final : public QObject {
    Q_OBJECT

public:
    /// All must outlive the feature.
    ModelFeature(Workbench& workbench, ExperimentModel& experiment, RunController& runs);

    ModelView& view() { return *m_view; }

private:
    void open(const engine::Experiment& opened, engine::PolicyPreset policy, const QString& title);

    ExperimentModel& m_experiment;
    RunController& m_runs;
    ModelView* m_view;
};

}  // namespace ui
