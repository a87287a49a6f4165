#pragma once

#include <QLayout>

#include <vector>

namespace ui {

/// Items side by side, in as many rows as the width takes: choosers must not make a window wider than a laptop.
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
    int place(const QRect& room, bool move) const;  ///< the height it takes

    std::vector<QLayoutItem*> m_items;  // owned, as QLayout asks
};

}  // namespace ui
