#include "ui/charts/chart_figure.h"

#include "data/evaluations/reference.h"
#include "data/evaluations/statistics.h"
#include "data/figure/figure_meaning.h"
#include "data/figure/figure_size.h"
#include "data/figure/gallery_words.h"
#include "data/sweep/base_name.h"
#include "data/sweep/point_texts.h"
#include "engine/api/letters.h"
#include "ui/charts/chart_choices.h"
#include "ui/charts/chart_drawing.h"
#include "ui/charts/chart_picture.h"
#include "ui/charts/sweep_axes.h"
#include "ui/drawing/panel_plan.h"
#include "ui/look/drawing_recorder.h"
#include "ui/look/format.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace ui {
namespace {

using data::FigurePanel;
using data::FigureScale;
using data::FigureSeries;
using data::FigureSpec;

constexpr std::size_t kMostTicksInColumn = 8;  // of an axis: more would overlap in the width of a column
constexpr std::size_t kMostMarked = 48;        // points of a line: more markers would overlap in the width of a column
constexpr std::size_t kMostSeries = 8;         // more series need a legend wider than a column
constexpr std::size_t kMostLevels = 99;        // that a "level/…" meaning can have
constexpr std::size_t kMostWritten = 64;       // cells of a heat map: with more, numbers do not fit into cells
constexpr qsizetype kLongestName = 80;         // letters, as a figure may have
constexpr double kTextRoom = 0.12;             // beyond the values of a tornado, as a share
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

bool hasLoneValue(const data::FigureValues& values) {
    const auto isValue = [&](std::size_t at) { return at < values.size() && values[at].has_value(); };
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (isValue(i) && !isValue(i + 1) && (i == 0 || !isValue(i - 1)))
            return true;
    }
    return false;
}

/// Gives all panels the range of their values together, so that they can be compared.
void shareRange(FigureSpec& figure) {
    if (figure.panels.size() < 2)
        return;
    constexpr double kLength = 200;  // of the axis in points; only texts over values depend on it
    constexpr int kIntervals = 5;
    DataReach reach;
    for (const FigurePanel& panel : figure.panels) {
        const DataReach own = valuesOfY(panel);
        reach.padded = reach.padded || own.padded;
        for (const double end : {own.least, own.most, own.leastPositive})
            reach.include(end);
        for (const data::FigureReference& reference : panel.references)
            reach.include(reference.value);
    }
    const AxisPlace shared = planAxis(figure.panels.front().y, reach, kLength, kIntervals).place;
    for (FigurePanel& panel : figure.panels) {
        panel.y.from = shared.from;
        panel.y.to = shared.to;
    }
}

/// Returns the title of an axis as the figures of the gallery write it: "Bandwidth of a link".
QString titleOnPaper(const data::SweepAxis& axis) {
    QStringList titles;
    for (const data::AxisColumn& column : axis.columns) {
        const engine::Parameter* parameter = engine::findParameter(column.path);
        titles << QString::fromStdString(parameter != nullptr ? data::parameterTitle(*parameter) : column.path);
    }
    return titles.join(QStringLiteral(" + "));
}

QString valueOnPaper(const data::SweepAxis& axis, std::size_t value) {
    QStringList values;
    for (const data::AxisColumn& column : axis.columns) {
        const engine::Parameter* parameter = engine::findParameter(column.path);
        const std::string text = data::textOf(column, value);
        values << QString::fromStdString(parameter != nullptr ? data::placeTitle(*parameter, text) : text);
    }
    return values.join(QStringLiteral(" + "));
}

QString directionText(data::Better better) {
    return better == data::Better::smaller ? tr(", smaller is better") : tr(", larger is better");
}

/// Builds the panels of one chart.
class Builder {
public:
    explicit Builder(const ChartInput& input) : m_input(input), m_points(*input.points) {}

    ChartFigure chart(bool forPaper) {
        m_forPaper = forPaper;
        FigureSpec& figure = m_chart.figure;
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
        if (m_offScale > 0)
            m_chart.notes << offScaleNote(m_offScale);
        if (forPaper)
            describe(figure);
        return std::move(m_chart);
    }

private:
    const data::Sweep& sweep() const { return m_points.sweep(); }

    std::size_t lookOf(const std::string& meaning) {
        std::vector<std::string>& looks = m_chart.looks;
        const auto look = static_cast<std::size_t>(std::ranges::find(looks, meaning) - looks.begin());
        if (look == looks.size())
            looks.push_back(meaning);
        return look;
    }

