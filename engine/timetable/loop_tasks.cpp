#include "engine/api/timetable.h"

#include <cstddef>

namespace engine {

TaskGraph loopTasks(const LoopShape& loop) {
    TaskGraph graph;
    graph.pools.push_back({loop.pool, loop.cores});
    graph.lookaheads.assign(static_cast<std::size_t>(loop.cores), 1);
    const std::size_t pieces = loop.pieces.size();
    graph.tasks.reserve(static_cast<std::size_t>(loop.iterations) * pieces);
    const std::int64_t latency = loop.cores > 1 ? loop.latency : 0;
    for (std::int64_t i = 0; i < loop.iterations; ++i) {
        const auto core = static_cast<std::int32_t>(i % loop.cores);
        for (std::size_t k = 0; k < pieces; ++k) {
            const auto task = static_cast<TaskIndex>(graph.tasks.size());
            if (k > 0)
                graph.edges.push_back({task - 1, task, 0});
            if (i > 0 && loop.pieces[k].sequential)
                graph.edges.push_back({task - static_cast<TaskIndex>(pieces), task, latency});
            graph.tasks.push_back({loop.pieces[k].time, 0, core, core});
        }
    }
    return graph;
}

LoopFormulas formulasOf(const LoopShape& loop) {
    LoopFormulas formulas;
    const auto real = [](std::int64_t value) { return static_cast<double>(value); };
    for (const LoopShape::Piece& piece : loop.pieces)
        formulas.work += piece.time;
    formulas.interval = real(formulas.work) / real(loop.cores);
    const std::int64_t latency = loop.cores > 1 ? loop.latency : 0;
    for (std::size_t k = 0; k < loop.pieces.size(); ++k) {
        const double least = real(loop.pieces[k].time + latency);
        if (loop.pieces[k].sequential && least > formulas.interval) {
            formulas.interval = least;
            formulas.bound = k;
        }
    }
    formulas.speedup = formulas.interval > 0 ? real(formulas.work) / formulas.interval : 1;
    return formulas;
}

}  // namespace engine
