#include "ui/lessons/lesson_library.h"

#include "data/document/names.h"
#include "ui/look/format.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

// At global scope, because the macro declares a function of the resource library; calling it makes the linker keep the
// library.
static void initLessons() { Q_INIT_RESOURCE(ringside); }

namespace ui {
namespace {

constexpr auto kFolder = ":/lessons";

QJsonObject documentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

std::vector<BundledLesson> findLessons() {
    initLessons();
    std::vector<BundledLesson> found;
    const QDir folder(QString::fromLatin1(kFolder));
    for (const QString& entry : folder.entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name)) {
        const QString file = folder.filePath(entry);
        const QJsonObject head = documentOf(file);
        // In "03-cu-split.json", the number is only for sorting.
        found.push_back({QFileInfo(entry).completeBaseName().section(u'-', 1), file,
                         head.value(QLatin1String("title")).toString(),
                         head.value(QLatin1String("summary")).toString()});
    }
    return found;
}

}  // namespace

const std::vector<BundledLesson>& bundledLessons() {
    static const std::vector<BundledLesson> kLessons = findLessons();
    return kLessons;
}

const BundledLesson* bundledLesson(const QString& nameOrNumber) {
    const auto& lessons = bundledLessons();
    bool isNumber = false;
    const auto number = nameOrNumber.toULongLong(&isNumber);
    if (isNumber)
        return number >= 1 && number <= lessons.size() ? &lessons[number - 1] : nullptr;
    const auto found = std::ranges::find_if(lessons, [&](const BundledLesson& lesson) {
        return lesson.name == nameOrNumber || QFileInfo(lesson.file).completeBaseName() == nameOrNumber;
    });
    return found == lessons.end() ? nullptr : &*found;
}

const BundledLesson* bundledLessonOf(const QString& file) {
    const auto found = std::ranges::find(bundledLessons(), file, &BundledLesson::file);
    return found == bundledLessons().end() ? nullptr : &*found;
}

data::LessonReading openLesson(const QString& path) {
    if (!path.startsWith(QLatin1String(kFolder)))
        return data::readLessonFile(path.toStdString());
    QFile file(path);
    data::LessonReading reading;
    if (file.open(QIODevice::ReadOnly))
        reading = data::readLesson(file.readAll().toStdString(), QFileInfo(path).fileName().toStdString());
    else
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
