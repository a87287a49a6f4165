#pragma once

#include "data/figure/figure_size.h"
#include "data/figure/figure_table.h"
#include "ui/figure/display_list.h"
#include "ui/figure/figure_sheet.h"
#include "ui/figure/figure_writers.h"

#include <QColor>
#include <QLineF>
#include <QPolygonF>
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

/// A mark that is written as a plot of its table: what such plots know of it, and the text so far.
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

    /// Half of the cap of an error bar, in points, over a bar of this width in units of x.
    double halfOfCap(double width) const {
        return std::min(width * m_place.plot.width() / (m_place.x.to - m_place.x.from) * 0.3, m_measure.of(2));
    }

    /// The least and the greatest value of a heat map; the wrong way round where it has none.
    static std::pair<double, double> endsOf(const data::HeatMark& mark) {
        double least = std::numeric_limits<double>::infinity(), most = -least;
        for (const std::optional<double>& value : mark.values) {
            least = std::min(least, value.value_or(least));
            most = std::max(most, value.value_or(most));
        }
        return {least, most};
    }

    /// The colours along the scale of a heat map, as `styles` writes them.
    template <class Styles>
    QStringList heatColours(Styles& styles) const {
        constexpr int kSteps = 32;
        QStringList colours;
        for (int i = 0; i <= kSteps; ++i)
            colours << styles.colour(heatColour(double(i) / kSteps, m_spec.theme), QStringLiteral("heat%1").arg(i));
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

/// Whether the panel of a table has room for a plot.
inline bool hasPlot(const ReadyFigure& figure, const data::FigureTable& table) {
    return table.panel < figure.laidOut.panels.size() && !figure.laidOut.panels[table.panel].plot.isEmpty();
}

/// The lines of a fill's texture, cut to the shape they fill. Every writer draws these, never a pattern: patterns come out
/// at another spacing on each device, and some viewers leave them out. A dot is a line as long as it is wide.
std::vector<QLineF> fillLines(const FigureFill& fill, const QRectF& box);
std::vector<QLineF> fillLines(const FigureFill& fill, const QPolygonF& polygon);

/// How wide they are drawn.
double fillLineWidth(const FigureFill& fill);

/// An ellipse as a polygon, finer than print shows.
QPolygonF ellipseOutline(const QRectF& box);

/// Words as LaTeX sets them: what it would take for a command is escaped, signs become what every font of it has. The
/// micro sign is \figuremicro, which the document defines. Letters that LaTeX cannot set become "?".
QString latexText(const QString& text);

}  // namespace ui
