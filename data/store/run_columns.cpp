#include "data/store/run_columns.h"

#include "data/document/json_reading.h"
#include "data/document/names.h"
#include "data/experiment/canonical_form.h"
#include "data/results/metrics.h"
#include "data/results/model_point_fields.h"
#include "data/results/result_document.h"
#include "data/results/result_json.h"
#include "data/store/kept_run.h"
#include "data/store/store_connection.h"
#include "engine/api/parameters.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace data {
namespace {

std::size_t placeIn(std::vector<std::string>& paths, const std::string& path) {
    const auto found = std::find(paths.begin(), paths.end(), path);
    if (found != paths.end())
        return static_cast<std::size_t>(found - paths.begin());
    paths.push_back(path);
    return paths.size() - 1;
}

/// Reads a value of a canonical form: a number, or text in quotes.
CatalogueValue valueOf(std::string_view text) {
    if (text.starts_with('"')) {
        if (text.find('\\') == std::string_view::npos)
            return std::string(text.substr(1, text.size() - 2));
        const ResultJson parsed = parseJson<ResultJson>(text);
        return parsed.is_string() ? CatalogueValue(parsed.get<std::string>()) : CatalogueValue();
    }
    double number = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
    return end.ec == std::errc() ? CatalogueValue(number) : CatalogueValue();
}

/// Returns the number at a path such as "time_ps.total" of a result that was kept as JSON.
std::optional<double> numberAt(const ResultJson& document, std::string_view path) {
    const ResultJson* place = &document;
    while (true) {
        const std::size_t point = path.find('.');
        const auto found = place->find(std::string(path.substr(0, point)));
        if (!place->is_object() || found == place->end())
            return std::nullopt;
        place = &*found;
        if (point == std::string_view::npos)
            return place->is_number()    ? std::optional(place->get<double>())
                   : place->is_boolean() ? std::optional(place->get<bool>() ? 1.0 : 0.0)
                                         : std::nullopt;
        path.remove_prefix(point + 1);
    }
}

/// The metrics from which hidden communication is computed for results of older versions, which do not have it.
struct Source {
    const char* path;
    void (*fill)(engine::RunResult&, double);
};

engine::Duration timeOf(double number) { return {std::llround(number)}; }

engine::IsolatedTimes& partsAloneOf(engine::RunResult& result) {
    return result.isolated ? *result.isolated : result.isolated.emplace();
}

constexpr std::array<Source, 4> kSources{{
    {"time_ps.total", [](engine::RunResult& result, double number) { result.last.time.total = timeOf(number); }},
    {"time_ps.gemm", [](engine::RunResult& result, double number) { result.last.time.gemm = timeOf(number); }},
    {"isolated_ps.gemm", [](engine::RunResult& result, double number) { partsAloneOf(result).gemm = timeOf(number); }},
    {"speedup_over_sequential",
     [](engine::RunResult& result, double number) { result.speedupOverSequential = number; }},
}};

constexpr std::array<std::string_view, 3> kDerived{"time_ps.hidden", "time_ps.exposed", "gemm_stretch"};

// The step of a point that is one pass through one group follows from the model's time.
constexpr std::array<std::string_view, 6> kOfStep{"step_ps.total", "step_ps.compute",  "step_ps.tensor",
                                                  "step_ps.data",  "step_ps.pipeline", "bubble_share"};
constexpr const char* kModelTotal = "model_ps.total";
constexpr const char* kModelExposed = "model_ps.exposed";

}  // namespace

RunColumns::RunColumns(SQLite::Database& database, std::span<const std::string> paths, bool withNotices)
    : m_database(database), m_withNotices(withNotices) {
    for (const std::string& path : paths) {
        const bool isParameter = engine::findParameter(path) != nullptr;
        m_places.push_back(
            {isParameter, isParameter ? placeIn(m_parameters, path) : placeIn(m_metrics, keyOfMetric(path))});
        if (isAmong(kDerived, path))
            m_derived.push_back(m_places.back().index);
        if (isAmong(kOfStep, path))
            m_ofStep.push_back(m_places.back().index);
    }
    for (std::size_t i = 0; i < kSources.size() && !m_derived.empty(); ++i)
        m_sources.push_back(placeIn(m_metrics, kSources[i].path));
    if (!m_ofStep.empty())
        m_stepSources = {placeIn(m_metrics, kModelTotal), placeIn(m_metrics, kModelExposed)};
}

