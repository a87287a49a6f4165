#include "ui/editors/preset_picker.h"

#include "data/presets/presets.h"
#include "engine/api/letters.h"
#include "engine/api/parameters.h"
#include "ui/editors/parameter_field.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"
#include "ui/shared/experiment_model.h"

#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <functional>
#include <span>
#include <utility>

namespace ui {
namespace {

using data::OwnKind;

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

/// The texts of the dialog that saves a preset of a kind.
struct Saving {
    QString title, keepsWhat;
};

Saving savingOf(OwnKind kind) {
    switch (kind) {
    case OwnKind::model:
        return {PresetPicker::tr("Save Model as Preset"),
                PresetPicker::tr("Saves all sizes of the model, sequence and batch.")};
    case OwnKind::machine:
        return {PresetPicker::tr("Save Machine as Preset"),
                PresetPicker::tr("Saves the values of compute units, cache, memory, link, tracker and DMA.")};
    case OwnKind::experiment:
        return {PresetPicker::tr("Save Experiment as Preset"),
                PresetPicker::tr("Saves the presets and every value that was set by hand.")};
    }
    return {};
}

/// Returns a tool tip of two paragraphs as rich text, because Qt does not wrap plain text and the tool tip would be
/// wider than the screen.
QString wrapped(const std::string& first, const std::string& second) {
    const QString head = first.empty() ? QString() : QStringLiteral("<p>%1</p>").arg(text(first).toHtmlEscaped());
    return head + QStringLiteral("<p>%1</p>").arg(text(second).toHtmlEscaped());
}

/// Asks for the name of an own preset. While the user types, it shows the problem of the name or the consequence of
/// accepting it.
class PresetNameDialog final : public QDialog {
public:
    struct Verdict {
        QString problem;  ///< why the name cannot be used; empty if it can
        QString remark;   ///< what accepting the name saves or replaces
    };
    using Judge = std::function<Verdict(const QString& name)>;

    PresetNameDialog(const QString& title, const QString& verb, const QString& name, Judge judge,
                     std::function<void(const QString& name)> use, QWidget* parent)
        : QDialog(parent), m_judge(std::move(judge)), m_name(new QLineEdit(name, this)),
          m_verdict(newWrappedLabel(this)) {
        setObjectName(QStringLiteral("presetName"));
        setWindowTitle(title);
        m_name->setAccessibleName(tr("Name"));
        m_name->setPlaceholderText(tr("Name"));
        m_name->setMinimumWidth(fontMetrics().averageCharWidth() * 44);
        m_name->selectAll();
        m_verdict->setMinimumHeight(fontMetrics().lineSpacing() * 2);
        m_verdict->setAlignment(Qt::AlignTop | Qt::AlignLeft);
        QDialogButtonBox* buttons = acceptOrCancel(*this, QDialogButtonBox::Ok, verb);
        m_ok = buttons->button(QDialogButtonBox::Ok);
        connect(m_name, &QLineEdit::textChanged, this, [this] { showVerdict(); });
        connect(this, &QDialog::accepted, this, [this, use = std::move(use)] { use(m_name->text().trimmed()); });
        addWidgets(*new QVBoxLayout(this), {m_name, m_verdict, buttons});
        showVerdict();
    }

private:
    void showVerdict() {
        const QString name = m_name->text().trimmed();
        const Verdict verdict = m_judge(name);
        m_ok->setEnabled(verdict.problem.isEmpty());
        // An empty name disables the button, but its problem is not shown.
        const bool wrong = !verdict.problem.isEmpty() && !name.isEmpty();
        m_verdict->setText(wrong ? verdict.problem : verdict.remark);
        m_name->setAccessibleDescription(m_verdict->text());
        const Palette& colors = paletteOf(*this);
        setInk(*m_verdict, wrong ? colors.error : colors.inkSoft);
    }

