#include "ui/split/split_layout.h"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr double kMargin = 0.8;           // lines, as are the next ones
constexpr double kWordRow = 1.25;         // height of a line of words or captions
constexpr double kLetterRow = 1.3;        // height of the letters above B and below A and C
constexpr double kGap = 0.8;              // distance between matrices
constexpr double kBetween = 1.6;          // distance between matrices and cells
constexpr double kHead = 1.5;             // height of a GPU's name
constexpr double kLeastColumn = 2.4;      // smallest width of a GPU's column
constexpr double kMostColumn = 14;        // largest width of the column
constexpr double kLeastRow = 1.2;         // smallest height of a chunk's row
constexpr double kMostRow = 14;           // largest height of the row
constexpr double kLeastSide = 4;          // smallest length of the longest side of a matrix
constexpr double kMatrices = 0.36;        // share of the width for the matrices
constexpr double kMatricesAbove = 0.42;   // share of the height for the matrices above the cells
constexpr double kNarrow = 1.05;          // aspect ratio below which the matrices are above the cells
constexpr double kLongestToShortest = 6;  // largest ratio of two sides as drawn
constexpr std::uint32_t kAll = 16;        // GPUs or chunks: up to this number all are shown if there is room
constexpr std::uint32_t kFewGpus = 8;     // GPUs shown if there are more than kAll
constexpr std::size_t kCaptions = 3;

double snapped(double value, double pixel) { return std::round(value / pixel) * pixel; }

QRectF snapped(const QRectF& box, double pixel) {
    return {QPointF(snapped(box.left(), pixel), snapped(box.top(), pixel)),
            QPointF(snapped(box.right(), pixel), snapped(box.bottom(), pixel))};
}

/// The lengths of the sides in proportion to each other, before they are scaled to the view.
struct DrawnSides {
    double m, n, k;
    bool toScale;
};

DrawnSides drawnSides(const SplitNeeds& needs) {
    const double least = std::max({needs.m, needs.n, needs.k}) / kLongestToShortest;
    return {std::max(needs.m, least), std::max(needs.n, least), std::max(needs.k, least),
            std::min({needs.m, needs.n, needs.k}) >= least};
}

// Places the matrices as in a written product: A left of C, B above it. Returns the width of the whole; 0 if there is
// no room.
double placeMatrices(SplitLayout& layout, const QRectF& room, const SplitNeeds& needs) {
    const double line = needs.line;
    const DrawnSides sides = drawnSides(needs);
    const double gap = line * kGap;
    const double captions = line * kWordRow * kCaptions;
    const double width = room.width() - gap;
    const double height = room.height() - gap - 2 * line * kLetterRow - captions;
    const double unit = std::min(width / (sides.k + sides.n), height / (sides.k + sides.m));
    if (!(unit > 0) || std::min({sides.m, sides.n, sides.k}) * unit < line)
        return 0;
    if (std::max({sides.m, sides.n, sides.k}) * unit < line * kLeastSide)
        return 0;
    const double drawn = (sides.k + sides.m) * unit + gap;
    const double top = room.top() + line * kLetterRow + std::max(0.0, (height + gap - drawn) / 2);
    const double left = room.left();
    const double right = left + sides.k * unit + gap;
    const double below = top + sides.k * unit + gap;
    layout.toScale = sides.toScale;
    layout.b = snapped(QRectF(right, top, sides.n * unit, sides.k * unit), needs.pixel);
    layout.a = snapped(QRectF(left, below, sides.k * unit, sides.m * unit), needs.pixel);
    layout.c = snapped(QRectF(right, below, sides.n * unit, sides.m * unit), needs.pixel);
    const double letters = line * kLetterRow;
    layout.bLetter = QRectF(layout.b.left(), layout.b.top() - letters, layout.b.width(), letters);
    layout.aLetter = QRectF(layout.a.left(), layout.a.bottom(), layout.a.width(), letters);
    layout.cLetter = QRectF(layout.c.left(), layout.c.bottom(), layout.c.width(), letters);
    layout.captions = QRectF(left, layout.aLetter.bottom(), room.width(), captions);
    return std::max(layout.c.right() - left, line * 20);
}

struct Window {
    std::uint32_t first, count;
};

// Returns the range of `count` items, with the chosen one in the middle if possible.
Window windowAround(std::uint32_t chosen, std::uint32_t all, std::uint32_t count) {
    const std::uint32_t shown = std::clamp(count, 1u, std::max(1u, all));
    const std::uint32_t half = shown / 2;
    const std::uint32_t first = chosen > half ? chosen - half : 0;
    return {std::min(first, std::max(1u, all) - shown), shown};
}

std::uint32_t roomFor(double length, double least) {
    return static_cast<std::uint32_t>(std::clamp(std::floor(length / least), 1.0, 4096.0));
}

