#include "app/ringside_cli_division_arguments.h"
#include "app/ringside_cli_table.h"
#include "data/results/group_json.h"
#include "data/results/model_point_fields.h"
#include "engine/api/messages.h"

#include <array>
#include <charconv>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cli {
namespace {

struct MessageArguments : DivisionArguments {
    std::string stage;
};

/// Returns the stage that --stage names, or an empty optional without it.
std::optional<std::int64_t> stageOf(const MessageArguments& arguments, const engine::Experiment& experiment) {
    const std::string& text = arguments.stage;
    if (text.empty())
        return std::nullopt;
    const std::int64_t stages = experiment.division.weights ? 1 : experiment.division.pp;
    std::int64_t stage = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), stage);
    if (read.ec != std::errc{} || read.ptr != text.data() + text.size() || stage < 0 || stage >= stages)
        throw engine::InvalidExperiment(
            {{"--stage", text,
              stages == 1 ? "no stage of the pipeline; allowed: 0, since there is one stage (--pp)"
                          : "no stage of the pipeline; allowed: 0 to " + std::to_string(stages - 1)}});
    return stage;
}

using engine::Bytes;
using engine::MessageRow;
using engine::Messages;

struct MessageTable {
    engine::Experiment experiment;
    Messages messages;
};

Json messageRowJson(const MessageRow& row) {
    return {{"group", engine::name(row.group)},
            {"operation", engine::name(row.operation)},
            {"gpus", row.gpus},
            {"bytes", row.bytes.count},
            {"count", row.count},
            {"volume_bytes", row.volume.count},
            {"sent_bytes", row.sent.count},
            {"between_nodes", row.betweenNodes},
            {"source", row.source}};
}

/// Returns, for each group that has messages, the stage whose GPUs send most in it, and the same between nodes.
Json mostJson(const Messages& messages) {
    Json groups = Json::array();
    for (std::size_t i = 0; i < engine::kMessageGroups.size(); ++i) {
        const engine::MostSent& most = messages.mostInGroup[i];
        if (most.sent.count > 0)
            groups.push_back({{"group", engine::name(engine::kMessageGroups[i])},
                              {"stage", most.stage},
                              {"sent_bytes", most.sent.count}});
    }
    return {{"groups", std::move(groups)},
            {"between_nodes",
             {{"stage", messages.mostBetweenNodes.stage}, {"sent_bytes", messages.mostBetweenNodes.sent.count}}}};
}

Json messagesJson(const MessageTable& table) {
    const Messages& messages = table.messages;
    Json json{{"sharding", shardingWord(table.experiment)},
              {"stage", messages.stage},
              {"messages",
               {{"count", messages.count()},
                {"volume_bytes", messages.volume().count},
                {"sent_bytes", messages.sent().count},
                {"within_node_bytes", messages.sentWithinNode().count},
                {"between_nodes_bytes", messages.sentBetweenNodes().count},
                {"most", mostJson(messages)},
                {"rows", jsonList(messages.rows, messageRowJson)}}}};
    json.update(data::groupJson(engine::ratiosOf(table.experiment, messages)));
    return json;
}

/// "1.00 GB", "33.55 MB", "4 B".
std::string messageSizeText(Bytes bytes) {
    constexpr std::array<std::pair<double, const char*>, 5> kUnits{
        {{1e15, " PB"}, {1e12, " TB"}, {1e9, " GB"}, {1e6, " MB"}, {1e3, " kB"}}};
    const auto value = static_cast<double>(bytes.count);
    for (const auto& [unit, text] : kUnits) {
        if (value >= unit)
            return fixedText(value / unit, 2) + text;
    }
    return std::to_string(bytes.count) + " B";
}

void writeMessageTable(const MessageTable& table) {
    Table rows({{"group", Align::left},
                {"operation", Align::left},
                {"GPUs"},
                {"each"},
                {"times"},
                {"volume"},
                {"sent"},
                {"where", Align::left}});
    for (const MessageRow& row : table.messages.rows)
        rows.addRow({std::string(engine::name(row.group)), std::string(engine::name(row.operation)),
                     std::to_string(row.gpus), messageSizeText(row.bytes), std::to_string(row.count),
                     messageSizeText(row.volume), messageSizeText(row.sent),
                     row.betweenNodes ? "between nodes" : "within a node"});
    const Messages& all = table.messages;
    rows.addRow({"all", "", "", "", std::to_string(all.count()), messageSizeText(all.volume()),
                 messageSizeText(all.sent()), messageSizeText(all.sentBetweenNodes()) + " between nodes"});
    rows.write(std::cout);
}

