#include "ui/export/export_feature.h"

#include "data/document/whole_file.h"
#include "data/page/page_document.h"
#include "data/page/page_fit.h"
#include "data/trace/trace_file.h"
#include "ui/export/export_dialogs.h"
#include "ui/look/format.h"
#include "ui/look/widget_parts.h"
#include "ui/shared/experiment_model.h"
#include "ui/shared/figure_offer.h"
#include "ui/shared/run_controller.h"
#include "ui/shared/run_log_builder.h"
#include "ui/shared/worker.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/documents.h"
#include "ui/workbench/message_bar.h"
#include "ui/workbench/workbench.h"

#include <QElapsedTimer>
#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>
#include <QProgressDialog>

#include <algorithm>
#include <memory>
#include <utility>

namespace ui {
namespace {

constexpr int kProgressSteps = 1'000;
constexpr int kLookMs = 50;
constexpr int kExportRank = 20;  // position in the File menu

/// Returns a dialog beside the window, which stays usable; delete it when the work is done.
QProgressDialog* progressOf(const QString& what, QWidget* parent) {
    auto* progress = new QProgressDialog(what, ExportFeature::tr("Cancel"), 0, kProgressSteps, parent);
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
        return ExportFeature::tr("all %1 of events are byte for byte those of the shown run.")
            .arg(formatBytes(comparison.bytes));
    return ExportFeature::tr("it is not what this run gives: line %1 is %2 in the file and %3 here.")
        .arg(formatCount(comparison.line),
             comparison.inFile.empty() ? ExportFeature::tr("missing") : text(comparison.inFile),
             comparison.here.empty() ? ExportFeature::tr("missing") : text(comparison.here));
}

}  // namespace

ExportFeature::ExportFeature(Workbench& workbench, ExperimentModel& experiment, RunController& runs, Hooks hooks)
    : m_workbench(workbench), m_experiment(experiment), m_runs(runs), m_hooks(std::move(hooks)) {
    addCommands();
    m_workbench.documents().add(data::DocumentKind::trace, [this](const QString& file) { openTrace(file); });
}

void ExportFeature::addCommands() {
    m_workbench.commands().add(
        {.id = "file.export-frames",
         .text = tr("Export F&rames…"),
         .group = CommandGroup::file,
         .hint = tr("Writes what this view shows while the run plays, as pictures or as a film (a video) for slides"),
         .rank = kExportRank},
        this, &ExportFeature::askForFrames);
    m_workbench.commands().add({.id = "file.export-trace",
                                .text = tr("Export &Trace…"),
                                .group = CommandGroup::file,
                                .hint = tr("Writes the run's events as Chrome Trace Event JSON, which Perfetto opens"),
                                .rank = kExportRank},
                               this, &ExportFeature::askForTrace);
    m_workbench.commands().add(
        {.id = "file.export-page",
         .text = tr("Export We&b Page…"),
         .group = CommandGroup::file,
         .hint =
             tr("Writes the run, or the compared runs, as one HTML file that plays in any browser without a network"),
         .rank = kExportRank},
        this, &ExportFeature::askForPage);
}

void ExportFeature::askForFrames() {
    if (!m_runs.shown() || !m_runs.shown()->index) {
        return m_workbench.notify(tr("There is no run to play. A perfect overlap is calculated and has no events."));
    }
    auto* dialog = new FramesDialog(&m_workbench.window());
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        const QString target = askForTarget(dialog->film());
        if (!target.isEmpty())
            exportFrames({.target = target, .perSecond = dialog->perSecond(), .seconds = dialog->seconds()},
                         dialog->size());
    });
    openOnce(*dialog);
}

QString ExportFeature::askForTarget(std::optional<FilmFormat> film) {
    if (!film)
        return QFileDialog::getExistingDirectory(&m_workbench.window(), tr("Choose Folder for Frames"),
                                                 m_workbench.documents().folder());
    const bool mp4 = *film == FilmFormat::mp4;
    const QString suffix = mp4 ? QStringLiteral(".mp4") : QStringLiteral(".gif");
    const QString file =
        m_workbench.documents().askWhereToSave(tr("Export Film"), fileNameOf(text(m_runs.shown()->run.name)) + suffix,
                                               mp4 ? tr("MP4 films (*.mp4)") : tr("GIF films (*.gif)"));
    // With another suffix, the export would write another kind of film, or a folder of pictures.
    return file.isEmpty() || filmFormatOf(file) == film ? file : file + suffix;
}

