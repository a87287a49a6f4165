#include "ui/charts/chart_drawing.h"
#include "ui/charts/chart_picture.h"
#include "ui/charts/plot_frame.h"
#include "ui/charts/sweep_axes.h"
#include "ui/drawing/thinned.h"
#include "ui/look/colour_map.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"

#include <QChart>
#include <QCoreApplication>
#include <QGraphicsScene>
#include <QPen>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace ui {
namespace {

constexpr double kLineShape = 1.15;  // width of a plot divided by its height, if there are several
constexpr double kMarkEvery = 0.55;  // lines of text between marks; closer marks would overlap
constexpr double kDense = 1.3;       // lines of text between points; closer points need no marks of their own
constexpr double kDenseEvery = 6;    // lines of text between marks then, which only distinguish the lines
constexpr double kRailEvery = 0.1;
constexpr std::size_t kMostEntries = 12;  // values of an axis in the legend
constexpr std::size_t kManyMarks = 4000;  // from here on marks are dots, because shapes would overlap
constexpr std::size_t kMostPieces = 300;  // of one panel as chart series, each of which takes half a millisecond

/// Lines, grouped lines and small multiples. Each panel is a QChart, which draws the lines; axes, marks and points
/// without a value are drawn here, because Qt Charts joins lines across gaps and has no ticks at 1, 2 and 5.
class LineDrawing final : public ChartDrawing {
public:
    LineDrawing(const ChartInput& input, const ChartStyle& style)
        : ChartDrawing(input, style), m_picture(linePicture(points(), plan(), metric())) {
        if (input.published)
            m_published = publishedMarks(points().table(), plan(), metric());
        noteSeriesWithoutValues();
        buildStyles();
        buildLegend();
        const std::vector<std::size_t> rows = m_picture.rows();
        addOutcomesToLegend(rows, false);
        m_rail = std::any_of(rows.begin(), rows.end(),
                             [&](std::size_t row) { return points().value(row, metric()).outcome != Outcome::value; })
                     ? style.line
                     : 0;
        noteOffScale(scaledValues());
    }

    void layOut(const QRectF& area) override {
        m_area = area;
        m_targets.clear();
        m_marks.clear();
        m_inRail.clear();
        m_plots.clear();
        const double line = m_style.line;
        const bool titles = m_picture.panels.size() > 1;
        PanelGaps gaps;
        gaps.top = titles ? line * 1.5 : line * 0.5;
        gaps.bottom = line * 2.6;
        gaps.between = line * 1.2;
        if (const std::vector<QString>& labels = m_picture.across.labels; titles && !labels.empty())
            // The gap between two panels holds half of the left panel's last label and half of the right panel's first
            // one.
            gaps.between =
                std::max(gaps.between, (m_style.text(labels.front()) + m_style.text(labels.back())) / 2 + line * 0.6);
        gaps.underEach = m_rail + (titles ? line * 0.3 : 0);
        const QRectF below = area.adjusted(0, line * 1.3, -line * 0.8, 0);
        const std::vector<double> values = scaledValues();
        // The number of ticks depends on the height of a plot, and that height does not depend on the ticks.
        const std::vector<Panel> first = placePanels(m_picture.panels.size(), below, kLineShape, gaps);
        const int most = first.empty() ? 2 : ticksThatFit(first.front().plot.height(), line * 2.6);
        const AxisMeasure measure = points().metricMeasure(metric());
        m_scale = scaleFor(values, logarithmic(values), most, measure);
        m_ticksUp = ticksOf(m_scale, most, measure);
        gaps.left = widestLabel(m_ticksUp, m_style) + line * 0.6;
        m_panels = placePanels(m_picture.panels.size(), below, kLineShape, gaps);
        if (!m_panels.empty())
            m_ticksAcross = ticksOf(m_picture.across, m_panels.front().plot.width(),
                                    [&](const QString& text) { return m_style.text(text) + line * 0.9; });
        for (std::size_t i = 0; i < m_panels.size(); ++i) {
            m_plots.push_back(m_panels[i].plot.adjusted(0, -line * 0.3, 0, m_rail));
            if (!m_panels[i].plot.isEmpty())
                placeTargets(m_picture.panels[i], m_panels[i]);
        }
        buildCharts();
    }

    void paint(QPainter& painter) override {
        paintAxes(painter);
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        m_scene->render(&painter, m_area, m_area);
        painter.restore();
        painter.setRenderHint(QPainter::Antialiasing);
        for (const Piece& piece : m_direct) {
            painter.setPen(piece.pen);
            painter.drawPolyline(piece.points.data(), static_cast<int>(piece.points.size()));
        }
        paintPublished(painter);
        paintMarks(painter);
        painter.setRenderHint(QPainter::Antialiasing, false);
    }

