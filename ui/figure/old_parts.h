#pragma once
#include "ui/figure/writer_parts.h"
#include "ui/drawing/panel_plan.h"
#include <limits>
#include <map>
namespace ui {
/// Returns whether the parts of bars or areas add up: all values are 0 or more, and none is missing unless `gaps` are
/// allowed.
bool addsUp(const std::vector<SeriesColumns>& columns, bool gaps);

/// Returns whether any of the bars floats.
bool floats(const data::BarMark& mark);
/// Returns whether, in each category, a stack has no values of both signs, so that each part begins where the one before
/// it ends.
bool goesOneWay(const data::BarMark& mark);

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

}
