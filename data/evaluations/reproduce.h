#pragma once

#include "data/evaluations/reference.h"
#include "data/laboratory/broken_invariants.h"
#include "data/presets/presets.h"
#include "data/trace/traffic_profile.h"
#include "engine/api/experiment.h"
#include "engine/api/results.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace data {

/// A published figure beside what the simulation comes to.
struct ReproducedItem {
    PublishedItem published;
    double value = 0;
    double difference = 0;  ///< value/published - 1; for fractions value - published
    bool isFraction = false;
};

/// One sub-layer of the published evaluation.
struct EvaluatedCase {
    std::string model, sublayer;
    std::int64_t tp = 0;
};

/// All of them: two models, TP 8 and 16, four sub-layers.
std::vector<EvaluatedCase> evaluatedCases();

/// One of them under one policy.
struct ReproducedCase {
    std::string model, sublayer, policy;
    std::int64_t tp = 0;
    engine::Experiment experiment;
    double speedup = 1;  ///< over sequential
    engine::TimeResult time;
    std::optional<engine::DramResult> dram;  ///< absent for the ideal bounds
};

struct Reproduction {
    std::vector<ReproducedItem> items;
    std::vector<ReproducedCase> cases;
    BrokenInvariants broken;
    std::vector<TrafficProfile> traffic;  ///< T-NLG FC-2 on 8 GPUs, sequential and T3
};

struct ReproduceOptions {
    std::vector<std::string> items;  ///< ids; empty: all. Unknown ones are the caller's problem: see checkItems
    Settings settings;               ///< explicit values over every case, for calibration and what-if
    int threads = 1;
    std::stop_token stop{};
    std::function<void(double)> progress{};
};

/// Problems of `items` that name no published figure, with the nearest names.
engine::Problems checkItems(const std::vector<std::string>& items);

/// Runs the published evaluation: every case of it under five policies, by case, then policy.
/// Throws engine::InvalidExperiment where `settings` make a case impossible, engine::RunStopped after a stop.
Reproduction reproduce(const ReproduceOptions& options);

/// `reproduce --output json` (cli.md), pretty-printed.
std::string writeReproduction(const Reproduction& reproduction);

}  // namespace data
