#include "ui/chunks/chunks_feature.h"

#include "ui/chunks/chunk_view.h"
#include "ui/shared/player.h"
#include "ui/workbench/pictures.h"
#include "ui/workbench/workbench.h"

namespace ui {

ChunksFeature::ChunksFeature(Workbench& workbench, ViewState& viewState, RingMoment& moment, Player& player) {
    Pictures& pictures = workbench.pictures();
    auto* chunks = new ChunkView(viewState, moment, &pictures);
    connect(chunks, &ChunkView::cursorRequested, &player, &Player::seek);
    pictures.addView(QStringLiteral("chunks"), tr("Chunks"), chunks,
                     [&viewState, &moment] { return figureOf<ChunkView>(viewState, moment); });
}

}  // namespace ui
