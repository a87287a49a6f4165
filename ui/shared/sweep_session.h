#pragma once

#include "data/questions/break_even.h"
#include "data/sweep/sweep_document.h"
#include "data/sweep/sweep_runner.h"
#include "ui/shared/worker.h"

#include <QObject>
#include <QString>
#include <QThread>

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

class QTemporaryDir;

namespace ui {

/// The settings of a session: where sweeps are kept and how they run. Fixed before the session starts.
struct SweepSessionConfig {
    using Run = std::function<data::SweepSummary(const data::SweepPlan&, const std::string& storePath,
                                                 const data::SweepOptions&, const data::SweepPause*)>;

    std::optional<std::string> storePath;  ///< empty: a temporary store, which is removed with the session
    int threads = QThread::idealThreadCount();
    Run run{};  ///< empty: data::runSweep
};

/// The content of the store for a sweep that is not running.
struct SweepLook {
    std::string id;
    data::SweepOutlook outlook;
    bool started = false;                           ///< true: the store knows the sweep, not only some of its points
    std::shared_ptr<const data::SweepTable> table;  ///< the table, as far as points are done
};

/// Looks sweeps up in the store and runs them, all on one worker thread, so that the window never waits. Only the
/// newest request counts: late answers are dropped. Points that have ended are announced ten times a second at most.
/// Promise: the destructor stops a sweep at its next poll and joins the thread; nothing is delivered afterwards.
class SweepSession final : public QObject {
    Q_OBJECT

public:
    explicit SweepSession(SweepSessionConfig config, QObject* parent = nullptr);
    ~SweepSession() override;

    /// Determines what a start would do and which points exist already; emits `looked`. Waits for the end of a sweep in
    /// progress. Precondition, as for `start`: data::check finds no problem.
    void look(const data::Sweep& sweep);
    /// Drops a look that has not been answered yet.
    void dropLook() { m_worker.cancel(kLook); }
    void start(const data::Sweep& sweep, bool retryFailed = false);
    /// Pauses or resumes. Points in progress finish; no other point begins while paused.
    void setPaused(bool paused);
    bool isPaused() const { return m_pause.isSet(); }
    /// Cancels the sweep. The session reports that at once; the worker stops at its next poll.
    void cancel();
    bool isRunning() const { return m_worker.isRunning(kRun); }
    /// Searches for the value at which a metric reaches a target, after the work in progress; emits `solved` or
    /// `solveFailed`.
    void solve(const data::BreakEvenQuestion& question);
    void cancelSolving() { m_worker.cancel(kSolve); }
    bool isSolving() const { return m_worker.isRunning(kSolve); }
    int threads() const { return m_config.threads; }
    const std::string& storePath() const { return *m_config.storePath; }

Q_SIGNALS:
    void looked(std::shared_ptr<const ui::SweepLook> look);
    void lookFailed(const QString& text);
    void runStarted();
    void tableChanged(std::shared_ptr<const data::SweepTable> table);
    void progressChanged(const data::SweepProgress& progress);
    void pausedChanged(bool paused);
    void runFinished(const data::SweepSummary& summary);
    void runStopped();
    void runFailed(const QString& text);
    void solved(std::shared_ptr<const data::BreakEven> answer);
    void solveFailed(const QString& text);

private:
    enum Lane : std::size_t { kRun, kSolve, kLook };

    void answer(const data::BreakEvenQuestion& question, const Worker::Ticket& ticket);
    void lookUp(const data::Sweep& sweep, const Worker::Ticket& ticket);
    void run(const data::Sweep& sweep, bool retryFailed, const Worker::Ticket& ticket);
    void show();
    void end(const std::function<void()>& verdict);

    SweepSessionConfig m_config;
    std::unique_ptr<QTemporaryDir> m_ownFolder;
    data::SweepPause m_pause;

    std::mutex m_mutex;
    std::shared_ptr<const data::SweepTable> m_newTable;  // guarded by m_mutex, as the next
    std::optional<data::SweepProgress> m_newProgress;
    Worker m_worker;  // last: it is destroyed first
};

}  // namespace ui
