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

/// What a person changes about kept runs: notes, tags, which are there at all. Seen at once, written by the session,
/// taken back by the undo stack; where the store refuses, what was seen is taken back too.
class RunEdits final : public QObject {
    Q_OBJECT

public:
    using Ids = std::vector<std::int64_t>;
    using Tags = std::map<std::int64_t, std::vector<std::string>>;

    /// Both must outlive it.
    RunEdits(CatalogueSession& session, RunsTable& table, QObject* parent = nullptr);

    QUndoStack& stack() { return m_stack; }
    void setNote(std::int64_t id, const QString& note);
    void setTags(const Tags& tags);
    /// They can be brought back.
    void trash(const Ids& ids);
    void restore(const Ids& ids);
    /// The sweep goes, its runs stay.
    void removeSweep(const data::StoredSweep& sweep);
    /// For good.
    void emptyTrash();

Q_SIGNALS:
    void trashed(int count);
    void sweepRemoved();
    /// They are there again as soon as change `number` is.
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
