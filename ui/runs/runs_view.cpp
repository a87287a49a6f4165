#include "ui/runs/runs_view.h"

#include "data/document/whole_file.h"
#include "data/sweep/results_table.h"
#include "data/sweep/sweep_document.h"
#include "ui/look/format.h"
#include "ui/look/widget_parts.h"
#include "ui/runs/column_chooser.h"
#include "ui/runs/run_details.h"
#include "ui/runs/run_edits.h"
#include "ui/runs/run_filter_line.h"
#include "ui/runs/run_list.h"
#include "ui/runs/runs_table.h"
#include "ui/runs/sweep_list.h"
#include "ui/workbench/availability.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QJsonObject>
#include <QLabel>
#include <QMessageBox>
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

constexpr int kAgeingMs = 30'000;  // interval at which texts such as "2 min ago" are updated
constexpr int kRestMs = 40;

QString countText(std::size_t count) { return formatCount(static_cast<std::int64_t>(count)); }

constexpr std::size_t kMostDescribed = 2;  // for more runs the details show a summary of their rows
constexpr std::size_t kLeastCompared = 2, kMostTimelines = 4;
constexpr std::size_t kMostColumns = 60, kMostCopied = 10'000;

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
    addWidgets(*m_parts, {m_sweeps, buildMiddle(), m_details});
    m_parts->setStretchFactor(1, 1);
    m_parts->setChildrenCollapsible(false);
    auto* row = flushLayout<QHBoxLayout>(this);
    row->addWidget(m_parts);
    setFocusProxy(m_table);
    connectParts();
    m_table->showSortMark();
    report();
    followSelection();
}

QWidget* RunsView::buildMiddle() {
    auto* middle = new QWidget(this);
    const int line = fontMetrics().height();
    m_count->setObjectName(QStringLiteral("runsCount"));
    m_reason->setAlignment(Qt::AlignCenter);
    m_next->setObjectName(QStringLiteral("runsNext"));
    auto* nothing = new QWidget(m_pages);
    nothing->setAutoFillBackground(true);
    nothing->setBackgroundRole(QPalette::Base);
    auto* words = newLayout<QVBoxLayout>(nothing, {line * 2, line, line * 2, line});
    words->addStretch(2);
    words->addWidget(m_reason);
    words->addSpacing(line / 2);
    words->addWidget(m_next, 0, Qt::AlignHCenter);
    words->addStretch(3);
    addWidgets(*m_pages, {m_table, nothing});
    auto* head = newLayout<QHBoxLayout>(nullptr, {line / 2, line / 2, line / 2, line / 2});
    head->addWidget(m_filter, 1, Qt::AlignTop);
    for (const char* id : {"runs.columns", "runs.export"})
        head->addWidget(newActionButton(m_commands.actionOf(id), middle), 0, Qt::AlignTop);
    auto* column = flushLayout<QVBoxLayout>(middle, 0);
    column->addLayout(head);
    column->addWidget(m_pages, 1);
    auto* foot = newLayout<QHBoxLayout>(nullptr, {line / 2, line / 4, line / 2, line / 4});
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
            [this] { Q_EMIT removed(tr("The sweep was removed. Its runs are kept.")); });
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
    report();
}

void RunsView::showProblem(const QString& problem) {
    m_unreadable = problem;
    report();
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
        m_table->setOwnWidths(m_table->ownWidths());  // computes widths again, now that there are rows to measure
    m_sweeps->showSweeps(snapshot->sweeps, snapshot->runs, snapshot->removed);
    if (!m_returning.empty() && snapshot->changes >= m_returningWith) {
        m_table->selectIds(std::exchange(m_returning, {}));
        if (const std::vector<std::int64_t> there = m_table->selectedIds(); !there.empty())
            m_table->showRun(there.front());
    }
    report();
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
    report();
}

void RunsView::sortBy(const QString& path, bool descending) {
    m_table->rearrange([&](RunList& list) { list.sortBy(path.toStdString(), descending); });
    m_table->showSortMark();
}

