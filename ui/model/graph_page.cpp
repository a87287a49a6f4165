#include "ui/model/graph_page.h"

#include "engine/api/parameters.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"
#include "ui/model/breakdown_bars.h"
#include "ui/model/model_parts.h"
#include "ui/model/operator_canvas.h"
#include "ui/workbench/commands.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QJsonObject>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedLayout>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace ui {
namespace {

using engine::PolicyPreset;

constexpr int kSteps = 1000;
constexpr int kPauseMs = 150;  // between an edit and its answer: a burst of edits is answered once

enum Page : int { words, desk };

const std::vector<PolicyPreset>& policies() {
    static const std::vector<PolicyPreset> usual = data::ModelRunOptions{}.policies;
    return usual;
}

std::size_t indexOf(PolicyPreset policy) {
    const auto found = std::find(policies().begin(), policies().end(), policy);
    return found == policies().end() ? 0 : static_cast<std::size_t>(found - policies().begin());
}

}  // namespace

GraphPage::GraphPage(ModelSessionConfig config, QWidget* parent)
    : ModelPage(parent), m_session(std::move(config)), m_pause(pauseTimer(this, kPauseMs, [this] { answer(); })),
      m_pages(new QStackedLayout) {
    setObjectName(QStringLiteral("graphPage"));
    m_words = newWords(this, QStringLiteral("modelWords"));
    auto* column = flushLayout<QVBoxLayout>(this, 0);
    column->addWidget(buildBar());
    column->addLayout(m_pages, 1);
    QWidget* desk = buildDesk();
    addWidgets(*m_pages, {m_words, desk});
    connectSession();
    onEvents(*this, {QEvent::PaletteChange}, [this] {
        if (m_shown)
            showSelection();
    });
    say(tr("No model yet"), tr("Choose a preset on the left: its model is timed as soon as this view is shown."));
}

QWidget* GraphPage::buildBar() {
    auto* bar = new QWidget(this);
    auto* row = new QHBoxLayout;
    const int em = fontMetrics().averageCharWidth();
    row->setSpacing(em);
    const auto chooser = [&](const QString& name, const QString& text) {
        auto* label = new QLabel(text, bar);
        auto* box = new QComboBox(bar);
        label->setBuddy(box);
        setNames(*box, name, plain(text));
        addWidgets(*row, {label, box});
        row->addSpacing(em);
        return box;
    };
    m_policies = chooser(QStringLiteral("modelPolicy"), tr("Po&licy"));
    for (const PolicyPreset policy : policies())
        m_policies->addItem(policyTitle(policy));
    m_policies->setCurrentIndex(static_cast<int>(indexOf(m_policy)));
    m_colourings = chooser(QStringLiteral("modelColour"), tr("C&olour"));
    m_colourings->addItems({tr("share of the time"), tr("exposed communication")});
    row->addStretch(1);
    m_cancel = newButton(tr("&Cancel"), QStringLiteral("modelCancel"), bar, &m_session, &ModelSession::cancel);
    m_cancel->hide();
    row->addWidget(m_cancel);
    m_headline = newWrappedLabel(bar, QStringLiteral("modelHeadline"));
    m_headline->setTextInteractionFlags(Qt::TextSelectableByMouse);
    setRelativeFont(*m_headline, 1.15, QFont::DemiBold);
    m_progress = new QProgressBar(bar);
    makeThin(*m_progress, kSteps, 4, tr("Progress of the model's runs"));
    keepRoom(*m_progress);
    m_progress->hide();
    auto* column = newLayout<QVBoxLayout>(bar, {em, 0, em, 0}, em / 2);
    column->addLayout(row);
    addWidgets(*column, {m_headline, m_progress});
    connect(m_policies, &QComboBox::currentIndexChanged, this,
            [this](int index) { setPolicy(policies()[static_cast<std::size_t>(std::max(0, index))]); });
    connect(m_colourings, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_canvas->setColouring(index == 1 ? OperatorColouring::exposed : OperatorColouring::time);
    });
    return bar;
}

