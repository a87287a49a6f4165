// Gives any bytes to the reader of networks. It must return a list of problems, or lines whose operators can be computed
// or are refused. A text without comments and spare blanks reads as the same network.
//
// The target is a function in the form of libFuzzer, which drives it in a build with clang and RINGSIDE_FUZZ. Otherwise
// replay.cpp drives it.

#include "engine/api/operator_graph.h"
#include "engine/workload/network_text.h"
#include "tests/fuzz/checks.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace fuzz::networks {

RINGSIDE_FUZZ_TARGET(fuzz_network)(const std::uint8_t* bytes, std::size_t size) {
    constexpr std::size_t kMostRead = 65'536;
    const std::string_view text(reinterpret_cast<const char*>(bytes), std::min(size, kMostRead));
    const engine::NetworkReading reading = engine::readNetwork(text);
    checkMessages(reading.problems);
    const std::string plain = engine::plainTextLines(text);
    require(engine::plainTextLines(plain) == plain, "a plain text stays what it is", plain);
    if (!reading.problems.empty())
        return 0;
    const engine::NetworkReading again = engine::readNetwork(plain);
    require(again.problems.empty() && again.network.lines.size() == reading.network.lines.size() &&
                again.network.lets.size() == reading.network.lets.size(),
            "a plain text is the same network", plain);
    for (const std::int64_t gpus : {1, 4}) {
        engine::Experiment experiment;
        experiment.parallel.tp = gpus;
        experiment.workload.network = text;
        const engine::Problems problems = engine::operatorGraphProblems(experiment, engine::ModelPhase::training);
        checkMessages(problems);
        if (!problems.empty() || !engine::isNetwork(experiment))
            continue;
        const engine::OperatorGraph graph = engine::operatorGraphOf(experiment, engine::ModelPhase::training);
        require(graph.operators.size() >= reading.network.lines.size() || gpus == 1, "each line is an operator", plain);
        for (const engine::OperatorDependency& edge : graph.edges)
            require(edge.from < edge.to && edge.to < graph.operators.size(), "edges lead onward", plain);
    }
    return 0;
}

}  // namespace fuzz::networks
