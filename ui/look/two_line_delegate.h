#pragma once

#include <QStyledItemDelegate>

#include <optional>

namespace ui {

/// The item data roles of the texts and numbers beside an item's name.
struct TwoLineRoles {
    int state = 0;              ///< text of the second line
    int share = 0;              ///< how much is done, 0 to 1: drawn as a line at the bottom while it is below 1
    std::optional<int> when{};  ///< text at the right of the second line
};

/// Draws each item of a list as two lines: the name, and its state and progress below.
class TwoLineDelegate final : public QStyledItemDelegate {
    Q_OBJECT

public:
    TwoLineDelegate(TwoLineRoles roles, QObject* parent);

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    TwoLineRoles m_roles;
};

}  // namespace ui
