#include "ui/look/tile_style.h"

namespace ui {
namespace {

QColor lighter(const QColor& color, double share) { return Palette::mixed(color, Qt::white, share); }
QColor darker(const QColor& color, double share) { return Palette::mixed(color, Qt::black, share); }

}  // namespace

Fill fillOf(data::TileState state, const Palette& colors) {
    switch (state) {
    case data::TileState::notProduced: break;
    case data::TileState::stored: {
        const QColor color = darker(colors.of(Role::gemm), 0.12);
        return {color, lighter(color, 0.28), Texture::falling};
    }
    case data::TileState::oneUpdate: {
        const QColor color = colors.of(Role::reduceScatter);
        return {color, darker(color, 0.3), Texture::rising};
    }
    case data::TileState::ready: {
        const QColor color = colors.of(Role::tracker);
        return {color, darker(color, 0.38), Texture::crossed};
    }
    case data::TileState::inFlight: {
        const QColor color = colors.of(Role::dma);
        return {color, darker(color, 0.42), Texture::rows};
    }
    case data::TileState::sent: {
        const QColor color = lighter(colors.of(Role::link), 0.42);
        return {color, darker(color, 0.22), Texture::dots};
    }
    case data::TileState::reduced: {
        const QColor color = darker(colors.of(Role::allGather), 0.12);
        return {color, color, Texture::plain};
    }
    }
    return {colors.theme == Theme::dark ? colors.stripe : colors.surface, colors.line, Texture::plain};
}

}  // namespace ui
