#include "data/store.h"

#include "data/experiment_document.h"
#include "data/kept_run.h"
#include "data/result_document.h"
#include "data/schema.h"
#include "data/store_connection.h"
#include "engine/api/runner.h"

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

namespace data {
namespace {

constexpr int kStoreIndent = 2;
constexpr int kBusyTimeoutMs = 200;  // a window must not freeze behind another program's transaction
constexpr std::uintmax_t kCheckedWhole = std::uintmax_t{64} * 1024 * 1024;  // quick_check reads every page

/// The fields of SQLite's 100-byte header that say whose file it is (sqlite.org/fileformat.html).
struct FileHeader {
    static constexpr std::size_t kSize = 100;
    bool isSqlite = false;
    std::int64_t userVersion = 0;
    std::int64_t applicationId = 0;
    std::uintmax_t bytes = 0;  ///< how long the file is meant to be; 0 where that is not to be relied on
};

using HeaderBytes = std::array<char, FileHeader::kSize>;

std::uint32_t bigEndian(const HeaderBytes& bytes, std::size_t offset, std::size_t size = 4) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < size; ++i)
        value = value << 8u | static_cast<unsigned char>(bytes.at(offset + i));
    return value;
}

/// Page size times pages; the count holds where it was written with the last change.
std::uintmax_t meantSize(const HeaderBytes& bytes) {
    constexpr std::size_t kPageSize = 16, kChanges = 24, kPages = 28, kChangesAtPages = 92;
    constexpr std::uintmax_t kLargestPage = 65536;  // is written as 1
    if (bigEndian(bytes, kChanges) != bigEndian(bytes, kChangesAtPages))
        return 0;
    const std::uintmax_t page = bigEndian(bytes, kPageSize, 2);
    return (page == 1 ? kLargestPage : page) * bigEndian(bytes, kPages);
}

FileHeader readHeader(const std::string& path) {
    constexpr char kMagic[] = "SQLite format 3";  // with its terminating zero
    std::ifstream file(path, std::ios::binary);
    if (!file)
        refuse(path, "cannot be read; check its permissions");
    HeaderBytes bytes{};
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    FileHeader header;
    header.isSqlite = file.gcount() == static_cast<std::streamsize>(bytes.size()) &&
                      std::memcmp(bytes.data(), kMagic, sizeof kMagic) == 0;
    header.userVersion = static_cast<std::int32_t>(bigEndian(bytes, 60));
    header.applicationId = static_cast<std::int32_t>(bigEndian(bytes, 68));
    header.bytes = meantSize(bytes);
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
            constexpr char kHexDigits[] = "0123456789ABCDEF";
            const auto code = static_cast<unsigned char>(c);
            encoded += {'%', kHexDigits[code >> 4u], kHexDigits[code & 15u]};
        } else {
            encoded += c;
        }
    }
    return encoded;
}

/// The file alone, without a lock, a log or a byte written beside it. Only right while nobody has the store open; a
/// write-ahead log beside it says that somebody may, or that its last changes are there.
SQLite::Database openedAlone(const std::string& path) {
    return {"file:" + percentEncoded(std::filesystem::absolute(path).string()) + "?immutable=1",
            SQLite::OPEN_READONLY | SQLite::OPEN_URI | SQLite::OPEN_NOMUTEX};
}

bool isAlone(const std::string& path) {
    std::error_code error;
    return !std::filesystem::exists(path + "-wal", error) || std::filesystem::file_size(path + "-wal", error) == 0;
}

/// A file that ends too early, whatever its size; and every page of one that is not too large for that.
void checkPages(const std::string& path, const FileHeader& header) {
    if (!isAlone(path))
        return;
    std::error_code error;
    const std::uintmax_t bytes = std::filesystem::file_size(path, error);
    std::string found = "ok";
    if (header.bytes > bytes) {
        found = "it was cut off: " + std::to_string(bytes) + " of " + std::to_string(header.bytes) + " bytes are there";
    } else if (bytes <= kCheckedWhole) {
        try {
            found = openedAlone(path).execAndGet("PRAGMA quick_check(1)").getString();
        } catch (const SQLite::Exception& exception) { found = exception.what(); }
    }
    if (found != "ok")
        refuse(path,
               "the store is damaged (" + found + "); it was left as it is, restore a copy or choose another file");
}

