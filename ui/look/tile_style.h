#pragma once

#include "data/replay/ring_state.h"
#include "ui/look/palette.h"
#include "ui/look/texture.h"

#include <array>

namespace ui {

/// Every state, in the order in which a tile goes through them.
inline constexpr std::array<data::TileState, data::kTileStates> kAllTileStates{
    data::TileState::notProduced, data::TileState::stored, data::TileState::oneUpdate, data::TileState::ready,
    data::TileState::inFlight,    data::TileState::sent,   data::TileState::reduced};

/// How a tile in `state` is drawn, the same in every view. The hue is that of the part of the machine that brought the
/// tile there (GEMM, reduce-scatter, tracker, DMA, link); in grey no two are alike, and textures tell near ones apart.
Fill fillOf(data::TileState state, const Palette& colors);

}  // namespace ui
