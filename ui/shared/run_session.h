#pragma once

#include "data/experiment/experiment_document.h"
#include "data/laboratory/laboratory.h"
#include "data/replay/shown_run.h"
#include "data/trace/request_book.h"
#include "ui/shared/worker.h"

#include <QObject>

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace ui {

/// The settings of a session: how experiments are run and where runs are kept. Fixed before the session starts.
struct RunSessionConfig {
    using Simulate = std::function<data::LaboratoryRun(const data::ExperimentDraft&, const engine::RunOptions&)>;

    std::optional<std::string> storePath;  ///< empty: runs are not kept
    Simulate simulate;                     ///< empty: data::Laboratory
    /// The request files that experiments may name. Copies of a configuration share them.
    std::shared_ptr<data::RequestBook> requests = std::make_shared<data::RequestBook>();

    /// Runs `draft` on all processors, with trace and attribution, and prepares the run for drawing. Passes on
    /// exceptions of `simulate`.
    std::shared_ptr<data::ShownRun> run(const data::ExperimentDraft& draft, engine::RunOptions options) const;
};

/// Why a run failed, in words for the user.
struct RunFailure {
    QString text;
    engine::Problems problems;  ///< the problems that belong to a field
    bool ofInput =
        true;  ///< true: the experiment cannot be run; false: the computer failed, for example for lack of memory
};

/// Describes `error` in words: `noMemory` if memory ran out; `other`, in which %1 stands for the exception's own text,
/// for an exception that a run does not throw on purpose.
RunFailure failureOf(const std::exception& error, const QString& noMemory, const QString& other);

/// Why a run is kept, which decides for how long.
enum class KeptFor : std::uint8_t {
    asked,   ///< it was started by a command: kept for good
    answer,  ///< it answers an edit: kept until the next answer, so that only the last of many edits stays, and does
             ///< not bury the runs that were started by a command
    pinned   ///< it was pinned: kept for good
};

/// Runs experiments on a worker thread, so that the window never waits. Only the newest request counts. Promise: the
/// destructor stops a run at its next poll and joins the thread; nothing is delivered afterwards.
class RunSession final : public QObject {
    Q_OBJECT

public:
    explicit RunSession(RunSessionConfig config, QObject* parent = nullptr);

    /// Starts a run, in place of one in progress.
    void start(const data::ExperimentDraft& draft);
    /// Starts a run that answers an edit.
    void answer(const data::ExperimentDraft& draft);
    /// Runs a preview while a value is being dragged: at interactive detail, and without keeping it. Starts at once if
    /// idle, or in place of a full run. While another preview is in progress, the newest request waits for its end, so
    /// that previews keep coming however fast the value changes.
    void preview(const data::ExperimentDraft& draft);
    void cancel();
    bool isRunning() const { return m_worker.isRunning(); }

Q_SIGNALS:
    void runStarted();
    void progressChanged(double fraction);
    void runFinished(std::shared_ptr<const data::ShownRun> run);
    void runStopped();
    void runFailed(const ui::RunFailure& failure);
    /// Emitted when a run has ended that is to be kept, even if another run has replaced it by now.
    void runToKeep(std::shared_ptr<const data::ShownRun> run, ui::KeptFor purpose);

private:
    /// Starts a run. Without a purpose the run is a preview and is not kept.
    void begin(const data::ExperimentDraft& draft, std::optional<KeptFor> purpose);
    void simulate(const data::ExperimentDraft& draft, std::optional<KeptFor> purpose, const Worker::Ticket& ticket);
    void end(const std::function<void()>& verdict);

    RunSessionConfig m_config;
    bool m_previewing = false;
    std::optional<data::ExperimentDraft> m_nextPreview;
    Worker m_worker;  // last: it is destroyed first
};

}  // namespace ui
