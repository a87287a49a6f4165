#pragma once

#include "data/model/model_run.h"
#include "ui/model/model_page.h"
#include "ui/model/model_session.h"

#include <map>
#include <memory>

class QComboBox;
class QProgressBar;
class QPushButton;
class QSplitter;
class QStackedLayout;
class QTimer;

namespace ui {

class BreakdownBars;
class OperatorCanvas;

/// The page Graph: what a layer is made of and what each operator costs, where the time of a whole training step, prompt
/// or token goes under each policy, and what is left of the overlap there. Times the model in the background, and only
/// while somebody looks; the picture before stays until the next one is there.
class GraphPage final : public ModelPage {
    Q_OBJECT

public:
    explicit GraphPage(ModelSessionConfig config = {}, QWidget* parent = nullptr);

    void ask(const ModelQuestion& question) override;
    bool isAnswered() const override { return m_answered && !m_session.isRunning(); }
    engine::PolicyPreset policy() const { return m_policy; }
    void setPolicy(engine::PolicyPreset policy);
    ModelSession& session() { return m_session; }
    /// What is shown; null before the first.
    const std::shared_ptr<const data::ModelRun>& shown() const { return m_shown; }
    OperatorCanvas& graph() { return *m_canvas; }
    std::optional<FigureOffer> figure() const override;
    QWidget* picture() const override;
    bool stepOut() override;
    void save(QJsonObject& kept) const override;
    void restore(const QJsonObject& kept) override;
    /// Returns the policy that a session names; an empty optional if the page has no such policy.
    static std::optional<engine::PolicyPreset> policyOf(const QJsonObject& kept);

Q_SIGNALS:
    /// Somebody wants to see an operator by itself under a policy.
    void openRequested(const engine::Experiment& experiment, engine::PolicyPreset policy, const QString& title);
    void notOpened(const QString& reason);

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* buildBar();
    QWidget* buildDesk();
    void connectSession();
    void answer();  ///< shows what is known of the experiment, or times it
    void showRun(std::shared_ptr<const data::ModelRun> run);
    void showPolicy();
    void showSelection();
    void say(const QString& title, const QString& html);
    void setStale(bool stale);
    void open(std::uint32_t op);

    ModelSession m_session;
    engine::PolicyPreset m_policy = engine::PolicyPreset::t3Mca;
    std::optional<ModelQuestion> m_question;
    bool m_answered = false;  ///< nothing has changed since what is shown was asked for
    std::map<engine::ModelPhase, std::shared_ptr<const data::ModelRun>> m_known;  ///< of the experiment as it is
    std::shared_ptr<const data::ModelRun> m_shown;
    QTimer* m_pause;
    QComboBox *m_policies, *m_colourings;
    QLabel* m_headline;
    QProgressBar* m_progress;
    QPushButton* m_cancel;
    QStackedLayout* m_pages;
    QLabel* m_words;
    QSplitter* m_rows;
    OperatorCanvas* m_canvas;
    BreakdownBars* m_bars;
    QLabel* m_details;
    QPushButton* m_open;
};

}  // namespace ui
