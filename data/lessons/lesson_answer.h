#pragma once

#include "data/lessons/lesson.h"

#include <optional>
#include <string>
#include <string_view>

namespace data {

/// A predicted number compared with the true one.
struct NumberVerdict {
    enum class Kind { right, near, far };
    Kind kind = Kind::far;
    std::string words;            ///< a friendly sentence
    std::optional<double> value;  ///< the prediction in base units; empty if the text is no such number
};

/// Judges a number that a person typed, read as lessonNumber() reads it. It is right within the claim's tolerance or within
/// 5 %, and near within 25 %. The player of web pages judges in the same way (web/player/answers); a test compares both.
NumberVerdict judgeNumber(const Lesson& lesson, const LessonClaim& claim, std::string_view typed);

inline constexpr std::string_view kRightChoice = "Right.";
inline constexpr std::string_view kWrongChoice = "Not quite, but many would say so.";

}  // namespace data
