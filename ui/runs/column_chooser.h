#pragma once

#include <QDialog>

#include <string>
#include <vector>

class QLineEdit;
class QTreeWidget;

namespace ui {

/// Which columns the table of runs has: a mark for each parameter and each result, found by a few letters of its name.
/// What is marked is seen at once; the order is changed in the table's head, by dragging.
class ColumnChooser final : public QDialog {
    Q_OBJECT

public:
    ColumnChooser(std::vector<std::string> chosen, QWidget* parent);

    /// Those that were there keep their order, new ones follow.
    const std::vector<std::string>& chosen() const { return m_chosen; }

Q_SIGNALS:
    void chosenChanged();

private:
    void fill();
    void find(const QString& typed);
    void mark(const std::string& path, bool wanted);

    std::vector<std::string> m_chosen;
    QLineEdit* m_words;
    QTreeWidget* m_tree;
};

}  // namespace ui
