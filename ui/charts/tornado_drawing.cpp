#include "ui/charts/axis_scale.h"
#include "ui/charts/chart_drawing.h"
#include "ui/charts/chart_picture.h"
#include "ui/charts/plot_frame.h"
#include "ui/charts/sweep_axes.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/texture.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace ui {
namespace {

constexpr double kTornadoShape = 1.6;
constexpr double kBarShare = 0.62;  // share of a row's height that its two bars take
constexpr double kHighest = 4;      // maximum height of a row in lines of text

QString tornadoTr(const char* text) { return QCoreApplication::translate("TornadoDrawing", text); }

/// Draws the effect of each axis around the point of the sweep that is nearest to the base experiment: one bar to the
/// metric at the axis' lowest value and one to the metric at its highest, the axis with the greatest effect on top.
/// Bars start at the metric of the base point.
class TornadoDrawing final : public ChartDrawing {
public:
    TornadoDrawing(const ChartInput& input, const ChartStyle& style) : ChartDrawing(input, style) {
        findBase();
        std::vector<std::size_t> rows;
        for (const std::size_t policy : plan().policies) {
            m_tornados.push_back(tornadoAround(points(), m_base, policy, metric()));
            for (const TornadoBar& bar : m_tornados.back().bars) {
                for (const TornadoPoint& point : bar.along)
                    rows.push_back(point.row);
            }
        }
        m_order = axesByEffect(m_tornados);
        const Palette& colors = *style.colors;
        const auto entry = [&](const char* text, bool high) {
            ChartLegendEntry legend;
            legend.label = tornadoTr(text);
            legend.fill = high ? Fill{colors.inkFaint, colors.surface, Texture::plain}
                               : Fill{colors.surface, colors.inkFaint, Texture::rising};
            m_legend.push_back(legend);
        };
        entry(QT_TRANSLATE_NOOP("TornadoDrawing", "lowest or first value of the axis"), false);
        entry(QT_TRANSLATE_NOOP("TornadoDrawing", "highest or last value"), true);
        m_legend.push_back({tornadoTr("values between"), {colors.inkSoft, MarkShape::circle, {}}});
        addOutcomesToLegend(rows, false);
        noteOffScale(values());
    }

    void layOut(const QRectF& area) override {
        const double line = m_style.line;
        m_area = area;
        m_targets.clear();
        m_places.clear();
        m_plots.clear();
        m_labels = 0;
        for (const data::SweepAxis& axis : sweep().axes)
            m_labels = std::max(m_labels, m_style.text(axisTitle(axis)));
        m_labels = std::min(m_labels, area.width() * 0.3);
        PanelGaps gaps;
        gaps.left = m_labels + line * 0.6;
        gaps.bottom = line * 2.6;
        gaps.top = m_tornados.size() > 1 ? line * 1.5 : line * 0.3;
        gaps.between = line * 1.5;
        gaps.underEach = m_tornados.size() > 1 ? line * 0.4 : 0;
        const double most = (kHighest * static_cast<double>(m_order.size()) + 1) * line + gaps.top + gaps.bottom;
        QRectF below = area.adjusted(0, 0, -line * 1.2, 0);
        if (m_tornados.size() == 1)
            below.setHeight(std::min(below.height(), most));  // a few bars need not fill the window
        m_area.setBottom(below.bottom());
        m_panels = placePanels(m_tornados.size(), below, kTornadoShape, gaps);
        if (m_panels.empty() || m_panels.front().plot.isEmpty())
            return;
        const std::vector<double> all = values();
        const AxisMeasure measure = points().metricMeasure(metric());
        const int ticks = ticksThatFit(m_panels.front().plot.width(), line * 5.5);
        m_scale = scaleFor(all, logarithmic(all), ticks, measure);
        if (!m_scale.logarithmic) {  // room for the labels at the ends of the bars
            const double room = (m_scale.to - m_scale.from) * 0.12;
            m_scale.from = m_scale.from >= 0 ? std::max(0.0, m_scale.from - room) : m_scale.from - room;
            m_scale.to += room;
        }
        m_ticks = ticksOf(m_scale, ticks, measure);
        for (std::size_t tornado = 0; tornado < m_tornados.size(); ++tornado) {
            m_plots.push_back(m_panels[tornado].plot);
            if (!m_panels[tornado].plot.isEmpty())
                placeTargets(tornado);
        }
    }

