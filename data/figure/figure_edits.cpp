#include "data/figure/figure_edits.h"

#include "data/document/document_body.h"
#include "data/document/names.h"
#include "data/figure/axis_units.h"
#include "data/figure/figure_choice.h"
#include "data/figure/figure_document.h"
#include "data/figure/figure_fields.h"
#include "data/figure/figure_meaning.h"
#include "data/figure/figure_parts.h"
#include "data/figure/figure_size.h"
#include "data/figure/spelling.h"
#include "engine/api/letters.h"
#include "engine/api/quantity.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>
#include <stdexcept>

namespace data {
namespace {

using Words = std::span<const std::string>;

constexpr std::string_view kAutomatic = "automatic";

/// Names of the colours of Okabe and Ito, in the order of the meanings series/0 to series/7.
constexpr std::array<std::string_view, 8> kColourWords{"blue", "orange",     "green", "pink",
                                                       "sky",  "vermillion", "black", "yellow"};

/// Why an edit cannot be applied.
struct Refusal : std::runtime_error {
    using std::runtime_error::runtime_error;
};

[[noreturn]] void refuse(const std::string& text) { throw Refusal(text); }

/// Writes a list for a message: "a, b and c", the first ones of a long one.
std::string listed(const std::vector<std::string>& names) {
    constexpr std::size_t kMost = 12;
    const std::size_t shown = std::min(names.size(), kMost);
    const std::string list = joinedNames({names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown)},
                                         shown < names.size() ? ", " : " and ");
    return shown < names.size() ? list + " and " + std::to_string(names.size() - shown) + " more" : list;
}

template <class Names>
std::vector<std::string> strings(const Names& names) {
    return {names.begin(), names.end()};
}

template <class Names>
std::size_t wordAmong(const std::string& value, const Names& words) {
    const auto found = std::ranges::find(words, value);
    if (found == std::ranges::end(words))
        refuse("unknown; allowed: " + listed(strings(words)));
    return static_cast<std::size_t>(found - std::ranges::begin(words));
}

double numberIn(const std::string& text) {
    double number = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc{} || stop != end || !std::isfinite(number))
        refuse("not a number");
    return number;
}

std::optional<double> numberOrNone(const std::string& text) {
    return text == kAutomatic || text.empty() ? std::nullopt : std::optional(numberIn(text));
}

int wholeIn(const std::string& text) {
    const double number = numberIn(text);
    if (number != std::floor(number) || std::abs(number) > 1e9)
        refuse("not a whole number");
    return static_cast<int>(number);
}

std::optional<int> wholeOrNone(const std::string& text) {
    return text == kAutomatic || text.empty() ? std::nullopt : std::optional(wholeIn(text));
}

bool truthIn(const std::string& text) {
    if (text != "true" && text != "false")
        refuse("true or false is expected");
    return text == "true";
}

/// Reads the value of an edit that takes something out. What is taken out comes back if its edit is left out.
void expectHidden(const std::string& value) {
    if (value != "true")
        refuse("allowed: true; to show it again, leave out the edit that hides it");
}

std::vector<double> numbersIn(const std::string& text) {
    std::vector<double> numbers;
    if (text.empty() || text == kAutomatic)
        return numbers;
    std::vector<std::string> words = wordsOfList(text);
    if (words.size() > 1 && words.back().empty())
        words.pop_back();  // after a comma at the end
    for (const std::string& word : words)
        numbers.push_back(numberIn(word));
    return numbers;
}

/// Returns a name in small letters and digits with single hyphens: "t3-mca" for "T3-MCA".
std::string slugOf(std::string_view name) {
    std::string slug;
    for (const char letter : name) {
        const char c = engine::lowerLetter(letter);
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
            slug += c;
        else if (!slug.empty() && slug.back() != '-')
            slug += '-';
    }
    if (!slug.empty() && slug.back() == '-')
        slug.pop_back();
    return slug;
}

