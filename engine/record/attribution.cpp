#include "engine/api/attribution.h"

namespace engine {

Duration CauseTimes::total() const {
    Duration sum;
    for (const Duration part : by)
        sum += part;
    return sum;
}

std::string_view name(Cause cause) {
    switch (cause) {
    case Cause::compute: return "compute";
    case Cause::latency: return "memory latency";
    case Cause::memory: return "memory bandwidth";
    case Cause::cacheSlices: return "cache slices";
    case Cause::contention: return "memory contention";
    case Cause::collectiveKernel: return "collective kernel";
    case Cause::link: return "link";
    case Cause::trackerDma: return "tracker and DMA";
    case Cause::dependency: return "dependency";
    case Cause::dispatch: return "dispatch";
    case Cause::companion: return "companion";
    }
    return "";
}

std::string_view name(WorkPhase phase) {
    switch (phase) {
    case WorkPhase::gemm: return "GEMM";
    case WorkPhase::reduceScatter: return "reduce-scatter";
    case WorkPhase::allToAll: return "all-to-all";
    case WorkPhase::allGather: return "all-gather";
    case WorkPhase::companion: return "companion";
    case WorkPhase::access: return "access pattern";
    }
    return "";
}

}  // namespace engine
