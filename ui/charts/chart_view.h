#pragma once

#include "ui/charts/chart_settings.h"

#include <QWidget>

namespace ui {

class ChartBar;
class ChartCanvas;
class SweepState;

/// A sweep as charts: the choosers above, the picture below. Takes its points from SweepState and tells it what is
/// hovered, brushed and to be opened; holds no results.
class ChartView final : public QWidget {
    Q_OBJECT

public:
    /// The state must outlive the view.
    explicit ChartView(SweepState& state, QWidget* parent = nullptr);

    /// What the reader chose, to be kept from one session to the next.
    const ChartSettings& settings() const;
    void setSettings(const ChartSettings& settings);

    ChartCanvas& canvas() { return *m_canvas; }

Q_SIGNALS:
    void settingsChanged();

private:
    ChartBar* m_bar;
    ChartCanvas* m_canvas;
};

}  // namespace ui
