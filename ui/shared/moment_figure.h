#pragma once

#include "data/figure/figure_size.h"
#include "ui/look/drawing_recorder.h"
#include "ui/shared/figure_offer.h"
#include "ui/shared/ring_moment.h"

#include <functional>
#include <memory>

namespace ui {

/// Returns a figure of the picture that a `View` draws of one time of a run. The figure is drawn again for each size
/// and theme. The caller adds name, title, caption and provenance. `heightFor` returns a suitable height for a width.
template <class View>
FigureOffer momentFigure(const std::shared_ptr<MomentSnapshot>& frozen, std::function<double(double)> heightFor) {
    FigureOffer offer;
    offer.redraw = [frozen, heightFor = std::move(heightFor)](data::FigureSize size, data::FigureTheme theme) {
        const data::FigureSizePreset& preset = data::presetOf(size);
        View view(frozen->viewState, frozen->moment);
        view.setPalette(widgetPalette(windowTheme(theme)));
        view.setFont(figureFont(size));
        const QSizeF points(preset.width, preset.height.value_or(heightFor(preset.width)));
        view.resize((points / DrawingRecorder::pointsPerDot()).toSize());
        const data::DrawingMark drawing = view.drawing().value_or(data::DrawingMark{});
        return theme == data::FigureTheme::greyPrint ? greyed(drawing) : drawing;
    };
    offer.figure.size = data::FigureSize::acmText;
    offer.figure.legend = data::FigureLegend::none;  // the picture contains its own legend
    offer.figure.panels.emplace_back().marks.emplace_back(data::DrawingMark{});
    redraw(offer.figure, offer.redraw);
    return offer;
}

}  // namespace ui
