#pragma once

#include "data/lessons/lesson.h"
#include "data/lessons/lesson_check.h"

#include <QString>

#include <optional>

namespace ui {

struct LessonAnswer;

/// A text of a lesson as rich text: numbers of its claims filled in, paragraphs, strong words. The address of a link is the
/// part that it points at; without `links` its words stand alone, as on paper.
QString lessonHtml(const data::Lesson& lesson, const std::string& text, bool links = true);

/// A prediction beside what is true.
struct LessonVerdict {
    enum class Kind { none, right, near, far };
    Kind kind = Kind::none;  ///< none: nothing was predicted
    QString words;           ///< kind ones, whatever was predicted
    /// Where a number was predicted: both, in base units, and the prediction as it was typed.
    struct Numbers {
        double predicted = 0, truth = 0;
        QString typed, told;
    };
    std::optional<Numbers> numbers{};
};

/// Precondition: the step has a question.
LessonVerdict verdictOf(const data::Lesson& lesson, const data::LessonStep& step, const LessonAnswer& answer);

/// A claim with which simulation does not agree: what the lesson says, and what simulation gives.
QString disagreementText(const data::LessonVerdict& verdict);

/// The unit behind the number that a question asks for; empty: none.
QString lessonUnit(const data::LessonClaim& claim);

}  // namespace ui
