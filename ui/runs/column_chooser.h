#pragma once

#include "data/store/run_catalogue.h"

#include <QDialog>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

class QLineEdit;
class QListWidget;
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

/// The tags of one run or of several: a mark each, half a mark where only some have it, and a line for new ones.
class TagEditor final : public QDialog {
    Q_OBJECT

public:
    /// `inUse`: all that the store knows, to choose from.
    TagEditor(const std::vector<const data::CatalogueRow*>& rows, const std::vector<std::string>& inUse,
              QWidget* parent);

    /// By run, once it was accepted; what had half a mark stays as each run has it.
    std::map<std::int64_t, std::vector<std::string>> tags() const;

private:
    void addTyped();
    void addItem(const QString& tag, Qt::CheckState state);

    std::map<std::int64_t, std::vector<std::string>> m_before;
    QLineEdit* m_new;
    QListWidget* m_list;
};

}  // namespace ui
