#include "ui/drawing/panel_plan.h"

#include "ui/drawing/figure_text.h"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr double kIntoGap = 0.2;  // in units of x; the name of a lone category may extend so far into gaps

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

/// Returns the names of groups with a single category, if only the group or only the category has a name: they need no
/// second level.
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

/// Returns the names of the rows and their groups.
RowPlan rowNamesOf(const PanelPlan& plan) {
    const data::FigurePanel& panel = *plan.panel;
    RowPlan rows;
    if (plan.kind == PanelKind::rows) {
        for (std::size_t row = 0; row < plan.centres.size(); ++row)
            rows.labels.push_back(row < panel.categories.labels.size()
                                      ? QString::fromStdString(panel.categories.labels[row])
                                      : QString());
        std::size_t first = 0;
        for (const data::FigureCategories::Group& group : panel.categories.groups) {
            if (!group.label.empty())
                rows.groups.push_back({QString::fromStdString(group.label), first, group.count});
            first += group.count;
        }
        return rows;
    }
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

constexpr int kMostLines = 3;

/// Returns whether horizontal names of these widths keep a distance to each other and do not extend far beyond the
/// ends.
bool fits(const LabelLevel& level, const std::vector<double>& widths, double perUnit, const FigureMeasure& measure) {
    const double between =
        level.size < measure.smallSize() ? measure.of(2) * level.size / measure.textSize : measure.of(3);
    const std::vector<LabelLevel::Name>& names = level.names;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const double own = (names[i].right - names[i].left) * perUnit;
        if (level.apart && widths[i] > own)
            return false;
        if (widths[i] > 0 && (i == 0 || i + 1 == names.size()) && widths[i] > own + measure.of(6))
            return false;
        if (i == 0 || widths[i] == 0 || widths[i - 1] == 0)
            continue;
        const double distance = (names[i].centre - names[i - 1].centre) * perUnit;
        if ((widths[i] + widths[i - 1]) / 2 + between > distance)
            return false;
    }
    return true;
}

/// Sets the names horizontally with at most `lines` lines each. Returns false if they do not fit.
bool fitLevelled(LabelLevel& level, int lines, double perUnit, const FigureMeasure& measure) {
    std::vector<double> widths;
    int most = 0;
    for (LabelLevel::Name& name : level.names) {
        const double room = (name.right - name.left) * perUnit - measure.of(2);
        name.lines = lines == 1 ? QStringList{name.text} : wrapped(name.text, room, lines, level.size);
        if (name.lines.isEmpty())
            return false;
        widths.push_back(widestOf(name.lines, level.size));
        most = std::max(most, static_cast<int>(name.lines.size()));
    }
    if (!fits(level, widths, perUnit, measure))
        return false;
    level.height = most * lineHeightOf(level.size);
    return true;
}

void turn(LabelLevel& level, double perUnit, const FigureMeasure& measure) {
    double narrowest = 1e9;
    for (std::size_t i = 1; i < level.names.size(); ++i)
        narrowest = std::min(narrowest, (level.names[i].centre - level.names[i - 1].centre) * perUnit);
    const double pitch = lineHeightOf(measure.sized(1));
    level.turned = true;
    level.size = std::clamp(measure.sized(narrowest / pitch), measure.leastSize(), measure.textSize);
    if (narrowest < pitch * level.size * (1 - 1e-9))
        level.every = static_cast<std::size_t>(std::ceil(pitch * level.size / std::max(narrowest, 1e-3)));
    double longest = 0;
    for (LabelLevel::Name& name : level.names) {
        name.lines = {name.text};
        longest = std::max(longest, textWidth(name.text, level.size));
    }
    level.height = longest + measure.of(1);
}

void drawName(FigureSheet& sheet, const LabelLevel& level, const LabelLevel::Name& name, double x, double top) {
    if (level.turned) {
        const QPointF at(x + capHeightOf(level.size) / 2, top + sheet.measure().of(1));
        return sheet.put(FigurePart::category, sheet.text(at, name.text, level.size, TextAlign::right, -90));
    }
    double baseline = top + ascentOf(level.size);
    for (const QString& line : name.lines) {
        sheet.put(FigurePart::category, sheet.text({x, baseline}, line, level.size, TextAlign::centre));
        baseline += lineHeightOf(level.size);
    }
}

