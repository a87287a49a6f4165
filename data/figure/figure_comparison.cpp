#include "data/figure/figure_comparison.h"

#include "data/document/names.h"
#include "data/experiment/experiment_document.h"
#include "data/figure/figure_command.h"
#include "data/figure/figure_fields.h"
#include "data/figure/figure_table.h"
#include "data/presets/presets.h"
#include "engine/api/parameters.h"

#include <algorithm>
#include <optional>
#include <set>

namespace data {
namespace {

/// Returns how many of the first columns of a table name its rows.
std::size_t nameColumns(const FigureTable& table, const FigureMark& mark) {
    if (std::holds_alternative<TimelineMark>(mark) || std::holds_alternative<HeatMark>(mark) ||
        std::holds_alternative<BoxMark>(mark))
        return std::min<std::size_t>(2, table.columns.size());
    return table.columns.size() > 1 && table.columns[1] == "group" ? 2 : 1;
}

std::string nameOf(const std::vector<std::string>& row, std::size_t names) {
    std::string text;
    for (std::size_t i = 0; i < std::min(names, row.size()); ++i)
        text += (text.empty() || row[i].empty() ? "" : ", ") + row[i];
    return text;
}

class Comparison {
public:
    Comparison(const FigureSpec& kept, const FigureSpec& made) : m_kept(kept), m_made(made) {}

    FigureComparison compare() {
        const std::vector<FigureTable> kept = tablesOf(m_kept), made = tablesOf(m_made);
        for (std::size_t i = 0; i < std::max(kept.size(), made.size()); ++i) {
            if (i >= made.size())
                m_result.missing.push_back("only the file has the table " + kept[i].fileName);
            else if (i >= kept.size())
                m_result.missing.push_back("the file lacks the table " + made[i].fileName);
            else
                compareTables(kept[i], made[i]);
        }
        return std::move(m_result);
    }

private:
    void compareTables(const FigureTable& kept, const FigureTable& made) {
        const std::size_t names = nameColumns(kept, m_kept.panels[kept.panel].marks[kept.mark]);
        for (const std::string& column : kept.columns) {
            if (std::ranges::find(made.columns, column) == made.columns.end())
                m_result.missing.push_back("only the file has the column \"" + column + "\" of " + kept.fileName);
        }
        for (const std::string& column : made.columns) {
            if (std::ranges::find(kept.columns, column) == kept.columns.end())
                m_result.missing.push_back("the file lacks the column \"" + column + "\" of " + kept.fileName);
        }
        if (kept.rows.size() != made.rows.size())
            m_result.missing.push_back(kept.fileName + " has " + std::to_string(kept.rows.size()) +
                                       " rows in the file and " + std::to_string(made.rows.size()) + " now");
        for (std::size_t row = 0; row < std::min(kept.rows.size(), made.rows.size()); ++row) {
            for (std::size_t column = 0; column < kept.columns.size(); ++column) {
                const auto other = std::ranges::find(made.columns, kept.columns[column]);
                if (other == made.columns.end())
                    continue;
                const std::string& before = kept.rows[row][column];
                const std::string& now = made.rows[row][static_cast<std::size_t>(other - made.columns.begin())];
                m_result.numbers += column >= names && !before.empty() ? 1 : 0;
                if (before != now)
                    m_result.different.push_back(
                        {kept.fileName, nameOf(kept.rows[row], names), kept.columns[column], before, now});
            }
        }
    }

    const FigureSpec &m_kept, &m_made;
    FigureComparison m_result;
};

/// Returns a machine with the label and the source of its numbers: "nvidia-h100 (published: ...)".
std::string machineText(const std::string& name) {
    const Preset* machine = findMachine(name);
    if (machine == nullptr)
        return name;
    return name + " (" + std::string(engine::name(machine->sourceLabel)) +
           (machine->source.empty() ? "" : ": " + machine->source) + ")";
}

/// Returns a line about an experiment, and adds its machine to those that were met.
std::string experimentText(const FigureProvenance::Experiment& one, std::vector<std::string>& machines) {
    std::string text = "  " + one.name + ", hash " + one.hash;
    if (one.document.empty())
        return text;
    const DraftReading reading = readDraft(one.document, one.name);
    if (!reading.problems.empty())
        return text;
    const engine::Experiment experiment = expand(reading.draft).experiment;
    const auto valueOf = [&](const char* path) {
        const engine::Parameter& parameter = *engine::findParameter(path);
        return engine::formatValue(parameter, parameter.read(experiment));
    };
    addOnce(machines, valueOf("machine"));
    return text + ", machine " + valueOf("machine") + ", detail " + valueOf("detail.level") + ", seed " +
           valueOf("seed");
}

}  // namespace

FigureComparison compareNumbers(const FigureSpec& kept, const FigureSpec& made) {
    return Comparison(kept, made).compare();
}

std::string statementOf(const FigureSpec& figure) {
    const FigureProvenance& made = figure.provenance;
    std::string text = "Figure " + figure.name + (figure.title.empty() ? "" : ": " + figure.title) + "\n";
    text += "Made by " + (made.program.empty() ? std::string("an unknown program") : made.program) +
            (made.engine.empty() ? "" : ", engine " + made.engine) + (made.made.empty() ? "" : ", " + made.made) +
            ".\n";
    const std::string command = commandOf(figure).empty() ? made.command : commandOf(figure);
    if (!command.empty())
        text += "Command: " + command + "\n";
    if (figure.from.kind != FigureSource::Kind::unknown) {
        text += "Source: " + std::string(kSourceWords[static_cast<std::size_t>(figure.from.kind)]);
        for (const std::string& part : {figure.from.name, figure.from.file})
            text += part.empty() ? "" : " " + part;
        if (!figure.from.document.empty())
            text += ", whose document the file carries";
        text += ".\n";
    }
    if (!made.moment.empty())
        text += "Shown: " + made.moment + ".\n";
    if (!made.experiments.empty())
        text += "Experiments (" + std::to_string(made.experiments.size()) + "):\n";
    std::vector<std::string> machines;
    for (const FigureProvenance::Experiment& one : made.experiments)
        text += experimentText(one, machines) + "\n";
    if (!machines.empty())
        text += "Machines (" + std::to_string(machines.size()) + "):\n";
    for (const std::string& machine : machines)
        text += "  " + machineText(machine) + "\n";
    if (!figure.edits.empty())
        text += "Edited by the author (" + std::to_string(figure.edits.size()) + "), which changes no number:\n";
    for (const std::string& edit : figure.edits)
        text += "  " + edit + "\n";
    if (!made.published.empty())
        text += "Published values (" + made.publishedSource + "):\n";
    for (const FigureProvenance::Published& item : made.published)
        text += "  " + item.id + " = " + engine::shortestText(item.value) + ", " + item.label + "\n";
    return text;
}

}  // namespace data
