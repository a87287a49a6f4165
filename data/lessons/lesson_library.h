#pragma once

#include "data/lessons/lesson.h"

#include <string>
#include <string_view>
#include <vector>

namespace data {

/// A lesson that comes with the program.
struct BundledLesson {
    std::string name;  ///< "ring-reduce-scatter"
    std::string file;  ///< its file without suffix: "02-ring-reduce-scatter"; the number is for sorting
    std::string title, summary;
};

/// Returns the bundled lessons in teaching order. Only the heads of their documents are read.
const std::vector<BundledLesson>& bundledLessons();

/// Returns a lesson by its name, its file or its number, counted from 1; null if there is none.
const BundledLesson* bundledLesson(std::string_view nameOrNumber);

LessonReading readBundledLesson(const BundledLesson& lesson);

/// Reads a bundled lesson by name, file or number, else a lesson's file.
LessonReading readAnyLesson(const std::string& nameOrFile);

}  // namespace data
