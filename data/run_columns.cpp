#include "data/run_columns.h"

#include "data/canonical_form.h"
#include "data/json_reading.h"
#include "data/result_document.h"
#include "data/store_connection.h"
#include "engine/api/parameters.h"

#include <algorithm>
#include <charconv>

namespace data {
namespace {

std::size_t placeIn(std::vector<std::string>& paths, const std::string& path) {
    const auto found = std::find(paths.begin(), paths.end(), path);
    if (found != paths.end())
        return static_cast<std::size_t>(found - paths.begin());
    paths.push_back(path);
    return paths.size() - 1;
}

/// What stands in a canonical form: a number, or text in quotes.
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

/// The number at "time_ps.total" of a result that was kept as JSON.
std::optional<double> numberAt(const ResultJson& document, std::string_view path) {
    const ResultJson* place = &document;
    while (true) {
        const std::size_t point = path.find('.');
        const auto found = place->find(std::string(path.substr(0, point)));
        if (!place->is_object() || found == place->end())
            return std::nullopt;
        place = &*found;
        if (point == std::string_view::npos)
            return place->is_number() ? std::optional(place->get<double>()) : std::nullopt;
        path.remove_prefix(point + 1);
    }
}

}  // namespace

RunColumns::RunColumns(SQLite::Database& database, std::span<const std::string> paths) : m_database(database) {
    for (const std::string& path : paths) {
        const bool isParameter = engine::findParameter(path) != nullptr;
        m_places.push_back({isParameter, placeIn(isParameter ? m_parameters : m_metrics, path)});
    }
}

std::vector<CatalogueValue> RunColumns::read(const SQLite::Statement& row, int first) {
    if (!m_parameters.empty())
        readParameters(row, first);
    if (!m_metrics.empty())
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
    const auto keys = row.getColumn(first + 2);
    const std::string_view result = viewOf(row.getColumn(first + 3));
    try {
        if (!keys.isNull()) {
            layout(keys.getInt64()).read(result, m_metricValues);
            return;
        }
        const ResultJson document = parseJson<ResultJson>(result);
        for (std::size_t i = 0; i < m_metrics.size(); ++i)
            m_metricValues[i] = numberAt(document, m_metrics[i]);
    } catch (const DamagedDocument&) { m_metricValues.assign(m_metrics.size(), std::nullopt); }
}

const PackedNumbers& RunColumns::layout(std::int64_t id) {
    const auto found = m_layouts.find(id);
    return found != m_layouts.end()
               ? found->second
               : m_layouts.emplace(id, PackedNumbers(shared("result_layout", id), m_metrics)).first->second;
}

const std::vector<CatalogueValue>& RunColumns::baseValues(std::int64_t base) {
    const auto [place, isNew] = m_bases.try_emplace(base, m_parameters.size());
    if (isNew) {
        try {
            CanonicalValues values = readCanonicalForm(shared("experiment_base", base));
            addNewerDefaults(values);
            for (std::size_t i = 0; i < m_parameters.size(); ++i) {
                if (const auto found = values.find(m_parameters[i]); found != values.end())
                    place->second[i] = valueOf(found->second);
            }
        } catch (const DamagedDocument&) {}  // then there is nothing to say of its runs' parameters
    }
    return place->second;
}

std::string RunColumns::shared(const char* table, std::int64_t id) const {
    SQLite::Statement select(m_database, std::string("SELECT document FROM ") + table + " WHERE id = ?");
    select.bind(1, id);
    return select.executeStep() ? select.getColumn(0).getString() : std::string();
}

}  // namespace data
