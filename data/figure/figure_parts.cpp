#include "data/figure/figure_parts.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <variant>

namespace data {
namespace {

using Order = std::vector<std::size_t>;  // old indices in their new order; what is missing is taken out

template <class T>
void reorder(std::vector<T>& values, const Order& order) {
    if (values.empty())
        return;
    std::vector<T> next;
    next.reserve(order.size());
    for (const std::size_t old : order)
        next.push_back(std::move(values.at(old)));
    values = std::move(next);
}

Order identity(std::size_t count) {
    Order order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    return order;
}

Order without(std::size_t count, std::size_t index) {
    Order order = identity(count);
    order.erase(order.begin() + static_cast<std::ptrdiff_t>(index));
    return order;
}

Order moved(std::size_t count, std::size_t from, std::size_t to) {
    Order order = without(count, from);
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), from);
    return order;
}

/// Returns the new index of an old one; an empty optional if it was taken out.
std::optional<std::size_t> placeIn(const Order& order, std::size_t old) {
    const auto found = std::ranges::find(order, old);
    return found == order.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - order.begin()));
}

/// Calls `visit` with each list of series of a panel.
template <class Panel, class Visit>
void seeLists(Panel& panel, Visit visit) {
    for (auto& mark : panel.marks) {
        if (auto* bars = std::get_if<BarMark>(&mark)) {
            for (auto& bar : bars->bars)
                visit(bar.stack);
        } else if (auto* lines = std::get_if<LineMark>(&mark)) {
            visit(lines->series);
        } else if (auto* areas = std::get_if<AreaMark>(&mark)) {
            visit(areas->series);
        }
    }
}

template <class Panel, class Visit>
void seeBoxes(Panel& panel, Visit visit) {
    for (auto& mark : panel.marks) {
        if (auto* boxes = std::get_if<BoxMark>(&mark))
            visit(boxes->groups);
    }
}

/// Calls `visit` with name and meaning of each series and each group of boxes.
template <class Panel, class Visit>
void seeSeries(Panel& panel, Visit visit) {
    const auto all = [&](auto& list) {
        for (auto& series : list)
            visit(series.name, series.meaning);
    };
    seeLists(panel, all);
    seeBoxes(panel, all);
}

/// Calls `visit` with every name of a kind, except those of series.
template <class Panel, class Visit>
void seeNames(Panel& panel, FigurePartKind kind, Visit visit) {
    if (kind == FigurePartKind::category) {
        for (auto& label : panel.categories.labels)
            visit(label);
    }
    if (kind == FigurePartKind::group) {
        for (auto& group : panel.categories.groups)
            visit(group.label);
    }
    for (auto& mark : panel.marks) {
        if (auto* bars = std::get_if<BarMark>(&mark); bars != nullptr && kind == FigurePartKind::bar) {
            for (auto& bar : bars->bars)
                visit(bar.name);
        }
        if (auto* heat = std::get_if<HeatMark>(&mark); heat != nullptr && kind == FigurePartKind::row) {
            for (auto& row : heat->rows)
                visit(row);
        }
        auto* timeline = std::get_if<TimelineMark>(&mark);
        if (timeline == nullptr || (kind != FigurePartKind::lane && kind != FigurePartKind::group))
            continue;
        for (auto& lane : timeline->lanes)
            visit(kind == FigurePartKind::lane ? lane.label : lane.group);
    }
}

