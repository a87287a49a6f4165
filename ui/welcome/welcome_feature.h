#pragma once

#include <QObject>
#include <QPointer>
#include <QString>

#include <functional>
#include <string>
#include <vector>

namespace ui {

class ExperimentModel;
class Player;
class RunController;
class ViewState;
class WelcomeCard;
class Workbench;
struct WelcomeStep;

/// The welcome card with its first steps.
class WelcomeFeature final : public QObject {
    Q_OBJECT

public:
    /// Functions of other features that the steps need.
    struct Hooks {
        /// Compares the experiment under these policies.
        std::function<void(const std::vector<std::string>&)> compareWith;
        std::function<void()> sweep;         ///< opens the bundled sweep for beginners as a heat map and runs it
        std::function<void()> exportFigure;  ///< exports the current picture, or that of Explore, to the Figure view
        std::function<void()> openLesson;    ///< opens the first lesson; null if there is none
        std::function<bool()> hasFinishedLesson;  ///< returns whether the first lesson was finished, now or before
    };

    /// All but the hooks must outlive the feature.
    WelcomeFeature(Workbench& workbench, ExperimentModel& experiment, RunController& runs, ViewState& viewState,
                   Player& player, Hooks hooks);

    /// Shows the card. Call once all commands exist.
    void show();

public Q_SLOTS:
    /// Ticks a step, even if it was not done through the card: "play", "tune", "compare", "sweep", "export", "lesson",
    /// "open" or "find". Does nothing if there is no card.
    void setDone(const QString& step);
    /// Call this when a lesson was opened or closed. An open lesson hides the card, because it has its own instructions
    /// and needs the room.
    void lessonChanged(bool open);

private:
    std::vector<WelcomeStep> steps();
    void dismiss();
    void noticeEdit();
    void startTuning();
    void compareWithSequential();

    Workbench& m_workbench;
    ExperimentModel& m_experiment;
    RunController& m_runs;
    ViewState& m_viewState;
    Player& m_player;
    Hooks m_hooks;
    QPointer<WelcomeCard> m_card;
};

}  // namespace ui
