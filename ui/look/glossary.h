#pragma once

#include <QString>

#include <vector>

namespace ui {

/// A word of this field or of this program, told in one or two plain sentences.
struct GlossaryTerm {
    QString id;    ///< "tracker", "critical-path"; of a part of a GPU its word, as data::gpuPartWords() has it
    QString name;  ///< "tracker", "critical path"
    QString text;
};

/// Returns all terms by name, each id once. Every word of data::gpuPartWords() is an id.
const std::vector<GlossaryTerm>& glossary();

/// Returns the sentences of one term, or an empty text if no term has this id.
QString glossaryText(const QString& id);

}  // namespace ui
