#include "ui/lessons/lesson_words.h"

#include "ui/lessons/lesson_state.h"
#include "ui/look/format.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <cmath>

namespace ui {
namespace {

constexpr double kAsGoodAsRight = 0.05, kNear = 0.25;

QString lessonTr(const char* text) { return QCoreApplication::translate("LessonWords", text); }

/// Keeps number and unit on one line.
QString unbroken(QString text) { return text.replace(u' ', QChar(0x00a0)); }

LessonVerdict verdictOfNumber(const data::Lesson& lesson, const data::LessonClaim& claim, const QString& typed) {
    using enum LessonVerdict::Kind;
    const auto number = data::lessonNumber(typed.trimmed().toStdString(), lesson, claim);
    if (!number)
        return {far, lessonTr("“%1” is not a number with a suitable unit, so it cannot be compared with the answer.")
                         .arg(typed.trimmed())};
    LessonVerdict verdict;
    const QString unit = lessonUnit(claim);
    const bool bare = !unit.isEmpty() && typed.trimmed().back().isDigit();
    verdict.numbers = {number->value, claim.value, bare ? typed.trimmed() + u' ' + unit : typed.trimmed(),
                       text(claim.text)};
    const double off = (number->value - claim.value) / std::abs(claim.value);
    const bool hits = std::abs(number->value - claim.value) <= claim.tolerance;
    if (hits || std::abs(off) <= kAsGoodAsRight) {
        verdict.kind = right;
        verdict.words = hits ? lessonTr("Exactly right.") : lessonTr("Right, within a few percent.");
    } else {
        // The difference of shares is given in percentage points: 15 % is 3 points below 18 %, which is a sixth less.
        const QString by = unit == QLatin1String("%")
                               ? lessonTr("%1 points").arg(std::llround(std::abs(number->value - claim.value) * 100))
                               : formatPercent(std::abs(off));
        verdict.kind = std::abs(off) <= kNear ? near : far;
        verdict.words = (verdict.kind == near ? lessonTr("Close: %1 too %2.") : lessonTr("Not yet: %1 too %2."))
                            .arg(by, off > 0 ? lessonTr("high") : lessonTr("low"));
        if (off > 2)  // a number of hundreds of percent would not help
            verdict.words = lessonTr("Not yet: much too high.");
    }
    return verdict;
}

}  // namespace

QString lessonHtml(const data::Lesson& lesson, const std::string& written, bool links) {
    QString html;
    for (const data::LessonPiece& piece : data::lessonPieces(written)) {
        const data::LessonClaim* claim = piece.isClaim ? lesson.claim(piece.text) : nullptr;
        if (claim != nullptr)
            html += QStringLiteral("<b>%1</b>").arg(unbroken(text(claim->text)).toHtmlEscaped());
        else
            html += text(piece.text).toHtmlEscaped();
    }
    static const QRegularExpression kStrong(QStringLiteral("\\*\\*(.+?)\\*\\*"));
    html.replace(kStrong, QStringLiteral("<b>\\1</b>"));
    static const QRegularExpression kLink(QStringLiteral("\\[([^\\[\\]]*)\\]\\(([^)]*)\\)"));
    html.replace(kLink, links ? QStringLiteral("<a href=\"\\2\">\\1</a>") : QStringLiteral("\\1"));
    QString page;
    for (const QString& paragraph : html.split(QStringLiteral("\n\n"), Qt::SkipEmptyParts))
        page += QStringLiteral("<p style='margin-top:%1; margin-bottom:0; line-height:125%'>%2</p>")
                    .arg(page.isEmpty() ? QStringLiteral("0") : QStringLiteral("8px"), paragraph.trimmed());
    return page;
}

LessonVerdict verdictOf(const data::Lesson& lesson, const data::LessonStep& step, const LessonAnswer& answer) {
    using enum LessonVerdict::Kind;
    const data::LessonQuestion& question = *step.question;
    if (!question.choices.empty()) {
        if (!answer.choice)
            return {};
        return *answer.choice == question.right ? LessonVerdict{right, lessonTr("Right.")}
                                                : LessonVerdict{far, lessonTr("Not quite, but many would say so.")};
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

QString lessonUnit(const data::LessonClaim& claim) {
    const QString shown = text(claim.text);
    const qsizetype at = shown.lastIndexOf(u' ');
    return at < 0 ? QString() : shown.mid(at + 1);
}

}  // namespace ui
