// What CompareView can be asked, and the line of controls above the runs.
#include "data/laboratory/work_progress.h"
#include "data/presets/presets.h"
#include "ui/compare/compare_view.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"

#include <QAction>
#include <QActionGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui {
namespace {

constexpr int kProgressSteps = 1000;
constexpr std::size_t kMostKeptOffered = 15;

}  // namespace

void CompareView::buildCommands() {
    m_swap = m_commands.add({.id = "compare.swap",
                             .text = tr("&Swap A and B"),
                             .keys = {QKeySequence(Qt::Key_X)},
                             .hint = tr("Differences are then measured from the other side (X)")},
                            this, [this] { m_comparison->swap(); });
    m_ghost =
        m_commands.add({.id = "compare.ghost",
                        .text = tr("Outline of &A"),
                        .keys = {QKeySequence(Qt::Key_G)},
                        .hint = tr("A in outlines behind every other run, while they stand at the same time (G)")},
                       this, [this] { m_comparison->setGhost(m_ghost->isChecked()); });
    m_ghost->setCheckable(true);
    auto* modes = new QActionGroup(this);
    const auto addMode = [&](SyncMode mode, const char* id, const QString& text, Qt::Key key, const QString& hint) {
        QAction* action =
            m_commands.add({.id = QLatin1String(id), .text = text, .keys = {QKeySequence(key)}, .hint = hint}, this,
                           [this, mode] { m_comparison->setMode(mode); });
        action->setCheckable(true);
        modes->addAction(action);
        m_modes[mode] = action;
    };
    addMode(SyncMode::time, "compare.sync-time", tr("Same &Time"), Qt::Key_T, tr("The same moment of every run (T)"));
    addMode(SyncMode::chunks, "compare.sync-chunks", tr("Same C&hunk"), Qt::Key_C,
            tr("Where as many chunks are complete in every run (C)"));
    addMode(SyncMode::phases, "compare.sync-phases", tr("Same P&hase"), Qt::Key_H,
            tr("As far within the GEMM, the collective only and the all-gather in every run (H)"));
    m_modes[SyncMode::time]->setChecked(true);
}

QWidget* CompareView::buildBar() {
    auto* bar = new QWidget(this);
    auto* row = new QHBoxLayout(bar);
    const int em = fontMetrics().averageCharWidth();
    row->setContentsMargins(em, em / 2, em, em / 2);
    row->setSpacing(em);
    row->addWidget(new QLabel(tr("Side by side:"), bar));
    row->addWidget(buildSwitch({m_modes[SyncMode::time], m_modes[SyncMode::chunks], m_modes[SyncMode::phases]}));
    row->addSpacing(em * 2);
    row->addWidget(buildSwitch({m_swap}));
    row->addWidget(buildSwitch({m_ghost}));
    m_add = new QToolButton(bar);
    m_add->setObjectName(QStringLiteral("compareAdd"));
    m_add->setText(tr("A&dd a Run"));
    m_add->setToolTip(tr("Another policy or machine, the pinned run, or a kept one; up to four in all"));
    m_add->setPopupMode(QToolButton::InstantPopup);
    m_addMenu = new QMenu(m_add);
    m_add->setMenu(m_addMenu);
    connect(m_addMenu, &QMenu::aboutToShow, this, &CompareView::fillAddMenu);
    auto* adding = new QWidget(bar);
    auto* within = new QHBoxLayout(adding);
    within->setContentsMargins(1, 0, 0, 0);
    within->addWidget(m_add);
    m_switches << adding;
    row->addWidget(adding);
    row->addStretch(1);
    addProgress(*row);
    return bar;
}

QWidget* CompareView::buildSwitch(const QList<QAction*>& actions) {
    auto* holder = new QWidget(this);
    auto* row = new QHBoxLayout(holder);
    row->setContentsMargins(1, 0, 0, 0);  // borders overlap to the left
    row->setSpacing(0);
    for (QAction* action : actions)
        row->addWidget(newActionButton(action, holder));
    m_switches << holder;
    return holder;
}

