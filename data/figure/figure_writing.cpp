#include "data/figure/figure_document.h"

#include "data/figure/figure_fields.h"
#include "data/figure/figure_size.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace data {
namespace {

using Json = nlohmann::ordered_json;

/// Returns a colour as "#rrggbb", or as "#aarrggbb" if it is not opaque.
std::string colourWord(DrawingColour colour) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    const bool opaque = colour >> 24U == 0xff;
    std::string word = "#";
    for (int digit = opaque ? 5 : 7; digit >= 0; --digit)
        word += kDigits[(colour >> (4U * static_cast<unsigned>(digit))) & 0xfU];
    return word;
}

Json jsonOf(const std::string& text) { return text; }
Json jsonOf(bool value) { return value; }
Json jsonOf(int value) { return value; }
Json jsonOf(std::size_t value) { return value; }
Json jsonOf(double value) { return value; }
Json jsonOf(FigureSize size) { return presetOf(size).name; }
Json jsonOf(FigureTheme theme) { return nameOf(theme); }
Json jsonOf(FigureFont font) { return presetOf(font).name; }
Json jsonOf(FigureLegend legend) { return kLegendWords[static_cast<std::size_t>(legend)]; }
Json jsonOf(FigureScale scale) { return kScaleWords[static_cast<std::size_t>(scale)]; }
Json jsonOf(FigureAnnotation::Kind kind) { return kAnnotationWords[static_cast<std::size_t>(kind)]; }
Json jsonOf(FigureSource::Kind kind) { return kSourceWords[static_cast<std::size_t>(kind)]; }
Json jsonOf(DrawingColour colour) { return colourWord(colour); }
Json jsonOf(const TimelineMark::Span& span) {
    Json list = Json::array({span.lane, span.from, span.to, span.meaning});
    if (!span.text.empty())
        list.push_back(span.text);
    return list;
}
Json jsonOf(const DrawingMark::Item& item);
Json jsonOf(const FigureMark& mark);

template <class T>
Json jsonOf(const std::optional<T>& value);
template <class T>
Json jsonOf(const std::vector<T>& values);
template <class T>
Json jsonOf(const T& object);

template <class T>
Json jsonOf(const std::optional<T>& value) {
    return value ? jsonOf(*value) : Json(nullptr);
}

template <class T>
Json jsonOf(const std::vector<T>& values) {
    Json list = Json::array();
    for (const T& value : values)
        list.push_back(jsonOf(value));
    return list;
}

/// Writes the fields of an object, except fields that have their default.
template <class T>
Json jsonOf(const T& object) {
    const T untouched{};
    Json json = Json::object();
    const auto write = [&json](const auto& field, const auto& usual) {
        Json value = jsonOf(field.value);
        if (value != jsonOf(usual.value))
            json[field.key] = std::move(value);
    };
    const auto writeAll = [&](const auto&... usual) {
        std::apply([&](const auto&... field) { (write(field, usual), ...); }, fieldsOf(object));
    };
    std::apply(writeAll, fieldsOf(untouched));
    return json;
}

Json jsonOf(const FigureMark& mark) {
    Json json = Json::object();
    json["kind"] = kMarkWords[mark.index()];
    json.update(std::visit([](const auto& kind) { return jsonOf(kind); }, mark));
    return json;
}

Json itemJson(const DrawingShape& shape) {
    Json json = Json::object();
    Json points = Json::array();
    for (const auto& [x, y] : shape.points) {
        points.push_back(x);
        points.push_back(y);
    }
    json["points"] = std::move(points);
    if (shape.closed)
        json["closed"] = true;
    if (shape.fill)
        json["fill"] = colourWord(*shape.fill);
    if (shape.pen)
        json["pen"] = jsonOf(*shape.pen);
    return json;
}

Json itemJson(const DrawingText& text) {
    Json json = Json::object();
    json["text"] = text.text;
    json["at"] = Json::array({text.x, text.y});
    json["size"] = text.size;
    if (text.weight != DrawingText::Weight::regular)
        json["weight"] = kWeightWords[static_cast<std::size_t>(text.weight)];
    json["colour"] = colourWord(text.colour);
    if (text.angle != 0)
        json["angle"] = text.angle;
    return json;
}

Json jsonOf(const DrawingMark::Item& item) {
    return std::visit([](const auto& kind) { return itemJson(kind); }, item);
}

bool isShort(const Json& json) {
    return !json.is_structured() || (json.is_array() && std::none_of(json.begin(), json.end(), [](const Json& element) {
                                         return element.is_structured();
                                     }));
}

/// Writes a list of numbers or words on one line and every other element on a line of its own, so that a person can
/// read it although a figure has thousands of numbers.
void print(const Json& json, const std::string& indent, std::string& text) {
    if (isShort(json) || json.empty()) {
        text += json.dump(-1, ' ', false, Json::error_handler_t::replace);
        return;
    }
    const std::string inner = indent + "  ";
    const char* separator = "\n";
    text += json.is_object() ? '{' : '[';
    for (const auto& [key, value] : json.items()) {
        text += separator + inner;
        if (json.is_object())
            text += Json(key).dump() + ": ";
        print(value, inner, text);
        separator = ",\n";
    }
    text += "\n" + indent + (json.is_object() ? '}' : ']');
}

}  // namespace

std::string writeFigure(const FigureSpec& figure) {
    Json json = Json::object();
    json["format"] = kFigureFormat;
    json["version"] = kFigureVersion;
    json.update(jsonOf(figure));
    std::string text;
    print(json, "", text);
    return text + "\n";
}

}  // namespace data
