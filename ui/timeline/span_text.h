#pragma once

#include "data/replay/span_ref.h"
#include "ui/timeline/timeline_model.h"

#include <QString>

#include <cstdint>

namespace ui {

/// Everything known about what stands in a row at a moment, as rich text; empty where there is nothing.
/// `reach` is the time that a pixel covers: utilisation is told for that long.
QString describeMoment(const TimelineModel& model, const Row& row, double heightShare, std::int64_t ps,
                       std::int64_t reach);

/// One span in a line of plain words: "GPU 1, reduce-scatter step 3, chunk 4, 12.4 µs to 15.9 µs".
QString spanInWords(const TimelineModel& model, data::SpanRef ref);

}  // namespace ui
