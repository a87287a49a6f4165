#include "data/store/store.h"

#include "data/experiment/experiment_document.h"
#include "data/results/result_document.h"
#include "data/results/result_json.h"
#include "data/store/kept_run.h"
#include "data/store/store_connection.h"
#include "engine/api/runner.h"

#include <algorithm>
#include <utility>

namespace data {
namespace {

constexpr int kStoreIndent = 2;
constexpr const char* kColumns =
    "SELECT id, name, experiment_hash, engine_version, draft, created_unix_ms, total_ps, speedup FROM run ";

StoredRun rowOf(SQLite::Statement& row) {
    StoredRun run{row.getColumn(0).getInt64(),  row.getColumn(1).getString(),
                  row.getColumn(2).getString(), row.getColumn(3).getString(),
                  row.getColumn(4).getString(), row.getColumn(5).getInt64(),
                  row.getColumn(6).getInt64(),  std::nullopt};
    if (!row.getColumn(7).isNull())
        run.speedup = row.getColumn(7).getDouble();
    return run;
}

[[noreturn]] void refuseDamagedRun(const std::string& path, std::int64_t id, const std::string& why) {
    refuse(path, "run " + std::to_string(id) + " is damaged (" + why + "); remove it and run it again");
}

/// Returns the result of calling `read` with a run's document.
template <typename Read>
auto ofRun(const Store& store, std::int64_t id, bool withExperiment, Read&& read) {
    return guarded(store.path(), "read", [&] {
        try {
            const auto document = runDocument(store.connection().database, id, withExperiment);
            if (!document)
                refuse(store.path(), "there is no run " + std::to_string(id) + " (any more)");
            auto made = read(*document);
            if (!RunSeals(store.connection().database).isSound(id))
                throw DamagedDocument("its bytes have changed since it was kept");
            return made;
        } catch (const DamagedDocument& error) {
            refuseDamagedRun(store.path(), id, error.what());
        } catch (const ResultJson::exception&) {  // a text in it cannot be written as JSON
            refuseDamagedRun(store.path(), id, "its text is not UTF-8");
        }
    });
}

/// Returns arbitrary bytes as text between quotes.
std::string shownName(const std::string& name) {
    return ResultJson(name).dump(-1, ' ', false, ResultJson::error_handler_t::replace);
}

}  // namespace

std::string describe(const std::vector<DamagedRun>& runs) {
    constexpr std::size_t kMostNamed = 10;
    std::string text = std::to_string(runs.size()) + (runs.size() == 1 ? " damaged run: " : " damaged runs: ");
    for (std::size_t i = 0; i < std::min(runs.size(), kMostNamed); ++i)
        text += (i == 0 ? "" : ", ") + std::to_string(runs[i].id) + " " + shownName(runs[i].name);
    return runs.size() > kMostNamed ? text + " and " + std::to_string(runs.size() - kMostNamed) + " more" : text;
}

bool SoundRuns::has(std::int64_t id) {
    auto& damaged = m_store.connection().damaged;
    if (m_seals.isSound(id)) {
        damaged.erase(id);
        return true;
    }
    SQLite::Statement name(m_store.connection().database, "SELECT name FROM run WHERE id = ?");
    name.bind(1, id);
    damaged.insert_or_assign(id, name.executeStep() ? name.getColumn(0).getString() : "");
    return false;
}

std::vector<DamagedRun> Store::takeDamaged() {
    std::vector<DamagedRun> runs;
    for (auto& [id, name] : std::exchange(m_connection->damaged, {}))
        runs.push_back({id, name});
    return runs;
}

void refuse(const std::string& path, const char* doing, const SQLite::Exception& error) {
    std::string text = std::string("the store could not be ") + doing + ": " + error.what();
    switch (error.getErrorCode()) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED: text += "; another program is using it, try again when it has finished"; break;
    case SQLITE_FULL: text += "; make room on the disk, runs that were kept before are still there"; break;
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM: text += "; check the permissions of the file and of its folder"; break;
    case SQLITE_ERROR: text += "; its tables are not those of a store, restore a copy or choose another file"; break;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB: refuseDamaged(path, error.what());
    default: break;
    }
    refuse(path, text);
}

Patience::Patience(const Store& store) : m_store(store) { m_store.connection().database.setBusyTimeout(kPatientMs); }

