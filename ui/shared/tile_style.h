#pragma once

#include "ui/shared/palette.h"
#include "ui/shared/ring_state.h"
#include "ui/shared/texture.h"

#include <array>

namespace ui {

/// Every state, in the order in which a tile goes through them.
inline constexpr std::array<TileState, kTileStates> kAllTileStates{
    TileState::notProduced, TileState::stored, TileState::oneUpdate, TileState::ready,
    TileState::inFlight,    TileState::sent,   TileState::reduced};

/// How a tile in `state` is drawn, the same in every view. The hue is that of the part of the machine that brought the
/// tile there (GEMM, reduce-scatter, tracker, DMA, link); in grey no two are alike, and textures tell near ones apart.
Fill fillOf(TileState state, const Palette& colors);

}  // namespace ui