/// Returns the name in the figure that an edit means.
std::string nameMeant(const FigureSpec& figure, FigurePartKind kind, std::optional<std::size_t> panel,
                      const std::string& word) {
    const std::vector<FigurePart> parts = partsOf(figure, kind, panel);
    const std::vector<std::string> names = namesOf(parts, &FigurePart::name);
    if (isAmong(names, word))
        return word;
    std::vector<std::string> meant;
    for (const FigurePart& part : parts) {
        if (slugOf(part.name) == slugOf(word) && !slugOf(word).empty())
            meant.push_back(part.name);
    }
    for (const FigurePart& part : parts) {
        const std::string meaning(plainMeaning(part.meaning));
        if (meant.empty() && !word.empty() && (meaning == word || meaning.ends_with("/" + word)))
            meant.push_back(part.name);
    }
    const std::string what(kPartWords[static_cast<std::size_t>(kind)]);
    if (meant.size() > 1)
        refuse("several parts may be meant: " + listed(meant) + "; write the name as in the figure");
    if (meant.empty())
        refuse(names.empty() ? "the figure has no " + what
                             : "no " + what + " has this name; there are " + listed(names));
    return meant.front();
}

/// Applies one edit to a figure, which may be left half changed if it throws a Refusal.
class Editor {
public:
    Editor(FigureSpec& figure, const FigureEdit& edit) : m_figure(figure), m_value(edit.value) {}

    void apply(Words path) {
        if (path.empty())
            refuse("the path is missing");
        if (path.size() == 1)
            return ofFigure(path.front());
        if (path.front() == "panel")
            return ofPanel(path.subspan(1));
        ofPart(path, std::nullopt);
    }

private:
    void ofFigure(const std::string& key) {
        const std::vector<std::pair<std::string_view, std::string*>> texts{{"name", &m_figure.name},
                                                                           {"title", &m_figure.title},
                                                                           {"caption", &m_figure.caption},
                                                                           {"alternative", &m_figure.alternative}};
        for (const auto& [name, text] : texts) {
            if (name == key) {
                *text = m_value;
                return;
            }
        }
        if (key == "size")
            m_figure.size = static_cast<FigureSize>(wordAmong(m_value, figureSizeNames()));
        else if (key == "theme")
            m_figure.theme = static_cast<FigureTheme>(wordAmong(m_value, figureThemeNames()));
        else if (key == "font")
            m_figure.font = static_cast<FigureFont>(wordAmong(m_value, figureFontNames()));
        else if (key == "legend")
            m_figure.legend = static_cast<FigureLegend>(wordAmong(m_value, kLegendWords));
        else if (key == "width" || key == "height")
            (key == "width" ? m_figure.width : m_figure.height) = numberOrNone(m_value);
        else if (key == "columns")
            m_figure.columns = wholeIn(m_value);
        else if (key == "letters")
            m_figure.letters = truthIn(m_value);
        else if (key == "shared")
            share();
        else if (key == "errors")
            hideErrorBars(m_figure.panels);
        else if (key == "values" || key == "decimals")
            inAllPanels(key);
        else if (key == "published")
            hidePublished();
        else if (key == "spelling")
            spell();
        else
            refuse(
                "no such property; allowed: size, width, height, theme, font, legend, columns, letters, shared, "
                "errors, name, title, caption, alternative, values, decimals, published, spelling, panel.N..., series.NAME..., category.NAME..., "
                "bar.NAME..., group.NAME..., row.NAME... and lane.NAME...");
    }

    void share() {
        const std::size_t word = wordAmong(m_value, kSharedWords);
        m_figure.shared = (word & kTitlesShared) != 0;
        m_figure.oneRange = (word & kRangesShared) != 0;
    }

    void inAllPanels(const std::string& key) {
        bool found = false;
        for (FigurePanel& panel : m_figure.panels)
            found = writeValues(panel, key) || found;
        if (!found)
            refuse("the figure has neither bars nor a heat map, whose values can be written");
    }

