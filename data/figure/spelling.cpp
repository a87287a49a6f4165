#include "data/figure/spelling.h"

#include "engine/api/letters.h"

#include <array>
#include <string_view>
#include <utility>
#include <variant>

namespace data {
namespace {

/// Beginnings of words, British and American, in small letters. After "is" a vowel follows: "optimise", not "optimist".
constexpr std::array<std::pair<std::string_view, std::string_view>, 26> kStems{
    {{"normalis", "normaliz"},  {"optimis", "optimiz"},       {"serialis", "serializ"},  {"synchronis", "synchroniz"},
     {"summaris", "summariz"},  {"organis", "organiz"},       {"utilis", "utiliz"},      {"minimis", "minimiz"},
     {"maximis", "maximiz"},    {"parallelis", "paralleliz"}, {"colour", "color"},       {"behaviour", "behavior"},
     {"neighbour", "neighbor"}, {"favour", "favor"},          {"centred", "centered"},   {"centre", "center"},
     {"metre", "meter"},        {"millimetre", "millimeter"}, {"grey", "gray"},          {"labelled", "labeled"},
     {"modelled", "modeled"},   {"modelling", "modeling"},    {"travelled", "traveled"}, {"travelling", "traveling"},
     {"cancelled", "canceled"}, {"artefact", "artifact"}}};

bool isLetter(char c) { return engine::lowerLetter(c) >= 'a' && engine::lowerLetter(c) <= 'z'; }

/// Returns whether the text has this stem at a place, in small letters or with a capital.
bool hasStem(const std::string& text, std::size_t at, std::string_view stem) {
    if (at + stem.size() > text.size())
        return false;
    for (std::size_t i = 0; i < stem.size(); ++i) {
        if ((i == 0 ? engine::lowerLetter(text[at]) : text[at + i]) != stem[i])
            return false;
    }
    const char next = at + stem.size() < text.size() ? engine::lowerLetter(text[at + stem.size()]) : ' ';
    return !stem.ends_with("is") || next == 'a' || next == 'e' || next == 'i';
}

void spell(std::string& text) { text = americanSpelling(std::move(text)); }

void spell(FigureAxis& axis) {
    // The layout writes "normalised to" before the base of a ratio, so the base becomes the unit.
    if (!axis.relativeTo.empty()) {
        (axis.title.empty() ? axis.title : axis.unit) =
            (axis.title.empty() ? "Normalized to " : "normalized to ") + axis.relativeTo;
        axis.relativeTo.clear();
    }
    spell(axis.title);
}

template <class List>
void spellNames(List& list) {
    for (auto& one : list)
        spell(one.name);
}

struct SpellMark {
    void operator()(BarMark& mark) const {
        spellNames(mark.bars);
        for (FigureBar& bar : mark.bars)
            spellNames(bar.stack);
    }
    void operator()(LineMark& mark) const {
        spellNames(mark.series);
        spell(mark.sizeTitle);
    }
    void operator()(AreaMark& mark) const { spellNames(mark.series); }
    void operator()(BoxMark& mark) const { spellNames(mark.groups); }
    void operator()(HeatMark& mark) const {
        spell(mark.valueTitle);
        for (std::string& row : mark.rows)
            spell(row);
    }
    void operator()(TimelineMark& mark) const {
        for (TimelineMark::Lane& lane : mark.lanes) {
            spell(lane.label);
            spell(lane.group);
        }
        for (TimelineMark::Span& span : mark.spans)
            spell(span.text);
    }
    void operator()(DrawingMark& mark) const {
        for (DrawingMark::Item& item : mark.items) {
            if (auto* text = std::get_if<DrawingText>(&item))
                spell(text->text);
        }
    }
};

}  // namespace

std::string americanSpelling(std::string text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (at > 0 && isLetter(text[at - 1]))
            continue;
        for (const auto& [british, american] : kStems) {
            if (!hasStem(text, at, british))
                continue;
            const char first = text[at];
            text.replace(at, british.size(), american);
            text[at] = first;
            break;
        }
    }
    return text;
}

void toAmericanSpelling(FigureSpec& figure) {
    for (std::string* text : {&figure.title, &figure.caption, &figure.alternative})
        spell(*text);
    for (FigurePanel& panel : figure.panels) {
        spell(panel.title);
        spell(panel.x);
        spell(panel.y);
        for (std::string& label : panel.categories.labels)
            spell(label);
        for (FigureCategories::Group& group : panel.categories.groups)
            spell(group.label);
        for (FigureMark& mark : panel.marks)
            std::visit(SpellMark(), mark);
        for (FigureReference& reference : panel.references)
            spell(reference.text);
        for (FigureAnnotation& annotation : panel.annotations)
            spell(annotation.text);
    }
}

}  // namespace data
