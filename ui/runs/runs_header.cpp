#include "ui/runs/runs_header.h"

#include "ui/look/palette.h"

#include <QPainter>
#include <QStyleOptionHeader>

#include <algorithm>

namespace ui {
namespace {

/// The name broken where the longer of its two lines is shortest.
QStringList inTwoLines(const QString& title, const QFontMetrics& metrics) {
    QStringList best{title};
    int least = metrics.horizontalAdvance(title);
    for (qsizetype at = title.indexOf(u' '); at >= 0; at = title.indexOf(u' ', at + 1)) {
        const QString upper = title.left(at), lower = title.mid(at + 1);
        const int width = std::max(metrics.horizontalAdvance(upper), metrics.horizontalAdvance(lower));
        if (width < least) {
            least = width;
            best = {upper, lower};
        }
    }
    return best;
}

}  // namespace

RunsHeader::RunsHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
    setHighlightSections(false);
    setSectionsClickable(true);
    setSortIndicatorShown(true);
    setSectionsMovable(true);
    setStretchLastSection(true);
}

int RunsHeader::widthFor(const QString& title) const {
    int width = 0;
    for (const QString& line : inTwoLines(title, fontMetrics()))
        width = std::max(width, fontMetrics().horizontalAdvance(line));
    return width + fontMetrics().horizontalAdvance(QLatin1Char('0')) * 4;  // air, and the arrow
}

QSize RunsHeader::sectionSizeFromContents(int) const { return {0, fontMetrics().height() * 5 / 2}; }

void RunsHeader::paintSection(QPainter* painter, const QRect& rect, int section) const {
    QStyleOptionHeaderV2 option;
    initStyleOption(&option);
    initStyleOptionForIndex(&option, section);
    option.rect = rect;
    painter->save();
    style()->drawControl(QStyle::CE_HeaderSection, &option, painter, this);
    const int air = fontMetrics().horizontalAdvance(QLatin1Char('0'));
    QRect box = rect.adjusted(air, 0, -air, 0);
    const bool right = option.textAlignment.testFlag(Qt::AlignRight);
    if (option.sortIndicator != QStyleOptionHeader::None) {
        // Outside of the text, so that the name stays in line with its numbers.
        const int size = air;
        const QRect arrow(right ? box.left() - air / 2 : box.right() - size + air / 2, box.center().y() - size / 2,
                          size, size);
        QStyleOptionHeaderV2 mark = option;
        mark.rect = arrow;
        style()->drawPrimitive(QStyle::PE_IndicatorHeaderArrow, &mark, painter, this);
        box.adjust(right ? air : 0, 0, right ? 0 : -air, 0);
    }
    QStringList lines = box.width() >= fontMetrics().horizontalAdvance(option.text)
                            ? QStringList{option.text}
                            : inTwoLines(option.text, fontMetrics());
    for (QString& line : lines)
        line = fontMetrics().elidedText(line, Qt::ElideRight, box.width());
    painter->setPen(paletteOf(*this).ink);
    painter->drawText(box, Qt::AlignVCenter | (right ? Qt::AlignRight : Qt::AlignLeft), lines.join(u'\n'));
    painter->restore();
}

}  // namespace ui