/// For reading. A folder that takes no files has no room for what SQLite puts beside a store while it is read; then the
/// file is read alone.
SQLite::Database openedForReading(const std::string& path) {
    try {
        SQLite::Database database(path, SQLite::OPEN_READONLY | SQLite::OPEN_NOMUTEX, kBusyTimeoutMs);
        database.execAndGet("PRAGMA user_version");
        return database;
    } catch (const SQLite::Exception& error) {
        const bool noRoom = error.getErrorCode() == SQLITE_CANTOPEN || error.getErrorCode() == SQLITE_READONLY;
        if (!noRoom || !isAlone(path))
            throw;
        return openedAlone(path);
    }
}

/// For writing. SQLite would open a file that may only be read as well, and refuse the first change.
SQLite::Database openedForWriting(const std::string& path) {
    SQLite::Database database(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE | SQLite::OPEN_NOMUTEX,
                              kBusyTimeoutMs);
    if (sqlite3_db_readonly(database.getHandle(), "main") == 1)
        refuse(path, "may only be read; check the permissions of the file and of its folder");
    return database;
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
    checkPages(path, header);
    return false;
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

[[noreturn]] void refuseDamaged(const std::string& path, std::int64_t id, const std::string& why) {
    refuse(path, "run " + std::to_string(id) + " is damaged (" + why + "); remove it and run it again");
}

/// What `read` makes of a run's document.
template <typename Read>
auto ofRun(const Store& store, std::int64_t id, bool withExperiment, Read&& read) {
    return guarded(store.path(), "read", [&] {
        try {
            const auto document = RunReader(store.connection().database).document(id, withExperiment);
            if (!document)
                refuse(store.path(), "there is no run " + std::to_string(id) + " (any more)");
            return read(*document);
        } catch (const DamagedDocument& error) {
            refuseDamaged(store.path(), id, error.what());
        } catch (const ResultJson::exception&) {  // a text in it cannot be written as JSON
            refuseDamaged(store.path(), id, "its text is not UTF-8");
        }
    });
}

}  // namespace

void refuse(const std::string& path, const char* doing, const SQLite::Exception& error) {
    std::string text = std::string("the store could not be ") + doing + ": " + error.what();
    switch (error.getErrorCode()) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED: text += "; another program is using it, try again when it has finished"; break;
    case SQLITE_FULL: text += "; make room on the disk, what was kept before is still there"; break;
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM: text += "; check the permissions of the file and of its folder"; break;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB: text += "; the store is damaged, restore a copy or choose another file"; break;
    default: break;
    }
    refuse(path, text);
}

Patience::Patience(const Store& store) : m_store(store) {
    constexpr int kPatientMs = 10'000;
    m_store.connection().database.setBusyTimeout(kPatientMs);
}

Patience::~Patience() {
    try {
        m_store.connection().database.setBusyTimeout(kBusyTimeoutMs);
    } catch (const SQLite::Exception&) {}  // a database that has gone has nothing to be patient with
}

Store::Store(const std::string& path, Mode mode) : m_path(path) {
    const bool fresh = isNew(path, mode);
    guarded(path, "opened", [&] {
        // No mutex around each call: one object belongs to one thread.
        m_connection = std::make_unique<Connection>(
            Connection{mode == Mode::readOnly ? openedForReading(path) : openedForWriting(path)});
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
    std::int64_t id = 0;
    const std::string hash = experimentHash(experiment);
    writing(*this, [&](SQLite::Database& database) {
        id = RunWriter(database).keep({name, draft, hash, experiment, result}, RunWriter::Known::getsANewTime);
    });
    return id;
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

std::vector<StoredRun> Store::runs(std::size_t most) const {
    return guarded(m_path, "read", [&] {
        std::vector<StoredRun> found;
        SQLite::Statement select(m_connection->database,
                                 std::string(kColumns) +
                                     "WHERE trashed_unix_ms IS NULL ORDER BY created_unix_ms DESC, id DESC LIMIT ?");
        select.bind(1, static_cast<std::int64_t>(most));
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
    return ofRun(*this, id, false, [](const ResultJson& document) { return readOutcome(document); });
}

std::string Store::documentOf(std::int64_t id, bool withExperiment) const {
    return ofRun(*this, id, withExperiment,
                 [](const ResultJson& document) { return document.dump(kStoreIndent) + "\n"; });
}

void Store::remove(std::int64_t id) {
    writing(*this, [&](SQLite::Database& database) {
        SQLite::Statement remove(database, "DELETE FROM run WHERE id = ? AND NOT EXISTS (SELECT 1 FROM sweep_point "
                                           "WHERE sweep_point.experiment_hash = run.experiment_hash)");
        remove.bind(1, id);
        remove.exec();
    });
}

}  // namespace data
