#include "data/figure/figure_document.h"

#include "data/document/document_keys.h"
#include "data/figure/figure_fields.h"
#include "data/figure/figure_size.h"

#include <algorithm>
#include <charconv>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace data {
namespace {

using engine::Problems;
using Kind = DocumentNode::Kind;

/// A value of the tree, with its path and the list for its problems.
struct Place {
    const DocumentNode& node;
    std::string path;
    Problems& problems;

    Place at(std::size_t index) const { return {node.children[index], indexed(path, index), problems}; }
    bool refuse(std::string text) const {
        if (problems.size() < kMostProblems)
            problems.push_back({path, node.shown(), std::move(text)});
        return false;
    }
};

template <class T>
void read(const Place& place, T& value);

bool expect(const Place& place, Kind kind, std::string_view what) {
    return place.node.kind == kind || place.refuse("wrong type, " + std::string(what) + " is expected");
}

template <class Number>
void readNumber(const Place& place, Number& value, std::string_view what) {
    if (!expect(place, Kind::number, what))
        return;
    const std::string& text = place.node.text;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size())
        place.refuse("not " + std::string(what) + " in the range that can be stored");
}

void read(const Place& place, double& value) { readNumber(place, value, "a number"); }
void read(const Place& place, int& value) { readNumber(place, value, "a whole number"); }
void read(const Place& place, std::size_t& value) { readNumber(place, value, "a whole number from 0 on"); }

void read(const Place& place, std::string& value) {
    if (expect(place, Kind::string, "a text"))
        value = place.node.text;
}

void read(const Place& place, bool& value) {
    const std::string& text = place.node.text;
    if (place.node.kind != Kind::other || (text != "true" && text != "false"))
        place.refuse("wrong type, true or false is expected");
    value = text == "true";
}

/// Returns the index of a word in a list, or an empty optional, with the nearest names as a problem.
std::optional<std::size_t> readWord(const Place& place, std::span<const std::string_view> words) {
    if (!expect(place, Kind::string, "a name"))
        return {};
    const auto found = std::find(words.begin(), words.end(), place.node.text);
    if (found != words.end())
        return static_cast<std::size_t>(found - words.begin());
    place.refuse("unknown; allowed: " + joinedNames({words.begin(), words.end()}, " and "));
    return {};
}

template <class Enumeration>
void readEnumeration(const Place& place, Enumeration& value, std::span<const std::string_view> words) {
    if (const auto index = readWord(place, words))
        value = static_cast<Enumeration>(*index);
}

void read(const Place& place, FigureScale& value) { readEnumeration(place, value, kScaleWords); }
void read(const Place& place, FigureLegend& value) { readEnumeration(place, value, kLegendWords); }
void read(const Place& place, FigureAnnotation::Kind& value) { readEnumeration(place, value, kAnnotationWords); }
void read(const Place& place, FigureSource::Kind& value) { readEnumeration(place, value, kSourceWords); }
void read(const Place& place, DrawingText::Weight& value) { readEnumeration(place, value, kWeightWords); }

template <class Enumeration>
void readNamed(const Place& place, Enumeration& value, const std::vector<std::string>& names) {
    readEnumeration(place, value, std::vector<std::string_view>(names.begin(), names.end()));
}

void read(const Place& place, FigureSize& value) { readNamed(place, value, figureSizeNames()); }
void read(const Place& place, FigureTheme& value) { readNamed(place, value, figureThemeNames()); }
void read(const Place& place, FigureFont& value) { readNamed(place, value, figureFontNames()); }

std::optional<DrawingColour> colourNamed(std::string_view word) {
    if ((word.size() != 7 && word.size() != 9) || word.front() != '#')
        return std::nullopt;
    DrawingColour colour = 0;
    const char* last = word.data() + word.size();
    const auto [end, error] = std::from_chars(word.data() + 1, last, colour, 16);
    if (error != std::errc{} || end != last)
        return std::nullopt;
    return word.size() == 7 ? colour | 0xff000000U : colour;
}

void read(const Place& place, DrawingColour& value) {
    if (!expect(place, Kind::string, "a colour \"#rrggbb\""))
        return;
    if (const auto colour = colourNamed(place.node.text))
        value = *colour;
    else
        place.refuse("not a colour; \"#rrggbb\" or \"#aarrggbb\" is expected");
}

template <class T>
void read(const Place& place, std::optional<T>& value) {
    if (place.node.kind == Kind::other && place.node.text == "null")
        value.reset();
    else
        read(place, value.emplace());
}

template <class T>
void read(const Place& place, std::vector<T>& values) {
    if (!expect(place, Kind::list, "a list [...]"))
        return;
    values.clear();
    values.reserve(place.node.children.size());
    for (std::size_t i = 0; i < place.node.children.size(); ++i)
        read(place.at(i), values.emplace_back());
}

/// Reads the fields of one object, then reports its unknown keys.
class Fields {
public:
    explicit Fields(const Place& place) : m_place(place) {}

    template <class T>
    void field(const char* key, T& value) {
        m_known.emplace_back(key);
        if (const DocumentNode* child = m_place.node.find(key))
            read(Place{*child, within(m_place.path, key), m_place.problems}, value);
    }

    /// Allows a key that is read elsewhere.
    void allow(const char* key) { m_known.emplace_back(key); }

    void refuseOthers() const { checkKeys(m_place.node, m_place.path, m_known, m_place.problems); }

private:
    const Place& m_place;
    std::vector<std::string> m_known;
};

