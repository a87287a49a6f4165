#pragma once

#include "ui/look/palette.h"
#include "ui/look/timeline_geometry.h"
#include "ui/timeline/draw_list.h"

#include <QImage>
#include <QRectF>
#include <QRegion>
#include <QString>

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

class QPainter;
class QWidget;

namespace ui {

class LaneEditor;
class TimelineLayout;
class TimelineOverlay;
class ViewState;
struct DragFeedback;

/// The background of a lane image.
struct LaneGround {
    QRectF area;                ///< part of the viewport, its edges on device pixels; the image covers it
    double pixel = 1;           ///< size of a device pixel
    std::vector<QRectF> fills;  ///< the full height of lanes that show shares
    std::vector<double> ticks;  ///< x coordinates of the axis' lines
};

/// Writes items and areas into an image by scan lines, because filling rectangles one by one with QPainter takes three
/// to five times as long. Items of other chunks than the followed one are dimmed. The image is reused if its size
/// allows.
class LaneImage {
public:
    void draw(const DrawList& list, const LaneGround& ground, const Palette& palette,
              std::optional<std::uint32_t> followed);
    const QImage& image() const { return m_image; }

private:
    struct Block {
        int left, top, right, bottom;  // device pixels of the image, right and bottom exclusive
    };

    Block blockOf(const QRectF& box) const;
    void fill(const Block& block, QRgb color);
    void comb(const Block& block, QRgb color);
    void dots(const Block& block);
    void stamp(const Block& block, const QImage& period);
    /// Returns one period of a kernel's fill, cached until the palette or the size of a pixel changes.
    const QImage& stampOf(data::KernelNumber kernel, bool shaded, bool faint);
    void drawItems(const DrawList& list, std::optional<std::uint32_t> followed);
    void drawPieceEnds(const std::vector<DrawPieceEnd>& ends);
    void drawGaps(const std::vector<DrawGap>& gaps);
    void drawArea(const DrawArea& area);
    void drawLine(const DrawLine& line);
    QRgb colorOf(Role role, bool shaded, bool faint) const;
    QRgb* lineAt(int y) { return m_bits + static_cast<std::ptrdiff_t>(y) * m_stride; }

    QImage m_image;
    QRgb* m_bits = nullptr;
    std::ptrdiff_t m_stride = 0;
    QRectF m_area;
    double m_pixel = 1;
    const Palette* m_palette = nullptr;  // while drawing
    std::map<std::tuple<data::KernelNumber, bool, bool>, QImage> m_stamps;
    QImage m_gapStamp;
    std::optional<std::pair<Theme, int>> m_stampsFor;  // theme and spacing
};

/// Draws everything that depends on time but on no row: the ticks and phases above the rows, the lines of the markers
/// through the rows, the cursor. Stores the ticks and the labels that fit until the next build().
class TimelineAxis {
public:
    /// Measures ticks, phases and markers for the range and the size of `layout`.
    void build(const TimelineLayout& layout);
    const std::vector<Tick>& ticks() const { return m_ticks; }

    void paint(QPainter& painter, const TimelineLayout& layout, const Palette& colors) const;
    void paintMarkers(QPainter& painter, const TimelineLayout& layout, const Palette& colors) const;

private:
    struct PhaseItem {
        QRectF box;
        Role role;
        QString text;
        bool inCompany;
    };
    struct Tag {
        double x;
        QRectF box;
        Role role;
        QString text;
        std::optional<data::KernelNumber> kernel;
    };

    void buildPhases(const TimelineLayout& layout);
    void buildTags(const TimelineLayout& layout);

    std::vector<Tick> m_ticks;
    std::vector<PhaseItem> m_phases;
    std::vector<Tag> m_tags;
};

/// Returns the part of the timeline that is dimmed because it is after the cursor's time `ps`. Null if the cursor
/// itself is out of view to the left: the user then looks at a later part of the run, and nothing is dimmed.
QRectF futureBox(const TimelineLayout& layout, std::int64_t ps);

/// The cursor's line and the bubble with its time; both are null if the cursor is out of view.
struct CursorMark {
    QRectF line, bubble;
    QString text;
};
CursorMark cursorAt(const TimelineLayout& layout, std::int64_t ps, std::int64_t runEnd);
void paintCursor(QPainter& painter, const TimelineLayout& layout, const Palette& colors, const CursorMark& cursor);

/// Paints the timeline. Once a frame, after any number of changes, it collects what is visible and draws it into
/// images; painting copies the images. While only the cursor moves, the rest is kept as two images, one before the
/// cursor and one after it, and a frame copies only the part that the cursor has passed.
class TimelinePainter {
public:
    /// All must outlive the painter. `view` has the palette and the keyboard focus.
    TimelinePainter(const QWidget& view, const ViewState& viewState, const TimelineLayout& layout,
                    const LaneEditor& lanes)
        : m_view(view), m_viewState(viewState), m_layout(layout), m_lanes(lanes) {}

    /// Collects the items again before the next painting, because the model, the range, the rows or their positions
    /// have changed.
    void markItemsStale() { m_itemsStale = true; }
    /// Draws the images again before the next painting, because the palette or the followed chunk has changed.
    void markImagesStale() { m_imagesStale = true; }

    /// Adds an overlay, which is drawn over those added before.
    void addOverlay(const TimelineOverlay& overlay) { m_overlays.push_back(&overlay); }
    void removeOverlay(const TimelineOverlay& overlay) { std::erase(m_overlays, &overlay); }

    /// Returns the up-to-date draw list of the scrolling rows.
    const DrawList& scrolledList();
    /// Paints `part` of the viewport.
    void paint(QPainter& painter, const DragFeedback& drag, const QRegion& part);
    /// Returns the region to repaint if only the cursor has moved since the last painting. paint() recognises such a
    /// frame by being asked for this region.
    QRegion followCursor();
    /// Frees the images that are kept for moving the cursor.
    void forgetLayers() { m_past = m_future = {}; }

private:
    /// The rows that scroll together, or the pinned rows.
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
    QRect viewport() const;
    /// Paints everything except the cursor and the feedback of a drag; the part within `future` is dimmed.
    void paintStill(QPainter& painter, const QRectF& future);
    QImage layer(const QRectF& future);
    void paintLayers(QPainter& painter, const QRegion& part);
    struct Moment {
        QRectF future;
        CursorMark cursor;
    };
    Moment moment() const;

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
    QImage m_past, m_future;  ///< images of the viewport; null: not painted yet
    Moment m_painted;         ///< the time as last painted
    QRegion m_passed;         ///< the region that the cursor has passed since then
};

}  // namespace ui
