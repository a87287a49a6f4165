#pragma once

#include "data/model/model_run.h"
#include "ui/model/model_page.h"
#include "ui/model/model_session.h"

#include <QObject>
#include <QString>

#include <cstddef>
#include <map>
#include <memory>
#include <vector>

class QTimer;

namespace ui {

/// The times of the model and the selected policy, shared by all pages that show them, so that one run serves all.
/// Times the model in the background, and only while a page is visible. The previous run stays shown until the next one
/// is ready.
class ModelTimes final : public QObject {
    Q_OBJECT

public:
    /// The text that replaces a run.
    struct Words {
        QString title, html;
    };

    explicit ModelTimes(ModelSessionConfig config = {}, QObject* parent = nullptr);

    /// Asks a question; several pages may ask the same one. `seen`: the page that asks is visible.
    void ask(const ModelQuestion& question, bool seen);
    /// Answers the last question if it has not been answered; to be called when a page becomes visible.
    void look();
    /// Simulates the missing pairs of GEMMs and messages in the steps of `bases` under the selected policy; they get
    /// their rates in another shown run. Does nothing while a run is in progress.
    void askForPairs(const std::vector<engine::Experiment>& bases);
    /// Cancels a run in progress; returns false if there is none.
    bool cancel();

    ModelSession& session() { return m_session; }
    bool isRunning() const { return m_session.isRunning(); }
    /// Returns whether the question has been answered and nothing has changed since.
    bool isAnswered() const { return m_answered && !isRunning(); }
    /// Returns whether the shown run belongs to an earlier experiment.
    bool isStale() const { return m_stale; }
    /// Returns the shown run; null before the first one, and while words() say why there is none.
    const std::shared_ptr<const data::ModelRun>& shown() const { return m_shown; }
    const Words& words() const { return m_words; }

    static const std::vector<engine::PolicyPreset>& policies();
    engine::PolicyPreset policy() const { return policies()[m_policy]; }
    /// Returns the index of the selected policy in policies() and in the policies of a run.
    std::size_t policyIndex() const { return m_policy; }
    /// Selects a policy; does nothing if models are not timed under it.
    void setPolicy(engine::PolicyPreset policy);

Q_SIGNALS:
    /// The words, the staleness, or whether a run is in progress have changed.
    void stateChanged();
    /// Another run or another policy is shown.
    void shownChanged();
    /// The question has been answered.
    void answered();

private:
    void connectSession();
    void answer();
    /// Returns whether the question is about another step of the shown model, which takes a few simulations at most.
    bool isOtherStep() const;
    void showRun(std::shared_ptr<const data::ModelRun> run);
    void say(const QString& title, const QString& html);

    ModelSession m_session;
    QTimer* m_pause;
    std::size_t m_policy;
    std::optional<ModelQuestion> m_question;
    bool m_due = false;        ///< no page has been visible since the question changed
    bool m_samePhase = false;  ///< the question has the same phase as the one before
    bool m_answered = false;
    bool m_stale = false;
    std::map<engine::ModelPhase, std::shared_ptr<const data::ModelRun>> m_known;  ///< of the current experiment
    std::shared_ptr<const data::ModelRun> m_shown;
    Words m_words;
};

}  // namespace ui
