// Opens damaged stores, as from a damaged disk, another program or an older Ringside: any bytes in any field of the
// rows, or any bytes in the file. A store must be rejected with a message, or it must be possible to read it, merge it
// into another store, and change it. Runs that two stores have in common must have the same contents in both.
//
// The input begins with `b` for changes of bytes, each an offset of three bytes and the change. Otherwise it has
// changes of fields, each a column, a row, a kind, a length and the bytes. After `s` the changed rows get a new
// checksum, as if they had been written so; otherwise reading ends at the checksum of a changed run.
//
// The target is a function in the form of libFuzzer, which drives it in a build with clang and RINGSIDE_FUZZ. Otherwise
// replay.cpp drives it.

#include "data/results/metrics.h"
#include "data/store/run_catalogue.h"
#include "data/store/run_seal.h"
#include "data/store/store_connection.h"
#include "data/store/store_merge.h"
#include "data/sweep/sweep_store.h"
#include "engine/api/parameters.h"
#include "engine/api/runner.h"
#include "tests/data/sample_result.h"
#include "tests/data/small_sweep.h"
#include "tests/fuzz/checks.h"

#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fuzz::store {

/// A column of a table, and the query that finds its rows by a number from 1 on.
struct Column {
    const char *table, *name, *row;
};
constexpr std::array kColumns{Column{"run", "name", "id"},
                              Column{"run", "experiment_hash", "id"},
                              Column{"run", "engine_version", "id"},
                              Column{"run", "created_unix_ms", "id"},
                              Column{"run", "trashed_unix_ms", "id"},
                              Column{"run", "total_ps", "id"},
                              Column{"run", "speedup", "id"},
                              Column{"run", "note", "id"},
                              Column{"run", "tags", "id"},
                              Column{"run", "base", "id"},
                              Column{"run", "differences", "id"},
                              Column{"run", "layout", "id"},
                              Column{"run", "result", "id"},
                              Column{"run", "draft", "id"},
                              Column{"run", "checksum", "id"},
                              Column{"experiment_base", "document", "id"},
                              Column{"result_layout", "document", "id"},
                              Column{"failure", "experiment_hash", "created_unix_ms"},
                              Column{"failure", "engine_version", "created_unix_ms"},
                              Column{"failure", "reason", "created_unix_ms"},
                              Column{"sweep", "id", "key"},
                              Column{"sweep", "label", "key"},
                              Column{"sweep", "document", "key"},
                              Column{"sweep", "points", "key"},
                              Column{"sweep", "created_unix_ms", "key"},
                              Column{"sweep_point", "position", "position + 1"},
                              Column{"sweep_point", "experiment_hash", "position + 1"},
                              Column{"sweep_point", "problem", "position + 1"}};
constexpr std::size_t kRows = 6;

const data::SweepPlan& plan() {
    static const data::SweepPlan kPlan = [] {
        data::Sweep sweep = tests::smallSweep(1);
        sweep.policies.resize(2);
        return data::planOf(sweep);
    }();
    return kPlan;
}

