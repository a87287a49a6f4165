#pragma once

namespace SQLite {
class Database;
}

namespace data {

/// Written into the header of every store ("Ring" in ASCII), so that no other program's database is taken for one.
inline constexpr int kApplicationId = 0x52696E67;

/// The version that this program writes; each upgrade step raises a store by one.
int schemaVersion();

/// Applies every step from the version of the database (0: an empty file) up to schemaVersion(), in one transaction: a
/// store is either of the old version or of the new one, whatever happens in between. Takes the lock before it reads the
/// version, so that of several processes only the first has something to do. Leaves a newer database as it is. Throws
/// SQLite::Exception.
void upgradeSchema(SQLite::Database& database);

}  // namespace data
