#include "engine/record/bounds.h"

#include "engine/api/run_parts.h"
#include "engine/kernel/rate.h"
#include "engine/workload/gemm_shape.h"
#include "engine/workload/pass_timing.h"

#include <algorithm>
#include <optional>

namespace engine {

namespace {

using Times = std::vector<Duration>;  // by GPU

Duration earliest(const Times& times) { return *std::min_element(times.begin(), times.end()); }
Duration latest(const Times& times) { return *std::max_element(times.begin(), times.end()); }

// The bytes that each GPU moves in one collective, and the order in which they move.
struct Collective {
    Collective(const std::vector<ExpectedCounts>& moved, bool byDma, std::uint32_t last)
        : counts(moved), flows(byDma), lastChunk(last) {}
    const std::vector<ExpectedCounts>& counts;  // by GPU
    bool flows = false;                         // data are forwarded piece by piece as they arrive; else step by step
    std::uint32_t lastChunk = 0;  // the chunk that GPU 0 receives last; GPU i receives the chunk i places further last
};

class Bounds {
public:
    Bounds(const Experiment& experiment, const Shape& shape, const NetworkFacts& network)
        : m_experiment(experiment), m_shape(shape), m_network(network), m_parts(runPartsOf(experiment)),
          m_gpus(static_cast<std::uint32_t>(network.gpus.size())), m_nothing(m_gpus) {
        if (m_parts.scatters())
            m_scatter.emplace(network.counts.scatter, m_parts.scatterByDma, m_gpus - 1);
        if (m_parts.allGather)
            m_gather.emplace(network.counts.gather, m_parts.gatherByDma, m_gpus - 2);
        for (std::uint32_t gpu = 0; gpu < m_gpus; ++gpu)
            m_compute.push_back(computeOn(gpu));
        m_computeOfBoth = m_compute;
        if (hasCompanionGemm(experiment))
            for (std::uint32_t gpu = 0; gpu < m_gpus; ++gpu)
                m_computeOfBoth[gpu] += companionOn(gpu);
    }

    // Returns the earliest time at which each GPU can end, without DRAM.
    Times ends() const {
        const bool overlaps =
            m_experiment.policy.start == CommunicationStart::whenReady || m_parts.asProduced || m_parts.byCopies;
        const bool sideBySide = m_experiment.policy.start == CommunicationStart::concurrent;
        if (sideBySide || (overlaps && m_parts.consumes))
            return later(m_compute, collectives(m_nothing, m_nothing));
        if (m_parts.consumes)  // the GEMM begins when its input is there
            return later(plus(received(*m_gather, m_nothing), m_compute), collectives(m_nothing, m_nothing));
        return collectives(overlaps ? m_nothing : m_compute, m_compute);
    }

    // Assumes that all data are forwarded piece by piece, as DMA does.
    void flowPieceByPiece() {
        for (std::optional<Collective>* collective : {&m_scatter, &m_gather})
            if (*collective)
                (*collective)->flows = true;
    }

    // Returns the DRAM traffic of the GPU that has most: the operands once, the output, the collectives.
    std::int64_t leastTraffic() const {
        std::int64_t most = 0;
        for (std::uint32_t gpu = 0; gpu < m_gpus; ++gpu)
            most = std::max(most, gemmTraffic(gpu) + traffic(m_scatter, gpu) + traffic(m_gather, gpu) +
                                      companionTraffic(gpu));
        return most;
    }

    Times links() const { return later(collectives(m_nothing, m_nothing), linksOfBoth()); }

    // Returns the earliest time at which each GPU has computed and sent the data of own work and companion, without
    // DRAM.
    Times endsOfBoth() const { return later(later(ends(), m_computeOfBoth), linksOfBoth()); }

    // Returns the time of the channel with most of the data of a pass inside memory; 0 without a pass.
    Duration pass() const {
        if (!hasInMemoryPass(m_experiment))
            return {};
        const PassTiming timing(m_experiment);
        return timing.switchTime() + timing.time(timing.bytesOf(0));
    }

