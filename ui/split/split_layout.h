#pragma once

#include <QRectF>

#include <cstdint>
#include <vector>

namespace ui {

/// The sizes that determine the layout of the split, in the view's unit.
struct SplitNeeds {
    QRectF area;
    double m = 0, n = 0, k = 0;  ///< sides of the matrices; 0: there are no matrices
    std::uint32_t gpus = 1;
    std::uint32_t chunks = 1;
    std::uint32_t focusedGpu = 0;
    std::uint32_t followedChunk = 0;
    double line = 16;    ///< height of a line of text
    double pixel = 1;    ///< size of a device pixel
    double names = 60;   ///< width of the longest chunk name
    int wordRows = 2;    ///< lines of text above the matrices and cells
    double legend = 20;  ///< height of the legend
};

/// The layout of the split: text at the top; the matrices A, B and C with their captions, arranged as in a written
/// product, at the left of the cells or above them; a column for each GPU with a cell for each chunk; and the legend.
/// If there is not room for all GPUs and chunks, those around the selected ones are shown. No two parts overlap; a part
/// without room is empty.
struct SplitLayout {
    QRectF words, a, b, c;
    QRectF aLetter, bLetter, cLetter;
    QRectF captions;      ///< one line for each matrix
    bool toScale = true;  ///< the sides of the matrices are in proportion to their lengths
    QRectF names;         ///< chunk names, left of the cells
    QRectF heads;         ///< GPU names, above the cells
    QRectF cells;
    QRectF more;  ///< text that says how many GPUs and chunks are not shown; empty if all are shown
    QRectF legend;
    std::uint32_t firstGpu = 0, shownGpus = 0, firstChunk = 0, shownChunks = 0;
    double pixel = 1;

    QRectF cell(std::uint32_t gpu, std::uint32_t chunk) const;
    QRectF head(std::uint32_t gpu) const;
    QRectF name(std::uint32_t chunk) const;
    bool shows(std::uint32_t gpu, std::uint32_t chunk) const;

private:
    double columnAt(std::uint32_t gpu) const;
    double rowAt(std::uint32_t chunk) const;
};

SplitLayout layoutSplit(const SplitNeeds& needs);

/// Returns part `index` of a box that is divided into `count` equal parts, from left to right or from top to bottom,
/// with edges on device pixels.
QRectF stripOf(const QRectF& box, std::uint32_t index, std::uint32_t count, bool leftToRight, double pixel);

}  // namespace ui
