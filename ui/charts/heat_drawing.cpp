#include "ui/charts/chart_drawing.h"
#include "ui/charts/plot_frame.h"
#include "ui/drawing/heat_scale.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"

#include <QCoreApplication>
#include <QLinearGradient>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace ui {
namespace {

constexpr double kHeatShape = 1.5;
constexpr double kLeastText = 0.78;  // share of the chart's font size; where less fits, only tool tips show values
constexpr double kBarLength = 200;   // points
constexpr int kMostIntervals = 6;    // of the colour bar
constexpr double kTiny = 3;          // device pixels of a cell, below which its outline is not drawn

const data::HeatMark& heatOf(const data::FigurePanel& panel) { return std::get<data::HeatMark>(panel.marks.front()); }

AxisPlan wordsOf(const std::vector<std::string>& labels) {
    std::vector<QString> words;
    for (const std::string& label : labels)
        words.push_back(QString::fromStdString(label));
    return evenAxis(std::move(words));
}

/// A heat map of two axes, with one panel for each policy and one colour bar for all. A cell's value is written in it
/// if it fits. Cells that are smaller than a pixel share pixels, and a note below the chart says so.
class HeatDrawing final : public ChartDrawing {
public:
    HeatDrawing(const ChartInput& input, const ChartStyle& style)
        : ChartDrawing(input, style), m_chart(chartOf(input)), m_across(wordsOf(firstPanel().categories.labels)),
          m_up(wordsOf({heatOf(firstPanel()).rows.rbegin(), heatOf(firstPanel()).rows.rend()})),
          m_colours(heatOf(firstPanel()), style.colors->theme,
                    points().isSpeedup(metric()) ? data::FigureScale::linear : axisOf(input, metric()).scale),
          m_coloursAxis(m_colours.axis({}, kBarLength, kMostIntervals)) {
        std::vector<std::size_t> rows;
        for (const ChartPoint& point : m_chart.points)
            rows.push_back(point.row);
        addOutcomesToLegend(rows, true);
        noteOffScale(static_cast<std::size_t>(std::ranges::count_if(m_chart.points, [&](const ChartPoint& point) {
            return point.outcome == Outcome::value && !m_colours.shareOf(point.value);
        })));
        m_ownNotes = static_cast<std::size_t>(m_notes.size());
    }

    void layOut(const QRectF& area) override {
        const double line = m_style.line;
        m_area = area;
        m_targets.clear();
        m_plots.clear();
        const auto measure = [&](const QString& text) { return m_style.text(text) + line * 0.7; };
        double barWidth = 0;
        for (const QString& label : m_coloursAxis.labels)
            barWidth = std::max(barWidth, line * 1.4 + m_style.text(label));
        PanelGaps gaps;
        gaps.top = plan().policies.size() > 1 ? line * 1.4 : 0;
        gaps.bottom = line * 2.6;
        gaps.between = line * 1.2;
        gaps.underEach = plan().policies.size() > 1 ? line * 0.4 : 0;
        double widest = 0;
        for (const QString& label : m_up.labels)
            widest = std::max(widest, m_style.text(label));
        gaps.left = std::min(widest, area.width() * 0.25) + line * 0.6;
        const QRectF below = area.adjusted(0, line * 1.4, -barWidth - line * 1.6, 0);
        m_panels = placePanels(plan().policies.size(), below, kHeatShape, gaps);
        m_bar = {};
        if (!m_panels.empty() && !m_panels.front().plot.isEmpty()) {
            const QRectF& plot = m_panels.front().plot;
            m_ticksAcross = ticksOf(m_across, plot.width(), measure);
            m_ticksUp = ticksOf(m_up, plot.height(), [&](const QString&) { return line * 1.05; });
            m_bar = QRectF(area.right() - barWidth, plot.top() + line * 0.4, line * 0.9,
                           std::min(plot.height() - line * 0.4, line * 16));
            const QRectF cell = cellBox(plot, 0, 0);
            m_tiny = std::min(cell.width(), cell.height()) * m_style.ratio < kTiny;
        }
        for (const Panel& panel : m_panels)
            m_plots.push_back(panel.plot);
        for (const ChartPoint& point : m_chart.points) {
            const QRectF& plot = m_panels[point.panel].plot;
            if (plot.isEmpty())
                break;
            const QRectF box = cellBox(plot, columnOf(point), rowOf(point));
            m_targets.push_back({point.row, box.center(), box});
        }
        m_textSize.reset();
        if (!m_targets.empty()) {
            const QRectF& cell = m_targets.front().cell;
            double needed = 1;
            if (cell.height() >= line * kLeastText && cell.width() >= line) {  // no text fits into smaller cells
                for (const ChartPoint& point : m_chart.points)
                    needed = std::max(needed, m_style.text(valueLabel(point.value)));
            }
            const double size = std::min(
                {1.0, (cell.width() - line * 0.3) / needed, cell.height() / (line * 1.1), cell.width() / line});
            if (size >= kLeastText)
                m_textSize = size;
        }
        m_notes = m_notes.mid(0, static_cast<qsizetype>(m_ownNotes));
        if (m_tiny)
            noteTinyCells();
    }

