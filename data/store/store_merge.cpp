#include "data/store/store_merge.h"

#include "data/store/kept_run.h"
#include "data/store/run_catalogue.h"
#include "data/store/store_connection.h"
#include "engine/api/runner.h"

#include <filesystem>
#include <unordered_map>

namespace data {
namespace {

bool isSameFile(const std::string& a, const std::string& b) {
    std::error_code error;
    return std::filesystem::equivalent(a, b, error);
}

/// Counts the runs and failures of other engine versions.
std::size_t countOfOtherEngines(SQLite::Database& from) {
    SQLite::Statement count(from, "SELECT (SELECT count(*) FROM run WHERE engine_version <> ?1) + "
                                  "(SELECT count(*) FROM failure WHERE engine_version <> ?1)");
    count.bind(1, std::string(engine::engineVersion()));
    count.executeStep();
    return static_cast<std::size_t>(count.getColumn(0).getInt64());
}

/// Opens the store at `from` for reading. Throws StoreError if it cannot be merged into the one at `into`.
Store openedSource(const std::string& into, const std::string& from) {
    if (isSameFile(into, from))
        refuse(from, "is the store to merge into; leave it out");
    return Store(from, Store::Mode::readOnly);
}

/// Copies one store into another, inside a transaction of each.
class Joining {
public:
    Joining(const Store& from, SQLite::Database& into)
        : m_path(from.path()), m_from(from.connection().database), m_into(into), m_sound(from), m_seals(into) {}

    MergeSummary join() {
        m_summary.ofOtherEngines = countOfOtherEngines(m_from);
        joinRuns();
        joinFailures();
        joinSweeps();
        return m_summary;
    }

private:
    void joinRuns();
    void addRun(const SQLite::Statement& run);
    void mendRun(const SQLite::Statement& run, std::int64_t there);
    void addMarks(const SQLite::Statement& run, std::int64_t there);
    void joinFailures();
    void joinSweeps();
    void joinPoints(std::int64_t from, std::int64_t into);
    std::int64_t sharedRow(const char* table, std::int64_t id);

