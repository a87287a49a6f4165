#include "ui/editors/experiment_form.h"

#include "engine/api/experiment.h"
#include "engine/api/parameters.h"
#include "ui/editors/parameter_field.h"
#include "ui/editors/preset_picker.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/weight.h"
#include "ui/look/widget_parts.h"
#include "ui/shared/experiment_model.h"

#include <QApplication>
#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {
namespace {

// Sliders make sections tall, so only the section that most people need is open at first.
bool opensAtStart(engine::ParameterGroup group) { return group == engine::ParameterGroup::link; }

}  // namespace

/// A group of fields that can be folded; its title shows how many fields were changed and how many have problems.
class FormSection final : public QWidget {
public:
    explicit FormSection(const QString& title, QWidget* parent)
        : QWidget(parent), m_title(title), m_header(new QToolButton(this)), m_body(new QWidget(this)),
          m_fields(newLayout<QVBoxLayout>(m_body, {20, 0, 0, 4}, 2)) {
        m_header->setAutoRaise(true);
        m_header->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        m_header->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        m_header->setIconSize({12, 12});
        setWeight(*m_header, QFont::DemiBold);
        connect(m_header, &QToolButton::clicked, this, [this] { setOpen(!m_open); });
        addWidgets(*flushLayout<QVBoxLayout>(this, 0), {m_header, m_body});
        m_body->hide();
        showSummary(0, 0);
        followColours(*this, [this] { updateIcon(); });
    }

    void addField(ParameterField* field) {
        m_fields->addWidget(field);
        m_all << field;
    }

    void setOpen(bool open) {
        m_open = open;
        m_body->setVisible(open);
        updateIcon();
    }

    void showSummary(int changed, int problems) {
        QString text = m_title;
        if (changed > 0)
            text += tr("  ·  %1 changed").arg(changed);
        if (problems == 1)
            text += tr("  ·  1 problem");
        if (problems > 1)
            text += tr("  ·  %1 problems").arg(problems);
        m_header->setText(text);
        m_header->setAccessibleName(text);
    }