void fillStore(data::Store& store) {
    const engine::RunResult result = tests::fullResult(), plain = tests::sampleResult();
    engine::Experiment experiment;
    store.keep("the default", data::writeDraft({}), experiment, result);
    experiment.seed = 7;
    experiment.link.bandwidth = {75'000'000'000};
    const std::int64_t second = store.keep("t-nlg/fc-2/tp8 t3-mca*", data::writeDraft({}), experiment, plain);
    data::SweepStore sweeps(store);
    sweeps.keepSweep(plan());
    const auto keep = [&sweeps](std::size_t i, const char* name, const engine::RunResult* ended, const char* failure) {
        const data::SweepPoint& point = plan().points[i];
        const data::PointDetails details = plan().details(point);
        sweeps.keepPoints(std::vector<data::EndedPoint>{
            {name, data::writeDraft(details.draft), point.hash, &details.experiment, ended, failure}});
    };
    keep(0, "done", &plain, "");
    keep(1, "done", &result, "");
    keep(2, "failed", nullptr, "it stopped");
    data::RunCatalogue catalogue(store);
    catalogue.setNote(second, "a note");
    catalogue.setTags({&second, 1}, {"paper", "x"});
}

/// Returns the bytes of a small store in one file with runs of every kind, among them one of another engine and one of
/// the first schema.
const std::string& soundStore() {
    static const std::string kBytes = [] {
        const ScratchFolder folder;
        const std::string path = folder.file("sound.sqlite");
        {
            data::Store store(path);
            fillStore(store);
            SQLite::Database& database = store.connection().database;
            const std::string first = store.documentOf(1, false);
            SQLite::Statement plainResult(database, "UPDATE run SET layout = NULL, result = ? WHERE id = 1");
            plainResult.bind(1, first);
            plainResult.exec();
            database.exec("UPDATE run SET engine_version = '0.1.0' WHERE id = 2");
            database.exec("UPDATE run SET trashed_unix_ms = 5 WHERE id = 3");
            database.exec("UPDATE run SET created_unix_ms = id");
            database.exec("UPDATE failure SET created_unix_ms = 1");
            database.exec("UPDATE sweep SET created_unix_ms = 1");
            data::sealRuns(database, data::ToSeal::all);
            database.execAndGet("PRAGMA journal_mode = DELETE");
        }
        return readFile(path);
    }();
    return kBytes;
}

const std::string& emptyStore() {
    static const std::string kBytes = [] {
        const ScratchFolder folder;
        const std::string path = folder.file("empty.sqlite");
        data::Store(path).connection().database.execAndGet("PRAGMA journal_mode = DELETE");
        return readFile(path);
    }();
    return kBytes;
}

void bindValue(SQLite::Statement& change, InputBytes& input) {
    constexpr std::size_t kManyTimes = 4096;
    const std::size_t kind = input.below(6), size = input.byte();
    const std::string bytes(input.next(size));
    InputBytes number(bytes);
    std::string many;
    switch (kind) {
    case 0: change.bind(1); break;
    case 1: change.bind(1, static_cast<std::int64_t>(number.number(8))); break;
    case 2: change.bind(1, std::bit_cast<double>(number.number(8))); break;
    case 3: change.bind(1, bytes); break;
    case 4: change.bind(1, bytes.data(), static_cast<int>(bytes.size())); break;
    default:
        for (std::size_t i = 0; i < kManyTimes && many.size() < 16 * kManyTimes; ++i)
            many += bytes;
        change.bind(1, many);
    }
}

void changeFields(const std::string& path, InputBytes& input, bool isSealed) {
    SQLite::Database database(path, SQLite::OPEN_READWRITE);
    database.exec("PRAGMA foreign_keys = OFF");
    database.exec("PRAGMA synchronous = OFF");
    while (!input.atEnd()) {
        const Column& column = kColumns.at(input.below(kColumns.size()));
        SQLite::Statement change(database, std::string("UPDATE ") + column.table + " SET " + column.name +
                                               " = ?1 WHERE " + column.row + " = ?2");
        change.bind(2, static_cast<std::int64_t>(1 + input.below(kRows)));
        bindValue(change, input);
        try {
            change.exec();
        } catch (const SQLite::Exception&) {}  // a constraint of the table rejects the value
    }
    if (isSealed)
        data::sealRuns(database, data::ToSeal::all);
}

std::string changedBytes(InputBytes& input) {
    std::string bytes = soundStore();
    while (!input.atEnd()) {
        const std::size_t at = input.number(3) % bytes.size();
        bytes[at] = static_cast<char>(bytes[at] ^ input.byte());
    }
    return bytes;
}

/// Returns true if the work was done. Checks that a rejection has a message.
template <typename Work>
bool attempt(const Work& work) {
    try {
        work();
        return true;
    } catch (const data::StoreError& error) {
        require(std::string_view(error.what()).size() > 10, "a refusal has words", error.what());
        return false;
    }
}

std::vector<std::string> allPaths() {
    std::vector<std::string> paths;
    for (const engine::Parameter& parameter : engine::parameters())
        paths.push_back(parameter.path);
    for (const data::Metric& metric : data::metrics())
        paths.push_back(metric.path);
    return paths;
}

void readCatalogue(data::Store& store) {
    static const std::vector<std::string> kPaths = allPaths();
    const data::RunCatalogue catalogue(store);
    for (const bool trash : {false, true}) {
        store.takeDamaged();
        attempt([&] {
            const auto rows = catalogue.rows({kPaths, std::nullopt, trash});
            require(rows.size() + store.takeDamaged().size() == (trash ? catalogue.trashCount() : catalogue.count()),
                    "each run is a row or is damaged");
            for (const data::CatalogueRow& row : rows)
                require(row.values.size() == kPaths.size(), "a row has each column", row.name);
        });
    }
    attempt([&] { catalogue.rows({{}, plan().id, false}); });
    attempt([&] { catalogue.tagsInUse(); });
}

void readSweeps(data::Store& store) {
    const data::SweepStore sweeps(store);
    attempt([&] {
        for (const data::StoredSweep& sweep : sweeps.sweeps())
            attempt([&] {
                const data::SweepTable table = sweeps.table(sweep.id);
                require(table.rows.size() == data::pointCount(table.sweep), "a table has each point", sweep.id);
            });
    });
    attempt([&] {
        require(sweeps.table(plan()).rows.size() == plan().points.size(), "a plan's table has each point");
        sweeps.known(plan());
        sweeps.ofOtherEngines(plan());
    });
}

/// Returns the documents of all runs that can be read, by the values that identify a run.
std::map<std::string, std::string> documentsOf(data::Store& store) {
    std::map<std::string, std::string> documents;
    attempt([&] {
        for (const data::StoredRun& run : store.runs()) {
            attempt([&] { store.resultOf(run.id); });
            attempt([&] { documents[run.experimentHash + " " + run.engineVersion] = store.documentOf(run.id, false); });
        }
    });
    return documents;
}

void joinInto(const std::string& path, const std::string& from, const std::map<std::string, std::string>& documents) {
    writeFile(path, emptyStore());
    data::Store into(path);
    for (const data::MergeObstacle& obstacle : data::checkMerge(path, std::vector{from}))
        require(!obstacle.path.empty() && !obstacle.text.empty(), "what keeps a store out is said of its file");
    if (!attempt([&] { data::merge(into, from); }))
        return;
    const data::MergeSummary again = data::merge(into, from);
    require(again.runs + again.failures + again.sweeps + again.points == 0, "the same store again brings nothing");
    const auto joined = documentsOf(into);
    for (const auto& [key, document] : joined) {
        const auto there = documents.find(key);
        require(there != documents.end() && there->second == document, "a run that was joined is the same run",
                document);
    }
}

void changeStore(data::Store& store) {
    data::RunCatalogue catalogue(store);
    constexpr std::int64_t kChanged = 4;
    if (!attempt([&] { catalogue.setNote(kChanged, "another note"); }))
        return;
    attempt([&] {
        catalogue.setTags({&kChanged, 1}, {"b", "a", "b"});
        for (const data::CatalogueRow& row : catalogue.rows({{}, std::nullopt, false})) {
            if (row.id == kChanged)
                require(row.note == "another note" && row.tags == std::vector<std::string>{"a", "b"},
                        "a run has the marks that it was given", row.note);
        }
        catalogue.trash({&kChanged, 1});
        catalogue.restore({&kChanged, 1});
        catalogue.emptyTrash();
    });
    attempt([&] { fillStore(store); });
    attempt([&] { data::SweepStore(store).removeSweep(plan().id); });
}

RINGSIDE_FUZZ_TARGET(fuzz_store)(const std::uint8_t* bytes, std::size_t size) {
    static const ScratchFolder kFolder;
    InputBytes input({reinterpret_cast<const char*>(bytes), size});
    const std::string path = kFolder.file("tried.sqlite"), into = kFolder.file("into.sqlite");
    for (const char* beside : {"-wal", "-shm", "-journal"}) {
        std::remove((path + beside).c_str());
        std::remove((into + beside).c_str());
    }
    const char letter = size > 0 ? static_cast<char>(bytes[0]) : ' ';
    if (letter == 'b' || letter == 's')
        input.byte();
    writeFile(path, letter == 'b' ? changedBytes(input) : soundStore());
    if (letter != 'b')
        changeFields(path, input, letter == 's');
    std::optional<data::Store> store;
    if (!attempt([&] { store.emplace(path); }))
        return 0;
    readCatalogue(*store);
    readSweeps(*store);
    attempt([&] { store->documentOf(1); });
    joinInto(into, path, documentsOf(*store));
    changeStore(*store);
    return 0;
}

}  // namespace fuzz::store
