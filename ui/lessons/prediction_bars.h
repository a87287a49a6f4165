#pragma once

#include "ui/lessons/lesson_words.h"

#include <QWidget>

namespace ui {

/// What was predicted above what is, as two bars on one scale, so that a miss is seen before it is read.
class PredictionBars final : public QWidget {
    Q_OBJECT

public:
    explicit PredictionBars(QWidget* parent = nullptr);

    void show(const LessonVerdict::Numbers& numbers);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    LessonVerdict::Numbers m_numbers;
};

}  // namespace ui
