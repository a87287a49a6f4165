#pragma once

#include "data/figure/figure_spec.h"
#include "ui/figure/figure_writers.h"

#include <QPointF>
#include <QRectF>
#include <QString>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ui {

/// A name of which a text is a part: of "T3, TP degree = 8", the legend has "T3" and "8" apart.
struct NamePart {
    std::vector<std::string> path;  ///< of the edit that changes the name
    QString before, after;          ///< the rest of the name
};

/// A text of a figure that its author can change, at a place of the page.
struct EditableText {
    std::vector<std::string> path;  ///< of the edit: "series", "T3-MCA", "name"
    QString text;                   ///< the value that the edit replaces
    QString what;                   ///< for an undo step and for readers of the screen: "name of T3-MCA"
    QRectF box;                     ///< on the page, in points
    std::vector<NamePart> parts{};  ///< the names that have the text in common; empty: it is whole
};

/// Returns the edits that give the text another value: one, or one for each name of which it is a part.
std::vector<std::string> editsOf(const EditableText& text, const QString& value);

/// Returns the text at a point of the page: an entry of the legend, a title, a name along an axis, the ticks of an axis, a
/// mark or a note.
std::optional<EditableText> editableAt(const ReadyFigure& figure, const QPointF& page);

/// A position in a panel, in units of its axes as those of an annotation.
struct PanelPoint {
    std::size_t panel = 0;
    double x = 0, y = 0;
};

/// Returns the position at a point of the page, with no more digits than the pixels of a screen tell; an empty optional
/// outside the plots and in panels without axes.
std::optional<PanelPoint> panelPointAt(const ReadyFigure& figure, const QPointF& page);

/// An annotation, by its panel and its index.
struct NotePlace {
    std::size_t panel = 0, note = 0;
};

/// Returns the word of an annotation, as editableAt() does for a point on it; an empty optional if it is not drawn.
std::optional<EditableText> editableNote(const ReadyFigure& figure, std::size_t panel, std::size_t note);

/// Returns the annotation whose word is at a point of the page.
std::optional<NotePlace> noteAt(const ReadyFigure& figure, const QPointF& page);

}  // namespace ui