    void paint(QPainter& painter) override {
        const double line = m_style.line;
        for (std::size_t tornado = 0; tornado < m_tornados.size(); ++tornado) {
            if (!m_panels[tornado].plot.isEmpty())
                paintPanel(painter, tornado);
        }
        painter.setRenderHint(QPainter::Antialiasing);
        for (std::size_t target = 0; target < m_targets.size(); ++target)
            paintTarget(painter, target, false);
        painter.setRenderHint(QPainter::Antialiasing, false);
        paintText(painter,
                  QRectF(m_area.left() + m_labels, m_area.bottom() - line * 1.3, m_area.width() - m_labels, line * 1.2),
                  Qt::AlignHCenter | Qt::AlignVCenter, points().metricTitle(metric()), m_style.colors->ink, m_style,
                  true);
    }

    void paintTarget(QPainter& painter, std::size_t target, bool strong) const override {
        const Place& place = m_places[target];
        if (place.outcome != Outcome::value)
            return paintOutcome(painter, m_targets[target].at, place.outcome, m_style, strong);
        const QColor color = strong ? m_style.colors->ofPolicy(sweep().policies[m_tornados[place.tornado].policy])
                                    : m_style.colors->inkSoft;
        ChartStyle smaller = m_style;
        smaller.line *= strong ? 1 : 0.6;
        paintMark(painter, m_targets[target].at, MarkShape::circle, color, smaller, strong);
    }

private:
    struct Place {
        std::size_t tornado = 0;
        Outcome outcome{};
    };

    void findBase() {
        const std::vector<std::optional<std::size_t>> nearest = nearestToBase(sweep());
        for (const std::optional<std::size_t>& value : nearest)
            m_base.push_back(value.value_or(0));
        noteBase(nearest);
    }

    void noteBase(const std::vector<std::optional<std::size_t>>& nearest) {
        QStringList parts;
        for (std::size_t axis = 0; axis < m_base.size(); ++axis) {
            const QString text = axisSetting(sweep().axes[axis], m_base[axis]);
            parts << (nearest[axis] ? text : tornadoTr("%1 (the first, because the base has none of these)").arg(text));
        }
        m_notes << tornadoTr("The base point has the values of the sweep nearest to the base experiment: %1.")
                       .arg(parts.join(QStringLiteral(", ")));
    }

    std::vector<double> values() const {
        std::vector<double> values;
        for (const Tornado& tornado : m_tornados) {
            for (const TornadoBar& bar : tornado.bars) {
                for (const TornadoPoint& point : bar.along) {
                    if (point.metric.outcome == Outcome::value)
                        values.push_back(point.metric.value);
                }
            }
        }
        return values;
    }

    Fill fillOf(std::size_t tornado, bool high) const {
        const QColor color = m_style.colors->ofPolicy(sweep().policies[m_tornados[tornado].policy]);
        return high ? Fill{color, color, Texture::plain}
                    : Fill{Palette::mixed(color, m_style.colors->surface, 0.78), color, Texture::rising};
    }

    QRectF rowBox(const QRectF& plot, std::size_t position) const {
        const double height = plot.height() / static_cast<double>(m_order.size());
        const double bars = std::min(height * kBarShare, m_style.line * 2.5);
        const double middle = plot.top() + (static_cast<double>(position) + 0.5) * height;
        return {plot.left(), middle - bars / 2, plot.width(), bars};
    }

    double xOf(const QRectF& plot, double value) const {
        return plot.left() + m_scale.shareOf(value).value_or(0) * plot.width();
    }

    void placeTargets(std::size_t tornado) {
        const QRectF& plot = m_panels[tornado].plot;
        for (std::size_t position = 0; position < m_order.size(); ++position) {
            const QRectF row = rowBox(plot, position);
            double aside = plot.right() - m_style.line * 0.4;
            for (const TornadoPoint& point : m_tornados[tornado].bars[m_order[position]].along) {
                if (point.metric.outcome == Outcome::value && !m_scale.shareOf(point.metric.value))
                    continue;  // a note below the chart counts it
                if (point.metric.outcome == Outcome::value) {
                    m_targets.push_back({point.row, {xOf(plot, point.metric.value), row.center().y()}, {}});
                } else {
                    m_targets.push_back({point.row, {aside, row.center().y()}, {}});
                    aside -= m_style.line * 0.6;
                }
                m_places.push_back({tornado, point.metric.outcome});
            }
        }
    }

