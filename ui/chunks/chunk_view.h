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

/// How many tiles of each chunk of one recorded GPU are in which state, at moments that follow each other.
class ChunkColumns {
public:
    ChunkColumns() = default;
    /// `begin`: by chunk, at the beginning of the run. `changes` and `moments` are sorted; a change counts from its own
    /// moment on.
    ChunkColumns(std::vector<ChunkCounts> begin, const std::vector<std::uint32_t>& chunkOfTile,
                 const std::vector<data::TileChange>& changes, const std::vector<std::int64_t>& moments);

    std::size_t chunks() const { return m_chunks; }
    std::size_t columns() const { return m_chunks == 0 ? 0 : m_counts.size() / m_chunks; }
    const ChunkCounts& at(std::size_t column, std::size_t chunk) const { return m_counts[column * m_chunks + chunk]; }
    /// Of all chunks together.
    ChunkCounts sum(std::size_t column) const;

private:
    std::size_t m_chunks = 0;
    std::vector<ChunkCounts> m_counts;  // by column, then chunk
};

/// Which state stands `share` of the way up a bar that is filled from below with the furthest state first.
data::TileState stateAt(const ChunkCounts& counts, double share);

/// Returns the tiles of all these chunks by state.
ChunkCounts sumOf(std::span<const ChunkCounts> chunks);

/// "12 sent, 3 in flight, 19 not produced", furthest first.
QString countsText(const ChunkCounts& counts, const TileWords& words);

/// One GPU's row of the chunk map.
struct ChunkRow {
    double top = 0;
    double height = 0;
    bool perChunk = true;  ///< a strip for each chunk; else, where there is no room, one for all together
    bool named = true;     ///< there is room for its name
};

/// Where everything stands on the chunk map: names at the left, chunks at the moment of the cursor, then over time.
/// A row of time and a row of the moment are the same GPU's.
struct ChunkLayout {
    std::vector<ChunkRow> rows;  ///< by GPU
    QRectF moment;               ///< all rows' chunks now
    QRectF strips;               ///< all rows over time
    std::uint32_t chunks = 0;

    QRectF momentCell(std::uint32_t gpu, std::uint32_t chunk) const;
    /// A chunk's strip over time; the whole row's where chunks have none.
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
    double pixel = 1;   ///< of the device
    double names = 60;  ///< width that names take
};

ChunkLayout layoutChunks(const ChunkLayoutInput& input);

/// GPU x chunk, coloured by the state of the chunk's tiles: at the moment of the cursor, and beside it over time.
/// Shares range, cursor, followed chunk and GPU in focus with all views. What lies over time is put together once when
/// range, size or run change; playing only moves the cursor.
class ChunkView final : public QWidget {
    Q_OBJECT

public:
    /// Both must outlive the view; the main window owns all three.
    ChunkView(ViewState& viewState, RingMoment& moment, QWidget* parent = nullptr);

    const ChunkLayout& chunkLayout() const { return m_layout; }
    const TimelineGeometry& geometry() const { return m_geometry; }
    QSize minimumSizeHint() const override;
    /// The same picture as shapes and words; nothing without a run. The view stays as it is.
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
    /// What of the moment is painted.
    struct Shown {
        std::optional<double> cursor;                  ///< x
        std::vector<std::vector<ChunkCounts>> counts;  ///< by GPU, then chunk
    };

    void speak();  ///< to a screen reader
    void showMoment();
    void followMoment();  ///< paints what is another than before
    Shown shownNow() const;
    void relayout();
    void forgetStrips();
    void buildStrips();
    void buildColumns();
    void fillRow(std::uint32_t gpu, const TileStamps& stamps);
    void paintStrips(QPainter& painter);  ///< in shapes
    double pixel() const;                 ///< size of one, in the view's coordinates
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
    bool m_inShapes = false;  ///< painted for a figure
};

/// The chunk map over the visible range, with the moment of the cursor beside it, as a figure: shapes and words, in the
/// colours of paper whatever those of the window are. Nothing without a run, and for the bounds.
std::optional<FigureOffer> chunkFigure(const ViewState& viewState, const RingMoment& moment);

}  // namespace ui
