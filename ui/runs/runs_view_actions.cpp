#include "data/document/whole_file.h"
#include "data/sweep/results_table.h"
#include "ui/look/format.h"
#include "ui/runs/column_chooser.h"
#include "ui/runs/run_details.h"
#include "ui/runs/run_edits.h"
#include "ui/runs/runs_model.h"
#include "ui/runs/runs_table.h"
#include "ui/runs/runs_view.h"
#include "ui/runs/sweep_list.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QJsonArray>
#include <QJsonObject>
#include <QMessageBox>
#include <QPushButton>
#include <QTimer>

#include <algorithm>

// What can be done with the runs that are selected.

namespace ui {
namespace {

constexpr std::size_t kMostDescribed = 2;  // more are told by their rows
constexpr std::size_t kLeastCompared = 2, kMostTimelines = 4;
constexpr std::size_t kMostColumns = 60, kMostCopied = 10'000;

}  // namespace

QUndoStack& RunsView::undoStack() { return m_edits->stack(); }

void RunsView::buildActions() {
    QList<QAction*> buttons;
    buttons << m_commands.add({.id = "runs.open",
                               .text = tr("Open &Timeline"),
                               .keys = {QKeySequence(Qt::Key_Return), QKeySequence(Qt::Key_Enter)},
                               .hint = tr("Simulates the run again and shows its timeline")},
                              this, &RunsView::openCurrent);
    buttons << m_commands.add({.id = "runs.open-experiment",
                               .text = tr("Open as &Experiment"),
                               .keys = {QKeySequence(Qt::Key_E)},
                               .hint = tr("Puts what was run into the form, to be changed and run")},
                              this, &RunsView::openExperiment);
    buttons << m_commands.add({.id = "runs.pin-and-show",
                               .text = tr("&Pin A, Show B"),
                               .keys = {QKeySequence(Qt::Key_P)},
                               .hint = tr("Both of the selected runs on one timeline: A in outlines, B over it")},
                              this, &RunsView::pinAndShow);
    buttons << m_commands.add({.id = "runs.compare",
                               .text = tr("Co&mpare"),
                               .keys = {QKeySequence(Qt::Key_X)},
                               .hint = tr("The two to four selected runs beneath each other, and why they differ")},
                              this, &RunsView::compareSelected);
    buttons << m_commands.add({.id = "runs.note",
                               .text = tr("Edit &Note"),
                               .keys = {QKeySequence(Qt::Key_N)},
                               .hint = tr("A line of your own about the run")},
                              this, &RunsView::editNote);
    buttons << m_commands.add({.id = "runs.tags",
                               .text = tr("Edit Ta&gs…"),
                               .keys = {QKeySequence(Qt::Key_T)},
                               .hint = tr("Words to find the selected runs by: tag:NAME in the filter")},
                              this, &RunsView::editTags);
    buttons << m_commands.add({.id = "runs.remove",
                               .text = tr("&Remove"),
                               .keys = {QKeySequence(Qt::Key_Delete)},
                               .hint = tr("Takes the selected runs out of the store; Undo brings them back")},
                              this, &RunsView::removeSelected);
    buttons << m_commands.add({.id = "runs.restore",
                               .text = tr("Bring &Back"),
                               .hint = tr("Returns the selected runs to where they were removed from")},
                              this, &RunsView::restoreSelected);
    m_table->addActions(buttons);
    m_details->setActions(buttons);
    m_table->addAction(m_commands.add({.id = "runs.copy",
                                       .text = tr("&Copy"),
                                       .keys = {QKeySequence::Copy},
                                       .hint = tr("The selected rows as a table, for a spreadsheet")},
                                      this, &RunsView::copySelected));
    m_commands.add({.id = "runs.columns",
                    .text = tr("C&olumns…"),
                    .keys = {QKeySequence(Qt::Key_C)},
                    .hint = tr("Parameters and results as columns of the table"),
                    .startsSection = true},
                   this, &RunsView::chooseColumns);
    m_commands.add({.id = "runs.export",
                    .text = tr("E&xport…"),
                    .hint = tr("Writes the selected runs, or all that are listed, as CSV or JSON")},
                   this, &RunsView::exportRequested);
    m_sweeps->addAction(m_commands.add({.id = "runs.open-sweep",
                                        .text = tr("Open the &Sweep"),
                                        .keys = {QKeySequence(Qt::Key_S)},
                                        .hint = tr("Shows the chosen sweep in the Sweep view"),
                                        .startsSection = true},
                                       this, &RunsView::openSweep));
    m_sweeps->addAction(m_commands.add({.id = "runs.remove-sweep",
                                        .text = tr("Remove the S&weep"),
                                        .hint = tr("Forgets which runs belong to it; the runs stay")},
                                       this, &RunsView::removeSweep));
    m_commands.add(
        {.id = "runs.empty-trash", .text = tr("Empty the &Trash…"), .hint = tr("Deletes for good what was removed")},
        this, &RunsView::emptyTrash);
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
    editor->setAttribute(Qt::WA_DeleteOnClose);
    connect(editor, &TagEditor::accepted, this, [this, editor] { m_edits->setTags(editor->tags()); });
    editor->open();
}

void RunsView::remove(const std::vector<std::int64_t>& ids) { m_edits->trash(ids); }

void RunsView::removeSelected() { remove(m_table->selectedIds()); }

void RunsView::restoreSelected() { m_edits->restore(m_table->selectedIds()); }

const data::StoredSweep* RunsView::chosenSweep() const {
    const auto& snapshot = m_model->list().snapshot();
    const std::optional<std::string> id = m_sweeps->chosen();
    if (!snapshot || !id)
        return nullptr;
    const auto at = std::find_if(snapshot->sweeps.begin(), snapshot->sweeps.end(),
                                 [&id](const data::StoredSweep& sweep) { return sweep.id == *id; });
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
    auto* box =
        new QMessageBox(QMessageBox::Question, tr("Empty the Trash"),
                        tr("Delete %1 removed runs for good? They cannot be brought back after that.").arg(count),
                        QMessageBox::Cancel, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    const QPushButton* yes = box->addButton(tr("Delete for Good"), QMessageBox::AcceptRole);
    connect(yes, &QPushButton::clicked, m_edits, &RunEdits::emptyTrash);
    box->open();
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
                if (!list.isMember(line))  // those stand with their sweep's line
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
            Q_EMIT failed(tr("The first %1 rows were copied; export writes all of them.").arg(kMostCopied));
            break;
        }
    }
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')) + QLatin1Char('\n'));
}

void RunsView::chooseColumns() {
    auto* chooser = new ColumnChooser(m_columns, this);
    chooser->setAttribute(Qt::WA_DeleteOnClose);
    connect(chooser, &ColumnChooser::chosenChanged, this, [this, chooser] { showColumns(chooser->chosen()); });
    chooser->open();
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
    const auto enable = [this](const char* id, bool enabled) { m_commands.actionOf(id)->setEnabled(enabled); };
    const bool isRun = ids.size() == 1;
    for (const char* id : {"runs.open-experiment", "runs.note"})
        enable(id, isRun);
    enable("runs.open", isRun || (!m_table->currentId() && m_table->currentIndex().isValid()));
    enable("runs.pin-and-show", ids.size() == 2);
    enable("runs.compare", ids.size() >= kLeastCompared && ids.size() <= kMostTimelines);
    const bool removed = m_table->showsRemoved();
    for (const char* id : {"runs.tags", "runs.copy"})
        enable(id, !ids.empty());
    enable("runs.remove", !ids.empty() && !removed);
    enable("runs.restore", !ids.empty() && removed);
    for (const char* id : {"runs.open-sweep", "runs.remove-sweep"})
        enable(id, m_sweeps->chosen().has_value());
    m_soon->start();
    tell();
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
