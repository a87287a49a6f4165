#include "ui/model/advice_page.h"

#include "data/laboratory/work_progress.h"
#include "engine/api/runner.h"
#include "ui/look/format.h"
#include "ui/look/widget_parts.h"
#include "ui/model/advice_facts.h"
#include "ui/model/division_words.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>

#include <chrono>
#include <utility>

namespace ui {
namespace {

constexpr int kAdviceSteps = 1000;
constexpr int kAdviceProgressMs = 33;
constexpr int kProgressLetters = 14;
constexpr int kWidestLetters = 200;

bool isSameAdvice(const data::AdviceQuestion& a, const data::AdviceQuestion& b) {
    return a.phase == b.phase && a.experiment == b.experiment;
}

}  // namespace

AdvicePage::AdvicePage(AdviceConfig config, QWidget* parent)
    : ComputedPage(parent), m_config(std::move(config)), m_memory(std::make_shared<data::ModelMemory>()),
      m_worker(kAdviceProgressMs, [this](double fraction) { showProgress(fraction); }) {
    if (!m_config.compute)
        m_config.compute = data::modelAdviceOf;
    QWidget* controls = buildControls();
    QWidget* desk = buildDesk();
    build(QStringLiteral("advice"), controls, desk);
    showComputing();
}

QWidget* AdvicePage::buildControls() {
    auto* bar = new QWidget(this);
    const int em = fontMetrics().averageCharWidth();
    auto* row = flushLayout<QHBoxLayout>(bar, em);
    m_start = newButton(tr("&Compute Again"), QStringLiteral("adviceStart"), bar, this, [this] {
        m_asked.reset();
        answerAgain();
    });
    m_cancel = newButton(tr("&Cancel"), QStringLiteral("adviceCancel"), bar, this, &AdvicePage::cancel);
    m_progress = new QProgressBar(bar);
    makeThin(*m_progress, kAdviceSteps, 4, tr("Progress of the advice"));
    m_progress->setFixedWidth(em * kProgressLetters);
    m_left = new QLabel(bar);
    m_left->setObjectName(QStringLiteral("adviceLeft"));
    addWidgets(*row, {m_start, m_cancel, m_progress, m_left});
    row->addStretch(1);
    return bar;
}

QWidget* AdvicePage::buildDesk() {
    auto* rows = new QSplitter(Qt::Vertical, this);
    rows->setChildrenCollapsible(false);
    QScrollArea* scroll = newScrollArea(rows, tr("Rules for the sizes of a model"));
    scroll->setFocusPolicy(Qt::NoFocus);  // its buttons take the keyboard focus
    const int em = fontMetrics().averageCharWidth();
    auto* room = new QWidget(scroll);
    m_list = new QWidget(room);
    m_list->setMaximumWidth(em * kWidestLetters);  // keeps the button of a change near the text that explains it
    auto* side = flushLayout<QHBoxLayout>(room, 0);
    side->addWidget(m_list, 1);
    side->addStretch(0);
    auto* column = newLayout<QVBoxLayout>(m_list, {em, em / 2, em, em / 2}, em);
    m_none = newWrappedLabel(m_list, QStringLiteral("adviceNone"));
    m_none->setText(tr("Every rule that can be checked holds: there is nothing to change."));
    column->addWidget(m_none);
    for (std::size_t rule = 0; rule < m_cards.size(); ++rule) {
        m_cards[rule] = newCard(m_list, rule);
        column->addWidget(m_cards[rule].frame);
    }
    m_notes = newWrappedLabel(m_list, QStringLiteral("adviceNotes"));
    m_notes->setTextFormat(Qt::RichText);
    m_notes->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(m_notes);
    column->addStretch(1);
    scroll->setWidget(room);
    m_table = new ValueTable(rows);
    setNames(*m_table, QStringLiteral("adviceTable"), tr("Rules and what they cost"));
    connect(m_table, &ValueTable::rowActivated, this, &AdvicePage::requestChange);
    rows->setStretchFactor(0, 3);
    rows->setStretchFactor(1, 2);
    rows->setSizes({em * 60, em * 36});
    return rows;
}

AdvicePage::Card AdvicePage::newCard(QWidget* parent, std::size_t rule) {
    Card card;
    card.frame = new QFrame(parent);
    card.frame->setFrameShape(QFrame::StyledPanel);
    const QString name = QStringLiteral("advice:") + text(data::name(data::kShapeRules[rule]));
    card.frame->setObjectName(name);
    const int em = fontMetrics().averageCharWidth();
    auto* row = newLayout<QHBoxLayout>(card.frame, {em, em, em, em}, em * 2);
    auto* words = flushLayout<QVBoxLayout>(nullptr, em / 2);
    card.title = newWrappedLabel(card.frame);
    setRelativeFont(*card.title, 1, QFont::DemiBold);
    card.sentence = newWrappedLabel(card.frame, name + QStringLiteral(":sentence"));
    card.detail = newWrappedLabel(card.frame, name + QStringLiteral(":detail"));
    for (QLabel* label : {card.title, card.sentence, card.detail}) {
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        words->addWidget(label);
    }
    card.apply =
        newButton({}, name + QStringLiteral(":apply"), card.frame, this, [this, rule] { requestChange(rule); });
    card.apply->hide();  // until the rule has an answer
    row->addLayout(words, 1);
    row->addWidget(card.apply, 0, Qt::AlignTop);
    return card;
}

engine::Problems AdvicePage::answer(const ModelQuestion& question) {
    data::AdviceQuestion asked{question.experiment, question.phase};
    engine::applyDetailLevel(asked.experiment, engine::DetailLevel::interactive);
    if (engine::Problems problems = data::ruleProblems(asked.experiment, asked.phase); !problems.empty()) {
        m_worker.cancel();
        m_asked.reset();
        showComputing();
        return problems;
    }
    if (!m_asked || !isSameAdvice(*m_asked, asked)) {
        m_asked = asked;
        compute(asked);
    } else if (m_advice && !isComputing()) {
        showAdvice();
    }
    return {};
}

void AdvicePage::compute(const data::AdviceQuestion& asked) {
    m_worker.start(
        [this, asked](const Worker::Ticket& ticket) {
            data::AdviceOptions options;
            options.threads = m_config.threads;
            options.stop = ticket.stop;
            options.memory = m_memory;
            options.progress = [&ticket](double fraction) { ticket.setProgress(fraction); };
            try {
                auto advice = std::make_shared<const data::ModelAdvice>(m_config.compute(asked, options));
                ticket.finish([this, advice] { finish(advice); });
            } catch (const engine::InvalidExperiment& error) {
                ticket.finish([this, problems = error.problems()] { fail(problemsHtml(problems)); });
            }
        },
        [this](const QString& why) { fail(why.toHtmlEscaped()); });
    m_since.start();
    showProgress(0);
    setHeadline(tr("Simulating what broken rules cost %1…").arg(titleOfModel(asked.experiment.workload.model)));
    showComputing();
}

void AdvicePage::finish(const std::shared_ptr<const data::ModelAdvice>& advice) {
    m_advice = advice;
    showAdvice();
    showComputing();
    Q_EMIT answered();
}

void AdvicePage::fail(const QString& html) {
    m_advice.reset();
    m_asked.reset();
    showComputing();
    say(tr("The advice could not be computed"), html);
    Q_EMIT answered();
}

void AdvicePage::showAdvice() {
    setHeadline(adviceHeadline(*m_advice));
    for (std::size_t rule = 0; rule < m_cards.size(); ++rule)
        showCard(m_cards[rule], m_advice->rules[rule]);
    m_none->setVisible(m_advice->brokenRules() == 0);
    m_notes->setText(adviceHtml(*m_advice));
    m_table->showRows(adviceColumns(), adviceRows(*m_advice));
}

void AdvicePage::showCard(Card& card, const data::RuleAdvice& rule) {
    card.frame->setVisible(rule.isBroken());
    if (!rule.isBroken())
        return;
    const QString title = text(data::changeTitle(rule.check.change)),
                  sentence = withFastUnits(data::adviceSentence(rule));
    card.title->setText(text(data::title(rule.check.rule)));
    card.sentence->setText(sentence);
    card.detail->setText(rule.notSimulated.empty() ? withFastUnits(data::adviceDetail(rule))
                                                   : tr("Not simulated: %1").arg(text(rule.notSimulated)));
    card.detail->setVisible(!card.detail->text().isEmpty());
    card.apply->setVisible(!rule.check.change.empty());
    card.apply->setText(title);
    card.apply->setAccessibleDescription(sentence);
}

void AdvicePage::showComputing() {
    const bool computing = isComputing();
    for (QWidget* part : std::initializer_list<QWidget*>{m_cancel, m_progress, m_left})
        part->setVisible(computing);
    m_start->setVisible(!computing);
    // While computing, the page still shows the advice for the previous experiment, whose changes may not fit this one.
    m_list->setEnabled(!computing);
    m_list->setVisible(m_advice != nullptr);
    m_table->setVisible(m_advice != nullptr);
}

void AdvicePage::showProgress(double fraction) {
    m_progress->setValue(static_cast<int>(fraction * kAdviceSteps));
    const double seconds = static_cast<double>(m_since.elapsed()) / 1e3;
    const auto left = data::secondsLeft(seconds, fraction);
    m_left->setText(left ? tr("%1 left").arg(formatWait(std::chrono::duration_cast<std::chrono::nanoseconds>(
                               std::chrono::duration<double>(*left))))
                         : QString());
}

void AdvicePage::requestChange(std::size_t rule) {
    if (!m_advice || isComputing() || rule >= m_advice->rules.size())
        return;
    const data::AdviceChange& change = m_advice->rules[rule].check.change;
    if (!change.empty())
        Q_EMIT changeRequested(change, text(data::changeTitle(change)));
}

void AdvicePage::cancel() {
    if (!isComputing())
        return;
    m_worker.cancel();
    m_asked.reset();
    showComputing();
    m_list->setEnabled(false);
    setHeadline(tr("Cancelled. Press Compute Again to simulate what broken rules cost."));
}

void AdvicePage::hideEvent(QHideEvent* event) {
    ComputedPage::hideEvent(event);
    if (isVisible() || !isComputing())
        return;
    m_worker.cancel();
    m_asked.reset();
    showComputing();
    answerAgain();  // when the page is visible again
}

std::optional<FigureOffer> AdvicePage::figure() const {
    if (!hasAnswer() || !m_advice || isComputing() || !hasTimes(*m_advice))
        return std::nullopt;
    return FigureOffer{adviceFigure(*m_advice), {}};
}

QWidget* AdvicePage::picture() const { return m_table; }

bool AdvicePage::stepOut() {
    if (isComputing()) {
        cancel();
        return true;
    }
    const bool had = m_table->chosen().has_value();
    m_table->choose(std::nullopt);
    return had;
}

}  // namespace ui
