#include "data/store/kept_run.h"

#include "data/document/json_reading.h"
#include "data/document/names.h"
#include "data/experiment/experiment_document.h"
#include "data/results/model_point_fields.h"
#include "data/results/packed_document.h"
#include "data/results/result_document.h"
#include "data/store/store_connection.h"
#include "engine/api/runner.h"

#include <cmath>
#include <set>
#include <sstream>

namespace data {
namespace {

constexpr const char* kInsert =
    "INSERT INTO run (name, experiment_hash, engine_version, created_unix_ms, total_ps, speedup, base, differences, "
    "layout, result, draft, checksum, subject) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?13, ?14) "
    "ON CONFLICT (experiment_hash, engine_version) DO UPDATE SET trashed_unix_ms = NULL, "
    "created_unix_ms = iif(?12, excluded.created_unix_ms, created_unix_ms) RETURNING id";

/// Replaces the content of a damaged row by a new result of the same run. Note and tags stay.
constexpr const char* kMend =
    "UPDATE run SET name = ?1, created_unix_ms = ?4, trashed_unix_ms = NULL, total_ps = ?5, speedup = ?6, base = ?7, "
    "differences = ?8, layout = ?9, result = ?10, draft = ?11, checksum = ?13, subject = ?14 "
    "WHERE experiment_hash = ?2 AND engine_version = ?3 RETURNING id";

constexpr const char* kFind = "SELECT id FROM run WHERE experiment_hash = ? AND engine_version = ?";

constexpr const char* kSelect =
    "SELECT run.engine_version, run.experiment_hash, base.document, run.differences, layout.document, run.result "
    "FROM run LEFT JOIN experiment_base AS base ON base.id = run.base "
    "LEFT JOIN result_layout AS layout ON layout.id = run.layout WHERE run.id = ?";

/// Returns the result in a row. Rows of schema 1 have no layout and contain the JSON as text.
ResultJson outcomeOf(const SQLite::Statement& row) {
    if (!row.getColumn(4).isNull())
        return unpacked(row.getColumn(4).getString(), viewOf(row.getColumn(5)));
    ResultJson document = parseJson<ResultJson>(row.getColumn(5).getString());
    if (!document.is_object())
        throw DamagedDocument("the result is not valid JSON");
    document.erase("engine_version");
    document.erase("experiment_hash");
    return document;
}

/// Returns the document of the default experiment, from which a run's differences are taken.
const std::string& baseDocument() {
    static const std::string kBase = canonicalForm(engine::Experiment{});
    return kBase;
}

}  // namespace

std::vector<std::string> tagsOf(const std::string& text) {
    std::istringstream words(text);
    std::set<std::string> found;
    for (std::string word; words >> word;)
        found.insert(word);
    return {found.begin(), found.end()};
}

std::string sortedTags(const std::string& text) { return joined(tagsOf(text), " "); }

std::optional<std::string> sharedDocument(SQLite::Database& database, const char* table, std::int64_t id) {
    SQLite::Statement select(database, std::string("SELECT document FROM ") + table + " WHERE id = ?");
    select.bind(1, id);
    return select.executeStep() ? std::optional(select.getColumn(0).getString()) : std::nullopt;
}

std::int64_t rowOfShared(SQLite::Database& database, const char* table, const std::string& document) {
    SQLite::Statement select(database, std::string("SELECT id FROM ") + table + " WHERE document = ?");
    select.bindNoCopy(1, document);
    if (select.executeStep()) {
        const std::int64_t id = select.getColumn(0).getInt64();
        if (sharedDocument(database, table, id) == document)
            return id;
        // The row is damaged, but the index still has its earlier content. Rebuilds the index and adds another row.
        select.reset();
        database.exec(std::string("REINDEX ") + table);
    }
    execute(database, std::string("INSERT INTO ") + table + " (document) VALUES (?)", document);
    return database.getLastInsertRowid();
}

RunWriter::RunWriter(SQLite::Database& database)
    : m_database(database), m_insert(database, kInsert), m_mend(database, kMend), m_find(database, kFind),
      m_forget(database, "DELETE FROM failure WHERE experiment_hash = ? AND engine_version = ?"), m_seals(database),
      m_base(rowOfShared(database, "experiment_base", baseDocument())) {}

std::optional<std::int64_t> RunWriter::find(const std::string& hash, const std::string& version) {
    bindAll(m_find, hash, version);
    const auto id = m_find.executeStep() ? std::optional(m_find.getColumn(0).getInt64()) : std::nullopt;
    m_find.reset();
    return id;
}

bool RunWriter::isDamaged(const std::string& hash, const std::string& version) {
    const auto id = find(hash, version);
    if (!id || m_seals.isSound(*id))
        return false;
    // If the hash in the row is damaged, the index still finds the row under the old hash. After a rebuild it does not,
    // and the run is inserted as a new row.
    m_database.exec("REINDEX run");
    return find(hash, version).has_value();
}

std::int64_t RunWriter::rowOfLayout(const std::string& layout) {
    const auto [found, isNew] = m_layouts.try_emplace(layout, 0);
    if (isNew)
        found->second = rowOfShared(m_database, "result_layout", layout);
    return found->second;
}

std::int64_t RunWriter::keep(const RunToKeep& run, const engine::RunResult& result, Known known) {
    RunContent content;
    content.totalPs = result.last.time.total.ps;
    content.speedup = result.speedupOverSequential;
    return keep(run, packed(outcomeJson(result)), content, known);
}

std::int64_t RunWriter::keep(const RunToKeep& run, const ModelPoint& point, Known known) {
    RunContent content;
    content.subject = data::name(point.subject);
    content.totalPs = point.time ? point.time->total().ps : 0;
    if (point.ratios)
        content.speedup = point.ratios->speedupOverSequential;
    return keep(run, packed(modelPointJson(point)), content, known);
}

std::int64_t RunWriter::keep(const RunToKeep& run, const PackedDocument& result, RunContent content, Known known) {
    const std::string version(engine::engineVersion());
    const std::string differences = differencesFromDefault(run.experiment);
    const std::string subject(content.subject);
    content.name = run.name;
    content.experimentHash = run.hash;
    content.engineVersion = version;
    content.base = baseDocument();
    content.differences = differences;
    content.layout = result.layout;
    content.result = result.values;
    content.draft = run.draft;
    if (content.speedup && std::isnan(*content.speedup))
        content.speedup.reset();  // SQLite cannot store it
    SQLite::Statement& write = isDamaged(run.hash, version) ? m_mend : m_insert;
    bindAll(write, run.name, run.hash, version, nowUnixMs(), content.totalPs, content.speedup, m_base, differences,
            rowOfLayout(result.layout), content.result, run.draft, known == Known::getsANewTime ? 1 : 0,
            checksumOf(content), subject);
    write.executeStep();
    const std::int64_t id = write.getColumn(0).getInt64();
    while (write.executeStep()) {}
    write.reset();
    execute(m_forget, run.hash, version);
    return id;
}

std::optional<ResultJson> runDocument(SQLite::Database& database, std::int64_t id, bool withExperiment) {
    SQLite::Statement select(database, kSelect);
    select.bind(1, id);
    if (!select.executeStep())
        return std::nullopt;
    ResultJson document;
    document["engine_version"] = select.getColumn(0).getString();
    document["experiment_hash"] = select.getColumn(1).getString();
    if (withExperiment) {
        CanonicalValues values = readCanonicalForm(select.getColumn(2).getString());
        forEachDifference(select.getColumn(3).getString(), [&](std::string_view path, std::string_view value) {
            values.insert_or_assign(std::string(path), std::string(value));
        });
        addNewerDefaults(values);
        document["experiment"] = parseJson<ResultJson>(writeExperiment(values));
    }
    document.update(outcomeOf(select));
    return document;
}

}  // namespace data
