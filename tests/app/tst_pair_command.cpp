// Drives `ringside-cli pair` as a script would.
// Usage: tests_app tst_pair_command RINGSIDE_CLI FOLDER. It uses no Qt, so it also runs where the window is not built.

#include "tests/app/program_test.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace tests::pair_command {

const std::string kOwn = "pair t-nlg/fc-2/tp8 --set policy=sequential --set detail.level=interactive ";

void aBadCompanionIsRefusedWithWhatIsAllowedAndAnExample() {
    expectRefused(kOwn + "--companion 'all-gater 64MiB'",
                  {"--companion: all-gater 64MiB: ", "did you mean all-gather?", "allowed: ", "\"all-gather 896MiB\"",
                   "\"gemm 4096x1024x1024 x3\""});
    expectRefused(kOwn + "--companion 'all-gather 64 bananas'", {"companion.bytes 64 bananas: ", "B, kB", "allowed: "});
    expectRefused(kOwn + "--companion 'all-gather 64MiB x2'", {"all-gather has no copies; only gemm has them"});
    expectRefused(kOwn + "--companion 'gemm 4096x1024'", {"not a size MxNxK"});
    expectRefused(kOwn + "--companion ''", {"--companion"});
}

void withoutACompanionThereIsNoPair() {
    expectRefused(kOwn, {"--companion: none: no companion runs beside the experiment; allowed: ", "gemm [MxNxK] "
                                                                                                  "[xCOPIES]"});
    expectRefused("pair --companion gemm", {"EXPERIMENT"});
    expectRefused("pair t-nlg/fc-2/tp8 --set policy=ideal-overlap --companion gemm", {"ideal-overlap", "a formula"});
}

void reservedCusAreSomeAndNotAll() {
    const std::string gather = kOwn + "--companion 'all-gather 64MiB' --reserved ";
    expectRefused(gather + "80", {"--reserved: 80: ", "1 to 79 of the 80 CUs"});
    expectRefused(gather + "0", {"--reserved: 0: "});
    expectRefused(gather + "many", {"--reserved"});
    expectRefused(kOwn + "--companion gemm --reserved 8", {"--reserved: 8: ", "a collective beside a GEMM"});
}

void allProblemsAreSaidAtOnce() {
    expectRefused("pair t-nlg/fc-2/tp8 --companion pigeon --set link.bandwith=1GB/s --set cu.count=0",
                  {"--companion: pigeon", "link.bandwith", "cu.count: 0"});
}

void theTextIsOfThisCommandAlone() {
    for (const char* command : {"run", "compare", "verify"})
        expectRefused(std::string(command) + " t-nlg/fc-2/tp8 --companion gemm", {"--companion"});
    expectRefused("run t-nlg/fc-2/tp8 --set 'companion.operation=all-gather 64MiB'", {"companion.operation"});
}

const std::string kSmall =
    "t-nlg/fc-2/tp8 --set workload.sublayer=gemm --set matrix.m=2048 --set matrix.n=2048 "
    "--set matrix.k=512 --set cu.count=32 --set policy=sequential --set detail.level=interactive ";
const std::string kGather = "pair " + kSmall + "--companion 'all-gather 16MiB' ";

std::vector<std::string> rowNamesOf(const nlohmann::json& pair) {
    std::vector<std::string> names;
    for (const nlohmann::json& row : pair["rows"])
        names.push_back(row["name"]);
    return names;
}

void theTableHasARowForEachRule() {
    const Outcome outcome = run(kGather + "--reserved 8");
    expect(outcome.code == 0 &&
               outcome.out.starts_with("GEMM 2048 x 2048 x 512 beside an all-gather of 16.8 MB; alone ") &&
               contains(outcome.out, " µs; ideal speed-up over serial 1."),
           "the first line", outcome);
    std::size_t place = 0;
    for (const char* name : {"rule ", "serial ", "in-order ", "companion-first ", "round-robin ", "reserved 8 ", "dma ",
                             "dma + reserved 8 "}) {
        const std::size_t found = outcome.out.find("\n" + std::string(name));
        expect(found != std::string::npos && found > place, name, outcome);
        place = found;
    }
    expect(contains(outcome.out,
                    "GEMM ends  companion ends  GEMM waits  companion waits  GEMM slower  companion slower  "
                    "speed-up over serial  of ideal"),
           "columns", outcome);
    expect(!contains(outcome.out, "advised"), "nobody asks an advice that is given the number", outcome);
}

