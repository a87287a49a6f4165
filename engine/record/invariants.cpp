#include "engine/record/invariants.h"

#include "engine/api/run_parts.h"
#include "engine/kernel/rate.h"
#include "engine/workload/gemm_shape.h"

#include <algorithm>
#include <functional>
#include <string>

namespace engine {

namespace {

// Collects checks about one GPU under one group.
class CheckList {
public:
    CheckList(std::vector<Check>& checks, std::string who) : m_checks(checks), m_who(std::move(who)) {}

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

// Returns the bytes that the own GEMM and the companion's copies read, which use the same cache.
Bytes gemmReads(const Experiment& experiment, const GpuResult& result) {
    const bool copies = hasCompanionGemm(experiment) && result.companion;
    return result.dram->gemmRead + (copies ? result.companion->dramRead : Bytes{});
}

void checkGemm(const Experiment& experiment, const Shape& shape, const CollectiveCounts& counts, std::uint32_t gpu,
               const GpuResult& result, CheckList& list) {
    const RunParts parts = runPartsOf(experiment);
    const GemmSize size = gemmSizeOf(shape);
    const std::int64_t element = elementBytes(experiment);
    const std::int64_t stores = parts.scatters() ? counts.scatter[gpu].stores : outputBytes(size, element).count;
    list.equal("counts",
               parts.fused() ? "local stores are the output except for stores straight to other GPUs"
                             : "the GEMM writes its output once",
               result.dram->gemmWrite.count, stores);
    list.atLeast("counts", "the GEMM reads A and B at least once", result.dram->gemmRead.count,
                 compulsoryBytes(size, element).count);
    list.equal("counts", "GEMM reads from DRAM are the cache's misses", gemmReads(experiment, result).count,
               result.llc->miss.count);
}

void checkCollective(const std::string& what, const ExpectedCounts& expected, Bytes reads, Bytes writes, Bytes sent,
                     CheckList& list) {
    list.equal("counts", what + " reads follow from the chunks", reads.count, expected.reads);
    list.equal("counts", what + " writes follow from the chunks", writes.count, expected.writes);
    list.equal("conservation", what + " sends the data that other GPUs need, once", sent.count, expected.sent);
}

// Checks the companion on one GPU and returns the bytes that its collective has to receive.
std::int64_t checkCompanion(const Experiment& experiment, const CollectiveCounts& counts, std::uint32_t gpu,
                            const GpuFacts& facts, CheckList& list) {
    const CompanionPart& part = *facts.result.companion;
    list.equal("conservation", "DRAM traffic is what the memory controllers served", facts.result.dram->total.count,
               facts.served.count);
    if (hasCompanionCollective(experiment)) {
        checkCollective("the companion", counts.companion[gpu], part.dramRead, part.dramWritten, part.sent, list);
        return counts.companion[gpu].received;
    }
    if (hasInMemoryPass(experiment)) {
        list.equal("conservation", "the pass inside memory works on each byte once", facts.passed.count,
                   experiment.companion.bytes.count);
        return 0;
    }
    const GemmSize size = companionGemmOf(experiment);
    const std::int64_t copies = experiment.companion.copies, element = elementBytes(experiment);
    list.equal("counts", "each copy of the companion writes its output once", part.dramWritten.count,
               outputBytes(size, element).count * copies);
    list.atLeast("counts", "each copy of the companion reads A and B at least once", part.dramRead.count,
                 compulsoryBytes(size, element).count * copies);
    return 0;
}

// Returns the bytes that have to arrive.
std::int64_t checkCounts(const Experiment& experiment, const Shape& shape, const CollectiveCounts& counts,
                         std::uint32_t gpu, const GpuResult& result, CheckList& list) {
    const RunParts parts = runPartsOf(experiment);
    const DramResult& dram = *result.dram;
    std::int64_t incoming = 0;
    if (parts.gemm)
        checkGemm(experiment, shape, counts, gpu, result, list);
    if (parts.scatters()) {
        const ExpectedCounts& expected = counts.scatter[gpu];
        if (parts.allToAll)
            checkCollective("all-to-all", expected, dram.a2aRead, dram.a2aWrite, result.link->allToAll, list);
        else
            checkCollective("reduce-scatter", expected, dram.rsRead, dram.rsWrite, result.link->reduceScatter, list);
        incoming += expected.received;
    }
    if (parts.allGather) {
        const ExpectedCounts& expected = counts.gather[gpu];
        checkCollective("all-gather", expected, dram.agRead, dram.agWrite, result.link->allGather, list);
        incoming += expected.received;
    }
    if (parts.fused())
        list.equal("counts", "every DMA command was triggered once", result.dma->commands, result.tracker->triggers);
    return incoming;
}

// `gemm`: at the peak rate, by itself.
void checkGpu(const Experiment& experiment, const Shape& shape, std::uint32_t gpu, const RunFacts& run,
              const BoundsResult& bounds, Duration gemm, std::vector<Check>& checks) {
    const GpuFacts& facts = run.gpus[gpu];
    const RunParts parts = runPartsOf(experiment);
    CheckList list(checks, run.mirrored ? "every GPU: " : "GPU " + std::to_string(gpu) + ": ");
    std::int64_t incoming = checkCounts(experiment, shape, run.network.counts, gpu, facts.result, list);
    if (facts.result.companion)
        incoming += checkCompanion(experiment, run.network.counts, gpu, facts, list);
    list.equal("conservation", "bytes received are the bytes that others sent to it", facts.received.count, incoming);
    list.holds("conservation", "all queues are empty and every tracked tile has all its updates", facts.drained,
               facts.drained ? "drained" : "not drained");
    list.equal("conservation", "no update lands in a tile that has all its updates", facts.surplusUpdates, 0);

    const TimeResult& time = facts.result.time;
    const Duration own = facts.result.companion ? facts.result.companion->own : time.total;
    list.atLeast("bounds", "the total is not below the bound of compute and links", time.total.ps, bounds.total.ps);
    list.atLeast("bounds", "the total is not below DRAM traffic at peak bandwidth", time.total.ps,
                 memoryBound(experiment, facts.result).ps);
    list.atLeast("bounds", "the total is not below the busiest channel's service time", time.total.ps,
                 facts.busiestChannel.ps);
    if (parts.gemm) {
        list.atLeast("bounds", "the GEMM is not faster than its operations at peak rate", time.gemm.ps, gemm.ps);
        list.atLeast("bounds", "the GEMM is not faster than reading A and B once at peak bandwidth", time.gemm.ps,
                     timeAtRate(compulsoryBytes(gemmSizeOf(shape), elementBytes(experiment)).count,
                                experiment.memory.bandwidth.bytesPerSecond)
                         .ps);
    }
    list.equal("bounds", "exposed communication is the total without the GEMM", time.exposedCommunication.ps,
               own.ps - time.gemm.ps);
    const bool skewed = experiment.variation.gpu == gpu;
    const bool hasParts = experiment.workload.sublayer != SubLayer::access;
    if (hasParts && experiment.policy.start == CommunicationStart::afterGemm)
        list.equal("bounds", "without overlap the parts add up to the total",
                   time.gemm.ps + time.reduceScatter.ps + time.allGather.ps + time.allToAll.ps,
                   own.ps - (skewed ? experiment.variation.startSkew.ps : 0));
    if (!facts.promise.empty())
        list.equal("exclusivity", std::string(facts.promise), facts.picksAgainstRule, 0);
}

}  // namespace

BoundsResult boundsOf(const Experiment& experiment, const Shape& shape, const RunFacts& facts) {
    std::vector<const GpuResult*> gpus;
    gpus.reserve(facts.gpus.size());
    for (const GpuFacts& gpu : facts.gpus)
        gpus.push_back(&gpu.result);
    return boundsOfRun(experiment, shape, facts.network, gpus);
}

std::vector<Check> checkRun(const Experiment& experiment, const Shape& shape, const RunFacts& facts) {
    std::vector<Check> checks;
    const std::vector<BoundsResult> bounds = boundsOfGpus(experiment, shape, facts.network);
    Experiment own = experiment;
    own.companion = {};
    const std::vector<BoundsResult> ownBounds =
        hasCompanion(experiment) ? boundsOfGpus(own, shape, facts.network) : bounds;
    Duration total;
    for (std::uint32_t gpu = 0; gpu < facts.gpus.size(); ++gpu) {
        checkGpu(experiment, shape, gpu, facts, bounds[gpu], ownBounds[gpu].compute, checks);
        total = std::max(total, facts.gpus[gpu].result.time.total);
    }
    CheckList list(checks, "the run: ");
    list.atLeast("bounds", "the total is not below the bound of all GPUs together", total.ps,
                 boundsOf(experiment, shape, facts).total.ps);
    list.equal("determinism", "no event is scheduled in the past", facts.eventsInThePast, 0);
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
