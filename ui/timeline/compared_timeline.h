#pragma once

#include "ui/shared/run_picture.h"

namespace ui {

/// Returns a factory of timelines as the view Compare shows them: dense, one GPU, the lanes that tell runs apart.
RunPictureFactory comparedTimelines();

}  // namespace ui
