#pragma once

#include "data/lessons/lesson.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace data {

/// Makes the HTML of a link in a lesson's text, from words in HTML and the part that it points at.
using LessonLinkHtml = std::function<std::string(const std::string& words, const std::string& part)>;

/// Returns the paragraphs of a lesson's text as HTML, escaped: the numbers of its claims and the words between ** are
/// bold, and a number stays on one line with its unit.
std::vector<std::string> lessonParagraphs(const Lesson& lesson, std::string_view text, const LessonLinkHtml& link);

/// Returns the unit after the number of a claim, which a question for it asks for: "ms"; empty if there is none.
std::string lessonUnit(const LessonClaim& claim);

}  // namespace data
