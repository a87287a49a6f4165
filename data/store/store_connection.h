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

inline constexpr int kBusyTimeoutMs = 200;  // a window must not freeze behind another program's transaction
inline constexpr int kPatientMs = 10'000;   // while a store is opened or made, and for whoever works in the background

inline constexpr std::uintmax_t kCheckedWhole = std::uintmax_t{64} * 1024 * 1024;  // bytes whose pages are all checked

/// What store, shelf, catalogue and merge share: one connection, and how they speak of its failures.
struct Store::Connection {
    SQLite::Database database;
    std::map<std::int64_t, std::string> damaged{};  ///< met since somebody asked: id and name
};

[[noreturn]] inline void refuse(const std::string& path, const std::string& what) {
    throw StoreError(path + ": " + what);
}

/// What SQLite says, and what somebody can do about it.
[[noreturn]] void refuse(const std::string& path, const char* doing, const SQLite::Exception& error);

/// Opens the file of a store. What is not a sound store of ours is refused before SQLite may touch it; a new or an older
/// one gets its tables. Several processes may begin the same store at once: one of them does, and the others wait.
/// Throws StoreError and SQLite::Exception.
SQLite::Database openedStore(const std::string& path, Store::Mode mode);

/// Says that the whole file is damaged, how it shows, and what to do.
[[noreturn]] void refuseDamaged(const std::string& path, const std::string& found);

/// Runs `work` and turns what SQLite throws into what the boundary catches.
template <typename Work>
auto guarded(const std::string& path, const char* doing, Work&& work) {
    try {
        return std::forward<Work>(work)();
    } catch (const SQLite::Exception& error) { refuse(path, doing, error); }
}

/// Reads several tables as they are at one moment, whatever others write meanwhile.
template <typename Work>
auto reading(const Store& store, Work&& work) {
    return guarded(store.path(), "read", [&] {
        SQLite::Transaction transaction(store.connection().database);
        return std::forward<Work>(work)(store.connection().database);
    });
}

/// All of `work` is written or nothing of it. Takes the writer's place at once: a transaction that reads first could
/// not wait for another writer.
template <typename Work>
void writing(const Store& store, Work&& work) {
    guarded(store.path(), "written", [&] {
        SQLite::Transaction transaction(store.connection().database, SQLite::TransactionBehavior::IMMEDIATE);
        std::forward<Work>(work)(store.connection().database);
        transaction.commit();
    });
}

/// Longer patience for whoever works in the background and would lose more than time: another program's transaction
/// may take a while. Back to the store's own after.
class Patience {
public:
    explicit Patience(const Store& store);
    ~Patience();
    Patience(const Patience&) = delete;
    Patience& operator=(const Patience&) = delete;

private:
    const Store& m_store;
};

/// Sees which of a store's runs are sound, and notes those that are not.
class SoundRuns {
public:
    explicit SoundRuns(const Store& store) : m_store(store), m_seals(store.connection().database) {}

    bool has(std::int64_t id);

private:
    const Store& m_store;
    RunSeals m_seals;
};

/// Binds values one behind the other, each by its type; a view is bytes. Texts and bytes are not copied: they have to stay
/// until the statement was done or is bound anew.
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

/// Does a statement that returns no rows, with these values, so that it can be done again with others. Returns how many
/// rows it changed.
template <typename... Values>
int execute(SQLite::Statement& statement, const Values&... values) {
    bindAll(statement, values...);
    const int changed = statement.exec();
    statement.reset();
    return changed;
}

/// Does it once.
template <typename... Values>
int execute(SQLite::Database& database, const std::string& text, const Values&... values) {
    SQLite::Statement statement(database, text);
    return execute(statement, values...);
}

/// The bytes of a blob or a text, without a copy: good until the statement goes on.
inline std::string_view viewOf(const SQLite::Column& column) {
    const void* bytes = column.getBlob();
    return {static_cast<const char*>(bytes), static_cast<std::size_t>(column.getBytes())};
}

inline std::int64_t nowUnixMs() {
    using namespace std::chrono;
    return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

}  // namespace data
