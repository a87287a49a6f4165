#pragma once

#include "data/experiment/experiment_document.h"
#include "engine/api/problem.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace data {

/// A moment of a run as it is to be seen: by a lesson's step, by a link text. What is absent stays as it is.
struct Scene {
    /// A time, or a share of the run, which holds for any experiment.
    struct Moment {
        std::int64_t ps = 0;
        double share = 0;  ///< 0 to 1; only where `relative`
        bool relative = false;
        bool operator==(const Moment&) const = default;
    };
    /// One span as a reader points at it, by what it is, so that another version of the trace finds it again.
    struct Selection {
        std::uint32_t gpu = 0;
        std::string lane;         ///< engine::name(LaneKind)
        std::uint32_t index = 0;  ///< of the lane among those of its kind
        std::int64_t startPs = 0;
        bool operator==(const Selection&) const = default;
    };

    std::optional<ExperimentDraft> draft;
    std::string view;  ///< "explore", "timeline", "compare"; empty: as it is
    std::optional<Moment> moment;
    std::optional<Moment> from, to;      ///< what is in sight, both or none
    std::optional<std::uint32_t> chunk;  ///< that is followed
    std::optional<Selection> selection;
    bool operator==(const Scene&) const = default;
};

}  // namespace data
