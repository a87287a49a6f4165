#pragma once

#include "data/replay/flow.h"
#include "ui/inspector/area_statistics.h"
#include "ui/look/palette.h"
#include "ui/shared/part_description.h"

#include <QString>

#include <optional>
#include <vector>

namespace ui {

/// A link to another span, for which the described span waited or which it made possible.
struct FactLink {
    data::SpanRef span;
    QString text;
    QString when;  ///< "ended 1.2 µs before this began"
};

/// All facts about one span, in the order in which they are shown.
struct SpanFacts {
    QString title;
    std::vector<Fact> facts;
    std::vector<FactLink> before, after;
    std::vector<FactLink>
        why;  ///< the chain of dependencies: what the last of `before` waited for last, what that waited for, and so on
};

/// Collects the facts about a span. Precondition: flow.contains(ref).
SpanFacts factsOf(const data::Flow& flow, data::SpanRef ref);

/// A bar in a page, divided by shares of its width; the rest stays empty.
struct PageBar {
    struct Part {
        double share;
        Role role;
        bool operator==(const Part&) const = default;
    };
    QString name;  ///< name of the bar's image in the page
    std::vector<Part> parts;
    bool operator==(const PageBar&) const = default;
};

/// A page of the inspector as rich text that can be selected and copied. A link to a span has the target
/// `linkOf(span)`.
struct InspectorPage {
    QString html;
    std::vector<PageBar> bars;
    bool operator==(const InspectorPage&) const = default;
};

/// Sizes that depend on the font, in pixels.
struct PageMetrics {
    int line;   ///< height of a line
    int width;  ///< width available for a bar
    bool operator==(const PageMetrics&) const = default;
};

/// The target of the link that asks why the selected span waited.
inline constexpr auto kWhyLink = "why:";
QString linkOf(data::SpanRef ref);
std::optional<data::SpanRef> spanOfLink(const QString& link);

/// Returns the target of the link that shows a parameter's field in the form.
QString fieldLink(const QString& path);

InspectorPage pageOf(const SpanFacts& facts, const Palette& colors);
InspectorPage pageOf(const PartDescription& part, const Palette& colors);
/// Returns the page of an area's statistics. `selected`: the user selected the area; false: it is the visible area.
InspectorPage pageOf(const AreaStatistics& statistics, const data::Area& area, bool selected, const data::ShownRun& run,
                     const Palette& colors, PageMetrics metrics);
/// Returns a page without facts, whose text explains why there are none and what the user can do.
InspectorPage pageOf(const QString& title, const QString& text, const Palette& colors);

}  // namespace ui
