#include "ui/figure/lint_rules.h"

#include "data/figure/figure_meaning.h"
#include "ui/drawing/figure_style.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <type_traits>

namespace ui {
namespace {

using data::FigureSeries;

constexpr double kGreyDistance = 0.08;
constexpr std::size_t kMostHues = 8;

/// A series of a panel, identified by its name and its look.
struct Shown {
    std::string name, meaning;
    bool line = false;
    bool operator==(const Shown&) const = default;
};

/// Calls `see` with each stack of a panel: its list of series.
template <class Panel, class See>
void seeStacks(Panel& panel, const See& see) {
    for (auto& mark : panel.marks) {
        if (auto* bars = std::get_if<data::BarMark>(&mark)) {
            for (auto& bar : bars->bars)
                see(bar.stack);
        } else if (auto* areas = std::get_if<data::AreaMark>(&mark)) {
            see(areas->series);
        }
    }
}

/// Calls `see` with each series and each group of boxes, and whether it is a line.
template <class Panel, class See>
void seeSeries(Panel& panel, const See& see) {
    const auto seeAll = [&](bool line) {
        return [&see, line](auto& list) {
            for (auto& series : list)
                see(series, line);
        };
    };
    seeStacks(panel, seeAll(false));
    for (auto& mark : panel.marks) {
        if (auto* lines = std::get_if<data::LineMark>(&mark))
            seeAll(true)(lines->series);
        else if (auto* boxes = std::get_if<data::BoxMark>(&mark))
            seeAll(false)(boxes->groups);
    }
}

/// Returns whether a series is the bar of one category, whose label is its name: no reader needs its look.
bool isNamedByCategory(const FigureSeries& series, const data::FigurePanel& panel) {
    const auto there = std::ranges::find_if(series.values, [](const auto& value) { return value.has_value(); });
    const auto category = static_cast<std::size_t>(there - series.values.begin());
    return category < panel.categories.labels.size() && panel.categories.labels[category] == series.name &&
           std::count(series.values.begin(), series.values.end(), std::nullopt) + 1 == std::ssize(series.values);
}

std::vector<Shown> shownIn(const data::FigurePanel& panel) {
    std::vector<Shown> all;
    seeSeries(panel, [&](const auto& series, bool line) {
        if constexpr (std::is_same_v<std::decay_t<decltype(series)>, FigureSeries>) {
            if (isNamedByCategory(series, panel))
                return;
        }
        const Shown shown{series.name, series.meaning, line};
        if (std::find(all.begin(), all.end(), shown) == all.end())
            all.push_back(shown);
    });
    return all;
}

bool sameInGrey(const Shown& a, const Shown& b, data::FigureTheme theme) {
    const MarkStyle x = styleOf(a.meaning, theme);
    const MarkStyle y = styleOf(b.meaning, theme);
    if (a.line != b.line)
        return false;
    if (a.line) {
        const bool greys = std::abs(greyOf(x.line.colour) - greyOf(y.line.colour)) < 2 * kGreyDistance;
        return greys && x.line.dash == y.line.dash && x.marker == y.marker;
    }
    return x.fill.texture == y.fill.texture && std::abs(greyOf(x.fill.colour) - greyOf(y.fill.colour)) < kGreyDistance;
}

/// Gives every series with the name and look of `what` another meaning.
void changeMeaning(data::FigureSpec& figure, const Shown& what, const std::string& meaning) {
    for (data::FigurePanel& panel : figure.panels) {
        seeSeries(panel, [&](auto& series, bool line) {
            if (Shown{series.name, series.meaning, line} == what)
                series.meaning = meaning;
        });
    }
}

/// Returns a meaning whose style differs from all these series in grey print; an empty optional if there is none.
std::optional<std::string> unusedMeaning(const std::vector<Shown>& all, const Shown& other, data::FigureTheme theme) {
    for (int i = 0; i < 48; ++i) {
        const std::string meaning = "series/" + std::to_string(i);
        const Shown candidate{other.name, meaning, other.line};
        if (std::none_of(all.begin(), all.end(),
                         [&](const Shown& shown) { return sameInGrey(shown, candidate, theme); }))
            return meaning;
    }
    return {};
}

void lintGrey(const data::FigureSpec& figure, std::size_t index, std::vector<LintFinding>& findings) {
    const std::vector<Shown> all = shownIn(figure.panels[index]);
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (!sameInGrey(all[i], all[j], figure.theme))
                continue;
            LintFinding finding{LintRule::sameInGrey, false, index};
            finding.text = lintText("“%1” and “%2” look the same in grey print")
                               .arg(QString::fromStdString(all[j].name), QString::fromStdString(all[i].name));
            if (const auto meaning = unusedMeaning(all, all[i], figure.theme)) {
                finding.fixText = lintText("Give “%1” a different look").arg(QString::fromStdString(all[i].name));
                finding.fix = mending([shown = all[i], meaning = *meaning](data::FigureSpec& apart) {
                    changeMeaning(apart, shown, meaning);
                });
            }
            findings.push_back(std::move(finding));
            return;  // one at a time, because fixing one pair can fix others
        }
    }
}