    /// Returns the value of a point for the figure, and keeps the point unless the axis cannot show its value.
    std::optional<double> shown(std::size_t row, double across, std::size_t look) {
        const PointValue point = m_points.value(row, m_input.metric);
        const bool has = point.outcome == Outcome::value;
        ++m_shown;
        m_gaps += has ? 0 : 1;
        if (has && m_logarithmic && point.value <= 0) {
            ++m_offScale;
            return std::nullopt;
        }
        const double value = has ? point.value / m_unit : 0;
        m_chart.points.push_back({row, m_chart.figure.panels.size() - 1, look, across, value, point.outcome});
        return has ? std::optional(value) : std::nullopt;
    }

    QString policyOf(std::size_t policy) const { return titleOfPolicy(sweep().policies[policy]); }

    // On paper parameters have the names that the figures of the gallery give them, in the window those of the form.
    QString titleOf(const data::SweepAxis& axis) const { return m_forPaper ? titleOnPaper(axis) : axisTitle(axis); }
    QString valueOf(const data::SweepAxis& axis, std::size_t value) const {
        return m_forPaper ? valueOnPaper(axis, value) : axisValueText(axis, value);
    }
    QString settingOf(const data::SweepAxis& axis, std::size_t value) const {
        return titleOf(axis) + QStringLiteral(" = ") + valueOf(axis, value);
    }
    Across across(const data::SweepAxis& axis) const {
        Across across = acrossOf(axis);
        if (!m_forPaper)
            return across;
        across.axis.title = titleOnPaper(axis).toStdString();
        for (std::size_t place = 0; across.numbers.empty() && place < across.order.size(); ++place)
            across.labels[place] = valueOnPaper(axis, across.order[place]).toStdString();
        return across;
    }

    /// Returns the name of a line: its policy, the value of the second axis, or both.
    std::string nameOfLine(std::size_t policy, std::optional<std::size_t> second) const {
        if (!second)
            return policyOf(policy).toStdString();
        const data::SweepAxis& axis = sweep().axes[*m_input.plan.second];
        const QString group = m_forPaper ? settingOf(axis, *second) : valueOf(axis, *second);
        return (m_input.plan.policies.size() == 1 ? group : policyOf(policy) + QStringLiteral(", ") + group)
            .toStdString();
    }

    /// Adds exactly the panels of the chart; if it has too many lines for paper, the lint reports it.
    void addLines(FigureSpec& figure) {
        const ChartPlan& plan = m_input.plan;
        std::vector<std::size_t> at = plan.held;
        for (std::size_t value = 0; value < (plan.panels ? sweep().axes[*plan.panels].size() : 1); ++value) {
            FigurePanel& panel = figure.panels.emplace_back();
            if (plan.panels) {
                at[*plan.panels] = value;
                panel.title = settingOf(sweep().axes[*plan.panels], value).toStdString();
            }
            fillLines(panel, at);
        }
        leaveOutPoliciesWithoutValues(figure);
        if (plan.seeds)
            m_rules << tr("Means over %1 seeds; error bars are 95 % confidence intervals (Student's t).")
                           .arg(sweep().axes[*plan.seeds].size());
        if (plan.seeds)
            m_chart.notes << m_rules.back();
        if (m_forPaper && plan.second)
            drawEqualLinesOnce(figure);
        if (m_forPaper)
            useSolidLoneLine(figure);
        if (m_input.published)
            addPublished(figure);
        shareRange(figure);
        const bool wide = plan.second && sweep().axes[*plan.second].size() + plan.policies.size() > kMostSeries;
        if (figure.panels.size() > 1)
            figure.columns = 2;
        if (wide || figure.panels.size() > 1)
            figure.size = data::FigureSize::acmText;
    }

    /// Adds the value at a position to a series: of one point, or the mean over the seeds with its interval.
    void addPoint(FigureSeries& series, std::vector<std::size_t> at, std::optional<std::size_t> policy, double x,
                  std::size_t look) {
        const std::optional<std::size_t>& seeds = m_input.plan.seeds;
        std::vector<double> values;
        const std::size_t count = seeds ? sweep().axes[*seeds].size() : 1;
        for (std::size_t seed = 0; seed < count; ++seed) {
            if (seeds)
                at[*seeds] = seed;
            const auto row = policy ? m_points.rowAt(at, *policy) : std::nullopt;
            if (const auto value = row ? shown(*row, x, look) : std::nullopt)
                values.push_back(*value);
        }
        if (!seeds) {
            series.values.push_back(values.empty() ? std::nullopt : std::optional(values.front()));
            return;
        }
        if (m_input.withPoints) {
            for (const double value : values)
                m_cloud[series.meaning].emplace_back(x, value);
        }
        const auto interval = data::meanInterval(values);
        series.values.push_back(interval          ? std::optional(interval->mean)
                                : !values.empty() ? std::optional(values.front())
                                                  : std::nullopt);
        series.low.push_back(interval ? std::optional(interval->low) : std::nullopt);
        series.high.push_back(interval ? std::optional(interval->high) : std::nullopt);
        series.samples = static_cast<int>(count);
    }

