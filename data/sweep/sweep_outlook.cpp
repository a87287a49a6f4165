#include "data/laboratory/work_progress.h"
#include "data/store/store.h"
#include "data/sweep/sweep_runner.h"
#include "data/sweep/sweep_store.h"
#include "data/sweep/sweep_work.h"
#include "engine/api/baselines.h"
#include "engine/api/expected_work.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <thread>

namespace data {
namespace {

constexpr std::chrono::milliseconds kProbing{100};  // all probes together

/// The points of a plan that a store has, and its damaged runs.
struct Found {
    std::unordered_map<std::string, KeptPoint> known;
    OtherEngines others;
    std::vector<DamagedRun> damaged;
};

Found foundAt(const SweepPlan& plan, const std::string& path, const std::stop_token& stop) {
    std::error_code error;
    if (!std::filesystem::exists(path, error) || std::filesystem::file_size(path, error) == 0)
        return {};
    Store store(path);
    const SweepStore sweeps(store);
    Found found{sweeps.known(plan, stop), sweeps.ofOtherEngines(plan, stop), {}};
    found.damaged = store.takeDamaged();
    return found;
}

/// Measures the pace with three of the points to run: the middle one of each third, by size.
RunPace paceOfTasks(const SweepPlan& plan, const SweepWork& work) {
    std::vector<const SweepTask*> tasks;
    for (const SweepTask& task : work.tasks)
        if (task.events > 0)
            tasks.push_back(&task);
    if (tasks.empty() || isOfModels(plan.sweep.of))
        return {};
    std::stable_sort(tasks.begin(), tasks.end(),
                     [](const SweepTask* a, const SweepTask* b) { return a->events < b->events; });
    const auto experimentOf = [&](const SweepTask& task) {
        return plan.details(plan.points[task.points.front()]).experiment;
    };
    // One run that does not count: after planning a million points it waits a third of a second for the memory
    // allocator.
    paceOf(experimentOf(*tasks.front()), tasks.front()->events, PaceClock::now());
    const PaceClock::time_point begin = PaceClock::now();
    RunPace all;
    constexpr std::array<std::size_t, 3> kSixths{1, 3, 5};
    for (std::size_t i = 0; i < kSixths.size(); ++i) {
        const SweepTask& task = *tasks[tasks.size() * kSixths[i] / 6];
        all.add(paceOf(experimentOf(task), task.events, begin + kProbing * (i + 1) / kSixths.size()));
    }
    return all;
}

double eventsOf(const SweepPlan& plan, const SweepWork& work, const PlanningOptions& options) {
    if (isOfModels(plan.sweep.of)) {
        double events = SweepClock::kEventsOfAnyRun * static_cast<double>(work.tasks.size());
        for (const SweepTask& task : work.tasks)
            events += task.events;
        return events;
    }
    engine::ExpectedWork expected;
    for (std::size_t i = 0; i < work.tasks.size(); ++i) {
        options.reached(i, work.tasks.size());
        expected.add(plan.details(plan.points[work.tasks[i].points.front()]).experiment);
    }
    return expected.events() + SweepClock::kEventsOfAnyRun * static_cast<double>(work.tasks.size());
}

}  // namespace

SweepOutlook outlookOf(const SweepPlan& plan, const std::string& storePath, int threads,
                       const PlanningOptions& options) {
    Found found = foundAt(plan, storePath, options.stop);
    const SweepWork work = workOf(plan, found.known, false);
    SweepOutlook outlook;
    outlook.damaged = std::move(found.damaged);
    outlook.others = std::move(found.others);
    outlook.points = plan.points.size();
    outlook.kept = work.kept;
    outlook.failed = work.failed;
    outlook.unusable = work.unusable.size();
    outlook.toRun = work.tasks.size();
    if (work.tasks.empty())
        return outlook;
    const double events = eventsOf(plan, work, options);
    const double side = std::min<double>({static_cast<double>(std::max(1, threads)),
                                          static_cast<double>(std::max(1U, std::thread::hardware_concurrency())),
                                          static_cast<double>(work.tasks.size())});
    outlook.estimate = paceOfTasks(plan, work).timeOf(events / side);
    return outlook;
}

}  // namespace data
