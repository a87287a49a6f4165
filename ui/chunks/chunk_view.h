#pragma once

#include "data/replay/ring_state.h"
#include "ui/look/tile_style.h"
#include "ui/look/timeline_geometry.h"
#include "ui/workbench/moment_picture.h"

#include <QRectF>
#include <QString>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace ui {

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
class ChunkView final : public MomentPicture {
    Q_OBJECT

public:
    /// Both must outlive the view; the main window owns all three.
    ChunkView(ViewState& viewState, RingMoment& moment, QWidget* parent = nullptr);

    const ChunkLayout& chunkLayout() const { return m_layout; }
    const TimelineGeometry& geometry() const { return m_geometry; }

Q_SIGNALS:
    void cursorRequested(qint64 ps);

protected:
    void layOut() override;
    std::vector<Part> parts() override;
    std::vector<PartState> states() override;
    void paintBackground(QPainter& painter) override;
    void paintMoment(QPainter& painter, const QRegion& region) override;
    std::function<void()> actionOf(int key) override;
    QString spokenText() const override;
    MomentFigureWords figureWords(const QString& run, const QString& when) const override;
    double figureHeight(double width) const override;
    void wheelEvent(QWheelEvent* event) override;

private:
    std::uint32_t recordedChunk(std::uint32_t gpu, std::uint32_t chunk) const;
    std::uint32_t stripsOf(std::uint32_t gpu) const { return m_layout.rows[gpu].perChunk ? m_layout.chunks : 1; }
    void buildColumns();
    QImage stripPixels() const;
    void fillRow(QImage& image, std::uint32_t gpu, const TileStamps& stamps) const;
    std::vector<ChunkCounts> countsOf(std::uint32_t gpu, std::uint32_t strip) const;
    QString stripText(std::uint32_t gpu, std::uint32_t strip, double x) const;

    void paintStrips(QPainter& painter) const;  ///< as shapes
    void paintAxis(QPainter& painter) const;
    void paintNames(QPainter& painter) const;
    void paintCell(QPainter& painter, const QRectF& cell, const ChunkCounts& counts) const;
    void paintChunkNumbers(QPainter& painter) const;
    void paintFollowed(QPainter& painter) const;
    void paintCursor(QPainter& painter) const;
    double bubbleWidth() const;

    ChunkLayout m_layout;
    TimelineGeometry m_geometry;
    std::vector<Tick> m_ticks;
    std::vector<ChunkColumns> m_columns;  // by recorded GPU
    double m_axis = 0;
    QRectF m_legend;
};

}  // namespace ui
