#include "ui/look/headlines.h"

#include "data/laboratory/laboratory.h"
#include "data/results/companion_slowdown.h"
#include "engine/api/policy_bounds.h"
#include "engine/api/run_times.h"
#include "ui/look/company_words.h"

#include <QCoreApplication>

#include <cmath>

namespace ui {
namespace {

QString headlineTr(const char* text) { return QCoreApplication::translate("HeadlineStrip", text); }

QString percentOf(engine::Duration part, engine::Duration whole) {
    if (whole.ps <= 0 || part.ps <= 0)
        return {};
    return formatPercent(static_cast<double>(part.ps) / static_cast<double>(whole.ps));
}

// Returns the headline of a part of the run. `of` names the whole, and `ofBriefly` is its short form for narrow places.
Headline share(const QString& title, engine::Duration part, engine::Duration whole, const QString& of,
               const QString& ofBriefly, bool there, std::optional<Role> role = {}) {
    const QString percent = there ? percentOf(part, whole) : QString();
    const Quantity quantity = there ? timeQuantity(part.ps) : Quantity{QStringLiteral("–"), {}};
    const auto remark = [&](const QString& base) {
        return percent.isEmpty() ? QString() : percent + QLatin1Char(' ') + base;
    };
    return {title,      quantity,
            remark(of), remark(ofBriefly),
            role,       there ? std::optional(static_cast<double>(part.ps)) : std::nullopt};
}

Headline gemmHeadline(const engine::TimeResult& time, const std::optional<engine::Hiding>& hiding) {
    Headline headline = share(headlineTr("GEMM"), time.gemm, time.total, headlineTr("of the total"),
                              headlineTr("total"), time.gemm.ps > 0, Role::gemm);
    if (!hiding || time.gemm.ps <= 0)
        return headline;
    const QString stretch = QString::number(hiding->gemmStretch, 'f', hiding->gemmStretch < 10 ? 2 : 1);
    headline.remark = headlineTr("%1\u00a0× alone").arg(stretch);
    headline.brief = headlineTr("%1× alone").arg(stretch);
    headline.tip = headlineTr("GEMM: %1 when it runs alone").arg(formatTime((time.total - hiding->exposed).ps));
    return headline;
}

Headline hiddenHeadline(const std::optional<engine::Hiding>& hiding) {
    if (!hiding)
        return share(headlineTr("Hidden"), {}, {}, {}, {}, false);
    const bool lost = hiding->hidden.ps < 0;
    const engine::Duration shown = lost ? engine::Duration{} - hiding->hidden : hiding->hidden;
    Headline headline = share(headlineTr("Hidden"), shown, hiding->communication(), headlineTr("of communication"),
                              headlineTr("comm."), true);
    headline.number = static_cast<double>(hiding->hidden.ps);
    headline.moreIsBetter = true;
    headline.isLost = lost;
    if (lost) {
        headline.remark = headlineTr("slower than sequential");
        headline.brief = headlineTr("slower");
    }
    headline.tip =
        headlineTr(
            "Hidden: the time that this run saves against the sequential run. Hidden and exposed add up to %1, the "
            "communication of the sequential run")
            .arg(formatTime(hiding->communication().ps));
    return headline;
}

Headline exposedHeadline(const std::optional<engine::Hiding>& hiding) {
    Headline headline = share(headlineTr("Exposed"), hiding ? hiding->exposed : engine::Duration{},
                              hiding ? hiding->communication() : engine::Duration{}, headlineTr("of communication"),
                              headlineTr("comm."), hiding.has_value());
    if (hiding)
        headline.tip = headlineTr("Exposed: the total minus the time of the GEMM alone");
    return headline;
}

Headline speedupHeadline(const engine::RunResult& result, const std::optional<engine::Hiding>& hiding) {
    Quantity speedup{QStringLiteral("–"), {}};
    QString against = headlineTr("no sequential run to compare");
    if (result.speedupOverSequential) {
        speedup = {QString::number(*result.speedupOverSequential, 'f', 3), QStringLiteral("×")};
        against = headlineTr("over sequential");
        if (hiding)
            against = headlineTr("over sequential, %1").arg(formatTime((result.last.time.total + hiding->hidden).ps));
    }
    return {headlineTr("Speed-up"),       speedup, against, headlineTr("over seq."), std::nullopt,
            result.speedupOverSequential, true,    true};
}

Headline companyHeadline(const QString& title, engine::Duration time, const std::optional<engine::Duration>& alone,
                         const data::BesideTime& beside) {
    Headline headline{title, timeQuantity(time.ps),       headlineTr("until its end"), headlineTr("until its end"),
                      {},    static_cast<double>(time.ps)};
    if (beside.slowdown) {
        headline.remark = besideText(beside);
        headline.brief = beside.waits.ps > 0 ? headlineTr("waits %1").arg(formatTime(beside.waits.ps))
                         : data::isToldAsFactor(*beside.slowdown)
                             ? headlineTr("%1× alone").arg(*beside.slowdown, 0, 'f', 1)
                             : headline.remark;
    }
    headline.inCompany = true;
    if (alone)
        headline.tip = headlineTr("%1: %2 when it runs alone").arg(title, formatTime(alone->ps));
    return headline;
}

Headline companySpeedup(const engine::CompanionResult& company) {
    Headline headline{headlineTr("Speed-up"),
                      {QStringLiteral("–"), {}},
                      headlineTr("no times alone to compare"),
                      headlineTr("over serial"),
                      std::nullopt,
                      company.speedupOverSerial,
                      true,
                      true};
    headline.inCompany = true;
    if (!company.speedupOverSerial)
        return headline;
    headline.quantity = {QString::number(*company.speedupOverSerial, 'f', 3), QStringLiteral("×")};
    headline.remark = headlineTr("over serial execution");
    if (company.fractionOfIdeal) {
        const QString share = formatPercent(*company.fractionOfIdeal);
        headline.remark = headlineTr("over serial, %1 of ideal").arg(share);
    }
    if (company.serial && company.idealSpeedup)
        headline.tip = headlineTr("Speed-up: both, one after the other, take %1; the ideal speed-up is %2×")
                           .arg(formatTime(company.serial->ps))
                           .arg(*company.idealSpeedup, 0, 'f', 3);
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
    const engine::TimeResult& time = engine::timesOfRun(result);
    const std::optional<engine::Hiding> hiding = engine::hidingOf(result);
    const engine::Duration scatter = time.reduceScatter + time.allToAll;
    const QString ofTotal = headlineTr("of the total"), briefly = headlineTr("total");
    const engine::CompanionResult* company = result.companion ? &*result.companion : nullptr;
    return {{headlineTr("Total"), timeQuantity(time.total.ps),
             result.whole         ? headlineTr("until the last GPU ends")
             : company != nullptr ? headlineTr("until both have ended")
             : result.access      ? headlineTr("requests to memory")
                                  : headlineTr("one sub-layer, one GPU"),
             result.whole         ? headlineTr("last GPU's end")
             : company != nullptr ? headlineTr("both ended")
             : result.access      ? headlineTr("requests")
                                  : headlineTr("sub-layer"),
             std::nullopt, static_cast<double>(time.total.ps)},
            gemmHeadline(time, hiding),
            share(time.allToAll.ps > 0 ? headlineTr("All-to-all") : headlineTr("Reduce-scatter"), scatter, time.total,
                  ofTotal, briefly, scatter.ps > 0, Role::reduceScatter),
            share(headlineTr("All-gather"), time.allGather, time.total, ofTotal, briefly, time.allGather.ps > 0,
                  Role::allGather),
            company != nullptr
                ? companyHeadline(headlineTr("Own work"), company->own, company->ownAlone, data::ownBeside(*company))
                : hiddenHeadline(hiding),
            company != nullptr ? companyHeadline(headlineTr("Companion"), company->time, company->alone,
                                                 data::companionBeside(*company))
                               : exposedHeadline(hiding),
            company != nullptr ? companySpeedup(*company) : speedupHeadline(result, hiding)};
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
