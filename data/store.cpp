#include "data/store.h"

#include "data/experiment_document.h"
#include "data/result_document.h"
#include "data/schema.h"
#include "engine/api/runner.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include <array>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

namespace data {
namespace {

constexpr int kBusyTimeoutMs = 200;  // a window must not freeze behind another program's transaction
constexpr std::uintmax_t kCheckedWhole = std::uintmax_t{64} * 1024 * 1024;  // quick_check reads every page

[[noreturn]] void refuse(const std::string& path, const std::string& what) { throw StoreError(path + ": " + what); }

/// Runs `work` and turns what SQLite throws into what the boundary catches.
template <typename Work>
auto guarded(const std::string& path, const char* doing, Work&& work) {
    try {
        return std::forward<Work>(work)();
    } catch (const SQLite::Exception& error) {
        const bool busy = error.getErrorCode() == SQLITE_BUSY || error.getErrorCode() == SQLITE_LOCKED;
        refuse(path, std::string("the store could not be ") + doing + ": " + error.what() +
                         (busy ? "; another program is using it, try again when it has finished" : ""));
    }
}

/// The fields of SQLite's 100-byte header that say whose file it is (sqlite.org/fileformat.html).
struct FileHeader {
    static constexpr std::size_t kSize = 100;
    bool isSqlite = false;
    std::int64_t userVersion = 0;
    std::int64_t applicationId = 0;
};

std::int64_t bigEndian(const std::array<char, FileHeader::kSize>& bytes, std::size_t offset) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i)
        value = value << 8u | static_cast<unsigned char>(bytes.at(offset + i));
    return static_cast<std::int32_t>(value);
}

FileHeader readHeader(const std::string& path) {
    constexpr char kMagic[] = "SQLite format 3";  // with its terminating zero
    std::ifstream file(path, std::ios::binary);
    if (!file)
        refuse(path, "cannot be read; check its permissions");
    std::array<char, FileHeader::kSize> bytes{};
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    FileHeader header;
    header.isSqlite = file.gcount() == static_cast<std::streamsize>(bytes.size()) &&
                      std::memcmp(bytes.data(), kMagic, sizeof kMagic) == 0;
    header.userVersion = bigEndian(bytes, 60);
    header.applicationId = bigEndian(bytes, 68);
    return header;
}

void refuseNewer(const std::string& path, std::int64_t version) {
    if (version > schemaVersion())
        refuse(path, "written by a newer Ringside (schema " + std::to_string(version) + ", this one knows up to " +
                         std::to_string(schemaVersion()) + "); update Ringside or choose another file");
}

std::string percentEncoded(const std::string& path) {
    std::string encoded;
    for (const char c : path) {
        if (c == '%' || c == '?' || c == '#') {
            constexpr char kDigits[] = "0123456789ABCDEF";
            const auto code = static_cast<unsigned char>(c);
            encoded += {'%', kDigits[code >> 4u], kDigits[code & 15u]};
        } else {
            encoded += c;
        }
    }
    return encoded;
}

std::string quickCheck(SQLite::Database& database) { return database.execAndGet("PRAGMA quick_check(1)").getString(); }

/// Looks through the pages without a lock, a log or a byte written beside the file. Only right while nobody has the
/// store open; a write-ahead log beside it says that somebody may.
void checkPages(const std::string& path) {
    std::error_code error;
    if (std::filesystem::exists(path + "-wal", error) || std::filesystem::file_size(path, error) > kCheckedWhole)
        return;
    std::string found;
    try {
        const std::string absolute = std::filesystem::absolute(path).string();
        SQLite::Database database("file:" + percentEncoded(absolute) + "?immutable=1",
                                  SQLite::OPEN_READONLY | SQLite::OPEN_URI);
        found = quickCheck(database);
    } catch (const SQLite::Exception& exception) { found = exception.what(); }
    if (found != "ok")
        refuse(path,
               "the store is damaged (" + found + "); it was left as it is, restore a copy or choose another file");
}

/// Refuses whatever is not a sound store of ours before SQLite may touch it. True when the file is new or empty.
bool isNew(const std::string& path, Store::Mode mode) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) {
        if (mode == Store::Mode::readOnly)
            refuse(path, "there is no such file");
        const auto folder = std::filesystem::path(path).parent_path();
        if (!folder.empty() && !std::filesystem::is_directory(folder, error))
            refuse(path, "its folder does not exist; create it or choose another file");
        return true;
    }
    if (!std::filesystem::is_regular_file(status))
        refuse(path, "not a file; choose another one");
    if (std::filesystem::file_size(path, error) == 0) {
        if (mode == Store::Mode::readOnly)
            refuse(path, "the file is empty");
        return true;
    }
    const FileHeader header = readHeader(path);
    if (!header.isSqlite)
        refuse(path, "not a Ringside store (not an SQLite file); it was left as it is, choose another file");
    if (header.applicationId != kApplicationId)
        refuse(path,
               "an SQLite file of another program, not a Ringside store; it was left as it is, choose another file");
    refuseNewer(path, header.userVersion);
    checkPages(path);
    return false;
}

