#pragma once

#include "ui/compare/waterfall.h"
#include "ui/drawing/figure_canvas.h"
#include "ui/look/headlines.h"

#include <QWidget>

#include <cstddef>
#include <string>
#include <vector>

namespace ui {

/// One run of the table: its headlines, and their differences from those of run A.
struct DifferenceRow {
    QString letter, name;
    std::string policy;
    std::vector<Headline> headlines;      ///< empty: there is no run yet
    std::vector<Difference> differences;  ///< empty: this is run A
};

/// A table of the headlines of several runs, with the differences from the first run: sign, percentage and amount, in
/// the colour of better or worse.
class DifferenceTable final : public QWidget {
    Q_OBJECT

public:
    explicit DifferenceTable(QWidget* parent = nullptr);

    void showRows(std::vector<DifferenceRow> rows);
    const std::vector<DifferenceRow>& rows() const { return m_rows; }
    /// Returns the indices of the headlines that fit, in order; the tool tip shows all.
    std::vector<std::size_t> columns() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    double line() const;
    double rowHeight() const;
    /// Returns the minimum width of a column, which fits the longest number and the longest percentage.
    double neededCell() const;
    void paintHead(QPainter& painter, double left, double cell) const;
    void paintRow(QPainter& painter, const DifferenceRow& row, const QRectF& box, double left, double cell) const;
    const std::vector<Headline>* headlines() const;

    std::vector<DifferenceRow> m_rows;
};

/// Returns what explains why runs are faster or slower than A: their waterfalls in rows, with the amounts beside the
/// bars and a sentence above each.
FigureCanvas::Content waterfallContent(const std::vector<WaterfallColumn>& columns, data::FigureSpec figure);

}  // namespace ui
