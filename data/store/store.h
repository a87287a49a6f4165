#pragma once

#include "engine/api/experiment.h"
#include "engine/api/results.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace data {

struct DraftReading;

/// The store could not be opened, read or written; the message names the file, what is wrong and what to do.
class StoreError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// There is no store: no file where one was to be read, an empty one, or a folder.
class MissingStore : public StoreError {
public:
    using StoreError::StoreError;
};

/// One kept run, as a list shows it.
struct StoredRun {
    std::int64_t id = 0;
    std::string name;  ///< "t-nlg/fc-2/tp8 t3-mca"
    std::string experimentHash;
    std::string engineVersion;
    std::string draft;  ///< the document that was run, as written by writeDraft
    std::int64_t createdUnixMs = 0;
    std::int64_t totalPs = 0;
    std::optional<double> speedup;
};

/// A kept run whose bytes are not those that were written: its name says which one it is, as far as it can be read.
struct DamagedRun {
    std::int64_t id = 0;
    std::string name;
    bool operator==(const DamagedRun&) const = default;
};

/// "2 damaged runs: 17 "t-nlg/fc-2/tp8 t3", 23 "…"": how many, and which the first ten are.
std::string describe(const std::vector<DamagedRun>& runs);

/// Runs kept in one SQLite file: schema version in user_version, Ringside's application_id in the header.
/// Opening is strict: a foreign, damaged or newer file is refused with a StoreError and left untouched;
/// an older schema is upgraded step by step in one transaction.
/// One object belongs to one thread. WAL, foreign keys on, short busy time-out: another program's transaction is
/// reported, not waited for. A store in a folder that takes no files can be read.
class Store {
public:
    enum class Mode { readWrite, readOnly };

    /// Creates the file when it is not there (readWrite only).
    explicit Store(const std::string& path, Mode mode = Mode::readWrite);
    ~Store();
    Store(Store&&) noexcept;
    Store& operator=(Store&&) noexcept;

    /// Keeps a finished run; the same experiment under the same engine version replaces its row's time only, and comes
    /// back if it was in the trash.
    std::int64_t keep(const std::string& name, const std::string& draft, const engine::Experiment& experiment,
                      const engine::RunResult& result);

    /// The row of this experiment under this engine version, if it is kept already, be it in the trash. A damaged one is
    /// as good as none: `keep` puts the new result in its place.
    std::optional<std::int64_t> find(const engine::Experiment& experiment) const;
    /// Newest first, without the trash and what is damaged.
    std::vector<StoredRun> runs(std::size_t most = std::numeric_limits<std::int64_t>::max()) const;
    std::optional<StoredRun> runWithId(std::int64_t id) const;
    engine::RunResult resultOf(std::int64_t id) const;  ///< without trace
    /// The JSON object that `run --output json` printed, whichever version of the program that was.
    std::string documentOf(std::int64_t id, bool withExperiment = true) const;
    /// For good. A run that is a point of a sweep stays: what was finished once is not simulated again.
    void remove(std::int64_t id);

    /// The damaged runs that were met and left out since this was last asked, each once, also by catalogue, shelf and
    /// merge.
    std::vector<DamagedRun> takeDamaged();

    const std::string& path() const { return m_path; }

    struct Connection;  // for shelf, catalogue and merge, which read and write the same file (store_connection.h)
    Connection& connection() const { return *m_connection; }

private:
    std::string m_path;
    std::unique_ptr<Connection> m_connection;
};

/// What a kept run was asked for, and the complete document of what was run where presets mean something else by now.
/// Throws StoreError.
DraftReading draftOfKept(const Store& store, const StoredRun& stored);

}  // namespace data
