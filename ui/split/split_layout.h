#pragma once

#include <QRectF>

#include <cstdint>
#include <optional>
#include <vector>

namespace ui {

/// What the picture of a split needs room for, in the view's unit.
struct SplitNeeds {
    QRectF area;
    double m = 0, n = 0, k = 0;  ///< sides of the matrices; 0: there are none
    std::uint32_t gpus = 1;
    std::uint32_t chunks = 1;
    std::uint32_t focusedGpu = 0;
    std::uint32_t followedChunk = 0;
    double line = 16;    ///< height of a line of text
    double pixel = 1;    ///< of the device
    double names = 60;   ///< width of the longest name of a chunk
    int wordRows = 2;    ///< lines of text above the picture
    double legend = 20;  ///< height
};

/// Where everything stands on the picture of a split: words, at the left or above the matrices A, B and C as one writes a
/// product, then a column for each GPU with a cell for each chunk, and the legend. Of more GPUs or chunks than there is
/// room for, those around the chosen ones are shown. No two parts meet; what has no room is empty.
struct SplitLayout {
    QRectF words, a, b, c;
    QRectF aLetter, bLetter, cLetter;
    QRectF captions;      ///< a line for each matrix
    bool toScale = true;  ///< the matrices' sides are in the proportion of their lengths
    QRectF names;         ///< of chunks, left of the cells
    QRectF heads;         ///< names of GPUs, above the cells
    QRectF cells;
    QRectF more;  ///< how many GPUs and chunks are not shown; empty where all are
    QRectF legend;
    std::uint32_t firstGpu = 0, shownGpus = 0, firstChunk = 0, shownChunks = 0;
    double pixel = 1;

    QRectF cell(std::uint32_t gpu, std::uint32_t chunk) const;
    QRectF head(std::uint32_t gpu) const;
    QRectF name(std::uint32_t chunk) const;
    bool shows(std::uint32_t gpu, std::uint32_t chunk) const;
    std::optional<std::uint32_t> gpuAt(double x) const;
    std::optional<std::uint32_t> chunkAt(double y) const;

private:
    double columnAt(std::uint32_t gpu) const;
    double rowAt(std::uint32_t chunk) const;
};

SplitLayout layoutSplit(const SplitNeeds& needs);

/// Returns part `index` of `count` equal ones of a box, from left to right or from top to bottom, on device pixels.
QRectF stripOf(const QRectF& box, std::uint32_t index, std::uint32_t count, bool leftToRight, double pixel);

}  // namespace ui
