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

/// Which run the window shows, which one is pinned, and what is under way. The only object that starts runs of the
/// experiment. When a run has come, its signals follow in this order: shownChanged, runEnded, what whenShown() was given,
/// settled.
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
    /// Whether the run under way, or the one shown last, was asked for by name; false for the answer to an edit.
    bool wasAskedFor() const { return m_asked; }
    /// Whether the picture shows other settings than the experiment's, and no answer to an edit is on its way.
    bool isStale() const;
    /// Whether the experiment as it stands is what the session runs now.
    bool isAnswering() const;
    /// Whether the run that is shown is not the experiment's.
    bool differs() const;

    /// Asks whoever holds typed text that is not taken in yet to do that now.
    void commit() { Q_EMIT commitRequested(); }
    /// Runs the experiment as it stands, or says why that cannot be done, and asks for the picture of the run to be
    /// brought to the front.
    void run();
    /// Runs the experiment and leaves the view as it is.
    void runInPlace();
    /// Answers edits by runs from now on, or no longer. Runs nothing yet: answerEdit() runs what was edited before.
    void setFollowsEdits(bool follows);
    /// Runs what an edit has made of the experiment, if runs follow edits. `dragging`: while a slider is held, the run
    /// is a preview.
    void answerEdit(bool dragging);
    bool isDragging() const { return m_dragging; }
    void cancel();
    /// Reads a kept run: its numbers are there at once (keptOpened), and its experiment becomes the window's and is run
    /// again for its trace. Calls `then` when that is shown.
    void openKept(std::int64_t id, Then then = {});
    /// Reads a kept run and makes its experiment the window's, without running it.
    void openAsExperiment(std::int64_t id);
    /// Calls `then` once, when `draft` is shown: at once if it is, else after the run under way if that is the draft's,
    /// else after a run of its own, which leaves the experiment as it is. A newer request drops it.
    void whenShown(const data::ExperimentDraft& draft, Then then);
    /// Calls `then` once, when the run that is under way is shown.
    void whenShown(Then then);
    /// Drops what waits for a run to be shown.
    void dropAwaited() { m_awaited.reset(); }

    /// Keeps `run` in sight beside others and in the store for good; null lets go of the pinned one.
    void pin(Run run);
    /// Keeps `run` in sight beside others, without keeping it for good.
    void outline(Run run);

Q_SIGNALS:
    /// The experiment is about to be run by name, or replaced: whoever holds typed text that is not taken in yet does that
    /// now.
    void commitRequested();
    /// The picture of the run is to come to the front.
    void pictureRequested();
    /// A run was asked for by name and starts.
    void accepted();
    /// The experiment cannot be run, for this reason.
    void refused(const QString& why);
    void started();
    /// How much of the run is done, and in words how long it takes still, as soon as that is known. `isLong`: it already
    /// takes long.
    void progressed(double fraction, const QString& timeLeft, bool isLong);
    /// Whether the window says that a run is under way: from the start if it was asked for by name, else once it takes
    /// long, since the answer to an edit is mostly there before a button could be read.
    void showsRunningChanged(bool shows);
    /// Another run is to be shown; every part takes it from here.
    void shownChanged(std::shared_ptr<const data::ShownRun> run);
    /// A run was shown, has failed or was cancelled.
    void runEnded();
    /// Every part has taken the run that is shown, with its causes. Its log follows (RunLogBuilder::settled).
    void settled();
    void failed(const QString& text);
    void stopped();
    void pinnedChanged(std::shared_ptr<const data::ShownRun> run);
    /// What isRunning(), isStale(), differs() or isAnswering() return may have changed.
    void stateChanged();
    /// The numbers of a kept run are there; its run follows.
    void keptOpened(const ui::KeptRun& run);

private:
    struct Awaited {
        std::optional<engine::Experiment> experiment;  ///< nothing: whatever run is under way
        Then then;
    };

    bool isShown(const engine::Experiment& experiment) const;
    void request(const engine::Experiment& experiment, bool asked);
    void show(Run run);
    void callAwaited();
    void setShowsRunning(bool shows);
    void tellProgress(double fraction);

    ExperimentModel& m_experiment;
    Run m_shown, m_pinned;
    bool m_asked = false;
    bool m_followsEdits = false;
    bool m_dragging = false;
    bool m_showsRunning = false;
    std::optional<engine::Experiment> m_requested;  ///< what was last run in full, whatever came of it
    std::optional<Awaited> m_awaited;
    QElapsedTimer m_runTime;
    CatalogueSession m_catalogue;
    RunSession m_session;  // last: it ends before anything that it could deliver to
};

}  // namespace ui
