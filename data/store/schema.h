#pragma once

namespace SQLite {
class Database;
}

namespace data {

/// The number in the header of every store ("Ring" in ASCII), so that no other program's database is mistaken for one.
inline constexpr int kApplicationId = 0x52696E67;

/// Returns the version of the schema that this program writes; each upgrade step raises a store by one.
int schemaVersion();

/// Applies all upgrade steps from the version of the database (0: an empty file) to schemaVersion(), in one
/// transaction. If the upgrade is interrupted, the store keeps its old version. Takes the lock before it reads the
/// version, so that of several processes only the first one upgrades. Does not change a newer database. Throws
/// SQLite::Exception.
void upgradeSchema(SQLite::Database& database);

}  // namespace data
