#pragma once

#include "data/results/packed_document.h"
#include "data/store/run_catalogue.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace data {

/// Reads selected parameters and metrics from rows of runs without building an experiment or a result: a few
/// microseconds a run. Documents that many runs share are read once.
class RunColumns {
public:
    /// The columns that a query must select, in this order, for `read`.
    static constexpr const char* kSelected = "run.base, run.differences, run.layout, run.result";

    /// `paths` are those of parameters or of metrics, in any order; they may repeat. `withNotices`: reads notices as well.
    RunColumns(SQLite::Database& database, std::span<const std::string> paths, bool withNotices = false);

    /// Returns one value for each path. A value is empty if the run has none or is damaged. Damage is not reported
    /// here, but when the run is opened.
    std::vector<CatalogueValue> read(const SQLite::Statement& row, int first);

    /// Returns the notices of the row that was read last, if they were asked for.
    const engine::Notices& notices() const { return m_notices; }

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
    void deriveStep();

    SQLite::Database& m_database;
    bool m_withNotices;
    std::vector<std::string> m_parameters, m_metrics;  // each once
    std::vector<Place> m_places;                       // one for each path
    std::unordered_map<std::int64_t, std::vector<CatalogueValue>> m_bases;
    std::unordered_map<std::int64_t, PackedNumbers> m_layouts;
    std::vector<CatalogueValue> m_parameterValues;  // of the current row; the memory is reused
    Numbers m_metricValues;
    engine::Notices m_notices;
    std::vector<std::size_t> m_derived;          // indices of metrics that results of older versions do not have
    std::vector<std::size_t> m_sources;          // indices of the metrics from which m_derived are computed
    std::vector<std::size_t> m_ofStep;           // indices of metrics of the step
    std::array<std::size_t, 2> m_stepSources{};  // indices of the metrics from which m_ofStep are computed
};

}  // namespace data
