// Gives any bytes to the reader of sweeps. It must return a list of problems, or a sweep whose points can be counted,
// planned, written and read again. Nothing is simulated.
//
// The target is a function in the form of libFuzzer, which drives it in a build with clang and RINGSIDE_FUZZ. Otherwise
// replay.cpp drives it.

#include "data/model/model_point.h"
#include "data/sweep/sweep_document.h"
#include "data/sweep/sweep_plan.h"
#include "tests/fuzz/checks.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace fuzz::sweep {

constexpr std::size_t kFewPoints = 200;  // sweeps with at most this many points are planned
constexpr std::size_t kFewValues = 20'000;

std::size_t valuesIn(const data::Sweep& sweep) {
    std::size_t count = 0;
    for (const data::SweepAxis& axis : sweep.axes)
        count += axis.size() * axis.columns.size();
    return count;
}

void checkPlan(const data::Sweep& sweep, const std::string& text) {
    const data::SweepPlan plan = data::planOf(sweep);
    require(plan.points.size() == data::pointCount(sweep), "every point is planned", text);
    for (const data::SweepPoint& point : plan.points) {
        const data::PointDetails details = plan.details(point);
        const data::Expansion expansion =
            data::isOfModels(sweep.of) ? data::expandModelPoint(details.draft, sweep.of) : data::expand(details.draft);
        require(sweep.projectFrom || point.problem.empty() == expansion.runnable(),
                "a point that cannot be run says why", text);
        require(!sweep.projectFrom || !point.problem.empty() || expansion.runnable(),
                "a point that is projected can be simulated as well", text);
        require(details.experiment == expansion.experiment, "a point is the experiment of its draft", text);
        require(point.hash.size() == 64, "every point has a hash", text);
    }
    require(data::planOf(sweep, {0, 3}).points.size() == (plan.points.size() + 2) / 3, "a shard is every third", text);
}

RINGSIDE_FUZZ_TARGET(fuzz_sweep)(const std::uint8_t* bytes, std::size_t size) {
    const data::SweepReading reading =
        data::readSweep(std::string_view(reinterpret_cast<const char*>(bytes), size), "input");
    checkMessages(reading.problems);
    if (!reading.problems.empty())
        return 0;

    const data::Sweep& sweep = reading.sweep;
    const std::size_t points = data::pointCount(sweep);
    require(points >= 1 && points <= data::kMostPoints, "an accepted sweep has points, and not too many", "");
    if (valuesIn(sweep) > kFewValues)
        return 0;
    const std::string kept = data::writeSweep(sweep);
    require(data::check(sweep).empty(), "what is read is what check allows", kept);
    const data::SweepReading again = data::readSweep(kept, "kept");
    require(again.problems.empty() && again.sweep == sweep, "a kept sweep is the same sweep", kept);
    require(data::sweepId(again.sweep) == data::sweepId(sweep), "and has the same id", kept);
    if (points <= kFewPoints)
        checkPlan(sweep, kept);
    return 0;
}

}  // namespace fuzz::sweep
