#pragma once

#include "ui/charts/chart_settings.h"

#include <QWidget>

#include <cstddef>
#include <optional>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;

namespace ui {

class ChartCanvas;
class SweepState;

/// The choosers above a chart: its kind, its metrics, the roles of the axes, and a value for each axis that it does not
/// show. Only choosers that apply to the chart are shown. The metric is stored in SweepState, everything else in
/// ChartSettings.
class ChartBar final : public QWidget {
    Q_OBJECT

public:
    ChartBar(SweepState& state, QWidget* parent = nullptr);

    const ChartSettings& settings() const { return m_settings; }
    /// Sets the settings without emitting a signal.
    void setSettings(const ChartSettings& settings);

Q_SIGNALS:
    void settingsChanged();

private:
    struct Chooser {
        QWidget* holder = nullptr;
        QLabel* label = nullptr;
        QComboBox* box = nullptr;
    };

    Chooser addChooser(const QString& name);
    void refresh();
    void fillKinds(const ChartPlan& plan);
    void fillMetrics(const ChartPlan& plan);
    void fillRoles(const ChartPlan& plan);
    void fillPolicies(const ChartPlan& plan);
    void fillHeld(const ChartPlan& plan);
    void chooseRole(std::optional<std::size_t> ChartSettings::*role, std::size_t axis);

    SweepState& m_state;
    ChartSettings m_settings;
    Chooser m_kind, m_metric, m_against, m_across, m_second, m_panels, m_policy, m_scale;
    std::vector<Chooser> m_held;          // one for each possible axis
    std::vector<std::size_t> m_heldAxis;  // the axis of each of these choosers
    QCheckBox* m_published;
};

/// Charts of a sweep: the choosers above, the picture below. Gets its points from SweepState and reports hovered,
/// brushed and opened points to it; stores no results.
class ChartView final : public QWidget {
    Q_OBJECT

public:
    /// The state must outlive the view.
    explicit ChartView(SweepState& state, QWidget* parent = nullptr);

    /// Returns the user's choices, to be saved in the session.
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
