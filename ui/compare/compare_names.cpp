#include "ui/compare/compare_names.h"

#include "data/laboratory/laboratory.h"
#include "data/presets/presets.h"
#include "engine/api/parameters.h"
#include "ui/look/text.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <string_view>

namespace ui {
namespace {

constexpr qsizetype kMostNamed = 2;  // parameters in a name

using Experiments = std::vector<const engine::Experiment*>;

QString namesTr(const char* text) { return QCoreApplication::translate("CompareNames", text); }

QString policyOf(const engine::Experiment& experiment) {
    const data::Preset* preset = data::findPolicy(engine::name(experiment.policy.preset));
    return text(preset != nullptr ? std::string_view(preset->title) : engine::name(experiment.policy.preset));
}

template <class Read>
bool differ(const Experiments& experiments, Read read) {
    return std::any_of(experiments.begin(), experiments.end(),
                       [&](const auto* each) { return read(*each) != read(*experiments.front()); });
}

/// Said by what a name has already: the policy, the machine, the case.
bool isSaid(const engine::Parameter& parameter) {
    static constexpr std::array<std::string_view, 4> kOfPolicy{"collective.reduction", "arbitration.policy", "machine",
                                                               "parallel.tp"};
    const auto& path = parameter.path;
    return parameter.group == engine::ParameterGroup::policy || path.starts_with("workload.") ||
           path.starts_with("detail.") || std::find(kOfPolicy.begin(), kOfPolicy.end(), path) != kOfPolicy.end();
}

/// What a machine's preset says differs with it.
bool ofMachine(const engine::Parameter& parameter) {
    const std::vector<std::string>& said = data::saidPaths("machine");
    return std::find(said.begin(), said.end(), parameter.path) != said.end();
}

QString settingsOf(const Experiments& experiments, const engine::Experiment& own, bool machines) {
    QStringList settings;
    int more = 0;
    for (const engine::Parameter& parameter : engine::parameters()) {
        if (isSaid(parameter) || (machines && ofMachine(parameter)) || !differ(experiments, parameter.read))
            continue;
        if (settings.size() < kMostNamed)
            settings << text(parameter.label).toLower() + QLatin1Char(' ') +
                            text(engine::formatValue(parameter, parameter.read(own)));
        else
            ++more;
    }
    if (more > 0)
        settings << namesTr("and %1 more").arg(more);
    return settings.join(QStringLiteral(", "));
}

}  // namespace

QString letterOf(std::size_t index) { return QString(QChar(static_cast<ushort>(u'A' + index))); }

QStringList namesOf(const Experiments& experiments) {
    QStringList names;
    if (experiments.empty())
        return names;
    const auto machineOf = [](const engine::Experiment& each) { return each.machine; };
    const bool machines = differ(experiments, machineOf);
    const bool cases = differ(experiments, data::caseName);
    const bool levels = differ(experiments, [](const engine::Experiment& each) { return each.detail.level; });
    for (const engine::Experiment* own : experiments) {
        QString name = policyOf(*own);
        if (cases)
            name = text(data::caseName(*own)) + QLatin1Char(' ') + name;
        if (machines && machineOf(*own) != engine::Experiment{}.machine)
            name = namesTr("%1 on %2").arg(name, text(machineOf(*own)));
        const QString settings = settingsOf(experiments, *own, machines);
        if (!settings.isEmpty())
            name += QStringLiteral(", ") + settings;
        if (levels)
            name = namesTr("%1, %2 detail").arg(name, text(engine::name(own->detail.level)));
        names << name;
    }
    const QStringList plain = names;
    for (qsizetype i = 0; i < names.size(); ++i) {
        if (plain.count(plain[i]) > 1)
            names[i] = namesTr("%1 (%2)").arg(plain[i], letterOf(static_cast<std::size_t>(i)));
    }
    return names;
}

}  // namespace ui
