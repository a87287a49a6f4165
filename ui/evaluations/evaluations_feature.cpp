#include "ui/evaluations/evaluations_feature.h"

#include "data/document/names.h"
#include "data/evaluations/measured_file.h"
#include "data/sweep/sweep_plan.h"
#include "ui/evaluations/evaluations_view.h"
#include "ui/look/format.h"
#include "ui/shared/catalogue_session.h"
#include "ui/shared/experiment_model.h"
#include "ui/shared/run_controller.h"
#include "ui/shared/sweep_state.h"
#include "ui/workbench/documents.h"
#include "ui/workbench/window_session.h"
#include "ui/workbench/window_views.h"
#include "ui/workbench/workbench.h"

#include <algorithm>
#include <utility>

namespace ui {
namespace {

constexpr auto kEvaluationsView = "evaluations";
constexpr int kEvaluationsRank = 30;  // rank in the menu Run

/// Adds the points with which an item combines its points, if they are in the same sweep; returns all in rising order.
std::vector<std::size_t> withOperands(const data::EvaluationItem& item, std::vector<std::size_t> points) {
    const std::size_t count = points.size();
    for (const data::EvaluationOperand* operand : data::operandsOf(item)) {
        for (std::size_t i = 0; operand->sweep == item.sweep && i < count; ++i)
            data::addOnce(points, operand->point.value_or(points[i] - item.policy + operand->policy));
    }
    std::sort(points.begin(), points.end());
    return points;
}

}  // namespace

EvaluationsFeature::EvaluationsFeature(Workbench& workbench, ExperimentModel& experiment, RunController& runs,
                                       SweepState& sweepState, const std::string& storePath, Hooks hooks)
    : m_workbench(workbench), m_experiment(experiment), m_runs(runs), m_sweepState(sweepState),
      m_openModel(std::move(hooks.openModel)),
      m_view(new EvaluationsView({storePath}, std::move(hooks.lessons), &workbench.views())) {
    addView();
    m_workbench.documents().add(data::DocumentKind::evaluation, [this](const QString& file) { openFile(file); });
    connect(m_view, &EvaluationsView::openFileRequested, this, &EvaluationsFeature::askWhatToOpen);
    connect(m_view, &EvaluationsView::measuredRequested, this, &EvaluationsFeature::askWhatToAttach);
    connect(m_view, &EvaluationsView::failed, &m_workbench, &Workbench::fail);
    connect(m_view, &EvaluationsView::storeChanged, &m_runs.catalogue(), &CatalogueSession::refresh);
    connect(m_view, &EvaluationsView::pointsRequested, this,
            [this](const SharedEvaluation& evaluation, const data::EvaluationItem& item,
                   const std::vector<std::size_t>& points) { openPoints(*evaluation, item, points); });
    connect(&m_sweepState, &SweepState::tableChanged, this, &EvaluationsFeature::brushOpened);
    connect(&m_workbench, &Workbench::closing, &m_view->session(), &EvaluationSession::cancel);
}

void EvaluationsFeature::addView() {
    const QString name = QString::fromLatin1(kEvaluationsView);
    m_workbench.views().addView({.name = name,
                                 .title = tr("Evaluations"),
                                 .widget = m_view,
                                 .key = Qt::Key_F9,
                                 .hint = tr("Compares published with simulated numbers, and shows which of them hold"),
                                 .figure = [view = m_view] { return view->figure(); },
                                 .find = [view = m_view] { view->openFilter(); },
                                 .stepOut = [view = m_view] { return view->stepOut(); }});
    m_view->commands().adoptInto(m_workbench.commands(), kEvaluationsRank);
    m_workbench.session().add({name, SessionScope::window, [view = m_view] { return view->save(); },
                               [this](const QJsonValue& kept) { return restore(kept); }});
    connect(m_view, &EvaluationsView::changed, &m_workbench.session(), &WindowSession::noteChange);
}

bool EvaluationsFeature::open(const QString& nameOrFile) {
    if (!m_view->showBundled(nameOrFile))
        return openFile(nameOrFile);
    m_workbench.views().showView(QString::fromLatin1(kEvaluationsView));
    return true;
}

bool EvaluationsFeature::openFile(const QString& file) {
    data::EvaluationReading reading = data::readEvaluationFile(file.toStdString(), m_experiment.ownPresets());
    if (!reading.problems.empty()) {
        m_workbench.documents().reportUnreadable(file, reading.problems);
        return false;
    }
    m_view->addFile(file, std::move(reading.evaluation));
    m_workbench.documents().remember(file);
    m_workbench.views().showView(QString::fromLatin1(kEvaluationsView));
    return true;
}

void EvaluationsFeature::askWhatToOpen() {
    const QString file =
        m_workbench.documents().askWhatToOpen(tr("Open Evaluation"), tr("Evaluations (*.json);;All files (*)"));
    if (!file.isEmpty())
        m_workbench.documents().open(file);
}

void EvaluationsFeature::askWhatToAttach() {
    const QString file =
        m_workbench.documents().askWhatToOpen(tr("Attach Measured Numbers"), tr("Tables (*.csv);;All files (*)"));
    if (!file.isEmpty())
        attachMeasured(file);
}

bool EvaluationsFeature::attachMeasured(const QString& file) {
    engine::Problems problems;
    data::Evaluation evaluation = data::withMeasuredFile(*m_view->shown(), file.toStdString(), problems);
    if (!problems.empty()) {
        m_workbench.documents().reportUnreadable(file, problems);
        return false;
    }
    m_view->attachMeasured(std::move(evaluation));
    return true;
}

void EvaluationsFeature::openPoints(const data::Evaluation& evaluation, const data::EvaluationItem& item,
                                    const std::vector<std::size_t>& points) {
    data::Sweep sweep = evaluation.sweeps[item.sweep].sweep;
    if (points.size() == 1) {
        m_runs.commit();
        const data::PointDetails details = data::detailsOf(sweep, points.front());
        m_experiment.replaceDraft(details.draft, tr("Open Point of %1").arg(text(evaluation.title)));
        if (data::isOfModels(sweep.of))
            m_openModel(sweep.of, details.experiment.policy.preset);
        else
            m_runs.run();
        return;
    }
    sweep.metrics = item.metrics;
    for (const data::EvaluationOperand* operand : data::operandsOf(item)) {
        for (const std::string& metric : operand->metrics)
            data::addOnce(sweep.metrics, metric);
    }
    m_openedSweep = data::sweepId(sweep);
    m_openedPoints = withOperands(item, points);
    m_openedMetric = item.metrics.front();
    m_sweepState.requestSweep(sweep, tr("Open Points of %1").arg(text(item.id)));
}

// Brushes the opened points once the Sweep view has looked up their sweep. Rows of its table are indices of the sweep's
// points.
void EvaluationsFeature::brushOpened() {
    if (m_openedSweep.empty() || !m_sweepState.table() || m_sweepState.table()->id != m_openedSweep)
        return;
    m_openedSweep.clear();
    // A sweep that is in the store already has the metrics with which it was started.
    const std::vector<std::string>& metrics = m_sweepState.table()->metrics;
    const auto metric = static_cast<std::size_t>(std::ranges::find(metrics, m_openedMetric) - metrics.begin());
    if (metric < metrics.size())
        m_sweepState.setMetric(metric);
    m_sweepState.setBrushed(std::exchange(m_openedPoints, {}));
}

// Skips files that do not exist any more or contain no valid evaluation.
bool EvaluationsFeature::restore(const QJsonValue& kept) {
    if (!kept.isObject())
        return false;
    for (const QString& file : m_view->filesIn(kept)) {
        data::EvaluationReading reading = data::readEvaluationFile(file.toStdString(), m_experiment.ownPresets());
        if (reading.problems.empty())
            m_view->addFile(file, std::move(reading.evaluation));
    }
    m_view->restoreShown(kept);
    return true;
}

}  // namespace ui
