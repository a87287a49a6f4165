#include "tests/golden/golden_runs.h"

#include "data/experiment/experiment_document.h"

#include <iomanip>
#include <sstream>
#include <stdexcept>

namespace tests {

namespace {

// One experiment a line.
constexpr char kNames[] = R"(
# The published cases: each policy at standard detail, mirrored.
t-nlg/fc-2/tp8 policy=sequential
t-nlg/fc-2/tp8 policy=t3
t-nlg/fc-2/tp8 policy=t3-mca
t-nlg/fc-2/tp8 policy=cu-split
t-nlg/fc-2/tp8 policy=ideal-overlap-nmc
mega-gpt-2/op/tp16 policy=t3-mca
mega-gpt-2/ip/tp8 policy=sequential
t-nlg/fc-1/tp16 policy=t3 detail.level=interactive
# All GPUs, where one could stand for all.
t-nlg/op/tp8 policy=t3-mca detail.level=interactive detail.mode=full
mega-gpt-2/fc-2/tp8 policy=cu-split detail.level=interactive detail.mode=full
# Every topology, algorithm and operation.
t-nlg/op/tp8 policy=t3-mca detail.level=interactive topology.kind=two-nodes collective.algorithm=hierarchical
mega-gpt-2/op/tp8 policy=sequential detail.level=interactive topology.kind=switch collective.algorithm=direct collective.operation=reduce-scatter
mega-gpt-2/op/tp8 policy=t3 detail.level=interactive topology.kind=fully-connected collective.algorithm=direct collective.operation=all-to-all
mega-gpt-2/op/tp8 policy=t3-mca detail.level=interactive topology.kind=torus topology.torus_columns=4 collective.operation=all-gather
t-nlg/op/tp4 policy=t3-mca detail.level=interactive topology.kind=custom workload.sequence=512 "topology.links=0-1 1-2@75GB/s 2-3@90GB/s,2us 3-0@40GB/s 0-2@20GB/s"
mega-gpt-2/op/tp4 policy=t3 detail.level=interactive topology.egress=shared collective.algorithm=direct topology.kind=fully-connected link.packet=2KiB link.header=32B
# Overlap in software.
t-nlg/fc-2/tp8 policy=chunked launch.kernel=2us
mega-gpt-2/op/tp8 policy=chunked detail.level=interactive policy.pieces=16 policy.queues=3 detail.mode=full
mega-gpt-2/op/tp8 policy=signals detail.level=interactive topology.kind=fully-connected collective.algorithm=direct policy.signal_latency=1us
t-nlg/fc-2/tp8 policy=chunked-dma detail.level=interactive collective.algorithm=direct topology.kind=fully-connected dma.engines=2 launch.kernel=2us
mega-gpt-2/fc-1/tp8 policy=chunked-dma detail.level=interactive collective.operation=all-gather collective.algorithm=direct topology.kind=switch policy.pieces=16 dma.window=256KiB dma.issue=2us
# Collectives alone.
collective/all-reduce/tp8 policy=sequential
collective/reduce-scatter/tp16 policy=t3-mca workload.bytes=16MiB
collective/all-gather/tp8 policy=t3 detail.level=interactive topology.kind=two-nodes collective.algorithm=direct workload.bytes=16MiB
collective/all-to-all/tp8 policy=sequential topology.kind=torus workload.bytes=8MiB collective.cu_count=8
# Memories.
mega-gpt-2/op/tp8 policy=t3-mca detail.level=interactive memory.model=banks detail.mode=mirrored
t-nlg/op/tp8 policy=t3 detail.level=interactive memory.store_order=write-drain memory.turnaround=20ns memory.arriving_update_cost=2 llc.size=4MiB tracker.entries=8 dma.engines=2 dma.window=64KiB
# GPUs and chunks that differ.
mega-gpt-2/op/tp8 policy=t3-mca detail.level=interactive variation.gpu=3 variation.link_factor=0.5 variation.clock_factor=0.8 variation.start_skew=10us variation.background_traffic=100GB/s variation.jitter=1us
t-nlg/fc-2/tp8 policy=t3-mca detail.level=fine workload.hidden=1024 workload.sequence=520 workload.batch=2 memory.store_order=reads-first seed=7
)";

GoldenRun goldenRun(const std::string& name) {
    std::istringstream words(name);
    std::string word;
    words >> word;
    data::DraftReading reading = data::draftNamed(word);
    while (words >> std::quoted(word))
        data::applySetting(word, reading.draft, reading.problems);
    data::Expansion expansion = data::expand(reading.draft);
    expansion.problems.insert(expansion.problems.begin(), reading.problems.begin(), reading.problems.end());
    if (!expansion.runnable())
        throw std::runtime_error(name + ": " + engine::describe(expansion.problems.front()));
    return {name, std::move(expansion.experiment)};
}

}  // namespace

std::vector<GoldenRun> goldenRuns() {
    std::istringstream lines(kNames);
    std::vector<GoldenRun> runs;
    for (std::string line; std::getline(lines, line);) {
        if (!line.empty() && !line.starts_with('#'))
            runs.push_back(goldenRun(line));
    }
    return runs;
}

std::vector<GoldenRun> goldenRunsWithoutMechanisms() {
    std::vector<GoldenRun> runs = goldenRuns();
    // Engine 0.3 had no overlap in software.
    std::erase_if(runs, [](const GoldenRun& run) {
        return engine::overlapsInSoftware(run.experiment) || engine::launchesPieces(run.experiment);
    });
    for (GoldenRun& run : runs) {
        run.experiment.llc.queue.reset();
        run.experiment.cu.residency = engine::Residency::slots;
        run.experiment.gemm.group = 1;
        run.experiment.dram.groupRun = run.experiment.dram.burst;
    }
    return runs;
}

}  // namespace tests