std::int64_t nowUnixMs() {
    using namespace std::chrono;
    return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

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

}  // namespace

struct Store::Connection {
    SQLite::Database database;
};

Store::Store(const std::string& path, Mode mode) : m_path(path) {
    const bool fresh = isNew(path, mode);
    guarded(path, "opened", [&] {
        const int flags = mode == Mode::readOnly ? SQLite::OPEN_READONLY : SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE;
        m_connection = std::make_unique<Connection>(Connection{SQLite::Database(path, flags, kBusyTimeoutMs)});
        SQLite::Database& database = m_connection->database;
        database.exec("PRAGMA foreign_keys = ON");
        // A new store gets its tables before the write-ahead log: its header says whose it is from the first moment on.
        const int version = fresh ? 0 : database.execAndGet("PRAGMA user_version").getInt();
        refuseNewer(path, version);
        if (mode == Mode::readOnly) {
            if (version < schemaVersion())
                refuse(path, "written by an older Ringside; open it for writing once, so that it is upgraded");
            return;
        }
        if (version < schemaVersion())
            upgradeSchema(database, version);
        database.execAndGet("PRAGMA journal_mode = WAL");
        database.exec("PRAGMA synchronous = NORMAL");
    });
}

Store::~Store() = default;
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;

std::int64_t Store::keep(const std::string& name, const std::string& draft, const engine::Experiment& experiment,
                         const engine::RunResult& result) {
    return guarded(m_path, "written", [&] {
        SQLite::Statement insert(m_connection->database,
                                 "INSERT INTO run (name, experiment_hash, engine_version, draft, experiment, result, "
                                 "created_unix_ms, total_ps, speedup) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) "
                                 "ON CONFLICT (experiment_hash, engine_version) "
                                 "DO UPDATE SET created_unix_ms = excluded.created_unix_ms RETURNING id");
        insert.bind(1, name);
        insert.bind(2, experimentHash(experiment));
        insert.bind(3, std::string(engine::engineVersion()));
        insert.bind(4, draft);
        insert.bind(5, canonicalForm(experiment));
        insert.bind(6, writeResult(experiment, result, false));
        insert.bind(7, nowUnixMs());
        insert.bind(8, result.last.time.total.ps);
        if (result.speedupOverSequential) {
            insert.bind(9, *result.speedupOverSequential);
        } else {
            insert.bind(9);
        }
        insert.executeStep();
        const std::int64_t id = insert.getColumn(0).getInt64();
        while (insert.executeStep()) {}
        return id;
    });
}

std::optional<std::int64_t> Store::find(const engine::Experiment& experiment) const {
    return guarded(m_path, "read", [&]() -> std::optional<std::int64_t> {
        SQLite::Statement select(m_connection->database,
                                 "SELECT id FROM run WHERE experiment_hash = ? AND engine_version = ?");
        select.bind(1, experimentHash(experiment));
        select.bind(2, std::string(engine::engineVersion()));
        if (!select.executeStep())
            return std::nullopt;
        return select.getColumn(0).getInt64();
    });
}

std::vector<StoredRun> Store::runs() const {
    return guarded(m_path, "read", [&] {
        std::vector<StoredRun> found;
        SQLite::Statement select(m_connection->database,
                                 std::string(kColumns) + "ORDER BY created_unix_ms DESC, id DESC");
        while (select.executeStep())
            found.push_back(rowOf(select));
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
    const auto text = guarded(m_path, "read", [&]() -> std::optional<std::string> {
        SQLite::Statement select(m_connection->database, "SELECT result FROM run WHERE id = ?");
        select.bind(1, id);
        if (!select.executeStep())
            return std::nullopt;
        return select.getColumn(0).getString();
    });
    if (!text)
        refuse(m_path, "there is no run " + std::to_string(id) + " (any more)");
    try {
        return readResult(*text);
    } catch (const DamagedDocument& error) {
        refuse(m_path, "run " + std::to_string(id) + " is damaged (" + error.what() + "); remove it and run it again");
    }
}

void Store::remove(std::int64_t id) {
    guarded(m_path, "written", [&] {
        SQLite::Statement remove(m_connection->database, "DELETE FROM run WHERE id = ?");
        remove.bind(1, id);
        remove.exec();
    });
}

}  // namespace data
