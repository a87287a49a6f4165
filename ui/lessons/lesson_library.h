#pragma once

#include "data/lessons/lesson.h"

#include <QString>

#include <vector>

namespace ui {

/// A lesson that comes with the program.
struct BundledLesson {
    QString name;  ///< "ring-reduce-scatter", as --lesson takes it; --lesson also takes its number, counted from 1
    QString file;
    QString title, summary;
};

/// Returns the bundled lessons in teaching order. Only the heads of their files are read.
const std::vector<BundledLesson>& bundledLessons();

/// Returns a lesson by its name, by its file name without suffix ("01-ring-reduce-scatter"), or by its number; null if
/// there is none.
const BundledLesson* bundledLesson(const QString& nameOrNumber);

/// Returns a bundled lesson by its file; null if the file is not that of a bundled lesson.
const BundledLesson* bundledLessonOf(const QString& file);

/// Returns the lesson that a link names or contains. An unknown name and a step that does not exist are reported as
/// problems.
data::LessonReading lessonAt(const data::Scene::LessonPlace& place);

/// Reads a bundled lesson or a file.
data::LessonReading openLesson(const QString& file);

}  // namespace ui
