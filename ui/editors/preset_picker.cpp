#include "ui/editors/preset_picker.h"

#include "data/presets.h"
#include "engine/api/parameters.h"
#include "ui/editors/experiment_model.h"
#include "ui/editors/parameter_field.h"
#include "ui/editors/undo_keys.h"
#include "ui/shared/palette.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>

#include <span>

namespace ui {
namespace {

QString text(const std::string& s) { return QString::fromStdString(s); }

std::span<const data::Preset> presetsOf(const std::string& path) {
    if (path == "workload.model")
        return data::models();
    if (path == "workload.sublayer")
        return data::sublayers();
    if (path == "policy.preset")
        return data::policies();
    if (path == "machine")
        return data::machines();
    return {};
}

}  // namespace

PresetPicker::PresetPicker(ExperimentModel& model, QWidget* parent) : QWidget(parent), m_model(model) {
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(10);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(1, 1);
    addChoice("workload.model", tr("&Model"));
    addChoice("workload.sublayer", tr("&Sub-layer"));
    addChoice("parallel.tp", tr("&TP degree"));
    addChoice("policy.preset", tr("&Policy"));
    addChoice("machine", tr("Ma&chine"));
    addChoice("detail.level", tr("&Detail"));
    refresh();
}

void PresetPicker::addChoice(const std::string& path, const QString& label) {
    const engine::Parameter* parameter = engine::findParameter(path);
    if (parameter == nullptr)
        return;
    auto* grid = static_cast<QGridLayout*>(layout());
    const int row = grid->rowCount();
    auto* combo = new QComboBox(this);
    combo->setObjectName(QStringLiteral("preset:") + text(path));
    combo->setAccessibleName(QString(label).remove(QLatin1Char('&')));
    combo->setToolTip(parameterToolTip(*parameter));
    combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    fill(*combo, path);
    auto* name = new QLabel(label, this);
    name->setBuddy(combo);
    auto* problem = new QLabel(this);
    problem->setWordWrap(true);
    problem->hide();
    grid->addWidget(name, row, 0);
    grid->addWidget(combo, row, 1);
    grid->addWidget(problem, row + 1, 0, 1, 2);
    m_choices[path] = {combo, problem};
    const auto choose = [this, parameter, combo] {
        const int index = combo->findText(combo->currentText());
        m_model.setText(*parameter, index >= 0 ? combo->itemData(index).toString() : combo->currentText());
        m_model.finishEdit();
    };
    connect(combo, &QComboBox::activated, this, choose);
    if (combo->isEditable()) {
        leaveUndoToTheWindow(*combo->lineEdit());
        connect(combo->lineEdit(), &QLineEdit::editingFinished, this, choose);
    }
}

void PresetPicker::fill(QComboBox& combo, const std::string& path) const {
    const std::span<const data::Preset> presets = presetsOf(path);
    for (const data::Preset& preset : presets) {
        combo.addItem(text(preset.title), text(preset.name));
        const QString notes = preset.notes.empty() ? QString() : QStringLiteral("\n") + text(preset.notes);
        combo.setItemData(combo.count() - 1, text(preset.source) + notes, Qt::ToolTipRole);
    }
    if (path == "parallel.tp") {
        combo.setEditable(true);
        combo.setInsertPolicy(QComboBox::NoInsert);
        for (const int tp : {2, 4, 8, 16, 32})
            combo.addItem(QString::number(tp), QString::number(tp));
    } else if (presets.empty()) {
        for (const std::string& word : engine::findParameter(path)->words)
            combo.addItem(text(word), text(word));
    }
}

void PresetPicker::refresh() {
    const Palette& colors = paletteOf(*this);
    for (auto& [path, choice] : m_choices) {
        const engine::Parameter& parameter = *engine::findParameter(path);
        const FieldState state = m_model.fieldState(parameter);
        const QSignalBlocker quiet(choice.combo);
        const int index = choice.combo->findData(state.text);
        choice.combo->setCurrentIndex(index);
        if (choice.combo->isEditable())
            choice.combo->setEditText(index >= 0 ? choice.combo->itemText(index) : state.text);
        choice.problem->setText(state.problem);
        choice.problem->setVisible(!state.problem.isEmpty());
        QPalette words = choice.problem->palette();
        words.setColor(QPalette::WindowText, colors.error);
        choice.problem->setPalette(words);
    }
}

}  // namespace ui
