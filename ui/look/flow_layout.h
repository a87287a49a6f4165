#pragma once

#include <QLayout>

#include <vector>

namespace ui {

/// Places items side by side, in as many rows as the width requires, so that choosers do not make a window wider than a
/// laptop's screen.
class FlowLayout final : public QLayout {
public:
    explicit FlowLayout(QWidget* parent);
    ~FlowLayout() override;

    void addItem(QLayoutItem* item) override;
    int count() const override;
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override { return minimumSize(); }
    QSize minimumSize() const override;
    void setGeometry(const QRect& room) override;

private:
    int place(const QRect& room, bool move) const;  ///< returns the height of the rows; places the items if `move`

    std::vector<QLayoutItem*> m_items;  // owned, as QLayout requires
};

}  // namespace ui
