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

/// The times of the model and the policy that is looked at, shared by all pages that show them: one run answers them
/// all. Times the model in the background, and only while somebody looks. The run before stays shown until the next one
/// is there.
class ModelTimes final : public QObject {
    Q_OBJECT

public:
    /// What stands in place of a run.
    struct Words {
        QString title, html;
    };

    explicit ModelTimes(ModelSessionConfig config = {}, QObject* parent = nullptr);

    /// Several pages may ask the same. `seen`: the page that asks is visible.
    void ask(const ModelQuestion& question, bool seen);
    /// Answers the last question, unless it has been answered: a page becomes visible.
    void look();
    /// Cancels what is under way; returns false if nothing is.
    bool cancel();

    ModelSession& session() { return m_session; }
    bool isRunning() const { return m_session.isRunning(); }
    /// Returns whether nothing has changed since what is shown was asked for.
    bool isAnswered() const { return m_answered && !isRunning(); }
    /// Returns whether what is shown is of an experiment before.
    bool isStale() const { return m_stale; }
    /// What is shown; null before the first, and while words() say why there is none.
    const std::shared_ptr<const data::ModelRun>& shown() const { return m_shown; }
    const Words& words() const { return m_words; }

    static const std::vector<engine::PolicyPreset>& policies();
    engine::PolicyPreset policy() const { return policies()[m_policy]; }
    /// Of policies(), and of the policies of a run.
    std::size_t policyIndex() const { return m_policy; }
    /// Does nothing for a policy that models are not timed under.
    void setPolicy(engine::PolicyPreset policy);

Q_SIGNALS:
    /// Words, staleness, or whether a run is under way have changed.
    void stateChanged();
    /// Another run or another policy is shown.
    void shownChanged();
    /// From now on the question is answered.
    void answered();

private:
    void connectSession();
    void answer();
    void showRun(std::shared_ptr<const data::ModelRun> run);
    void say(const QString& title, const QString& html);

    ModelSession m_session;
    QTimer* m_pause;
    std::size_t m_policy;
    std::optional<ModelQuestion> m_question;
    bool m_due = false;        ///< nobody has looked since the question changed
    bool m_samePhase = false;  ///< as the question before
    bool m_answered = false;
    bool m_stale = false;
    std::map<engine::ModelPhase, std::shared_ptr<const data::ModelRun>> m_known;  ///< of the experiment as it is
    std::shared_ptr<const data::ModelRun> m_shown;
    Words m_words;
};

}  // namespace ui
