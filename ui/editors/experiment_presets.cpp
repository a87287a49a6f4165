#include "data/document/whole_file.h"
#include "data/presets/presets.h"
#include "engine/api/parameters.h"
#include "ui/shared/experiment_model.h"

// The functions of ExperimentModel for the user's own presets.

namespace ui {
namespace {

std::string presetName(const QString& name) { return name.trimmed().toStdString(); }

}  // namespace

/// Undo step that adds, removes or replaces the file of an own preset and changes the experiment with it.
class ExperimentModel::PresetEdit final : public QUndoCommand {
public:
    /// Call this after changePresets() has succeeded: if a file cannot be written, there is no undo step. `out` is the
    /// preset that was removed, `in` the one that was added.
    PresetEdit(ExperimentModel& model, const QString& name, std::optional<data::OwnPreset> out,
               std::optional<data::OwnPreset> in, State after)
        : QUndoCommand(name), m_model(model), m_out(std::move(out)), m_in(std::move(in)),
          m_before{model.m_draft, model.m_badTexts}, m_after(std::move(after)) {}

    void undo() override {
        m_model.changePresets(m_in, m_out);
        m_model.restore(m_before);
    }
    void redo() override {
        if (m_done)
            m_model.changePresets(m_out, m_in);
        m_done = true;
        m_model.restore(m_after);
    }

private:
    ExperimentModel& m_model;
    std::optional<data::OwnPreset> m_out;
    std::optional<data::OwnPreset> m_in;
    State m_before;
    State m_after;
    bool m_done = false;
};

bool ExperimentModel::changePresets(const std::optional<data::OwnPreset>& out,
                                    const std::optional<data::OwnPreset>& in) {
    try {
        if (in)
            m_ownPresets.save(*in);
        if (out && (!in || out->name != in->name))
            m_ownPresets.remove(out->kind, out->name);
    } catch (const data::FileError& error) {
        Q_EMIT presetsFailed(QString::fromStdString(error.what()));
        return false;
    }
    Q_EMIT presetsChanged();
    return true;
}

QString ExperimentModel::nameProblem(data::OwnKind kind, const QString& name) const {
    const auto problem = data::checkOwnName(kind, presetName(name));
    return problem ? QString::fromStdString(problem->text) : QString();
}

QString ExperimentModel::presetSourceOf(const engine::Parameter& parameter) const {
    const engine::Experiment& experiment = m_presets.experiment;
    const QString value = QString::fromStdString(engine::formatValue(parameter, presetValueOf(parameter)));
    const auto said = [&](const QString& title, const QString& source) {
        return tr("Preset %1: %2; %3").arg(title, value, source);
    };
    for (const data::OwnKind kind : {data::OwnKind::model, data::OwnKind::machine}) {
        const QString own = chosenPreset(kind);
        const data::OwnPreset* preset = m_ownPresets.find(kind, own.toStdString());
        if (preset != nullptr && preset->values.contains(parameter.path))
            return said(own, preset->notes.empty() ? tr("your own preset") : QString::fromStdString(preset->notes));
    }
    const data::Preset* const inForce[]{data::findMachine(experiment.machine),
                                        data::findModel(experiment.workload.model),
                                        data::findPolicy(engine::name(experiment.policy.preset))};
    for (const data::Preset* preset : inForce) {
        if (preset == nullptr || !preset->settings.contains(parameter.path))
            continue;
        const auto found = preset->sources.find(parameter.path);
        const data::ValueSource source =
            found == preset->sources.end() ? data::ValueSource{preset->sourceLabel, preset->source} : found->second;
        return said(QString::fromStdString(preset->title), QString::fromUtf8(engine::name(source.label).data()) +
                                                               QStringLiteral(", ") +
                                                               QString::fromStdString(source.source));
    }
    return {};
}

QString ExperimentModel::chosenPreset(data::OwnKind kind) const {
    if (kind == data::OwnKind::experiment) {
        for (const data::OwnPreset& preset : m_ownPresets.all()) {
            if (preset.kind == kind && preset.values == m_draft.explicitValues)
                return QString::fromStdString(preset.name);
        }
        return {};
    }
    const auto named = m_draft.explicitValues.find(data::namingPath(kind));
    const auto* word = named == m_draft.explicitValues.end() ? nullptr : std::get_if<std::string>(&named->second);
    return word != nullptr && m_ownPresets.find(kind, *word) != nullptr ? QString::fromStdString(*word) : QString();
}

bool ExperimentModel::differsFromPreset(data::OwnKind kind) const {
    for (const engine::Parameter& parameter : engine::parameters()) {
        if (!isPreset(parameter.path) && data::covers(kind, parameter) &&
            valueOf(parameter) != presetValueOf(parameter))
            return true;
    }
    return false;
}

void ExperimentModel::savePreset(data::OwnKind kind, const QString& name) {
    const data::OwnPreset preset{kind, presetName(name), data::ownValuesOf(kind, m_draft)};
    const data::OwnPreset* there = m_ownPresets.find(kind, preset.name);
    const std::optional<data::OwnPreset> replaced = there ? std::optional(*there) : std::nullopt;
    if (replaced == preset || !changePresets(replaced, preset))
        return;
    State after{m_draft, m_badTexts};
    if (kind != data::OwnKind::experiment) {
        // These values belong to the preset from now on; they no longer override another preset.
        after.draft.explicitValues.insert_or_assign(std::string(data::namingPath(kind)), preset.name);
        for (const auto& [path, value] : preset.values)
            after.draft.explicitValues.insert_or_assign(path, value);
    }
    finishEdit();
    m_undoStack.push(new PresetEdit(*this, tr("Save “%1”").arg(name.trimmed()), replaced, preset, after));
    finishEdit();
}

void ExperimentModel::renamePreset(data::OwnKind kind, const QString& from, const QString& to) {
    const data::OwnPreset* there = m_ownPresets.find(kind, presetName(from));
    if (there == nullptr || m_ownPresets.find(kind, presetName(to)) != nullptr)
        return;
    const data::OwnPreset old = *there;
    data::OwnPreset renamed = old;
    renamed.name = presetName(to);
    State after{m_draft, m_badTexts};
    if (chosenPreset(kind) == from && kind != data::OwnKind::experiment)
        after.draft.explicitValues.insert_or_assign(std::string(data::namingPath(kind)), renamed.name);
    if (!changePresets(old, renamed))
        return;
    finishEdit();
    m_undoStack.push(new PresetEdit(*this, tr("Rename “%1”").arg(from), old, renamed, after));
    finishEdit();
}

void ExperimentModel::removePreset(data::OwnKind kind, const QString& name) {
    const data::OwnPreset* there = m_ownPresets.find(kind, presetName(name));
    if (there == nullptr)
        return;
    const data::OwnPreset old = *there;
    if (!changePresets(old, std::nullopt))
        return;
    finishEdit();
    m_undoStack.push(new PresetEdit(*this, tr("Delete “%1”").arg(name), old, std::nullopt, State{m_draft, m_badTexts}));
    finishEdit();
}

}  // namespace ui
