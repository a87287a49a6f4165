#pragma once

#include "data/figure/figure_drawing.h"

#include <QFont>
#include <QPaintDevice>
#include <QSizeF>

#include <functional>
#include <memory>

namespace ui {

/// A paint device that records shapes and text instead of pixels. A view becomes part of a figure by painting itself on
/// this device. Coordinates are those of the window's widgets, so sizes measured for the screen still fit; the recorded
/// drawing is in points. Clipped parts are cut off, and text stays text. Each pixel of an image becomes a rectangle of
/// one colour, and a gradient becomes its middle colour: a view that can paint better shapes for these should do so.
class DrawingRecorder final : public QPaintDevice {
public:
    /// Makes a device of `size` in widget coordinates, of which dotsPerInch() make an inch.
    explicit DrawingRecorder(QSizeF size);
    ~DrawingRecorder() override;

    static double dotsPerInch();
    static double pointsPerDot() { return 72 / dotsPerInch(); }

    /// Returns the recorded drawing. Call this after the painter has ended.
    const data::DrawingMark& drawing() const;
    QPaintEngine* paintEngine() const override;

protected:
    int metric(PaintDeviceMetric metric) const override;

private:
    class Engine;

    QSizeF m_size;
    std::unique_ptr<Engine> m_engine;
};

/// Runs `paint` with a painter for a picture of this size in `font`, and returns the picture as shapes and text.
data::DrawingMark recordedDrawing(QSizeF size, const QFont& font, const std::function<void(QPainter&)>& paint);

}  // namespace ui
