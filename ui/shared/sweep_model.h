#pragma once

#include "data/sweep/sweep_document.h"
#include "ui/shared/axis_draft.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

class QUndoStack;

namespace ui {

/// The sweep being edited: its axes as they are typed, the policies and the metrics; the base is the experiment in the
/// form. Every edit can be undone, on the stack that the edits of the experiment are on, so that one step back is
/// always the last thing that was done. Edits of one axis are one step until `finishEdit`. Knows no widgets.
class SweepModel final : public QObject {
    Q_OBJECT

public:
    /// `undo` must outlive the model.
    explicit SweepModel(QUndoStack& undo, QObject* parent = nullptr);

    /// As far as it can be understood; to be run only when `isRunnable`.
    const data::Sweep& sweep() const { return m_sweep; }
    bool isEmpty() const { return m_state.axes.empty(); }
    bool isRunnable() const { return !isEmpty() && m_problems.empty() && m_rowsFine; }
    const std::vector<AxisDraft>& axes() const { return m_state.axes; }
    std::size_t countOf(std::size_t axis) const { return m_readings[axis].axis.size(); }
    /// What is wrong with this axis and what is allowed; empty when it is fine.
    QString problemOf(std::size_t axis) const;
    /// The first problem that belongs to no axis, in words.
    QString problem() const;
    data::ResultSubject of() const { return m_state.of; }
    const std::vector<std::string>& policies() const { return m_state.policies; }
    const std::vector<std::string>& metrics() const { return m_state.metrics; }
    /// The parameters that are on an axis.
    std::set<std::string> varied() const;

    /// Another experiment to vary. One that differs only in what the axes and policies say anyway, such as a point of
    /// the sweep that was opened, leaves the sweep as it is.
    void setBase(const data::ExperimentDraft& draft);

    /// Makes an axis of a parameter, or takes it off. False when there are as many axes as there can be.
    bool toggleAxis(const engine::Parameter& parameter, const engine::ParameterValue& current);
    void setAxis(std::size_t index, const AxisDraft& axis);
    void finishEdit() { ++m_burst; }
    void removeAxis(std::size_t index);
    void moveAxis(std::size_t index, int by);
    /// The parameters of this axis go along with those of the one above, value by value.
    void zipWithAbove(std::size_t index);
    void unzip(std::size_t index);
    void setPolicies(const std::vector<std::string>& policies);
    void setMetrics(const std::vector<std::string>& metrics);
    /// Axes, policies and metrics of another sweep; its base comes with `setBase`.
    void replace(const data::Sweep& sweep, const QString& name, const QString& file = {});
    /// A new beginning, base and all: nothing that can be undone.
    void setSweep(const data::Sweep& sweep, const QString& file);
    /// No axes, as at the beginning.
    void clear();

    /// The file that the sweep was read from or written to; empty: none.
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
        bool operator==(const State&) const = default;
    };
    class Edit;

    static State stateOf(const data::Sweep& sweep, const QString& file);
    /// Finishes the edit before, and returns the state for the next one to change.
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
