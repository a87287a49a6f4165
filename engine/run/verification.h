#pragma once

#include "engine/api/runner.h"

#include <functional>
#include <string>
#include <vector>

namespace engine {

/// Every invariant that concerns one experiment, by running it as often as that takes: as it is, with a trace, with a
/// ledger of contributions, on other thread counts, and in the limits where a closed form is known. A check is left out
/// where what it presumes does not hold.
class Verification {
public:
    /// Precondition: the experiment is valid.
    Verification(const Experiment& experiment, const RunOptions& options);

    std::vector<Check> run();

private:
    void checkOwnRun();
    void checkContributions();
    void checkExclusivity();
    void checkDeterminism();
    bool gpusDoTheSame() const;
    void checkLimits();
    void checkCollectiveLimit(const char* name, SubLayer collective, Bytes bytes, std::int64_t gpus);
    Duration firstGemmEnd(const Experiment& sequential) const;
    void checkBaselineIsolation();
    void checkInfiniteCache();

    void add(const char* group, std::string name, bool held, std::string evidence);
    void done();

    Experiment m_experiment;
    RunOptions m_options;
    RunOptions m_quiet;  // the same without progress, trace and baselines
    std::vector<Check> m_checks;
    int m_stages = 0;
};

}  // namespace engine
