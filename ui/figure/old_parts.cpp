#include "ui/figure/old_parts.h"
namespace ui {
bool addsUp(const std::vector<SeriesColumns>& columns, bool gaps) {
    return std::all_of(columns.begin(), columns.end(), [&](const SeriesColumns& column) {
        return std::all_of(column.series->values.begin(), column.series->values.end(),
                           [&](const std::optional<double>& value) { return value ? *value >= 0 : gaps; });
    });
}

bool floats(const data::BarMark& mark) {
    return std::ranges::any_of(mark.bars, [](const data::FigureBar& bar) { return !bar.from.empty(); });
}

bool goesOneWay(const data::BarMark& mark) {
    return std::ranges::all_of(mark.bars, [](const data::FigureBar& bar) {
        for (std::size_t category = 0; !bar.stack.empty() && category < bar.stack.front().values.size(); ++category) {
            const StackEnds ends = stackEnds(bar, category);
            if (ends.above != 0 && ends.below != 0)
                return false;
        }
        return true;
    });
}

bool MarkPlots::replaces(const DisplayItem& item) const {
    return item.part == FigurePart::mark && item.panel && item.mark && m_plots.contains({*item.panel, *item.mark}) &&
           !isGap(item);
}

QString MarkPlots::take(const DisplayItem& item) { return std::exchange(m_plots[{*item.panel, *item.mark}], {}); }

/// Returns whether the item is a cell of a heat map without a value, which plots leave out.
bool MarkPlots::isGap(const DisplayItem& item) const {
    const auto* rect = std::get_if<RectItem>(&item.shape);
    return rect != nullptr && rect->fill && rect->fill->texture != Texture::plain &&
           std::holds_alternative<data::HeatMark>(m_figure.panels[*item.panel].marks[*item.mark]);
}

}
