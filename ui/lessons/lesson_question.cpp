#include "ui/lessons/lesson_question.h"

#include "data/lessons/lesson_text.h"
#include "ui/lessons/lesson_state.h"
#include "ui/lessons/lesson_words.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
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
#include <cmath>

namespace ui {

QLabel* newLessonLabel(QWidget* parent) {
    QLabel* label = newWrappedLabel(parent);
    label->setTextFormat(Qt::RichText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::LinksAccessibleByMouse);
    return label;
}

void setLessonText(QLabel& label, const QString& html) {
    const bool links = html.contains(QStringLiteral("<a href="));
    label.setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::LinksAccessibleByMouse |
                                  (links ? Qt::LinksAccessibleByKeyboard : Qt::NoTextInteraction));
    label.setFocusPolicy(links ? Qt::StrongFocus : Qt::NoFocus);
    label.setText(html);
}

/// Draws the prediction above the simulated value, as two bars on one scale.
class PredictionBars final : public QWidget {
public:
    explicit PredictionBars(QWidget* parent) : QWidget(parent) {
        setObjectName(QStringLiteral("predictionBars"));
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    }

    void show(const LessonVerdict::Numbers& numbers) {
        m_numbers = numbers;
        setAccessibleName(tr("You predicted %1; simulated is %2").arg(numbers.typed, numbers.revealed));
        updateGeometry();
        update();
    }

    QSize sizeHint() const override { return {fontMetrics().averageCharWidth() * 24, fontMetrics().height() * 3}; }

protected:
    void paintEvent(QPaintEvent*) override {
        const Palette& colors = paletteOf(*this);
        QPainter painter(this);
        const double line = fontMetrics().height() * 1.5, gap = fontMetrics().averageCharWidth();
        const QString names[] = {tr("You"), tr("Simulated")};
        const QString shown[] = {m_numbers.typed, m_numbers.revealed};
        const double values[] = {std::abs(m_numbers.predicted), std::abs(m_numbers.truth)};
        double left = 0, right = 0;
        for (int i = 0; i < 2; ++i) {
            left = std::max(left, fontMetrics().horizontalAdvance(names[i]) + gap);
            right = std::max(right, fontMetrics().horizontalAdvance(shown[i]) + gap);
        }
        const double room = std::max(gap, width() - left - right), most = std::max({values[0], values[1], 1e-300});
        for (int i = 0; i < 2; ++i) {
            const QRectF row(0, i * line, width(), line);
            const double length = std::max(1.0, values[i] / most * room);
            const QRectF bar(left, row.top() + line * 0.2, length, line * 0.6);
            painter.fillRect(bar, i == 0 ? colors.inkFaint : colors.of(Role::link));
            painter.setPen(colors.inkSoft);
            painter.drawText(row.adjusted(0, 0, -(width() - left), 0), Qt::AlignLeft | Qt::AlignVCenter, names[i]);
            painter.setPen(colors.ink);
            painter.drawText(QRectF(bar.right() + gap / 2, row.top(), right, line), Qt::AlignLeft | Qt::AlignVCenter,
                             shown[i]);
        }
    }

private:
    LessonVerdict::Numbers m_numbers;
};

LessonQuestionBox::LessonQuestionBox(LessonState& state, QWidget* parent)
    : QFrame(parent), m_state(state), m_text(newLessonLabel(this)), m_choices(new QWidget(this)),
      m_choiceColumn(flushLayout<QVBoxLayout>(m_choices)), m_numberRow(new QWidget(this)),
      m_number(new QLineEdit(m_numberRow)), m_unit(new QLabel(m_numberRow)), m_verdict(newLessonLabel(this)),
      m_bars(new PredictionBars(this)), m_reveal(newLessonLabel(this)) {
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
    const int em = fontMetrics().averageCharWidth();
    auto* column = newLayout<QVBoxLayout>(this, {em * 2, em * 3 / 2, em, em * 3 / 2}, em * 3 / 2);
    addWidgets(*column, {m_text, m_choices, m_numberRow, m_verdict, m_bars, m_reveal});
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
    setLessonText(*m_text, lessonHtml(m_state.lesson(), question.text));
    buildChoices();
    const data::LessonClaim* claim = m_state.lesson().claim(question.claim);
    m_numberRow->setVisible(question.choices.empty());
    m_choices->setVisible(!question.choices.empty());
    m_unit->setText(claim != nullptr ? text(data::lessonUnit(*claim)) : QString());
    m_number->setText(m_state.answer().number);
    setLessonText(*m_reveal, lessonHtml(m_state.lesson(), m_state.step().reveal));
    showAnswer();
}

QWidget* LessonQuestionBox::field() const {
    if (!m_state.asks())
        return nullptr;
    if (m_state.step().question->choices.empty())
        return m_number;
    return m_group->checkedButton() != nullptr ? m_group->checkedButton() : m_group->button(0);
}

bool LessonQuestionBox::eventFilter(QObject* watched, QEvent* event) {
    const auto words = std::find(m_choiceTexts.begin(), m_choiceTexts.end(), watched);
    if (words != m_choiceTexts.end() && event->type() == QEvent::MouseButtonPress && m_state.asks())
        m_group->button(static_cast<int>(words - m_choiceTexts.begin()))->click();
    // Return reveals the answer while a choice has the focus.
    if (event->type() == QEvent::KeyPress && m_state.asks() && qobject_cast<QRadioButton*>(watched) != nullptr &&
        isEnter(static_cast<QKeyEvent*>(event)->key())) {
        m_state.reveal();
        return true;
    }
    return QFrame::eventFilter(watched, event);
}

void LessonQuestionBox::paintEvent(QPaintEvent*) {
    const Palette& colors = paletteOf(*this);
    QPainter painter(this);
    painter.fillRect(rect(), colors.stripe);
    painter.fillRect(QRect(0, 0, fontMetrics().averageCharWidth() / 2, height()), colors.accent);
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
        auto* words = newLessonLabel(rowWidget);
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

void LessonQuestionBox::showChoices() {
    const bool revealed = m_state.answer().revealed;
    for (std::size_t i = 0; i < m_choiceTexts.size(); ++i) {
        const bool right = revealed && i == m_state.step().question->right;
        QAbstractButton* button = m_group->button(static_cast<int>(i));
        // The choice stays readable: a disabled button would be grey.
        button->setAttribute(Qt::WA_TransparentForMouseEvents, revealed);
        button->setFocusPolicy(revealed ? Qt::NoFocus : Qt::StrongFocus);
        button->setFixedHeight(m_choiceTexts[i]->fontMetrics().height());  // aligned with the first line
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

void LessonQuestionBox::tint() {
    const Palette& colors = paletteOf(*this);
    const bool right = m_state.isOpen() && m_state.step().question && m_state.answer().revealed &&
                       verdictOf(m_state.lesson(), m_state.step(), m_state.answer()).kind == LessonVerdict::Kind::right;
    setInk(*m_verdict, right ? colors.better : colors.ink);
}

}  // namespace ui
