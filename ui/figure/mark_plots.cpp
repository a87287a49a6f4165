#include "ui/figure/mark_plots.h"

#include <variant>

namespace ui {

bool MarkPlots::replaces(const DisplayItem& item) const {
    return item.part == FigurePart::mark && item.panel && item.mark && m_plots.contains({*item.panel, *item.mark}) &&
           !isGap(item);
}

QString MarkPlots::take(const DisplayItem& item) { return std::exchange(m_plots[{*item.panel, *item.mark}], {}); }

/// A cell of a heat map that has no value: plots leave it out.
bool MarkPlots::isGap(const DisplayItem& item) const {
    const auto* rect = std::get_if<RectItem>(&item.shape);
    return rect != nullptr && rect->fill && rect->fill->texture != Texture::plain &&
           std::holds_alternative<data::HeatMark>(m_figure.panels[*item.panel].marks[*item.mark]);
}

}  // namespace ui
