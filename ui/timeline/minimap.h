#pragma once

#include "ui/look/timeline_geometry.h"
#include "ui/timeline/draw_list.h"
#include "ui/timeline/timeline_model.h"

#include <QImage>
#include <QWidget>

namespace ui {

class ViewState;

/// An overview of the whole run above the lanes, with the visible range as a window that can be moved and resized at
/// its edges. A press outside the window moves it there; a double click shows the whole run.
class Minimap final : public QWidget {
    Q_OBJECT

public:
    /// `viewState` must outlive the map.
    explicit Minimap(ViewState& viewState, QWidget* parent = nullptr);

    /// Shows a run. `model` must exist until the next call.
    void showModel(const TimelineModel& model);
    /// Aligns the overview with the lanes below.
    void setExtent(double left, double width);
    QRectF windowBox() const;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    enum class Grip { none, start, end, whole };

    Grip gripAt(QPointF position) const;
    TimelineGeometry geometry() const;
    void paintArea(QPainter& painter, const DrawArea& area, const Palette& colors) const;
    QRectF mapBox() const;
    QRectF cursorBox() const;  ///< null without a cursor
    void build();
    void redraw();
    void draw();

    ViewState& m_viewState;
    const TimelineModel* m_model = nullptr;
    DrawList m_list;
    QImage m_drawn;  ///< the picture below the cursor; null: it must be drawn
    QRectF m_paintedCursor;
    double m_left = 0;
    double m_width = 1;
    Grip m_grip = Grip::none;
    std::int64_t m_pressedAt = 0;  // time under the pointer, relative to the window's start
};

}  // namespace ui
