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

/// The choices that say most of an experiment: model, sub-layer, TP, policy, machine and detail; above them the whole
/// experiments that the reader has kept. Everything below them in the form follows from these unless it was set by
/// hand. Beside what can be kept stands a button that saves, renames and deletes.
class PresetPicker final : public QWidget {
    Q_OBJECT

public:
    /// `model` must outlive the picker.
    explicit PresetPicker(ExperimentModel& model, QWidget* parent = nullptr);
    void refresh();
    /// The parameters that are axes of the sweep.
    void showVaried(const std::set<std::string>& paths);
    /// The parameter whose choice has the keyboard; empty for none, and for the policy, which a sweep compares instead.
    std::string focusedParameter() const;
    /// Asks for a name and keeps what a preset of this kind would hold.
    void saveAs(data::OwnKind kind);

Q_SIGNALS:
    /// Another experiment altogether is to take this one's place.
    void experimentChosen(const QString& name);
    void varyRequested(const std::string& path);  ///< or no longer

private:
    struct Choice {
        QComboBox* combo;
        QLabel* problem;
        QToolButton* vary;  ///< null for the policy: a sweep compares policies without an axis
    };
    void addExperiments();
    void addChoice(const std::string& path, const QString& label);
    QToolButton* addOwnButton(data::OwnKind kind, const QString& what);
    void fillOwnMenu(QMenu& menu, data::OwnKind kind);
    void fill(QComboBox& combo, const std::string& path) const;
    void refill();
    void rename(data::OwnKind kind, const QString& name);
    void tintIcons();
    /// What the machine sets besides numbers, such as an algorithm: nobody looks for that at a machine.
    QString machineChoices() const;

    ExperimentModel& m_model;
    QGridLayout* m_grid;
    QComboBox* m_experiments;
    QLabel* m_machineChoices;
    std::map<std::string, Choice> m_choices;
    std::map<data::OwnKind, QToolButton*> m_ownButtons;
};

}  // namespace ui
