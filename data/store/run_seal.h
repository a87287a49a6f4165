#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace data {

/// What a row of the table of runs says of its run, and never changes. Notes, tags, times and the trash do.
struct RunContent {
    std::string_view name, experimentHash, engineVersion;
    std::int64_t totalPs = 0;
    std::optional<double> speedup;
    std::string_view base;  ///< the documents themselves, not their row numbers: merged elsewhere they have others
    std::string_view differences;
    std::optional<std::string_view> layout;
    std::string_view result, draft;
    std::string_view subject = "run";  ///< "run" is no part of the checksum: rows were sealed before there was another
};

/// A number that another content does not have but by a chance of one in 2^32: it finds damage, and proves nothing else.
std::int64_t checksumOf(const RunContent& content);

/// Tells runs that are as they were written from those whose bytes have changed since, by the checksum beside them. A
/// microsecond or two a run: what many of them share is read once. Throws SQLite::Exception.
class RunSeals {
public:
    explicit RunSeals(SQLite::Database& database);

    /// Returns false for a row that is not there, too.
    bool isSound(std::int64_t id);
    /// Returns the checksum of what is in the row now; nothing where a document is missing.
    std::optional<std::int64_t> checksumNow(std::int64_t id);

private:
    using Shared = std::map<std::int64_t, std::optional<std::uint32_t>>;

    bool goTo(std::int64_t id);
    std::optional<std::int64_t> checksumHere();
    std::optional<std::uint32_t> shared(Shared& known, SQLite::Statement& select, std::int64_t id);

    SQLite::Statement m_select, m_base, m_layout;
    Shared m_bases, m_layouts;  // checksums of the shared documents, by row
};

enum class ToSeal {
    all,    ///< as they are: for rows that were changed on purpose
    proven  ///< those whose experiment still has its hash: for rows that were kept before there were checksums
};

/// Writes the checksum of each run beside it.
void sealRuns(SQLite::Database& database, ToSeal which);

}  // namespace data
