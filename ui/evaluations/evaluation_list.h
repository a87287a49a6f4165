#pragma once

#include <QListWidget>
#include <QString>

#include <vector>

namespace ui {

/// An evaluation of the list: its title, how much of it has been run, in words and as a share, and a tool tip.
struct ListedEvaluation {
    QString title, state;
    double share = 1;
    QString tip;
};

/// The evaluations: the title of each with its state beneath, and a line across the foot while points are missing.
class EvaluationList final : public QListWidget {
    Q_OBJECT

public:
    explicit EvaluationList(QWidget* parent = nullptr);

    /// Shows these, with the one at `chosen` as the current one, and emits nothing.
    void show(const std::vector<ListedEvaluation>& evaluations, std::size_t chosen);
    QSize sizeHint() const override;
    using QListWidget::show;
};

}  // namespace ui
