#pragma once

#include <functional>

class QLineEdit;

namespace ui {

/// Lets Ctrl+Z in a field take back an edit of the experiment, as it does everywhere else in the window: the field's own
/// history, which knows of one field only, never sees the key. While a text is being typed, Ctrl+Z and Escape call
/// `restore`, which gives the field back what it held before; where that is empty, both are left to the window.
void leaveUndoToTheWindow(QLineEdit& edit, std::function<void()> restore = {});

/// The same for a line that has no part in the experiment, such as a filter: its own history comes first, and Ctrl+Z is
/// left to the window once that is used up.
void shareUndoWithTheWindow(QLineEdit& edit);

}  // namespace ui
