#pragma once

#include <QWidget>

#include <map>
#include <vector>

namespace engine {
enum class ParameterGroup;
}
class QAction;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace ui {

class ExperimentModel;
class FormSection;
class ParameterField;
class PresetPicker;

/// The whole experiment as a form made from the parameter table, with presets on top and Run beneath.
class ExperimentForm final : public QWidget {
    Q_OBJECT

public:
    /// `model` must outlive the form.
    explicit ExperimentForm(ExperimentModel& model, QWidget* parent = nullptr);

    /// Takes in whatever is still being typed; call it before running.
    void commit();
    /// Of the last edit, what is being typed included.
    void undo();
    void redo();
    /// The button runs, or cancels while something runs.
    void showRunning(bool running);
    void showProgress(double fraction);

Q_SIGNALS:
    void runRequested();
    void cancelRequested();

protected:
    void changeEvent(QEvent* event) override;

private:
    QWidget* buildSections();
    QWidget* buildFoot();
    void refresh();
    void letGo();
    void applyFilter();
    void tintIcons();

    ExperimentModel& m_model;
    PresetPicker* m_presets;
    QLineEdit* m_filter;
    QToolButton* m_onlyChanged;
    QLabel* m_nothingChanged;
    QAction* m_filterIcon;
    std::map<engine::ParameterGroup, FormSection*> m_sections;
    std::vector<ParameterField*> m_fields;
    QLabel* m_hint;
    QProgressBar* m_progress;
    QPushButton* m_run;
    bool m_running = false;
};

}  // namespace ui
