#include "ui/sweep/sweep_view.h"

#include "data/sweep/sweep_plan.h"
#include "ui/look/format.h"
#include "ui/look/widget_parts.h"
#include "ui/shared/sweep_model.h"
#include "ui/shared/sweep_state.h"
#include "ui/sweep/sweep_bar.h"
#include "ui/sweep/sweep_editor.h"
#include "ui/sweep/sweep_point_table.h"
#include "ui/sweep/sweep_words.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QStackedLayout>
#include <QTimer>
#include <QVBoxLayout>

namespace ui {
namespace {

constexpr int kEditPauseMs = 200;
constexpr std::size_t kLookedUpAtOnce = 20'000;
constexpr int kChartParts = 3, kTableParts = 2;
constexpr double kTitleSize = 1.35;
enum Page { kEmpty, kDesk };

}  // namespace

SweepView::SweepView(SweepModel& model, SweepSession& session, SweepState& state, QWidget* parent)
    : QWidget(parent), m_model(model), m_session(session), m_state(state), m_pages(new QStackedLayout(this)),
      m_editor(new SweepEditor(model)), m_bar(new SweepBar), m_best(new QLabel),
      m_findBest(new QPushButton(tr("&Best of This Sweep"))), m_splitter(new QSplitter(Qt::Vertical)),
      m_points(new SweepPointTable(state)), m_pause(pauseTimer(this, kEditPauseMs, [this] { lookUp(); })) {
    setObjectName(QStringLiteral("sweepView"));
    m_pages->addWidget(buildEmpty());
    m_pages->addWidget(buildDesk());
    connect(&m_model, &SweepModel::changed, this, &SweepView::answerEdit);
    connectSession();
    answerEdit();
}

QWidget* SweepView::buildEmpty() {
    auto* page = new QWidget(this);
    auto* title = new QLabel(tr("Nothing is varied yet"), page);
    setRelativeFont(*title, kTitleSize, QFont::DemiBold);
    title->setAlignment(Qt::AlignCenter);
    auto* words = new QLabel(tr("Press the wave beside a field of the experiment to vary that parameter, for up to "
                                "four of them. Every combination is run once, under each policy that is compared, "
                                "and kept."),
                             page);
    words->setWordWrap(true);
    words->setAlignment(Qt::AlignCenter);
    words->setFixedWidth(fontMetrics().averageCharWidth() * 70);
    auto* example = new QPushButton(tr("Open the &Example"), page);
    example->setObjectName(QStringLiteral("openExample"));
    auto* open = new QPushButton(tr("&Open a Sweep…"), page);
    connect(example, &QPushButton::clicked, this, &SweepView::exampleRequested);
    connect(open, &QPushButton::clicked, this, &SweepView::openRequested);
    page->setFocusProxy(example);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(example);
    buttons->addWidget(open);
    buttons->addStretch(1);
    auto* column = new QVBoxLayout(page);
    column->setSpacing(12);
    column->addStretch(2);
    column->addWidget(title);
    // Between stretches, not aligned: a label that is aligned gets the height of one line.
    auto* middle = new QHBoxLayout;
    middle->addStretch(1);
    middle->addWidget(words);
    middle->addStretch(1);
    column->addLayout(middle);
    column->addLayout(buttons);
    column->addStretch(3);
    return page;
}

QWidget* SweepView::buildDesk() {
    auto* page = new QWidget(this);
    auto* head = new QVBoxLayout;
    const int margin = fontMetrics().averageCharWidth() * 2;
    head->setContentsMargins(margin, 10, margin, 6);
    head->setSpacing(8);
    head->addWidget(m_editor);
    head->addWidget(m_bar);
    auto* best = new QHBoxLayout;
    best->setContentsMargins(margin, 4, margin, 4);
    best->setSpacing(8);
    m_best->setObjectName(QStringLiteral("sweepBest"));
    m_best->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_best->setWordWrap(true);
    m_findBest->setObjectName(QStringLiteral("sweepFindBest"));
    m_findBest->setAutoDefault(false);
    connect(m_findBest, &QPushButton::clicked, this, &SweepView::showBest);
    auto* breakEven = new QPushButton(tr("Brea&k-even…"), page);
    breakEven->setAutoDefault(false);
    connect(breakEven, &QPushButton::clicked, this, &SweepView::breakEvenRequested);
    best->addWidget(m_best, 1);
    best->addWidget(breakEven);
    best->addWidget(m_findBest);
    auto* table = new QWidget(m_splitter);
    auto* tableColumn = flushLayout<QVBoxLayout>(table, 0);
    tableColumn->addLayout(best);
    tableColumn->addWidget(m_points, 1);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->addWidget(table);
    auto* column = flushLayout<QVBoxLayout>(page, 0);
    column->addLayout(head);
    column->addWidget(m_splitter, 1);
    page->setFocusProxy(m_points);
    return page;
}

void SweepView::setChart(QWidget* chart) {
    m_splitter->insertWidget(0, chart);
    m_splitter->setStretchFactor(0, kChartParts);
    m_splitter->setStretchFactor(1, kTableParts);
    m_splitter->setSizes({kChartParts * 1000, kTableParts * 1000});
}

void SweepView::connectSession() {
    connect(m_bar, &SweepBar::startRequested, this, &SweepView::start);
    connect(m_bar, &SweepBar::pauseRequested, this, &SweepView::pauseOrGoOn);
    connect(m_bar, &SweepBar::cancelRequested, &m_session, &SweepSession::cancel);
    connect(m_bar, &SweepBar::retryChanged, this, &SweepView::showReady);
    connect(&m_session, &SweepSession::looked, this, &SweepView::showLook);
    connect(&m_session, &SweepSession::lookFailed, this, [this](const QString& text) {
        m_bar->showWords(tr("The store cannot be used."), true);
        Q_EMIT failed(text);
    });
    connect(&m_session, &SweepSession::runStarted, this, [this] {
        m_outcome.clear();
        m_best->clear();
        m_editor->setEnabled(false);  // what runs stays what is shown
        m_bar->showProgress(0);
        m_bar->showWords(tr("Starting…"));
        m_bar->showRunning(false);
    });
    connect(&m_session, &SweepSession::progressChanged, this, [this](const data::SweepProgress& progress) {
        m_bar->showWords(wordsOf(progress, m_session.isPaused()));
        const double whole = static_cast<double>(std::max<std::size_t>(1, progress.toRun));
        m_bar->showProgress(static_cast<double>(progress.done) / whole);
    });
    connect(&m_session, &SweepSession::pausedChanged, m_bar, &SweepBar::showRunning);
    connect(&m_session, &SweepSession::tableChanged, &m_state, &SweepState::setTable);
    connect(&m_session, &SweepSession::runFinished, this,
            [this](const data::SweepSummary& summary) { showEnd(wordsOf(summary)); });
    connect(&m_session, &SweepSession::runStopped, this, [this] { showEnd(tr("Cancelled")); });
    connect(&m_session, &SweepSession::runFailed, this, [this](const QString& text) {
        showEnd({});
        Q_EMIT failed(text);
    });
}

void SweepView::answerEdit() {
    if (m_session.isRunning())
        return;  // looked up once it has ended
    m_pages->setCurrentIndex(m_model.isEmpty() ? kEmpty : kDesk);
    setFocusProxy(m_pages->currentWidget());
    m_session.dropLook();
    m_look.reset();
    m_outcome.clear();
    if (m_model.isEmpty()) {
        m_pause->stop();
        m_state.setTable(nullptr);
        return;
    }
    showReady();
    // Planning a very large sweep keeps the worker busy for seconds: not with every stroke.
    if (m_model.isRunnable() && data::pointCount(m_model.sweep()) <= kLookedUpAtOnce)
        m_pause->start();
    else
        m_pause->stop();
}

void SweepView::lookUp() {
    if (!m_model.isEmpty() && m_model.isRunnable() && !m_session.isRunning())
        m_session.look(m_model.sweep());
}

void SweepView::showLook(const std::shared_ptr<const SweepLook>& look) {
    if (m_session.isRunning())
        return;
    if (!m_look || m_look->id != look->id)
        m_best->clear();
    m_look = look;
    m_state.setTable(look->table);
    m_bar->showFailed(look->outlook.failed);
    showReady();
    Q_EMIT lookedUp();
}

QString SweepView::whyNotRunnable() const {
    if (m_model.isEmpty())
        return tr("Nothing is varied yet.");
    const QString problem = m_model.problem();
    return problem.isEmpty() ? tr("One of the axes cannot be understood yet.") : problem;
}

void SweepView::showReady() {
    if (m_session.isRunning())
        return;
    if (!m_model.isRunnable()) {
        m_bar->showFailed(0);
        m_bar->showWords(whyNotRunnable(), true);
        m_bar->showReady(tr("Run Sweep"), false);
        return;
    }
    if (!m_look) {
        const auto points = static_cast<std::int64_t>(data::pointCount(m_model.sweep()));
        m_bar->showWords(m_pause->isActive() || points <= static_cast<std::int64_t>(kLookedUpAtOnce)
                             ? tr("%1 runs  ·  looking them up…").arg(formatCount(points))
                             : tr("%1 runs  ·  too many to look up before the start").arg(formatCount(points)));
        m_bar->showReady(tr("Run Sweep"), true);
        return;
    }
    QString words = wordsOf(*m_look, m_session.threads());
    if (!m_outcome.isEmpty())
        words = m_outcome + QStringLiteral("  ·  ") + words;
    m_bar->showWords(words);
    const bool all = m_look->outlook.toRun == 0 && !(m_bar->retriesFailed() && m_look->outlook.failed > 0);
    const bool resumes = m_look->started && !all && m_look->outlook.kept > 0;
    m_bar->showReady(resumes ? tr("Resume") : tr("Run Sweep"), !(all && m_look->started));
}

void SweepView::showEnd(const QString& words) {
    m_editor->setEnabled(true);
    answerEdit();
    m_pause->stop();
    m_outcome = words;
    lookUp();
}

void SweepView::start() {
    m_editor->commit();
    m_model.finishEdit();
    if (m_session.isRunning())
        return;
    if (!m_model.isRunnable()) {
        Q_EMIT failed(tr("The sweep was not started. %1").arg(whyNotRunnable()));
        return;
    }
    m_pause->stop();
    m_session.dropLook();
    m_session.start(m_model.sweep(), m_bar->retriesFailed());
}

void SweepView::pauseOrGoOn() { m_session.setPaused(!m_session.isPaused()); }

void SweepView::showBest() {
    const std::shared_ptr<const data::SweepTable>& table = m_state.table();
    if (!table)
        return;
    const std::optional<std::size_t> best = bestPoint(*table, m_state.metric());
    if (!best) {
        m_best->setText(tr("No point has ended yet, or this metric has no better or worse."));
        return;
    }
    m_best->setText(wordsOfBest(*table, m_state.metric(), *best));
    m_state.setBrushed({*best});
    m_points->showPoint(*best);
}

void SweepView::focusAxis(const std::string& path) { m_editor->focusAxis(path); }

QString SweepView::words() const { return m_bar->words(); }

}  // namespace ui
