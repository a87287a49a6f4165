#pragma once

#include "data/model/model_run.h"
#include "engine/api/experiment.h"
#include "ui/shared/worker.h"

#include <QJsonValue>
#include <QObject>
#include <QString>
#include <QThread>
#include <QWidget>

#include <functional>
#include <map>
#include <memory>
#include <optional>

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QScrollArea;
class QSplitter;
class QStackedLayout;
class QTimer;

namespace ui {

/// How models are timed. Fixed before the session starts.
struct ModelSessionConfig {
    using Run = std::function<data::ModelRun(const engine::Experiment&, const data::ModelRunOptions&)>;

    int threads = QThread::idealThreadCount();
    Run run{};  ///< empty: data::modelRun
};

/// Times whole models on one thread of its own; only the newest request counts. Keeps only what was simulated before,
/// so that a change costs what it changes.
class ModelSession final : public QObject {
    Q_OBJECT

public:
    explicit ModelSession(ModelSessionConfig config = {}, QObject* parent = nullptr);

    /// Replaces a run that is under way. What is wrong with the experiment comes as `refused`.
    void start(const engine::Experiment& experiment, engine::ModelPhase phase);
    /// At once for whoever asks; the worker follows at its next poll.
    void cancel();
    bool isRunning() const { return m_worker.isRunning(); }

Q_SIGNALS:
    void runStarted();
    void progressChanged(double fraction);
    void runFinished(std::shared_ptr<const data::ModelRun> run);
    /// The model cannot be run as it is set: everything that is in the way.
    void runRefused(const engine::Problems& problems);
    void runFailed(const QString& text);
    void runStopped();

private:
    void time(const engine::Experiment& experiment, engine::ModelPhase phase, const Worker::Ticket& ticket);

    ModelSessionConfig m_config;
    std::shared_ptr<engine::BaselineCache> m_cache;
    std::shared_ptr<data::ModelMemory> m_memory;  // another phase, policy or link simulates only what it changes
    Worker m_worker;                              // last: it ends first
};

class BreakdownBars;
class OperatorCanvas;

/// The view Model: what a layer is made of and what each operator costs, where the time of a whole training step, prompt
/// or token goes under each policy, and what is left of the overlap there. Times the model in the background, and only
/// while somebody looks; the picture before stays until the next one is there.
class ModelView final : public QWidget {
    Q_OBJECT

public:
    explicit ModelView(ModelSessionConfig config = {}, QWidget* parent = nullptr);

    /// The experiment whose model it is; `problem` tells why it cannot be understood, else it is empty.
    void setExperiment(const engine::Experiment& experiment, const QString& problem);
    engine::ModelPhase phase() const { return m_phase; }
    void setPhase(engine::ModelPhase phase);
    engine::PolicyPreset policy() const { return m_policy; }
    void setPolicy(engine::PolicyPreset policy);  ///< does nothing for one that the view does not compare
    ModelSession& session() { return m_session; }
    /// What is shown; null before the first.
    const std::shared_ptr<const data::ModelRun>& shown() const { return m_shown; }
    OperatorCanvas& graph() { return *m_canvas; }
    /// Cancels a run, else lets go of the selection; false where there is neither.
    bool stepOut();

    QJsonValue save() const;
    bool restore(const QJsonValue& kept);

Q_SIGNALS:
    /// Somebody wants to see an operator by itself under a policy.
    void openRequested(const engine::Experiment& experiment, engine::PolicyPreset policy, const QString& title);
    void notOpened(const QString& reason);
    /// The picture is that of the experiment, or the words say why there is none.
    void modelShown();

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* buildBar();
    QWidget* buildDesk();
    QWidget* buildWords();
    void connectSession();
    void answer();  ///< shows what is known of the experiment, or times it
    void showRun(std::shared_ptr<const data::ModelRun> run);
    void showPolicy();
    void showSelection();
    void say(const QString& title, const QString& html);
    void setStale(bool stale);
    void open(std::uint32_t op);

    ModelSession m_session;
    engine::ModelPhase m_phase = engine::ModelPhase::training;
    engine::PolicyPreset m_policy = engine::PolicyPreset::t3Mca;
    std::optional<engine::Experiment> m_experiment;
    QString m_problem;
    bool m_answered = false;  ///< nothing has changed since what is shown was asked for
    std::map<engine::ModelPhase, std::shared_ptr<const data::ModelRun>> m_known;  ///< of the experiment as it is
    std::shared_ptr<const data::ModelRun> m_shown;
    QTimer* m_pause;
    QComboBox *m_phases, *m_policies, *m_colourings;
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
