#include "ui/compare/compare_view.h"

#include "data/laboratory/work_progress.h"
#include "data/presets/presets.h"
#include "ui/compare/compare_foot.h"
#include "ui/compare/compare_row.h"
#include "ui/compare/comparison.h"
#include "ui/compare/waterfall.h"
#include "ui/look/company_words.h"
#include "ui/look/format.h"
#include "ui/look/headlines.h"
#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"
#include "ui/workbench/availability.h"

#include <QAction>
#include <QActionGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui {
namespace {

constexpr double kUsualFoot = 0.25;    // share of the height, within the limits of the foot's size hints
constexpr double kMostForRuns = 0.75;  // share of the height, so that room is left below the runs

constexpr auto kBoundRemark = QT_TRANSLATE_NOOP(
    "ui::CompareView",
    "Sequential parts, perfectly overlapped: the parts were simulated alone, so there are no events and no causes.");

/// Puts the rows in order. Rows that are in place are not moved, because a picture that is hidden forgets its size.
void putInOrder(QBoxLayout& stack, const std::vector<std::unique_ptr<CompareRow>>& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const int place = static_cast<int>(i);
        if (stack.indexOf(rows[i].get()) != place)
            stack.insertWidget(place, rows[i].get(), 1);
    }
}

constexpr int kProgressSteps = 1000;
constexpr std::size_t kMostKeptOffered = 15;

}  // namespace

CompareView::CompareView(const RunSessionConfig& config, ViewState& leader, RunPictureFactory pictures, QWidget* parent)
    : QWidget(parent), m_pictures(std::move(pictures)), m_comparison(std::make_unique<Comparison>(config)),
      m_link(leader), m_column(flushLayout<QVBoxLayout>(this, 0)) {
    setObjectName(QStringLiteral("compareView"));
    setFocusPolicy(Qt::StrongFocus);
    buildCommands();
    m_column->addWidget(buildBar());
    m_parts = new QSplitter(Qt::Vertical, this);
    m_parts->setChildrenCollapsible(false);
    m_scroll = newScrollArea(m_parts, tr("Compared runs"));
    m_scroll->setFocusPolicy(Qt::NoFocus);  // its timelines handle the keys
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* runs = new QWidget(m_scroll);
    m_stack = flushLayout<QVBoxLayout>(runs, 0);
    m_scroll->setWidget(runs);
    addWidgets(*m_parts, {m_scroll, buildFoot()});
    m_parts->setStretchFactor(0, 1);
    connect(m_parts, &QSplitter::splitterMoved, this, [this] { m_partsMoved = true; });
    m_column->addWidget(m_parts, 1);
    connectComparison();
    showRunning();
    styleSwitches();
    onEvents(*this, {QEvent::Resize}, [this] { giveRunsTheirRoom(); });
    onEvents(*this, {QEvent::PaletteChange, QEvent::FontChange}, [this] { styleSwitches(); });
}

CompareView::~CompareView() {
    // The rows are released from the link and destroyed while the link and the other members exist.
    setFocusProxy(nullptr);
    for (const auto& row : m_rows)
        m_link.letGo(row->state());
    m_rows.clear();
    showBeside(nullptr, nullptr, {}, 0);
}

void CompareView::showBeside(TimePicture* picture, ViewState* state, const QString& name, std::int64_t endPs) {
    if (m_beside != nullptr && m_beside != picture) {
        m_link.letGo(*m_besideState);
        m_beside->gutterChanged = {};
        m_beside->widget().setParent(nullptr);
    }
    if (picture != nullptr && m_besideBox == nullptr) {
        m_besideBox = new QWidget(this);
        m_besideBox->setObjectName(QStringLiteral("compareBeside"));
        const int em = fontMetrics().averageCharWidth();
        auto* column = newLayout<QVBoxLayout>(m_besideBox, {0, 0, 0, 0}, 0);
        m_besideName = newWrappedLabel(m_besideBox, QStringLiteral("compareBesideName"));
        m_besideName->setContentsMargins(em, em / 2, em, em / 4);
        setRelativeFont(*m_besideName, 1.1, QFont::DemiBold);
        column->addWidget(m_besideName);
        m_column->insertWidget(m_column->indexOf(m_parts), m_besideBox);
        // The runs lose the width of their scroll bar; the picture above loses it as well, so that the axes are aligned.
        const auto fit = [this] {
            const QScrollBar& bar = *m_scroll->verticalScrollBar();
            m_besideBox->setContentsMargins(0, 0, bar.isVisible() ? bar.width() : 0, 0);
        };
        onEvents(*m_scroll->verticalScrollBar(), {QEvent::Show, QEvent::Hide, QEvent::Resize},
                 [this, fit] { QMetaObject::invokeMethod(this, fit, Qt::QueuedConnection); });
        fit();
    }
    const bool other = m_beside != picture;
    m_beside = picture;
    m_besideState = state;
    m_besideEnd = endPs;
    if (m_besideBox != nullptr)
        m_besideBox->setVisible(picture != nullptr);
    if (picture == nullptr)
        return;
    m_besideName->setText(name);
    if (other)
        m_besideBox->layout()->addWidget(&picture->widget());
    picture->widget().show();
    picture->gutterChanged = [this] { alignGutters(); };
    m_link.lead(*state, data::TimeMap(), endPs);
    alignGutters();
}

