#pragma once

class QLineEdit;

namespace ui {

/// Ctrl+Z in a field of the form takes back an edit of the experiment, as it does everywhere else in the window:
/// the field's own history, which knows of one field only, never sees the key.
void leaveUndoToTheWindow(QLineEdit& edit);

}  // namespace ui