    void paintPanel(QPainter& painter, std::size_t tornado) const {
        const double line = m_style.line;
        const Panel& panel = m_panels[tornado];
        const QRectF& plot = panel.plot;
        const Palette& colors = *m_style.colors;
        paintTicksAcross(painter, plot, m_ticks, plot.bottom() + line * 0.25, panel.lowest, true, m_style);
        if (m_tornados.size() > 1)
            paintText(painter, QRectF(plot.left(), plot.top() - line * 1.4, plot.width(), line * 1.2),
                      Qt::AlignLeft | Qt::AlignVCenter, titleOfPolicy(sweep().policies[m_tornados[tornado].policy]),
                      colors.inkSoft, m_style);
        for (std::size_t position = 0; position < m_order.size(); ++position) {
            paintBar(painter, tornado, position);
            const QRectF row = rowBox(plot, position);
            if (panel.leftmost)
                paintText(painter,
                          QRectF(plot.left() - m_labels - line * 0.6, row.center().y() - line / 2, m_labels, line),
                          Qt::AlignRight | Qt::AlignVCenter, axisTitle(sweep().axes[m_order[position]]), colors.inkSoft,
                          m_style);
        }
        const auto& base = m_tornados[tornado].base;
        if (base && base->metric.outcome == Outcome::value && m_scale.shareOf(base->metric.value)) {
            const double x = xOf(plot, base->metric.value);
            painter.setPen(QPen(colors.ink, line * 0.1));
            painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        }
    }

    // The bar of the lowest value is above that of the highest, so neither covers the other if both are on one side.
    void paintBar(QPainter& painter, std::size_t tornado, std::size_t position) const {
        const QRectF& plot = m_panels[tornado].plot;
        const TornadoBar& bar = m_tornados[tornado].bars[m_order[position]];
        const auto& base = m_tornados[tornado].base;
        const QRectF row = rowBox(plot, position);
        if (!base || base->metric.outcome != Outcome::value || !bar.low || !m_scale.shareOf(base->metric.value))
            return;
        const double from = xOf(plot, base->metric.value);
        for (const bool high : {false, true}) {
            const TornadoPoint& end = high ? *bar.high : *bar.low;
            if (!m_scale.shareOf(end.metric.value))
                continue;
            const double to = xOf(plot, end.metric.value);
            const double top = high ? row.center().y() : row.top();
            const QRectF box(std::min(from, to), top, std::abs(to - from), row.height() / 2);
            const Fill fill = fillOf(tornado, high);
            paintFill(painter, box, fill, textureSpacing(m_style));
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(fill.ink, m_style.line * 0.06));
            painter.drawRect(box);
            paintEnd(painter, plot, box, to < from, axisValueText(sweep().axes[bar.axis], end.value));
        }
    }

    void paintEnd(QPainter& painter, const QRectF& plot, const QRectF& bar, bool leftwards, const QString& text) const {
        const double line = m_style.line;
        if (bar.height() < line * 0.8)
            return;
        const double width = m_style.text(text) + 1;
        QRectF room(0, bar.center().y() - line / 2, width, line);
        if (leftwards)
            room.moveRight(bar.left() - line * 0.4);
        else
            room.moveLeft(bar.right() + line * 0.4);
        if (room.left() < plot.left() || room.right() > plot.right())
            return;  // the tool tip shows it
        paintText(painter, room, Qt::AlignCenter, text, m_style.colors->inkSoft, m_style);
    }

    std::vector<std::size_t> m_base;
    std::vector<Tornado> m_tornados;
    std::vector<std::size_t> m_order;  // axes, greatest effect first
    AxisScale m_scale;
    std::vector<AxisTick> m_ticks;
    std::vector<Panel> m_panels;
    std::vector<Place> m_places;  // the panel and outcome of every target
    QRectF m_area;
    double m_labels = 0;  // width of the axis names at the left
};

}  // namespace

std::unique_ptr<ChartDrawing> tornadoDrawing(const ChartInput& input, const ChartStyle& style) {
    return std::make_unique<TornadoDrawing>(input, style);
}

}  // namespace ui
