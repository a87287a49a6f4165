#include "data/evaluations/measured_table.h"

#include "data/document/document_reader.h"
#include "data/document/document_tree.h"
#include "data/document/names.h"
#include "engine/api/parameters.h"
#include "engine/api/quantity.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace data {
namespace {

constexpr std::string_view kValueColumn = "value", kNotesColumn = "what";
constexpr std::size_t kMostCells = 100;        // of one row
constexpr std::size_t kLongestShownCell = 60;  // bytes of a cell in a message

/// A line of the file: its number, counted from 1, and its cells.
struct CsvLine {
    std::size_t number = 0;
    std::vector<std::string> cells;
};

/// Reads the lines of a CSV text one after the other; empty lines are passed over.
class CsvReader {
public:
    explicit CsvReader(std::string_view text) : m_rest(text) {
        constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
        if (m_rest.starts_with(kByteOrderMark))
            m_rest.remove_prefix(kByteOrderMark.size());
    }

    /// Returns the next line; an empty optional at the end. Cells after kMostCells are dropped.
    std::optional<CsvLine> next() {
        while (!m_rest.empty()) {
            CsvLine line{++m_number, {}};
            bool more = true;
            while (more) {
                std::string cell = readCell();
                if (line.cells.size() < kMostCells)
                    line.cells.push_back(std::move(cell));
                more = !m_rest.empty() && m_rest.front() == ',';
                if (more)
                    m_rest.remove_prefix(1);
            }
            endLine();
            if (line.cells.size() > 1 || !line.cells.front().empty())
                return line;
        }
        return std::nullopt;
    }

private:
    std::string readCell() {
        if (m_rest.empty() || m_rest.front() != '"') {
            const std::string_view cell = m_rest.substr(0, m_rest.find_first_of(",\r\n"));
            m_rest.remove_prefix(cell.size());
            return trimmed(cell);
        }
        m_rest.remove_prefix(1);
        std::string cell;
        while (!m_rest.empty()) {
            const char c = m_rest.front();
            m_rest.remove_prefix(1);
            if (c == '"' && (m_rest.empty() || m_rest.front() != '"'))
                break;
            if (c == '"')
                m_rest.remove_prefix(1);
            m_number += c == '\n' ? 1 : 0;
            cell += c;
        }
        // What follows the closing quote belongs to the cell as well, so that it is seen in a message.
        const std::string_view behind = m_rest.substr(0, m_rest.find_first_of(",\r\n"));
        m_rest.remove_prefix(behind.size());
        return cell + trimmed(behind);
    }

    static std::string trimmed(std::string_view text) {
        const std::size_t from = text.find_first_not_of(" \t");
        if (from == std::string_view::npos)
            return {};
        return std::string(text.substr(from, text.find_last_not_of(" \t") - from + 1));
    }

    void endLine() {
        if (!m_rest.empty() && m_rest.front() == '\r')
            m_rest.remove_prefix(1);
        if (!m_rest.empty() && m_rest.front() == '\n')
            m_rest.remove_prefix(1);
    }

    std::string_view m_rest;
    std::size_t m_number = 0;
};

/// Reads one table; every problem is added to the list.
class MeasuredReader {
public:
    MeasuredReader(const MeasuredKind& kind, engine::Problems& problems) : m_kind(kind), m_problems(problems) {}

    MeasuredTable read(std::string_view csv) {
        CsvReader lines(csv);
        const auto heading = lines.next();
        const std::size_t before = m_problems.size();
        if (!heading) {
            report(m_kind.file, "",
                   "is empty; a line with the names of the columns is expected, such as matrix.m,value");
            return {};
        }
        readHeading(*heading);
        if (m_problems.size() != before)
            return {};
        std::size_t rows = 0;
        while (const auto line = lines.next()) {
            ++rows;
            if (rows <= m_kind.mostRows && m_problems.size() < kMostProblems)
                readRow(*line);
        }
        if (rows > m_kind.mostRows) {
            m_problems.resize(before);  // the file is not meant, so its rows are not worth a message each
            report(m_kind.file, std::to_string(rows) + " rows",
                   "too many; allowed: up to " + std::to_string(m_kind.mostRows) + " in all sweeps and tables");
        } else if (rows == 0) {
            report(m_kind.file, "no rows", "at least one measured row is expected below the names of the columns");
        }
        return std::move(m_table);
    }

private:
    void report(std::string path, std::string value, std::string text) {
        m_problems.push_back({std::move(path), std::move(value), std::move(text)});
    }

    std::string placeOf(const CsvLine& line) const { return m_kind.file + ":" + std::to_string(line.number); }

    static std::string shownCell(const std::string& cell) {
        return shownValue(cell.substr(0, kLongestShownCell), DocumentNode::Kind::string);
    }

