#include "data/document/csv_reader.h"

#include "data/document/document_reader.h"
#include "data/document/trimmed_text.h"
#include "engine/api/quantity.h"

#include <algorithm>
#include <utility>

namespace data {
namespace {

constexpr std::size_t kMostCells = 100;        // of one row
constexpr std::size_t kLongestShownCell = 60;  // bytes of a cell in a message
constexpr std::string_view kBlanks = " \t";

/// Reads the lines of a text one after the other.
class CsvLines {
public:
    explicit CsvLines(std::string_view text) : m_rest(text) {
        constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
        if (m_rest.starts_with(kByteOrderMark))
            m_rest.remove_prefix(kByteOrderMark.size());
    }

    /// Returns the next line that is neither empty nor a comment; an empty optional at the end. Cells after kMostCells
    /// are dropped.
    std::optional<CsvLine> next() {
        while (!m_rest.empty()) {
            CsvLine line{++m_number, {}};
            if (isComment()) {
                m_rest.remove_prefix(std::min(m_rest.find_first_of("\r\n"), m_rest.size()));
                endLine();
                continue;
            }
            readCells(line);
            endLine();
            if (line.cells.size() > 1 || !line.cells.front().empty())
                return line;
        }
        return std::nullopt;
    }

    /// Returns whether the text ended inside the quotes of the last line.
    bool endedInQuotes() const { return m_endedInQuotes; }

private:
    bool isComment() const {
        const std::size_t begin = m_rest.find_first_not_of(kBlanks);
        return begin != std::string_view::npos && m_rest[begin] == '#';
    }

    void readCells(CsvLine& line) {
        bool more = true;
        while (more) {
            std::string cell = readCell();
            if (line.cells.size() < kMostCells)
                line.cells.push_back(std::move(cell));
            more = !m_rest.empty() && m_rest.front() == ',';
            if (more)
                m_rest.remove_prefix(1);
        }
    }

    std::string readCell() {
        if (m_rest.empty() || m_rest.front() != '"')
            return std::string(trimmedText(restOfCell(), kBlanks));
        m_rest.remove_prefix(1);
        std::string cell;
        bool closed = false;
        while (!m_rest.empty() && !closed) {
            const char c = m_rest.front();
            m_rest.remove_prefix(1);
            closed = c == '"' && (m_rest.empty() || m_rest.front() != '"');
            if (closed)
                break;
            if (c == '"')
                m_rest.remove_prefix(1);
            m_number += c == '\n' ? 1 : 0;
            cell += c;
        }
        m_endedInQuotes = !closed;
        // What follows the closing quote belongs to the cell as well, so that it is seen in a message.
        cell += trimmedText(restOfCell(), kBlanks);
        return cell;
    }

    std::string_view restOfCell() {
        const std::string_view rest = m_rest.substr(0, m_rest.find_first_of(",\r\n"));
        m_rest.remove_prefix(rest.size());
        return rest;
    }

    void endLine() {
        if (!m_rest.empty() && m_rest.front() == '\r')
            m_rest.remove_prefix(1);
        if (!m_rest.empty() && m_rest.front() == '\n')
            m_rest.remove_prefix(1);
    }

    std::string_view m_rest;
    std::size_t m_number = 0;
    bool m_endedInQuotes = false;
};

/// Reads one file; every problem is added to the list.
class CsvFileReader {
public:
    CsvFileReader(const CsvKind& kind, engine::Problems& problems)
        : m_kind(kind), m_problems(problems), m_table{kind.file, {}, {}} {}

