#pragma once

#include "ui/shared/catalogue_session.h"

#include <QObject>
#include <QUndoStack>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ui {

class RunsTable;

/// Changes kept runs: notes, tags, removing and restoring. A change is shown at once, written by the session, and can
/// be undone with the undo stack; if the store refuses it, the shown change is reverted.
class RunEdits final : public QObject {
    Q_OBJECT

public:
    using Ids = std::vector<std::int64_t>;
    using Tags = std::map<std::int64_t, std::vector<std::string>>;

    /// Both must outlive this object.
    RunEdits(CatalogueSession& session, RunsTable& table, QObject* parent = nullptr);

    QUndoStack& stack() { return m_stack; }
    void setNote(std::int64_t id, const QString& note);
    void setTags(const Tags& tags);
    /// Moves runs to the trash, from which they can be restored.
    void trash(const Ids& ids);
    void restore(const Ids& ids);
    /// Removes a sweep; its runs stay.
    void removeSweep(const data::StoredSweep& sweep);
    /// Deletes the runs in the trash for good.
    void emptyTrash();

Q_SIGNALS:
    void trashed(int count);
    void sweepRemoved();
    /// These runs exist again as soon as the store has applied change `number`.
    void restored(const std::vector<std::int64_t>& ids, quint64 number);
    void failed(const QString& text);

private:
    void writeNote(std::int64_t id, const std::string& note);
    void writeTags(const Tags& tags);
    void writeTrash(const Ids& ids);
    void writeRestore(const Ids& ids);
    void push(const QString& text, std::function<void()> redo, std::function<void()> undo);

    CatalogueSession& m_session;
    RunsTable& m_table;
    QUndoStack m_stack;
};

}  // namespace ui
