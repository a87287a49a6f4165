#include "ui/main_window.h"

#include "data/sweep/sweep_document.h"
#include "data/sweep/sweep_plan.h"
#include "data/sweep/sweep_shelf.h"
#include "ui/charts/chart_view.h"
#include "ui/editors/experiment_form.h"
#include "ui/runs/runs_view.h"
#include "ui/shared/sweep_session.h"
#include "ui/shared/sweep_state.h"
#include "ui/sweep/break_even_dialog.h"
#include "ui/sweep/sweep_model.h"
#include "ui/sweep/sweep_view.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/message_bar.h"
#include "ui/workbench/window_views.h"

#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QJsonDocument>

// Many runs at once: what is varied, where the points go, and how one of them is opened.

namespace ui {
namespace {

constexpr auto kSweep = "sweep";
constexpr auto kExampleSweep = ":/examples/link-by-policy.json";

QString sweepFilterText() { return MainWindow::tr("Sweeps (*.json);;All files (*)"); }

QString nameOf(const QString& file) { return QFileInfo(file).fileName(); }

}  // namespace

void MainWindow::buildSweep() {
    m_sweep = std::make_unique<SweepModel>(m_experiment.undoStack());
    m_sweepSession = std::make_unique<SweepSession>(SweepSessionConfig{m_config.session.storePath});
    m_sweepState = new SweepState(this);
    m_sweepView = new SweepView(*m_sweep, *m_sweepSession, *m_sweepState, m_windowViews);
    m_chart = new ChartView(*m_sweepState);
    m_sweepView->setChart(m_chart);
    m_windowViews->addView({QString::fromLatin1(kSweep),
                            tr("Sweep"),
                            m_sweepView,
                            Qt::Key_F4,
                            tr("Many runs: how the experiment answers when parameters vary"),
                            {QStringLiteral("experimentDock")}});
    connect(m_sweepView, &SweepView::failed, this, [this](const QString& text) {
        m_messages->showMessage(MessageBar::Kind::error, text);
        Q_EMIT requestFailed(text);
    });
    connect(m_sweepView, &SweepView::openRequested, this, &MainWindow::askForSweep);
    connect(m_sweepView, &SweepView::exampleRequested, this,
            [this] { openExampleSweep(QString::fromLatin1(kExampleSweep)); });
    connect(m_sweepView, &SweepView::breakEvenRequested, this, &MainWindow::askBreakEven);
    connect(m_sweepView, &SweepView::lookedUp, this, &MainWindow::sweepShown);
    connect(m_sweepState, &SweepState::openRequested, this, &MainWindow::openPoint);
}

void MainWindow::connectSweep() {
    const auto follow = [this] { m_sweep->setBase(m_experiment.draft()); };
    connect(&m_experiment, &ExperimentModel::changed, m_sweep.get(), follow);
    follow();
    connect(m_form, &ExperimentForm::varyRequested, this, &MainWindow::varyParameter);
    connect(m_sweepSession.get(), &SweepSession::runFinished, &m_catalogue, &CatalogueSession::refresh);
    connect(m_sweepSession.get(), &SweepSession::runStopped, &m_catalogue, &CatalogueSession::refresh);
    const auto mark = [this] { m_form->showVaried(m_sweep->varied()); };
    connect(m_sweep.get(), &SweepModel::changed, m_form, mark);
    mark();
    m_sessionParts.add({QString::fromLatin1(kSweep), SessionScope::window, [this] { return saveSweepPart(); },
                        [this](const QJsonValue& kept) { return restoreSweepPart(kept); }});
    if (m_config.sweep)
        m_sweep->setSweep(m_config.sweep->sweep, m_config.sweep->file);
}

void MainWindow::varyParameter(const std::string& path) {
    const engine::Parameter* parameter = engine::findParameter(path);
    if (parameter == nullptr)
        return;
    if (m_sweepSession->isRunning()) {
        m_messages->showMessage(MessageBar::Kind::notice,
                                tr("A sweep is running. Cancel it or wait for its end to vary something else."));
        m_form->showVaried(m_sweep->varied());
        return;
    }
    const bool was = m_sweep->varied().contains(path);
    if (!m_sweep->toggleAxis(*parameter, m_experiment.valueOf(*parameter))) {
        m_messages->showMessage(MessageBar::Kind::notice,
                                tr("%1 is not varied: a sweep has at most %2 axes. Take one of them off first.")
                                    .arg(QString::fromStdString(parameter->label))
                                    .arg(data::kMostAxes));
        m_form->showVaried(m_sweep->varied());
        return;
    }
    m_messages->clear();
    if (!was) {
        m_windowViews->showView(QString::fromLatin1(kSweep));
        m_sweepView->focusAxis(path);
    }
}

void MainWindow::openPoint(std::size_t point) {
    const std::shared_ptr<const data::SweepTable>& table = m_sweepState->table();
    if (!table || point >= table->rows.size())
        return;
    m_experiment.replaceDraft(data::detailsOf(table->sweep, table->rows[point].index).draft,
                              tr("opening of a point of the sweep"));
    runExperiment();
}

void MainWindow::startSweep() {
    m_windowViews->showView(QString::fromLatin1(kSweep));
    m_sweepView->start();
}

void MainWindow::adoptSweep(const data::Sweep& sweep, const QString& name, const QString& file) {
    if (m_sweepSession->isRunning()) {
        m_messages->showMessage(MessageBar::Kind::notice,
                                tr("A sweep is running. Cancel it or wait for its end to open another."));
        return;
    }
    m_form->commit();
    m_messages->clear();
    QUndoStack& stack = m_experiment.undoStack();
    stack.beginMacro(name);
    m_experiment.replaceDraft(sweep.base, name);
    m_sweep->replace(sweep, name, file);
    stack.endMacro();
    m_windowViews->showView(QString::fromLatin1(kSweep));
}

void MainWindow::openSweep(const QString& file) {
    const data::SweepReading reading = data::readSweepFile(file.toStdString());
    if (!reading.problems.empty()) {
        showUnreadable(file, reading.problems);
        return;
    }
    adoptSweep(reading.sweep, tr("opening of %1").arg(nameOf(file)), file);
    rememberDocument(file);
}

void MainWindow::openExampleSweep(const QString& example) {
    QFile file(example);
    if (!file.open(QIODevice::ReadOnly))
        return;
    const data::SweepReading reading = data::readSweep(file.readAll().toStdString(), nameOf(example).toStdString());
    if (reading.problems.empty())
        adoptSweep(reading.sweep, tr("opening of the example"), {});
    else
        showUnreadable(file.fileName(), reading.problems);
}

void MainWindow::askForSweep() {
    const QString file = QFileDialog::getOpenFileName(this, tr("Open Sweep"), documentFolder(), sweepFilterText());
    if (!file.isEmpty())
        openDocument(file);
}

void MainWindow::saveSweep(bool asks) {
    if (m_sweep->isEmpty() || !m_sweep->isRunnable()) {
        m_messages->showMessage(MessageBar::Kind::error, m_sweep->isEmpty()
                                                             ? tr("Nothing is varied yet; there is no sweep to save.")
                                                             : tr("Not saved. The sweep cannot be understood yet."));
        return;
    }
    QString file = m_sweep->file();
    if (asks || file.isEmpty())
        file = QFileDialog::getSaveFileName(this, tr("Save Sweep"),
                                            file.isEmpty() ? documentFolder() + QStringLiteral("/sweep.json") : file,
                                            sweepFilterText());
    if (!file.isEmpty())
        saveSweepAs(file);
}

void MainWindow::saveSweepAs(const QString& file) {
    if (!writeText(file, data::writeSweep(m_sweep->sweep())))
        return;
    m_sweep->setSaved(file);
    rememberDocument(file);
}

QJsonValue MainWindow::saveSweepPart() const {
    if (m_sweep->isEmpty() || !m_sweep->isRunnable())
        return {};
    const QByteArray text = QByteArray::fromStdString(data::writeSweep(m_sweep->sweep()));
    return QJsonObject{{QStringLiteral("document"), QJsonDocument::fromJson(text).object()},
                       {QStringLiteral("file"), m_sweep->file()}};
}

bool MainWindow::restoreSweepPart(const QJsonValue& kept) {
    if (m_config.sweep)
        return true;
    const QJsonObject document = kept[QStringLiteral("document")].toObject();
    data::SweepReading reading = data::readSweep(QJsonDocument(document).toJson().toStdString(), "session");
    if (!reading.problems.empty())
        return false;
    if (!m_config.restoresExperiment)
        reading.sweep.base = m_experiment.draft();
    m_sweep->setSweep(reading.sweep, kept[QStringLiteral("file")].toString());
    return true;
}

void MainWindow::addSweepCommands() {
    const auto add = [this](const char* id, const QString& text, const QString& hint, const QList<QKeySequence>& keys,
                            auto* receiver, auto order, bool startsSection = false) {
        return m_commands->add({.id = QString::fromLatin1(id),
                                .text = text,
                                .group = CommandGroup::sweep,
                                .keys = keys,
                                .hint = hint,
                                .startsSection = startsSection},
                               receiver, order);
    };
    add("sweep.start", tr("&Run Sweep"), tr("Runs every combination that is not in the store yet"),
        {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Return), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Enter)}, this,
        &MainWindow::startSweep);
    QAction* pause = add("sweep.pause", tr("&Pause or Go On"), tr("Points under way come to their end first"), {},
                         m_sweepView, &SweepView::pauseOrGoOn);
    QAction* cancel = add("sweep.cancel", tr("&Cancel"), tr("What has ended stays in the store"), {},
                          m_sweepSession.get(), &SweepSession::cancel);
    for (QAction* action : {pause, cancel})
        action->setEnabled(false);
    const auto follow = [this, pause, cancel] {
        for (QAction* action : {pause, cancel})
            action->setEnabled(m_sweepSession->isRunning());
    };
    for (const auto signal : {&SweepSession::runStarted, &SweepSession::runStopped})
        connect(m_sweepSession.get(), signal, this, follow);
    connect(m_sweepSession.get(), &SweepSession::runFinished, this, follow);
    connect(m_sweepSession.get(), &SweepSession::runFailed, this, follow);
    add("sweep.vary", tr("&Vary the Field in Focus"), tr("Makes an axis of it, or takes it off"),
        {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_V)}, m_form, &ExperimentForm::varyFocused);
    add("sweep.best", tr("&Best of This Sweep"), tr("Marks the point with the best value of the metric"), {},
        m_sweepView, &SweepView::showBest);
    add("sweep.break-even", tr("Brea&k-even…"), tr("Searches for where a number of the run tips over a target"), {},
        this, &MainWindow::askBreakEven);
    add("sweep.clear", tr("C&lear the Sweep"), tr("Takes every axis off; undo brings them back"), {}, m_sweep.get(),
        &SweepModel::clear);
    add(
        "sweep.example", tr("Open the &Example"), tr("Link bandwidth and DMA block under three policies"), {}, this,
        [this] { openExampleSweep(QString::fromLatin1(kExampleSweep)); }, true);
    add("sweep.open", tr("&Open Sweep…"), tr("Reads a sweep document; dropping one on the window does the same"),
        {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O)}, this, &MainWindow::askForSweep);
    add("sweep.save", tr("&Save Sweep"), tr("Writes base, axes, policies and metrics"), {}, this,
        [this] { saveSweep(false); });
    add("sweep.save-as", tr("Save Sweep &As…"), {}, {}, this, [this] { saveSweep(true); });
}

void MainWindow::askBreakEven() {
    m_form->commit();
    auto* dialog = new BreakEvenDialog(*m_sweep, *m_sweepSession, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
}

bool MainWindow::stepOutOfSweep() {
    if (m_windowViews->current() != QLatin1String(kSweep))
        return false;
    if (m_sweepSession->isRunning())
        m_sweepSession->cancel();
    else
        m_sweepState->setBrushed({});
    return true;
}

}  // namespace ui
