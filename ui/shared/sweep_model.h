#pragma once

#include "data/sweep/sweep_document.h"
#include "ui/shared/axis_draft.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

class QUndoStack;

namespace ui {

/// The sweep being edited: its axes as typed, the policies and the metrics; the base is the experiment in the form.
/// Every edit can be undone, on the same undo stack as edits of the experiment, so that Undo always takes back the
/// latest edit. Edits of one axis are merged into one undo step until `finishEdit`. Does not depend on widgets.
class SweepModel final : public QObject {
    Q_OBJECT

public:
    /// `undo` must outlive the model.
    explicit SweepModel(QUndoStack& undo, QObject* parent = nullptr);

    /// Returns the sweep as far as its texts can be parsed. Run it only if `isRunnable`.
    const data::Sweep& sweep() const { return m_sweep; }
    bool isEmpty() const { return m_state.axes.empty(); }
    bool isRunnable() const { return !isEmpty() && m_problems.empty() && m_rowsFine; }
    const std::vector<AxisDraft>& axes() const { return m_state.axes; }
    std::size_t countOf(std::size_t axis) const { return m_readings[axis].axis.size(); }
    /// Returns what is wrong with an axis and what is allowed; empty if the axis is valid.
    QString problemOf(std::size_t axis) const;
    /// Returns the message of the first problem that belongs to no axis.
    QString problem() const;
    data::ResultSubject of() const { return m_state.of; }
    const std::vector<std::string>& policies() const { return m_state.policies; }
    const std::vector<std::string>& metrics() const { return m_state.metrics; }
    /// Returns the parameters that are on an axis.
    std::set<std::string> varied() const;

    /// Sets the base experiment. A base that differs only in parameters that the axes and policies set anyway, such as
    /// an opened point of this sweep, does not change the sweep.
    void setBase(const data::ExperimentDraft& draft);

    /// Makes an axis of a parameter, or removes the parameter's axis. Returns false if there are already as many axes
    /// as allowed.
    bool toggleAxis(const engine::Parameter& parameter, const engine::ParameterValue& current);
    void setAxis(std::size_t index, const AxisDraft& axis);
    void finishEdit() { ++m_burst; }
    void removeAxis(std::size_t index);
    void moveAxis(std::size_t index, int by);
    /// Zips this axis with the one above: their parameters then vary together, value by value.
    void zipWithAbove(std::size_t index);
    void unzip(std::size_t index);
    void setPolicies(const std::vector<std::string>& policies);
    void setMetrics(const std::vector<std::string>& metrics);
    /// Replaces axes, policies and metrics by those of another sweep; set its base with `setBase`.
    void replace(const data::Sweep& sweep, const QString& name, const QString& file = {});
    /// Replaces the whole sweep with its base, and cannot be undone.
    void setSweep(const data::Sweep& sweep, const QString& file);
    /// Removes all axes, as at the start.
    void clear();

    /// Returns the file that the sweep was read from or written to; empty: none.
    const QString& file() const { return m_state.file; }
    void setSaved(const QString& file);

Q_SIGNALS:
    void changed();

private:
    struct State {
        std::vector<AxisDraft> axes;
        std::vector<std::string> policies, metrics;
        data::DocumentTexts texts;
        QString file;
        data::ResultSubject of = data::ResultSubject::run;
        std::optional<data::ExperimentDraft> projectFrom{};
        bool operator==(const State&) const = default;
    };
    class Edit;

    static State stateOf(const data::Sweep& sweep, const QString& file);
    /// Finishes the edit in progress, and returns the state for the next edit to change.
    State nextState();
    void push(const QString& name, State after, const QString& burst = {});
    void restore(const State& state);
    void read();

    QUndoStack& m_undo;
    State m_state;
    data::ExperimentDraft m_base;
    std::vector<AxisReading> m_readings;
    data::Sweep m_sweep;
    engine::Problems m_problems;
    bool m_rowsFine = true;
    std::int64_t m_burst = 0;
};

}  // namespace ui
