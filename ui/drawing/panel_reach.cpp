#include "ui/drawing/panel_plan.h"

#include "ui/drawing/figure_text.h"

#include <algorithm>

namespace ui {
namespace {

using data::FigureSeries;
using data::FigureValues;

void include(DataReach& reach, const FigureValues& values) {
    for (const std::optional<double>& value : values) {
        if (value)
            reach.include(*value);
    }
}

std::size_t categoriesOf(const data::BarMark& mark) {
    std::size_t most = 0;
    for (const data::FigureBar& bar : mark.bars) {
        for (const FigureSeries& series : bar.stack)
            most = std::max(most, series.values.size());
    }
    return most;
}

std::size_t categoriesOf(const data::BoxMark& mark) {
    std::size_t most = 0;
    for (const data::BoxMark::Group& group : mark.groups)
        most = std::max(most, group.boxes.size());
    return most;
}

std::size_t categoriesOf(const data::HeatMark& mark) {
    return mark.rows.empty() ? 0 : mark.values.size() / mark.rows.size();
}

template <typename Other>
std::size_t categoriesOf(const Other&) {
    return 0;
}

void include(DataReach& reach, const data::BarMark& mark, std::size_t categories) {
    reach.fromZero = reach.fromZero || std::ranges::all_of(mark.bars, [](const auto& bar) { return bar.from.empty(); });
    for (const data::FigureBar& bar : mark.bars) {
        for (std::size_t category = 0; category < categories; ++category) {
            const StackEnds ends = stackEnds(bar, category);
            if (!ends.any)
                continue;
            if (ends.from == 0)
                reach.fromZero = true;
            else
                reach.include(ends.from);
            if (ends.above != 0 || ends.below == 0)
                reach.include(ends.from + ends.above);
            if (ends.below != 0)
                reach.include(ends.from + ends.below);
            double base = ends.from;
            for (const FigureSeries& series : bar.stack) {
                if (const auto high = valueAt(series.high, category))
                    reach.include(base + *high);
                if (const auto low = valueAt(series.low, category); low && base + *low < 0)
                    reach.include(base + *low);
                base += valueAt(series.values, category).value_or(0);
            }
        }
    }
}

void include(DataReach& reach, const data::LineMark& mark, std::size_t) {
    reach.padded = true;
    for (const FigureSeries& series : mark.series) {
        include(reach, series.values);
        include(reach, series.low);
        include(reach, series.high);
    }
}

void include(DataReach& reach, const data::AreaMark& mark, std::size_t) {
    reach.fromZero = true;
    std::vector<double> sums;
    for (const FigureSeries& series : mark.series) {
        sums.resize(std::max(sums.size(), series.values.size()), 0);
        for (std::size_t i = 0; i < series.values.size(); ++i)
            sums[i] += series.values[i].value_or(0);
        for (const double sum : sums)
            reach.include(sum);
    }
}

void include(DataReach& reach, const data::BoxMark& mark, std::size_t) {
    reach.padded = true;
    for (const data::BoxMark::Group& group : mark.groups) {
        for (const std::optional<data::FigureBox>& box : group.boxes) {
            if (box) {
                reach.include(box->least);
                reach.include(box->most);
            }
        }
    }
}

template <typename Other>
void include(DataReach&, const Other&, std::size_t) {}

void leaveRoomForValues(DataReach& reach, const PanelPlan& plan, double perUnit, const FigureMeasure& measure) {
    for (std::size_t index = 0; index < plan.panel->marks.size(); ++index) {
        const auto* mark = std::get_if<data::BarMark>(&plan.panel->marks[index]);
        if (!mark || !mark->valuesWritten)
            continue;
        const ValueDirection direction = directionOfValues(plan, index, perUnit, measure);
        for (const BarPlace& place : plan.bars) {
            if (place.mark != index || !direction.written)
                continue;
            const StackEnds ends = stackEnds(mark->bars[place.bar], place.category);
            const double value = writtenValue(ends);
            (value < 0 ? reach.footroom : reach.headroom)
                .push_back({ends.from + value, direction.along + measure.of(2.5)});
        }
    }
}

void leaveRoomForReferences(DataReach& reach, const PanelPlan& plan, const FigureMeasure& measure) {
    const auto& references = plan.panel->references;
    for (const data::FigureReference& reference : references) {
        reach.include(reference.value);
        // Several texts at one category may have to be stacked.
        const auto storeys =
            !reference.category ? 1 : std::count_if(references.begin(), references.end(), [&](const auto& other) {
                return other.category == reference.category;
            });
        const double text = static_cast<double>(storeys > 1 ? storeys + 1 : 1) * lineHeightOf(measure.smallSize());
        reach.headroom.push_back({reference.value, reference.text.empty() ? 2 : text + measure.of(2)});
    }
    for (const data::FigureAnnotation& annotation : plan.panel->annotations) {
        reach.include(annotation.y);
        reach.headroom.push_back({annotation.y, lineHeightOf(measure.smallSize()) + measure.of(4)});
    }
}

}  // namespace

StackEnds stackEnds(const data::FigureBar& bar, std::size_t category) {
    StackEnds ends;
    ends.from = category < bar.from.size() ? bar.from[category] : 0;
    for (const FigureSeries& series : bar.stack) {
        if (const auto value = valueAt(series.values, category)) {
            ends.any = true;
            (*value >= 0 ? ends.above : ends.below) += *value;
        }
    }
    return ends;
}

std::size_t categoriesOf(const data::FigurePanel& panel) {
    std::size_t most = panel.categories.labels.size();
    for (const data::FigureMark& mark : panel.marks)
        most = std::max(most, std::visit([](const auto& one) { return categoriesOf(one); }, mark));
    return most;
}

DataReach reachOfX(const data::FigurePanel& panel) {
    DataReach reach;
    reach.tight = true;
    for (const data::FigureMark& mark : panel.marks) {
        if (const auto* line = std::get_if<data::LineMark>(&mark)) {
            reach.padded = reach.padded || line->markers || !line->joined;
            std::for_each(line->x.begin(), line->x.end(), [&](double x) { reach.include(x); });
        } else if (const auto* area = std::get_if<data::AreaMark>(&mark)) {
            std::for_each(area->x.begin(), area->x.end(), [&](double x) { reach.include(x); });
        } else if (const auto* timeline = std::get_if<data::TimelineMark>(&mark)) {
            for (const data::TimelineMark::Span& span : timeline->spans) {
                reach.include(span.from);
                reach.include(span.to);
            }
        }
    }
    return reach;
}

DataReach valuesOfY(const data::FigurePanel& panel) {
    DataReach reach;
    const std::size_t categories = categoriesOf(panel);
    for (const data::FigureMark& mark : panel.marks)
        std::visit([&](const auto& one) { include(reach, one, categories); }, mark);
    return reach;
}

DataReach reachOfY(const PanelPlan& plan, double perUnit, const FigureMeasure& measure) {
    DataReach reach = valuesOfY(*plan.panel);
    leaveRoomForValues(reach, plan, perUnit, measure);
    leaveRoomForReferences(reach, plan, measure);
    return reach;
}

double writtenValue(const StackEnds& ends) { return ends.above != 0 ? ends.above : ends.below; }

ValueDirection directionOfValues(const PanelPlan& plan, std::size_t index, double perUnit,
                                 const FigureMeasure& measure) {
    ValueDirection direction;
    const TextSize size = measure.smallSize();
    const auto& mark = std::get<data::BarMark>(plan.panel->marks[index]);
    double widest = 0, pitch = 1e9;
    const BarPlace* last = nullptr;
    for (const BarPlace& place : plan.bars) {
        if (place.mark != index)
            continue;
        if (const StackEnds ends = stackEnds(mark.bars[place.bar], place.category); ends.any)
            widest = std::max(widest, textWidth(valueLabel(writtenValue(ends), mark.decimals), size));
        if (last)
            pitch = std::min(pitch, (place.left - last->left) * perUnit);
        last = &place;
    }
    direction.turned = widest + measure.of(1) > pitch;
    direction.written = !direction.turned || pitch >= lineHeightOf(size);
    direction.along = direction.turned ? widest : capHeightOf(size);
    return direction;
}

}  // namespace ui
