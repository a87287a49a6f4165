#include "ui/lessons/lesson_panel.h"

#include "ui/lessons/lesson_library.h"
#include "ui/lessons/lesson_state.h"
#include "ui/lessons/lesson_words.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"

#include <QApplication>
#include <QButtonGroup>
#include <QEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWidget>

#include <algorithm>
#include <cmath>
#include <vector>

namespace ui {
namespace {

constexpr double kTextSize = 1.25;  // read from a chair further back than a form is

QLabel* wrappedLabel(QWidget* parent) {
    QLabel* label = newWrappedLabel(parent);
    label->setTextFormat(Qt::RichText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QLabel* paragraph(QWidget* parent) {
    QLabel* label = wrappedLabel(parent);
    label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    return label;
}

QScrollArea* scrolling(QWidget* content, QWidget* parent) {
    QScrollArea* area = newScrollArea(parent);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidget(content);
    return area;
}

}  // namespace

/// What was predicted above what is, as two bars on one scale, so that a miss is seen before it is read.
class PredictionBars final : public QWidget {
public:
    explicit PredictionBars(QWidget* parent) : QWidget(parent) {
        setObjectName(QStringLiteral("predictionBars"));
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    }

    void show(const LessonVerdict::Numbers& numbers) {
        m_numbers = numbers;
        setAccessibleName(tr("You said %1; it is %2").arg(numbers.typed, numbers.told));
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
        const QString told[] = {m_numbers.typed, m_numbers.told};
        const double values[] = {std::abs(m_numbers.predicted), std::abs(m_numbers.truth)};
        double left = 0, right = 0;
        for (int i = 0; i < 2; ++i) {
            left = std::max(left, fontMetrics().horizontalAdvance(names[i]) + gap);
            right = std::max(right, fontMetrics().horizontalAdvance(told[i]) + gap);
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
                             told[i]);
        }
    }

private:
    LessonVerdict::Numbers m_numbers;
};

/// The question of a step: choices or a field for a number, and, once told, the answer beside what was predicted.
class LessonQuestionBox final : public QFrame {
public:
    /// `state` must outlive the box.
    explicit LessonQuestionBox(LessonState& state, QWidget* parent)
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

