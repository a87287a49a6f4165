#pragma once

#include <QWidget>

#include <map>
#include <string>

class QComboBox;
class QLabel;

namespace ui {

class ExperimentModel;

/// The six choices that say most of an experiment: model, sub-layer, TP, policy, machine and detail.
/// Everything below them in the form follows from these unless it was set by hand.
class PresetPicker final : public QWidget {
    Q_OBJECT

public:
    /// `model` must outlive the picker.
    explicit PresetPicker(ExperimentModel& model, QWidget* parent = nullptr);
    void refresh();

private:
    struct Choice {
        QComboBox* combo;
        QLabel* problem;
    };
    void addChoice(const std::string& path, const QString& label);
    void fill(QComboBox& combo, const std::string& path) const;

    ExperimentModel& m_model;
    std::map<std::string, Choice> m_choices;
};

}  // namespace ui
