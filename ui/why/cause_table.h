#pragma once

#include "ui/look/value_table.h"
#include "ui/why/cause_shares.h"

#include <vector>

namespace ui {

/// Shows shareRows() with a bar of the causes in each row, and a last row for their sum. The table is high enough for
/// every cause and the total, and scrolls to further rows.
class CauseTable final : public ValueTable {
    Q_OBJECT

public:
    enum Column { nameColumn, barColumn, timeColumn, shareColumn };

    explicit CauseTable(QWidget* parent = nullptr);

    void showShares(std::vector<ShareRow> shares, const QString& heading);
    const std::vector<ShareRow>& shares() const { return m_shares; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void fitColumns() override;

private:
    std::vector<ShareRow> m_shares;
};

}  // namespace ui
