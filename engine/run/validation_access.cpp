#include "engine/api/parameters.h"
#include "engine/memory/access_pattern.h"
#include "engine/run/validation_parts.h"
#include "engine/workload/dram_mapping.h"

#include <algorithm>

// Checks the rules between the values of an access pattern.

namespace engine {
namespace {

constexpr std::int64_t kMostStreams = 16;

/// Returns whether the value is a whole number of granules; otherwise adds a problem.
bool isWhole(const char* path, Bytes value, const Experiment& e, Problems& problems) {
    if (value.count % e.detail.granule.count == 0)
        return true;
    problems.push_back(problemAt(path, e,
                                 "not a whole number of granules; allowed: multiples of detail.granule = " +
                                     formatted("detail.granule", e)));
    return false;
}

/// Checks turn, stride and regions of the streams.
void checkRegions(const Experiment& e, Problems& problems) {
    const AccessConfig& access = e.access;
    const Bytes turn = access.turn.value_or(e.detail.granule), stride = access.stride.value_or(turn);
    const bool isStride = access.pattern == AccessPatternKind::stride;
    bool isSound = !access.turn || isWhole("access.turn", turn, e, problems);
    if (isStride && access.stride)
        isSound &= isWhole("access.stride", stride, e, problems);
    isSound &= isWhole("access.footprint", access.footprint, e, problems);
    isSound &= isWhole("access.skew", access.skew, e, problems);
    const Bytes least = isStride ? std::max(turn, stride) : turn;
    if (access.footprint < least) {
        const bool byTurn = least == turn;
        problems.push_back(problemAt("access.footprint", e,
                                     std::string("smaller than ") + (byTurn ? "a turn" : "the stride") +
                                         "; allowed: at least " +
                                         formatValue(*findParameter("access.footprint"), least.count)));
        isSound = false;
    }
    if (isSound && AccessOrder::granulesOf(e) > static_cast<double>(kMostMemoryGranules))
        problems.push_back(problemAt("access.footprint", e,
                                     "the regions of the streams come to " + countText(AccessOrder::granulesOf(e)) +
                                         " granules, allowed are " + std::to_string(kMostMemoryGranules) +
                                         "; choose a smaller access.footprint or access.skew, fewer streams or a "
                                         "larger detail.granule"));
}

void checkStreams(const Experiment& e, Problems& problems) {
    const AccessConfig& access = e.access;
    const std::int64_t streams = access.reads + access.writes + access.updates;
    if (streams < 1 || streams > kMostStreams) {
        std::string text =
            "there are " + std::to_string(streams) + " streams; allowed: access.reads, access.writes and ";
        text += "access.updates together 1 to " + std::to_string(kMostStreams);
        problems.push_back(problemAt("access.reads", e, std::move(text)));
        return;
    }
    if (access.communication > streams)
        problems.push_back(
            problemAt("access.communication", e, "more than the streams; allowed: 0 to " + std::to_string(streams)));
    checkRegions(e, problems);
}

void checkTrace(const Experiment& e, Problems& problems) {
    constexpr std::size_t kDigestLength = 64;
    const std::string& digest = e.access.trace;
    const bool isDigest = digest.size() == kDigestLength && std::all_of(digest.begin(), digest.end(), [](char c) {
                              return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
                          });
    if (!isDigest)
        problems.push_back(problemAt("access.trace", e,
                                     "access.pattern=trace runs the requests of a file, and this is not the SHA-256 of "
                                     "one; allowed: 64 digits and letters from a to f, as --read-requests sets them"));
}

}  // namespace

void checkAccess(const Experiment& e, Problems& problems) {
    if (hasCompanion(e))
        problems.push_back(problemAt("companion.operation", e,
                                     "an access pattern has the memory for itself; allowed: none, or another "
                                     "workload.sublayer"));
    if (isIdeal(e.policy.preset))
        problems.push_back(problemAt("policy.preset", e,
                                     "a formula over the times of a GEMM and its collective, and an access pattern has "
                                     "neither; allowed: every policy that is simulated"));
    if (e.access.pattern == AccessPatternKind::trace) {
        checkTrace(e, problems);
        return;
    }
    checkStreams(e, problems);
    const double seconds = static_cast<double>(e.access.count) * static_cast<double>(e.detail.granule.count) /
                           (static_cast<double>(e.memory.bandwidth.bytesPerSecond) * e.memory.efficiency);
    if (seconds > kLongestSeconds)
        problems.push_back(problemAt("access.count", e,
                                     "memory would be busy for " + countText(seconds) +
                                         " s of simulated time, allowed are " + countText(kLongestSeconds) +
                                         " s; choose fewer, or a higher memory.bandwidth"));
}

}  // namespace engine
