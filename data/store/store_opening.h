#pragma once

#include "data/store/store.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <string>

namespace data {

/// Opens the file of a store. What is not a sound store of ours is refused before SQLite may touch it; a new or an older
/// one gets its tables. Several processes may begin the same store at once: one of them does, and the others wait.
/// Throws StoreError and SQLite::Exception.
SQLite::Database openedStore(const std::string& path, Store::Mode mode);

/// Says that the whole file is damaged, how it shows, and what to do.
[[noreturn]] void refuseDamaged(const std::string& path, const std::string& found);

}  // namespace data