    void paintTarget(QPainter& painter, std::size_t target, bool strong) const override {
        const Mark& mark = m_marks[target];
        if (mark.outcome != Outcome::value)
            return paintOutcome(painter, m_targets[target].at, mark.outcome, m_style, strong);
        const SeriesStyle& style = m_styles[mark.series];
        paintMark(painter, m_targets[target].at, style.shape, style.color, m_style, strong);
    }

private:
    struct Mark {
        Outcome outcome{};
        std::size_t series = 0;  ///< index of the style
        bool drawn = true;       ///< false: too close to its neighbours; the mouse can still hover it
    };

    struct Piece {
        QPolygonF points;
        QPen pen;
    };

    std::vector<double> scaledValues() const {
        std::vector<double> values = m_picture.values();
        for (const PublishedMark& mark : m_published)
            values.push_back(mark.value);
        return values;
    }

    // If no point of a policy has a value, such as the traffic of a bound, one note replaces a mark at each point.
    void noteSeriesWithoutValues() {
        std::vector<std::array<std::size_t, 4>> outcomes(sweep().policies.size());
        for (const LinePanel& panel : m_picture.panels) {
            for (const LineSeries& series : panel.series) {
                for (const SeriesPoint& point : series.points)
                    ++outcomes[series.policy][static_cast<std::size_t>(point.value.outcome)];
            }
        }
        const auto never = [&](std::size_t policy) {
            const auto& counts = outcomes[policy];
            return counts[static_cast<std::size_t>(Outcome::value)] == 0 &&
                   counts[static_cast<std::size_t>(Outcome::without)] > 0;
        };
        QStringList names;
        for (const std::size_t policy : plan().policies) {
            if (never(policy))
                names << titleOfPolicy(sweep().policies[policy]);
        }
        if (!names.isEmpty())
            m_notes << QCoreApplication::translate("LineDrawing", "%1 has no values for %2.")
                           .arg(points().metricTitle(metric()), names.join(QStringLiteral(", ")));
        for (LinePanel& panel : m_picture.panels) {
            for (LineSeries& series : panel.series) {
                if (never(series.policy))
                    std::erase_if(series.points,
                                  [](const SeriesPoint& point) { return point.value.outcome == Outcome::without; });
            }
            std::erase_if(panel.series,
                          [&](const auto& series) { return never(series.policy) && series.points.empty(); });
        }
    }

    void buildStyles() {
        const Palette& colors = *m_style.colors;
        if (plan().second) {
            const data::SweepAxis& axis = sweep().axes[*plan().second];
            m_secondColors = orderedColours(axis.size(), colors.surface);
        }
        for (const LinePanel& panel : m_picture.panels) {
            for (const LineSeries& series : panel.series)
                m_styles.push_back(styleOf(series));
        }
    }

    std::vector<std::size_t> drawnPolicies() const {
        std::vector<std::size_t> drawn;
        for (const std::size_t policy : plan().policies) {
            const bool any = std::any_of(m_picture.panels.begin(), m_picture.panels.end(), [&](const LinePanel& panel) {
                return std::any_of(panel.series.begin(), panel.series.end(),
                                   [&](const LineSeries& series) { return series.policy == policy; });
            });
            if (any)
                drawn.push_back(policy);
        }
        return drawn;
    }

    void buildLegend() {
        const auto heading = [&](const QString& text) { m_legend.push_back({.label = text, .heading = true}); };
        if (plan().second) {
            const data::SweepAxis& axis = sweep().axes[*plan().second];
            heading(axisTitle(axis));
            // Of many values, list every n-th and the last: their colours are in order, so the reader can interpolate
            // the others.
            const std::size_t step = (axis.size() + kMostEntries - 1) / kMostEntries;
            for (std::size_t value = 0; value < axis.size(); ++value) {
                if (value % step == 0 || value + 1 == axis.size())
                    m_legend.push_back({axisValueText(axis, value), {m_secondColors[value], shapeOf(value), {}}, true});
            }
        }
        if (!data::isTimed(sweep().of))
            return;  // the values do not depend on the policy
        if (plan().second)
            heading(QCoreApplication::translate("LineDrawing", "Policy"));
        for (const std::size_t policy : drawnPolicies()) {
            SeriesStyle style = policyStyle(sweep().policies[policy], *m_style.colors);
            if (plan().second) {
                style.color = m_style.colors->inkSoft;
                style.shape = MarkShape::none;
            }
            if (plan().policies.size() == 1)
                style.dash.clear();
            m_legend.push_back({titleOfPolicy(sweep().policies[policy]), style, plan().across.has_value()});
        }
    }

