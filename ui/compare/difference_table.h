#pragma once

#include "ui/look/headlines.h"

#include <QWidget>

#include <cstddef>
#include <string>
#include <vector>

namespace ui {

/// One run of the table: its headlines, and how each stands to that of A.
struct DifferenceRow {
    QString letter, name;
    std::string policy;
    std::vector<Headline> headlines;      ///< empty: there is no run yet
    std::vector<Difference> differences;  ///< empty: A itself
};

/// The numbers that people take home from a run, of several runs one beneath the other, and by how much each differs from
/// that of the first: sign, percent and amount, in the colour of better or worse.
class DifferenceTable final : public QWidget {
    Q_OBJECT

public:
    explicit DifferenceTable(QWidget* parent = nullptr);

    void showRows(std::vector<DifferenceRow> rows);
    const std::vector<DifferenceRow>& rows() const { return m_rows; }
    /// Which of the headlines there is room for, in their order; the others are in the tool tip.
    std::vector<std::size_t> columns() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    double line() const;
    double rowHeight() const;
    /// What one column needs at least: the longest number of all, the longest percentage.
    double neededCell() const;
    void paintHead(QPainter& painter, double left, double cell) const;
    void paintRow(QPainter& painter, const DifferenceRow& row, const QRectF& box, double left, double cell) const;
    const std::vector<Headline>* headlines() const;

    std::vector<DifferenceRow> m_rows;
};

}  // namespace ui
