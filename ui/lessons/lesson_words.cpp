#include "ui/lessons/lesson_words.h"

#include "data/lessons/lesson_answer.h"
#include "data/lessons/lesson_text.h"
#include "ui/lessons/lesson_state.h"
#include "ui/look/format.h"

#include <QCoreApplication>

namespace ui {
namespace {

QString lessonTr(const char* text) { return QCoreApplication::translate("LessonWords", text); }

LessonVerdict::Kind kindOf(data::NumberVerdict::Kind kind) {
    using enum LessonVerdict::Kind;
    switch (kind) {
    case data::NumberVerdict::Kind::right: return right;
    case data::NumberVerdict::Kind::near: return near;
    case data::NumberVerdict::Kind::far: return far;
    }
    return far;
}

LessonVerdict verdictOfNumber(const data::Lesson& lesson, const data::LessonClaim& claim, const QString& typed) {
    const data::NumberVerdict judged = data::judgeNumber(lesson, claim, typed.toStdString());
    LessonVerdict verdict{kindOf(judged.kind), text(judged.words)};
    if (!judged.value)
        return verdict;
    const QString unit = text(data::lessonUnit(claim));
    const bool bare = !unit.isEmpty() && typed.trimmed().back().isDigit();
    verdict.numbers = {*judged.value, claim.value, bare ? typed.trimmed() + u' ' + unit : typed.trimmed(),
                       text(claim.text)};
    return verdict;
}

}  // namespace

QString lessonHtml(const data::Lesson& lesson, const std::string& written, bool links) {
    const auto link = [links](const std::string& words, const std::string& part) {
        return links ? "<a href=\"" + part + "\">" + words + "</a>" : words;
    };
    QString page;
    for (const std::string& paragraph : data::lessonParagraphs(lesson, written, link))
        page += QStringLiteral("<p style='margin-top:%1; margin-bottom:0; line-height:125%'>%2</p>")
                    .arg(page.isEmpty() ? QStringLiteral("0") : QStringLiteral("8px"), text(paragraph));
    return page;
}

LessonVerdict verdictOf(const data::Lesson& lesson, const data::LessonStep& step, const LessonAnswer& answer) {
    using enum LessonVerdict::Kind;
    const data::LessonQuestion& question = *step.question;
    if (!question.choices.empty()) {
        if (!answer.choice)
            return {};
        return *answer.choice == question.right ? LessonVerdict{right, text(data::kRightChoice)}
                                                : LessonVerdict{far, text(data::kWrongChoice)};
    }
    const data::LessonClaim* claim = lesson.claim(question.claim);
    if (claim == nullptr || answer.number.trimmed().isEmpty())
        return {};
    return verdictOfNumber(lesson, *claim, answer.number);
}

QString disagreementText(const data::LessonVerdict& verdict) {
    if (!verdict.failure.empty())
        return lessonTr("The step says %1 (%2), which cannot be checked: %3")
            .arg(text(verdict.claim.text), text(verdict.claim.name), text(verdict.failure));
    using enum data::LessonVerdict::Source;
    const QString says = verdict.source == simulation ? lessonTr("The step says %1 (%2); simulation gives %3.")
                         : verdict.source == division ? lessonTr("The step says %1 (%2); the division gives %3.")
                                                      : lessonTr("The step says %1 (%2); the trace gives %3.");
    return says.arg(text(verdict.claim.text), text(verdict.claim.name), text(verdict.simulatedText));
}

}  // namespace ui
