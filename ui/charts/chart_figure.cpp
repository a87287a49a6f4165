#include "ui/charts/chart_drawing.h"

#include "data/evaluations/reference.h"
#include "data/figure/figure_size.h"
#include "data/sweep/base_name.h"
#include "ui/charts/chart_picture.h"
#include "ui/charts/sweep_axes.h"
#include "ui/look/drawing_recorder.h"
#include "ui/look/format.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>

namespace ui {
namespace {

using data::FigurePanel;
using data::FigureScale;
using data::FigureSeries;
using data::FigureSpec;

constexpr std::size_t kMostOwnTicks = 8;       // of an axis: more would overlap in the width of a column
constexpr std::size_t kMostMarked = 48;        // points of a line: more markers would overlap in the width of a column
constexpr std::size_t kMostSeries = 8;         // more series need a legend wider than a column
constexpr std::size_t kMostLevels = 99;        // that a "level/…" meaning can have
constexpr std::size_t kMostWritten = 64;       // cells of a heat map: with more, numbers do not fit into cells
constexpr std::size_t kMostRectangles = 2500;  // cells of a heat map: with more, an image is smaller than shapes

QString tr(const char* text) { return QCoreApplication::translate("ChartFigure", text); }

QString shortNumber(double value) {
    const QString text = QLocale::c().toString(value, 'g', 6);
    return text == QStringLiteral("-0") ? QStringLiteral("0") : text;
}

/// Returns the meaning of a policy's series; points that depend on no policy are series 0.
std::string meaningOfPolicy(const std::string& policy) {
    return data::findPolicy(policy) != nullptr ? "policy/" + policy : "series/0";
}

/// Returns the meaning of a series as in the window: colours in the order of the axis, and a dash for each policy.
std::string meaningOfLevel(std::size_t level, std::size_t levels, std::size_t dash) {
    if (levels > kMostLevels)
        return "series/" + std::to_string((level * kMostSeries + dash) % kMostLevels);
    return "level/" + std::to_string(level) + '/' + std::to_string(levels) + '/' + std::to_string(dash);
}

double largest(const std::vector<double>& values) {
    double most = 0;
    for (const double value : values)
        most = std::max(most, std::abs(value));
    return most;
}

/// An axis of the sweep as an axis of the figure: its title, one unit for all numbers, and the values in that unit.
struct Across {
    data::FigureAxis axis;
    std::vector<std::size_t> order;   ///< indices of the values in rising order
    std::vector<double> numbers;      ///< in that order; empty if the values are words
    std::vector<std::string> labels;  ///< in that order; numbers have no unit, because the axis has it
};

Across acrossOf(const data::SweepAxis& axis) {
    Across across;
    across.axis.title = axisTitle(axis).toStdString();
    across.order = risingOrder(axis);
    const std::vector<double> numbers = numbersOf(axis);
    const ScaledUnit& unit = axisUnitFor(unitOf(axis), largest(numbers));
    if (!numbers.empty())
        across.axis.unit = unit.name;
    if (isLogSpaced(numbers))
        across.axis.scale = FigureScale::logarithmic;
    for (const std::size_t value : across.order) {
        if (numbers.empty()) {
            across.labels.push_back(axisValueText(axis, value).toStdString());
            continue;
        }
        across.numbers.push_back(numbers[value] / unit.size);
        across.labels.push_back(shortNumber(across.numbers.back()).toStdString());
    }
    return across;
}

bool hasLoneValue(const data::FigureValues& values) {
    const auto isValue = [&](std::size_t at) { return at < values.size() && values[at].has_value(); };
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (isValue(i) && !isValue(i + 1) && (i == 0 || !isValue(i - 1)))
            return true;
    }
    return false;
}

/// Builds the panels of one chart.
class Builder {
public:
    explicit Builder(const ChartInput& input) : m_input(input), m_points(*input.points) {}

    FigureSpec figure() {
        FigureSpec figure;
        switch (m_input.plan.kind) {
        case ChartKind::lines:
        case ChartKind::groupedLines:
        case ChartKind::smallMultiples: addLines(figure); break;
        case ChartKind::heatMap: addHeat(figure); break;
        case ChartKind::pareto: addPareto(figure); break;
        case ChartKind::tornado: addTornado(figure); break;
        case ChartKind::parallel:
            figure.legend = data::FigureLegend::none;
            figure.size = data::FigureSize::acmText;
            figure.panels.emplace_back().marks.emplace_back(data::DrawingMark{});
            break;
        }
        describe(figure);
        return figure;
    }

private:
    const data::Sweep& sweep() const { return m_points.sweep(); }

