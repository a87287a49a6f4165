#pragma once

#include "data/experiment/experiment_document.h"
#include "data/store/run_catalogue.h"
#include "data/store/store.h"
#include "data/sweep/sweep_shelf.h"
#include "ui/shared/run_session.h"

#include <QObject>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ui {

/// The runs and sweeps of the store as they were at one moment. Never changed once it is here.
struct CatalogueSnapshot {
    data::CatalogueQuery query;            ///< what it answers
    std::vector<data::CatalogueRow> rows;  ///< newest first
    std::vector<data::StoredSweep> sweeps;
    std::vector<std::string> tags;  ///< in use
    std::size_t runs = 0;           ///< of the whole store
    std::size_t removed = 0;        ///< in its trash
    std::uint64_t changes = 0;      ///< number of the last change that had been made when it was read
};

/// A kept run in full, without its trace.
struct KeptRun {
    data::StoredRun stored;
    data::ExperimentDraft draft;
    engine::Experiment experiment;  ///< the draft under its presets
    engine::RunResult result;
};

/// Keeps runs in a store, lists, reads and changes them, on a thread of its own, so that the window never waits for it.
/// What another window or the command line writes is noticed while somebody watches.
/// Promise: what was asked to be written is written, also by the destructor; only answers to the newest question are
/// delivered, and nothing after the destructor has begun.
class CatalogueSession final : public QObject {
    Q_OBJECT

public:
    /// Without a path there is nothing, and nothing ever comes.
    explicit CatalogueSession(std::optional<std::string> storePath, QObject* parent = nullptr);

    bool keepsRuns() const { return m_path.has_value(); }
    /// Makes the store where there is none, and lists what is in it; `storeFailed` tells if that cannot be.
    void prepare();
    void keep(std::shared_ptr<const data::ShownRun> run, KeptFor purpose);
    /// Somebody cares about these runs: what answers an edit stays, too.
    void keepForGood(const std::vector<std::int64_t>& ids);
    /// Reads a kept run and hands it over; `openFailed` tells if it cannot be read.
    void open(std::int64_t id, std::function<void(const KeptRun& run)> then);
    /// Another question: read at once, and its answer only is delivered from now on.
    void ask(const data::CatalogueQuery& query);
    /// Lists the newest runs and asks the same question again, because something was kept: this a few times a second at
    /// most, and no more than a third of the time is spent on reading. While nobody watches it waits until somebody
    /// does.
    void refresh();
    void setWatching(bool watching);
    /// All that is known of these runs, for `described`; runs that are gone are left out.
    void describe(const std::vector<std::int64_t>& ids);

    using Change = std::function<void(data::Store&)>;
    /// Made in the order asked; the answer is its number.
    std::uint64_t change(Change change);
    /// For what takes long with the store, such as an export; `done` is called here, with what went wrong or nothing.
    void read(std::function<void(data::Store&)> job, std::function<void(const QString& problem)> done);
    /// A large value that nobody needs any more is taken apart elsewhere.
    void discard(std::shared_ptr<const CatalogueSnapshot> snapshot);

Q_SIGNALS:
    /// The newest runs, and how many there are in all.
    void newestListed(std::shared_ptr<const std::vector<data::StoredRun>> runs, qint64 all);
    void openFailed(const QString& text);
    /// A run cannot be kept. Where the store cannot be opened, this is told once, and nothing is kept any more.
    void storeFailed(const QString& text);
    void arrived(std::shared_ptr<const ui::CatalogueSnapshot> snapshot);
    void described(std::shared_ptr<const std::vector<ui::KeptRun>> runs);
    void changed(quint64 number);
    void changeFailed(quint64 number, const QString& text);
    /// The store cannot be read, in words; once for each cause. Or runs of it are damaged: which, after each snapshot.
    void readFailed(const QString& text);

private:
    // What is read knows of what was to be written before.
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

    std::unique_ptr<data::Store> m_reader;  // of the worker's thread alone, as the next four
    std::unique_ptr<data::Store> m_writer;
    std::uint64_t m_changesMade = 0;
    std::optional<std::int64_t> m_lastAnswer;  // the row that the next answer takes the place of
    bool m_givenUp = false;
    Worker m_worker;  // last: it ends first
};

}  // namespace ui
