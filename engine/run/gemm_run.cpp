#include "engine/run/gemm_run.h"

#include "engine/api/tile_choice.h"
#include "engine/kernel/rate.h"
#include "engine/kernel/thread_pool.h"
#include "engine/run/baseline_key.h"
#include "engine/run/simulation.h"
#include "engine/workload/gemm_shape.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <string>

namespace engine {

namespace {

std::string sidesOf(const GemmSize& size) {
    return std::to_string(size.m) + " x " + std::to_string(size.n) + " x " + std::to_string(size.k);
}

Problems sizeProblems(const GemmSize& size) {
    constexpr std::int64_t kLongestSide = std::int64_t{1} << 31;
    if (size.m < 1 || size.n < 1 || size.k < 1 || std::max({size.m, size.n, size.k}) > kLongestSide)
        return {
            {"gemm", sidesOf(size), "not a size of a GEMM; allowed: sides from 1 to " + std::to_string(kLongestSide)}};
    if (size.partsOfK < 1 || size.partsOfK > size.k)
        return {{"gemm", std::to_string(size.partsOfK) + " parts",
                 "K cannot be split into so many parts; allowed: 1 to " + std::to_string(size.k) + " parts"}};
    return {};
}

void requireRunnable(const Experiment& machine, const GemmSize& size) {
    Problems problems = gemmProblems(machine, size);
    for (Problem& problem : problems)
        problem.text = "for a GEMM of " + sidesOf(size) + ": " + problem.text;
    if (!problems.empty())
        throw InvalidExperiment(std::move(problems));
}

Duration boundOf(const Experiment& machine, const GemmSize& size) {
    const std::int64_t peak = machine.cu.count * peakFlopsOfCu(machine);
    return std::max(
        timeAtRate(2 * size.m * size.n * size.k, peak),
        timeAtRate(compulsoryBytes(size, elementBytes(machine)).count, machine.memory.bandwidth.bytesPerSecond));
}

}  // namespace

Experiment gemmAlone(const Experiment& machine, const GemmSize& size) {
    Experiment experiment = sequentialOf(machine);
    experiment.variation = {};
    experiment.topology = {};
    experiment.collective = {};
    experiment.parallel = {};
    experiment.detail.mode = DetailMode::automatic;
    experiment.workload = {};
    experiment.workload.sublayer = SubLayer::gemm;
    experiment.matrix = {size.m, size.n, size.sliceOfK(), size.partsOfK};
    if (experiment.tiles.padding == TilePadding::automatic)
        experiment.tiles.padding = TilePadding::real;
    return experiment;
}

Problems gemmProblems(const Experiment& machine, const GemmSize& size) {
    Problems problems = sizeProblems(size);
    if (!problems.empty())
        return problems;
    problems = validate(gemmAlone(machine, size));
    // A model has GEMMs that are shorter than a K-step, which is cut off then.
    std::erase_if(problems, [](const Problem& problem) { return problem.path == "matrix.k"; });
    return problems;
}

GemmOutcome runGemm(const Experiment& machine, const GemmSize& size, const RunOptions& options) {
    requireRunnable(machine, size);
    Experiment experiment = gemmAlone(machine, size);
    experiment = withChosenTile(experiment, options.stop);
    const Plan plan(experiment);
    Simulation simulation(experiment, plan, {.collectives = false});
    simulation.run(1, options.stop, options.progress);
    const GpuResult result = simulation.facts().gpus.front().result;
    GemmOutcome outcome;
    outcome.time = result.time.gemm;
    outcome.read = result.dram->gemmRead;
    outcome.written = result.dram->gemmWrite;
    outcome.bound = boundOf(experiment, size);
    outcome.flops = 2.0 * static_cast<double>(size.m) * static_cast<double>(size.n) * static_cast<double>(size.k);
    outcome.events = simulation.events();
    return outcome;
}

void runGemms(const Experiment& machine, std::span<const GemmSize> sizes, const GemmsOptions& options) {
    std::atomic<std::size_t> next = 0;
    std::mutex reporting;
    const auto work = [&](std::size_t) {
        try {
            for (std::size_t i = next++; i < sizes.size(); i = next++) {
                RunOptions each;
                each.stop = options.stop;
                if (options.progress) {
                    each.progress = [&, i](double fraction) {
                        const std::lock_guard lock(reporting);
                        options.progress(i, fraction);
                    };
                }
                const GemmOutcome outcome = runGemm(machine, sizes[i], each);
                const std::lock_guard lock(reporting);
                if (options.finished)
                    options.finished(i, outcome);
            }
        } catch (...) {
            next = sizes.size();
            throw;
        }
    };
    ThreadPool pool(options.threads);
    pool.forEach(std::min(static_cast<std::size_t>(pool.threads()), sizes.size()), work);
}

}  // namespace engine