    void fillLines(FigurePanel& panel, std::vector<std::size_t> at) {
        const ChartPlan& plan = m_input.plan;
        panel.y = m_axis;
        Across across;
        if (plan.across) {
            across = this->across(sweep().axes[*plan.across]);
        } else {
            for (const std::size_t policy : plan.policies)
                across.labels.push_back(policyOf(policy).toStdString());
            across.order.resize(plan.policies.size());
        }
        panel.x = across.axis;
        if (across.numbers.empty())
            panel.categories.labels = across.labels;
        else if (across.numbers.size() <= kMostTicksInColumn)
            panel.x.ticks = across.numbers;
        data::LineMark mark;
        mark.x = across.numbers;
        mark.joined = plan.across.has_value();
        mark.markers = across.order.size() <= kMostMarked;
        const std::size_t seconds = plan.second ? sweep().axes[*plan.second].size() : 1;
        for (std::size_t second = 0; second < seconds; ++second) {
            if (plan.second)
                at[*plan.second] = second;
            for (std::size_t i = 0; i < plan.policies.size(); ++i) {
                FigureSeries& series = mark.series.emplace_back();
                const std::size_t policy = plan.policies[i];
                series.name = nameOfLine(policy, plan.second ? std::optional(second) : std::nullopt);
                series.meaning =
                    plan.second ? meaningOfLevel(second, seconds, i) : meaningOfPolicy(sweep().policies[policy]);
                const std::size_t look = lookOf(series.meaning);
                for (std::size_t place = 0; place < across.order.size(); ++place) {
                    if (plan.across)
                        at[*plan.across] = across.order[place];
                    const bool own = plan.across || place == i;  // without axes the policies are side by side
                    const double x = across.numbers.empty() ? static_cast<double>(place) : across.numbers[place];
                    addPoint(series, at, own ? std::optional(policy) : std::nullopt, x, look);
                }
            }
        }
        // No line passes through a value between two gaps, so it needs a marker.
        mark.markers = mark.markers || std::any_of(mark.series.begin(), mark.series.end(),
                                                   [](const auto& series) { return hasLoneValue(series.values); });
        panel.marks.emplace_back(std::move(mark));
        addCloud(panel);
    }

    /// Adds the points of each seed to the lines of their means, which are the last mark.
    void addCloud(FigurePanel& panel) {
        const auto lines = std::get<data::LineMark>(panel.marks.back());
        for (const FigureSeries& line : lines.series) {
            const auto points = m_cloud.find(line.meaning);
            if (points == m_cloud.end() || lines.x.empty())
                continue;
            data::LineMark& cloud = std::get<data::LineMark>(panel.marks.emplace_back(data::LineMark{}));
            cloud.joined = false;
            FigureSeries& series = cloud.series.emplace_back();
            series.name = tr("%1, each seed").arg(QString::fromStdString(line.name)).toStdString();
            series.meaning = std::string(data::plainMeaning(line.meaning)) + "/light";
            for (const auto& [x, value] : points->second) {
                cloud.x.push_back(x);
                series.values.emplace_back(value);
            }
        }
        m_cloud.clear();
    }

    /// Draws the lines of a policy once if they are equal for all values of the second axis, in every panel.
    void drawEqualLinesOnce(FigureSpec& figure) {
        const std::size_t seconds = sweep().axes[*m_input.plan.second].size();
        std::vector<std::size_t> shown;  // the policies that have lines
        for (const std::size_t policy : m_input.plan.policies) {
            if (std::ranges::any_of(linesOf(figure.panels.front()),
                                    [&](const FigureSeries& line) { return line.name == nameOfLine(policy, 0); }))
                shown.push_back(policy);
        }
        if (seconds < 2 || shown.size() < 2)
            return;
        QStringList once;
        std::vector<bool> erased(shown.size());
        for (std::size_t i = 0; i < shown.size(); ++i) {
            const auto isEqual = [&](const FigurePanel& panel) {
                const std::vector<FigureSeries>& lines = linesOf(panel);
                for (std::size_t line = i + shown.size(); line < lines.size(); line += shown.size()) {
                    if (lines[line].values != lines[i].values)
                        return false;
                }
                return true;
            };
            erased[i] = std::ranges::all_of(figure.panels, isEqual);
            if (erased[i])
                once << policyOf(shown[i]);
        }
        for (FigurePanel& panel : figure.panels) {
            std::vector<FigureSeries> kept;
            std::vector<FigureSeries>& lines = std::get<data::LineMark>(panel.marks.front()).series;
            for (std::size_t line = 0; line < lines.size(); ++line) {
                const std::size_t policy = line % shown.size();
                if (erased[policy] && line >= shown.size())
                    continue;
                if (erased[policy]) {
                    lines[line].name = policyOf(shown[policy]).toStdString();
                    lines[line].meaning = meaningOfPolicy(sweep().policies[shown[policy]]);
                }
                kept.push_back(std::move(lines[line]));
            }
            lines = std::move(kept);
        }
        if (!once.isEmpty())
            m_rules << tr("%1 is drawn once: all its values are equal for every value of %2.")
                           .arg(once.join(tr(" and ")),
                                QString::fromStdString(
                                    engine::inASentence(titleOf(sweep().axes[*m_input.plan.second]).toStdString())));
    }

