#pragma once

#include <QString>

#include <vector>

namespace ui {

/// One line about something that is selected.
struct Fact {
    QString name;
    QString value;
    bool operator==(const Fact&) const = default;
};

/// The facts about a part of a GPU at one time.
struct PartDescription {
    QString title;
    QString meaning;  ///< the meaning of such a part, in a sentence or two
    std::vector<Fact> facts;
    std::vector<Fact> parameters;  ///< parameters that determine the part: path and value
};

}  // namespace ui
