#pragma once

#include "ui/charts/chart_drawing.h"
#include "ui/charts/target_index.h"

#include <QPixmap>
#include <QWidget>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ui {

class SweepState;

/// Shows a chart and handles the mouse over it: hovering points, brushing by dragging, opening by a double click. The
/// chart is cached as pixels, and highlights are painted over it. New results discard the cache, and the next paint
/// event draws the chart once for all of them.
class ChartCanvas final : public QWidget {
    Q_OBJECT

public:
    /// The state must outlive the canvas.
    ChartCanvas(SweepState& state, QWidget* parent = nullptr);
    ~ChartCanvas() override;

    void setSettings(const ChartSettings& settings);
    QSize minimumSizeHint() const override;

    /// Returns the chart as it is shown now; null if there is nothing to draw.
    const ChartDrawing* drawing();
    /// Returns the chart as a figure; an empty optional if there is nothing to draw.
    std::optional<FigureOffer> figure() const;
    /// Returns the text shown in place of a chart, which says what is missing and what the user can do. Empty while
    /// there is a chart.
    QString emptyText() const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    /// Returns the current input of the chart; an empty optional if there is nothing to draw.
    std::optional<ChartInput> input() const;
    void showTable();
    void forgetDrawing();
    void forgetPicture();
    void buildDrawing();
    void buildPicture();
    void paintNotes(QPainter& painter) const;
    void paintBrushed(QPainter& painter) const;
    void paintEmpty(QPainter& painter) const;
    QRectF notesRoom(double height) const;
    double notesHeight() const;
    std::optional<std::size_t> targetAt(QPointF position);
    std::vector<std::size_t> targetsOf(std::size_t row) const;
    void pointAt(std::optional<std::size_t> target, QPoint global);
    void step(QPointF direction);
    void describe();

    SweepState& m_state;
    ChartSettings m_settings;
    std::shared_ptr<const SweepPoints> m_points;
    std::unique_ptr<ChartDrawing> m_drawing;
    ChartStyle m_style;
    TargetIndex m_index;
    std::vector<std::pair<std::size_t, std::size_t>> m_targetsByRow;
    QPixmap m_picture;
    QRectF m_legendRoom;
    std::optional<QPointF> m_pressed;
    QRectF m_band;
    std::optional<std::size_t> m_pointed;  // the target from which the arrow keys move
};

}  // namespace ui
