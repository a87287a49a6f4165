#include "ui/runs/run_edits.h"

#include "data/sweep/sweep_plan.h"
#include "ui/runs/runs_table.h"

#include <QUndoCommand>

namespace ui {
namespace {

class RunEdit final : public QUndoCommand {
public:
    RunEdit(const QString& text, std::function<void()> forth, std::function<void()> back)
        : QUndoCommand(text), m_forth(std::move(forth)), m_back(std::move(back)) {}
    void redo() override { m_forth(); }
    void undo() override { m_back(); }

private:
    std::function<void()> m_forth, m_back;
};

QString runsText(std::size_t count) { return count == 1 ? RunEdits::tr("a run") : RunEdits::tr("%1 runs").arg(count); }

}  // namespace

RunEdits::RunEdits(CatalogueSession& session, RunsTable& table, QObject* parent)
    : QObject(parent), m_session(session), m_table(table) {
    connect(&m_session, &CatalogueSession::changeFailed, this, [this](quint64 number, const QString& text) {
        m_table.rearrange([number](RunList& list) { list.drop(number); });
        Q_EMIT failed(text);
    });
}

void RunEdits::push(const QString& text, std::function<void()> redo, std::function<void()> undo) {
    m_stack.push(new RunEdit(text, std::move(redo), std::move(undo)));
}

void RunEdits::setNote(std::int64_t id, const QString& note) {
    const auto rows = m_table.list().find({id});
    if (rows.empty() || rows.front()->note == note.toStdString())
        return;
    push(
        tr("Edit Note"), [this, id, after = note.toStdString()] { writeNote(id, after); },
        [this, id, before = rows.front()->note] { writeNote(id, before); });
}

void RunEdits::writeNote(std::int64_t id, const std::string& note) {
    m_session.keepForGood({id});
    const std::uint64_t number =
        m_session.change([id, note](data::Store& store) { data::RunCatalogue(store).setNote(id, note); });
    std::vector<data::CatalogueRow> rows;
    for (const data::CatalogueRow* row : m_table.list().find({id})) {
        rows.push_back(*row);
        rows.back().note = note;
    }
    m_table.overlay(rows, number);
}

void RunEdits::setTags(const Tags& tags) {
    Ids ids;
    for (const auto& [id, after] : tags)
        ids.push_back(id);
    Tags before, after;
    for (const data::CatalogueRow* row : m_table.list().find(ids)) {
        if (row->tags == tags.at(row->id))
            continue;
        before[row->id] = row->tags;
        after[row->id] = tags.at(row->id);
    }
    if (!after.empty()) {
        push(
            tr("Edit Tags of %1").arg(runsText(after.size())), [this, after] { writeTags(after); },
            [this, before] { writeTags(before); });
    }
}

void RunEdits::writeTags(const Tags& tags) {
    std::map<std::vector<std::string>, Ids> groups;  // the store sets one list of tags for many runs
    Ids ids;
    for (const auto& [id, words] : tags) {
        groups[words].push_back(id);
        ids.push_back(id);
    }
    m_session.keepForGood(ids);
    const std::uint64_t number = m_session.change([groups](data::Store& store) {
        for (const auto& [words, members] : groups)
            data::RunCatalogue(store).setTags(members, words);
    });
    std::vector<data::CatalogueRow> rows;
    for (const data::CatalogueRow* row : m_table.list().find(ids)) {
        rows.push_back(*row);
        rows.back().tags = tags.at(row->id);
    }
    m_table.overlay(rows, number);
}

void RunEdits::trash(const Ids& ids) {
    if (ids.empty())
        return;
    push(
        tr("Remove %1").arg(runsText(ids.size())), [this, ids] { writeTrash(ids); },
        [this, ids] { writeRestore(ids); });
    Q_EMIT trashed(static_cast<int>(ids.size()));
}

void RunEdits::restore(const Ids& ids) {
    if (ids.empty())
        return;
    push(
        tr("Restore %1").arg(runsText(ids.size())), [this, ids] { writeRestore(ids); },
        [this, ids] { writeTrash(ids); });
}

// In the list of removed runs, trashing shows the runs again and restoring hides them.
void RunEdits::writeTrash(const Ids& ids) {
    m_session.keepForGood(ids);
    const std::uint64_t number = m_session.change([ids](data::Store& store) { data::RunCatalogue(store).trash(ids); });
    if (m_table.showsRemoved())
        m_table.rearrange([&ids](RunList& list) { list.unhide(ids); });
    else
        m_table.take(ids, number);
}

void RunEdits::writeRestore(const Ids& ids) {
    const std::uint64_t number =
        m_session.change([ids](data::Store& store) { data::RunCatalogue(store).restore(ids); });
    if (m_table.showsRemoved())
        m_table.take(ids, number);
    else
        m_table.rearrange([&ids](RunList& list) { list.unhide(ids); });
    Q_EMIT restored(ids, number);
}

void RunEdits::removeSweep(const data::StoredSweep& sweep) {
    data::SweepReading reading = data::readSweep(sweep.document, "the kept sweep");
    const auto remove = [this, id = sweep.id] {
        m_session.change([id](data::Store& store) { data::SweepStore(store).removeSweep(id); });
    };
    if (!reading.problems.empty()) {
        remove();  // cannot be undone, because this version cannot read the sweep's document
        return;
    }
    // The sweep is restored from its document, which defines its points; the runs of the points were kept.
    const auto bringBack = [this, kept = std::move(reading.sweep)] {
        m_session.change([kept](data::Store& store) { data::SweepStore(store).keepSweep(data::planOf(kept)); });
    };
    push(tr("Remove Sweep"), remove, bringBack);
    Q_EMIT sweepRemoved();
}

void RunEdits::emptyTrash() {
    m_stack.clear();  // deleted runs cannot be restored
    m_session.change([](data::Store& store) { data::RunCatalogue(store).emptyTrash(); });
}

}  // namespace ui
