#pragma once

#include "data/questions/advice_rules.h"
#include "data/questions/divisions.h"
#include "ui/model/graph_page.h"
#include "ui/model/model_page.h"

#include <QJsonValue>
#include <QString>
#include <QStringList>
#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QButtonGroup;
class QComboBox;
class QStackedWidget;

namespace ui {

class AdvicePage;
class DivisionsPage;
class MemoryPage;
class MessagesPage;
class OpenedTasks;
class OperatorsPage;
class StepPage;

/// The view Model: a whole model in pages. Graph shows its times, Step when everything runs, Operators compares its operators with the machine's
/// roofline, Memory shows what a GPU holds, Messages what it sends, Divisions lists the ways to divide the model over
/// GPUs, and Advice shows the cost of sizes that do not suit a GPU. All pages have the same experiment and phase.
class ModelView final : public QWidget {
    Q_OBJECT

public:
    explicit ModelView(ModelSessionConfig config = {}, QWidget* parent = nullptr);

    /// Sets the experiment whose model is shown; `problem` explains why it is invalid, or is empty.
    void setExperiment(const engine::Experiment& experiment, const QString& problem);
    engine::ModelPhase phase() const { return m_phase; }
    void setPhase(engine::ModelPhase phase);

    /// Returns the names of the pages in order, as --page and the session use them.
    static QStringList pageNames();
    QString page() const;
    /// Returns false and does nothing if no page has that name.
    bool showPage(const QString& name);
    ModelPage& currentPage() const { return *m_pages[m_current].page; }
    MemoryPage& memory() { return *m_memory; }
    MessagesPage& messages() { return *m_messages; }
    DivisionsPage& divisions() { return *m_divisions; }
    AdvicePage& advice() { return *m_advice; }

    /// Shows the timetable of a document on the page Step.
    void showTasks(std::shared_ptr<const OpenedTasks> tasks);

    OperatorsPage& operators() { return *m_operators; }
    StepPage& step() { return *m_step; }

    /// Returns the policy of the pages that show times.
    engine::PolicyPreset policy() const { return m_times.policy(); }
    void setPolicy(engine::PolicyPreset policy) { m_times.setPolicy(policy); }
    ModelSession& session() { return m_times.session(); }
    const std::shared_ptr<const data::ModelRun>& shown() const { return m_times.shown(); }
    OperatorCanvas& graph() { return m_graph->graph(); }

    std::optional<FigureOffer> figure() const { return currentPage().figure(); }
    /// Cancels work in progress, else clears the selection of the page; returns false if there is neither.
    bool stepOut() { return currentPage().stepOut(); }

    QJsonValue save() const;
    bool restore(const QJsonValue& kept);

Q_SIGNALS:
    /// The user wants to see an operator by itself under a policy.
    void openRequested(const engine::Experiment& experiment, engine::PolicyPreset policy, const QString& title);
    void notOpened(const QString& reason);
    /// The user wants this division for the experiment; `title` describes it in words.
    void applyRequested(const data::Division& division, const QString& title);
    /// The user wants to change the experiment as a rule advises; `title` is the text of the command.
    void changeRequested(const data::AdviceChange& change, const QString& title);
    /// The user wants to see the step of that many stages and micro-batches.
    void divisionRequested(std::int64_t pp, std::int64_t microbatches);
    /// The visible page shows the experiment, or a text that explains why it cannot.
    void modelShown();

protected:
    void focusInEvent(QFocusEvent* event) override;

private:
    struct Page {
        QString name;
        ModelPage* page;
    };

    QWidget* buildHead();
    void addPage(const QString& name, const QString& title, const QString& hint, ModelPage* page);
    void choose(int index);
    void ask();
    void styleSwitch();

    engine::ModelPhase m_phase = engine::ModelPhase::training;
    std::optional<engine::Experiment> m_experiment;
    QString m_problem;
    std::vector<Page> m_pages;
    std::size_t m_current = 0;
    QWidget* m_switch = nullptr;
    QButtonGroup* m_buttons = nullptr;
    QComboBox* m_phases = nullptr;
    QStackedWidget* m_stack;
    ModelTimes m_times;
    GraphPage* m_graph;
    StepPage* m_step;
    OperatorsPage* m_operators;
    MemoryPage* m_memory;
    MessagesPage* m_messages;
    DivisionsPage* m_divisions;
    AdvicePage* m_advice;
};

}  // namespace ui
