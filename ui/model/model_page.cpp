#include "ui/model/model_page.h"

#include "ui/look/format.h"
#include "ui/look/widget_parts.h"

#include <QLabel>
#include <QStackedLayout>
#include <QVBoxLayout>

namespace ui {
namespace {

enum DeskPage : int { wordsShown, deskShown };

}  // namespace

QString problemsHtml(const engine::Problems& problems) {
    QString html;
    for (const engine::Problem& problem : problems)
        html += QStringLiteral("<li>%1</li>").arg(text(engine::describe(problem)).toHtmlEscaped());
    return QStringLiteral("<ul>%1</ul>").arg(html);
}

QLabel* newWords(QWidget* parent, const QString& name) {
    QLabel* words = newWrappedLabel(parent, name);
    words->setAlignment(Qt::AlignCenter);
    words->setTextFormat(Qt::RichText);
    words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    const int em = parent->fontMetrics().averageCharWidth();
    words->setContentsMargins(em * 6, em, em * 6, em);
    return words;
}

void ComputedPage::build(const QString& name, QWidget* controls, QWidget* desk) {
    setObjectName(name + QStringLiteral("Page"));
    const int em = fontMetrics().averageCharWidth();
    auto* rows = newLayout<QVBoxLayout>(nullptr, {em, 0, em, em / 2}, em / 2);
    if (controls != nullptr)
        rows->addWidget(controls);
    m_headline = newWrappedLabel(this, name + QStringLiteral("Headline"));
    m_headline->setTextInteractionFlags(Qt::TextSelectableByMouse);
    setRelativeFont(*m_headline, 1.15, QFont::DemiBold);
    rows->addWidget(m_headline);
    m_words = newWords(this, name + QStringLiteral("Words"));
    m_desk = new QStackedLayout;
    addWidgets(*m_desk, {m_words, desk});
    auto* column = flushLayout<QVBoxLayout>(this, 0);
    column->addLayout(rows);
    column->addLayout(m_desk, 1);
}

void ComputedPage::ask(const ModelQuestion& question) {
    if (m_question == question)
        return;
    m_question = question;
    answerAgain();
}

void ComputedPage::answerAgain() {
    m_current = false;
    if (!isVisible() || !m_question)
        return;
    m_current = true;
    if (!m_question->problem.isEmpty()) {
        say(tr("The experiment has an invalid value"), m_question->problem.toHtmlEscaped());
    } else if (const engine::Problems problems = answer(*m_question); !problems.empty()) {
        say(tr("This cannot be computed with these settings"), problemsHtml(problems));
    } else {
        m_hasAnswer = true;
        m_desk->setCurrentIndex(deskShown);
    }
    if (isAnswered())
        Q_EMIT answered();
}

void ComputedPage::say(const QString& title, const QString& html) {
    m_hasAnswer = false;
    m_headline->setText(title);
    m_words->setText(html);
    m_desk->setCurrentIndex(wordsShown);
}

void ComputedPage::setHeadline(const QString& text) { m_headline->setText(text); }

void ComputedPage::showEvent(QShowEvent* event) {
    ModelPage::showEvent(event);
    if (!m_current)
        answerAgain();
}

}  // namespace ui