    static const std::vector<FigureSeries>& linesOf(const FigurePanel& panel) {
        return std::get<data::LineMark>(panel.marks.front()).series;
    }

    /// A lone line needs no dash, which would break the tips of a saw-tooth; in the window it has none either.
    static void useSolidLoneLine(FigureSpec& figure) {
        std::vector<FigureSeries*> lines;
        for (FigurePanel& panel : figure.panels) {
            for (FigureSeries& line : std::get<data::LineMark>(panel.marks.front()).series)
                lines.push_back(&line);
        }
        if (std::ranges::any_of(lines, [&](const auto* line) { return line->meaning != lines.front()->meaning; }))
            return;
        for (FigureSeries* line : lines)
            line->meaning += data::kSolid;
    }

    // If no point of a policy has a value, such as the traffic of a bound, a note replaces its series and the mark at
    // each point.
    void leaveOutPoliciesWithoutValues(FigureSpec& figure) {
        const std::vector<std::size_t>& policies = m_input.plan.policies;
        const auto policyOfPoint = [&](const ChartPoint& point) { return m_points.table().rows[point.row].policy; };
        std::vector<std::array<std::size_t, 4>> counts(sweep().policies.size());  // by policy and outcome
        for (const ChartPoint& point : m_chart.points)
            ++counts[policyOfPoint(point)][static_cast<std::size_t>(point.outcome)];
        std::vector<bool> leftOut(policies.size()), hasNone(sweep().policies.size());
        QStringList names;
        for (std::size_t i = 0; i < policies.size(); ++i) {
            const std::array<std::size_t, 4>& own = counts[policies[i]];
            const std::size_t without = own[static_cast<std::size_t>(Outcome::without)];
            if (own[static_cast<std::size_t>(Outcome::value)] > 0 || without == 0)
                continue;
            leftOut[i] = without == std::accumulate(own.begin(), own.end(), std::size_t{0});
            hasNone[policies[i]] = true;
            names << policyOf(policies[i]);
        }
        if (names.isEmpty())
            return;
        std::erase_if(m_chart.points, [&](const ChartPoint& point) {
            return hasNone[policyOfPoint(point)] && point.outcome == Outcome::without;
        });
        m_chart.notes << tr("%1 has no values for %2.")
                             .arg(m_points.metricTitle(m_input.metric), names.join(QStringLiteral(", ")));
        for (FigurePanel& panel : figure.panels) {
            std::size_t at = 0;
            std::erase_if(std::get<data::LineMark>(panel.marks.front()).series,
                          [&](const FigureSeries&) { return leftOut[at++ % policies.size()]; });
        }
    }

    void addPublished(FigureSpec& figure) const {
        for (const PublishedMark& mark : publishedMarks(m_points.table(), m_input.plan, m_input.metric)) {
            for (FigurePanel& panel : figure.panels)
                panel.references.push_back({mark.item.value, mark.text.toStdString(), mark.item.label, {}, {}});
            figure.provenance.published.push_back({mark.item.id, mark.item.label, mark.item.value});
        }
        figure.provenance.publishedSource = data::publishedSource();
    }

