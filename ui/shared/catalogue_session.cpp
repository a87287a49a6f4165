#include "ui/shared/catalogue_session.h"

#include "data/experiment/experiment_document.h"
#include "data/store/store.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <QFileInfo>

#include <algorithm>
#include <exception>

namespace ui {
namespace {

constexpr std::size_t kMostListed = 300;  // the newest runs; the Runs view lists all
constexpr int kSoonestMs = 300;
constexpr int kRestFactor = 2;      // the pause between readings is at least twice the time of a reading
constexpr int kFileLookMs = 1'500;  // interval of the checks for changes of the file by other programs

KeptRun keptRun(data::Store& store, const data::StoredRun& stored) {
    data::DraftReading reading = data::draftOfKept(store, stored);
    if (!reading.problems.empty())
        throw data::StoreError(engine::describe(reading.problems.front()));
    engine::Experiment experiment = data::expand(reading.draft).experiment;
    return {stored, std::move(reading.draft), std::move(experiment), store.resultOf(stored.id)};
}

}  // namespace

CatalogueSession::CatalogueSession(std::optional<std::string> storePath, QObject* parent)
    : QObject(parent), m_path(std::move(storePath)) {
    m_soon.setSingleShot(true);
    connect(&m_soon, &QTimer::timeout, this, &CatalogueSession::readNow);
    m_fileTimer.setInterval(kFileLookMs);
    connect(&m_fileTimer, &QTimer::timeout, this, &CatalogueSession::lookAtFile);
}

void CatalogueSession::prepare() {
    write([](data::Store&) {});
}

void CatalogueSession::keep(std::shared_ptr<const data::ShownRun> run, KeptFor purpose) {
    write([this, run = std::move(run), purpose](data::Store& store) { keepIn(store, *run, purpose); });
}

void CatalogueSession::keepIn(data::Store& store, const data::ShownRun& run, KeptFor purpose) {
    const std::optional<std::int64_t> there = store.find(run.run.experiment);
    const std::int64_t id =
        store.keep(run.run.name, data::writeDraft(run.run.draft), run.run.experiment, run.run.result);
    if (purpose == KeptFor::answer) {
        if (m_lastAnswer && *m_lastAnswer != id)
            store.remove(*m_lastAnswer);
        // A run that was kept for good before stays so, even if it answers an edit now.
        if (!there || there != m_lastAnswer)
            m_lastAnswer = there ? std::nullopt : std::optional(id);
    } else if (purpose == KeptFor::asked || m_lastAnswer == id) {
        m_lastAnswer.reset();  // the last answer stays: a command ended the edits, or it was pinned
    }
}

void CatalogueSession::keepForGood(const std::vector<std::int64_t>& ids) {
    m_worker.add([this, ids](const Worker::Ticket&) {
        if (m_lastAnswer && std::ranges::find(ids, *m_lastAnswer) != ids.end())
            m_lastAnswer.reset();
    });
}

void CatalogueSession::write(Change job) {
    if (!m_path)
        return;
    m_worker.add([this, job = std::move(job)](const Worker::Ticket& ticket) {
        if (m_givenUp)
            return;
        try {
            job(writer());
            ticket.finish([this] { refresh(); });
        } catch (const std::exception& error) {
            m_givenUp = m_writer == nullptr;
            ticket.finish([this, text = QString::fromUtf8(error.what())] { Q_EMIT storeFailed(text); });
        }
    });
}

void CatalogueSession::open(std::int64_t id, std::function<void(const KeptRun& run)> then) {
    if (!m_path)
        return;
    m_worker.add(
        [this, id, then = std::move(then)](const Worker::Ticket& ticket) {
            const std::optional<data::StoredRun> stored = reader().runWithId(id);
            if (!stored)
                throw data::StoreError("This run is no longer in the store.");
            ticket.finish([then, run = keptRun(reader(), *stored)] { then(run); });
        },
        [this](const QString& text) { Q_EMIT openFailed(text); });
}

void CatalogueSession::listNewest() {
    if (!hasStore())
        return;
    m_worker.start(
        [this](const Worker::Ticket& ticket) {
            auto runs = std::make_shared<const std::vector<data::StoredRun>>(reader().runs(kMostListed));
            const auto all = static_cast<qint64>(data::RunCatalogue(reader()).count());
            ticket.finish([this, runs, all] { Q_EMIT newestListed(runs, all); });
        },
        [this](const QString& text) { failReading(text); }, kNewest);
}

void CatalogueSession::ask(const data::CatalogueQuery& query) {
    m_query = query;
    m_worker.cancel(kQuestion);
    m_soon.stop();
    readNow();
}

void CatalogueSession::refresh() {
    listNewest();
    m_stale = true;
    if (m_watching && !isReading() && m_query && !m_soon.isActive())
        m_soon.start(kSoonestMs);
}

void CatalogueSession::setWatching(bool watching) {
    if (m_watching == watching)
        return;
    m_watching = watching;
    if (!watching) {
        m_fileTimer.stop();
        m_soon.stop();
        return;
    }
    m_fileTimer.start();
    if (m_query && !isReading())
        lookAtFile();
    if (m_stale && !isReading() && m_query)
        readNow();
}

void CatalogueSession::lookAtFile() {
    if (m_path && m_query && !isReading() && fileState() != m_fileRead)
        refresh();
}

QString CatalogueSession::fileState() const {
    QString state;
    for (const char* part : {"", "-wal"}) {
        const QFileInfo info(QString::fromStdString(*m_path + part));
        state += QStringLiteral("%1 %2;").arg(info.size()).arg(info.lastModified().toMSecsSinceEpoch());
    }
    return state;
}

// Returns whether there is a store file. Without one there is nothing to read, which is not an error.
bool CatalogueSession::hasStore() const { return m_path && QFileInfo::exists(QString::fromStdString(*m_path)); }

void CatalogueSession::readNow() {
    if (!m_query)
        return;
    m_stale = true;
    if (!hasStore())
        return;
    m_stale = false;
    m_fileRead = fileState();  // before reading, so that later writes count as changes
    m_worker.start([this, query = *m_query](const Worker::Ticket& ticket) { answer(query, ticket); }, {}, kQuestion);
}

void CatalogueSession::answer(const data::CatalogueQuery& query, const Worker::Ticket& ticket) {
    QElapsedTimer wall;
    wall.start();
    try {
        data::Store& store = reader();
        const data::RunCatalogue catalogue(store);
        auto snapshot = std::make_shared<CatalogueSnapshot>();
        snapshot->query = query;
        snapshot->changes = m_changesMade;
        snapshot->rows = catalogue.rows(query);
        snapshot->sweeps = data::SweepStore(store).sweeps();
        snapshot->tags = catalogue.tagsInUse();
        snapshot->runs = query.sweep || query.trash ? catalogue.count() : snapshot->rows.size();
        snapshot->removed = catalogue.trashCount();
        const std::vector<data::DamagedRun> damaged = store.takeDamaged();
        const QString leftOut =
            damaged.empty() ? QString() : QString::fromStdString(*m_path + ": left out " + data::describe(damaged));
        ticket.finish([this, snapshot, leftOut, took = wall.elapsed()] {
            arrive(snapshot, took);
            if (!leftOut.isEmpty())
                Q_EMIT readFailed(leftOut);
        });
    } catch (const std::exception& error) {
        m_reader.reset();
        ticket.finish([this, text = QString::fromUtf8(error.what())] { failReading(text); });
    }
}

void CatalogueSession::arrive(std::shared_ptr<const CatalogueSnapshot> snapshot, qint64 tookMs) {
    m_lastFailure.clear();
    if (m_stale && m_watching)
        m_soon.start(std::max(kSoonestMs, static_cast<int>(tookMs) * kRestFactor));
    Q_EMIT arrived(std::move(snapshot));
}

void CatalogueSession::failReading(const QString& text) {
    if (text != m_lastFailure) {
        m_lastFailure = text;
        Q_EMIT readFailed(text);
    }
}

void CatalogueSession::describe(const std::vector<std::int64_t>& ids) {
    if (!m_path)
        return;
    const auto describe = [this, ids](const Worker::Ticket& ticket) {
        auto runs = std::make_shared<std::vector<KeptRun>>();
        try {
            data::Store& store = reader();
            for (const std::int64_t id : ids) {
                if (const auto stored = store.runWithId(id))
                    runs->push_back(keptRun(store, *stored));
            }
        } catch (const std::exception& error) {
            ticket.deliver([this, text = QString::fromUtf8(error.what())] { failReading(text); });
        }
        ticket.finish([this, runs] { Q_EMIT described(runs); });
    };
    m_worker.start(describe, {}, kDescription);
}

std::uint64_t CatalogueSession::change(Change change) {
    const std::uint64_t number = ++m_change;
    if (!m_path)
        return number;
    m_worker.add([this, number, change = std::move(change)](const Worker::Ticket& ticket) {
        try {
            change(writer());
            m_changesMade = number;
            ticket.finish([this, number] {
                Q_EMIT changed(number);
                refresh();
            });
        } catch (const std::exception& error) {
            m_writer.reset();
            m_changesMade = number;  // a failed change is finished, too
            ticket.finish([this, number, text = QString::fromUtf8(error.what())] {
                Q_EMIT changeFailed(number, text);
                refresh();
            });
        }
    });
    return number;
}

void CatalogueSession::read(std::function<void(data::Store&)> job, std::function<void(const QString& problem)> done) {
    if (!m_path)
        return;
    m_worker.add(
        [this, job = std::move(job), done](const Worker::Ticket& ticket) {
            job(reader());
            ticket.finish([done] { done({}); });
        },
        done);
}

void CatalogueSession::discard(std::shared_ptr<const CatalogueSnapshot> snapshot) {
    if (m_path && snapshot)
        m_worker.add([snapshot = std::move(snapshot)](const Worker::Ticket&) {});
}

data::Store& CatalogueSession::reader() {
    if (!m_reader)
        m_reader = std::make_unique<data::Store>(*m_path, data::Store::Mode::readOnly);
    return *m_reader;
}

data::Store& CatalogueSession::writer() {
    if (!m_writer)
        m_writer = std::make_unique<data::Store>(*m_path);
    return *m_writer;
}

}  // namespace ui
