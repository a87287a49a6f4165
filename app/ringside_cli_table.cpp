#include "app/ringside_cli_table.h"

#include "data/document/value_places.h"
#include "data/document/visible_text.h"
#include "data/results/metrics.h"

#include <algorithm>
#include <array>
#include <ostream>

namespace cli {
namespace {

/// Returns the number of characters of a UTF-8 text: of bytes that are not continuation bytes.
std::size_t width(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; }));
}

/// Returns a text of one line: a line break or a tab inside a cell would break the table. Everything else that steers a
/// terminal is escaped here as well, because the columns are aligned by the length of the text.
std::string onOneLine(const std::string& cell) {
    std::string line;
    for (const char c : data::visibleText(cell))
        line += c == '\n' ? "\\n" : c == '\t' ? "\\t" : std::string(1, c);
    return line;
}

/// Indents every line by two blanks, and removes the last line break.
// Strings in JSON hold no line breaks, so this changes no value.
std::string indented(const std::string& json) {
    std::string text;
    bool lineStart = true;
    for (const char c : json) {
        if (lineStart && c != '\n')
            text += "  ";
        text += c;
        lineStart = c == '\n';
    }
    text.erase(text.find_last_not_of('\n') + 1);
    return text;
}

}  // namespace

void Table::addColumn(std::string heading, Align align, std::string unit) {
    m_columns.push_back({std::move(heading), align, std::move(unit)});
}

void Table::addRow(std::vector<std::string> cells) {
    for (std::string& cell : cells)
        cell = onOneLine(cell);
    m_rows.push_back(std::move(cells));
}

std::string Table::line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) const {
    constexpr std::size_t kGap = 2;
    std::string text;
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        const std::string fill(widths[i] - width(cells[i]), ' ');
        if (i > 0)
            text.append(kGap, ' ');
        text += m_columns[i].align == Align::left ? cells[i] + fill : fill + cells[i];
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
}

void Table::write(std::ostream& out) const {
    std::vector<std::string> headings, units;
    std::vector<std::size_t> widths;
    for (const Column& column : m_columns) {
        headings.push_back(column.heading);
        units.push_back(column.unit);
        widths.push_back(std::max(width(column.heading), width(column.unit)));
    }
    for (const auto& row : m_rows) {
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], width(row[i]));
    }
    out << line(headings, widths);
    if (std::any_of(units.begin(), units.end(), [](const std::string& unit) { return !unit.empty(); }))
        out << line(units, widths);
    for (const auto& row : m_rows)
        out << line(row, widths);
}

TimeScale TimeScale::forLongest(engine::Duration longest) {
    constexpr std::int64_t kNanosecond = 1'000, kMicrosecond = 1'000'000, kMillisecond = 1'000'000'000;
    if (longest.ps < 10 * kMicrosecond)
        return {"ns", kNanosecond, 3};
    if (longest.ps < 100 * kMillisecond)
        return {"µs", kMicrosecond, 2};
    return {"ms", kMillisecond, 3};
}

std::string TimeScale::text(engine::Duration time) const {
    return fixedText(static_cast<double>(time.ps) / static_cast<double>(ps), decimals);
}

std::string fixedText(double value, int decimals) { return data::fixedNumber(value, decimals); }

std::string groupedText(std::int64_t value) { return data::groupedNumber(value); }

std::string sidesText(std::int64_t m, std::int64_t n, std::int64_t k) {
    return std::to_string(m) + " x " + std::to_string(n) + " x " + std::to_string(k);
}

std::string gemmsText(std::int64_t batch, const std::string& sides) {
    return (batch == 1 ? "GEMM " : std::to_string(batch) + " GEMMs ") + sides;
}

std::string bytesText(engine::Bytes bytes) {
    constexpr std::array<std::string_view, 5> kUnits{"B", "kB", "MB", "GB", "TB"};
    auto value = static_cast<double>(bytes.count);
    std::size_t unit = 0;
    while (value >= 1000 && unit + 1 < kUnits.size()) {
        value /= 1000;
        ++unit;
    }
    return fixedText(value, unit == 0 ? 0 : 1) + " " + std::string(kUnits.at(unit));
}

std::string megabytesText(engine::Bytes bytes) { return fixedText(static_cast<double>(bytes.count) / 1e6, 1); }

std::string spanText(double seconds) {
    constexpr std::int64_t kMinute = 60, kHour = 3600;
    if (seconds < 10)
        return fixedText(seconds, 1) + " s";
    const auto whole = static_cast<std::int64_t>(seconds + 0.5);
    if (whole < 2 * kMinute)
        return std::to_string(whole) + " s";
    if (whole < 2 * kHour)
        return std::to_string(whole / kMinute) + " min " + std::to_string(whole % kMinute) + " s";
    return std::to_string(whole / kHour) + " h " + std::to_string(whole / kMinute % kMinute) + " min";
}

Table tableOfPoints(const data::SweepTable& sweep) {
    Table table;
    for (const data::SweepAxis& axis : sweep.sweep.axes) {
        for (const data::AxisColumn& column : axis.columns)
            table.addColumn(column.path);
    }
    if (data::isTimed(sweep.sweep.of))
        table.addColumn("policy", Align::left);
    for (const std::string& metric : sweep.metrics)
        table.addColumn(metric);
    return table;
}

std::vector<std::string> cellsOf(const data::SweepTable& sweep, const data::PointTexts& texts,
                                 const data::SweepRow& point, const char* absent) {
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < point.at.size(); ++i) {
        for (std::size_t column = 0; column < sweep.sweep.axes[i].columns.size(); ++column)
            cells.push_back(texts.valueOf(i, column, point.at[i]));
    }
    if (data::isTimed(sweep.sweep.of))
        cells.push_back(sweep.sweep.policies[point.policy]);
    for (std::size_t i = 0; i < sweep.metrics.size(); ++i)
        cells.push_back(point.values[i] ? texts.numberOf(i, *point.values[i]) : absent);
    return cells;
}

std::string listOfDocuments(const std::vector<std::string>& documents) {
    std::string list = "[";
    for (const std::string& document : documents)
        list += (list.size() == 1 ? "\n" : ",\n") + indented(document);
    return list + (documents.empty() ? "]\n" : "\n]\n");
}

}  // namespace cli
