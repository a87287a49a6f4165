#include "ui/shared/tile_style.h"

#include <QCoreApplication>

namespace ui {
namespace {

QString stateTr(const char* text) { return QCoreApplication::translate("TileState", text); }

QColor lighter(const QColor& color, double share) { return Palette::mixed(color, Qt::white, share); }
QColor darker(const QColor& color, double share) { return Palette::mixed(color, Qt::black, share); }

}  // namespace

Fill fillOf(TileState state, const Palette& colors) {
    switch (state) {
    case TileState::notProduced: break;
    case TileState::stored: {
        const QColor color = darker(colors.of(Role::gemm), 0.12);
        return {color, lighter(color, 0.28), Texture::falling};
    }
    case TileState::oneUpdate: {
        const QColor color = colors.of(Role::reduceScatter);
        return {color, darker(color, 0.3), Texture::rising};
    }
    case TileState::ready: {
        const QColor color = colors.of(Role::tracker);
        return {color, darker(color, 0.38), Texture::crossed};
    }
    case TileState::inFlight: {
        const QColor color = colors.of(Role::dma);
        return {color, darker(color, 0.42), Texture::rows};
    }
    case TileState::sent: {
        const QColor color = lighter(colors.of(Role::link), 0.42);
        return {color, darker(color, 0.22), Texture::dots};
    }
    case TileState::reduced: {
        const QColor color = darker(colors.of(Role::allGather), 0.12);
        return {color, color, Texture::plain};
    }
    }
    return {colors.theme == Theme::dark ? colors.stripe : colors.surface, colors.line, Texture::plain};
}

QString nameOf(TileState state) {
    switch (state) {
    case TileState::notProduced: return stateTr("not produced");
    case TileState::stored: return stateTr("stored");
    case TileState::oneUpdate: return stateTr("one update");
    case TileState::ready: return stateTr("ready");
    case TileState::inFlight: return stateTr("in flight");
    case TileState::sent: return stateTr("sent");
    case TileState::reduced: return stateTr("reduced");
    }
    return {};
}

QString meaningOf(TileState state) {
    switch (state) {
    case TileState::notProduced: return stateTr("its workgroup has not stored it");
    case TileState::stored: return stateTr("computed, on its way to memory or to the neighbour");
    case TileState::oneUpdate: return stateTr("one contribution has landed, another is missing");
    case TileState::ready: return stateTr("all contributions are there, waits for its transfer");
    case TileState::inFlight: return stateTr("is being read and sent to the neighbour");
    case TileState::sent: return stateTr("has left for the neighbour");
    case TileState::reduced: return stateTr("whole and final on this GPU");
    }
    return {};
}

}  // namespace ui
