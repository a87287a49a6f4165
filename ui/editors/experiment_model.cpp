#include "ui/editors/experiment_model.h"

#include "engine/api/parameters.h"

#include <algorithm>
#include <array>

namespace ui {

ExperimentModel::ExperimentModel(QObject* parent) : QObject(parent) { expandAgain(); }

bool ExperimentModel::isPreset(std::string_view path) {
    static constexpr std::array<std::string_view, 6> kPresets{"machine",     "workload.model", "workload.sublayer",
                                                              "parallel.tp", "policy.preset",  "detail.level"};
    return std::find(kPresets.begin(), kPresets.end(), path) != kPresets.end();
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
    m_draft = std::move(draft);
    m_badTexts.clear();
    expandAgain();
    Q_EMIT changed();
}

void ExperimentModel::setText(const engine::Parameter& parameter, const QString& text) {
    engine::Problems problems;
    const auto value = engine::parseValue(parameter, text.toStdString(), problems);
    if (!value) {
        const QString why =
            problems.empty() ? tr("This cannot be read.") : QString::fromStdString(problems.front().text);
        m_badTexts[parameter.path] = {text, why};
    } else {
        m_badTexts.erase(parameter.path);
        m_draft.explicitValues[parameter.path] = *value;
        if (!isPreset(parameter.path)) {
            expandAgain();
            if (parameter.read(m_presets.experiment) == *value)
                m_draft.explicitValues.erase(parameter.path);
        }
    }
    expandAgain();
    Q_EMIT changed();
}

void ExperimentModel::reset(const engine::Parameter& parameter) {
    m_badTexts.erase(parameter.path);
    m_draft.explicitValues.erase(parameter.path);
    expandAgain();
    Q_EMIT changed();
}

FieldState ExperimentModel::fieldState(const engine::Parameter& parameter) const {
    FieldState state;
    if (const auto bad = m_badTexts.find(parameter.path); bad != m_badTexts.end())
        return {bad->second.text, true, bad->second.problem};
    const engine::ParameterValue value = parameter.read(m_expansion.experiment);
    const auto written = m_draft.explicitValues.find(parameter.path);
    // A value that was refused is left at its preset by the expansion; the form still shows what was asked for.
    state.text = QString::fromStdString(
        engine::formatValue(parameter, written != m_draft.explicitValues.end() ? written->second : value));
    state.changed = written != m_draft.explicitValues.end();
    for (const engine::Problem& problem : m_expansion.problems) {
        if (problem.path == parameter.path && state.problem.isEmpty())
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
    m_presets = data::expand(presets);
    m_expansion = data::expand(m_draft);
}

}  // namespace ui
