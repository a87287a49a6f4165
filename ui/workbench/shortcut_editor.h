#pragma once

#include <QDialog>
#include <QMap>

class QComboBox;
class QKeySequenceEdit;
class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace ui {

class Commands;
class KeyBindings;

/// Gives commands other keys: a layout for all, one by one where that is not enough. What is refused is said at the
/// place where it was asked for, and everything else holds at once.
class ShortcutEditor final : public QDialog {
    Q_OBJECT

public:
    /// Both must outlive the dialog.
    ShortcutEditor(const Commands& commands, KeyBindings& bindings, QWidget* parent);

private:
    QWidget* buildTop();
    QWidget* buildFoot();
    void fill();
    void refresh();
    void applyFilter(const QString& words);
    void showCurrent();
    void assign();
    void answer(const std::optional<QString>& problem);
    QString currentId() const;

    const Commands& m_commands;
    KeyBindings& m_bindings;
    QComboBox* m_layout;
    QLineEdit* m_filter;
    QTreeWidget* m_tree;
    QKeySequenceEdit* m_key;
    QPushButton* m_remove;
    QPushButton* m_reset;
    QLabel* m_answer;
    QMap<QString, QTreeWidgetItem*> m_items;  ///< by command's id
};

}  // namespace ui
