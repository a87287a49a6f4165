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

/// What there is to tell about a part of a GPU at a moment.
struct PartTold {
    QString title;
    QString meaning;  ///< what such a part is; a sentence or two
    std::vector<Fact> facts;
    std::vector<Fact> parameters;  ///< that shape it: path and value
};

}  // namespace ui