void reorderCategories(FigurePanel& panel, const Order& order) {
    FigureCategories& categories = panel.categories;
    std::size_t first = 0;
    for (FigureCategories::Group& group : categories.groups) {
        const std::size_t end = first + group.count;
        group.count = static_cast<std::size_t>(
            std::ranges::count_if(order, [&](std::size_t old) { return old >= first && old < end; }));
        first = end;
    }
    std::erase_if(categories.groups, [](const auto& group) { return group.count == 0; });
    const std::size_t before = categories.labels.size();
    reorder(categories.labels, order);
    seeLists(panel, [&](std::vector<FigureSeries>& list) {
        for (FigureSeries& series : list) {
            for (FigureValues* values : {&series.values, &series.low, &series.high})
                reorder(*values, order);
        }
    });
    seeBoxes(panel, [&](auto& groups) {
        for (BoxMark::Group& group : groups)
            reorder(group.boxes, order);
    });
    for (FigureMark& mark : panel.marks) {
        if (auto* bars = std::get_if<BarMark>(&mark)) {
            for (FigureBar& bar : bars->bars)
                reorder(bar.from, order);
        }
        if (auto* lines = std::get_if<LineMark>(&mark))
            reorder(lines->sizes, order);
        if (auto* heat = std::get_if<HeatMark>(&mark)) {
            Order cells;
            for (std::size_t row = 0; row < heat->rows.size(); ++row) {
                for (const std::size_t old : order)
                    cells.push_back(row * before + old);
            }
            reorder(heat->values, cells);
        }
    }
    std::erase_if(panel.references, [&](const FigureReference& reference) {
        return reference.category && !placeIn(order, *reference.category);
    });
    for (FigureReference& reference : panel.references) {
        if (reference.category)
            reference.category = placeIn(order, *reference.category);
    }
    // An annotation stays at the category that is nearest to it.
    const auto follow = [&](double& x) {
        const double nearest = std::clamp(std::round(x), 0.0, std::max(0.0, static_cast<double>(before) - 1));
        const auto place = placeIn(order, static_cast<std::size_t>(nearest));
        x += place ? static_cast<double>(*place) - nearest : 0;
        return place.has_value();
    };
    std::erase_if(panel.annotations, [&](FigureAnnotation& annotation) { return !follow(annotation.x); });
    for (FigureAnnotation& annotation : panel.annotations) {
        if (annotation.toX)
            follow(*annotation.toX);
    }
}

void reorderBars(FigurePanel& panel, BarMark& mark, const Order& order) {
    reorder(mark.bars, order);
    std::erase_if(panel.references,
                  [&](const FigureReference& reference) { return reference.bar && !placeIn(order, *reference.bar); });
    for (FigureReference& reference : panel.references) {
        if (reference.bar)
            reference.bar = placeIn(order, *reference.bar);
    }
}

void reorderLanes(TimelineMark& timeline, const Order& order) {
    reorder(timeline.lanes, order);
    std::erase_if(timeline.spans, [&](const auto& span) { return !placeIn(order, span.lane); });
    for (TimelineMark::Span& span : timeline.spans)
        span.lane = *placeIn(order, span.lane);
}

void reorderRows(HeatMark& heat, const Order& order) {
    const std::size_t columns = heat.rows.empty() ? 0 : heat.values.size() / heat.rows.size();
    Order cells;
    for (const std::size_t row : order) {
        for (std::size_t column = 0; column < columns; ++column)
            cells.push_back(row * columns + column);
    }
    reorder(heat.rows, order);
    reorder(heat.values, cells);
}

bool isEmpty(const FigureMark& mark) {
    if (const auto* bars = std::get_if<BarMark>(&mark))
        return bars->bars.empty();
    if (const auto* lines = std::get_if<LineMark>(&mark))
        return lines->series.empty();
    if (const auto* areas = std::get_if<AreaMark>(&mark))
        return areas->series.empty();
    const auto* boxes = std::get_if<BoxMark>(&mark);
    return boxes != nullptr && boxes->groups.empty();
}

std::optional<std::size_t> barOf(const BarMark& mark, const std::string& series) {
    for (std::size_t bar = 0; bar < mark.bars.size(); ++bar) {
        if (!mark.bars[bar].stack.empty() && mark.bars[bar].stack.front().name == series)
            return bar;
    }
    return {};
}

/// Returns whether the bars stand side by side, one for each series.
bool isGrouped(const BarMark& mark) {
    return mark.bars.size() > 1 &&
           std::ranges::all_of(mark.bars, [](const FigureBar& bar) { return bar.stack.size() == 1; });
}

void removeSeries(FigurePanel& panel, const std::string& name) {
    for (FigureMark& mark : panel.marks) {
        auto* bars = std::get_if<BarMark>(&mark);
        if (bars == nullptr)
            continue;
        Order kept;
        for (std::size_t i = 0; i < bars->bars.size(); ++i) {
            std::vector<FigureSeries>& stack = bars->bars[i].stack;
            const bool had = !stack.empty();
            std::erase_if(stack, [&](const FigureSeries& series) { return series.name == name; });
            if (!stack.empty() || !had)
                kept.push_back(i);
        }
        reorderBars(panel, *bars, kept);
    }
    const auto erase = [&](auto& list) { std::erase_if(list, [&](const auto& one) { return one.name == name; }); };
    seeLists(panel, erase);
    seeBoxes(panel, erase);
    std::erase_if(panel.marks, isEmpty);
}