    CsvTable read(std::string_view text) {
        const std::size_t before = m_problems.size();
        if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
            report(m_kind.file, "", "is a text in UTF-16, as some spreadsheets write it; UTF-8 is expected");
            return std::move(m_table);
        }
        CsvLines lines(text);
        if (auto heading = lines.next())
            readHeading(std::move(*heading), lines.endedInQuotes());
        else
            report(m_kind.file, "",
                   "is empty; a line with the names of the columns is expected, such as " + m_kind.columns);
        if (m_problems.size() != before)
            return std::move(m_table);
        std::size_t rows = 0;
        while (auto line = lines.next()) {
            if (++rows <= m_kind.mostRows && m_problems.size() < kMostProblems)
                readRow(std::move(*line), lines.endedInQuotes());
        }
        if (rows > m_kind.mostRows) {
            m_problems.resize(before);  // the file is not meant, so its rows are not worth a message each
            m_table.rows.clear();
            report(m_kind.file, std::to_string(rows) + " rows",
                   "too many; allowed: up to " + std::to_string(m_kind.mostRows) + " " +
                       std::string(m_kind.mostRowsOf));
        } else if (rows == 0) {
            report(m_kind.file, "no rows", "at least one row is expected below the names of the columns");
        }
        return std::move(m_table);
    }

private:
    void report(std::string path, std::string value, std::string text) {
        m_problems.push_back({std::move(path), std::move(value), std::move(text)});
    }

    void reportOpenQuote(const CsvLine& line) {
        report(m_table.placeOf(line), shownCell(line.cells.back()),
               "the quote before it is not closed; a quote inside a quoted text is written twice");
    }

    static bool isNumber(const std::string& cell) {
        std::string_view rest = cell;
        return engine::readDecimal(rest).has_value() && rest.empty();
    }

    void readHeading(CsvLine line, bool endedInQuotes) {
        if (endedInQuotes)
            return reportOpenQuote(line);
        const std::string place = m_table.placeOf(line);
        const std::vector<std::string>& names = line.cells;
        if (names.size() == 1 && names.front().find(';') != std::string::npos)
            return report(place, shownCell(names.front()), "columns are divided by semicolons; commas are expected");
        if (const auto number = std::ranges::find_if(names, isNumber); number != names.end())
            return report(place, shownCell(*number),
                          "a number where a column has its name; the first line names the columns, such as " +
                              m_kind.columns);
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (std::count(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), names[i]) > 0)
                report(place, shownCell(names[i]), "two columns have this name; allowed: names that differ");
        }
        m_table.heading = std::move(line);
    }

    void readRow(CsvLine line, bool endedInQuotes) {
        const std::size_t columns = m_table.heading.cells.size();
        if (endedInQuotes)
            return reportOpenQuote(line);
        if (line.cells.size() != columns) {
            const bool comma = line.cells.size() > columns;
            return report(m_table.placeOf(line), std::to_string(line.cells.size()) + " cells",
                          std::to_string(columns) + " are expected, one for each column" +
                              (comma ? "; numbers have a decimal point, and texts with a comma stand in quotes" : ""));
        }
        m_table.rows.push_back(std::move(line));
    }

    const CsvKind& m_kind;
    engine::Problems& m_problems;
    CsvTable m_table;
};

}  // namespace

std::optional<std::size_t> CsvTable::columnNamed(std::string_view name) const {
    const auto found = std::ranges::find(heading.cells, name);
    return found == heading.cells.end() ? std::nullopt
                                        : std::optional(static_cast<std::size_t>(found - heading.cells.begin()));
}

std::string CsvTable::placeOf(const CsvLine& line) const { return file + ":" + std::to_string(line.number); }

std::string CsvTable::placeOf(const CsvLine& line, std::size_t column) const {
    return placeOf(line) + " " + heading.cells.at(column);
}

CsvTable readCsv(std::string_view text, const CsvKind& kind, engine::Problems& problems) {
    const std::size_t most = std::max(problems.size(), kMostProblems);
    CsvTable table = CsvFileReader(kind, problems).read(text);
    problems.resize(std::min(problems.size(), most));
    return table;
}

std::string shownCell(const std::string& cell) {
    return shownValue(cell.substr(0, kLongestShownCell), DocumentValue::Kind::string);
}

}  // namespace data
