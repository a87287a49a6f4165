#include "ui/model/model_feature.h"

#include "data/model/model_point.h"
#include "data/tasks/task_document.h"
#include "engine/api/parameters.h"
#include "ui/model/model_parts.h"
#include "ui/model/model_view.h"
#include "ui/model/opened_tasks.h"
#include "ui/shared/experiment_model.h"
#include "ui/shared/run_controller.h"
#include "ui/workbench/documents.h"
#include "ui/workbench/message_bar.h"
#include "ui/workbench/window_session.h"
#include "ui/workbench/window_views.h"
#include "ui/workbench/workbench.h"

#include <memory>
#include <utility>

namespace ui {
namespace {

constexpr auto kModel = "model";
constexpr int kHintMs = 5000;

/// Returns the first value of the form that is unreadable or not allowed; an empty text if there is none. Problems of
/// the sub-layer alone do not concern the model.
QString problemOfModel(const ExperimentModel& experiment) {
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

ModelFeature::ModelFeature(Workbench& workbench, ExperimentModel& experiment, RunController& runs)
    : m_workbench(workbench), m_experiment(experiment), m_runs(runs), m_view(new ModelView({}, &workbench.views())) {
    workbench.views().addView(
        {.name = QString::fromLatin1(kModel),
         .title = tr("Model"),
         .widget = m_view,
         .key = Qt::Key_F7,
         .hint = tr(
             "A whole training step, prompt or token: where the time goes, what a GPU holds and sends, how to divide "
             "the model, and which sizes to change"),
         .panels = {QStringLiteral("experimentDock")},
         .figure = [view = m_view] { return view->figure(); },
         .stepOut = [view = m_view] { return view->stepOut(); },
         .showPage = [view = m_view](const QString& page) { return view->showPage(page); }});
    connect(m_view, &ModelView::openRequested, this, &ModelFeature::open);
    connect(m_view, &ModelView::applyRequested, this,
            [this, &workbench](const data::Division& division, const QString& title) {
                apply(data::settingsOf(division), tr("Apply Division"));
                workbench.hint(tr("The division of the experiment is now %1.").arg(title), kHintMs);
            });
    connect(m_view, &ModelView::changeRequested, this, [this](const data::AdviceChange& change, const QString& title) {
        data::Settings settings;
        for (const data::AdviceEdit& edit : change)
            settings.emplace(edit.path, edit.value);
        apply(settings, title);
    });
    connect(m_view, &ModelView::divisionRequested, this, [this](std::int64_t pp, std::int64_t microbatches) {
        apply({{"division.pp", pp}, {"division.microbatches", microbatches}}, tr("Try a Pipeline"));
    });
    connect(m_view, &ModelView::notOpened, &workbench,
            [&workbench](const QString& reason) { workbench.notify(reason); });
    const auto follow = [this, view = m_view] {
        view->setExperiment(data::wholeModelOf(m_experiment.draft()), problemOfModel(m_experiment));
    };
    connect(&m_experiment, &ExperimentModel::changed, m_view, follow);
    follow();
    workbench.documents().add(data::DocumentKind::tasks, [this](const QString& file) {
        if (openTasks(file))
            m_workbench.messages().clear();
    });
    workbench.session().add({QString::fromLatin1(kModel), SessionScope::window,
                             [view = m_view] { return view->save(); },
                             [view = m_view](const QJsonValue& kept) { return view->restore(kept); }});
}

void ModelFeature::show(data::ResultSubject subject, engine::PolicyPreset policy) {
    m_view->setPhase(data::phaseOf(subject).value());
    m_view->setPolicy(policy);
    m_view->showPage(data::isTimed(subject) ? QStringLiteral("graph") : QStringLiteral("memory"));
    m_workbench.views().showView(QString::fromLatin1(kModel));
}

bool ModelFeature::openTasks(const QString& file) {
    data::TaskReading reading = data::readTaskFile(file.toStdString());
    if (!reading.problems.empty()) {
        m_workbench.documents().reportUnreadable(file, reading.problems);
        return false;
    }
    m_view->showTasks(std::make_shared<const OpenedTasks>(std::move(reading.document)));
    m_workbench.documents().remember(file);
    m_workbench.views().showView(QString::fromLatin1(kModel));
    return true;
}

void ModelFeature::apply(const data::Settings& settings, const QString& title) {
    data::ExperimentDraft draft = m_experiment.draft();
    for (const auto& [path, value] : settings) {
        if (value == m_experiment.presetValueOf(*engine::findParameter(path)))
            draft.explicitValues.erase(path);
        else
            draft.explicitValues[path] = value;
    }
    m_experiment.replaceDraft(draft, title);
}

// Sets the differing parameters explicitly, as if the user had chosen them in the form; one undo step restores the
// experiment.
void ModelFeature::open(const engine::Experiment& opened, engine::PolicyPreset policy, const QString& title) {
    data::ExperimentDraft draft = m_experiment.draft();
    for (const engine::Parameter& parameter : engine::parameters()) {
        const bool ofSubLayer = parameter.path.starts_with("workload.") || parameter.path == "collective.operation";
        if (ofSubLayer && parameter.read(opened) != m_experiment.valueOf(parameter))
            draft.explicitValues[parameter.path] = parameter.read(opened);
    }
    draft.explicitValues["policy.preset"] = std::string(engine::name(policy));
    m_experiment.replaceDraft(draft, tr("Open %1").arg(title));
    m_runs.run();
}

}  // namespace ui