    // Returns the time at which all sent data have arrived; the run cannot end before. Kernels begin the all-gather
    // when the reduced data are there, so that the GPU that received last still has to send its part of the all-gather.
    Duration lastArrival() const {
        const bool overlaps = m_experiment.policy.start != CommunicationStart::afterGemm || m_parts.consumes;
        const Times& begins = overlaps ? m_nothing : m_compute;
        Duration reduced, gathered, least{kNever.ps};
        for (std::uint32_t gpu = 0; gpu < m_gpus; ++gpu) {
            reduced = std::max(reduced, arrived(begins[gpu], sent(m_scatter, gpu), gpu));
            gathered = std::max(gathered, arrived(begins[gpu], sent(m_gather, gpu), gpu));
            least = std::min(least, arrived({}, sent(m_gather, gpu), gpu));
        }
        if (m_scatter && m_gather && !m_gather->flows)
            reduced += least;
        return std::max(reduced, gathered);
    }

    const Times& compute() const { return m_compute; }
    const Times& computeOfBoth() const { return m_computeOfBoth; }
    bool consumes() const { return m_parts.consumes; }
    Duration scatterOnWire(std::uint32_t gpu) const { return onWire(sent(m_scatter, gpu), gpu); }
    Duration gatherOnWire(std::uint32_t gpu) const { return onWire(sent(m_gather, gpu), gpu); }

private:
    Duration computeOn(std::uint32_t gpu) const {
        if (!m_parts.gemm)
            return {};
        return computeOn(gpu, gemmSizeOf(m_shape));
    }
    // Validation keeps the product within 63 bits.
    Duration computeOn(std::uint32_t gpu, const GemmSize& size) const {
        const Experiment own = asOnGpu(m_experiment, gpu);
        return timeAtRate(2 * size.m * size.n * size.k, own.cu.count * peakFlopsOfCu(own));
    }
    Duration companionOn(std::uint32_t gpu) const {
        return computeOn(gpu, companionGemmOf(m_experiment)) * m_experiment.companion.copies;
    }

    ExpectedCounts ofCompanion(std::uint32_t gpu) const {
        const bool collective = hasCompanionCollective(m_experiment) && gpu < m_network.counts.companion.size();
        return collective ? m_network.counts.companion[gpu] : ExpectedCounts{};
    }
    std::int64_t companionTraffic(std::uint32_t gpu) const {
        if (!hasCompanionGemm(m_experiment))
            return ofCompanion(gpu).reads + ofCompanion(gpu).writes;
        const GemmSize size = companionGemmOf(m_experiment);
        return (compulsoryBytes(size, m_element) + outputBytes(size, m_element)).count * m_experiment.companion.copies;
    }

    // Own work and companion send by the same links and receive by the same links.
    Times linksOfBoth() const {
        Times times(m_gpus);
        for (std::uint32_t gpu = 0; gpu < m_gpus && gpu < m_network.shared.size(); ++gpu) {
            const GpuNetwork& own = m_network.shared[gpu];
            const ExpectedCounts beside = ofCompanion(gpu);
            times[gpu] =
                timeAtRate(beside.sent + sent(m_scatter, gpu) + sent(m_gather, gpu), own.egress.bytesPerSecond);
            const std::int64_t bytes = beside.received + incoming(m_scatter, gpu) + incoming(m_gather, gpu);
            if (bytes != 0)
                times[gpu] = std::max(times[gpu], timeAtRate(bytes, own.ingress.bytesPerSecond) + own.latencyIn);
        }
        return times;
    }

