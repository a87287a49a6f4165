#pragma once

#include "ui/figure/figure_lint.h"

#include <QScrollArea>

#include <vector>

class QLabel;
class QVBoxLayout;

namespace ui {

/// Shows the findings of the lint, one in each row, with a button for each finding that can be fixed automatically.
class LintPanel final : public QScrollArea {
    Q_OBJECT

public:
    explicit LintPanel(QWidget* parent = nullptr);

    void showFindings(std::vector<LintFinding> findings);
    /// Shows that there is no figure.
    void showNothing();
    const std::vector<LintFinding>& findings() const { return m_findings; }
    QString headline() const;
    QSize sizeHint() const override;

Q_SIGNALS:
    /// The user wants to fix the finding with this index in findings().
    void fixRequested(std::size_t finding);

private:
    void rebuild();
    QWidget* lineOf(std::size_t finding);

    std::vector<LintFinding> m_findings;
    bool m_hasFigure = false;
    QLabel* m_headline;
    QVBoxLayout* m_lines;
};

}  // namespace ui
