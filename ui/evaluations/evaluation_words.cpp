#include "ui/evaluations/evaluation_words.h"

#include "data/document/value_places.h"
#include "data/evaluations/measured_answer.h"
#include "data/presets/presets.h"
#include "engine/api/runner.h"
#include "ui/look/format.h"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

/// Returns "3 of 3 judged rows hold"; an empty text if no row is judged.
QString judgedText(const std::vector<data::ReproducedItem>& rows) {
    const auto count = [&](data::RowVerdict verdict) {
        return std::ranges::count(rows, verdict, &data::ReproducedItem::verdict);
    };
    const auto holds = count(data::RowVerdict::holds), judged = holds + count(data::RowVerdict::fails);
    if (judged == 0)
        return {};
    if (judged == 1)
        return holds == 1 ? EvaluationSession::tr("the one judged row holds")
                          : EvaluationSession::tr("the one judged row does not hold");
    return EvaluationSession::tr("%1 of %2 judged rows hold").arg(holds).arg(judged);
}

/// Returns "1 of 2 targets holds"; an empty text if there is no target that can be judged.
QString targetsText(const std::vector<data::MeasuredAnswer>& answers) {
    const auto holds = std::ranges::count_if(answers, [](const auto& answer) { return answer.holds == true; });
    const auto judged = std::ranges::count_if(answers, [](const auto& answer) { return answer.holds.has_value(); });
    if (judged == 0)
        return {};
    if (judged == 1)
        return holds == 1 ? EvaluationSession::tr("the target holds")
                          : EvaluationSession::tr("the target does not hold");
    return holds == 1 ? EvaluationSession::tr("1 of %1 targets holds").arg(judged)
                      : EvaluationSession::tr("%1 of %2 targets hold").arg(holds).arg(judged);
}

}  // namespace

QString evaluationCount(std::size_t count) { return formatCount(static_cast<std::int64_t>(count)); }

QString progressText(const data::Evaluation& evaluation, const EvaluationLook* look) {
    const std::size_t items = evaluation.items.size();
    if (look == nullptr || look->points == 0)
        return items == 1 ? EvaluationSession::tr("1 item")
                          : EvaluationSession::tr("%1 items").arg(evaluationCount(items));
    if (look->missing == 0)
        return look->points == 1 ? EvaluationSession::tr("1 point, run")
                                 : EvaluationSession::tr("%1 points, all run").arg(evaluationCount(look->points));
    return EvaluationSession::tr("%1 of %2 points run")
        .arg(evaluationCount(look->points - look->missing), evaluationCount(look->points));
}

QString pointsText(const EvaluationLook& look) {
    QStringList parts;
    if (look.points == 0)
        parts << EvaluationSession::tr("Computed from task documents, without a run");
    else if (look.missing == look.points)
        parts << (look.points == 1 ? EvaluationSession::tr("The point has not been run yet")
                                   : EvaluationSession::tr("None of the %1 points has been run yet")
                                         .arg(evaluationCount(look.points)));
    else if (look.missing > 0)
        parts << EvaluationSession::tr("%1 of %2 points are missing")
                     .arg(evaluationCount(look.missing), evaluationCount(look.points));
    else
        parts << (look.points == 1
                      ? EvaluationSession::tr("The point has ended")
                      : EvaluationSession::tr("All %1 points have ended").arg(evaluationCount(look.points)));
    if (look.failed > 0)
        parts << EvaluationSession::tr("%1 failed").arg(evaluationCount(look.failed));
    if (const std::size_t broken = look.reproduction.broken.runs; broken > 0)
        parts << EvaluationSession::tr("%1 broke an invariant").arg(evaluationCount(broken));
    if (const std::size_t notices = look.reproduction.notices.size(); notices > 0)
        parts << (notices == 1 ? EvaluationSession::tr("1 notice")
                               : EvaluationSession::tr("%1 notices").arg(evaluationCount(notices)));
    if (const QString judged = judgedText(look.reproduction.items); !judged.isEmpty())
        parts << judged;
    if (const QString targets = targetsText(look.reproduction.measured); !targets.isEmpty())
        parts << targets;
    return parts.join(QStringLiteral(" · "));
}

