// Runs `ringside-cli` under locales that write numbers, letters and digits in other ways than C.
// Usage: tests_app tst_cli_locales RINGSIDE_CLI FOLDER.

#include "tests/app/locale_test.h"

namespace tests::cli_locales {

const std::string kQuick = " --set detail.level=interactive --set memory.efficiency=0.625 ";
const std::string kCase = "t-nlg/op/tp8" + kQuick;

void write(const std::string& name, const std::string& text) { std::ofstream(at(name), std::ios::binary) << text; }

/// Checks that the command prints the same bytes under every locale as under C. `left` is a file that the command
/// writes; it is compared as well.
void expectSame(const std::string& arguments, const std::string& left = "") {
    const auto outcomeUnder = [&](const std::string& environment) {
        if (!left.empty())
            std::filesystem::remove(at(left));
        Outcome outcome = run(arguments, environment);
        if (!left.empty())
            outcome.out += textOf(at(left));
        return outcome;
    };
    const Outcome plain = outcomeUnder("LC_ALL=C");
    expect(plain.code == 0 && !plain.out.empty(), arguments + " runs under C", plain);
    for (const std::string locale : kLocales) {
        const Outcome other = outcomeUnder(under(locale));
        expect(other.code == plain.code && other.out == plain.out, arguments + " prints the same under " + locale,
               other);
    }
}

void aRunPrintsTheSameBytes() {
    for (const char* form : {"csv", "table"})
        expectSame("compare " + kCase + "--policies sequential,t3,t3-mca --output " + form);
    expectSame("run " + kCase + "--output csv --trace '" + at("trace.json") + "'", "trace.json");
}

void aDocumentIsReadAlike() {
    write("experiment.json", R"({"format": "ringside-experiment", "version": 1, "memory": {"efficiency": 6.25e-1},
        "link": {"bandwidth": "82.5 GB/s"}, "workload": {"sublayer": "op"}, "detail": {"level": "interactive"}})");
    expectSame("run '" + at("experiment.json") + "' --output csv");
}

void aSweepAndItsResultsAreTheSame() {
    write("sweep.json", R"({"format": "ringside-sweep", "version": 1,
        "base": {"workload": {"sublayer": "op"}, "detail": {"level": "interactive"}},
        "axes": [{"path": "memory.efficiency", "values": [0.5, 0.625]},
                 {"path": "memory.update_cost", "range": {"from": 1.25, "to": 1.75, "count": 2}}],
        "policies": ["t3-mca"], "metrics": ["speedup_over_sequential", "time_ps.total"]})");
    const std::string store = " --db '" + at("sweep.sqlite") + "' ";
    expect(run("sweep '" + at("sweep.json") + "'" + store, under("de_DE")).code == 0, "a sweep runs in German", {});
    const std::string where = "--where 'memory.efficiency<0.6 memory.update_cost>1.5' ";
    expectSame("results" + store + "--columns memory.efficiency,memory.update_cost,speedup_over_sequential " + where +
               "--output csv");
    expectSame("results" + store + "--output json");
    expectSame("results" + store + "--sweeps --output csv");
}

void solversTakeAndPrintTheSameNumbers() {
    expectSame("break-even " + kCase + "--parameter memory.efficiency --from 0.5 --to 0.9 --metric time_ps.gemm " +
               "--target 0.45ms --tolerance 2.5");
    expectSame("sensitivity " + kCase + "--step 2.5 --seeds 1");
}

void wholeModelsAndConvertedOnesAreTheSame() {
    expectSame("model t-nlg --phase generation --tp 8 --policies sequential,t3-mca --output csv");
    expectSame(std::string("convert '") + RINGSIDE_CONFIGS + "/llama-3-70b.json'");
    expectSame("list machines --output json");
    expectSame("parameters");
}

void aMeasuredTraceIsReadAlike() {
    const std::string ofRank = std::string(" '") + RINGSIDE_EXAMPLES + "/trace-rank-";
    for (const char* form : {"table", "json", "csv"})
        expectSame("trace" + ofRank + "0.json'" + ofRank + "1.json' --output " + form);
}

const NamedTests kTests{
    {"a run prints the same bytes", aRunPrintsTheSameBytes},
    {"a document is read alike", aDocumentIsReadAlike},
    {"a sweep and its results are the same", aSweepAndItsResultsAreTheSame},
    {"solvers take and print the same numbers", solversTakeAndPrintTheSameNumbers},
    {"whole models and converted ones are the same", wholeModelsAndConvertedOnesAreTheSame},
    {"a measured trace is read alike", aMeasuredTraceIsReadAlike},
};

const bool kAdded = tests::addProgramTest(
    "tst_cli_locales", [](int argc, char** argv) { return tests::runUnderLocales(argc, argv, kTests); });

}  // namespace tests::cli_locales