    bool writeValues(FigurePanel& panel, const std::string& key) const {
        bool found = false;
        const auto write = [&](auto& mark) {
            if (key == "values")
                mark.valuesWritten = truthIn(m_value);
            else
                mark.decimals = wholeOrNone(m_value);
            found = true;
        };
        for (FigureMark& mark : panel.marks) {
            if (auto* bars = std::get_if<BarMark>(&mark))
                write(*bars);
            if (auto* heat = std::get_if<HeatMark>(&mark))
                write(*heat);
        }
        return found;
    }

    /// Takes the error bars away, and refuses if there are none.
    void hideErrorBars(std::span<FigurePanel> panels) const {
        if (m_value != "hidden")
            refuse("allowed: hidden");
        bool found = false;
        for (FigurePanel& panel : panels) {
            found = hasErrorBars(panel) || found;
            removeErrorBars(panel);
        }
        if (!found)
            refuse("there are no error bars");
    }

    void hidePublished() const {
        if (m_value != "hidden")
            refuse("allowed: hidden");
        for (FigurePanel& panel : m_figure.panels)
            std::erase_if(panel.references, [](const FigureReference& reference) { return !reference.label.empty(); });
    }

    void spell() const {
        if (m_value != "us")
            refuse("allowed: us; figures are made with British spelling");
        toAmericanSpelling(m_figure);
    }

    /// Returns the index behind a number counted from 1.
    static std::size_t indexIn(const std::string& word, std::size_t count, const std::string& what) {
        std::size_t number = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
        if (error != std::errc{} || end != word.data() + word.size() || number < 1 || number > count)
            refuse(count == 0 ? "there is no " + what : what + " 1 to " + std::to_string(count) + " are there");
        return number - 1;
    }

    void ofPanel(Words path) {
        const std::size_t index = indexIn(path.front(), m_figure.panels.size(), "panel");
        FigurePanel& panel = m_figure.panels[index];
        const Words rest = path.subspan(1);
        if (rest.empty())
            refuse("the property of the panel is missing");
        const std::string& key = rest.front();
        if (rest.size() == 2 && (key == "x" || key == "y"))
            return ofAxis(panel, key == "x", rest[1]);
        if (rest.size() == 3 && key == "note")
            return ofNote(panel, rest[1], rest[2]);
        if (rest.size() == 3 && key == "reference")
            return ofReference(panel, rest[1], rest[2]);
        if (rest.size() > 1)
            return ofPart(rest, index);
        if (key == "title")
            panel.title = m_value;
        else if (key == "weight")
            panel.weight = numberIn(m_value);
        else if (key == "hidden")
            hidePanel(index);
        else if (key == "place")
            movePanel(index);
        else if (key == "image")
            asImage(panel);
        else if (key == "errors")
            hideErrorBars({&panel, 1});
        else if (key != "values" && key != "decimals")
            refuse("a panel has no such property; allowed: title, weight, place, hidden, values, decimals, errors, "
                   "image, x..., y..., note.K..., reference.K... and parts such as series.NAME...");
        else if (!writeValues(panel, key))
            refuse("the panel has neither bars nor a heat map, whose values can be written");
    }

    void hidePanel(std::size_t index) const {
        expectHidden(m_value);
        if (m_figure.panels.size() == 1)
            refuse("it is the only panel");
        m_figure.panels.erase(m_figure.panels.begin() + static_cast<std::ptrdiff_t>(index));
    }

    void movePanel(std::size_t index) const {
        const std::size_t place = indexIn(m_value, m_figure.panels.size(), "places");
        FigurePanel panel = std::move(m_figure.panels[index]);
        m_figure.panels.erase(m_figure.panels.begin() + static_cast<std::ptrdiff_t>(index));
        m_figure.panels.insert(m_figure.panels.begin() + static_cast<std::ptrdiff_t>(place), std::move(panel));
    }

    void asImage(FigurePanel& panel) const {
        bool found = false;
        for (FigureMark& mark : panel.marks) {
            if (auto* heat = std::get_if<HeatMark>(&mark)) {
                heat->asImage = truthIn(m_value);
                found = true;
            }
        }
        if (!found)
            refuse("the panel has no heat map");
    }