void lintHues(const data::FigureSpec& figure, std::vector<LintFinding>& findings) {
    std::set<std::string> hues;
    for (const data::FigurePanel& panel : figure.panels) {
        for (const Shown& shown : shownIn(panel)) {
            const auto read = data::readMeaning(shown.meaning);
            if (read && read->kind == data::FigureMeaning::Kind::level)
                hues.insert("level/" + std::to_string(read->series));  // its policies differ in their dashes
            else if (read && !read->light && read->name != "neutral" && read->name != "ideal")
                hues.insert(styleOf(shown.meaning, figure.theme).line.colour.name().toStdString() + shown.meaning);
        }
    }
    if (hues.size() <= kMostHues || figure.theme == data::FigureTheme::greyPrint)
        return;
    findings.push_back(
        {.rule = LintRule::tooManyHues,
         .text =
             lintText("%1 hues; readers cannot distinguish more than eight, and colour-blind readers even fewer. Show "
                      "fewer series, or show them in separate panels")
                 .arg(hues.size())});
}

/// Returns the position of each name in the legend, counted from 0.
std::map<QString, int> legendPlaces(const LaidOutFigure& laidOut) {
    std::map<QString, int> places;
    for (const DisplayItem& item : laidOut.list.items) {
        const auto* text = std::get_if<TextItem>(&item.shape);
        if (text != nullptr && item.part == FigurePart::legend)
            places.emplace(text->text, static_cast<int>(places.size()));
    }
    return places;
}

/// Returns the names in each stack of a panel, from the bottom.
std::vector<std::vector<std::string>> stacksOf(const data::FigurePanel& panel) {
    std::vector<std::vector<std::string>> stacks;
    seeStacks(panel, [&](const std::vector<FigureSeries>& series) {
        std::vector<std::string> names;
        for (const FigureSeries& one : series)
            names.push_back(one.name);
        if (names.size() > 1)
            stacks.push_back(std::move(names));
    });
    return stacks;
}

/// Sorts every stack in the order of the legend. A legend at the right begins with the top of the stack.
void sortAsLegend(data::FigureSpec& figure, const std::map<QString, int>& places) {
    const int sign = figure.legend == data::FigureLegend::right ? -1 : 1;
    const auto sort = [&](std::vector<FigureSeries>& series) {
        std::stable_sort(series.begin(), series.end(), [&](const FigureSeries& a, const FigureSeries& b) {
            const auto place = [&](const FigureSeries& one) {
                const auto found = places.find(QString::fromStdString(one.name));
                return found == places.end() ? 0 : sign * found->second;
            };
            return place(a) < place(b);
        });
    };
    for (data::FigurePanel& panel : figure.panels)
        seeStacks(panel, sort);
}

void lintLegend(const data::FigureSpec& figure, const LaidOutFigure& laidOut, std::vector<LintFinding>& findings) {
    const std::map<QString, int> places = legendPlaces(laidOut);
    const int sign = figure.legend == data::FigureLegend::right ? -1 : 1;
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
        for (const auto& stack : stacksOf(figure.panels[i])) {
            std::vector<int> order;
            for (const std::string& name : stack) {
                const auto found = places.find(QString::fromStdString(name));
                if (found != places.end())
                    order.push_back(sign * found->second);
            }
            if (std::is_sorted(order.begin(), order.end()))
                continue;
            findings.push_back({LintRule::legendOrder, false, i,
                                lintText("the legend lists the parts of a stack in a different order"),
                                lintText("Stack in the order of the legend"),
                                mending([places](data::FigureSpec& spec) { sortAsLegend(spec, places); })});
            break;
        }
    }
}

}  // namespace

void lintSeries(const data::FigureSpec& figure, const LaidOutFigure& laidOut, std::vector<LintFinding>& findings) {
    if (figure.theme != data::FigureTheme::darkSlide) {
        for (std::size_t i = 0; i < figure.panels.size(); ++i)
            lintGrey(figure, i, findings);
    }
    lintHues(figure, findings);
    lintLegend(figure, laidOut, findings);
}

}  // namespace ui
