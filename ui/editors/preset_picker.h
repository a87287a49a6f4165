#pragma once

#include "data/experiment/own_presets.h"

#include <QWidget>

#include <map>
#include <set>
#include <string>

class QComboBox;
class QGridLayout;
class QLabel;
class QMenu;
class QToolButton;

namespace ui {

class ExperimentModel;

/// The most important choices of an experiment: model, sub-layer, TP, policy, machine and detail, and above them the
/// user's saved experiments. Every value below in the form follows from these unless it was set explicitly. Choices
/// that can be saved have a button to save, rename and delete.
class PresetPicker final : public QWidget {
    Q_OBJECT

public:
    /// `model` must outlive the picker.
    explicit PresetPicker(ExperimentModel& model, QWidget* parent = nullptr);
    void refresh();
    /// Sets the parameters that are axes of the sweep.
    void showVaried(const std::set<std::string>& paths);
    /// Returns the parameter whose choice has the focus; empty if there is none, and for the policy, because a sweep
    /// compares policies without an axis.
    std::string focusedParameter() const;
    /// Asks for a name and saves the current values as a preset of this kind.
    void saveAs(data::OwnKind kind);

Q_SIGNALS:
    /// The user chose a saved experiment to replace this one.
    void experimentChosen(const QString& name);
    void varyRequested(const std::string& path);  ///< vary the parameter, or stop varying it

private:
    struct Choice {
        QComboBox* combo;
        QLabel* problem;
        QToolButton* vary;  ///< null for the policy, which a sweep compares without an axis
    };
    void addExperiments();
    void addChoice(const std::string& path, const QString& label);
    QToolButton* addOwnButton(data::OwnKind kind, const QString& what);
    void fillOwnMenu(QMenu& menu, data::OwnKind kind);
    void fill(QComboBox& combo, const std::string& path) const;
    void refill();
    void rename(data::OwnKind kind, const QString& name);
    void tintIcons();
    /// Returns a text with the choices that the machine sets besides numbers, such as an algorithm, because users do
    /// not expect a machine to set them.
    QString machineChoices() const;

    ExperimentModel& m_model;
    QGridLayout* m_grid;
    QComboBox* m_experiments;
    QLabel* m_machineChoices;
    std::map<std::string, Choice> m_choices;
    std::map<data::OwnKind, QToolButton*> m_ownButtons;
};

}  // namespace ui
