#include "ui/shared/experiment_model.h"
#include "ui/look/format.h"

#include "engine/api/parameters.h"

#include <algorithm>
#include <array>

namespace ui {

namespace {

constexpr int kMostSteps = 500;
constexpr int kEditId = 1;

}  // namespace

/// Stores the complete states before and after an edit, which are small. Unreadable texts in the fields of other
/// parameters are not restored, because they were not part of any step.
class ExperimentModel::Edit final : public QUndoCommand {
public:
    Edit(ExperimentModel& model, std::string path, const QString& name, State before, State after)
        : QUndoCommand(name), m_model(model), m_path(std::move(path)), m_burst(model.m_burst),
          m_before(std::move(before)), m_after(std::move(after)) {}
    /// Makes a step that replaces the experiment and its file.
    Edit(ExperimentModel& model, const QString& name, State after, std::optional<DocumentOrigin> origin)
        : Edit(model, {}, name, {model.m_draft, model.m_badTexts}, std::move(after)) {
        m_origins.emplace(Origins{model.m_origin, std::move(origin)});
    }

    int id() const override { return kEditId; }
    void undo() override {
        if (m_origins)
            m_model.setOrigin(m_origins->before);
        m_model.restore(m_origins ? m_before : beside(m_before));
    }
    void redo() override {
        if (m_origins)
            m_model.setOrigin(m_origins->after);
        m_model.restore(m_origins ? m_after : beside(m_after));
    }
    bool mergeWith(const QUndoCommand* newer) override {
        const auto* edit = static_cast<const Edit*>(newer);
        if (m_origins || edit->m_origins || !isOf(edit->m_path, edit->m_burst))
            return false;
        m_after = edit->m_after;
        setObsolete(m_before.draft == m_after.draft);  // back where it began: nothing to undo
        return true;
    }

    bool isOf(std::string_view path, std::int64_t burst) const {
        return !m_origins && m_path == path && m_burst == burst;
    }
    const State& before() const { return m_before; }

private:
    struct Origins {
        std::optional<DocumentOrigin> before, after;
    };

    /// Returns `state` with the unreadable texts of all other fields as they are now.
    State beside(const State& state) const {
        State merged{state.draft, m_model.m_badTexts};
        merged.badTexts.erase(m_path);
        if (const auto own = state.badTexts.find(m_path); own != state.badTexts.end())
            merged.badTexts.insert(*own);
        return merged;
    }