std::vector<CatalogueValue> RunColumns::read(const SQLite::Statement& row, int first) {
    if (!m_parameters.empty())
        readParameters(row, first);
    if (!m_metrics.empty() || m_withNotices)
        readMetrics(row, first);
    std::vector<CatalogueValue> values;
    values.reserve(m_places.size());
    for (const Place& place : m_places) {
        if (place.isParameter) {
            values.push_back(m_parameterValues[place.index]);
        } else {
            CatalogueValue& value = values.emplace_back();
            if (const auto& number = m_metricValues[place.index])
                value = *number;
        }
    }
    return values;
}

void RunColumns::readParameters(const SQLite::Statement& row, int first) {
    m_parameterValues = baseValues(row.getColumn(first).getInt64());
    forEachDifference(viewOf(row.getColumn(first + 1)), [&](std::string_view path, std::string_view value) {
        const auto found = std::find(m_parameters.begin(), m_parameters.end(), path);
        if (found != m_parameters.end())
            m_parameterValues[static_cast<std::size_t>(found - m_parameters.begin())] = valueOf(value);
    });
}

void RunColumns::readMetrics(const SQLite::Statement& row, int first) {
    m_metricValues.assign(m_metrics.size(), std::nullopt);
    m_notices.clear();
    const auto keys = row.getColumn(first + 2);
    const std::string_view result = viewOf(row.getColumn(first + 3));
    try {
        if (!keys.isNull()) {
            layout(keys.getInt64()).read(result, m_metricValues, m_withNotices ? &m_notices : nullptr);
        } else {
            const ResultJson document = parseJson<ResultJson>(result);
            for (std::size_t i = 0; i < m_metrics.size(); ++i)
                m_metricValues[i] = numberAt(document, m_metrics[i]);
            if (m_withNotices && document.contains("notices"))
                m_notices = readNotices(document);
        }
        derive();
        deriveStep();
    } catch (const DamagedDocument&) {
        m_metricValues.assign(m_metrics.size(), std::nullopt);
        m_notices.clear();
    }
}

void RunColumns::derive() {
    const auto isMissing = [&](std::size_t place) { return !m_metricValues[place]; };
    if (std::none_of(m_derived.begin(), m_derived.end(), isMissing))
        return;
    engine::RunResult result;
    for (std::size_t i = 0; i < m_sources.size(); ++i) {
        if (const auto& number = m_metricValues[m_sources[i]])
            kSources[i].fill(result, *number);
    }
    for (const std::size_t place : m_derived) {
        if (isMissing(place))
            m_metricValues[place] = findMetric(m_metrics[place])->read(result);
    }
}

void RunColumns::deriveStep() {
    if (m_ofStep.empty() || !m_metricValues[m_stepSources[0]] || !m_metricValues[m_stepSources[1]])
        return;
    ModelPoint point;
    point.time.emplace().reduceScatter = timeOf(*m_metricValues[m_stepSources[1]]);
    point.time->gemm = timeOf(*m_metricValues[m_stepSources[0]]) - point.time->reduceScatter;
    for (const std::size_t place : m_ofStep) {
        if (!m_metricValues[place])
            m_metricValues[place] = findMetric(m_metrics[place])->readPoint(point);
    }
}

const PackedNumbers& RunColumns::layout(std::int64_t id) {
    const auto found = m_layouts.find(id);
    return found != m_layouts.end()
               ? found->second
               : m_layouts
                     .emplace(id,
                              PackedNumbers(sharedDocument(m_database, "result_layout", id).value_or(""), m_metrics))
                     .first->second;
}

const std::vector<CatalogueValue>& RunColumns::baseValues(std::int64_t base) {
    const auto [place, isNew] = m_bases.try_emplace(base, m_parameters.size());
    if (isNew) {
        try {
            CanonicalValues values =
                readCanonicalForm(sharedDocument(m_database, "experiment_base", base).value_or(""));
            addNewerDefaults(values);
            for (std::size_t i = 0; i < m_parameters.size(); ++i) {
                if (const auto found = values.find(m_parameters[i]); found != values.end())
                    place->second[i] = valueOf(found->second);
            }
        } catch (const DamagedDocument&) {}  // then the parameters of its runs are empty
    }
    return place->second;
}

}  // namespace data
