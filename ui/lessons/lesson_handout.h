#pragma once

#include "data/lessons/lesson.h"

#include <QByteArray>
#include <QSizeF>
#include <QString>

#include <functional>
#include <optional>
#include <vector>

class QPainter;

namespace ui {

/// The picture of a lesson's step, which can be painted at any size.
struct LessonPicture {
    QSizeF size;                           ///< in units of its own; neither side is 0
    std::function<void(QPainter&)> paint;  ///< into the rectangle from the origin to `size`
};

/// Returns whether a step shows another experiment, time or comparison than the step before it.
bool hasPictureOfItsOwn(const data::Lesson& lesson, std::size_t step);

/// Returns a lesson as a PDF on A4: title, texts, pictures and questions, with page numbers. With `answers` each
/// question is followed by its answer; otherwise all answers, and the pictures that would give them away, are on
/// separate pages at the end. `pictures`: one for each step; an empty optional for none. Needs a QGuiApplication for
/// its fonts. `made`: the date for the metadata, in ISO 8601; empty for none.
QByteArray lessonHandout(const data::Lesson& lesson, const std::vector<std::optional<LessonPicture>>& pictures,
                         bool answers, const QString& made);

}  // namespace ui
