#include "engine/record/invariants.h"

#include "engine/kernel/rate.h"
#include "engine/record/expected_counts.h"

#include <algorithm>
#include <functional>
#include <string>

namespace engine {

namespace {

// Collects checks about one GPU under one group.
class Ledger {
public:
    Ledger(std::vector<Check>& checks, std::string who) : m_checks(checks), m_who(std::move(who)) {}

    void equal(const char* group, std::string name, std::int64_t found, std::int64_t expected) {
        add(group, std::move(name), found == expected,
            std::to_string(found) + (found == expected ? " = " : " != ") + std::to_string(expected));
    }
    void atLeast(const char* group, std::string name, std::int64_t found, std::int64_t bound) {
        add(group, std::move(name), found >= bound,
            std::to_string(found) + (found >= bound ? " >= " : " < ") + std::to_string(bound));
    }
    void holds(const char* group, std::string name, bool held, const std::string& evidence) {
        add(group, std::move(name), held, evidence);
    }

private:
    void add(const char* group, std::string name, bool held, const std::string& evidence) {
        m_checks.push_back({group, std::move(name), held, m_who + evidence});
    }

    std::vector<Check>& m_checks;
    std::string m_who;
};

// A and B once: the least that a GEMM has to read.
std::int64_t operandBytes(const Shape& shape) { return 2 * (shape.m * shape.k + shape.k * shape.n); }

void checkGemm(const Experiment& experiment, const Shape& shape, std::uint32_t gpu, const GpuResult& result,
               Ledger& ledger) {
    const ExpectedParts parts(experiment);
    std::int64_t stores = 2 * shape.m * shape.n;
    if (parts.scatter)
        stores = expectedScatter(experiment, shape, gpu).stores;
    else if (parts.exchange)
        stores = expectedExchange(experiment, shape, gpu).stores;
    ledger.equal("counts",
                 parts.fused ? "local stores are the output without what goes straight to others"
                             : "the GEMM writes its output once",
                 result.dram->gemmWrite.count, stores);
    ledger.atLeast("counts", "the GEMM reads A and B at least once", result.dram->gemmRead.count, operandBytes(shape));
    ledger.equal("counts", "GEMM reads from DRAM are the cache's misses", result.dram->gemmRead.count,
                 result.llc->miss.count);
}

void checkCollective(const std::string& what, const ExpectedCounts& expected, Bytes reads, Bytes writes, Bytes sent,
                     Ledger& ledger) {
    ledger.equal("counts", what + " reads follow from the chunks", reads.count, expected.reads);
    ledger.equal("counts", what + " writes follow from the chunks", writes.count, expected.writes);
    ledger.equal("conservation", what + " sends what others are to have, once", sent.count, expected.sent);
}

// Returns what has to come in.
std::int64_t checkCounts(const Experiment& experiment, const Shape& shape, std::uint32_t gpu, const GpuResult& result,
                         Ledger& ledger) {
    const ExpectedParts parts(experiment);
    const DramResult& dram = *result.dram;
    std::int64_t incoming = 0;
    if (parts.gemm)
        checkGemm(experiment, shape, gpu, result, ledger);
    if (parts.scatter) {
        const ExpectedCounts expected = expectedScatter(experiment, shape, gpu);
        checkCollective("reduce-scatter", expected, dram.rsRead, dram.rsWrite, result.link->reduceScatter, ledger);
        incoming += expected.received;
    }
    if (parts.exchange) {
        const ExpectedCounts expected = expectedExchange(experiment, shape, gpu);
        checkCollective("all-to-all", expected, dram.a2aRead, dram.a2aWrite, result.link->allToAll, ledger);
        incoming += expected.received;
    }
    if (parts.gather) {
        const ExpectedCounts expected = expectedGather(experiment, shape, gpu);
        checkCollective("all-gather", expected, dram.agRead, dram.agWrite, result.link->allGather, ledger);
        incoming += expected.received;
    }
    if (parts.fused)
        ledger.equal("counts", "every DMA command was triggered once", result.dma->commands, result.tracker->triggers);
    return incoming;
}

void checkGpu(const Experiment& experiment, const Shape& shape, std::uint32_t gpu, const RunFacts& run,
              std::vector<Check>& checks) {
    const GpuFacts& facts = run.gpus[gpu];
    const ExpectedParts parts(experiment);
    Ledger ledger(checks, run.mirrored ? "every GPU: " : "GPU " + std::to_string(gpu) + ": ");
    const std::int64_t incoming = checkCounts(experiment, shape, gpu, facts.result, ledger);
    ledger.equal("conservation", "bytes received are the bytes that others sent to it", facts.received.count, incoming);
    ledger.holds("conservation", "all queues are empty and every tracked tile has all its updates", facts.drained,
                 facts.drained ? "drained" : "something is left");

    const TimeResult& time = facts.result.time;
    const BoundsResult bounds = boundsOf(asOnGpu(experiment, gpu), shape, gpu, facts);
    ledger.atLeast("bounds", "the total is not below the bound of compute and links", time.total.ps, bounds.total.ps);
    ledger.atLeast("bounds", "the total is not below DRAM traffic at peak bandwidth", time.total.ps, bounds.memory.ps);
    ledger.atLeast("bounds", "the total is not below the busiest channel's service time", time.total.ps,
                   facts.busiestChannel.ps);
    if (parts.gemm)
        ledger.atLeast("bounds", "the GEMM is not faster than its operations at peak rate", time.gemm.ps,
                       bounds.compute.ps);
    ledger.equal("bounds", "exposed communication is the total without the GEMM", time.exposedCommunication.ps,
                 time.total.ps - time.gemm.ps);
    const bool skewed = experiment.variation.gpu == gpu;
    if (experiment.policy.start == CommunicationStart::afterGemm)
        ledger.equal("bounds", "without overlap the parts add up to the total",
                     time.gemm.ps + time.reduceScatter.ps + time.allGather.ps + time.allToAll.ps,
                     time.total.ps - (skewed ? experiment.variation.startSkew.ps : 0));
    if (experiment.arbitration.policy != ArbitrationPolicy::roundRobin)
        ledger.equal("exclusivity", "communication was served before waiting compute only after the starvation limit",
                     facts.picksAgainstRule, 0);
}

}  // namespace

BoundsResult boundsOf(const Experiment& experiment, const Shape& shape, std::uint32_t gpu, const GpuFacts& facts) {
    const ExpectedParts parts(experiment);
    const bool ring = experiment.collective.algorithm == CollectiveAlgorithm::ring && !parts.exchange;
    const auto steps = static_cast<std::int64_t>(shape.chunkBytes.size()) - 1;
    // With unlike chunks a GPU may receive less than it sends, and need not wait for its last packet to arrive; a step's
    // sends can still be leaving when the next step begins.
    const bool alike = std::equal(shape.chunkBytes.begin() + 1, shape.chunkBytes.end(), shape.chunkBytes.begin());
    const NetworkFacts& network = facts.network;
    const auto linkTime = [&](const ExpectedCounts& counts, bool blocksFlow) {
        const Duration wire = timeAtRate(counts.sent, network.egress.bytesPerSecond);
        if (!alike)
            return std::max(wire, network.latency);
        return wire + network.latency * (blocksFlow || !ring ? 1 : steps);
    };
    const ExpectedCounts scattered = parts.scatter    ? expectedScatter(experiment, shape, gpu)
                                     : parts.exchange ? expectedExchange(experiment, shape, gpu)
                                                      : ExpectedCounts{};
    const ExpectedCounts gathered = parts.gather ? expectedGather(experiment, shape, gpu) : ExpectedCounts{};
    const bool scatters = parts.scatter || parts.exchange;
    const bool flows = experiment.policy.mapping == OutputMapping::remoteDma;
    const Duration scatter = scatters ? linkTime(scattered, flows) : Duration{};
    const Duration gather = parts.gather ? linkTime(gathered, parts.gatherByDma) : Duration{};

    BoundsResult bounds;
    // Validation keeps the product within 63 bits.
    const std::int64_t peak = experiment.cu.count * experiment.cu.flopsPerCycle * experiment.cu.clock.hertz;
    bounds.compute = parts.gemm ? timeAtRate(2 * shape.m * shape.n * shape.k, peak) : Duration{};
    bounds.link = scatter + gather;
    if (facts.result.dram)
        bounds.memory = timeAtRate(facts.result.dram->total.count, experiment.memory.bandwidth.bytesPerSecond);
    const bool overlaps = experiment.policy.start == CommunicationStart::whenReady;
    const bool sideBySide = experiment.policy.start == CommunicationStart::concurrent;
    // With unlike chunks the all-gather can begin while this GPU's last reduced chunks still leave.
    const Duration links = alike || !scatters || !parts.gather
                               ? scatter + gather
                               : timeAtRate(scattered.sent + gathered.sent, network.egress.bytesPerSecond);
    if (sideBySide || (overlaps && parts.consumes))
        bounds.total = std::max(bounds.compute, links);
    else if (!overlaps)
        bounds.total = bounds.compute + links;
    else if (alike)
        bounds.total = std::max(bounds.compute, scatter) + gather;
    else
        bounds.total = std::max(bounds.compute + gather,
                                timeAtRate(scattered.sent + gathered.sent, network.egress.bytesPerSecond));
    bounds.total = std::max(bounds.total, bounds.memory);
    return bounds;
}

std::vector<Check> checkRun(const Experiment& experiment, const Shape& shape, const RunFacts& facts) {
    std::vector<Check> checks;
    for (std::uint32_t gpu = 0; gpu < facts.gpus.size(); ++gpu)
        checkGpu(experiment, shape, gpu, facts, checks);
    return checks;
}

InvariantsResult summarise(const std::vector<Check>& checks) {
    InvariantsResult result;
    result.checked = static_cast<std::int64_t>(checks.size());
    for (const Check& check : checks)
        if (!check.held)
            result.failed.push_back(check.group + ": " + check.name + " (" + check.evidence + ")");
    return result;
}

}  // namespace engine
