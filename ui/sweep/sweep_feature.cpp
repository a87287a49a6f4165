#include "ui/sweep/sweep_feature.h"

#include "data/sweep/sweep_plan.h"
#include "data/sweep/sweep_store.h"
#include "engine/api/parameters.h"
#include "ui/shared/catalogue_session.h"
#include "ui/shared/experiment_model.h"
#include "ui/shared/run_controller.h"
#include "ui/shared/sweep_model.h"
#include "ui/shared/sweep_session.h"
#include "ui/shared/sweep_state.h"
#include "ui/sweep/break_even_dialog.h"
#include "ui/sweep/sweep_view.h"
#include "ui/workbench/availability.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/documents.h"
#include "ui/workbench/message_bar.h"
#include "ui/workbench/window_session.h"
#include "ui/workbench/window_views.h"
#include "ui/workbench/workbench.h"

#include <QAction>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QMainWindow>

#include <algorithm>
#include <utility>

namespace ui {
namespace {

constexpr auto kSweep = "sweep";
constexpr auto kExampleSweep = ":/examples/link-by-policy.json";
// Ranks in the menu Sweep; the experiment's command "Vary" has a rank between them.
constexpr int kRunningRank = 0, kSweepRank = 20;

QString sweepFilterText() { return SweepFeature::tr("Sweeps (*.json);;All files (*)"); }

QString nameOfSweepFile(const QString& file) { return QFileInfo(file).fileName(); }

}  // namespace

SweepFeature::SweepFeature(Workbench& workbench, ExperimentModel& experiment, RunController& runs, SweepModel& model,
                           SweepSession& session, SweepState& state, CatalogueSession& catalogue, Hooks hooks)
    : m_workbench(workbench), m_experiment(experiment), m_runs(runs), m_model(model), m_session(session),
      m_state(state), m_hooks(std::move(hooks)), m_view(new SweepView(model, session, state, &workbench.views())) {
    addView();
    addCommands();
    addSessionPart();
    connectServices(catalogue);
    m_workbench.documents().add(data::DocumentKind::sweep, [this](const QString& file) { open(file); });
    m_model.setBase(m_experiment.draft());
    if (m_hooks.opened) {
        m_model.setSweep(m_hooks.opened->sweep, m_hooks.opened->file);
        m_workbench.views().showView(QString::fromLatin1(kSweep));
    }
}

void SweepFeature::addView() {
    m_view->setChart(m_hooks.chart);
    m_workbench.views().addView({.name = QString::fromLatin1(kSweep),
                                 .title = tr("Sweep"),
                                 .widget = m_view,
                                 .key = Qt::Key_F4,
                                 .hint = tr("Many runs: how results change when parameters vary"),
                                 .panels = {QStringLiteral("experimentDock")},
                                 .figure = m_hooks.figure,
                                 .stepOut = [this] { return stepOut(); }});
    connect(m_view, &SweepView::failed, this, [this](const QString& text, bool ofInput) {
        m_workbench.fail(text);
        Q_EMIT failed(text, ofInput);
    });
    connect(m_view, &SweepView::openRequested, this, &SweepFeature::askWhatToOpen);
    connect(m_view, &SweepView::exampleRequested, this, [this] { openExample(QString::fromLatin1(kExampleSweep)); });
    connect(m_view, &SweepView::breakEvenRequested, this, &SweepFeature::askBreakEven);
    connect(m_view, &SweepView::lookedUp, this, &SweepFeature::shown);
}

void SweepFeature::addCommands() {
    const auto add = [this](const char* id, const QString& text, const QString& hint, const QList<QKeySequence>& keys,
                            int rank, auto* receiver, auto order, bool startsSection = false) {
        return m_workbench.commands().add({.id = QString::fromLatin1(id),
                                           .text = text,
                                           .group = CommandGroup::sweep,
                                           .keys = keys,
                                           .hint = hint,
                                           .startsSection = startsSection,
                                           .rank = rank},
                                          receiver, order);
    };
    add("sweep.start", tr("&Run Sweep"), tr("Runs every combination that is not in the store yet"),
        {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Return), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Enter)},
        kRunningRank, this, &SweepFeature::start);
    QAction* pause = add("sweep.pause", tr("&Pause or Resume"),
                         tr("Pauses or resumes the sweep; points in progress are finished before a pause"), {},
                         kRunningRank, m_view, &SweepView::pauseOrGoOn);
    QAction* cancel = add("sweep.cancel", tr("&Cancel"), tr("Cancels the sweep; finished points stay in the store"), {},
                          kRunningRank, &m_session, &SweepSession::cancel);
    for (QAction* action : {pause, cancel}) {
        const auto follow = [this, action] {
            setAvailable(*action, m_session.isRunning(), tr("No sweep is running."));
        };
        follow();
        connect(&m_session, &SweepSession::runStarted, action, follow);
        connect(&m_session, &SweepSession::runStopped, action, follow);
        connect(&m_session, &SweepSession::runFinished, action, follow);
        connect(&m_session, &SweepSession::runFailed, action, follow);
    }
    add("sweep.best", tr("Find &Best Point"), tr("Marks the point with the best value of the metric"), {}, kSweepRank,
        m_view, &SweepView::showBest);
    add("sweep.break-even", tr("Find Break-&Even…"),
        tr("Finds the value of a parameter where a metric of the run reaches a target"), {}, kSweepRank, this,
        &SweepFeature::askBreakEven);
    add("sweep.clear", tr("C&lear Sweep"), tr("Removes all axes from the sweep; Undo restores them"), {}, kSweepRank,
        &m_model, &SweepModel::clear);
    add(
        "sweep.example", tr("Open E&xample"), tr("Opens a sweep of link bandwidth and DMA block under three policies"),
        {}, kSweepRank, this, [this] { openExample(QString::fromLatin1(kExampleSweep)); }, true);
    add("sweep.open", tr("&Open Sweep…"), tr("Reads a sweep document; you can also drop one on the window"),
        {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O)}, kSweepRank, this, &SweepFeature::askWhatToOpen);
    add("sweep.save", tr("&Save Sweep"), tr("Writes the base experiment, axes, policies and metrics to a file"), {},
        kSweepRank, this, [this] { save(false); });
    add("sweep.save-as", tr("Save Sweep &As…"), {}, {}, kSweepRank, this, [this] { save(true); });
}

