#include "data/lessons/lesson_library.h"

#include "data/document/bundled_json.h"
#include "data/document/names.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>

namespace data {
namespace {

std::vector<BundledLesson> findBundledLessons() {
    std::vector<BundledLesson> lessons;
    for (const BundledText& bundled : bundledLessonTexts()) {
        const std::string file(bundled.name);
        const auto head = nlohmann::json::parse(bundled.text);
        lessons.push_back({file.substr(file.find('-') + 1), file, head.at("title"), head.value("summary", "")});
    }
    return lessons;
}

}  // namespace

const std::vector<BundledLesson>& bundledLessons() {
    static const std::vector<BundledLesson> kLessons = findBundledLessons();
    return kLessons;
}

const BundledLesson* bundledLesson(std::string_view nameOrNumber) {
    const auto& lessons = bundledLessons();
    std::size_t number = 0;
    const char* end = nameOrNumber.data() + nameOrNumber.size();
    if (std::from_chars(nameOrNumber.data(), end, number).ptr == end && !nameOrNumber.empty())
        return number >= 1 && number <= lessons.size() ? &lessons[number - 1] : nullptr;
    const auto found = std::ranges::find_if(lessons, [&](const BundledLesson& lesson) {
        return lesson.name == nameOrNumber || lesson.file == nameOrNumber;
    });
    return found == lessons.end() ? nullptr : &*found;
}

LessonReading readBundledLesson(const BundledLesson& lesson) {
    const BundledText* bundled = findNamed(bundledLessonTexts(), &BundledText::name, std::string_view(lesson.file));
    return readLesson(bundled->text, lesson.file + ".json");
}

LessonReading readAnyLesson(const std::string& nameOrFile) {
    const BundledLesson* bundled = bundledLesson(nameOrFile);
    return bundled != nullptr ? readBundledLesson(*bundled) : readLessonFile(nameOrFile);
}

}  // namespace data
