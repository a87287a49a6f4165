// Drives `ringside-cli lapse` as a script would.
// Usage: tests_app tst_lapse_command RINGSIDE_CLI FOLDER. It uses no Qt, so it also runs where the window is not built.

#include "tests/app/program_test.h"

#include <algorithm>
#include <cmath>

namespace tests::lapse_command {

using Json = nlohmann::json;

/// A run of some tens of microseconds, with 8 channels.
const std::string kSmall =
    "lapse t-nlg/fc-2/tp8 --set detail.level=interactive --set workload.hidden=512 --set workload.sequence=512 "
    "--set workload.batch=2 --set detail.channels=8 ";
const std::string kBanks = kSmall + "--set memory.model=banks --set dram.banks_per_group=4 ";

std::vector<std::vector<std::string>> cellsOf(const std::string& csv) {
    std::vector<std::vector<std::string>> rows;
    std::istringstream lines(csv);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream cells(line);
        std::vector<std::string>& row = rows.emplace_back();
        for (std::string cell; std::getline(cells, cell, ',');)
            row.push_back(cell);
        if (line.ends_with(','))
            row.emplace_back();
    }
    return rows;
}

double sumOf(const Json& rows, const std::string& column) {
    double sum = 0;
    for (const Json& row : rows)
        sum += row.value(column, 0.0);
    return sum;
}

void csvHasARowForEachPeriodAndChannel() {
    const Outcome outcome = run(kSmall + "--period 1us --output csv");
    const auto rows = cellsOf(outcome.out);
    expect(outcome.code == 0 &&
               outcome.out.starts_with("time_ps,channel,requests,bytes,utilisation,efficiency,row_hits,"
                                       "rows_opened\n0,0,"),
           "csv begins with its columns and the first channel", outcome);
    expect(rows.size() > 9 && rows[8].front() == "0" && rows[8][1] == "7" && rows[9].front() == "1000000" &&
               rows[9][1] == "0",
           "all channels of a period, then the next period", outcome);
    expect(rows.size() > 1 && rows[1].size() == 8 && rows[1][6].empty() && rows[1][7].empty(),
           "without banks there are no row hits", outcome);
}

void jsonHasTheSameRowsAndTheCamping() {
    const Json channels = json(kBanks + "--period 2us");
    const Outcome outcome{0, channels.dump(), ""};
    const Json& rows = channels.value("rows", Json::array());
    expect(channels.value("period_ps", 0) == 2'000'000 && channels.value("gpu", -1) == 0 && !rows.empty(),
           "period, GPU and rows", outcome);
    expect(!rows.empty() && rows[0].contains("row_hits") && rows[0].contains("rows_opened"), "row hits", outcome);
    const Json camping = channels.value("camping", Json::object());
    expect(camping.value("mean", 0.0) >= 1 && camping.value("max", 0.0) >= camping.value("mean", 9.0) &&
               camping.value("max", 9.0) <= 8 && camping.value("share_above_4", -1.0) >= 0,
           "the camping over the periods", outcome);
    const Json banks = json(kBanks + "--period 2us --by bank --channel 3");
    const Outcome banksOutcome{0, banks.dump(), ""};
    Json third = Json::array();
    std::ranges::copy_if(rows, std::back_inserter(third), [](const Json& row) { return row.value("channel", 0) == 3; });
    const Json& bankRows = banks.value("rows", Json::array());
    for (const std::string column : {"requests", "bytes", "rows_opened"})
        expect(std::abs(sumOf(bankRows, column) - sumOf(third, column)) < 1e-6 && sumOf(third, column) > 0,
               column + " of the banks add up to those of their channel", banksOutcome);
    expect(!bankRows.empty() && bankRows[0].value("channel", 0) == 3 && bankRows[1].value("group", -1) == 1,
           "banks have a channel, a number and a group", banksOutcome);
}

