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
struct Experiment;
enum class ParameterGroup;
}  // namespace engine

namespace ui {

/// False for a parameter that the experiment does not read because of another one: the columns of a torus where there is
/// no torus. The form leaves such a field out while it is as the presets say.
bool isUsed(const engine::Experiment& experiment, std::string_view path);

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
    /// Brings the field of a parameter or the choice of a preset into sight, ready to type. False for no such path.
    bool focusParameter(const std::string& path);
    /// Opens the section of a field and scrolls to it. The keyboard stays where it is.
    void reveal(ParameterField& field);
    /// The parameters that are axes of the sweep.
    void showVaried(const std::set<std::string>& paths);
    /// Asks for the parameter whose field has the keyboard to be varied, or no longer.
    void varyFocused();
    /// Of the last edit, what is being typed included.
    void undo();
    void redo();
    /// The button runs, or cancels while something runs.
    void showRunning(bool running);
    /// `left` in words, empty while nobody knows.
    void showProgress(double fraction, const QString& left);
    bool runsWhileEditing() const;
    void setRunsWhileEditing(bool runs);
    /// A slider is held: the value is on its way.
    bool isDragged() const;
    /// Asks for a name and keeps what a preset of this kind would hold.
    void savePresetAs(data::OwnKind kind);

Q_SIGNALS:
    void runRequested();
    void cancelRequested();
    void editFinished();  ///< a value is where it was meant to go
    void runsWhileEditingChanged(bool runs);
    void varyRequested(const std::string& path);  ///< or no longer, where it is varied already
    void experimentChosen(const QString& name);   ///< one of the reader's own

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
