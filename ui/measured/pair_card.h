#pragma once

#include "data/measured/trace_pair.h"
#include "data/replay/shown_run.h"
#include "ui/measured/measured_figure.h"
#include "ui/measured/measured_set.h"

#include <QWidget>

#include <memory>
#include <optional>

class QLabel;
class QPushButton;

namespace ui {

class ValueTable;

/// The GEMM and the collective that are to be simulated: the values of the experiment with their origin, and, once a run
/// of it is shown, why the measured pair takes another time.
class PairCard final : public QWidget {
    Q_OBJECT

public:
    explicit PairCard(QWidget* parent = nullptr);

    /// Shows the choice; a set of null clears the card.
    void showChoice(const SharedMeasured& set, const data::MeasuredChoice& choice);
    const data::TracePair& pair() const { return m_pair; }
    /// Shows the difference if `run` is a run of the pair; another run clears it.
    void showRun(const std::shared_ptr<const data::ShownRun>& run);
    /// Returns the draft of the pair; an empty optional if it cannot be simulated.
    std::optional<data::ExperimentDraft> draft() const;
    /// Returns the simulated pair; an empty optional before a run of it is shown.
    std::optional<ComparedPair> compared() const;
    /// Returns the sentence that explains the difference; empty before there is one.
    QString difference() const;
    void setBusy(bool busy);

Q_SIGNALS:
    void simulateRequested();
    void fitRequested();
    void useRequested();
    void clearRequested();

private:
    void showValues();
    void showTimes();
    bool isRunOfPair(const data::ShownRun& run) const;

    SharedMeasured m_set;
    data::MeasuredChoice m_choice;
    data::TracePair m_pair;
    std::shared_ptr<const data::ShownRun> m_run;
    bool m_busy = false;
    QLabel *m_title, *m_remark, *m_difference;
    ValueTable *m_values, *m_times;
    QPushButton *m_simulate, *m_fit, *m_use, *m_clear;
};

/// Explains a difference: "Measured 20.1 µs longer: 5.0 µs because the parts differ, 15.1 µs because of how they run
/// together."
QString differenceText(const data::PairDifference& difference);

}  // namespace ui
