#include "engine/run/baseline_key.h"

#include "engine/api/parameters.h"
#include "engine/api/run_parts.h"
#include "engine/workload/gemm_shape.h"

#include <cstdint>
#include <cstring>
#include <string_view>
#include <variant>

namespace engine {

namespace {

template <typename Number>
void append(std::string& key, Number value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    key.append(bytes, sizeof value);
}

std::string keyOf(const Experiment& experiment, std::string_view kind, bool mirrored) {
    std::string key(kind);
    key += mirrored ? '1' : '0';
    for (const Parameter& parameter : parameters()) {
        const ParameterValue value = parameter.read(experiment);
        key += static_cast<char>('0' + value.index());
        if (const auto* whole = std::get_if<std::int64_t>(&value)) {
            append(key, *whole);
        } else if (const auto* real = std::get_if<double>(&value)) {
            append(key, *real);
        } else {
            const auto& word = std::get<std::string>(value);
            append(key, word.size());
            key += word;
        }
    }
    return key;
}

// Leaves out names, because they do not describe a machine, and the mode, because the caller passes whether one GPU
// stands for all.
void leaveOutNames(Experiment& e) {
    e.machine.clear();
    e.workload.model.clear();
    e.detail.level = {};
    e.detail.mode = {};
}

// Leaves out the division of a whole model, the operators of its layers and the capacity of a node. No run reads them,
// except the size of an element.
void leaveOutDivision(Experiment& e) {
    e.division = {};
    e.step = {};
    e.operators = operatorsOfRun(e);
    e.training = {};
    e.node = {};
}

// Leaves out the parameters of the model. A run reads only the width of the sliced side; a GEMM alone has sides of its
// own.
void leaveOutModel(Experiment& e) {
    WorkloadConfig read;
    read.model.clear();
    read.sublayer = e.workload.sublayer;
    read.bytes = {};
    if (sendsData(read.sublayer)) {
        read.hidden = e.workload.hidden;
        read.sequence = e.workload.sequence;
        read.batch = e.workload.batch;
        read.feedForward = slicedSide(e.workload);
        e.matrix = {};
    }
    e.workload = read;
}

// Leaves out the parameters that, by their rows in the table, nothing in the experiment reads.
void leaveOutUnread(Experiment& e) {
    const Experiment asked = e;
    for (const Parameter& parameter : parameters()) {
        if (!isRead(parameter, asked))
            parameter.write(e, parameter.defaultValue);
    }
}

// Leaves out how a GEMM is overlapped in software: without a GEMM there is nothing to overlap.
void leaveOutPieces(Experiment& e) {
    e.policy.pieces = {};
    e.policy.queues = PolicyConfig{}.queues;
    e.policy.signalLatency = {};
}

// Leaves out tracker and DMA engines: the output stays local, so that the run uses neither.
void leaveOutOverlap(Experiment& e) {
    e.tracker = {};
    e.dma = {};
}

// Leaves out the limits of arbitration: the policy is round robin, which has none and skips the turns of an empty
// stream.
void leaveOutArbitration(Experiment& e, bool oneStreamAtATime) {
    e.arbitration.threshold = {};
    e.arbitration.starvationLimit = {};
    if (oneStreamAtATime) {
        e.arbitration.share = 1;
        e.arbitration.turn.reset();
    }
}

void leaveOutOtherDramModel(Experiment& e) {
    if (e.memory.model == DramModel::sustained)
        return;
    e.memory.efficiency = 1;
    e.memory.updateCost = 1;
    e.memory.arrivingUpdateCost.reset();
    e.memory.turnaround = {};
}

// Leaves out the size of packets without headers.
void leaveOutPackets(Experiment& e) {
    if (e.link.header.count == 0)
        e.link.packet.reset();
}

}  // namespace

Experiment underPolicy(Experiment experiment, PolicyPreset preset) {
    applyPolicyPreset(experiment, preset);
    return experiment;
}

Experiment alone(Experiment experiment) {
    experiment.companion = {};
    experiment.dispatch = {};
    if (reservedCus(experiment) >= experiment.cu.count)
        experiment.dispatch.rule = DispatchRule::inOrder;
    return experiment;
}

Experiment sequentialOf(const Experiment& experiment) {
    return alone(underPolicy(experiment, PolicyPreset::sequential));
}

Experiment isolatedScatterOf(const Experiment& experiment) {
    Experiment scatter = sequentialOf(experiment);
    scatter.collective.reduction = Reduction::nmc;
    // An all-reduce in one pass has no reduce-scatter of its own.
    scatter.workload.sublayer = runPartsOf(experiment).reducesAtOnce ? SubLayer::allReduce : SubLayer::reduceScatter;
    return scatter;
}

std::string sequentialKey(const Experiment& experiment, bool mirrored) {
    Experiment e = withAutomaticValues(sequentialOf(experiment));
    leaveOutUnread(e);
    leaveOutNames(e);
    leaveOutDivision(e);
    leaveOutModel(e);
    leaveOutOverlap(e);
    // If GPUs differ, data that one sends may arrive while another is still computing its GEMM.
    leaveOutArbitration(e, mirrored);
    leaveOutOtherDramModel(e);
    leaveOutPackets(e);
    // Additions are done on CUs: there are no updates.
    e.memory.updateCost = 1;
    e.memory.arrivingUpdateCost.reset();
    e.dram.updateColumnDelay = {};
    if (e.memory.storeOrder != StoreOrder::writeDrain) {
        e.memory.writeDrainHigh = {};
        e.memory.writeDrainLow = {};
    }
    e.collective.cuCount = e.collective.cuBandwidth ? collectiveCus(e) : 1;
    if (e.cu.startJitter.ps == 0 && e.variation.jitter.ps == 0)
        e.seed = 0;
    return keyOf(e, "sequential", mirrored);
}

std::string isolatedScatterKey(const Experiment& experiment, bool mirrored) {
    Experiment e = experiment;
    leaveOutUnread(e);  // before the GEMM is left out: its tile sets the layout, and its operation what is scattered
    e = isolatedScatterOf(e);
    leaveOutPieces(e);
    leaveOutNames(e);
    leaveOutDivision(e);
    leaveOutModel(e);
    leaveOutOverlap(e);
    // Without a GEMM all but background traffic is communication.
    leaveOutArbitration(e, mirrored || !e.variation.any());
    if (!e.memory.arrivingUpdateCost)
        e.memory.arrivingUpdateCost = e.memory.updateCost;
    e.memory.updateCost = 1;
    leaveOutOtherDramModel(e);
    leaveOutPackets(e);
    e.memory.storeOrder = StoreOrder::inOrder;
    e.memory.writeDrainHigh = {};
    e.memory.writeDrainLow = {};
    // The run computes and caches nothing. The CUs set the kernel's pace, and the tiles set the layout of the output.
    e.llc = {};
    e.gemm.kStep = 1;
    e.gemm.prefetch = 1;
    e.gemm.epilogue = {};
    e.gemm.multicast = 1;
    e.gemm.accumulators = 1;
    e.tiles.padding = {};
    const std::int64_t cus = collectiveCus(e);
    e.cu = {};
    e.collective.cuCount = e.collective.cuBandwidth ? cus : 1;
    // Contributions of a reduce-scatter arrive as updates, each chunk for one GPU.
    if (!runPartsOf(e).reducesAtOnce) {
        e.collective.staging = 1;
        e.collective.piece.reset();
    }
    e.seed = 0;
    return keyOf(e, "reduce-scatter", mirrored);
}

std::string ownAloneKey(const Experiment& experiment, bool mirrored) {
    Experiment e = withAutomaticValues(alone(experiment));
    leaveOutUnread(e);
    leaveOutNames(e);
    leaveOutDivision(e);
    leaveOutModel(e);
    if (isCollectiveAlone(experiment.workload.sublayer))
        e.workload.bytes = experiment.workload.bytes;
    leaveOutOtherDramModel(e);
    leaveOutPackets(e);
    return keyOf(e, "own", mirrored);
}

std::string companionAloneKey(const Experiment& experiment, bool mirrored) {
    Experiment e = experiment;
    leaveOutUnread(e);
    leaveOutNames(e);
    leaveOutDivision(e);
    leaveOutOtherDramModel(e);
    leaveOutPackets(e);
    e.workload = {};
    e.tiles.padding = companionPaysFullTiles(experiment) ? TilePadding::full : TilePadding::real;
    e.collective.operation = {};
    // With the bank model or an address mapping addresses matter, and they may depend on other data in memory.
    e.matrix = feelsAddresses(e) ? experiment.matrix : MatrixConfig{};
    e.matrix.batch = hasCompanionGemm(experiment) ? companionGemmOf(experiment).partsOfK : 1;
    if (e.companion.by == CollectiveCarrier::kernel)
        leaveOutOverlap(e);
    return keyOf(e, "companion", mirrored);
}

}  // namespace engine
