#include "ui/runs/runs_view.h"

#include "data/sweep/sweep_document.h"
#include "ui/look/format.h"
#include "ui/look/widget_parts.h"
#include "ui/runs/run_details.h"
#include "ui/runs/run_edits.h"
#include "ui/runs/run_filter_line.h"
#include "ui/runs/runs_model.h"
#include "ui/runs/runs_table.h"
#include "ui/runs/sweep_list.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace ui {
namespace {

constexpr int kAgeingMs = 30'000;  // "2 min ago" does not stay true
constexpr int kRestMs = 40;

QString countText(std::size_t count) { return formatCount(static_cast<std::int64_t>(count)); }

}  // namespace

RunsView::RunsView(CatalogueSession& session, QWidget* parent)
    : QWidget(parent), m_session(session), m_model(new RunsModel(this)), m_sweeps(new SweepList(this)),
      m_filter(new RunFilterLine(this)), m_table(new RunsTable(*m_model, this)),
      m_edits(new RunEdits(session, *m_table, this)), m_details(new RunDetails(this)),
      m_soon(pauseTimer(this, kRestMs, [this] { showDetails(); })), m_count(new QLabel(this)),
      m_pages(new QStackedWidget(this)), m_reason(newWrappedLabel(this, QStringLiteral("runsReason"))),
      m_next(new QPushButton(this)), m_parts(new QSplitter(Qt::Horizontal, this)), m_columns(usualRunColumns()) {
    setNames(*this, QStringLiteral("runsView"), tr("Runs and sweeps of the store"));
    buildActions();
    m_parts->addWidget(m_sweeps);
    m_parts->addWidget(buildMiddle());
    m_parts->addWidget(m_details);
    m_parts->setStretchFactor(1, 1);
    m_parts->setChildrenCollapsible(false);
    auto* row = flushLayout<QHBoxLayout>(this);
    row->addWidget(m_parts);
    setFocusProxy(m_table);
    connectParts();
    m_table->showSortMark();
    tell();
    followSelection();
}

RunsView::~RunsView() = default;

QWidget* RunsView::buildMiddle() {
    auto* middle = new QWidget(this);
    const int line = fontMetrics().height();
    m_count->setObjectName(QStringLiteral("runsCount"));
    m_reason->setAlignment(Qt::AlignCenter);
    m_next->setObjectName(QStringLiteral("runsNext"));
    auto* nothing = new QWidget(m_pages);
    nothing->setAutoFillBackground(true);
    nothing->setBackgroundRole(QPalette::Base);
    auto* words = new QVBoxLayout(nothing);
    words->setContentsMargins(line * 2, line, line * 2, line);
    words->addStretch(2);
    words->addWidget(m_reason);
    words->addSpacing(line / 2);
    words->addWidget(m_next, 0, Qt::AlignHCenter);
    words->addStretch(3);
    m_pages->addWidget(m_table);
    m_pages->addWidget(nothing);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(line / 2, line / 2, line / 2, line / 2);
    head->addWidget(m_filter, 1, Qt::AlignTop);
    for (const char* id : {"runs.columns", "runs.export"})
        head->addWidget(newActionButton(m_commands.actionOf(id), middle), 0, Qt::AlignTop);
    auto* column = flushLayout<QVBoxLayout>(middle, 0);
    column->addLayout(head);
    column->addWidget(m_pages, 1);
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(line / 2, line / 4, line / 2, line / 4);
    foot->addWidget(m_count, 1);
    column->addLayout(foot);
    return middle;
}

