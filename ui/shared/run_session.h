#pragma once

#include "data/experiment/experiment_document.h"
#include "data/laboratory/laboratory.h"
#include "data/replay/shown_run.h"
#include "data/store/store.h"
#include "ui/shared/worker.h"

#include <QObject>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ui {

/// How a session runs things and where it keeps them. Fixed before the session starts.
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
    bool isRunning() const { return m_worker.isRunning(kRun); }

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
    enum Lane : std::size_t { kRun, kStore };  // a run goes before the store's business: somebody looks at the window
    using StoreJob = std::function<void(data::Store&)>;

    void begin(const data::ExperimentDraft& draft, Purpose purpose);
    void simulate(const data::ExperimentDraft& draft, Purpose purpose, const Worker::Ticket& ticket);
    void keep(data::Store& store, const data::ShownRun& run, Purpose purpose);
    void withStore(const StoreJob& job);
    void end(const std::function<void()>& verdict);
    void enqueue(StoreJob job);
    void listRuns(data::Store& store);

    RunSessionConfig m_config;
    bool m_previewing = false;
    std::optional<data::ExperimentDraft> m_nextPreview;

    std::unique_ptr<data::Store> m_store;      // of the worker's thread alone, as the next two
    std::optional<std::int64_t> m_lastAnswer;  // the row that the next answer takes the place of
    bool m_storeGivenUp = false;               // one message about a store is enough
    Worker m_worker;                           // last: it ends first
};

}  // namespace ui
