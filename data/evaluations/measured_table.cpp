#include "data/evaluations/measured_table.h"

#include "data/document/csv_reader.h"
#include "data/document/document_body.h"
#include "data/document/document_reader.h"
#include "data/evaluations/csv_cells.h"
#include "engine/api/parameters.h"

#include <algorithm>
#include <map>
#include <optional>

namespace data {
namespace {

constexpr std::string_view kValueColumn = "value", kNotesColumn = "what";

/// Reads one table; every problem is added to the list.
class MeasuredReader {
public:
    MeasuredReader(const MeasuredKind& kind, engine::Problems& problems)
        : m_kind(kind), m_unit{kind.metric->unit, kind.unit}, m_problems(problems) {}

    MeasuredTable read(std::string_view csv) {
        m_csv = readCsv(csv, {m_kind.file, "matrix.m,value", m_kind.mostRows, "in all sweeps and tables"}, m_problems);
        const std::size_t before = m_problems.size();
        if (!m_csv.heading.cells.empty())
            readHeading();
        if (m_problems.size() != before)
            return {};
        for (const CsvLine& row : m_csv.rows) {
            if (m_problems.size() < kMostProblems)
                readRow(row);
        }
        return std::move(m_table);
    }

private:
    void report(std::string path, std::string value, std::string text) {
        m_problems.push_back({std::move(path), std::move(value), std::move(text)});
    }

    void readHeading() {
        const std::string place = m_csv.placeOf(m_csv.heading);
        const std::vector<std::string>& names = m_csv.heading.cells;
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (names[i] == kValueColumn)
                m_value = i;
            else if (names[i] != kNotesColumn)
                addParameter(names[i], i, place);
        }
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
        const std::size_t before = m_problems.size();
        std::vector<engine::ParameterValue> values;
        std::string key;
        for (const auto& [parameter, column] : m_parameters) {
            auto value = parameterInCell(*parameter, line.cells[column], m_csv.placeOf(line, column), m_problems);
            if (value) {
                key += engine::formatValue(*parameter, *value) + "\n";
                values.push_back(std::move(*value));
            }
        }
        std::optional<EvaluationNumber> number;
        if (m_value)
            number = numberInCell(m_unit, line.cells[*m_value], m_csv.placeOf(line, *m_value), m_problems);
        if (m_problems.size() != before)
            return;
        const auto [same, isNew] = m_lines.emplace(key, line.number);
        if (!isNew)
            return report(m_csv.placeOf(line), joinedLine(key),
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

    const MeasuredKind& m_kind;
    const CellUnit m_unit;
    engine::Problems& m_problems;
    CsvTable m_csv;
    MeasuredTable m_table;
    std::vector<std::pair<const engine::Parameter*, std::size_t>> m_parameters;  // with their positions in a line
    std::optional<std::size_t> m_value;                                          // position in a line
    std::map<std::string, std::size_t> m_lines;                                  // by experiment: the line that has it
};

}  // namespace

MeasuredTable readMeasuredTable(std::string_view csv, const MeasuredKind& kind, engine::Problems& problems) {
    const std::size_t most = std::max(problems.size(), kMostProblems);
    MeasuredTable table = MeasuredReader(kind, problems).read(csv);
    problems.resize(std::min(problems.size(), most));
    return table;
}

}  // namespace data
