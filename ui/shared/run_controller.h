#pragma once

#include "ui/shared/catalogue_session.h"
#include "ui/shared/run_session.h"

#include <QElapsedTimer>
#include <QObject>

#include <functional>
#include <memory>
#include <optional>

namespace ui {

class ExperimentModel;

/// Decides which run the window shows and which one is pinned, and follows the run in progress. Only this object starts
/// runs of the experiment. When a run has finished, the order is: shownChanged, runEnded, the callback given to
/// whenShown(), settled.
class RunController final : public QObject {
    Q_OBJECT

public:
    using Run = std::shared_ptr<const data::ShownRun>;
    using Then = std::function<void()>;

    /// `experiment` must outlive the controller.
    RunController(ExperimentModel& experiment, const RunSessionConfig& config, QObject* parent = nullptr);

    RunSession& session() { return m_session; }
    CatalogueSession& catalogue() { return m_catalogue; }
    const Run& shown() const { return m_shown; }
    const Run& pinned() const { return m_pinned; }
    bool isRunning() const { return m_session.isRunning(); }
    /// Returns whether the run in progress, or else the shown one, was started by an explicit command; false if it
    /// answers an edit.
    bool wasAskedFor() const { return m_asked; }
    /// Returns whether the shown run has other settings than the experiment and no run that answers the edit is coming.
    bool isStale() const;
    /// Returns whether the session is running the experiment as it stands.
    bool isAnswering() const;
    /// Returns whether the shown run is not a run of the experiment.
    bool differs() const;

    /// Asks every field with typed text that is not part of the experiment yet to apply it now.
    void commit() { Q_EMIT commitRequested(); }
    /// Runs the experiment as it stands, or reports why it cannot be run, and asks for the picture of the run to come
    /// to the front.
    void run();
    /// Runs the experiment without changing the view.
    void runInPlace();
    /// Switches whether edits are answered by runs. Starts no run itself: call answerEdit() to run an earlier edit.
    void setFollowsEdits(bool follows);
    /// Runs the edited experiment if runs follow edits. `dragging`: a slider is held, so the run is a preview.
    void answerEdit(bool dragging);
    bool isDragging() const { return m_dragging; }
    void cancel();
    /// Reads a kept run. Its numbers are shown at once (keptOpened); its experiment becomes the window's and is run
    /// again to obtain the trace. Calls `then` when that run is shown.
    void openKept(std::int64_t id, Then then = {});
    /// Reads a kept run and makes its experiment the window's, without running it.
    void openAsExperiment(std::int64_t id);
    /// Calls `then` once, when a run of `draft` is shown: at once if it is shown already; after the run in progress if
    /// that is a run of the draft; otherwise after a new run, which leaves the experiment unchanged. A newer request
    /// replaces this one, and `then` is not called.
    void whenShown(const data::ExperimentDraft& draft, Then then);
    /// Calls `then` once, when the run in progress is shown.
    void whenShown(Then then);
    /// Drops the callback that waits for a run to be shown.
    void dropAwaited() { m_awaited.reset(); }

    /// Pins `run`: shows it beside others and keeps it in the store for good. Null removes the pinned run.
    void pin(Run run);
    /// Shows `run` beside others, without keeping it for good.
    void outline(Run run);

Q_SIGNALS:
    /// Emitted before a command runs or replaces the experiment: every field with typed text that is not part of the
    /// experiment yet applies it now.
    void commitRequested();
    /// Asks for the picture of the run to come to the front.
    void pictureRequested();
    /// Emitted when a run starts that a command has requested.
    void accepted();
    /// Emitted when the experiment cannot be run, with the reason.
    void refused(const QString& why);
    void started();
    /// Reports the progress of the run and, as soon as it is known, the remaining time in words. `isLong`: the run has
    /// already taken long.
    void progressed(double fraction, const QString& timeLeft, bool isLong);
    /// Reports whether the window shows that a run is in progress: at once if it was started by a command; otherwise
    /// only once it takes long, because most answers to edits arrive before a button could be read.
    void showsRunningChanged(bool shows);
    /// Emitted when another run is shown; every part of the window gets it from this signal.
    void shownChanged(std::shared_ptr<const data::ShownRun> run);
    /// Emitted when a run was shown, has failed or was cancelled.
    void runEnded();
    /// Emitted when every part has received the shown run with its causes. The log follows (RunLogBuilder::settled).
    void settled();
    void failed(const QString& text);
    void stopped();
    void pinnedChanged(std::shared_ptr<const data::ShownRun> run);
    /// Emitted when the return value of isRunning(), isStale(), differs() or isAnswering() may have changed.
    void stateChanged();
    /// Emitted when the numbers of a kept run have been read; its run follows.
    void keptOpened(const ui::KeptRun& run);

private:
    struct Awaited {
        std::optional<engine::Experiment> experiment;  ///< empty: whichever run is in progress
        Then then;
    };

    bool isShown(const engine::Experiment& experiment) const;
    void request(const engine::Experiment& experiment, bool asked);
    void show(Run run);
    void callAwaited();
    void setShowsRunning(bool shows);
    void reportProgress(double fraction);

    ExperimentModel& m_experiment;
    Run m_shown, m_pinned;
    bool m_asked = false;
    bool m_followsEdits = false;
    bool m_dragging = false;
    bool m_showsRunning = false;
    std::optional<engine::Experiment>
        m_requested;  ///< the experiment of the latest full run, whether or not it succeeded
    std::optional<Awaited> m_awaited;
    QElapsedTimer m_runTime;
    CatalogueSession m_catalogue;
    RunSession m_session;  // last: it is destroyed before anything that it could call
};

}  // namespace ui