Patience::~Patience() {
    try {
        m_store.connection().database.setBusyTimeout(kBusyTimeoutMs);
    } catch (const SQLite::Exception&) {}  // the database is gone, and its time-out with it
}

Store::Store(const std::string& path, Mode mode) : m_path(path) {
    guarded(path, "opened", [&] { m_connection = std::make_unique<Connection>(Connection{openedStore(path, mode)}); });
}

Store::~Store() = default;
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;

std::int64_t Store::keep(const std::string& name, const std::string& draft, const engine::Experiment& experiment,
                         const engine::RunResult& result) {
    std::int64_t id = 0;
    const std::string hash = experimentHash(experiment);
    writing(*this, [&](SQLite::Database& database) {
        id = RunWriter(database).keep({name, draft, hash, experiment}, result, RunWriter::Known::getsANewTime);
    });
    return id;
}

std::optional<std::int64_t> Store::find(const engine::Experiment& experiment) const {
    return guarded(m_path, "read", [&]() -> std::optional<std::int64_t> {
        SQLite::Statement select(m_connection->database,
                                 "SELECT id FROM run WHERE experiment_hash = ? AND engine_version = ?");
        SQLite::bind(select, experimentHash(experiment), std::string(engine::engineVersion()));
        if (!select.executeStep() || !SoundRuns(*this).has(select.getColumn(0).getInt64()))
            return std::nullopt;
        return select.getColumn(0).getInt64();
    });
}

std::vector<StoredRun> Store::runs(std::size_t most) const {
    return guarded(m_path, "read", [&] {
        std::vector<StoredRun> found;
        SQLite::Statement select(
            m_connection->database,
            std::string(kColumns) +
                "WHERE trashed_unix_ms IS NULL AND subject = 'run' ORDER BY created_unix_ms DESC, id DESC LIMIT ?");
        select.bind(1, static_cast<std::int64_t>(most));
        SoundRuns sound(*this);
        while (select.executeStep()) {
            if (sound.has(select.getColumn(0).getInt64()))
                found.push_back(rowOf(select));
        }
        return found;
    });
}

std::optional<StoredRun> Store::runWithId(std::int64_t id) const {
    return guarded(m_path, "read", [&]() -> std::optional<StoredRun> {
        SQLite::Statement select(m_connection->database, std::string(kColumns) + "WHERE id = ?");
        select.bind(1, id);
        if (!select.executeStep())
            return std::nullopt;
        return rowOf(select);
    });
}

engine::RunResult Store::resultOf(std::int64_t id) const {
    return ofRun(*this, id, false, [&](const ResultJson& document) {
        if (document.contains("of"))
            refuse(m_path,
                   "run " + std::to_string(id) + " is a point of a sweep of whole models; open its sweep to see it");
        return readOutcome(document);
    });
}

std::string Store::documentOf(std::int64_t id, bool withExperiment) const {
    return ofRun(*this, id, withExperiment,
                 [](const ResultJson& document) { return document.dump(kStoreIndent) + "\n"; });
}

void Store::remove(std::int64_t id) {
    writing(*this, [&](SQLite::Database& database) {
        execute(database,
                "DELETE FROM run WHERE id = ? AND NOT EXISTS (SELECT 1 FROM sweep_point "
                "WHERE sweep_point.experiment_hash = run.experiment_hash)",
                id);
    });
}

DraftReading draftOfKept(const Store& store, const StoredRun& stored) {
    constexpr const char* kKeptOrigin = "the kept run";
    DraftReading asked = readDraft(stored.draft, kKeptOrigin);
    if (!asked.problems.empty())
        return asked;
    const auto document = ResultJson::parse(store.documentOf(stored.id), nullptr, false);
    if (!document.is_object() || !document.contains("experiment"))
        return asked;
    DraftReading run = readDraft(document["experiment"].dump(), kKeptOrigin);
    // The complete experiment has the values that automatic settings stood for.
    const auto experimentOf = [](const ExperimentDraft& draft) {
        return engine::withAutomaticValues(expand(draft).experiment);
    };
    const bool isSame = !run.problems.empty() || experimentOf(asked.draft) == experimentOf(run.draft);
    return isSame ? asked : run;
}

}  // namespace data
