#pragma once

#include "data/store/run_seal.h"
#include "data/store/store.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <SQLiteCpp/VariadicBind.h>
#include <sqlite3.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace data {

inline constexpr int kBusyTimeoutMs = 200;  // a window must not freeze while another program's transaction runs
inline constexpr int kPatientMs = 10'000;   // while a store is opened or created, and for background work

inline constexpr std::uintmax_t kCheckedWhole = std::uintmax_t{64} * 1024 * 1024;  // up to this size, all pages of a
                                                                                   // store are checked

/// The connection that store, SweepStore, catalogue and merge share.
struct Store::Connection {
    SQLite::Database database;
    std::map<std::int64_t, std::string> damaged{};  ///< found since the last query: id and name
};

[[noreturn]] inline void refuse(const std::string& path, const std::string& what) {
    throw StoreError(path + ": " + what);
}

/// Throws StoreError with SQLite's message and a remedy.
[[noreturn]] void refuse(const std::string& path, const char* doing, const SQLite::Exception& error);

/// Opens the file of a store. Anything that is not an undamaged store of Ringside is refused before SQLite may write to
/// it; a new or an older store gets its tables. If several processes create the same store at once, one of them does it
/// and the others wait. Throws StoreError and SQLite::Exception.
SQLite::Database openedStore(const std::string& path, Store::Mode mode);

/// Throws StoreError for a file that is damaged as a whole. The message says what was `found` and what to do.
[[noreturn]] void refuseDamaged(const std::string& path, const std::string& found);

/// Runs `work` and converts SQLite::Exception to StoreError.
template <typename Work>
auto guarded(const std::string& path, const char* doing, Work&& work) {
    try {
        return std::forward<Work>(work)();
    } catch (const SQLite::Exception& error) { refuse(path, doing, error); }
}

/// Runs `work` in a read transaction: it sees all tables as they were at one time, even if others write meanwhile.
template <typename Work>
auto reading(const Store& store, Work&& work) {
    return guarded(store.path(), "read", [&] {
        SQLite::Transaction transaction(store.connection().database);
        return std::forward<Work>(work)(store.connection().database);
    });
}

/// Runs `work` in a write transaction: either all changes are written or none. Takes the writer's lock at once, because
/// a transaction that reads first cannot wait for another writer.
template <typename Work>
void writing(const Store& store, Work&& work) {
    guarded(store.path(), "written", [&] {
        SQLite::Transaction transaction(store.connection().database, SQLite::TransactionBehavior::IMMEDIATE);
        std::forward<Work>(work)(store.connection().database);
        transaction.commit();
    });
}

/// Sets a longer busy time-out while it exists, for background work that would otherwise lose its results because of
/// another program's transaction. The destructor restores the store's own time-out.
class Patience {
public:
    explicit Patience(const Store& store);
    ~Patience();
    Patience(const Patience&) = delete;
    Patience& operator=(const Patience&) = delete;

private:
    const Store& m_store;
};

/// Checks which runs of a store are undamaged, and records those that are damaged.
class SoundRuns {
public:
    explicit SoundRuns(const Store& store) : m_store(store), m_seals(store.connection().database) {}

    bool has(std::int64_t id);

private:
    const Store& m_store;
    RunSeals m_seals;
};

/// Binds values in their order, each by its type; a string view is bound as a blob. Texts and blobs are not copied:
/// they must live until the statement has run or is bound again.
template <typename... Values>
void bindAll(SQLite::Statement& statement, const Values&... values) {
    int index = 0;
    const auto bind = [&](const auto& value) {
        using Value = std::remove_cvref_t<decltype(value)>;
        ++index;
        if constexpr (std::is_same_v<Value, std::string>)
            statement.bindNoCopy(index, value);
        else if constexpr (std::is_same_v<Value, std::string_view>)
            statement.bindNoCopy(index, value.data(), static_cast<int>(value.size()));
        else if constexpr (!std::is_same_v<Value, std::optional<double>>)
            statement.bind(index, value);
        else if (value)
            statement.bind(index, *value);
        else
            statement.bind(index);
    };
    (bind(values), ...);
}

/// Runs a statement that returns no rows, with these values, and resets it for the next call. Returns how many rows it
/// changed.
template <typename... Values>
int execute(SQLite::Statement& statement, const Values&... values) {
    bindAll(statement, values...);
    const int changed = statement.exec();
    statement.reset();
    return changed;
}

/// Prepares and runs a statement once.
template <typename... Values>
int execute(SQLite::Database& database, const std::string& text, const Values&... values) {
    SQLite::Statement statement(database, text);
    return execute(statement, values...);
}

/// Returns the bytes of a blob or a text, without a copy: valid until the statement's next step.
inline std::string_view viewOf(const SQLite::Column& column) {
    const void* bytes = column.getBlob();
    return {static_cast<const char*>(bytes), static_cast<std::size_t>(column.getBytes())};
}

inline std::int64_t nowUnixMs() {
    using namespace std::chrono;
    return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

}  // namespace data
