#pragma once

#include "data/figure/figure_spec.h"
#include "data/figure/figure_table.h"
#include "ui/figure/display_list.h"
#include "ui/figure/figure_layout.h"

#include <QColor>
#include <QString>

#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace ui {

/// A number as every format of text reads it: no exponent, no zeros at the end, four decimals at most, never "-0".
QString plainNumber(double value);

/// Names for the colours of a figure's sources, so that a co-author changes one in one line. Asking for a colour's name makes
/// it known.
class ColourNames {
public:
    /// What the colour is called. Where it has no name yet it gets that of `meaning`, "reduceScatterLight" for
    /// "reduce-scatter/light", or of what it looks like: "c404040".
    QString nameOf(const QColor& colour, const QString& meaning = {});

    /// In the order in which they became known, as "#rrggbb".
    const std::vector<std::pair<QString, QString>>& known() const { return m_known; }

private:
    std::vector<std::pair<QString, QString>> m_known;
};

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

/// What plots marks from their tables, each where the first of its items would be drawn; its other items are left out.
class MarkPlots {
public:
    /// The figure must outlive this.
    explicit MarkPlots(const data::FigureSpec& figure) : m_figure(figure) {}

    void add(const data::FigureTable& table, QString plot) { m_plots[{table.panel, table.mark}] = std::move(plot); }

    bool replaces(const DisplayItem& item) const;
    /// What comes in place of an item that is replaced: nothing but for the first of its mark.
    QString take(const DisplayItem& item);

private:
    bool isGap(const DisplayItem& item) const;

    const data::FigureSpec& m_figure;
    std::map<std::pair<std::size_t, std::size_t>, QString> m_plots;  // emptied when taken
};

}  // namespace ui
