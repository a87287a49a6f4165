#pragma once

#include "data/model/model_run.h"
#include "ui/drawing/part_picture.h"

#include <QPointF>
#include <QRectF>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace engine {
struct OperatorGraph;
}

namespace ui {

/// The position of an operator in the drawing. Columns follow the order of the forward pass; some rows stay empty.
struct OperatorCell {
    int column = 0;
    int row = 0;
};

/// The rows of the drawing. Data flow from left to right in the forward pass and back in the backward pass. A
/// collective that a GEMM feeds is below that GEMM, because it runs beside it, and an optimizer's second kernel is
/// below its first.
namespace operator_row {
inline constexpr int forward = 0, forwardFed = 1, recompute = 2, recomputeFed = 3, backward = 4, backwardFed = 5,
                     weights = 6, secondKernel = 7;
}

/// An edge from one operator to another.
struct OperatorEdge {
    std::uint32_t from = 0, to = 0;
    bool saved = false;  ///< for the backward pass or recomputation, as in engine::OperatorDependency
    std::vector<QPointF> points;
};

/// The layout of a model's operator graph in a rectangle: one layer in a frame, the operators before and after the
/// layers beside it, the backward pass below the forward pass, each gradient below the operator that it belongs to. The
/// layout depends only on the graph and the rectangle, and no two operators overlap.
struct OperatorLayout {
    std::vector<OperatorCell> cells;  ///< by operator
    std::vector<QRectF> boxes;        ///< by operator
    std::vector<OperatorEdge> edges;
    QRectF layer;                 ///< around the operators that every layer has
    std::vector<int> rows;        ///< the rows that have operators, from the top
    std::vector<double> rowTops;  ///< the top of each row of `rows`
    int columns = 0;

    /// Returns the next operator in a direction; an empty optional if there is none.
    std::optional<std::uint32_t> towards(std::uint32_t from, int columns, int rows) const;
};

/// Computes the layout. `line`: height of a line of text. Boxes are as wide as the room allows.
OperatorLayout layoutOperators(const engine::OperatorGraph& graph, const QRectF& area, double line);

/// What the fill of a box shows.
enum class OperatorColouring : std::uint8_t { time, exposed };

/// The operator graph of a model's layer under one policy. The fill of a box shows the operator's share of the total or
/// of the exposed time; a bar in the box of a collective shows which part of it is hidden. Shows a finished run; the
/// only state of its own is the selection.
class OperatorCanvas final : public PartPicture {
    Q_OBJECT

public:
    explicit OperatorCanvas(QWidget* parent = nullptr);

    /// Shows a run; `policy` is an index into its policies.
    void showRun(std::shared_ptr<const data::ModelRun> run, std::size_t policy);
    void setColouring(OperatorColouring colouring);
    /// Dims the picture while another run is in progress.
    void setStale(bool stale);
    std::optional<std::uint32_t> selected() const { return m_selected; }
    void select(std::optional<std::uint32_t> op);
    const OperatorLayout& operatorLayout() const { return m_layout; }
    QSize sizeHint() const override;

Q_SIGNALS:
    void selectionChanged();
    void openRequested(std::uint32_t op);

protected:
    bool isEmpty() const override { return !m_run || m_layout.boxes.empty(); }
    void layOut() override;
    std::vector<Part> parts() override;
    void paintBackground(QPainter&) override {}  // the selection, on which the rest depends, may always change
    void paintMoment(QPainter& painter, const QRegion& region) override;
    std::function<void()> actionOf(int key) override;
    QString spokenText() const override;

private:
    /// Returns the width below which the graph is not squeezed; 0: any.
    int leastWidth() const;
    void walk(int key);
    QString tipOf(std::uint32_t op) const;
    const data::PolicyModelTime& policy() const { return m_run->policies[m_policy]; }
    double shareOf(std::uint32_t op) const;

    // Defined in operator_paint.cpp.
    void paintFrame(QPainter& painter) const;
    void paintEdges(QPainter& painter) const;
    void paintBox(QPainter& painter, std::uint32_t op) const;
    void paintTexts(QPainter& painter, std::uint32_t op, const QRectF& room, const QColor& ink) const;
    void paintHidden(QPainter& painter, std::uint32_t op, const QRectF& bar) const;
    void paintScale(QPainter& painter) const;
    QColor fillOf(std::uint32_t op) const;

    std::shared_ptr<const data::ModelRun> m_run;
    std::size_t m_policy = 0;
    OperatorColouring m_colouring = OperatorColouring::time;
    bool m_stale = false;
    std::optional<std::uint32_t> m_selected;
    OperatorLayout m_layout;
    double m_most = 0;  ///< the largest share, which has the full colour
};

}  // namespace ui
