#include "engine/run/network_facts.h"

#include "engine/collective/played_counts.h"
#include "engine/run/plan.h"
#include "engine/run/program.h"

#include <algorithm>
#include <set>

namespace engine {

namespace {

// All data that a GPU sends take its one route to the next GPU.
NetworkFacts alongRing(const Topology& topology) {
    NetworkFacts facts;
    facts.aroundRing = true;
    for (std::uint32_t gpu = 0; gpu < topology.gpus; ++gpu) {
        const auto& out = topology.ring[gpu];
        const auto& in = topology.ring[(gpu + 1) % topology.gpus];
        facts.gpus.push_back({topology.links[out.front()].bandwidth, bandwidthOf(topology, in),
                              latencyOf(topology, out), latencyOf(topology, in)});
    }
    return facts;
}

// The links that leave a GPU and on which the algorithm sends: to the next GPU of the ring, or on the way to any other.
std::set<std::uint32_t> linksUsedBy(const Experiment& experiment, const Topology& topology, std::uint32_t gpu) {
    if (sendsAroundRing(experiment) && !topology.ring.empty())
        return {topology.ring[gpu].front()};
    std::set<std::uint32_t> used;
    for (std::uint32_t to = 0; to < topology.gpus; ++to)
        if (to != gpu)
            used.insert(topology.route(gpu, to).front());
    return used;
}

NetworkFacts overAllLinks(const Experiment& experiment, const Topology& topology) {
    NetworkFacts facts;
    facts.gpus.assign(topology.gpus, {{}, {}, Duration{kNever.ps}, Duration{kNever.ps}});
    const bool shared = experiment.topology.egress == TopologyEgress::shared;
    for (const TopologyLink& link : topology.links) {
        if (link.from < topology.gpus) {
            GpuNetwork& from = facts.gpus[link.from];
            from.egress = shared ? std::max(from.egress, link.bandwidth)
                                 : Bandwidth{from.egress.bytesPerSecond + link.bandwidth.bytesPerSecond};
            from.latencyOut = std::min(from.latencyOut, link.latency);
        }
        if (link.to < topology.gpus) {
            GpuNetwork& to = facts.gpus[link.to];
            to.ingress.bytesPerSecond += link.bandwidth.bytesPerSecond;
            to.latencyIn = std::min(to.latencyIn, link.latency);
        }
    }
    return facts;
}

// Returns the bytes of each chunk that a companion's collective moves; empty for other companions.
std::vector<Bytes> companionChunksOf(const Experiment& experiment) {
    std::vector<Bytes> bytes;
    if (!hasCompanionCollective(experiment))
        return bytes;
    const OutputLayout layout = companionPlanOf(experiment)->layout;
    for (std::uint32_t chunk = 0; chunk < layout.chunks(); ++chunk)
        bytes.push_back(layout.chunkBytes(chunk));
    return bytes;
}

CollectiveCounts countsOf(const Experiment& experiment) {
    const std::vector<Bytes> chunkBytes = shapeOf(experiment).chunkBytes;
    const auto gpus = static_cast<std::uint32_t>(experiment.parallel.tp);
    const CollectiveAlgorithm algorithm = experiment.collective.algorithm;
    const bool buffers = copiesThroughBuffers(experiment);
    const auto countsOfStage = [&](const Stage& stage, std::uint32_t gpu, const std::vector<Bytes>& chunks) {
        return stage.byDma ? countsOf(mapOf(experiment, stage, {gpus, gpu}), chunks, buffers)
                           : countsOf(scheduleOf(*stage.collective, algorithm, {gpus, gpu}), chunks,
                                      experiment.collective.reduction == Reduction::cu, buffers && !stage.byCopies,
                                      stage.byCopies);
    };
    const std::vector<Bytes> companionChunks = companionChunksOf(experiment);
    CollectiveCounts counts;
    counts.companion.resize(companionChunks.empty() ? 0 : gpus);
    for (const Stage& stage : programOf(experiment).stages) {
        for (std::uint32_t gpu = 0; gpu < gpus && stage.collective; ++gpu) {
            if (stage.companion)
                counts.companion[gpu] += countsOfStage(stage, gpu, companionChunks);
            else
                (stage.gathers() ? counts.gather : counts.scatter).push_back(countsOfStage(stage, gpu, chunkBytes));
        }
    }
    return counts;
}

}  // namespace

NetworkFacts networkFactsOf(const Experiment& experiment, const Topology& topology) {
    const bool along = sendsAroundRing(experiment) && !topology.ring.empty();
    NetworkFacts facts = along ? alongRing(topology) : overAllLinks(experiment, topology);
    if (hasCompanionCollective(experiment)) {
        const bool alongBoth = (along || !ownWorkSends(experiment)) && companionGoesAroundRing(experiment);
        facts.shared =
            alongBoth && !topology.ring.empty() ? alongRing(topology).gpus : overAllLinks(experiment, topology).gpus;
    }
    facts.counts = countsOf(experiment);
    return facts;
}

NetworkResult networkResultOf(const Experiment& experiment, const Topology& topology, std::uint32_t gpu) {
    NetworkResult result;
    result.links = std::ssize(topology.links);
    result.switches = std::ssize(topology.nodes) - topology.gpus;
    result.egress = egressOf(experiment, topology, gpu);
    result.linksSharedByRing = std::ssize(topology.sharedByRing);
    result.linksOfGpu = std::ssize(topology.linksFrom(gpu));
    const std::set<std::uint32_t> used = linksUsedBy(experiment, topology, gpu);
    result.linksUsed = std::ssize(used);
    for (const std::uint32_t link : used)
        result.used.bytesPerSecond += topology.links[link].bandwidth.bytesPerSecond;
    result.used = std::min(result.used, result.egress);
    return result;
}

}  // namespace engine
