#include "data/results/companion_slowdown.h"

namespace data {
namespace {

BesideTime besideTimeOf(engine::Duration end, const std::optional<engine::Duration>& waits,
                        const std::optional<engine::Duration>& alone) {
    BesideTime time{waits.value_or(engine::Duration{}), std::nullopt};
    if (alone && alone->ps > 0)
        time.slowdown = static_cast<double>((end - time.waits).ps) / static_cast<double>(alone->ps);
    return time;
}

}  // namespace

BesideTime ownBeside(const engine::CompanionResult& result) {
    return besideTimeOf(result.own, result.ownWaits, result.ownAlone);
}

BesideTime companionBeside(const engine::CompanionResult& result) {
    return besideTimeOf(result.time, result.waits, result.alone);
}

}  // namespace data
