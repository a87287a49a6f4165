#include "ui/look/undo_keys.h"

#include <QKeyEvent>
#include <QLineEdit>

#include <cstdint>
#include <utility>

namespace ui {
namespace {

class UndoKeys final : public QObject {
public:
    enum class History : std::uint8_t { window, ownFirst };

    UndoKeys(QLineEdit& edit, History history, std::function<void()> restore)
        : QObject(&edit), m_edit(edit), m_history(history), m_restore(std::move(restore)) {}

    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress)
            return false;
        auto* key = static_cast<QKeyEvent*>(event);
        const bool undoes = key->matches(QKeySequence::Undo);
        const bool escapes = key->key() == Qt::Key_Escape && key->modifiers() == Qt::NoModifier;
        if ((undoes || escapes) && m_restore && m_edit.isModified()) {
            key->accept();
            if (key->type() == QEvent::KeyPress)
                m_restore();
            return true;
        }
        const bool redoes =
            key->matches(QKeySequence::Redo) || (key->key() == Qt::Key_Y && key->modifiers() == Qt::ControlModifier);
        const bool hasOwn = (undoes && m_edit.isUndoAvailable()) || (redoes && m_edit.isRedoAvailable());
        const bool goesOn = (undoes || redoes) && !(hasOwn && m_history == History::ownFirst);
        if (goesOn)
            key->ignore();
        return goesOn;
    }

private:
    QLineEdit& m_edit;
    History m_history;
    std::function<void()> m_restore;
};

}  // namespace

void leaveUndoToTheWindow(QLineEdit& edit, std::function<void()> restore) {
    // A combo box that can be typed into has the keyboard itself, and hands its line on what it does not want.
    QWidget* keyboard = edit.focusProxy() != nullptr ? edit.focusProxy() : &edit;
    keyboard->installEventFilter(new UndoKeys(edit, UndoKeys::History::window, std::move(restore)));
}

void shareUndoWithTheWindow(QLineEdit& edit) {
    edit.installEventFilter(new UndoKeys(edit, UndoKeys::History::ownFirst, {}));
}

}  // namespace ui
