#pragma once

#include "data/replay/span_matches.h"
#include "ui/timeline/timeline_overlay.h"

#include <memory>

namespace ui {

/// Marks what a search has found, at most one mark a pixel in each row.
class MatchesOverlay final : public TimelineOverlay {
public:
    /// Null: nothing is searched for.
    void showMatches(std::shared_ptr<const data::SpanMatches> matches) { m_matches = std::move(matches); }
    void paint(QPainter& painter, const TimelinePicture& picture) const override;

private:
    std::shared_ptr<const data::SpanMatches> m_matches;
};

/// Left and right x of the matches that are in sight; those that would touch become one. At most one search for each
/// pixel, however many there are.
std::vector<std::pair<double, double>> markedColumns(const data::SpanMatches::Lane& matches,
                                                     const std::vector<engine::Span>& spans,
                                                     const TimelineGeometry& geometry);

}  // namespace ui
