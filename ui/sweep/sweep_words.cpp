#include "ui/sweep/sweep_words.h"

#include "data/results/metrics.h"
#include "ui/look/format.h"

#include <QCoreApplication>
#include <QStringList>

#include <cmath>

namespace ui {
namespace {

QString wordsTr(const char* words) { return QCoreApplication::translate("SweepWords", words); }
QString count(std::size_t number) { return formatCount(static_cast<std::int64_t>(number)); }

QString points(std::size_t number) {
    return number == 1 ? wordsTr("1 point") : wordsTr("%1 points").arg(count(number));
}

QString joined(const QStringList& parts) { return parts.join(QStringLiteral("  ·  ")); }

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

std::optional<std::size_t> bestPoint(const data::SweepTable& table, std::size_t metric) {
    const data::Metric* watched = metric < table.metrics.size() ? data::findMetric(table.metrics[metric]) : nullptr;
    std::optional<std::size_t> best;
    if (watched == nullptr || watched->better == data::Better::neither)
        return best;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const data::SweepRow& row = table.rows[i];
        if (row.state != data::PointState::done || !row.values[metric])
            continue;
        const double value = *row.values[metric];
        const auto beats = [&](double other) {
            return watched->better == data::Better::larger ? value > other : value < other;
        };
        if (!best || beats(*table.rows[*best].values[metric]))
            best = i;
    }
    return best;
}

QString wordsOfBest(const data::SweepTable& table, std::size_t metric, std::size_t point) {
    const data::Metric& watched = *data::findMetric(table.metrics[metric]);
    const data::SweepRow& row = table.rows[point];
    QStringList places;
    for (std::size_t axis = 0; axis < table.sweep.axes.size(); ++axis) {
        for (const data::AxisColumn& column : table.sweep.axes[axis].columns) {
            const engine::Parameter& parameter = *engine::findParameter(column.path);
            places << wordsTr("%1 %2").arg(text(parameter.label),
                                           text(engine::formatValue(parameter, column.values[row.at[axis]])));
        }
    }
    if (data::isTimed(table.sweep.of))
        places << titleOfPolicy(table.sweep.policies[row.policy]);
    return wordsTr("Best %1: %2 at %3")
        .arg(text(watched.label).toLower(), text(data::formatMetric(watched, *row.values[metric])),
             places.join(QStringLiteral(", ")));
}

}  // namespace ui
