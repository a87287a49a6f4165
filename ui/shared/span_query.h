#pragma once

#include "engine/api/trace.h"

#include <QString>

#include <cstdint>
#include <optional>

namespace ui {

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

struct SpanQueryReading {
    std::optional<SpanQuery> query;
    QString problem;  ///< what was not understood and what can be; empty with a query, and for no words at all
};

/// "tile 312", "chunk 5 trigger", "wave 3", "dma > 2 us gpu 1".
SpanQueryReading readSpanQuery(const QString& text);

/// Every form of a query, for a tooltip.
QString spanQueryHelp();

}  // namespace ui