    void ofAxis(FigurePanel& panel, bool alongX, const std::string& key) const {
        FigureAxis& axis = alongX ? panel.x : panel.y;
        if (key == "title")
            axis.title = m_value;
        else if (key == "relative_to")
            axis.relativeTo = m_value;
        else if (key == "unit")
            setUnit(panel, alongX);
        else if (key == "scale")
            axis.scale = static_cast<FigureScale>(wordAmong(m_value, kScaleWords));
        else if (key == "from" || key == "to")
            (key == "from" ? axis.from : axis.to) = numberOrNone(m_value);
        else if (key == "ticks")
            axis.ticks = numbersIn(m_value);
        else if (key == "break")
            setBreak(axis);
        else
            refuse("an axis has no such property; allowed: title, unit, relative_to, scale, from, to, ticks, break");
    }

    void setUnit(FigurePanel& panel, bool alongX) const {
        const std::string before = (alongX ? panel.x : panel.y).unit;
        if (changeUnit(panel, alongX, m_value) == UnitChange::refused) {
            const std::vector<std::string> like = unitsLike(before);
            refuse("not a unit of the same quantity as " + (before.empty() ? std::string("a number") : before) +
                   (like.empty() ? "" : "; allowed: " + listed(like)));
        }
    }

    void setBreak(FigureAxis& axis) const {
        const std::vector<double> ends = numbersIn(m_value);
        if (!ends.empty() && ends.size() != 2)
            refuse("two values are expected, FROM,TO, or automatic for no break");
        axis.breakFrom = ends.empty() ? std::nullopt : std::optional(ends[0]);
        axis.breakTo = ends.empty() ? std::nullopt : std::optional(ends[1]);
    }

    void ofNote(FigurePanel& panel, const std::string& number, const std::string& key) const {
        std::vector<FigureAnnotation>& notes = panel.annotations;
        if (number == std::to_string(notes.size() + 1) && key != "hidden")
            notes.emplace_back();
        const std::size_t index = indexIn(number, notes.size(), "annotation");
        FigureAnnotation& note = notes[index];
        if (key == "text")
            note.text = m_value;
        else if (key == "kind")
            note.kind = static_cast<FigureAnnotation::Kind>(wordAmong(m_value, kAnnotationWords));
        else if (key == "x" || key == "y")
            (key == "x" ? note.x : note.y) = numberIn(m_value);
        else if (key == "to")
            setEnd(note);
        else if (key == "hidden") {
            expectHidden(m_value);
            notes.erase(notes.begin() + static_cast<std::ptrdiff_t>(index));
        } else
            refuse("an annotation has no such property; allowed: text, kind, x, y, to, hidden");
        // The end of a line comes after its kind, so that each edit leaves a figure that can be drawn.
        if (note.kind != FigureAnnotation::Kind::text && key == "kind" && !note.toX) {
            note.toX = note.x;
            note.toY = note.y;
        }
    }

    void setEnd(FigureAnnotation& note) const {
        const std::vector<double> end = numbersIn(m_value);
        if (end.size() != 2 && !(end.empty() && note.kind == FigureAnnotation::Kind::text))
            refuse("two values are expected, X,Y");
        note.toX = end.empty() ? std::nullopt : std::optional(end[0]);
        note.toY = end.empty() ? std::nullopt : std::optional(end[1]);
    }

    void ofReference(FigurePanel& panel, const std::string& number, const std::string& key) const {
        const std::size_t index = indexIn(number, panel.references.size(), "reference value");
        if (key == "text")
            panel.references[index].text = m_value;
        else if (key == "hidden") {
            expectHidden(m_value);
            panel.references.erase(panel.references.begin() + static_cast<std::ptrdiff_t>(index));
        } else
            refuse("a reference value has no such property; allowed: text, hidden");
    }

