// Drives `ringside-cli pair` as a script would.
// Usage: tests_app tst_pair_command RINGSIDE_CLI FOLDER. No Qt: this also runs where the window is not built.

#include "tests/app/program_test.h"

namespace {

using namespace tests;

const std::string kOwn = "pair t-nlg/fc-2/tp8 --set policy=sequential --set detail.level=interactive ";

void aBadCompanionIsRefusedWithWhatIsAllowedAndAnExample() {
    expectRefused(kOwn + "--companion 'all-gater 64MiB'",
                  {"--companion: all-gater 64MiB: ", "did you mean all-gather?", "allowed: ", "\"all-gather 896MiB\"",
                   "\"gemm 4096x1024x1024 x3\""});
    expectRefused(kOwn + "--companion 'all-gather 64 bananas'", {"companion.bytes 64 bananas: ", "B, kB", "allowed: "});
    expectRefused(kOwn + "--companion 'all-gather 64MiB x2'", {"only GEMMs have copies"});
    expectRefused(kOwn + "--companion 'gemm 4096x1024'", {"not three sides MxNxK"});
    expectRefused(kOwn + "--companion ''", {"--companion"});
}

void withoutACompanionThereIsNoPair() {
    expectRefused(kOwn, {"--companion: none: nothing runs beside the experiment; allowed: ", "gemm [MxNxK] [xCOPIES]"});
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

const NamedTests kPairTests{
    {"a bad companion is refused", aBadCompanionIsRefusedWithWhatIsAllowedAndAnExample},
    {"without a companion there is no pair", withoutACompanionThereIsNoPair},
    {"reserved CUs are some and not all", reservedCusAreSomeAndNotAll},
    {"all problems are said at once", allProblemsAreSaidAtOnce},
    {"the text is of this command alone", theTextIsOfThisCommandAlone},
};

}  // namespace

const bool kAdded =
    tests::addProgramTest("tst_pair_command", [](int argc, char** argv) { return runTests(argc, argv, kPairTests); });
