#pragma once

#include <QRectF>

#include <cstddef>

namespace ui {

/// What the layout of the picture Memory depends on, in the view's unit.
struct MemoryNeeds {
    QRectF area;
    double line = 16;   ///< height of a line of text
    double pixel = 1;   ///< size of a device pixel
    double left = 100;  ///< left edge of the time axis; names are to the left of it
    std::size_t rows = 1;
    bool hasRowHits = false;
    bool hasUnits = false;
    double bar = 0;  ///< height of the address bar; 0: there is none
    double key = 16;
};

/// The layout of the picture Memory: strips above each other that share one time axis. Where there is not room for all,
/// the compute units, the row hits, the camping and the address bar have no box, in this order.
struct MemoryLayout {
    QRectF header, bar, utilisation, hits, heat, camping, units, axis, key;
    std::size_t rowsTogether = 1;  ///< rows of the memory that share a row of the heat map
    std::size_t shownRows = 1;

    /// Returns the box of a row of the heat map.
    QRectF row(std::size_t shown) const;
    /// Returns the row of the heat map at a height.
    std::size_t rowAt(double y) const;
    /// Returns the part from the first strip to the axis.
    QRectF strips() const;
};

MemoryLayout layoutMemory(const MemoryNeeds& needs);

}  // namespace ui