    void ofPart(Words path, std::optional<std::size_t> panel) {
        const auto word = std::ranges::find(kPartWords, path.front());
        if (word == kPartWords.end())
            refuse("no such kind of part; allowed: " + listed(strings(kPartWords)));
        const auto kind = static_cast<FigurePartKind>(word - kPartWords.begin());
        if (path.size() != 3)
            refuse("a name and a property are expected: " + path.front() +
                   ".NAME.name; a name with a dot is in quotes");
        const std::string name = nameMeant(m_figure, kind, panel, path[1]);
        const std::string& key = path[2];
        if (key == "place" || key == "hidden")
            return arrange(kind, name, key, panel);
        if (key == "name")
            return inPanels(panel, [&](FigurePanel& one) { return renamePart(one, kind, name, m_value); });
        const bool look = std::ranges::find(ownLooks(), key, &OwnLook::key) != ownLooks().end();
        if (kind != FigurePartKind::series || (key != "colour" && !look))
            refuse("a " + path.front() + " has no such property; allowed: name, place, hidden" +
                   (kind == FigurePartKind::series ? ", colour, marker, line, hatch" : ""));
        inPanels(panel, [&](FigurePanel& one) {
            return changeMeaning(one, name, [&](std::string& meaning) { dress(meaning, key); });
        });
    }

    void dress(std::string& meaning, const std::string& key) const {
        if (key != "colour") {
            const auto look = std::ranges::find(ownLooks(), key, &OwnLook::key);
            if (m_value != kAutomatic)
                wordAmong(m_value, look->words);
            meaning = withLook(meaning, key, m_value == kAutomatic ? std::string() : m_value);
            return;
        }
        const auto colour = std::ranges::find(kColourWords, m_value);
        const std::string base =
            colour == kColourWords.end() ? m_value : "series/" + std::to_string(colour - kColourWords.begin());
        if (!isMeaning(base) || base.find(';') != std::string::npos)
            refuse("not a colour; allowed: " + listed(strings(kColourWords)) +
                   ", and every meaning, such as gemm, policy/t3 or series/3");
        meaning = base + std::string(meaning.substr(plainMeaning(meaning).size()));
    }

    template <class Change>
    void inPanels(std::optional<std::size_t> panel, Change change) {
        for (std::size_t i = 0; i < m_figure.panels.size(); ++i) {
            if (!panel || *panel == i)
                change(m_figure.panels[i]);
        }
    }

    void arrange(FigurePartKind kind, const std::string& name, const std::string& key,
                 std::optional<std::size_t> panel) {
        std::size_t place = 0;
        if (key == "hidden")
            expectHidden(m_value);
        else
            place = indexIn(m_value, 1000, "places");
        PartChange outcome = PartChange::absent;
        inPanels(panel, [&](FigurePanel& one) {
            const PartChange own = key == "hidden" ? removePart(one, kind, name) : movePart(one, kind, name, place);
            const bool refused = outcome != PartChange::absent && outcome != PartChange::done;
            if (own != PartChange::absent && !refused)
                outcome = own;
        });
        switch (outcome) {
        case PartChange::last: refuse("nothing else would be left; hide the panel, or choose another part");
        case PartChange::outside: refuse("the list of this part, or its group, has no such place");
        case PartChange::fixed: refuse("parts of this kind cannot be moved; move the series or the categories");
        case PartChange::absent: refuse("not found");
        case PartChange::done: break;
        }
    }

    FigureSpec& m_figure;
    const std::string& m_value;
};

bool needsQuotes(const std::string& name) { return name.empty() || name.find_first_of(".=\"\\") != std::string::npos; }

std::string shortened(const std::string& text) {
    constexpr std::size_t kLongest = 80;
    return text.size() > kLongest ? text.substr(0, kLongest) + "..." : text;
}

/// Applies one edit to a figure, which may be left half changed if that is refused.
std::optional<engine::Problem> tryEdit(FigureSpec& figure, const std::string& edit) {
    const std::optional<FigureEdit> read = readEdit(edit);
    if (!read)
        return engine::Problem{shortened(edit), "", "an edit is PATH=VALUE, such as panel.1.y.to=1.6"};
    try {
        Editor(figure, *read).apply(read->path);
    } catch (const Refusal& refusal) {
        return engine::Problem{shortened(edit.substr(0, edit.size() - read->value.size() - 1)), shortened(read->value),
                               refusal.what()};
    }
    return {};
}

}  // namespace

