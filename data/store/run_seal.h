#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace data {

/// The part of a row of the table of runs that never changes. Notes, tags, times and the trash may change.
struct RunContent {
    std::string_view name, experimentHash, engineVersion;
    std::int64_t totalPs = 0;
    std::optional<double> speedup;
    std::string_view base;  ///< the documents themselves, since their row numbers differ between stores
    std::string_view differences;
    std::optional<std::string_view> layout;
    std::string_view result, draft;
    std::string_view subject = "run";  ///< "run" is not part of the checksum, because older rows were sealed before
                                       ///< there were other subjects
};

/// Returns a checksum. Another content has the same one with a probability of one in 2^32. It detects damage by
/// accident, not on purpose.
std::int64_t checksumOf(const RunContent& content);

/// Compares runs with the checksums in their rows, and thereby detects whether their bytes have changed since they were
/// written. Takes one or two microseconds a run, since documents that many runs share are read once. Throws
/// SQLite::Exception.
class RunSeals {
public:
    explicit RunSeals(SQLite::Database& database);

    /// Returns whether the run is undamaged; also false if there is no such row.
    bool isSound(std::int64_t id);
    /// Returns the checksum of the present content of the row, or an empty optional if one of its documents is missing.
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
    all,    ///< all runs as they are: for rows that were changed on purpose
    proven  ///< only runs whose experiment still has its hash: for rows that were kept before there were checksums
};

/// Writes the checksum of each run beside it.
void sealRuns(SQLite::Database& database, ToSeal which);

}  // namespace data
