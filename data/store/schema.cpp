#include "data/store/schema.h"

#include "data/store/run_seal.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <array>
#include <cstddef>
#include <string>

namespace data {
namespace {

constexpr int kSealedSince = 3;

/// Step i upgrades version i to i+1. Steps are never edited once they are released, because existing stores have been
/// upgraded by them.
constexpr std::array kSteps{
    // 1: runs of single experiments, one row for each experiment and engine version. The result is the JSON of `run
    // --output json` without `experiment`; a few more columns are there for sorting and searching lists.
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
    // 2: sweeps, notes, tags and the trash, and a fifth of the bytes for each run. Two kinds of document that a hundred
    // thousand runs share are kept once: the values of the default experiment, so that a run has only its differences
    // (canonical_form.h), and the keys of a result, so that a run has only its values (packed_document.h). A run of
    // schema 1 keeps its whole experiment as its base, and its result as JSON. A point of a sweep names an experiment
    // by its hash; it is done if there is a run with that hash.
    R"sql(
    CREATE TABLE experiment_base (id INTEGER PRIMARY KEY, document TEXT NOT NULL UNIQUE);
    CREATE TABLE result_layout   (id INTEGER PRIMARY KEY, document TEXT NOT NULL UNIQUE);
    INSERT INTO experiment_base (document) SELECT DISTINCT experiment FROM run;

    DROP INDEX run_by_time;
    ALTER TABLE run RENAME TO run_of_schema_1;
    CREATE TABLE run (
        id              INTEGER PRIMARY KEY,
        name            TEXT    NOT NULL,
        experiment_hash TEXT    NOT NULL,
        engine_version  TEXT    NOT NULL,
        created_unix_ms INTEGER NOT NULL,
        trashed_unix_ms INTEGER,
        total_ps        INTEGER NOT NULL,
        speedup         REAL,
        note            TEXT    NOT NULL DEFAULT '',
        tags            TEXT    NOT NULL DEFAULT '',
        base            INTEGER NOT NULL REFERENCES experiment_base,
        differences     TEXT    NOT NULL,
        layout          INTEGER REFERENCES result_layout,
        result          BLOB    NOT NULL,
        draft           TEXT    NOT NULL,
        UNIQUE (experiment_hash, engine_version)
    );
    INSERT INTO run SELECT old.id, old.name, old.experiment_hash, old.engine_version, old.created_unix_ms, NULL,
                           old.total_ps, old.speedup, '', '', base.id, '', NULL, old.result, old.draft
                    FROM run_of_schema_1 AS old JOIN experiment_base AS base ON base.document = old.experiment;
    DROP TABLE run_of_schema_1;
    CREATE INDEX run_by_time ON run (trashed_unix_ms, created_unix_ms);
    CREATE INDEX run_tagged ON run (tags) WHERE tags <> '';

    CREATE TABLE failure (
        experiment_hash TEXT    NOT NULL,
        engine_version  TEXT    NOT NULL,
        reason          TEXT    NOT NULL,
        created_unix_ms INTEGER NOT NULL,
        PRIMARY KEY (experiment_hash, engine_version)
    ) WITHOUT ROWID;
    CREATE TABLE sweep (
        key             INTEGER PRIMARY KEY,
        id              TEXT    NOT NULL UNIQUE,
        label           TEXT    NOT NULL,
        document        TEXT    NOT NULL,
        points          INTEGER NOT NULL,
        created_unix_ms INTEGER NOT NULL
    );
    CREATE TABLE sweep_point (
        sweep           INTEGER NOT NULL REFERENCES sweep ON DELETE CASCADE,
        position        INTEGER NOT NULL,
        experiment_hash TEXT    NOT NULL,
        problem         TEXT    NOT NULL DEFAULT '',
        PRIMARY KEY (sweep, position)
    ) WITHOUT ROWID;
    CREATE INDEX sweep_point_by_hash ON sweep_point (experiment_hash);
    )sql",
    // 3: a checksum of the content of each run (run_seal.h), which detects damage. sealRuns writes it for existing
    // runs, except for runs whose experiment no longer has its hash.
    R"sql(
    ALTER TABLE run ADD COLUMN checksum INTEGER;
    )sql",
    // 4: the subject of a row (result_subject.h). Points of sweeps of whole models are stored beside runs, with their
    // own layout.
    R"sql(
    ALTER TABLE run ADD COLUMN subject TEXT NOT NULL DEFAULT 'run';
    )sql",
};

}  // namespace

int schemaVersion() { return static_cast<int>(kSteps.size()); }

void upgradeSchema(SQLite::Database& database) {
    const auto version = [&] { return database.execAndGet("PRAGMA user_version").getInt(); };
    if (version() >= schemaVersion())
        return;
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    if (version() >= schemaVersion())
        return;  // another process has upgraded it
    const int before = version();
    for (auto step = static_cast<std::size_t>(before); step < kSteps.size(); ++step)
        database.exec(kSteps[step]);
    if (before < kSealedSince)
        sealRuns(database, ToSeal::proven);
    database.exec("PRAGMA application_id = " + std::to_string(kApplicationId));
    database.exec("PRAGMA user_version = " + std::to_string(schemaVersion()));
    transaction.commit();
}

}  // namespace data
