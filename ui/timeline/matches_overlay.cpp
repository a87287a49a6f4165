#include "ui/timeline/matches_overlay.h"

#include "ui/timeline/overlay_anchor.h"

#include <QPainter>

#include <algorithm>

namespace ui {

std::vector<std::pair<double, double>> markedColumns(const data::SpanMatches::Lane& matches,
                                                     const std::vector<engine::Span>& spans,
                                                     const TimelineGeometry& geometry) {
    std::vector<std::pair<double, double>> marks;
    const auto from = [&](std::vector<std::uint32_t>::const_iterator begin, std::int64_t ps) {
        return std::partition_point(begin, matches.spans.end(),
                                    [&](std::uint32_t span) { return spans[span].start.ps < ps; });
    };
    auto at = from(matches.spans.begin(), geometry.range.start);
    // One that began before and reaches into the picture.
    if (at != matches.spans.begin() && spans[*std::prev(at)].end.ps > geometry.range.start)
        --at;
    while (at != matches.spans.end() && spans[*at].start.ps < geometry.range.end) {
        const engine::Span& span = spans[*at];
        const double left = std::max(geometry.left, geometry.columnOf(span.start.ps));
        const double right =
            std::min(geometry.left + geometry.width, std::max(left + geometry.pixel, geometry.xOf(span.end.ps)));
        if (!marks.empty() && left <= marks.back().second)
            marks.back().second = std::max(marks.back().second, right);
        else
            marks.emplace_back(left, right);
        at = from(std::next(at), geometry.timeAt(left + geometry.pixel));
    }
    return marks;
}

void MatchesOverlay::paint(QPainter& painter, const TimelinePicture& picture) const {
    if (!m_matches || m_matches->count() == 0)
        return;
    const data::Flow& flow = m_matches->flow();
    const double thickness = std::max(2.0, picture.line * 0.16);
    const QColor color = picture.palette.cursor;
    const QColor veil = Palette::seeThrough(color, 70);
    for (const data::SpanMatches::Lane& lane : m_matches->lanes()) {
        const data::SpanRef any{lane.gpu, lane.lane, lane.spans.front()};
        const auto anchor = anchorOf(picture, flow, any);
        if (!anchor)
            continue;
        for (const auto& [left, right] : markedColumns(lane, flow.lane(any).spans, picture.geometry)) {
            const double width = std::max(right - left, 2.0);
            painter.fillRect(QRectF(left, anchor->box.top(), width, anchor->box.height()), veil);
            painter.fillRect(QRectF(left, anchor->box.bottom() - thickness, width, thickness), color);
            // And under the axis, for rows that are scrolled away.
            painter.fillRect(QRectF(left, picture.clip.top(), width, thickness), color);
        }
    }
}

}  // namespace ui
