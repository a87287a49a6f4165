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

/// Dialog for changing shortcuts: a layout for all commands, or the shortcuts of single commands. Changes apply at
/// once; a refused change is explained beside its field.
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
    QMap<QString, QTreeWidgetItem*> m_items;  ///< by command id
};

}  // namespace ui