void RunsView::report() {
    const RunList& list = m_model->list();
    const std::size_t all = list.snapshot() ? list.snapshot()->rows.size() : 0;
    if (!m_unreadable.isEmpty() && (m_impossible || !list.snapshot())) {
        explainEmptyTable(m_unreadable, {});
    } else if (!list.snapshot()) {
        explainEmptyTable(tr("Reading the store…"), {});
    } else if (list.size() == 0 && m_wanted) {
        explainEmptyTable(tr("No run matches the filter."), tr("Clear the Filter"));
    } else if (list.size() == 0 && m_sweeps->chosen()) {
        explainEmptyTable(tr("No point of this sweep has been run yet."), {});
    } else if (list.size() == 0 && m_table->showsRemoved()) {
        explainEmptyTable(tr("The trash is empty."), {});
    } else if (list.size() == 0) {
        explainEmptyTable(tr("No runs yet. This view lists every run that you start and every point of a sweep."),
                          tr("Run the Experiment"));
    } else {
        m_pages->setCurrentIndex(0);
    }
    QString text = list.runCount() == all ? (all == 1 ? tr("1 run") : tr("%1 runs").arg(countText(all)))
                                          : tr("%1 of %2 runs").arg(countText(list.runCount()), countText(all));
    if (const std::size_t selected = m_table->selectedCount(); selected > 1)
        text += tr("  ·  %1 selected").arg(countText(selected));
    if (!m_unreadable.isEmpty() && list.snapshot())
        text += tr("  ·  may be out of date: %1").arg(m_unreadable);
    m_count->setText(list.snapshot() ? text : QString());
}

void RunsView::explainEmptyTable(const QString& reason, const QString& action) {
    m_reason->setText(reason);
    m_next->setText(action);
    m_next->setVisible(!action.isEmpty());
    m_pages->setCurrentIndex(1);
}

QUndoStack& RunsView::undoStack() { return m_edits->stack(); }

void RunsView::buildActions() {
    const auto add = [this](const char* id, const QString& text, const QList<QKeySequence>& keys, const QString& hint,
                            auto order, bool startsSection = false) {
        return m_commands.add(
            {.id = QString::fromLatin1(id), .text = text, .keys = keys, .hint = hint, .startsSection = startsSection},
            this, order);
    };
    const QList<QAction*> buttons{
        add("runs.open", tr("Open &Timeline"), {Qt::Key_Return, Qt::Key_Enter},
            tr("Simulates the run again and shows its timeline"), &RunsView::openCurrent),
        add("runs.open-experiment", tr("Open as &Experiment"), {Qt::Key_E},
            tr("Opens the experiment of the run in the form, to change and run it"), &RunsView::openExperiment),
        add("runs.pin-and-show", tr("&Pin A, Show B"), {Qt::Key_P},
            tr("Shows both selected runs on one timeline: A as outlines behind B"), &RunsView::pinAndShow),
        add("runs.compare", tr("Co&mpare"), {Qt::Key_X},
            tr("Shows two to four selected runs beneath each other, and why they differ"), &RunsView::compareSelected),
        add("runs.note", tr("Edit &Note"), {Qt::Key_N}, tr("Edits the note of the run"), &RunsView::editNote),
        add("runs.tags", tr("Edit Ta&gs…"), {Qt::Key_T},
            tr("Edits the tags of the selected runs; tag:NAME in the filter finds them"), &RunsView::editTags),
        add("runs.remove", tr("Remo&ve"), {Qt::Key_Delete},
            tr("Moves the selected runs to the trash; Undo restores them"), [this] { remove(m_table->selectedIds()); }),
        add("runs.restore", tr("&Restore"), {}, tr("Restores the selected runs from the trash"),
            [this] { m_edits->restore(m_table->selectedIds()); })};
    m_table->addActions(buttons);
    m_details->setActions(buttons);
    m_table->addAction(add("runs.copy", tr("&Copy"), {QKeySequence::Copy},
                           tr("Copies the selected rows as a table for a spreadsheet"), &RunsView::copySelected));
    add("runs.columns", tr("C&olumns…"), {Qt::Key_C}, tr("Chooses parameters and results as columns of the table"),
        &RunsView::chooseColumns, true);
    add("runs.export", tr("E&xport…"), {},
        tr("Writes the selected runs, or all listed runs if fewer than two are selected, as CSV or JSON"),
        &RunsView::exportRequested);
    m_sweeps->addAction(add("runs.open-sweep", tr("Open &Sweep"), {Qt::Key_S},
                            tr("Shows the chosen sweep in the Sweep view"), &RunsView::openSweep, true));
    m_sweeps->addAction(add("runs.remove-sweep", tr("Remove S&weep"), {},
                            tr("Removes the chosen sweep; its runs are kept"), &RunsView::removeSweep));
    add("runs.empty-trash", tr("Empt&y Trash…"), {}, tr("Deletes the removed runs for good"), &RunsView::emptyTrash);
}

void RunsView::openCurrent() {
    if (const auto id = m_table->currentId())
        Q_EMIT openRequested(static_cast<qint64>(*id));
    else
        m_table->toggleCurrentSweep();
}

void RunsView::openExperiment() {
    if (const auto id = m_table->currentId())
        Q_EMIT experimentRequested(static_cast<qint64>(*id));
}

