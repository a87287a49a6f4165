#include "ui/sweep/sweep_bar.h"

#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"

#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace ui {
namespace {

constexpr int kSteps = 1000;

}  // namespace

SweepBar::SweepBar(QWidget* parent)
    : QWidget(parent), m_words(newWrappedLabel(this, QStringLiteral("sweepWords"))), m_retry(new QCheckBox(this)),
      m_start(new QPushButton(this)), m_pause(new QPushButton(tr("&Pause"), this)),
      m_cancel(new QPushButton(tr("&Cancel"), this)), m_progress(new QProgressBar(this)) {
    m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_start->setObjectName(QStringLiteral("sweepStart"));
    m_pause->setObjectName(QStringLiteral("sweepPause"));
    m_cancel->setObjectName(QStringLiteral("sweepCancel"));
    m_retry->setObjectName(QStringLiteral("sweepRetry"));
    for (QPushButton* button : {m_start, m_pause, m_cancel})
        button->setAutoDefault(false);
    m_start->setFont(strongFont(m_start->font()));
    makeThin(*m_progress, kSteps, 6, tr("Progress of the sweep"));
    keepRoom(*m_progress);
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(m_words, 1);
    line->addWidget(m_retry);
    line->addWidget(m_pause);
    line->addWidget(m_cancel);
    line->addWidget(m_start);
    auto* column = flushLayout<QVBoxLayout>(this, 4);
    column->addLayout(line);
    column->addWidget(m_progress);
    connect(m_start, &QPushButton::clicked, this, &SweepBar::startRequested);
    connect(m_pause, &QPushButton::clicked, this, &SweepBar::pauseRequested);
    connect(m_cancel, &QPushButton::clicked, this, &SweepBar::cancelRequested);
    connect(m_retry, &QCheckBox::toggled, this, &SweepBar::retryChanged);
    showFailed(0);
    showReady(tr("Run Sweep"), false);
    onEvents(*this, {QEvent::PaletteChange}, [this] { applyColors(); });
}

void SweepBar::showWords(const QString& words, bool isProblem) {
    m_words->setText(words);
    m_isProblem = isProblem;
    applyColors();
}

QString SweepBar::words() const { return m_words->text(); }

void SweepBar::showReady(const QString& start, bool enabled) {
    const bool hadFocus = m_cancel->hasFocus() || m_pause->hasFocus();
    m_start->setText(start);
    m_start->setEnabled(enabled);
    m_start->show();
    m_pause->hide();
    m_cancel->hide();
    m_progress->hide();
    if (hadFocus)
        m_start->setFocus();
    applyColors();
}

void SweepBar::showRunning(bool paused) {
    const bool hadFocus = m_start->hasFocus();
    m_start->hide();
    m_retry->hide();
    m_pause->setText(paused ? tr("&Go On") : tr("&Pause"));
    m_pause->show();
    m_cancel->show();
    m_progress->show();
    if (hadFocus)
        m_cancel->setFocus();
}

void SweepBar::showProgress(double fraction) { m_progress->setValue(static_cast<int>(fraction * kSteps)); }

void SweepBar::showFailed(std::size_t failed) {
    const QSignalBlocker quiet(m_retry);
    if (failed == 0)
        m_retry->setChecked(false);
    m_retry->setText(failed == 1 ? tr("Try the failed one again") : tr("Try the %1 failed again").arg(failed));
    m_retry->setVisible(failed > 0);
}

bool SweepBar::retriesFailed() const { return m_retry->isChecked(); }

void SweepBar::applyColors() {
    const Palette& colors = paletteOf(*this);
    setInk(*m_words, m_isProblem ? colors.error : colors.ink);
    // The button that everything here leads to, in the accent's colour while it has something to do.
    const QString sheet =
        QStringLiteral("QPushButton { background: %1; color: %2; border: 2px solid %1; border-radius: 4px; "
                       "padding: 4px 1em; }"
                       "QPushButton:hover { border-color: %3; } QPushButton:focus { border-color: %3; }")
            .arg(colors.accent.name(), colors.onAccent.name(), colors.ink.name());
    const QString wanted = m_start->isEnabled() ? sheet : QString();
    if (m_start->styleSheet() != wanted)
        m_start->setStyleSheet(wanted);
}

}  // namespace ui
