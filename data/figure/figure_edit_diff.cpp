// The edits between two figures.
#include "data/figure/figure_edits.h"

#include "data/figure/figure_fields.h"
#include "data/figure/figure_meaning.h"
#include "data/figure/figure_parts.h"
#include "data/figure/figure_size.h"
#include "engine/api/quantity.h"

#include <algorithm>
#include <variant>

namespace data {
namespace {

std::string textOf(const std::optional<double>& number) { return number ? engine::shortestText(*number) : "automatic"; }
std::string textOf(const std::optional<int>& number) { return number ? std::to_string(*number) : "automatic"; }
std::string textOf(bool value) { return value ? "true" : "false"; }
std::string textOf(const std::vector<double>& numbers) {
    std::string text;
    for (const double number : numbers)
        text += (text.empty() ? "" : ",") + engine::shortestText(number);
    return text.empty() ? "automatic" : text;
}
std::string pairText(const std::optional<double>& first, const std::optional<double>& second) {
    return first && second ? engine::shortestText(*first) + "," + engine::shortestText(*second) : "automatic";
}

/// Collects edits, applies each to a figure on the way to `after`, and compares with what is left to change.
class Difference {
public:
    Difference(const FigureSpec& before, const FigureSpec& after) : m_at(before), m_after(after) { m_at.edits.clear(); }

    std::optional<std::vector<std::string>> find() {
        ofFigure();
        if (m_at.panels.size() == m_after.panels.size()) {
            published();
            for (std::size_t panel = 0; panel < m_after.panels.size(); ++panel)
                ofPanel(panel);
        }
        FigureSpec end = m_after;
        end.edits = m_at.edits;
        end.from = m_at.from;
        end.provenance = m_at.provenance;
        if (end != m_at)
            return {};
        return std::move(m_edits);
    }

private:
    void set(std::vector<std::string> path, std::string value) {
        std::string edit = editText({std::move(path), std::move(value)});
        if (!applyEdit(m_at, edit))
            m_edits.push_back(std::move(edit));
    }

    void ofFigure() {
        const auto text = [&](const char* key, std::string FigureSpec::*field) {
            if (m_at.*field != m_after.*field)
                set({key}, m_after.*field);
        };
        text("name", &FigureSpec::name);
        text("title", &FigureSpec::title);
        text("caption", &FigureSpec::caption);
        text("alternative", &FigureSpec::alternative);
        if (m_at.size != m_after.size)
            set({"size"}, std::string(presetOf(m_after.size).name));
        if (m_at.theme != m_after.theme)
            set({"theme"}, std::string(nameOf(m_after.theme)));
        if (m_at.font != m_after.font)
            set({"font"}, std::string(presetOf(m_after.font).name));
        if (m_at.legend != m_after.legend)
            set({"legend"}, std::string(kLegendWords[static_cast<std::size_t>(m_after.legend)]));
        if (m_at.width != m_after.width)
            set({"width"}, textOf(m_after.width));
        if (m_at.height != m_after.height)
            set({"height"}, textOf(m_after.height));
        if (m_at.columns != m_after.columns)
            set({"columns"}, std::to_string(m_after.columns));
        if (m_at.letters != m_after.letters)
            set({"letters"}, textOf(m_after.letters));
        if (m_at.shared != m_after.shared || m_at.oneRange != m_after.oneRange)
            set({"shared"},
                std::string(
                    kSharedWords[(m_after.shared ? kTitlesShared : 0) | (m_after.oneRange ? kRangesShared : 0)]));
    }

    /// Returns how many marks of published values the figure has.
    static std::size_t publishedMarks(const FigureSpec& figure) {
        std::size_t count = 0;
        for (const FigurePanel& panel : figure.panels)
            count += static_cast<std::size_t>(std::ranges::count_if(
                panel.references, [](const FigureReference& reference) { return !reference.label.empty(); }));
        return count;
    }

    void published() {
        if (publishedMarks(m_after) == 0 && publishedMarks(m_at) > 0)
            set({"published"}, "hidden");
    }

