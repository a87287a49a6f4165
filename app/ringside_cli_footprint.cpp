#include "app/ringside_cli_division_arguments.h"
#include "app/ringside_cli_table.h"
#include "data/results/result_json.h"
#include "engine/api/footprint.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <span>
#include <string>
#include <vector>

namespace cli {
namespace {

using engine::Bytes;
using engine::Footprint;
using engine::FootprintBytes;

struct FootprintHolder {
    const char* key;
    Bytes FootprintBytes::*bytes;
    bool always;  ///< otherwise the table has this line only if some column has a value
};

constexpr std::array kHolders{FootprintHolder{"weights", &FootprintBytes::weights, true},
                              FootprintHolder{"gradients", &FootprintBytes::gradients, false},
                              FootprintHolder{"optimizer", &FootprintBytes::optimizer, false},
                              FootprintHolder{"activations", &FootprintBytes::activations, false},
                              FootprintHolder{"cache", &FootprintBytes::cache, false},
                              FootprintHolder{"buffers", &FootprintBytes::buffers, false},
                              FootprintHolder{"copies", &FootprintBytes::copies, false}};

struct FootprintColumn {
    engine::Experiment experiment;
    Footprint footprint;
};

Json footprintColumnJson(const FootprintColumn& column) {
    const Footprint& footprint = column.footprint;
    Json bytes = Json::object();
    for (const FootprintHolder& holder : kHolders)
        bytes[holder.key] = (footprint.bytes().*holder.bytes).count;
    bytes["total"] = footprint.bytes().total().count;
    const auto stageJson = [](const engine::StageFootprint& stage) {
        return Json{{"layers", stage.layers}, {"in_flight", stage.inFlight}, {"total", stage.bytes.total().count}};
    };
    Json json{
        {"sharding", shardingWord(column.experiment)},
        {"footprint_bytes", std::move(bytes)},
        {"of_layers_bytes",
         {{"states", footprint.stage().layerStates.count}, {"activations", footprint.stage().layerActivations.count}}},
        {"stages", jsonList(footprint.stages, stageJson)}};
    if (footprint.fits)
        json["fits"] = *footprint.fits;
    if (footprint.mostWeights)
        json["most_weights"] = *footprint.mostWeights;
    return json;
}

std::string gigabytesText(Bytes bytes) { return fixedText(static_cast<double>(bytes.count) / 1e9, 2); }

template <typename Cell>
void addFootprintRow(Table& table, const char* title, const std::vector<FootprintColumn>& columns, Cell cell) {
    std::vector<std::string> cells{title};
    for (const FootprintColumn& column : columns)
        cells.push_back(cell(column.footprint));
    table.addRow(std::move(cells));
}

void writeHolders(const std::vector<FootprintColumn>& columns) {
    Table table({{"GB", Align::left}});
    for (const FootprintColumn& column : columns)
        table.addColumn(shardingWord(column.experiment));
    for (const FootprintHolder& holder : kHolders) {
        const auto held = [&](const Footprint& footprint) { return footprint.bytes().*holder.bytes; };
        if (holder.always || std::any_of(columns.begin(), columns.end(), [&](const FootprintColumn& column) {
                return held(column.footprint).count > 0;
            }))
            addFootprintRow(table, holder.key, columns,
                            [&](const Footprint& footprint) { return gigabytesText(held(footprint)); });
    }
    addFootprintRow(table, "total", columns,
                    [](const Footprint& footprint) { return gigabytesText(footprint.bytes().total()); });
    if (columns.front().footprint.fits) {
        addFootprintRow(table, "fits", columns,
                        [](const Footprint& footprint) { return std::string(*footprint.fits ? "yes" : "no"); });
        constexpr double kBillion = 1e9;
        addFootprintRow(table, "most weights, 1e9", columns, [](const Footprint& footprint) {
            return fixedText(static_cast<double>(*footprint.mostWeights) / kBillion, 2);
        });
    }
    table.write(std::cout);
}

/// Prints one line for each pipeline stage, and one line for neighbouring stages that are equal: "2-7".
void writeStages(const std::vector<FootprintColumn>& columns) {
    Table table({{"stage", Align::left}, {"layers"}, {"in flight"}});
    for (const FootprintColumn& column : columns)
        table.addColumn(shardingWord(column.experiment), Align::right, "GB");
    const std::size_t count = columns.front().footprint.stages.size();
    for (std::size_t first = 0; first < count;) {
        const auto alike = [&](std::size_t other) {
            return std::all_of(columns.begin(), columns.end(), [&](const FootprintColumn& column) {
                return column.footprint.stages[first] == column.footprint.stages[other];
            });
        };
        std::size_t end = first + 1;
        while (end < count && alike(end))
            ++end;
        const engine::StageFootprint& stage = columns.front().footprint.stages[first];
        std::vector<std::string> cells{std::to_string(first) + (end > first + 1 ? "-" + std::to_string(end - 1) : ""),
                                       std::to_string(stage.layers), fixedText(stage.inFlight, 2)};
        for (const FootprintColumn& column : columns)
            cells.push_back(gigabytesText(column.footprint.stages[first].bytes.total()));
        table.addRow(std::move(cells));
        first = end;
    }
    table.write(std::cout);
}

// The column of copies came later and is the last one, because scripts may count columns.
void writeFootprintCsv(const std::vector<FootprintColumn>& columns) {
    const auto first = std::span(kHolders).first<kHolders.size() - 1>();
    const FootprintHolder& last = kHolders.back();
    std::vector<std::string> names{"sharding"};
    for (const FootprintHolder& holder : first)
        names.push_back(std::string(holder.key) + "_bytes");
    names.insert(names.end(), {"total_bytes", "fits", "most_weights", std::string(last.key) + "_bytes"});
    std::cout << csvLine(names);
    for (const FootprintColumn& column : columns) {
        const Footprint& footprint = column.footprint;
        std::vector<std::string> cells{shardingWord(column.experiment)};
        for (const FootprintHolder& holder : first)
            cells.push_back(std::to_string((footprint.bytes().*holder.bytes).count));
        cells.push_back(std::to_string(footprint.bytes().total().count));
        cells.emplace_back(footprint.fits ? (*footprint.fits ? "true" : "false") : "");
        cells.push_back(footprint.mostWeights ? std::to_string(*footprint.mostWeights) : std::string());
        cells.push_back(std::to_string((footprint.bytes().*last.bytes).count));
        std::cout << csvLine(cells);
    }
}

int footprint(const DivisionArguments& arguments) {
    std::vector<FootprintColumn> columns;
    for (const engine::Experiment& experiment : experimentsOf(arguments))
        columns.push_back({experiment, engine::footprintOf(experiment, phaseOf(arguments))});
    const FootprintColumn& first = columns.front();
    if (arguments.output == Output::csv) {
        writeFootprintCsv(columns);
        return 0;
    }
    if (arguments.output == Output::json) {
        Json json = divisionJson(first.experiment, phaseOf(arguments));
        json["columns"] = jsonList(columns, footprintColumnJson);
        json["notices"] = data::noticesJson(first.footprint.notices);
        printJson(json, std::cout);
        return 0;
    }
    writeHolders(columns);
    if (!first.experiment.division.weights && first.footprint.stages.size() > 1) {
        std::cout << "\n";
        writeStages(columns);
    }
    std::cout << "\n" << divisionText(first.experiment, phaseOf(arguments)) << "\n";
    for (const engine::Notice& notice : first.footprint.notices)
        std::cout << "notice  " << notice.path << ": " << notice.text << "\n";
    return 0;
}

}  // namespace

void declareFootprint(Commands& commands) {
    const auto [command, arguments] = commands.add(
        "footprint", "Count the bytes that one GPU holds: model states and activations of a division",
        "\nExample:\n"
        "  ringside-cli footprint --weights 7.5e9 --dp 64 --sharding none,optimizer,gradients,weights\n"
        "  ringside-cli footprint gpt-3 --tp 8 --pp 8 --set division.microbatches=64 --set operators.recompute=layer\n"
        "  ringside-cli footprint gpt-3 --tp 8 --set training.copies=mx9:2,mx6:2 --set training.quantise=just-in-time",
        footprint);
    addDivision(command, arguments,
                "Shardings, one column for each: none, optimizer, gradients, weights (ZeRO stages 0 to 3)");
}

}  // namespace cli