void SweepFeature::addSessionPart() {
    m_workbench.session().add({QString::fromLatin1(kSweep), SessionScope::window, [this] { return saveSession(); },
                               [this](const QJsonValue& kept) { return restoreSession(kept); }});
    connect(&m_model, &SweepModel::changed, &m_workbench.session(), &WindowSession::noteChange);
}

void SweepFeature::connectServices(CatalogueSession& catalogue) {
    connect(&m_experiment, &ExperimentModel::changed, this, [this] { m_model.setBase(m_experiment.draft()); });
    connect(&m_state, &SweepState::varyRequested, this, &SweepFeature::vary);
    connect(&m_state, &SweepState::sweepRequested, this,
            [this](const data::Sweep& sweep, const QString& name) { adopt(sweep, name, {}); });
    connect(&m_state, &SweepState::openRequested, this, &SweepFeature::openPoint);
    connect(&m_session, &SweepSession::runFinished, &catalogue, &CatalogueSession::refresh);
    connect(&m_session, &SweepSession::runStopped, &catalogue, &CatalogueSession::refresh);
    connect(&m_workbench, &Workbench::closing, &m_session, &SweepSession::cancel);
}

void SweepFeature::vary(const std::string& path) {
    const engine::Parameter* parameter = engine::findParameter(path);
    if (parameter == nullptr)
        return;
    if (m_session.isRunning()) {
        m_workbench.notify(tr("A sweep is running. Cancel it or wait for its end to vary something else."));
        return;
    }
    const bool was = m_model.varied().contains(path);
    if (!m_model.toggleAxis(*parameter, m_experiment.valueOf(*parameter))) {
        m_workbench.notify(tr("%1 is not varied: a sweep has at most %2 axes. Remove one of them first.")
                               .arg(QString::fromStdString(parameter->label))
                               .arg(data::kMostAxes));
        return;
    }
    m_workbench.messages().clear();
    if (!was) {
        m_workbench.views().showView(QString::fromLatin1(kSweep));
        m_view->focusAxis(path);
    }
}

void SweepFeature::openPoint(std::size_t point) {
    const std::shared_ptr<const data::SweepTable>& table = m_state.table();
    if (!table || point >= table->rows.size())
        return;
    const data::PointDetails details = data::detailsOf(table->sweep, table->rows[point].index);
    m_experiment.replaceDraft(details.draft, tr("Open Sweep Point"));
    if (!data::isOfModels(table->sweep.of))
        m_runs.run();
    else if (m_hooks.openModel)
        m_hooks.openModel(table->sweep.of, details.experiment.policy.preset);
}

void SweepFeature::start() {
    m_workbench.views().showView(QString::fromLatin1(kSweep));
    m_view->start();
}