    ExperimentModel& m_model;
    std::string m_path;
    std::int64_t m_burst;
    State m_before;
    State m_after;
    std::optional<Origins> m_origins;
};

ExperimentModel::ExperimentModel(std::string presetFolder, QObject* parent)
    : QObject(parent), m_ownPresets(std::move(presetFolder)), m_expansion(data::expand({})), m_presets(m_expansion) {
    m_undoStack.setUndoLimit(kMostSteps);
}

bool ExperimentModel::isPreset(std::string_view path) {
    static constexpr std::array<std::string_view, 6> kPresets{"machine",     "workload.model", "workload.sublayer",
                                                              "parallel.tp", "policy.preset",  "detail.level"};
    return std::find(kPresets.begin(), kPresets.end(), path) != kPresets.end();
}

std::string ExperimentModel::problemPath() const {
    if (!m_badTexts.empty())
        return m_badTexts.begin()->first;
    return m_expansion.problems.empty() ? std::string() : m_expansion.problems.front().path;
}

QString ExperimentModel::firstProblem() const {
    if (!m_badTexts.empty()) {
        const auto& [path, bad] = *m_badTexts.begin();
        return QString::fromStdString(path) + QStringLiteral(": ") + bad.problem;
    }
    if (m_expansion.problems.empty())
        return {};
    return QString::fromStdString(engine::describe(m_expansion.problems.front()));
}

void ExperimentModel::setDraft(data::ExperimentDraft draft) {
    m_undoStack.clear();
    setOrigin(std::nullopt);
    restore({data::withOwnPresets(draft, m_ownPresets), {}});
}

void ExperimentModel::replaceDraft(data::ExperimentDraft draft, const QString& name,
                                   const std::optional<DocumentOrigin>& origin) {
    finishEdit();
    if (origin)
        m_written[origin->file] = data::withOwnPresets(draft, m_ownPresets);
    State after{data::withOwnPresets(draft, m_ownPresets), {}};
    if (after != present() || origin != m_origin)
        m_undoStack.push(new Edit(*this, name, std::move(after), origin));
    finishEdit();
}

void ExperimentModel::setText(const engine::Parameter& parameter, const QString& text) {
    engine::Problems problems;
    const auto value = engine::parseValue(parameter, text.toStdString(), problems);
    if (!value) {
        const QString why = problems.empty() ? tr("not a valid value") : QString::fromStdString(problems.front().text);
        takeBadText(parameter, {text, why});
        return;
    }
    setValue(parameter, *value);
}

void ExperimentModel::beginDrag() {
    finishEdit();
    m_dragged = true;
}

void ExperimentModel::endDrag() {
    finishEdit();
    m_dragged = false;
    Q_EMIT dragEnded();
}

void ExperimentModel::setValue(const engine::Parameter& parameter, const engine::ParameterValue& value,
                               const QString& step) {
    State before = present();
    before.badTexts.erase(parameter.path);  // Undo must not restore a text that was typed on the way to this value.
    State after = before;
    const data::OwnKind kind = parameter.path == "machine" ? data::OwnKind::machine : data::OwnKind::model;
    // The choice of a preset is always explicit. Any other value is explicit only if it differs from that of the
    // presets.
    if (parameter.path == data::namingPath(kind)) {
        after.draft = data::withChosen(kind, std::get<std::string>(value), m_draft, m_ownPresets);
    } else if (isPreset(parameter.path) || m_presetDraft.explicitValues.contains(parameter.path) ||
               parameter.read(m_presets.experiment) != value) {
        after.draft.explicitValues[parameter.path] = value;
    } else {
        after.draft.explicitValues.erase(parameter.path);
    }
    if (after.draft == m_draft)
        changeWithoutStep(after);  // leaving a field without a change is not an edit
    else
        m_undoStack.push(new Edit(*this, parameter.path,
                                  step.isEmpty() ? tr("Change %1").arg(ui::text(parameter.label)) : step,
                                  std::move(before), after));
}

// Stores a text that cannot be parsed. The experiment gets back the value from before the typing began, not one that
// was typed on the way.
void ExperimentModel::takeBadText(const engine::Parameter& parameter, BadText text) {
    State after = present();
    after.badTexts.insert_or_assign(parameter.path, std::move(text));
    if (const Edit* edit = editUnderWay(parameter)) {
        after.draft = edit->before().draft;
        m_undoStack.push(new Edit(*this, parameter.path, edit->text(), present(), after));  // cancels that step
    } else {
        changeWithoutStep(after);
    }
}

const ExperimentModel::Edit* ExperimentModel::editUnderWay(const engine::Parameter& parameter) const {
    const auto* edit = dynamic_cast<const Edit*>(m_undoStack.command(m_undoStack.index() - 1));
    return edit != nullptr && edit->isOf(parameter.path, m_burst) ? edit : nullptr;
}

void ExperimentModel::cancelEdit(const engine::Parameter& parameter) {
    if (editUnderWay(parameter) != nullptr)
        m_undoStack.undo();
    State after = present();
    after.badTexts.erase(parameter.path);
    changeWithoutStep(after);
    finishEdit();
}

void ExperimentModel::reset(const engine::Parameter& parameter) {
    finishEdit();
    State after = present();
    after.badTexts.erase(parameter.path);
    after.draft.explicitValues.erase(parameter.path);
    // The draft contains the values of the user's presets, so a reset restores that value.
    if (const auto own = m_presetDraft.explicitValues.find(parameter.path); own != m_presetDraft.explicitValues.end())
        after.draft.explicitValues.insert(*own);
    if (after != present())
        m_undoStack.push(new Edit(*this, parameter.path, tr("Reset %1").arg(text(parameter.label)), present(), after));
    finishEdit();
}

void ExperimentModel::setSaved(const DocumentOrigin& origin, const data::ExperimentDraft& written) {
    m_written[origin.file] = data::withOwnPresets(written, m_ownPresets);
    finishEdit();
    m_origin = origin;
    Q_EMIT originChanged();
}

bool ExperimentModel::differsFromFile() const {
    if (!m_origin)
        return false;
    const auto written = m_written.find(m_origin->file);
    return !m_badTexts.empty() || written == m_written.end() || written->second != m_draft;
}

void ExperimentModel::setOrigin(const std::optional<DocumentOrigin>& origin) {
    if (m_origin == origin)
        return;
    m_origin = origin;
    Q_EMIT originChanged();
}

void ExperimentModel::changeWithoutStep(const State& state) {
    if (state != present())
        restore(state);
}

void ExperimentModel::restore(const State& state) {
    m_draft = state.draft;
    m_badTexts = state.badTexts;
    expandAgain();
    Q_EMIT changed();
}

FieldState ExperimentModel::fieldState(const engine::Parameter& parameter) const {
    FieldState state;
    if (const auto bad = m_badTexts.find(parameter.path); bad != m_badTexts.end())
        return {bad->second.text, true, bad->second.problem};
    const engine::ParameterValue value = parameter.read(m_expansion.experiment);
    const auto written = m_draft.explicitValues.find(parameter.path);
    // The expansion replaces a refused value by that of the preset; the form still shows the requested value.
    state.text = QString::fromStdString(
        engine::formatValue(parameter, written != m_draft.explicitValues.end() ? written->second : value));
    state.changed = written != m_draft.explicitValues.end() && written->second != parameter.read(m_presets.experiment);
    for (const engine::Problem& problem : m_expansion.problems) {
        // A network has no run, and nothing is wrong with that.
        const bool isNetwork = problem.path == "workload.model" && engine::isNetwork(m_expansion.experiment);
        if (problem.path == parameter.path && state.problem.isEmpty() && !isNetwork)
            state.problem = QString::fromStdString(problem.text);
    }
    return state;
}

void ExperimentModel::expandAgain() {
    data::ExperimentDraft presets;
    for (const auto& [path, value] : m_draft.explicitValues) {
        if (isPreset(path))
            presets.explicitValues[path] = value;
    }
    presets = data::withOwnPresets(presets, m_ownPresets);
    if (presets != m_presetDraft) {  // most edits leave the presets as they are
        m_presetDraft = std::move(presets);
        m_presets = data::expand(m_presetDraft);
    }
    m_expansion = data::expand(m_draft);
}

}  // namespace ui
