#include "ui/look/ribbon_image.h"

#include "ui/look/cause_style.h"
#include "ui/look/palette.h"
#include "ui/look/texture.h"

#include <array>

namespace ui {

QImage ribbonImage(const RibbonColumns& columns, int height, double pixelRatio, int spacing, const Palette& palette) {
    const auto width = static_cast<int>(columns.times.size());
    QImage image = width > 0 ? QImage(width, height, QImage::Format_RGB32) : QImage();
    if (image.isNull())
        return image;
    image.setDevicePixelRatio(pixelRatio);
    std::array<QImage, engine::kCauses> stamps;
    for (std::size_t i = 0; i < engine::kCauses; ++i)
        stamps[i] =
            fillStamp(fillOf(static_cast<engine::Cause>(i), palette), spacing).convertToFormat(QImage::Format_RGB32);
    auto* pixels = reinterpret_cast<QRgb*>(image.bits());
    const auto line = static_cast<std::size_t>(image.bytesPerLine()) / sizeof(QRgb);
    for (int x = 0; x < width; ++x) {
        const auto heights = ribbonHeights(columns.times[static_cast<std::size_t>(x)], height);
        const int across = static_cast<int>((columns.first + x) % stamps[0].width());
        int y = 0;
        for (std::size_t i = 0; i < engine::kCauses; ++i) {
            for (const int until = y + heights[i]; y < until; ++y) {
                const auto* stamp = reinterpret_cast<const QRgb*>(stamps[i].constScanLine(y % stamps[i].height()));
                pixels[static_cast<std::size_t>(y) * line + static_cast<std::size_t>(x)] = stamp[across];
            }
        }
    }
    return image;
}

}  // namespace ui
