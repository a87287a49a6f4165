#include "ui/playback/transport_bar.h"

#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/steady_room.h"
#include "ui/look/widget_parts.h"
#include "ui/playback/breakpoint_panel.h"
#include "ui/shared/breakpoint_list.h"
#include "ui/shared/player.h"
#include "ui/shared/view_state.h"

#include <QAction>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace ui {
namespace {

constexpr int kSpeedSteps = 100;

// Returns the time of the whole run for a position of the slider. Equal steps are equal ratios; right is faster.
double secondsAt(int step) {
    return PlaybackClock::kSlowest *
           std::pow(PlaybackClock::kFastest / PlaybackClock::kSlowest, step / double(kSpeedSteps));
}

int stepFor(double seconds) {
    return static_cast<int>(std::lround(kSpeedSteps * std::log(seconds / PlaybackClock::kSlowest) /
                                        std::log(PlaybackClock::kFastest / PlaybackClock::kSlowest)));
}

}  // namespace

TransportBar::TransportBar(Player& player, BreakpointList& breakpoints, ViewState& viewState, QWidget* parent)
    : QWidget(parent), m_player(player), m_breakpoints(breakpoints), m_viewState(viewState),
      m_stepKind(new QComboBox(this)), m_time(new QLabel), m_timeRoom(new SteadyRoom(m_time, this)),
      m_breakpointPanel(new BreakpointPanel(breakpoints, player, this)), m_speed(new QSlider(Qt::Horizontal, this)),
      m_speedText(new QLabel(this)) {
    setObjectName(QStringLiteral("transport"));
    QAction* start = addOrder("to-start", tr("Go to Start"), "to-start", {Qt::Key_Home}, &Player::toStart);
    QAction* back = addOrder("step-back", tr("Step Back"), "step-back", {QKeySequence(Qt::SHIFT | Qt::Key_Comma)},
                             &Player::stepBack);
    m_play = addOrder("play", tr("Play"), "play", {Qt::Key_Space}, &Player::togglePlaying);
    QAction* forward = addOrder("step-forward", tr("Step Forward"), "step-forward",
                                {QKeySequence(Qt::SHIFT | Qt::Key_Period)}, &Player::stepForward);
    QAction* end = addOrder("to-end", tr("Go to End"), "to-end", {Qt::Key_End}, &Player::toEnd);
    addOrder("event-back", tr("Previous Event"), nullptr, {Qt::Key_Comma}, &Player::eventBack);
    addOrder("event-forward", tr("Next Event"), nullptr, {Qt::Key_Period}, &Player::eventForward);
    m_loop = addAction(QStringLiteral("loop"), tr("Loop"), QStringLiteral("loop"), {});
    m_loop->setCheckable(true);
    connect(m_loop, &QAction::toggled, &m_player, &Player::setLoop);
    addBreakpointActions();

    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(10, 6, 12, 6);
    row->setSizeConstraint(QLayout::SetNoConstraint);  // fit() hides controls if the bar is narrower
    row->setSpacing(2);
    for (QAction* action : {start, back})
        row->addWidget(addButton(action, 18));
    row->addWidget(addButton(m_play, 24));
    for (QAction* action : {forward, end, m_loop})
        row->addWidget(addButton(action, 18));
    row->addSpacing(8);
    row->addWidget(makeStepChooser());
    row->addSpacing(12);
    row->addWidget(m_timeRoom);
    row->addStretch(1);
    m_breakpointButton = addButton(m_openBreakpoints, 18);
    m_breakpointButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    row->addWidget(m_breakpointButton);
    row->addSpacing(12);
    addSpeed(*row);

    setRelativeFont(*m_time, 1.5, QFont::DemiBold);
    m_time->setAccessibleName(tr("Time of the cursor"));
    connect(&m_player, &Player::playingChanged, this, &TransportBar::showPlaying);
    connect(&m_viewState, &ViewState::cursorChanged, this, &TransportBar::showTime);
    connect(&m_player, &Player::runChanged, this, &TransportBar::showTimeAnew);
    connect(&m_player, &Player::partChanged, this, &TransportBar::showPart);
    connect(&m_breakpoints, &BreakpointList::changed, this, &TransportBar::showBreakpoints);
    followColours(*this, [this] { tintIcons(); });
    onEvents(*this, {QEvent::Resize}, [this] { fit(); });
    showTime();
    showSpeed();
    showBreakpoints();
}

