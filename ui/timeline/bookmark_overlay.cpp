#include "ui/timeline/bookmark_overlay.h"

#include <QPainter>

#include <cmath>

namespace ui {

void BookmarkOverlay::paint(QPainter& painter, const TimelinePicture& picture) const {
    const QColor color = picture.palette.accent;
    QFont small = painter.font();
    small.setPixelSize(std::max(7, static_cast<int>(picture.line * 0.7)));
    for (int number = 1; number <= Bookmarks::kLast; ++number) {
        const auto& bookmark = m_bookmarks.at(number);
        if (!bookmark)
            continue;
        const double x = std::floor(picture.geometry.xOf(bookmark->moment()));
        const double size = std::round(picture.line * 0.95);
        if (x < picture.clip.left() - size || x > picture.clip.right())
            continue;
        const QRectF flag(x, picture.clip.top(), size, size);
        painter.fillRect(QRectF(x, picture.clip.top(), 1, picture.line * 2), picture.palette.ink);
        painter.setPen(QPen(picture.palette.ink, 1));
        painter.setBrush(color);
        painter.drawRect(flag);
        painter.setPen(Palette::inkOn(color));
        QFont before = painter.font();
        painter.setFont(small);
        painter.drawText(flag, Qt::AlignCenter, QString::number(number));
        painter.setFont(before);
    }
}

}  // namespace ui