    /// The question of the step that the state is at; hidden where it has none.
    void showStep() {
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

    /// Where a prediction is made; null where none is asked for any more.
    QWidget* field() const {
        if (!m_state.asks())
            return nullptr;
        if (m_state.step().question->choices.empty())
            return m_number;
        return m_group->checkedButton() != nullptr ? m_group->checkedButton() : m_group->button(0);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
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

    // Painted, not by a style sheet, which would keep the size of the type from what is inside.
    void paintEvent(QPaintEvent*) override {
        const Palette& colors = paletteOf(*this);
        QPainter painter(this);
        painter.fillRect(rect(), colors.stripe);
        painter.fillRect(QRect(0, 0, fontMetrics().averageCharWidth() / 2, height()), colors.accent);
    }

private:
    void buildChoices() {
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

    void showChoices() {
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

    void showAnswer() {
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

    void tint() {
        const Palette& colors = paletteOf(*this);
        const bool right =
            m_state.isOpen() && m_state.step().question && m_state.answer().revealed &&
            verdictOf(m_state.lesson(), m_state.step(), m_state.answer()).kind == LessonVerdict::Kind::right;
        setInk(*m_verdict, right ? colors.better : colors.ink);
    }

    LessonState& m_state;
    QLabel* m_text;
    QWidget* m_choices;
    QVBoxLayout* m_choiceColumn;
    QButtonGroup* m_group = nullptr;
    std::vector<QLabel*> m_choiceTexts;  ///< beside the buttons, whose own text cannot be wrapped
    QWidget* m_numberRow;
    QLineEdit* m_number;
    QLabel* m_unit;
    QLabel* m_verdict;
    PredictionBars* m_bars;
    QLabel* m_reveal;
};

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
    // What has a style sheet does not follow by itself.
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
        button->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Minimum);
        inside->setSizeConstraint(QLayout::SetMinimumSize);
        connect(button, &QPushButton::clicked, this, [this, file = lesson.file] { Q_EMIT lessonRequested(file); });
        column->addWidget(button);
    }
    column->addWidget(newButton(tr("Open a Lesson of Your Own…"), {}, content, this, &LessonPanel::openRequested));
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
    m_try = new QWidget(content);
    m_tryText = paragraph(m_try);
    m_tryText->setObjectName(QStringLiteral("lessonTry"));
    m_tryButton = newButton(tr("Try It"), QStringLiteral("lessonTryButton"), m_try, this, &LessonPanel::tryRequested);
    m_tryButton->setToolTip(tr("Shows where to change it"));
    auto* tryColumn = flushLayout<QVBoxLayout>(m_try);
    tryColumn->addWidget(m_tryText);
    tryColumn->addWidget(m_tryButton, 0, Qt::AlignLeft);
    auto* inside = newLayout<QVBoxLayout>(content, {em * 2, em, em * 3 / 2, em}, em * 2);
    addWidgets(*inside, {m_text, m_question, m_try});
    inside->addStretch(1);
    m_scroll = scrolling(content, page);
    m_scroll->installEventFilter(this);
    setRelativeFont(*content, kTextSize);  // now that it is where it stays
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
    makeFlat(*m_leave, tr("Leave the lesson; your own experiment comes back"), tr("Leave the lesson"));
    connect(m_leave, &QToolButton::clicked, this, &LessonPanel::leaveRequested);
    auto* row = newLayout<QHBoxLayout>(head, {em * 2, em, em, em / 2});
    row->addWidget(m_title, 1);
    row->addWidget(m_leave, 0, Qt::AlignTop);
    return head;
}

// Below what is scrolled: it comes while somebody reads, and moves neither the text nor a button.
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
    m_next->setAutoDefault(true);  // Return presses it
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
    m_text->setText(lessonHtml(m_state.lesson(), m_state.step().text));
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
    showTry();
    showDoubt();
    if (m_state.answer().revealed && isAncestorOf(QApplication::focusWidget()))
        m_next->setFocus(Qt::OtherFocusReason);
    if (m_state.answer().revealed)
        QTimer::singleShot(0, m_question, [this] { revealQuestion(); });
}

// Down to the end of the answer, but not past the question.
void LessonPanel::revealQuestion() {
    QScrollBar* bar = m_scroll->verticalScrollBar();
    const int bottom = m_question->geometry().bottom() + fontMetrics().height();
    bar->setValue(std::min(m_question->y(), std::max(bar->value(), bottom - m_scroll->viewport()->height())));
}

void LessonPanel::showTry() {
    const std::optional<data::LessonTry>& attempt = m_state.step().attempt;
    // Not before the answer: what is tried mostly gives it away.
    m_try->setVisible(attempt && !m_state.asks());
    if (!attempt)
        return;
    const bool done = m_state.answer().tried;
    QString words = lessonHtml(m_state.lesson(), attempt->text);
    if (done && !attempt->then.empty())
        words += lessonHtml(m_state.lesson(), "\n\n**" + tr("Done.").toStdString() + "** " + attempt->then);
    m_tryText->setText(words);
    m_tryButton->setIcon(done ? tintedIcon(QStringLiteral("check"), paletteOf(*this).better) : QIcon());
    m_tryButton->setAccessibleName(done ? tr("Try It, done") : tr("Try It"));
}

void LessonPanel::showFailures(const std::vector<data::LessonVerdict>& failures) {
    m_failures = failures;
    showDoubt();
}

void LessonPanel::showDoubt() {
    m_doubt->setVisible(!m_failures.empty());
    QString words = QStringLiteral("<b>") + tr("Simulation does not agree with this step.") + QStringLiteral("</b>");
    for (const data::LessonVerdict& verdict : m_failures) {
        if (m_state.asks())
            break;  // the numbers come with the answer
        words += QStringLiteral("<br>") + disagreementText(verdict).toHtmlEscaped();
    }
    m_doubtText->setText(words);
}

// From what is scrolled, whose own page keys would only scroll.
bool LessonPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_scroll || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    keyPressEvent(static_cast<QKeyEvent*>(event));
    return true;
}

void LessonPanel::keyPressEvent(QKeyEvent* event) {
    // As the remote controls of speakers send them.
    if (m_state.isOpen() && (event->key() == Qt::Key_PageDown || event->key() == Qt::Key_Right))
        goOn();
    else if (m_state.isOpen() && (event->key() == Qt::Key_PageUp || event->key() == Qt::Key_Left))
        m_state.goBack();
    else
        QWidget::keyPressEvent(event);
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
    if (m_state.isOpen())
        showTry();
}

}  // namespace ui
