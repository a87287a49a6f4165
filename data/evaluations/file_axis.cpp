#include "data/evaluations/file_axis.h"

#include "data/document/csv_reader.h"
#include "data/document/names.h"
#include "data/document/tree_reader.h"
#include "data/evaluations/csv_cells.h"
#include "engine/api/parameters.h"

#include <map>
#include <sstream>
#include <utility>

namespace data {
namespace {

using Kind = DocumentNode::Kind;

DocumentNode columnNodeOf(const AxisColumn& column) {
    DocumentNode values = newNode(Kind::list);
    for (const engine::ParameterValue& value : column.values) {
        const engine::Parameter& parameter = *engine::findParameter(column.path);
        const bool isPlain =
            parameter.unit == engine::ParameterUnit::none && !std::holds_alternative<std::string>(value);
        values.children.push_back(
            newNode(isPlain ? Kind::number : Kind::string, engine::formatValue(parameter, value)));
    }
    DocumentNode node = newNode(Kind::object);
    addChild(node, "path", newNode(Kind::string, column.path));
    addChild(node, "values", std::move(values));
    return node;
}

DocumentNode axisNodeOf(const SweepAxis& axis) {
    if (axis.columns.size() == 1)
        return columnNodeOf(axis.columns.front());
    DocumentNode zip = newNode(Kind::list);
    for (const AxisColumn& column : axis.columns)
        zip.children.push_back(columnNodeOf(column));
    DocumentNode node = newNode(Kind::object);
    addChild(node, "zip", std::move(zip));
    return node;
}

/// A condition that a row meets if the cell of the column is this text.
struct RowCondition {
    std::size_t column = 0;
    std::string cell;
};

/// A parameter, and the column of the file that has its values.
struct RowParameter {
    const engine::Parameter* parameter = nullptr;
    std::size_t column = 0;
};

/// Reads one axis of rows; every problem is added to the list.
class RowAxisReader : private TreeReader {
public:
    RowAxisReader(const std::string& where, engine::Problems& problems) : TreeReader(problems), m_where(where) {}

    RowAxis read(const DocumentNode& node, const std::string& file, std::string_view csv) {
        const std::size_t before = problems().size();
        checkKeys(node, m_where, {"csv", "key", "where", "columns"}, problems());
        m_csv = readCsv(csv, {file, "id,hidden,layers"}, problems());
        m_read.axis.file = file;
        if (m_csv.heading.cells.empty())
            return {};
        readKey(node);
        readConditions(node);
        readColumns(node);
        if (problems().size() == before)
            readRows(node);
        m_read.axis.node = axisNodeOf(m_axis);
        return std::move(m_read);
    }

private:
    /// Returns the position of a column of the file; reports a name that is none at `path`.
    std::optional<std::size_t> columnAt(const std::string& name, const std::string& path) {
        const auto column = m_csv.columnNamed(name);
        if (!column)
            report(path, name, "not a column of " + m_csv.file + "; allowed: " + joined(m_csv.heading.cells, ", "));
        return column;
    }

    void readKey(const DocumentNode& node) {
        m_read.rows.file = m_csv.file;
        m_read.rows.key = textAt(node, m_where, "key", "the column that names each row is expected, such as \"id\"");
        const auto column = m_read.rows.key.empty() ? std::nullopt : columnAt(m_read.rows.key, within(m_where, "key"));
        if (column)
            m_read.rows.known = keysIn(m_csv, *column, problems());
    }

    void readConditions(const DocumentNode& node) {
        std::istringstream words(textAt(node, m_where, "where"));
        for (std::string word; words >> word;) {
            const std::size_t sign = word.find('=');
            const std::string path = within(m_where, "where");
            if (sign == std::string::npos) {
                report(path, word, "not a condition; allowed: COLUMN=VALUE, such as calibrated=0");
            } else if (const auto column = columnAt(word.substr(0, sign), path)) {
                m_conditions.push_back({*column, word.substr(sign + 1)});
            }
        }
    }

    void readColumns(const DocumentNode& node) {
        const std::string path = within(m_where, "columns");
        const DocumentNode* columns = childOf(node, m_where, "columns", Kind::object, "an object {...}", problems());
        if (columns == nullptr && node.find("columns") != nullptr)
            return;
        if (columns == nullptr || columns->keys.empty())
            return report(path, columns == nullptr ? "" : "{}",
                          "at least one parameter with its column is expected, such as {\"workload.hidden\": "
                          "\"hidden\"}");
        for (std::size_t i = 0; i < columns->keys.size() && goesOn(); ++i) {
            const std::string& parameter = columns->keys[i];
            const std::string name = textAt(*columns, path, parameter, true);
            const auto column = name.empty() ? std::nullopt : columnAt(name, within(path, parameter));
            if (!column)
                continue;
            m_axis.columns.push_back({parameter, {}, {}});
            m_parameters.push_back({engine::findParameter(parameter), *column});
            m_read.axis.columns.push_back(name);
            m_read.axis.settings.push_back(within(path, parameter));
        }
    }

