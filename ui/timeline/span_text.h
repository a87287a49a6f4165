#pragma once

#include "ui/timeline/timeline_model.h"

#include <QString>

#include <cstdint>

namespace ui {

/// Everything known about what stands in a row at a moment, as rich text; empty where there is nothing.
/// `reach` is the time that a pixel covers: utilisation is told for that long.
QString describeMoment(const TimelineModel& model, const Row& row, double heightShare, std::int64_t ps,
                       std::int64_t reach);

}  // namespace ui
