#pragma once

#include "data/figure/figure_drawing.h"

#include <QFont>
#include <QPaintDevice>
#include <QSizeF>

#include <functional>
#include <memory>

namespace ui {

/// Something to paint on that keeps what is painted as shapes and words, so that a view becomes part of a figure by
/// painting itself once more. Its unit is that of the window's widgets, so that what was measured for the screen fits;
/// the drawing is in points. What is clipped is cut off, and words stay words. Pixels become rectangles of one colour
/// each, and gradients their middle: a view that has better shapes should paint those.
class DrawingRecorder final : public QPaintDevice {
public:
    /// In widget coordinates, of which there are dotsPerInch() to the inch.
    explicit DrawingRecorder(QSizeF size);
    ~DrawingRecorder() override;

    static double dotsPerInch();
    static double pointsPerDot() { return 72 / dotsPerInch(); }

    /// After the painter has ended.
    const data::DrawingMark& drawing() const;
    QPaintEngine* paintEngine() const override;

protected:
    int metric(PaintDeviceMetric metric) const override;

private:
    class Engine;

    QSizeF m_size;
    std::unique_ptr<Engine> m_engine;
};

/// Returns what `paint` paints in `font` on a picture of this size, as shapes and words.
data::DrawingMark recordedDrawing(QSizeF size, const QFont& font, const std::function<void(QPainter&)>& paint);

}  // namespace ui
