#pragma once

#include <QWidget>

namespace ui {

/// Lies over numbers that would give an answer away, until it was told. What is under it stays where it is.
class AnswerCover final : public QWidget {
    Q_OBJECT

public:
    /// Over the whole of `numbers`, whose child it becomes; hidden at first.
    explicit AnswerCover(QWidget& numbers);

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace ui
