#include "data/document/document_reader.h"
#include "data/experiment/experiment_document.h"
#include "data/figure/figure_document.h"
#include "data/figure/figure_meaning.h"
#include "data/presets/presets.h"
#include "engine/api/parameters.h"
#include "engine/api/quantity.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace data {
namespace {

using engine::Problems;

constexpr std::size_t kMostValues = 2'000'000;
constexpr std::size_t kLongestText = 4000;
constexpr std::size_t kLongestName = 80;
constexpr double kLeastHeight = 36, kMostHeight = 2000;
constexpr double kLeastWidth = 36, kMostWidth = 4000;
constexpr int kMostColumns = 6;
constexpr int kMostDecimals = 6;
constexpr std::size_t kMostEdits = 1000;
constexpr std::size_t kMostPanels = 64;

std::string numbered(const std::string& path, const char* list, std::size_t index) {
    return path + "." + list + "[" + std::to_string(index) + "]";
}

/// Checks one figure. m_categories changes with the panel.
class FigureCheck {
public:
    explicit FigureCheck(Problems& problems) : m_problems(problems) {}

    void figure(const FigureSpec& figure) {
        name(figure.name);
        if (figure.height && !(*figure.height >= kLeastHeight && *figure.height <= kMostHeight))
            refuse("height", number(*figure.height), "points from 36 to 2000 are allowed");
        if (figure.width && !(*figure.width >= kLeastWidth && *figure.width <= kMostWidth))
            refuse("width", number(*figure.width), "points from 36 to 4000 are allowed");
        if (figure.edits.size() > kMostEdits)
            refuse("edits", std::to_string(figure.edits.size()) + " edits", "at most 1000 are allowed");
        for (std::size_t i = 0; i < figure.edits.size() && i < kMostEdits; ++i)
            text("edits[" + std::to_string(i) + "]", figure.edits[i]);
        if (figure.columns < 0 || figure.columns > kMostColumns)
            refuse("columns", std::to_string(figure.columns),
                   "1 to 6 are allowed, and 0 for as many as the size has room for");
        if (figure.panels.size() > kMostPanels)
            refuse("panels", std::to_string(figure.panels.size()) + " panels", "at most 64 are allowed");
        for (std::size_t i = 0; i < figure.panels.size() && i < kMostPanels; ++i)
            panel("panels[" + std::to_string(i) + "]", figure.panels[i]);
        if (m_values > kMostValues)
            refuse("panels", std::to_string(m_values) + " values", "at most 2000000 are allowed");
    }

private:
    static std::string number(double value) { return engine::shortestText(value); }

    void refuse(std::string path, std::string value, std::string text) {
        if (m_problems.size() < kMostProblems)
            m_problems.push_back({std::move(path), std::move(value), std::move(text)});
    }