    void ofPanel(std::size_t index) {
        const FigurePanel& to = m_after.panels[index];
        const std::string number = std::to_string(index + 1);
        const auto own = [&]() -> const FigurePanel& { return m_at.panels[index]; };
        const auto inPanel = [&](std::vector<std::string> rest) {
            rest.insert(rest.begin(), {"panel", number});
            return rest;
        };
        if (own().title != to.title)
            set(inPanel({"title"}), to.title);
        if (own().weight != to.weight)
            set(inPanel({"weight"}), engine::shortestText(to.weight));
        ofAxis(index, "x", &FigurePanel::x);
        ofAxis(index, "y", &FigurePanel::y);
        for (const FigurePartKind kind : {FigurePartKind::series, FigurePartKind::bar, FigurePartKind::category,
                                          FigurePartKind::group, FigurePartKind::row, FigurePartKind::lane})
            ofParts(index, kind);
        if (hasErrorBars(own()) && !hasErrorBars(to))
            set(inPanel({"errors"}), "hidden");
        ofMarks(index);
        ofReferences(index);
        ofNotes(index);
    }

    void ofAxis(std::size_t index, const char* name, FigureAxis FigurePanel::*axis) {
        const FigureAxis& to = m_after.panels[index].*axis;
        const auto own = [&]() -> const FigureAxis& { return m_at.panels[index].*axis; };
        const auto setKey = [&](const char* key, std::string value) {
            set({"panel", std::to_string(index + 1), name, key}, std::move(value));
        };
        if (own().unit != to.unit)  // first, because it converts the other values
            setKey("unit", to.unit);
        if (own().title != to.title)
            setKey("title", to.title);
        if (own().relativeTo != to.relativeTo)
            setKey("relative_to", to.relativeTo);
        if (own().scale != to.scale)
            setKey("scale", std::string(kScaleWords[static_cast<std::size_t>(to.scale)]));
        if (own().from != to.from)
            setKey("from", textOf(to.from));
        if (own().to != to.to)
            setKey("to", textOf(to.to));
        if (own().ticks != to.ticks)
            setKey("ticks", textOf(to.ticks));
        if (own().breakFrom != to.breakFrom || own().breakTo != to.breakTo)
            setKey("break", pairText(to.breakFrom, to.breakTo));
    }

    /// Finds new names, new meanings and another order of the same parts.
    void ofParts(std::size_t index, FigurePartKind kind) {
        const std::vector<FigurePart> to = partsOf(m_after, kind, index);
        std::vector<FigurePart> own = partsOf(m_at, kind, index);
        if (own.size() != to.size())
            return;
        const std::string number = std::to_string(index + 1);
        const std::string word(kPartWords[static_cast<std::size_t>(kind)]);
        const auto path = [&](const std::string& name, const std::string& key) {
            return std::vector<std::string>{"panel", number, word, name, key};
        };
        std::vector<std::string> names, wanted;
        for (std::size_t i = 0; i < to.size(); ++i) {
            names.push_back(own[i].name);
            wanted.push_back(to[i].name);
        }
        if (names != wanted && std::ranges::is_permutation(names, wanted)) {
            for (std::size_t i = 0; i < wanted.size(); ++i)
                set(path(wanted[i], "place"), std::to_string(i + 1));
            own = partsOf(m_at, kind, index);
        }
        for (std::size_t i = 0; i < to.size(); ++i) {
            if (own[i].name != to[i].name)
                set(path(own[i].name, "name"), to[i].name);
            if (own[i].meaning != to[i].meaning)
                ofMeaning(path, to[i].name, own[i].meaning, to[i].meaning);
        }
    }

    template <class Path>
    void ofMeaning(const Path& path, const std::string& name, const std::string& from, const std::string& to) {
        if (plainMeaning(from) != plainMeaning(to))
            set(path(name, "colour"), std::string(plainMeaning(to)));
        const FigureMeaning own = readMeaning(from).value_or(FigureMeaning{});
        const FigureMeaning next = readMeaning(to).value_or(FigureMeaning{});
        for (const OwnLook& look : ownLooks()) {
            const auto& index = next.*look.index;
            if (own.*look.index != index)
                set(path(name, std::string(look.key)), index ? std::string(look.words[*index]) : "automatic");
        }
    }

