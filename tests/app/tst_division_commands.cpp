// Drives `ringside-cli footprint`, `messages` and `divisions` as a script would.
// Usage: tests_app tst_division_commands RINGSIDE_CLI FOLDER. It uses no Qt, so it also runs where the window is not
// built.

#include "tests/app/program_test.h"

#include <algorithm>
#include <cmath>
#include <csignal>

namespace tests::division_commands {

using Json = nlohmann::json;

const std::string kSharded = "footprint --weights 7.5e9 --dp 64 --sharding none,optimizer,gradients,weights";

// ZeRO (arXiv 1910.02054), figure 1.
void theFootprintOfABareNumberIsPrinted() {
    const Outcome outcome = run(kSharded);
    const std::string table = "GB           none  optimizer  gradients  weights\n"
                              "weights     15.00      15.00      15.00     0.23\n"
                              "gradients   15.00      15.00       0.23     0.23\n"
                              "optimizer   90.00       1.41       1.41     1.41\n"
                              "total      120.00      31.41      16.64     1.88\n";
    expect(outcome.code == 0 && outcome.out.rfind(table, 0) == 0 && contains(outcome.out, "and workspaces"),
           "the published figure", outcome);
}

void theHoldersOfEachColumnSumToItsTotal() {
    for (const std::string& question :
         {kSharded,
          std::string("footprint gpt-3 --tp 8 --pp 4 --dp 2 --sharding none,gradients --set "
                      "division.microbatches=8 --set operators.recompute=layer"),
          std::string("footprint t-nlg --phase generation --tp 8")}) {
        const Json document = json(question);
        const Outcome outcome{0, document.dump(), ""};
        expect(document.contains("columns") && !document["columns"].empty(), "columns", outcome);
        for (const Json& column : document.value("columns", Json::array())) {
            std::int64_t sum = 0;
            for (const auto& [holder, bytes] : column.at("footprint_bytes").items())
                sum += holder == "total" ? 0 : bytes.get<std::int64_t>();
            const auto total = column.at("footprint_bytes").at("total").get<std::int64_t>();
            expect(sum == total, "holders sum to the total", outcome);
            std::int64_t largest = 0;
            for (const Json& stage : column.at("stages"))
                largest = std::max(largest, stage.at("total").get<std::int64_t>());
            expect(largest == total && !column.contains("fits"), "the largest stage decides", outcome);
        }
    }
}

void aCapacityShowsWhichModelsFit() {
    const Json document = json("footprint --weights 15e9 --dp 64 --sharding none,weights --set node.memory=32GB");
    const Outcome outcome{0, document.dump(), ""};
    const Json columns = document.value("columns", Json::array());
    expect(columns.size() == 2 && !columns[0].at("fits").get<bool>() && columns[1].at("fits").get<bool>(), "fits",
           outcome);
    expect(columns.size() == 2 && columns[0].at("most_weights").get<std::int64_t>() == 2'000'000'000 &&
               columns[1].at("most_weights").get<std::int64_t>() == 128'000'000'000,
           "most weights", outcome);
}

// Korthikanti et al. (arXiv 2205.05198).
void theActivationsOfGpt3AreThePublishedOnes() {
    const std::string question =
        "footprint gpt-3 --tp 8 --pp 8 --set workload.sequence=2048 --set workload.batch=1 --set division.interleave=3 "
        "--set division.microbatches=64 --set operators.attention=separate --set operators.dropout=on "
        "--set training.accounting=megatron";
    const Json column = json(question).at("columns").at(0);
    const Outcome outcome{0, column.dump(), ""};
    constexpr double kGiB = 1024.0 * 1024 * 1024;
    expect(column.at("of_layers_bytes").at("states").get<double>() / kGiB == 45.5625, "states", outcome);
    expect(column.at("of_layers_bytes").at("activations").get<double>() / kGiB == 66.84375, "activations", outcome);
    const Outcome table = run(question);
    expect(table.code == 0 && contains(table.out, "\nactivations ") && contains(table.out, "in flight"), "the table",
           table);
}

void theMessagesOfABareNumberArePrinted() {
    const Outcome outcome = run("messages --weights 1.31e9 --dp 64");
    expect(outcome.code == 0 &&
               outcome.out.rfind("group  operation   GPUs       each  times   volume     sent  where\n"
                                 "data   all-reduce    64    1.00 GB      2  4.00 GB  3.94 GB  between nodes\n"
                                 "data   all-reduce    64  620.00 MB      1  1.24 GB  1.22 GB  between nodes\n",
                                 0) == 0,
           "the rows", outcome);
    const Json document = json("messages --weights 1.31e9 --dp 64 --sharding weights");
    expect(document.at("messages").at("volume_bytes").get<std::int64_t>() == 7'860'000'000, "the published volume",
           Outcome{0, document.dump(), ""});
}

void theRowsOfMessagesSumToTheirTotals() {
    const Json document = json("messages gpt-3 --tp 8 --pp 4 --dp 2 --sharding none,gradients");
    const Outcome outcome{0, document.dump(), ""};
    expect(document.value("columns", Json::array()).size() == 2, "an entry for each sharding", outcome);
    for (const Json& column : document.value("columns", Json::array())) {
        const Json& messages = column.at("messages");
        std::int64_t count = 0, volume = 0, sent = 0, between = 0;
        for (const Json& row : messages.at("rows")) {
            count += row.at("count").get<std::int64_t>();
            volume += row.at("volume_bytes").get<std::int64_t>();
            sent += row.at("sent_bytes").get<std::int64_t>();
            between += row.at("between_nodes").get<bool>() ? row.at("sent_bytes").get<std::int64_t>() : 0;
            expect(!row.at("source").get<std::string>().empty(), "each row has its source", outcome);
        }
        expect(messages.at("count") == count && messages.at("volume_bytes") == volume &&
                   messages.at("sent_bytes") == sent && messages.at("between_nodes_bytes") == between &&
                   messages.at("within_node_bytes") == sent - between,
               "rows sum to the totals", outcome);
    }
}

void messagesSayHowMuchWorkThereIsForEachByte() {
    const std::string plain =
        "messages t-nlg --tp 8 --dp 4 --set operators.attention=separate --set workload.hidden=4096 "
        "--set workload.heads=32 --set link.bandwidth=100GB/s --set cu.count=104 "
        "--set cu.clock=1.7GHz --set cu.tensor_efficiency=0.6";
    const Json document = json(plain);
    const auto isNear = [&](const char* key, double expected) {
        return std::abs(document.value(key, 0.0) / expected - 1) < 1e-6;
    };
    expect(isNear("flops_per_tensor_byte", (4.5 * 4096 + 0.75 * 1024) / 7) &&
               isNear("flops_per_data_byte", 8 * 1024 * 4 / 6.0) && isNear("serialised_share", 0.28368404),
           "the formulas of a plain layer", Outcome{0, document.dump(), ""});
    const Outcome table = run(plain);
    expect(contains(table.out, "\nlayers: 2742.9 flops for each tensor byte; serialised share 28.4 % at peak x ") &&
               contains(table.out, "\ngradients of weights: 5461.3 flops for each data byte\n"),
           "the table says the same", table);
    const Json bare = json("messages --weights 1.31e9 --dp 64");
    for (const char* key : {"flops_per_tensor_byte", "flops_per_data_byte", "serialised_share"})
        expect(!bare.contains(key), "a number of weights has no work", Outcome{0, bare.dump(), ""});
}

void csvHasALineForEachColumnOrRow() {
    const Outcome footprint = run(kSharded + " --output csv");
    expect(std::count(footprint.out.begin(), footprint.out.end(), '\n') == 5 &&
               contains(footprint.out, "\nweights,234375000,234375000,1406250000,0,0,0,1875000000,,,0\n"),
           "a heading and four lines", footprint);
    const Outcome messages = run("messages --weights 1.31e9 --dp 64 --output csv");
    expect(std::count(messages.out.begin(), messages.out.end(), '\n') == 3 &&
               contains(messages.out, "\nnone,data,all-reduce,64,1000000000,2,4000000000,3937500000,true,"),
           "a heading and two lines", messages);
}

void mistakesAreReportedWithTheOption() {
    for (const std::string command : {"footprint", "messages"}) {
        expectRefused(command, {"MODEL", "--weights N"});
        expectRefused(command + " gpt-3 --weights 7e9", {"MODEL: gpt-3: given together with --weights"});
        expectRefused(command + " --weights 1e16", {"--weights: 1e16", "allowed: 1 to"});
        expectRefused(command + " gpt-3 --dp 0", {"--dp: 0: below the minimum"});
        expectRefused(command + " gpt-3 --sharding none,all", {"--sharding: all"});
        expectRefused(command + " gpt-3 --pp 97", {"division.pp: 97: more stages than layers; allowed: 1 to 96"});
        expectRefused(command + " gpt-3 --pp 2 --sharding weights", {"division.sharding: weights", "not modelled"});
        expectRefused(command + " gpt-3 --tp 7", {"parallel.tp: 7: does not divide"});
        expectRefused(command + " gpt-3 --set workload.bytes=1MB", {"workload.bytes", "leave it out"});
        expectRefused(command + " gpt-3 --phase prompt --sharding optimizer", {"division.sharding: optimizer"});
    }
}

const std::string kSearch =
    "divisions gpt-3 --gpus 512 --sequences 1536 --set machine=nvidia-h100 --set workload.sequence=2048";

void theBestDivisionStandsFirst() {
    const Outcome outcome = run(kSearch + " --limit 1");
    const std::string table =
        "tp  pp  dp  batch  micro-batches  interleave  sharding   recompute  footprint  compute  bubble  messages  "
        "estimate  fits\n"
        " 4   8  16      1             96           2  optimizer  none         75.2 GB   8.26 s   3.6 %    1.73 s   "
        "10.29 s  yes\n"
        "\ngpt-3, one training step of 1,536 sequences on 512 GPUs, machine nvidia-h100: ";
    expect(outcome.code == 0 && outcome.out.rfind(table, 0) == 0, "the form of the design", outcome);
    expect(contains(outcome.out, " divisions searched, ") && contains(outcome.out, " fit into 80.0 GB\n") &&
               contains(outcome.out, "\nnotice  estimate: messages are sent at 351 GB/s") &&
               contains(outcome.out, "without overlap"),
           "how many, and what the estimate is not", outcome);
}

void theLimitCutsRowsAndNotCounts() {
    const Json some = json(kSearch), all = json(kSearch + " --limit all"), three = json(kSearch + " --limit 3");
    const auto rows = [](const Json& document) { return document.at("divisions").size(); };
    const Outcome outcome{0, three.dump(), ""};
    expect(rows(some) == 10 && rows(three) == 3, "ten rows unless it is said", outcome);
    expect(rows(all) == all.at("searched").get<std::size_t>() && rows(all) > 100, "all rows", outcome);
    for (const char* key : {"searched", "fitting", "notices", "gpus", "sequences", "model", "machine"})
        expect(some.at(key) == all.at(key) && three.at(key) == all.at(key), key, outcome);
    expect(three.at("divisions").at(0) == all.at("divisions").at(0), "the same rows", outcome);
    const Outcome csv = run(kSearch + " --limit 3 --output csv");
    expect(std::count(csv.out.begin(), csv.out.end(), '\n') == 4 &&
               contains(csv.out, "estimate_ps,fits\n4,8,16,1,96,2,optimizer,none,"),
           "CSV has a heading and a line for each", csv);
}

// A row has all settings that `footprint` and `messages` need.
void aRowOfDivisionsCanBePassedToFootprintAndMessages() {
    const Json document = json("divisions gpt-3 --gpus 64 --sequences 96 --set machine=nvidia-h100 --limit all");
    const Json& rows = document.at("divisions");
    std::size_t fitting = 0;
    for (const Json& row : rows)
        fitting += row.at("fits").get<bool>() ? 1 : 0;
    expect(document.at("fitting") == fitting, "what fits is counted", {0, document.dump(), ""});
    for (std::size_t i = 0; i < rows.size(); i += rows.size() / 5 + 1) {
        const Json& row = rows[i];
        const auto number = [&](const char* key) { return std::to_string(row.at(key).get<std::int64_t>()); };
        const auto word = [&](const char* key) { return row.at(key).get<std::string>(); };
        const std::string options =
            " gpt-3 --set machine=nvidia-h100 --tp " + number("tp") + " --pp " + number("pp") + " --dp " +
            number("dp") + " --sharding " + word("sharding") + " --set workload.batch=" + number("batch") +
            " --set division.microbatches=" + number("microbatches") +
            " --set division.interleave=" + number("interleave") + " --set operators.recompute=" + word("recompute");
        const Outcome outcome{0, row.dump(), options};
        const Json footprint = json("footprint" + options).at("columns").at(0);
        expect(footprint.at("footprint_bytes").at("total") == row.at("footprint_bytes") &&
                   footprint.at("fits") == row.at("fits"),
               "its footprint", outcome);
        const Json messages = json("messages" + options).at("messages");
        const double seconds = messages.at("within_node_bytes").get<double>() / 351e9 +
                               messages.at("between_nodes_bytes").get<double>() / 50e9;
        expect(std::abs(row.at("messages_ps").get<double>() / 1e12 - seconds) < 1e-9, "its messages", outcome);
    }
}

void withoutACapacityNothingIsSaidOfFitting() {
    const Json document = json("divisions t-nlg --gpus 8 --sequences 8");
    const Outcome table = run("divisions t-nlg --gpus 8 --sequences 8");
    expect(!document.at("divisions").at(0).contains("fits") && document.at("fitting") == document.at("searched") &&
               contains(table.out, "node.memory is unlimited"),
           "no key and a word", table);
}

void noDivisionMeansOneAndTheReason() {
    const Outcome outcome = run("divisions gpt-3 --gpus 13 --sequences 25");
    expect(outcome.code == 1 && contains(outcome.out, "no division") &&
               contains(outcome.out, "13 GPUs cannot be divided into tp x dp x pp"),
           "the reason", outcome);
    const Outcome document = run("divisions gpt-3 --gpus 13 --sequences 25 --output json");
    expect(document.code == 1 && parsed(document.out).value("divisions", Json()) == Json::array() &&
               parsed(document.out).value("searched", -1) == 0,
           "an empty list", document);
    expect(run("divisions gpt-3 --gpus 13 --sequences 26").code == 0, "and one more sequence is enough", {});
}

void valuesThatASearchCannotUseAreRejected() {
    expectRefused("divisions gpt-3 --gpus 8", {"--sequences"});
    expectRefused("divisions gpt-3 --gpus 0 --sequences -4", {"--gpus: 0: ", "--sequences: -4: "});
    expectRefused("divisions gpt-3 --gpus 8 --sequences 8 --limit 0", {"--limit: 0: ", "allowed: 1 or more, or all"});
    expectRefused("divisions gpt-3 --gpus 8 --sequences 8 --limit few", {"--limit: few: "});
    expectRefused("divisions gpt-4 --gpus 8 --sequences 8", {"gpt-4"});
    expectRefused(
        "divisions gpt-3 --gpus 8 --sequences 8 --set parallel.tp=8 --set operators.recompute=layer "
        "--set workload.bytes=1MB",
        {"parallel.tp: 8: the search chooses it", "operators.recompute: layer: the search", "workload.bytes"});
    expectRefused("divisions gpt-3 --gpus 8 --sequences 8 --set division.weights=7e9",
                  {"division.weights: 7000000000"});
    expectRefused("divisions gpt-3 --gpus 8 --sequences 8 --set collective.operation=all-to-all",
                  {"collective.operation: all-to-all"});
}

// The preset that `convert` makes from a Hugging Face config.json sets a batch, which the search replaces.
void aSavedModelIsDividedToo() {
    const Outcome converted = run("convert '" RINGSIDE_CONFIGS "/llama-2-7b.json' --output '" + at("own.json") + "'");
    expect(converted.code == 0, "the model is converted", converted);
    const Json document = json("divisions '" + at("own.json") + "' --gpus 8 --sequences 16");
    expect(document.at("searched").get<int>() > 10, "its divisions", {0, document.dump(), ""});
    expect(run("footprint '" + at("own.json") + "' --tp 8").code == 0, "its footprint", {});
}

void theBestDivisionsAreSimulated() {
    const Json document = json("divisions t-nlg --gpus 16 --sequences 16 --simulate 3 --threads 2");
    const Json& rows = document.at("divisions");
    for (std::size_t i = 0; i < rows.size(); ++i)
        expect(rows.at(i).contains("step_ps") == (i < 3), "the first three have a step", {});
    expect(rows.at(0).at("step_ps") <= rows.at(1).at("step_ps") && rows.at(1).at("step_ps") <= rows.at(2).at("step_ps"),
           "the fastest step first", {});
    const Outcome table = run("divisions t-nlg --gpus 16 --sequences 16 --simulate 3");
    expect(contains(table.out, "estimate") && contains(table.out, "step") &&
               contains(table.out, "simulated under sequential"),
           "the table has a column and says what it is", table);
    expectRefused("divisions t-nlg --gpus 16 --sequences 16 --simulate 0", {"--simulate"});
}

void aSearchIsInterrupted() {
    const Outcome outcome = interrupted(
        {"divisions", "gpt-3", "--gpus", "1451520", "--sequences", "92897280", "--set", "workload.layers=5040", "--set",
         "workload.hidden=40320", "--set", "workload.heads=4032", "--set", "node.gpus=1000", "--set",
         "operators.attention=separate", "--set", "collective.operation=reduce-scatter"},
        SIGINT);
    expect(outcome.code == 130 && contains(outcome.err, "interrupted") && outcome.out.empty(), "Ctrl+C", outcome);
}

void theExamplesOfTheHelpRun() {
    for (const std::string command : {"footprint", "messages", "divisions"}) {
        const std::vector<std::string> examples = examplesOf(command);
        expect(examples.size() >= 2, "the examples of " + command, {});
        for (const std::string& example : examples) {
            const Outcome outcome = run(example);
            expect(outcome.code == 0 && outcome.err.empty() && !outcome.out.empty(), example, outcome);
        }
    }
}

const bool kAdded = tests::addProgramTest("tst_division_commands", [](int argc, char** argv) {
    return runTests(argc, argv,
                    {
                        {"the footprint of a bare number is printed", theFootprintOfABareNumberIsPrinted},
                        {"the holders sum to the total", theHoldersOfEachColumnSumToItsTotal},
                        {"a capacity shows which models fit", aCapacityShowsWhichModelsFit},
                        {"the activations of GPT-3", theActivationsOfGpt3AreThePublishedOnes},
                        {"the messages of a bare number are printed", theMessagesOfABareNumberArePrinted},
                        {"the rows of messages sum to their totals", theRowsOfMessagesSumToTheirTotals},
                        {"CSV has its lines", csvHasALineForEachColumnOrRow},
                        {"mistakes are reported with the option", mistakesAreReportedWithTheOption},
                        {"the best division stands first", theBestDivisionStandsFirst},
                        {"the limit cuts rows and not counts", theLimitCutsRowsAndNotCounts},
                        {"a row is a division for the others", aRowOfDivisionsCanBePassedToFootprintAndMessages},
                        {"without a capacity nothing is said of fitting", withoutACapacityNothingIsSaidOfFitting},
                        {"no division means 1", noDivisionMeansOneAndTheReason},
                        {"values that a search cannot use are rejected", valuesThatASearchCannotUseAreRejected},
                        {"a saved model is divided, too", aSavedModelIsDividedToo},
                        {"the best divisions are simulated", theBestDivisionsAreSimulated},
                        {"a search is interrupted", aSearchIsInterrupted},
                        {"the examples of the help run", theExamplesOfTheHelpRun},
                    });
});

}  // namespace tests::division_commands
