#include "data/kept_run.h"

#include "data/experiment_document.h"
#include "data/json_reading.h"
#include "data/packed_document.h"
#include "data/result_document.h"
#include "data/store_connection.h"
#include "engine/api/runner.h"

#include <set>
#include <sstream>

namespace data {
namespace {

constexpr const char* kInsert =
    "INSERT INTO run (name, experiment_hash, engine_version, created_unix_ms, total_ps, speedup, base, differences, "
    "layout, result, draft) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) "
    "ON CONFLICT (experiment_hash, engine_version) DO UPDATE SET trashed_unix_ms = NULL, "
    "created_unix_ms = iif(?12, excluded.created_unix_ms, created_unix_ms) RETURNING id";

constexpr const char* kSelect =
    "SELECT run.engine_version, run.experiment_hash, base.document, run.differences, layout.document, run.result "
    "FROM run JOIN experiment_base AS base ON base.id = run.base "
    "LEFT JOIN result_layout AS layout ON layout.id = run.layout WHERE run.id = ?";

/// Schema 1 kept a result as the text that it is.
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

}  // namespace

std::vector<std::string> tagsOf(const std::string& text) {
    std::istringstream words(text);
    std::set<std::string> found;
    for (std::string word; words >> word;)
        found.insert(word);
    return {found.begin(), found.end()};
}

std::string sortedTags(const std::string& text) {
    std::string sorted;
    for (const std::string& tag : tagsOf(text))
        sorted += (sorted.empty() ? "" : " ") + tag;
    return sorted;
}

std::int64_t rowOfShared(SQLite::Database& database, const char* table, const std::string& document) {
    SQLite::Statement select(database, std::string("SELECT id FROM ") + table + " WHERE document = ?");
    select.bindNoCopy(1, document);
    if (select.executeStep())
        return select.getColumn(0).getInt64();
    SQLite::Statement insert(database, std::string("INSERT INTO ") + table + " (document) VALUES (?)");
    insert.bindNoCopy(1, document);
    insert.exec();
    return database.getLastInsertRowid();
}

RunWriter::RunWriter(SQLite::Database& database)
    : m_database(database), m_insert(database, kInsert),
      m_forget(database, "DELETE FROM failure WHERE experiment_hash = ? AND engine_version = ?") {
    static const std::string kBase = canonicalForm(engine::Experiment{});
    m_base = rowOfShared(database, "experiment_base", kBase);
}

std::int64_t RunWriter::rowOfLayout(const std::string& layout) {
    const auto [found, isNew] = m_layouts.try_emplace(layout, 0);
    if (isNew)
        found->second = rowOfShared(m_database, "result_layout", layout);
    return found->second;
}

std::int64_t RunWriter::keep(const RunToKeep& run, Known known) {
    const std::string version(engine::engineVersion());
    const std::string differences = differencesFromDefault(run.experiment);
    const PackedDocument result = packed(outcomeJson(run.result));
    m_insert.bindNoCopy(1, run.name);
    m_insert.bindNoCopy(2, run.hash);
    m_insert.bindNoCopy(3, version);
    m_insert.bind(4, nowUnixMs());
    m_insert.bind(5, run.result.last.time.total.ps);
    if (run.result.speedupOverSequential) {
        m_insert.bind(6, *run.result.speedupOverSequential);
    } else {
        m_insert.bind(6);
    }
    m_insert.bind(7, m_base);
    m_insert.bindNoCopy(8, differences);
    m_insert.bind(9, rowOfLayout(result.layout));
    m_insert.bindNoCopy(10, result.values.data(), static_cast<int>(result.values.size()));
    m_insert.bindNoCopy(11, run.draft);
    m_insert.bind(12, known == Known::getsANewTime ? 1 : 0);
    m_insert.executeStep();
    const std::int64_t id = m_insert.getColumn(0).getInt64();
    while (m_insert.executeStep()) {}
    m_insert.reset();
    m_forget.bindNoCopy(1, run.hash);
    m_forget.bindNoCopy(2, version);
    m_forget.exec();
    m_forget.reset();
    return id;
}

RunReader::RunReader(SQLite::Database& database) : m_select(database, kSelect) {}

std::optional<ResultJson> RunReader::document(std::int64_t id, bool withExperiment) {
    m_select.reset();
    m_select.bind(1, id);
    if (!m_select.executeStep())
        return std::nullopt;
    ResultJson document;
    document["engine_version"] = m_select.getColumn(0).getString();
    document["experiment_hash"] = m_select.getColumn(1).getString();
    if (withExperiment) {
        CanonicalValues values = readCanonicalForm(m_select.getColumn(2).getString());
        forEachDifference(m_select.getColumn(3).getString(), [&](std::string_view path, std::string_view value) {
            values.insert_or_assign(std::string(path), std::string(value));
        });
        addNewerDefaults(values);
        document["experiment"] = parseJson<ResultJson>(writeExperiment(values));
    }
    document.update(outcomeOf(m_select));
    m_select.reset();
    return document;
}

}  // namespace data
