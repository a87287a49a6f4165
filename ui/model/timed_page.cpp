#include "ui/model/timed_page.h"

#include "ui/look/format.h"
#include "ui/look/widget_parts.h"
#include "ui/model/model_parts.h"
#include "ui/workbench/commands.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {
namespace {

constexpr int kTimedSteps = 1000;

enum TimedDesk : int { timedWords, timedDesk };

}  // namespace

TimedPage::TimedPage(ModelTimes& times, const QString& name, QWidget* parent)
    : ModelPage(parent), m_times(times), m_pages(new QStackedLayout) {
    m_words = newWords(this, name + QStringLiteral("Words"));
    auto* column = flushLayout<QVBoxLayout>(this, 0);
    buildBar(name);
    column->addWidget(m_bar);
    column->addLayout(m_pages, 1);
    m_pages->addWidget(m_words);
    connect(&m_times, &ModelTimes::stateChanged, this, [this] { showState(); });
    connect(&m_times, &ModelTimes::shownChanged, this, [this] { showAnswer(); });
    connect(&m_times, &ModelTimes::answered, this, &ModelPage::answered);
    connect(&m_times.session(), &ModelSession::progressChanged, this,
            [this](double fraction) { m_progress->setValue(static_cast<int>(fraction * kTimedSteps)); });
}

void TimedPage::buildBar(const QString& name) {
    m_bar = new QWidget(this);
    const int em = fontMetrics().averageCharWidth();
    m_chooserBox = new QWidget(m_bar);
    m_choosers = newLayout<QHBoxLayout>(m_chooserBox, {}, em);
    auto* row = new QHBoxLayout;
    row->setSpacing(em);
    row->addWidget(m_chooserBox);
    m_policies = addChooser(name + QStringLiteral("Policy"), tr("Po&licy"));
    for (const engine::PolicyPreset policy : ModelTimes::policies())
        m_policies->addItem(titleOfPolicy(engine::name(policy)));
    m_policies->setCurrentIndex(static_cast<int>(m_times.policyIndex()));
    connect(m_policies, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_times.setPolicy(ModelTimes::policies()[static_cast<std::size_t>(std::max(0, index))]);
    });
    row->addStretch(1);
    m_cancel = newButton(tr("&Cancel"), name + QStringLiteral("Cancel"), m_bar, this, [this] { m_times.cancel(); });
    m_cancel->hide();
    row->addWidget(m_cancel);
    m_headline = newWrappedLabel(m_bar, name + QStringLiteral("Headline"));
    m_headline->setTextFormat(Qt::PlainText);
    m_headline->setTextInteractionFlags(Qt::TextSelectableByMouse);
    setRelativeFont(*m_headline, 1.15, QFont::DemiBold);
    m_progress = new QProgressBar(m_bar);
    makeThin(*m_progress, kTimedSteps, 4, tr("Progress of the model's runs"));
    keepRoom(*m_progress);
    m_progress->hide();
    auto* column = newLayout<QVBoxLayout>(m_bar, {em, 0, em, 0}, em / 2);
    column->addLayout(row);
    addWidgets(*column, {m_headline, m_progress});
}

QComboBox* TimedPage::addChooser(const QString& name, const QString& text) {
    auto* label = new QLabel(text, m_bar);
    auto* box = new QComboBox(m_bar);
    label->setBuddy(box);
    setNames(*box, name, plain(text));
    addWidgets(*m_choosers, {label, box});
    m_choosers->addSpacing(fontMetrics().averageCharWidth());
    return box;
}

void TimedPage::addControl(QWidget* control) { m_choosers->addWidget(control); }

void TimedPage::setHeadline(const QString& text) { m_headline->setText(text); }

void TimedPage::showOther(const QString& headline) {
    m_showsOther = true;
    m_drawn.reset();
    m_chooserBox->hide();
    m_progress->hide();
    m_cancel->hide();
    setStale(false);
    m_headline->setText(headline);
    m_pages->setCurrentIndex(timedDesk);
    Q_EMIT answered();
}

void TimedPage::showTimesAgain() {
    m_showsOther = false;
    m_chooserBox->show();
    showState();
    showAnswer();
    if (isVisible())
        m_times.look();
}

void TimedPage::setDesk(QWidget* desk) {
    m_pages->addWidget(desk);
    showState();
}

QScrollArea* TimedPage::newDetails(QWidget* parent, QLabel*& label, const QString& name, const QString& spoken) {
    QScrollArea* scroll = newScrollArea(parent, spoken);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    label = newWrappedLabel(scroll, name);
    label->setTextFormat(Qt::RichText);
    label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    const int em = fontMetrics().averageCharWidth();
    label->setContentsMargins(em, em, em, em);
    scroll->setWidget(label);
    return scroll;
}

void TimedPage::showState() {
    if (m_showsOther)
        return;
    const bool running = m_times.isRunning();
    if (running && !m_cancel->isVisibleTo(this))
        m_progress->setValue(0);
    m_progress->setVisible(running);
    m_cancel->setVisible(running);
    setStale(m_times.isStale());
    if (m_times.shown())
        return;
    m_drawn.reset();
    m_headline->setText(m_times.words().title);
    m_words->setText(m_times.words().html);
    m_pages->setCurrentIndex(timedWords);
}

// Does nothing while the page is hidden; showEvent() calls it again.
void TimedPage::showAnswer() {
    const QSignalBlocker blocker(m_policies);
    m_policies->setCurrentIndex(static_cast<int>(m_times.policyIndex()));
    if (m_showsOther || !m_times.shown() || !isVisible() ||
        (m_drawn == m_times.shown() && m_drawnPolicy == m_times.policy()))
        return;
    m_drawn = m_times.shown();
    m_drawnPolicy = m_times.policy();
    m_headline->setText(showTimes());
    m_pages->setCurrentIndex(timedDesk);
}

void TimedPage::showEvent(QShowEvent* event) {
    ModelPage::showEvent(event);
    showAnswer();
    if (!m_showsOther)
        m_times.look();
}

}  // namespace ui
