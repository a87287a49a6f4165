// Measures a store of 100,000 results, as after weeks of sweeps: opening it, reading the catalogue of all its runs, and
// keeping a thousand more points, in batches as a sweep does.
//
//   cmake --preset release -DRINGSIDE_BENCHMARKS=ON
//   cmake --build --preset release --target bench_store
//   build/release/tests/bin/bench_store
//
// Target: opening at most 0.5 s, the catalogue about as much, and a thousand points of a sweep in at most 3 % of the
// 8 s that simulating them may take.

#include "data/experiment/experiment_document.h"
#include "data/laboratory/laboratory.h"
#include "data/store/run_catalogue.h"
#include "data/store/store.h"
#include "data/sweep/sweep_store.h"
#include "engine/api/runner.h"

#include <benchmark/benchmark.h>

#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

namespace {

constexpr std::int64_t kRuns = 100'000;
constexpr std::size_t kBatch = 50;
constexpr std::size_t kPoints = 1000;

/// Returns the result of a run that is simulated once. Points have copies of it with a few changed values.
const engine::RunResult& simulated() {
    static const engine::RunResult kResult = [] {
        data::ExperimentDraft draft = data::draftNamed("t-nlg/fc-2/tp8").draft;
        draft.explicitValues["detail.level"] = std::string("interactive");
        return data::Laboratory().run(draft).result;
    }();
    return kResult;
}

struct Point {
    explicit Point(std::int64_t number) : result(simulated()) {
        data::ExperimentDraft draft = data::draftNamed("t-nlg/fc-2/tp8").draft;
        draft.explicitValues["detail.level"] = std::string("interactive");
        draft.explicitValues["link.bandwidth"] = std::int64_t{50'000'000'000} + number;
        draft.explicitValues["dma.block_tiles"] = 1 + number % 8;
        draft.explicitValues["policy.preset"] = std::string(number % 2 == 0 ? "t3-mca" : "sequential");
        text = data::writeDraft(draft);
        name = data::displayName(draft);
        experiment = data::expand(draft).experiment;
        hash = data::experimentHash(experiment);
        result.last.time.total.ps += number * 1000;
        result.wallNs += number;
    }
    data::EndedPoint ended() const { return {name, text, hash, &experiment, &result, {}}; }

    engine::RunResult result;
    engine::Experiment experiment;
    std::string text, name, hash;
};

void keep(data::Store& store, const std::vector<Point>& points, std::size_t batch) {
    data::SweepStore sweeps(store);
    for (std::size_t from = 0; from < points.size(); from += batch) {
        std::vector<data::EndedPoint> ended;
        for (std::size_t i = from; i < std::min(from + batch, points.size()); ++i)
            ended.push_back(points[i].ended());
        sweeps.keepPoints(ended);
    }
}

std::vector<Point> pointsFrom(std::int64_t first, std::size_t count) {
    std::vector<Point> points;
    points.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        points.emplace_back(first + static_cast<std::int64_t>(i));
    return points;
}

/// A store that is made once for all benchmarks and removed at the end.
class FullStore {
public:
    FullStore() {
        std::filesystem::create_directories(m_folder);
        data::Store store(path());
        constexpr std::size_t kAtOnce = 1000;
        for (std::int64_t first = 0; first < kRuns; first += kAtOnce)
            keep(store, pointsFrom(first, kAtOnce), kAtOnce);
    }
    ~FullStore() {
        std::error_code error;
        std::filesystem::remove_all(m_folder, error);
    }
    FullStore(const FullStore&) = delete;
    FullStore& operator=(const FullStore&) = delete;
    std::string path() const { return m_folder / "full.ringside"; }
    std::string another() const { return m_folder / "another.ringside"; }
    double megabytes() const { return static_cast<double>(std::filesystem::file_size(path())) / 1e6; }

private:
    std::filesystem::path m_folder =
        std::filesystem::temp_directory_path() / ("bench_store-" + std::to_string(getpid()));
};

const FullStore& fullStore() {
    static const FullStore kStore;
    return kStore;
}

void openStore(benchmark::State& state) {
    const std::string path = fullStore().path();
    for ([[maybe_unused]] auto iteration : state) {
        const data::Store store(path);
        benchmark::DoNotOptimize(data::RunCatalogue(const_cast<data::Store&>(store)).count());
    }
    state.counters["file MB"] = fullStore().megabytes();
}

void readCatalogue(benchmark::State& state) {
    data::Store store(fullStore().path(), data::Store::Mode::readOnly);
    const data::RunCatalogue catalogue(store);
    const data::CatalogueQuery query{
        {"link.bandwidth", "dma.block_tiles", "policy.preset", "time_ps.total", "time_ps.gemm", "dram_bytes.total"}};
    for ([[maybe_unused]] auto iteration : state)
        benchmark::DoNotOptimize(catalogue.rows(query));
}

void keepThousandPoints(benchmark::State& state) {
    const std::vector<Point> points = pointsFrom(0, kPoints);
    const std::string path = fullStore().another();
    for ([[maybe_unused]] auto iteration : state) {
        state.PauseTiming();
        std::filesystem::remove(path);
        {
            data::Store store(path);
            state.ResumeTiming();
            keep(store, points, kBatch);
            state.PauseTiming();
        }
        state.ResumeTiming();
    }
}

}  // namespace

BENCHMARK(openStore)->Unit(benchmark::kMillisecond);
BENCHMARK(readCatalogue)->Unit(benchmark::kMillisecond);
BENCHMARK(keepThousandPoints)->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