std::optional<FigureEdit> readEdit(std::string_view text) {
    FigureEdit edit;
    std::string word;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '"') {
            for (++i; i < text.size() && text[i] != '"'; ++i) {
                i += text[i] == '\\' && i + 1 < text.size() ? 1 : 0;
                word += text[i];
            }
            if (i >= text.size())
                return {};
        } else if (text[i] == '.' || text[i] == '=') {
            edit.path.push_back(std::move(word));
            word.clear();
            if (text[i] == '.')
                continue;
            edit.value = text.substr(i + 1);
            return edit;
        } else {
            word += text[i];
        }
    }
    return {};
}

std::string editText(const FigureEdit& edit) {
    std::string text;
    for (const std::string& word : edit.path) {
        text += text.empty() ? "" : ".";
        if (!needsQuotes(word)) {
            text += word;
            continue;
        }
        text += '"';
        for (const char c : word)
            text += c == '"' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
        text += '"';
    }
    return text + "=" + edit.value;
}

std::optional<engine::Problem> applyEdit(FigureSpec& figure, const std::string& edit) {
    FigureSpec changed = figure;
    std::optional<engine::Problem> problem = tryEdit(changed, edit);
    if (!problem)
        figure = std::move(changed);
    return problem;
}

engine::Problems applyEdits(FigureSpec& figure, const std::vector<std::string>& edits) {
    engine::Problems problems;
    for (const std::string& edit : edits) {
        FigureSpec changed = figure;
        std::optional<engine::Problem> problem = tryEdit(changed, edit);
        if (!problem) {
            if (engine::Problems broken = problemsOf(changed); !broken.empty())
                problem = {shortened(edit), broken.front().value, broken.front().path + ": " + broken.front().text};
        }
        if (problem) {
            problems.push_back(std::move(*problem));
            continue;
        }
        figure = std::move(changed);
        addEdit(figure.edits, edit);
    }
    return problems;
}

void addEdit(std::vector<std::string>& edits, const std::string& edit) {
    const std::optional<FigureEdit> next = readEdit(edit);
    const std::optional<FigureEdit> last = edits.empty() ? std::nullopt : readEdit(edits.back());
    if (!next || !last) {
        edits.push_back(edit);
        return;
    }
    // A name that changes letter by letter is one change from the first name to the last one.
    const bool renames = next->path.size() >= 3 && next->path.back() == "name" && last->path.back() == "name" &&
                         last->path.size() == next->path.size() && next->path[next->path.size() - 2] == last->value &&
                         std::equal(next->path.begin(), next->path.end() - 2, last->path.begin());
    const bool same = next->path == last->path && next->path.back() != "hidden" && next->path.back() != "place";
    if (renames)
        edits.back() = editText({last->path, next->value});
    else if (same)
        edits.back() = edit;
    else
        edits.push_back(edit);
}

std::vector<std::string> editsWithout(const std::string& edit, const std::vector<std::string>& edits) {
    const auto numberOf = [](const FigureEdit& one) {
        int number = 0;
        std::from_chars(one.path[1].data(), one.path[1].data() + one.path[1].size(), number);
        return number;
    };
    const std::optional<FigureEdit> gone = readEdit(edit);
    const auto at = std::ranges::find(edits, edit);
    std::vector<std::string> left(edits.begin(), at);
    const bool hidesPanel =
        gone && gone->path.size() == 3 && gone->path.front() == "panel" && gone->path.back() == "hidden";
    for (auto later = at == edits.end() ? at : at + 1; later != edits.end(); ++later) {
        std::optional<FigureEdit> read = readEdit(*later);
        if (hidesPanel && read && read->path.size() > 2 && read->path.front() == "panel") {
            const int number = numberOf(*read);
            read->path[1] = std::to_string(number >= numberOf(*gone) ? number + 1 : number);
            left.push_back(editText(*read));
        } else {
            left.push_back(*later);
        }
    }
    return left;
}

}  // namespace data
