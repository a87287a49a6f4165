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

/// A run that is to be stored.
struct RunToKeep {
    const std::string& name;
    const std::string& draft;  ///< writeDraft
    const std::string& hash;   ///< experimentHash or modelPointHash
    const engine::Experiment& experiment;
};

/// Writes runs into the table of runs. No other code does, so that all rows have one form. Use it inside a transaction.
/// Throws SQLite::Exception.
class RunWriter {
public:
    enum class Known { keepsItsTime, getsANewTime };

    explicit RunWriter(SQLite::Database& database);

    /// Stores a run and returns its row. An existing row keeps its result unless that is damaged, and is restored if it
    /// was in the trash. An earlier failure of this experiment is deleted.
    std::int64_t keep(const RunToKeep& run, const engine::RunResult& result, Known known);
    /// Stores a point of a whole model in the same way.
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
    std::map<std::string, std::int64_t> m_layouts;  // rows of the layouts met in this transaction: one for each policy
};

/// Return the words of a text, sorted and each once: as a list, and as one text separated by blanks, as the table
/// stores them.
std::vector<std::string> tagsOf(const std::string& text);
std::string sortedTags(const std::string& text);

/// Returns the document in row `id` of a table of shared documents, or an empty optional if there is no such row.
std::optional<std::string> sharedDocument(SQLite::Database& database, const char* table, std::int64_t id);

/// Returns the row of `document` in a table of shared documents. Adds the document if it is missing.
std::int64_t rowOfShared(SQLite::Database& database, const char* table, const std::string& document);

/// Returns a whole run as JSON, or an empty optional if there is no run `id`. If `experiment` is false, that key is
/// left out. Throws DamagedDocument if the bytes are not as the program wrote them.
std::optional<ResultJson> runDocument(SQLite::Database& database, std::int64_t id, bool withExperiment);

}  // namespace data
