// Gives any bytes to the reader of call documents. It must return a list of problems, or a program whose graph of waits
// can be followed.
//
// The target is a function in the form of libFuzzer, which drives it in a build with clang and RINGSIDE_FUZZ. Otherwise
// replay.cpp drives it.

#include "data/document/document_reader.h"
#include "data/questions/wait_for.h"
#include "tests/fuzz/checks.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace fuzz::calls {

RINGSIDE_FUZZ_TARGET(fuzz_calls)(const std::uint8_t* bytes, std::size_t size) {
    const data::CallReading reading =
        data::readCalls(std::string_view(reinterpret_cast<const char*>(bytes), size), "input");
    require(reading.problems.size() <= data::kMostProblems, "problems are not too many", "");
    checkMessages(reading.problems);
    if (!reading.problems.empty())
        return 0;
    const data::CallProgram& program = reading.program;
    require(!program.ranks.empty() && program.ranks.size() <= data::kMostRanks, "there are ranks", "");
    const data::WaitOutcome outcome = data::waitOutcomeOf(program);
    require(!outcome.isDeadlock() || !outcome.cycle.empty() || !outcome.missing.empty(), "a deadlock has a reason", "");
    for (const data::WaitStep& step : outcome.cycle)
        require(!program.textOf(program.ranks.at(step.rank).at(step.call)).empty(), "a step is a call", "");
    for (const data::StuckRank& stuck : outcome.never)
        require(stuck.call < program.ranks.at(stuck.rank).size(), "a rank stays at a call", "");
    return 0;
}

}  // namespace fuzz::calls
