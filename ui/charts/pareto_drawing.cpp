#include "ui/charts/axis_scale.h"
#include "ui/charts/chart_drawing.h"
#include "ui/charts/chart_picture.h"
#include "ui/charts/plot_frame.h"
#include "ui/charts/sweep_axes.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"

#include <QChart>
#include <QCoreApplication>
#include <QGraphicsScene>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <unordered_set>
#include <vector>

namespace ui {
namespace {

constexpr std::size_t kMany = 3000;  // from here on marks are dots, one for each few pixels

QString directionText(data::Better better) {
    return better == data::Better::smaller ? QCoreApplication::translate("ParetoDrawing", "smaller is better")
                                           : QCoreApplication::translate("ParetoDrawing", "larger is better");
}

/// Draws every point of the sweep by two metrics, and the front of the points that no other point beats.
class ParetoDrawing final : public ChartDrawing {
public:
    ParetoDrawing(const ChartInput& input, const ChartStyle& style)
        : ChartDrawing(input, style), m_across(plan().against.value_or(metric())) {
        sortPoints();
        m_front = paretoFront(m_all, points().betterAsCost(m_across), points().better(metric()));
        for (std::size_t policy = 0; data::isTimed(sweep().of) && policy < sweep().policies.size(); ++policy)
            m_legend.push_back(
                {titleOfPolicy(sweep().policies[policy]), policyStyle(sweep().policies[policy], *style.colors)});
        if (!m_front.empty())
            m_legend.push_back({QCoreApplication::translate("ParetoDrawing", "on the front (%1)").arg(m_front.size()),
                                {style.colors->ink, MarkShape::none, {4, 2}},
                                true});
        else if (!m_all.empty())
            m_notes << QCoreApplication::translate(
                "ParetoDrawing", "There is no front: for one of these metrics neither smaller nor larger is better.");
    }

    void layOut(const QRectF& area) override {
        const double line = m_style.line;
        m_area = area;
        m_plots.clear();
        m_targets.clear();
        const std::vector<double> across = points().values(m_across);
        const std::vector<double> up = points().values(metric());
        PanelGaps gaps;
        gaps.top = line * 0.5;
        gaps.bottom = line * 2.6;
        const QRectF below = area.adjusted(0, line * 1.3, -line * 1.5, 0);
        const int mostUp = ticksThatFit(below.height() - gaps.bottom, line * 2.6);
        const int mostAcross = ticksThatFit(below.width(), line * 7);
        m_scaleUp = scaleFor(up, logarithmic(up, metric()), mostUp, points().metricMeasure(metric()));
        m_scaleAcross = scaleFor(across, logarithmic(across, m_across), mostAcross, points().metricMeasure(m_across));
        m_ticksUp = ticksOf(m_scaleUp, mostUp, points().metricMeasure(metric()));
        m_ticksAcross = ticksOf(m_scaleAcross, mostAcross, points().metricMeasure(m_across));
        gaps.left = widestLabel(m_ticksUp, m_style) + line * 0.6;
        m_plot = placePanels(1, below, 1, gaps).front().plot;
        if (m_plot.isEmpty())
            return;
        m_plots.push_back(m_plot.adjusted(-line * 0.3, -line * 0.3, line * 0.3, line * 0.3));
        placeTargets();
        buildFront();
    }

    void paint(QPainter& painter) override {
        const double line = m_style.line;
        const Palette& colors = *m_style.colors;
        paintText(painter, QRectF(m_area.left(), m_area.top(), m_area.width(), line * 1.2),
                  Qt::AlignLeft | Qt::AlignVCenter, points().metricTitle(metric()) + preference(), colors.ink, m_style,
                  true);
        const QString across =
            m_front.empty() ? QString() : QStringLiteral(" (%1)").arg(directionText(points().betterAsCost(m_across)));
        paintText(painter, QRectF(m_area.left(), m_area.bottom() - line * 1.3, m_area.width(), line * 1.2),
                  Qt::AlignHCenter | Qt::AlignVCenter, points().metricTitle(m_across) + across, colors.ink, m_style,
                  true);
        if (m_plot.isEmpty())
            return;
        paintTicksUp(painter, m_plot, m_ticksUp, true, true, m_style);
        paintTicksAcross(painter, m_plot, m_ticksAcross, m_plot.bottom() + line * 0.25, true, true, m_style);
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        m_scene->render(&painter, m_area, m_area);
        painter.restore();
        painter.setRenderHint(QPainter::Antialiasing);
        const bool many = m_targets.size() > kMany;
        if (many)
            paintMany(painter);
        for (std::size_t target = 0; target < m_targets.size(); ++target) {
            if (!many || m_onFront[target])
                paintTarget(painter, target, false);
        }
        painter.setRenderHint(QPainter::Antialiasing, false);
    }

