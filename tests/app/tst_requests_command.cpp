// Drives `ringside-cli run` on access patterns and with request files, as a script would.
// Usage: tests_app tst_requests_command RINGSIDE_CLI FOLDER. It uses no Qt.

#include "tests/app/program_test.h"

#include <cmath>

namespace tests::requests_command {

using Json = nlohmann::json;

/// A small run under T3-MCA whose tiles are whole granules, with addresses.
const std::string kSmall =
    "run t-nlg/fc-2/tp8 --set detail.level=interactive --set workload.hidden=512 --set workload.sequence=512 "
    "--set workload.batch=2 --set detail.channels=8 --set detail.granule=8KiB --set address.mapping=usual ";
const std::string kFine = "run access --set detail.level=fine --set access.count=3200 ";

void writeFile(const std::string& name, const std::string& text) { std::ofstream(at(name)) << text; }

std::size_t linesOf(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

void anAccessPatternHasItsBandwidth() {
    const Outcome text = run(kFine + "--set access.stride=64KiB");
    expect(text.code == 0 &&
               contains(text.out, "3200 requests of 256 B, stride 64 KiB, streams: 1 read, 32 channels") &&
               contains(text.out, "busiest channel 32.00 times the mean"),
           "the report has requests, stride and camping", text);
    expect(!contains(text.out, "GEMM") && !contains(text.out, "reduce-scatter"), "and no parts of other work", text);
    const Json json = tests::json(kFine + "--set access.stride=64KiB");
    const Json access = json.value("access", Json::object());
    const Outcome outcome{0, json.dump(), ""};
    expect(access.value("requests", 0) == 3200 && access.value("bytes", 0) == 3200 * 256, "requests and bytes",
           outcome);
    const double time = json["time_ps"].value("total", 0.0) * 1e-12;
    expect(std::abs(access.value("bandwidth_bytes_per_s", 0.0) * time / (3200 * 256) - 1) < 1e-6,
           "the bandwidth is bytes by time", outcome);
}

void theBytesOfARunAreThoseOfItsRequestFile() {
    const Json run = json(kSmall + "--write-requests '" + at("t3.trace") + "' --requests-size 8KiB");
    const std::string access =
        "run access --set detail.granule=8KiB --set detail.channels=8 --set address.mapping=usual ";
    const Json again = json(access + "--read-requests '" + at("t3.trace") + "'");
    const Outcome outcome{0, again.dump(), ""};
    expect(run["dram_bytes"].value("total", 1) == again["access"].value("bytes", 0), "equal bytes", outcome);
    expect(linesOf(textOf(at("t3.trace"))) == again["access"].value("requests", std::size_t{0}),
           "a line for each request", outcome);
    expect(again["time_ps"].value("total", 0) > 0, "a time", outcome);
    const Outcome cut = tests::run(kSmall + "--write-requests '" + at("cut.trace") + "' --requests-size 4KiB");
    expect(cut.code == 0 && linesOf(textOf(at("cut.trace"))) == 2 * linesOf(textOf(at("t3.trace"))),
           "granules are cut in two", cut);
}

void eachFormIsWrittenAndReadAgain() {
    const std::string pattern = "run access --set access.count=100 --set access.writes=1 --set address.mapping=usual ";
    const std::pair<const char*, const char*> kFirst[] = {
        {"dramsim3", "0x0 READ 0\n"}, {"ramulator2", "LD 0x0\n"}, {"ramulator", "0x0 R\n"}};
    for (const auto& [form, first] : kFirst) {
        const Outcome written = run(pattern + "--requests-size 4KiB --requests-as " + form + " --write-requests '" +
                                    at("form.trace") + "'");
        expect(written.code == 0 && textOf(at("form.trace")).starts_with(first), std::string("written as ") + form,
               written);
        const Json again = json("run access --set address.mapping=usual --read-requests '" + at("form.trace") + "'");
        expect(again["access"].value("bytes", 0) == 100 * 4096, std::string("read as ") + form,
               Outcome{0, again.dump(), ""});
    }
}

void aFileWithoutCyclesTakesTheTimeOfItsPattern() {
    const std::string pattern = "access --set access.count=1000 --set detail.channels=1 --set address.mapping=usual ";
    const Json own = json("run " + pattern + "--requests-size 4KiB --requests-as ramulator --write-requests '" +
                          at("same.trace") + "'");
    const Json again = json("run access --set detail.channels=1 --set address.mapping=usual --read-requests '" +
                            at("same.trace") + "'");
    expect(own["time_ps"].value("total", 0) == again["time_ps"].value("total", 1), "equal times",
           Outcome{0, again.dump(), ""});
}

void mistakesAreNamed() {
    writeFile("wrong.trace", "0x0 READ 0\n0x40 JUMP 1\n");
    expectRefused("run access --read-requests '" + at("wrong.trace") + "'",
                  {"wrong.trace:2", "JUMP", "allowed: READ, WRITE"});
    expectRefused("run access --read-requests '" + at("missing.trace") + "'", {"missing.trace"});
    expectRefused("run t-nlg/fc-2/tp8 --read-requests '" + at("wrong.trace") + "'",
                  {"--read-requests", "workload.sublayer=access"});
    expectRefused("run access --set access.count=10 --write-requests '" + at("x.trace") + "'",
                  {"--write-requests", "address.mapping=spread", "address.mapping=usual"});
    const std::string mapped =
        "run access --set access.count=10 --set address.mapping=usual --write-requests '" + at("x.trace") + "' ";
    expectRefused(mapped + "--requests-as usimm", {"--requests-as", "usimm", "dramsim3, ramulator2, ramulator"});
    expectRefused(mapped + "--requests-size 8KiB", {"--requests-size", "8KiB", "4 KiB"});
    expectRefused(mapped + "--requests-size 100", {"--requests-size", "100"});
    expectRefused("run access --set access.pattern=trace", {"access.trace", "SHA-256"});
    expectRefused("run access --set access.pattern=trace --set access.trace=" + std::string(64, 'a'),
                  {"access.trace", "were not given"});
    expectRefused("run access --set workload.hidden=512", {"workload.hidden", "an access pattern has no model"});
    expectRefused("run access --set companion.operation=gemm", {"companion.operation", "access pattern"});
}

const bool kAdded = tests::addProgramTest("tst_requests_command", [](int argc, char** argv) {
    return runTests(
        argc, argv,
        {{"an access pattern has its bandwidth", anAccessPatternHasItsBandwidth},
         {"the bytes of a run are those of its request file", theBytesOfARunAreThoseOfItsRequestFile},
         {"each form is written and read again", eachFormIsWrittenAndReadAgain},
         {"a file without cycles takes the time of its pattern", aFileWithoutCyclesTakesTheTimeOfItsPattern},
         {"mistakes are named", mistakesAreNamed}});
});

}  // namespace tests::requests_command
