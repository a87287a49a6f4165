#pragma once

#include <QListWidget>
#include <QString>

#include <vector>

namespace ui {

/// An entry of the list: the title of an evaluation, its progress as a text and as a share, and a tool tip.
struct ListedEvaluation {
    QString title, state;
    double share = 1;
    QString tip;
};

/// The list of evaluations: each title with its state below, and a progress line at the bottom while points are
/// missing.
class EvaluationList final : public QListWidget {
    Q_OBJECT

public:
    explicit EvaluationList(QWidget* parent = nullptr);

    /// Shows these entries and makes `chosen` the current one, without emitting a signal.
    void show(const std::vector<ListedEvaluation>& evaluations, std::size_t chosen);
    QSize sizeHint() const override;
    using QListWidget::show;
};

}  // namespace ui
