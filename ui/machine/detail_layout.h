#pragma once

#include <QRectF>
#include <QSizeF>

#include <cstddef>
#include <functional>
#include <vector>

namespace ui {

/// What the large picture of the GPU in focus and the words beside it need, in the view's unit.
struct DetailNeeds {
    double line = 16;                             ///< height of a line of text
    std::function<QSizeF(QSizeF)> pictureWithin;  ///< the picture's size in a room of that size
    double leftOfPicture = 0;                     ///< for the numbers of chunks that lie one under the other
    std::vector<double> captions;                 ///< widths of the texts that may stand under it, the longest first
    double gaugeWidth = 0;                        ///< of the widest line above a gauge
    std::size_t gauges = 0;
};

/// Where the parts of the large picture stand. No two meet, and all lie within the room; what has none is empty.
struct DetailLayout {
    QRectF picture;
    QRectF caption;
    std::size_t captionText = 0;  ///< which of the captions has room
    bool numbers = false;         ///< chunks are numbered
    QRectF words;                 ///< name and what it is doing
    bool brief = false;           ///< words are one line
    std::vector<QRectF> gauges;
};

/// Puts picture and words side by side, or one under the other where the room is narrow and high. Gauges stand in as
/// many columns as the height asks for; where there is no room for words, the picture stands alone.
DetailLayout layoutDetail(const QRectF& room, const DetailNeeds& needs);

}  // namespace ui
