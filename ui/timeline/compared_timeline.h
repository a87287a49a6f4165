#pragma once

#include "ui/shared/run_picture.h"

namespace ui {

/// Returns a factory of timelines for the view Compare: dense, with the lanes of the first GPU that distinguish runs.
RunPictureFactory comparedTimelines();

}  // namespace ui
