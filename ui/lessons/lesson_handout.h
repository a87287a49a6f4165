#pragma once

#include "data/lessons/lesson.h"

#include <QByteArray>
#include <QSizeF>

#include <functional>
#include <optional>
#include <vector>

class QPainter;

namespace ui {

/// What a step of a lesson shows, to be painted at any size.
struct LessonPicture {
    QSizeF size;                           ///< in units of its own, none of them 0
    std::function<void(QPainter&)> paint;  ///< into the rectangle from the origin to `size`
};

/// Whether a step shows something that the step before it does not: another experiment, moment or comparison.
bool hasPictureOfItsOwn(const data::Lesson& lesson, std::size_t step);

/// Returns a lesson as a PDF on A4: title, texts, pictures and questions, with page numbers. With `answers` each question
/// is followed by its answer; without, all answers and the pictures that give them away stand on pages of their own at the
/// end. `pictures`: one for each step; an empty optional for none. Needs a QGuiApplication for its fonts.
QByteArray lessonHandout(const data::Lesson& lesson, const std::vector<std::optional<LessonPicture>>& pictures,
                         bool answers);

}  // namespace ui
