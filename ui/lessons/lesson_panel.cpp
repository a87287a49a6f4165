#include "ui/lessons/lesson_panel.h"

#include "ui/lessons/lesson_library.h"
#include "ui/lessons/lesson_question.h"
#include "ui/lessons/lesson_state.h"
#include "ui/lessons/lesson_words.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"

#include <QApplication>
#include <QEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWidget>

#include <algorithm>
#include <vector>

namespace ui {
namespace {

constexpr double kTextSize = 1.25;  // relative size, because lessons are read from further away than forms

QLabel* paragraph(QWidget* parent) {
    QLabel* label = newLessonLabel(parent);
    label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    return label;
}

/// Returns a share as lessons write it: "12.5 %".
QString shareText(double share) { return text(data::writeMoment({0, share, true})); }

QScrollArea* scrolling(QWidget* content, QWidget* parent) {
    QScrollArea* area = newScrollArea(parent);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidget(content);
    return area;
}

}  // namespace

LessonPanel::LessonPanel(LessonState& state, QWidget* parent)
    : QWidget(parent), m_state(state), m_pages(new QStackedWidget(this)) {
    setNames(*this, QStringLiteral("lessons"), tr("Lessons"));
    setMinimumWidth(fontMetrics().averageCharWidth() * 40);
    auto* column = flushLayout<QVBoxLayout>(this);
    column->addWidget(m_pages);
    addWidgets(*m_pages, {buildList(), buildStep()});
    connect(&m_state, &LessonState::stepChanged, this, &LessonPanel::showStep);
    connect(&m_state, &LessonState::answerChanged, this, &LessonPanel::showAnswer);
    followColours(*this, [this] { tint(); });
    // A widget with a style sheet does not follow the font by itself.
    onEvents(*this, {QEvent::FontChange}, [this] { m_next->setFont(font()); });
    showStep();
}

QWidget* LessonPanel::buildList() {
    auto* content = new QWidget(m_pages);
    const int em = fontMetrics().averageCharWidth();
    auto* column = newLayout<QVBoxLayout>(content, {em * 2, em * 2, em * 2, em * 2}, em);
    int number = 0;
    for (const BundledLesson& lesson : bundledLessons()) {
        auto* button = new QPushButton(content);
        setNames(*button, QStringLiteral("lesson:") + lesson.name, tr("Lesson %1: %2").arg(++number).arg(lesson.title));
        button->setAccessibleDescription(lesson.summary);
        auto* inside = new QVBoxLayout(button);
        auto* head = paragraph(button);
        head->setText(QStringLiteral("<b>%1&nbsp;&nbsp;%2</b>").arg(number).arg(lesson.title.toHtmlEscaped()));
        auto* words = paragraph(button);
        words->setText(lesson.summary.toHtmlEscaped());
        for (QLabel* label : {head, words}) {
            label->setTextInteractionFlags(Qt::NoTextInteraction);
            label->setAttribute(Qt::WA_TransparentForMouseEvents);
            inside->addWidget(label);
        }
        head->setObjectName(QStringLiteral("lessonHead"));
        button->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Minimum);
        inside->setSizeConstraint(QLayout::SetMinimumSize);
        connect(button, &QPushButton::clicked, this, [this, file = lesson.file] { Q_EMIT lessonRequested(file); });
        column->addWidget(button);
    }
    column->addWidget(newButton(tr("Open Lesson File…"), {}, content, this, &LessonPanel::openRequested));
    column->addStretch(1);
    return scrolling(content, m_pages);
}