/// Moves a series in one list. Returns false if the list has the series and ends before the place.
template <class List>
bool moveIn(List& list, const std::string& name, std::size_t place) {
    const auto found = std::ranges::find_if(list, [&](const auto& series) { return series.name == name; });
    if (found == list.end())
        return true;
    if (place >= list.size())
        return false;
    reorder(list, moved(list.size(), static_cast<std::size_t>(found - list.begin()), place));
    return true;
}

/// Returns the places of the marks that are one line or one cloud of points each.
Order loneLines(const FigurePanel& panel) {
    Order places;
    for (std::size_t i = 0; i < panel.marks.size(); ++i) {
        const auto* lines = std::get_if<LineMark>(&panel.marks[i]);
        if (lines != nullptr && lines->series.size() == 1)
            places.push_back(i);
    }
    return places;
}

/// Moves a series that is alone in its mark among the marks like it.
bool moveLone(FigurePanel& panel, const std::string& name, std::size_t place) {
    const Order places = loneLines(panel);
    const auto found = std::ranges::find_if(
        places, [&](std::size_t at) { return std::get<LineMark>(panel.marks[at]).series.front().name == name; });
    if (found == places.end() || places.size() < 2)
        return true;
    if (place >= places.size())
        return false;
    Order order = identity(panel.marks.size());
    const Order inner = moved(places.size(), static_cast<std::size_t>(found - places.begin()), place);
    for (std::size_t i = 0; i < places.size(); ++i)
        order[places[i]] = places[inner[i]];
    reorder(panel.marks, order);
    return true;
}

bool moveSeries(FigurePanel& panel, const std::string& name, std::size_t place) {
    bool inside = moveLone(panel, name, place);
    for (FigureMark& mark : panel.marks) {
        auto* bars = std::get_if<BarMark>(&mark);
        auto* lines = std::get_if<LineMark>(&mark);
        auto* areas = std::get_if<AreaMark>(&mark);
        if (bars != nullptr && isGrouped(*bars)) {
            const auto bar = barOf(*bars, name);
            if (bar && place < bars->bars.size())
                reorderBars(panel, *bars, moved(bars->bars.size(), *bar, place));
            inside = inside && (!bar || place < bars->bars.size());
        } else if (bars != nullptr) {
            for (FigureBar& bar : bars->bars)
                inside = moveIn(bar.stack, name, place) && inside;
        } else if (lines != nullptr && lines->series.size() > 1) {
            inside = moveIn(lines->series, name, place) && inside;
        } else if (areas != nullptr) {
            inside = moveIn(areas->series, name, place) && inside;
        }
    }
    seeBoxes(panel, [&](auto& groups) { inside = moveIn(groups, name, place) && inside; });
    return inside;
}

template <class Values, class Name>
std::optional<std::size_t> indexOf(const Values& values, const std::string& name, Name nameOf) {
    const auto found = std::ranges::find_if(values, [&](const auto& value) { return nameOf(value) == name; });
    return found == values.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - values.begin()));
}

const auto kSelf = [](const std::string& name) -> const std::string& { return name; };
const auto kLabel = [](const TimelineMark::Lane& lane) -> const std::string& { return lane.label; };

/// Moves what has a name within each run of the list that `endOf` ends. Returns whether that is possible, and the order.
template <class Values, class Name, class End>
std::pair<PartChange, Order> movedInRuns(const Values& values, const std::string& name, std::size_t place, Name nameOf,
                                         End endOf) {
    Order order;
    bool found = false;
    for (std::size_t first = 0; first < values.size();) {
        const std::size_t end = endOf(first);
        Order own = identity(end - first);
        for (std::size_t i = 0; i < own.size(); ++i) {
            if (nameOf(values[first + i]) != name)
                continue;
            if (place >= own.size())
                return {PartChange::outside, {}};
            own = moved(own.size(), i, place);
            found = true;
            break;
        }
        for (const std::size_t one : own)
            order.push_back(first + one);
        first = end;
    }
    return {found ? PartChange::done : PartChange::absent, std::move(order)};
}

