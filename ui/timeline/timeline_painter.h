#pragma once

#include "ui/timeline/draw_list.h"
#include "ui/timeline/lane_image.h"
#include "ui/timeline/timeline_axis.h"

#include <vector>

class QWidget;

namespace ui {

class LaneEditor;
class TimelineLayout;
class TimelineOverlay;
class ViewState;
struct DragFeedback;

/// Paints the timeline. What is in sight is searched once a frame, however many changes that frame has seen, and written
/// into images; painting copies the images.
class TimelinePainter {
public:
    /// All must outlive the painter. `view` has the palette and the keyboard focus.
    TimelinePainter(const QWidget& view, const ViewState& viewState, const TimelineLayout& layout,
                    const LaneEditor& lanes)
        : m_view(view), m_viewState(viewState), m_layout(layout), m_lanes(lanes) {}

    /// Searches the run again before the next painting: the model, the range, the rows or their places have changed.
    void markItemsStale() { m_itemsStale = true; }
    /// Draws the images again before the next painting: the palette or the followed chunk has changed.
    void markImagesStale() { m_imagesStale = true; }

    /// Draws overlays in the order of addition.
    void addOverlay(const TimelineOverlay& overlay) { m_overlays.push_back(&overlay); }
    void removeOverlay(const TimelineOverlay& overlay) { std::erase(m_overlays, &overlay); }

    /// Returns what the rows that scroll show, up to date.
    const DrawList& scrolledList();
    void paint(QPainter& painter, const DragFeedback& drag);

private:
    /// The rows that scroll together, or those that do not.
    struct Pane {
        bool pinned;
        QRectF area = {};
        DrawList list = {};
        LaneImage image = {};
    };

    void build();
    void buildPane(Pane& pane, const PixelColumns& columns);
    void drawPane(Pane& pane);
    void paintPane(QPainter& painter, const Pane& pane) const;
    void paintLabels(QPainter& painter, const Pane& pane) const;
    void paintFollowed(QPainter& painter, const Pane& pane) const;
    void paintOverlays(QPainter& painter) const;
    void paintDrag(QPainter& painter, const DragFeedback& drag) const;
    void paintEmpty(QPainter& painter) const;

    const QWidget& m_view;
    const ViewState& m_viewState;
    const TimelineLayout& m_layout;
    const LaneEditor& m_lanes;
    Pane m_pinned{.pinned = true};
    Pane m_scrolled{.pinned = false};
    TimelineAxis m_axis;
    bool m_itemsStale = true;   // the lists of the panes and the axis
    bool m_imagesStale = true;  // the images of the panes
    std::vector<const TimelineOverlay*> m_overlays;
};

}  // namespace ui
