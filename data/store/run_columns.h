#pragma once

#include "data/results/packed_document.h"
#include "data/store/run_catalogue.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace data {

/// Reads chosen parameters and metrics out of rows of runs, without building an experiment or a result: a few
/// microseconds a run. What stands once for many runs is read once.
class RunColumns {
public:
    /// What a query has to select for `read`, one behind the other.
    static constexpr const char* kSelected = "run.base, run.differences, run.layout, run.result";

    /// Paths of parameters or of metrics, in any order, also twice.
    RunColumns(SQLite::Database& database, std::span<const std::string> paths);

    /// One value for each path; nothing where the run has none, or where it is damaged (opening the run says how).
    std::vector<CatalogueValue> read(const SQLite::Statement& row, int first);

private:
    struct Place {
        bool isParameter = false;
        std::size_t index = 0;  ///< among the parameters or among the metrics
    };
    using Numbers = std::vector<std::optional<double>>;

    const std::vector<CatalogueValue>& baseValues(std::int64_t base);
    void readParameters(const SQLite::Statement& row, int first);
    void readMetrics(const SQLite::Statement& row, int first);
    const PackedNumbers& layout(std::int64_t id);
    void derive();

    SQLite::Database& m_database;
    std::vector<std::string> m_parameters, m_metrics;  // each once
    std::vector<Place> m_places;                       // one for each path
    std::unordered_map<std::int64_t, std::vector<CatalogueValue>> m_bases;
    std::unordered_map<std::int64_t, PackedNumbers> m_layouts;
    std::vector<CatalogueValue> m_parameterValues;  // of the row that is read, in memory that stays
    Numbers m_metricValues;
    std::vector<std::size_t> m_derived;  // places of metrics that results of older versions do not have
    std::vector<std::size_t> m_sources;  // places of what these are derived from
};

}  // namespace data
