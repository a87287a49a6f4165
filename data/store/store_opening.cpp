#include "data/store/schema.h"
#include "data/store/store_connection.h"

#include <array>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <thread>

namespace data {
namespace {

[[noreturn]] void refuseMissing(const std::string& path, const std::string& what) {
    throw MissingStore(path + ": " + what);
}

/// The fields of SQLite's 100-byte header that say whose file it is (sqlite.org/fileformat.html).
struct FileHeader {
    static constexpr std::size_t kSize = 100;
    bool isSqlite = false;
    std::int64_t userVersion = 0;
    std::int64_t applicationId = 0;
    std::uintmax_t bytes = 0;  ///< the length that the file should have; 0 if the header's number is unreliable
};

using HeaderBytes = std::array<char, FileHeader::kSize>;

std::uint32_t bigEndian(const HeaderBytes& bytes, std::size_t offset, std::size_t size = 4) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < size; ++i)
        value = value << 8u | static_cast<unsigned char>(bytes.at(offset + i));
    return value;
}

/// Returns the length that the file should have: page size times pages. Returns 0 if the number of pages was not
/// written with the last change.
std::uintmax_t meantSize(const HeaderBytes& bytes) {
    constexpr std::size_t kPageSize = 16, kChanges = 24, kPages = 28, kChangesAtPages = 92;
    constexpr std::uintmax_t kLargestPage = 65536;  // the header has 1 for it
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

/// Opens the file without taking a lock and without creating files beside it. This is valid only while no program has
/// the store open. A write-ahead log beside the file shows that a program may have it open, or that its last changes
/// are in the log.
SQLite::Database openedAlone(const std::string& path) {
    return {"file:" + percentEncoded(std::filesystem::absolute(path).string()) + "?immutable=1",
            SQLite::OPEN_READONLY | SQLite::OPEN_URI | SQLite::OPEN_NOMUTEX};
}

bool isEmptyOrMissing(const std::string& path) {
    std::error_code error;
    return !std::filesystem::exists(path, error) || std::filesystem::file_size(path, error) == 0;
}

/// Returns whether no log and no journal is beside the file. If there is one, a program may be writing the file.
bool isAlone(const std::string& path) { return isEmptyOrMissing(path + "-wal") && isEmptyOrMissing(path + "-journal"); }

/// Returns what is wrong with the file and with the pages that SQLite sees through `database`, or "ok".
std::string damageIn(const std::string& path, SQLite::Database& database) {
    std::error_code error;
    const std::uintmax_t bytes = std::filesystem::file_size(path, error), meant = readHeader(path).bytes;
    if (meant > bytes && isAlone(path))
        return "it was cut off: " + std::to_string(bytes) + " of " + std::to_string(meant) + " bytes are there";
    if (bytes > kCheckedWhole)
        return "ok";
    const std::string found = database.execAndGet("PRAGMA quick_check(1)").getString();
    return found.substr(found.rfind('\n') + 1);  // without the line before, which only names the database
}

std::string damageSeenWithoutLock(const std::string& path) {
    try {
        SQLite::Database database = openedAlone(path);
        return damageIn(path, database);
    } catch (const SQLite::Exception& exception) { return exception.what(); }
}

/// Checks the file again while nobody can write. If another program writes for longer than we wait, the store does not
/// count as damaged.
std::string damageSeenWithLock(const std::string& path) {
    try {
        SQLite::Database database(path, SQLite::OPEN_READWRITE | SQLite::OPEN_NOMUTEX, kPatientMs);
        const SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
        return damageIn(path, database);
    } catch (const SQLite::Exception& exception) {
        return exception.getErrorCode() == SQLITE_BUSY ? "ok" : exception.what();
    }
}

/// Refuses a file that ends too early and, up to kCheckedWhole, a file with a damaged page. A file that looks damaged
/// is checked again with a lock, because another process may have been writing it.
void checkPages(const std::string& path) {
    if (!isAlone(path))
        return;
    const std::string found = damageSeenWithoutLock(path);
    if (found != "ok" && damageSeenWithLock(path) != "ok")
        refuseDamaged(path, found);
}

/// Opens a store for reading. SQLite creates files beside a store while it is open; if the folder accepts no files,
/// opens the file alone.
SQLite::Database openedForReading(const std::string& path) {
    try {
        SQLite::Database database(path, SQLite::OPEN_READONLY | SQLite::OPEN_NOMUTEX, kPatientMs);
        database.execAndGet("PRAGMA user_version");
        return database;
    } catch (const SQLite::Exception& error) {
        const bool noRoom = error.getErrorCode() == SQLITE_CANTOPEN || error.getErrorCode() == SQLITE_READONLY;
        if (!noRoom || !isAlone(path))
            throw;
        return openedAlone(path);
    }
}

/// Opens a store for writing. Refuses a read-only file, which SQLite itself would open and refuse only at the first
/// change.
SQLite::Database openedForWriting(const std::string& path) {
    SQLite::Database database(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE | SQLite::OPEN_NOMUTEX, kPatientMs);
    if (sqlite3_db_readonly(database.getHandle(), "main") == 1)
        refuse(path, "may only be read; check the permissions of the file and of its folder");
    return database;
}

/// Refuses anything that is not an undamaged store of Ringside, before SQLite may write to it. A missing or empty file
/// is allowed for writing.
void checkFile(const std::string& path, Store::Mode mode) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) {
        if (mode == Store::Mode::readOnly)
            refuseMissing(path, "there is no such file");
        const auto folder = std::filesystem::path(path).parent_path();
        if (!folder.empty() && !std::filesystem::is_directory(folder, error))
            refuse(path, "its folder does not exist; create it or choose another file");
        return;
    }
    if (!std::filesystem::is_regular_file(status))
        refuseMissing(path, "not a file; choose another one");
    if (std::filesystem::file_size(path, error) == 0) {
        if (mode == Store::Mode::readOnly)
            refuseMissing(path, "the file is empty");
        return;
    }
    const FileHeader header = readHeader(path);
    if (!header.isSqlite)
        refuse(path, "not a Ringside store (not an SQLite file); it was left as it is, choose another file");
    if (header.applicationId != kApplicationId)
        refuse(path,
               "an SQLite file of another program, not a Ringside store; it was left as it is, choose another file");
    refuseNewer(path, header.userVersion);
    checkPages(path);
}

