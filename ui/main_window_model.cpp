#include "ui/main_window.h"

#include "engine/api/parameters.h"
#include "ui/model/model_view.h"
#include "ui/workbench/message_bar.h"
#include "ui/workbench/window_views.h"

// The whole model: what it is timed from, and how one of its sub-layers is opened.

namespace ui {
namespace {

constexpr auto kModel = "model";

/// Why the experiment that the form shows is not the one that somebody wrote; empty where it is. What is wrong with the
/// sub-layer alone does not concern the model.
QString problemOf(const ExperimentModel& experiment) {
    if (experiment.hasUnreadableText())
        return experiment.firstProblem();
    for (const auto& [path, value] : experiment.draft().explicitValues) {
        const engine::Parameter* parameter = engine::findParameter(path);
        const auto problem = parameter != nullptr ? engine::check(*parameter, value) : std::nullopt;
        if (problem)
            return QString::fromStdString(engine::describe(*problem));
    }
    return {};
}

}  // namespace

void MainWindow::buildModel() {
    m_model = new ModelView({}, m_windowViews);
    m_windowViews->addView(
        {QString::fromLatin1(kModel),
         tr("Model"),
         m_model,
         Qt::Key_F7,
         tr("A whole training step, prompt or token: the operators of a layer and where the time goes"),
         {QStringLiteral("experimentDock")}});
    connect(m_model, &ModelView::openRequested, this, &MainWindow::openOperator);
    connect(m_model, &ModelView::notOpened, this,
            [this](const QString& reason) { m_messages->showMessage(MessageBar::Kind::notice, reason); });
    connect(m_model, &ModelView::modelShown, this, &MainWindow::modelShown);
    const auto follow = [this] {
        m_model->setExperiment(m_experiment.expansion().experiment, problemOf(m_experiment));
    };
    connect(&m_experiment, &ExperimentModel::changed, m_model, follow);
    follow();
    m_sessionParts.add({QString::fromLatin1(kModel), SessionScope::window, [this] { return m_model->save(); },
                        [this](const QJsonValue& kept) { return m_model->restore(kept); }});
}

// What differs becomes explicit, as if it had been chosen in the form; one step back undoes it.
void MainWindow::openOperator(const engine::Experiment& opened, engine::PolicyPreset policy, const QString& title) {
    data::ExperimentDraft draft = m_experiment.draft();
    for (const engine::Parameter& parameter : engine::parameters()) {
        const bool ofSubLayer = parameter.path.starts_with("workload.") || parameter.path == "collective.operation";
        if (ofSubLayer && parameter.read(opened) != m_experiment.valueOf(parameter))
            draft.explicitValues[parameter.path] = parameter.read(opened);
    }
    draft.explicitValues["policy.preset"] = std::string(engine::name(policy));
    m_experiment.replaceDraft(draft, tr("opening of %1").arg(title));
    runExperiment();
}

bool MainWindow::stepOutOfModel() { return m_windowViews->current() == QLatin1String(kModel) && m_model->stepOut(); }

}  // namespace ui
