#pragma once

#include "data/questions/advice_rules.h"
#include "data/questions/divisions.h"
#include "ui/model/graph_page.h"
#include "ui/model/model_page.h"

#include <QJsonValue>
#include <QString>
#include <QStringList>
#include <QWidget>

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
class OperatorsPage;

/// The view Model: a whole model in pages. Graph times it, Operators sets its operators against the machine's roof,
/// Memory tells what a GPU holds, Messages what it sends, Divisions lists the ways to deal it out, and Advice tells
/// what sizes cost that a GPU does not like. All pages are about the same experiment and phase.
class ModelView final : public QWidget {
    Q_OBJECT

public:
    explicit ModelView(ModelSessionConfig config = {}, QWidget* parent = nullptr);

    /// The experiment whose model it is; `problem` tells why it cannot be understood, else it is empty.
    void setExperiment(const engine::Experiment& experiment, const QString& problem);
    engine::ModelPhase phase() const { return m_phase; }
    void setPhase(engine::ModelPhase phase);

    /// The names of the pages, in their order: what --page and the session call them.
    static QStringList pageNames();
    QString page() const;
    /// Returns false and does nothing if no page has that name.
    bool showPage(const QString& name);
    ModelPage& currentPage() const { return *m_pages[m_current].page; }
    MemoryPage& memory() { return *m_memory; }
    MessagesPage& messages() { return *m_messages; }
    DivisionsPage& divisions() { return *m_divisions; }
    AdvicePage& advice() { return *m_advice; }

    OperatorsPage& operators() { return *m_operators; }

    // Of the pages that show times.
    engine::PolicyPreset policy() const { return m_times.policy(); }
    void setPolicy(engine::PolicyPreset policy) { m_times.setPolicy(policy); }
    ModelSession& session() { return m_times.session(); }
    const std::shared_ptr<const data::ModelRun>& shown() const { return m_times.shown(); }
    OperatorCanvas& graph() { return m_graph->graph(); }

    std::optional<FigureOffer> figure() const { return currentPage().figure(); }
    /// Cancels what is under way, else drops the selection of the page; returns false if there is neither.
    bool stepOut() { return currentPage().stepOut(); }

    QJsonValue save() const;
    bool restore(const QJsonValue& kept);

Q_SIGNALS:
    /// Somebody wants to see an operator by itself under a policy.
    void openRequested(const engine::Experiment& experiment, engine::PolicyPreset policy, const QString& title);
    void notOpened(const QString& reason);
    /// Somebody wants the experiment to be dealt out like this; `title` tells the division in words.
    void applyRequested(const data::Division& division, const QString& title);
    /// Somebody wants the experiment to be changed as a rule advises; `title` is an order.
    void changeRequested(const data::AdviceChange& change, const QString& title);
    /// The page in sight is that of the experiment, or its words say why there is none.
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
    OperatorsPage* m_operators;
    MemoryPage* m_memory;
    MessagesPage* m_messages;
    DivisionsPage* m_divisions;
    AdvicePage* m_advice;
};

}  // namespace ui
