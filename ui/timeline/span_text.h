#pragma once

#include "data/replay/span_ref.h"
#include "ui/timeline/timeline_model.h"

#include <QString>

#include <cstdint>

namespace ui {

/// Returns all facts about what a row shows at a time, as rich text; empty if it shows nothing there. `reach` is the
/// time that one pixel covers; utilisation is averaged over it.
QString describeMoment(const TimelineModel& model, const Row& row, double heightShare, std::int64_t ps,
                       std::int64_t reach);

/// Explains what a row shows, with the sentences of the glossary, as rich text; empty if the glossary has none for it.
QString explainRow(const Row& row);

/// Describes a span in one line: "GPU 1, reduce-scatter step 3, chunk 4, 12.4 µs to 15.9 µs".
QString spanInWords(const TimelineModel& model, data::SpanRef ref);

}  // namespace ui
