#include "data/store/run_catalogue.h"

#include "data/store/kept_run.h"
#include "data/store/run_columns.h"
#include "data/store/store_connection.h"

namespace data {
namespace {

constexpr const char* kPolicy = "policy.preset";

std::string queryText(const CatalogueQuery& query) {
    std::string text = "SELECT run.id, run.name, run.engine_version, run.created_unix_ms, run.total_ps, run.speedup, "
                       "run.note, run.tags, "
                       "ifnull((SELECT max(sweep) FROM sweep_point AS point WHERE point.experiment_hash = "
                       "run.experiment_hash), 0), " +
                       std::string(RunColumns::kSelected) + " FROM run WHERE trashed_unix_ms IS " +
                       (query.trash ? "NOT NULL" : "NULL");
    if (!query.models)
        text += " AND subject = 'run'";
    if (query.sweep)
        text += " AND experiment_hash IN (SELECT experiment_hash FROM sweep_point JOIN sweep "
                "ON sweep.key = sweep_point.sweep WHERE sweep.id = ?)";
    return text + " ORDER BY created_unix_ms DESC, id DESC";
}

constexpr int kFirstOfColumns = 9;

CatalogueRow rowOf(const SQLite::Statement& from, RunColumns& columns) {
    CatalogueRow row;
    row.id = from.getColumn(0).getInt64();
    row.name = from.getColumn(1).getString();
    row.engineVersion = from.getColumn(2).getString();
    row.createdUnixMs = from.getColumn(3).getInt64();
    row.totalPs = from.getColumn(4).getInt64();
    if (!from.getColumn(5).isNull())
        row.speedup = from.getColumn(5).getDouble();
    row.note = from.getColumn(6).getString();
    if (const std::string tags = from.getColumn(7).getString(); !tags.empty())
        row.tags = tagsOf(tags);
    row.sweep = from.getColumn(8).getInt64();
    row.values = columns.read(from, kFirstOfColumns);
    if (auto* policy = std::get_if<std::string>(&row.values.back()))
        row.policy = std::move(*policy);
    row.values.pop_back();
    row.notices = columns.notices();
    return row;
}

std::size_t countOf(const Store& store, const std::string& condition) {
    return guarded(store.path(), "read", [&] {
        return static_cast<std::size_t>(
            store.connection()
                .database.execAndGet("SELECT count(*) FROM run WHERE subject = 'run' AND " + condition)
                .getInt64());
    });
}

/// Applies the same change to each of the runs, or to none of them.
void changeEach(const Store& store, const char* change, const std::optional<std::string>& text,
                std::span<const std::int64_t> ids) {
    writing(store, [&](SQLite::Database& database) {
        SQLite::Statement update(database, std::string("UPDATE run SET ") + change + " WHERE id = ?2");
        for (const std::int64_t id : ids) {
            if (text)
                update.bind(1, *text);
            update.bind(2, id);
            update.exec();
            update.reset();
        }
    });
}

}  // namespace

std::vector<CatalogueRow> RunCatalogue::rows(const CatalogueQuery& query) const {
    return reading(m_store, [&](SQLite::Database& database) {
        std::vector<std::string> paths = query.columns;
        paths.emplace_back(kPolicy);
        RunColumns columns(database, paths, query.notices);
        SQLite::Statement select(database, queryText(query));
        if (query.sweep)
            select.bind(1, *query.sweep);
        std::vector<CatalogueRow> found;
        SoundRuns sound(m_store);
        while (select.executeStep()) {
            if (sound.has(select.getColumn(0).getInt64()))
                found.push_back(rowOf(select, columns));
        }
        return found;
    });
}

std::size_t RunCatalogue::count() const { return countOf(m_store, "trashed_unix_ms IS NULL"); }

std::size_t RunCatalogue::trashCount() const { return countOf(m_store, "trashed_unix_ms IS NOT NULL"); }

void RunCatalogue::setNote(std::int64_t id, const std::string& note) {
    changeEach(m_store, "note = ?1", note, {&id, 1});
}

void RunCatalogue::setTags(std::span<const std::int64_t> ids, const std::vector<std::string>& tags) {
    std::string joined;
    for (const std::string& tag : tags)
        joined += tag + " ";
    changeEach(m_store, "tags = ?1", sortedTags(joined), ids);
}

std::vector<std::string> RunCatalogue::tagsInUse() const {
    return guarded(m_store.path(), "read", [&] {
        std::string all;
        SQLite::Statement select(m_store.connection().database,
                                 "SELECT DISTINCT tags FROM run WHERE tags <> '' AND trashed_unix_ms IS NULL");
        while (select.executeStep())
            all += select.getColumn(0).getString() + " ";
        return tagsOf(all);
    });
}

void RunCatalogue::trash(std::span<const std::int64_t> ids) {
    changeEach(m_store, "trashed_unix_ms = ifnull(trashed_unix_ms, ?1)", std::to_string(nowUnixMs()), ids);
}

void RunCatalogue::restore(std::span<const std::int64_t> ids) {
    changeEach(m_store, "trashed_unix_ms = NULL", std::nullopt, ids);
}

void RunCatalogue::emptyTrash() {
    writing(m_store,
            [](SQLite::Database& database) { database.exec("DELETE FROM run WHERE trashed_unix_ms IS NOT NULL"); });
}

}  // namespace data
