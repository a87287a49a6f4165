#pragma once

#include "data/figure/figure_spec.h"

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace data {

// The words of a figure's document for the enumerators and kinds of the value, in the order of each enumeration.

inline constexpr std::array<std::string_view, 2> kScaleWords{"linear", "logarithmic"};
inline constexpr std::array<std::string_view, 3> kLegendWords{"top", "right", "none"};
/// What panels share, by the sum of kTitlesShared and kRangesShared.
inline constexpr std::array<std::string_view, 4> kSharedWords{"false", "titles", "ranges", "true"};
inline constexpr std::size_t kTitlesShared = 1, kRangesShared = 2;
inline constexpr std::array<std::string_view, 4> kAnnotationWords{"text", "line", "arrow", "span"};
inline constexpr std::array<std::string_view, 6> kSourceWords{"unknown", "gallery", "evaluation",
                                                              "sweep",   "view",    "combined"};
inline constexpr std::array<std::string_view, 3> kWeightWords{"regular", "semi-bold", "bold"};
/// In the order of FigureMark.
inline constexpr std::array<std::string_view, 7> kMarkWords{"bars",     "lines",    "areas",  "boxes",
                                                            "heat-map", "timeline", "drawing"};

template <class T, class Of>
concept FieldsOf = std::same_as<std::remove_const_t<T>, Of>;

/// A key of a figure's document and the member that it stores.
template <class T>
struct Field {
    const char* key;
    T& value;
    Field(const char* name, T& member) : key(name), value(member) {}
};

// The fields of a figure's document, each listed once, for writer and reader, in the order in which they are written.
// Spans and items of drawings are not here: there are thousands of them, so they are written as lists instead of
// objects, by writer and reader themselves.

auto fieldsOf(FieldsOf<FigureSeries> auto& series) {
    return std::tuple(Field("name", series.name), Field("meaning", series.meaning), Field("values", series.values),
                      Field("low", series.low), Field("high", series.high), Field("samples", series.samples));
}

auto fieldsOf(FieldsOf<FigureBar> auto& bar) {
    return std::tuple(Field("name", bar.name), Field("stack", bar.stack), Field("from", bar.from));
}

auto fieldsOf(FieldsOf<BarMark> auto& mark) {
    return std::tuple(Field("bars", mark.bars), Field("values_written", mark.valuesWritten),
                      Field("decimals", mark.decimals));
}

auto fieldsOf(FieldsOf<LineMark> auto& mark) {
    return std::tuple(Field("x", mark.x), Field("series", mark.series), Field("markers", mark.markers),
                      Field("joined", mark.joined), Field("sizes", mark.sizes), Field("size_title", mark.sizeTitle));
}

auto fieldsOf(FieldsOf<AreaMark> auto& mark) {
    return std::tuple(Field("x", mark.x), Field("series", mark.series), Field("stepped", mark.stepped));
}

auto fieldsOf(FieldsOf<FigureBox> auto& box) {
    return std::tuple(Field("least", box.least), Field("lower", box.lower), Field("median", box.median),
                      Field("upper", box.upper), Field("most", box.most), Field("samples", box.samples));
}

auto fieldsOf(FieldsOf<BoxMark::Group> auto& group) {
    return std::tuple(Field("name", group.name), Field("meaning", group.meaning), Field("boxes", group.boxes));
}

auto fieldsOf(FieldsOf<BoxMark> auto& mark) { return std::tuple(Field("groups", mark.groups)); }

auto fieldsOf(FieldsOf<HeatMark> auto& mark) {
    return std::tuple(Field("rows", mark.rows), Field("values", mark.values), Field("value_title", mark.valueTitle),
                      Field("value_unit", mark.valueUnit), Field("values_written", mark.valuesWritten),
                      Field("as_image", mark.asImage), Field("from", mark.from), Field("to", mark.to),
                      Field("middle", mark.middle), Field("decimals", mark.decimals));
}

auto fieldsOf(FieldsOf<TimelineMark::Lane> auto& lane) {
    return std::tuple(Field("label", lane.label), Field("group", lane.group));
}

auto fieldsOf(FieldsOf<TimelineMark> auto& mark) {
    return std::tuple(Field("lanes", mark.lanes), Field("spans", mark.spans));
}

auto fieldsOf(FieldsOf<DrawingPen> auto& pen) {
    return std::tuple(Field("colour", pen.colour), Field("width", pen.width), Field("dash", pen.dash));
}

auto fieldsOf(FieldsOf<DrawingMark> auto& mark) {
    return std::tuple(Field("width", mark.width), Field("height", mark.height), Field("items", mark.items));
}

auto fieldsOf(FieldsOf<FigureAxis> auto& axis) {
    return std::tuple(Field("title", axis.title), Field("unit", axis.unit), Field("relative_to", axis.relativeTo),
                      Field("scale", axis.scale), Field("from", axis.from), Field("to", axis.to),
                      Field("ticks", axis.ticks), Field("break_from", axis.breakFrom), Field("break_to", axis.breakTo));
}

auto fieldsOf(FieldsOf<FigureCategories::Group> auto& group) {
    return std::tuple(Field("label", group.label), Field("count", group.count));
}

auto fieldsOf(FieldsOf<FigureCategories> auto& categories) {
    return std::tuple(Field("labels", categories.labels), Field("groups", categories.groups));
}

auto fieldsOf(FieldsOf<FigureReference> auto& reference) {
    return std::tuple(Field("value", reference.value), Field("text", reference.text), Field("label", reference.label),
                      Field("category", reference.category), Field("bar", reference.bar));
}

auto fieldsOf(FieldsOf<FigureAnnotation> auto& annotation) {
    return std::tuple(Field("x", annotation.x), Field("y", annotation.y), Field("text", annotation.text),
                      Field("to_x", annotation.toX), Field("to_y", annotation.toY), Field("kind", annotation.kind));
}

auto fieldsOf(FieldsOf<FigurePanel> auto& panel) {
    return std::tuple(Field("title", panel.title), Field("categories", panel.categories), Field("x", panel.x),
                      Field("y", panel.y), Field("marks", panel.marks), Field("references", panel.references),
                      Field("annotations", panel.annotations), Field("weight", panel.weight));
}

auto fieldsOf(FieldsOf<FigureProvenance::Experiment> auto& experiment) {
    return std::tuple(Field("name", experiment.name), Field("hash", experiment.hash),
                      Field("document", experiment.document));
}

auto fieldsOf(FieldsOf<FigureProvenance::Published> auto& item) {
    return std::tuple(Field("id", item.id), Field("label", item.label), Field("value", item.value));
}

auto fieldsOf(FieldsOf<engine::Notice> auto& notice) {
    return std::tuple(Field("path", notice.path), Field("text", notice.text));
}

auto fieldsOf(FieldsOf<FigureProvenance> auto& provenance) {
    return std::tuple(Field("program", provenance.program), Field("engine", provenance.engine),
                      Field("made", provenance.made), Field("command", provenance.command),
                      Field("moment", provenance.moment), Field("experiments", provenance.experiments),
                      Field("published", provenance.published), Field("published_source", provenance.publishedSource),
                      Field("notices", provenance.notices));
}

auto fieldsOf(FieldsOf<FigureSource::File> auto& file) {
    return std::tuple(Field("name", file.name), Field("text", file.text));
}

auto fieldsOf(FieldsOf<FigureSource> auto& source) {
    return std::tuple(Field("kind", source.kind), Field("name", source.name), Field("file", source.file),
                      Field("document", source.document), Field("files", source.files),
                      Field("choices", source.choices), Field("settings", source.settings));
}

auto fieldsOf(FieldsOf<FigureSpec> auto& figure) {
    return std::tuple(Field("name", figure.name), Field("title", figure.title), Field("caption", figure.caption),
                      Field("alternative", figure.alternative), Field("size", figure.size),
                      Field("width", figure.width), Field("height", figure.height), Field("theme", figure.theme),
                      Field("font", figure.font), Field("legend", figure.legend), Field("columns", figure.columns),
                      Field("letters", figure.letters), Field("shared", figure.shared),
                      Field("one_range", figure.oneRange), Field("panels", figure.panels),
                      Field("provenance", figure.provenance), Field("from", figure.from), Field("edits", figure.edits));
}

}  // namespace data
