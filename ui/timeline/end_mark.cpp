#include "ui/timeline/end_mark.h"

#include "ui/look/format.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ui {

void paintEndMark(QPainter& painter, const TimelinePicture& picture, const EndMark& mark) {
    const double x = std::floor(picture.geometry.xOf(mark.ps));
    const QRectF& clip = picture.clip;
    if (x < clip.left() || x > clip.right() + 1)
        return;
    QFont font = painter.font();  // whatever was written last
    font.setPixelSize(static_cast<int>(std::round(picture.line * 0.75)));
    painter.setFont(font);
    const double height = picture.line * 1.3;
    if (clip.height() < height)
        return;  // no lanes, where a plate would be cut off
    const double top = mark.plate == EndMark::Plate::top ? clip.top() : clip.bottom() - height;
    QRectF plate;
    QString text;
    // Beyond the mark, and before it where there is no room.
    for (const QString& words : mark.words) {
        text = words;
        plate = {x, top, painter.fontMetrics().horizontalAdvance(text) + picture.line, height};
        if (plate.right() <= clip.right())
            break;
    }
    if (plate.right() > clip.right())
        plate.moveRight(x);
    painter.setPen(QPen(mark.color, 2));
    painter.drawLine(QPointF(std::min(x, clip.right()), clip.top()), QPointF(std::min(x, clip.right()), clip.bottom()));
    painter.fillRect(plate, mark.color);
    painter.setPen(Palette::inkOn(mark.color));
    painter.drawText(plate, Qt::AlignCenter, text);
}

void EndOverlay::setRun(std::int64_t endPs, const QString& name, const std::string& policy) {
    m_end = endPs;
    m_name = name;
    m_policy = policy;
}

void EndOverlay::paintMoments(QPainter& painter, const TimelinePicture& picture) const {
    QFont font = painter.font();
    font.setPixelSize(static_cast<int>(std::round(picture.line * 0.75)));
    font.setWeight(QFont::DemiBold);
    painter.setFont(font);
    const QRectF& clip = picture.clip;
    double taken = clip.left() - 1;
    for (const NamedMoment& moment : m_moments) {
        const double x = std::floor(picture.geometry.xOf(moment.ps));
        if (x < clip.left() || x > clip.right())
            continue;
        const QColor color = picture.palette.of(moment.role);
        painter.fillRect(QRectF(x - 1, clip.top(), 3, clip.height()), picture.palette.surface);
        painter.fillRect(QRectF(x, clip.top(), 1, clip.height()), picture.palette.ink);
        const double width = painter.fontMetrics().horizontalAdvance(moment.text) + picture.line * 0.5;
        const QRectF plate(x - width / 2, clip.top(), width, picture.line * 0.95);
        if (plate.left() < taken)
            continue;
        taken = plate.right() + 1;
        painter.fillRect(plate, color);
        painter.setPen(Palette::inkOn(color));
        painter.drawText(plate, Qt::AlignCenter, moment.text);
    }
}

void EndOverlay::paint(QPainter& painter, const TimelinePicture& picture) const {
    paintMoments(painter, picture);
    if (m_end <= 0)
        return;
    const QString time = formatTime(m_end);
    const auto tr = [](const char* text) { return QCoreApplication::translate("EndOverlay", text); };
    paintEndMark(painter, picture,
                 {m_end,
                  {tr("%1 ends  %2").arg(m_name, time), tr("ends  %1").arg(time)},
                  picture.palette.ofPolicy(m_policy),
                  EndMark::Plate::foot});
}

}  // namespace ui
