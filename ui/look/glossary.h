#pragma once

#include <QString>

#include <vector>

namespace ui {

/// A term of the field or of this program, explained in one or two plain sentences.
struct GlossaryTerm {
    QString id;    ///< "tracker", "critical-path"; for a part of a GPU its word in data::gpuPartWords()
    QString name;  ///< "tracker", "critical path"
    QString text;
};

/// Returns all terms, sorted by name; no two have the same id. Every word of data::gpuPartWords() is an id.
const std::vector<GlossaryTerm>& glossary();

/// Returns the sentences of one term, or an empty text if no term has this id.
QString glossaryText(const QString& id);

}  // namespace ui
