#include "data/evaluations/latex_rows.h"

#include "data/document/latex_text.h"
#include "data/document/value_places.h"
#include "data/evaluations/evaluation.h"
#include "data/presets/presets.h"
#include "engine/api/runner.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

namespace data {
namespace {

using Cells = std::vector<std::string>;

/// A table whose first column is aligned at the left, the others at the right.
struct LatexTable {
    Cells headings;
    std::vector<Cells> rows{};
};

/// Returns a text without line breaks, which would end a comment or begin a paragraph.
std::string oneLine(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
    return text;
}

std::string wordsOf(const std::string& text) { return latexText(oneLine(text)); }

/// Returns a number with its unit: a minus sign in place of a hyphen, and no line break before the unit.
std::string numberText(const std::string& text) {
    if (text.empty())
        return {};
    const bool isNegative = text.front() == '-';
    std::string latex = wordsOf(isNegative ? text.substr(1) : text);
    if (const std::size_t blank = latex.find(' '); blank != std::string::npos && blank == latex.rfind(' '))
        latex[blank] = '~';
    return (isNegative ? "$-$" : "") + latex;
}

std::string shareText(double share) { return numberText(percentText(share)); }

std::string signedShareText(double share, const std::string& unit = "%") {
    const std::string text = signedNumber(share * 100, 1) + " " + unit;
    return text.front() == '+' ? "$+$" + numberText(text.substr(1)) : numberText(text);
}

bool isMeasuredRow(const Evaluation& evaluation, const ReproducedItem& row) {
    const std::string id = itemIdOf(row);
    return std::ranges::any_of(evaluation.measured,
                               [&](const auto& measured) { return evaluation.items[measured.item].id == id; });
}

/// Returns the difference, or why there is none; of a claim whether it holds.
std::string outcomeOf(const ReproducedItem& row) {
    std::string text =
        std::isnan(row.difference) ? "" : signedShareText(row.difference, row.isFraction ? "points" : "%");
    const auto add = [&](const std::string& words) { text += (text.empty() ? "" : "; ") + words; };
    if (text.empty() && row.verdict != RowVerdict::unpublished && !row.note.empty())
        add(wordsOf(row.note));
    if (!row.boundText.empty() && !row.valueText.empty() && row.holds())
        add(*row.holds() ? "holds" : "does not hold");
    return text;
}

LatexTable tableOfItems(const Evaluation& evaluation, const Reproduction& reproduction) {
    LatexTable table{{"", "Ours", "Published", "Label", "Claimed", "Difference"}};
    for (const ReproducedItem& row : reproduction.items) {
        if (isMeasuredRow(evaluation, row))
            continue;
        std::string what = wordsOf(row.published.what);
        if (!row.placeText.empty())
            what += ", " + wordsOf(row.placeText);
        table.rows.push_back({what, row.valueText.empty() ? "--" : numberText(row.valueText),
                              numberText(row.publishedText), wordsOf(row.published.label), wordsOf(row.boundText),
                              outcomeOf(row)});
    }
    return table;
}

LatexTable tableOfMeasured(const Reproduction& reproduction) {
    LatexTable table{{"", "Machine", "Rows", "Bias", "Median error", "90~\\% within", "Rank", "Target"}};
    for (const MeasuredAnswer& answer : reproduction.measured) {
        const Preset* machine = findMachine(answer.machine);
        const auto orEmpty = [](double number, const std::string& text) { return std::isnan(number) ? "" : text; };
        std::string count = std::to_string(answer.n);
        if (answer.n != answer.rows)
            count += " of " + std::to_string(answer.rows);
        table.rows.push_back(
            {wordsOf(answer.what), answer.machine.empty() ? "all" : wordsOf(machine ? machine->title : answer.machine),
             count, orEmpty(answer.bias, signedShareText(answer.bias - 1)),
             orEmpty(answer.median, shareText(answer.median)), orEmpty(answer.p90, shareText(answer.p90)),
             orEmpty(answer.rank, numberText(fixedNumber(answer.rank, 3))),
             !answer.holds   ? ""
             : *answer.holds ? "holds"
                             : "does not hold"});
    }
    return table;
}

/// Removes the columns without an entry; the first one stays.
void removeEmptyColumns(LatexTable& table) {
    for (std::size_t column = table.headings.size(); column-- > 1;) {
        if (std::ranges::any_of(table.rows, [&](const Cells& row) { return !row[column].empty(); }))
            continue;
        const auto remove = [&](Cells& cells) { cells.erase(cells.begin() + static_cast<std::ptrdiff_t>(column)); };
        remove(table.headings);
        std::ranges::for_each(table.rows, remove);
    }
}

std::string lineOf(const Cells& cells) {
    // After the end of a line, LaTeX takes these two signs for arguments of that end.
    std::string line = cells.front().starts_with('[') || cells.front().starts_with('*') ? "{}" : "";
    for (const std::string& cell : cells)
        line += (&cell == cells.data() ? "" : " & ") + cell;
    return line + " \\\\\n";
}

/// Returns the lines of a table, in their environment unless only the body is asked for.
std::string textOf(LatexTable table, bool bodyOnly) {
    removeEmptyColumns(table);
    std::string body;
    for (const Cells& row : table.rows)
        body += lineOf(row);
    if (bodyOnly)
        return body;
    return "\\begin{tabular}{l" + std::string(table.headings.size() - 1, 'r') + "}\n\\hline\n" +
           lineOf(table.headings) + "\\hline\n" + body + "\\hline\n\\end{tabular}\n";
}

/// Returns a comment, in which no text can end the line.
std::string commentOf(const std::string& text) { return "% " + oneLine(text) + "\n"; }

std::string commentsOf(const Evaluation& evaluation, const Reproduction& reproduction) {
    std::string text = commentOf(evaluation.title) +
                       commentOf("Ringside " RINGSIDE_VERSION ", engine " + std::string(engine::engineVersion()) +
                                 ", constants " + reproduction.constants);
    if (!evaluation.source.empty())
        text += commentOf("Source: " + evaluation.source);
    text += commentOf("Difference: ours / published - 1; of percentages ours - published, in percentage points");
    for (const engine::Notice& notice : reproduction.notices)
        text += commentOf("Notice: " + notice.path + ": " + notice.text);
    return text;
}

}  // namespace

std::string latexRows(const Evaluation& evaluation, const Reproduction& reproduction, bool bodyOnly) {
    const LatexTable items = tableOfItems(evaluation, reproduction), measured = tableOfMeasured(reproduction);
    std::string text = bodyOnly ? "" : commentsOf(evaluation, reproduction);
    if (!items.rows.empty())
        text += textOf(items, bodyOnly);
    if (measured.rows.empty() || (bodyOnly && !items.rows.empty()))
        return text;
    return text + (items.rows.empty() ? "" : "\n") + textOf(measured, bodyOnly);
}

}  // namespace data
