#include "ui/charts/chart_drawing.h"
#include "ui/charts/chart_picture.h"
#include "ui/charts/plot_frame.h"
#include "ui/charts/sweep_axes.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace ui {
namespace {

constexpr std::size_t kMostSingleLines = 200;  // more are bundled: points with equal values at both axes share a line
constexpr std::size_t kMostFine = 1500;        // more are bundled coarsely, and a note says so
constexpr int kFine = 160;                     // intervals of an axis, a few pixels high
constexpr int kCoarse = 64;
constexpr double kFewOpaque = 60;  // lines that are opaque; more lines are translucent

QPen penOf(QColor color, double opacity, const ChartStyle& style) {
    color.setAlphaF(static_cast<float>(opacity));
    return {color, style.line * 0.08, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin};
}

/// Draws every point of the sweep as a line through all its parameters and metrics. Where a point has no value of a
/// metric, its line goes through the strip below that axis, and a mark shows the reason.
class ParallelDrawing final : public ChartDrawing {
public:
    ParallelDrawing(const ChartInput& input, const ChartStyle& style) : ChartDrawing(input, style) {
        m_axes = uprightAxes(m_input);
        const std::size_t rows = points().table().rows.size();
        m_bundles = rows > kMostSingleLines;
        std::vector<std::size_t> all(rows);
        for (std::size_t row = 0; row < rows; ++row)
            all[row] = row;
        for (const std::string& policy : sweep().policies) {
            MarkStyle look;
            look.line = {style.colors->ofPolicy(policy), style.line * 0.115, {}};
            look.marker = Marker::none;
            m_legend.push_back({titleOfPolicy(policy), look, true});
        }
        addOutcomesToLegend(all, false);
        std::size_t offScale = 0;
        for (std::size_t row = 0; row < rows; ++row) {
            for (const UprightAxis& axis : m_axes) {
                if (axis.kind != UprightAxis::Kind::metric || crossing(points(), axis, row))
                    continue;
                m_rail = style.line;
                offScale += points().value(row, axis.which).outcome == Outcome::value ? 1 : 0;
            }
        }
        noteOffScale(offScale);
        if (rows > kMostFine)
            m_notes << QCoreApplication::translate(
                           "ParallelDrawing", "%1 points: lines that are too close to distinguish are drawn as one, "
                                              "which is stronger for more points.")
                           .arg(rows);
    }

    void layOut(const QRectF& area) override {
        const double line = m_style.line;
        m_targets.clear();
        m_plots.clear();
        m_ticks.clear();
        m_plot = area.adjusted(line * 5, line * 1.6, -line * 1.5, -line * 0.6 - m_rail);
        if (m_plot.width() < line * 4 || m_plot.height() < line * 2 || m_axes.empty()) {
            m_plot = {};
            return;
        }
        const auto height = [&](const QString&) { return line * 1.1; };
        for (const UprightAxis& axis : m_axes)
            m_ticks.push_back(ticksOf(axis.plan, m_plot.height(), height));
        m_plots.push_back(m_plot.adjusted(-line * 0.4, -line * 0.4, line * 0.4, line * 0.4 + m_rail));
        placeTargets();
    }

    void paint(QPainter& painter) override {
        if (m_plot.isEmpty())
            return;
        painter.setRenderHint(QPainter::Antialiasing, !m_bundles);
        if (m_bundles)
            paintBundles(painter);
        else
            paintLines(painter);
        painter.setRenderHint(QPainter::Antialiasing);
        paintOutcomes(painter);
        painter.setRenderHint(QPainter::Antialiasing, false);
        paintAbove(painter);
    }

    void paintAbove(QPainter& painter) const override {
        for (std::size_t axis = 0; axis < m_axes.size() && !m_plot.isEmpty(); ++axis)
            paintAxis(painter, axis);
    }

