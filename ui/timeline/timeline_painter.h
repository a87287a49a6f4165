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

/// What lies behind a lane image's items.
struct LaneGround {
    QRectF area;                ///< of the viewport, its edges on device pixels; the image covers it
    double pixel = 1;           ///< size of a device pixel
    std::vector<QRectF> fills;  ///< a lane's full height, for lanes that show shares
    std::vector<double> ticks;  ///< x of the axis' lines
};

/// Writes items and areas into an image, scan line by scan line: filling rectangles one by one through QPainter takes
/// three to five times as long. Items of another chunk than the followed one are faint.
/// The image is kept and used again where its size allows.
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
    /// One period of a kernel's fill, kept until the palette or the size of a pixel changes.
    const QImage& stampOf(data::KernelNumber kernel, bool shaded, bool faint);
    void drawItems(const DrawList& list, std::optional<std::uint32_t> followed);
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

/// Draws what belongs to time and to no row: the ticks and the phases above the rows, the lines of the markers through
/// them, the cursor. Keeps the ticks and the words that fit until they are built again.
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

/// Returns the part of the timeline that is faint, because it has not happened yet at the moment `ps`. Null where the
/// moment itself is out of sight to the left: the reader is looking around, and everything stays bright.
QRectF futureBox(const TimelineLayout& layout, std::int64_t ps);

/// The cursor: its line and the bubble with its time, both null where it is out of sight.
struct CursorMark {
    QRectF line, bubble;
    QString text;
};
CursorMark cursorAt(const TimelineLayout& layout, std::int64_t ps, std::int64_t runEnd);
void paintCursor(QPainter& painter, const TimelineLayout& layout, const Palette& colors, const CursorMark& cursor);

/// Paints the timeline. What is in sight is searched once a frame, however many changes that frame has seen, and written
/// into images; painting copies the images. While only the cursor moves, all else is kept as two images, before the cursor
/// and after it, of which a frame copies what the cursor has passed.
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
    /// Paints `part` of the viewport.
    void paint(QPainter& painter, const DragFeedback& drag, const QRegion& part);
    /// Returns what is painted differently since the last time if nothing but the cursor has moved. Told what is painted
    /// next, paint() knows a frame in which nothing else changed.
    QRegion followCursor();
    /// Gives back the memory of what was kept for moving the cursor.
    void forgetLayers() { m_past = m_future = {}; }

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
    QRect viewport() const;
    /// Paints all but the cursor and what is being dragged; what lies in `future` is faint.
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
    QImage m_past, m_future;  ///< of the viewport; null: to be painted
    Moment m_painted;         ///< as it was painted last
    QRegion m_passed;         ///< by the cursor since then
};

}  // namespace ui
