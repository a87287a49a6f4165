#include "ui/editors/experiment_feature.h"

#include "data/experiment/own_presets.h"
#include "data/laboratory/laboratory.h"
#include "data/presets/presets.h"
#include "data/replay/shown_run.h"
#include "engine/api/parameters.h"
#include "ui/editors/experiment_form.h"
#include "ui/editors/parameter_field.h"
#include "ui/look/format.h"
#include "ui/shared/experiment_model.h"
#include "ui/shared/run_controller.h"
#include "ui/shared/sweep_model.h"
#include "ui/shared/sweep_state.h"
#include "ui/workbench/availability.h"
#include "ui/workbench/command_palette.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/documents.h"
#include "ui/workbench/message_bar.h"
#include "ui/workbench/panel_host.h"
#include "ui/workbench/spotlight.h"
#include "ui/workbench/status_line.h"
#include "ui/workbench/window_session.h"
#include "ui/workbench/window_views.h"
#include "ui/workbench/workbench.h"

#include <QApplication>
#include <QDockWidget>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMainWindow>
#include <QUndoGroup>
#include <QUndoStack>

#include <algorithm>

namespace ui {
namespace {

constexpr int kPanelRank = 0;
constexpr int kDocumentRank = 0, kPresetRank = 40;
constexpr int kUndoRank = 0, kVaryRank = 10;
constexpr std::size_t kMostBrokenPresets = 6;  // lines of a message; more would push the picture out of the window

QString dockName() { return QStringLiteral("experimentDock"); }

QString withoutFolder(const QString& file) { return QFileInfo(file).fileName(); }

QString experimentFilter() { return ExperimentFeature::tr("Experiments (*.json);;All files (*)"); }

}  // namespace

ExperimentFeature::ExperimentFeature(Workbench& workbench, ExperimentModel& experiment, RunController& runs,
                                     SweepModel& sweep, SweepState& sweepState, const Config& config)
    : m_workbench(workbench), m_experiment(experiment), m_runs(runs), m_sweep(sweep), m_sweepState(sweepState),
      m_form(new ExperimentForm(experiment)) {
    workbench.panels().add({.name = dockName(), .title = tr("Experiment"), .widget = m_form, .rank = kPanelRank});
    connectRuns(config);
    connectSweep();
    connectModel();
    addFileCommands();
    addPresetCommands();
    addUndoCommands();
    addSweepCommand();
    addSessionParts();
    for (const data::DocumentKind kind : {data::DocumentKind::experiment, data::DocumentKind::preset})
        workbench.documents().add(kind, [this](const QString& file) { openExperiment(file); });
    workbench.addPaletteEntries([this](std::vector<PaletteEntry>& entries) { addPaletteEntries(entries); });
    workbench.spotlight().add(QStringLiteral("field"),
                              [this](const QString& path) { return showField(path.toStdString()); });
}

void ExperimentFeature::connectRuns(const Config& config) {
    m_form->setRunsWhileEditing(config.runsWhileEditing.value_or(m_workbench.settings().runsWhileEditing()));
    m_runs.setFollowsEdits(m_form->runsWhileEditing());
    connect(m_form, &ExperimentForm::runRequested, &m_runs, &RunController::run);
    connect(m_form, &ExperimentForm::cancelRequested, &m_runs, &RunController::cancel);
    const auto answer = [this] { m_runs.answerEdit(m_form->isDragged() || m_experiment.isDragged()); };
    connect(&m_experiment, &ExperimentModel::changed, this, answer);
    connect(m_form, &ExperimentForm::editFinished, this, answer);
    connect(&m_experiment, &ExperimentModel::dragEnded, this, answer);
    connect(m_form, &ExperimentForm::runsWhileEditingChanged, this, [this, answer](bool runs) {
        m_workbench.settings().rememberRunsWhileEditing(runs);
        m_runs.setFollowsEdits(runs);
        answer();
    });
    connect(&m_runs, &RunController::commitRequested, m_form, &ExperimentForm::commit);
    connect(&m_runs, &RunController::accepted, this, [this] { m_workbench.messages().clear(); });
    connect(&m_runs, &RunController::refused, this, [this](const QString& why) {
        if (isOnlyAModel()) {
            if (!m_runs.shown())  // otherwise the status is that of the run in the pictures
                m_workbench.status().showNoRun();
            m_workbench.showViewOrPicture(QStringLiteral("model"));
            return;
        }
        m_workbench.fail(why);
        m_form->focusParameter(m_experiment.problemPath());
    });
    connect(&m_runs, &RunController::showsRunningChanged, m_form, &ExperimentForm::showRunning);
    connect(&m_runs, &RunController::progressed, m_form,
            [this](double fraction, const QString& timeLeft) { m_form->showProgress(fraction, timeLeft); });
    connect(&m_runs, &RunController::shownChanged, this, &ExperimentFeature::showTitle);
    // Waits for the first run, because its start clears the messages.
    connect(&m_runs, &RunController::settled, this, &ExperimentFeature::showBrokenPresets,
            static_cast<Qt::ConnectionType>(Qt::AutoConnection | Qt::SingleShotConnection));
}

void ExperimentFeature::connectSweep() {
    const auto mark = [this] { m_form->showVaried(m_sweep.varied()); };
    connect(&m_sweep, &SweepModel::changed, m_form, mark);
    connect(m_form, &ExperimentForm::varyRequested, this, [this, mark](const std::string& path) {
        m_sweepState.requestVary(path);
        mark();  // shows the sweep's state again, because it may have refused the request
    });
    mark();
}

void ExperimentFeature::connectModel() {
    connect(&m_experiment, &ExperimentModel::changed, this, &ExperimentFeature::showTitle);
    connect(&m_experiment, &ExperimentModel::originChanged, this, &ExperimentFeature::showTitle);
    connect(&m_experiment, &ExperimentModel::changed, this, [this] { m_workbench.session().noteChange(); });
    connect(&m_experiment, &ExperimentModel::presetsFailed, this,
            [this](const QString& text) { m_workbench.fail(text); });
    connect(m_form, &ExperimentForm::experimentChosen, this, &ExperimentFeature::openOwnPreset);
}

void ExperimentFeature::addFileCommands() {
    const auto add = [this](const char* id, const QString& text, const QList<QKeySequence>& keys, const QString& hint,
                            auto order) {
        m_workbench.commands().add({.id = QString::fromLatin1(id),
                                    .text = text,
                                    .group = CommandGroup::file,
                                    .keys = keys,
                                    .hint = hint,
                                    .rank = kDocumentRank},
                                   this, order);
    };
    add("file.open", tr("&Open Experiment…"), {QKeySequence::Open},
        tr("Opens an experiment document and runs it; you can also drop the file on the window"), [this] {
            Documents& documents = m_workbench.documents();
            const QString file = documents.askWhatToOpen(tr("Open Experiment"), experimentFilter());
            if (!file.isEmpty())
                documents.open(file);
        });
    add("file.save", tr("&Save Experiment"), {QKeySequence::Save},
        tr("Saves the presets and every value that was set by hand"), &ExperimentFeature::save);
    add("file.save-as", tr("Save Experiment &As…"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S)}, {},
        &ExperimentFeature::askWhereToSave);
    add("file.export-complete", tr("Export &Complete Experiment…"), {},
        tr("Writes every parameter in base units, so that the document runs without presets"),
        &ExperimentFeature::askWhereToExport);
}

