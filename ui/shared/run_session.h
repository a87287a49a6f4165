#pragma once

#include "data/experiment/experiment_document.h"
#include "data/laboratory/laboratory.h"
#include "data/replay/shown_run.h"
#include "ui/shared/worker.h"

#include <QObject>

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace ui {

/// How things are run and where they are kept. Fixed before the session starts.
struct RunSessionConfig {
    using Simulate = std::function<data::LaboratoryRun(const data::ExperimentDraft&, const engine::RunOptions&)>;

    std::optional<std::string> storePath;  ///< nothing: runs are not kept
    Simulate simulate;                     ///< empty: data::Laboratory

    /// Runs `draft` on all processors, with trace and attribution, and makes the run ready to be drawn. Throws what
    /// `simulate` does.
    std::shared_ptr<data::ShownRun> run(const data::ExperimentDraft& draft, engine::RunOptions options) const;
};

/// Why a run came to nothing, in words for people.
struct RunFailure {
    QString text;
    engine::Problems problems;  ///< those that belong to a field
    bool ofInput = true;  ///< what was asked for cannot be run; else the machine failed, such as for want of memory
};

/// Returns `error` in words: `noMemory` where there is not enough of it, `other`, with %1 for its own words, where a
/// run does not throw such things.
RunFailure failureOf(const std::exception& error, const QString& noMemory, const QString& other);

/// What a run is kept for, which says how long.
enum class KeptFor : std::uint8_t {
    asked,   ///< it was run by name: for good
    answer,  ///< it answers an edit: until the next answer, so that of a burst of edits the last one stays, and tuning
             ///< does not bury what was run on purpose
    pinned   ///< somebody wants it in sight: for good
};

/// Runs experiments on a thread of its own, so that the window never waits. Only the newest request counts.
/// Promise: the destructor stops a run at its next poll and joins; nothing is delivered afterwards.
class RunSession final : public QObject {
    Q_OBJECT

public:
    explicit RunSession(RunSessionConfig config, QObject* parent = nullptr);

    /// Replaces a run that is under way.
    void start(const data::ExperimentDraft& draft);
    /// The same in answer to an edit.
    void answer(const data::ExperimentDraft& draft);
    /// For a value that is being dragged: runs at interactive detail, and is not kept. Starts at once when idle or
    /// in place of a full run; while another preview is under way only the newest request waits for its end, so that
    /// the picture moves with the hand however fast it is.
    void preview(const data::ExperimentDraft& draft);
    void cancel();
    bool isRunning() const { return m_worker.isRunning(); }

Q_SIGNALS:
    void runStarted();
    void progressChanged(double fraction);
    void runFinished(std::shared_ptr<const data::ShownRun> run);
    void runStopped();
    void runFailed(const ui::RunFailure& failure);
    /// A run has ended that is to be kept, also if another has taken its place by now.
    void runToKeep(std::shared_ptr<const data::ShownRun> run, ui::KeptFor purpose);

private:
    /// Keeps nothing without a purpose: the run is a preview.
    void begin(const data::ExperimentDraft& draft, std::optional<KeptFor> purpose);
    void simulate(const data::ExperimentDraft& draft, std::optional<KeptFor> purpose, const Worker::Ticket& ticket);
    void end(const std::function<void()>& verdict);

    RunSessionConfig m_config;
    bool m_previewing = false;
    std::optional<data::ExperimentDraft> m_nextPreview;
    Worker m_worker;  // last: it ends first
};

}  // namespace ui