    void ofMarks(std::size_t index) {
        const auto& to = m_after.panels[index].marks;
        if (to.size() != m_at.panels[index].marks.size())
            return;
        const std::string number = std::to_string(index + 1);
        const auto values = [&](const auto& own, const auto& next) {
            if (own.valuesWritten != next.valuesWritten)
                set({"panel", number, "values"}, textOf(next.valuesWritten));
        };
        const auto decimals = [&](const auto& own, const auto& next) {
            if (own.decimals != next.decimals)
                set({"panel", number, "decimals"}, textOf(next.decimals));
        };
        for (std::size_t i = 0; i < to.size(); ++i) {
            const auto own = [&]() -> const FigureMark& { return m_at.panels[index].marks[i]; };
            if (const auto* bars = std::get_if<BarMark>(&to[i]); bars != nullptr && own().index() == to[i].index()) {
                values(std::get<BarMark>(own()), *bars);
                decimals(std::get<BarMark>(own()), *bars);
            }
            if (const auto* heat = std::get_if<HeatMark>(&to[i]); heat != nullptr && own().index() == to[i].index()) {
                values(std::get<HeatMark>(own()), *heat);
                decimals(std::get<HeatMark>(own()), *heat);
                if (std::get<HeatMark>(own()).asImage != heat->asImage)
                    set({"panel", number, "image"}, textOf(heat->asImage));
            }
        }
    }

    /// Hides what the panel has and the other one lacks, from the last to the first, so that numbers stay right.
    template <class Own, class List>
    void hideMissing(const std::string& panel, const char* kind, Own own, const List& to) {
        for (std::size_t i = own().size(); i-- > 0 && own().size() > to.size();) {
            if (std::ranges::find(to, own()[i]) == to.end())
                set({"panel", panel, kind, std::to_string(i + 1), "hidden"}, "true");
        }
    }

    void ofReferences(std::size_t index) {
        const std::string number = std::to_string(index + 1);
        const std::vector<FigureReference>& to = m_after.panels[index].references;
        const auto own = [&]() -> const std::vector<FigureReference>& { return m_at.panels[index].references; };
        hideMissing(number, "reference", own, to);
        for (std::size_t i = 0; i < std::min(own().size(), to.size()); ++i) {
            if (own()[i].text != to[i].text)
                set({"panel", number, "reference", std::to_string(i + 1), "text"}, to[i].text);
        }
    }

    void ofNotes(std::size_t index) {
        const std::string number = std::to_string(index + 1);
        const std::vector<FigureAnnotation>& to = m_after.panels[index].annotations;
        const auto own = [&]() -> const std::vector<FigureAnnotation>& { return m_at.panels[index].annotations; };
        hideMissing(number, "note", own, to);
        for (std::size_t i = 0; i < to.size() && i <= own().size(); ++i) {
            const auto setKey = [&](const char* key, std::string value) {
                set({"panel", number, "note", std::to_string(i + 1), key}, std::move(value));
            };
            const FigureAnnotation fresh;
            const bool added = i == own().size();
            const auto note = [&]() -> const FigureAnnotation& { return i < own().size() ? own()[i] : fresh; };
            if (note().text != to[i].text || added)
                setKey("text", to[i].text);
            if (note().x != to[i].x)
                setKey("x", engine::shortestText(to[i].x));
            if (note().y != to[i].y)
                setKey("y", engine::shortestText(to[i].y));
            if (note().kind != to[i].kind)
                setKey("kind", std::string(kAnnotationWords[static_cast<std::size_t>(to[i].kind)]));
            if (note().toX != to[i].toX || note().toY != to[i].toY)
                setKey("to", pairText(to[i].toX, to[i].toY));
        }
    }

    FigureSpec m_at;
    const FigureSpec& m_after;
    std::vector<std::string> m_edits;
};

}  // namespace

std::optional<std::vector<std::string>> editsBetween(const FigureSpec& before, const FigureSpec& after) {
    return Difference(before, after).find();
}

}  // namespace data