QWidget* CompareView::buildFoot() {
    m_foot = newScrollArea(m_parts, tr("How the runs differ, and why"));
    auto* foot = new QSplitter(Qt::Horizontal, m_foot);
    foot->setChildrenCollapsible(false);
    m_table = new DifferenceTable(foot);
    m_waterfall = new FigureCanvas(QStringLiteral("waterfall"), tr("Why the runs differ"), foot);
    m_waterfall->setChoosing(FigureCanvas::Choosing::nothing);
    m_waterfall->setEmptyText(tr("The reasons appear when two runs have finished."));
    addWidgets(*foot, {m_table, m_waterfall});
    foot->setStretchFactor(0, 4);
    foot->setStretchFactor(1, 5);
    foot->setSizes({400, 580});
    m_foot->setWidget(foot);
    return m_foot;
}

void CompareView::connectComparison() {
    Comparison& comparison = *m_comparison;
    connect(&comparison, &Comparison::runsChanged, this, &CompareView::arrange);
    connect(&comparison, &Comparison::answered, this, [this] { showRuns(); });
    connect(&comparison, &Comparison::syncChanged, this, [this] {
        showRuns();
        setSideBySide();
    });
    const CompareSession& session = comparison.session();
    connect(&session, &CompareSession::runStarted, this, [this] {
        m_runTime.start();
        showRunning();
        showRuns();
    });
    connect(&session, &CompareSession::progressChanged, this, &CompareView::showProgress);
    connect(&session, &CompareSession::runStopped, this, &CompareView::showRunning);
    connect(&session, &CompareSession::allFinished, this, [this] {
        showRunning();
        Q_EMIT compareShown();
    });
}

void CompareView::arrange() {
    std::vector<std::unique_ptr<CompareRow>> before = std::exchange(m_rows, {});
    std::map<int, CompareRow*> known = std::exchange(m_byKey, {});
    for (const ComparedRun& compared : m_comparison->runs()) {
        const auto there = known.find(compared.key);
        const auto owner =
            there == known.end() ? before.end() : std::find_if(before.begin(), before.end(), [&](const auto& each) {
                return each.get() == there->second;
            });
        m_rows.push_back(owner == before.end() ? makeRow(compared.key) : std::move(*owner));
        m_byKey[compared.key] = m_rows.back().get();
    }
    for (const auto& gone : before) {
        if (gone)
            m_link.letGo(gone->state());
    }
    putInOrder(*m_stack, m_rows);
    giveRunsTheirRoom();
    // The focus proxy changes before the row that may be the proxy is destroyed.
    setFocusProxy(m_rows.empty() ? nullptr : m_rows.front().get());
    before.clear();
    setAvailable(*m_swap, m_rows.size() > 1, tr("The view Compare has one run. Add a second one."));
    m_add->setEnabled(m_comparison->canAdd());
    showRuns();
    if (isVisible() && m_comparison->isComplete())
        Q_EMIT compareShown();
}

