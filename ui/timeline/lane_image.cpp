#include "ui/timeline/timeline_painter.h"

#include "ui/look/kernel_style.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ui {
namespace {

constexpr auto kRoles = static_cast<std::size_t>(Role::neutral) + 1;
constexpr int kDot = 2;             // device pixels
constexpr int kCombTooth = 2;       // device pixels
constexpr double kCombDepth = 0.2;  // of the block's height
constexpr int kGroundAlpha = 110;   // of 255, as are the next two
constexpr int kFaintAlpha = 70;
constexpr int kEnvelopeAlpha = 60;
constexpr double kTextureSpacing = 6;  // of the kernels' textures

// Mixes two channels at a time; QColor would take ten times as long for each pixel.
QRgb mixed(QRgb front, QRgb back, std::uint32_t alpha) {
    constexpr std::uint32_t kOuter = 0x00ff00ff;
    constexpr std::uint32_t kInner = 0x0000ff00;
    const std::uint32_t weight = alpha + (alpha >> 7);  // of 256
    const std::uint32_t outer = ((front & kOuter) * weight + (back & kOuter) * (256 - weight)) >> 8;
    const std::uint32_t inner = ((front & kInner) * weight + (back & kInner) * (256 - weight)) >> 8;
    return 0xff000000 | (outer & kOuter) | (inner & kInner);
}

// Rounds to the nearest coordinate of the image, from 0 to `most`.
int nearest(double value, int most) { return static_cast<int>(std::clamp(value, 0.0, 1.0 * most) + 0.5); }

}  // namespace

QRgb LaneImage::colorOf(Role role, bool shaded, bool faint) const {
    const QRgb color = (shaded ? m_palette->shaded(role) : m_palette->of(role)).rgb();
    return faint ? mixed(color, m_palette->surface.rgb(), kFaintAlpha) : color;
}

LaneImage::Block LaneImage::blockOf(const QRectF& box) const {
    const auto column = [this](double x) { return nearest((x - m_area.left()) / m_pixel, m_image.width()); };
    const auto row = [this](double y) { return nearest((y - m_area.top()) / m_pixel, m_image.height()); };
    return {column(box.left()), row(box.top()), column(box.right()), row(box.bottom())};
}

void LaneImage::fill(const Block& block, QRgb color) {
    for (int y = block.top; y < block.bottom; ++y) {
        QRgb* line = lineAt(y);
        std::fill(line + block.left, line + block.right, color);
    }
}

// Fills a block with a texture. The texture starts at the image's corner, so that it continues from one block of a
// kernel to the next.
void LaneImage::stamp(const Block& block, const QImage& period) {
    const int size = period.width();
    for (int y = block.top; y < block.bottom; ++y) {
        QRgb* line = lineAt(y);
        const auto* from = reinterpret_cast<const QRgb*>(period.constScanLine(y % size));
        for (int x = block.left; x < block.right; ++x)
            line[x] = from[x % size];
    }
}

const QImage& LaneImage::stampOf(data::KernelNumber kernel, bool shaded, bool faint) {
    QImage& period = m_stamps[{kernel, shaded, faint}];
    if (period.isNull()) {
        Fill fill = fillOf(kernel, *m_palette, shaded);
        if (faint) {
            fill.color = QColor::fromRgb(mixed(fill.color.rgb(), m_palette->surface.rgb(), kFaintAlpha));
            fill.ink = QColor::fromRgb(mixed(fill.ink.rgb(), m_palette->surface.rgb(), kFaintAlpha));
        }
        period = fillStamp(fill, m_stampsFor->second);
    }
    return period;
}

// Draws a toothed upper edge, which shows that there are several spans here and too few pixels to draw each of them.
void LaneImage::comb(const Block& block, QRgb color) {
    const int depth = std::max(2, static_cast<int>((block.bottom - block.top) * kCombDepth));
    for (int y = block.top; y < std::min(block.bottom, block.top + depth); ++y) {
        QRgb* line = lineAt(y);
        for (int x = block.left; x < block.right; ++x) {
            if (x / kCombTooth % 2 == 0)
                line[x] = color;
        }
    }
}

