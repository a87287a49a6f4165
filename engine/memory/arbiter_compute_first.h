#pragma once

#include "engine/memory/arbiter_mca.h"

namespace engine {

/// MCA without threshold and without starvation limit: communication is served only when no compute waits.
class ArbiterComputeFirst : public ArbitrationRule {
public:
    static constexpr std::string_view kPromise = ArbiterMca::kPromise;  // its limit never passes

    explicit ArbiterComputeFirst(const Experiment&) {}

    const MemoryRequest* pick(const ArbiterView& view, TimePoint) {
        return view.compute ? view.compute : view.communication;
    }

    bool breaksPromise(const MemoryRequest* choice, const ArbiterView& view, TimePoint) {
        return choice == view.communication && view.compute;
    }
};

}  // namespace engine
