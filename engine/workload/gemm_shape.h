#pragma once

#include "engine/api/experiment.h"
#include "engine/api/gemm.h"

#include <cstdint>

namespace engine {

/// M x H x sliced side/N where the output is reduced; where the input is gathered, M x sliced side/N x H
/// (engine::slicedSide; model.md, section 1). A batch of GEMMs is one whose K is cut into that many parts: each part
/// reads its own slice of A and B and writes an output of its own.
/// Precondition: the experiment is valid and not a collective alone.
GemmSize gemmShapeOf(const Experiment& experiment);

/// The same of what has been cut already. Precondition: not of a collective alone.
constexpr GemmSize gemmSizeOf(const Shape& shape) { return {shape.m, shape.n, shape.k * shape.batch, shape.batch}; }

/// The shape of each copy of a companion GEMM, a batch as the own one is; what is `same` is that of the own GEMM or,
/// where there is none, of `matrix`. Precondition: the experiment is valid.
GemmSize companionGemmOf(const Experiment& experiment);

/// How such a copy is tiled. Its K-step, a power of two from 8 to K, is the one whose work is nearest to that of a step of the
/// own GEMM, and it prefetches as many steps: a CU's pipe then serves kernels by steps of about equal length
/// (side-by-side, section 4).
GemmConfig companionTilingOf(const Experiment& experiment);

/// How many workgroups of such a copy fill one CU, 1 to 64.
std::int64_t companionSlots(const Experiment& experiment);

/// Returns the bytes of A and B once, of `elementBytes` each: the least that a GEMM has to read. With parts of K each
/// part has its own slice of both.
constexpr Bytes compulsoryBytes(const GemmSize& size, std::int64_t elementBytes) {
    return {elementBytes * size.k * (size.m + size.n)};
}

/// Returns the bytes of all partial outputs, each once.
constexpr Bytes outputBytes(const GemmSize& size, std::int64_t elementBytes) {
    return {elementBytes * size.m * size.n * size.partsOfK};
}

/// How an m x n output is cut into macro-tiles, one workgroup each. Edges are real: a ragged tile has only the
/// elements that exist. Tiles are numbered in raster order, fastest along the side with fewer elements (n when
/// equal); the other side is the outer one. With `byRows` the rows are, whatever is longer: what a tile reads of A then
/// comes in order.
/// With `partsOfK` above 1 there are that many partial outputs, one beside the other: all tiles of the first come before
/// those of the second, and columns are counted through.
class TileGrid {
public:
    TileGrid(std::int64_t m, std::int64_t n, std::int64_t tileM, std::int64_t tileN, std::int64_t elementBytes,
             bool byRows = false, std::int64_t partsOfK = 1);

    struct Tile {
        std::uint32_t row = 0;     ///< along m
        std::uint32_t column = 0;  ///< along n
    };

    std::int64_t tiles() const { return m_rows * m_columns; }
    std::int64_t rows() const { return m_rows; }
    std::int64_t columns() const { return m_columns; }
    std::int64_t partsOfK() const { return m_columns / m_columnsOfPart; }
    std::int64_t partOf(std::int64_t column) const { return column / m_columnsOfPart; }
    bool isLastColumn(std::int64_t column) const { return (column + 1) % m_columnsOfPart == 0; }  ///< of its part
    bool rowsAreOuter() const { return m_rowsAreOuter; }
    std::int64_t rasterRow() const { return m_rowsAreOuter ? m_columnsOfPart : m_rows; }  ///< tiles in one raster row
    Tile tile(std::int64_t raster) const;
    std::int64_t rowElements(std::int64_t row) const;        ///< m of a tile in this row
    std::int64_t columnElements(std::int64_t column) const;  ///< n of a tile in this column
    std::int64_t elementBytes() const { return m_elementBytes; }
    std::int64_t tileBytes(std::int64_t raster) const;

private:
    std::int64_t m_m, m_n, m_tileM, m_tileN, m_elementBytes, m_rows, m_columnsOfPart, m_columns;
    bool m_rowsAreOuter;
};

}  // namespace engine