    const std::string& m_path;
    SQLite::Database& m_from;
    SQLite::Database& m_into;
    std::unordered_map<std::string, std::unordered_map<std::int64_t, std::int64_t>>
        m_shared;       // by table: row in `from` to row in `into`
    SoundRuns m_sound;  // of `from`
    RunSeals m_seals;   // of `into`
    MergeSummary m_summary;
};

enum RunColumn {
    kName,
    kHash,
    kVersion,
    kCreated,
    kTrashed,
    kTotal,
    kSpeedup,
    kNote,
    kTags,
    kBase,
    kDifferences,
    kLayout,
    kResult,
    kDraft,
    kChecksum,
    kSubject,
    kRunColumns
};
constexpr const char* kRunNames =
    "name, experiment_hash, engine_version, created_unix_ms, trashed_unix_ms, total_ps, speedup, note, "
    "tags, base, differences, layout, result, draft, checksum, subject";

/// Binds a value as it is, whatever its type.
void bindAsItIs(SQLite::Statement& statement, int index, const SQLite::Column& value) {
    if (value.isNull()) {
        statement.bind(index);
    } else if (value.isInteger()) {
        statement.bind(index, value.getInt64());
    } else if (value.isFloat()) {
        statement.bind(index, value.getDouble());
    } else if (value.isText()) {
        statement.bind(index, value.getString());
    } else {
        const void* bytes = value.getBlob();  // null if there are no bytes; binding it would write NULL
        statement.bind(index, bytes != nullptr ? bytes : "", value.getBytes());
    }
}

void Joining::joinRuns() {
    SQLite::Statement runs(m_from, std::string("SELECT ") + kRunNames + ", id FROM run ORDER BY id");
    SQLite::Statement known(m_into, "SELECT id FROM run WHERE experiment_hash = ? AND engine_version = ?");
    while (runs.executeStep()) {
        if (!m_sound.has(runs.getColumn(kRunColumns).getInt64()))
            continue;
        bindAsItIs(known, 1, runs.getColumn(kHash));  // for SQLite a blob and a text with equal bytes are not equal
        bindAsItIs(known, 2, runs.getColumn(kVersion));
        if (known.executeStep()) {
            const std::int64_t there = known.getColumn(0).getInt64();
            const bool sound = m_seals.isSound(there);
            ++(sound ? m_summary.known : m_summary.runs);
            if (!sound)
                mendRun(runs, there);
            addMarks(runs, there);
        } else {
            ++m_summary.runs;
            addRun(runs);
        }
        known.reset();
    }
}

void Joining::addRun(const SQLite::Statement& run) {
    SQLite::Statement insert(m_into, std::string("INSERT INTO run (") + kRunNames +
                                         ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    for (int i = 0; i < kRunColumns; ++i)
        bindAsItIs(insert, i + 1, run.getColumn(i));
    insert.bind(kBase + 1, sharedRow("experiment_base", run.getColumn(kBase).getInt64()));
    if (!run.getColumn(kLayout).isNull())
        insert.bind(kLayout + 1, sharedRow("result_layout", run.getColumn(kLayout).getInt64()));
    insert.exec();
    SQLite::Statement forget(m_into, "DELETE FROM failure WHERE experiment_hash = ? AND engine_version = ?");
    bindAsItIs(forget, 1, run.getColumn(kHash));
    bindAsItIs(forget, 2, run.getColumn(kVersion));
    forget.exec();
}

/// Replaces the content of a damaged run in `into` by the undamaged run. The note, tags and times of the row stay.
void Joining::mendRun(const SQLite::Statement& run, std::int64_t there) {
    SQLite::Statement update(m_into, "UPDATE run SET name = ?, total_ps = ?, speedup = ?, differences = ?, result = ?, "
                                     "draft = ?, checksum = ?, subject = ?, base = ?, layout = ? WHERE id = ?");
    int index = 0;
    for (const RunColumn column : {kName, kTotal, kSpeedup, kDifferences, kResult, kDraft, kChecksum, kSubject})
        bindAsItIs(update, ++index, run.getColumn(column));
    update.bind(++index, sharedRow("experiment_base", run.getColumn(kBase).getInt64()));
    if (++index; !run.getColumn(kLayout).isNull())
        update.bind(index, sharedRow("result_layout", run.getColumn(kLayout).getInt64()));
    update.bind(++index, there);
    update.exec();
}

void Joining::addMarks(const SQLite::Statement& run, std::int64_t there) {
    const std::string note = run.getColumn(kNote).getString(), tags = run.getColumn(kTags).getString();
    if (note.empty() && tags.empty())
        return;
    SQLite::Statement own(m_into, "SELECT tags FROM run WHERE id = ?");
    own.bind(1, there);
    own.executeStep();
    execute(m_into,
            "UPDATE run SET note = iif(note = '', ?1, note), tags = ?2 WHERE id = ?3 "
            "AND (tags <> ?2 OR (note = '' AND ?1 <> ''))",
            note, sortedTags(own.getColumn(0).getString() + " " + tags), there);
}

void Joining::joinFailures() {
    SQLite::Statement failures(m_from, "SELECT experiment_hash, engine_version, reason, created_unix_ms FROM failure");
    SQLite::Statement insert(m_into, "INSERT OR IGNORE INTO failure (experiment_hash, engine_version, reason, "
                                     "created_unix_ms) SELECT ?1, ?2, ?3, ?4 WHERE NOT EXISTS "
                                     "(SELECT 1 FROM run WHERE experiment_hash = ?1 AND engine_version = ?2)");
    while (failures.executeStep()) {
        for (int i = 0; i < 4; ++i)
            bindAsItIs(insert, i + 1, failures.getColumn(i));
        m_summary.failures += static_cast<std::size_t>(insert.exec());
        insert.reset();
    }
}

void Joining::joinSweeps() {
    SQLite::Statement sweeps(m_from,
                             "SELECT key, id, label, document, points, created_unix_ms FROM sweep ORDER BY key");
    while (sweeps.executeStep()) {
        SQLite::Statement insert(m_into, "INSERT OR IGNORE INTO sweep (id, label, document, points, created_unix_ms) "
                                         "VALUES (?, ?, ?, ?, ?)");
        for (int i = 1; i < 6; ++i)
            bindAsItIs(insert, i, sweeps.getColumn(i));
        m_summary.sweeps += static_cast<std::size_t>(insert.exec());
        SQLite::Statement key(m_into, "SELECT key FROM sweep WHERE id = ?");
        key.bind(1, sweeps.getColumn(1).getString());
        if (key.executeStep())
            joinPoints(sweeps.getColumn(0).getInt64(), key.getColumn(0).getInt64());
    }
}

void Joining::joinPoints(std::int64_t from, std::int64_t into) {
    SQLite::Statement points(m_from, "SELECT position, experiment_hash, problem FROM sweep_point WHERE sweep = ?");
    SQLite::Statement insert(m_into, "INSERT OR IGNORE INTO sweep_point (sweep, position, experiment_hash, problem) "
                                     "VALUES (?, ?, ?, ?)");
    // Another engine version may give the same point another hash. The point then gets the hash that the running engine
    // has run.
    SQLite::Statement update(
        m_into, "UPDATE sweep_point SET experiment_hash = ?3, problem = ?4 WHERE sweep = ?1 AND position = ?2 AND "
                "EXISTS (SELECT 1 FROM run WHERE experiment_hash = ?3 AND engine_version = ?5) AND NOT EXISTS "
                "(SELECT 1 FROM run WHERE experiment_hash = sweep_point.experiment_hash AND engine_version = ?5)");
    update.bind(5, std::string(engine::engineVersion()));
    points.bind(1, from);
    while (points.executeStep()) {
        for (SQLite::Statement* statement : {&insert, &update}) {
            statement->bind(1, into);
            for (int i = 0; i < 3; ++i)
                bindAsItIs(*statement, i + 2, points.getColumn(i));
        }
        m_summary.points += static_cast<std::size_t>(insert.exec());
        update.exec();
        insert.reset();
        update.reset();
    }
}

std::int64_t Joining::sharedRow(const char* table, std::int64_t id) {
    const auto [place, isNew] = m_shared[table].try_emplace(id, 0);
    if (isNew) {
        const auto document = sharedDocument(m_from, table, id);
        if (!document)
            refuse(m_path, "damaged: a document that several of its runs share is missing; restore a copy");
        place->second = rowOfShared(m_into, table, *document);
    }
    return place->second;
}

}  // namespace

std::vector<MergeObstacle> checkMerge(const std::string& into, std::span<const std::string> from) {
    std::vector<MergeObstacle> obstacles;
    const auto add = [&](const std::string& path, std::string_view text, bool wrongName) {
        text.remove_prefix(text.starts_with(path) ? path.size() + 2 : 0);
        obstacles.push_back({path, std::string(text), wrongName});
    };
    for (const std::string& path : from) {
        try {
            openedSource(into, path);
        } catch (const MissingStore& error) { add(path, error.what(), true); } catch (const StoreError& error) {
            add(path, error.what(), isSameFile(into, path));
        }
    }
    return obstacles;
}

MergeSummary merge(Store& into, const std::string& from) {
    Store source = openedSource(into.path(), from);
    const Patience patience(into);
    MergeSummary summary;
    try {
        SQLite::Transaction reading(source.connection().database);
        SQLite::Transaction writing(into.connection().database, SQLite::TransactionBehavior::IMMEDIATE);
        summary = Joining(source, into.connection().database).join();
        summary.damaged = source.takeDamaged();
        writing.commit();
    } catch (const SQLite::Exception& error) {
        const int code = source.connection().database.getErrorCode();
        const bool isSource = code != SQLITE_OK && code != SQLITE_ROW && code != SQLITE_DONE;
        refuse(isSource ? from : into.path(), isSource ? "read" : "written", error);
    }
    return summary;
}

}  // namespace data
