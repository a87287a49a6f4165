#pragma once

#include "data/experiment/experiment_document.h"
#include "data/replay/shown_run.h"
#include "ui/compare/run_sync.h"
#include "ui/shared/run_session.h"
#include "ui/shared/worker.h"

#include <QJsonValue>
#include <QObject>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace engine {
class BaselineCache;
}

namespace ui {

/// One of several experiments to run for a comparison.
struct CompareJob {
    int key = 0;  ///< identifies the result
    data::ExperimentDraft draft;
    std::optional<std::int64_t> kept;  ///< use the draft of this kept run, which has no kept trace, in place of `draft`
    std::string keptHash;  ///< hash that the kept run's experiment must have, if known; another store has other runs
};

/// Runs several experiments with trace and attribution, one after the other on a worker thread, and delivers each as
/// soon as it has ended. Stores no runs, because compared runs are only looked at. Only the newest request counts.
class CompareSession final : public QObject {
    Q_OBJECT

public:
    /// The store of `config` is only read, never written.
    explicit CompareSession(RunSessionConfig config, QObject* parent = nullptr);

    /// Starts these jobs in place of those in progress.
    void start(std::vector<CompareJob> jobs);
    /// Cancels the jobs. The session reports that at once; the worker stops at its next poll.
    void cancel();
    bool isRunning() const { return m_worker.isRunning(); }

Q_SIGNALS:
    void runStarted();
    /// The progress of all jobs together, 0 to 1.
    void progressChanged(double fraction);
    void runFinished(int key, std::shared_ptr<const data::ShownRun> run);
    /// This job failed; the others continue.
    void runFailed(int key, const QString& text);
    void allFinished();
    void runStopped();

private:
    void runAll(const std::vector<CompareJob>& jobs, const Worker::Ticket& ticket);
    void runOne(const CompareJob& job, const Worker::Ticket& ticket, const std::function<void(double)>& progress);
    data::ExperimentDraft draftOf(const CompareJob& job) const;

    RunSessionConfig m_config;
    std::shared_ptr<engine::BaselineCache> m_cache;  // the policies share the baselines of their ratios
    Worker m_worker;                                 // last: it is destroyed first
};

inline constexpr std::size_t kMostCompared = 4;

/// The user's choice of a run to compare.
struct ComparePick {
    enum class Kind : std::uint8_t {
        shown,    ///< the run that the window shows
        policy,   ///< the shown experiment under the policy `name`
        machine,  ///< the shown experiment on the machine `name`
        rule,     ///< the shown experiment under the dispatch rule `name`
        /// The shown experiment with the collective algorithm `name`; under `sequential` if it cannot run under the
        /// shown policy.
        algorithm,
        pinned,  ///< the run that the window has pinned
        kept     ///< run `id` of the store; `name`: the hash of its experiment, if known
    };
    Kind kind{};
    std::string name{};
    std::int64_t id = 0;
    bool operator==(const ComparePick&) const = default;
};

/// Returns the shown experiment with another policy, machine, dispatch rule or algorithm, as if only that had been
/// changed in the form.
data::ExperimentDraft draftOf(const ComparePick& pick, const data::ExperimentDraft& shown);

QJsonValue toJson(const std::vector<ComparePick>& picks);
/// Reads saved picks; an empty optional if one of them is invalid.
std::optional<std::vector<ComparePick>> picksFrom(const QJsonValue& kept);

/// One of the compared runs. Its `key` stays the same when it is moved.
struct ComparedRun {
    int key = 0;
    ComparePick pick;
    std::shared_ptr<const data::ShownRun> run;  ///< the run to show now; null before the first
    QString failure;  ///< why there is no newer run; empty if `run` is the newest or a newer one is in progress
    std::optional<data::ExperimentDraft> answered{};  ///< the draft that was run last, whether or not it succeeded
};

/// The compared runs in order; the others are measured against the first one, A. Follows the shown and the pinned run
/// of the window, and simulates missing runs in the background while the view is visible. A run stays until its
/// successor is ready.
class Comparison final : public QObject {
    Q_OBJECT

public:
    explicit Comparison(const RunSessionConfig& config, QObject* parent = nullptr);

