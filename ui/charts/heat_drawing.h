#pragma once

#include "ui/charts/chart_drawing.h"
#include "ui/charts/colour_scale.h"
#include "ui/charts/plot_frame.h"

#include <optional>
#include <vector>

namespace ui {

/// Two axes as cells, one panel for each policy, one colour bar for all. A cell's value is written in it where there is
/// room. Cells too small to be told apart share pixels, and the chart says so.
class HeatDrawing final : public ChartDrawing {
public:
    HeatDrawing(const ChartInput& input, const ChartStyle& style);

    void layOut(const QRectF& area) override;
    void paint(QPainter& painter) override;
    void paintTarget(QPainter& painter, std::size_t target, bool strong) const override;

private:
    std::vector<double> values() const;
    void placeCells(std::size_t panel);
    void noteTinyCells();
    QRectF cellBox(const QRectF& plot, std::size_t column, std::size_t row) const;
    void paintAxes(QPainter& painter, std::size_t panel) const;
    void paintBar(QPainter& painter) const;
    void paintSmallCells(QPainter& painter) const;

    AxisPlaces m_across, m_up;
    std::vector<std::size_t> m_columnOrder, m_rowOrder;  // places of the values, rising
    std::vector<std::size_t> m_rows;                     // everything that is drawn
    ColourScale m_colours;
    std::vector<Panel> m_panels;
    std::vector<AxisTick> m_ticksAcross, m_ticksUp;
    QRectF m_area, m_bar;
    std::optional<double> m_textSize;  // share of the chart's type in which values fit into the cells
    bool m_tiny = false;
    std::size_t m_ownNotes = 0;  // those that do not depend on the layout
};

}  // namespace ui