void jsonHasTheSameRowsWithOneSerialRun() {
    const nlohmann::json pair = json(kGather + "--threads 2");
    const Outcome outcome{0, pair.dump(1), ""};
    const std::int64_t serial = pair["serial_ps"];
    expect(serial == pair["own_alone_ps"].get<std::int64_t>() + pair["companion_alone_ps"].get<std::int64_t>(),
           "serial is the sum", outcome);
    const std::string reserved = "reserved " + std::to_string(pair["advice"]["reserved"].get<int>());
    expect(rowNamesOf(pair) == std::vector<std::string>{"serial", "in-order", "companion-first", "round-robin",
                                                        reserved, "dma", "dma + reserved 8"},
           "the rows", outcome);
    std::int64_t least = 0;
    int advised = 0;
    for (const nlohmann::json& candidate : pair["advice"]["candidates"]) {
        const auto longer =
            std::max(candidate["own_ps"].get<std::int64_t>(), candidate["companion_ps"].get<std::int64_t>());
        if (least == 0 || longer < least) {
            least = longer;
            advised = candidate["reserved"];
        }
    }
    expect(pair["advice"]["reserved"] == advised, "the shortest of the longer", outcome);
    for (const nlohmann::json& row : pair["rows"]) {
        const std::int64_t total = row["total_ps"];
        expect(total == std::max(row["own_ps"].get<std::int64_t>(), row["companion_ps"].get<std::int64_t>()),
               "the last end of all", outcome);
        expect(std::abs(row["speedup_over_serial"].get<double>() * static_cast<double>(total) -
                        static_cast<double>(serial)) < 1e-6 * static_cast<double>(serial),
               "over the same serial run", outcome);
    }
}

const std::string kJoined = kGather + "--set topology.kind=switch --reserved 8 ";

void aSwitchThatJoinsAllGpusHasARow() {
    const nlohmann::json pair = json(kJoined);
    const Outcome outcome{0, pair.dump(1), ""};
    const nlohmann::json& row = pair["rows"].back();
    expect(row["name"] == "in-switch" && row["algorithm"] == "in-switch" && row["by"] == "kernel" &&
               row["rule"] == "companion-first" && pair["rows"][1]["algorithm"] == "ring",
           "the last row", outcome);
    expect(row["companion_ps"] < pair["rows"][2]["companion_ps"], "in one step it is faster than around a ring",
           outcome);
    const Outcome table = run(kJoined);
    expect(contains(table.out, "\nin-switch ") &&
               contains(table.out, "\nin-switch: as companion-first, and the switch adds or copies the packets"),
           "the row and what it means", table);
    expect(!contains(run(kGather + "--reserved 8").out, "in-switch"), "a ring has no switch", table);
}

void theCrossoverIsABreakEven() {
    const std::string issue = "--set companion.issue=20us ";
    const nlohmann::json pair = json(kJoined + issue + "--crossover");
    const Outcome outcome{0, pair.dump(1), ""};
    const nlohmann::json& crossover = pair["crossover"];
    expect(crossover["parameter"] == "companion.bytes" && crossover["against"] == "companion.by=dma" &&
               crossover["steps"].size() >= 5,
           "a break-even", outcome);
    const Outcome table = run(kJoined + issue + "--crossover");
    expect(contains(table.out, "\nsizes of the companion: A kernel takes no longer than copies "), "its sentence",
           table);
    expect(!contains(run(kJoined).out, "sizes of the companion"), "nobody has asked", table);
    expectRefused("pair " + kSmall + "--companion gemm --crossover",
                  {"--crossover", "copies by DMA cannot carry this companion", "allowed: "});
    expectRefused("pair " + kSmall + "--degrees 1,2 --crossover", {"--crossover", "--degrees"});
}

