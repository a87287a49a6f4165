#include "ui/sweep/sweep_view.h"

#include "data/sweep/base_name.h"
#include "data/sweep/sweep_plan.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/weight.h"
#include "ui/look/widget_parts.h"
#include "ui/shared/sweep_model.h"
#include "ui/shared/sweep_state.h"
#include "ui/sweep/sweep_editor.h"
#include "ui/sweep/sweep_point_table.h"
#include "ui/sweep/sweep_words.h"

#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedLayout>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <functional>

namespace ui {
namespace {

constexpr int kEditPauseMs = 200;
constexpr std::size_t kLookedUpAtOnce = 20'000;
constexpr int kChartParts = 3, kTableParts = 2;
constexpr double kTitleSize = 1.35;
constexpr int kSteps = 1000;  // of the progress bar
enum Page { kEmpty, kDesk };

}  // namespace

/// The line that describes what a start would do, or the progress of the sweep, with buttons and a progress bar.
class SweepBar final : public QWidget {
public:
    /// Functions that the buttons call, and that the box for retrying failed points calls when it is toggled.
    struct Orders {
        std::function<void()> start, pause, cancel, retryChanged;
    };

    explicit SweepBar(const Orders& orders)
        : m_words(newWrappedLabel(this, QStringLiteral("sweepWords"))), m_retry(new QCheckBox(this)),
          m_start(newButton({}, QStringLiteral("sweepStart"), this, this, orders.start)),
          m_pause(newButton(tr("&Pause"), QStringLiteral("sweepPause"), this, this, orders.pause)),
          m_cancel(newButton(tr("&Cancel"), QStringLiteral("sweepCancel"), this, this, orders.cancel)),
          m_progress(new QProgressBar(this)) {
        m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
        m_retry->setObjectName(QStringLiteral("sweepRetry"));
        connect(m_retry, &QCheckBox::toggled, this, orders.retryChanged);
        setWeight(*m_start, QFont::DemiBold);
        makeThin(*m_progress, kSteps, 6, tr("Progress of the sweep"));
        keepRoom(*m_progress);
        auto* line = new QHBoxLayout;
        line->setSpacing(8);
        line->addWidget(m_words, 1);
        addWidgets(*line, {m_retry, m_pause, m_cancel, m_start});
        auto* column = flushLayout<QVBoxLayout>(this, 4);
        column->addLayout(line);
        column->addWidget(m_progress);
        showFailed(0);
        showReady(tr("Run Sweep"), false);
        onEvents(*this, {QEvent::PaletteChange}, [this] { applyColors(); });
    }

    void showWords(const QString& words, bool isProblem = false) {
        m_words->setText(words);
        m_isProblem = isProblem;
        applyColors();
    }

    QString words() const { return m_words->text(); }

    /// `start` is the text of the button: "Run Sweep", "Resume".
    void showReady(const QString& start, bool enabled) {
        const bool hadFocus = m_cancel->hasFocus() || m_pause->hasFocus();
        m_start->setText(start);
        m_start->setEnabled(enabled);
        m_start->show();
        m_pause->hide();
        m_cancel->hide();
        m_progress->hide();
        if (hadFocus)
            m_start->setFocus();
        applyColors();
    }

    void showRunning(bool paused) {
        const bool hadFocus = m_start->hasFocus();
        m_start->hide();
        m_retry->hide();
        m_pause->setText(paused ? tr("&Resume") : tr("&Pause"));
        m_pause->show();
        m_cancel->show();
        m_progress->show();
        if (hadFocus)
            m_cancel->setFocus();
    }

    void showProgress(double fraction) { m_progress->setValue(static_cast<int>(fraction * kSteps)); }

    /// Sets the number of points that failed before; the box for retrying them is hidden if there are none.
    void showFailed(std::size_t failed) {
        const QSignalBlocker quiet(m_retry);
        if (failed == 0)
            m_retry->setChecked(false);
        m_retry->setText(failed == 1 ? tr("Retry the failed point") : tr("Retry the %1 failed points").arg(failed));
        m_retry->setVisible(failed > 0);
    }

    bool retriesFailed() const { return m_retry->isChecked(); }

private:
    void applyColors() {
        const Palette& colors = paletteOf(*this);
        setInk(*m_words, m_isProblem ? colors.error : colors.ink);
        // The start button is the main one: it has the accent colour while it is enabled.
        const QString sheet =
            QStringLiteral("QPushButton { background: %1; color: %2; border: 2px solid %1; border-radius: 4px; "
                           "padding: 4px 1em; }"
                           "QPushButton:hover { border-color: %3; } QPushButton:focus { border-color: %3; }")
                .arg(colors.accent.name(), colors.onAccent.name(), colors.ink.name());
        const QString wanted = m_start->isEnabled() ? sheet : QString();
        if (m_start->styleSheet() != wanted)
            m_start->setStyleSheet(wanted);
    }