    const std::vector<ComparedRun>& runs() const { return m_runs; }
    CompareSession& session() { return m_session; }
    /// Returns whether all wanted runs are ready or have failed.
    bool isComplete() const { return !m_session.isRunning() && m_shown != nullptr; }

    /// Sets the run that the window shows. A preview is ignored.
    void setShown(std::shared_ptr<const data::ShownRun> run);
    void setPinned(std::shared_ptr<const data::ShownRun> run);
    const std::shared_ptr<const data::ShownRun>& shown() const { return m_shown; }
    bool hasPinned() const { return m_pinned != nullptr; }
    void setWatched(bool watched);

    /// Sets the picks, from one to kMostCompared; otherwise changes nothing.
    void setPicks(std::vector<ComparePick> picks);
    std::vector<ComparePick> picks() const;
    /// Returns whether the picks are those of a new comparison: the shown run and its sequential counterpart.
    bool hasFirstPicks() const;
    bool contains(const ComparePick& pick) const;
    bool canAdd() const { return m_runs.size() < kMostCompared; }
    void add(const ComparePick& pick);
    /// Removes a run; the last one stays.
    void remove(std::size_t index);
    void move(std::size_t index, int by);
    /// Swaps A and B.
    void swap() { move(0, 1); }
    /// Repeats the runs that failed or were cancelled.
    void retry();

    SyncMode mode() const { return m_mode; }
    void setMode(SyncMode mode);
    bool showsGhost() const { return m_ghost; }
    void setGhost(bool ghost);
    /// Returns the times by which runs are aligned in the chosen mode; computed once for each run.
    const SyncTimes& timesOf(const std::shared_ptr<const data::ShownRun>& run) const;
    /// Returns the mapping from the shown run's time to that of a compared run.
    data::TimeMap mapTo(std::size_t index) const;
    /// Returns the end of the longest run, in the shown run's time.
    std::int64_t reach() const;

    QJsonValue save() const;
    bool restore(const QJsonValue& kept);

Q_SIGNALS:
    /// Other runs are compared, or their order has changed.
    void runsChanged();
    /// The run with this key is ready or has failed.
    void answered(int key);
    /// The mode, the outlined run, or the times for alignment have changed.
    void syncChanged();

private:
    std::optional<data::ExperimentDraft> wantedOf(const ComparedRun& compared) const;
    std::optional<CompareJob> jobOf(const ComparedRun& compared) const;
    /// Uses the shown or the pinned run of the window if it has the wanted draft. A run without attribution is used
    /// only until the complete run is ready.
    void takeWhatIsThere(ComparedRun& compared) const;
    void takeUp();
    void follow();
    void arrive(int key, std::shared_ptr<const data::ShownRun> run, const QString& failure);
    ComparedRun* find(int key);

    struct KnownTimes {
        std::shared_ptr<const data::ShownRun> run;
        bool withChunks = false;
        SyncTimes times;
    };

    std::vector<ComparedRun> m_runs;
    mutable std::list<KnownTimes> m_times;
    std::vector<CompareJob> m_underWay;
    std::shared_ptr<const data::ShownRun> m_shown, m_pinned;
    bool m_watched = false;
    bool m_ghost = false;
    SyncMode m_mode = SyncMode::time;
    int m_lastKey = 0;
    CompareSession m_session;  // last, so that it is destroyed before the members that its signals use
};

/// Returns names that distinguish these experiments, each beginning with its policy: "T3-MCA", "T3-MCA on t3-2x-cu",
/// "T3-MCA, link bandwidth 75 GB/s". All names differ.
QStringList namesOf(const std::vector<const engine::Experiment*>& experiments);

/// Returns the letter of a run: "A" for the first.
QString letterOf(std::size_t index);

}  // namespace ui
