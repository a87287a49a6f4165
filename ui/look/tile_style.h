#pragma once

#include "data/replay/ring_state.h"
#include "ui/look/palette.h"
#include "ui/look/texture.h"

#include <QImage>
#include <QRectF>
#include <QString>

#include <array>

namespace engine {
struct Experiment;
}

class QFontMetricsF;
class QPainter;

namespace ui {

/// The words for tile states in one run. The same state means another thing where nothing is summed (all-gather,
/// all-to-all) and where the data are there from the start.
class TileWords {
public:
    TileWords() = default;  ///< of a GEMM whose stores are updates
    explicit TileWords(const engine::Experiment& experiment);

    /// "in flight".
    QString nameOf(data::TileState state) const;
    /// What it means, in half a sentence.
    QString meaningOf(data::TileState state) const;

private:
    bool m_reduces = true;         // contributions are summed
    bool m_updates = true;         // each contribution is an update in memory
    bool m_dataFromStart = false;  // the collective's data do not come from a GEMM
};

/// Every state, in the order in which a tile goes through them.
inline constexpr std::array<data::TileState, data::kTileStates> kAllTileStates{
    data::TileState::notProduced, data::TileState::stored, data::TileState::oneUpdate, data::TileState::ready,
    data::TileState::inFlight,    data::TileState::sent,   data::TileState::reduced};

/// How a tile in `state` is drawn, the same in every view. The hue is that of the part of the machine that brought the
/// tile there (GEMM, reduce-scatter, tracker, DMA, link); in grey no two are alike, and textures tell near ones apart.
Fill fillOf(data::TileState state, const Palette& colors);

/// Height of the legend of tile states in a view of this width: as many rows as it takes.
double tileLegendHeight(const TileWords& words, double width, const QFontMetricsF& metrics);

/// Swatch and name of every state, from left to right.
void paintTileLegend(QPainter& painter, const QRectF& box, const TileWords& words, const Palette& colors);

/// Spacing of textures where text is `line` high: the same in every view, so that a swatch looks like what it names.
double textureSpacing(double line);

/// One period of every state's fill, `spacing` pixels wide and high.
using TileStamps = std::array<QImage, data::kTileStates>;
TileStamps tileStamps(const Palette& colors, int spacing);

}  // namespace ui
