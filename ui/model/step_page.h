#pragma once

#include "data/model/model_step.h"
#include "ui/model/opened_tasks.h"
#include "ui/model/timed_page.h"

#include <memory>
#include <vector>

class QScrollArea;
class QSplitter;

namespace ui {

class StepCanvas;
class ValueTable;

/// The page Step: when every pass, message and send of a step runs, on all stages. Its choosers try other schedules and
/// look-aheads without a simulation and without changing the experiment. A document of tasks takes the place of the
/// model's step until another question is asked.
class StepPage final : public TimedPage {
    Q_OBJECT

public:
    /// `times` must outlive the page's use.
    explicit StepPage(ModelTimes& times, QWidget* parent = nullptr);

    StepCanvas& canvas() { return *m_canvas; }
    ValueTable& table() { return *m_table; }
    /// Shows the timetable of a document in place of the model's step.
    void showTasks(std::shared_ptr<const OpenedTasks> tasks);
    bool showsTasks() const { return m_tasks != nullptr; }
    void ask(const ModelQuestion& question) override;
    std::optional<FigureOffer> figure() const override;
    QWidget* picture() const override;
    void save(QJsonObject& kept) const override;
    void restore(const QJsonObject& kept) override;
    bool stepOut() override;
    /// Pins the shown timetable, or releases it.
    void togglePin();

Q_SIGNALS:
    /// The user wants to see an operator by itself under a policy.
    void openRequested(const engine::Experiment& experiment, engine::PolicyPreset policy, const QString& title);
    void notOpened(const QString& reason);
    /// The user wants to try 4 stages and 8 micro-batches.
    void divisionRequested(std::int64_t pp, std::int64_t microbatches);

protected:
    QString showTimes() override;
    void setStale(bool stale) override;
    bool dropSelection() override;
    void keyPressEvent(QKeyEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    QWidget* buildDesk();
    /// Returns the headline of the shown steps, with the pairs that are missing.
    QString headline() const;
    void askForPairs();
    /// Makes the timetables that the choosers ask for, shows them and returns the headline.
    QString showSteps();
    void showAgain();
    void showChoice();
    void leaveTasks();
    void open(std::size_t op);

    QComboBox* m_schedules;
    QComboBox* m_lookaheads;
    QPushButton* m_try = nullptr;
    QPushButton* m_leave = nullptr;  ///< shown with a document of tasks
    StepCanvas* m_canvas = nullptr;
    QLabel* m_details = nullptr;
    QLabel* m_refused = nullptr;
    ValueTable* m_table = nullptr;
    std::shared_ptr<const OpenedTasks> m_tasks;  ///< null: the page shows the model's step
    std::shared_ptr<const data::ModelStep> m_pinned;
    std::vector<engine::Experiment> m_experiments;  ///< of the shown steps
    QString m_title;                                ///< the headline without missing pairs
    std::size_t m_missing = 0;                      ///< pairs of GEMMs and messages without rates
};

}  // namespace ui