    Judge m_judge;
    QLineEdit* m_name;
    QLabel* m_verdict;
    QPushButton* m_ok;
};

}  // namespace

PresetPicker::PresetPicker(ExperimentModel& model, QWidget* parent)
    : QWidget(parent), m_model(model), m_grid(flushLayout<QGridLayout>(this)), m_experiments(new QComboBox(this)),
      m_machineChoices(newWrappedLabel(this, QStringLiteral("machineChoices"))) {
    m_grid->setHorizontalSpacing(6);
    m_grid->setVerticalSpacing(4);
    m_grid->setColumnStretch(1, 1);
    m_experiments->hide();
    if (m_model.ownPresets().keeps())
        addExperiments();
    addChoice("workload.model", tr("&Model"));
    addChoice("workload.sublayer", tr("&Sub-layer"));
    addChoice("parallel.tp", tr("&TP degree"));
    addChoice("policy.preset", tr("&Policy"));
    addChoice("machine", tr("Ma&chine"));
    m_grid->addWidget(m_machineChoices, m_grid->rowCount(), 0, 1, 4);
    addChoice("detail.level", tr("&Detail"));
    connect(&m_model, &ExperimentModel::presetsChanged, this, &PresetPicker::refill);
    refill();
    followColours(*this, [this] {
        tintIcons();
        refresh();
    });
}

void PresetPicker::addExperiments() {
    m_experiments->show();
    setNames(*m_experiments, QStringLiteral("preset:experiment"), tr("Own experiments"));
    m_experiments->setToolTip(tr("Experiments that you have saved under a name"));
    m_experiments->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    auto* name = new QLabel(tr("E&xperiment"), this);
    name->setBuddy(m_experiments);
    m_grid->addWidget(name, 0, 0);
    m_grid->addWidget(m_experiments, 0, 1);
    m_grid->addWidget(addOwnButton(OwnKind::experiment, tr("experiment")), 0, 2);
    connect(m_experiments, &QComboBox::activated, this,
            [this](int index) { Q_EMIT experimentChosen(m_experiments->itemData(index).toString()); });
}

void PresetPicker::addChoice(const std::string& path, const QString& label) {
    const engine::Parameter* parameter = engine::findParameter(path);
    if (parameter == nullptr)
        return;
    const int row = m_grid->rowCount();
    auto* combo = new QComboBox(this);
    setNames(*combo, QStringLiteral("preset:") + text(path), QString(label).remove(QLatin1Char('&')));
    combo->setToolTip(parameterToolTip(*parameter));
    combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    if (path == "parallel.tp") {
        combo->setEditable(true);
        combo->setInsertPolicy(QComboBox::NoInsert);
        combo->setCompleter(nullptr);  // no completion: "3" must not become "32"
    }
    auto* name = new QLabel(label, this);
    name->setBuddy(combo);
    QLabel* problem = newWrappedLabel(this);
    problem->hide();
    m_grid->addWidget(name, row, 0);
    m_grid->addWidget(combo, row, 1);
    if (path == "workload.model")
        m_grid->addWidget(addOwnButton(OwnKind::model, tr("model")), row, 2);
    if (path == "machine")
        m_grid->addWidget(addOwnButton(OwnKind::machine, tr("machine")), row, 2);
    m_grid->addWidget(problem, row + 1, 0, 1, 4);
    QToolButton* vary = path == "policy.preset" ? nullptr : newVaryMark(*parameter, this);
    if (vary != nullptr) {
        m_grid->addWidget(vary, row, 3);
        connect(vary, &QToolButton::clicked, this, [this, path] { Q_EMIT varyRequested(path); });
    }
    m_choices[path] = {combo, problem, vary};
    const auto choose = [this, parameter, combo] {
        if (combo->isEditable())
            combo->lineEdit()->setModified(false);
        const int index = combo->findText(combo->currentText());
        m_model.setText(*parameter, index >= 0 ? combo->itemData(index).toString() : combo->currentText());
        m_model.finishEdit();
    };
    connect(combo, &QComboBox::activated, this, choose);
    if (combo->isEditable()) {
        leaveUndoToTheWindow(*combo->lineEdit(), [this, parameter, combo] {
            combo->lineEdit()->setModified(false);
            m_model.cancelEdit(*parameter);
            refresh();
            combo->lineEdit()->selectAll();
        });
        connect(combo->lineEdit(), &QLineEdit::editingFinished, this, choose);
    }
}

QToolButton* PresetPicker::addOwnButton(OwnKind kind, const QString& what) {
    auto* button = new QToolButton(this);
    button->setObjectName(QStringLiteral("own:%1").arg(QString::fromUtf8(data::name(kind).data())));
    makeFlat(*button, tr("Save this %1 as your own preset, or rename or delete the preset").arg(what));
    button->setFocusPolicy(Qt::StrongFocus);
    // The menu is not set as the button's menu, because Qt would draw an arrow beside the three dots.
    auto* menu = new QMenu(button);
    connect(menu, &QMenu::aboutToShow, this, [this, menu, kind] { fillOwnMenu(*menu, kind); });
    connect(button, &QToolButton::clicked, menu,
            [button, menu] { menu->popup(button->mapToGlobal(QPoint(0, button->height()))); });
    button->setVisible(m_model.ownPresets().keeps());
    m_ownButtons[kind] = button;
    return button;
}

void PresetPicker::fillOwnMenu(QMenu& menu, OwnKind kind) {
    menu.clear();
    const QString name = m_model.chosenPreset(kind);
    QAction* save = menu.addAction(tr("&Save As…"), this, [this, kind] { saveAs(kind); });
    save->setObjectName(QStringLiteral("saveAs"));
    if (name.isEmpty())
        return;
    if (kind != OwnKind::experiment) {
        QAction* update = menu.addAction(tr("Save &Changes to “%1”").arg(name), this,
                                         [this, kind, name] { m_model.savePreset(kind, name); });
        update->setObjectName(QStringLiteral("update"));
        update->setEnabled(m_model.differsFromPreset(kind));
    }
    menu.addSeparator();
    QAction* renaming = menu.addAction(tr("&Rename “%1”…").arg(name), this, [this, kind, name] { rename(kind, name); });
    renaming->setObjectName(QStringLiteral("rename"));
    QAction* remove =
        menu.addAction(tr("&Delete “%1”").arg(name), this, [this, kind, name] { m_model.removePreset(kind, name); });
    remove->setObjectName(QStringLiteral("delete"));
    remove->setStatusTip(tr("Undo restores the preset"));
}

void PresetPicker::saveAs(OwnKind kind) {
    const auto judge = [this, kind](const QString& name) -> PresetNameDialog::Verdict {
        const QString problem = m_model.nameProblem(kind, name);
        if (m_model.ownPresets().find(kind, name.toStdString()) != nullptr)
            return {problem, tr("Replaces your “%1”. Undo restores it.").arg(name)};
        return {problem, savingOf(kind).keepsWhat};
    };
    openOnce(*new PresetNameDialog(
        savingOf(kind).title, tr("Save"), m_model.chosenPreset(kind), judge,
        [this, kind](const QString& name) { m_model.savePreset(kind, name); }, window()));
}

void PresetPicker::rename(OwnKind kind, const QString& name) {
    const auto judge = [this, kind, name](const QString& to) -> PresetNameDialog::Verdict {
        const QString problem = m_model.nameProblem(kind, to);
        if (to != name && m_model.ownPresets().find(kind, to.toStdString()) != nullptr)
            return {tr("A preset with the name “%1” already exists.").arg(to), {}};
        return {problem, {}};
    };
    openOnce(*new PresetNameDialog(
        tr("Rename “%1”").arg(name), tr("Rename"), name, judge,
        [this, kind, name](const QString& to) { m_model.renamePreset(kind, name, to); }, window()));
}

void PresetPicker::fill(QComboBox& combo, const std::string& path) const {
    combo.clear();
    const std::span<const data::Preset> presets = presetsOf(path);
    for (const data::Preset& preset : presets) {
        combo.addItem(text(preset.title), text(preset.name));
        combo.setItemData(combo.count() - 1, wrapped(preset.notes, preset.source), Qt::ToolTipRole);
    }
    bool first = true;
    for (const data::OwnPreset& preset : m_model.ownPresets().all()) {
        if (data::namingPath(preset.kind) != path)
            continue;
        if (std::exchange(first, false))
            combo.insertSeparator(combo.count());
        combo.addItem(tr("%1  (own)").arg(text(preset.name)), text(preset.name));
        combo.setItemData(combo.count() - 1,
                          wrapped(preset.notes, m_model.ownPresets().fileOf(preset.kind, preset.name)),
                          Qt::ToolTipRole);
    }
    if (path == "parallel.tp") {
        for (const int tp : {2, 4, 8, 16, 32})
            combo.addItem(QString::number(tp), QString::number(tp));
    } else if (presets.empty()) {
        for (const std::string& word : engine::findParameter(path)->words)
            combo.addItem(text(word), text(word));
    }
}

void PresetPicker::refill() {
    const QSignalBlocker quiet(m_experiments);
    m_experiments->clear();
    for (const data::OwnPreset& preset : m_model.ownPresets().all()) {
        if (preset.kind == OwnKind::experiment)
            m_experiments->addItem(text(preset.name), text(preset.name));
    }
    m_experiments->setEnabled(m_experiments->count() > 0);
    m_experiments->setPlaceholderText(m_experiments->count() > 0 ? tr("not saved") : tr("none saved yet"));
    for (auto& [path, choice] : m_choices) {
        const QSignalBlocker still(choice.combo);
        fill(*choice.combo, path);
    }
    refresh();
}

void PresetPicker::refresh() {
    const Palette& colors = paletteOf(*this);
    const QSignalBlocker still(m_experiments);
    m_experiments->setCurrentIndex(m_experiments->findData(m_model.chosenPreset(OwnKind::experiment)));
    for (auto& [path, choice] : m_choices) {
        const engine::Parameter& parameter = *engine::findParameter(path);
        const FieldState state = m_model.fieldState(parameter);
        const QSignalBlocker quiet(choice.combo);
        const int index = choice.combo->findData(state.text);
        choice.combo->setPlaceholderText(state.text);  // for a name that is in no list of presets
        const QLineEdit* typed = choice.combo->lineEdit();
        // A text that the user is typing stays until it is finished.
        if (typed == nullptr || !typed->isModified() || !typed->hasFocus()) {
            choice.combo->setCurrentIndex(index);
            if (typed != nullptr)
                choice.combo->setEditText(index >= 0 ? choice.combo->itemText(index) : state.text);
        }
        choice.problem->setText(state.problem);
        choice.problem->setVisible(!state.problem.isEmpty());
        setInk(*choice.problem, colors.error);
    }
    const QString choices = machineChoices();
    m_machineChoices->setText(choices);
    m_machineChoices->setVisible(!choices.isEmpty());
    setInk(*m_machineChoices, colors.inkSoft);
}

QString PresetPicker::machineChoices() const {
    const engine::Experiment& experiment = m_model.expansion().experiment;
    const data::Preset* machine = data::findMachine(experiment.machine);
    QStringList parts;
    for (const auto& [path, value] : machine != nullptr ? machine->settings : data::Settings()) {
        const engine::Parameter& parameter = *engine::findParameter(path);
        if (parameter.kind != engine::ParameterKind::choice)
            continue;
        const QString label = text(engine::inASentence(parameter.label));
        const QString set = text(engine::formatValue(parameter, value));
        if (const auto now = parameter.read(experiment); now == value)
            parts << QStringLiteral("%1 %2").arg(label, set);
        else
            parts << tr("%1 %2, but %3 was set by hand").arg(label, set, text(engine::formatValue(parameter, now)));
    }
    return parts.isEmpty() ? QString() : tr("This machine sets: %1").arg(parts.join(QStringLiteral("; ")));
}

void PresetPicker::showVaried(const std::set<std::string>& paths) {
    for (const auto& [path, choice] : m_choices) {
        if (choice.vary != nullptr)
            showVaryMark(*choice.vary, paths.contains(path));
    }
}

std::string PresetPicker::focusedParameter() const {
    for (const auto& [path, choice] : m_choices) {
        const QWidget* focused = QApplication::focusWidget();
        if (choice.vary != nullptr &&
            (choice.combo == focused || choice.combo->isAncestorOf(focused) || choice.vary == focused))
            return path;
    }
    return {};
}

void PresetPicker::tintIcons() {
    for (const auto& [kind, button] : m_ownButtons)
        button->setIcon(tintedIcon(QStringLiteral("more"), paletteOf(*this).inkSoft));
    for (const auto& [path, choice] : m_choices) {
        if (choice.vary != nullptr)
            showVaryMark(*choice.vary, choice.vary->isChecked());
    }
}

}  // namespace ui
