#pragma once

#include <QStyledItemDelegate>

#include <optional>

namespace ui {

/// The roles under which a list's items have what stands around their name.
struct TwoLineRoles {
    int state = 0;              ///< words beneath the name
    int share = 0;              ///< how much has ended, 0 to 1: a line across the foot while it is below 1
    std::optional<int> when{};  ///< words at the right of the state
};

/// Draws the items of a list as two lines: the name, and beneath it how far it has come.
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
