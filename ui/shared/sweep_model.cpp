#include "ui/shared/sweep_model.h"

#include "data/model/model_point.h"
#include "ui/look/format.h"

#include <QUndoStack>

#include <algorithm>

namespace ui {
namespace {

constexpr int kSweepEditId = 2;  // edits of the experiment have the id 1

QString labelOf(const std::string& path) {
    const engine::Parameter* parameter = engine::findParameter(path);
    return parameter != nullptr ? text(parameter->label) : text(path);
}

QString pathOfAxis(std::size_t index) { return QStringLiteral("axes[%1]").arg(index); }

}  // namespace

/// Stores the complete states before and after an edit, as the edits of the experiment do.
class SweepModel::Edit final : public QUndoCommand {
public:
    Edit(SweepModel& model, const QString& name, State after, QString burst)
        : QUndoCommand(name), m_model(model), m_before(model.m_state), m_after(std::move(after)),
          m_key(std::move(burst)), m_burst(model.m_burst) {}

    int id() const override { return kSweepEditId; }
    void undo() override { m_model.restore(m_before); }
    void redo() override { m_model.restore(m_after); }
    bool mergeWith(const QUndoCommand* newer) override {
        const auto* edit = static_cast<const Edit*>(newer);
        if (m_key.isEmpty() || edit->m_key != m_key || edit->m_burst != m_burst)
            return false;
        m_after = edit->m_after;
        setObsolete(m_before == m_after);
        return true;
    }

private:
    SweepModel& m_model;
    State m_before, m_after;
    QString m_key;
    std::int64_t m_burst;
};

SweepModel::SweepModel(QUndoStack& undo, QObject* parent) : QObject(parent), m_undo(undo) { read(); }

QString SweepModel::problemOf(std::size_t axis) const {
    if (!m_readings[axis].problem.isEmpty())
        return m_readings[axis].problem;
    for (const engine::Problem& problem : m_problems) {
        if (text(problem.path).startsWith(pathOfAxis(axis)))
            return text(problem.text);
    }
    return {};
}

QString SweepModel::problem() const {
    for (const engine::Problem& problem : m_problems) {
        if (!text(problem.path).startsWith(QLatin1String("axes[")))
            return text(engine::describe(problem));
    }
    return {};
}

std::set<std::string> SweepModel::varied() const {
    std::set<std::string> paths;
    for (const AxisDraft& axis : m_state.axes) {
        for (const ColumnDraft& column : axis.columns)
            paths.insert(column.path);
    }
    return paths;
}

void SweepModel::setBase(const data::ExperimentDraft& draft) {
    const auto bare = [this](data::ExperimentDraft base) {
        for (const std::string& path : varied())
            base.explicitValues.erase(path);
        if (!m_state.policies.empty())
            base.explicitValues.erase("policy.preset");
        if (data::isOfModels(m_state.of))
            data::setModelDefaults(base, m_state.of);  // because an opened point has them
        return base;
    };
    if (draft == m_base || (!isEmpty() && bare(draft) == bare(m_base)))
        return;
    m_base = draft;
    read();
    Q_EMIT changed();
}

bool SweepModel::toggleAxis(const engine::Parameter& parameter, const engine::ParameterValue& current) {
    State after = m_state;
    const auto holds = [&parameter](const AxisDraft& axis) {
        return std::any_of(axis.columns.begin(), axis.columns.end(),
                           [&](const ColumnDraft& column) { return column.path == parameter.path; });
    };
    const auto at = std::find_if(after.axes.begin(), after.axes.end(), holds);
    finishEdit();
    if (at != after.axes.end()) {
        std::erase_if(at->columns, [&](const ColumnDraft& column) { return column.path == parameter.path; });
        if (at->columns.empty()) {
            after.axes.erase(at);
        } else if (at->columns.size() == 1) {
            at->kind = AxisKind::list;
        }
        push(tr("Stop Varying %1").arg(text(parameter.label)), std::move(after));
        return true;
    }
    if (after.axes.size() >= data::kMostAxes)
        return false;
    after.axes.push_back(defaultAxis(parameter, current));
    if (after.policies.empty()) {
        const auto policy = m_base.explicitValues.find("policy.preset");
        const engine::ParameterValue& value = policy != m_base.explicitValues.end()
                                                  ? policy->second
                                                  : engine::findParameter("policy.preset")->defaultValue;
        after.policies = {std::get<std::string>(value)};
    }
    if (after.metrics.empty())
        after.metrics = data::usualMetrics(after.of);
    push(tr("Vary %1").arg(text(parameter.label)), std::move(after));
    return true;
}

void SweepModel::setAxis(std::size_t index, const AxisDraft& axis) {
    State after = m_state;
    after.axes[index] = axis;
    push(tr("Change Values of %1").arg(labelOf(axis.columns.front().path)), std::move(after), pathOfAxis(index));
}

void SweepModel::removeAxis(std::size_t index) {
    State after = nextState();
    const QString name = tr("Stop Varying %1").arg(labelOf(after.axes[index].columns.front().path));
    after.axes.erase(after.axes.begin() + static_cast<std::ptrdiff_t>(index));
    push(name, std::move(after));
}

void SweepModel::moveAxis(std::size_t index, int by) {
    const auto to = static_cast<std::ptrdiff_t>(index) + by;
    if (to < 0 || to >= static_cast<std::ptrdiff_t>(m_state.axes.size()))
        return;
    State after = nextState();
    std::swap(after.axes[index], after.axes[static_cast<std::size_t>(to)]);
    push(tr("Reorder Axes"), std::move(after));
}

void SweepModel::zipWithAbove(std::size_t index) {
    if (index == 0 || index >= m_state.axes.size())
        return;
    State after = nextState();
    AxisDraft above = withKind(after.axes[index - 1], AxisKind::list);
    const AxisDraft moved = withKind(after.axes[index], AxisKind::list);
    above.kind = AxisKind::zipped;
    above.columns.insert(above.columns.end(), moved.columns.begin(), moved.columns.end());
    after.axes[index - 1] = std::move(above);
    after.axes.erase(after.axes.begin() + static_cast<std::ptrdiff_t>(index));
    push(tr("Zip Axes"), std::move(after));
}

void SweepModel::unzip(std::size_t index) {
    const AxisDraft zipped = m_state.axes[index];
    if (zipped.columns.size() < 2 || m_state.axes.size() + zipped.columns.size() - 1 > data::kMostAxes)
        return;
    State after = nextState();
    auto at = after.axes.erase(after.axes.begin() + static_cast<std::ptrdiff_t>(index));
    for (const ColumnDraft& column : zipped.columns)
        at = after.axes.insert(at, AxisDraft{AxisKind::list, {column}, {}, {}, {}}) + 1;
    push(tr("Unzip Axis"), std::move(after));
}

void SweepModel::setPolicies(const std::vector<std::string>& policies) {
    State after = nextState();
    after.policies = policies;
    push(tr("Change Policies of Sweep"), std::move(after));
}

void SweepModel::setMetrics(const std::vector<std::string>& metrics) {
    State after = nextState();
    after.metrics = metrics;
    push(tr("Change Metrics of Sweep"), std::move(after));
}

SweepModel::State SweepModel::nextState() {
    finishEdit();
    return m_state;
}

SweepModel::State SweepModel::stateOf(const data::Sweep& sweep, const QString& file) {
    State state{{}, sweep.policies, sweep.metrics, sweep.texts, file, sweep.of, sweep.projectFrom};
    for (const data::SweepAxis& axis : sweep.axes)
        state.axes.push_back(draftOf(axis));
    return state;
}

void SweepModel::replace(const data::Sweep& sweep, const QString& name, const QString& file) {
    finishEdit();
    push(name, stateOf(sweep, file));
}

void SweepModel::setSweep(const data::Sweep& sweep, const QString& file) {
    m_base = sweep.base;
    restore(stateOf(sweep, file));
}

void SweepModel::clear() {
    finishEdit();
    push(tr("Clear Sweep"), State{});
}

void SweepModel::setSaved(const QString& file) {
    finishEdit();
    m_state.file = file;
    Q_EMIT changed();
}

void SweepModel::push(const QString& name, State after, const QString& burst) {
    if (after != m_state)
        m_undo.push(new Edit(*this, name, std::move(after), burst));
}

void SweepModel::restore(const State& state) {
    m_state = state;
    read();
    Q_EMIT changed();
}

void SweepModel::read() {
    m_readings.clear();
    m_sweep = {m_state.texts, m_base, {}, m_state.policies, m_state.metrics, m_state.of, m_state.projectFrom};
    m_rowsFine = true;
    for (const AxisDraft& axis : m_state.axes) {
        m_readings.push_back(readAxis(axis));
        m_rowsFine = m_rowsFine && m_readings.back().problem.isEmpty();
        m_sweep.axes.push_back(m_readings.back().axis);
    }
    m_problems = isEmpty() || !m_rowsFine ? engine::Problems{} : data::check(m_sweep);
}

}  // namespace ui