void ExperimentFeature::addPresetCommands() {
    const auto add = [this](const char* id, const QString& text, data::OwnKind kind) {
        QAction* action = m_workbench.commands().add(
            {.id = QString::fromLatin1(id),
             .text = text,
             .group = CommandGroup::file,
             .hint = tr("Saves it under a name that you choose, and lists it beside the bundled presets"),
             .startsSection = kind == data::OwnKind::experiment,
             .rank = kPresetRank},
            m_form, [this, kind] { m_form->savePresetAs(kind); });
        setAvailable(*action, m_experiment.ownPresets().keeps(),
                     tr("This window has no folder for your own presets, as in safe mode."));
    };
    add("file.preset-experiment", tr("Save Experiment as &Preset…"), data::OwnKind::experiment);
    add("file.preset-model", tr("Save Model as Preset…"), data::OwnKind::model);
    add("file.preset-machine", tr("Save Machine as Preset…"), data::OwnKind::machine);
}

void ExperimentFeature::addUndoCommands() {
    Commands& commands = m_workbench.commands();
    QUndoGroup& group = m_workbench.undo();
    QAction* undo = commands.add({.id = "edit.undo",
                                  .text = tr("&Undo"),
                                  .group = CommandGroup::edit,
                                  .keys = {QKeySequence::Undo},
                                  .rank = kUndoRank},
                                 this, [this, &group] {
                                     chooseUndoStack();
                                     isExperimentUndone() ? m_form->undo() : group.undo();
                                 });
    QAction* redo =
        commands.add({.id = "edit.redo",
                      .text = tr("&Redo"),
                      .group = CommandGroup::edit,
                      .keys = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)},
                      .rank = kUndoRank},
                     this, [this, &group] {
                         chooseUndoStack();
                         isExperimentUndone() ? m_form->redo() : group.redo();
                     });
    const auto follow = [&group, undo, redo] {
        setAvailable(*undo, group.canUndo(), tr("There is nothing to undo."));
        undo->setText(group.canUndo() ? tr("&Undo %1").arg(group.undoText()) : tr("&Undo"));
        setAvailable(*redo, group.canRedo(), tr("There is nothing to redo."));
        redo->setText(group.canRedo() ? tr("&Redo %1").arg(group.redoText()) : tr("&Redo"));
    };
    // The action is the context of these connections, because it is destroyed before the panels and views.
    connect(&group, &QUndoGroup::indexChanged, undo, follow);
    connect(&m_workbench.views(), &WindowViews::currentChanged, undo, [this] { chooseUndoStack(); });
    connect(qApp, &QApplication::focusChanged, undo, [this] { chooseUndoStack(); });
    chooseUndoStack();
    follow();
}

