#pragma once

#include "ui/shared/figure_offer.h"

#include <QObject>
#include <QPointer>

#include <functional>

namespace ui {

class ExperimentModel;
class Player;
class RibbonView;
class RunController;
class RunSelection;
class ViewState;
class WhyPanel;
class Workbench;

/// Explains why the run waits: the ribbon above the lanes, the panel with the cause chain, and a figure of the causes.
class WhyFeature final : public QObject {
    Q_OBJECT

public:
    /// Functions of other features that this one calls.
    struct Hooks {
        std::function<void(FigureOffer)> takeFigure;  ///< shows a figure in the view Figure
    };

    /// All arguments except the hooks must outlive the feature.
    WhyFeature(Workbench& workbench, ViewState& viewState, ExperimentModel& experiment, RunController& runs,
               RunSelection& selection, Player& player, Hooks hooks);
    ~WhyFeature() override;

    /// Returns the ribbon. It has no parent until the timeline takes ownership of it.
    RibbonView& ribbon() { return *m_ribbon; }
    WhyPanel& panel() { return *m_panel; }

private:
    void connectPanel();
    void followRuns();
    void addCommands();
    void addRibbonCommand();
    void raisePanel();
    void explainTime(qint64 ps);
    void explainSelection();
    void exportCauses();

    Workbench& m_workbench;
    ViewState& m_viewState;
    ExperimentModel& m_experiment;
    RunController& m_runs;
    RunSelection& m_selection;
    Player& m_player;
    Hooks m_hooks;
    QPointer<RibbonView> m_ribbon;
    WhyPanel* m_panel;  ///< the workbench deletes it
};

}  // namespace ui
