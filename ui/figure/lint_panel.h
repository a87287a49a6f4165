#pragma once

#include "ui/figure/figure_lint.h"

#include <QScrollArea>

#include <vector>

class QLabel;
class QVBoxLayout;

namespace ui {

/// What a reviewer or a camera-ready checker would object to, a line each, with a button where it can be mended here.
class LintPanel final : public QScrollArea {
    Q_OBJECT

public:
    explicit LintPanel(QWidget* parent = nullptr);

    void showFindings(std::vector<LintFinding> findings);
    /// While there is no figure.
    void showNothing();
    const std::vector<LintFinding>& findings() const { return m_findings; }
    QString headline() const;
    QSize sizeHint() const override;

Q_SIGNALS:
    /// Position in findings(), which has a fix.
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