void LaneImage::dots(const Block& block) {
    QRgb* line = lineAt(block.top);
    for (int x = block.left; x < block.right; ++x) {
        if (x / kDot % 5 == 0)
            line[x] = m_palette->inkFaint.rgb();
    }
}

void LaneImage::drawItems(const DrawList& list, std::optional<std::uint32_t> followed) {
    // Colours by role, tint and faintness, each computed once.
    std::array<std::array<QRgb, 4>, kRoles> colors;
    for (std::size_t role = 0; role < kRoles; ++role) {
        for (std::size_t look = 0; look < 4; ++look)
            colors[role][look] = colorOf(static_cast<Role>(role), look % 2 == 1, look >= 2);
    }
    for (const DrawItem& item : list.items) {
        const bool faint = followed && item.chunk != engine::kNone && !isAbout(item, *followed);
        // Leaves a gap of one pixel between neighbours if there is room for it.
        const double gap = item.chunk != engine::kNone && item.width > 4 ? m_pixel : 0;
        const Block block = blockOf({item.x, item.y, item.width - gap, item.height});
        if (item.kernel)
            stamp(block, stampOf(*item.kernel, item.shaded, faint));
        else
            fill(block, colors[static_cast<std::size_t>(item.role)][(item.shaded ? 1 : 0) + (faint ? 2 : 0)]);
        if (item.merged)
            comb(block, m_palette->surface.rgb());
    }
}

// Draws lines with light edges, so that they stand out from every fill.
void LaneImage::drawPieceEnds(const std::vector<DrawPieceEnd>& ends) {
    for (const DrawPieceEnd& end : ends) {
        fill(blockOf({end.x - 1, end.y, 3, end.height}), m_palette->surface.rgb());
        fill(blockOf({end.x, end.y, 1, end.height}), m_palette->ink.rgb());
    }
}

void LaneImage::drawGaps(const std::vector<DrawGap>& gaps) {
    if (m_gapStamp.isNull() && !gaps.empty())
        m_gapStamp = fillStamp(emptySlotFill(*m_palette), m_stampsFor->second);
    for (const DrawGap& gap : gaps)
        stamp(blockOf(gap.box()), m_gapStamp);
}

void LaneImage::drawArea(const DrawArea& area) {
    const Block band = blockOf({m_area.left(), area.top, m_area.width(), area.height});
    const int foot = static_cast<int>(std::lround((area.top + area.height - m_area.top()) / m_pixel));
    const auto first = static_cast<int>(area.firstColumn - std::lround(m_area.left() / m_pixel));
    for (const DrawArea::Layer& layer : area.layers) {
        // A layer is written only above the layer below it. Drawing from front to back would therefore save nothing.
        const std::uint16_t* below = &layer == &area.layers.front() ? nullptr : (&layer - 1)->tops.data();
        const QRgb plain = m_palette->of(layer.role).rgb();
        const QImage* period = layer.kernel ? &stampOf(*layer.kernel, false, false) : nullptr;
        const int size = period != nullptr ? period->width() : 1;
        const int columns = std::min(static_cast<int>(layer.tops.size()), m_image.width() - first);
        const std::uint16_t* tops = layer.tops.data();
        const int highest = columns > 0 ? *std::max_element(tops, tops + columns) : 0;
        for (int y = std::max(band.top, foot - highest); y < band.bottom; ++y) {
            const int above = foot - y;  // columns that are at least this high contain the scan line
            QRgb* line = lineAt(y) + first;
            if (period != nullptr) {
                const auto* from = reinterpret_cast<const QRgb*>(period->constScanLine(y % size));
                for (int x = std::max(0, -first); x < columns; ++x) {
                    if (tops[x] >= above && (below == nullptr || below[x] < above))
                        line[x] = from[(first + x) % size];
                }
            } else if (below == nullptr) {
                for (int x = std::max(0, -first); x < columns; ++x)
                    line[x] = tops[x] >= above ? plain : line[x];
            } else {
                for (int x = std::max(0, -first); x < columns; ++x)
                    line[x] = tops[x] >= above && below[x] < above ? plain : line[x];
            }
        }
    }
    // Draws a dotted line at the height of the whole, of which the area below it shows a share.
    const int right = area.layers.empty() ? 0 : first + static_cast<int>(area.layers.front().tops.size());
    if (area.merged && band.top < band.bottom && area.top >= m_area.top())
        dots({std::max(0, first), band.top, std::min(m_image.width(), right), band.top + 1});
}

