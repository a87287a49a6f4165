#pragma once

#include "data/lessons/lesson.h"
#include "data/lessons/lesson_check.h"

#include <QString>

#include <optional>

namespace ui {

struct LessonAnswer;

/// Converts a text of a lesson to rich text, with the numbers of its claims, paragraphs and strong text. The address of
/// a link is the part of the window that it points at. Without `links`, as on paper, only the text of links remains.
QString lessonHtml(const data::Lesson& lesson, const std::string& text, bool links = true);

/// A prediction compared with the true answer.
struct LessonVerdict {
    enum class Kind { none, right, near, far };
    Kind kind = Kind::none;  ///< none: there was no prediction
    QString words;           ///< a friendly sentence about the prediction
    /// For a predicted number: both numbers in base units, and the prediction as typed.
    struct Numbers {
        double predicted = 0, truth = 0;
        QString typed, revealed;
    };
    std::optional<Numbers> numbers{};
};

/// Judges a prediction. Precondition: the step has a question.
LessonVerdict verdictOf(const data::Lesson& lesson, const data::LessonStep& step, const LessonAnswer& answer);

/// Describes a claim that simulation does not confirm: the lesson's value and the simulated one.
QString disagreementText(const data::LessonVerdict& verdict);

}  // namespace ui
