#include "ui/figure/table_columns.h"

#include <algorithm>

namespace ui {
namespace {

class Columns {
public:
    explicit Columns(std::size_t first) : m_next(first) {}

    void add(std::size_t bar, const data::FigureSeries& series) {
        SeriesColumns columns{bar, &series, m_next++, {}, {}};
        if (!series.low.empty()) {
            columns.low = m_next++;
            columns.high = m_next++;
        }
        m_columns.push_back(columns);
    }
    std::vector<SeriesColumns> take() { return std::move(m_columns); }

private:
    std::size_t m_next;
    std::vector<SeriesColumns> m_columns;
};

std::size_t afterCategories(const data::FigurePanel& panel) { return panel.categories.groups.empty() ? 1 : 2; }

}  // namespace

std::vector<SeriesColumns> columnsOf(const data::FigurePanel& panel, const data::FigureMark& mark) {
    if (const auto* bars = std::get_if<data::BarMark>(&mark)) {
        Columns columns(afterCategories(panel));
        for (std::size_t bar = 0; bar < bars->bars.size(); ++bar) {
            for (const data::FigureSeries& series : bars->bars[bar].stack)
                columns.add(bar, series);
        }
        return columns.take();
    }
    const auto* lines = std::get_if<data::LineMark>(&mark);
    const auto* areas = std::get_if<data::AreaMark>(&mark);
    if (lines == nullptr && areas == nullptr)
        return {};
    const bool overCategories = lines != nullptr && !panel.categories.labels.empty();
    Columns columns(overCategories ? afterCategories(panel) : 1);
    for (const data::FigureSeries& series : lines != nullptr ? lines->series : areas->series)
        columns.add(0, series);
    return columns.take();
}

bool addsUp(const std::vector<SeriesColumns>& columns, bool gaps) {
    return std::all_of(columns.begin(), columns.end(), [&](const SeriesColumns& column) {
        return std::all_of(column.series->values.begin(), column.series->values.end(),
                           [&](const std::optional<double>& value) { return value ? *value >= 0 : gaps; });
    });
}

BarColumn barColumn(const PanelPlace& place, std::size_t mark, std::size_t bar) {
    BarColumn column;
    for (const BarPlace& at : place.bars) {
        if (at.mark == mark && at.bar == bar) {
            column.middles.push_back((at.left + at.right) / 2);
            column.width = at.right - at.left;
        }
    }
    return column;
}

}  // namespace ui
