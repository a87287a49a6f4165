#pragma once

#include "engine/api/companion_gemm.h"
#include "engine/api/experiment.h"
#include "engine/api/gemm.h"

#include <cstdint>

namespace engine {

/// Returns the size of the own GEMM: M x H x sliced side/N if the output is reduced; M x sliced side/N x H if the input
/// is gathered (engine::slicedSide; MODEL.md, section 1). A batch of GEMMs is represented as one GEMM whose K is cut
/// into that many parts: each part reads its own slice of A and B and writes an output of its own. Precondition: the
/// experiment is valid and not a collective alone.
GemmSize gemmShapeOf(const Experiment& experiment);

/// Returns the same from an existing Shape. Precondition: it is not that of a collective alone.
constexpr GemmSize gemmSizeOf(const Shape& shape) { return {shape.m, shape.n, shape.k * shape.batch, shape.batch}; }

/// Returns the tiling of a copy of a companion GEMM (companionGemmOf). Its K-step, a power of two from 8 to K, is the
/// one whose work is nearest to that of a step of the own GEMM, and it prefetches as many steps or, if gemm.prefetch is
/// automatic, those for which local memory has room: a CU's pipe then serves the kernels in steps of about equal length
/// (side-by-side, section 4). Its prefetch is a number.
GemmConfig companionTilingOf(const Experiment& experiment);

/// Returns the number of workgroups of such a copy that fill one CU, 1 to 64.
std::int64_t companionSlots(const Experiment& experiment);

/// Returns the bytes of A and B, each read once, with elements of `elementBytes`: the least that a GEMM has to read.
/// With parts of K each part has its own slice of both.
constexpr Bytes compulsoryBytes(const GemmSize& size, std::int64_t elementBytes) {
    return {elementBytes * size.k * (size.m + size.n)};
}

/// Returns the bytes of all partial outputs, each once.
constexpr Bytes outputBytes(const GemmSize& size, std::int64_t elementBytes) {
    return {elementBytes * size.m * size.n * size.partsOfK};
}

/// An m x n output cut into macro-tiles, one workgroup each. A tile at the edge has only the elements that exist. Tiles
/// are numbered in raster order: the number rises fastest along the side with fewer elements (n if both are equal), and
/// the other side is the outer one. With `byRows` the rows are the outer side, whichever is longer, so that the parts
/// of A that tiles read come in order. With `partsOfK` above 1 there are that many partial outputs beside each other:
/// all tiles of the first come before those of the second, and columns are numbered through all of them.
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
    /// Whether it is the last of its part.
    bool isLastColumn(std::int64_t column) const { return (column + 1) % m_columnsOfPart == 0; }
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

/// How A and B lie in memory: as slabs, each a K-step's part of the matrix for one row or column of tiles.
struct OperandSlabs {
    std::uint32_t slabsOfA = 0, granulesOfA = 0;  ///< granules: of a whole slab
    std::uint32_t slabsOfB = 0, granulesOfB = 0;
};
OperandSlabs operandSlabsOf(const TileGrid& grid, const GemmSize& size, std::int64_t kStep, Bytes granule);

}  // namespace engine
