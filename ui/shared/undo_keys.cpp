#include "ui/shared/undo_keys.h"

#include <QKeyEvent>
#include <QLineEdit>

namespace ui {
namespace {

class UndoKeys final : public QObject {
public:
    using QObject::QObject;
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress)
            return false;
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool ours = key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo) ||
                          (key->key() == Qt::Key_Y && key->modifiers() == Qt::ControlModifier);
        if (ours)
            event->ignore();
        return ours;
    }
};

}  // namespace

void leaveUndoToTheWindow(QLineEdit& edit) { edit.installEventFilter(new UndoKeys(&edit)); }

}  // namespace ui
