// Gives any bytes to the reader of lessons. It must return a list of problems, or a lesson whose steps can be run and
// whose texts can be shown. Nothing is simulated.
//
// The target is a function in the form of libFuzzer, which drives it in a build with clang and RINGSIDE_FUZZ. Otherwise
// replay.cpp drives it.

#include "data/lessons/lesson.h"
#include "tests/fuzz/checks.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

namespace fuzz::lesson {

void checkTexts(const data::Lesson& lesson, const std::string& text) {
    std::string again;
    for (const data::LessonPiece& piece : data::lessonPieces(text)) {
        require(!piece.isClaim || lesson.claim(piece.text) != nullptr, "every placeholder has a claim", text);
        again += piece.isClaim ? "{" + piece.text + "}" : piece.text;
    }
    require(again == text, "pieces are the whole text", text);
    for (const std::string& part : data::lessonLinks(text))
        require(data::isLessonPart(part), "every link leads to a part", text);
}

RINGSIDE_FUZZ_TARGET(fuzz_lesson)(const std::uint8_t* bytes, std::size_t size) {
    const data::LessonReading reading =
        data::readLesson(std::string_view(reinterpret_cast<const char*>(bytes), size), "input");
    require(reading.problems.size() <= data::kMostProblems, "problems are not too many", "");
    checkMessages(reading.problems);
    if (!reading.problems.empty())
        return 0;

    const data::Lesson& lesson = reading.lesson;
    require(!lesson.steps.empty() && lesson.steps.size() <= data::kMostLessonSteps, "an accepted lesson has steps", "");
    for (const data::LessonStep& step : lesson.steps) {
        require(!data::hasRun(step.draft) || data::expand(step.draft).runnable(), "an accepted step can be run",
                step.text);
        checkTexts(lesson, step.text);
        checkTexts(lesson, step.reveal);
        require(!step.play ||
                    (step.play->from >= 0 && step.play->from < step.play->to && step.play->to <= 1 &&
                     step.play->seconds >= data::kShortestLessonPlay && step.play->seconds <= data::kLongestLessonPlay),
                "what a step plays lies within the run", step.text);
        if (step.question)
            require(step.question->choices.empty() ? lesson.claim(step.question->claim) != nullptr
                                                   : step.question->right < step.question->choices.size(),
                    "a question has an answer", step.question->text);
        for (const data::LessonClaim& claim : step.claims) {
            require(!data::hasRun(claim.draft) || data::expand(claim.draft).runnable(), "what a claim is of can be run",
                    claim.name);
            require(std::isfinite(claim.value) && claim.tolerance >= 0, "a claim has a number", claim.text);
        }
    }
    return 0;
}

}  // namespace fuzz::lesson
