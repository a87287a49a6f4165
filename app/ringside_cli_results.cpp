#include "app/ringside_cli_command.h"
#include "app/ringside_cli_exit.h"
#include "app/ringside_cli_table.h"
#include "data/document/document_body.h"
#include "data/document/names.h"
#include "data/document/problem_list.h"
#include "data/results/metrics.h"
#include "data/results/shared_notices.h"
#include "data/store/run_catalogue.h"
#include "data/store/store.h"
#include "data/store/store_merge.h"
#include "data/sweep/results_table.h"
#include "data/sweep/sweep_store.h"
#include "engine/api/parameters.h"
#include "engine/api/runner.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <set>

namespace cli {
namespace {

using data::CatalogueRow;
using data::CatalogueValue;
using data::ResultsTable;

struct ResultsArguments : CommonArguments {
    std::string store;
    std::string sweep;
    std::string where;
    std::vector<std::string> columns;
    bool full = false;
    bool sweeps = false;
    std::vector<std::string> note, tag;         // ID and text; ID and words
    std::vector<std::int64_t> remove, restore;  // IDs
};

struct MergeArguments : CommonArguments {
    std::string into;
    std::vector<std::string> from;
};

std::vector<std::string> usualColumns() {
    return {"time_ps.total", "time_ps.gemm", "time_ps.reduce_scatter", "speedup_over_sequential", "dram_bytes.total"};
}

[[noreturn]] void refuse(const std::string& option, const std::string& value, const std::string& text) {
    throw engine::InvalidExperiment({{option, value, text}});
}

/// Opens the store only for reading unless it is to be changed. A store of an older schema is upgraded if it may be
/// written.
data::Store opened(const std::string& path, bool toChange) {
    std::error_code error;
    if (!std::filesystem::exists(path, error))
        throw data::MissingStore(path + ": there is no such file");
    if (!toChange) {
        try {
            return data::Store(path, data::Store::Mode::readOnly);
        } catch (const data::StoreError& readOnly) {
            if (std::string_view(readOnly.what()).find("older Ringside") == std::string_view::npos)
                throw;
        }
    }
    return data::Store(path);
}

void checkColumns(const std::vector<std::string>& columns) {
    engine::Problems problems;
    for (const std::string& column : columns) {
        if (engine::findParameter(column) || data::findMetric(column))
            continue;
        std::vector<std::string> near = data::nearestMetrics(column);
        const auto parameters = engine::nearestParameters(column);
        near.insert(near.end(), parameters.begin(), parameters.end());
        near = engine::nearestNames(column, near);
        problems.push_back({"--columns", column,
                            "no parameter or metric has this name" +
                                (near.empty() ? std::string() : ", did you mean " + near.front() + "?")});
    }
    data::refuseAny(std::move(problems));
}

data::RunFilter filterOf(const std::string& text) {
    std::string problem;
    auto filter = data::RunFilter::parse(text, problem);
    if (!filter)
        refuse("--where", text, problem);
    return std::move(*filter);
}

/// Returns the runs that the arguments select, with the shown columns first.
std::vector<CatalogueRow> chosenRuns(const data::RunCatalogue& catalogue, const ResultsArguments& arguments,
                                     const std::vector<std::string>& shown) {
    const data::RunFilter filter = filterOf(arguments.where);
    data::CatalogueQuery query{shown, arguments.sweep.empty() ? std::nullopt : std::optional(arguments.sweep)};
    query.models = query.sweep.has_value();
    query.notices = true;
    query.columns.insert(query.columns.end(), filter.paths().begin(), filter.paths().end());
    std::vector<CatalogueRow> rows = catalogue.rows(query);
    std::erase_if(rows, [&](const CatalogueRow& row) { return !filter.accepts(row, query.columns); });
    for (CatalogueRow& row : rows)
        row.values.resize(shown.size());
    return rows;
}

std::string shownValue(const std::string& path, const CatalogueValue& value) {
    if (const auto* text = std::get_if<std::string>(&value))
        return *text;
    const auto* number = std::get_if<double>(&value);
    if (!number)
        return "-";
    if (const data::Metric* metric = data::findMetric(path))
        return data::formatMetric(*metric, *number);
    const engine::Parameter& parameter = *engine::findParameter(path);
    if (parameter.kind == engine::ParameterKind::real)
        return engine::formatValue(parameter, *number);
    return engine::formatValue(parameter, static_cast<std::int64_t>(*number));
}

void writeRunsTable(const std::vector<CatalogueRow>& rows, const std::vector<std::string>& columns) {
    Table table({{"id"}, {"run", Align::left}});
    for (const std::string& column : columns)
        table.addColumn(column);
    // Runs of different engine versions are never shown as if they could be compared.
    const bool engines = std::any_of(
        rows.begin(), rows.end(), [](const CatalogueRow& row) { return row.engineVersion != engine::engineVersion(); });
    if (engines)
        table.addColumn("engine", Align::left);
    table.addColumn("tags", Align::left);
    table.addColumn("note", Align::left);
    for (const CatalogueRow& row : rows) {
        std::vector<std::string> cells{std::to_string(row.id), row.name};
        for (std::size_t i = 0; i < columns.size(); ++i)
            cells.push_back(shownValue(columns[i], row.values[i]));
        if (engines)
            cells.push_back(row.engineVersion);
        cells.push_back(data::joined(row.tags, " "));
        cells.push_back(row.note.substr(0, row.note.find('\n')));
        table.addRow(std::move(cells));
    }
    table.write(std::cout);
}

/// Prints the columns of the sweep's CSV, with values formatted for people.
void writeSweepTable(const data::SweepTable& sweep) {
    Table table = tableOfPoints(sweep);
    table.addColumn("state", Align::left);
    const data::PointTexts texts(sweep);
    for (const data::SweepRow& point : sweep.rows) {
        std::vector<std::string> cells = cellsOf(sweep, texts, point, "-");
        std::string state(data::name(point.state));
        if (!point.reason.empty())
            state += ": " + point.reason.substr(0, point.reason.find('\n'));
        cells.push_back(std::move(state));
        table.addRow(std::move(cells));
    }
    table.write(std::cout);
    writeNotices(data::noticesOf(sweep), std::cout);
}

void writeDocuments(const data::Store& store, const std::vector<std::int64_t>& ids, bool full) {
    std::vector<std::string> documents;
    for (const std::int64_t id : ids)
        documents.push_back(store.documentOf(id, full));
    std::cout << listOfDocuments(documents);
}

/// Returns the notices of runs, one for each parameter, with the number of runs that have it and the first of them.
engine::Notices noticesOf(const std::vector<CatalogueRow>& runs) {
    return data::sharedNotices({runs.size(), [&](std::size_t i) -> const engine::Notices& { return runs[i].notices; },
                                [&](std::size_t i) { return std::to_string(runs[i].id) + " " + runs[i].name; },
                                "runs"});
}

void runsOf(data::Store& store, const ResultsArguments& arguments) {
    const std::vector<std::string> columns = arguments.columns.empty() ? usualColumns() : arguments.columns;
    const auto rows = chosenRuns(data::RunCatalogue(store), arguments, columns);
    if (arguments.output == Output::json) {
        std::vector<std::int64_t> ids;
        for (const CatalogueRow& row : rows)
            ids.push_back(row.id);
        writeDocuments(store, ids, arguments.full);
    } else if (arguments.output == Output::csv) {
        std::cout << data::writeCsv(data::resultsOf(rows, columns)) << std::flush;
        writeNotices(noticesOf(rows), std::cerr);
    } else {
        writeRunsTable(rows, columns);
        writeNotices(noticesOf(rows), std::cout);
    }
}

/// Keeps only these metrics, in this order; the table has all of them.
void chooseMetrics(data::SweepTable& table, const std::vector<std::string>& metrics) {
    std::vector<std::size_t> places;
    for (const std::string& metric : metrics) {
        const auto found = std::find(table.metrics.begin(), table.metrics.end(), metric);
        places.push_back(static_cast<std::size_t>(found - table.metrics.begin()));
    }
    table.metrics = metrics;
    for (data::SweepRow& row : table.rows) {
        std::vector<std::optional<double>> values;
        for (const std::size_t place : places)
            values.push_back(row.values[place]);
        row.values = std::move(values);
    }
}

data::SweepTable chosenPoints(data::Store& store, const ResultsArguments& arguments) {
    const data::SweepStore sweeps(store);
    if (!sweeps.sweepWithId(arguments.sweep)) {
        const std::vector<std::string> ids = data::namesOf(sweeps.sweeps(), &data::StoredSweep::id);
        refuse("--sweep", arguments.sweep,
               ids.empty() ? "this store has no sweeps"
                           : "this store has no such sweep; it has: " + data::joinedNames(ids, ", "));
    }
    for (const std::string& column : arguments.columns) {
        if (!data::findMetric(column))
            refuse("--columns", column,
                   "a parameter; the parameters that a sweep varies are columns already, allowed: metrics");
    }
    data::SweepTable table = sweeps.table(arguments.sweep, arguments.columns);
    for (const std::string& column : arguments.columns) {
        if (!data::findMetric(column, table.sweep.of))
            refuse("--columns", column, data::unknownMetric(column, table.sweep.of));
    }
    if (!arguments.columns.empty())
        chooseMetrics(table, arguments.columns);
    if (!arguments.where.empty()) {
        std::set<std::int64_t> ids;
        for (const CatalogueRow& row : chosenRuns(data::RunCatalogue(store), arguments, {}))
            ids.insert(row.id);
        std::erase_if(table.rows, [&](const data::SweepRow& row) { return !row.runId || !ids.contains(*row.runId); });
    }
    return table;
}

void pointsOf(data::Store& store, const ResultsArguments& arguments) {
    const data::SweepTable table = chosenPoints(store, arguments);
    if (table.engineVersion != engine::engineVersion())
        std::cerr << "the results are of engine " << table.engineVersion << ", and this is engine "
                  << engine::engineVersion() << "; `sweep --resume` runs them anew\n";
    if (arguments.output == Output::csv) {
        std::cout << data::writeCsv(data::resultsOf(table));
    } else if (arguments.output == Output::table) {
        writeSweepTable(table);
    } else {
        std::vector<std::int64_t> ids;
        for (const data::SweepRow& row : table.rows) {
            if (row.runId)
                ids.push_back(*row.runId);
        }
        writeDocuments(store, ids, arguments.full);
        if (ids.size() < table.rows.size())
            std::cerr << table.rows.size() - ids.size() << " of " << table.rows.size()
                      << " points have no result (missing or failed); --output csv says which and why\n";
    }
}

/// Aligns names to the left and counts to the right.
void writeList(const ResultsTable& list, Output output) {
    if (output != Output::table) {
        std::cout << (output == Output::csv ? data::writeCsv(list) : data::writeJson(list));
        return;
    }
    Table table;
    for (std::size_t i = 0; i < list.columns.size(); ++i) {
        const bool counts = !list.rows.empty() && std::holds_alternative<double>(list.rows.front()[i]);
        table.addColumn(list.columns[i], counts ? Align::right : Align::left);
    }
    for (const auto& row : list.rows) {
        std::vector<std::string> cells;
        for (const CatalogueValue& value : row) {
            const auto* text = std::get_if<std::string>(&value);
            cells.push_back(text ? *text : fixedText(std::get<double>(value), 0));
        }
        table.addRow(std::move(cells));
    }
    table.write(std::cout);
}

CatalogueValue countOf(std::size_t count) { return static_cast<double>(count); }

void writeSweeps(const std::vector<data::StoredSweep>& sweeps, Output output) {
    ResultsTable list{{"id", "label", "points", "done", "failed", "missing", "engine_version"}, {}};
    for (const data::StoredSweep& sweep : sweeps) {
        list.rows.push_back({sweep.id, sweep.label, countOf(sweep.points), countOf(sweep.done), countOf(sweep.failed),
                             countOf(sweep.points - sweep.done - sweep.failed), sweep.engineVersion});
    }
    writeList(list, output);
}

/// Returns the run that a person named, or a problem.
std::int64_t runIn(const data::Store& store, const std::string& option, const std::string& id) {
    const bool isNumber = !id.empty() && id.size() < 19 && id.find_first_not_of("0123456789") == std::string::npos;
    if (!isNumber || !store.runWithId(std::stoll(id)))
        refuse(option, id, "no run has this id; `results` lists them");
    return std::stoll(id);
}

void change(data::Store& store, const ResultsArguments& arguments) {
    data::RunCatalogue catalogue(store);
    for (const auto* ids : {&arguments.remove, &arguments.restore}) {
        for (const std::int64_t id : *ids)
            runIn(store, ids == &arguments.remove ? "--remove" : "--restore", std::to_string(id));
    }
    if (!arguments.note.empty())
        catalogue.setNote(runIn(store, "--note", arguments.note.front()), arguments.note.at(1));
    if (!arguments.tag.empty()) {
        const std::int64_t id = runIn(store, "--tag", arguments.tag.front());
        catalogue.setTags({&id, 1}, {arguments.tag.begin() + 1, arguments.tag.end()});
    }
    catalogue.trash(arguments.remove);
    catalogue.restore(arguments.restore);
}

/// Prints which damaged runs were left out. The rest was read, so the command does not fail.
void sayLeftOut(const std::string& store, const std::vector<data::DamagedRun>& damaged) {
    if (!damaged.empty())
        std::cerr
            << store << ": left out " << data::describe(damaged)
            << "; `sweep --resume` runs points of a sweep again, `results --remove ID` removes a run from the list\n";
}

/// Lists every obstacle. A store that cannot be read is a failure of the machine, whatever else is wrong.
void refuseObstacles(const std::vector<data::MergeObstacle>& obstacles) {
    if (obstacles.empty())
        return;
    engine::Problems problems;
    for (const data::MergeObstacle& obstacle : obstacles)
        problems.push_back({obstacle.path, "", obstacle.text});
    const bool wrongNames = std::all_of(obstacles.begin(), obstacles.end(),
                                        [](const data::MergeObstacle& obstacle) { return obstacle.wrongName; });
    const engine::InvalidExperiment all(std::move(problems));
    if (wrongNames)
        throw all;
    throw data::StoreError(all.what());
}

int results(const ResultsArguments& arguments) {
    checkColumns(arguments.columns);
    filterOf(arguments.where);
    const bool changes =
        !arguments.note.empty() || !arguments.tag.empty() || !arguments.remove.empty() || !arguments.restore.empty();
    data::Store store = opened(arguments.store, changes);
    if (changes)
        change(store, arguments);
    else if (arguments.sweeps)
        writeSweeps(data::SweepStore(store).sweeps(), arguments.output);
    else if (!arguments.sweep.empty())
        pointsOf(store, arguments);
    else
        runsOf(store, arguments);
    sayLeftOut(arguments.store, store.takeDamaged());
    return kDone;
}

int merge(const MergeArguments& arguments) {
    refuseObstacles(data::checkMerge(arguments.into, arguments.from));
    ResultsTable list{{"store", "runs", "known", "failures", "sweeps", "points", "of_other_engines", "damaged"}, {}};
    data::Store into(arguments.into);
    for (const std::string& path : arguments.from) {
        const data::MergeSummary brought = data::merge(into, path);
        list.rows.push_back({path, countOf(brought.runs), countOf(brought.known), countOf(brought.failures),
                             countOf(brought.sweeps), countOf(brought.points), countOf(brought.ofOtherEngines),
                             countOf(brought.damaged.size())});
        sayLeftOut(path, brought.damaged);
    }
    writeList(list, arguments.output);
    return kDone;
}

}  // namespace

void declareResults(Commands& commands) {
    const auto [command, arguments] = commands.add(
        "results", "Read a store of results",
        "\nExample:\n  ringside-cli results --db sweep.sqlite --where \"policy=t3-mca link.bandwidth>=100GB/s\" --output csv",
        results);
    command.option("--db", arguments.store, "The store").required().type("FILE");
    command.option("--sweep", arguments.sweep, "Only the points of this sweep, in their order").type("ID");
    command.flag("--sweeps", arguments.sweeps, "List the sweeps of the store");
    addText(command, "--where", arguments.where,
            "Only runs that match everything in FILTER: words of name, note or tags, tag:WORD, and comparisons such as "
            "link.bandwidth>=100GB/s, policy=t3-mca, speedup_over_sequential<1",
            "FILTER");
    command.option("--columns", arguments.columns, "Metrics and parameters to show, separated by commas")
        .separated()
        .type("A,B,...");
    command.flag("--full", arguments.full, "JSON: also the complete experiment of each run");
    constexpr int kMostWords = 100;
    command.option("--note", arguments.note, "Set the note of a run").words(2, 2).type("ID TEXT");
    command.option("--tag", arguments.tag, "Set the tags of a run; an ID without words removes them")
        .words(1, kMostWords)
        .type("ID WORD...");
    command.option("--remove", arguments.remove, "Put runs into the trash").type("ID...");
    command.option("--restore", arguments.restore, "Take runs out of the trash").type("ID...");
    addForms(command, arguments.output);

    const auto [merging, merged] =
        commands.add("merge", "Join stores into one; the same store again changes nothing",
                     "\nExample:\n  ringside-cli merge --db all.sqlite shard-1.sqlite shard-2.sqlite", merge);
    addText(merging, "--db", merged.into, "The store that the others are joined into; created if it does not exist",
            "FILE")
        .required();
    merging.option("STORE", merged.from, "Stores to join; they are not changed").required();
    addForms(merging, merged.output);
}

}  // namespace cli
