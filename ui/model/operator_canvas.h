#pragma once

#include "data/model/model_run.h"

#include <QPointF>
#include <QRectF>
#include <QWidget>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace engine {
struct OperatorGraph;
}

namespace ui {

/// Where an operator stands in the drawing: columns in the order of the forward pass; rows of which some stay empty.
struct OperatorCell {
    int column = 0;
    int row = 0;
};

/// The rows of the drawing. Data go from left to right in the forward pass and back in the backward pass; a collective
/// that a GEMM feeds stands under it, what it is done beside, and an optimizer's second kernel under its first.
namespace operator_row {
inline constexpr int forward = 0, forwardFed = 1, recompute = 2, recomputeFed = 3, backward = 4, backwardFed = 5,
                     weights = 6, secondKernel = 7;
}

/// One operator's way to another.
struct OperatorEdge {
    std::uint32_t from = 0, to = 0;
    bool saved = false;
    std::vector<QPointF> points;
};

/// A model's operator graph in a rectangle: one layer in a frame, what stands before and after the layers beside it, the
/// backward pass beneath the forward pass, each gradient under what it is the gradient of. The same graph in the same
/// room always looks the same; no two operators meet.
struct OperatorLayout {
    std::vector<OperatorCell> cells;  ///< by operator
    std::vector<QRectF> boxes;        ///< by operator
    std::vector<OperatorEdge> edges;
    QRectF layer;                 ///< around what stands once for every layer
    std::vector<int> rows;        ///< those that are used, from the top
    std::vector<double> rowTops;  ///< of each of them
    int columns = 0;

    std::optional<std::uint32_t> at(QPointF point) const;
    /// The next operator in the direction of the step; nothing beyond the last.
    std::optional<std::uint32_t> towards(std::uint32_t from, int columns, int rows) const;
};

/// `line`: height of a line of text. Boxes are as wide as the room allows.
OperatorLayout layoutOperators(const engine::OperatorGraph& graph, const QRectF& area, double line);

struct Palette;
struct Tip;

/// What the fill of a box means.
enum class OperatorColouring : std::uint8_t { time, exposed };

/// The operator graph of a model's layer under one policy: boxes filled by their share of the total, or of what is
/// exposed; beneath a collective how much of it is hidden. A picture of a finished run: it holds nothing but what is
/// selected.
class OperatorCanvas final : public QWidget {
    Q_OBJECT

public:
    explicit OperatorCanvas(QWidget* parent = nullptr);

    /// `policy`: index into the run's policies.
    void showRun(std::shared_ptr<const data::ModelRun> run, std::size_t policy);
    void setColouring(OperatorColouring colouring);
    /// Another run is on its way.
    void setStale(bool stale);
    std::optional<std::uint32_t> selected() const { return m_selected; }
    void select(std::optional<std::uint32_t> op);
    const OperatorLayout& operatorLayout() const { return m_layout; }
    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

Q_SIGNALS:
    void selectionChanged();
    void openRequested(std::uint32_t op);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    void relayout();
    void walk(int key);
    Tip tipAt(QPoint place) const;
    void describe();
    const data::PolicyModelTime& policy() const { return m_run->policies[m_policy]; }
    double shareOf(std::uint32_t op) const;

    // operator_paint.cpp
    void paintFrame(QPainter& painter, const Palette& colors) const;
    void paintEdges(QPainter& painter, const Palette& colors) const;
    void paintBox(QPainter& painter, std::uint32_t op, const Palette& colors) const;
    void paintTexts(QPainter& painter, std::uint32_t op, const QRectF& room, const QColor& ink) const;
    void paintHidden(QPainter& painter, std::uint32_t op, const QRectF& bar, const Palette& colors) const;
    void paintScale(QPainter& painter, const Palette& colors) const;
    QColor fillOf(std::uint32_t op, const Palette& colors) const;

    std::shared_ptr<const data::ModelRun> m_run;
    std::size_t m_policy = 0;
    OperatorColouring m_colouring = OperatorColouring::time;
    bool m_stale = false;
    std::optional<std::uint32_t> m_selected;
    OperatorLayout m_layout;
    double m_line = 16;
    double m_most = 0;  ///< the largest share there is, which has the full colour
};

}  // namespace ui
