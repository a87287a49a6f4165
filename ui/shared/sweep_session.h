#pragma once

#include "data/questions/break_even.h"
#include "data/sweep/sweep_runner.h"
#include "data/sweep/sweep_table.h"

#include <QObject>
#include <QString>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

class QTemporaryDir;
class QTimer;

namespace ui {

/// Where sweeps are kept and how they run. Fixed before the session starts.
struct SweepSessionConfig {
    using Run = std::function<data::SweepSummary(const data::SweepPlan&, const std::string& storePath,
                                                 const data::SweepOptions&, const data::SweepPause*)>;

    std::optional<std::string> storePath;  ///< nothing: a store of its own, which goes with the session
    int threads = 0;                       ///< 0: as many as there are processors
    Run run{};                             ///< empty: data::runSweep
};

/// What is known of a sweep that is not running.
struct SweepLook {
    std::string id;
    data::SweepOutlook outlook;
    bool started = false;                           ///< the store knows the sweep, and not only some of its points
    std::shared_ptr<const data::SweepTable> table;  ///< as far as it is done
};

/// Looks sweeps up in the store and runs them, all on one thread of its own, so that the window never waits. Only the
/// newest request counts: what arrives late is dropped. Points that end are told ten times a second at most.
/// Promise: the destructor stops a sweep at its next poll and joins; nothing is delivered afterwards.
class SweepSession final : public QObject {
    Q_OBJECT

public:
    explicit SweepSession(SweepSessionConfig config, QObject* parent = nullptr);
    ~SweepSession() override;

    /// What a start would do and what is there already; `looked` tells. Waits for the end of a sweep under way.
    /// Precondition, as of `start`: data::check finds nothing.
    void look(const data::Sweep& sweep);
    /// A look that has not been answered is no longer wanted.
    void dropLook();
    void start(const data::Sweep& sweep, bool retryFailed = false);
    /// Points under way come to their end; no other begins until it goes on.
    void setPaused(bool paused);
    bool isPaused() const { return m_pause.isSet(); }
    /// At once for whoever asks; the worker follows at its next poll.
    void cancel();
    bool isRunning() const { return m_running; }
    /// Searches for where a number tips over a target, after what is under way; `solved` or `solveFailed` tells.
    void solve(const data::BreakEvenQuestion& question);
    void cancelSolving();
    bool isSolving() const { return m_solving; }
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
    struct Request {
        data::Sweep sweep;
        std::uint64_t generation = 0;
        bool retryFailed = false;
        std::stop_source stop;
    };

    struct Question {
        data::BreakEvenQuestion question;
        std::uint64_t generation = 0;
        std::stop_source stop;
    };
    /// The next thing to do: a run before a question before a look.
    struct Job {
        std::optional<Request> run, look;
        std::optional<Question> question;
    };

    void work(const std::stop_token& stop);
    Job nextJob();
    void answer(const Question& question);
    void lookUp(const Request& request);
    void run(const Request& request);
    void show();
    void end();

    SweepSessionConfig m_config;
    std::unique_ptr<QTemporaryDir> m_ownFolder;
    QTimer* m_timer;
    bool m_running = false, m_solving = false;
    std::uint64_t m_lookGeneration = 0, m_runGeneration = 0, m_solveGeneration = 0;
    std::stop_source m_lookStop, m_runStop, m_solveStop;
    data::SweepPause m_pause;

    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::optional<Request> m_lookRequest, m_runRequest;  // guarded by m_mutex, as the next
    std::optional<Question> m_question;
    std::shared_ptr<const data::SweepTable> m_newTable;
    std::optional<data::SweepProgress> m_newProgress;
    std::jthread m_worker;  // last: it starts when everything above is there, and ends first
};

}  // namespace ui
