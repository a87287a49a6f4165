#pragma once

#include <QPointF>
#include <QRectF>

#include <cstdint>
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
/// that a GEMM feeds stands under it, what it is done beside.
namespace operator_row {
inline constexpr int forward = 0, forwardFed = 1, backward = 2, backwardFed = 3, weights = 4;
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

}  // namespace ui