// Takes the frames from a hidden window of the chosen size, so that this window stays as it is and usable.
void ExportFeature::exportFrames(const FrameRequest& request, const QSize& size) {
    QMainWindow& window = m_workbench.window();
    StageRequest shown{.draft = {}, .scene = m_hooks.scene(), .theme = paletteOf(window).theme, .size = size};
    shown.draft = shown.scene.draft.value_or(m_experiment.draft());
    shown.scene.draft.reset();
    shown.scene.moment.reset();
    const FrameStage stage = m_hooks.makeStage(shown);
    stage.window.resize(size);
    stage.window.show();
    QProgressDialog* progress = progressOf(tr("Writing frames…"), &window);
    connect(progress, &QObject::destroyed, &stage.window, &QObject::deleteLater);
    connect(&stage.runs, &RunController::failed, progress, [this, progress](const QString& text) {
        m_workbench.fail(text);
        progress->deleteLater();
    });
    connect(progress, &QProgressDialog::canceled, progress, &QObject::deleteLater);
    connect(
        &stage.log, &RunLogBuilder::built, progress,
        [this, stage, progress, request] { startFrames(stage, *progress, request); }, Qt::SingleShotConnection);
}

void ExportFeature::startFrames(const FrameStage& stage, QProgressDialog& progress, const FrameRequest& request) {
    auto* frames = new FrameExport(stage, request, &stage.window);
    const auto end = [this, &progress](MessageBar::Kind kind, const QString& text) {
        progress.deleteLater();
        m_workbench.messages().showMessage(kind, text);
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
    connect(frames, &FrameExport::filmed, &progress, [&progress, clock = QElapsedTimer()](int done, int all) mutable {
        if (!clock.isValid())
            clock.start();
        const auto left = clock.elapsed() * (all - done) / std::max(1, done) / 1000;
        progress.setLabelText(done == 0 ? tr("Starting ffmpeg…")
                                        : tr("Film: frame %1 of %2, %3 s left").arg(done).arg(all).arg(left));
        progress.setValue(static_cast<int>(std::int64_t{kProgressSteps} * done / std::max(1, all)));
    });
    connect(frames, &FrameExport::finished, &progress, [=] {
        end(MessageBar::Kind::done,
            frames->makesFilm() ? tr("A film of %1 frames was written to %2.").arg(frames->frames()).arg(request.target)
                                : tr("%1 frames were written to %2.").arg(frames->frames()).arg(request.target));
    });
    connect(frames, &FrameExport::stopped, &progress, [=] {
        end(MessageBar::Kind::notice, frames->makesFilm() ? tr("Cancelled. No film was written.")
                                                          : tr("Cancelled. %1 of %2 frames were written to %3.")
                                                                .arg(frames->finishedFrames())
                                                                .arg(frames->frames())
                                                                .arg(request.target));
    });
    connect(frames, &FrameExport::failed, &progress, [=](const QString& text) { end(MessageBar::Kind::error, text); });
    try {
        if (const QString problem = frames->start(); !problem.isEmpty())
            end(MessageBar::Kind::error, problem);
    } catch (const data::FileError& error) { end(MessageBar::Kind::error, QString::fromUtf8(error.what())); }
}

void ExportFeature::askForTrace() {
    const RunController::Run& shown = m_runs.shown();
    if (!shown || !shown->run.result.trace) {
        return m_workbench.notify(
            tr("There is no trace to export. A perfect overlap is calculated and has no events."));
    }
    auto* dialog = new TraceDialog(shown, &m_workbench.window());
    connect(dialog, &TraceDialog::chosen, this, [this, run = shown](const data::TraceChoice& choice) {
        const QString name = text(run->run.name).replace(u'/', u'-').replace(u' ', u'-').remove(u'*');
        const QString file = m_workbench.documents().askWhereToSave(
            tr("Export Trace"), name + QStringLiteral("-trace.json"), tr("Traces (*.json);;All files (*)"));
        if (!file.isEmpty())
            exportTrace(file, choice);
    });
    openOnce(*dialog);
}

void ExportFeature::exportTrace(const QString& file, const data::TraceChoice& choice) {
    startFileWork(tr("Writing the trace…"), [run = m_runs.shown(), file, choice](const data::TraceWatch& watch) {
        data::writeTraceFile(run->run, file.toStdString(), choice, watch);
        return FileOutcome{tr("%1 is written: %2. Perfetto and Ringside can open it.")
                               .arg(QFileInfo(file).fileName(), formatBytes(QFileInfo(file).size()))};
    });
}

std::vector<std::shared_ptr<const data::ShownRun>> ExportFeature::runsOfPage() const {
    std::vector<std::shared_ptr<const data::ShownRun>> runs = m_hooks.comparedRuns();
    if (runs.empty() && m_runs.shown())
        runs.push_back(m_runs.shown());
    if (runs.size() > data::kMostPageRuns)
        runs.resize(data::kMostPageRuns);
    return runs;
}

void ExportFeature::askForPage() {
    const auto runs = runsOfPage();
    if (runs.empty())
        return m_workbench.notify(tr("There is no run to export yet."));
    const QString file = m_workbench.documents().askWhereToSave(
        tr("Export Web Page"), fileNameOf(text(runs.front()->run.name)) + QStringLiteral(".html"),
        tr("Web pages (*.html);;All files (*)"));
    if (!file.isEmpty())
        exportPage(file);
}

void ExportFeature::exportPage(const QString& file) {
    data::Scene scene = m_hooks.scene();
    scene.draft.reset();
    startFileWork(tr("Writing the web page…"), [runs = runsOfPage(), scene, file](const data::TraceWatch& watch) {
        data::PageRequest request{.runs = {}, .title = {}, .scene = scene};
        for (const auto& run : runs) {
            // A run that was made while a control was dragged, or whose causes nobody has asked for, runs again.
            const bool isWhole = !run->preview && (!run->index || run->run.result.path);
            request.runs.push_back(
                isWhole ? run->run
                        : data::Laboratory().run(
                              run->run.draft,
                              {.recordTrace = true, .attribution = true, .threads = 2, .stop = watch.stop}));
        }
        const data::Page page = data::pageOf(request);
        data::writeWholeFile(file.toStdString(), page.html);
        return FileOutcome{tr("%1 is written: %2, %3. Any browser opens it.")
                               .arg(QFileInfo(file).fileName(),
                                    formatBytes(static_cast<std::int64_t>(page.html.size())),
                                    text(data::wordsOf(page.detail)))};
    });
}

void ExportFeature::openTrace(const QString& file) {
    const data::TraceReading reading = data::readTraceFile(file.toStdString());
    if (!reading.problems.empty())
        return m_workbench.documents().reportUnreadable(file, reading.problems);
    m_runs.commit();
    m_experiment.replaceDraft(reading.head.draft, tr("Open Experiment of Trace"));
    m_workbench.documents().remember(file);
    const RunController::Run& shown = m_runs.shown();
    if (shown && !shown->preview && shown->run.hash == reading.head.hash)
        return compareWithTrace(file, reading.head);
    m_runs.run();
    if (!m_experiment.isRunnable())
        return;
    m_runs.whenShown(m_experiment.draft(), [this, file, head = reading.head] {
        if (m_runs.shown()->run.hash == head.hash)
            compareWithTrace(file, head);
    });
}

// Compares the trace with the shown run. If the trace has a critical path and the shown run has none, runs the
// experiment again with its critical path.
void ExportFeature::compareWithTrace(const QString& file, const data::TraceHead& head) {
    startFileWork(tr("Comparing the trace with its run…"), [run = m_runs.shown(), file,
                                                            head](const data::TraceWatch& watch) {
        const QString name = QFileInfo(file).fileName();
        std::shared_ptr<const data::LaboratoryRun> compared(run, &run->run);
        if (head.choice.path && !run->run.result.path)
            compared = std::make_shared<const data::LaboratoryRun>(data::Laboratory().run(
                run->run.draft,
                {.recordTrace = true, .attribution = true, .baselines = false, .threads = 2, .stop = watch.stop}));
        const data::TraceComparison comparison = data::compareTrace(*compared, file.toStdString(), head.choice, watch);
        QString said = tr("%1 was opened and its experiment run again: %2").arg(name, comparisonText(comparison));
        if (!comparison.same && head.engineVersion != engine::engineVersion())
            said += tr(" It was written by engine version %1.").arg(text(head.engineVersion));
        return FileOutcome{said, comparison.same};
    });
}

void ExportFeature::startFileWork(const QString& what, FileWork work) {
    QProgressDialog* progress = progressOf(what, &m_workbench.window());
    const auto show = [progress](double fraction) { progress->setValue(static_cast<int>(fraction * kProgressSteps)); };
    auto* worker = new Worker(kLookMs, show, progress);
    connect(progress, &QProgressDialog::canceled, worker, [worker] { worker->requestStop(); });
    const auto end = [progress](const Worker::Ticket& ticket, auto verdict) {
        ticket.finish([progress, verdict] {
            progress->deleteLater();
            verdict();
        });
    };
    worker->start(
        [this, end, work = std::move(work)](const Worker::Ticket& ticket) {
            try {
                const FileOutcome outcome = work({ticket.stop, [ticket](double done) { ticket.setProgress(done); }});
                end(ticket, [this, outcome] {
                    m_workbench.messages().showMessage(outcome.good ? MessageBar::Kind::done : MessageBar::Kind::notice,
                                                       outcome.text);
                });
            } catch (const engine::RunStopped&) {
                end(ticket, [this] { m_workbench.hint(tr("Cancelled. No file was written.")); });
            }
        },
        [this, progress](const QString& text) {
            progress->deleteLater();
            m_workbench.fail(text);
        });
}

}  // namespace ui
