#include "ui/model/advice_facts.h"

#include "ui/look/format.h"
#include "ui/model/division_words.h"
#include "ui/model/model_parts.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <array>

namespace ui {
namespace {

using data::RuleAdvice;
using data::RuleVerdict;

QString adviceTr(const char* text) { return QCoreApplication::translate("Advice", text); }

constexpr qsizetype kVerdictColumn = 1;

/// Returns the times, now and with the change, of the part that a rule is about. If the change alters the number of
/// tokens or GPUs, these are the times of one token.
std::array<engine::Duration, 2> comparedTimes(const RuleAdvice& rule) {
    const bool ofToken = rule.comparesTokens();
    const auto of = [&](const data::AdviceTimes& times) { return ofToken ? times.partOfToken : times.part; };
    return {of(*rule.now), of(*rule.changed)};
}

double relativeTime(const RuleAdvice& rule) {
    const auto [now, changed] = comparedTimes(rule);
    return static_cast<double>(changed.ps) / static_cast<double>(now.ps);
}

QString listOf(const QStringList& items) {
    return QStringLiteral("<ul style='margin-top:0'><li>%1</li></ul>").arg(items.join(QStringLiteral("</li><li>")));
}

}  // namespace

QString withFastUnits(const std::string& words) {
    static const QRegularExpression kBeforeUnit(QStringLiteral("(?<=\\d) (?=%|[mµnp]?s\\b)"));
    return text(words).replace(kBeforeUnit, QString(QChar(0x00a0)));
}

QString shortTitleOf(data::ShapeRule rule) {
    using enum data::ShapeRule;
    switch (rule) {
    case headsDivideWidth: return adviceTr("heads");
    case vocabulary: return adviceTr("vocabulary");
    case microBatch: return adviceTr("micro-batch");
    case tokens: return QStringLiteral("b s");
    case headSize: return QStringLiteral("h/a");
    case widthOfGpu: return QStringLiteral("h/t");
    case headsOfGpu: return QStringLiteral("b a/t");
    case degree: return QStringLiteral("t");
    case stagesDivideLayers: break;
    }
    return adviceTr("stages");
}

QString verdictWord(RuleVerdict verdict) {
    switch (verdict) {
    case RuleVerdict::holds: return adviceTr("holds");
    case RuleVerdict::broken: return adviceTr("broken");
    case RuleVerdict::unknown: break;
    }
    return adviceTr("not known");
}

QString adviceHeadline(const data::ModelAdvice& advice) {
    const QString title = divisionTitle({advice.experiment, advice.phase, {}});
    const std::size_t broken = advice.brokenRules();
    if (broken == 0)
        return adviceTr("%1: no rule is broken").arg(title);
    return (broken == 1 ? adviceTr("%1: %2 of %3 rules is broken") : adviceTr("%1: %2 of %3 rules are broken"))
        .arg(title)
        .arg(broken)
        .arg(advice.rules.size());
}

std::vector<ValueColumn> adviceColumns() {
    return {{adviceTr("rule"), true},
            {adviceTr("verdict"), true, adviceTr("Whether the experiment satisfies the rule")},
            {adviceTr("compared"), true, adviceTr("The part of a step that the rule is about")},
            {adviceTr("now"), false,
             adviceTr("Time of the part; GPU time of one token if the change alters the number of tokens or GPUs")},
            {adviceTr("with the change"), false,
             adviceTr("The same time with the smallest change that satisfies the rule")},
            {adviceTr("difference"), false, adviceTr("Difference of the two times, relative to now")},
            {adviceTr("step now"), false, adviceTr("Time of a step of one replica")},
            {adviceTr("step with the change"), false, adviceTr("Time of that step with the change")},
            {adviceTr("weights"), false, adviceTr("Change in the number of the model's weights")},
            {adviceTr("change"), true, adviceTr("Press Return to apply the change")}};
}

std::vector<ValueRow> adviceRows(const data::ModelAdvice& advice) {
    const QString none = QStringLiteral("–");
    std::vector<ValueRow> rows;
    for (const RuleAdvice& rule : advice.rules) {
        QStringList cells{text(data::title(rule.check.rule)), verdictWord(rule.check.verdict)};
        if (rule.now) {
            const auto [now, changed] = comparedTimes(rule);
            const QString token = rule.comparesTokens() ? adviceTr(" a token") : QString();
            cells << text(data::title(rule.scope)) << formatTime(now.ps) + token << formatTime(changed.ps) + token
                  << withFastUnits(data::relativeText(relativeTime(rule) - 1)) << formatTime(rule.now->step.time.ps)
                  << formatTime(rule.changed->step.time.ps);
        } else {
            cells << none << none << none << none << none << none;
        }
        cells << (rule.weightsChange ? withFastUnits(data::relativeText(*rule.weightsChange)) : none)
              << (rule.check.change.empty() ? none : text(data::changeTitle(rule.check.change)));
        rows.push_back(
            {cells, text(data::adviceSentence(rule)), rule.isBroken() ? std::optional(kVerdictColumn) : std::nullopt});
    }
    return rows;
}

QString adviceHtml(const data::ModelAdvice& advice) {
    QStringList holding, unknown;
    for (const RuleAdvice& rule : advice.rules) {
        const QString finding = text(rule.check.finding).toHtmlEscaped();
        if (rule.check.verdict == RuleVerdict::holds)
            holding << finding;
        if (rule.check.verdict == RuleVerdict::unknown)
            unknown << adviceTr("%1: %2").arg(text(data::title(rule.check.rule)).toHtmlEscaped(), finding);
    }
    QString html;
    if (!holding.isEmpty())
        html += adviceTr("<b>Rules that hold</b>") + listOf(holding);
    if (!unknown.isEmpty())
        html += adviceTr("<b>Rules that could not be checked</b>") + listOf(unknown);
    for (const engine::Notice& notice : advice.notices)
        html += paragraph(
            adviceTr("<b>Notice</b> %1: %2").arg(text(notice.path).toHtmlEscaped(), text(notice.text).toHtmlEscaped()));
    return html;
}

bool hasTimes(const data::ModelAdvice& advice) {
    return std::ranges::any_of(advice.rules, [](const RuleAdvice& rule) { return rule.now.has_value(); });
}

data::FigureSpec adviceFigure(const data::ModelAdvice& advice) {
    data::FigureSpec figure;
    data::FigurePanel& panel = figure.panels.emplace_back();
    panel.x.title = adviceTr("Rule").toStdString();
    panel.y.title = adviceTr("Time").toStdString();
    panel.y.relativeTo = adviceTr("as it is").toStdString();
    panel.y.from = 0;
    data::FigureSeries now{adviceTr("As it is").toStdString(), "series/0", {}, {}};
    data::FigureSeries changed{adviceTr("With the change").toStdString(), "series/1", {}, {}};
    QStringList says;
    for (const RuleAdvice& rule : advice.rules) {
        if (!rule.now)
            continue;
        panel.categories.labels.push_back(shortTitleOf(rule.check.rule).toStdString());
        now.values.emplace_back(1.0);
        changed.values.emplace_back(relativeTime(rule));
        says << text(data::adviceSentence(rule));
    }
    panel.marks.emplace_back(data::BarMark{{{{}, {std::move(now)}}, {{}, {std::move(changed)}}}, true});
    const engine::Experiment& experiment = advice.experiment;
    const QString model = text(experiment.workload.model), title = divisionTitle({experiment, advice.phase, {}});
    figure.provenance = provenanceOf(experiment, experiment.workload.model);
    figure.provenance.moment = adviceTr("Advice").toStdString();
    figure.name = fileNameOf(adviceTr("%1 advice").arg(model)).toStdString();
    figure.title = adviceTr("What broken rules cost: %1").arg(title).toStdString();
    figure.caption =
        adviceTr("%1: simulated time of the part that each broken rule is about, as it is and with the smallest change "
                 "that satisfies the rule. If the change alters the number of tokens or GPUs, the bars show the GPU "
                 "time of one token. Alignment of rows is not modelled.")
            .arg(title)
            .toStdString();
    figure.alternative = (says.join(QStringLiteral(". ")) + QLatin1Char('.')).toStdString();
    return figure;
}

}  // namespace ui
