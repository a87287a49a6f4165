#include "data/run_columns.h"

#include "data/canonical_form.h"
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
        const ResultJson parsed = ResultJson::parse(text.begin(), text.end(), nullptr, false);
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
    std::vector<CatalogueValue> parameters;
    if (!m_parameters.empty())
        readParameters(row, first, parameters);
    const Numbers metrics = m_metrics.empty() ? Numbers() : readMetrics(row, first);
    std::vector<CatalogueValue> values;
    values.reserve(m_places.size());
    for (const Place& place : m_places) {
        if (place.isParameter) {
            values.push_back(parameters[place.index]);
        } else {
            const auto& number = metrics[place.index];
            values.push_back(number ? CatalogueValue(*number) : CatalogueValue());
        }
    }
    return values;
}

void RunColumns::readParameters(const SQLite::Statement& row, int first, std::vector<CatalogueValue>& values) {
    values = baseValues(row.getColumn(first).getInt64());
    forEachDifference(viewOf(row.getColumn(first + 1)), [&](std::string_view path, std::string_view value) {
        const auto found = std::find(m_parameters.begin(), m_parameters.end(), path);
        if (found != m_parameters.end())
            values[static_cast<std::size_t>(found - m_parameters.begin())] = valueOf(value);
    });
}

RunColumns::Numbers RunColumns::readMetrics(const SQLite::Statement& row, int first) {
    Numbers numbers(m_metrics.size());
    const auto layout = row.getColumn(first + 2);
    const std::string_view result = viewOf(row.getColumn(first + 3));
    try {
        if (layout.isNull()) {
            const ResultJson document = ResultJson::parse(result.begin(), result.end(), nullptr, false);
            for (std::size_t i = 0; i < m_metrics.size(); ++i)
                numbers[i] = numberAt(document, m_metrics[i]);
            return numbers;
        }
        auto found = m_layouts.find(layout.getInt64());
        if (found == m_layouts.end())
            found =
                m_layouts
                    .emplace(layout.getInt64(), PackedNumbers(shared("result_layout", layout.getInt64()), m_metrics))
                    .first;
        found->second.read(result, numbers);
    } catch (const DamagedDocument&) { numbers.assign(m_metrics.size(), std::nullopt); }
    return numbers;
}

const std::vector<CatalogueValue>& RunColumns::baseValues(std::int64_t base) {
    const auto [place, isNew] = m_bases.try_emplace(base, m_parameters.size());
    if (isNew) {
        try {
            const CanonicalValues values = readCanonicalForm(shared("experiment_base", base));
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