void gemmsBesideEachOtherHaveThreeRows() {
    const nlohmann::json pair = json("pair " + kSmall + "--companion 'gemm 1024x1024x512 x2'");
    const Outcome outcome{0, pair.dump(1), ""};
    expect(rowNamesOf(pair) == std::vector<std::string>{"serial", "in-order", "companion-first", "round-robin"} &&
               !pair.contains("advice"),
           "three rules", outcome);
    const Outcome table = run("pair " + kSmall + "--companion 'gemm 1024x1024x512 x2'");
    expect(contains(table.out, "beside 2 GEMMs 1024 x 1024 x 512; alone "), "two GEMMs", table);
    const Outcome batch = run("pair gemm/4x256x256x256 --set policy=sequential --companion 'gemm x2'");
    expect(batch.out.starts_with("4 GEMMs 256 x 256 x 256 beside 2 kernels of 4 GEMMs 256 x 256 x 256; alone "),
           "a companion has the batch of the own GEMM", batch);
}

void theTextIsShortForTheParameters() {
    const Outcome said = run(kGather + "--reserved 8 --output json"),
                  set = run("pair " + kSmall +
                            "--set companion.operation=all-gather --set companion.bytes=16MiB "
                            "--set dispatch.reserved=8 --output json");
    expect(said.code == 0 && said.out == set.out, "the same pair", set);
}

void aRunWithARuleReportsTheSame() {
    const nlohmann::json row = json(kGather + "--reserved 8")["rows"][1];
    const std::string alike = kSmall + "--set companion.operation=all-gather --set companion.bytes=16MiB "
                                       "--set dispatch.rule=in-order ";
    const nlohmann::json one = json("run " + alike);
    const Outcome outcome{0, one.dump(1), ""};
    expect(one["experiment_hash"] == row["experiment_hash"] && one["time_ps"]["total"] == row["total_ps"] &&
               one["companion"]["own_ps"] == row["own_ps"] && one["companion"]["time_ps"] == row["companion_ps"] &&
               !one.contains("speedup_over_sequential"),
           "the same run", outcome);
    const Outcome reported = run("run " + alike);
    expect(contains(reported.out,
                    "beside it  an all-gather of 16.8 MB, a kernel of 16 workgroups, dispatched in-order\n") &&
               contains(reported.out, "\nthe own work takes ") && contains(reported.out, "\nthe all-gather waits ") &&
               contains(reported.out, " for a CU, then takes ") &&
               contains(reported.out, "\nspeed-up over serial execution  "),
           "what each lost", reported);
    const Outcome compared = run("compare " + alike + "--policies sequential");
    expect(contains(compared.out, "companion waits  own slower  companion slower  speed-up over serial  of ideal"),
           "of each policy", compared);
    const Outcome without = run("run " + kSmall);
    expect(!contains(without.out, "beside it") && !contains(without.out, "companion"), "nothing without one", without);
}

const std::string kDegreesCase = "gemm/640x448x256 --set machine=amd-mi100 --set detail.level=interactive ";

void degreesThatCannotBeComparedAreRefused() {
    for (const char* list : {"0,2", "2,17", "4,2", "2,2", "1,2,3,4,5,6,7,8,9"})
        expectRefused("pair " + kDegreesCase + "--degrees " + list,
                      {std::string("--degrees: ") + list + ": ",
                       "allowed: up to 8 rising numbers from 1 to 16, such as 1,2,4,8"});
    expectRefused("pair " + kDegreesCase + "--degrees two", {"--degrees"});
    expectRefused("pair " + kDegreesCase + "--degrees 2,4 --companion 'all-gather 64MiB'",
                  {"companion.operation: all-gather: ", "copies of the GEMM", "allowed: none, gemm"});
    expectRefused("pair " + kDegreesCase + "--degrees 2,4 --companion 'gemm 512x512x512'",
                  {"companion.m: 512: ", "companion.n: 512: ", "companion.k: 512: ", "allowed: same"});
    expectRefused("pair " + kDegreesCase + "--degrees 2,4 --companion 'gemm x3'", {"companion.copies: 3: "});
    expectRefused("pair " + kDegreesCase + "--degrees 2,4 --reserved 8", {"--reserved excludes --degrees"});
    expectRefused("pair t-nlg/fc-2/tp8 --degrees 2,4", {"workload.sublayer: fc-2: ", "gemm/4096x1024x1024"});
    expectRefused("run " + kDegreesCase + "--set tiles.choice=shared",
                  {"tiles.choice: shared: ", "companion.operation=none", "allowed: auto, fixed, best"});
    expectRefused("model t-nlg --tp 8 --set tiles.choice=shared --set companion.operation=gemm",
                  {"tiles.choice: shared: ", "a whole model runs without one", "allowed: auto, fixed, best"});
}