bool ExperimentFeature::isExperimentUndone() const {
    return m_workbench.undo().activeStack() == &m_experiment.undoStack();
}

// Activates the experiment's undo stack while a field of the form has the focus, otherwise that of the view in front.
void ExperimentFeature::chooseUndoStack() {
    const QWidget* focused = QApplication::focusWidget();
    const bool isInForm = focused != nullptr && m_form->isAncestorOf(focused);
    QUndoStack* ofView = m_workbench.views().currentView().undo;
    QUndoStack* stack = isInForm || ofView == nullptr ? &m_experiment.undoStack() : ofView;
    m_workbench.undo().addStack(stack);
    m_workbench.undo().setActiveStack(stack);
}

void ExperimentFeature::addSweepCommand() {
    m_workbench.commands().add({.id = "sweep.vary",
                                .text = tr("&Vary Focused Field"),
                                .group = CommandGroup::sweep,
                                .keys = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_V)},
                                .hint = tr("Adds the parameter to the sweep as an axis, or removes it"),
                                .rank = kVaryRank},
                               m_form, &ExperimentForm::varyFocused);
}

void ExperimentFeature::addSessionParts() {
    WindowSession& session = m_workbench.session();
    session.add({QStringLiteral("experiment"), SessionScope::window,
                 [this] {
                     const QByteArray text = QByteArray::fromStdString(data::writeDraft(m_experiment.draft()));
                     return QJsonDocument::fromJson(text).object();
                 },
                 [this](const QJsonValue& kept) { return restoreExperiment(kept); }});
    // The document is restored after the experiment to which it belongs.
    session.add({QStringLiteral("document"), SessionScope::window,
                 [this]() -> QJsonValue {
                     if (!m_experiment.origin())
                         return {};
                     return QJsonObject{{QStringLiteral("file"), m_experiment.origin()->file}};
                 },
                 [this](const QJsonValue& kept) { return restoreDocument(kept); }});
}