void CompareView::styleSwitches() {
    const QString sheet = switchSheet(paletteOf(*this), font());
    for (QWidget* holder : m_switches) {
        if (holder->styleSheet() != sheet)
            holder->setStyleSheet(sheet);
    }
}

void CompareView::addProgress(QBoxLayout& row) {
    m_timeLeft = new QLabel(this);
    m_timeLeft->setObjectName(QStringLiteral("compareLeft"));
    m_progress = new QProgressBar(this);
    m_progress->setRange(0, kProgressSteps);
    m_progress->setTextVisible(false);
    m_progress->setFixedSize(fontMetrics().averageCharWidth() * 18, fontMetrics().height() / 2);
    m_progress->setAccessibleName(tr("Progress of the compared runs"));
    m_cancel = new QPushButton(tr("Ca&ncel"), this);
    m_cancel->setObjectName(QStringLiteral("compareCancel"));
    m_retry = new QPushButton(tr("Run &Again"), this);
    m_retry->setObjectName(QStringLiteral("compareRetry"));
    for (QPushButton* button : {m_cancel, m_retry})
        button->setAutoDefault(false);
    connect(m_cancel, &QPushButton::clicked, this, &CompareView::stepOut);
    connect(m_retry, &QPushButton::clicked, this, [this] { m_comparison->retry(); });
    row.addWidget(m_timeLeft);
    row.addWidget(m_progress);
    row.addWidget(m_cancel);
    row.addWidget(m_retry);
}

void CompareView::showRunning() {
    const bool running = m_comparison->session().isRunning();
    const std::vector<ComparedRun>& runs = m_comparison->runs();
    const bool failed = std::any_of(runs.begin(), runs.end(), [](const auto& each) { return !each.failure.isEmpty(); });
    m_progress->setVisible(running);
    m_cancel->setVisible(running);
    m_retry->setVisible(!running && failed);
    m_timeLeft->setText(running ? tr("Simulating…") : QString());
}

void CompareView::showProgress(double fraction) {
    m_progress->setValue(static_cast<int>(fraction * kProgressSteps));
    if (const auto seconds = data::secondsLeft(static_cast<double>(m_runTime.elapsed()) / 1000, fraction))
        m_timeLeft->setText(tr("Simulating: %1 s left").arg(static_cast<int>(std::ceil(*seconds))));
}

void CompareView::setKept(const std::vector<data::StoredRun>& runs) {
    m_kept.assign(runs.begin(), runs.begin() + static_cast<std::ptrdiff_t>(std::min(runs.size(), kMostKeptOffered)));
}

void CompareView::addToMenu(QMenu& menu, const QString& text, const ComparePick& pick) {
    QAction* action = menu.addAction(QString(text).replace(QLatin1Char('&'), QLatin1String("&&")));
    action->setEnabled(!m_comparison->contains(pick));
    connect(action, &QAction::triggered, this, [this, pick] { m_comparison->add(pick); });
}

void CompareView::fillAddMenu() {
    m_addMenu->clear();
    using Kind = ComparePick::Kind;
    addToMenu(*m_addMenu, tr("The shown run"), {Kind::shown});
    if (m_comparison->hasPinned())
        addToMenu(*m_addMenu, tr("The pinned run"), {Kind::pinned});
    m_addMenu->addSeparator();
    QMenu* policies = m_addMenu->addMenu(tr("Under another &policy"));
    for (const data::Preset& policy : data::policies())
        addToMenu(*policies, text(policy.title), {Kind::policy, policy.name});
    QMenu* machines = m_addMenu->addMenu(tr("On another &machine"));
    for (const data::Preset& machine : data::machines())
        addToMenu(*machines, text(machine.title), {Kind::machine, machine.name});
    QMenu* kept = m_addMenu->addMenu(tr("A &kept run"));
    for (const data::StoredRun& run : m_kept)
        addToMenu(*kept, text(run.name), {Kind::kept, run.experimentHash, run.id});
    kept->setEnabled(!m_kept.empty());
}

}  // namespace ui
