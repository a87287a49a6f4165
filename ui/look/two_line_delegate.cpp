#include "ui/look/two_line_delegate.h"

#include "ui/look/palette.h"

#include <QPainter>

#include <cmath>

namespace ui {

TwoLineDelegate::TwoLineDelegate(TwoLineRoles roles, QObject* parent) : QStyledItemDelegate(parent), m_roles(roles) {}

QSize TwoLineDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
    return {0, option.fontMetrics.height() * 31 / 10};
}

void TwoLineDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QStyleOptionViewItem plain = option;
    plain.state &= ~QStyle::State_HasFocus;
    option.widget->style()->drawPrimitive(QStyle::PE_PanelItemViewItem, &plain, painter, option.widget);
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    const Palette& colors = paletteOf(*option.widget);
    const QFontMetrics& metrics = option.fontMetrics;
    const int line = metrics.height();
    const QRect box = option.rect.adjusted(line * 3 / 4, line * 2 / 5, -line * 3 / 4, -line * 2 / 5);
    const auto write = [&](Qt::Alignment where, const QString& words, int width) {
        painter->drawText(box, static_cast<int>(where), metrics.elidedText(words, Qt::ElideRight, width));
    };
    painter->setPen(selected ? colors.onAccent : colors.ink);
    write(Qt::AlignLeft | Qt::AlignTop, index.data().toString(), box.width());
    painter->setPen(selected ? colors.onAccent : colors.inkFaint);
    const QString when = m_roles.when ? index.data(*m_roles.when).toString() : QString();
    write(Qt::AlignRight | Qt::AlignBottom, when, box.width());
    const int taken = when.isEmpty() ? 0 : metrics.horizontalAdvance(when) + line / 2;
    write(Qt::AlignLeft | Qt::AlignBottom, index.data(m_roles.state).toString(), box.width() - taken);
    const double share = index.data(m_roles.share).toDouble();
    if (share >= 1)
        return;
    const QRect whole(box.left(), option.rect.bottom() - 3, box.width(), 2);
    painter->fillRect(whole, selected ? Palette::mixed(colors.accent, colors.onAccent, 0.4) : colors.line);
    painter->fillRect(QRect(whole.topLeft(), QSize(static_cast<int>(std::lround(share * whole.width())), 2)),
                      selected ? colors.onAccent : colors.accent);
}

}  // namespace ui