void theTableOfDegreesMarksTheFastestAndTheAdvised() {
    const Outcome table = run("pair " + kDegreesCase + "--degrees 1,2,4");
    expect(table.code == 0 && table.out.starts_with("degree ") &&
               contains(table.out, " tile  per kernel  over one after another  estimate") &&
               contains(table.out, "\ndegree: kernels at once; "),
           "a table of degrees", table);
    const nlohmann::json answer = json("pair " + kDegreesCase + "--degrees 1,2,4 --threads 2");
    std::istringstream lines(table.out.substr(table.out.find('\n') + 1));
    std::string line;
    std::getline(lines, line);  // units
    for (const nlohmann::json& row : answer["degrees"]) {
        std::getline(lines, line);
        std::istringstream cells(line);
        std::string degree, tile;
        cells >> degree >> tile;
        expect(degree == std::to_string(row["degree"].get<int>()) &&
                   tile == std::to_string(row["tile_m"].get<int>()) + "x" + std::to_string(row["tile_n"].get<int>()),
               "a row with its tile", table);
        expect(contains(line, "fastest") == (row["degree"] == answer["fastest"]) &&
                   contains(line, "advised") == (row["degree"] == answer["advised"]),
               "the marks of the JSON", table);
    }
}

/// Returns the estimate of a degree by the formula of MODEL.md, from the document of its experiment and its row.
double estimateOf(const nlohmann::json& experiment, const nlohmann::json& row) {
    constexpr double kPicoseconds = 1e12;
    const auto at = [&](const char* group, const char* name) { return experiment[group][name].get<double>(); };
    const double degree = row["degree"], tileM = row["tile_m"], tileN = row["tile_n"];
    const double m = at("matrix", "m"), n = at("matrix", "n"), k = at("matrix", "k"), cus = at("cu", "count");
    const double rate = at("cu", "flops_per_cycle") * at("cu", "clock") * at("cu", "tensor_efficiency");
    const double tile = kPicoseconds * 2 * tileM * tileN * k / rate;
    const double tiles = std::ceil(m / tileM) * std::ceil(n / tileN);
    const double bytes = 2 * (m * k + k * n + m * n);
    const double moved = kPicoseconds * bytes / (at("memory", "bandwidth") * at("memory", "efficiency"));
    const double once =
        at("memory", "latency") + at("gemm", "epilogue") + at("cu", "start_jitter") / 2 + at("launch", "kernel");
    return std::max(std::ceil(degree * tiles / cus) * tile / degree, moved) + once / degree;
}

void theRuleFollowsFromTheJson() {
    const nlohmann::json answer = json("pair " + kDegreesCase + "--degrees 1,2,3,8");
    const Outcome outcome{0, answer.dump(1), ""};
    const nlohmann::json alone = json("run " + kDegreesCase + "--set tiles.choice=best");
    std::int64_t fastest = 0, advised = 0, leastTime = 0, leastEstimate = 0;
    for (const nlohmann::json& row : answer["degrees"]) {
        const std::int64_t time = row["per_kernel_ps"], estimate = row["estimate_ps"], degree = row["degree"];
        expect(std::abs(estimateOf(alone["experiment"], row) - static_cast<double>(estimate)) < 2, "the estimate",
               outcome);
        expect(std::abs(row["over_sequential"].get<double>() * static_cast<double>(time) -
                        answer["alone_ps"].get<double>()) < 1,
               "over one kernel after another", outcome);
        if (fastest == 0 || time < leastTime) {
            fastest = degree;
            leastTime = time;
        }
        if (advised == 0 || estimate < leastEstimate) {
            advised = degree;
            leastEstimate = estimate;
        }
    }
    expect(answer["fastest"] == fastest && answer["advised"] == advised, "the least of each", outcome);
    expect(answer["degrees"][0]["per_kernel_ps"] == alone["time_ps"]["total"] &&
               answer["degrees"][0]["tile_m"] == alone["gemm"]["tile_m"] &&
               answer["degrees"][0]["tile_n"] == alone["gemm"]["tile_n"] &&
               answer["degrees"][0]["experiment_hash"] == alone["experiment_hash"],
           "degree 1 is the run with the best tile", outcome);
}