std::unique_ptr<CompareRow> CompareView::makeRow(int key) {
    auto row = std::make_unique<CompareRow>(m_pictures);
    connect(
        row.get(), &CompareRow::removeRequested, this, [this, key] { m_comparison->remove(indexOf(key)); },
        Qt::QueuedConnection);
    connect(row.get(), &CompareRow::momentRequested, this,
            [this, made = row.get()](qint64 ps) { Q_EMIT momentRequested(m_link.leadersTime(made->state(), ps)); });
    row->picture().gutterChanged = [this] { alignGutters(); };
    row->setActions(actionsOf(*row, key));
    return row;
}

QList<QAction*> CompareView::actionsOf(CompareRow& row, int key) {
    QList<QAction*> actions;
    const auto add = [&](const QString& text, std::function<void()> order) {
        auto* action = new QAction(text, &row);
        connect(action, &QAction::triggered, this, std::move(order), Qt::QueuedConnection);
        actions << action;
    };
    add(tr("Move &Up"), [this, key] { m_comparison->move(indexOf(key), -1); });
    add(tr("Move &Down"), [this, key] { m_comparison->move(indexOf(key), 1); });
    add(tr("&Pin Run"), [this, key] {
        if (const auto run = runOf(key))
            Q_EMIT pinRequested(run);
    });
    add(tr("&Open as Experiment"), [this, key] {
        if (const auto run = runOf(key))
            Q_EMIT openRequested(run);
    });
    add(tr("&Remove"), [this, key] { m_comparison->remove(indexOf(key)); });
    return actions;
}

// Returns the index of the run with this key, or the number of runs if it has been removed.
std::size_t CompareView::indexOf(int key) const {
    const std::vector<ComparedRun>& runs = m_comparison->runs();
    return static_cast<std::size_t>(std::ranges::find(runs, key, &ComparedRun::key) - runs.begin());
}

std::shared_ptr<const data::ShownRun> CompareView::runOf(int key) const {
    const std::size_t index = indexOf(key);
    return index < m_comparison->runs().size() ? m_comparison->runs()[index].run : nullptr;
}

void CompareView::showRuns() {
    const std::vector<ComparedRun>& runs = m_comparison->runs();
    if (runs.size() != m_rows.size())
        return;  // arrange() has not made the rows yet, and will call this function
    std::vector<const engine::Experiment*> experiments;
    for (const ComparedRun& compared : runs) {
        if (compared.run)
            experiments.push_back(&compared.run->run.experiment);
    }
    QStringList names = namesOf(experiments);
    m_names.clear();
    for (const ComparedRun& compared : runs) {
        const bool named =
            compared.pick.kind == ComparePick::Kind::rule || compared.pick.kind == ComparePick::Kind::algorithm;
        m_names << (compared.run ? names.takeFirst()
                    : named      ? text(compared.pick.name)
                                 : titleOfPolicy(compared.pick.name));
    }
    for (std::size_t i = 0; i < runs.size(); ++i)
        showRow(i);
    alignGutters();
    showDifferences();
}

void CompareView::showRow(std::size_t index) {
    const std::vector<ComparedRun>& runs = m_comparison->runs();
    const ComparedRun& compared = runs[index];
    const auto& first = runs.front().run;
    CompareRow& row = *m_rows[index];
    CompareRowText words;
    words.letter = letterOf(index);
    words.name = m_names[static_cast<qsizetype>(index)];
    words.failed = !compared.failure.isEmpty();
    words.remark = compared.failure;
    if (compared.run) {
        const engine::RunResult& result = compared.run->run.result;
        words.policy = engine::name(compared.run->run.experiment.policy.preset);
        words.total = formatTime(result.last.time.total.ps);
        if (index > 0 && first) {
            const Difference difference =
                differenceOf(headlinesOf(result).front(), headlinesOf(first->run.result).front());
            words.against = tr("%1 against A").arg(difference.text);
            words.better = difference.verdict == Difference::Verdict::better;
            words.worse = difference.verdict == Difference::Verdict::worse;
        }
        if (words.remark.isEmpty() && !result.trace)
            words.remark = tr(kBoundRemark);
        if (words.remark.isEmpty() && result.companion)
            words.remark = companySentence(compared.run->run.experiment, *result.companion);
    } else if (words.remark.isEmpty()) {
        words.remark = tr("Simulating…");
    }
    if (compared.run)
        row.picture().showRun(compared.run, words.name);
    row.showRun(compared.run);
    const bool outlines = m_comparison->showsGhost() && m_comparison->mode() == SyncMode::time && index > 0 && first;
    row.picture().showGhost(outlines ? first : nullptr, m_names.front());
    row.showText(words);
}

