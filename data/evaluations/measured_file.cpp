#include "data/evaluations/measured_file.h"

#include "data/document/csv_reader.h"
#include "data/document/document_reader.h"
#include "data/document/names.h"
#include "data/evaluations/csv_cells.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace data {
namespace {

/// Reads one measured file for the items of an evaluation; every problem is added to the list.
class MeasuredFileReader {
public:
    MeasuredFileReader(Evaluation& evaluation, engine::Problems& problems)
        : m_evaluation(evaluation), m_problems(problems) {}

    void read(std::string_view csv, const std::string& file) {
        m_csv = readCsv(csv, {file, "id,seconds"}, m_problems);
        for (std::size_t i = 0; i < m_evaluation.sweeps.size() && m_problems.empty(); ++i) {
            if (std::ranges::any_of(m_evaluation.items, [i](const EvaluationItem& item) { return waits(item, i); }))
                checkKeys(m_evaluation.sweeps[i]);
        }
        for (EvaluationItem& item : m_evaluation.items) {
            if (item.against && m_problems.empty())
                attach(item);
        }
    }

private:
    using Lines = std::map<std::string, std::size_t, std::less<>>;  // by key: the position of the row

    static bool waits(const EvaluationItem& item, std::size_t sweep) { return item.against && item.sweep == sweep; }

    void report(std::string path, std::string value, std::string text) {
        if (m_problems.size() < kMostProblems)
            m_problems.push_back({std::move(path), std::move(value), std::move(text)});
    }

    /// Returns the position of a column; `content` says for messages what it has.
    std::optional<std::size_t> columnAt(const std::string& name, const std::string& content) {
        const auto column = m_csv.columnNamed(name);
        if (!column)
            report(m_csv.placeOf(m_csv.heading), name,
                   "this column is missing; it has " + content + "; the file has " + joined(m_csv.heading.cells, ", "));
        return column;
    }

    /// Checks that the file has each key of a sweep, and only keys that the sweeps have.
    void checkKeys(const EvaluationSweep& sweep) {
        const std::string& name = sweep.rows->key;
        const auto column = columnAt(name, "the keys of " + sweep.rows->file);
        if (!column)
            return;
        const std::vector<std::string> keys = keysIn(m_csv, *column, m_problems);
        if (!m_problems.empty())
            return;
        Lines& lines = m_lines[name];
        for (std::size_t i = 0; i < keys.size(); ++i)
            lines.emplace(keys[i], i);
        for (const std::string& key : sweep.rows->keys) {
            if (!lines.contains(key))
                report(m_csv.file, "",
                       "has no row with the key " + key + " in the column " + name +
                           "; a row for each key of the sweep " + sweep.name + " is expected");
        }
        const std::set<std::string> known = knownKeys(name);
        for (std::size_t i = 0; i < keys.size(); ++i) {
            if (!known.contains(keys[i]))
                report(m_csv.placeOf(m_csv.rows[i], *column), keys[i], "not a key of " + sweep.rows->file);
        }
    }

    /// Returns the keys of all files whose column of keys has this name.
    std::set<std::string> knownKeys(const std::string& name) const {
        std::set<std::string> known;
        for (const EvaluationSweep& sweep : m_evaluation.sweeps) {
            if (sweep.rows && sweep.rows->key == name)
                known.insert(sweep.rows->known.begin(), sweep.rows->known.end());
        }
        return known;
    }

    void attach(EvaluationItem& item) {
        EvaluationAgainst& against = *item.against;
        const std::vector<EvaluationNumber> all = numbersOf(item);
        if (!m_problems.empty())
            return;
        const EvaluationRows& rows = *m_evaluation.sweeps[item.sweep].rows;
        const Lines& lines = m_lines.at(rows.key);
        against.numbers.clear();
        for (const std::size_t row : item.rows)
            against.numbers.push_back(all[lines.find(rows.keys[row])->second]);
        if (comparesWithMeasured(item.mean))
            return;
        item.published = against.numbers;
        if (!hasFiniteRanges(item))
            report(m_csv.file, "",
                   "a number is too large; the range that the tolerance of the item " + item.id +
                       " allows must be finite");
    }

    /// Returns the number of each row of the file that an item is compared with.
    std::vector<EvaluationNumber> numbersOf(const EvaluationItem& item) {
        std::vector<EvaluationNumber> numbers;
        const auto column = columnAt(item.against->column, "the numbers for the item " + item.id);
        const CellUnit unit{unitOfPoints(item), item.against->unit};
        for (std::size_t i = 0; column && i < m_csv.rows.size() && m_problems.size() < kMostProblems; ++i) {
            const CsvLine& row = m_csv.rows[i];
            if (auto number = numberInCell(unit, row.cells[*column], m_csv.placeOf(row, *column), m_problems))
                numbers.push_back(std::move(*number));
        }
        return numbers;
    }

    Evaluation& m_evaluation;
    engine::Problems& m_problems;
    CsvTable m_csv;
    std::map<std::string, Lines> m_lines;  // by the name of the column of keys
};

}  // namespace

bool awaitsMeasured(const Evaluation& evaluation) {
    return std::ranges::any_of(evaluation.items, [](const EvaluationItem& item) { return item.against.has_value(); });
}

Evaluation withMeasured(Evaluation evaluation, std::string_view csv, const std::string& file,
                        engine::Problems& problems) {
    engine::Problems found;
    if (awaitsMeasured(evaluation))
        MeasuredFileReader(evaluation, found).read(csv, file);
    else
        found.push_back({file, "", "the evaluation compares nothing with measured numbers: no item has \"against\""});
    problems.insert(problems.end(), found.begin(), found.end());
    return evaluation;
}

Evaluation withMeasuredFile(Evaluation evaluation, const std::string& path, engine::Problems& problems) {
    const std::size_t before = problems.size();
    const std::string csv = readText(path, problems);
    return problems.size() == before ? withMeasured(std::move(evaluation), csv, path, problems) : evaluation;
}

}  // namespace data
