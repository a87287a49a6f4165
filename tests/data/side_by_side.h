#pragma once

#include "data/questions/reserve_advice.h"
#include "engine/api/experiment.h"
#include "engine/api/results.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tests {

/// Computes results by a formula instead of a simulation, for questions about two kernels side by side. The own work
/// takes 1200 ps x C / its CUs, a collective 9600 ps / its workgroups, of which 32 fill the link. Side by side, each
/// takes 1.5 times as long.
struct FormulaMachine {
    static constexpr std::int64_t kOwn = 1200, kCollective = 9600, kFull = 32;

    std::vector<engine::Experiment> asked{};
    std::vector<bool> withBaselines{};
    std::string failing{};  ///< the rule of dispatch under which the run ends in a deadlock
    bool stops = false;
    std::int64_t inSwitch =
        0;  ///< the time of a companion alone whose packets a switch adds or copies; 0: as any other

    static std::int64_t ownPs(const engine::Experiment& e) {
        const std::int64_t reserved = e.dispatch.rule == engine::DispatchRule::reserved ? engine::reservedCus(e) : 0;
        return kOwn * e.cu.count / (e.cu.count - reserved);
    }
    static std::int64_t collectivePs(std::int64_t workgroups) { return kCollective / std::min(workgroups, kFull); }

    engine::RunResult resultOf(const engine::Experiment& e) const {
        engine::RunResult result;
        if (engine::isCollectiveAlone(e.workload.sublayer)) {
            result.last.time.total = {collectivePs(engine::collectiveCus(e))};
        } else if (!engine::hasCompanion(e)) {
            result.last.time.total = {ownPs(e)};
        } else {
            engine::CompanionResult& both = result.companion.emplace();
            const std::int64_t alone =
                inSwitch > 0 && engine::addsInSwitch(e) ? inSwitch : collectivePs(e.companion.workgroups);
            both.operation = e.companion.operation;
            both.by = e.companion.by;
            both.own = {ownPs(e) * 3 / 2};
            both.time = {alone * 3 / 2};
            both.ownAlone = engine::Duration{kOwn};
            both.alone = engine::Duration{alone};
            both.serial = engine::Duration{kOwn + alone};
            result.last.time.total = std::max(both.own, both.time);
            both.ownSlowdown = static_cast<double>(both.own.ps) / static_cast<double>(kOwn);
            both.slowdown = 1.5;
            both.speedupOverSerial =
                static_cast<double>(both.serial->ps) / static_cast<double>(result.last.time.total.ps);
            both.idealSpeedup = static_cast<double>(both.serial->ps) / static_cast<double>(std::max(kOwn, alone));
            both.fractionOfIdeal = (*both.speedupOverSerial - 1) / (*both.idealSpeedup - 1);
            result.notices.push_back({"companion.operation", "by formula"});
        }
        return result;
    }

    /// Returns a function that runs experiments on this machine. It holds a reference to this object.
    data::ManyRuns runs() {
        return [this](std::span<const engine::Experiment> experiments, const engine::RunManyOptions& options) {
            std::vector<engine::RunOutcome> outcomes(experiments.size());
            for (std::size_t i = 0; i < experiments.size(); ++i) {
                const engine::Experiment& experiment = experiments[i];
                asked.push_back(experiment);
                withBaselines.push_back(options.each.baselines);
                outcomes[i].stopped = stops;
                if (!stops && experiment.dispatch.rule == engine::DispatchRule::roundRobin && failing == "round-robin")
                    outcomes[i].failure = "nobody can go on";
                else if (!stops)
                    outcomes[i].result = resultOf(experiment);
                if (options.progress)
                    options.progress(i, 0.5);
                if (options.finished)
                    options.finished(i, outcomes[i], i + 1);
            }
            return outcomes;
        };
    }
};

}  // namespace tests