// Gives all rows the same gutter, so that equal times are at equal positions however long the lane names are.
void CompareView::alignGutters() {
    double most = 0;
    for (const auto& row : m_rows)
        most = std::max(most, row->picture().ownGutter());
    if (m_beside != nullptr) {
        most = std::max(most, m_beside->ownGutter());
        m_beside->setLeastGutter(most);
    }
    for (const auto& row : m_rows) {
        row->picture().setLeastGutter(most);
        row->update();
    }
}

void CompareView::showDifferences() {
    const std::vector<ComparedRun>& runs = m_comparison->runs();
    std::vector<DifferenceRow> rows;
    std::vector<WaterfallColumn> columns;
    std::vector<std::shared_ptr<const data::ShownRun>> ready;
    const auto policyOf = [](const data::ShownRun& run) {
        return std::string(engine::name(run.run.experiment.policy.preset));
    };
    const auto& first = runs.empty() ? nullptr : runs.front().run;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto& run = runs[i].run;
        DifferenceRow row{
            letterOf(i), m_names[static_cast<qsizetype>(i)], run ? policyOf(*run) : std::string(), {}, {}};
        if (run) {
            row.headlines = headlinesOf(run->run.result);
            ready.push_back(run);
        }
        if (run && first && i > 0) {
            const std::vector<Headline> base = headlinesOf(first->run.result);
            for (std::size_t j = 0; j < base.size(); ++j)
                row.differences.push_back(differenceOf(row.headlines[j], base[j]));
            columns.push_back({m_names.front(), row.name, policyOf(*first), row.policy,
                               waterfallOf(first->run.result, run->run.result)});
        }
        rows.push_back(std::move(row));
    }
    m_table->showRows(std::move(rows));
    auto figure = waterfallFigure(columns, ready);
    m_waterfall->showContent(figure ? waterfallContent(columns, std::move(*figure)) : FigureCanvas::Content());
    giveRunsTheirRoom();
}

// Returns numbered marks at the chunks if runs are aligned by chunk, so that the same chunk is found in every run.
std::vector<RunMark> CompareView::marksOf(const std::shared_ptr<const data::ShownRun>& run) const {
    std::vector<RunMark> marks;
    if (m_comparison->mode() != SyncMode::chunks)
        return marks;
    const SyncTimes& times = m_comparison->timesOf(run);
    const auto append = [&marks](const std::vector<std::int64_t>& moments, Role role) {
        for (std::size_t i = 0; i < moments.size(); ++i)
            marks.push_back({moments[i], QString::number(i + 1), role});
    };
    append(times.scattered, Role::reduceScatter);
    append(times.gathered, Role::allGather);
    std::stable_sort(marks.begin(), marks.end(), [](const RunMark& a, const RunMark& b) { return a.ps < b.ps; });
    return marks;
}

void CompareView::setSideBySide() {
    const std::vector<ComparedRun>& runs = m_comparison->runs();
    for (const auto& [mode, action] : m_modes)
        action->setChecked(mode == m_comparison->mode());
    setAvailable(*m_ghost, m_comparison->mode() == SyncMode::time && runs.size() > 1,
                 runs.size() > 1 ? tr("Outlines need runs that are aligned by time.")
                                 : tr("The view Compare has one run. Add a second one."));
    m_ghost->setChecked(m_comparison->showsGhost());
    Q_EMIT reachChanged();
    if (m_beside != nullptr)
        m_link.lead(*m_besideState, data::TimeMap(), m_besideEnd);
    for (std::size_t i = 0; i < runs.size() && i < m_rows.size(); ++i) {
        if (!runs[i].run)
            continue;
        m_link.lead(m_rows[i]->state(), m_comparison->mapTo(i), m_comparison->timesOf(runs[i].run).end);
        m_rows[i]->picture().showMarks(marksOf(runs[i].run));
    }
}

void CompareView::holdTransport(QWidget* transport) { m_column->insertWidget(0, transport); }

std::optional<FigureOffer> CompareView::figure() const {
    const data::FigureSpec& figure = m_waterfall->figure();
    return figure.panels.empty() ? std::nullopt : std::optional(FigureOffer{figure, {}});
}

