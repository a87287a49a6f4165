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

/// The names of tile states in one run. The same state has another meaning if contributions are not summed (all-gather,
/// all-to-all) or if the data exist from the start.
class TileWords {
public:
    TileWords() = default;  ///< for a GEMM whose stores are updates
    explicit TileWords(const engine::Experiment& experiment);

    /// Returns the name of a state, such as "in flight".
    QString nameOf(data::TileState state) const;
    /// Returns the meaning of a state in half a sentence.
    QString meaningOf(data::TileState state) const;

private:
    bool m_reduces = true;         // contributions are summed
    bool m_updates = true;         // each contribution is an update in memory
    bool m_dataFromStart = false;  // the collective's data do not come from a GEMM
};

/// All states, in the order in which a tile passes through them.
inline constexpr std::array<data::TileState, data::kTileStates> kAllTileStates{
    data::TileState::notProduced, data::TileState::stored, data::TileState::oneUpdate, data::TileState::ready,
    data::TileState::inFlight,    data::TileState::sent,   data::TileState::reduced};

/// Returns the fill of a tile in `state`, the same in every view. The hue is that of the part of the machine that
/// brought the tile to this state (GEMM, reduce-scatter, tracker, DMA, link). All grey values differ, and textures
/// distinguish similar ones.
Fill fillOf(data::TileState state, const Palette& colors);

/// Returns the height of the legend of tile states in a view of this width; the legend wraps into rows.
double tileLegendHeight(const TileWords& words, double width, const QFontMetricsF& metrics);

/// Paints a swatch and a name for every state, from left to right.
void paintTileLegend(QPainter& painter, const QRectF& box, const TileWords& words, const Palette& colors);

/// Returns the spacing of textures for text of height `line`. It is the same in every view, so that a swatch looks like
/// the picture.
double textureSpacing(double line);

/// One period of every state's fill, `spacing` pixels wide and high.
using TileStamps = std::array<QImage, data::kTileStates>;
TileStamps tileStamps(const Palette& colors, int spacing);

}  // namespace ui
