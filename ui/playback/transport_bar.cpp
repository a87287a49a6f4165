#include "ui/playback/transport_bar.h"

#include "ui/playback/player.h"
#include "ui/shared/format.h"
#include "ui/shared/palette.h"
#include "ui/shared/relative_font.h"
#include "ui/shared/tinted_icon.h"
#include "ui/shared/view_state.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>
#include <QToolButton>

#include <cmath>

namespace ui {
namespace {

constexpr int kSpeedSteps = 100;

// The slider moves by ratio: right is faster.
double secondsAt(int step) {
    return PlaybackClock::kSlowest *
           std::pow(PlaybackClock::kFastest / PlaybackClock::kSlowest, step / double(kSpeedSteps));
}

int stepFor(double seconds) {
    return static_cast<int>(std::lround(kSpeedSteps * std::log(seconds / PlaybackClock::kSlowest) /
                                        std::log(PlaybackClock::kFastest / PlaybackClock::kSlowest)));
}

}  // namespace

TransportBar::TransportBar(Player& player, ViewState& viewState, QWidget* parent)
    : QWidget(parent), m_player(player), m_viewState(viewState), m_time(new QLabel(this)),
      m_speed(new QSlider(Qt::Horizontal, this)), m_speedText(new QLabel(this)) {
    setObjectName(QStringLiteral("transport"));
    QAction* start = addAction(tr("To the Start"), QStringLiteral("to-start"), {}, &Player::toStart);
    QAction* back =
        addAction(tr("Step Back"), QStringLiteral("step-back"), QKeySequence(Qt::Key_Comma), &Player::stepBack);
    m_play = addAction(tr("Play"), QStringLiteral("play"), QKeySequence(Qt::Key_Space), &Player::togglePlaying);
    QAction* forward = addAction(tr("Step Forward"), QStringLiteral("step-forward"), QKeySequence(Qt::Key_Period),
                                 &Player::stepForward);
    QAction* end = addAction(tr("To the End"), QStringLiteral("to-end"), {}, &Player::toEnd);
    m_loop = new QAction(tr("Loop"), this);
    m_loop->setData(QStringLiteral("loop"));
    m_loop->setCheckable(true);
    connect(m_loop, &QAction::toggled, &m_player, &Player::setLoop);
    m_actions << m_loop;

    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(10, 6, 12, 6);
    row->setSpacing(2);
    for (QAction* action : {start, back})
        row->addWidget(addButton(action, 18));
    row->addWidget(addButton(m_play, 24));
    for (QAction* action : {forward, end, m_loop})
        row->addWidget(addButton(action, 18));
    row->addSpacing(12);
    row->addWidget(m_time);
    row->addStretch(1);
    auto* speed = new QLabel(tr("Whole run in"), this);
    speed->setBuddy(m_speed);
    row->addWidget(speed);
    row->addSpacing(6);
    row->addWidget(m_speed);
    row->addSpacing(6);
    row->addWidget(m_speedText);

    setRelativeFont(*m_time, 1.5, QFont::DemiBold);
    m_time->setAccessibleName(tr("Time of the cursor"));
    m_speed->setRange(0, kSpeedSteps);
    m_speed->setFixedWidth(130);
    m_speed->setToolTip(tr("Speed of playback: how long the whole run takes to play"));
    m_speed->setAccessibleName(tr("Speed of playback"));
    m_speedText->setMinimumWidth(m_speedText->fontMetrics().horizontalAdvance(QStringLiteral("60 s")) + 4);
    m_speed->setValue(stepFor(m_player.secondsForRun()));
    connect(m_speed, &QSlider::valueChanged, this, [this](int step) {
        m_player.setSecondsForRun(secondsAt(step));
        showSpeed();
    });
    connect(&m_player, &Player::playingChanged, this, &TransportBar::showPlaying);
    connect(&m_viewState, &ViewState::cursorChanged, this, &TransportBar::showTime);
    connect(&m_viewState, &ViewState::runEndChanged, this, &TransportBar::showTime);
    tintIcons();
    showTime();
    showSpeed();
}

QAction* TransportBar::addAction(const QString& text, const QString& icon, const QKeySequence& key,
                                 void (Player::*order)()) {
    auto* action = new QAction(text, this);
    action->setData(icon);
    action->setShortcut(key);
    connect(action, &QAction::triggered, &m_player, order);
    m_actions << action;
    return action;
}

QToolButton* TransportBar::addButton(QAction* action, int size) {
    auto* button = new QToolButton(this);
    button->setDefaultAction(action);
    button->setAutoRaise(true);
    button->setIconSize({size, size});
    button->setFocusPolicy(Qt::TabFocus);
    button->setAccessibleName(action->text());
    return button;
}

void TransportBar::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        tintIcons();
    if (event->type() == QEvent::FontChange)
        showTime();
}

void TransportBar::tintIcons() {
    for (QAction* action : m_actions)
        action->setIcon(tintedIcon(action->data().toString(), *this));
}

void TransportBar::showPlaying(bool playing) {
    m_play->setText(playing ? tr("Pause") : tr("Play"));
    m_play->setData(playing ? QStringLiteral("pause") : QStringLiteral("play"));
    m_play->setIcon(tintedIcon(m_play->data().toString(), *this));
}

void TransportBar::showTime() {
    const std::int64_t end = m_viewState.runEnd();
    const std::int64_t now = m_viewState.cursor().value_or(end);
    const Palette& colors = paletteOf(*this);
    m_time->setTextFormat(Qt::RichText);
    m_time->setText(QStringLiteral("%1 <span style='font-size:%4pt; font-weight:400; color:%3'>of %2</span>")
                        .arg(formatTimeSteady(now, end), formatTimeSteady(end, end), colors.inkFaint.name())
                        .arg(font().pointSizeF()));
}

void TransportBar::showSpeed() {
    const double seconds = m_player.secondsForRun();
    m_speedText->setText(QString::number(seconds, 'f', seconds < 9.95 ? 1 : 0) + QStringLiteral(" s"));
}

}  // namespace ui