    static Times later(Times a, const Times& b) {
        for (std::size_t i = 0; i < a.size(); ++i)
            a[i] = std::max(a[i], b[i]);
        return a;
    }
    static Times plus(Times a, const Times& b) {
        for (std::size_t i = 0; i < a.size(); ++i)
            a[i] += b[i];
        return a;
    }
    static std::int64_t sent(const std::optional<Collective>& collective, std::uint32_t gpu) {
        return collective ? collective->counts[gpu].sent : 0;
    }
    static std::int64_t incoming(const std::optional<Collective>& collective, std::uint32_t gpu) {
        return collective ? collective->counts[gpu].received : 0;
    }
    static std::int64_t traffic(const std::optional<Collective>& collective, std::uint32_t gpu) {
        return collective ? collective->counts[gpu].reads + collective->counts[gpu].writes : 0;
    }
    std::int64_t gemmTraffic(std::uint32_t gpu) const {
        if (!m_parts.gemm)
            return 0;
        const GemmSize size = gemmSizeOf(m_shape);
        const std::int64_t stores = m_scatter ? m_scatter->counts[gpu].stores : outputBytes(size, m_element).count;
        return compulsoryBytes(size, m_element).count + stores;
    }
    Duration onWire(std::int64_t bytes, std::uint32_t gpu) const {
        return timeAtRate(bytes, m_network.gpus[gpu].egress.bytesPerSecond);
    }
    Duration arrived(Duration begin, std::int64_t bytes, std::uint32_t gpu) const {
        return bytes == 0 ? begin : begin + onWire(bytes, gpu) + m_network.gpus[gpu].latencyOut;
    }

    // Returns the ends of collectives that begin at `begins`, with an all-gather that begins no earlier than `gathers`.
    Times collectives(const Times& begins, const Times& gathers) const {
        Times reduced = m_scatter ? received(*m_scatter, begins) : begins;
        reduced = later(std::move(reduced), gathers);
        return later(m_gather ? received(*m_gather, reduced) : reduced, departures(begins, reduced));
    }

    // Returns when the data that each GPU sends have left. Data that DMA forwards may leave before the GPU's own phase
    // has begun.
    Times departures(const Times& begins, const Times& gathers) const {
        const bool flows = m_scatter ? m_scatter->flows : m_gather && m_gather->flows;
        Times times;
        for (std::uint32_t gpu = 0; gpu < m_gpus; ++gpu) {
            const Duration all = flows ? earliest(begins) : begins[gpu];
            const Duration gather = m_gather && m_gather->flows ? earliest(gathers) : gathers[gpu];
            times.push_back(std::max(all + onWire(sent(m_scatter, gpu) + sent(m_gather, gpu), gpu),
                                     gather + onWire(sent(m_gather, gpu), gpu)));
        }
        return times;
    }

    // Returns when each GPU has received its data of a collective that begins at `begins` there.
    Times received(const Collective& collective, const Times& begins) const {
        const Duration first = earliest(begins);
        Times times;
        for (std::uint32_t gpu = 0; gpu < m_gpus; ++gpu) {
            const GpuNetwork& own = m_network.gpus[gpu];
            const std::int64_t bytes = collective.counts[gpu].received;
            Duration there = begins[gpu];
            if (bytes != 0)
                there = std::max(there, first + timeAtRate(bytes, own.ingress.bytesPerSecond) + own.latencyIn);
            if (bytes != 0 && m_network.aroundRing)
                there = std::max(there, aroundRing(collective, gpu, begins));
            times.push_back(there);
        }
        return times;
    }

    // The chunk that comes last begins at the GPU after `gpu` in the order of the ring, and passes all others.
    Duration aroundRing(const Collective& collective, std::uint32_t gpu, const Times& begins) const {
        const std::int64_t bytes = m_shape.chunkBytes[(gpu + collective.lastChunk) % m_gpus].count;
        if (bytes == 0)
            return {};
        Duration time = begins[(gpu + m_gpus - 1) % m_gpus], slowest, wire;
        std::int64_t rate = 0;
        for (std::uint32_t hop = m_gpus - 1; hop > 0; --hop) {
            const GpuNetwork& next = m_network.gpus[(gpu + hop - 1) % m_gpus];
            if (next.ingress.bytesPerSecond != rate) {
                rate = next.ingress.bytesPerSecond;
                wire = timeAtRate(bytes, rate);
                slowest = std::max(slowest, wire);
            }
            if (!collective.flows)
                time = std::max(time, begins[(gpu + hop) % m_gpus]) + wire;
            time += next.latencyIn;
        }
        return collective.flows ? time + slowest : time;
    }

