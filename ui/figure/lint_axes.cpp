#include "data/figure/figure_spec.h"
#include "ui/figure/lint_rules.h"
#include "ui/figure/panel_plan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace ui {
namespace {

constexpr double kShortened = 1e4;  // from this value on a tick's label ends with "k" or another letter

struct Prefix {
    std::string_view letters;
    double size;
};
constexpr std::array kDecimal{Prefix{"", 1},    Prefix{"k", 1e3},  Prefix{"M", 1e6},
                              Prefix{"G", 1e9}, Prefix{"T", 1e12}, Prefix{"P", 1e15}};
constexpr std::array kBinary{Prefix{"", 1},        Prefix{"Ki", 0x1p10}, Prefix{"Mi", 0x1p20},
                             Prefix{"Gi", 0x1p30}, Prefix{"Ti", 0x1p40}, Prefix{"Pi", 0x1p50}};
constexpr std::array kSmall{Prefix{"p", 1e-12}, Prefix{"n", 1e-9}, Prefix{"µ", 1e-6}, Prefix{"m", 1e-3}, Prefix{"", 1}};

struct Family {
    std::string_view base;
    std::span<const Prefix> prefixes;
};
constexpr std::array kFamilies{Family{"B", kBinary},     Family{"B", kDecimal},      Family{"B/s", kBinary},
                               Family{"B/s", kDecimal},  Family{"bit/s", kDecimal},  Family{"Hz", kDecimal},
                               Family{"FLOP", kDecimal}, Family{"FLOP/s", kDecimal}, Family{"s", kSmall}};

/// A unit split into prefix and base: "KiB" is 1024 times "B".
struct PrefixedUnit {
    const Family* family;
    const Prefix* prefix;
};

/// Returns an empty optional for a unit without a prefix ("s", "%") and for an unknown unit.
std::optional<PrefixedUnit> prefixOf(std::string_view unit) {
    for (const Family& family : kFamilies) {
        for (const Prefix& prefix : family.prefixes) {
            if (!prefix.letters.empty() && unit.starts_with(prefix.letters) &&
                unit.substr(prefix.letters.size()) == family.base)
                return PrefixedUnit{&family, &prefix};
        }
    }
    return {};
}

void scale(double& value, double by) { value *= by; }

void scale(std::optional<double>& value, double by) {
    if (value)
        *value *= by;
}

template <class Number>
void scale(std::vector<Number>& values, double by) {
    for (Number& value : values)
        scale(value, by);
}

void scale(data::FigureSeries& series, double by) {
    for (data::FigureValues* values : {&series.values, &series.low, &series.high})
        scale(*values, by);
}

/// Changes the numbers of a mark along one axis.
class MarkScaler {
public:
    MarkScaler(bool alongX, double by) : m_alongX(alongX), m_by(by) {}

    void operator()(data::BarMark& mark) const {
        for (data::FigureBar& bar : mark.bars) {
            for (data::FigureSeries& series : bar.stack)
                alongY(series);
        }
    }
    void operator()(data::LineMark& mark) const { points(mark); }
    void operator()(data::AreaMark& mark) const { points(mark); }
    void operator()(data::BoxMark& mark) const {
        for (data::BoxMark::Group& group : mark.groups) {
            for (std::optional<data::FigureBox>& box : group.boxes) {
                if (!box || m_alongX)
                    continue;
                for (double* value : {&box->least, &box->lower, &box->median, &box->upper, &box->most})
                    *value *= m_by;
            }
        }
    }
    void operator()(data::TimelineMark& mark) const {
        for (data::TimelineMark::Span& span : mark.spans) {
            span.from *= m_alongX ? m_by : 1;
            span.to *= m_alongX ? m_by : 1;
        }
    }
    void operator()(data::HeatMark&) const {}
    void operator()(data::DrawingMark&) const {}

private:
    void alongY(data::FigureSeries& series) const {
        if (!m_alongX)
            scale(series, m_by);
    }
    template <class Mark>
    void points(Mark& mark) const {
        if (m_alongX)
            return scale(mark.x, m_by);
        for (data::FigureSeries& series : mark.series)
            scale(series, m_by);
    }