void SweepFeature::adopt(const data::Sweep& sweep, const QString& name, const QString& file) {
    if (m_session.isRunning()) {
        m_workbench.notify(tr("A sweep is running. Cancel it or wait for its end to open another."));
        return;
    }
    m_runs.commit();
    m_workbench.messages().clear();
    QUndoStack& stack = m_experiment.undoStack();
    stack.beginMacro(name);
    m_experiment.replaceDraft(sweep.base, name);
    m_model.replace(sweep, name, file);
    stack.endMacro();
    m_workbench.views().showView(QString::fromLatin1(kSweep));
}

void SweepFeature::open(const QString& file) {
    const data::SweepReading reading = data::readSweepFile(file.toStdString(), m_experiment.ownPresets());
    if (!reading.problems.empty()) {
        m_workbench.documents().reportUnreadable(file, reading.problems);
        return;
    }
    adopt(reading.sweep, tr("Open %1").arg(nameOfSweepFile(file)), file);
    m_workbench.documents().remember(file);
}

void SweepFeature::openExample(const QString& example) {
    QFile file(example);
    if (!file.open(QIODevice::ReadOnly))
        return;
    const data::SweepReading reading =
        data::readSweep(file.readAll().toStdString(), nameOfSweepFile(example).toStdString());
    if (reading.problems.empty())
        adopt(reading.sweep, tr("Open Example"), {});
    else
        m_workbench.documents().reportUnreadable(file.fileName(), reading.problems);
}

void SweepFeature::askWhatToOpen() {
    const QString file = m_workbench.documents().askWhatToOpen(tr("Open Sweep"), sweepFilterText());
    if (!file.isEmpty())
        m_workbench.documents().open(file);
}

void SweepFeature::save(bool asks) {
    if (m_model.isEmpty() || !m_model.isRunnable()) {
        m_workbench.fail(m_model.isEmpty() ? tr("No parameter is varied yet, so there is no sweep to save.")
                                           : tr("The sweep is not saved: an axis has invalid values."));
        return;
    }
    QString file = m_model.file();
    if (asks || file.isEmpty())
        file = m_workbench.documents().askWhereToSave(
            tr("Save Sweep"), file.isEmpty() ? QStringLiteral("sweep.json") : file, sweepFilterText());
    if (!file.isEmpty())
        saveAs(file);
}

void SweepFeature::saveAs(const QString& file) {
    if (!m_workbench.documents().write(file, data::writeSweep(m_model.sweep())))
        return;
    m_model.setSaved(file);
    m_workbench.documents().remember(file);
}

QJsonValue SweepFeature::saveSession() const {
    if (m_model.isEmpty() || !m_model.isRunnable())
        return {};
    const QByteArray text = QByteArray::fromStdString(data::writeSweep(m_model.sweep()));
    return QJsonObject{{QStringLiteral("document"), QJsonDocument::fromJson(text).object()},
                       {QStringLiteral("file"), m_model.file()},
                       {QStringLiteral("metric"), static_cast<int>(m_state.metric())},
                       {QStringLiteral("chart"), m_hooks.savedChart ? m_hooks.savedChart() : QJsonValue()}};
}

bool SweepFeature::restoreSession(const QJsonValue& kept) {
    if (m_hooks.opened)
        return true;
    const QJsonObject document = kept[QStringLiteral("document")].toObject();
    data::SweepReading reading = data::readSweep(QJsonDocument(document).toJson().toStdString(), "session");
    if (!reading.problems.empty())
        return false;
    if (!m_workbench.session().restoresExperiment())
        reading.sweep.base = m_experiment.draft();
    m_model.setSweep(reading.sweep, kept[QStringLiteral("file")].toString());
    m_state.setMetric(static_cast<std::size_t>(std::max(0, kept[QStringLiteral("metric")].toInt())));
    if (m_hooks.restoreChart)
        m_hooks.restoreChart(kept[QStringLiteral("chart")]);
    return true;
}

void SweepFeature::askBreakEven() {
    if (data::isOfModels(m_model.of())) {
        m_workbench.notify(tr("Find Break-Even needs a sweep of runs. The points of this sweep are whole models."));
        return;
    }
    m_runs.commit();
    auto* dialog = new BreakEvenDialog(m_model, m_session, &m_workbench.window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
}

bool SweepFeature::stepOut() {
    if (m_session.isRunning())
        m_session.cancel();
    else
        m_state.setBrushed({});
    return true;
}

}  // namespace ui