    const Experiment& m_experiment;
    std::int64_t m_element = elementBytes(m_experiment);  // bytes
    const Shape& m_shape;
    const NetworkFacts& m_network;
    RunParts m_parts;
    std::uint32_t m_gpus;
    std::optional<Collective> m_scatter;  // reduce-scatter or all-to-all
    std::optional<Collective> m_gather;
    Times m_nothing;  // all zero: every GPU begins at once
    Times m_compute;
    Times m_computeOfBoth;  // with the companion's
};

}  // namespace

std::vector<BoundsResult> boundsOfGpus(const Experiment& experiment, const Shape& shape, const NetworkFacts& network) {
    const Bounds bounds(experiment, shape, network);
    const Times links = bounds.links(), ends = bounds.endsOfBoth();
    std::vector<BoundsResult> results;
    for (std::size_t gpu = 0; gpu < network.gpus.size(); ++gpu)
        results.push_back({bounds.computeOfBoth()[gpu], {}, links[gpu], std::max(ends[gpu], bounds.pass())});
    return results;
}

BoundsResult boundsOfRun(const Experiment& experiment, const Shape& shape, const NetworkFacts& network,
                         const std::vector<const GpuResult*>& gpus) {
    const Bounds bounds(experiment, shape, network);
    BoundsResult run;
    run.compute = latest(bounds.computeOfBoth());
    run.link = latest(bounds.links());
    for (const GpuResult* gpu : gpus)
        run.memory = std::max(run.memory, memoryBound(experiment, *gpu));
    run.total = std::max({latest(bounds.endsOfBoth()), bounds.lastArrival(), run.memory, bounds.pass()});
    return run;
}

BoundsResult leastBounds(const Experiment& experiment, const Shape& shape, const NetworkFacts& network) {
    Experiment overlapping = experiment;
    if (experiment.policy.start == CommunicationStart::afterGemm)
        overlapping.policy.start = CommunicationStart::whenReady;
    Bounds bounds(overlapping, shape, network);
    bounds.flowPieceByPiece();
    BoundsResult least;
    least.compute = latest(bounds.computeOfBoth());
    least.link = latest(bounds.links());
    least.memory = timeAtRate(bounds.leastTraffic(), experiment.memory.bandwidth.bytesPerSecond);
    least.total = std::max({latest(bounds.endsOfBoth()), bounds.lastArrival(), least.memory, bounds.pass()});
    return least;
}

Duration memoryBound(const Experiment& experiment, const GpuResult& result) {
    return result.dram ? timeAtRate(result.dram->total.count, experiment.memory.bandwidth.bytesPerSecond) : Duration{};
}

BoundsResult boundsOfFormula(const Experiment& experiment, const Shape& shape, const NetworkFacts& network,
                             std::uint32_t gpu, bool gpusDoTheSame) {
    Experiment overlapping = experiment;
    overlapping.companion = {};  // is no part of the formula
    overlapping.policy.start = CommunicationStart::whenReady;
    if (gpusDoTheSame)
        return boundsOfRun(overlapping, shape, network, {});
    const Bounds bounds(overlapping, shape, network);
    BoundsResult result;
    result.compute = bounds.compute()[gpu];
    result.link = latest(bounds.links());
    result.total = result.compute;
    if (bounds.consumes())
        return result;
    // The reduce-scatter with NMC is a run of its own, and may end last on another GPU.
    Duration scatter = bounds.scatterOnWire(0);
    for (std::uint32_t other = 1; other < network.gpus.size(); ++other)
        scatter = std::min(scatter, bounds.scatterOnWire(other));
    result.total = std::max(result.compute, scatter) + bounds.gatherOnWire(gpu);
    return result;
}

}  // namespace engine
