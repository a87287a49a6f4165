#pragma once

#include "data/replay/span_matches.h"

#include <QString>

#include <optional>

namespace ui {

struct SpanQueryReading {
    std::optional<data::SpanQuery> query;
    QString problem;  ///< what was not understood and what can be; empty with a query, and for no words at all
};

/// "tile 312", "chunk 5 trigger", "wave 3", "dma > 2 us gpu 1".
SpanQueryReading readSpanQuery(const QString& text);

/// Every form of a query, for a tooltip.
QString spanQueryHelp();

}  // namespace ui
