#pragma once

#include <QStyledItemDelegate>

namespace ui {

/// Draws the rows of a TrackerModel: counters as small bars, what has just landed in another colour.
class CounterDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace ui