QWidget* TransportBar::makeStepChooser() {
    const std::pair<data::StepKind, QString> kinds[] = {
        {data::StepKind::chunk, tr("by chunk")},
        {data::StepKind::trigger, tr("by trigger")},
        {data::StepKind::collectiveStep, tr("by collective step")},
        {data::StepKind::wave, tr("by GEMM wave")},
        {data::StepKind::phase, tr("by phase")},
        {data::StepKind::event, tr("by event")},
    };
    for (const auto& [kind, text] : kinds)
        m_stepKind->addItem(text, static_cast<int>(kind));
    m_stepKind->setAccessibleName(tr("Size of a step"));
    m_stepKind->setToolTip(tr("Size of a step with Shift+. and Shift+, (the keys . and , step by one event)"));
    m_stepKind->setFocusPolicy(Qt::TabFocus);
    const auto show = [this] {
        m_stepKind->setCurrentIndex(m_stepKind->findData(static_cast<int>(m_player.stepKind())));
    };
    show();
    connect(&m_player, &Player::stepKindChanged, this, show);
    connect(m_stepKind, &QComboBox::activated, this,
            [this] { m_player.setStepKind(static_cast<data::StepKind>(m_stepKind->currentData().toInt())); });
    return m_stepKind;
}

// Adds the controls to the bar's own row, because a nested layout would report hidden controls one turn of the event
// loop too late.
void TransportBar::addSpeed(QBoxLayout& row) {
    m_speedLabel = new QLabel(tr("Whole run in"), this);
    m_speedLabel->setBuddy(m_speed);
    row.addWidget(m_speedLabel);
    row.addSpacing(4);
    row.addWidget(m_speed);
    row.addSpacing(4);
    row.addWidget(m_speedText);
    m_speed->setRange(0, kSpeedSteps);
    m_speed->setFixedWidth(fontMetrics().averageCharWidth() * 15);
    m_speed->setToolTip(tr("Speed of playback: how long the whole run takes to play"));
    m_speed->setAccessibleName(tr("Speed of playback"));
    m_speedText->setMinimumWidth(m_speedText->fontMetrics().horizontalAdvance(QStringLiteral("60 s")) + 4);
    m_speed->setValue(stepFor(m_player.secondsForRun()));
    connect(m_speed, &QSlider::valueChanged, this, [this](int step) {
        m_player.setSecondsForRun(secondsAt(step));
        showSpeed();
    });
}

QAction* TransportBar::addAction(const QString& name, const QString& text, const QString& icon,
                                 const QList<QKeySequence>& keys) {
    auto* action = new QAction(text, this);
    action->setObjectName(name);
    action->setData(icon);
    action->setShortcuts(keys);
    m_actions << action;
    return action;
}

QAction* TransportBar::addOrder(const char* name, const QString& text, const char* icon,
                                const QList<QKeySequence>& keys, Order order) {
    QAction* action = addAction(QLatin1String(name), text, QLatin1String(icon), keys);
    connect(action, &QAction::triggered, &m_player, order);
    return action;
}

void TransportBar::addBreakpointActions() {
    QAction* here = addAction(QStringLiteral("break-at-cursor"), tr("Set Breakpoint at Cursor"), {}, {Qt::Key_B});
    connect(here, &QAction::triggered, this, &TransportBar::breakAtCursor);
    m_openBreakpoints = addAction(QStringLiteral("breakpoints"), tr("Breakpoints"), QStringLiteral("breakpoint"),
                                  {QKeySequence(Qt::SHIFT | Qt::Key_B)});
    connect(m_openBreakpoints, &QAction::triggered, this, [this] { m_breakpointPanel->popUpAt(*m_breakpointButton); });
    addOrder("run-to-previous", tr("Run to Previous Breakpoint"), nullptr, {QKeySequence(Qt::SHIFT | Qt::Key_F8)},
             &Player::runToPrevious);
    addOrder("run-to-next", tr("Run to Next Breakpoint"), nullptr, {Qt::Key_F8}, &Player::runToNext);
}

// Sets a breakpoint at the cursor's time, or removes it if there is one already.
void TransportBar::breakAtCursor() {
    if (!m_viewState.cursor()) {
        m_breakpointPanel->popUpAt(*m_breakpointButton);
        return;
    }
    const Breakpoint here{BreakCondition::time, *m_viewState.cursor(), std::nullopt, true};
    const auto& all = m_breakpoints.all();
    const auto there = std::find(all.begin(), all.end(), here);
    if (there != all.end())
        m_breakpoints.remove(static_cast<std::size_t>(there - all.begin()));
    else
        m_breakpoints.add(here);
}