void RunsView::pinAndShow() {
    if (const std::vector<std::int64_t> ids = m_table->selectedIds(); ids.size() == 2)
        Q_EMIT pinAndShowRequested(ids.front(), ids.back());
}

void RunsView::compareSelected() {
    const std::vector<std::int64_t> ids = m_table->selectedIds();
    if (ids.size() >= kLeastCompared && ids.size() <= kMostTimelines)
        Q_EMIT compareRequested(ids);
}

void RunsView::editNote() {
    if (!m_model->columnOf(run_column::note)) {
        m_columns.emplace_back(run_column::note);
        showColumns(m_columns);
    }
    m_table->editColumn(run_column::note);
}

void RunsView::editTags() {
    const auto& snapshot = m_model->list().snapshot();
    const auto rows = m_model->list().find(m_table->selectedIds());
    if (rows.empty())
        return;
    auto* editor = new TagEditor(rows, snapshot->tags, this);
    connect(editor, &TagEditor::accepted, this, [this, editor] { m_edits->setTags(editor->tags()); });
    openOnce(*editor);
}

void RunsView::remove(const std::vector<std::int64_t>& ids) { m_edits->trash(ids); }

const data::StoredSweep* RunsView::chosenSweep() const {
    const auto& snapshot = m_model->list().snapshot();
    const std::optional<std::string> id = m_sweeps->chosen();
    if (!snapshot || !id)
        return nullptr;
    const auto at = std::ranges::find(snapshot->sweeps, *id, &data::StoredSweep::id);
    return at == snapshot->sweeps.end() ? nullptr : &*at;
}

void RunsView::openSweep() {
    if (const data::StoredSweep* sweep = chosenSweep())
        Q_EMIT sweepOpenRequested(*sweep);
}

void RunsView::removeSweep() {
    if (const data::StoredSweep* sweep = chosenSweep())
        m_edits->removeSweep(*sweep);
}

void RunsView::emptyTrash() {
    const std::size_t count = m_model->list().snapshot() ? m_model->list().snapshot()->removed : 0;
    auto* box = new QMessageBox(QMessageBox::Question, tr("Empty the Trash"),
                                tr("Delete %1 removed runs for good? This cannot be undone.").arg(count),
                                QMessageBox::Cancel, this);
    const QPushButton* yes = box->addButton(tr("Delete for Good"), QMessageBox::AcceptRole);
    connect(yes, &QPushButton::clicked, m_edits, &RunEdits::emptyTrash);
    openOnce(*box);
}

void RunsView::exportTo(const QString& file) {
    const RunList& list = m_model->list();
    if (!list.snapshot())
        return;
    auto rows = std::make_shared<std::vector<data::CatalogueRow>>();
    if (const auto selected = m_table->selectedRuns(); selected.size() >= 2) {
        for (const data::CatalogueRow* run : selected)
            rows->push_back(*run);
    } else {
        for (std::size_t line = 0; line < list.size(); ++line) {
            for (const data::CatalogueRow* run : list.runsAt(line)) {
                if (!list.isMember(line))  // the sweep's own line has added its runs already
                    rows->push_back(*run);
            }
        }
    }
    const bool json = file.endsWith(QLatin1String(".json"), Qt::CaseInsensitive);
    const auto write = [rows, json, columns = list.snapshot()->query.columns, path = file.toStdString()](data::Store&) {
        const data::ResultsTable table = data::resultsOf(*rows, columns);
        data::writeWholeFile(path, json ? data::writeJson(table) : data::writeCsv(table));
    };
    m_session.read(write, [this, file, count = rows->size()](const QString& problem) {
        if (problem.isEmpty())
            Q_EMIT exported(tr("%1 runs were written to %2.").arg(count).arg(file));
        else
            Q_EMIT failed(problem);
    });
}

void RunsView::copySelected() {
    std::vector<std::string> order = m_table->columnOrder();
    std::vector<int> columns;
    QStringList lines, head;
    for (const std::string& path : order) {
        columns.push_back(*m_model->columnOf(path));
        head << m_model->columns()[static_cast<std::size_t>(columns.back())].title;
    }
    lines << head.join(QLatin1Char('\t'));
    for (const data::CatalogueRow* run : m_table->selectedRuns()) {
        QStringList cells;
        for (const int column : columns)
            cells << m_model->text(*run, static_cast<std::size_t>(column));
        lines << cells.join(QLatin1Char('\t'));
        if (static_cast<std::size_t>(lines.size()) > kMostCopied) {
            Q_EMIT failed(tr("Only the first %1 rows were copied; Export writes all rows.").arg(kMostCopied));
            break;
        }
    }
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')) + QLatin1Char('\n'));
}

