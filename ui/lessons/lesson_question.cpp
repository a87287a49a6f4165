#include "ui/lessons/lesson_question.h"

#include "ui/lessons/lesson_state.h"
#include "ui/lessons/lesson_words.h"
#include "ui/lessons/prediction_bars.h"
#include "ui/look/palette.h"
#include "ui/look/relative_font.h"
#include "ui/look/text.h"
#include "ui/look/widget_events.h"
#include "ui/look/widget_parts.h"

#include <QButtonGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QRadioButton>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {
namespace {

QLabel* wrappedLabel(QWidget* parent) {
    QLabel* label = newWrappedLabel(parent);
    label->setTextFormat(Qt::RichText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

}  // namespace

LessonQuestionBox::LessonQuestionBox(LessonState& state, QWidget* parent)
    : QFrame(parent), m_state(state), m_text(wrappedLabel(this)), m_choices(new QWidget(this)),
      m_choiceColumn(flushLayout<QVBoxLayout>(m_choices)), m_numberRow(new QWidget(this)),
      m_number(new QLineEdit(m_numberRow)), m_unit(new QLabel(m_numberRow)), m_verdict(wrappedLabel(this)),
      m_bars(new PredictionBars(this)), m_reveal(wrappedLabel(this)) {
    setObjectName(QStringLiteral("lessonQuestion"));
    setRelativeFont(*m_verdict, 1, QFont::DemiBold);
    m_reveal->setObjectName(QStringLiteral("lessonReveal"));
    m_verdict->setObjectName(QStringLiteral("lessonVerdict"));
    setNames(*m_number, QStringLiteral("lessonNumber"), tr("Your prediction"));
    m_number->setPlaceholderText(tr("your prediction"));
    auto* row = flushLayout<QHBoxLayout>(m_numberRow);
    row->addWidget(m_number, 1);
    row->addWidget(m_unit);
    row->addStretch(1);
    auto* column = new QVBoxLayout(this);
    const int em = fontMetrics().averageCharWidth();
    column->setContentsMargins(em * 2, em * 3 / 2, em, em * 3 / 2);
    column->setSpacing(em * 3 / 2);
    for (QWidget* part : {static_cast<QWidget*>(m_text), m_choices, m_numberRow, static_cast<QWidget*>(m_verdict),
                          static_cast<QWidget*>(m_bars), static_cast<QWidget*>(m_reveal)})
        column->addWidget(part);
    connect(m_number, &QLineEdit::textEdited, this, [this](const QString& typed) { m_state.predict(typed); });
    connect(m_number, &QLineEdit::returnPressed, this, [this] { m_state.reveal(); });
    connect(&m_state, &LessonState::answerChanged, this, &LessonQuestionBox::showAnswer);
    followColours(*this, [this] { tint(); });
    onEvents(*this, {QEvent::FontChange}, [this] {
        if (m_state.isOpen() && m_state.step().question && m_group != nullptr)
            showChoices();
    });
}

void LessonQuestionBox::showStep() {
    const bool asks = m_state.isOpen() && m_state.step().question.has_value();
    setVisible(asks);
    if (!asks)
        return;
    const data::LessonQuestion& question = *m_state.step().question;
    m_text->setText(lessonHtml(m_state.lesson(), question.text));
    buildChoices();
    const data::LessonClaim* claim = m_state.lesson().claim(question.claim);
    m_numberRow->setVisible(question.choices.empty());
    m_choices->setVisible(!question.choices.empty());
    m_unit->setText(claim != nullptr ? lessonUnit(*claim) : QString());
    m_number->setText(m_state.answer().number);
    m_reveal->setText(lessonHtml(m_state.lesson(), m_state.step().reveal));
    showAnswer();
}

QWidget* LessonQuestionBox::field() const {
    if (!m_state.asks())
        return nullptr;
    if (m_state.step().question->choices.empty())
        return m_number;
    return m_group->checkedButton() != nullptr ? m_group->checkedButton() : m_group->button(0);
}

void LessonQuestionBox::buildChoices() {
    qDeleteAll(m_choices->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
    delete m_group;
    m_group = new QButtonGroup(this);
    m_choiceTexts.clear();
    const std::vector<std::string>& choices = m_state.step().question->choices;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        auto* rowWidget = new QWidget(m_choices);
        auto* row = flushLayout<QHBoxLayout>(rowWidget);
        auto* button = new QRadioButton(rowWidget);
        setNames(*button, QStringLiteral("choice:%1").arg(i), text(choices[i]));
        button->setChecked(m_state.answer().choice == i);
        auto* words = wrappedLabel(rowWidget);
        words->setTextInteractionFlags(Qt::NoTextInteraction);
        words->setText(text(choices[i]).toHtmlEscaped());
        words->installEventFilter(this);
        m_choiceTexts.push_back(words);
        row->addWidget(button, 0, Qt::AlignTop);
        row->addWidget(words, 1);
        button->installEventFilter(this);
        m_group->addButton(button, static_cast<int>(i));
        m_choiceColumn->addWidget(rowWidget);
        rowWidget->show();
        connect(button, &QRadioButton::clicked, this, [this, i] { m_state.predict(i); });
    }
}

bool LessonQuestionBox::eventFilter(QObject* watched, QEvent* event) {
    const auto words = std::find(m_choiceTexts.begin(), m_choiceTexts.end(), watched);
    if (words != m_choiceTexts.end() && event->type() == QEvent::MouseButtonPress && m_state.asks())
        m_group->button(static_cast<int>(words - m_choiceTexts.begin()))->click();
    // Return shows the answer from wherever the prediction is made.
    if (event->type() == QEvent::KeyPress && m_state.asks() && qobject_cast<QRadioButton*>(watched) != nullptr &&
        isEnter(static_cast<QKeyEvent*>(event)->key())) {
        m_state.reveal();
        return true;
    }
    return QFrame::eventFilter(watched, event);
}

void LessonQuestionBox::showChoices() {
    const bool revealed = m_state.answer().revealed;
    for (std::size_t i = 0; i < m_choiceTexts.size(); ++i) {
        const bool right = revealed && i == m_state.step().question->right;
        QAbstractButton* button = m_group->button(static_cast<int>(i));
        // What was chosen stays readable: a disabled button would be grey.
        button->setAttribute(Qt::WA_TransparentForMouseEvents, revealed);
        button->setFocusPolicy(revealed ? Qt::NoFocus : Qt::StrongFocus);
        button->setFixedHeight(m_choiceTexts[i]->fontMetrics().height());  // beside the first line
        const QString words = text(m_state.step().question->choices[i]).toHtmlEscaped();
        m_choiceTexts[i]->setText(right ? QStringLiteral("<b>%1&nbsp;✓</b>").arg(words) : words);
    }
}

void LessonQuestionBox::showAnswer() {
    if (!m_state.isOpen() || !m_state.step().question)
        return;
    const LessonAnswer& answer = m_state.answer();
    const LessonVerdict verdict =
        answer.revealed ? verdictOf(m_state.lesson(), m_state.step(), answer) : LessonVerdict{};
    m_number->setReadOnly(answer.revealed);
    m_verdict->setText(verdict.words.toHtmlEscaped());
    m_verdict->setVisible(!verdict.words.isEmpty());
    m_bars->setVisible(verdict.numbers.has_value());
    if (verdict.numbers)
        m_bars->show(*verdict.numbers);
    m_reveal->setVisible(answer.revealed);
    showChoices();
    tint();
}

// Painted, not by a style sheet, which would keep the size of the type from what is inside.
void LessonQuestionBox::paintEvent(QPaintEvent*) {
    const Palette& colors = paletteOf(*this);
    QPainter painter(this);
    painter.fillRect(rect(), colors.stripe);
    painter.fillRect(QRect(0, 0, fontMetrics().averageCharWidth() / 2, height()), colors.accent);
}

void LessonQuestionBox::tint() {
    const Palette& colors = paletteOf(*this);
    const bool right = m_state.isOpen() && m_state.step().question && m_state.answer().revealed &&
                       verdictOf(m_state.lesson(), m_state.step(), m_state.answer()).kind == LessonVerdict::Kind::right;
    setInk(*m_verdict, right ? colors.better : colors.ink);
}

}  // namespace ui
