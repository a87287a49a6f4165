#pragma once

#include "data/figure/figure_size.h"
#include "data/figure/figure_table.h"
#include "ui/drawing/display_list.h"
#include "ui/drawing/figure_sheet.h"
#include "ui/drawing/heat_scale.h"
#include "ui/figure/figure_writers.h"

#include <QColor>
#include <QString>
#include <QStringList>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace ui {

/// Formats a number so that every text format can read it: no exponent, no trailing zeros, at most four decimals, never
/// "-0".
QString plainNumber(double value);

/// Names for the colours in a figure's source files, so that a co-author can change a colour in one line. A colour is
/// registered when its name is first asked for.
class ColourNames {
public:
    /// Returns the name of a colour. A new colour is named after `meaning` ("reduceScatterLight" for
    /// "reduce-scatter/light") or after its value ("c404040").
    QString nameOf(const QColor& colour, const QString& meaning = {});

    /// Returns the registered colours in the order of registration, as "#rrggbb".
    const std::vector<std::pair<QString, QString>>& known() const { return m_known; }

private:
    std::vector<std::pair<QString, QString>> m_known;
};

/// The columns of a series in its mark's table.
struct SeriesColumns {
    std::size_t bar = 0;  ///< index of the bar; 0 for other marks
    const data::FigureSeries* series = nullptr;
    std::size_t value = 0;
    std::optional<std::size_t> low, high;
    std::optional<std::size_t> from;  ///< of a floating bar: where its stack begins
};

/// Returns the columns of bars, lines and areas in the order of the table; empty for other marks. Must agree with
/// data::tablesOf.
std::vector<SeriesColumns> columnsOf(const data::FigurePanel& panel, const data::FigureMark& mark);

/// Returns whether the parts of bars or areas add up: all values are 0 or more, and none is missing unless `gaps` are
/// allowed.
bool addsUp(const std::vector<SeriesColumns>& columns, bool gaps);

/// Returns whether any of the bars floats.
bool floats(const data::BarMark& mark);
/// Returns whether, in each category, a stack has no values of both signs, so that each part begins where the one before
/// it ends.
bool goesOneWay(const data::BarMark& mark);

/// The position of a bar or group in each category, in units of x.
struct BarColumn {
    std::vector<double> middles;
    double width = 0;
};
BarColumn barColumn(const PanelPlace& place, std::size_t mark, std::size_t bar);

/// Replaces marks by plots of their tables. A plot is inserted where the first item of its mark would be drawn; the
/// mark's other items are left out.
class MarkPlots {
public:
    /// The figure must outlive this.
    explicit MarkPlots(const data::FigureSpec& figure) : m_figure(figure) {}

    void add(const data::FigureTable& table, QString plot) { m_plots[{table.panel, table.mark}] = std::move(plot); }

    bool replaces(const DisplayItem& item) const;
    /// Returns the text in place of an item that is replaced: the plot for the first item of its mark, an empty text
    /// for the others.
    QString take(const DisplayItem& item);

private:
    bool isGap(const DisplayItem& item) const;

    const data::FigureSpec& m_figure;
    std::map<std::pair<std::size_t, std::size_t>, QString> m_plots;  // emptied when taken
};

/// The base class of marks that are written as plots of their tables: the data that plots need, and the text written so
/// far.
class TablePlot {
public:
    QString take() { return std::move(m_text); }

protected:
    TablePlot(const ReadyFigure& figure, const data::FigureTable& table)
        : m_spec(figure.spec), m_table(table), m_panel(figure.spec.panels[table.panel]),
          m_place(figure.laidOut.panels[table.panel]),
          m_measure{data::presetOf(figure.spec.size).textSize, figure.spec.theme},
          m_columns(columnsOf(m_panel, m_panel.marks[table.mark])) {}

    static QString meaningOf(const SeriesColumns& column) { return QString::fromStdString(column.series->meaning); }

    /// Returns half the width of an error bar's cap, in points, over a bar of this width in units of x.
    double halfOfCap(double width) const {
        return std::min(width * m_place.plot.width() / (m_place.x.to - m_place.x.from) * 0.3, m_measure.of(2));
    }

    /// Returns the colours of evenly spaced values along the scale of a heat map, as `styles` writes them.
    template <class Styles>
    QStringList heatColours(const HeatScale& scale, Styles& styles) const {
        constexpr int kSteps = 32;
        QStringList colours;
        for (int i = 0; i <= kSteps; ++i)
            colours << styles.colour(*scale.colour(scale.from() + (scale.to() - scale.from()) * i / kSteps),
                                     QStringLiteral("heat%1").arg(i));
        return colours;
    }

    const data::FigureSpec& m_spec;
    const data::FigureTable& m_table;
    const data::FigurePanel& m_panel;
    const PanelPlace& m_place;
    FigureMeasure m_measure;
    std::vector<SeriesColumns> m_columns;
    QString m_text;
};

/// Returns whether the panel of a table has room for a plot.
inline bool hasPlot(const ReadyFigure& figure, const data::FigureTable& table) {
    return table.panel < figure.laidOut.panels.size() && !figure.laidOut.panels[table.panel].plot.isEmpty();
}

/// Returns a text for LaTeX: special characters are escaped, and symbols become commands that every font has. The micro
/// sign is \figuremicro, which the document defines. Characters that LaTeX cannot set become "?".
QString latexText(const QString& text);

}  // namespace ui