    void addHeat(FigureSpec& figure) {
        const ChartPlan& plan = m_input.plan;
        const Across across = this->across(sweep().axes[*plan.across]);
        const Across up = this->across(sweep().axes[*plan.second]);
        const data::FigureAxis value = m_axis;
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
            for (std::size_t place = up.order.size(); place-- > 0;) {  // the largest value at the top, as on an axis
                mark.rows.push_back(up.labels[place]);
                at[*plan.second] = up.order[place];
                for (const std::size_t column : across.order) {
                    at[*plan.across] = column;
                    const auto row = m_points.rowAt(at, policy);
                    const auto cell = static_cast<double>(mark.values.size());
                    mark.values.push_back(row ? shown(*row, cell, 0) : std::nullopt);
                }
            }
            mark.valuesWritten = mark.values.size() <= kMostWritten;
            mark.asImage = mark.values.size() > kMostRectangles;
            panel.marks.emplace_back(std::move(mark));
        }
        shareColours(figure);
        // Two panels are side by side, so that they can be compared.
        if (plan.policies.size() > 1) {
            figure.columns = 2;
            figure.size = data::FigureSize::acmText;
        }
    }

    // All panels have one scale of colours, whose hues part at 1 if some speed-ups are gains and some are losses.
    void shareColours(FigureSpec& figure) const {
        constexpr double kLeastSide = 0.01;  // of 1, so that a loss of nothing is not as brown as a loss
        double least = std::numeric_limits<double>::infinity(), most = -least;
        for (const ChartPoint& point : m_chart.points) {
            if (point.outcome == Outcome::value) {
                least = std::min(least, point.value);
                most = std::max(most, point.value);
            }
        }
        const bool parted = m_points.isSpeedup(m_input.metric) && least < 1 && most > 1;
        for (FigurePanel& panel : figure.panels) {
            auto& mark = std::get<data::HeatMark>(panel.marks.front());
            if (least >= most || (figure.panels.size() == 1 && !parted))
                continue;
            mark.from = parted ? std::min(least, 1 - kLeastSide) : least;
            mark.to = parted ? std::max(most, 1 + kLeastSide) : most;
            if (parted)
                mark.middle = 1;
        }
    }

    void addPareto(FigureSpec& figure) {
        const std::size_t across = m_input.plan.against.value_or(m_input.metric);
        FigurePanel& panel = figure.panels.emplace_back();
        panel.x = axisOf(m_input, across);
        if (const auto costs = costColumns(sweep()); m_forPaper && across >= m_points.table().metrics.size()) {
            const CostColumn& cost = costs[across - m_points.table().metrics.size()];
            panel.x.title =
                data::parameterTitle(*engine::findParameter(sweep().axes[cost.axis].columns[cost.column].path));
        }
        panel.y = m_axis;
        const std::vector<ParetoPoint> all = paretoPoints(across, panel.x.scale == FigureScale::logarithmic);
        if (!all.empty() && panel.x.scale == FigureScale::linear &&
            all.front().x < all.back().x) {  // keeps points off the edge
            const double around = (all.back().x - all.front().x) * 0.04;
            panel.x.from = all.front().x - around;
            panel.x.to = all.back().x + around;
        }
        const data::Better betterAcross = m_points.betterAsCost(across), better = m_points.better(m_input.metric);
        const std::vector<std::size_t> front = paretoFront(all, betterAcross, better);
        std::vector<bool> onFront(all.size());
        for (const std::size_t point : front)
            onFront[point] = true;
        if (!front.empty()) {
            panel.x.title += directionText(betterAcross).toStdString();
            panel.y.title += directionText(better).toStdString();
            panel.marks.emplace_back(frontOf(all, front, betterAcross));
        } else if (!all.empty()) {
            m_chart.notes << tr("There is no front: for one of these metrics neither smaller nor larger is better.");
        }
        std::vector<data::LineMark> marks(sweep().policies.size());
        std::vector<std::size_t> looks(marks.size());
        for (std::size_t policy = 0; policy < marks.size(); ++policy) {
            marks[policy].joined = false;
            marks[policy].series.push_back(
                {policyOf(policy).toStdString(), meaningOfPolicy(sweep().policies[policy]), {}, {}, {}, 0});
            looks[policy] = lookOf(marks[policy].series.front().meaning);
        }
        for (std::size_t i = 0; i < all.size(); ++i) {
            const std::size_t policy = m_points.table().rows[all[i].row].policy;
            marks[policy].x.push_back(all[i].x);
            marks[policy].series.front().values.emplace_back(all[i].y);
            m_chart.points.push_back({all[i].row, 0, looks[policy], all[i].x, all[i].y, Outcome::value, onFront[i]});
        }
        for (data::LineMark& mark : marks) {
            if (!mark.x.empty())
                panel.marks.emplace_back(std::move(mark));
        }
    }

    /// Returns the points that have both values, in the units of the axes, from left to right.
    std::vector<ParetoPoint> paretoPoints(std::size_t across, bool logarithmicAcross) {
        std::vector<ParetoPoint> all;
        std::array<std::size_t, 4> without{};
        const double unitAcross = m_points.unitOf(across).size;
        for (std::size_t row = 0; row < m_points.table().rows.size(); ++row) {
            const PointValue x = m_points.value(row, across);
            const PointValue y = m_points.value(row, m_input.metric);
            ++m_shown;
            if (x.outcome != Outcome::value || y.outcome != Outcome::value) {
                ++m_gaps;
                ++without[static_cast<std::size_t>(y.outcome == Outcome::value ? Outcome::without : y.outcome)];
            } else if ((logarithmicAcross && x.value <= 0) || (m_logarithmic && y.value <= 0)) {
                ++m_offScale;
            } else {
                all.push_back({x.value / unitAcross, y.value / m_unit, row});
            }
        }
        QStringList parts;
        const auto add = [&](Outcome outcome, const QString& text) {
            if (const std::size_t count = without[static_cast<std::size_t>(outcome)]; count > 0)
                parts << text.arg(count);
        };
        add(Outcome::failed, tr("%1 failed"));
        add(Outcome::missing, tr("%1 not run yet"));
        add(Outcome::without, tr("%1 without one of the metrics"));
        if (!parts.isEmpty())
            m_chart.notes << tr("Not shown: %1.").arg(parts.join(QStringLiteral(", ")));
        std::stable_sort(all.begin(), all.end(), [](const ParetoPoint& a, const ParetoPoint& b) { return a.x < b.x; });
        return all;
    }

    // The front is drawn in steps, because a straight line between two of its points would suggest points that do not
    // exist. A corner has the costs of the point that is cheaper along x and the metric of the other.
    data::LineMark frontOf(const std::vector<ParetoPoint>& all, const std::vector<std::size_t>& front,
                           data::Better across) const {
        data::LineMark mark;
        mark.markers = false;
        FigureSeries& series = mark.series.emplace_back();
        series.name = tr("Pareto front (%1)").arg(front.size()).toStdString();
        series.meaning = "neutral";
        for (std::size_t i = 0; i < front.size(); ++i) {
            const ParetoPoint& point = all[front[i]];
            if (i > 0) {
                const ParetoPoint& before = all[front[i - 1]];
                const bool later = across == data::Better::smaller;
                mark.x.push_back(later ? point.x : before.x);
                series.values.emplace_back(later ? before.y : point.y);
            }
            mark.x.push_back(point.x);
            series.values.emplace_back(point.y);
        }
        return mark;
    }

    void addTornado(FigureSpec& figure) {
        const std::vector<std::optional<std::size_t>> nearest = nearestToBase(sweep());
        std::vector<std::size_t> base;
        for (const std::optional<std::size_t>& value : nearest)
            base.push_back(value.value_or(0));
        noteBase(base, nearest);
        std::vector<Tornado> tornados;
        for (const std::size_t policy : m_input.plan.policies)
            tornados.push_back(tornadoAround(m_points, base, policy, m_input.metric));
        const std::vector<std::size_t> order = axesByEffect(tornados);
        for (const Tornado& tornado : tornados)
            fillTornado(figure.panels.emplace_back(), tornado, order);
        double least = std::numeric_limits<double>::infinity(), most = -least;
        for (const ChartPoint& point : m_chart.points) {
            if (point.outcome == Outcome::value) {
                least = std::min(least, point.value);
                most = std::max(most, point.value);
            }
        }
        for (FigurePanel& panel : figure.panels) {
            if (least >= most)
                break;
            // Texts at the ends of bars need room.
            const double room = m_logarithmic ? std::pow(most / least, kTextRoom) : (most - least) * kTextRoom;
            panel.y.from = m_logarithmic ? least / room : least >= 0 ? std::max(0.0, least - room) : least - room;
            panel.y.to = m_logarithmic ? most * room : most + room;
        }
    }

    void fillTornado(FigurePanel& panel, const Tornado& tornado, const std::vector<std::size_t>& order) {
        constexpr double kAside = 0.21;  // of a category: from its centre to that of each of its two bars
        panel.title = m_input.plan.policies.size() > 1 ? policyOf(tornado.policy).toStdString() : std::string();
        panel.y = m_axis;
        const PointValue atBase = tornado.base ? tornado.base->metric : PointValue{};
        const bool hasBase = atBase.outcome == Outcome::value && !(m_logarithmic && atBase.value <= 0);
        const double base = hasBase ? atBase.value / m_unit : 0;
        const std::size_t look = lookOf(meaningOfPolicy(sweep().policies[tornado.policy]));
        data::BarMark mark;
        for (const bool high : {false, true}) {
            const std::string name = (high ? tr("highest or last value") : tr("lowest or first value")).toStdString();
            mark.bars.push_back({name, {{name, high ? "series/0" : "series/4", {}, {}, {}, 0}}, {}});
        }
        for (std::size_t place = 0; place < order.size(); ++place) {
            const TornadoBar& bar = tornado.bars[order[place]];
            const data::SweepAxis& axis = sweep().axes[order[place]];
            panel.categories.labels.push_back(titleOf(axis).toStdString());
            for (const TornadoPoint& point : bar.along)
                shown(point.row, static_cast<double>(place), look);
            for (const bool high : {false, true}) {
                const std::optional<TornadoPoint>& end = high ? bar.high : bar.low;
                std::optional<double> value;
                if (end && !(m_logarithmic && end->metric.value <= 0))
                    value = end->metric.value / m_unit;
                data::FigureBar& drawn = mark.bars[high ? 1 : 0];
                drawn.from.push_back(base);
                drawn.stack.front().values.push_back(hasBase && value ? std::optional(*value - base) : std::nullopt);
                if (hasBase && value)
                    panel.annotations.push_back({static_cast<double>(place) + (high ? kAside : -kAside), *value,
                                                 valueOf(axis, end->value).toStdString()});
            }
        }
        panel.marks.emplace_back(std::move(mark));
        if (hasBase)
            panel.references.push_back(
                {base, tr("base: %1").arg(QLocale::c().toString(base, 'g', 4)).toStdString(), {}, {}, {}});
    }

    void noteBase(const std::vector<std::size_t>& base, const std::vector<std::optional<std::size_t>>& nearest) {
        QStringList parts;
        for (std::size_t axis = 0; axis < base.size(); ++axis) {
            const QString text = settingOf(sweep().axes[axis], base[axis]);
            parts << (nearest[axis] ? text : tr("%1 (the first, because the base has none of these)").arg(text));
        }
        m_chart.notes << tr("The base point has the values of the sweep nearest to the base experiment: %1.")
                             .arg(parts.join(QStringLiteral(", ")));
    }

    /// Returns the machine on which all points run; empty if the sweep varies it.
    QString machineText(const engine::Experiment& base) const {
        const std::vector<std::string> paths = data::axisPaths(sweep());
        if (!data::isTimed(sweep().of) || std::ranges::find(paths, "machine") != paths.end())
            return {};
        const engine::Parameter& parameter = *engine::findParameter("machine");
        return QString::fromStdString(
            data::placeTitle(parameter, engine::formatValue(parameter, parameter.read(base))));
    }

    /// Returns what is the same for all points of the chart: the other axes' values, and what the base experiment sets.
    QString heldText() const {
        QStringList held;
        for (const std::size_t axis : m_input.plan.heldAxes)
            held << settingOf(sweep().axes[axis], m_input.plan.held[axis]);
        constexpr std::array<std::string_view, 6> kNamed{"machine",     "workload.model", "workload.sublayer",
                                                         "parallel.tp", "policy.preset",  "detail.level"};
        const std::vector<std::string> varied = data::axisPaths(sweep());
        for (const auto& [path, value] : sweep().base.explicitValues) {
            const engine::Parameter* parameter = engine::findParameter(path);
            const bool isNamed = std::ranges::find(kNamed, path) != kNamed.end();
            if (parameter != nullptr && !isNamed && std::ranges::find(varied, path) == varied.end())
                held << QString::fromStdString(data::parameterTitle(*parameter) + " = " +
                                               data::placeTitle(*parameter, engine::formatValue(*parameter, value)));
        }
        return held.join(QStringLiteral(", "));
    }

    void describe(FigureSpec& figure) {
        const QString metric = m_points.metricTitle(m_input.metric);
        QStringList axes;
        for (const data::SweepAxis& axis : sweep().axes) {
            if (m_input.plan.seeds && &axis == &sweep().axes[*m_input.plan.seeds])
                continue;
            axes << titleOf(axis);
        }
        const QString over = axes.join(QStringLiteral(" × "));
        const auto text = sweep().texts.find("label");
        const QString label = text == sweep().texts.end() ? QString() : QString::fromStdString(text->second);
        figure.name =
            fileNameOf(label.isEmpty() ? metric + QLatin1Char(' ') + over : label).left(kLongestName).toStdString();
        figure.title = (label.isEmpty() ? tr("%1 over %2").arg(metric, over) : label).toStdString();
        const engine::Experiment base = data::expand(sweep().base).experiment;
        const QString baseName = QString::fromStdString(data::baseName(sweep()));
        QStringList lowered;
        for (const QString& axis : axes)
            lowered << QString::fromStdString(engine::inASentence(axis.toStdString()));
        // Machine and settings follow in sentences of their own.
        const QString subject = baseName.section(QStringLiteral(", "), 0, 0).section(QStringLiteral(" on "), 0, 0);
        QString caption = tr("%1 over %2 (%3).").arg(metric, lowered.join(QStringLiteral(" × ")), subject);
        if (const QString machine = machineText(base); !machine.isEmpty())
            caption += tr(" Machine: %1.").arg(machine);
        if (const QString held = heldText(); !held.isEmpty())
            caption += tr(" Held constant: %1.").arg(held);
        for (const QString& rule : m_rules)
            caption += u' ' + rule;
        if (m_gaps > 0)
            caption += tr(" %1 of %2 points have no result.").arg(m_gaps).arg(m_shown);
        if (m_offScale > 0)
            caption += u' ' + offScaleNote(m_offScale);
        const engine::Notices notices = data::qualifyingNotices(m_points.table());
        caption += QString::fromStdString(data::noticeSentences(notices));
        if (!figure.provenance.published.empty())
            caption += tr(" Published geometric means: %1.").arg(QString::fromStdString(data::publishedCitation()));
        caption += u' ' + QString::fromStdString(data::isTimed(sweep().of) ? data::madeSentence(base.detail.level, {})
                                                                           : data::computedSentence({}));
        figure.caption = caption.toStdString();
        const std::vector<double>& values = m_points.values(m_input.metric);
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
        figure.provenance.experiments.push_back(
            {figure.provenance.moment, m_points.table().id, data::writeSweep(sweep())});
        figure.provenance.notices = notices;
    }

    const ChartInput& m_input;
    const SweepPoints& m_points;
    const data::FigureAxis m_axis = axisOf(m_input, m_input.metric);
    const double m_unit = m_points.unitOf(m_input.metric).size;
    // The colours of a heat map are linear in figures.
    const bool m_logarithmic = m_axis.scale == FigureScale::logarithmic && m_input.plan.kind != ChartKind::heatMap;
    bool m_forPaper = false;
    ChartFigure m_chart;
    QStringList m_rules;  ///< sentences of the caption that say what is drawn once
    std::map<std::string, std::vector<std::pair<double, double>>> m_cloud;  // x and value of each seed, by meaning
    std::size_t m_shown = 0;
    std::size_t m_gaps = 0;      // of the shown points, those without a value
    std::size_t m_offScale = 0;  // and those that a logarithmic axis cannot show
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

