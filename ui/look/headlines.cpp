#include "ui/look/headlines.h"

#include "data/laboratory/laboratory.h"
#include "data/results/headline_numbers.h"
#include "engine/api/policy_bounds.h"
#include "ui/look/company_words.h"

#include <QCoreApplication>

#include <cmath>

namespace ui {
namespace {

QString headlineTr(const char* text) { return QCoreApplication::translate("HeadlineStrip", text); }

// Sets number and remark of a part of the run. `of` names the whole, and `ofBriefly` is its short form for narrow places.
void setShare(Headline& headline, const data::HeadlineNumber& number, const QString& of, const QString& ofBriefly) {
    const std::optional<double> share = number.share();
    if (!share)
        return;
    headline.remark = formatPercent(*share) + QLatin1Char(' ') + of;
    headline.brief = formatPercent(*share) + QLatin1Char(' ') + ofBriefly;
}

void setTotal(Headline& headline, const engine::RunResult& result) {
    headline.remark = result.whole       ? headlineTr("until the last GPU ends")
                      : result.companion ? headlineTr("until both have ended")
                      : result.access    ? headlineTr("requests to memory")
                                         : headlineTr("one sub-layer, one GPU");
    headline.brief = result.whole       ? headlineTr("last GPU's end")
                     : result.companion ? headlineTr("both ended")
                     : result.access    ? headlineTr("requests")
                                        : headlineTr("sub-layer");
}

void setPart(Headline& headline, const data::HeadlineNumber& number) {
    setShare(headline, number, headlineTr("of the total"), headlineTr("total"));
    if (!number.stretch)
        return;
    const QString stretch = QString::number(*number.stretch, 'f', *number.stretch < 10 ? 2 : 1);
    headline.remark = headlineTr("%1\u00a0× alone").arg(stretch);
    headline.brief = headlineTr("%1× alone").arg(stretch);
    headline.tip = headlineTr("GEMM: %1 when it runs alone").arg(formatTime(number.alone->ps));
}

void setHidden(Headline& headline, const data::HeadlineNumber& number) {
    if (!number.time)
        return;
    setShare(headline, number, headlineTr("of communication"), headlineTr("comm."));
    headline.moreIsBetter = true;
    headline.isLost = number.isLost();
    if (headline.isLost) {
        headline.quantity = timeQuantity(-number.time->ps);
        headline.remark = headlineTr("slower than sequential");
        headline.brief = headlineTr("slower");
    }
    headline.tip =
        headlineTr(
            "Hidden: the time that this run saves against the sequential run. Hidden and exposed add up to %1, the "
            "communication of the sequential run")
            .arg(formatTime(number.whole->ps));
}

void setExposed(Headline& headline, const data::HeadlineNumber& number) {
    setShare(headline, number, headlineTr("of communication"), headlineTr("comm."));
    if (number.time)
        headline.tip = headlineTr("Exposed: the total minus the time of the GEMM alone");
}

void setSpeedup(Headline& headline, const data::HeadlineNumber& number) {
    headline.brief = headlineTr("over seq.");
    headline.remark = !number.ratio  ? headlineTr("no sequential run to compare")
                      : number.alone ? headlineTr("over sequential, %1").arg(formatTime(number.alone->ps))
                                     : headlineTr("over sequential");
}

void setCompany(Headline& headline, const data::HeadlineNumber& number) {
    headline.remark = headline.brief = headlineTr("until its end");
    if (const data::BesideTime& beside = *number.beside; beside.slowdown) {
        headline.remark = besideText(beside);
        headline.brief = beside.waits.ps > 0 ? headlineTr("waits %1").arg(formatTime(beside.waits.ps))
                         : data::isToldAsFactor(*beside.slowdown)
                             ? headlineTr("%1× alone").arg(*beside.slowdown, 0, 'f', 1)
                             : headline.remark;
    }
    if (number.alone)
        headline.tip = headlineTr("%1: %2 when it runs alone").arg(headline.title, formatTime(number.alone->ps));
}

void setCompanySpeedup(Headline& headline, const data::HeadlineNumber& number, const engine::CompanionResult& company) {
    headline.remark = headlineTr("no times alone to compare");
    headline.brief = headlineTr("over serial");
    if (!number.ratio)
        return;
    headline.remark = headlineTr("over serial execution");
    if (number.ofIdeal)
        headline.remark = headlineTr("over serial, %1 of ideal").arg(formatPercent(*number.ofIdeal));
    if (number.alone && company.idealSpeedup)
        headline.tip = headlineTr("Speed-up: both, one after the other, take %1; the ideal speed-up is %2×")
                           .arg(formatTime(number.alone->ps))
                           .arg(*company.idealSpeedup, 0, 'f', 3);
}

QString headlineTitle(data::HeadlineKind kind) {
    switch (kind) {
    case data::HeadlineKind::total: return headlineTr("Total");
    case data::HeadlineKind::gemm: return headlineTr("GEMM");
    case data::HeadlineKind::reduceScatter: return headlineTr("Reduce-scatter");
    case data::HeadlineKind::allToAll: return headlineTr("All-to-all");
    case data::HeadlineKind::allGather: return headlineTr("All-gather");
    case data::HeadlineKind::hidden: return headlineTr("Hidden");
    case data::HeadlineKind::exposed: return headlineTr("Exposed");
    case data::HeadlineKind::ownWork: return headlineTr("Own work");
    case data::HeadlineKind::companion: return headlineTr("Companion");
    case data::HeadlineKind::speedup: return headlineTr("Speed-up");
    }
    return {};
}

std::optional<Role> headlineRole(data::HeadlineKind kind) {
    switch (kind) {
    case data::HeadlineKind::gemm: return Role::gemm;
    case data::HeadlineKind::reduceScatter:
    case data::HeadlineKind::allToAll: return Role::reduceScatter;
    case data::HeadlineKind::allGather: return Role::allGather;
    default: return std::nullopt;
    }
}

Headline headlineOf(const data::HeadlineNumber& number, const engine::RunResult& result) {
    Headline headline{.title = headlineTitle(number.kind), .quantity = {QStringLiteral("–"), {}}};
    headline.role = headlineRole(number.kind);
    headline.isRatio = headline.moreIsBetter = number.kind == data::HeadlineKind::speedup;
    headline.inCompany = number.inCompany;
    if (number.time) {
        headline.quantity = timeQuantity(number.time->ps);
        headline.number = static_cast<double>(number.time->ps);
    } else if (number.ratio) {
        headline.quantity = {QString::number(*number.ratio, 'f', 3), QStringLiteral("×")};
        headline.number = number.ratio;
    }
    switch (number.kind) {
    case data::HeadlineKind::total: setTotal(headline, result); break;
    case data::HeadlineKind::gemm:
    case data::HeadlineKind::reduceScatter:
    case data::HeadlineKind::allToAll:
    case data::HeadlineKind::allGather: setPart(headline, number); break;
    case data::HeadlineKind::hidden: setHidden(headline, number); break;
    case data::HeadlineKind::exposed: setExposed(headline, number); break;
    case data::HeadlineKind::ownWork:
    case data::HeadlineKind::companion: setCompany(headline, number); break;
    case data::HeadlineKind::speedup:
        if (result.companion)
            setCompanySpeedup(headline, number, *result.companion);
        else
            setSpeedup(headline, number);
    }
    return headline;
}

QString withSign(double value, const QString& magnitude) {
    return (value < 0 ? QStringLiteral("−") : QStringLiteral("+")) + magnitude;
}

}  // namespace

QString Headline::shownTitle() const { return isLost ? headlineTr("Lost") : title; }

QString Headline::briefTitle() const {
    if (title == headlineTr("Reduce-scatter"))
        return headlineTr("RS");
    if (title == headlineTr("All-to-all"))
        return headlineTr("A2A");
    return title == headlineTr("All-gather") ? headlineTr("AG") : shownTitle();
}

std::vector<Headline> headlinesOf(const engine::RunResult& result) {
    std::vector<Headline> headlines;
    for (const data::HeadlineNumber& number : data::headlineNumbersOf(result))
        headlines.push_back(headlineOf(number, result));
    return headlines;
}

std::vector<Headline> headlinesOf(const data::LaboratoryRun& run) {
    std::vector<Headline> headlines = headlinesOf(run.result);
    const engine::BoundsResult least = engine::boundsOfAnyPolicy(data::asRun(run));
    headlines.front().tip =
        headlineTr("Total: no policy takes less than %1 (compute %2, links %3, memory %4 at their peak rates)")
            .arg(formatTime(least.total.ps), formatTime(least.compute.ps), formatTime(least.link.ps),
                 formatTime(least.memory.ps));
    if (run.result.companion)
        headlines.back().tip += (headlines.back().tip.isEmpty() ? QString() : QStringLiteral("\n")) +
                                companySentence(run.experiment, *run.result.companion);
    return headlines;
}

Difference differenceOf(const Headline& shown, const Headline& pinned) {
    if (!shown.number || !pinned.number || shown.inCompany != pinned.inCompany)
        return {headlineTr("not in both runs"), QStringLiteral("–"), Difference::Verdict::none};
    // For lost time more is worse; for hidden time more is better.
    const double sign = shown.isLost ? -1 : 1, base = sign * *pinned.number;
    const double more = sign * *shown.number - base;
    if (more == 0)
        return {headlineTr("no difference"), QStringLiteral("="), Difference::Verdict::none};
    const QString arrow = more > 0 ? QStringLiteral("▲ ") : QStringLiteral("▼ ");
    const QString amount = shown.isRatio ? QString::number(std::abs(more), 'f', 3) + QStringLiteral("×")
                                         : formatTime(std::llround(std::abs(more)), 3);
    Difference difference;
    if (base > 0) {
        const double percent = 100 * std::abs(more) / base;
        // Three digits are precise enough and can be read at a glance.
        const int decimals = percent < 1 ? 2 : percent < 100 ? 1 : 0;
        difference.brief = arrow + withSign(more, QString::number(percent, 'f', decimals)) + QStringLiteral("\u00a0%");
        difference.text = difference.brief + QStringLiteral("  ") + withSign(more, amount);
    } else {
        difference.text = difference.brief = arrow + withSign(more, amount);
    }
    difference.verdict =
        (more > 0) == (shown.moreIsBetter && !shown.isLost) ? Difference::Verdict::better : Difference::Verdict::worse;
    return difference;
}

}  // namespace ui