/// Prints for each group the stage whose GPUs send most in it: a GPU that sends less in total may send more in a group.
void writeMost(const Messages& messages) {
    Table table({{"most of any stage", Align::left}, {"sent"}, {"stage"}});
    const auto row = [&](std::string what, const engine::MostSent& most) {
        if (most.sent.count > 0)
            table.addRow({std::move(what), messageSizeText(most.sent), std::to_string(most.stage)});
    };
    for (std::size_t i = 0; i < engine::kMessageGroups.size(); ++i)
        row(std::string(engine::name(engine::kMessageGroups[i])), messages.mostInGroup[i]);
    row("all between nodes", messages.mostBetweenNodes);
    std::cout << "\n";
    table.write(std::cout);
}

/// Prints how much work the GPU has for each byte that it sends.
void writeRatios(const MessageTable& table) {
    constexpr double kPercent = 100;
    const engine::MessageRatios ratios = engine::ratiosOf(table.experiment, table.messages);
    if (ratios.flopsPerTensorByte)
        std::cout << "\nlayers: " << fixedText(*ratios.flopsPerTensorByte, 1)
                  << " flops for each tensor byte; serialised share "
                  << fixedText(kPercent * *ratios.serialisedShare, 1)
                  << " % at peak x cu.tensor_efficiency and link.bandwidth";
    if (ratios.flopsPerDataByte)
        std::cout << "\ngradients of weights: " << fixedText(*ratios.flopsPerDataByte, 1)
                  << " flops for each data byte";
    if (ratios.flopsPerTensorByte || ratios.flopsPerDataByte)
        std::cout << "\n";
}

void writeMessagesCsv(const std::vector<MessageTable>& tables) {
    std::cout << "sharding,group,operation,gpus,bytes,count,volume_bytes,sent_bytes,between_nodes,source\n";
    for (const MessageTable& table : tables) {
        for (const MessageRow& row : table.messages.rows)
            std::cout << csvLine({shardingWord(table.experiment), std::string(engine::name(row.group)),
                                  std::string(engine::name(row.operation)), std::to_string(row.gpus),
                                  std::to_string(row.bytes.count), std::to_string(row.count),
                                  std::to_string(row.volume.count), std::to_string(row.sent.count),
                                  row.betweenNodes ? "true" : "false", row.source});
    }
}

void writeMessagesJson(const DivisionArguments& arguments, const std::vector<MessageTable>& tables) {
    Json json = divisionJson(tables.front().experiment, phaseOf(arguments));
    if (tables.size() == 1)
        json.update(messagesJson(tables.front()));
    else
        json["columns"] = jsonList(tables, messagesJson);
    printJson(json, std::cout);
}

int messages(const MessageArguments& arguments) {
    std::vector<MessageTable> tables;
    const std::vector<engine::Experiment> experiments = experimentsOf(arguments);
    const auto stage = stageOf(arguments, experiments.front());
    for (const engine::Experiment& experiment : experiments)
        tables.push_back({experiment, stage ? engine::messagesOfStage(experiment, phaseOf(arguments), *stage)
                                            : engine::messagesOf(experiment, phaseOf(arguments))});
    if (arguments.output == Output::json) {
        writeMessagesJson(arguments, tables);
        return 0;
    }
    if (arguments.output == Output::csv) {
        writeMessagesCsv(tables);
        return 0;
    }
    for (const MessageTable& table : tables) {
        if (tables.size() > 1)
            std::cout << (&table == tables.data() ? "" : "\n") << "sharding " << shardingWord(table.experiment)
                      << "\n\n";
        writeMessageTable(table);
        if (table.experiment.division.pp > 1)
            writeMost(table.messages);
        writeRatios(table);
    }
    std::cout << "\n" << divisionText(tables.front().experiment, phaseOf(arguments));
    if (tables.front().experiment.division.pp > 1)
        std::cout << "; a GPU of stage " << tables.front().messages.stage
                  << (stage ? "" : ", which sends most in total");
    std::cout << "\n";
    return 0;
}

}  // namespace

void declareMessages(Commands& commands) {
    const auto [command, arguments] =
        commands.add("messages", "List the messages of one GPU in one step of a division",
                     "\nExample:\n"
                     "  ringside-cli messages --weights 1.31e9 --dp 64\n"
                     "  ringside-cli messages gpt-3 --tp 8 --pp 8 --dp 8 --set division.microbatches=64",
                     messages);
    addDivision(command, arguments,
                "Shardings, one table for each: none, optimizer, gradients, weights (ZeRO stages 0 to 3)");
    addText(command, "--stage", arguments.stage,
            "Stage of the pipeline whose GPU is listed, counted from 0 (default: the one that sends most in total)",
            "N");
}

}  // namespace cli
