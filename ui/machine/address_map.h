#pragma once

#include "engine/api/chunk_route.h"
#include "ui/look/value_table.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ui {

class MomentTable;
class RingMoment;
class ViewState;

/// Returns the address map of one GPU as rows, one for each chunk in the order in which the GPU works on them: the
/// destination of its stores and whether they are updates or writes, the number of updates that complete an element,
/// what triggers its DMA commands, and where they send the chunk. The row of the followed chunk is in bold type.
std::vector<ValueRow> addressMapRows(const std::vector<engine::ChunkRoute>& routes,
                                     std::optional<std::uint32_t> followed = {});

/// Returns a panel with the address map (T3's remote_map and dma_map) of the focused GPU, which distinguishes one
/// collective from another. A click on a row follows its chunk in all views, another lets it go.
MomentTable* newAddressMap(ViewState& viewState, RingMoment& moment);

}  // namespace ui
