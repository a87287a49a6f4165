#pragma once

#include "data/experiment/experiment_document.h"
#include "data/store/run_catalogue.h"
#include "data/store/store.h"
#include "data/sweep/sweep_store.h"
#include "ui/shared/run_session.h"

#include <QObject>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ui {

/// An immutable snapshot of the runs and sweeps of the store.
struct CatalogueSnapshot {
    data::CatalogueQuery query;            ///< the query that the snapshot answers
    std::vector<data::CatalogueRow> rows;  ///< newest first
    std::vector<data::StoredSweep> sweeps;
    std::vector<std::string> tags;  ///< the tags in use
    std::size_t runs = 0;           ///< number of runs in the whole store
    std::size_t removed = 0;        ///< number of runs in its trash
    std::uint64_t changes = 0;      ///< number of the last change that was made before the snapshot was read
};

/// A kept run with all its data except the trace.
struct KeptRun {
    data::StoredRun stored;
    data::ExperimentDraft draft;
    engine::Experiment experiment;  ///< the draft with its presets expanded
    engine::RunResult result;
};

/// Keeps runs in a store, and lists, reads and changes them on a worker thread, so that the window never waits for the
/// store. While watched, it notices changes by another window or the command line. Promise: all requested writes are
/// made, even if the destructor has to do it; only the answer to the newest query is delivered, and nothing is
/// delivered after the destructor has begun.
class CatalogueSession final : public QObject {
    Q_OBJECT

public:
    /// Without a path there is no store: all calls do nothing, and no signal is emitted.
    explicit CatalogueSession(std::optional<std::string> storePath, QObject* parent = nullptr);

    bool keepsRuns() const { return m_path.has_value(); }
    /// Creates the store if there is none, and lists its content. Emits `storeFailed` if that is impossible.
    void prepare();
    void keep(std::shared_ptr<const data::ShownRun> run, KeptFor purpose);
    /// Keeps these runs for good, including those that answered an edit and would otherwise be replaced.
    void keepForGood(const std::vector<std::int64_t>& ids);
    /// Reads a kept run and passes it to `then`; emits `openFailed` if it cannot be read.
    void open(std::int64_t id, std::function<void(const KeptRun& run)> then);
    /// Sets the query and reads its answer at once. From now on only answers to this query are delivered.
    void ask(const data::CatalogueQuery& query);
    /// Lists the newest runs and repeats the query because a run was kept. This happens a few times a second at most,
    /// and reading takes at most a third of the time. If nobody is watching, it waits until somebody is.
    void refresh();
    void setWatching(bool watching);
    /// Reads all details of these runs and emits `described`; leaves out runs that no longer exist.
    void describe(const std::vector<std::int64_t>& ids);

    using Change = std::function<void(data::Store&)>;
    /// Queues a change of the store and returns its number. Changes are made in the order of the calls.
    std::uint64_t change(Change change);
    /// Runs `job`, which takes long with the store (such as an export), on the worker thread. `done` is called on this
    /// thread with the error message, or with an empty text.
    void read(std::function<void(data::Store&)> job, std::function<void(const QString& problem)> done);
    /// Destroys a large snapshot on the worker thread.
    void discard(std::shared_ptr<const CatalogueSnapshot> snapshot);

Q_SIGNALS:
    /// Reports the newest runs and the number of all runs.
    void newestListed(std::shared_ptr<const std::vector<data::StoredRun>> runs, qint64 all);
    void openFailed(const QString& text);
    /// Emitted when a run cannot be kept. If the store cannot be opened, this is emitted once, and no run is kept from
    /// then on.
    void storeFailed(const QString& text);
    void arrived(std::shared_ptr<const ui::CatalogueSnapshot> snapshot);
    void described(std::shared_ptr<const std::vector<ui::KeptRun>> runs);
    void changed(quint64 number);
    void changeFailed(quint64 number, const QString& text);
    /// Emitted when the store cannot be read, once for each cause, with a message. Also emitted after each snapshot
    /// that has damaged runs, with their names.
    void readFailed(const QString& text);

private:
    // The lanes of the worker. A read begins after the writes that were requested before it.
    enum Lane : std::size_t { kInTurn, kNewest, kQuestion, kDescription };

    bool isReading() const { return m_worker.isRunning(kQuestion); }
    bool hasStore() const;
    void keepIn(data::Store& store, const data::ShownRun& run, KeptFor purpose);
    void write(Change job);
    void listNewest();
    void readNow();
    void answer(const data::CatalogueQuery& query, const Worker::Ticket& ticket);
    void arrive(std::shared_ptr<const CatalogueSnapshot> snapshot, qint64 tookMs);
    void failReading(const QString& text);
    void lookAtFile();
    QString fileState() const;
    data::Store& reader();
    data::Store& writer();

    std::optional<std::string> m_path;
    std::optional<data::CatalogueQuery> m_query;
    std::uint64_t m_change = 0;
    bool m_stale = false, m_watching = false;
    QString m_fileRead, m_lastFailure;
    QTimer m_soon, m_fileTimer;

    std::unique_ptr<data::Store> m_reader;  // used by the worker thread only, as are the next four
    std::unique_ptr<data::Store> m_writer;
    std::uint64_t m_changesMade = 0;
    std::optional<std::int64_t> m_lastAnswer;  // the row of the last answer to an edit, which the next answer replaces
    bool m_givenUp = false;
    Worker m_worker;  // last: it is destroyed first
};

}  // namespace ui
