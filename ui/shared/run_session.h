#pragma once

#include "data/experiment/experiment_document.h"
#include "data/laboratory/laboratory.h"
#include "data/replay/shown_run.h"
#include "data/store/store.h"

#include <QObject>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

class QTimer;

namespace ui {

/// How a session runs things and where it keeps them. Fixed before the session starts.
struct RunSessionConfig {
    using Simulate = std::function<data::LaboratoryRun(const data::ExperimentDraft&, const engine::RunOptions&)>;

    std::optional<std::string> storePath;  ///< nothing: runs are not kept
    Simulate simulate;                     ///< empty: data::Laboratory
};

/// Why a run came to nothing, in words for people.
struct RunFailure {
    QString text;
    engine::Problems problems;  ///< those that belong to a field
    bool ofInput = true;  ///< what was asked for cannot be run; else the machine failed, such as for want of memory
};

/// Numbers of a kept run together with the document that made them; its trace comes from running it again.
struct OpenedRun {
    data::StoredRun stored;
    data::ExperimentDraft draft;
    engine::RunResult result;
};

/// Runs experiments and keeps them, all on one thread of its own, so that the window never waits.
/// Only the newest request counts: a run carries a generation number, and what arrives late is dropped.
/// Promise: the destructor stops a run at its next poll and joins; nothing is delivered afterwards.
class RunSession final : public QObject {
    Q_OBJECT

public:
    explicit RunSession(RunSessionConfig config, QObject* parent = nullptr);
    ~RunSession() override;

    /// Replaces a run that is under way. Its outcome is kept for good.
    void start(const data::ExperimentDraft& draft);
    /// The same in answer to an edit: its outcome is kept until the next answer, so that of a burst of edits the last
    /// one stays, and tuning does not bury what was run on purpose.
    void answer(const data::ExperimentDraft& draft);
    /// What is shown is to stay in the store, whatever it was run for.
    void keepForGood(std::shared_ptr<const data::ShownRun> run);
    /// The same for runs that are kept: somebody has given them a note, or taken them away and may want them back.
    void keepForGood(const std::vector<std::int64_t>& ids);
    /// For a value that is being dragged: runs at interactive detail and keeps nothing. Starts at once when idle or
    /// in place of a full run; while another preview is under way only the newest request waits for its end, so that
    /// the picture moves with the hand however fast it is.
    void preview(const data::ExperimentDraft& draft);
    void cancel();
    bool isRunning() const { return m_running; }

    void openRun(std::int64_t id);
    /// After somebody else has changed what is kept.
    void listAgain();
    bool keepsRuns() const { return m_config.storePath.has_value(); }

Q_SIGNALS:
    void runStarted();
    void progressChanged(double fraction);
    void runFinished(std::shared_ptr<const data::ShownRun> run);
    void runStopped();
    void runFailed(const ui::RunFailure& failure);
    void runOpened(std::shared_ptr<const ui::OpenedRun> run);
    /// The newest ones, and how many there are in all.
    void runsListed(std::shared_ptr<const std::vector<data::StoredRun>> runs, qint64 all);
    void storeFailed(const QString& text);

private:
    enum class Purpose : std::uint8_t { asked, answer, preview, pinned };
    struct RunRequest {
        data::ExperimentDraft draft;
        Purpose purpose = Purpose::asked;
        std::uint64_t generation = 0;
        std::stop_source stop;
    };
    using StoreJob = std::function<void(data::Store&)>;

    void begin(const data::ExperimentDraft& draft, Purpose purpose);
    void work(const std::stop_token& stop);
    void simulate(const RunRequest& request, std::unique_ptr<data::Store>& store);
    void keep(const data::ShownRun& run, Purpose purpose, std::unique_ptr<data::Store>& store);
    void keepIn(data::Store& store, const data::ShownRun& run, Purpose purpose);
    void withStore(std::unique_ptr<data::Store>& store, const StoreJob& job);
    void deliver(std::uint64_t generation, std::function<void()> verdict);
    void enqueue(StoreJob job);
    void listRuns(data::Store& store);

    RunSessionConfig m_config;
    QTimer* m_progressTimer;
    bool m_running = false;
    bool m_previewing = false;
    std::optional<data::ExperimentDraft> m_nextPreview;
    std::uint64_t m_generation = 0;
    std::stop_source m_runStop;

    std::atomic<double> m_progress{0};
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::optional<RunRequest> m_request;  // guarded by m_mutex, as the next
    std::deque<StoreJob> m_storeJobs;
    std::optional<std::int64_t> m_lastAnswer;  // the worker's alone: the row that the next answer takes the place of
    bool m_storeGivenUp = false;               // the worker's alone: one message about a store is enough
    std::jthread m_worker;                     // last: it starts when everything above is there, and ends first
};

}  // namespace ui