void aSweepOverKernelsAndCopiesHasTheSameNumbers() {
    const std::string path = at("kernels.json"), store = at("kernels.sqlite");
    std::filesystem::remove(store);
    std::ofstream(path) << R"({
      "base": { "machine": "amd-mi100", "detail": { "level": "interactive" }, "workload": { "sublayer": "gemm" },
                "tiles": { "choice": "shared" }, "companion": { "operation": "gemm" },
                "dispatch": { "rule": "round-robin" } },
      "axes": [ { "zip": [ { "path": "matrix.m", "values": [640, 256] }, { "path": "matrix.n", "values": [448, 1024] },
                           { "path": "matrix.k", "values": [256, 512] } ] },
                { "path": "companion.copies", "values": [1, 3] } ],
      "metrics": ["companion.per_kernel_ps", "gemm.used_tile_m", "gemm.used_tile_n"] })";
    const std::string id = json("sweep " + path + " --db " + store)["sweep"];
    const Outcome csv = run("results --db " + store + " --sweep " + id + " --output csv");
    for (const char* sides : {"640x448x256", "256x1024x512"}) {
        const nlohmann::json answer = json(std::string("pair gemm/") + sides +
                                           " --set machine=amd-mi100 --set detail.level=interactive --degrees 2,4");
        for (const nlohmann::json& row : answer["degrees"]) {
            const auto text = [&](const char* key) { return std::to_string(row[key].get<std::int64_t>()); };
            expect(contains(csv.out, "," + text("per_kernel_ps") + "," + text("tile_m") + "," + text("tile_n")),
                   std::string(sides) + " at degree " + text("degree"), csv);
        }
    }
}

void theExampleOfTheHelpOfPairRuns() {
    for (const std::string& example : examplesOf("pair")) {
        const Outcome outcome = run(example + " --set detail.level=interactive");
        const char* const row = contains(example, "--degrees") ? "fastest" : "\nserial ";
        expect(outcome.code == 0 && outcome.err.empty() && contains(outcome.out, row), example, outcome);
    }
}

const NamedTests kPairTests{
    {"a bad companion is refused", aBadCompanionIsRefusedWithWhatIsAllowedAndAnExample},
    {"without a companion there is no pair", withoutACompanionThereIsNoPair},
    {"reserved CUs are some and not all", reservedCusAreSomeAndNotAll},
    {"all problems are said at once", allProblemsAreSaidAtOnce},
    {"the text is of this command alone", theTextIsOfThisCommandAlone},
    {"the table has a row for each rule", theTableHasARowForEachRule},
    {"JSON has the same rows", jsonHasTheSameRowsWithOneSerialRun},
    {"a switch that joins all GPUs has a row", aSwitchThatJoinsAllGpusHasARow},
    {"the crossover is a break-even", theCrossoverIsABreakEven},
    {"GEMMs beside each other have three rows", gemmsBesideEachOtherHaveThreeRows},
    {"the text is short for the parameters", theTextIsShortForTheParameters},
    {"a run with a rule reports the same", aRunWithARuleReportsTheSame},
    {"degrees that cannot be compared are refused", degreesThatCannotBeComparedAreRefused},
    {"the table of degrees marks the fastest and the advised", theTableOfDegreesMarksTheFastestAndTheAdvised},
    {"the rule follows from the JSON", theRuleFollowsFromTheJson},
    {"a sweep over kernels and copies has the same numbers", aSweepOverKernelsAndCopiesHasTheSameNumbers},
    {"the example of the help runs", theExampleOfTheHelpOfPairRuns},
};

const bool kAdded =
    tests::addProgramTest("tst_pair_command", [](int argc, char** argv) { return runTests(argc, argv, kPairTests); });

}  // namespace tests::pair_command
