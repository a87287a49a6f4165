#include "ui/ribbon/sensitivity_words.h"

#include "engine/api/letters.h"
#include "engine/api/parameters.h"
#include "ui/look/cause_style.h"
#include "ui/look/format.h"
#include "ui/look/text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr double kNegligible = 0.0005;  // half of what is printed

QString chipTr(const char* text) { return QCoreApplication::translate("SensitivityWords", text); }

QString withSign(double value, int decimals) {
    const QString sign = value < 0 ? QStringLiteral("−") : QStringLiteral("+");
    return sign + QString::number(std::abs(value), 'f', decimals);
}

QString nameOf(const std::string& path) {
    const engine::Parameter* parameter = engine::findParameter(path);
    if (parameter == nullptr)
        return text(path);
    const QString group = text(engine::inASentence(std::string(engine::name(parameter->group))));
    const QString label = text(engine::inASentence(parameter->label));
    // "link latency", but not "tracker tracker ways".
    return label.startsWith(group, Qt::CaseInsensitive) ? label : group + QLatin1Char(' ') + label;
}

}  // namespace

QString changeText(const data::Sensitivity& sensitivity) {
    // Short: the panel is narrow, and what is chosen is at its end.
    if (const engine::Parameter* choice = sensitivity.isChoice ? engine::findParameter(sensitivity.path) : nullptr)
        return chipTr("%1 %2, not %3")
            .arg(text(engine::inASentence(choice->label)), text(sensitivity.after), text(sensitivity.before));
    const double percent = sensitivity.change * 100;
    const int decimals = std::abs(percent - std::round(percent)) < 0.05 ? 0 : 1;
    return chipTr("%1\u00a0% %2").arg(withSign(percent, decimals), nameOf(sensitivity.path));
}

QString effectText(double effect) {
    const double percent = effect * 100;
    if (std::abs(percent) < 0.005)
        return chipTr("no effect");
    return withSign(percent, std::abs(percent) < 0.1 ? 2 : 1) + QStringLiteral("\u00a0%");
}

QString noiseText(const data::Sensitivity& sensitivity) {
    if (sensitivity.noise < kNegligible)
        return {};
    return QStringLiteral("±%1\u00a0%").arg(sensitivity.noise * 100, 0, 'f', 1);
}

std::vector<data::Sensitivity> whatHelps(const data::SensitivityReport& report) {
    std::vector<data::Sensitivity> found;
    for (const data::Sensitivity& each : report.parameters) {
        const bool isThere = std::any_of(found.begin(), found.end(),
                                         [&](const data::Sensitivity& better) { return better.path == each.path; });
        if (data::helps(each) && !isThere)
            found.push_back(each);
    }
    return found;
}

QString reportText(const data::SensitivityReport& report) {
    const QString runs = formatCount(report.runs);
    if (report.seeds <= 1)
        return chipTr("%1 runs, one seed.").arg(runs);
    const QString means = chipTr("%1 runs, mean of %2 seeds").arg(runs).arg(report.seeds);
    if (report.spread < kNegligible)
        return chipTr("%1; the total is the same with each.").arg(means);
    return chipTr("%1; the total itself varies by %2\u00a0% between seeds.")
        .arg(means)
        .arg(report.spread * 100, 0, 'f', 1);
}

QString sensitivityText(const data::Sensitivity& sensitivity) {
    QString told = changeText(sensitivity);
    if (!sensitivity.isChoice)
        told += chipTr(" (%1 to %2)").arg(text(sensitivity.before), text(sensitivity.after));
    told += chipTr(": the total changes by %1").arg(effectText(sensitivity.effect));
    if (const QString noise = noiseText(sensitivity); !noise.isEmpty())
        told += QLatin1Char(' ') + noise;
    told += chipTr("; acts on %1.").arg(textOf(sensitivity.group));
    if (data::isWithinNoise(sensitivity) && sensitivity.noise > 0)
        told += chipTr(" That is within the noise.");
    return told;
}

}  // namespace ui
