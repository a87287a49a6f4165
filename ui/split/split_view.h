#pragma once

#include "data/figure/figure_drawing.h"
#include "data/replay/ring_state.h"
#include "ui/look/fill_legend.h"
#include "ui/look/palette.h"
#include "ui/shared/figure_offer.h"
#include "ui/split/split_facts.h"
#include "ui/split/split_layout.h"

#include <QImage>
#include <QPixmap>
#include <QWidget>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace ui {

class RingMoment;
class ViewState;

/// The content of one place of a cell; each place represents one partial sum.
enum class SumFill : std::uint8_t { empty, own, others, sent, whole };
inline constexpr std::size_t kSumFills = 5;

/// Shows how a GEMM is distributed over the GPUs and how its partial sums are added up: the matrices with their cuts,
/// and for each GPU and chunk of the output a cell with a place for each partial sum, filled according to the tiles at
/// the cursor. Shares cursor, followed chunk and focused GPU with all views. During playback only cells that change are
/// painted.
class SplitView final : public QWidget {
    Q_OBJECT

public:
    /// Both must outlive the view; the main window owns all three.
    SplitView(ViewState& viewState, RingMoment& moment, QWidget* parent = nullptr);

    const SplitLayout& splitLayout() const { return m_layout; }
    const SplitFacts& facts() const { return m_facts; }
    bool hasRun() const;
    std::uint32_t focusedGpu() const;
    /// Returns the followed chunk, if the run has it.
    std::optional<std::uint32_t> followedChunk() const;
    /// Returns the partial sums of a chunk on a GPU at the cursor. Precondition: hasRun().
    data::ChunkSums sumsAt(std::uint32_t gpu, std::uint32_t chunk) const;
    /// Describes the split of the run, and the state of the focused GPU or of the followed chunk on it.
    QString splitWords() const;
    QString momentWords() const;
    /// Describes every GPU in a sentence.
    QString descriptionOfAll() const;
    QSize minimumSizeHint() const override;
    /// Returns the picture as shapes and text; an empty optional without a run. The view is not changed.
    std::optional<data::DrawingMark> drawing();
    /// Returns how many cells have been painted since the view was made.
    std::int64_t paintedCells() const { return m_paintedCells; }

Q_SIGNALS:
    /// Emitted when Return is pressed: the user wants to see the values in a table.
    void tableRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    /// The content of a cell, which is painted again when this changes.
    struct Cell {
        data::ChunkSums sums;
        bool sends = false, receives = false;
        bool operator==(const Cell&) const = default;
    };

    /// The strips of a matrix that have numbers.
    struct NumberedStrips {
        std::uint32_t count = 1;
        std::optional<std::uint32_t> chosen;
        QColor chosenColor;
        bool leftToRight = true;
        double length = 1;  ///< length of all strips together
        std::function<QRectF(std::uint32_t)> boxOf;
    };

    void showRun();
    void follow();
    void relayout();
    SplitNeeds needs() const;
    Cell cellAt(std::uint32_t gpu, std::uint32_t chunk) const;
    double ratio() const;
    QRectF nowBox() const;
    void chooseChunk(int by);
    QString chunkWords(std::uint32_t gpu, std::uint32_t chunk) const;
    QString tipText(QPointF position) const;
    QString matrixTip(QPointF position) const;

    void paintNothing(QPainter& painter) const;
    void paintBackground(QPainter& painter) const;
    void paintMatrices(QPainter& painter) const;
    void paintStrips(QPainter& painter, const QRectF& box, bool leftToRight) const;
    void paintNumbers(QPainter& painter, const NumberedStrips& strips) const;
    void paintFrames(QPainter& painter, const QRectF& whole, const QRectF& chosen) const;
    void paintChunkBands(QPainter& painter) const;
    void paintFormula(QPainter& painter) const;
    void paintNames(QPainter& painter) const;
    void paintMore(QPainter& painter) const;
    void paintMoment(QPainter& painter) const;
    void paintChosen(QPainter& painter) const;
    void buildCells();
    void paintCellPixels(std::uint32_t gpu, std::uint32_t chunk, const Cell& cell);
    void paintCellShapes(QPainter& painter, std::uint32_t gpu, std::uint32_t chunk, const Cell& cell) const;
    void paintCellWords(QPainter& painter, const QRectF& box, const Cell& cell) const;
    bool hasRoomForAll() const;
    QRectF insideOf(std::uint32_t gpu, std::uint32_t chunk) const;
    std::vector<std::pair<QRectF, SumFill>> fillsOf(const QRectF& box, const data::ChunkSums& sums) const;
    QRectF bandOf(std::uint32_t chunk) const;
    std::vector<FillLegendEntry> legend() const;

    ViewState& m_viewState;
    RingMoment& m_moment;
    SplitFacts m_facts;
    bool m_ring = false;  ///< each GPU sends its chunks to the GPU before it
    SplitLayout m_layout;
    double m_line = 16;
    int m_splitRows = 1, m_nowRows = 1;
    std::vector<Cell> m_cells;  ///< the shown cells as last painted; by GPU, then chunk
    QString m_now;              ///< as last painted
    QPixmap m_background;
    QImage m_cellImage;
    std::array<QImage, kSumFills> m_stamps;
    std::int64_t m_paintedCells = 0;
    bool m_inShapes = false;  ///< true while painting for a figure
};

/// Returns the fill of a place of a cell. In both themes the fills can be distinguished without colour.
Fill fillOf(SumFill kind, const Palette& colors);

/// Returns a figure of the split at the cursor, as shapes and text. An empty optional without a run, and for bounds.
std::optional<FigureOffer> splitFigure(const ViewState& viewState, const RingMoment& moment);

}  // namespace ui
