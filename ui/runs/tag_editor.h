#pragma once

#include "data/store/run_catalogue.h"

#include <QDialog>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

class QLineEdit;
class QListWidget;

namespace ui {

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
