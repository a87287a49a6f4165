#pragma once

#include "data/experiment/own_presets.h"

#include <QWidget>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

class QAction;
class QCheckBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace engine {
enum class ParameterGroup;
}  // namespace engine

namespace ui {

class ExperimentModel;
class FormSection;
class ParameterField;
class PresetPicker;

/// The form of the experiment, generated from the parameter table, with presets at the top and the Run button at the
/// bottom.
class ExperimentForm final : public QWidget {
    Q_OBJECT

public:
    /// `model` must outlive the form.
    explicit ExperimentForm(ExperimentModel& model, QWidget* parent = nullptr);

    /// Applies texts that are still being typed; call this before a run.
    void commit();
    /// Scrolls to the field of a parameter or the choice of a preset and gives it the focus. Returns false if there is
    /// no such path.
    bool focusParameter(const std::string& path);
    /// Opens the section of a field and scrolls to it. The keyboard focus does not move.
    void reveal(ParameterField& field);
    /// Sets the parameters that are axes of the sweep.
    void showVaried(const std::set<std::string>& paths);
    /// Asks to vary the parameter whose field has the focus, or to stop varying it.
    void varyFocused();
    /// Undoes the last edit, including a text that is still being typed.
    void undo();
    void redo();
    /// Sets whether the button cancels the run in progress or starts a run.
    void showRunning(bool running);
    /// Shows the progress; `left` is the remaining time in words, empty while it is unknown.
    void showProgress(double fraction, const QString& left);
    bool runsWhileEditing() const;
    void setRunsWhileEditing(bool runs);
    /// Returns whether a slider is held, so that the value is not final.
    bool isDragged() const;
    /// Asks for a name and saves the current values as a preset of this kind.
    void savePresetAs(data::OwnKind kind);

Q_SIGNALS:
    void runRequested();
    void cancelRequested();
    void editFinished();  ///< the user has finished an edit: the value is final
    void runsWhileEditingChanged(bool runs);
    void varyRequested(const std::string& path);  ///< vary the parameter, or stop if it is varied already
    void experimentChosen(const QString& name);   ///< the user chose one of their own experiments

private:
    QWidget* buildSections();
    QWidget* buildFoot();
    void refresh();
    void letGo();
    void applyFilter();
    QString cancelText() const;

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
    QCheckBox* m_auto;
    QPushButton* m_run;
    QString m_left;
    bool m_running = false;
};

}  // namespace ui
