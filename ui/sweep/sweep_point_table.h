#pragma once

#include <QTableView>

class QSortFilterProxyModel;

namespace ui {

class SweepPointsModel;
class SweepState;

/// The table of points beneath the chart. What the mouse is at, what is marked and what is opened it has in common with
/// the chart, through SweepState.
class SweepPointTable final : public QTableView {
    Q_OBJECT

public:
    /// `state` must outlive the table.
    explicit SweepPointTable(SweepState& state, QWidget* parent = nullptr);

    /// Brings a point into sight and marks it.
    void showPoint(std::size_t point);

protected:
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void takeBrushed();
    void giveBrushed();
    void fitColumns();
    std::size_t pointAt(const QModelIndex& index) const;

    SweepState& m_state;
    SweepPointsModel* m_model;
    QSortFilterProxyModel* m_order;
    bool m_taking = false;  ///< the selection follows the chart, and does not lead it
};

}  // namespace ui