    // Checks the name, which files get as well.
    void name(const std::string& name) {
        const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
        });
        if (name.empty() || name.size() > kLongestName || !plain)
            refuse("name", name.substr(0, kLongestName), "1 to 80 letters, digits, - and _ are allowed");
    }

    void text(const std::string& path, const std::string& text) {
        if (text.size() > kLongestText)
            refuse(path, text.substr(0, 40) + "...", "at most 4000 bytes are allowed");
    }

    void finite(const std::string& path, std::optional<double> value) {
        if (value && !std::isfinite(*value))
            refuse(path, number(*value), "a finite number is expected");
    }

    /// Checks that numbers are finite; they may be missing.
    template <class Number>
    void finite(const std::string& path, const std::vector<Number>& values) {
        m_values += values.size();
        for (std::size_t i = 0; i < values.size(); ++i)
            finite(path + "[" + std::to_string(i) + "]", values[i]);
    }

    void count(const std::string& path, std::size_t is, std::size_t expected, const char* forEach) {
        if (is != expected)
            refuse(path, std::to_string(is) + " values",
                   std::to_string(expected) + " are expected, one for each " + forEach);
    }

    void meaning(const std::string& path, const std::string& meaning) {
        if (!isMeaning(meaning))
            refuse(path + ".meaning", meaning.substr(0, kLongestName),
                   "no meaning has this name; allowed: gemm, reduce-scatter, ..., policy/NAME, series/0 to series/99, "
                   "level/I/N/D, cause/NAME, each also with /light");
    }

    void axis(const std::string& path, const FigureAxis& axis) {
        text(path + ".title", axis.title);
        const bool logarithmic = axis.scale == FigureScale::logarithmic;
        for (const auto& [key, end] : {std::pair{".from", axis.from}, std::pair{".to", axis.to}}) {
            if (!end)
                continue;
            finite(path + key, *end);
            if (logarithmic && *end <= 0)
                refuse(path + key, number(*end), "a logarithmic axis has positive values only");
        }
        if (axis.from && axis.to && !(*axis.from < *axis.to))
            refuse(path + ".to", number(*axis.to), "more than .from is expected");
        finite(path + ".ticks", axis.ticks);
        if (axis.breakFrom || axis.breakTo)
            axisBreak(path, axis);
    }

    void axisBreak(const std::string& path, const FigureAxis& axis) {
        finite(path + ".break_from", axis.breakFrom);
        finite(path + ".break_to", axis.breakTo);
        if (!axis.breakFrom || !axis.breakTo)
            return refuse(path + (axis.breakFrom ? ".break_to" : ".break_from"), "", "a break needs both ends");
        const std::string shown = number(*axis.breakFrom) + " to " + number(*axis.breakTo);
        if (!(*axis.breakFrom < *axis.breakTo))
            refuse(path + ".break_to", number(*axis.breakTo), "more than .break_from is expected");
        if (axis.scale == FigureScale::logarithmic)
            refuse(path + ".break_from", shown, "a logarithmic axis cannot be broken");
        if ((axis.from && *axis.breakFrom <= *axis.from) || (axis.to && *axis.breakTo >= *axis.to))
            refuse(path + ".break_from", shown, "the break must be inside the range of the axis");
    }

    /// Checks that the break leaves out no value and no zero of bars, and that the panel has marks along the y axis.
    void brokenValues(const std::string& path, const FigurePanel& panel) {
        const double from = *panel.y.breakFrom, to = *panel.y.breakTo;
        const std::string shown = number(from) + " to " + number(to);
        bool refused = false;
        const auto see = [&](double value, const std::string& what) {
            if (refused || !(value > from && value < to))
                return;
            refused = true;
            refuse(path, shown, "the break leaves out " + what + ", " + number(value));
        };
        const auto seeSeries = [&](const FigureSeries& series, double base, std::size_t i) {
            if (i < series.values.size() && series.values[i])
                see(base + *series.values[i], "a value of \"" + series.name.substr(0, kLongestName) + "\"");
        };
        for (const FigureMark& mark : panel.marks) {
            if (const auto* bars = std::get_if<BarMark>(&mark)) {
                see(0, "the zero of the bars");
                for (const FigureBar& bar : bars->bars) {
                    for (std::size_t i = 0; i < m_categories; ++i) {
                        double base = i < bar.from.size() ? bar.from[i] : 0;
                        for (const FigureSeries& series : bar.stack) {
                            seeSeries(series, base, i);
                            base += i < series.values.size() ? series.values[i].value_or(0) : 0;
                        }
                    }
                }
            } else if (const auto* lines = std::get_if<LineMark>(&mark)) {
                for (const FigureSeries& series : lines->series) {
                    for (std::size_t i = 0; i < series.values.size(); ++i)
                        seeSeries(series, 0, i);
                }
            } else if (!std::holds_alternative<AreaMark>(mark)) {
                refuse(path, shown, "only panels of bars, lines and areas can have a broken axis");
                return;
            }
        }
        for (const FigureReference& reference : panel.references)
            see(reference.value, "a reference value");
    }

    void decimals(const std::string& path, const std::optional<int>& decimals) {
        if (decimals && (*decimals < 0 || *decimals > kMostDecimals))
            refuse(path + ".decimals", std::to_string(*decimals), "0 to 6 are allowed");
    }

    void series(const std::string& path, const FigureSeries& series, std::size_t expected, const char* forEach) {
        text(path + ".name", series.name);
        meaning(path, series.meaning);
        count(path + ".values", series.values.size(), expected, forEach);
        finite(path + ".values", series.values);
        for (const auto& [key, ends] : {std::pair{".low", &series.low}, std::pair{".high", &series.high}}) {
            if (!ends->empty())
                count(path + key, ends->size(), expected, forEach);
            finite(path + key, *ends);
        }
        if (series.low.empty() != series.high.empty())
            refuse(path, series.name.substr(0, kLongestName), "error bars need both ends, .low and .high");
        if (series.samples < 0)
            refuse(path + ".samples", std::to_string(series.samples), "0 or more is expected");
    }

    void mark(const std::string& path, const BarMark& bars) {
        decimals(path, bars.decimals);
        for (std::size_t i = 0; i < bars.bars.size(); ++i) {
            const std::string bar = numbered(path, "bars", i);
            text(bar + ".name", bars.bars[i].name);
            for (std::size_t j = 0; j < bars.bars[i].stack.size(); ++j)
                series(numbered(bar, "stack", j), bars.bars[i].stack[j], m_categories, "category");
            if (!bars.bars[i].from.empty())
                count(bar + ".from", bars.bars[i].from.size(), m_categories, "category");
            finite(bar + ".from", bars.bars[i].from);
        }
    }

    void mark(const std::string& path, const LineMark& lines) {
        finite(path + ".x", lines.x);
        const bool overCategories = m_categories > 0;
        if (overCategories && !lines.x.empty())
            refuse(path + ".x", std::to_string(lines.x.size()) + " values",
                   "not allowed with categories; leave it out");
        for (std::size_t i = 0; i < lines.series.size(); ++i)
            series(numbered(path, "series", i), lines.series[i], overCategories ? m_categories : lines.x.size(),
                   overCategories ? "category" : "x");
        if (!lines.sizes.empty())
            sizes(path + ".sizes", lines, overCategories ? m_categories : lines.x.size());
        text(path + ".size_title", lines.sizeTitle);
    }

    void sizes(const std::string& path, const LineMark& lines, std::size_t expected) {
        count(path, lines.sizes.size(), expected, "point");
        finite(path, lines.sizes);
        if (lines.joined)
            refuse(path, std::to_string(lines.sizes.size()) + " values",
                   "only points have sizes; set .joined to false");
        const auto negative = std::ranges::find_if(lines.sizes, [](double size) { return size < 0; });
        if (negative != lines.sizes.end())
            refuse(path, number(*negative), "0 or more is expected");
    }

    void mark(const std::string& path, const AreaMark& areas) {
        finite(path + ".x", areas.x);
        if (!std::is_sorted(areas.x.begin(), areas.x.end()))
            refuse(path + ".x", std::to_string(areas.x.size()) + " values", "rising values are expected");
        if (areas.stepped && areas.x.empty())
            refuse(path + ".x", "no values", "stepped areas need one x more than values");
        const std::size_t values = areas.stepped && !areas.x.empty() ? areas.x.size() - 1 : areas.x.size();
        for (std::size_t i = 0; i < areas.series.size(); ++i)
            series(numbered(path, "series", i), areas.series[i], values, areas.stepped ? "step between two x" : "x");
    }

    void mark(const std::string& path, const BoxMark& boxes) {
        for (std::size_t i = 0; i < boxes.groups.size(); ++i) {
            const BoxMark::Group& group = boxes.groups[i];
            const std::string where = numbered(path, "groups", i);
            text(where + ".name", group.name);
            meaning(where, group.meaning);
            count(where + ".boxes", group.boxes.size(), m_categories, "category");
            for (std::size_t j = 0; j < group.boxes.size(); ++j) {
                if (group.boxes[j])
                    box(numbered(where, "boxes", j), *group.boxes[j]);
            }
        }
    }

    void box(const std::string& path, const FigureBox& box) {
        m_values += 5;
        const std::vector<double> ends{box.least, box.lower, box.median, box.upper, box.most};
        for (const double end : ends)
            finite(path, end);
        if (!std::is_sorted(ends.begin(), ends.end()))
            refuse(path, number(box.least) + " to " + number(box.most),
                   "least, lower, median, upper and most must rise in this order");
    }

    void mark(const std::string& path, const HeatMark& heat) {
        decimals(path, heat.decimals);
        count(path + ".values", heat.values.size(), heat.rows.size() * m_categories, "row and category");
        finite(path + ".values", heat.values);
        for (std::size_t i = 0; i < heat.rows.size(); ++i)
            text(numbered(path, "rows", i), heat.rows[i]);
        for (const auto& [key, value] :
             {std::pair{".from", heat.from}, std::pair{".to", heat.to}, std::pair{".middle", heat.middle}})
            finite(path + key, value);
        if (heat.from && heat.to && !(*heat.from < *heat.to))
            refuse(path + ".to", number(*heat.to), "more than .from is expected");
    }

    void mark(const std::string& path, const TimelineMark& timeline) {
        m_values += 2 * timeline.spans.size();
        for (std::size_t i = 0; i < timeline.lanes.size(); ++i)
            text(numbered(path, "lanes", i), timeline.lanes[i].label);
        for (std::size_t i = 0; i < timeline.spans.size(); ++i) {
            const TimelineMark::Span& span = timeline.spans[i];
            const std::string where = numbered(path, "spans", i);
            if (span.lane >= timeline.lanes.size())
                refuse(where, std::to_string(span.lane),
                       "no such lane; there are " + std::to_string(timeline.lanes.size()));
            finite(where, span.from);
            finite(where, span.to);
            if (span.from > span.to)
                refuse(where, number(span.to), "ends before it begins; an end after the beginning is expected");
            meaning(where, span.meaning);
        }
    }

    void mark(const std::string& path, const DrawingMark& drawing) {
        for (const auto& [key, length] : {std::pair{".width", drawing.width}, std::pair{".height", drawing.height}}) {
            if (!std::isfinite(length) || length <= 0)
                refuse(path + key, number(length), "a length above 0 is expected");
        }
        for (std::size_t i = 0; i < drawing.items.size(); ++i)
            std::visit([&](const auto& item) { this->item(numbered(path, "items", i), item); }, drawing.items[i]);
    }

    void pen(const std::string& path, const DrawingPen& pen) {
        finite(path + ".width", pen.width);
        if (pen.width < 0)
            refuse(path + ".width", number(pen.width), "0 or more is expected");
        finite(path + ".dash", pen.dash);
        if (std::any_of(pen.dash.begin(), pen.dash.end(), [](double length) { return length <= 0; }))
            refuse(path + ".dash", "", "lengths above 0 are expected");
    }

    void item(const std::string& path, const DrawingShape& shape) {
        m_values += 2 * shape.points.size();
        for (const auto& [x, y] : shape.points) {
            finite(path + ".points", x);
            finite(path + ".points", y);
        }
        if (shape.pen)
            pen(path + ".pen", *shape.pen);
    }

    void item(const std::string& path, const DrawingText& words) {
        ++m_values;
        text(path + ".text", words.text);
        for (const double value : {words.x, words.y, words.angle, words.size})
            finite(path, value);
        if (!(words.size > 0))
            refuse(path + ".size", number(words.size), "a size above 0 is expected");
    }

    void categories(const std::string& path, const FigureCategories& categories) {
        m_values += categories.labels.size();
        std::size_t grouped = 0;
        for (const auto& group : categories.groups)
            grouped += group.count;
        if (!categories.groups.empty() && grouped != categories.labels.size())
            refuse(path + ".groups", std::to_string(grouped) + " labels in all",
                   std::to_string(categories.labels.size()) + " are expected, as there are .labels");
        for (std::size_t i = 0; i < categories.labels.size(); ++i)
            text(numbered(path, "labels", i), categories.labels[i]);
    }

    void reference(const std::string& path, const FigureReference& reference) {
        finite(path + ".value", reference.value);
        text(path + ".text", reference.text);
        if (reference.category && *reference.category >= m_categories)
            refuse(path + ".category", std::to_string(*reference.category),
                   "no such category; there are " + std::to_string(m_categories));
    }

    void annotation(const std::string& path, const FigureAnnotation& annotation) {
        for (const auto& [key, value] : {std::pair{".x", std::optional(annotation.x)},
                                         {".y", annotation.y},
                                         {".to_x", annotation.toX},
                                         {".to_y", annotation.toY}})
            finite(path + key, value);
        if (annotation.toX.has_value() != annotation.toY.has_value())
            refuse(path, annotation.text.substr(0, kLongestName), "a line ends at .to_x and .to_y");
        if (annotation.kind != FigureAnnotation::Kind::text && !annotation.toX)
            refuse(path + ".kind", annotation.text.substr(0, kLongestName),
                   "a line, an arrow and a span need .to_x and .to_y");
        text(path + ".text", annotation.text);
    }

    void panel(const std::string& path, const FigurePanel& panel) {
        m_categories = panel.categories.labels.size();
        text(path + ".title", panel.title);
        categories(path + ".categories", panel.categories);
        axis(path + ".x", panel.x);
        axis(path + ".y", panel.y);
        if (panel.y.breakFrom && panel.y.breakTo)
            brokenValues(path + ".y.break_from", panel);
        if (panel.x.breakFrom)
            refuse(path + ".x.break_from", number(*panel.x.breakFrom), "only the y axis can be broken");
        if (!(panel.weight > 0) || !std::isfinite(panel.weight))
            refuse(path + ".weight", number(panel.weight), "a share above 0 is expected");
        for (std::size_t i = 0; i < panel.marks.size(); ++i)
            std::visit([&](const auto& kind) { mark(numbered(path, "marks", i), kind); }, panel.marks[i]);
        for (std::size_t i = 0; i < panel.references.size(); ++i)
            reference(numbered(path, "references", i), panel.references[i]);
        for (std::size_t i = 0; i < panel.annotations.size(); ++i)
            annotation(numbered(path, "annotations", i), panel.annotations[i]);
    }

    Problems& m_problems;
    std::size_t m_categories = 0;  // of the panel that is being checked
    std::size_t m_values = 0;
};

