#include "ui/shared/headlines.h"

#include "engine/api/results.h"

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

// A part of the run; `of` names the whole.
Headline share(const QString& title, engine::Duration part, engine::Duration whole, const QString& of, bool there,
               Role role) {
    const QString percent = there ? percentOf(part, whole) : QString();
    const Quantity quantity = there ? timeQuantity(part.ps) : Quantity{QStringLiteral("–"), {}};
    return {title,   quantity, percent.isEmpty() ? QString() : percent + QLatin1Char(' ') + of,
            percent, role,     there ? std::optional(static_cast<double>(part.ps)) : std::nullopt};
}

QString withSign(double value, const QString& magnitude) {
    return (value < 0 ? QStringLiteral("−") : QStringLiteral("+")) + magnitude;
}

}  // namespace

std::vector<Headline> headlinesOf(const engine::RunResult& result) {
    const engine::TimeResult& time = result.last.time;
    const bool exchanges = time.allToAll.ps > 0;
    const engine::Duration scatter = time.reduceScatter + time.allToAll;
    const engine::Duration communication = scatter + time.allGather;
    const bool computes = time.gemm.ps > 0;
    // All communication is the measure of what hid behind the GEMM. Under a CU split the all-gather hides as well, and
    // `overlapped` still counts the reduce-scatter alone; then that is the measure.
    const bool gatherHid = (time.overlapped + time.exposedCommunication).ps < communication.ps - time.allGather.ps / 2;
    Quantity speedup{QStringLiteral("–"), {}};
    QString against = headlineTr("no sequential run to compare");
    if (result.speedupOverSequential) {
        speedup = {QString::number(*result.speedupOverSequential, 'f', 3), QStringLiteral("×")};
        against = headlineTr("over sequential");
        if (result.isolated) {
            const engine::Duration sequential = result.isolated->gemm + result.isolated->reduceScatter +
                                                result.isolated->allGather + result.isolated->allToAll;
            against = headlineTr("over sequential, %1").arg(formatTime(sequential.ps));
        }
    }
    const QString ofTotal = headlineTr("of the total");
    std::vector<Headline> headlines{
        {headlineTr("Total"), timeQuantity(time.total.ps), headlineTr("one sub-layer, one GPU"),
         headlineTr("one sub-layer"), std::nullopt, static_cast<double>(time.total.ps)},
        share(headlineTr("GEMM"), time.gemm, time.total, ofTotal, computes, Role::gemm),
        share(exchanges ? headlineTr("All-to-all") : headlineTr("Reduce-scatter"), scatter, time.total, ofTotal,
              scatter.ps > 0, Role::reduceScatter),
        share(headlineTr("All-gather"), time.allGather, time.total, ofTotal, time.allGather.ps > 0, Role::allGather),
        share(headlineTr("Overlapped"), time.overlapped, gatherHid ? scatter : communication,
              gatherHid ? headlineTr("of the RS") : headlineTr("of communication"), computes, Role::overlapped),
        share(headlineTr("Exposed"), time.exposedCommunication, time.total, ofTotal, computes, Role::exposed),
        {headlineTr("Speed-up"), speedup, against, headlineTr("over sequential"), std::nullopt,
         result.speedupOverSequential, true, true},
    };
    headlines[4].moreIsBetter = true;  // what overlaps costs nothing
    return headlines;
}

Difference differenceOf(const Headline& shown, const Headline& pinned) {
    if (!shown.number || !pinned.number)
        return {headlineTr("not in both runs"), QStringLiteral("–"), Difference::Verdict::none};
    const double more = *shown.number - *pinned.number;
    if (more == 0)
        return {headlineTr("no difference"), QStringLiteral("="), Difference::Verdict::none};
    const QString arrow = more > 0 ? QStringLiteral("▲ ") : QStringLiteral("▼ ");
    const QString amount = shown.isRatio ? QString::number(std::abs(more), 'f', 3) + QStringLiteral("×")
                                         : formatTime(std::llround(std::abs(more)), 3);
    Difference difference;
    if (*pinned.number > 0) {
        const double percent = 100 * std::abs(more) / *pinned.number;
        // Three digits are enough to tell and few enough to be read at a glance.
        const int decimals = percent < 1 ? 2 : percent < 100 ? 1 : 0;
        difference.brief = arrow + withSign(more, QString::number(percent, 'f', decimals)) + QStringLiteral("\u00a0%");
        difference.text = difference.brief + QStringLiteral("  ") + withSign(more, amount);
    } else {
        difference.text = difference.brief = arrow + withSign(more, amount);
    }
    difference.verdict = (more > 0) == shown.moreIsBetter ? Difference::Verdict::better : Difference::Verdict::worse;
    return difference;
}

}  // namespace ui
