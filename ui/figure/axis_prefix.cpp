#include "ui/figure/axis_prefix.h"

#include <array>
#include <span>
#include <variant>

namespace ui {
namespace {

constexpr double kShortened = 1e4;  // from here on a tick's label has a letter for its thousands

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

struct Found {
    const Family* family;
    const Prefix* prefix;
};

std::optional<Found> familyOf(std::string_view unit) {
    for (const Family& family : kFamilies) {
        for (const Prefix& prefix : family.prefixes) {
            if (!prefix.letters.empty() && unit.starts_with(prefix.letters) &&
                unit.substr(prefix.letters.size()) == family.base)
                return Found{&family, &prefix};
        }
    }
    return {};
}

void scale(data::FigureValues& values, double by) {
    for (std::optional<double>& value : values) {
        if (value)
            *value *= by;
    }
}

void scale(std::vector<double>& values, double by) {
    for (double& value : values)
        value *= by;
}

void scale(std::optional<double>& value, double by) {
    if (value)
        *value *= by;
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

}  // namespace

std::optional<PrefixedUnit> prefixOf(std::string_view unit) {
    const auto found = familyOf(unit);
    return found ? std::optional(PrefixedUnit{found->prefix->letters, found->family->base, found->prefix->size})
                 : std::nullopt;
}

std::optional<std::string> largerUnit(std::string_view unit, double largest) {
    const auto found = familyOf(unit);
    if (!found)
        return {};
    for (const Prefix& prefix : found->family->prefixes) {
        if (prefix.size > found->prefix->size && largest * found->prefix->size / prefix.size < kShortened)
            return std::string(prefix.letters) + std::string(found->family->base);
    }
    return {};
}

void useUnit(data::FigurePanel& panel, bool alongX, const std::string& unit) {
    data::FigureAxis& axis = alongX ? panel.x : panel.y;
    const auto from = prefixOf(axis.unit), to = prefixOf(unit);
    const double by = (from ? from->size : 1) / (to ? to->size : 1);
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

}  // namespace ui
