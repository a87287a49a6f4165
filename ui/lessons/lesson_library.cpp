#include "ui/lessons/lesson_library.h"

#include "data/document/names.h"
#include "data/lessons/lesson_library.h"
#include "ui/look/format.h"

#include <QFileInfo>

#include <algorithm>

namespace ui {
namespace {

// The window names a bundled lesson like a file, with a name that no file has.
constexpr auto kFolder = ":/lessons/";

QString fileOf(const data::BundledLesson& lesson) {
    return QString::fromLatin1(kFolder) + text(lesson.file) + QStringLiteral(".json");
}

std::vector<BundledLesson> findLessons() {
    std::vector<BundledLesson> found;
    for (const data::BundledLesson& lesson : data::bundledLessons())
        found.push_back({text(lesson.name), fileOf(lesson), text(lesson.title), text(lesson.summary)});
    return found;
}

}  // namespace

const std::vector<BundledLesson>& bundledLessons() {
    static const std::vector<BundledLesson> kLessons = findLessons();
    return kLessons;
}

const BundledLesson* bundledLesson(const QString& nameOrNumber) {
    const data::BundledLesson* lesson = data::bundledLesson(nameOrNumber.toStdString());
    return lesson == nullptr ? nullptr : bundledLessonOf(fileOf(*lesson));
}

const BundledLesson* bundledLessonOf(const QString& file) {
    const auto found = std::ranges::find(bundledLessons(), file, &BundledLesson::file);
    return found == bundledLessons().end() ? nullptr : &*found;
}

data::LessonReading openLesson(const QString& path) {
    if (!path.startsWith(QLatin1String(kFolder)))
        return data::readLessonFile(path.toStdString());
    if (const data::BundledLesson* lesson = data::bundledLesson(QFileInfo(path).completeBaseName().toStdString()))
        return data::readBundledLesson(*lesson);
    data::LessonReading reading;
    reading.problems.push_back({path.toStdString(), "", "there is no such lesson"});
    return reading;
}

data::LessonReading lessonAt(const data::Scene::LessonPlace& place) {
    data::LessonReading reading;
    if (place.name.empty()) {
        reading = data::readLesson(place.document, "link");
    } else if (const BundledLesson* lesson = bundledLesson(text(place.name))) {
        reading = openLesson(lesson->file);
    } else {
        std::vector<std::string> names;
        for (const BundledLesson& one : bundledLessons())
            names.push_back(one.name.toStdString());
        reading.problems.push_back(
            {"lesson.name", place.name, "no such lesson; allowed: " + data::joined(names, ", ")});
    }
    if (reading.problems.empty() && place.step >= reading.lesson.steps.size())
        reading.problems.push_back({"lesson.step", std::to_string(place.step + 1),
                                    "no such step; allowed: 1 to " + std::to_string(reading.lesson.steps.size())});
    return reading;
}

}  // namespace ui