void RunsView::chooseColumns() {
    auto* chooser = new ColumnChooser(m_columns, this);
    connect(chooser, &ColumnChooser::chosenChanged, this, [this, chooser] { showColumns(chooser->chosen()); });
    openOnce(*chooser);
}

void RunsView::showColumns(const std::vector<std::string>& columns) {
    m_columns = columns;
    m_table->showColumns(shownColumns());
    if (m_asked)
        ask();
}

void RunsView::followSelection() {
    const std::vector<std::int64_t> ids = m_table->selectedIds();
    m_table->setCompared(ids.size() == 2 ? ids : std::vector<std::int64_t>{});
    const auto enable = [this](const char* id, bool enabled, const QString& whyNot) {
        setAvailable(*m_commands.actionOf(id), enabled, whyNot);
    };
    const bool isRun = ids.size() == 1;
    const QString needsOne = tr("Select one run in the view Runs first."),
                  needsSome = tr("Select runs in the view Runs first.");
    for (const char* id : {"runs.open-experiment", "runs.note"})
        enable(id, isRun, needsOne);
    enable("runs.open", isRun || (!m_table->currentId() && m_table->currentIndex().isValid()), needsOne);
    enable("runs.pin-and-show", ids.size() == 2, tr("Select two runs in the view Runs first."));
    enable("runs.compare", ids.size() >= kLeastCompared && ids.size() <= kMostTimelines,
           tr("Select %1 to %2 runs in the view Runs first.").arg(kLeastCompared).arg(kMostTimelines));
    const bool removed = m_table->showsRemoved();
    for (const char* id : {"runs.tags", "runs.copy"})
        enable(id, !ids.empty(), needsSome);
    enable("runs.remove", !ids.empty() && !removed,
           removed ? tr("The trash is shown: its runs are removed.") : needsSome);
    enable("runs.restore", !ids.empty() && removed,
           removed ? needsSome : tr("Only runs in the trash can be restored. Show the trash first."));
    for (const char* id : {"runs.open-sweep", "runs.remove-sweep"})
        enable(id, m_sweeps->chosen().has_value(), tr("Choose a sweep in the view Runs first."));
    m_soon->start();
    report();
}

void RunsView::showDetails() {
    const std::vector<std::int64_t> ids = m_table->selectedIds();
    if (ids.empty()) {
        m_details->showHint();
    } else if (ids.size() > kMostDescribed) {
        m_details->showRows(m_model->list().find(ids));
    } else {
        m_described = ids;
        m_session.describe(ids);
        return;
    }
    m_described.clear();
}

void RunsView::takeDetails(const std::shared_ptr<const std::vector<KeptRun>>& runs) {
    std::vector<data::CatalogueRow> rows;
    for (const KeptRun& run : *runs) {
        for (const data::CatalogueRow* row : m_model->list().find({run.stored.id}))
            rows.push_back(*row);
    }
    if (runs->size() == m_described.size() && rows.size() == runs->size())
        m_details->showRuns(runs, std::move(rows));
}

QJsonValue RunsView::saved() const {
    QJsonArray columns;
    for (const std::string& path : m_columns)
        columns << text(path);
    QJsonObject widths;
    for (const auto& [path, width] : m_table->ownWidths())
        widths.insert(text(path), width);
    return QJsonObject{{QStringLiteral("columns"), columns},
                       {QStringLiteral("widths"), widths},
                       {QStringLiteral("sortedBy"), text(m_model->list().sortedBy())},
                       {QStringLiteral("descending"), m_model->list().isDescending()}};
}

bool RunsView::restore(const QJsonValue& kept) {
    const QJsonArray paths = kept[QStringLiteral("columns")].toArray();
    std::vector<std::string> columns;
    for (const QJsonValue& path : paths) {
        const std::string name = path.toString().toStdString();
        if (runColumn(name) && std::find(columns.begin(), columns.end(), name) == columns.end())
            columns.push_back(name);
    }
    const bool usable = columns.size() <= kMostColumns && !columns.empty() &&
                        std::find(columns.begin(), columns.end(), run_column::name) != columns.end();
    if (!usable)
        return false;
    std::map<std::string, double> widths;
    const QJsonObject keptWidths = kept[QStringLiteral("widths")].toObject();
    for (auto width = keptWidths.begin(); width != keptWidths.end(); ++width) {
        if (width.value().toDouble() > 0)
            widths[width.key().toStdString()] = width.value().toDouble();
    }
    showColumns(columns);
    m_table->setOwnWidths(std::move(widths));
    const QString sortedBy = kept[QStringLiteral("sortedBy")].toString();
    if (runColumn(sortedBy.toStdString()))
        sortBy(sortedBy, kept[QStringLiteral("descending")].toBool());
    return true;
}

}  // namespace ui