void RunsView::connectParts() {
    connect(&m_session, &CatalogueSession::arrived, this, &RunsView::take);
    connect(&m_session, &CatalogueSession::readFailed, this, &RunsView::showProblem);
    connect(m_sweeps, &SweepList::chosenChanged, this, [this] {
        m_table->showColumns(shownColumns());
        followSelection();
        ask();
    });
    connect(m_sweeps, &SweepList::openRequested, this, &RunsView::openSweep);
    connect(m_filter, &RunFilterLine::filterChanged, this, &RunsView::takeFilter);
    connect(m_filter, &RunFilterLine::left, this, [this] {
        m_table->setFocus();
        if (m_table->selectedCount() == 0 && m_model->rowCount() > 0)
            m_table->selectRow(0);
    });
    connect(m_table, &RunsTable::sortRequested, this, &RunsView::sortBy);
    connect(m_table, &RunsTable::columnsMoved, this, [this] {
        const std::vector<std::string> axes = axesOfChosen();
        const std::vector<std::string> own = std::exchange(m_columns, m_table->columnOrder());
        std::erase_if(m_columns, [&](const std::string& path) {
            return std::find(axes.begin(), axes.end(), path) != axes.end() &&
                   std::find(own.begin(), own.end(), path) == own.end();
        });
    });
    connect(m_table, &RunsTable::selectionChangedByHand, this, &RunsView::followSelection);
    connect(m_model, &RunsModel::dataChanged, this, &RunsView::showDetails);
    connect(m_model, &RunsModel::noteEdited, m_edits, &RunEdits::setNote);
    connect(m_model, &RunsModel::tagsEdited, m_edits, [this](qint64 id, const QString& tags) {
        m_edits->setTags({{id, tagsFrom(tags)}});
    });
    connect(m_edits, &RunEdits::failed, this, &RunsView::failed);
    connect(m_edits, &RunEdits::trashed, this, [this](int count) {
        Q_EMIT removed(count == 1 ? tr("One run was removed.") : tr("%1 runs were removed.").arg(count));
    });
    connect(m_edits, &RunEdits::sweepRemoved, this,
            [this] { Q_EMIT removed(tr("The sweep was removed; its runs are still there.")); });
    connect(m_edits, &RunEdits::restored, this, [this](const std::vector<std::int64_t>& ids, quint64 number) {
        m_returning = ids;
        m_returningWith = number;
    });
    connect(&m_session, &CatalogueSession::described, this, &RunsView::takeDetails);
    connect(m_table, &RunsTable::doubleClicked, this, [this](const QModelIndex& cell) {
        if (cell.flags().testFlag(Qt::ItemIsEditable))
            m_table->edit(cell);
        else
            openCurrent();
    });
    connect(m_next, &QPushButton::clicked, this, [this] {
        if (m_wanted)
            m_filter->clear();
        else
            Q_EMIT runRequested();
    });
    auto* ageing = new QTimer(this);
    ageing->setInterval(kAgeingMs);
    connect(ageing, &QTimer::timeout, m_table->viewport(), qOverload<>(&QWidget::update));
    ageing->start();
}

void RunsView::showReason(const QString& reason) {
    m_impossible = true;
    m_unreadable = reason;
    tell();
}

void RunsView::showProblem(const QString& problem) {
    m_unreadable = problem;
    tell();
}

void RunsView::openFilter() { m_filter->open(); }

void RunsView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_session.setWatching(true);
    if (!m_asked)
        ask();
}

void RunsView::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_session.setWatching(false);
}

std::vector<std::string> RunsView::askedColumns() const {
    std::vector<std::string> asked;
    const auto add = [&asked](const std::string& path) {
        const auto column = runColumn(path);
        if (column && column->isAsked() && std::find(asked.begin(), asked.end(), path) == asked.end())
            asked.push_back(path);
    };
    const std::vector<std::string> shown = shownColumns();
    std::for_each(shown.begin(), shown.end(), add);
    add(m_model->list().sortedBy());
    if (m_wanted)
        std::for_each(m_wanted->paths().begin(), m_wanted->paths().end(), add);
    return asked;
}

std::vector<std::string> RunsView::axesOfChosen() const {
    const data::StoredSweep* sweep = chosenSweep();
    std::vector<std::string> paths;
    if (sweep == nullptr)
        return paths;
    for (const data::SweepAxis& axis : data::readSweep(sweep->document, sweep->id).sweep.axes) {
        for (const data::AxisColumn& column : axis.columns)
            paths.push_back(column.path);
    }
    return paths;
}

