#pragma once

#include "ui/timeline/row_tracks.h"

#include <cstdint>
#include <vector>

namespace ui {

/// The beginning or end of a span nearest to `ps`, if one is within `reach`; else `ps`. Of equally near ones the earlier.
std::int64_t snapped(const std::vector<RowTrack>& tracks, std::int64_t ps, std::int64_t reach);

}  // namespace ui
