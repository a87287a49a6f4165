#pragma once

#include "data/replay/flow.h"
#include "data/replay/span_matches.h"
#include "engine/api/trace.h"
#include "ui/shared/bookmarks.h"
#include "ui/shared/measures.h"
#include "ui/timeline/timeline_overlay.h"

#include <QObject>

#include <cstdint>
#include <memory>
#include <optional>

class QMouseEvent;
class QPainterPath;

namespace ui {

class TimelineView;
class ViewState;

/// Draws the selection: an outline around a span, or a tint over an area with its duration.
class SelectionOverlay final : public TimelineOverlay {
public:
    /// `viewState` must outlive the overlay.
    explicit SelectionOverlay(const ViewState& viewState) : m_viewState(viewState) {}

    void showRun(std::shared_ptr<const data::Flow> flow) { m_flow = std::move(flow); }
    void paint(QPainter& painter, const TimelinePicture& picture) const override;

private:
    void paintSpan(QPainter& painter, const TimelinePicture& picture, data::SpanRef span) const;
    void paintArea(QPainter& painter, const TimelinePicture& picture, const data::Area& area) const;

    const ViewState& m_viewState;
    std::shared_ptr<const data::Flow> m_flow;
};

/// Draws the path of the selected span's tile or chunk through the ring: an arrow from row to row for each step. The
/// arrow from the last dependency is solid, those from earlier ones are dashed. If a step leaves the picture, an arrow
/// head at the border shows its direction.
class FlowOverlay final : public TimelineOverlay {
public:
    /// `viewState` must outlive the overlay.
    explicit FlowOverlay(const ViewState& viewState) : m_viewState(viewState) {}

    void showRun(std::shared_ptr<const data::Flow> flow);
    void paint(QPainter& painter, const TimelinePicture& picture) const override;

private:
    const data::FlowChain& chain(data::SpanRef of) const;

    const ViewState& m_viewState;
    std::shared_ptr<const data::Flow> m_flow;
    mutable std::optional<data::SpanRef> m_chainOf;  // caches the chain of the last painting for the next frame
    mutable data::FlowChain m_chain;
};

/// Marks the matches of a search, with at most one mark for each pixel in a row.
class MatchesOverlay final : public TimelineOverlay {
public:
    /// Sets the matches; null: no search.
    void showMatches(std::shared_ptr<const data::SpanMatches> matches) { m_matches = std::move(matches); }
    void paint(QPainter& painter, const TimelinePicture& picture) const override;

private:
    std::shared_ptr<const data::SpanMatches> m_matches;
};

/// Draws the rulers, and lets the user drag the ends of the current one, which snap to starts and ends of spans.
class MeasureOverlay final : public QObject, public TimelineOverlay {
    Q_OBJECT

public:
    /// Both must outlive the overlay.
    MeasureOverlay(Measures& measures, TimelineView& view);

    void paint(QPainter& painter, const TimelinePicture& picture) const override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum class End : std::uint8_t { none, start, end };
    End endAt(QPointF position) const;
    bool press(const QMouseEvent& event);
    bool move(const QMouseEvent& event);
    void paintRuler(QPainter& painter, const TimelinePicture& picture, data::TimeRange range, bool current) const;

    Measures& m_measures;
    TimelineView& m_view;
    End m_dragged = End::none;
    std::int64_t m_other = 0;  // the end that stays while the other one is dragged
};

/// Draws a small numbered flag under the time axis for each visible bookmark.
class BookmarkOverlay final : public TimelineOverlay {
public:
    /// `bookmarks` must outlive the overlay.
    explicit BookmarkOverlay(const Bookmarks& bookmarks) : m_bookmarks(bookmarks) {}

    void paint(QPainter& painter, const TimelinePicture& picture) const override;

private:
    const Bookmarks& m_bookmarks;
};

/// Points at one kind of lane with a frame in the first visible GPU. If the lane has no row of its own, the frame
/// surrounds the row that shows it.
class LaneSpotOverlay final : public TimelineOverlay {
public:
    void pointAt(std::optional<engine::LaneKind> lane) { m_lane = lane; }

    void paint(QPainter& painter, const TimelinePicture& picture) const override;

private:
    std::optional<engine::LaneKind> m_lane;
};

/// The overlays of the timeline besides the run: selection, the path of the selection through the ring, rulers, matches
/// of a search, bookmarks. Repaints the timeline when one of them changes.
class TimelineTools final : public QObject {
    Q_OBJECT

public:
    /// All must outlive the tools; the view may be deleted before them.
    TimelineTools(const ViewState& viewState, const Bookmarks& bookmarks, Measures& measures, TimelineView& view);

    void showRun(std::shared_ptr<const data::Flow> flow);
    void showMatches(std::shared_ptr<const data::SpanMatches> matches);
    /// Scrolls to the row of a span or, if it has none, to the most closely related row of its GPU.
    void reveal(data::SpanRef span);

private:
    TimelineView& m_view;
    std::shared_ptr<const data::Flow> m_shown;
    SelectionOverlay m_selection;
    FlowOverlay m_flow;
    MatchesOverlay m_matches;
    MeasureOverlay m_measures;
    BookmarkOverlay m_bookmarks;
};

}  // namespace ui
