#pragma once

#include "data/replay/ring_state.h"
#include "ui/look/fill_legend.h"
#include "ui/split/split_facts.h"
#include "ui/split/split_layout.h"
#include "ui/workbench/moment_picture.h"
#include "ui/workbench/moment_table.h"

#include <QBrush>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace ui {

/// The content of one place of a cell; each place represents one partial sum.
enum class SumFill : std::uint8_t { empty, own, others, sent, whole };
inline constexpr std::size_t kSumFills = 5;

/// Shows how a GEMM is distributed over the GPUs and how its partial sums are added up: the matrices with their cuts,
/// and for each GPU and chunk of the output a cell with a place for each partial sum, filled according to the tiles at
/// the cursor. Shares cursor, followed chunk and focused GPU with all views. During playback only cells that change are
/// painted.
class SplitView final : public MomentPicture {
    Q_OBJECT

public:
    /// Both must outlive the view; the main window owns all three.
    SplitView(ViewState& viewState, RingMoment& moment, QWidget* parent = nullptr);

    const SplitLayout& splitLayout() const { return m_layout; }
    /// Returns the partial sums of a chunk on a GPU at the cursor. Precondition: hasRun().
    data::ChunkSums sumsAt(std::uint32_t gpu, std::uint32_t chunk) const;
    /// Describes the split of the run, and the state of the focused GPU or of the followed chunk on it.
    QString splitWords() const;
    QString momentWords() const;
    /// Returns the values for the focused GPU, with a row for each chunk.
    MomentTable::Content table() const;
    /// Returns how many cells have been painted since the view was made.
    std::int64_t paintedCells() const { return m_paintedCells; }

Q_SIGNALS:
    /// Emitted when Return is pressed: the user wants to see the values in a table.
    void tableRequested();

protected:
    void showRun() override;
    void layOut() override;
    std::vector<Part> parts() override;
    std::vector<PartState> states() override;
    void paintBackground(QPainter& painter) override;
    void paintMoment(QPainter& painter, const QRegion& region) override;
    std::function<void()> actionOf(int key) override;
    QString spokenText() const override;
    MomentFigureWords figureWords(const QString& run, const QString& when) const override;
    double figureHeight(double width) const override;

private:
    /// The strips of a matrix that have numbers.
    struct NumberedStrips {
        std::uint32_t count = 1;
        std::optional<std::uint32_t> chosen;
        QColor chosenColor;
        bool leftToRight = true;
        double length = 1;  ///< length of all strips together
        std::function<QRectF(std::uint32_t)> boxOf;
    };
    struct Matrix {
        char letter;
        QRectF box, letterBox;
    };

    std::optional<std::uint32_t> followedChunk() const;  ///< the followed chunk, if the run has it
    SplitNeeds needs() const;
    bool sends(std::uint32_t gpu, std::uint32_t chunk) const;
    bool receives(std::uint32_t gpu, std::uint32_t chunk) const;
    QRectF nowBox() const;
    void chooseChunk(int by);
    QString chunkWords(std::uint32_t gpu, std::uint32_t chunk) const;
    QString gpuWords(std::uint32_t gpu) const;
    /// Calls `act` for each shown cell.
    void forCells(const std::function<void(std::uint32_t gpu, std::uint32_t chunk)>& act) const;
    std::array<Matrix, 3> matrices() const;
    /// Returns whether the GPUs' strips of a matrix are from left to right; an empty optional if it is not cut.
    std::optional<bool> cutOf(char matrix) const;

    void paintMatrices(QPainter& painter) const;
    void paintStrips(QPainter& painter, const QRectF& box, bool leftToRight) const;
    void paintNumbers(QPainter& painter, const NumberedStrips& strips) const;
    void paintFrames(QPainter& painter, const QRectF& whole, const QRectF& chosen) const;
    void paintChunkBands(QPainter& painter) const;
    void paintFormula(QPainter& painter) const;
    void paintNames(QPainter& painter) const;
    void paintMore(QPainter& painter) const;
    void paintChosen(QPainter& painter) const;
    void paintCell(QPainter& painter, std::uint32_t gpu, std::uint32_t chunk);
    void paintPlaces(QPainter& painter, const std::vector<std::pair<QRectF, SumFill>>& places) const;
    bool hasRoomForAll() const;
    QRectF insideOf(std::uint32_t gpu, std::uint32_t chunk) const;
    std::vector<std::pair<QRectF, SumFill>> fillsOf(const QRectF& box, const data::ChunkSums& sums) const;
    QRectF bandOf(std::uint32_t chunk) const;
    std::vector<FillLegendEntry> legend() const;

    SplitFacts m_facts;
    bool m_ring = false;  ///< each GPU sends its chunks to the GPU before it
    SplitLayout m_layout;
    int m_splitRows = 1, m_nowRows = 1;
    QString m_now;  ///< momentWords() at the time of states()
    std::array<QBrush, kSumFills> m_stamps;
    std::int64_t m_paintedCells = 0;
};

/// Returns the fill of a place of a cell. In both themes the fills can be distinguished without colour.
Fill fillOf(SumFill kind, const Palette& colors);

/// Returns the table of a view's values, for a panel. Selecting a row follows its chunk in all views.
MomentTable* newSplitTable(ViewState& viewState, RingMoment& moment, const SplitView& view);

}  // namespace ui