    bool m_isProblem = false;
    QLabel* m_words;
    QCheckBox* m_retry;
    QPushButton *m_start, *m_pause, *m_cancel;
    QProgressBar* m_progress;
};

SweepView::SweepView(SweepModel& model, SweepSession& session, SweepState& state, QWidget* parent)
    : QWidget(parent), m_model(model), m_session(session), m_state(state), m_pages(new QStackedLayout(this)),
      m_base(newWrappedLabel(this, QStringLiteral("sweepBase"))), m_editor(new SweepEditor(model)),
      m_bar(new SweepBar(
          {[this] { start(); }, [this] { pauseOrGoOn(); }, [&session] { session.cancel(); }, [this] { showReady(); }})),
      m_best(new QLabel), m_notices(newWrappedLabel(this, QStringLiteral("sweepNotices"))),
      m_splitter(new QSplitter(Qt::Vertical)), m_points(new SweepPointTable(state)),
      m_pause(pauseTimer(this, kEditPauseMs, [this] { lookUp(); })) {
    setObjectName(QStringLiteral("sweepView"));
    addWidgets(*m_pages, {buildEmpty(), buildDesk()});
    connect(&m_model, &SweepModel::changed, this, &SweepView::answerEdit);
    connect(&m_state, &SweepState::tableChanged, this, &SweepView::showNotices);
    connectSession();
    answerEdit();
}

QWidget* SweepView::buildEmpty() {
    auto* page = new QWidget(this);
    auto* title = new QLabel(tr("No parameter is varied yet"), page);
    setRelativeFont(*title, kTitleSize, QFont::DemiBold);
    title->setAlignment(Qt::AlignCenter);
    QLabel* words = newWrappedLabel(page);
    words->setText(tr("Press the wave button beside a field of the experiment to vary that parameter. Up to four "
                      "can vary. Every combination of their values runs once under each chosen policy, and its "
                      "result is kept."));
    words->setAlignment(Qt::AlignCenter);
    words->setFixedWidth(fontMetrics().averageCharWidth() * 70);
    QPushButton* example =
        newButton(tr("Open &Example"), QStringLiteral("openExample"), page, this, &SweepView::exampleRequested);
    QPushButton* open = newButton(tr("&Open a Sweep…"), {}, page, this, &SweepView::openRequested);
    page->setFocusProxy(example);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    addWidgets(*buttons, {example, open});
    buttons->addStretch(1);
    auto* column = new QVBoxLayout(page);
    column->setSpacing(12);
    column->addStretch(2);
    column->addWidget(title);
    // The label is between stretches and not aligned, because an aligned label gets the height of one line.
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
    const int margin = fontMetrics().averageCharWidth() * 2;
    auto* head = newLayout<QVBoxLayout>(nullptr, {margin, 10, margin, 6}, 8);
    m_base->setToolTip(tr("The experiment in the form. Each point of the sweep changes the values of the axes and the "
                          "policy, and keeps the rest."));
    m_base->setTextInteractionFlags(Qt::TextSelectableByMouse);
    addWidgets(*head, {m_base, m_editor, m_bar});
    auto* best = newLayout<QHBoxLayout>(nullptr, {margin, 4, margin, 4}, 8);
    m_best->setObjectName(QStringLiteral("sweepBest"));
    m_best->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_best->setWordWrap(true);
    best->addWidget(m_best, 1);
    best->addWidget(newButton(tr("Find Break-&Even…"), {}, page, this, &SweepView::breakEvenRequested));
    best->addWidget(
        newButton(tr("Find &Best Point"), QStringLiteral("sweepFindBest"), page, this, &SweepView::showBest));
    m_notices->setContentsMargins(margin, 4, margin, 0);
    m_notices->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_notices->hide();
    auto* table = new QWidget(m_splitter);
    auto* tableColumn = flushLayout<QVBoxLayout>(table, 0);
    tableColumn->addWidget(m_notices);
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
    connect(&m_session, &SweepSession::looked, this, &SweepView::showLook);
    connect(&m_session, &SweepSession::lookFailed, this, [this](const QString& text) {
        m_bar->showWords(tr("The store cannot be used."), true);
        Q_EMIT failed(text, false);
    });
    connect(&m_session, &SweepSession::runStarted, this, [this] {
        m_outcome.clear();
        m_best->clear();
        m_editor->setEnabled(false);  // the fields stay those of the running sweep
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
        Q_EMIT failed(text, false);
    });
}

void SweepView::answerEdit() {
    if (m_session.isRunning())
        return;  // showEnd() calls this again
    m_pages->setCurrentIndex(m_model.isEmpty() ? kEmpty : kDesk);
    m_base->setText(tr("Base experiment: %1").arg(text(data::baseName(m_model.sweep()))));
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
    // Planning a very large sweep keeps the worker busy for seconds, so it is not done at every keystroke.
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
        return tr("No parameter is varied yet.");
    const QString problem = m_model.problem();
    return problem.isEmpty() ? tr("An axis has invalid values.") : problem;
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
                             ? tr("%1 points  ·  looking them up…").arg(formatCount(points))
                             : tr("%1 points  ·  too many to look up before the start").arg(formatCount(points)));
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
        Q_EMIT failed(tr("The sweep was not started. %1").arg(whyNotRunnable()), true);
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
    const std::optional<BestAnswer> best = answerOfBest(*table, m_state.metric());
    if (!best) {
        m_best->setText(tr("No point has finished yet, or no value of this metric is better than another."));
        return;
    }
    m_best->setText(best->words);
    m_points->showPoint(best->points.front());
    m_state.setBrushed(best->points);
}

void SweepView::showNotices() {
    QStringList lines;
    for (const engine::Notice& notice : m_state.table() ? data::noticesOf(*m_state.table()) : engine::Notices())
        lines << tr("Notice: %1: %2").arg(text(notice.path), text(notice.text));
    m_notices->setText(lines.join(QLatin1Char('\n')));
    m_notices->setVisible(!lines.isEmpty());
}

void SweepView::focusAxis(const std::string& path) { m_editor->focusAxis(path); }

QString SweepView::words() const { return m_bar->words(); }

}  // namespace ui
