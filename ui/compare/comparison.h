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

/// One of several runs that are wanted side by side.
struct CompareJob {
    int key = 0;  ///< what its answer is called
    data::ExperimentDraft draft;
    std::optional<std::int64_t> kept;  ///< instead of the draft: that of a kept run, whose trace is not kept
    std::string keptHash;              ///< what that run must be of, where that is known; another store has other runs
};

/// Runs several experiments with trace and attribution, one after the other on a thread of its own, and hands each over
/// as soon as it is there. Keeps nothing: what is compared was asked for in passing.
/// Only the newest request counts.
class CompareSession final : public QObject {
    Q_OBJECT

public:
    /// The store of `config` is only read.
    explicit CompareSession(RunSessionConfig config, QObject* parent = nullptr);

    /// Replaces what is under way.
    void start(std::vector<CompareJob> jobs);
    /// At once for whoever asks; the worker follows at its next poll.
    void cancel();
    bool isRunning() const { return m_worker.isRunning(); }

Q_SIGNALS:
    void runStarted();
    /// Of all jobs together.
    void progressChanged(double fraction);
    void runFinished(int key, std::shared_ptr<const data::ShownRun> run);
    /// This one cannot be run; the others go on.
    void runFailed(int key, const QString& text);
    void allFinished();
    void runStopped();

private:
    void runAll(const std::vector<CompareJob>& jobs, const Worker::Ticket& ticket);
    void runOne(const CompareJob& job, const Worker::Ticket& ticket, const std::function<void(double)>& progress);
    data::ExperimentDraft draftOf(const CompareJob& job) const;

    RunSessionConfig m_config;
    std::shared_ptr<engine::BaselineCache> m_cache;  // policies share what their ratios need
    Worker m_worker;                                 // last: it ends first
};

inline constexpr std::size_t kMostCompared = 4;

/// What somebody chose to see beside other runs.
struct ComparePick {
    enum class Kind : std::uint8_t {
        shown,    ///< the run that the window shows, whichever that is
        policy,   ///< its experiment under the policy `name`
        machine,  ///< its experiment on the machine `name`
        rule,     ///< its experiment under the rule of dispatch `name`
        pinned,   ///< the run that the window has pinned
        kept      ///< run `id` of the store; `name`: the hash of its experiment, where that is known
    };
    Kind kind{};
    std::string name{};
    std::int64_t id = 0;
    bool operator==(const ComparePick&) const = default;
};

/// The experiment of a policy, a machine or a rule of dispatch, made from the shown one: as if that alone had been chosen in the form.
data::ExperimentDraft draftOf(const ComparePick& pick, const data::ExperimentDraft& shown);

QJsonValue toJson(const std::vector<ComparePick>& picks);
/// Nothing where one of them makes no sense.
std::optional<std::vector<ComparePick>> picksFrom(const QJsonValue& kept);

/// One of the compared runs. `key` stays with it wherever it is moved.
struct ComparedRun {
    int key = 0;
    ComparePick pick;
    std::shared_ptr<const data::ShownRun> run;  ///< what there is to see now; null before the first
    QString failure;                            ///< why there is no newer one; empty: there is, or it is on its way
    std::optional<data::ExperimentDraft> answered{};  ///< what was run last, whatever came of it
};

/// The runs that are compared, in order: the first, A, is what the others are measured by. Follows the run that the window
/// shows and the one it has pinned, runs what is missing in the background, and only while somebody looks; what is
/// there stays until its successor is.
class Comparison final : public QObject {
    Q_OBJECT

public:
    explicit Comparison(const RunSessionConfig& config, QObject* parent = nullptr);

    const std::vector<ComparedRun>& runs() const { return m_runs; }
    CompareSession& session() { return m_session; }
    /// All that is wanted is there, or has failed.
    bool isComplete() const { return !m_session.isRunning() && m_shown != nullptr; }

    /// The window shows another run; a preview, made in passing, changes nothing.
    void setShown(std::shared_ptr<const data::ShownRun> run);
    void setPinned(std::shared_ptr<const data::ShownRun> run);
    const std::shared_ptr<const data::ShownRun>& shown() const { return m_shown; }
    bool hasPinned() const { return m_pinned != nullptr; }
    void setWatched(bool watched);

    /// One to kMostCompared of them; else nothing changes.
    void setPicks(std::vector<ComparePick> picks);
    std::vector<ComparePick> picks() const;
    bool contains(const ComparePick& pick) const;
    bool canAdd() const { return m_runs.size() < kMostCompared; }
    void add(const ComparePick& pick);
    /// The last one stays.
    void remove(std::size_t index);
    void move(std::size_t index, int by);
    /// A becomes B and B becomes A.
    void swap() { move(0, 1); }
    /// What failed or was cancelled, once more.
    void retry();

    SyncMode mode() const { return m_mode; }
    void setMode(SyncMode mode);
    bool showsGhost() const { return m_ghost; }
    void setGhost(bool ghost);
    /// By the chosen way to set runs side by side. Looked up once a run.
    const SyncTimes& timesOf(const std::shared_ptr<const data::ShownRun>& run) const;
    /// From the shown run's time to that of a compared one.
    data::TimeMap mapTo(std::size_t index) const;
    /// Until when, in the shown run's time, there is something to see.
    std::int64_t reach() const;

    QJsonValue save() const;
    bool restore(const QJsonValue& kept);

Q_SIGNALS:
    /// Other runs, or another order.
    void runsChanged();
    /// The run of this key is there, or is not to be had.
    void answered(int key);
    /// Mode, ghost, or what the times are measured by.
    void syncChanged();

private:
    std::optional<data::ExperimentDraft> wantedOf(const ComparedRun& compared) const;
    std::optional<CompareJob> jobOf(const ComparedRun& compared) const;
    /// A run that the window has already, for as long as there is no better one.
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
    CompareSession m_session;  // last: it ends before anything that it could deliver to
};

/// What tells these experiments from each other, each by its policy first: "T3-MCA", "T3-MCA on t3-2x-cu",
/// "T3-MCA, link bandwidth 75 GB/s". No two names are the same.
QStringList namesOf(const std::vector<const engine::Experiment*>& experiments);

/// "A" for the first.
QString letterOf(std::size_t index);

}  // namespace ui
