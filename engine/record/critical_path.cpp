#include "engine/record/critical_path.h"

#include "engine/record/cause_graph.h"
#include "engine/record/path_writer.h"

#include <utility>

namespace engine {

namespace {

// Returns the latest cause of a vertex; of several at the same time, the one that was added first.
std::optional<Enabling> latestCause(const CauseVertex& vertex, const CauseGraph& graph) {
    std::optional<Enabling> latest;
    auto [edge, end] = out_edges(vertex, graph);
    for (; edge != end; ++edge)
        if (!latest || edge->earlier.at > latest->earlier.at)
            latest = *edge;
    return latest;
}

}  // namespace

CriticalPath criticalPathOf(const Trace& trace, const Experiment& experiment) {
    // Only a few kinds of vertices have edges that take no time. If such edges ever formed a circle, the walk would
    // continue before it after this many steps.
    constexpr int kMostAtOneTime = 1 << 20;
    const CauseGraph graph(trace, experiment);
    PathWriter writer(graph);
    CauseVertex vertex = graph.end();
    for (int atOneTime = 0; vertex.kind != VertexKind::runBegun;) {
        auto edge = atOneTime < kMostAtOneTime ? latestCause(vertex, graph) : std::nullopt;
        if (!edge)
            edge = Enabling{vertex, graph.lastBefore(vertex), {}, {}};
        atOneTime = edge->earlier.at == vertex.at ? atOneTime + 1 : 0;
        writer.add(*edge);
        vertex = edge->earlier;
    }
    std::vector<PathStep> steps = writer.take();
    return {std::move(steps), writer.meanLoad()};
}

AttributionResult attributionOf(const CriticalPath& path, std::uint32_t gpus) {
    AttributionResult result;
    result.byGpu.resize(gpus);
    result.load = path.load;
    for (const PathStep& step : path.steps) {
        const Duration taken = step.end - step.start;
        result.causes[step.cause] += taken;
        result.byPhase[static_cast<std::size_t>(step.phase)][step.cause] += taken;
        if (step.gpu < gpus)
            result.byGpu[step.gpu][step.cause] += taken;
    }
    return result;
}

}  // namespace engine