QWidget* LessonPanel::buildStep() {
    auto* page = new QWidget(m_pages);
    auto* content = new QWidget(page);
    content->setObjectName(QStringLiteral("lessonContent"));
    const int em = fontMetrics().averageCharWidth();
    m_text = paragraph(content);
    m_text->setObjectName(QStringLiteral("lessonText"));
    m_question = new LessonQuestionBox(m_state, content);
    m_play = new QWidget(content);
    m_playButton = newButton(tr("Play"), QStringLiteral("lessonPlay"), m_play, this, &LessonPanel::playRequested);
    m_playText = newWrappedLabel(m_play, QStringLiteral("lessonPlayText"));
    auto* playRow = flushLayout<QHBoxLayout>(m_play, em);
    playRow->addWidget(m_playButton);
    playRow->addWidget(m_playText, 1);
    m_try = new QWidget(content);
    m_tryText = paragraph(m_try);
    m_tryText->setObjectName(QStringLiteral("lessonTry"));
    m_tryButton = newButton(tr("Try It"), QStringLiteral("lessonTryButton"), m_try, this, &LessonPanel::tryRequested);
    m_tryButton->setToolTip(tr("Points at the control to change"));
    auto* tryColumn = flushLayout<QVBoxLayout>(m_try);
    tryColumn->addWidget(m_tryText);
    tryColumn->addWidget(m_tryButton, 0, Qt::AlignLeft);
    auto* inside = newLayout<QVBoxLayout>(content, {em * 2, em, em * 3 / 2, em}, em * 2);
    addWidgets(*inside, {m_text, m_play, m_question, m_try});
    for (QLabel* label : content->findChildren<QLabel*>())
        connect(label, &QLabel::linkActivated, this, &LessonPanel::partRequested);
    inside->addStretch(1);
    m_scroll = scrolling(content, page);
    m_scroll->installEventFilter(this);
    setRelativeFont(*content, kTextSize);  // after the content has its final parent
    auto* column = flushLayout<QVBoxLayout>(page, 0);
    column->addWidget(buildHead(page));
    column->addWidget(m_scroll, 1);
    addWidgets(*column, {buildDoubt(page), buildFoot(page)});
    return page;
}

QWidget* LessonPanel::buildHead(QWidget* page) {
    auto* head = new QWidget(page);
    const int em = fontMetrics().averageCharWidth();
    m_title = newWrappedLabel(head, QStringLiteral("lessonTitle"));
    setRelativeFont(*m_title, 1.1, QFont::DemiBold);
    m_leave = new QToolButton(head);
    m_leave->setObjectName(QStringLiteral("lessonLeave"));
    makeFlat(*m_leave, tr("Leave the lesson and restore your own experiment"), tr("Leave the lesson"));
    connect(m_leave, &QToolButton::clicked, this, &LessonPanel::leaveRequested);
    auto* row = newLayout<QHBoxLayout>(head, {em * 2, em, em, em / 2});
    row->addWidget(m_title, 1);
    row->addWidget(m_leave, 0, Qt::AlignTop);
    return head;
}

// Builds the warning below the scrolled text: when it appears while the user reads, neither the text nor a button
// moves.
QWidget* LessonPanel::buildDoubt(QWidget* page) {
    m_doubt = new QFrame(page);
    m_doubt->setObjectName(QStringLiteral("lessonDoubt"));
    m_doubt->setAutoFillBackground(true);
    m_doubtIcon = new QLabel(m_doubt);
    m_doubtText = paragraph(m_doubt);
    m_doubtText->setObjectName(QStringLiteral("lessonDoubtText"));
    const int em = fontMetrics().averageCharWidth();
    auto* row = newLayout<QHBoxLayout>(m_doubt, {em * 2, em, em * 2, em}, em);
    row->addWidget(m_doubtIcon, 0, Qt::AlignTop);
    row->addWidget(m_doubtText, 1);
    m_doubt->hide();
    return m_doubt;
}

QWidget* LessonPanel::buildFoot(QWidget* page) {
    auto* foot = new QWidget(page);
    const int em = fontMetrics().averageCharWidth();
    m_back = newButton(tr("Back"), QStringLiteral("lessonBack"), foot, &m_state, &LessonState::goBack);
    m_progress = new QLabel(foot);
    m_progress->setObjectName(QStringLiteral("lessonProgress"));
    m_progress->setAlignment(Qt::AlignCenter);
    m_next = newButton(tr("Next"), QStringLiteral("lessonNext"), foot, this, &LessonPanel::goOn);
    m_next->setAutoDefault(true);  // so that Return presses it
    m_back->setAutoDefault(true);
    auto* row = newLayout<QHBoxLayout>(foot, {em * 2, em, em * 2, em});
    row->addWidget(m_back);
    row->addWidget(m_progress, 1);
    row->addWidget(m_next);
    return foot;
}

