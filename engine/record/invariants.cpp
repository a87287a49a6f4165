#include "engine/record/invariants.h"

#include "engine/kernel/rate.h"

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

struct Chunks {
    const Shape& shape;
    std::int64_t gpu;

    std::int64_t total() const { return shape.outputBytes.count; }
    // Bytes of the chunk `offset` places after this GPU's own number; negative offsets count backwards.
    std::int64_t at(std::int64_t offset) const {
        const auto n = static_cast<std::int64_t>(shape.chunkBytes.size());
        return shape.chunkBytes[static_cast<std::size_t>(((gpu + offset) % n + n) % n)].count;
    }
};

struct Parts {
    bool gemm, scatter, gather, scatterByDma, gatherByDma, reducesOnCus;

    explicit Parts(const Experiment& experiment) {
        const SubLayer sublayer = experiment.workload.sublayer;
        const bool byDma = experiment.policy.mapping == OutputMapping::remoteDma;
        gemm = !isCollectiveAlone(sublayer);
        scatter = sublayer != SubLayer::allGather;
        gather = sublayer != SubLayer::reduceScatter;
        scatterByDma = scatter && byDma;
        gatherByDma = gather && byDma && !gemm;
        reducesOnCus = experiment.collective.reduction == Reduction::cu;
    }
};

// A and B once: the least that a GEMM has to read.
std::int64_t operandBytes(const Shape& shape) { return 2 * (shape.m * shape.k + shape.k * shape.n); }

void checkCounts(const Experiment& experiment, const Shape& shape, const Chunks& c, const GpuFacts& facts,
                 Ledger& ledger) {
    const Parts parts(experiment);
    const DramResult& dram = *facts.result.dram;
    const std::int64_t s = c.total();
    if (parts.gemm) {
        ledger.equal("counts",
                     parts.scatterByDma ? "local updates are the output without the first chunk"
                                        : "the GEMM writes its output once",
                     dram.gemmWrite.count, parts.scatterByDma ? s - c.at(0) : s);
        ledger.atLeast("counts", "the GEMM reads A and B at least once", dram.gemmRead.count, operandBytes(shape));
        ledger.equal("counts", "GEMM reads from DRAM are the cache's misses", dram.gemmRead.count,
                     facts.result.llc->miss.count);
    }
    if (parts.scatter) {
        // model.md, section 4.1
        std::int64_t reads = 0;
        std::int64_t writes = s - c.at(0);
        if (parts.scatterByDma)
            reads = s - (parts.gemm ? c.at(0) : 0) - c.at(-1);
        else if (parts.reducesOnCus) {
            reads = 2 * s - c.at(0);
            writes += c.at(-1);
        } else
            reads = s - c.at(-1);
        ledger.equal("counts", "reduce-scatter reads follow from the chunks", dram.rsRead.count, reads);
        ledger.equal("counts", "reduce-scatter writes follow from the chunks", dram.rsWrite.count, writes);
        ledger.equal("conservation", "reduce-scatter sends every chunk but the own one",
                     facts.result.link->reduceScatter.count, s - c.at(-1));
    }
    if (parts.gather) {
        ledger.equal("counts", "all-gather reads every chunk but the one never forwarded", dram.agRead.count,
                     s - c.at(-2));
        ledger.equal("counts", "all-gather writes every chunk but the own one", dram.agWrite.count, s - c.at(-1));
        ledger.equal("conservation", "all-gather sends every chunk but the one never forwarded",
                     facts.result.link->allGather.count, s - c.at(-2));
    }
    ledger.equal("counts", "every DMA command was triggered once", facts.result.dma->commands,
                 parts.gemm ? facts.result.tracker->triggers : facts.result.dma->commands);
}

void checkGpu(const Experiment& experiment, const Shape& shape, std::uint32_t gpu, const RunFacts& run,
              std::vector<Check>& checks) {
    const GpuFacts& facts = run.gpus[gpu];
    const Chunks c{shape, gpu};
    const Parts parts(experiment);
    Ledger ledger(checks, run.mirrored ? "every GPU: " : "GPU " + std::to_string(gpu) + ": ");
    checkCounts(experiment, shape, c, facts, ledger);

    // What the neighbour i+1 sends comes in here; it owns chunk i and never forwards chunk i-1.
    const std::int64_t incoming = (parts.scatter ? c.total() - c.at(0) : 0) + (parts.gather ? c.total() - c.at(-1) : 0);
    ledger.equal("conservation", "bytes received are the bytes the neighbour sent", facts.received.count, incoming);
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
                     time.gemm.ps + time.reduceScatter.ps + time.allGather.ps,
                     time.total.ps - (skewed ? experiment.variation.startSkew.ps : 0));
    if (experiment.arbitration.policy != ArbitrationPolicy::roundRobin)
        ledger.equal("exclusivity", "communication was served before waiting compute only after the starvation limit",
                     facts.picksAgainstRule, 0);
}

}  // namespace

BoundsResult boundsOf(const Experiment& experiment, const Shape& shape, std::uint32_t gpu, const GpuFacts& facts) {
    const Parts parts(experiment);
    const Chunks c{shape, gpu};
    const auto steps = static_cast<std::int64_t>(shape.chunkBytes.size()) - 1;
    const std::int64_t bandwidth = experiment.link.bandwidth.bytesPerSecond;
    const Duration latency = experiment.link.latency;
    // With unlike chunks a step's sends can still be leaving when the next step begins: only one latency is certain.
    const bool alike = std::equal(shape.chunkBytes.begin() + 1, shape.chunkBytes.end(), shape.chunkBytes.begin());
    const auto linkTime = [&](std::int64_t bytes, bool blocksFlow) {
        return timeAtRate(bytes, bandwidth) + latency * (blocksFlow || !alike ? 1 : steps);
    };
    const Duration scatter = parts.scatter ? linkTime(c.total() - c.at(-1), parts.scatterByDma) : Duration{};
    const Duration gather = parts.gather ? linkTime(c.total() - c.at(-2), parts.gatherByDma) : Duration{};

    BoundsResult bounds;
    // Validation keeps the product within 63 bits.
    const std::int64_t peak = experiment.cu.count * experiment.cu.flopsPerCycle * experiment.cu.clock.hertz;
    bounds.compute = parts.gemm ? timeAtRate(2 * shape.m * shape.n * shape.k, peak) : Duration{};
    bounds.link = scatter + gather;
    if (facts.result.dram)
        bounds.memory = timeAtRate(facts.result.dram->total.count, experiment.memory.bandwidth.bytesPerSecond);
    const bool overlaps = experiment.policy.start == CommunicationStart::whenReady;
    const bool sideBySide = experiment.policy.start == CommunicationStart::concurrent;
    if (sideBySide)
        bounds.total = std::max(bounds.compute, scatter + gather);
    else if (!overlaps || !parts.scatter || !parts.gather)
        bounds.total = bounds.compute + scatter + gather;
    else if (alike)
        bounds.total = std::max(bounds.compute, scatter) + gather;
    else  // the all-gather can begin while this GPU's last reduced chunks still leave
        bounds.total = std::max(bounds.compute + gather, timeAtRate(2 * c.total() - c.at(-1) - c.at(-2), bandwidth));
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