    void paintTarget(QPainter& painter, std::size_t target, bool strong) const override {
        const std::size_t row = m_targets[target].row;
        // A point has a target at each axis; only the first one paints the line.
        if (target > 0 && m_targets[target - 1].row == row)
            return;
        const data::SweepRow& point = points().table().rows[row];
        const std::vector<QPointF> line = lineOf(row);
        const QColor color = m_style.colors->ofPolicy(sweep().policies[point.policy]);
        if (strong) {
            painter.setPen(QPen(m_style.colors->ink, m_style.line * 0.34, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
            painter.drawPolyline(line.data(), static_cast<int>(line.size()));
        }
        painter.setPen(QPen(color, m_style.line * (strong ? 0.18 : 0.1), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.drawPolyline(line.data(), static_cast<int>(line.size()));
        if (point.state != data::PointState::done)
            paintOutcome(painter, line.back(), points().value(row, metric()).outcome, m_style, strong);
    }

private:
    double xOf(std::size_t axis) const { return m_plot.left() + static_cast<double>(axis) * columnWidth(); }

    double yOf(const std::optional<double>& share) const {
        return share ? m_plot.bottom() - *share * m_plot.height() : m_plot.bottom() + m_rail * 0.6;
    }

    std::vector<QPointF> lineOf(std::size_t row) const {
        std::vector<QPointF> line;
        for (std::size_t axis = 0; axis < m_axes.size(); ++axis) {
            const std::optional<double> share = crossing(points(), m_axes[axis], row);
            line.emplace_back(xOf(axis), yOf(share));
            // A point that failed or has not run has no metrics, so its line ends at the first metric.
            const bool over = !share && m_axes[axis].kind == UprightAxis::Kind::metric &&
                              points().table().rows[row].state != data::PointState::done;
            if (over)
                break;
        }
        return line;
    }

    void placeTargets() {
        for (std::size_t row = 0; row < points().table().rows.size(); ++row) {
            for (const QPointF& at : lineOf(row))
                m_targets.push_back({row, at, {}});
        }
    }

    void paintAxis(QPainter& painter, std::size_t axis) const {
        const double line = m_style.line;
        const double x = xOf(axis);
        const Palette& colors = *m_style.colors;
        painter.setPen(QPen(colors.inkFaint, std::max(1.0, line * 0.08)));
        painter.drawLine(QPointF(x, m_plot.top()), QPointF(x, m_plot.bottom()));
        // Titles of the outer axes reach as far outwards as the plot leaves room.
        const bool first = axis == 0, last = axis + 1 == m_axes.size() && !first;
        const double half = columnWidth() / 2 - line * 0.3;
        const QRectF title(QPointF(x - (first ? line * 4.4 : half), m_plot.top() - line * 1.6),
                           QPointF(x + (last ? line * 1.4 : half), m_plot.top() - line * 0.4));
        paintText(painter, title,
                  (first  ? Qt::AlignLeft
                   : last ? Qt::AlignRight
                          : Qt::AlignHCenter) |
                      Qt::AlignVCenter,
                  shortened(m_axes[axis].plan.title, title.width(), m_style), colors.ink, m_style, true);
        for (const AxisTick& tick : m_ticks[axis]) {
            const double y = m_plot.bottom() - tick.share * m_plot.height();
            painter.setPen(colors.inkFaint);
            painter.drawLine(QPointF(x - line * 0.2, y), QPointF(x, y));
            const double text = m_style.text(tick.label) + 2;
            const QRectF room(x - line * 0.35 - text, y - line / 2, text, line);
            // The label has a background, because lines pass behind it.
            QColor behind = colors.surface;
            behind.setAlphaF(0.8F);
            painter.fillRect(room, behind);
            painter.setPen(colors.inkSoft);
            painter.setFont(m_style.font);
            painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter, tick.label);
        }
    }

    void paintLines(QPainter& painter) const {
        const std::size_t rows = points().table().rows.size();
        const double opacity = std::clamp(std::sqrt(kFewOpaque / static_cast<double>(rows)), 0.25, 0.9);
        for (std::size_t row = 0; row < rows; ++row) {
            const std::vector<QPointF> line = lineOf(row);
            const std::size_t policy = points().table().rows[row].policy;
            painter.setPen(penOf(m_style.colors->ofPolicy(sweep().policies[policy]), opacity, m_style));
            painter.drawPolyline(line.data(), static_cast<int>(line.size()));
        }
    }

    // Lines are one device pixel wide and not antialiased: anything else takes five to ten times as long.
    void paintBundles(QPainter& painter) const {
        const int levels = points().table().rows.size() > kMostFine ? kCoarse : kFine;
        for (std::size_t axis = 0; axis + 1 < m_axes.size(); ++axis) {
            const std::vector<Bundle> bundles = bundled(points(), m_axes[axis], m_axes[axis + 1], levels);
            std::size_t most = 1;
            for (const Bundle& bundle : bundles)
                most = std::max(most, bundle.count);
            const auto y = [&](int level) {
                return yOf(level < 0 ? std::nullopt : std::optional((level + 0.5) / levels));
            };
            for (const Bundle& bundle : bundles) {
                const double opacity =
                    0.12 + 0.7 * std::sqrt(static_cast<double>(bundle.count) / static_cast<double>(most));
                QPen pen = penOf(m_style.colors->ofPolicy(sweep().policies[bundle.policy]), opacity, m_style);
                pen.setWidth(0);
                painter.setPen(pen);
                painter.drawLine(QPointF(xOf(axis), y(bundle.from)), QPointF(xOf(axis + 1), y(bundle.to)));
            }
        }
    }

    // Paints one mark of each kind below an axis if there is such a point; hovering a point's line shows which one it
    // is.
    void paintOutcomes(QPainter& painter) const {
        for (std::size_t axis = 0; axis < m_axes.size(); ++axis) {
            if (m_axes[axis].kind != UprightAxis::Kind::metric)
                continue;
            std::array<bool, 4> seen{};
            for (std::size_t row = 0; row < points().table().rows.size(); ++row)
                seen[static_cast<std::size_t>(points().value(row, m_axes[axis].which).outcome)] = true;
            const bool first = axis == 0 || m_axes[axis - 1].kind != UprightAxis::Kind::metric;
            double x = xOf(axis);
            for (const Outcome outcome : {Outcome::failed, Outcome::missing, Outcome::without}) {
                if (!seen[static_cast<std::size_t>(outcome)] || (!first && outcome != Outcome::without))
                    continue;
                paintOutcome(painter, {x, yOf(std::nullopt)}, outcome, m_style, false);
                x += m_style.line * 0.7;
            }
        }
    }

    double columnWidth() const {
        return m_plot.width() / static_cast<double>(std::max<std::size_t>(2, m_axes.size()) - 1);
    }

    std::vector<UprightAxis> m_axes;
    std::vector<std::vector<AxisTick>> m_ticks;
    QRectF m_plot;
    double m_rail = 0;
    bool m_bundles = false;
};

}  // namespace

std::unique_ptr<ChartDrawing> parallelDrawing(const ChartInput& input, const ChartStyle& style) {
    return std::make_unique<ParallelDrawing>(input, style);
}

}  // namespace ui
