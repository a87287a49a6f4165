#include "data/laboratory/broken_invariants.h"

#include "data/laboratory/laboratory.h"
#include "engine/api/parameters.h"

namespace data {

void BrokenInvariants::add(const engine::Experiment& experiment, const engine::InvariantsResult& invariants) {
    if (invariants.failed.empty())
        return;
    ++runs;
    const std::string run = caseName(experiment) + " " + std::string(engine::name(experiment.policy.preset));
    for (const std::string& failed : invariants.failed) {
        if (shown.size() < kMostShown)
            shown.push_back(run + ": " + failed);
    }
}

void BrokenInvariants::add(const BrokenInvariants& others) {
    runs += others.runs;
    for (const std::string& line : others.shown) {
        if (shown.size() < kMostShown)
            shown.push_back(line);
    }
}

}  // namespace data
