#pragma once

#include "data/figure/figure_drawing.h"
#include "data/replay/ring_state.h"
#include "ui/look/palette.h"
#include "ui/look/tile_style.h"
#include "ui/look/timeline_geometry.h"
#include "ui/shared/figure_offer.h"

#include <QImage>
#include <QRectF>
#include <QRegion>
#include <QString>
#include <QWidget>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ui {

class RingMoment;
class TileWords;
class ViewState;

using ChunkCounts = std::array<std::uint32_t, data::kTileStates>;

/// The number of tiles in each state, for each chunk of one recorded GPU, at a sequence of times (columns).
class ChunkColumns {
public:
    ChunkColumns() = default;
    /// `begin`: counts by chunk at the start of the run. `changes` and `moments` are sorted; a change counts from its
    /// own time on.
    ChunkColumns(std::vector<ChunkCounts> begin, const std::vector<std::uint32_t>& chunkOfTile,
                 const std::vector<data::TileChange>& changes, const std::vector<std::int64_t>& moments);

    std::size_t chunks() const { return m_chunks; }
    std::size_t columns() const { return m_chunks == 0 ? 0 : m_counts.size() / m_chunks; }
    const ChunkCounts& at(std::size_t column, std::size_t chunk) const { return m_counts[column * m_chunks + chunk]; }
    /// Returns the sum over all chunks.
    ChunkCounts sum(std::size_t column) const;

private:
    std::size_t m_chunks = 0;
    std::vector<ChunkCounts> m_counts;  // by column, then chunk
};

/// Returns the state at height `share` of a bar that is filled from below, with the most advanced state at the bottom.
data::TileState stateAt(const ChunkCounts& counts, double share);

/// Returns the tiles of all these chunks by state.
ChunkCounts sumOf(std::span<const ChunkCounts> chunks);

/// Describes the counts, the most advanced state first: "12 sent, 3 in flight, 19 not produced".
QString countsText(const ChunkCounts& counts, const TileWords& words);

/// One GPU's row of the chunk map.
struct ChunkRow {
    double top = 0;
    double height = 0;
    bool perChunk = true;  ///< true: a strip for each chunk; false, for lack of room: one strip for all
    bool named = true;     ///< there is room for its name
};

/// The layout of the chunk map: names at the left, then the chunks at the time of the cursor, then the chunks over
/// time. The two rows at the same height belong to the same GPU.
struct ChunkLayout {
    std::vector<ChunkRow> rows;  ///< by GPU
    QRectF moment;               ///< the chunks at the time of the cursor, all rows
    QRectF strips;               ///< the chunks over time, all rows
    std::uint32_t chunks = 0;

    QRectF momentCell(std::uint32_t gpu, std::uint32_t chunk) const;
    /// Returns the strip of a chunk over time, or that of the whole row if chunks have no strips.
    QRectF strip(std::uint32_t gpu, std::uint32_t chunk) const;
    std::optional<std::uint32_t> gpuAt(double y) const;
    std::optional<std::uint32_t> chunkAtMoment(double x) const;
    std::optional<std::uint32_t> chunkAtStrip(std::uint32_t gpu, double y) const;
};

struct ChunkLayoutInput {
    QRectF area;  ///< below the axis, above the legend
    std::uint32_t gpus = 1;
    std::uint32_t chunks = 1;
    std::uint32_t focused = 0;
    double line = 16;   ///< height of a line of text
    double pixel = 1;   ///< size of a device pixel
    double names = 60;  ///< width of the names
};

ChunkLayout layoutChunks(const ChunkLayoutInput& input);

/// A cell for each GPU and chunk, coloured by the state of the chunk's tiles, at the time of the cursor and beside it
/// over time. Shares range, cursor, followed chunk and focused GPU with all views. The part over time is drawn once
/// when range, size or run change; playback only moves the cursor.
class ChunkView final : public QWidget {
    Q_OBJECT

public:
    /// Both must outlive the view; the main window owns all three.
    ChunkView(ViewState& viewState, RingMoment& moment, QWidget* parent = nullptr);

    const ChunkLayout& chunkLayout() const { return m_layout; }
    const TimelineGeometry& geometry() const { return m_geometry; }
    QSize minimumSizeHint() const override;
    /// Returns the picture as shapes and text; an empty optional without a run. The view is not changed.
    std::optional<data::DrawingMark> drawing();

Q_SIGNALS:
    void cursorRequested(qint64 ps);

protected:
    void paintEvent(QPaintEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    bool hasRun() const;
    std::uint32_t focusedGpu() const;
    std::uint32_t recordedChunk(std::uint32_t gpu, std::uint32_t chunk) const;
    /// The state at the time of the cursor that was last painted.
    struct Shown {
        std::optional<double> cursor;                  ///< x coordinate
        std::vector<std::vector<ChunkCounts>> counts;  ///< by GPU, then chunk
    };

    void speak();  ///< announces the state to screen readers
    void showMoment();
    void followMoment();  ///< repaints the parts that have changed since the last painting
    Shown shownNow() const;
    void relayout();
    void forgetStrips();
    void buildStrips();
    void buildColumns();
    void fillRow(std::uint32_t gpu, const TileStamps& stamps);
    void paintStrips(QPainter& painter);  ///< as shapes
    double pixel() const;                 ///< size of a device pixel in the view's coordinates
    std::vector<ChunkCounts> countsOf(std::uint32_t gpu, std::uint32_t strip) const;
    void seekTo(double x);
    QString hoverText(QPointF position) const;
    ChunkCounts countsAt(std::uint32_t gpu, std::optional<std::uint32_t> chunk, double x) const;

    void paintAround(QPainter& painter, const QRegion& part) const;
    void paintAxis(QPainter& painter) const;
    void paintNames(QPainter& painter) const;
    void paintMoment(QPainter& painter, const QRegion& part) const;
    void paintCell(QPainter& painter, const QRectF& cell, const ChunkCounts& counts) const;
    void paintChunkNumbers(QPainter& painter) const;
    void paintFollowed(QPainter& painter) const;
    void paintCursor(QPainter& painter) const;
    double bubbleWidth() const;
    void paintNothing(QPainter& painter) const;

    ViewState& m_viewState;
    RingMoment& m_moment;
    ChunkLayout m_layout;
    TimelineGeometry m_geometry;
    std::vector<Tick> m_ticks;
    std::vector<ChunkColumns> m_columns;  // by recorded GPU
    QImage m_strips;
    Shown m_painted;
    double m_line = 16;
    double m_axis = 0;
    double m_legendTop = 0;
    bool m_scrubs = false;
    bool m_inShapes = false;  ///< true while painting for a figure
};

/// Returns a figure of the chunk map over the visible range, with the chunks at the cursor beside it: shapes and text
/// in the colours of paper, whatever the window's theme is. An empty optional without a run, and for bounds.
std::optional<FigureOffer> chunkFigure(const ViewState& viewState, const RingMoment& moment);

}  // namespace ui
