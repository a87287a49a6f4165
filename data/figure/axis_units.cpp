#include "data/figure/axis_units.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <variant>

namespace data {
namespace {

struct Prefix {
    std::string_view letters;
    double size;  ///< in the smallest unit of its family, so that ratios of sizes are exact
};
constexpr std::array kNone{Prefix{"", 1}};
constexpr std::array kDecimal{Prefix{"", 1},    Prefix{"k", 1e3},  Prefix{"M", 1e6},
                              Prefix{"G", 1e9}, Prefix{"T", 1e12}, Prefix{"P", 1e15}};
constexpr std::array kBinary{Prefix{"", 1},        Prefix{"Ki", 0x1p10}, Prefix{"Mi", 0x1p20},
                             Prefix{"Gi", 0x1p30}, Prefix{"Ti", 0x1p40}, Prefix{"Pi", 0x1p50}};
constexpr std::array kSmall{Prefix{"p", 1}, Prefix{"n", 1e3}, Prefix{"µ", 1e6}, Prefix{"m", 1e9}, Prefix{"", 1e12}};

struct Family {
    std::string_view base;
    std::span<const Prefix> prefixes;
};
constexpr std::array kFamilies{Family{"B", kBinary},     Family{"B", kDecimal},      Family{"B/s", kBinary},
                               Family{"B/s", kDecimal},  Family{"bit/s", kDecimal},  Family{"Hz", kDecimal},
                               Family{"FLOP", kDecimal}, Family{"FLOP/s", kDecimal}, Family{"FLOP/B", kDecimal},
                               Family{"s", kSmall},      Family{"%", kNone}};

/// A unit split into prefix and base: "KiB" is 1024 times "B".
struct SplitUnit {
    const Family* family;
    const Prefix* prefix;
    std::string name() const { return std::string(prefix->letters) + std::string(family->base); }
};

/// Returns an empty optional for a unit of unknown quantity.
std::optional<SplitUnit> splitUnit(std::string_view unit) {
    if (unit == "us" || unit == "\u03bcs")  // other spellings of the micro sign
        unit = "µs";
    for (const Family& family : kFamilies) {
        for (const Prefix& prefix : family.prefixes) {
            if (unit.starts_with(prefix.letters) && unit.substr(prefix.letters.size()) == family.base)
                return SplitUnit{&family, &prefix};
        }
    }
    return {};
}

/// Returns a converter between two units of one quantity. It rounds once if one of the units is a multiple of the other.
class Conversion {
public:
    Conversion(const SplitUnit& from, const SplitUnit& to) : m_from(from.prefix->size), m_to(to.prefix->size) {}

    double operator()(double value) const { return m_from >= m_to ? value * (m_from / m_to) : value / (m_to / m_from); }

private:
    double m_from, m_to;
};

void scale(double& value, const Conversion& by) { value = by(value); }

void scale(std::optional<double>& value, const Conversion& by) {
    if (value)
        value = by(*value);
}

template <class Number>
void scale(std::vector<Number>& values, const Conversion& by) {
    for (Number& value : values)
        scale(value, by);
}

void scale(FigureSeries& series, const Conversion& by) {
    for (FigureValues* values : {&series.values, &series.low, &series.high})
        scale(*values, by);
}

/// Changes the numbers of a mark along one axis.
class MarkScaler {
public:
    MarkScaler(bool alongX, const Conversion& by) : m_alongX(alongX), m_by(by) {}

    void operator()(BarMark& mark) const {
        for (FigureBar& bar : mark.bars) {
            for (FigureSeries& series : bar.stack)
                alongY(series);
            if (!m_alongX)
                scale(bar.from, m_by);
        }
    }
    void operator()(LineMark& mark) const { points(mark); }
    void operator()(AreaMark& mark) const { points(mark); }
    void operator()(BoxMark& mark) const {
        for (BoxMark::Group& group : mark.groups) {
            for (std::optional<FigureBox>& box : group.boxes) {
                if (!box || m_alongX)
                    continue;
                for (double* value : {&box->least, &box->lower, &box->median, &box->upper, &box->most})
                    scale(*value, m_by);
            }
        }
    }
    void operator()(TimelineMark& mark) const {
        for (TimelineMark::Span& span : mark.spans) {
            if (!m_alongX)
                continue;
            scale(span.from, m_by);
            scale(span.to, m_by);
        }
    }
    void operator()(HeatMark&) const {}
    void operator()(DrawingMark&) const {}

private:
    void alongY(FigureSeries& series) const {
        if (!m_alongX)
            scale(series, m_by);
    }
    template <class Mark>
    void points(Mark& mark) const {
        if (m_alongX)
            return scale(mark.x, m_by);
        for (FigureSeries& series : mark.series)
            scale(series, m_by);
    }

    bool m_alongX;
    const Conversion& m_by;
};

}  // namespace

bool hasPrefix(std::string_view unit) {
    const std::optional<SplitUnit> split = splitUnit(unit);
    return split && !split->prefix->letters.empty();
}

std::vector<std::string> unitsLike(std::string_view unit) {
    const std::optional<SplitUnit> own = splitUnit(unit);
    std::vector<std::string> units;
    for (const Family& family : kFamilies) {
        for (const Prefix& prefix : family.prefixes) {
            const std::string name = SplitUnit{&family, &prefix}.name();
            if (own && family.base == own->family->base && name != own->name() &&
                std::find(units.begin(), units.end(), name) == units.end())
                units.push_back(name);
        }
    }
    return units;
}

std::optional<std::string> largerUnit(std::string_view unit, double largest, double limit) {
    const std::optional<SplitUnit> own = splitUnit(unit);
    if (!own)
        return {};
    for (const Prefix& prefix : own->family->prefixes) {
        const SplitUnit larger{own->family, &prefix};
        if (prefix.size > own->prefix->size && Conversion(*own, larger)(largest) < limit)
            return larger.name();
    }
    return {};
}

UnitChange changeUnit(FigurePanel& panel, bool alongX, const std::string& unit) {
    FigureAxis& axis = alongX ? panel.x : panel.y;
    const std::optional<SplitUnit> from = splitUnit(axis.unit), to = splitUnit(unit);
    const bool bothUnknown = !from && !to;
    if (bothUnknown || axis.unit.empty()) {
        axis.unit = unit;
        return UnitChange::relabelled;
    }
    if (!from || !to || from->family->base != to->family->base)
        return UnitChange::refused;
    const bool same = from->prefix->size == to->prefix->size;
    if (!same && alongX && !panel.categories.labels.empty())
        return UnitChange::refused;
    axis.unit = unit;
    if (same)
        return UnitChange::relabelled;
    const Conversion by(*from, *to);
    scale(axis.from, by);
    scale(axis.to, by);
    scale(axis.ticks, by);
    for (FigureMark& mark : panel.marks)
        std::visit(MarkScaler(alongX, by), mark);
    for (FigureReference& reference : panel.references) {
        if (!alongX)
            scale(reference.value, by);
    }
    for (FigureAnnotation& annotation : panel.annotations) {
        scale(alongX ? annotation.x : annotation.y, by);
        scale(alongX ? annotation.toX : annotation.toY, by);
    }
    return UnitChange::rescaled;
}

}  // namespace data
