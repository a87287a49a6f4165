#pragma once

#include "data/figure/figure_spec.h"
#include "data/figure/figure_table.h"
#include "ui/figure/figure_layout.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace ui {

/// Where the numbers of a series stand in its mark's table.
struct SeriesColumns {
    std::size_t bar = 0;  ///< of bars; 0 elsewhere
    const data::FigureSeries* series = nullptr;
    std::size_t value = 0;
    std::optional<std::size_t> low, high;
};

/// Of bars, lines and areas, in the order of the table; nothing for other marks. What it says is what data::tablesOf does.
std::vector<SeriesColumns> columnsOf(const data::FigurePanel& panel, const data::FigureMark& mark);

/// Whether bars or areas are sums of parts of one sign, without a gap where `gaps` are not allowed.
bool addsUp(const std::vector<SeriesColumns>& columns, bool gaps);

/// Where a bar or group stands in each category, in units of x.
struct BarColumn {
    std::vector<double> middles;
    double width = 0;
};
BarColumn barColumn(const PanelPlace& place, std::size_t mark, std::size_t bar);

}  // namespace ui