// Draws the mean as a line and, faintly around it, the range of the values within a pixel's time.
void LaneImage::drawLine(const DrawLine& line) {
    const int foot = static_cast<int>(std::lround((line.top + line.height - m_area.top()) / m_pixel));
    const auto first = static_cast<int>(line.firstColumn - std::lround(m_area.left() / m_pixel));
    const int thick = std::max(1, static_cast<int>(std::lround(1.4 / m_pixel)));
    const QRgb color = (line.role ? m_palette->of(*line.role) : m_palette->ink).rgb();
    const auto column = [&](int x, int low, int high, std::uint32_t alpha) {
        for (int y = std::max(0, foot - high); y < std::min(m_image.height(), foot - low); ++y) {
            QRgb& pixel = lineAt(y)[x];
            pixel = mixed(color, pixel, alpha);
        }
    };
    for (int i = 0; i < static_cast<int>(line.mean.size()); ++i) {
        const int x = first + i;
        if (x < 0 || x >= m_image.width())
            continue;
        const auto at = static_cast<std::size_t>(i);
        column(x, line.low[at], line.high[at], kEnvelopeAlpha);
        // Draws from the previous mean to this one, so that the line has no gaps.
        const int before = i > 0 ? line.mean[at - 1] : line.mean[at];
        const int now = line.mean[at];
        if (before == 0 && now == 0 && line.high[at] == 0)
            continue;  // the value is 0 for all of the pixel's time; the picture is clearer without a line
        column(x, std::min(before, now), std::max(before, now) + thick, 255);
    }
}

void LaneImage::draw(const DrawList& list, const LaneGround& ground, const Palette& palette,
                     std::optional<std::uint32_t> followed) {
    m_area = ground.area;
    m_pixel = ground.pixel;
    m_palette = &palette;
    const std::pair look{palette.theme, std::max(4, static_cast<int>(std::lround(kTextureSpacing / m_pixel)))};
    if (m_stampsFor != look) {
        m_stamps.clear();
        m_gapStamp = {};
        m_stampsFor = look;
    }
    const QSize size(std::max(1, static_cast<int>(std::lround(m_area.width() / m_pixel))),
                     std::max(1, static_cast<int>(std::lround(m_area.height() / m_pixel))));
    if (m_image.size() != size)
        m_image = QImage(size, QImage::Format_RGB32);
    m_image.setDevicePixelRatio(1 / m_pixel);
    m_bits = reinterpret_cast<QRgb*>(m_image.bits());
    m_stride = m_image.bytesPerLine() / static_cast<std::ptrdiff_t>(sizeof(QRgb));
    m_image.fill(palette.surface);
    for (const QRectF& box : ground.fills)
        fill(blockOf(box), mixed(palette.grid.rgb(), palette.surface.rgb(), kGroundAlpha));
    for (const double x : ground.ticks)
        fill(blockOf({x, m_area.top(), 1, m_area.height()}), palette.grid.rgb());
    for (const DrawArea& area : list.areas)
        drawArea(area);
    drawItems(list, followed);
    drawGaps(list.gaps);
    for (const DrawLine& line : list.lines)
        drawLine(line);
    drawPieceEnds(list.pieceEnds);
    m_palette = nullptr;
}

}  // namespace ui