/// Returns a text such as "link.bandwidth = 75 GB/s" for each parameter in which the two machines differ.
std::vector<std::string> machineChanges(const engine::Experiment& experiment, const engine::Experiment& published) {
    std::vector<std::string> changes;
    for (const std::string& path : saidPaths("machine")) {
        const engine::Parameter* parameter = engine::findParameter(path);
        if (parameter == nullptr || parameter->read(experiment) == parameter->read(published))
            continue;
        changes.push_back(path + " = " + engine::formatValue(*parameter, parameter->read(experiment)));
    }
    return changes;
}

}  // namespace

Problems problemsOf(const FigureSpec& figure) {
    Problems problems;
    FigureCheck(problems).figure(figure);
    return problems;
}

std::string changedMachine(const FigureProvenance& provenance) {
    const engine::Experiment published = expand({}).experiment;
    for (const FigureProvenance::Experiment& one : provenance.experiments) {
        if (one.document.empty())
            continue;
        const DraftReading reading = readDraft(one.document, one.name);
        const std::vector<std::string> changes = machineChanges(expand(reading.draft).experiment, published);
        if (changes.empty())
            continue;
        const std::string more = changes.size() > 1 ? " and " + std::to_string(changes.size() - 1) + " more" : "";
        return changes.front() + more;
    }
    return {};
}

}  // namespace data
