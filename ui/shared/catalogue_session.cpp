#include "ui/shared/catalogue_session.h"

#include "data/store/kept_draft.h"

#include "ui/shared/call_later.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QTimer>

#include <algorithm>
#include <exception>

namespace ui {
namespace {

constexpr int kSoonestMs = 300;
constexpr int kRestFactor = 2;      // rests twice as long as it read
constexpr int kFileLookMs = 1'500;  // another program's writing shows by the file

KeptRun keptRun(data::Store& store, const data::StoredRun& stored) {
    data::DraftReading reading = data::draftOfKept(store, stored);
    if (!reading.problems.empty())
        throw data::StoreError(engine::describe(reading.problems.front()));
    engine::Experiment experiment = data::expand(reading.draft).experiment;
    return {stored, std::move(reading.draft), std::move(experiment), store.resultOf(stored.id)};
}

}  // namespace

CatalogueSession::CatalogueSession(std::optional<std::string> storePath, QObject* parent)
    : QObject(parent), m_path(std::move(storePath)), m_soon(new QTimer(this)), m_fileTimer(new QTimer(this)) {
    m_soon->setSingleShot(true);
    connect(m_soon, &QTimer::timeout, this, &CatalogueSession::readNow);
    m_fileTimer->setInterval(kFileLookMs);
    connect(m_fileTimer, &QTimer::timeout, this, &CatalogueSession::lookAtFile);
    if (m_path)
        m_worker = std::jthread([this](const std::stop_token& stop) { work(stop); });
}

CatalogueSession::~CatalogueSession() {
    // Changes that were asked for are made; what nobody waits for any more is not read.
    m_ending = true;
    m_worker.request_stop();
    if (m_worker.joinable())
        m_worker.join();
}

void CatalogueSession::ask(const data::CatalogueQuery& query) {
    m_query = query;
    ++m_question;
    m_reading = false;
    m_soon->stop();
    readNow();
}

void CatalogueSession::refresh() {
    m_stale = true;
    if (m_watching && !m_reading && m_query && !m_soon->isActive())
        m_soon->start(kSoonestMs);
}

void CatalogueSession::setWatching(bool watching) {
    if (m_watching == watching)
        return;
    m_watching = watching;
    if (!watching) {
        m_fileTimer->stop();
        m_soon->stop();
        return;
    }
    m_fileTimer->start();
    if (m_query && !m_reading)
        lookAtFile();
    if (m_stale && !m_reading && m_query)
        readNow();
}

void CatalogueSession::lookAtFile() {
    if (m_path && m_query && !m_reading && fileState() != m_fileRead)
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

void CatalogueSession::readNow() {
    if (!m_path || !m_query)
        return;
    // The session that runs things makes the store; until then there is nothing to read and nothing wrong.
    if (!QFileInfo::exists(QString::fromStdString(*m_path))) {
        m_stale = true;
        return;
    }
    m_reading = true;
    m_stale = false;
    m_fileRead = fileState();  // before: what is written meanwhile is news
    enqueue([this, question = m_question.load(), query = *m_query] { answer(question, query); });
}

void CatalogueSession::answer(std::uint64_t question, const data::CatalogueQuery& query) {
    if (m_ending || question != m_question)
        return;
    QElapsedTimer wall;
    wall.start();
    try {
        data::Store& store = reader();
        const data::RunCatalogue catalogue(store);
        auto snapshot = std::make_shared<CatalogueSnapshot>();
        snapshot->query = query;
        snapshot->changes = m_changesMade;
        snapshot->rows = catalogue.rows(query);
        snapshot->sweeps = data::SweepShelf(store).sweeps();
        snapshot->tags = catalogue.tagsInUse();
        snapshot->runs = query.sweep || query.trash ? catalogue.count() : snapshot->rows.size();
        snapshot->removed = catalogue.trashCount();
        const std::vector<data::DamagedRun> damaged = store.takeDamaged();
        const QString leftOut =
            damaged.empty() ? QString() : QString::fromStdString(*m_path + ": left out " + data::describe(damaged));
        deliver([this, question, snapshot, leftOut, took = wall.elapsed()] {
            if (question != m_question)
                return;
            arrive(snapshot, took);
            if (!leftOut.isEmpty())
                Q_EMIT readFailed(leftOut);
        });
    } catch (const std::exception& error) {
        m_reader.reset();
        deliver([this, question, text = QString::fromUtf8(error.what())] {
            if (question == m_question)
                failReading(text);
        });
    }
}

void CatalogueSession::arrive(std::shared_ptr<const CatalogueSnapshot> snapshot, qint64 tookMs) {
    m_reading = false;
    m_lastFailure.clear();
    if (m_stale && m_watching)
        m_soon->start(std::max(kSoonestMs, static_cast<int>(tookMs) * kRestFactor));
    Q_EMIT arrived(std::move(snapshot));
}

void CatalogueSession::failReading(const QString& text) {
    m_reading = false;
    if (text != m_lastFailure) {
        m_lastFailure = text;
        Q_EMIT readFailed(text);
    }
}

void CatalogueSession::describe(const std::vector<std::int64_t>& ids) {
    if (!m_path)
        return;
    enqueue([this, ids, asked = ++m_describing] {
        if (m_ending || asked != m_describing)
            return;
        auto runs = std::make_shared<std::vector<KeptRun>>();
        try {
            data::Store& store = reader();
            for (const std::int64_t id : ids) {
                if (const auto stored = store.runWithId(id))
                    runs->push_back(keptRun(store, *stored));
            }
        } catch (const std::exception& error) {
            deliver([this, text = QString::fromUtf8(error.what())] { failReading(text); });
        }
        deliver([this, asked, runs = std::shared_ptr<const std::vector<KeptRun>>(std::move(runs))] {
            if (asked == m_describing)
                Q_EMIT described(runs);
        });
    });
}

std::uint64_t CatalogueSession::change(Change change) {
    const std::uint64_t number = ++m_change;
    if (!m_path)
        return number;
    enqueue([this, number, change = std::move(change)] {
        try {
            change(writer());
            m_changesMade = number;
            deliver([this, number] {
                Q_EMIT changed(number);
                refresh();
            });
        } catch (const std::exception& error) {
            m_writer.reset();
            m_changesMade = number;  // it is over, too
            deliver([this, number, text = QString::fromUtf8(error.what())] {
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
    enqueue([this, job = std::move(job), done = std::move(done)] {
        QString problem;
        try {
            job(reader());
        } catch (const std::exception& error) { problem = QString::fromUtf8(error.what()); }
        deliver([done, problem] { done(problem); });
    });
}

void CatalogueSession::discard(std::shared_ptr<const CatalogueSnapshot> snapshot) {
    if (m_path && snapshot)
        enqueue([snapshot = std::move(snapshot)] {});
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

void CatalogueSession::deliver(std::function<void()> verdict) { callLater(*this, std::move(verdict)); }

void CatalogueSession::enqueue(Job job) {
    {
        const std::lock_guard lock(m_mutex);
        m_jobs.push_back(std::move(job));
    }
    m_wake.notify_one();
}

void CatalogueSession::work(const std::stop_token& stop) {
    for (;;) {
        Job job;
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait(lock, stop, [this] { return !m_jobs.empty(); });
            if (m_jobs.empty())
                return;
            job = std::move(m_jobs.front());
            m_jobs.pop_front();
        }
        job();
    }
}

}  // namespace ui
