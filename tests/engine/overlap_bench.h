#pragma once

#include "engine/collective/address_maps.h"
#include "engine/memory/memory_controller.h"
#include "engine/memory/near_memory_update.h"
#include "engine/network/network_port.h"
#include "engine/overlap/dma_engine.h"
#include "engine/overlap/tracker.h"
#include "engine/workload/gemm_shape.h"
#include "engine/workload/output_layout.h"
#include "tests/engine/event_loop.h"

#include <vector>

namespace tests {

/// Connects tracker, near-memory updates and DMA engine of GPU 0 in a ring of four, with a memory of one channel that
/// serves a granule of 256 B in 1000 ps (also an update) and a link of 1 B/ps without latency. The output is 8 tiles of
/// 512 B, two granules each. Chunk 0 (tiles 0, 1) is stored directly to the neighbour, chunks 1 (tiles 2, 3) and 2
/// (tiles 4, 5) are sent by DMA in blocks of two tiles, and chunk 3 (tiles 6, 7) stays on GPU 0.
class OverlapBench final : public engine::UpdateStoreClient, public engine::PacketSink {
public:
    static engine::Experiment settings() {
        using namespace engine::literals;
        engine::Experiment experiment;
        experiment.parallel.tp = 4;
        experiment.detail.granule = {256};
        experiment.detail.channels = 1;
        experiment.memory.bandwidth = {256'000'000'000};
        experiment.memory.efficiency = 1;
        experiment.memory.updateCost = 1;
        experiment.memory.latency = {};
        experiment.arbitration.policy = engine::ArbitrationPolicy::roundRobin;
        experiment.arbitration.share = 1;
        experiment.tracker.wfPerWg = 2;
        experiment.tracker.triggerLatency = {20};
        experiment.dma.blockTiles = 2;
        experiment.dma.startupLatency = {100};
        experiment.link.bandwidth = {1'000'000'000'000};
        experiment.link.latency = {};
        return experiment;
    }

    explicit OverlapBench(const engine::Experiment& config = settings())
        : experiment(config), layout(engine::TileGrid(128, 16, 16, 16, 2), 4, experiment.detail.granule),
          map(engine::fusedMap(engine::CollectiveKind::reduceScatter, engine::CollectiveAlgorithm::ring, {4, 0})),
          memory(experiment,
                 loop.port(engine::Phase::arbitration, [this](std::uint32_t channel) { memory.arbitrate(channel); }),
                 loop.port(engine::Phase::completion, [this](std::uint32_t channel) { memory.returnData(channel); }),
                 nullptr),
          network(experiment.link, experiment.detail.granule, loop.queue(), *this, nullptr),
          tracker(experiment, work, map, {0, 8},
                  loop.port(engine::Phase::trigger, [this](std::uint32_t tile) { tracker.onClosed(tile); }),
                  loop.port(engine::Phase::trigger, [this](std::uint32_t block) { tracker.onTriggered(block); }),
                  nullptr),
          held(experiment.tracker.heldBytes, loop.queue(), nullptr),
          updates(layout, memory, tracker, held, engine::MemoryOp::update), sender(network),
          dma(experiment, work, map,
              {loop.port(engine::Phase::trigger, [this](std::uint32_t block) { dma.onStarted(block); }),
               loop.port(engine::Phase::trigger, [this](std::uint32_t chunk) { dma.onHandedOver(chunk); })},
              memory, sender, 0, 0, nullptr) {
        updates.setStoreClient(*this);
        tracker.connect(updates, dma);
    }

    /// Stores a tile of the GEMM at a moment: two local updates.
    void storeAt(engine::TimePoint time, std::uint32_t tile) {
        loop.at(time, [this, tile] { storesAdmitted.push_back(updates.store(tile)); });
    }
    /// Delivers both granules of a tile from the neighbour at a moment.
    void arriveAt(engine::TimePoint time, std::uint32_t tile) {
        arriveGranuleAt(time, 2 * tile);
        arriveGranuleAt(time, 2 * tile + 1);
    }
    void arriveGranuleAt(engine::TimePoint time, std::uint32_t granule) {
        loop.at(time, [this, granule] { arrivalsTaken.push_back(updates.arrive(granule)); });
    }

    void storeReleased(std::uint32_t tile) override { released.push_back({loop.queue().now(), tile}); }
    void storeLanded(std::uint32_t, engine::TimePoint) override {}
    void deliver(const engine::Packet& packet) override { sent.push_back(packet); }

    struct Release {
        engine::TimePoint time;
        std::uint32_t tile;
    };
    engine::Experiment experiment;
    EventLoop loop;
    engine::OutputLayout layout;
    engine::CollectiveWork work{layout};
    engine::AddressMap map;
    std::vector<bool> storesAdmitted;
    std::vector<bool> arrivalsTaken;
    std::vector<Release> released;
    std::vector<engine::Packet> sent;
    engine::MemoryController memory;
    engine::NetworkPort network;
    engine::Tracker tracker;
    engine::HeldUpdates held;
    engine::NearMemoryUpdate updates;
    engine::UpdateSender sender;
    engine::DmaEngine dma;
};

}  // namespace tests
