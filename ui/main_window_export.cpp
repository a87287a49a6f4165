#include "ui/main_window.h"

#include "data/trace/trace_file.h"
#include "ui/editors/experiment_form.h"
#include "ui/export/frames_dialog.h"
#include "ui/export/trace_dialog.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/text.h"
#include "ui/main_window_frames.h"
#include "ui/shared/file_job.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/message_bar.h"
#include "ui/workbench/status_line.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QProgressDialog>

// A run goes into slides and into other viewers, and comes back from there.

namespace ui {
namespace {

constexpr int kProgressSteps = 1'000;

/// Beside the window, which stays usable; gone with the work.
QProgressDialog* progressOf(const QString& what, QWidget* parent) {
    auto* progress = new QProgressDialog(what, MainWindow::tr("Cancel"), 0, kProgressSteps, parent);
    progress->setObjectName(QStringLiteral("exportProgress"));
    progress->setWindowModality(Qt::NonModal);
    progress->setAutoClose(false);
    progress->setAutoReset(false);
    progress->setMinimumDuration(400);
    progress->setValue(0);
    return progress;
}

QString comparisonText(const data::TraceComparison& comparison) {
    if (comparison.same)
        return MainWindow::tr("all %1 of its events are, byte for byte, those of the run that is shown.")
            .arg(formatBytes(comparison.bytes));
    return MainWindow::tr("it is not what this run gives: line %1 says %2, and here it would be %3.")
        .arg(formatCount(comparison.line),
             comparison.inFile.empty() ? MainWindow::tr("nothing") : text(comparison.inFile),
             comparison.here.empty() ? MainWindow::tr("nothing") : text(comparison.here));
}

}  // namespace

void MainWindow::addExportCommands() {
    m_commands->add({.id = "file.export-frames",
                     .text = tr("Export F&rames…"),
                     .group = CommandGroup::file,
                     .hint = tr("What this view shows while the run plays, as PNG pictures for slides")},
                    this, &MainWindow::askForFrames);
    m_commands->add({.id = "file.export-trace",
                     .text = tr("Export &Trace…"),
                     .group = CommandGroup::file,
                     .hint = tr("The run's events as Chrome Trace Event JSON, which Perfetto opens")},
                    this, &MainWindow::askForTrace);
}

void MainWindow::askForFrames() {
    if (!m_shown || !m_shown->index) {
        return m_messages->showMessage(
            MessageBar::Kind::notice,
            tr("There is no run that could be played. A perfect overlap is a formula and has no moments."));
    }
    auto* dialog = new FramesDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        const QString folder = QFileDialog::getExistingDirectory(this, tr("A Folder for the Frames"), documentFolder());
        if (!folder.isEmpty())
            exportFrames({.folder = folder, .perSecond = dialog->perSecond(), .seconds = dialog->seconds()},
                         dialog->size());
    });
    dialog->open();
}

// By a window of the chosen size that nobody sees, so that this one stays as it is and usable.
void MainWindow::exportFrames(const FrameRequest& request, const QSize& size) {
    data::Scene shown = scene();
    MainWindowConfig config;
    config.draft = shown.draft.value_or(m_experiment.draft());
    config.theme = paletteOf(*this).theme;
    config.runsWhileEditing = false;
    config.size = size;
    auto* stage = new MainWindow(std::move(config));
    stage->setAttribute(Qt::WA_DontShowOnScreen);
    stage->setParent(this, Qt::Window);
    stage->showAlone(text(shown.view));
    shown.draft.reset();
    shown.moment.reset();
    stage->showScene(shown);
    stage->resize(size);
    stage->show();
    QProgressDialog* progress = progressOf(tr("Writing frames…"), this);
    connect(progress, &QObject::destroyed, stage, &QObject::deleteLater);
    connect(&stage->session(), &RunSession::runFailed, progress, [this, progress](const RunFailure& failure) {
        m_messages->showMessage(MessageBar::Kind::error, failure.text);
        progress->deleteLater();
    });
    connect(progress, &QProgressDialog::canceled, progress, &QObject::deleteLater);
    connect(
        stage, &MainWindow::logShown, progress,
        [this, stage, progress, request] { startFrames(*stage, *progress, request); }, Qt::SingleShotConnection);
}