    bool m_alongX;
    double m_by;
};

/// Returns the first unit with the same base in which `largest`, given in `unit`, needs no "k" after its digits; an
/// empty optional if there is none.
std::optional<std::string> largerUnit(std::string_view unit, double largest) {
    const auto found = prefixOf(unit);
    if (!found)
        return {};
    for (const Prefix& prefix : found->family->prefixes) {
        if (prefix.size > found->prefix->size && largest * found->prefix->size / prefix.size < kShortened)
            return std::string(prefix.letters) + std::string(found->family->base);
    }
    return {};
}

/// Converts everything along x (or y) of the panel to another unit with the same base.
void useUnit(data::FigurePanel& panel, bool alongX, const std::string& unit) {
    data::FigureAxis& axis = alongX ? panel.x : panel.y;
    const auto from = prefixOf(axis.unit), to = prefixOf(unit);
    const double by = (from ? from->prefix->size : 1) / (to ? to->prefix->size : 1);
    axis.unit = unit;
    scale(axis.from, by);
    scale(axis.to, by);
    scale(axis.ticks, by);
    for (data::FigureMark& mark : panel.marks)
        std::visit(MarkScaler(alongX, by), mark);
    for (data::FigureReference& reference : panel.references)
        reference.value *= alongX ? 1 : by;
    for (data::FigureAnnotation& annotation : panel.annotations)
        (alongX ? annotation.x : annotation.y) *= by;
}

template <class Mark>
bool has(const data::FigurePanel& panel) {
    return std::any_of(panel.marks.begin(), panel.marks.end(),
                       [](const data::FigureMark& mark) { return std::holds_alternative<Mark>(mark); });
}

void lintZero(const data::FigureSpec& figure, std::size_t index, std::vector<LintFinding>& findings) {
    const data::FigurePanel& panel = figure.panels[index];
    const bool logarithmic = panel.y.scale == data::FigureScale::logarithmic;
    const bool away = (panel.y.from && *panel.y.from > 0) || (panel.y.to && *panel.y.to < 0);
    if ((!has<data::BarMark>(panel) && !has<data::AreaMark>(panel)) || (!logarithmic && !away))
        return;
    const QString text =
        (logarithmic
             ? lintText("bars or areas on a logarithmic axis: their lengths are not proportional to their values")
             : lintText("the axis of bars begins at %1, not at zero: differences look larger than they are")
                   .arg(*(panel.y.from ? panel.y.from : panel.y.to)));
    const auto begin = [index](data::FigureSpec& honest) {
        data::FigureAxis& axis = honest.panels[index].y;
        axis.scale = data::FigureScale::linear;
        axis.ticks.clear();
        if (axis.from && *axis.from > 0)
            axis.from = 0;
        if (axis.to && *axis.to < 0)
            axis.to = 0;
    };
    findings.push_back({LintRule::barsNotFromZero, false, index, text, lintText("Begin at zero"), mending(begin)});
}

/// Returns whether the axis names its unit or its reference. Counts need no unit: "Number of GPUs".
bool saysItsUnit(const data::FigureAxis& axis) {
    return !axis.unit.empty() || !axis.relativeTo.empty() || axis.title.starts_with("Number of ");
}

void lintUnit(std::size_t index, const data::FigureAxis& axis, const QString& which,
              std::vector<LintFinding>& findings) {
    if (!axis.title.empty() && saysItsUnit(axis))
        return;
    const QString text =
        (axis.title.empty() ? lintText("the %1 axis has no title").arg(which)
                            : lintText("the %1 axis, “%2”, names neither a unit nor the value that it is normalised to")
                                  .arg(which, QString::fromStdString(axis.title)));
    findings.push_back({LintRule::missingUnit, false, index, text});
}

/// One of the two axes of a panel.
struct LintedAxis {
    std::size_t panel = 0;
    bool alongX = false;
    DataReach values;
    AxisPlace place;
    QString name() const { return alongX ? lintText("horizontal") : lintText("vertical"); }
    data::FigureAxis& in(data::FigureSpec& figure) const {
        return alongX ? figure.panels[panel].x : figure.panels[panel].y;
    }
};

void lintPrefixes(const data::FigureSpec& figure, const LintedAxis& axis, std::vector<LintFinding>& findings) {
    const std::string& unit = (axis.alongX ? figure.panels[axis.panel].x : figure.panels[axis.panel].y).unit;
    double largest = 0;
    QString shortened;
    for (const double tick : axis.place.ticks) {
        largest = std::max(largest, std::abs(tick));
        const QString label = tickLabel(tick, std::abs(tick), std::abs(tick));
        if (!label.isEmpty() && label.back().isLetter())
            shortened = label;
    }
    if (shortened.isEmpty() || !prefixOf(unit))
        return;
    LintFinding finding{LintRule::twoPrefixes, false, axis.panel};
    finding.text = lintText("the %1 axis has two prefixes, “%2” at a tick and “%3” in its title: use a larger unit")
                       .arg(axis.name(), shortened, QString::fromStdString(unit));
    if (const auto larger = largerUnit(unit, largest)) {
        finding.fixText = lintText("Use %1").arg(QString::fromStdString(*larger));
        finding.fix = mending([panel = axis.panel, alongX = axis.alongX, larger = *larger](data::FigureSpec& mended) {
            useUnit(mended.panels[panel], alongX, larger);
        });
    }
    findings.push_back(std::move(finding));
}

void lintOutside(const LintedAxis& axis, std::vector<LintFinding>& findings) {
    const double least = axis.place.logarithmic ? axis.values.leastPositive : axis.values.least;
    if (axis.values.empty() || (least <= axis.place.to && axis.values.most >= axis.place.from))
        return;
    const QString text =
        lintText("the %1 axis goes from %2 to %3, but all values are outside (%4 to %5), so the panel is empty")
            .arg(axis.name(), QString::number(axis.place.from), QString::number(axis.place.to),
                 QString::number(axis.values.least), QString::number(axis.values.most));
    const auto follow = [axis](data::FigureSpec& mended) {
        data::FigureAxis& own = axis.in(mended);
        own.from.reset();
        own.to.reset();
        own.ticks.clear();
        if (!(axis.values.most > 0))
            own.scale = data::FigureScale::linear;
    };
    findings.push_back(
        {LintRule::valuesOutside, false, axis.panel, text, lintText("Fit the axis to the values"), mending(follow)});
}

void lintPlaces(const data::FigureSpec& figure, const LaidOutFigure& laidOut, std::vector<LintFinding>& findings) {
    for (std::size_t i = 0; i < std::min(figure.panels.size(), laidOut.panels.size()); ++i) {
        const data::FigurePanel& panel = figure.panels[i];
        const PanelKind kind = kindOf(panel);
        std::vector<LintedAxis> axes;
        if (kind == PanelKind::plain)
            axes.push_back({i, false, valuesOfY(panel), laidOut.panels[i].y});
        if (kind == PanelKind::lanes || (kind == PanelKind::plain && panel.categories.labels.empty()))
            axes.push_back({i, true, reachOfX(panel), laidOut.panels[i].x});
        for (const LintedAxis& axis : axes) {
            lintPrefixes(figure, axis, findings);
            lintOutside(axis, findings);
        }
    }
}

}  // namespace

void lintAxes(const data::FigureSpec& figure, const LaidOutFigure& laidOut, std::vector<LintFinding>& findings) {
    lintPlaces(figure, laidOut, findings);
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
        const data::FigurePanel& panel = figure.panels[i];
        const bool valued = has<data::BarMark>(panel) || has<data::LineMark>(panel) || has<data::AreaMark>(panel) ||
                            has<data::BoxMark>(panel);
        lintZero(figure, i, findings);
        if (valued)
            lintUnit(i, panel.y, lintText("vertical"), findings);
        const bool numbersAcross =
            panel.categories.labels.empty() && (has<data::LineMark>(panel) || has<data::AreaMark>(panel));
        if (numbersAcross || has<data::TimelineMark>(panel))
            lintUnit(i, panel.x, lintText("horizontal"), findings);
        for (const data::FigureMark& mark : panel.marks) {
            if (const auto* heat = std::get_if<data::HeatMark>(&mark)) {
                data::FigureAxis scale;
                scale.title = heat->valueTitle;
                scale.unit = heat->valueUnit;
                lintUnit(i, scale, lintText("colour"), findings);
            }
        }
    }
}

}  // namespace ui
