#pragma once

#include "data/figure/figure_drawing.h"
#include "ui/chunks/chunk_layout.h"
#include "ui/look/palette.h"
#include "ui/look/timeline_geometry.h"

#include <QImage>
#include <QWidget>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ui {

class RingMoment;
class ViewState;

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
    using Stamps = std::array<QImage, data::kTileStates>;

    bool hasRun() const;
    std::uint32_t focusedGpu() const;
    std::uint32_t recordedChunk(std::uint32_t gpu, std::uint32_t chunk) const;
    void showMoment();
    void relayout();
    void forgetStrips();
    void buildStrips();
    void buildColumns();
    void fillRow(std::uint32_t gpu, const Stamps& stamps);
    void paintStrips(QPainter& painter);  ///< in shapes
    double pixel() const;                 ///< size of one, in the view's coordinates
    std::vector<ChunkCounts> countsOf(std::uint32_t gpu, std::uint32_t strip) const;
    void seekTo(double x);
    QString hoverText(QPointF position) const;
    ChunkCounts countsAt(std::uint32_t gpu, std::optional<std::uint32_t> chunk, double x) const;

    void paintAround(QPainter& painter) const;
    void paintAxis(QPainter& painter) const;
    void paintNames(QPainter& painter) const;
    void paintMoment(QPainter& painter) const;
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
    double m_line = 16;
    double m_axis = 0;
    double m_legendTop = 0;
    bool m_scrubs = false;
    bool m_inShapes = false;  ///< painted for a figure
};

}  // namespace ui
