#pragma once

#include "ui/look/value_table.h"

#include <QWidget>

#include <functional>
#include <optional>
#include <vector>

class QLabel;

namespace ui {

class RingMoment;
class ViewState;

/// The values behind a picture of a run at the time of the cursor, as a panel: a title and a table. Follows cursor,
/// focus, followed chunk and selection while it is visible.
class MomentTable final : public QWidget {
    Q_OBJECT

public:
    struct Content {
        QString title{};
        std::vector<ValueColumn> columns{};
        std::vector<ValueRow> rows{};
        /// The rows of what is selected in the picture; an empty optional: the selection is the table's own.
        std::optional<std::vector<std::size_t>> chosen{};
    };
    struct Config {
        QString name, spoken;                           ///< the table's names, see setNames()
        QString title{};                                ///< the object name of the title; empty: the panel has no title
        std::function<Content()> content;               ///< returns what is shown now
        std::function<void(std::size_t row)> choose{};  ///< called when the user selects a row
        std::function<void(std::size_t row)> press{};   ///< called when the user clicks a row or presses Return on it
        bool followsTime = true;                        ///< the content changes with the cursor
    };

    /// All must outlive the table.
    MomentTable(ViewState& viewState, RingMoment& moment, Config config, QWidget* parent = nullptr);

    ValueTable& table() { return *m_table; }
    /// Shows the content again if the table is visible, because it has changed by more than the time.
    void refresh();

private:
    void showContent();

    Config m_config;
    QLabel* m_title = nullptr;
    ValueTable* m_table;
};

}  // namespace ui