/// Switches to the write-ahead log. This needs the file exclusively for a short time, for which SQLite does not wait:
/// tries again until it succeeds or the time-out has passed.
void switchToLog(SQLite::Database& database) {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds kPause{5};
    const Clock::time_point end = Clock::now() + std::chrono::milliseconds(kPatientMs);
    while (true) {
        try {
            database.execAndGet("PRAGMA journal_mode = WAL");
            return;
        } catch (const SQLite::Exception& error) {
            if (error.getErrorCode() != SQLITE_BUSY || Clock::now() >= end)
                throw;
        }
        std::this_thread::sleep_for(kPause);
    }
}

}  // namespace

void refuseDamaged(const std::string& path, const std::string& found) {
    refuse(path, "the store is damaged (" + found + "); it was left as it is, restore a copy or choose another file");
}

SQLite::Database openedStore(const std::string& path, Store::Mode mode) {
    checkFile(path, mode);
    SQLite::Database database = mode == Store::Mode::readOnly ? openedForReading(path) : openedForWriting(path);
    database.exec("PRAGMA foreign_keys = ON");
    // A new store gets its tables before the write-ahead log, so that its header has the application id from the start.
    // If another process creates the same store at this time, upgradeSchema notices it under the lock.
    if (mode == Store::Mode::readWrite)
        upgradeSchema(database);
    const int version = database.execAndGet("PRAGMA user_version").getInt();
    refuseNewer(path, version);
    if (version < schemaVersion())
        refuse(path, "written by an older Ringside; open it for writing once, so that it is upgraded");
    if (mode == Store::Mode::readWrite) {
        switchToLog(database);
        database.exec("PRAGMA synchronous = NORMAL");
    }
    database.setBusyTimeout(kBusyTimeoutMs);
    return database;
}

}  // namespace data