void ExperimentFeature::addPaletteEntries(std::vector<PaletteEntry>& entries) {
    for (const engine::Parameter& parameter : engine::parameters()) {
        entries.push_back({text(parameter.label), text(engine::name(parameter.group)),
                           text(parameter.path) + u' ' + text(parameter.symbol) + u' ' + text(parameter.meaning),
                           QString(), [this, path = parameter.path] { showField(path); }});
    }
    for (const std::string& name : data::publishedCases()) {
        entries.push_back({text(name), tr("Experiment"), tr("open preset published"), QString(), [this, name] {
                               data::DraftReading reading = data::draftNamed(name);
                               m_experiment.replaceDraft(std::move(reading.draft), tr("Open Preset"));
                               m_runs.run();
                           }});
    }
}

QWidget* ExperimentFeature::showField(const std::string& path) {
    m_workbench.panels().dock(dockName())->show();
    if (!m_form->focusParameter(path))
        return nullptr;
    auto* field = m_form->findChild<ParameterField*>(QStringLiteral("field:") + QString::fromStdString(path));
    return field != nullptr ? field : m_form->focusWidget();  // otherwise a choice of the preset picker has the focus
}

void ExperimentFeature::markFields(const std::vector<std::string>& paths) {
    for (const QPointer<SpotlightFrame>& mark : m_marks)
        delete mark;
    m_marks.clear();
    for (const std::string& path : paths) {
        auto* field = m_form->findChild<ParameterField*>(QStringLiteral("field:") + QString::fromStdString(path));
        if (field == nullptr || !m_form->isVisible() || field->isHidden())
            continue;
        if (m_marks.empty())
            m_form->reveal(*field);
        m_marks.emplace_back(new SpotlightFrame(*field));
    }
}

void ExperimentFeature::openExperiment(const QString& file) {
    m_form->commit();
    data::DraftReading reading =
        data::openDraft(QFileInfo(file).absoluteFilePath().toStdString(), &m_experiment.ownPresets());
    if (reading.problems.empty())
        reading.problems = data::expand(data::withOwnPresets(reading.draft, m_experiment.ownPresets())).problems;
    if (!reading.problems.empty()) {
        m_workbench.documents().reportUnreadable(file, reading.problems);
        return;
    }
    // The preset of a model or machine is only part of the experiment: saving the experiment must not overwrite it.
    std::optional<DocumentOrigin> origin;
    if (!reading.ofPreset)
        origin = DocumentOrigin{file, std::move(reading.texts)};
    m_experiment.replaceDraft(std::move(reading.draft), tr("Open %1").arg(withoutFolder(file)), origin);
    m_workbench.documents().remember(file);
    m_runs.run();
}

void ExperimentFeature::openOwnPreset(const QString& name) {
    const data::OwnPreset* own = m_experiment.ownPresets().find(data::OwnKind::experiment, name.toStdString());
    if (own == nullptr)
        return;
    m_experiment.replaceDraft({own->values}, tr("Choose “%1”").arg(name));
    m_runs.run();
}

void ExperimentFeature::save() {
    if (m_experiment.origin())
        writeTo(*m_experiment.origin());
    else
        askWhereToSave();
}

void ExperimentFeature::askWhereToSave() {
    const std::optional<DocumentOrigin>& origin = m_experiment.origin();
    const QString name = QString::fromStdString(data::caseName(m_experiment.expansion().experiment));
    const QString proposed =
        origin ? origin->file : QString(name).replace(QLatin1Char('/'), QLatin1Char('-')) + QStringLiteral(".json");
    const QString file = m_workbench.documents().askWhereToSave(tr("Save Experiment"), proposed, experimentFilter());
    if (!file.isEmpty())
        saveAs(file);
}