    // Returns whether the axis of the metric is logarithmic: by the rule of the chart in the window, except that an
    // axis which the user wants logarithmic stays linear unless all values are positive.
    bool logarithmic(std::size_t metric) const {
        const std::vector<double> values = m_points.values(metric);
        if (m_input.scale == ValueScale::logarithmic)
            return !values.empty() && *std::min_element(values.begin(), values.end()) > 0;
        return m_input.scale == ValueScale::automatic && !m_points.isSpeedup(metric) && wantsLogarithmic(values);
    }

    data::FigureAxis axisOf(std::size_t metric) const {
        data::FigureAxis axis;
        axis.title = m_points.metricTitle(metric).toStdString();
        axis.unit = axisUnitFor(m_points.metricMeasure(metric), largest(m_points.values(metric))).name;
        if (m_points.isSpeedup(metric)) {
            axis.title = tr("Speed-up").toStdString();
            axis.relativeTo = titleOfPolicy("sequential").toStdString();
        }
        axis.scale = logarithmic(metric) ? FigureScale::logarithmic : FigureScale::linear;
        return axis;
    }

    double unitOfMetric(std::size_t metric) const {
        return axisUnitFor(m_points.metricMeasure(metric), largest(m_points.values(metric))).size;
    }

    std::optional<double> valueAt(const std::vector<std::size_t>& at, std::size_t policy) {
        const auto row = m_points.rowAt(at, policy);
        const PointValue point = row ? m_points.value(*row, m_input.metric) : PointValue{};
        ++m_shown;
        if (point.outcome == Outcome::value)
            return point.value / unitOfMetric(m_input.metric);
        ++m_gaps;
        return std::nullopt;
    }

    QString policyOf(std::size_t policy) const { return titleOfPolicy(sweep().policies[policy]); }

    QString heldText() const {
        QStringList held;
        for (const std::size_t axis : m_input.plan.heldAxes)
            held << axisSetting(sweep().axes[axis], m_input.plan.held[axis]);
        return held.join(QStringLiteral(", "));
    }

    /// Adds exactly the panels of the chart; if it has too many lines for paper, the lint reports it.
    void addLines(FigureSpec& figure) {
        const ChartPlan& plan = m_input.plan;
        addLinePanels(figure, plan.panels);
        if (plan.second && sweep().axes[*plan.second].size() * plan.policies.size() > kMostSeries)
            figure.size = data::FigureSize::acmText;
        if (m_input.published && !plan.second)
            addPublished(figure);
    }

    // Adds a panel for each value of the axis, or a single panel if there is no axis.
    void addLinePanels(FigureSpec& figure, std::optional<std::size_t> axis) {
        const bool grouped = m_input.plan.second.has_value();
        std::vector<std::size_t> at = m_input.plan.held;
        for (std::size_t value = 0; value < (axis ? sweep().axes[*axis].size() : 1); ++value) {
            if (axis)
                at[*axis] = value;
            figure.panels.push_back(linePanel(at, grouped));
            if (axis)
                figure.panels.back().title = axisSetting(sweep().axes[*axis], value).toStdString();
        }
        if (figure.panels.size() > 1) {
            figure.columns = 2;
            figure.size = data::FigureSize::acmText;
        }
    }