QSize TransportBar::minimumSizeHint() const {
    QSize least = layout()->totalMinimumSize();
    for (QWidget* part : std::initializer_list<QWidget*>{m_speedLabel, m_speed, m_speedText}) {
        if (!part->isHidden())
            least.rwidth() -= layout()->itemAt(layout()->indexOf(part))->minimumSize().width() + layout()->spacing();
    }
    if (m_tellsEnd) {
        const std::int64_t end = m_viewState.runEnd();
        const int shortest = m_time->fontMetrics().horizontalAdvance(formatTimeSteady(end, end));
        least.rwidth() -= std::max(0, m_timeRoom->minimumSizeHint().width() - shortest - 2);
    }
    return least;
}

void TransportBar::leaveOut(int parts) {
    m_speedLabel->setVisible(parts < 1);
    m_speed->setVisible(parts < 3);
    m_speedText->setVisible(parts < 3);
    if (m_tellsEnd != (parts < 2)) {
        m_tellsEnd = parts < 2;
        announceTime();
        m_timeRoom->forget();
    }
}

void TransportBar::fit() {
    constexpr int kMost = 3;
    for (int parts = 0; parts <= kMost; ++parts) {
        leaveOut(parts);
        if (layout()->totalMinimumSize().width() <= width())
            return;
    }
}

void TransportBar::setGpus(std::uint32_t gpus) { m_breakpointPanel->setGpus(gpus); }

void TransportBar::showBreakpoints() {
    const auto& all = m_breakpoints.all();
    const auto enabled = std::count_if(all.begin(), all.end(), [](const Breakpoint& one) { return one.enabled; });
    m_breakpointButton->setText(enabled == 0 ? QString() : QString::number(enabled));
    m_breakpointButton->setToolTip(enabled == 0 ? tr("Breakpoints: times and events at which playback stops (Shift+B)")
                                                : tr("Breakpoints: %1 enabled (Shift+B)").arg(enabled));
}

QToolButton* TransportBar::addButton(QAction* action, int size) {
    QToolButton* button = newActionButton(action, this);
    button->setAutoRaise(true);
    button->setIconSize({size, size});
    button->setAccessibleName(action->text());
    return button;
}

void TransportBar::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        showTimeAnew();  // after QWidget::changeEvent() has updated the layout
}

void TransportBar::tintIcons() {
    for (QAction* action : m_actions) {
        if (const QString icon = action->data().toString(); !icon.isEmpty())
            action->setIcon(tintedIcon(icon, *this));
    }
}

void TransportBar::showPlaying(bool playing) {
    m_play->setText(playing ? tr("Pause") : tr("Play"));
    m_play->setData(playing ? QStringLiteral("pause") : QStringLiteral("play"));
    m_play->setIcon(tintedIcon(m_play->data().toString(), *this));
}

void TransportBar::showTimeAnew() {
    announceTime();
    m_timeRoom->forget();
    showTime();
}

void TransportBar::showTime() {
    announceTime();
    m_timeRoom->follow();
    // The first time, or one with more digits, can need more room than the previous text.
    if (layout()->totalMinimumSize().width() > width())
        fit();
}

void TransportBar::announceTime() {
    const std::int64_t end = m_player.end();  // the picture may show a longer time because of a pinned run
    const std::int64_t now = m_viewState.cursor().value_or(end);
    if (!m_tellsEnd) {
        m_time->setTextFormat(Qt::PlainText);
        m_time->setText(formatTimeSteady(now, end));
        return;
    }
    const Palette& colors = paletteOf(*this);
    QString of = tr("of %1").arg(formatTimeSteady(end, end));
    if (const auto& part = m_player.part())
        of = tr("of %1 to %2").arg(formatTimeSteady(part->range.start, end), formatTimeSteady(part->range.end, end));
    m_time->setTextFormat(Qt::RichText);
    m_time->setText(QStringLiteral("%1 <span style='font-size:%4pt; font-weight:400; color:%3'>%2</span>")
                        .arg(formatTimeSteady(now, end), of, colors.inkFaint.name())
                        .arg(font().pointSizeF()));
}

/// Shows the range, the speed and the loop of the played part. While a part is played, the user cannot change speed and
/// loop.
void TransportBar::showPart() {
    const std::optional<PlayedPart>& part = m_player.part();
    const QSignalBlocker quiet(m_loop);
    m_loop->setChecked(part ? part->loop : m_player.loops());
    m_loop->setEnabled(!part);
    m_speed->setEnabled(!part);
    m_speedLabel->setText(part ? tr("This part in") : tr("Whole run in"));
    showSpeed();
    showTime();
}

void TransportBar::showSpeed() {
    const double seconds = m_player.part() ? m_player.part()->seconds : m_player.secondsForRun();
    m_speedText->setText(QString::number(seconds, 'f', seconds < 9.95 ? 1 : 0) + QStringLiteral(" s"));
}

}  // namespace ui