void MainWindow::startFrames(MainWindow& stage, QProgressDialog& progress, const FrameRequest& request) {
    auto* frames = new FrameExport(stage, request, &stage);
    const auto end = [this, &progress](MessageBar::Kind kind, const QString& text) {
        progress.deleteLater();
        m_messages->showMessage(kind, text);
    };
    disconnect(&progress, &QProgressDialog::canceled, &progress, nullptr);
    connect(&progress, &QProgressDialog::canceled, frames, &FrameExport::cancel);
    connect(frames, &FrameExport::progressed, &progress,
            [&progress, clock = QElapsedTimer()](int done, int all) mutable {
                if (!clock.isValid())
                    clock.start();
                const auto left = static_cast<int>(clock.elapsed() * (all - done) / std::max(1, done) / 1000);
                progress.setLabelText(tr("Frame %1 of %2, %3 s left").arg(done).arg(all).arg(left));
                progress.setValue(static_cast<int>(std::int64_t{kProgressSteps} * done / std::max(1, all)));
            });
    connect(frames, &FrameExport::finished, &progress,
            [=] { end(MessageBar::Kind::done, tr("%1 frames are in %2.").arg(frames->frames()).arg(request.folder)); });
    connect(frames, &FrameExport::stopped, &progress, [=] {
        end(MessageBar::Kind::notice, tr("Cancelled. %1 of %2 frames are in %3.")
                                          .arg(frames->finishedFrames())
                                          .arg(frames->frames())
                                          .arg(request.folder));
    });
    connect(frames, &FrameExport::failed, &progress, [=](const QString& text) { end(MessageBar::Kind::error, text); });
    if (const QString problem = frames->start(); !problem.isEmpty())
        end(MessageBar::Kind::error, problem);
}

void MainWindow::askForTrace() {
    if (!m_shown || !m_shown->run.result.trace) {
        return m_messages->showMessage(MessageBar::Kind::notice,
                                       tr("There is no trace here. A perfect overlap is a formula and has no events."));
    }
    auto* dialog = new TraceDialog(m_shown, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &TraceDialog::chosen, this, [this, run = m_shown](const data::TraceChoice& choice) {
        const QString name = text(run->run.name).replace(u'/', u'-').replace(u' ', u'-').remove(u'*');
        const QString file = QFileDialog::getSaveFileName(
            this, tr("Export Trace"), documentFolder() + u'/' + name + QStringLiteral("-trace.json"),
            tr("Traces (*.json);;All files (*)"));
        if (!file.isEmpty())
            exportTrace(file, choice);
    });
    dialog->open();
}

void MainWindow::exportTrace(const QString& file, const data::TraceChoice& choice) {
    startFileJob(tr("Writing the trace…"), [run = m_shown, file, choice](const data::TraceWatch& watch) {
        data::writeTraceFile(run->run, file.toStdString(), choice, watch);
        return FileJob::Outcome{tr("%1 is written: %2. Perfetto opens it, and so does Ringside.")
                                    .arg(QFileInfo(file).fileName(), formatBytes(QFileInfo(file).size()))};
    });
}

void MainWindow::openTraceFile(const QString& file) {
    const data::TraceReading reading = data::readTraceFile(file.toStdString());
    if (!reading.problems.empty())
        return showUnreadable(file, reading.problems);
    m_form->commit();
    m_experiment.replaceDraft(reading.head.draft, tr("opening of the experiment of a trace"));
    rememberDocument(file);
    if (m_shown && !m_shown->preview && m_shown->run.hash == reading.head.hash)
        return compareWithTrace(file, reading.head);
    runExperiment();
    connect(
        this, &MainWindow::runShown, this,
        [this, file, head = reading.head] {
            if (m_shown->run.hash == head.hash)
                compareWithTrace(file, head);
        },
        Qt::SingleShotConnection);
}

// The run that is shown, or one that knows its critical path where the trace has one and the shown run does not.
void MainWindow::compareWithTrace(const QString& file, const data::TraceHead& head) {
    startFileJob(tr("Comparing the trace with its run…"), [run = m_shown, file, head](const data::TraceWatch& watch) {
        const QString name = QFileInfo(file).fileName();
        std::shared_ptr<const data::LaboratoryRun> told(run, &run->run);
        if (head.choice.path && !run->run.result.path)
            told = std::make_shared<const data::LaboratoryRun>(data::Laboratory().run(
                run->run.draft,
                {.recordTrace = true, .attribution = true, .baselines = false, .threads = 2, .stop = watch.stop}));
        const data::TraceComparison comparison = data::compareTrace(*told, file.toStdString(), head.choice, watch);
        QString said = tr("%1 was opened, its experiment run again, and %2").arg(name, comparisonText(comparison));
        if (!comparison.same && head.engineVersion != engine::engineVersion())
            said += tr(" Another engine wrote it, version %1.").arg(text(head.engineVersion));
        return FileJob::Outcome{said, comparison.same};
    });
}

void MainWindow::startFileJob(const QString& what, FileJob::Work work) {
    QProgressDialog* progress = progressOf(what, this);
    auto* job = new FileJob(std::move(work), progress);
    connect(progress, &QProgressDialog::canceled, job, &FileJob::cancel);
    connect(job, &FileJob::progressed, progress,
            [progress](double fraction) { progress->setValue(static_cast<int>(fraction * kProgressSteps)); });
    connect(job, &FileJob::finished, this, [this, progress](const QString& text, bool good) {
        progress->deleteLater();
        m_messages->showMessage(good ? MessageBar::Kind::done : MessageBar::Kind::notice, text);
    });
    connect(job, &FileJob::failed, this, [this, progress](const QString& text) {
        progress->deleteLater();
        m_messages->showMessage(MessageBar::Kind::error, text);
    });
    connect(job, &FileJob::stopped, this, [this, progress] {
        progress->deleteLater();
        m_status->showMessage(tr("Cancelled; no file was left."), 4'000);
    });
}

}  // namespace ui
