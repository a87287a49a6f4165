#pragma once

#include "data/replay/flow.h"

#include <QString>

#include <optional>
#include <vector>

namespace ui {

/// One line about a span.
struct Fact {
    QString name;
    QString value;
    bool operator==(const Fact&) const = default;
};

/// Another span that this one waited for or made possible.
struct FactLink {
    data::SpanRef span;
    QString text;
    QString when;  ///< "ended 1.2 µs before this began"
};

/// Everything that the run knows about one span, in the order in which it is read.
struct SpanFacts {
    QString title;
    std::vector<Fact> facts;
    std::vector<FactLink> before, after;
    std::vector<FactLink> why;  ///< what the last of `before` waited for last, what that waited for, and so on
};

/// Precondition: flow.contains(ref).
SpanFacts factsOf(const data::Flow& flow, data::SpanRef ref);

}  // namespace ui