    FigurePanel linePanel(const std::vector<std::size_t>& place, bool grouped) {
        const ChartPlan& plan = m_input.plan;
        FigurePanel panel;
        panel.y = axisOf(m_input.metric);
        data::LineMark mark;
        std::vector<std::size_t> order{0};
        if (plan.across) {
            const Across across = acrossOf(sweep().axes[*plan.across]);
            order = across.order;
            panel.x = across.axis;
            mark.x = across.numbers;
            mark.markers = across.order.size() <= kMostMarked;
            if (across.numbers.empty())
                panel.categories.labels = across.labels;
            else if (across.numbers.size() <= kMostOwnTicks)
                panel.x.ticks = across.numbers;
        } else {
            panel.categories.labels.emplace_back();
        }
        std::vector<std::size_t> at = place;
        const std::size_t seconds = grouped ? sweep().axes[*plan.second].size() : 1;
        for (std::size_t second = 0; second < seconds; ++second) {
            if (grouped)
                at[*plan.second] = second;
            std::size_t dash = 0;
            for (const std::size_t policy : plan.policies) {
                FigureSeries& series = mark.series.emplace_back();
                const QString group = grouped ? axisValueText(sweep().axes[*plan.second], second) : QString();
                series.name = (group.isEmpty()             ? policyOf(policy)
                               : plan.policies.size() == 1 ? group
                                                           : policyOf(policy) + QStringLiteral(", ") + group)
                                  .toStdString();
                series.meaning =
                    group.isEmpty() ? meaningOfPolicy(sweep().policies[policy]) : meaningOfLevel(second, seconds, dash);
                ++dash;
                for (const std::size_t value : order) {
                    if (plan.across)
                        at[*plan.across] = value;
                    series.values.push_back(valueAt(at, policy));
                }
            }
        }
        // No line passes through a value between two gaps, so it needs a marker.
        mark.markers = mark.markers || std::any_of(mark.series.begin(), mark.series.end(),
                                                   [](const auto& series) { return hasLoneValue(series.values); });
        panel.marks.emplace_back(std::move(mark));
        return panel;
    }

    void addPublished(FigureSpec& figure) const {
        for (const PublishedMark& mark : publishedMarks(m_points.table(), m_input.plan, m_input.metric)) {
            for (const data::PublishedItem& item : data::publishedItems()) {
                if (item.id != sweep().policies[mark.policy] + "-geomean")
                    continue;
                for (FigurePanel& panel : figure.panels)
                    panel.references.push_back(
                        {mark.value,
                         tr("%1, published: %2").arg(policyOf(mark.policy), shortNumber(mark.value)).toStdString(),
                         item.label,
                         {},
                         {}});
                figure.provenance.published.push_back({item.id, item.label, item.value});
            }
        }
        figure.provenance.publishedSource = data::publishedSource();
    }

    void addHeat(FigureSpec& figure) {
        const ChartPlan& plan = m_input.plan;
        const Across across = acrossOf(sweep().axes[*plan.across]);
        const Across up = acrossOf(sweep().axes[*plan.second]);
        const data::FigureAxis value = axisOf(m_input.metric);
        for (const std::size_t policy : plan.policies) {
            FigurePanel& panel = figure.panels.emplace_back();
            panel.title = plan.policies.size() > 1 ? policyOf(policy).toStdString() : std::string();
            panel.x = across.axis;
            panel.x.scale = FigureScale::linear;  // cells have equal widths
            panel.categories.labels = across.labels;
            panel.y = up.axis;
            panel.y.scale = FigureScale::linear;
            data::HeatMark mark;
            mark.valueTitle = value.title;
            mark.valueUnit = value.relativeTo.empty() ? value.unit : "×";  // the caption names the reference
            std::vector<std::size_t> at = plan.held;
            for (std::size_t row = up.order.size(); row-- > 0;) {  // the largest value at the top, as on an axis
                mark.rows.push_back(up.labels[row]);
                at[*plan.second] = up.order[row];
                for (const std::size_t column : across.order) {
                    at[*plan.across] = column;
                    mark.values.push_back(valueAt(at, policy));
                }
            }
            mark.valuesWritten = mark.values.size() <= kMostWritten;
            mark.asImage = mark.values.size() > kMostRectangles;
            panel.marks.emplace_back(std::move(mark));
        }
        // Two panels are side by side, so that they can be compared.
        if (plan.policies.size() > 1) {
            figure.columns = 2;
            figure.size = data::FigureSize::acmText;
        }
    }

