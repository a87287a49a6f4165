#pragma once

#include "ui/look/value_table.h"

#include <string>

namespace ui {

class SweepState;

/// The table of points below the chart: a column for each parameter that varies, the policy, the metrics, and the state
/// of the point, with the reason if it failed. Row numbers are positions in SweepTable::rows. Through SweepState it
/// shares hovered, brushed and opened points with the chart.
class SweepPointTable final : public ValueTable {
    Q_OBJECT

public:
    /// `state` must outlive the table.
    explicit SweepPointTable(SweepState& state, QWidget* parent = nullptr);

    /// Scrolls to a point and selects it.
    void showPoint(std::size_t point);

protected:
    void fitColumns() override;

private:
    void takeTable();
    void takeBrushed();
    void giveBrushed();

    SweepState& m_state;
    std::string m_shown;    ///< id of the sweep
    bool m_taking = false;  ///< the table is taking over the chart's selection
};

}  // namespace ui
