// Why it waits: the ribbon over the lanes, and the panel that tells its reasons.
#include "ui/main_window.h"

#include "ui/figure/figure_view.h"
#include "ui/inspector/inspector_panel.h"
#include "ui/playback/player.h"
#include "ui/ribbon/cause_figure.h"
#include "ui/ribbon/chain_list.h"
#include "ui/ribbon/ribbon_view.h"
#include "ui/ribbon/sensitivity_chips.h"
#include "ui/ribbon/why_panel.h"
#include "ui/timeline/timeline_view.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/message_bar.h"
#include "ui/workbench/window_views.h"

#include <QDockWidget>
#include <QJsonObject>
#include <QStatusBar>

namespace ui {
namespace {

constexpr auto kRibbonPart = "ribbon";
constexpr int kWhyHintMs = 5'000;

}  // namespace

void MainWindow::buildRibbon() {
    m_ribbon = new RibbonView(m_viewState, m_timeline);
    m_timeline->setStrip(m_ribbon);
    m_why = new WhyPanel(m_viewState);
    addPanel({QStringLiteral("whyDock"), tr("Why"), m_why, Side::right});
    connectRibbon();
    m_sessionParts.add({QString::fromLatin1(kRibbonPart), SessionScope::window,
                        [this] {
                            return QJsonObject{{QStringLiteral("open"), !m_ribbon->isHidden()}};
                        },
                        [this](const QJsonValue& kept) {
                            const QJsonValue open = kept.toObject().value(QStringLiteral("open"));
                            if (!open.isBool())
                                return false;
                            m_commands->find(QStringLiteral("view.ribbon"))->action->setChecked(open.toBool());
                            return true;
                        }});
}

void MainWindow::connectRibbon() {
    connect(m_timeline, &TimelineView::extentChanged, m_ribbon, &RibbonView::setExtent);
    m_ribbon->setExtent(m_timeline->geometry().left, m_timeline->geometry().width);
    connect(m_ribbon, &RibbonView::chainRequested, this, &MainWindow::tellWhyAt);
    connect(m_ribbon, &RibbonView::legendRequested, this, &MainWindow::raiseWhy);
    connect(m_ribbon, &RibbonView::cursorRequested, m_player, &Player::seek);
    connect(m_why, &WhyPanel::linkShown, m_ribbon, [this](qint64 start, qint64 end) {
        m_ribbon->setMarked(data::TimeRange{start, end});
    });
    connect(m_why, &WhyPanel::spanRequested, this, &MainWindow::selectAndReveal);
    connect(m_why, &WhyPanel::momentRequested, this, [this](qint64 ps) {
        m_player->seek(ps);
        m_viewState.revealCursor();
    });
    connect(m_why, &WhyPanel::chainOfSelectionRequested, this, &MainWindow::tellWhyOfSelection);
    connect(m_inspector, &InspectorPanel::whyRequested, this, &MainWindow::tellWhyOfSelection);
    connect(&m_why->chips(), &SensitivityChips::parameterChosen, this,
            [this](const QString& path) { pointAtParameter(path.toStdString()); });
    // After followRun: the flow is of the same run by now.
    connect(this, &MainWindow::runChanged, this, [this](const std::shared_ptr<const data::ShownRun>& run) {
        auto chain = std::make_shared<const ReasonChain>(m_flow);
        m_ribbon->showRun(chain);
        m_why->showRun(std::move(chain));
        m_why->chips().showRun(run);
    });
    connect(&m_session, &RunSession::runStarted, m_why, [this] { m_why->chips().stop(); });
    // Where an edit is taken back, what was found holds again.
    connect(&m_experiment, &ExperimentModel::changed, m_why, [this] {
        const bool same = m_shown && m_experiment.isRunnable() &&
                          m_experiment.expansion().experiment == m_shown->run.experiment && !m_session.isRunning();
        if (same)
            m_why->chips().showRun(m_shown);
        else
            m_why->chips().stop();
    });
}

void MainWindow::addRibbonCommands() {
    QAction* shown = m_commands->add({.id = "view.ribbon",
                                      .text = tr("R&ibbon of What It Waits For"),
                                      .group = CommandGroup::view,
                                      .hint = tr("Shows or hides the ribbon between overview and lanes")},
                                     this, [] {});
    shown->setCheckable(true);
    shown->setChecked(true);
    connect(shown, &QAction::toggled, m_ribbon, &QWidget::setVisible);
    m_commands->add({.id = "select.why",
                     .text = tr("&Why Does It Wait?"),
                     .group = CommandGroup::select,
                     .keys = {QKeySequence(Qt::Key_Y)},
                     .scope = CommandScope::picture,
                     .hint = tr("The chain of reasons of the selected span; without one, of the cursor's moment")},
                    this, &MainWindow::tellWhyOfSelection);
    for (const auto& [how, what] : {std::pair{tr("Click on the ribbon"), tr("why it waits, from there backwards")},
                                    {tr("Left, Right on the ribbon"), tr("to the reason before or after")},
                                    {tr("Enter on the ribbon"), tr("the chain of reasons")}})
        m_commands->addGesture({CommandGroup::select, how, what});
    m_commands->add({.id = "file.figure-of-causes",
                     .text = tr("Figure of What It &Waits For"),
                     .group = CommandGroup::file,
                     .hint = tr("The run's causes as a stack of bars, beside those of the pinned run")},
                    this, &MainWindow::exportCauses);
}

// In the order of a story: what was kept in sight, then what came of the change.
void MainWindow::exportCauses() {
    auto figure = causeFigure(m_pinned == m_shown ? std::vector{m_shown} : std::vector{m_pinned, m_shown});
    if (!figure) {
        m_messages->showMessage(MessageBar::Kind::notice,
                                tr("No run with a critical path is shown. Choose a policy such as t3-mca and run it."));
        return;
    }
    m_figures->take({std::move(*figure), {}});
    m_windowViews->showView(QStringLiteral("figure"));
}

void MainWindow::raiseWhy() {
    auto* dock = findChild<QDockWidget*>(QStringLiteral("whyDock"));
    dock->show();
    dock->raise();
}

void MainWindow::tellWhyAt(qint64 ps) {
    raiseWhy();
    m_player->pause();
    m_player->seek(ps);
    m_why->showChainAt(ps);
}

void MainWindow::tellWhyOfSelection() {
    raiseWhy();
    const auto span = m_viewState.selectedSpan();
    if (!span) {
        tellWhyAt(m_viewState.cursor().value_or(m_viewState.runEnd()));
        return;
    }
    if (!m_why->showChainThrough(*span))
        statusBar()->showMessage(tr("The run's end did not wait for this span; nothing would be sooner without it."),
                                 kWhyHintMs);
}

}  // namespace ui