void LessonPanel::goOn() {
    if (!m_state.advance())
        Q_EMIT finished();
}

void LessonPanel::focusNext() {
    QWidget* next = m_question->field() != nullptr ? m_question->field() : m_next;
    if (!m_state.isOpen()) {
        const auto& lessons = bundledLessons();
        const auto last = std::ranges::find(lessons, m_lastFile, &BundledLesson::file);
        const bool isThere = last != lessons.end() && std::next(last) != lessons.end();
        const BundledLesson& after = isThere ? *std::next(last) : lessons.front();
        next = findChild<QWidget*>(QStringLiteral("lesson:") + after.name);
    }
    next->setFocus(Qt::OtherFocusReason);
}

void LessonPanel::showStep() {
    m_pages->setCurrentIndex(m_state.isOpen() ? 1 : 0);
    if (!m_state.isOpen())
        return;
    m_lastFile = m_state.file();
    const std::size_t count = m_state.lesson().steps.size();
    m_title->setText(text(m_state.lesson().title));
    setLessonText(*m_text, lessonHtml(m_state.lesson(), m_state.step().text));
    m_progress->setText(tr("%1 of %2").arg(m_state.stepIndex() + 1).arg(count));
    m_back->setEnabled(m_state.stepIndex() > 0);
    m_question->showStep();
    m_failures.clear();
    m_scroll->verticalScrollBar()->setValue(0);
    showAnswer();
}

void LessonPanel::showAnswer() {
    if (!m_state.isOpen())
        return;
    m_next->setText(m_state.asks() ? tr("Show Answer") : m_state.isLast() ? tr("Finish") : tr("Next"));
    showPlay();
    showTry();
    showDoubt();
    if (m_state.answer().revealed && isAncestorOf(QApplication::focusWidget()))
        m_next->setFocus(Qt::OtherFocusReason);
    if (m_state.answer().revealed)
        QTimer::singleShot(0, m_question, [this] { revealQuestion(); });
}

// Scrolls down to the end of the answer, but keeps the question visible.
void LessonPanel::revealQuestion() {
    QScrollBar* bar = m_scroll->verticalScrollBar();
    const int bottom = m_question->geometry().bottom() + fontMetrics().height();
    bar->setValue(std::min(m_question->y(), std::max(bar->value(), bottom - m_scroll->viewport()->height())));
}

void LessonPanel::showTry() {
    const std::optional<data::LessonTry>& attempt = m_state.step().attempt;
    // Hidden before the answer, because the task mostly gives it away.
    m_try->setVisible(attempt && !m_state.asks());
    if (!attempt)
        return;
    const bool done = m_state.answer().tried;
    QString words = lessonHtml(m_state.lesson(), attempt->text);
    if (done && !attempt->then.empty())
        words += lessonHtml(m_state.lesson(), "\n\n**" + tr("Done.").toStdString() + "** " + attempt->then);
    setLessonText(*m_tryText, words);
    m_tryButton->setIcon(done ? tintedIcon(QStringLiteral("check"), paletteOf(*this).better) : QIcon());
    m_tryButton->setAccessibleName(done ? tr("Try It, done") : tr("Try It"));
}

void LessonPanel::showPlay() {
    const std::optional<data::LessonPlay>& play = m_state.step().play;
    // A step with `holds` shows its run only with the answer.
    m_play->setVisible(play && !(m_state.step().holds && m_state.asks()));
    if (!play)
        return;
    const auto words = [this](const QString& verb, const QString& icon) {
        m_playButton->setText(verb);
        m_playButton->setIcon(tintedIcon(icon, *this));
    };
    if (m_reducesMotion)
        words(tr("Step"), QStringLiteral("step-forward"));
    else if (m_isPlaying)
        words(tr("Pause"), QStringLiteral("pause"));
    else
        words(tr("Play"), QStringLiteral("play"));
    const QString range = tr("%1 to %2 of the run").arg(shareText(play->from), shareText(play->to));
    const QString length = tr("%1, in %2\u00a0s").arg(range).arg(play->seconds);
    m_playText->setText(m_reducesMotion ? tr("%1, step by step").arg(range)
                        : play->loop    ? tr("%1, repeated").arg(length)
                                        : length);
    m_playButton->setAccessibleName(QStringLiteral("%1: %2").arg(m_playButton->text(), m_playText->text()));
}

