#pragma once

#include "data/figure/figure_spec.h"

#include <array>
#include <concepts>
#include <string_view>
#include <type_traits>

namespace data {

// Words of a figure's document for what is an enumeration or a kind in the value. In the order of the enumeration.

inline constexpr std::array<std::string_view, 2> kScaleWords{"linear", "logarithmic"};
inline constexpr std::array<std::string_view, 3> kLegendWords{"top", "right", "none"};
inline constexpr std::array<std::string_view, 3> kWeightWords{"regular", "semi-bold", "bold"};
/// In the order of FigureMark.
inline constexpr std::array<std::string_view, 7> kMarkWords{"bars",     "lines",    "areas",  "boxes",
                                                            "heat-map", "timeline", "drawing"};

template <class T, class Of>
concept FieldsOf = std::same_as<std::remove_const_t<T>, Of>;

// The keys of a figure's document, each once, for writer and reader alike, in the order in which they are written:
// `visitor.field(KEY, MEMBER)` for all members. Spans and the items of drawings, of which there are thousands, are lists
// instead of objects and stand with writer and reader.

template <class V, FieldsOf<FigureSeries> T>
void visitFields(V& visitor, T& series) {
    visitor.field("name", series.name);
    visitor.field("meaning", series.meaning);
    visitor.field("values", series.values);
    visitor.field("low", series.low);
    visitor.field("high", series.high);
    visitor.field("samples", series.samples);
}

template <class V, FieldsOf<FigureBar> T>
void visitFields(V& visitor, T& bar) {
    visitor.field("name", bar.name);
    visitor.field("stack", bar.stack);
}

template <class V, FieldsOf<BarMark> T>
void visitFields(V& visitor, T& mark) {
    visitor.field("bars", mark.bars);
    visitor.field("values_written", mark.valuesWritten);
}

template <class V, FieldsOf<LineMark> T>
void visitFields(V& visitor, T& mark) {
    visitor.field("x", mark.x);
    visitor.field("series", mark.series);
    visitor.field("markers", mark.markers);
    visitor.field("joined", mark.joined);
}

template <class V, FieldsOf<AreaMark> T>
void visitFields(V& visitor, T& mark) {
    visitor.field("x", mark.x);
    visitor.field("series", mark.series);
    visitor.field("stepped", mark.stepped);
}

template <class V, FieldsOf<FigureBox> T>
void visitFields(V& visitor, T& box) {
    visitor.field("least", box.least);
    visitor.field("lower", box.lower);
    visitor.field("median", box.median);
    visitor.field("upper", box.upper);
    visitor.field("most", box.most);
    visitor.field("samples", box.samples);
}

template <class V, FieldsOf<BoxMark::Group> T>
void visitFields(V& visitor, T& group) {
    visitor.field("name", group.name);
    visitor.field("meaning", group.meaning);
    visitor.field("boxes", group.boxes);
}

template <class V, FieldsOf<BoxMark> T>
void visitFields(V& visitor, T& mark) {
    visitor.field("groups", mark.groups);
}

template <class V, FieldsOf<HeatMark> T>
void visitFields(V& visitor, T& mark) {
    visitor.field("rows", mark.rows);
    visitor.field("values", mark.values);
    visitor.field("value_title", mark.valueTitle);
    visitor.field("value_unit", mark.valueUnit);
    visitor.field("values_written", mark.valuesWritten);
    visitor.field("as_image", mark.asImage);
}

template <class V, FieldsOf<TimelineMark::Lane> T>
void visitFields(V& visitor, T& lane) {
    visitor.field("label", lane.label);
    visitor.field("group", lane.group);
}

template <class V, FieldsOf<TimelineMark> T>
void visitFields(V& visitor, T& mark) {
    visitor.field("lanes", mark.lanes);
    visitor.field("spans", mark.spans);
}

template <class V, FieldsOf<DrawingPen> T>
void visitFields(V& visitor, T& pen) {
    visitor.field("colour", pen.colour);
    visitor.field("width", pen.width);
    visitor.field("dash", pen.dash);
}

template <class V, FieldsOf<DrawingMark> T>
void visitFields(V& visitor, T& mark) {
    visitor.field("width", mark.width);
    visitor.field("height", mark.height);
    visitor.field("items", mark.items);
}

template <class V, FieldsOf<FigureAxis> T>
void visitFields(V& visitor, T& axis) {
    visitor.field("title", axis.title);
    visitor.field("unit", axis.unit);
    visitor.field("relative_to", axis.relativeTo);
    visitor.field("scale", axis.scale);
    visitor.field("from", axis.from);
    visitor.field("to", axis.to);
    visitor.field("ticks", axis.ticks);
}

template <class V, FieldsOf<FigureCategories::Group> T>
void visitFields(V& visitor, T& group) {
    visitor.field("label", group.label);
    visitor.field("count", group.count);
}

template <class V, FieldsOf<FigureCategories> T>
void visitFields(V& visitor, T& categories) {
    visitor.field("labels", categories.labels);
    visitor.field("groups", categories.groups);
}

template <class V, FieldsOf<FigureReference> T>
void visitFields(V& visitor, T& reference) {
    visitor.field("value", reference.value);
    visitor.field("text", reference.text);
    visitor.field("label", reference.label);
    visitor.field("category", reference.category);
    visitor.field("bar", reference.bar);
}

template <class V, FieldsOf<FigureAnnotation> T>
void visitFields(V& visitor, T& annotation) {
    visitor.field("x", annotation.x);
    visitor.field("y", annotation.y);
    visitor.field("text", annotation.text);
}

template <class V, FieldsOf<FigurePanel> T>
void visitFields(V& visitor, T& panel) {
    visitor.field("title", panel.title);
    visitor.field("categories", panel.categories);
    visitor.field("x", panel.x);
    visitor.field("y", panel.y);
    visitor.field("marks", panel.marks);
    visitor.field("references", panel.references);
    visitor.field("annotations", panel.annotations);
    visitor.field("weight", panel.weight);
}

template <class V, FieldsOf<FigureProvenance::Experiment> T>
void visitFields(V& visitor, T& experiment) {
    visitor.field("name", experiment.name);
    visitor.field("hash", experiment.hash);
    visitor.field("document", experiment.document);
}

template <class V, FieldsOf<FigureProvenance::Published> T>
void visitFields(V& visitor, T& item) {
    visitor.field("id", item.id);
    visitor.field("label", item.label);
    visitor.field("value", item.value);
}

template <class V, FieldsOf<FigureProvenance> T>
void visitFields(V& visitor, T& provenance) {
    visitor.field("program", provenance.program);
    visitor.field("engine", provenance.engine);
    visitor.field("made", provenance.made);
    visitor.field("command", provenance.command);
    visitor.field("moment", provenance.moment);
    visitor.field("experiments", provenance.experiments);
    visitor.field("published", provenance.published);
    visitor.field("published_source", provenance.publishedSource);
}

template <class V, FieldsOf<FigureSpec> T>
void visitFields(V& visitor, T& figure) {
    visitor.field("name", figure.name);
    visitor.field("title", figure.title);
    visitor.field("caption", figure.caption);
    visitor.field("alternative", figure.alternative);
    visitor.field("size", figure.size);
    visitor.field("height", figure.height);
    visitor.field("theme", figure.theme);
    visitor.field("legend", figure.legend);
    visitor.field("columns", figure.columns);
    visitor.field("panels", figure.panels);
    visitor.field("provenance", figure.provenance);
}

}  // namespace data