    void readRows(const DocumentNode& node) {
        std::vector<const CsvLine*> selected;
        std::vector<std::string> keys;
        for (std::size_t i = 0; i < m_csv.rows.size(); ++i) {
            if (!isSelected(m_csv.rows[i]))
                continue;
            selected.push_back(&m_csv.rows[i]);
            keys.push_back(m_read.rows.known[i]);
        }
        if (selected.empty())
            return report(within(m_where, "where"), textAt(node, m_where, "where"), "selects no row of " + m_csv.file);
        if (selected.size() > kMostEvaluationPoints)
            return report(m_where, std::to_string(selected.size()) + " rows",
                          "too many; allowed: up to " + std::to_string(kMostEvaluationPoints));
        // An unknown parameter has no values; the reader of the sweep reports it.
        if (std::ranges::any_of(m_parameters, [](const RowParameter& one) { return one.parameter == nullptr; })) {
            m_read.axis.lines.assign(1, selected.front()->number);
            return;
        }
        for (std::size_t i = 0; i < selected.size() && goesOn(); ++i)
            readRow(*selected[i], keys[i]);
    }

    bool isSelected(const CsvLine& row) const {
        return std::ranges::all_of(m_conditions,
                                   [&](const RowCondition& one) { return row.cells[one.column] == one.cell; });
    }

    void readRow(const CsvLine& row, const std::string& key) {
        const std::size_t before = problems().size();
        std::vector<engine::ParameterValue> values;
        std::string text;
        for (const auto& [parameter, column] : m_parameters) {
            const auto value = parameterInCell(*parameter, row.cells[column], m_csv.placeOf(row, column), problems());
            if (!value)
                continue;
            text += engine::formatValue(*parameter, *value) + "\n";
            values.push_back(*value);
        }
        if (problems().size() != before)
            return;
        const auto [step, isNew] = m_steps.emplace(text, m_axis.size());
        if (isNew)
            addStep(std::move(values), row.number);
        m_read.rows.steps[step->second].push_back(m_read.rows.keys.size());
        m_read.rows.keys.push_back(key);
    }

    void addStep(std::vector<engine::ParameterValue> values, std::size_t line) {
        for (std::size_t i = 0; i < values.size(); ++i)
            m_axis.columns[i].values.push_back(std::move(values[i]));
        m_read.axis.lines.push_back(line);
        m_read.rows.steps.emplace_back();
    }

    const std::string& m_where;
    CsvTable m_csv;
    SweepAxis m_axis;
    RowAxis m_read;
    std::vector<RowCondition> m_conditions;
    std::vector<RowParameter> m_parameters;      // one for each column of the axis
    std::map<std::string, std::size_t> m_steps;  // by the values of a row
};

}  // namespace

DocumentNode newNode(Kind kind, std::string text) {
    DocumentNode node;
    node.kind = kind;
    node.text = std::move(text);
    return node;
}

void addChild(DocumentNode& object, std::string key, DocumentNode child) {
    object.keys.push_back(std::move(key));
    object.children.push_back(std::move(child));
}

std::optional<std::string> FileAxis::placeOf(const std::string& problem, const std::string& axis) const {
    for (std::size_t column = 0; column < columns.size(); ++column) {
        const std::string inside = columns.size() == 1 ? axis : indexed(axis + ".zip", column);
        if (problem == inside + ".path" && !settings.empty())
            return settings[column];
        const std::string values = inside + ".values[";
        if (!problem.starts_with(values))
            continue;
        const std::size_t step = std::stoul(problem.substr(values.size()));
        return file + ":" + std::to_string(lines.at(step)) + " " + columns[column];
    }
    return std::nullopt;
}

FileAxis fileAxisOf(const SweepAxis& axis, const std::string& file, std::vector<std::size_t> lines) {
    return {axisNodeOf(axis), file, namesOf(axis.columns, &AxisColumn::path), {}, std::move(lines)};
}

RowAxis readRowAxis(const DocumentNode& node, const std::string& where, const std::string& file, std::string_view csv,
                    engine::Problems& problems) {
    return RowAxisReader(where, problems).read(node, file, csv);
}

}  // namespace data
