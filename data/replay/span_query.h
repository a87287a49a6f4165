#pragma once

#include "engine/api/trace.h"

#include <cstdint>
#include <optional>

namespace data {

/// What to look for in a run: everything that is given must hold; of kinds one.
struct SpanQuery {
    std::optional<std::uint32_t> gpu, tile, chunk, block;
    std::optional<std::uint32_t> wave;  ///< counted from 1
    std::uint32_t kinds = 0;            ///< bits by SpanKind; 0: any
    std::optional<std::int64_t> longerPs, shorterPs;

    bool allows(engine::SpanKind kind) const {
        return kinds == 0 || ((kinds >> static_cast<unsigned>(kind)) & 1u) != 0;
    }
    bool operator==(const SpanQuery&) const = default;
};

}  // namespace data