template <class T>
void readObject(const Place& place, T& object, std::initializer_list<const char*> besides = {}) {
    if (!expect(place, Kind::object, "an object {...}"))
        return;
    Fields fields(place);
    for (const char* key : besides)
        fields.allow(key);
    std::apply([&](const auto&... field) { (fields.field(field.key, field.value), ...); }, fieldsOf(object));
    fields.refuseOthers();
}

template <class T>
void read(const Place& place, T& object) {
    readObject(place, object);
}

// Reads a span: [lane, from, to, meaning] or [lane, from, to, meaning, text].
void read(const Place& place, TimelineMark::Span& span) {
    const std::size_t count = place.node.children.size();
    if (place.node.kind != Kind::list || (count != 4 && count != 5)) {
        place.refuse("a span is a list: [lane, from, to, \"meaning\"] or [lane, from, to, \"meaning\", \"text\"]");
        return;
    }
    read(place.at(0), span.lane);
    read(place.at(1), span.from);
    read(place.at(2), span.to);
    read(place.at(3), span.meaning);
    if (count == 5)
        read(place.at(4), span.text);
}

/// The points of a shape as one list: x, y, x, y, ...
struct PointList {
    std::vector<DrawingPoint>& points;
};

void read(const Place& place, PointList& list) {
    std::vector<double> numbers;
    read(place, numbers);
    if (numbers.size() % 2 != 0)
        place.refuse("points are pairs of x and y");
    for (std::size_t i = 0; i + 1 < numbers.size(); i += 2)
        list.points.emplace_back(numbers[i], numbers[i + 1]);
}

void readShape(const Place& place, DrawingShape& shape) {
    Fields fields(place);
    PointList points{shape.points};
    fields.field("points", points);
    fields.field("closed", shape.closed);
    fields.field("fill", shape.fill);
    fields.field("pen", shape.pen);
    fields.refuseOthers();
}

void readText(const Place& place, DrawingText& text) {
    Fields fields(place);
    std::vector<double> at;
    fields.field("text", text.text);
    fields.field("at", at);
    fields.field("size", text.size);
    fields.field("weight", text.weight);
    fields.field("colour", text.colour);
    fields.field("angle", text.angle);
    fields.refuseOthers();
    if (at.size() != 2) {
        place.refuse("a text needs \"at\": [x, y]");
        return;
    }
    text.x = at[0];
    text.y = at[1];
}

void read(const Place& place, DrawingMark::Item& item) {
    if (!expect(place, Kind::object, "a shape {\"points\": ...} or a text {\"text\": ...}"))
        return;
    if (place.node.find("text") != nullptr)
        readText(place, item.emplace<DrawingText>());
    else
        readShape(place, item.emplace<DrawingShape>());
}

template <std::size_t... kIndex>
void readKind(const Place& place, FigureMark& mark, std::size_t kind, std::index_sequence<kIndex...>) {
    (void)((kind == kIndex && (readObject(place, mark.emplace<kIndex>(), {"kind"}), true)) || ...);
}

void read(const Place& place, FigureMark& mark) {
    if (!expect(place, Kind::object, "a mark {\"kind\": ...}"))
        return;
    const DocumentNode* kind = place.node.find("kind");
    if (kind == nullptr) {
        place.refuse("a mark needs a \"kind\"; allowed: " +
                     joinedNames({kMarkWords.begin(), kMarkWords.end()}, " and "));
        return;
    }
    if (const auto index = readWord({*kind, place.path + ".kind", place.problems}, kMarkWords))
        readKind(place, mark, *index, std::make_index_sequence<kMarkWords.size()>());
}

/// Checks format and version. Both are required, because files of any kind may be dropped on the window.
void readHead(const DocumentNode& root, std::string_view origin, Problems& problems) {
    const DocumentNode* format = root.find("format");
    if (format == nullptr || format->kind != Kind::string || format->text != kFigureFormat)
        problems.push_back({std::string(origin), format == nullptr ? "" : format->shown(),
                            "not a figure: \"format\" must be \"" + std::string(kFigureFormat) + "\""});
    if (root.find("version") == nullptr)
        problems.push_back({"version", "", "missing; allowed: " + std::to_string(kFigureVersion)});
    checkVersion(root, kFigureVersion, problems);
}

/// Writes the edit "shared=true" of a figure from before `one_range`, when it meant titles alone, in the words of today.
void translateEdits(FigureSpec& figure) {
    const auto last = std::ranges::find_if(figure.edits.rbegin(), figure.edits.rend(),
                                           [](const std::string& edit) { return edit.starts_with("shared="); });
    if (!figure.oneRange && last != figure.edits.rend() && *last == "shared=true")
        *last = "shared=titles";
}

}  // namespace

FigureReading readFigure(std::string_view json, std::string_view origin) {
    DocumentTree tree = readTree(json, origin);
    FigureReading reading;
    reading.problems = std::move(tree.problems);
    if (!tree.root || !reading.problems.empty())
        return reading;
    readHead(*tree.root, origin, reading.problems);
    if (!reading.problems.empty())
        return reading;
    FigureSpec figure;
    const Place whole{*tree.root, "", reading.problems};
    readObject(whole, figure, {"format", "version"});
    translateEdits(figure);
    if (reading.problems.empty())
        reading.problems = problemsOf(figure);
    if (reading.problems.empty())
        reading.figure = std::move(figure);
    return reading;
}

}  // namespace data