QWidget* GraphPage::buildDesk() {
    m_rows = new QSplitter(Qt::Vertical, this);
    m_rows->setChildrenCollapsible(false);
    m_canvas = new OperatorCanvas(m_rows);
    auto* beneath = new QSplitter(Qt::Horizontal, m_rows);
    beneath->setChildrenCollapsible(false);
    m_bars = new BreakdownBars(beneath);
    auto* panel = new QWidget(beneath);
    QScrollArea* scroll = newScrollArea(panel, tr("What is selected"));
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_details = newWrappedLabel(scroll, QStringLiteral("modelDetails"));
    m_details->setTextFormat(Qt::RichText);
    m_details->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_details->setTextInteractionFlags(Qt::TextSelectableByMouse);
    const int em = fontMetrics().averageCharWidth();
    m_details->setContentsMargins(em, em, em, em);
    scroll->setWidget(m_details);
    m_open = newButton(tr("Open in &Explore"), QStringLiteral("modelOpen"), panel, this,
                       [this] { open(*m_canvas->selected()); });
    m_open->hide();
    auto* column = newLayout<QVBoxLayout>(panel, {0, 0, em, em});
    column->addWidget(scroll, 1);
    column->addWidget(m_open, 0, Qt::AlignLeft);
    panel->setMinimumWidth(em * 34);
    beneath->setStretchFactor(0, 1);
    beneath->setStretchFactor(1, 1);
    beneath->setSizes({em * 100, em * 60});
    m_rows->setStretchFactor(0, 5);
    m_rows->setStretchFactor(1, 2);
    connect(m_canvas, &OperatorCanvas::selectionChanged, this, &GraphPage::showSelection);
    connect(m_canvas, &OperatorCanvas::openRequested, this, &GraphPage::open);
    connect(m_bars, &BreakdownBars::policyChosen, this, [this](std::size_t policy) { setPolicy(policies()[policy]); });
    return m_rows;
}

void GraphPage::connectSession() {
    connect(&m_session, &ModelSession::progressChanged, this,
            [this](double fraction) { m_progress->setValue(static_cast<int>(fraction * kSteps)); });
    connect(&m_session, &ModelSession::runStarted, this, [this] {
        m_progress->setValue(0);
        m_progress->show();
        m_cancel->show();
        setStale(true);
        if (!m_shown)
            say(tr("Timing the model…"), tr("Each distinct sub-layer is simulated once under each policy."));
    });
    connect(&m_session, &ModelSession::runFinished, this, [this](const std::shared_ptr<const data::ModelRun>& run) {
        m_known[run->graph.phase] = run;
        showRun(run);
    });
    connect(&m_session, &ModelSession::runRefused, this, [this](const engine::Problems& problems) {
        m_shown.reset();
        const bool ofDivision = std::ranges::all_of(
            problems, [](const engine::Problem& problem) { return problem.path.starts_with("division."); });
        say(tr("The model cannot be run like this"),
            problemsHtml(problems) +
                (ofDivision ? paragraph(tr("The pages Memory and Messages know this division.")) : QString()));
        Q_EMIT answered();
    });
    connect(&m_session, &ModelSession::runFailed, this, [this](const QString& text) {
        m_shown.reset();
        say(tr("The run failed"), text.toHtmlEscaped());
        Q_EMIT answered();
    });
    connect(&m_session, &ModelSession::runStopped, this, [this] {
        m_answered = false;  // looking again asks again
        m_progress->hide();
        m_cancel->hide();
        if (!m_shown)
            say(tr("Cancelled"), tr("Change a parameter or the phase, or come back to this view, to time it again."));
    });
}

void GraphPage::ask(const ModelQuestion& question) {
    if (m_question == question)
        return;
    const bool samePhase = m_question && m_question->phase == question.phase;
    ModelQuestion before = m_question.value_or(ModelQuestion{});
    before.phase = question.phase;
    const bool sameModel = m_question && before == question;
    m_question = question;
    m_answered = false;
    if (!sameModel) {
        m_known.clear();
        setStale(true);
    }
    if (!isVisible())
        return;
    if (samePhase)
        m_pause->start();
    else
        answer();
}

void GraphPage::setPolicy(PolicyPreset policy) {
    if (policy == m_policy || std::find(policies().begin(), policies().end(), policy) == policies().end())
        return;
    m_policy = policy;
    const QSignalBlocker blocker(m_policies);
    m_policies->setCurrentIndex(static_cast<int>(indexOf(policy)));
    showPolicy();
}