/// Moves the category of this name in each group that has one.
PartChange moveCategory(FigurePanel& panel, const std::string& name, std::size_t place) {
    const std::vector<FigureCategories::Group> groups = panel.categories.groups;
    const auto [change, order] = movedInRuns(panel.categories.labels, name, place, kSelf, [&](std::size_t first) {
        std::size_t end = 0;
        for (const FigureCategories::Group& group : groups) {
            end += group.count;
            if (first < end)
                return end;
        }
        return panel.categories.labels.size();
    });
    if (change != PartChange::done)
        return change;
    reorderCategories(panel, order);
    panel.categories.groups = groups;  // which keep their sizes
    return change;
}

/// Moves the lane of this name in each group that has one.
PartChange moveLanes(TimelineMark& timeline, const std::string& name, std::size_t place) {
    const std::vector<TimelineMark::Lane>& lanes = timeline.lanes;
    const auto [change, order] = movedInRuns(lanes, name, place, kLabel, [&](std::size_t first) {
        std::size_t end = first;
        while (end < lanes.size() && lanes[end].group == lanes[first].group)
            ++end;
        return end;
    });
    if (change == PartChange::done)
        reorderLanes(timeline, order);
    return change;
}

/// Takes a category, a row or a lane, or all of a group, out of its list.
template <class Values, class Name, class Apply>
PartChange removeFrom(const Values& values, const std::string& name, Name nameOf, Apply apply) {
    Order kept;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (nameOf(values[i]) != name)
            kept.push_back(i);
    }
    if (kept.size() == values.size())
        return PartChange::absent;
    if (kept.empty())
        return PartChange::last;
    apply(kept);
    return PartChange::done;
}

PartChange removeCategories(FigurePanel& panel, FigurePartKind kind, const std::string& name) {
    if (kind == FigurePartKind::category) {
        return removeFrom(panel.categories.labels, name, kSelf,
                          [&](const Order& kept) { reorderCategories(panel, kept); });
    }
    Order kept;
    std::size_t first = 0;
    bool found = false;
    for (const FigureCategories::Group& group : panel.categories.groups) {
        found = found || group.label == name;
        for (std::size_t i = 0; i < group.count && group.label != name; ++i)
            kept.push_back(first + i);
        first += group.count;
    }
    if (!found)
        return PartChange::absent;
    if (kept.empty())
        return PartChange::last;
    reorderCategories(panel, kept);
    return PartChange::done;
}

}  // namespace

std::vector<FigurePart> partsOf(const FigureSpec& figure, FigurePartKind kind, std::optional<std::size_t> panel) {
    std::vector<FigurePart> parts;
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
        if (panel && *panel != i)
            continue;
        std::vector<std::string> here;
        const auto add = [&](const std::string& name, const std::string& meaning) {
            if (name.empty() || std::ranges::find(here, name) != here.end())
                return;
            here.push_back(name);
            auto known = std::ranges::find(parts, name, &FigurePart::name);
            if (known == parts.end())
                known = parts.insert(parts.end(), {name, meaning, 0, i});
            ++known->panels;
        };
        if (kind == FigurePartKind::series)
            seeSeries(figure.panels[i], add);
        else
            seeNames(figure.panels[i], kind, [&](const std::string& name) { add(name, {}); });
    }
    return parts;
}

bool renamePart(FigurePanel& panel, FigurePartKind kind, const std::string& from, const std::string& to) {
    bool found = false;
    const auto rename = [&](std::string& name) {
        if (name == from) {
            name = to;
            found = true;
        }
    };
    if (kind == FigurePartKind::series)
        seeSeries(panel, [&](std::string& name, std::string&) { rename(name); });
    else
        seeNames(panel, kind, rename);
    return found;
}

