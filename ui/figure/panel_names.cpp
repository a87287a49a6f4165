#include "ui/figure/panel_plan.h"

#include "ui/figure/figure_text.h"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr double kIntoGap = 0.2;  // units of x that a name of its own reaches into the gaps beside it

LabelLevel levelOfBars(const PanelPlan& plan) {
    LabelLevel level;
    for (std::size_t i = 0; i < plan.panel->marks.size(); ++i) {
        const auto* mark = std::get_if<data::BarMark>(&plan.panel->marks[i]);
        if (!mark || !namesBars(*mark))
            continue;
        for (const BarPlace& place : plan.bars) {
            if (place.mark == i)
                level.names.push_back({QString::fromStdString(mark->bars[place.bar].name),
                                       (place.left + place.right) / 2,
                                       place.left,
                                       place.right,
                                       {}});
        }
        break;
    }
    return level;
}

/// The names of groups of one category where only the group or only the category has a name: they need no second level.
LabelLevel levelApart(const PanelPlan& plan) {
    LabelLevel level;
    level.apart = true;
    const data::FigureCategories& categories = plan.panel->categories;
    std::size_t first = 0;
    for (const data::FigureCategories::Group& group : categories.groups) {
        const bool one = group.count == 1 && first < std::min(categories.labels.size(), plan.centres.size());
        if (one && (categories.labels[first].empty() || group.label.empty())) {
            const double centre = plan.centres[first];
            level.names.push_back({QString::fromStdString(categories.labels[first] + group.label),
                                   centre,
                                   centre - 0.5 - kIntoGap,
                                   centre + 0.5 + kIntoGap,
                                   {}});
        }
        first += group.count;
    }
    return level;
}

bool standsApart(const LabelLevel& apart, double centre) {
    return std::any_of(apart.names.begin(), apart.names.end(), [&](const auto& name) { return name.centre == centre; });
}

LabelLevel levelOfCategories(const PanelPlan& plan) {
    LabelLevel level;
    const auto& labels = plan.panel->categories.labels;
    for (std::size_t i = 0; i < std::min(labels.size(), plan.centres.size()); ++i) {
        const double centre = plan.centres[i];
        if (!standsApart(plan.names.apart, centre))
            level.names.push_back({QString::fromStdString(labels[i]), centre, centre - 0.5, centre + 0.5, {}});
    }
    const bool any =
        std::any_of(level.names.begin(), level.names.end(), [](const auto& name) { return !name.text.isEmpty(); });
    return any ? level : LabelLevel();
}

LabelLevel levelOfGroups(const PanelPlan& plan) {
    LabelLevel level;
    level.bracketed = true;
    std::size_t first = 0;
    for (const data::FigureCategories::Group& group : plan.panel->categories.groups) {
        const std::size_t end = std::min(first + group.count, plan.centres.size());
        if (end > first && !group.label.empty() && !standsApart(plan.names.apart, plan.centres[first])) {
            const double left = plan.centres[first] - 0.5, right = plan.centres[end - 1] + 0.5;
            level.names.push_back({QString::fromStdString(group.label), (left + right) / 2, left, right, {}});
        }
        first = end;
    }
    return level;
}

/// Names of rows, and the groups that they fall into.
RowPlan rowNamesOf(const data::FigurePanel& panel) {
    RowPlan rows;
    for (const data::FigureMark& mark : panel.marks) {
        if (const auto* heat = std::get_if<data::HeatMark>(&mark)) {
            for (const std::string& row : heat->rows)
                rows.labels.push_back(QString::fromStdString(row));
            return rows;
        }
        const auto* timeline = std::get_if<data::TimelineMark>(&mark);
        if (!timeline)
            continue;
        for (const data::TimelineMark::Lane& lane : timeline->lanes) {
            const QString group = QString::fromStdString(lane.group);
            const bool next = rows.groups.empty() || rows.groups.back().label != group;
            if (next)
                rows.groups.push_back({group, rows.labels.size(), 0});
            ++rows.groups.back().count;
            rows.labels.push_back(QString::fromStdString(lane.label));
        }
        std::erase_if(rows.groups, [](const RowPlan::Group& group) { return group.label.isEmpty(); });
        return rows;
    }
    return rows;
}

}  // namespace

bool namesBars(const data::BarMark& mark) {
    const auto& bars = mark.bars;
    const auto alike = [](const data::FigureBar& a, const data::FigureBar& b) {
        return !a.stack.empty() && !b.stack.empty() && a.stack.front().name == b.stack.front().name;
    };
    const bool named = std::any_of(bars.begin(), bars.end(), [](const auto& bar) { return !bar.name.empty(); });
    return named && (std::any_of(bars.begin(), bars.end(), [](const auto& bar) { return bar.stack.size() > 1; }) ||
                     std::adjacent_find(bars.begin(), bars.end(), alike) != bars.end());
}

void planNames(PanelPlan& plan, double perUnit, const FigureMeasure& measure) {
    plan.names = {};
    if (!plan.namesShown)
        return;
    plan.names.apart = levelApart(plan);
    const LabelLevel bars = levelOfBars(plan);
    plan.names.apartFrom = bars.names.empty() ? 0 : 1;
    for (LabelLevel level : {bars, levelOfCategories(plan), levelOfGroups(plan)}) {
        if (level.names.empty())
            continue;
        fitLevel(level, perUnit, measure);
        plan.names.levels.push_back(std::move(level));
    }
    if (!plan.names.apart.names.empty())
        fitLevel(plan.names.apart, perUnit, measure);
}

void planRows(PanelPlan& plan, double height, const FigureMeasure& measure) {
    RowPlan rows = rowNamesOf(*plan.panel);
    const double count = std::max<double>(1, static_cast<double>(rows.labels.size()));
    const double pitch = height / count;
    rows.size = std::clamp(pitch / lineHeightOf(1), std::min(6.0, measure.textSize), measure.textSize);
    const double line = lineHeightOf(rows.size);
    if (pitch < line * (1 - 1e-6))
        rows.every = static_cast<std::size_t>(std::ceil(line / std::max(pitch, 1e-3)));
    for (const QString& label : rows.labels)
        rows.labelWidth = std::max(rows.labelWidth, textWidth(label, rows.size));
    rows.groupsTurned = true;
    double widest = 0;
    for (const RowPlan::Group& group : rows.groups) {
        const double width = textWidth(group.label, measure.textSize);
        widest = std::max(widest, width);
        rows.groupsTurned = rows.groupsTurned && width <= pitch * static_cast<double>(group.count) + measure.of(1);
    }
    if (!rows.groups.empty())
        rows.groupWidth = (rows.groupsTurned ? lineHeightOf(measure.textSize) : widest) + measure.of(5);
    plan.rows = std::move(rows);
    plan.y.place = {count - 0.5, -0.5, false, {}};
    plan.y.labels.clear();
    plan.y.title = titleOf(plan.panel->y);
}

}  // namespace ui