std::vector<std::string> RunsView::shownColumns() const {
    std::vector<std::string> shown = axesOfChosen();
    for (const std::string& path : m_columns) {
        if (std::find(shown.begin(), shown.end(), path) == shown.end())
            shown.push_back(path);
    }
    return shown;
}

void RunsView::ask() {
    m_asked = true;
    m_session.ask({askedColumns(), m_sweeps->chosen(), m_sweeps->choosesRemoved()});
}

void RunsView::take(const std::shared_ptr<const CatalogueSnapshot>& snapshot) {
    m_unreadable.clear();
    const bool first = m_model->list().snapshot() == nullptr;
    std::shared_ptr<const CatalogueSnapshot> old;
    m_table->rearrange([&](RunList& list) {
        old = list.setSnapshot(snapshot);
        if (!m_wanted || canFilterBy(*m_wanted))
            list.setFilter(m_wanted);
    });
    m_session.discard(std::move(old));
    if (first)
        m_table->setOwnWidths(m_table->ownWidths());  // now there is something to measure
    m_sweeps->showSweeps(snapshot->sweeps, snapshot->runs, snapshot->removed);
    if (!m_returning.empty() && snapshot->changes >= m_returningWith) {
        m_table->selectIds(std::exchange(m_returning, {}));
        if (const std::vector<std::int64_t> there = m_table->selectedIds(); !there.empty())
            m_table->showRun(there.front());
    }
    tell();
}

bool RunsView::canFilterBy(const data::RunFilter& filter) const {
    const RunList& list = m_model->list();
    return list.snapshot() && std::all_of(filter.paths().begin(), filter.paths().end(),
                                          [&list](const std::string& path) { return list.valueIndex(path); });
}

void RunsView::takeFilter(const std::optional<data::RunFilter>& filter) {
    m_wanted = filter;
    if (filter && !canFilterBy(*filter)) {
        if (m_asked)
            ask();
        return;
    }
    m_table->rearrange([&filter](RunList& list) { list.setFilter(filter); });
    tell();
}

void RunsView::sortBy(const QString& path, bool descending) {
    m_table->rearrange([&](RunList& list) { list.sortBy(path.toStdString(), descending); });
    m_table->showSortMark();
}

void RunsView::tell() {
    const RunList& list = m_model->list();
    const std::size_t all = list.snapshot() ? list.snapshot()->rows.size() : 0;
    if (!m_unreadable.isEmpty() && (m_impossible || !list.snapshot())) {
        tellNothing(m_unreadable, {});
    } else if (!list.snapshot()) {
        tellNothing(tr("Reading the store…"), {});
    } else if (list.size() == 0 && m_wanted) {
        tellNothing(tr("No run is like that."), tr("Clear the Filter"));
    } else if (list.size() == 0 && m_sweeps->chosen()) {
        tellNothing(tr("No point of this sweep has been run yet."), {});
    } else if (list.size() == 0 && m_table->showsRemoved()) {
        tellNothing(tr("Nothing has been removed."), {});
    } else if (list.size() == 0) {
        tellNothing(
            tr("Nothing has been kept yet. Every run that you ask for, and every point of a sweep, comes here."),
            tr("Run the Experiment"));
    } else {
        m_pages->setCurrentIndex(0);
    }
    QString text = list.runCount() == all ? (all == 1 ? tr("1 run") : tr("%1 runs").arg(countText(all)))
                                          : tr("%1 of %2 runs").arg(countText(list.runCount()), countText(all));
    if (const std::size_t selected = m_table->selectedCount(); selected > 1)
        text += tr("  ·  %1 selected").arg(countText(selected));
    if (!m_unreadable.isEmpty() && list.snapshot())
        text += tr("  ·  as last read: %1").arg(m_unreadable);
    m_count->setText(list.snapshot() ? text : QString());
}

void RunsView::tellNothing(const QString& reason, const QString& action) {
    m_reason->setText(reason);
    m_next->setText(action);
    m_next->setVisible(!action.isEmpty());
    m_pages->setCurrentIndex(1);
}

}  // namespace ui