    void addPareto(FigureSpec& figure) {
        const std::size_t across = m_input.plan.against.value_or(m_input.metric);
        std::vector<ParetoPoint> all;
        for (std::size_t row = 0; row < m_points.table().rows.size(); ++row) {
            const PointValue x = m_points.value(row, across);
            const PointValue y = m_points.value(row, m_input.metric);
            ++m_shown;
            if (x.outcome == Outcome::value && y.outcome == Outcome::value)
                all.push_back({x.value / unitOfMetric(across), y.value / unitOfMetric(m_input.metric), row});
            else
                ++m_gaps;
        }
        std::stable_sort(all.begin(), all.end(), [](const ParetoPoint& a, const ParetoPoint& b) { return a.x < b.x; });
        FigurePanel& panel = figure.panels.emplace_back();
        panel.x = axisOf(across);
        panel.y = axisOf(m_input.metric);
        if (!all.empty() && panel.x.scale == FigureScale::linear &&
            all.front().x < all.back().x) {  // keeps points off the edge
            const double around = (all.back().x - all.front().x) * 0.04;
            panel.x.from = all.front().x - around;
            panel.x.to = all.back().x + around;
        }
        const auto markOf = [&](const std::vector<ParetoPoint>& points, const QString& name,
                                const std::string& meaning) {
            data::LineMark mark;
            FigureSeries& series = mark.series.emplace_back();
            series.name = name.toStdString();
            series.meaning = meaning;
            for (const ParetoPoint& point : points) {
                mark.x.push_back(point.x);
                series.values.emplace_back(point.y);
            }
            return mark;
        };
        std::vector<ParetoPoint> front;
        for (const std::size_t point : paretoFront(all, m_points.betterAsCost(across), m_points.better(m_input.metric)))
            front.push_back(all[point]);
        if (front.size() > 1) {
            data::LineMark mark = markOf(front, tr("Pareto front"), "neutral");
            mark.markers = false;
            panel.marks.emplace_back(std::move(mark));
        }
        for (std::size_t policy = 0; policy < sweep().policies.size(); ++policy) {
            std::vector<ParetoPoint> own;
            std::copy_if(all.begin(), all.end(), std::back_inserter(own),
                         [&](const ParetoPoint& point) { return m_points.table().rows[point.row].policy == policy; });
            if (own.empty())
                continue;
            data::LineMark mark = markOf(own, policyOf(policy), meaningOfPolicy(sweep().policies[policy]));
            mark.joined = false;
            panel.marks.emplace_back(std::move(mark));
        }
    }

    void addTornado(FigureSpec& figure) {
        std::vector<std::size_t> base;
        for (const std::optional<std::size_t>& value : nearestToBase(sweep()))
            base.push_back(value.value_or(0));
        std::vector<Tornado> tornados;
        for (const std::size_t policy : m_input.plan.policies)
            tornados.push_back(tornadoAround(m_points, base, policy, m_input.metric));
        const double unit = unitOfMetric(m_input.metric);
        const auto inUnits = [&](const std::optional<TornadoPoint>& point) -> std::optional<double> {
            ++m_shown;
            if (point && point->metric.outcome == Outcome::value)
                return point->metric.value / unit;
            ++m_gaps;
            return std::nullopt;
        };
        for (const Tornado& tornado : tornados) {
            FigurePanel& panel = figure.panels.emplace_back();
            panel.title = tornados.size() > 1 ? policyOf(tornado.policy).toStdString() : std::string();
            panel.y = axisOf(m_input.metric);
            panel.y.scale = FigureScale::linear;
            FigureSeries low{tr("lowest value").toStdString(), "series/4", {}, {}, {}, 0};
            FigureSeries high{tr("highest value").toStdString(), "series/0", {}, {}, {}, 0};
            for (const std::size_t axis : axesByEffect(tornados)) {
                panel.categories.labels.push_back(
                    axisTitle(sweep().axes[axis]).section(QStringLiteral(": "), -1).toStdString());
                low.values.push_back(inUnits(tornado.bars[axis].low));
                high.values.push_back(inUnits(tornado.bars[axis].high));
            }
            data::BarMark mark;
            mark.bars.push_back({{}, {std::move(low)}});
            mark.bars.push_back({{}, {std::move(high)}});
            panel.marks.emplace_back(std::move(mark));
            if (const auto value = inUnits(tornado.base))
                panel.references.push_back(
                    {*value, tr("base: %1").arg(QLocale::c().toString(*value, 'g', 4)).toStdString(), {}, {}, {}});
        }
    }

