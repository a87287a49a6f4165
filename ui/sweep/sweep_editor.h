#pragma once

#include <QWidget>

#include <map>
#include <string>
#include <vector>

class QCheckBox;
class QMenu;
class QPushButton;
class QVBoxLayout;

namespace ui {

class AxisRow;
class SweepModel;

/// What is swept: the axes as rows, the policies as check boxes, the metrics to watch behind a button.
class SweepEditor final : public QWidget {
    Q_OBJECT

public:
    /// `model` must outlive the editor.
    explicit SweepEditor(SweepModel& model, QWidget* parent = nullptr);

    /// Takes in what is still being typed.
    void commit();
    /// The fields of the axis of this parameter, ready to type.
    void focusAxis(const std::string& path);

private:
    void buildFoot();
    void refresh();
    AxisRow* newRow(std::size_t index);
    void togglePolicy(const std::string& policy, bool on);
    void toggleMetric(const std::string& path, bool on);
    void fillMetrics();

    SweepModel& m_model;
    QVBoxLayout* m_rowsColumn;
    std::vector<AxisRow*> m_rows;
    std::map<std::string, QCheckBox*> m_policies;
    QPushButton* m_metrics;
    QMenu* m_metricsMenu;
};

}  // namespace ui