bool wantsLogarithmic(const std::vector<double>& values) {
    constexpr double kRatio = 50;  // from here on a linear axis would compress small values too much
    if (values.empty())
        return false;
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return *least > 0 && *most >= *least * kRatio;
}

bool ChartInput::logarithmic(std::size_t which) const {
    const std::vector<double>& values = points->values(which);
    if (scale == ValueScale::logarithmic)
        return std::any_of(values.begin(), values.end(), [](double value) { return value > 0; });
    return scale == ValueScale::automatic && !points->isSpeedup(which) && wantsLogarithmic(values);
}

Across acrossOf(const data::SweepAxis& axis) {
    Across across;
    across.axis.title = axisTitle(axis).toStdString();
    across.order = risingOrder(axis);
    const std::vector<double> numbers = numbersOf(axis);
    double largest = 0;
    for (const double number : numbers)
        largest = std::max(largest, std::abs(number));
    const ScaledUnit& unit =
        numbers.empty() ? axisUnitFor(unitOf(axis), false, largest) : unitOfColumn(axis.columns.front(), largest);
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

data::FigureAxis axisOf(const ChartInput& input, std::size_t metric) {
    data::FigureAxis axis;
    axis.title = input.points->metricTitle(metric).toStdString();
    axis.unit = input.points->unitOf(metric).name;
    if (input.points->isSpeedup(metric)) {
        axis.title = tr("Speed-up").toStdString();
        axis.relativeTo = titleOfPolicy("sequential").toStdString();
    }
    axis.scale = input.logarithmic(metric) ? FigureScale::logarithmic : FigureScale::linear;
    return axis;
}

std::string meaningOfLevel(std::size_t level, std::size_t levels, std::size_t dash) {
    if (levels > kMostLevels)
        return "series/" + std::to_string((level * kMostSeries + dash) % kMostLevels);
    return "level/" + std::to_string(level) + '/' + std::to_string(levels) + '/' + std::to_string(dash);
}

QString offScaleNote(std::size_t count) {
    if (count == 0)
        return {};
    return count == 1 ? tr("1 point is not above 0 and cannot be shown on a logarithmic axis.")
                      : tr("%1 points are not above 0 and cannot be shown on a logarithmic axis.").arg(count);
}

ChartFigure chartOf(const ChartInput& input) { return Builder(input).chart(false); }

std::optional<FigureOffer> chartFigure(const ChartInput& input) {
    if (!input.points || input.points->isEmpty() || input.points->table().metrics.empty())
        return std::nullopt;
    FigureOffer offer;
    offer.figure = Builder(input).chart(true).figure;
    const data::Sweep& sweep = input.points->sweep();
    data::FigureSource& from = offer.figure.from;
    from.kind = data::FigureSource::Kind::sweep;
    from.file = offer.figure.name + ".json";
    from.document = data::writeSweep(sweep);
    from.choices = chartWords(sweep, input.plan, input.metric, input.scale, input.published, input.withPoints);
    if (input.plan.kind == ChartKind::parallel) {
        offer.redraw = [input](data::FigureSize size, data::FigureTheme theme) { return drawn(input, size, theme); };
        redraw(offer.figure, offer.redraw);
    }
    return offer;
}

}  // namespace ui
