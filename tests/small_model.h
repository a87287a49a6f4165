#pragma once

#include "engine/api/experiment.h"

namespace tests {

/// Returns a model that is simulated in milliseconds: 2048 tokens, H = 512, on 4 GPUs. With `attention` its parts can
/// be separate operators, so that every operator class has operators.
inline engine::Experiment smallModel(engine::AttentionOperators attention = engine::AttentionOperators::fused) {
    engine::Experiment experiment;
    experiment.workload.model = "small";
    experiment.workload.hidden = 512;
    experiment.workload.sequence = 1024;
    experiment.workload.batch = 2;
    experiment.workload.layers = 3;
    experiment.workload.vocabulary = 4096;
    experiment.parallel.tp = 4;
    experiment.operators.attention = attention;
    engine::applyDetailLevel(experiment, engine::DetailLevel::interactive);
    return experiment;
}

}  // namespace tests
