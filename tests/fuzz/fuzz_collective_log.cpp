// Gives any bytes to the reader of logs of collectives and to that of tables. A log must become lines that read back as
// its times, or problems.
//
// The target is a function in the form of libFuzzer, which drives it in a build with clang and RINGSIDE_FUZZ. Otherwise
// replay.cpp drives it.

#include "data/collectives/collective_log.h"
#include "data/document/document_reader.h"
#include "engine/api/collective_table.h"
#include "tests/fuzz/checks.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fuzz::collective_log {

void readTable(std::string_view text) {
    const engine::CollectiveTableReading reading = engine::readCollectiveTable(text);
    checkMessages(reading.problems);
    for (const engine::CollectiveRule& rule : reading.table.rules) {
        require(rule.settings.empty() != rule.measured.empty(), "a rule has settings or times", rule.text);
        require(!rule.to || rule.from <= *rule.to, "a range is not backward", rule.text);
        engine::Experiment experiment;
        engine::applyRule(rule, experiment);
        for (const std::int64_t bytes : {std::int64_t{0}, std::int64_t{4096}, std::int64_t{1} << 50})
            if (!rule.measured.empty())
                require(engine::measuredTime(rule, {bytes}).ps > 0, "a time is positive", rule.text);
        const engine::CollectiveTableReading again = engine::readCollectiveTable(rule.text);
        require(again.problems.empty() && again.table.rules.size() == 1 && again.table.rules.front() == rule,
                "a line reads back as itself", rule.text);
    }
}

RINGSIDE_FUZZ_TARGET(fuzz_collective_log)(const std::uint8_t* bytes, std::size_t size) {
    constexpr std::size_t kMostRead = 65'536;
    const std::string_view text(reinterpret_cast<const char*>(bytes), std::min(size, kMostRead));
    readTable(text);
    for (const bool says : {false, true}) {
        data::CollectiveLogOptions options;
        if (says)
            options = {8, engine::SubLayer::allReduce, true};
        const data::CollectiveLogReading reading = data::readCollectiveLog(text, "input", options);
        require(reading.problems.size() <= data::kMostProblems, "problems are not too many", "");
        checkMessages(reading.problems);
        if (!reading.problems.empty())
            continue;
        engine::Problems problems;
        const std::string lines = data::measuredLines(reading.times, problems);
        checkMessages(problems);
        if (!problems.empty())
            continue;
        const engine::CollectiveTableReading table = engine::readCollectiveTable(lines);
        require(table.problems.empty(), "the lines are those of a table", lines);
        for (const data::CollectiveTime& each : reading.times) {
            const engine::CollectiveRule* rule = table.table.find(each.operation, each.gpus, each.bytes);
            require(rule != nullptr && engine::measuredTime(*rule, each.bytes) == each.time, "a time comes back",
                    lines);
        }
    }
    return 0;
}

}  // namespace fuzz::collective_log