bool CompareView::stepOut() {
    if (!m_comparison->session().isRunning())
        return false;
    m_comparison->session().cancel();
    return true;
}

void CompareView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_comparison->setWatched(true);
    if (m_comparison->isComplete())
        QMetaObject::invokeMethod(this, &CompareView::compareShown, Qt::QueuedConnection);
}

// Gives the runs the height that they need first, because the differences below can be scrolled.
void CompareView::giveRunsTheirRoom() {
    const int most = static_cast<int>(m_parts->height() * kMostForRuns);
    const int runs = std::min(most, m_stack->minimumSize().height());
    m_scroll->setMinimumHeight(runs);
    if (m_partsMoved)
        return;
    const QWidget& foot = *m_foot->widget();
    const int least = foot.minimumSizeHint().height();
    const int wanted =
        std::clamp(static_cast<int>(m_parts->height() * kUsualFoot), least, std::max(least, foot.sizeHint().height()));
    const int below = std::min(wanted, m_parts->height() - runs - m_parts->handleWidth());
    m_parts->setSizes({m_parts->height() - below, below});
}

void CompareView::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_comparison->setWatched(false);
}

void CompareView::buildCommands() {
    m_swap = m_commands.add(
        {.id = "compare.swap",
         .text = tr("&Swap A and B"),
         .keys = {QKeySequence(Qt::Key_X)},
         .hint = tr("Swaps runs A and B, so that all differences are measured from the former run B (X)")},
        this, [this] { m_comparison->swap(); });
    m_ghost =
        m_commands.add({.id = "compare.ghost",
                        .text = tr("Show &Outline of A"),
                        .keys = {QKeySequence(Qt::Key_G)},
                        .hint = tr("Shows run A as outlines behind the other runs, if they are aligned by time (G)")},
                       this, [this] { m_comparison->setGhost(m_ghost->isChecked()); });
    m_ghost->setCheckable(true);
    auto* modes = new QActionGroup(this);
    const auto addMode = [&](SyncMode mode, const char* id, const QString& text, Qt::Key key, const QString& hint) {
        QAction* action =
            m_commands.add({.id = QLatin1String(id), .text = text, .keys = {QKeySequence(key)}, .hint = hint}, this,
                           [this, mode] { m_comparison->setMode(mode); });
        action->setCheckable(true);
        modes->addAction(action);
        m_modes[mode] = action;
    };
    addMode(SyncMode::time, "compare.sync-time", tr("Align by &Time"), Qt::Key_T, tr("Aligns all runs by time (T)"));
    addMode(SyncMode::chunks, "compare.sync-chunks", tr("Align by &Chunk"), Qt::Key_C,
            tr("Aligns all runs by the number of complete chunks (C)"));
    addMode(SyncMode::phases, "compare.sync-phases", tr("Align by P&hase"), Qt::Key_H,
            tr("Aligns all runs by the progress within each phase: GEMM, collective, all-gather (H)"));
    m_modes[SyncMode::time]->setChecked(true);
}

QWidget* CompareView::buildBar() {
    auto* bar = new QWidget(this);
    const int em = fontMetrics().averageCharWidth();
    auto* row = newLayout<QHBoxLayout>(bar, {em, em / 2, em, em / 2}, em);
    row->addWidget(buildSwitch({m_modes[SyncMode::time], m_modes[SyncMode::chunks], m_modes[SyncMode::phases]}));
    row->addSpacing(em * 2);
    addWidgets(*row, {buildSwitch({m_swap}), buildSwitch({m_ghost})});
    m_add = new QToolButton(bar);
    m_add->setObjectName(QStringLiteral("compareAdd"));
    m_add->setText(tr("A&dd a Run"));
    m_add->setToolTip(tr(
        "Adds a run under another policy, on another machine, the pinned run or a kept run; up to four runs in all"));
    m_add->setPopupMode(QToolButton::InstantPopup);
    m_addMenu = new QMenu(m_add);
    m_add->setMenu(m_addMenu);
    connect(m_addMenu, &QMenu::aboutToShow, this, &CompareView::fillAddMenu);
    auto* adding = new QWidget(bar);
    auto* within = newLayout<QHBoxLayout>(adding, {1, 0, 0, 0});
    within->addWidget(m_add);
    m_switches << adding;
    row->addWidget(adding);
    row->addStretch(1);
    addProgress(*row);
    return bar;
}

