#pragma once

#include "data/lessons/lesson.h"

#include <QString>

#include <vector>

namespace ui {

/// A lesson that comes with the program.
struct BundledLesson {
    QString name;  ///< "ring-reduce-scatter", as --lesson takes it; its number, from 1, does as well
    QString file;
    QString title, summary;
};

/// In the order in which they are taken. Only their heads are read.
const std::vector<BundledLesson>& bundledLessons();

/// By name, also with its number in front as its file is called ("01-ring-reduce-scatter"), or by number; null for none.
const BundledLesson* bundledLesson(const QString& nameOrNumber);

/// By its file; null for a lesson that does not come with the program.
const BundledLesson* bundledLessonOf(const QString& file);

/// Returns the lesson that a link names or carries. A name that no bundled lesson has, and a step that it does not have, are
/// problems.
data::LessonReading lessonAt(const data::Scene::LessonPlace& place);

/// A bundled one, or a file.
data::LessonReading openLesson(const QString& file);

}  // namespace ui
