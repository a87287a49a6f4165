#pragma once

#include "engine/api/experiment.h"
#include "engine/api/runner.h"

#include <string>
#include <vector>

namespace tests {

/// A case of the published evaluation; see MODEL.md.
struct PublishedCase {
    std::string name;
    engine::SubLayer sublayer{};
    std::int64_t hidden = 0;
    std::int64_t batch = 0;
    std::int64_t tp = 0;
    std::int64_t kMultiple = 0;  ///< K = kMultiple * H / TP
};

/// Returns the 16 cases of the published figures: Mega-GPT-2 and T-NLG, TP 8 and 16, four sub-layers each.
inline std::vector<PublishedCase> publishedCases() {
    using engine::SubLayer;
    struct Model {
        const char* name;
        std::int64_t hidden, batch;
    };
    struct Part {
        const char* name;
        SubLayer sublayer;
        std::int64_t kMultiple;
    };
    std::vector<PublishedCase> cases;
    for (const Model& model : {Model{"mega-gpt-2", 3072, 16}, Model{"t-nlg", 4256, 8}})
        for (const std::int64_t tp : {8, 16})
            for (const Part& part : {Part{"op", SubLayer::op, 1}, Part{"fc-2", SubLayer::fc2, 4},
                                     Part{"fc-1", SubLayer::fc1, 4}, Part{"ip", SubLayer::ip, 3}})
                cases.push_back({std::string(model.name) + "/" + part.name + "/tp" + std::to_string(tp), part.sublayer,
                                 model.hidden, model.batch, tp, part.kMultiple});
    return cases;
}

inline engine::Experiment experimentOf(const PublishedCase& published, engine::PolicyPreset policy,
                                       engine::DetailLevel level = engine::DetailLevel::standard) {
    engine::Experiment experiment;
    experiment.workload.model = published.name.substr(0, published.name.find('/'));
    experiment.workload.sublayer = published.sublayer;
    experiment.workload.hidden = published.hidden;
    experiment.workload.sequence = 1024;
    experiment.workload.batch = published.batch;
    experiment.parallel.tp = published.tp;
    engine::applyPolicyPreset(experiment, policy);
    engine::applyDetailLevel(experiment, level);
    return experiment;
}

/// Returns T-NLG's FC-2 on 8 GPUs, the case for which targets of speed are given.
inline engine::Experiment tNlgFc2(engine::PolicyPreset policy,
                                  engine::DetailLevel level = engine::DetailLevel::standard) {
    return experimentOf({"t-nlg/fc-2/tp8", engine::SubLayer::fc2, 4256, 8, 8, 4}, policy, level);
}

/// Returns a GEMM of 2048 x 512 x 512/N on `tp` GPUs: 32 tiles, simulated in a millisecond.
inline engine::Experiment smallExperiment(engine::PolicyPreset policy, std::int64_t tp = 4) {
    engine::Experiment experiment;
    experiment.workload.model = "small";
    experiment.workload.sublayer = engine::SubLayer::fc2;
    experiment.workload.hidden = 512;
    experiment.workload.sequence = 1024;
    experiment.workload.batch = 2;
    experiment.parallel.tp = tp;
    engine::applyPolicyPreset(experiment, policy);
    engine::applyDetailLevel(experiment, engine::DetailLevel::standard);
    return experiment;
}

/// Runs the experiment under its policy only, without the baselines that a ratio needs.
inline engine::RunResult runAlone(const engine::Experiment& experiment, int threads = 1) {
    engine::RunOptions options;
    options.baselines = false;
    options.threads = threads;
    return engine::run(experiment, options);
}

/// Returns a model of which only the number of weights is known, on one GPU of a tensor-parallel group.
inline engine::Experiment bareModel(std::int64_t weights, std::int64_t replicas, engine::Sharding sharding) {
    engine::Experiment experiment;
    experiment.parallel.tp = 1;
    experiment.division.weights = weights;
    experiment.division.dp = replicas;
    experiment.division.sharding = sharding;
    return experiment;
}

/// Returns a GEMM alone on a small GPU, so that few tiles make many waves.
inline engine::Experiment gemmOnSmallGpu(std::int64_t m, std::int64_t n, std::int64_t k) {
    engine::Experiment e;
    e.workload.sublayer = engine::SubLayer::gemm;
    e.matrix = {m, n, k};
    e.cu.count = 8;
    e.memory.bandwidth = {100'000'000'000};
    e.llc.size = engine::Bytes{2 * 1024 * 1024};
    applyPolicyPreset(e, engine::PolicyPreset::sequential);
    applyDetailLevel(e, engine::DetailLevel::interactive);
    return e;
}

}  // namespace tests
