#pragma once

#include "ui/compare/waterfall.h"

#include <QWidget>

#include <string>
#include <vector>

namespace ui {

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