void LessonPanel::showPlaying(bool playing) {
    m_isPlaying = playing;
    if (m_state.isOpen())
        showPlay();
}

void LessonPanel::setReducedMotion(bool reduced) {
    m_reducesMotion = reduced;
    if (m_state.isOpen())
        showPlay();
}

void LessonPanel::showFinished(const QStringList& names) {
    int number = 0;
    for (const BundledLesson& lesson : bundledLessons()) {
        const bool finished = names.contains(lesson.name);
        ++number;
        auto* button = findChild<QPushButton*>(QStringLiteral("lesson:") + lesson.name);
        button->findChild<QLabel*>(QStringLiteral("lessonHead"))
            ->setText(QStringLiteral("<b>%1&nbsp;&nbsp;%2</b>%3")
                          .arg(number)
                          .arg(lesson.title.toHtmlEscaped(), finished ? QStringLiteral("&nbsp;✓") : QString()));
        const QString name = tr("Lesson %1: %2").arg(number).arg(lesson.title);
        button->setAccessibleName(finished ? tr("%1, finished").arg(name) : name);
    }
}

void LessonPanel::showFailures(const std::vector<data::LessonVerdict>& failures) {
    m_failures = failures;
    showDoubt();
}

void LessonPanel::showDoubt() {
    m_doubt->setVisible(!m_failures.empty());
    QString words = QStringLiteral("<b>") + tr("The simulation does not confirm this step.") + QStringLiteral("</b>");
    for (const data::LessonVerdict& verdict : m_failures) {
        if (m_state.asks())
            break;  // the numbers are shown with the answer
        words += QStringLiteral("<br>") + disagreementText(verdict).toHtmlEscaped();
    }
    m_doubtText->setText(words);
}

// Handles the keys of the scrolled text, whose own Page Up and Page Down would only scroll.
bool LessonPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_scroll || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    keyPressEvent(static_cast<QKeyEvent*>(event));
    return true;
}

// The remote controls of speakers send these keys. They scroll the text to its end before they leave the step.
void LessonPanel::keyPressEvent(QKeyEvent* event) {
    const bool on = event->key() == Qt::Key_PageDown || event->key() == Qt::Key_Right;
    const bool back = event->key() == Qt::Key_PageUp || event->key() == Qt::Key_Left;
    if (!m_state.isOpen() || (!on && !back))
        QWidget::keyPressEvent(event);
    else if (scroll(on))
        return;
    else if (on)
        goOn();
    else
        m_state.goBack();
}

bool LessonPanel::scroll(bool down) {
    QScrollBar* bar = m_scroll->verticalScrollBar();
    const int line = m_text->fontMetrics().lineSpacing();
    const int hidden = down ? bar->maximum() - bar->value() : bar->value() - bar->minimum();
    if (hidden < line)
        return false;  // at most the margin of the text is out of sight
    const int page = std::max(line, m_scroll->viewport()->height() - line);
    bar->setValue(bar->value() + (down ? page : -page));
    return true;
}

void LessonPanel::tint() {
    const Palette& colors = paletteOf(*this);
    m_leave->setIcon(tintedIcon(QStringLiteral("close"), colors.ink));
    const QString sheet =
        QStringLiteral("#lessonNext { background: %1; color: %2; border: 1px solid %1; border-radius: 3px; "
                       "padding: 0.3em 1.2em; } #lessonNext:focus { border-color: %3; }")
            .arg(colors.accent.name(), colors.onAccent.name(), colors.ink.name());
    if (m_next->styleSheet() != sheet)
        m_next->setStyleSheet(sheet);
    m_doubtIcon->setPixmap(tintedIcon(QStringLiteral("warning"), colors.error).pixmap(16, 16));
    QPalette own = palette();
    own.setColor(QPalette::Window, colors.notice);
    m_doubt->setPalette(own);
    if (m_state.isOpen()) {
        showPlay();
        showTry();
    }
}

}  // namespace ui