void drawLevel(FigureSheet& sheet, const LabelLevel& level, double top, const std::function<double(double)>& xAt) {
    for (std::size_t i = 0; i < level.names.size(); i += level.every)
        drawName(sheet, level, level.names[i], xAt(level.names[i].centre), top);
}

void drawBrackets(FigureSheet& sheet, const LabelLevel& level, double y, const std::function<double(double)>& xAt) {
    FigurePen pen = sheet.measure().pen(sheet.measure().colours().axis);
    pen.colour = sheet.measure().colours().inkSoft;
    for (const LabelLevel::Name& name : level.names)
        sheet.line(FigurePart::category, {xAt(name.left + 0.12), y}, {xAt(name.right - 0.12), y}, pen);
}

double bracketRoom(const FigureMeasure& measure) { return measure.of(2); }

/// Decides size, direction and line breaks. `perUnit` is the width of one unit of x in points.
void fitLevel(LabelLevel& level, double perUnit, const FigureMeasure& measure) {
    level.size = measure.textSize;
    level.turned = false;
    level.every = 1;
    for (const TextSize size :
         {measure.textSize, measure.smallSize(), std::min(measure.leastSize(), measure.smallSize())}) {
        level.size = size;
        for (int lines = 1; lines <= kMostLines; ++lines) {
            if (fitLevelled(level, lines, perUnit, measure))
                return;
        }
    }
    turn(level, perUnit, measure);
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
    RowPlan rows = plan.rowNamesShown ? rowNamesOf(plan) : RowPlan();
    const bool bars = plan.kind == PanelKind::rows;
    const double count = std::max<double>(1, bars && !plan.centres.empty() ? plan.centres.back() + 1
                                                                           : static_cast<double>(rows.labels.size()));
    const double pitch = height / count;
    rows.size =
        std::clamp(measure.sized(pitch / lineHeightOf(measure.sized(1))), measure.leastSize(), measure.textSize);
    const double line = lineHeightOf(rows.size);
    if (pitch < line * (1 - 1e-6))
        rows.every = static_cast<std::size_t>(std::ceil(line / std::max(pitch, 1e-3)));
    for (const QString& label : rows.labels)
        rows.labelWidth =
            std::max(rows.labelWidth, textWidth(label, rows.size, bars ? TextWeight::semiBold : TextWeight::regular));
    rows.groupsTurned = true;
    double widest = 0;
    for (const RowPlan::Group& group : rows.groups) {
        const double width = textWidth(group.label, measure.textSize);
        widest = std::max(widest, width);
        rows.groupsTurned = rows.groupsTurned && width <= pitch * static_cast<double>(group.count) + measure.of(1);
    }
    if (!rows.groups.empty())
        rows.groupWidth = (rows.groupsTurned ? lineHeightOf(measure.textSize) : widest) + measure.of(5);
    if (bars && measure.screen->rows->markers > 0 && rows.labelWidth > 0)
        rows.groupWidth += measure.of(12);
    plan.rows = std::move(rows);
    plan.y.place = {count - 0.5, -0.5, false, {}};
    plan.y.labels.clear();
    plan.y.title = bars ? QString() : titleOf(plan.panel->y);
}

double heightOf(const CategoryNames& names, const FigureMeasure& measure) {
    double height = 0, before = 0;
    for (std::size_t i = 0; i < names.levels.size(); ++i) {
        height += names.levels[i].height + (names.levels[i].bracketed ? bracketRoom(measure) : 0);
        before = i < names.apartFrom ? height : before;
    }
    return std::max(height, names.apart.names.empty() ? 0 : before + names.apart.height);
}

void drawNames(FigureSheet& sheet, const CategoryNames& names, double top, const std::function<double(double)>& xAt) {
    const FigureMeasure& measure = sheet.measure();
    double apartTop = top;
    for (std::size_t i = 0; i < names.levels.size(); ++i) {
        const LabelLevel& level = names.levels[i];
        if (level.bracketed) {
            drawBrackets(sheet, level, top + measure.of(1.2), xAt);
            top += bracketRoom(measure);
        }
        drawLevel(sheet, level, top, xAt);
        top += level.height;
        apartTop = i < names.apartFrom ? top : apartTop;
    }
    drawLevel(sheet, names.apart, apartTop, xAt);
}

}  // namespace ui