void theRunAndItsLapseHaveTheSameBytes() {
    const Json lapse = json(kBanks);
    const std::string experiment = kBanks.substr(std::string("lapse ").size());
    const Json result = json("run " + experiment);
    const Outcome outcome{0, lapse.dump(), ""};
    expect(sumOf(lapse.value("rows", Json::array()), "bytes") ==
               result.value("dram_bytes", Json::object()).value("total", 0.0),
           "bytes are those of the run", outcome);
    expect(result.contains("memory") && result["memory"].value("camping", 0.0) >= 1 &&
               result["memory"].value("camping_window", 0.0) >= 1,
           "the run has the camping as well", Outcome{0, result.dump(), ""});
    const std::size_t periods = lapse.value("rows", Json::array()).size() / 8;
    expect(periods > 490 && periods <= 500, "by default a period is a five-hundredth of the run", outcome);
}

void computeUnitsHaveSharesOfTheTimeOfTheirSlots() {
    const Json units = json(kSmall + "--period 1us --by cu");
    const Outcome outcome{0, units.dump(), ""};
    const Json& rows = units.value("rows", Json::array());
    expect(!rows.empty() && !units.contains("camping"), "rows, and no camping", outcome);
    for (const Json& row : rows) {
        const double sum = row.value("computing", 0.0) + row.value("waiting", 0.0) + row.value("collective", 0.0) +
                           row.value("empty", 0.0);
        if (std::abs(sum - 1) > 1e-9) {
            expect(false, "the shares of a unit add up to 1: " + row.dump(), outcome);
            return;
        }
    }
    expect(sumOf(rows, "computing") > 0 && sumOf(rows, "waiting") > 0, "units compute and wait", outcome);
}

void theTableHasALineForEachPeriod() {
    const Outcome outcome = run(kBanks + "--period 10us");
    expect(outcome.code == 0 && contains(outcome.out, "8 channels together") && contains(outcome.out, "row hits") &&
               contains(outcome.out, "camping over the periods: mean "),
           "the table says its rows and its camping", outcome);
    expect(!contains(run(kSmall + "--period 10us").out, "row hits"), "without banks there are no row hits", outcome);
}

void mistakesAreNamed() {
    expectRefused(kSmall + "--period 999ps", {"--period", "999ps", "below 1 ns", "allowed: auto"});
    expect(run(kSmall + "--period 1us").code == 0, "1 us is allowed", {});
    expectRefused(kSmall + "--period soon", {"--period", "soon", "not a time", "10us"});
    expectRefused(kSmall + "--period 5%", {"--period", "5%", "not a time"});
    expectRefused("lapse t-nlg/fc-2/tp8 --set detail.level=interactive --period 1ns",
                  {"--period", "1ns", "more than 1,000,000", "allowed: auto"});
    expectRefused(kSmall + "--by bank", {"--by", "bank", "memory.model=sustained", "allowed: channel, cu"});
    expectRefused(kSmall + "--by row", {"--by"});
    expectRefused(kSmall + "--gpu 8", {"--gpu", "8", "allowed: 0 to 7"});
    expectRefused(kBanks + "--by bank --channel 8", {"--channel", "8", "allowed: 0 to 7"});
    expectRefused(kSmall + "--channel 1", {"--channel", "1", "--by bank"});
    expectRefused(kSmall + "--set policy=ideal-overlap", {"policy", "ideal-overlap"});
}

void theExampleOfTheHelpRuns() {
    for (const std::string& example : examplesOf("lapse")) {
        const Outcome outcome = run(example + " --set detail.level=interactive");
        expect(outcome.code == 0 && outcome.err.empty() && outcome.out.starts_with("time_ps,channel,"), example,
               outcome);
    }
}

const bool kAdded = tests::addProgramTest("tst_lapse_command", [](int argc, char** argv) {
    return runTests(
        argc, argv,
        {{"csv has a row for each period and channel", csvHasARowForEachPeriodAndChannel},
         {"JSON has the same rows and the camping", jsonHasTheSameRowsAndTheCamping},
         {"the run and its lapse have the same bytes", theRunAndItsLapseHaveTheSameBytes},
         {"compute units have shares of the time of their slots", computeUnitsHaveSharesOfTheTimeOfTheirSlots},
         {"the table has a line for each period", theTableHasALineForEachPeriod},
         {"mistakes are named", mistakesAreNamed},
         {"the example of the help runs", theExampleOfTheHelpRuns}});
});

}  // namespace tests::lapse_command
