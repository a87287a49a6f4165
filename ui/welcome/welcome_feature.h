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

/// The first minute in front of the window: a card of what to try first.
class WelcomeFeature final : public QObject {
    Q_OBJECT

public:
    /// What the steps of the card need of other features.
    struct Hooks {
        /// Shows the experiment under these policies beneath each other.
        std::function<void(const std::vector<std::string>&)> compareWith;
        std::function<void()> sweep;  ///< opens the sweep for beginners as a heat map and runs it
        std::function<void()>
            exportFigure;                  ///< takes the picture in front, or else that of Explore, to the view Figure
        std::function<void()> openLesson;  ///< opens the first lesson; empty: there is none
        std::function<bool()> hasFinishedLesson;  ///< returns whether the first lesson was finished, now or before
    };

    /// All but the hooks must outlive the feature.
    WelcomeFeature(Workbench& workbench, ExperimentModel& experiment, RunController& runs, ViewState& viewState,
                   Player& player, Hooks hooks);

    /// Shows the card. Call once all commands exist.
    void show();

public Q_SLOTS:
    /// Ticks a step, whether it was taken through the card or not: "play", "tune", "compare", "sweep", "export", "lesson",
    /// "open" or "find". Does nothing if there is no card.
    void setDone(const QString& step);
    /// A lesson was opened or closed: it says itself what to do next, and needs the room.
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