QWidget* CompareView::buildSwitch(const QList<QAction*>& actions) {
    auto* holder = new QWidget(this);
    auto* row = newLayout<QHBoxLayout>(holder, {1, 0, 0, 0}, 0);  // borders overlap to the left
    for (QAction* action : actions)
        row->addWidget(newActionButton(action, holder));
    m_switches << holder;
    return holder;
}

void CompareView::styleSwitches() {
    const QString sheet = switchSheet(paletteOf(*this), font());
    for (QWidget* holder : m_switches) {
        if (holder->styleSheet() != sheet)
            holder->setStyleSheet(sheet);
    }
}

void CompareView::addProgress(QBoxLayout& row) {
    m_timeLeft = new QLabel(this);
    m_timeLeft->setObjectName(QStringLiteral("compareLeft"));
    m_progress = new QProgressBar(this);
    makeThin(*m_progress, kProgressSteps, fontMetrics().height() / 2, tr("Progress of the compared runs"));
    m_progress->setFixedWidth(fontMetrics().averageCharWidth() * 18);
    m_cancel = newButton(tr("Ca&ncel"), QStringLiteral("compareCancel"), this, this, &CompareView::stepOut);
    m_retry = newButton(tr("Run &Again"), QStringLiteral("compareRetry"), this, m_comparison.get(), &Comparison::retry);
    addWidgets(row, {m_timeLeft, m_progress, m_cancel, m_retry});
}

void CompareView::showRunning() {
    const bool running = m_comparison->session().isRunning();
    const std::vector<ComparedRun>& runs = m_comparison->runs();
    const bool failed = std::any_of(runs.begin(), runs.end(), [](const auto& each) { return !each.failure.isEmpty(); });
    m_progress->setVisible(running);
    m_cancel->setVisible(running);
    m_retry->setVisible(!running && failed);
    m_timeLeft->setText(running ? tr("Simulating…") : QString());
}

void CompareView::showProgress(double fraction) {
    m_progress->setValue(static_cast<int>(fraction * kProgressSteps));
    if (const auto seconds = data::secondsLeft(static_cast<double>(m_runTime.elapsed()) / 1000, fraction))
        m_timeLeft->setText(tr("Simulating: %1 s left").arg(static_cast<int>(std::ceil(*seconds))));
}

void CompareView::setKept(const std::vector<data::StoredRun>& runs) {
    m_kept.assign(runs.begin(), runs.begin() + static_cast<std::ptrdiff_t>(std::min(runs.size(), kMostKeptOffered)));
}

void CompareView::addToMenu(QMenu& menu, const QString& text, const ComparePick& pick) {
    QAction* action = menu.addAction(QString(text).replace(QLatin1Char('&'), QLatin1String("&&")));
    action->setEnabled(!m_comparison->contains(pick));
    connect(action, &QAction::triggered, this, [this, pick] { m_comparison->add(pick); });
}

void CompareView::fillAddMenu() {
    m_addMenu->clear();
    using Kind = ComparePick::Kind;
    addToMenu(*m_addMenu, tr("The shown run"), {Kind::shown});
    if (m_comparison->hasPinned())
        addToMenu(*m_addMenu, tr("The pinned run"), {Kind::pinned});
    m_addMenu->addSeparator();
    QMenu* policies = m_addMenu->addMenu(tr("Under another &policy"));
    for (const data::Preset& policy : data::policies())
        addToMenu(*policies, text(policy.title), {Kind::policy, policy.name});
    QMenu* machines = m_addMenu->addMenu(tr("On another &machine"));
    for (const data::Preset& machine : data::machines())
        addToMenu(*machines, text(machine.title), {Kind::machine, machine.name});
    QMenu* algorithms = m_addMenu->addMenu(tr("With another &algorithm"));
    for (const engine::CollectiveAlgorithmText& algorithm : engine::kCollectiveAlgorithms)
        addToMenu(*algorithms, text(algorithm.word), {Kind::algorithm, std::string(algorithm.word)});
    QMenu* kept = m_addMenu->addMenu(tr("A &kept run"));
    for (const data::StoredRun& run : m_kept)
        addToMenu(*kept, text(run.name), {Kind::kept, run.experimentHash, run.id});
    kept->setEnabled(!m_kept.empty());
}

}  // namespace ui