void placeCells(SplitLayout& layout, QRectF room, const SplitNeeds& needs) {
    const double line = needs.line;
    room.setLeft(room.left() + needs.names + line * 0.4);
    room.setTop(room.top() + line * kHead);
    const std::uint32_t few = needs.gpus > kAll ? kFewGpus : needs.gpus;
    const Window gpus =
        windowAround(needs.focusedGpu, needs.gpus, std::min(few, roomFor(room.width(), line * kLeastColumn)));
    const std::uint32_t most = std::min(needs.chunks, kAll);
    std::uint32_t rows = std::min(most, roomFor(room.height(), line * kLeastRow));
    if (gpus.count < needs.gpus || rows < needs.chunks) {
        layout.more = QRectF(room.left(), room.bottom() - line * kWordRow, room.width(), line * kWordRow);
        room.setBottom(layout.more.top() - line * 0.2);
        rows = std::min(most, roomFor(room.height(), line * kLeastRow));
    }
    const Window chunks = windowAround(needs.followedChunk, needs.chunks, rows);
    const double width = std::min(room.width(), line * kMostColumn * gpus.count);
    const double height = std::min(room.height(), line * kMostRow * chunks.count);
    layout.firstGpu = gpus.first;
    layout.shownGpus = gpus.count;
    layout.firstChunk = chunks.first;
    layout.shownChunks = chunks.count;
    layout.cells = snapped(QRectF(room.left(), room.top(), width, height), needs.pixel);
    layout.heads = QRectF(layout.cells.left(), layout.cells.top() - line * kHead, width, line * kHead);
    layout.names = QRectF(layout.cells.left() - needs.names - line * 0.4, layout.cells.top(), needs.names, height);
    if (!layout.more.isEmpty())
        layout.more.moveTop(layout.cells.bottom() + line * 0.2);
}

}  // namespace

SplitLayout layoutSplit(const SplitNeeds& needs) {
    const double line = needs.line;
    SplitLayout layout;
    layout.pixel = needs.pixel;
    const QRectF area = needs.area.adjusted(line * kMargin, line * 0.4, -line * kMargin, -line * 0.4);
    layout.words = QRectF(area.left(), area.top(), area.width(), line * kWordRow * needs.wordRows);
    layout.legend = QRectF(area.left(), area.bottom() - needs.legend, area.width(), needs.legend);
    QRectF body(QPointF(area.left(), layout.words.bottom() + line * 0.5),
                QPointF(area.right(), layout.legend.top() - line * 0.5));
    if (needs.m > 0 && body.width() < body.height() * kNarrow) {
        const QRectF room(body.left(), body.top(), body.width(), body.height() * kMatricesAbove);
        if (placeMatrices(layout, room, needs) > 0)
            body.setTop(layout.captions.bottom() + line * 0.5);
    } else if (needs.m > 0) {
        const QRectF room(body.left(), body.top(), body.width() * kMatrices, body.height());
        const double used = placeMatrices(layout, room, needs);
        if (used > 0) {
            layout.captions.setWidth(used);
            body.setLeft(body.left() + used + line * kBetween);
        }
    }
    placeCells(layout, body, needs);
    return layout;
}

QRectF stripOf(const QRectF& box, std::uint32_t index, std::uint32_t count, bool leftToRight, double pixel) {
    const double share = 1.0 / std::max(1u, count);
    const double begin = leftToRight ? box.left() : box.top();
    const double length = leftToRight ? box.width() : box.height();
    const double from = snapped(begin + length * share * index, pixel);
    const double to = snapped(begin + length * share * (index + 1), pixel);
    return leftToRight ? QRectF(from, box.top(), to - from, box.height())
                       : QRectF(box.left(), from, box.width(), to - from);
}

double SplitLayout::columnAt(std::uint32_t gpu) const {
    return snapped(cells.left() + cells.width() * (gpu - firstGpu) / std::max(1u, shownGpus), pixel);
}

double SplitLayout::rowAt(std::uint32_t chunk) const {
    return snapped(cells.top() + cells.height() * (chunk - firstChunk) / std::max(1u, shownChunks), pixel);
}

QRectF SplitLayout::cell(std::uint32_t gpu, std::uint32_t chunk) const {
    return {QPointF(columnAt(gpu), rowAt(chunk)), QPointF(columnAt(gpu + 1), rowAt(chunk + 1))};
}

QRectF SplitLayout::head(std::uint32_t gpu) const {
    return {columnAt(gpu), heads.top(), columnAt(gpu + 1) - columnAt(gpu), heads.height()};
}

QRectF SplitLayout::name(std::uint32_t chunk) const {
    return {names.left(), rowAt(chunk), names.width(), rowAt(chunk + 1) - rowAt(chunk)};
}

bool SplitLayout::shows(std::uint32_t gpu, std::uint32_t chunk) const {
    return gpu >= firstGpu && gpu < firstGpu + shownGpus && chunk >= firstChunk && chunk < firstChunk + shownChunks;
}

}  // namespace ui