    void readHeading(const CsvLine& line) {
        const std::string place = placeOf(line);
        if (line.cells.size() == 1 && line.cells.front().find(';') != std::string::npos)
            return report(place, shownCell(line.cells.front()),
                          "columns are divided by semicolons; commas are expected");
        for (std::size_t i = 0; i < line.cells.size(); ++i) {
            const std::string& name = line.cells[i];
            if (std::count(line.cells.begin(), line.cells.begin() + static_cast<std::ptrdiff_t>(i), name) > 0)
                report(place, shownCell(name), "two columns have this name; allowed: names that differ");
            else if (name == kValueColumn)
                m_value = i;
            else if (name != kNotesColumn)
                addParameter(name, i, place);
        }
        m_columns = line.cells.size();
        if (m_table.axis.columns.empty() && m_problems.empty())
            report(place, "", "no column is a parameter; at least one path is expected, such as machine or matrix.m");
        if (!m_value && !m_kind.valuesMayBeMissing)
            report(place, "value", "this column is missing; it has the measured " + wordsOfValue());
    }

    void addParameter(const std::string& name, std::size_t column, const std::string& place) {
        const engine::Parameter* parameter = engine::findParameter(name);
        if (parameter == nullptr)
            return report(place, shownCell(name),
                          "unknown column, " + suggestionOf(engine::nearestParameters(name)) +
                              "; allowed: paths of parameters, value, what");
        if (name == "policy.preset")
            return report(place, name, "a table has one policy; set \"policy\" in the evaluation");
        m_parameters.push_back({parameter, column});
        m_table.axis.columns.push_back({name, {}, {}});
    }

    std::string wordsOfValue() const { return m_kind.unit.empty() ? "numbers" : "numbers in " + m_kind.unit; }

    void readRow(const CsvLine& line) {
        const std::string place = placeOf(line);
        if (line.cells.size() != m_columns) {
            const bool comma = line.cells.size() > m_columns;
            return report(place, std::to_string(line.cells.size()) + " cells",
                          std::to_string(m_columns) + " are expected, one for each column" +
                              (comma ? "; numbers have a decimal point, and texts with a comma stand in quotes" : ""));
        }
        const std::size_t before = m_problems.size();
        std::vector<engine::ParameterValue> values;
        std::string key;
        for (const auto& [parameter, column] : m_parameters) {
            engine::Problems found;
            const auto value = engine::parseValue(*parameter, line.cells[column], found);
            if (value) {
                key += engine::formatValue(*parameter, *value) + "\n";
                values.push_back(*value);
            } else {
                const std::string why = found.empty() ? "not a valid value" : found.front().text;
                report(place + " " + parameter->path, shownCell(line.cells[column]), why);
            }
        }
        std::optional<EvaluationNumber> number;
        if (m_value)
            number = readNumber(line.cells[*m_value], place + " " + std::string(kValueColumn));
        if (m_problems.size() != before)
            return;
        const auto [same, isNew] = m_lines.emplace(key, line.number);
        if (!isNew)
            return report(place, joinedLine(key),
                          "the same experiment as line " + std::to_string(same->second) +
                              "; one row for each experiment is expected, such as the median of several measurements");
        m_table.lines.push_back(line.number);
        for (std::size_t i = 0; i < values.size(); ++i)
            m_table.axis.columns[i].values.push_back(std::move(values[i]));
        if (number)
            m_table.values.push_back(std::move(*number));
    }

    static std::string joinedLine(std::string key) {
        key.pop_back();
        std::replace(key.begin(), key.end(), '\n', ',');
        return key;
    }

    std::optional<EvaluationNumber> readNumber(const std::string& cell, const std::string& place) {
        std::string_view rest = cell;
        const auto decimal = engine::readDecimal(rest);
        const std::string expected = "; a number above 0" + (m_kind.unit.empty() ? "" : " in " + m_kind.unit) +
                                     " is expected, with a decimal point";
        if (!decimal || !rest.empty()) {
            const bool comma = decimal && rest.front() == ',';
            report(place, shownCell(cell),
                   (comma          ? "has a decimal comma"
                    : cell.empty() ? "is missing"
                                   : "not a number") +
                       expected);
            return std::nullopt;
        }
        const double factor =
            m_kind.unit.empty() ? 1 : static_cast<double>(*engine::unitFactor(m_kind.metric->unit, m_kind.unit));
        EvaluationNumber number{m_kind.unit.empty() ? cell : cell + " " + m_kind.unit, 0, 0};
        const double sign = decimal->negative ? -1 : 1;
        number.value = sign * static_cast<double>(decimal->digits) * std::pow(10, decimal->exponent) * factor;
        number.digit = std::pow(10, decimal->exponent) * factor;
        if (number.value > 0 && std::isfinite(number.value))
            return number;
        report(place, shownCell(cell), (number.value > 0 ? "too large" : "not above 0") + expected);
        return std::nullopt;
    }

    const MeasuredKind& m_kind;
    engine::Problems& m_problems;
    MeasuredTable m_table;
    std::vector<std::pair<const engine::Parameter*, std::size_t>> m_parameters;  // with their positions in a line
    std::optional<std::size_t> m_value;                                          // position in a line
    std::size_t m_columns = 0;
    std::map<std::string, std::size_t> m_lines;  // by experiment: the line that has it
};

}  // namespace

MeasuredTable readMeasuredTable(std::string_view csv, const MeasuredKind& kind, engine::Problems& problems) {
    const std::size_t most = std::max(problems.size(), kMostProblems);
    MeasuredTable table = MeasuredReader(kind, problems).read(csv);
    problems.resize(std::min(problems.size(), most));
    return table;
}

}  // namespace data
