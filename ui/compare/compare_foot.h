#pragma once

#include "ui/compare/waterfall.h"
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

/// Explains why one run is faster than another: a waterfall from A's total to the other run's total with a bar for each
/// cause, and a sentence above it. Several runs are side by side on one scale, with the same order of causes.
class WaterfallView final : public QWidget {
    Q_OBJECT

public:
    explicit WaterfallView(QWidget* parent = nullptr);

    void showColumns(std::vector<WaterfallColumn> columns);
    const std::vector<WaterfallColumn>& columns() const { return m_columns; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Scale {
        double left = 0, width = 1;
        std::int64_t from = 0, to = 1;
        double xOf(std::int64_t ps) const {
            return left + static_cast<double>(ps - from) * width / static_cast<double>(to - from);
        }
    };

    double line() const;
    double headHeight() const { return line() * 3.9; }
    double lineHeight() const;
    double gutter() const;
    double amountWidth() const;
    /// Returns the scale of column `i`, with room for amounts.
    Scale scaleOf(std::size_t i) const;
    QFont headingFont(double room) const;
    QColor colourOf(const WaterfallStep& step) const;
    void paintGutter(QPainter& painter) const;
    void paintColumn(QPainter& painter, std::size_t i) const;
    void paintTotal(QPainter& painter, const Scale& scale, std::int64_t ps, double top,
                    const std::string& policy) const;
    void paintSteps(QPainter& painter, const WaterfallColumn& column, const Scale& scale) const;

    std::vector<WaterfallColumn> m_columns;
    std::vector<WaterfallStep> m_lines;  ///< the causes, or parts of runs, that any column has
};

}  // namespace ui
