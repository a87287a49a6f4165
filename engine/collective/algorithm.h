#pragma once

#include "engine/collective/address_maps.h"
#include "engine/collective/collective_schedule.h"

#include <string>
#include <vector>

namespace engine {

struct Experiment;
struct RunParts;

/// The properties in which collective algorithms differ. Each algorithm is in a file of its own. A new one also gets
/// its word in `engine/api/collective_algorithm.h` and its line in `algorithms.cpp`; it needs no other change. Only
/// these files outside this folder name an algorithm: network/topology.cpp (a custom topology must contain a ring for
/// the ring algorithm), run/verification.cpp (a closed form of the ring), app/ringside_cli_report.cpp (the ring is the
/// default and not printed) and ui/machine/topology_facts.cpp (texts about the ring and about two nodes). Whether a
/// switch adds the packets is in the table of `engine/api/collective_algorithm.h`, because it decides whether an
/// all-reduce is one collective.
struct Algorithm {
    /// Returns the steps of one GPU. Never called for an all-to-all that the algorithm refuses.
    std::vector<CollectiveStep> (*steps)(CollectiveKind kind, const RingSchedule& ring) = nullptr;

    /// Adds the reasons why the algorithm cannot run these parts of the experiment, each as the end of a message about
    /// collective.algorithm. Null: it runs all parts.
    void (*refuse)(const Experiment& experiment, const RunParts& parts, std::vector<std::string>& reasons) = nullptr;

    /// True: each GPU sends to the next one of the ring only, so that one GPU can stand for all. False: all are
    /// simulated.
    bool aroundRing = false;

    /// True: GPU i does what GPU 0 does, with chunks and GPUs counted from i on. False: all GPUs are simulated.
    bool turnsWithGpu = false;

    /// True: the tracker holds entries also for chunks that stay. False: only for those that DMA sends on.
    bool tracksKept = false;

    /// Returns the chunk that a GPU's GEMM produces first for tracker and DMA. Null: the one that the next GPU of the
    /// ring needs next.
    std::uint32_t (*firstChunk)(const RingSchedule& ring) = nullptr;

    /// Changes the address map that is derived from the steps. Null: the map stays as derived.
    void (*arrange)(CollectiveKind kind, const RingSchedule& ring, AddressMap& map) = nullptr;
};

const Algorithm& algorithmOf(CollectiveAlgorithm algorithm);

/// Sorts receivers by their distance down the ring from `ring.gpu`; `first` comes before all others.
void sortDownTheRing(AddressMap& map, const RingSchedule& ring, std::uint32_t first);

}  // namespace engine