void ExperimentFeature::askWhereToExport() {
    const QString file =
        m_workbench.documents().askWhereToSave(tr("Export Complete Experiment"), {}, experimentFilter());
    if (!file.isEmpty())
        exportComplete(file);
}

void ExperimentFeature::saveAs(const QString& file) {
    writeTo({file, m_experiment.origin() ? m_experiment.origin()->texts : data::DocumentTexts{}});
}

void ExperimentFeature::writeTo(const DocumentOrigin& origin) {
    m_form->commit();
    if (m_experiment.hasUnreadableText()) {
        // A text that cannot be parsed cannot be saved, and the file must not silently lack it.
        m_workbench.fail(tr("Not saved. %1").arg(m_experiment.firstProblem()));
        return;
    }
    if (m_workbench.documents().write(origin.file, data::writeDraft(m_experiment.draft(), origin.texts))) {
        m_experiment.setSaved(origin, m_experiment.draft());
        m_workbench.documents().remember(origin.file);
    }
}

bool ExperimentFeature::isOnlyAModel() const {
    return !m_experiment.hasUnreadableText() && !data::hasRun(m_experiment.draft());
}

void ExperimentFeature::exportComplete(const QString& file) {
    m_form->commit();
    if (!m_experiment.isRunnable() && !isOnlyAModel()) {
        m_workbench.fail(tr("Not exported. %1").arg(m_experiment.firstProblem()));
        return;
    }
    m_workbench.documents().write(file, data::writeExperiment(m_experiment.expansion().experiment));
}

bool ExperimentFeature::restoreExperiment(const QJsonValue& kept) {
    if (!m_workbench.session().restoresExperiment())
        return true;
    const std::string text = QJsonDocument(kept.toObject()).toJson().toStdString();
    data::DraftReading reading = data::readDraft(text, "session");
    // An experiment that cannot be run would leave the window empty.
    if (!reading.problems.empty() || (data::hasRun(reading.draft) && !data::expand(reading.draft).runnable()))
        return false;
    m_experiment.setDraft(std::move(reading.draft));
    return true;
}

bool ExperimentFeature::restoreDocument(const QJsonValue& kept) {
    const QString file = kept[QStringLiteral("file")].toString();
    if (!m_workbench.session().restoresExperiment())
        return true;
    // The session has already restored the draft; the file is read to find out whether the two differ.
    data::DraftReading reading = data::readDraftFile(file.toStdString());
    if (!QFileInfo(file).isAbsolute() || !reading.problems.empty())
        return false;
    m_experiment.setSaved({file, std::move(reading.texts)}, reading.draft);
    return true;
}

void ExperimentFeature::showTitle() {
    QStringList parts;
    if (m_experiment.origin())
        parts << withoutFolder(m_experiment.origin()->file) + QStringLiteral("[*]");
    if (m_runs.shown())
        parts << text(m_runs.shown()->run.name);
    parts << tr("Ringside");
    m_workbench.window().setWindowTitle(parts.join(QStringLiteral(" – ")));
    m_workbench.window().setWindowModified(m_experiment.differsFromFile());
}

void ExperimentFeature::showBrokenPresets() {
    const engine::Problems& problems = m_experiment.ownPresets().problems();
    if (problems.empty() || !m_workbench.messages().text().isEmpty())
        return;
    QStringList lines{tr("Some of your presets cannot be read. Their files were not changed:")};
    for (std::size_t i = 0; i < std::min(problems.size(), kMostBrokenPresets); ++i)
        lines << text(engine::describe(problems[i]));
    m_workbench.notify(lines.join(QLatin1Char('\n')));
}

}  // namespace ui
