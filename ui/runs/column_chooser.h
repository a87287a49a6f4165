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

/// Dialog to choose the columns of the table of runs: a check box for each parameter and each result, with a search
/// field. Changes apply at once. The user changes the order by dragging in the table's header.
class ColumnChooser final : public QDialog {
    Q_OBJECT

public:
    ColumnChooser(std::vector<std::string> chosen, QWidget* parent);

    /// Returns the chosen columns: earlier ones in their order, then new ones.
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

/// Dialog for the tags of one or several runs: a check box for each tag, partially checked if only some runs have it,
/// and a field for new tags.
class TagEditor final : public QDialog {
    Q_OBJECT

public:
    /// `inUse`: all tags in the store, to choose from.
    TagEditor(const std::vector<const data::CatalogueRow*>& rows, const std::vector<std::string>& inUse,
              QWidget* parent);

    /// Returns the tags of each run after the dialog was accepted. A tag with a partially checked box stays on the runs
    /// that have it.
    std::map<std::int64_t, std::vector<std::string>> tags() const;

private:
    void addTyped();
    void addItem(const QString& tag, Qt::CheckState state);

    std::map<std::int64_t, std::vector<std::string>> m_before;
    QLineEdit* m_new;
    QListWidget* m_list;
};

}  // namespace ui