    // With a second axis, colour and shape show its value and the dash shows the policy, so that each can be recognised
    // without colour.
    SeriesStyle styleOf(const LineSeries& series) const {
        SeriesStyle style = policyStyle(sweep().policies[series.policy], *m_style.colors);
        if (series.second) {
            style.color = m_secondColors[*series.second];
            style.shape = shapeOf(*series.second);
        }
        if (plan().policies.size() == 1)  // one policy needs no dash, which would break the tips of a saw-tooth
            style.dash.clear();
        return style;
    }

    void placeTargets(const LinePanel& content, const Panel& panel) {
        std::size_t style = 0;
        for (const LinePanel& before : m_picture.panels) {
            if (&before == &content)
                break;
            style += before.series.size();
        }
        const auto count = static_cast<double>(content.series.size());
        for (std::size_t i = 0; i < content.series.size(); ++i) {
            // In the strip of points without a value the series are side by side, as far as neighbouring values leave
            // room.
            const double places = static_cast<double>(std::max<std::size_t>(1, content.series[i].points.size()));
            const double step = std::min(m_style.line * 0.6, panel.plot.width() * 0.7 / places / count);
            placeSeries(content.series[i], style + i, (static_cast<double>(i) - (count - 1) / 2) * step, panel);
        }
    }

    /// Returns the minimum distance between the marks of a series. A single line of many points needs no marks, except
    /// for points without neighbours.
    double markEvery(const LineSeries& series, const Panel& panel) const {
        const double line = m_style.line;
        const auto values = std::count_if(series.points.begin(), series.points.end(), [](const SeriesPoint& point) {
            return point.value.outcome == Outcome::value;
        });
        if (static_cast<double>(values) * line * kDense <= panel.plot.width() || hasLonePoint(series))
            return line * kMarkEvery;
        const bool isLone = m_picture.panels.front().series.size() == 1;
        return isLone ? std::numeric_limits<double>::infinity() : line * kDenseEvery;
    }

    /// Returns whether a value has a gap on both sides, so that no line passes through it.
    static bool hasLonePoint(const LineSeries& series) {
        const auto isValue = [&](std::size_t at) {
            return at < series.points.size() && series.points[at].value.outcome == Outcome::value;
        };
        for (std::size_t i = 0; i < series.points.size(); ++i) {
            if (isValue(i) && !isValue(i + 1) && (i == 0 || !isValue(i - 1)))
                return true;
        }
        return false;
    }

    void placeSeries(const LineSeries& series, std::size_t style, double offset, const Panel& panel) {
        const QRectF& plot = panel.plot;
        const double every = markEvery(series, panel);
        double lastDrawn = -1e9;
        for (const SeriesPoint& point : series.points) {
            const double x = plot.left() + point.x * plot.width();
            if (point.value.outcome != Outcome::value) {
                const double within = std::clamp(x + offset, plot.left(), plot.right());
                m_targets.push_back({point.row, {within, plot.bottom() + m_rail * 0.5}, {}});
                const auto column = static_cast<int>((within - plot.left()) / (m_style.line * kRailEvery));
                const bool apart = m_inRail.emplace(plot.left(), plot.top(), column, point.value.outcome).second;
                m_marks.push_back({point.value.outcome, style, apart});
                continue;
            }
            const std::optional<double> y = m_scale.shareOf(point.value.value);
            if (!y)
                continue;  // a note below the chart counts it
            const bool drawn = x - lastDrawn >= every;
            lastDrawn = drawn ? x : lastDrawn;
            m_targets.push_back({point.row, {x, plot.bottom() - *y * plot.height()}, {}});
            m_marks.push_back({Outcome::value, style, drawn});
        }
    }

    void buildCharts() {
        m_scene = std::make_unique<QGraphicsScene>();
        m_scene->setSceneRect(m_area);
        m_direct.clear();
        for (std::size_t i = 0; i < m_panels.size(); ++i) {
            if (m_panels[i].plot.isEmpty())
                continue;
            auto chart = bareChart(m_panels[i].plot);
            fillChart(*chart, m_picture.panels[i], m_panels[i].plot);
            attachAxes(*chart);
            m_scene->addItem(chart.release());
        }
    }

    // If QChart would take too long for the number of pieces, they are drawn directly, with thinner pens.
    void fillChart(QChart& chart, const LinePanel& content, const QRectF& plot) {
        const double column = 1 / std::max(1.0, plot.width() * m_style.ratio);  // one device pixel
        std::vector<Piece> pieces;
        for (const LineSeries& series : content.series) {
            const QPen pen = linePen(styleOf(series), m_style);
            for (const QPolygonF& stretch : stretchesOf(series, m_scale)) {
                if (stretch.size() >= 2)  // a single point has a mark and no line
                    pieces.push_back({thinned(stretch, column), pen});
            }
        }
        for (Piece& piece : pieces) {
            if (pieces.size() <= kMostPieces) {
                addLine(chart, piece.points, piece.pen);
                continue;
            }
            piece.pen = QPen(piece.pen.color(), 0);  // one device pixel: wider ones cost ten times as much
            for (QPointF& point : piece.points)
                point = {plot.left() + point.x() * plot.width(), plot.bottom() - point.y() * plot.height()};
            m_direct.push_back(std::move(piece));
        }
    }

