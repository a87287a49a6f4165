#pragma once

#include "data/replay/flow.h"
#include "ui/inspector/area_statistics.h"
#include "ui/look/palette.h"
#include "ui/shared/part_told.h"

#include <QString>

#include <optional>
#include <vector>

namespace ui {

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

/// A bar that a page shows, cut into shares of its width; what is left over stays empty.
struct PageBar {
    struct Part {
        double share;
        Role role;
        bool operator==(const Part&) const = default;
    };
    QString name;  ///< of the image in the page
    std::vector<Part> parts;
    bool operator==(const PageBar&) const = default;
};

/// What the inspector shows, as rich text that can be selected and copied. A link's target is `linkOf(span)`.
struct InspectorPage {
    QString html;
    std::vector<PageBar> bars;
    bool operator==(const InspectorPage&) const = default;
};

/// Lengths that depend on the reader's font, in pixels.
struct PageMetrics {
    int line;   ///< height of a line
    int width;  ///< that there is for a bar
    bool operator==(const PageMetrics&) const = default;
};

/// Target of the link that asks why the selected span waited.
inline constexpr auto kWhyLink = "why:";
QString linkOf(data::SpanRef ref);
std::optional<data::SpanRef> spanOfLink(const QString& link);

/// Returns the target of the link that shows a parameter's field in the form.
QString fieldLink(const QString& path);

InspectorPage pageOf(const SpanFacts& facts, const Palette& colors);
InspectorPage pageOf(const PartTold& part, const Palette& colors);
/// `selected`: the area was chosen, and is not just what is in sight.
InspectorPage pageOf(const AreaStatistics& statistics, const data::Area& area, bool selected, const data::ShownRun& run,
                     const Palette& colors, PageMetrics metrics);
/// Where there is nothing to tell: why, and what can be done.
InspectorPage pageOf(const QString& title, const QString& text, const Palette& colors);

}  // namespace ui
