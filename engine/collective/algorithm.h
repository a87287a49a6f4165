#pragma once

#include "engine/collective/address_maps.h"
#include "engine/collective/collective_schedule.h"

#include <string>
#include <vector>

namespace engine {

struct Experiment;
struct RunParts;

/// Everything in which one collective algorithm differs from another. Each stands in a file of its own; a new one gets its
/// word in `engine/api/collective_algorithm.h` and its line in `algorithms.cpp`, and nothing else knows it by name.
struct Algorithm {
    /// The steps of one GPU. An all-to-all that the algorithm refuses is never asked for.
    std::vector<CollectiveStep> (*steps)(CollectiveKind kind, const RingSchedule& ring) = nullptr;

    /// Adds why it cannot run these parts of the experiment, each as the end of a message about collective.algorithm.
    /// Null: it runs all of them.
    void (*refuse)(const Experiment& experiment, const RunParts& parts, std::vector<std::string>& reasons) = nullptr;

    /// Each GPU sends to the next of the ring only, so that one can stand for all. Otherwise all GPUs are simulated.
    bool aroundRing = false;

    /// GPU i does what GPU 0 does, with chunks and GPUs counted from i on. Otherwise all GPUs are simulated.
    bool turnsWithGpu = false;

    /// The tracker holds entries also for the chunks that stay; otherwise only for those that DMA sends on.
    bool tracksKept = false;

    /// The chunk that a GPU's GEMM produces first for tracker and DMA. Null: the one that the next of the ring needs next.
    std::uint32_t (*firstChunk)(const RingSchedule& ring) = nullptr;

    /// Changes the address map that follows from the steps. Null: as it follows.
    void (*arrange)(CollectiveKind kind, const RingSchedule& ring, AddressMap& map) = nullptr;
};

const Algorithm& algorithmOf(CollectiveAlgorithm algorithm);

/// Orders receivers by how far they are down the ring from `ring.gpu`; `first` comes before all others.
void sortDownTheRing(AddressMap& map, const RingSchedule& ring, std::uint32_t first);

}  // namespace engine
