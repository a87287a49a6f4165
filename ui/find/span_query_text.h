#pragma once

#include "data/replay/span_matches.h"

#include <QString>

#include <optional>

namespace ui {

struct SpanQueryReading {
    std::optional<data::SpanQuery> query;
    QString problem;  ///< what cannot be parsed and what is allowed; empty if there is a query or no text
};

/// Parses a query: "tile 312", "chunk 5 trigger", "wave 3", "dma > 2 us gpu 1".
SpanQueryReading readSpanQuery(const QString& text);

/// Returns a tool tip that lists all forms of a query.
QString spanQueryHelp();

}  // namespace ui
