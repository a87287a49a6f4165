#pragma once

#include "data/experiment/canonical_form.h"
#include "data/results/packed_document.h"
#include "data/results/result_json.h"
#include "data/store/run_seal.h"
#include "engine/api/experiment.h"
#include "engine/api/results.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace data {

/// A run as it is handed over to be kept.
struct RunToKeep {
    const std::string& name;
    const std::string& draft;  ///< writeDraft
    const std::string& hash;   ///< experimentHash or modelPointHash
    const engine::Experiment& experiment;
};

/// Puts runs into the table, in the one form that all of them have, wherever they come from. Belongs inside a
/// transaction; throws SQLite::Exception.
class RunWriter {
public:
    enum class Known { keepsItsTime, getsANewTime };

    explicit RunWriter(SQLite::Database& database);

    /// The row of this run. One that is there keeps its result unless it is damaged, and comes back if it was in the
    /// trash; an earlier failure of this experiment is forgotten.
    std::int64_t keep(const RunToKeep& run, const engine::RunResult& result, Known known);
    /// The same of a point of whole models.
    std::int64_t keep(const RunToKeep& run, const ModelPoint& point, Known known);

private:
    std::int64_t keep(const RunToKeep& run, const PackedDocument& result, RunContent content, Known known);
    std::int64_t rowOfLayout(const std::string& layout);
    std::optional<std::int64_t> find(const std::string& hash, const std::string& version);
    bool isDamaged(const std::string& hash, const std::string& version);

    SQLite::Database& m_database;
    SQLite::Statement m_insert, m_mend, m_find, m_forget;
    RunSeals m_seals;
    std::int64_t m_base = 0;
    std::map<std::string, std::int64_t> m_layouts;  // those met in this transaction: one for each policy
};

/// The words of a text, sorted, each once; and as they stand in the table, with a blank between.
std::vector<std::string> tagsOf(const std::string& text);
std::string sortedTags(const std::string& text);

/// The document in this row of a table of shared ones; nothing when it is not there.
std::optional<std::string> sharedDocument(SQLite::Database& database, const char* table, std::int64_t id);

/// The row of this document in a table of shared ones, added when it is not there.
std::int64_t rowOfShared(SQLite::Database& database, const char* table, const std::string& document);

/// Reads a whole run back, nothing when there is no run `id`; with `experiment` false that key is left out. What is not as
/// the program wrote it throws DamagedDocument.
std::optional<ResultJson> runDocument(SQLite::Database& database, std::int64_t id, bool withExperiment);

}  // namespace data
