#include "engine/run/tile_trials.h"

#include "engine/api/gemm.h"
#include "engine/run/baseline_key.h"
#include "engine/run/gemm_run.h"
#include "engine/run/shared_parts.h"
#include "engine/run/simulation.h"
#include "engine/workload/gemm_shape.h"
#include "engine/workload/tile_choice.h"

#include <algorithm>
#include <utility>

namespace engine {
namespace {

// About 3 MB of keys, and enough entries for a saw-tooth of some hundred points.
constexpr std::size_t kMostKept = 2048;

SharedParts<WaveTimes>& keptWaves() {
    static SharedParts<WaveTimes> kept(kMostKept, [](const WaveTimes&) { return std::size_t{1}; });
    return kept;
}

/// Returns the experiment of the own GEMM alone, on the CUs that take its workgroups, with its output padded to whole
/// tiles.
Experiment ownGemmAlone(const Experiment& experiment) {
    const auto filledUp = [](std::int64_t side, std::int64_t tile) { return (side + tile - 1) / tile * tile; };
    Experiment machine = experiment;
    machine.cu.count -= reservedCus(experiment);
    machine.tiles.padding = TilePadding::real;
    GemmSize size = gemmShapeOf(experiment);
    size.m = filledUp(size.m, experiment.gemm.tileM);
    size.n = filledUp(size.n, experiment.gemm.tileN);
    return gemmAlone(machine, size);
}

/// Returns the cache key of the simulation of the first waves: all that it reads, as text.
std::string keyOfWaves(const Experiment& gemmAlone) {
    const FirstWaves first = firstWavesOf(gemmAlone);
    Experiment read = gemmAlone;
    read.matrix = {first.touched.m, first.touched.n, first.touched.sliceOfK(), first.touched.partsOfK};
    read.link = {};
    return sequentialKey(read, true) + (first.rowsAreOuter ? "/rows/" : "/columns/") + std::to_string(first.workgroups);
}

Duration trialTime(const Experiment& gemmAlone, const std::stop_token& stop,
                   const std::function<void(double)>& progress) {
    const auto waves =
        keptWaves().of(keyOfWaves(gemmAlone), stop, [&] { return simulateWaves(gemmAlone, stop, progress); });
    return estimatedTime(gemmAlone, *waves);
}

/// Returns the experiment of the own GEMM and of the companion's GEMMs without collectives: a GEMM alone keeps its
/// policy.
Experiment gemmsSideBySide(const Experiment& experiment) {
    if (experiment.workload.sublayer == SubLayer::gemm)
        return experiment;
    Experiment both = gemmAlone(experiment, gemmShapeOf(experiment));
    both.companion = experiment.companion;
    both.dispatch = experiment.dispatch;
    return both;
}

Duration timeSideBySide(const Experiment& experiment, const std::stop_token& stop,
                        const std::function<void(double)>& progress) {
    const Experiment both = gemmsSideBySide(experiment);
    const Plan plan(both);
    Simulation simulation(both, plan, {.collectives = false});
    simulation.run(1, stop, progress);
    return simulation.longestTotal();
}

}  // namespace

std::vector<Tile> candidateTiles(const Experiment& experiment) {
    std::vector<Tile> tiles = fittingTiles(gemmShapeOf(experiment));
    std::erase_if(tiles, [&](const Tile& tile) {
        const Problems problems = validate(withTile(experiment, tile));
        return std::any_of(problems.begin(), problems.end(), [](const Problem& problem) {
            return problem.path != "matrix.k";  // a K shorter than a K-step is not a problem of the tile
        });
    });
    return tiles;
}

WaveTimes simulateWaves(const Experiment& gemmAlone, const std::stop_token& stop,
                        const std::function<void(double)>& progress) {
    const Plan plan(gemmAlone);
    Simulation simulation(
        gemmAlone, plan,
        {.collectives = false, .workgroups = static_cast<std::uint32_t>(firstWavesOf(gemmAlone).workgroups)});
    simulation.run(1, stop, progress);
    const ComputeUnits::StoredAt stored = simulation.storedAt();
    return {stored.firstWave - TimePoint{}, stored.all - TimePoint{}, simulation.facts().gpus.front().result.time.gemm};
}

Duration estimatedTime(const Experiment& gemmAlone, const WaveTimes& waves) {
    const WaveCount count = waveCountOf(gemmAlone);
    const std::int64_t full = count.tiles / count.slots, left = count.tiles % count.slots;
    if (count.waves <= 2)
        return waves.end;
    const Duration wave = waves.both - waves.first;
    const std::int64_t onCu = count.slots / gemmAlone.cu.count;
    const std::int64_t leftOnCu = std::min(left, onCu);  // on the CU that is free first
    return waves.end + wave * (full - 2) + Duration{wave.ps * leftOnCu / onCu};
}

std::vector<TileTrial> tileTrials(const Experiment& experiment, const std::stop_token& stop,
                                  const std::function<void(double)>& progress) {
    const std::vector<Tile> tiles = candidateTiles(experiment);
    std::vector<TileTrial> trials;
    std::function<void(double)> ofTrial;
    if (progress)
        ofTrial = [&](double done) {
            progress((static_cast<double>(trials.size()) + done) / static_cast<double>(tiles.size()));
        };
    const bool isShared = experiment.tiles.choice == TileChoice::shared;
    for (const Tile& tile : tiles) {
        const Experiment with = withTile(experiment, tile);
        trials.push_back(
            {tile, isShared ? timeSideBySide(with, stop, ofTrial) : trialTime(ownGemmAlone(with), stop, ofTrial)});
    }
    // The tiles are already sorted by size.
    std::stable_sort(trials.begin(), trials.end(),
                     [](const TileTrial& a, const TileTrial& b) { return a.time < b.time; });
    return trials;
}

std::size_t simulatedWaves() { return keptWaves().counts().simulated; }

std::vector<TileTrial> tileTrialsOf(const Experiment& experiment, std::stop_token stop) {
    return tileTrials(experiment, stop, {});
}

Experiment withChosenTile(const Experiment& experiment, std::stop_token stop) {
    if (!choosesTile(experiment))
        return experiment;
    return withTile(experiment, tileTrialsOf(experiment, std::move(stop)).front().tile);
}

}  // namespace engine
