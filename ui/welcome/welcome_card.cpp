#include "ui/welcome/welcome_card.h"

#include "ui/look/flow_layout.h"
#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"

#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

#include <algorithm>

namespace ui {

WelcomeCard::WelcomeCard(QWidget* parent)
    : QFrame(parent), m_words(newWrappedLabel(this)), m_row(new QWidget(this)), m_close(new QToolButton(this)) {
    setNames(*this, QStringLiteral("welcome"), tr("Welcome"));
    m_words->setTextFormat(Qt::RichText);
    QSizePolicy wraps(QSizePolicy::Ignored, QSizePolicy::Preferred);
    wraps.setHeightForWidth(true);
    m_words->setSizePolicy(wraps);
    QSizePolicy flows(QSizePolicy::Ignored, QSizePolicy::Minimum);
    flows.setHeightForWidth(true);
    m_row->setSizePolicy(flows);
    makeFlat(*m_close, tr("Close the card, also for later starts; Help ▸ Welcome shows it again"),
             tr("Close the welcome card"));
    connect(m_close, &QToolButton::clicked, this, &WelcomeCard::dismissed);
    flushLayout<FlowLayout>(m_row, fontMetrics().averageCharWidth());  // the card must not make the window wider
    auto* grid = new QGridLayout(this);
    const int gap = fontMetrics().averageCharWidth();
    grid->setContentsMargins(gap * 2, gap, gap, gap + 2);
    grid->setVerticalSpacing(gap);
    grid->addWidget(m_words, 0, 0);
    grid->addWidget(m_close, 0, 1);
    grid->addWidget(m_row, 1, 0, 1, 2);
    grid->setColumnStretch(0, 1);
    followColours(*this, [this] { applyColors(); });
}

void WelcomeCard::setSteps(std::vector<WelcomeStep> steps) {
    for (const Step& step : m_steps)
        delete step.button;
    m_steps.clear();
    for (WelcomeStep& step : steps) {
        auto* button = new QToolButton(m_row);
        button->setObjectName(QStringLiteral("welcome:") + step.id);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        connect(button, &QToolButton::clicked, this, [this, words = step.words, act = step.act] {
            if (!words.isEmpty())
                say(words);
            act();
        });
        m_row->layout()->addWidget(button);
        m_steps.push_back({std::move(step), button});
    }
    nameSteps(true);
    applyColors();
    fitSteps();
}

void WelcomeCard::nameSteps(bool keys) {
    for (const Step& step : m_steps) {
        const QString& text = step.step.text;
        const bool both = keys && !step.step.keys.isEmpty();
        step.button->setText(both ? QStringLiteral("%1  (%2)").arg(text, step.step.keys) : text);
        step.button->setToolTip(both ? QString() : step.step.keys);
    }
}

// Shows the keys of the steps only in tool tips if that saves a row, because the card takes its height from the
// picture.
void WelcomeCard::fitSteps() {
    const QLayout* row = m_row->layout();
    nameSteps(true);
    const int height = row->heightForWidth(m_row->width());
    nameSteps(false);
    if (row->heightForWidth(m_row->width()) >= height)
        nameSteps(true);
}

void WelcomeCard::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    if (event->size().width() == event->oldSize().width())
        return;
    m_isPlaced = true;
    layout()->activate();
    fitSteps();
    updateGeometry();
}

QSize WelcomeCard::minimumSizeHint() const {
    const QSize least = QFrame::minimumSizeHint();
    // Before the card has its final width, it asks for one row: the width of a new widget would make the window too
    // high.
    return m_isPlaced ? QSize(least.width(), heightForWidth(std::max(width(), least.width()))) : least;
}

void WelcomeCard::setDone(const QString& id) {
    const auto at = std::ranges::find_if(m_steps, [&id](const Step& step) { return step.step.id == id; });
    if (at == m_steps.end() || at->done)
        return;
    at->done = true;
    at->button->setAccessibleName(tr("%1, done").arg(at->step.text));
    applyColors();
}

void WelcomeCard::say(const QString& words) { m_words->setText(words); }

QString WelcomeCard::words() const { return m_words->text(); }

void WelcomeCard::paintEvent(QPaintEvent*) {
    const Palette& colors = paletteOf(*this);
    QPainter painter(this);
    painter.fillRect(rect(), colors.surface);
    painter.setPen(colors.line);
    painter.drawLine(rect().bottomLeft(), rect().bottomRight());
}

void WelcomeCard::applyColors() {
    const Palette& colors = paletteOf(*this);
    m_close->setIcon(tintedIcon(QStringLiteral("close"), colors.ink));
    bool nextFound = false;
    for (const Step& step : m_steps) {
        const bool isNext = !step.done && !std::exchange(nextFound, nextFound || !step.done);
        step.button->setIcon(step.done ? tintedIcon(QStringLiteral("check"), colors.ink) : QIcon());
        const QColor ground = isNext ? colors.accent : colors.surface;
        const QString sheet =
            QStringLiteral("QToolButton { border: 1px solid %1; border-radius: 3px; padding: 3px 0.8em; "
                           "color: %2; background: %3; }"
                           "QToolButton:hover, QToolButton:focus { border-color: %4; }")
                .arg((isNext ? colors.accent : colors.line).name(), (isNext ? colors.onAccent : colors.ink).name(),
                     ground.name(), colors.ink.name());
        if (step.button->styleSheet() != sheet)
            step.button->setStyleSheet(sheet);
    }
}

}  // namespace ui
