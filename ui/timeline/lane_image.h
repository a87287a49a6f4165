#pragma once

#include "ui/timeline/draw_list.h"

#include <QImage>
#include <QRectF>

#include <cstdint>
#include <optional>
#include <vector>

namespace ui {

/// What lies behind a lane image's items.
struct LaneGround {
    QRectF area;                ///< of the viewport, its edges on device pixels; the image covers it
    double pixel = 1;           ///< size of a device pixel
    std::vector<QRectF> fills;  ///< a lane's full height, for lanes that show shares
    std::vector<double> ticks;  ///< x of the axis' lines
};

/// Writes items and areas into an image, scan line by scan line: filling rectangles one by one through QPainter takes
/// three to five times as long. Items of another chunk than the followed one are faint.
/// The image is kept and used again where its size allows.
class LaneImage {
public:
    void draw(const DrawList& list, const LaneGround& ground, const Palette& palette,
              std::optional<std::uint32_t> followed);
    const QImage& image() const { return m_image; }

private:
    struct Block {
        int left, top, right, bottom;  // device pixels of the image, right and bottom exclusive
    };

    Block blockOf(const QRectF& box) const;
    void fill(const Block& block, QRgb color);
    void comb(const Block& block, QRgb color);
    void dots(const Block& block);
    void drawItems(const DrawList& list, std::optional<std::uint32_t> followed);
    void drawArea(const DrawArea& area);
    void drawLine(const DrawLine& line);
    QRgb colorOf(Role role, bool shaded, bool faint) const;
    QRgb* lineAt(int y) { return m_bits + static_cast<std::ptrdiff_t>(y) * m_stride; }

    QImage m_image;
    QRgb* m_bits = nullptr;
    std::ptrdiff_t m_stride = 0;
    QRectF m_area;
    double m_pixel = 1;
    const Palette* m_palette = nullptr;  // while drawing
};

}  // namespace ui
