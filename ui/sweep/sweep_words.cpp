#include "ui/sweep/sweep_words.h"

#include "data/questions/best_of.h"
#include "data/results/metrics.h"
#include "data/sweep/point_texts.h"
#include "ui/look/format.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

QString wordsTr(const char* words) { return QCoreApplication::translate("SweepWords", words); }
QString count(std::size_t number) { return formatCount(static_cast<std::int64_t>(number)); }

QString points(std::size_t number) {
    return number == 1 ? wordsTr("1 point") : wordsTr("%1 points").arg(count(number));
}

QString joined(const QStringList& parts) { return parts.join(QStringLiteral("  ·  ")); }

/// Returns the values of a point's axes and its policy: "Entries 256, T3-MCA".
QString placeWords(const data::SweepTable& table, std::size_t point) {
    const data::SweepRow& row = table.rows[point];
    QStringList places;
    for (std::size_t axis = 0; axis < table.sweep.axes.size(); ++axis) {
        for (const data::AxisColumn& column : table.sweep.axes[axis].columns) {
            const engine::Parameter& parameter = *engine::findParameter(column.path);
            places << wordsTr("%1 %2").arg(text(parameter.label), text(data::textOf(column, row.at[axis])));
        }
    }
    if (data::isTimed(table.sweep.of))
        places << titleOfPolicy(table.sweep.policies[row.policy]);
    return places.join(QStringLiteral(", "));
}

/// Returns which of the equally good points costs least. Precondition: an axis of the sweep has a cost.
QString cheapestWords(const data::SweepTable& table, const data::Metric& metric, const data::BestOf& best) {
    constexpr std::size_t kMostNamed = 2;
    const QString near =
        wordsTr("%1 points are within %2").arg(count(best.near.size()), formatPercent(data::kEquallyGood));
    if (best.cheapest == best.best && best.best.size() == 1)
        return wordsTr("%1, and the best one is the cheapest of them.").arg(near);
    QStringList named;
    for (std::size_t i = 0; i < std::min(kMostNamed, best.cheapest.size()); ++i) {
        const double number = *table.rows[best.cheapest[i]].values[best.column];
        named << wordsTr("%1 at %2")
                     .arg(text(data::formatApart(metric, number, *best.number)), placeWords(table, best.cheapest[i]));
    }
    if (best.cheapest.size() == 1)
        return wordsTr("%1: the cheapest is %2.").arg(near, named.front());
    const std::size_t more = best.cheapest.size() - static_cast<std::size_t>(named.size());
    QString words = wordsTr("%1: the cheapest are %2").arg(near, named.join(wordsTr(" and ")));
    if (more > 0)
        words += wordsTr(" and %1 more").arg(count(more));
    return words + QLatin1Char('.');
}

}  // namespace

QString placeOf(const engine::Parameter& parameter) {
    const QString group = text(engine::name(parameter.group)), label = text(parameter.label);
    return group == label ? label : QStringLiteral("%1: %2").arg(group, label);
}

QString wordsOf(const SweepLook& look, int threads) {
    const data::SweepOutlook& outlook = look.outlook;
    QStringList parts;
    if (look.started) {
        parts << wordsTr("%1 of %2 done").arg(count(outlook.kept), points(outlook.points));
    } else {
        parts << points(outlook.points);
        if (outlook.kept > 0 && outlook.kept < outlook.points)
            parts << (outlook.kept == 1 ? wordsTr("1 is in the store")
                                        : wordsTr("%1 are in the store").arg(count(outlook.kept)));
        if (outlook.kept > 0 && outlook.kept == outlook.points)
            parts << wordsTr("all are in the store");
    }
    if (outlook.failed > 0)
        parts << wordsTr("%1 failed").arg(count(outlook.failed));
    if (outlook.unusable > 0)
        parts << wordsTr("%1 cannot be run").arg(count(outlook.unusable));
    if (outlook.others.points > 0)
        parts << (outlook.others.points == 1
                      ? wordsTr("1 from another engine version will run again")
                      : wordsTr("%1 from another engine version will run again").arg(count(outlook.others.points)));
    if (outlook.toRun > 0)
        parts << (threads == 1 ? wordsTr("about %1 on 1 core").arg(formatWait(outlook.estimate))
                               : wordsTr("about %1 on %2 cores").arg(formatWait(outlook.estimate)).arg(threads));
    return joined(parts);
}

QString wordsOf(const data::SweepProgress& progress, bool paused) {
    QStringList parts{wordsTr("%1 of %2").arg(count(progress.done), points(progress.toRun))};
    if (paused) {
        parts << wordsTr("paused");
    } else if (progress.done > 0) {
        if (progress.perSecond >= 10)
            parts << wordsTr("%1 a second").arg(std::lround(progress.perSecond));
        else if (progress.perSecond > 0)
            parts << wordsTr("%1 a second").arg(progress.perSecond, 0, 'f', 1);
        parts << wordsTr("%1 left").arg(formatWait(progress.left));
    }
    if (progress.failed > 0)
        parts << wordsTr("%1 failed").arg(count(progress.failed));
    return joined(parts);
}

QString wordsOf(const data::SweepSummary& summary) {
    QStringList parts{wordsTr("%1 in %2").arg(points(summary.ran), formatWait(summary.wall))};
    if (summary.reused > 0)
        parts << wordsTr("%1 from the store").arg(count(summary.reused));
    return joined(parts);
}

std::optional<BestAnswer> answerOfBest(const data::SweepTable& table, std::size_t metric) {
    const data::Metric* watched = metric < table.metrics.size() ? data::findMetric(table.metrics[metric]) : nullptr;
    if (watched == nullptr || watched->better == data::Better::neither)
        return std::nullopt;
    const data::BestOf best = data::bestIn(table, table.metrics[metric], watched->better == data::Better::larger);
    if (!best.number)
        return std::nullopt;
    // With one cheapest point, both numbers have as many digits as it takes to distinguish them.
    const double other = best.cheapest.size() == 1 ? *table.rows[best.cheapest.front()].values[metric] : *best.number;
    const QString title = text(watched->label).toLower();
    const QString number = text(data::formatApart(*watched, *best.number, other));
    QString words = best.best.size() == 1
                        ? wordsTr("Best %1: %2 at %3.").arg(title, number, placeWords(table, best.best.front()))
                        : wordsTr("Best %1: %2, at %3 equal points.").arg(title, number, count(best.best.size()));
    if (best.near.size() > 1 && !best.cheapest.empty())
        words += QLatin1Char(' ') + cheapestWords(table, *watched, best);
    return BestAnswer{words, best.cheapest.empty() ? best.best : best.cheapest};
}

}  // namespace ui
