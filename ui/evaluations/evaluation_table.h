#pragma once

#include "data/evaluations/reproduce.h"
#include "ui/look/value_table.h"

#include <vector>

namespace ui {

/// The table of an evaluation's rows, in the order of the document until a click on a title sorts them.
class EvaluationTable final : public ValueTable {
    Q_OBJECT

public:
    enum Column : int { item, what, ours, published, difference, label, role, verdict };

    explicit EvaluationTable(QWidget* parent = nullptr);

    /// Sets the rows. If their items are the same as before, the selection stays.
    void setItems(std::vector<data::ReproducedItem> items);
    const std::vector<data::ReproducedItem>& items() const { return m_items; }

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void fitColumns() override;

private:
    std::vector<data::ReproducedItem> m_items;
};

}  // namespace ui