    void paintTarget(QPainter& painter, std::size_t target, bool strong) const override {
        const std::size_t policy = points().table().rows[m_targets[target].row].policy;
        const SeriesStyle style = policyStyle(sweep().policies[policy], *m_style.colors);
        if (m_onFront[target] && !strong) {
            painter.setBrush(m_style.colors->surface);
            painter.setPen(QPen(m_style.colors->ink, m_style.line * 0.08));
            painter.drawEllipse(m_targets[target].at, markSize(m_style) * 0.85, markSize(m_style) * 0.85);
        }
        paintMark(painter, m_targets[target].at, style.shape, style.color, m_style, strong);
    }

private:
    // Collects the points that have both values, and notes how many have not.
    void sortPoints() {
        std::vector<std::size_t> without;
        const std::vector<double> across = points().values(m_across);
        const std::vector<double> up = points().values(metric());
        const bool logAcross = logarithmic(across, m_across);
        const bool logUp = logarithmic(up, metric());
        std::size_t offScale = 0;
        for (std::size_t row = 0; row < points().table().rows.size(); ++row) {
            const PointValue x = points().value(row, m_across);
            const PointValue y = points().value(row, metric());
            if (x.outcome != Outcome::value || y.outcome != Outcome::value)
                without.push_back(row);
            else if ((logAcross && x.value <= 0) || (logUp && y.value <= 0))
                ++offScale;
            else
                m_all.push_back({x.value, y.value, row});
        }
        noteOffScale(offScale);
        notePointsWithoutValue(without, metric());
    }

    void placeTargets() {
        m_onFront.assign(m_all.size(), false);
        for (const std::size_t point : m_front)
            m_onFront[point] = true;
        for (const ParetoPoint& point : m_all) {
            const double x = m_scaleAcross.shareOf(point.x).value_or(0);
            const double y = m_scaleUp.shareOf(point.y).value_or(0);
            m_targets.push_back(
                {point.row, {m_plot.left() + x * m_plot.width(), m_plot.bottom() - y * m_plot.height()}, {}});
        }
    }

    // The front is drawn in steps, because a straight line between two of its points would suggest points that do not
    // exist.
    void buildFront() {
        m_scene = std::make_unique<QGraphicsScene>();
        m_scene->setSceneRect(m_area);
        QPolygonF steps;
        const bool smallerUp = points().better(metric()) == data::Better::smaller;
        for (const std::size_t i : m_front) {
            const QPointF at(m_scaleAcross.shareOf(m_all[i].x).value_or(0), m_scaleUp.shareOf(m_all[i].y).value_or(0));
            if (!steps.empty()) {
                const double worse =
                    smallerUp ? std::max(steps.back().y(), at.y()) : std::min(steps.back().y(), at.y());
                steps.emplace_back(worse == steps.back().y() ? at.x() : steps.back().x(), worse);
            }
            steps.push_back(at);
        }
        if (steps.size() < 2)
            return;
        auto chart = bareChart(m_plot);
        SeriesStyle dashed{m_style.colors->inkFaint, MarkShape::none, {4, 2}};
        addLine(*chart, steps, linePen(dashed, m_style));
        attachAxes(*chart);
        m_scene->addItem(chart.release());
    }

    // Paints one dot for all points of a policy that lie within it.
    void paintMany(QPainter& painter) const {
        const double side = std::max(2 / m_style.ratio, m_style.line * 0.14);
        std::unordered_set<std::uint64_t> taken;
        painter.setRenderHint(QPainter::Antialiasing, false);
        for (std::size_t target = 0; target < m_targets.size(); ++target) {
            const std::size_t policy = points().table().rows[m_targets[target].row].policy;
            const auto x = static_cast<std::uint64_t>(m_targets[target].at.x() / side);
            const auto y = static_cast<std::uint64_t>(m_targets[target].at.y() / side);
            if (taken.insert((policy << 48) | (x << 24) | y).second)
                painter.fillRect(QRectF(static_cast<double>(x) * side, static_cast<double>(y) * side, side, side),
                                 m_style.colors->ofPolicy(sweep().policies[policy]));
        }
        painter.setRenderHint(QPainter::Antialiasing);
    }

    QString preference() const {
        return m_front.empty() ? QString() : QStringLiteral(" (%1)").arg(directionText(points().better(metric())));
    }

    std::size_t m_across = 0;  // index of the metric along x
    std::vector<ParetoPoint> m_all;
    std::vector<std::size_t> m_front;
    std::vector<bool> m_onFront;  // by target
    AxisScale m_scaleAcross, m_scaleUp;
    std::vector<AxisTick> m_ticksAcross, m_ticksUp;
    QRectF m_area, m_plot;
    std::unique_ptr<QGraphicsScene> m_scene;
};

}  // namespace

std::unique_ptr<ChartDrawing> paretoDrawing(const ChartInput& input, const ChartStyle& style) {
    return std::make_unique<ParetoDrawing>(input, style);
}

}  // namespace ui