    void paint(QPainter& painter) override {
        const double line = m_style.line;
        const Palette& colors = *m_style.colors;
        paintText(painter, QRectF(m_area.left(), m_area.top(), m_area.width() * 0.5, line * 1.2),
                  Qt::AlignLeft | Qt::AlignVCenter, titleOf(firstPanel().y), colors.ink, m_style, true);
        paintText(painter, QRectF(m_area.center().x(), m_area.top(), m_area.width() * 0.5, line * 1.2),
                  Qt::AlignRight | Qt::AlignVCenter, titleOf(axisOf(m_input, metric())), colors.ink, m_style, true);
        paintText(painter, QRectF(m_area.left(), m_area.bottom() - line * 1.3, m_area.width(), line * 1.2),
                  Qt::AlignHCenter | Qt::AlignVCenter, titleOf(firstPanel().x), colors.ink, m_style, true);
        for (std::size_t panel = 0; panel < m_panels.size(); ++panel)
            paintAxes(painter, panel);
        if (m_tiny) {
            paintSmallCells(painter);
        } else {
            for (std::size_t target = 0; target < m_targets.size(); ++target)
                paintTarget(painter, target, false);
        }
        paintBar(painter);
    }

    void paintTarget(QPainter& painter, std::size_t target, bool strong) const override {
        const Target& cell = m_targets[target];
        const ChartPoint& point = m_chart.points[target];
        const auto colour = colourOf(point);
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing, false);
        if (colour)
            painter.fillRect(cell.cell, *colour);
        else
            paintOutcomeCell(painter, cell.cell, point.outcome == Outcome::value ? Outcome::without : point.outcome,
                             m_style);
        if (m_textSize && point.outcome == Outcome::value) {
            painter.setFont(scaledFont(m_style.font, *m_textSize));
            painter.setPen(colour ? Palette::inkOn(*colour) : m_style.colors->inkSoft);
            painter.drawText(cell.cell, Qt::AlignCenter, valueLabel(point.value));
        }
        if (strong) {
            painter.setBrush(Qt::NoBrush);
            const double width = m_style.line * 0.16;
            const QRectF frame = cell.cell.adjusted(-width / 2, -width / 2, width / 2, width / 2);
            painter.setPen(QPen(m_style.colors->surface, width * 2, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
            painter.drawRect(frame);
            painter.setPen(QPen(m_style.colors->ink, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
            painter.drawRect(frame);
        }
        painter.restore();
    }

private:
    const data::FigurePanel& firstPanel() const { return m_chart.figure.panels.front(); }

    std::optional<QColor> colourOf(const ChartPoint& point) const {
        return point.outcome == Outcome::value ? m_colours.colour(point.value) : std::nullopt;
    }

    std::size_t columnOf(const ChartPoint& point) const {
        return static_cast<std::size_t>(point.across) % m_across.labels.size();
    }
    std::size_t rowOf(const ChartPoint& point) const {  // from the bottom
        return m_up.labels.size() - 1 - static_cast<std::size_t>(point.across) / m_across.labels.size();
    }

    void noteTinyCells() {
        const QRectF cell = cellBox(m_panels.front().plot, 0, 0);
        if (std::min(cell.width(), cell.height()) * m_style.ratio < 1)
            m_notes << QCoreApplication::translate(
                "HeatDrawing", "There are more points than pixels: a pixel shows the mean colour of its "
                               "points.");
        if (!m_legend.empty())
            m_notes << QCoreApplication::translate("HeatDrawing",
                                                   "The cells are too small for patterns: failed ones are red, others "
                                                   "without a value are blank.");
    }

    QRectF cellBox(const QRectF& plot, std::size_t column, std::size_t row) const {
        const double width = plot.width() / static_cast<double>(m_across.labels.size());
        const double height = plot.height() / static_cast<double>(m_up.labels.size());
        const auto snap = [&](double value) { return std::round(value * m_style.ratio) / m_style.ratio; };
        const double left = plot.left() + static_cast<double>(column) * width;
        const double bottom = plot.bottom() - static_cast<double>(row) * height;
        if (std::min(width, height) * m_style.ratio < kTiny)
            return {left, bottom - height, width, height};
        const double hair = 1 / m_style.ratio;
        return QRectF(QPointF(snap(left), snap(bottom - height)),
                      QPointF(snap(left + width) - hair, snap(bottom) - hair));
    }

    void paintAxes(QPainter& painter, std::size_t panel) const {
        const double line = m_style.line;
        const QRectF& plot = m_panels[panel].plot;
        if (plot.isEmpty())
            return;
        paintTicksUp(painter, plot, m_ticksUp, m_panels[panel].leftmost, false, m_style);
        paintTicksAcross(painter, plot, m_ticksAcross, plot.bottom() + line * 0.2, m_panels[panel].lowest, false,
                         m_style);
        if (m_panels.size() > 1)
            paintText(painter, QRectF(plot.left(), plot.top() - line * 1.3, plot.width(), line * 1.2),
                      Qt::AlignLeft | Qt::AlignVCenter, QString::fromStdString(m_chart.figure.panels[panel].title),
                      m_style.colors->inkSoft, m_style);
    }

    void paintBar(QPainter& painter) const {
        if (m_bar.isEmpty())
            return;
        QLinearGradient gradient(m_bar.bottomLeft(), m_bar.topLeft());
        for (int stop = 0; stop <= 32; ++stop)
            gradient.setColorAt(stop / 32.0, m_colours.colourAt(stop / 32.0));
        painter.fillRect(m_bar, gradient);
        painter.setFont(m_style.font);
        for (std::size_t i = 0; i < m_coloursAxis.labels.size(); ++i) {
            const double share = m_colours.shareOf(m_coloursAxis.place.ticks[i]).value_or(0);
            const double y = m_bar.bottom() - share * m_bar.height();
            painter.setPen(m_style.colors->inkFaint);
            painter.drawLine(QPointF(m_bar.right(), y), QPointF(m_bar.right() + m_style.line * 0.2, y));
            painter.setPen(m_style.colors->inkSoft);
            painter.drawText(QRectF(m_bar.right() + m_style.line * 0.35, y - m_style.line / 2,
                                    m_area.right() - m_bar.right(), m_style.line),
                             Qt::AlignLeft | Qt::AlignVCenter, m_coloursAxis.labels[i]);
        }
    }

    // Paints an image with a pixel for each cell and scales it: a hundred thousand rectangles would take too long.
    void paintSmallCells(QPainter& painter) const {
        for (std::size_t panel = 0; panel < m_panels.size() && !m_targets.empty(); ++panel) {
            const QRectF& plot = m_panels[panel].plot;
            QImage image(static_cast<int>(m_across.labels.size()), static_cast<int>(m_up.labels.size()),
                         QImage::Format_ARGB32_Premultiplied);
            image.fill(Qt::transparent);
            for (const ChartPoint& point : m_chart.points) {
                const auto colour = colourOf(point);
                if (point.panel == panel && (colour || point.outcome == Outcome::failed))
                    image.setPixelColor(static_cast<int>(columnOf(point)),
                                        image.height() - 1 - static_cast<int>(rowOf(point)),
                                        colour.value_or(m_style.colors->error));
            }
            painter.save();
            const QSize pixels = (plot.size() * m_style.ratio).toSize();
            const bool shrinks = image.width() > pixels.width() || image.height() > pixels.height();
            painter.drawImage(plot,
                              shrinks ? image.scaled(pixels, Qt::IgnoreAspectRatio, Qt::SmoothTransformation) : image);
            painter.setPen(m_style.colors->line);
            painter.drawRect(plot);
            painter.restore();
        }
    }

    ChartFigure m_chart;
    AxisPlan m_across, m_up;
    HeatScale m_colours;
    AxisPlan m_coloursAxis;
    std::vector<Panel> m_panels;
    std::vector<AxisTick> m_ticksAcross, m_ticksUp;
    QRectF m_area, m_bar;
    std::optional<double> m_textSize;  // share of the chart's font size at which values fit into the cells
    bool m_tiny = false;
    std::size_t m_ownNotes = 0;  // number of notes that do not depend on the layout
};

}  // namespace

std::unique_ptr<ChartDrawing> heatDrawing(const ChartInput& input, const ChartStyle& style) {
    return std::make_unique<HeatDrawing>(input, style);
}

}  // namespace ui