    void describe(FigureSpec& figure) const {
        const QString metric = m_points.metricTitle(m_input.metric);
        QStringList axes;
        for (const data::SweepAxis& axis : sweep().axes)
            axes << axisTitle(axis);
        const QString over = axes.join(QStringLiteral(" × "));
        const auto text = sweep().texts.find("label");
        const QString label = text == sweep().texts.end() ? QString() : QString::fromStdString(text->second);
        figure.name = fileNameOf(label.isEmpty() ? metric + QLatin1Char(' ') + over : label).toStdString();
        figure.title = (label.isEmpty() ? tr("%1 over %2").arg(metric, over) : label).toStdString();
        const engine::Experiment base = data::expand(sweep().base).experiment;
        const QString baseName = QString::fromStdString(data::baseName(sweep()));
        QString caption = tr("%1 over %2 (%3).").arg(metric, over, baseName);
        if (const QString held = heldText(); !held.isEmpty())
            caption += tr(" Held constant: %1.").arg(held);
        if (m_gaps > 0)
            caption += tr(" %1 of %2 points have no result.").arg(m_gaps).arg(m_shown);
        for (const engine::Notice& notice : data::qualifyingNotices(m_points.table()))
            caption += tr(" Notice: %1.").arg(QString::fromStdString(notice.text));
        if (!figure.provenance.published.empty())
            caption += tr(" Published values: %1.").arg(QString::fromStdString(data::publishedCitation()));
        figure.caption = caption.toStdString();
        const std::vector<double> values = m_points.values(m_input.metric);
        QString alternative = tr("%1: %2 by %3.").arg(nameOf(m_input.plan.kind), metric, over);
        if (!values.empty()) {
            const auto [least, most] = std::minmax_element(values.begin(), values.end());
            alternative +=
                tr(" Values from %1 to %2.")
                    .arg(m_points.metricText(m_input.metric, *least), m_points.metricText(m_input.metric, *most));
        }
        figure.alternative = alternative.toStdString();
        const auto published = figure.provenance.published;
        const std::string source = figure.provenance.publishedSource;
        figure.provenance = provenanceOf(base, baseName.toStdString());
        figure.provenance.published = published;
        figure.provenance.publishedSource = source;
        figure.provenance.moment = tr("sweep %1").arg(QString::fromStdString(m_points.table().id)).toStdString();
    }

    const ChartInput& m_input;
    const SweepPoints& m_points;
    std::size_t m_gaps = 0;
    std::size_t m_shown = 0;
};

/// Returns the chart as a drawing for paper.
data::DrawingMark drawn(const ChartInput& input, data::FigureSize size, data::FigureTheme theme) {
    const data::FigureSizePreset& preset = data::presetOf(size);
    const QFont font = figureFont(size);
    const double fine = 8;  // device pixels per unit, as in print
    const ChartStyle style{&paletteOf(windowTheme(theme)), font, QFontMetricsF(font).height(), fine};
    const auto drawing = makeDrawing(input, style);
    const QSizeF dots =
        QSizeF(preset.width, preset.height.value_or(preset.width * 0.5)) / DrawingRecorder::pointsPerDot();
    QRectF room = QRectF(QPointF(), dots).adjusted(style.line, 0, -style.line * 3, -style.line * 0.4);
    QRectF legend = room;
    legend.setHeight(legendHeight(drawing->legend(), room.width(), style));
    room.setTop(legend.bottom() + style.line * 0.4);
    drawing->layOut(room);
    DrawingRecorder recorder(dots);
    QPainter painter(&recorder);
    painter.setFont(style.font);
    drawing->paint(painter);
    paintLegend(painter, legend, drawing->legend(), style);
    painter.end();
    return theme == data::FigureTheme::greyPrint ? greyed(recorder.drawing()) : recorder.drawing();
}

}  // namespace

std::optional<FigureOffer> chartFigure(const ChartInput& input) {
    if (!input.points || input.points->isEmpty() || input.points->table().metrics.empty())
        return std::nullopt;
    FigureOffer offer;
    offer.figure = Builder(input).figure();
    if (input.plan.kind == ChartKind::parallel) {
        offer.redraw = [input](data::FigureSize size, data::FigureTheme theme) { return drawn(input, size, theme); };
        redraw(offer.figure, offer.redraw);
    }
    return offer;
}

}  // namespace ui
