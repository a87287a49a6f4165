#pragma once

#include <QTableView>

class QSortFilterProxyModel;

namespace ui {

class SweepPointsModel;
class SweepState;

/// The table of points below the chart. Through SweepState it shares hovered, brushed and opened points with the chart.
class SweepPointTable final : public QTableView {
    Q_OBJECT

public:
    /// `state` must outlive the table.
    explicit SweepPointTable(SweepState& state, QWidget* parent = nullptr);

    /// Scrolls to a point and selects it.
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
    bool m_taking = false;  ///< the table is taking over the chart's selection
};

}  // namespace ui
