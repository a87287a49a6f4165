#pragma once

#include "ui/compare/waterfall.h"
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

/// Why one run is faster than another: from A's total down to the other's, one bar a cause, and the answer in a sentence
/// above. Several runs stand side by side on one scale, their causes in the same lines.
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
    /// Of column `i`, with room for amounts.
    Scale scaleOf(std::size_t i) const;
    QFont headingFont(double room) const;
    QColor colourOf(const WaterfallStep& step) const;
    void paintGutter(QPainter& painter) const;
    void paintColumn(QPainter& painter, std::size_t i) const;
    void paintTotal(QPainter& painter, const Scale& scale, std::int64_t ps, double top,
                    const std::string& policy) const;
    void paintSteps(QPainter& painter, const WaterfallColumn& column, const Scale& scale) const;

    std::vector<WaterfallColumn> m_columns;
    std::vector<WaterfallStep> m_lines;  ///< the causes, or parts of runs, that there are
};

}  // namespace ui