QString noticesText(const EvaluationLook& look) {
    QStringList lines;
    for (const engine::Notice& notice : look.reproduction.notices)
        lines << EvaluationSession::tr("Notice: %1: %2").arg(text(notice.path), text(notice.text));
    return lines.join(QLatin1Char('\n'));
}

QString constantsText(const data::Evaluation& evaluation, const EvaluationLook* look) {
    QStringList parts, fitted;
    if (look != nullptr)
        parts << EvaluationSession::tr("Constants %1, engine %2")
                     .arg(text(look->reproduction.constants), text(engine::engineVersion()));
    for (const data::CalibratedParameter& one : evaluation.calibrated)
        fitted << text(one.parameter);
    parts << (fitted.isEmpty() ? EvaluationSession::tr("No constant was fitted")
                               : EvaluationSession::tr("Fitted: %1").arg(fitted.join(QStringLiteral(", "))));
    return parts.join(QStringLiteral(" · "));
}

QString verdictText(const data::ReproducedItem& row) {
    using data::RowVerdict;
    switch (row.verdict) {
    case RowVerdict::holds: return EvaluationSession::tr("holds");
    case RowVerdict::fails: return row.allowedText.empty() ? text(row.note) : EvaluationSession::tr("does not hold");
    case RowVerdict::constantsChanged: return EvaluationSession::tr("constants changed");
    case RowVerdict::notRun: return EvaluationSession::tr("not run yet");
    case RowVerdict::unpublished:
    case RowVerdict::noNumber: return text(row.note);
    case RowVerdict::notJudged: return EvaluationSession::tr("not judged");
    }
    return {};
}

QString verdictReason(const data::ReproducedItem& row) {
    const QString verdict = verdictText(row);
    return row.allowedText.empty() ? verdict
                                   : EvaluationSession::tr("%1; allowed: %2").arg(verdict, text(row.allowedText));
}

QString differenceText(const data::ReproducedItem& row) {
    if (std::isnan(row.difference))
        return QStringLiteral("–");
    const QString number = text(data::signedNumber(row.difference * 100, 1)).replace(u'-', u'−');
    return row.isFraction ? EvaluationSession::tr("%1 points").arg(number) : number + QStringLiteral(" %");
}

QString roleMeaning(data::EvaluationRole role) {
    switch (role) {
    case data::EvaluationRole::exact:
        return EvaluationSession::tr(
            "exact: must equal the published number to one unit of its last printed digit, or within its tolerance");
    case data::EvaluationRole::calibrated:
        return EvaluationSession::tr("calibrated: constants were fitted to this number, so it is not evidence");
    case data::EvaluationRole::visible:
        return EvaluationSession::tr("visible: known while constants were chosen, but none was fitted to it alone");
    case data::EvaluationRole::blind:
        return EvaluationSession::tr("blind: compared only after the constants had been fixed");
    case data::EvaluationRole::context: return EvaluationSession::tr("context: shown without a difference");
    case data::EvaluationRole::atLeast:
        return EvaluationSession::tr("at_least: the document claims that our number is not below this one");
    case data::EvaluationRole::atMost:
        return EvaluationSession::tr("at_most: the document claims that our number is not above this one");
    case data::EvaluationRole::between:
        return EvaluationSession::tr("between: the document claims that our number lies between these two");
    }
    return {};
}

QString pairText(const data::ReproducedItem& row) {
    return EvaluationSession::tr("%1: %2, measured %3, %4")
        .arg(text(row.published.id), text(row.valueText), text(row.publishedText), differenceText(row));
}

QString answerText(const data::MeasuredAnswer& answer) {
    const data::Preset* preset = data::findMachine(answer.machine);
    QString name = answer.machine.empty() ? EvaluationSession::tr("All machines")
                   : preset != nullptr    ? text(preset->title)
                                          : text(answer.machine);
    if (!answer.target.empty())
        name += EvaluationSession::tr(", %1").arg(text(answer.what));
    QString line = EvaluationSession::tr("%1: %2").arg(name, text(data::sentenceOf(answer)));
    if (answer.holds)
        line += *answer.holds ? EvaluationSession::tr(". Target holds.")
                              : EvaluationSession::tr(". Target does not hold: %1.").arg(text(answer.failure));
    return line;
}

}  // namespace ui