void GraphPage::showEvent(QShowEvent* event) {
    ModelPage::showEvent(event);
    if (!m_answered)
        answer();
}

void GraphPage::answer() {
    m_pause->stop();
    m_answered = true;
    if (!m_question)
        return;
    const auto known = m_known.find(m_question->phase);
    if (!m_question->problem.isEmpty() || known != m_known.end())
        m_session.cancel();
    m_answered = true;  // a run that was cancelled for this one is no reason to ask again
    if (!m_question->problem.isEmpty()) {
        m_shown.reset();
        say(tr("The experiment cannot be run yet"), m_question->problem.toHtmlEscaped());
        Q_EMIT answered();
    } else if (known != m_known.end()) {
        showRun(known->second);
    } else {
        m_session.start(m_question->experiment, m_question->phase);
    }
}

void GraphPage::showRun(std::shared_ptr<const data::ModelRun> run) {
    m_shown = std::move(run);
    m_progress->hide();
    m_cancel->hide();
    m_pages->setCurrentIndex(desk);
    setStale(false);
    showPolicy();
    Q_EMIT answered();
}

void GraphPage::showPolicy() {
    if (!m_shown)
        return;
    const std::size_t policy = indexOf(m_policy);
    m_canvas->showRun(m_shown, policy);
    m_bars->showRun(m_shown, policy);
    m_headline->setText(headlineOf(*m_shown, m_shown->policies[policy]));
    showSelection();
}

void GraphPage::showSelection() {
    if (!m_shown)
        return;
    const Palette& colors = paletteOf(*this);
    const auto selected = m_canvas->selected();
    m_details->setText(selected ? operatorHtml(*m_shown, m_shown->policies[indexOf(m_policy)], *selected, colors)
                                : modelHtml(*m_shown, colors));
    m_open->setVisible(selected && openedExperiment(*m_shown, *selected));
}

void GraphPage::say(const QString& title, const QString& html) {
    m_progress->setVisible(m_session.isRunning());
    m_cancel->setVisible(m_session.isRunning());
    m_headline->setText(title);
    m_words->setText(html);
    m_pages->setCurrentIndex(words);
}

void GraphPage::setStale(bool stale) {
    m_canvas->setStale(stale);
    m_bars->setStale(stale);
}

QWidget* GraphPage::picture() const { return m_canvas; }

bool GraphPage::stepOut() {
    if (m_session.isRunning()) {
        m_session.cancel();
        return true;
    }
    const bool had = m_canvas->selected().has_value();
    m_canvas->select(std::nullopt);
    return had;
}

void GraphPage::open(std::uint32_t op) {
    if (!m_shown)
        return;
    const engine::Operator& told = m_shown->graph.operators[op];
    if (const auto experiment = openedExperiment(*m_shown, op))
        Q_EMIT openRequested(*experiment, m_policy, QString::fromStdString(told.title));
    else
        Q_EMIT notOpened(tr("%1 has no timeline of its own: its time comes from a formula or from a GEMM alone. A "
                            "sub-layer is a GEMM with its collective, such as fc-2.")
                             .arg(QString::fromStdString(told.title)));
}

std::optional<FigureOffer> GraphPage::figure() const {
    if (!m_shown)
        return std::nullopt;
    return FigureOffer{modelFigure(*m_shown, m_shown->graph.phase), {}};
}

void GraphPage::save(QJsonObject& kept) const {
    kept[QStringLiteral("policy")] = text(engine::name(m_policy));
    kept[QStringLiteral("exposed")] = m_colourings->currentIndex() == 1;
}

std::optional<PolicyPreset> GraphPage::policyOf(const QJsonObject& kept) {
    const auto policy = engine::policyPresetNamed(kept[QStringLiteral("policy")].toString().toStdString());
    const bool known = policy && std::find(policies().begin(), policies().end(), *policy) != policies().end();
    return known ? policy : std::nullopt;
}

void GraphPage::restore(const QJsonObject& kept) {
    if (const auto policy = policyOf(kept))
        setPolicy(*policy);
    m_colourings->setCurrentIndex(kept[QStringLiteral("exposed")].toBool() ? 1 : 0);
}

}  // namespace ui
