#include "data/schema.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <array>
#include <cstddef>
#include <string>

namespace data {
namespace {

/// Step i leads from version i to i+1. Steps are never edited once released: stores in the field have run them.
constexpr std::array kSteps{
    // 1: runs of single experiments. One row an experiment and engine version; the result is the JSON of
    // `run --output json` without `experiment`, beside the few columns that lists are sorted and searched by.
    R"sql(
    CREATE TABLE run (
        id              INTEGER PRIMARY KEY,
        name            TEXT    NOT NULL,
        experiment_hash TEXT    NOT NULL,
        engine_version  TEXT    NOT NULL,
        draft           TEXT    NOT NULL,
        experiment      TEXT    NOT NULL,
        result          TEXT    NOT NULL,
        created_unix_ms INTEGER NOT NULL,
        total_ps        INTEGER NOT NULL,
        speedup         REAL,
        UNIQUE (experiment_hash, engine_version)
    );
    CREATE INDEX run_by_time ON run (created_unix_ms);
    )sql",
};

}  // namespace

int schemaVersion() { return static_cast<int>(kSteps.size()); }

void upgradeSchema(SQLite::Database& database, int version) {
    SQLite::Transaction transaction(database);
    for (auto step = static_cast<std::size_t>(version); step < kSteps.size(); ++step)
        database.exec(kSteps[step]);
    database.exec("PRAGMA application_id = " + std::to_string(kApplicationId));
    database.exec("PRAGMA user_version = " + std::to_string(schemaVersion()));
    transaction.commit();
}

}  // namespace data