    /// Shows the fields that match the filter. While a filter is set, the section is open if it has a match, otherwise
    /// hidden. Without a search text, fields that the experiment does not read are hidden unless they were changed.
    void applyFilter(const QString& words, bool onlyChanged) {
        const bool filters = onlyChanged || !words.isEmpty();
        bool any = false;
        for (ParameterField* field : m_all) {
            const bool found = words.isEmpty() ? field->isUsed() || field->concerns() : field->matches(words);
            const bool hit = found && (!onlyChanged || field->concerns());
            field->setVisible(hit);
            any = any || hit;
        }
        setVisible(any);
        m_body->setVisible(filters ? any : m_open);
    }

private:
    void updateIcon() {
        m_header->setIcon(tintedIcon(m_open ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right"), *this));
    }

    QString m_title;
    QToolButton* m_header;
    QWidget* m_body;
    QVBoxLayout* m_fields;
    QList<ParameterField*> m_all;
    bool m_open = false;
};

ExperimentForm::ExperimentForm(ExperimentModel& model, QWidget* parent)
    : QWidget(parent), m_model(model), m_presets(new PresetPicker(model, this)), m_filter(new QLineEdit(this)),
      m_onlyChanged(new QToolButton(this)), m_nothingChanged(newWrappedLabel(this)),
      m_hint(newWrappedLabel(this, QStringLiteral("formHint"))), m_progress(new QProgressBar(this)),
      m_auto(new QCheckBox(this)), m_run(new QPushButton(this)) {
    setObjectName(QStringLiteral("form"));
    setMinimumWidth(fontMetrics().averageCharWidth() * 44);
    m_filter->setPlaceholderText(tr("Find a parameter"));
    m_filter->setClearButtonEnabled(true);
    shareUndoWithTheWindow(*m_filter);
    m_filter->setAccessibleName(tr("Find a parameter"));
    m_filterIcon = m_filter->addAction(QIcon(), QLineEdit::LeadingPosition);
    auto* column = newLayout<QVBoxLayout>(this, {12, 10, 8, 10}, 8);
    column->addWidget(m_presets);
    auto* finding = new QHBoxLayout;
    finding->setSpacing(6);
    finding->addWidget(m_filter, 1);
    finding->addWidget(m_onlyChanged);
    column->addLayout(finding);
    column->addWidget(m_nothingChanged);
    column->addWidget(buildSections(), 1);
    column->addWidget(buildFoot());
    m_onlyChanged->setObjectName(QStringLiteral("onlyChanged"));
    m_onlyChanged->setCheckable(true);
    m_onlyChanged->setToolTip(tr("Show only parameters that differ from the presets"));
    m_nothingChanged->setText(tr("No parameter differs from the presets."));
    connect(m_filter, &QLineEdit::textChanged, this, &ExperimentForm::applyFilter);
    connect(m_onlyChanged, &QToolButton::toggled, this, &ExperimentForm::applyFilter);
    connect(&m_model, &ExperimentModel::changed, this, &ExperimentForm::refresh);
    connect(m_presets, &PresetPicker::varyRequested, this, &ExperimentForm::varyRequested);
    connect(m_presets, &PresetPicker::experimentChosen, this, &ExperimentForm::experimentChosen);
    // The window opens a document that is dropped on a field; the field must not insert its name as text.
    for (QLineEdit* edit : findChildren<QLineEdit*>())
        edit->setAcceptDrops(false);
    applyFilter();
    // A button with a style sheet does not follow the font by itself.
    const auto sizeRun = [this] { m_run->setFont(strongFont(font())); };
    sizeRun();
    onEvents(*this, {QEvent::FontChange}, sizeRun);
    followColours(*this, [this] {
        m_filterIcon->setIcon(tintedIcon(QStringLiteral("search"), paletteOf(*this).inkFaint));
        refresh();
    });
}

QWidget* ExperimentForm::buildSections() {
    QScrollArea* scroll = newScrollArea(this, tr("Parameters"));
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* body = new QWidget(scroll);
    auto* column = newLayout<QVBoxLayout>(body, {0, 0, 6, 0}, 2);
    for (const engine::Parameter& parameter : engine::parameters()) {
        if (ExperimentModel::isPreset(parameter.path))
            continue;
        FormSection*& section = m_sections[parameter.group];
        if (section == nullptr) {
            section = new FormSection(text(engine::name(parameter.group)), body);
            section->setOpen(opensAtStart(parameter.group));
            column->addWidget(section);
        }
        auto* field = new ParameterField(parameter, section);
        section->addField(field);
        m_fields.push_back(field);
        connect(field, &ParameterField::textEntered, this,
                [this, field](const QString& text) { m_model.setText(field->parameter(), text); });
        connect(field, &ParameterField::valueDragged, this,
                [this, field](const engine::ParameterValue& value) { m_model.setValue(field->parameter(), value); });
        connect(field, &ParameterField::editFinished, this, [this, field] {
            m_model.finishEdit();
            field->showState(m_model.fieldState(field->parameter()));
            Q_EMIT editFinished();
        });
        connect(field, &ParameterField::editCancelled, this, [this, field] {
            m_model.cancelEdit(field->parameter());
            field->showState(m_model.fieldState(field->parameter()));
        });
        connect(field, &ParameterField::resetRequested, this, [this, field] { m_model.reset(field->parameter()); });
        connect(field, &ParameterField::varyRequested, this,
                [this, field] { Q_EMIT varyRequested(field->parameter().path); });
    }
    column->addStretch(1);
    scroll->setWidget(body);
    return scroll;
}

QWidget* ExperimentForm::buildFoot() {
    auto* foot = new QWidget(this);
    auto* column = newLayout<QVBoxLayout>(foot, {0, 0, 4, 0}, 6);
    makeThin(*m_progress, 1000, 6, tr("Progress of the run"));
    keepRoom(*m_progress);
    m_progress->hide();
    m_auto->setObjectName(QStringLiteral("runsWhileEditing"));
    m_auto->setText(tr("Run while &editing"));
    m_auto->setToolTip(tr("Simulates again after every change: at interactive detail while a slider is held, at the "
                          "chosen detail once it is released"));
    m_auto->setChecked(true);
    connect(m_auto, &QCheckBox::toggled, this, &ExperimentForm::runsWhileEditingChanged);
    m_run->setObjectName(QStringLiteral("run"));
    m_run->setMinimumHeight(36);
    connect(m_run, &QPushButton::clicked, this, [this] { m_running ? cancelRequested() : runRequested(); });
    addWidgets(*column, {m_hint, m_auto, m_progress, m_run});
    return foot;
}

void ExperimentForm::commit() {
    for (ParameterField* field : m_fields)
        field->commit();
}

bool ExperimentForm::focusParameter(const std::string& path) {
    const QString name = QString::fromStdString(path);
    if (auto* choice = m_presets->findChild<QWidget*>(QStringLiteral("preset:") + name)) {
        choice->setFocus(Qt::ShortcutFocusReason);
        return true;
    }
    auto* field = findChild<ParameterField*>(QStringLiteral("field:") + name);
    if (field == nullptr)
        return false;
    m_filter->clear();
    m_onlyChanged->setChecked(false);
    m_sections[field->parameter().group]->show();
    field->show();  // even if it is hidden because the experiment does not read it
    reveal(*field);
    field->takeFocus();
    return true;
}

void ExperimentForm::reveal(ParameterField& field) {
    m_sections[field.parameter().group]->setOpen(true);
    // A section that was just opened needs a layout before its position is known.
    auto* scroll = findChild<QScrollArea*>();
    scroll->widget()->layout()->activate();
    scroll->widget()->adjustSize();
    scroll->ensureWidgetVisible(&field, 0, field.sizeHint().height());
}

void ExperimentForm::showVaried(const std::set<std::string>& paths) {
    for (ParameterField* field : m_fields)
        field->showVaried(paths.contains(field->parameter().path));
    m_presets->showVaried(paths);
}

void ExperimentForm::varyFocused() {
    for (const ParameterField* field : m_fields) {
        if (field->isAncestorOf(QApplication::focusWidget())) {
            Q_EMIT varyRequested(field->parameter().path);
            return;
        }
    }
    const std::string path = m_presets->focusedParameter();
    if (!path.empty())
        Q_EMIT varyRequested(path);
}

void ExperimentForm::undo() {
    if (std::ranges::any_of(m_fields, &ParameterField::restore))
        return;
    letGo();
    m_model.undoStack().undo();
    m_model.finishEdit();
}

void ExperimentForm::redo() {
    letGo();
    m_model.undoStack().redo();
    m_model.finishEdit();
}

void ExperimentForm::letGo() {
    for (ParameterField* field : m_fields)
        field->letGo();
}

void ExperimentForm::applyFilter() {
    const bool onlyChanged = m_onlyChanged->isChecked();
    bool any = false;
    for (const auto& [group, section] : m_sections) {
        section->applyFilter(m_filter->text().trimmed(), onlyChanged);
        any = any || !section->isHidden();
    }
    m_nothingChanged->setVisible(onlyChanged && !any && m_filter->text().isEmpty());
}

void ExperimentForm::showRunning(bool running) {
    m_running = running;
    m_progress->setVisible(running);
    m_progress->setValue(0);
    m_left.clear();
    refresh();
}

void ExperimentForm::showProgress(double fraction, const QString& left) {
    m_progress->setValue(static_cast<int>(fraction * 1000));
    if (!m_running || left == m_left)
        return;
    m_left = left;
    m_run->setText(cancelText());
}

QString ExperimentForm::cancelText() const {
    return m_left.isEmpty() ? tr("Cancel   (Esc)") : tr("Cancel   (Esc)  ·  %1").arg(m_left);
}

void ExperimentForm::savePresetAs(data::OwnKind kind) {
    commit();
    m_presets->saveAs(kind);
}

bool ExperimentForm::runsWhileEditing() const { return m_auto->isChecked(); }

void ExperimentForm::setRunsWhileEditing(bool runs) { m_auto->setChecked(runs); }

bool ExperimentForm::isDragged() const { return std::ranges::any_of(m_fields, &ParameterField::isDragged); }

void ExperimentForm::refresh() {
    m_presets->refresh();
    std::map<engine::ParameterGroup, std::pair<int, int>> counts;
    bool otherFields = false;
    for (ParameterField* field : m_fields) {
        otherFields = field->setUsed(engine::isRead(field->parameter(), m_model.expansion().experiment)) || otherFields;
        const FieldState state = m_model.fieldState(field->parameter());
        field->showState(state);
        field->showPresetSource(m_model.presetSourceOf(field->parameter()));
        field->showValue(m_model.valueOf(field->parameter()), m_model.presetValueOf(field->parameter()));
        auto& [changed, problems] = counts[field->parameter().group];
        changed += state.changed ? 1 : 0;
        problems += state.problem.isEmpty() ? 0 : 1;
    }
    for (const auto& [group, section] : m_sections)
        section->showSummary(counts[group].first, counts[group].second);
    int changed = 0;
    for (const auto& [group, count] : counts)
        changed += count.first;
    m_onlyChanged->setText(changed > 0 ? tr("Changed: %1").arg(changed) : tr("Changed"));
    if (m_onlyChanged->isChecked() || otherFields)
        applyFilter();
    const QString problem = m_model.firstProblem();
    m_hint->setText(problem);
    m_hint->setVisible(!problem.isEmpty() && !m_running);
    m_run->setEnabled(m_running || m_model.isRunnable());
    m_run->setText(m_running ? cancelText() : tr("Run   (Ctrl+Return)"));
    // The Run button has the accent's colour while it can start a run.
    const Palette& colors = paletteOf(*this);
    const bool accented = m_run->isEnabled() && !m_running;
    const QString sheet =
        QStringLiteral("QPushButton { background: %1; color: %2; border: 2px solid %1; border-radius: 4px; }"
                       "QPushButton:hover { border-color: %3; } QPushButton:focus { border-color: %3; }"
                       "QPushButton:pressed { background: %4; }")
            .arg(colors.accent.name(), colors.onAccent.name(), colors.ink.name(), colors.accent.darker(130).name());
    m_run->setStyleSheet(accented ? sheet : QString());
}

}  // namespace ui
