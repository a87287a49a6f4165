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

/// Thrown if the store could not be opened, read or written; the message names the file, the fault and a remedy.
class StoreError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Thrown if there is no store: a file to be read is missing or empty, or the path is a folder.
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

/// A kept run whose bytes have changed since they were written. Its name identifies it as far as it can be read.
struct DamagedRun {
    std::int64_t id = 0;
    std::string name;
    bool operator==(const DamagedRun&) const = default;
};

/// Returns how many runs are damaged and names the first ten: "2 damaged runs: 17 "t-nlg/fc-2/tp8 t3", 23 "…"".
std::string describe(const std::vector<DamagedRun>& runs);

/// A file of kept runs, in SQLite. The header has the schema version (user_version) and Ringside's application_id.
///
/// Opening is strict: a foreign, damaged or newer file is refused with a StoreError and left unchanged. An older schema
/// is upgraded step by step in one transaction. A store in a folder that accepts no files can still be read. The store
/// uses a write-ahead log and foreign keys. Its busy time-out is short: if another program is in a transaction, the
/// store reports this instead of waiting. An object belongs to one thread.
class Store {
public:
    enum class Mode { readWrite, readOnly };

    /// Opens the store; with readWrite, creates the file if it is missing.
    explicit Store(const std::string& path, Mode mode = Mode::readWrite);
    ~Store();
    Store(Store&&) noexcept;
    Store& operator=(Store&&) noexcept;

    /// Keeps a finished run and returns its id. If the same experiment was kept under the same engine version, only the
    /// time of its row is replaced, and the run is restored if it was in the trash.
    std::int64_t keep(const std::string& name, const std::string& draft, const engine::Experiment& experiment,
                      const engine::RunResult& result);

    /// Returns the row of this experiment under this engine version if it is kept, even in the trash. A damaged run
    /// does not count: `keep` replaces it with the new result.
    std::optional<std::int64_t> find(const engine::Experiment& experiment) const;
    /// Returns the runs, newest first, without damaged ones and those in the trash.
    std::vector<StoredRun> runs(std::size_t most = std::numeric_limits<std::int64_t>::max()) const;
    std::optional<StoredRun> runWithId(std::int64_t id) const;
    engine::RunResult resultOf(std::int64_t id) const;  ///< without trace
    /// Returns the JSON object that `run --output json` printed, in the form of the program's version that ran it.
    std::string documentOf(std::int64_t id, bool withExperiment = true) const;
    /// Deletes a run permanently. A run that is a point of a sweep stays, so that finished points are not simulated
    /// again.
    void remove(std::int64_t id);

    /// Returns the damaged runs that were found and left out since the last call, each once. RunCatalogue, SweepStore
    /// and merge report theirs here as well.
    std::vector<DamagedRun> takeDamaged();

    const std::string& path() const { return m_path; }

    struct Connection;  // used by SweepStore, RunCatalogue and merge for the same file (store_connection.h)
    Connection& connection() const { return *m_connection; }

private:
    std::string m_path;
    std::unique_ptr<Connection> m_connection;
};

/// Returns the draft of a kept run, or, if presets have changed since, the complete document of the experiment that was
/// run. Throws StoreError.
DraftReading draftOfKept(const Store& store, const StoredRun& stored);

}  // namespace data
