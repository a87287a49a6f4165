#include "data/lessons/lesson_answer.h"

#include "data/document/readable_number.h"
#include "data/document/trimmed_text.h"
#include "data/lessons/lesson_text.h"

#include <cmath>

namespace data {
namespace {

constexpr double kAsGoodAsRight = 0.05, kNear = 0.25, kFarTooHigh = 2;

}  // namespace

NumberVerdict judgeNumber(const Lesson& lesson, const LessonClaim& claim, std::string_view typed) {
    using enum NumberVerdict::Kind;
    typed = trimmedText(typed);
    const auto number = lessonNumber(typed, lesson, claim);
    if (!number)
        return {far,
                "“" + std::string(typed) +
                    "” is not a number with a suitable unit, so it cannot be compared with the answer.",
                std::nullopt};
    const double difference = std::abs(number->value - claim.value);
    const double off = (number->value - claim.value) / std::abs(claim.value);
    const bool hits = difference <= claim.tolerance;
    if (hits || std::abs(off) <= kAsGoodAsRight)
        return {right, hits ? "Exactly right." : "Right, within a few percent.", number->value};
    if (off > kFarTooHigh)  // a number of hundreds of percent would not help
        return {far, "Not yet: much too high.", number->value};
    // The difference of shares is given in percentage points: 15 % is 3 points below 18 %, which is a sixth less.
    const std::string by = lessonUnit(claim) == "%" ? std::to_string(std::llround(difference * 100)) + " points"
                                                    : readablePercent(std::abs(off)).text();
    const bool isNear = std::abs(off) <= kNear;
    return {isNear ? near : far, (isNear ? "Close: " : "Not yet: ") + by + " too " + (off > 0 ? "high." : "low."),
            number->value};
}

}  // namespace data
