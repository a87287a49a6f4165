#pragma once

#include "engine/api/experiment.h"

namespace tests {

/// Returns the bank model of one channel of 32 GB/s, so that a burst of 64 B, which is a granule, takes 2 ns. Rows of
/// 2 KiB, 4 x 4 banks, mapping BBGGCCCCC, tRCD = tRP = 16 ns. No refreshes, no limits on activations.
inline engine::Experiment channelOfRows() {
    using namespace engine::literals;
    engine::Experiment experiment;
    experiment.detail.channels = 1;
    experiment.detail.granule = 64_B;
    experiment.memory.model = engine::DramModel::banks;
    experiment.memory.bandwidth = 32_GBps;
    engine::DramConfig& dram = experiment.dram;
    dram.pseudoChannels = 1;
    dram.burst = 64_B;
    dram.row = 2_KiB;
    dram.activate = 16_ns;
    dram.precharge = 16_ns;
    dram.refreshTime = {};
    experiment.address.mapping = "BBGGCCCCC";
    return experiment;
}

}  // namespace tests