PartChange removePart(FigurePanel& panel, FigurePartKind kind, const std::string& name) {
    if (kind == FigurePartKind::series) {
        bool found = false, others = false;
        seeSeries(panel, [&](const std::string& own, const std::string&) { (own == name ? found : others) = true; });
        if (!found || !others)
            return found ? PartChange::last : PartChange::absent;
        removeSeries(panel, name);
        return PartChange::done;
    }
    if (kind == FigurePartKind::category || kind == FigurePartKind::group) {
        const PartChange change = removeCategories(panel, kind, name);
        if (kind == FigurePartKind::category || change != PartChange::absent)
            return change;
    }
    for (FigureMark& mark : panel.marks) {
        PartChange change = PartChange::absent;
        auto* bars = std::get_if<BarMark>(&mark);
        auto* heat = std::get_if<HeatMark>(&mark);
        auto* timeline = std::get_if<TimelineMark>(&mark);
        if (bars != nullptr && kind == FigurePartKind::bar)
            change = removeFrom(
                bars->bars, name, [](const FigureBar& bar) -> const std::string& { return bar.name; },
                [&](const Order& kept) { reorderBars(panel, *bars, kept); });
        else if (heat != nullptr && kind == FigurePartKind::row)
            change = removeFrom(heat->rows, name, kSelf, [&](const Order& kept) { reorderRows(*heat, kept); });
        else if (timeline != nullptr && kind == FigurePartKind::lane)
            change =
                removeFrom(timeline->lanes, name, kLabel, [&](const Order& kept) { reorderLanes(*timeline, kept); });
        else if (timeline != nullptr && kind == FigurePartKind::group)
            change = removeFrom(
                timeline->lanes, name, [](const auto& lane) -> const std::string& { return lane.group; },
                [&](const Order& kept) { reorderLanes(*timeline, kept); });
        if (change != PartChange::absent)
            return change;
    }
    return PartChange::absent;
}

PartChange movePart(FigurePanel& panel, FigurePartKind kind, const std::string& name, std::size_t place) {
    if (kind == FigurePartKind::series) {
        bool found = false;
        seeSeries(panel, [&](const std::string& own, const std::string&) { found = found || own == name; });
        return !found ? PartChange::absent : moveSeries(panel, name, place) ? PartChange::done : PartChange::outside;
    }
    if (kind == FigurePartKind::category)
        return moveCategory(panel, name, place);
    for (FigureMark& mark : panel.marks) {
        auto* heat = std::get_if<HeatMark>(&mark);
        auto* timeline = std::get_if<TimelineMark>(&mark);
        if (timeline != nullptr && kind == FigurePartKind::lane)
            return moveLanes(*timeline, name, place);
        if (heat == nullptr || kind != FigurePartKind::row)
            continue;
        const auto index = indexOf(heat->rows, name, kSelf);
        if (index && place < heat->rows.size())
            reorderRows(*heat, moved(heat->rows.size(), *index, place));
        return !index ? PartChange::absent : place < heat->rows.size() ? PartChange::done : PartChange::outside;
    }
    return kind == FigurePartKind::bar || kind == FigurePartKind::group ? PartChange::fixed : PartChange::absent;
}

bool changeMeaning(FigurePanel& panel, const std::string& name, const std::function<void(std::string&)>& change) {
    bool found = false;
    seeSeries(panel, [&](const std::string& own, std::string& meaning) {
        if (own != name)
            return;
        change(meaning);
        found = true;
    });
    return found;
}

bool hasErrorBars(const FigurePanel& panel) {
    const auto has = [](const FigureSeries& series) { return !series.low.empty() || !series.high.empty(); };
    return std::ranges::any_of(panel.marks, [&](const FigureMark& mark) {
        const auto* lines = std::get_if<LineMark>(&mark);
        const auto* bars = std::get_if<BarMark>(&mark);
        return (lines != nullptr && std::ranges::any_of(lines->series, has)) ||
               (bars != nullptr && std::ranges::any_of(bars->bars, [&](const FigureBar& bar) {
                    return std::ranges::any_of(bar.stack, has);
                }));
    });
}

void removeErrorBars(FigurePanel& panel) {
    const auto remove = [](FigureSeries& series) {
        series.low.clear();
        series.high.clear();
        series.samples = 0;
    };
    for (FigureMark& mark : panel.marks) {
        if (auto* lines = std::get_if<LineMark>(&mark))
            std::ranges::for_each(lines->series, remove);
        if (auto* bars = std::get_if<BarMark>(&mark)) {
            for (FigureBar& bar : bars->bars)
                std::ranges::for_each(bar.stack, remove);
        }
    }
}

}  // namespace data