    void paintAxes(QPainter& painter) const {
        const double line = m_style.line;
        const Palette& colors = *m_style.colors;
        paintText(painter, QRectF(m_area.left(), m_area.top(), m_area.width(), line * 1.2),
                  Qt::AlignLeft | Qt::AlignVCenter, points().metricTitle(metric()), colors.ink, m_style, true);
        for (std::size_t i = 0; i < m_panels.size(); ++i) {
            const Panel& panel = m_panels[i];
            if (panel.plot.isEmpty())
                continue;
            const QRectF& plot = panel.plot;
            const double base = plot.bottom() + m_rail;
            paintTicksUp(painter, plot, m_ticksUp, panel.leftmost, true, m_style);
            paintTicksAcross(painter, plot, m_ticksAcross, base + line * 0.25, panel.lowest, true, m_style);
            painter.setPen(colors.line);
            painter.drawLine(QPointF(plot.left(), plot.bottom()), QPointF(plot.right(), plot.bottom()));
            if (m_picture.panels.size() > 1)
                paintText(painter, QRectF(plot.left(), plot.top() - line * 1.4, plot.width(), line * 1.2),
                          Qt::AlignLeft | Qt::AlignVCenter, m_picture.panels[i].title, colors.inkSoft, m_style);
        }
        paintText(painter, QRectF(m_area.left(), m_area.bottom() - line * 1.3, m_area.width(), line * 1.2),
                  Qt::AlignHCenter | Qt::AlignVCenter, m_picture.acrossTitle, colors.ink, m_style, true);
    }

    void paintPublished(QPainter& painter) const {
        for (const Panel& panel : m_panels) {
            QRectF last;
            for (const PublishedMark& mark : m_published) {
                const std::optional<double> share = m_scale.shareOf(mark.value);
                if (panel.plot.isEmpty() || !share)
                    continue;
                const QColor color = m_style.colors->ofPolicy(sweep().policies[mark.policy]);
                const double y = panel.plot.bottom() - *share * panel.plot.height();
                painter.setPen(QPen(color, m_style.line * 0.06, Qt::DashLine));
                painter.drawLine(QPointF(panel.plot.left(), y), QPointF(panel.plot.right(), y));
                // The label is above its line, or beside the previous label if that is at the same height.
                QRectF label(panel.plot.left() + m_style.line * 0.3, y - m_style.line, m_style.text(mark.label) + 1,
                             m_style.line);
                if (last.intersects(label))
                    label.moveLeft(last.right() + m_style.line);
                last = label;
                label.setRight(std::min(label.right(), panel.plot.right()));
                QColor behind = m_style.colors->surface;
                behind.setAlphaF(0.7F);
                painter.fillRect(label, behind);
                paintText(painter, label, Qt::AlignLeft | Qt::AlignVCenter, mark.label, color, m_style);
            }
        }
    }

    void paintMarks(QPainter& painter) const {
        const bool many = m_targets.size() > kManyMarks;
        const double dot = std::max(2 / m_style.ratio, m_style.line * 0.12);
        for (std::size_t target = 0; target < m_targets.size(); ++target) {
            const Mark& mark = m_marks[target];
            if (!mark.drawn)
                continue;
            if (many && mark.outcome == Outcome::value)
                painter.fillRect(QRectF(m_targets[target].at - QPointF(dot, dot) / 2, QSizeF(dot, dot)),
                                 m_styles[mark.series].color);
            else
                paintTarget(painter, target, false);
        }
    }

    LinePicture m_picture;
    std::vector<PublishedMark> m_published;
    std::vector<QColor> m_secondColors;
    AxisScale m_scale;
    std::vector<AxisTick> m_ticksUp, m_ticksAcross;
    std::vector<Panel> m_panels;
    std::vector<SeriesStyle> m_styles;                            // of every series, panel after panel
    std::vector<Mark> m_marks;                                    // of every target
    std::set<std::tuple<double, double, int, Outcome>> m_inRail;  // occupied places: panel, column and outcome
    QRectF m_area;
    double m_rail = 0;  // height of the strip for points without a value
    std::unique_ptr<QGraphicsScene> m_scene;
    std::vector<Piece> m_direct;  // lines that are drawn without a QChart
};

}  // namespace

std::unique_ptr<ChartDrawing> lineDrawing(const ChartInput& input, const ChartStyle& style) {
    return std::make_unique<LineDrawing>(input, style);
}

}  // namespace ui
