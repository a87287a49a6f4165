#include "ui/charts/chart_settings.h"

#include "data/sweep/sweep_plan.h"
#include "ui/charts/sweep_axes.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonObject>

#include <algorithm>
#include <array>
#include <utility>

namespace ui {
namespace {

constexpr std::size_t kMostLines = 16;   // readers cannot distinguish more lines
constexpr std::size_t kMostColours = 8;  // readers cannot distinguish more colours

/// The properties in which the kinds of charts differ.
struct KindTraits {
    const char* word;  ///< in sessions
    const char* name;
    std::size_t roles, leastAxes;
    bool policyPanels;
};

const KindTraits& traitsOf(ChartKind kind) {
    static constexpr KindTraits kTraits[]{
        {"lines", QT_TRANSLATE_NOOP("ChartKind", "Lines"), 1, 0, false},
        {"grouped-lines", QT_TRANSLATE_NOOP("ChartKind", "Grouped lines"), 2, 2, false},
        {"heat-map", QT_TRANSLATE_NOOP("ChartKind", "Heat map"), 2, 2, true},
        {"small-multiples", QT_TRANSLATE_NOOP("ChartKind", "Small multiples"), 3, 2, false},
        {"parallel", QT_TRANSLATE_NOOP("ChartKind", "Parallel coordinates"), 0, 0, false},
        {"pareto", QT_TRANSLATE_NOOP("ChartKind", "Pareto front"), 0, 0, false},
        {"tornado", QT_TRANSLATE_NOOP("ChartKind", "Tornado"), 0, 1, true}};
    return kTraits[static_cast<std::size_t>(kind)];
}

/// Returns the default axis along x: the numeric axis with most values, or, if no axis is numeric, the axis with most.
std::size_t longestNumeric(const data::Sweep& sweep, std::optional<std::size_t> without = {}) {
    std::size_t best = without == 0U && sweep.axes.size() > 1 ? 1 : 0;
    for (std::size_t axis = best + 1; axis < sweep.axes.size(); ++axis) {
        if (axis == without)
            continue;
        const bool numbers = isNumeric(sweep.axes[axis]);
        const bool bestNumbers = isNumeric(sweep.axes[best]);
        if (numbers > bestNumbers || (numbers == bestNumbers && sweep.axes[axis].size() > sweep.axes[best].size()))
            best = axis;
    }
    return best;
}

/// Assigns axes to roles: first the wanted ones, then the others in order.
class Roles {
public:
    explicit Roles(std::size_t axes) : m_taken(axes) {}

    void ask(std::optional<std::size_t>& role, std::optional<std::size_t> wanted) {
        if (!role && wanted && *wanted < m_taken.size() && !m_taken[*wanted]) {
            role = wanted;
            m_taken[*wanted] = true;
        }
    }
    void fill(std::optional<std::size_t>& role) {
        for (std::size_t axis = 0; axis < m_taken.size() && !role; ++axis)
            ask(role, axis);
    }
    /// Does the same with axes that have several values.
    void fillWithSeveral(std::optional<std::size_t>& role, const data::Sweep& sweep) {
        for (std::size_t axis = 0; axis < m_taken.size() && !role; ++axis) {
            if (sweep.axes[axis].size() > 1)
                ask(role, axis);
        }
    }
    std::vector<std::size_t> left() const {
        std::vector<std::size_t> axes;
        for (std::size_t axis = 0; axis < m_taken.size(); ++axis) {
            if (!m_taken[axis])
                axes.push_back(axis);
        }
        return axes;
    }

private:
    std::vector<bool> m_taken;
};

/// Returns the number of measures: the metrics, and the parameters that can be costs.
std::size_t measuresOf(const data::SweepTable& table) { return table.metrics.size() + costColumns(table.sweep).size(); }

void assignRoles(const ChartSettings& settings, const data::Sweep& sweep, ChartPlan& plan) {
    const std::size_t roles = rolesOf(plan.kind);
    Roles hands(sweep.axes.size());
    const std::optional<std::size_t> seeds = data::seedAxis(sweep);
    const bool asked = seeds && (settings.across == seeds || (roles >= 2 && settings.second == seeds) ||
                                 (roles >= 3 && settings.panels == seeds));
    if (roles >= 1 && !hasPolicyPanels(plan.kind) && !asked)
        hands.ask(plan.seeds, seeds);
    if (roles >= 1 && !sweep.axes.empty()) {
        hands.ask(plan.across, settings.across);
        if (roles >= 2)
            hands.ask(plan.second, settings.second);
        if (roles >= 3)
            hands.ask(plan.panels, settings.panels);
        hands.ask(plan.across, longestNumeric(sweep, plan.seeds));
        hands.fill(plan.across);
        if (roles >= 3 && sweep.axes.size() - (plan.seeds ? 1 : 0) < 3)  // panels of the policies alone
            hands.fillWithSeveral(plan.panels, sweep);
        if (hasPolicyPanels(plan.kind) && roles >= 2)
            hands.fill(plan.second);  // a heat map has rows
        else if (roles >= 2)
            hands.fillWithSeveral(plan.second, sweep);
        if (roles >= 3)
            hands.fillWithSeveral(plan.panels, sweep);
    }
    plan.heldAxes = roles == 0 ? std::vector<std::size_t>{} : hands.left();
}

/// The choices of an index, with their keys in sessions.
constexpr std::array kIndexKeys{
    std::pair{"across", &ChartSettings::across}, std::pair{"second", &ChartSettings::second},
    std::pair{"panels", &ChartSettings::panels}, std::pair{"policy", &ChartSettings::policy},
    std::pair{"against", &ChartSettings::against}};
constexpr std::array kScaleWords{"automatic", "linear", "logarithmic"};  // by ValueScale

/// Returns a non-negative index, or an empty optional if the value is not one.
std::optional<std::size_t> indexOf(const QJsonValue& kept) {
    const int index = kept.toInt(-1);
    return index < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(index));
}

}  // namespace

QJsonValue saved(const ChartSettings& settings) {
    QJsonObject kept{{QStringLiteral("scale"), QLatin1String(kScaleWords[static_cast<std::size_t>(settings.scale)])},
                     {QStringLiteral("published"), settings.published}};
    if (settings.kind)
        kept[QStringLiteral("kind")] = QLatin1String(traitsOf(*settings.kind).word);
    for (const auto& [key, index] : kIndexKeys) {
        if (settings.*index)
            kept[QLatin1String(key)] = static_cast<int>(*(settings.*index));
    }
    QJsonArray held;
    for (const std::size_t value : settings.held)
        held.append(static_cast<int>(value));
    kept[QStringLiteral("held")] = held;
    return kept;
}

ChartSettings chartSettings(const QJsonValue& kept) {
    ChartSettings settings;
    for (const ChartKind kind : kChartKinds) {
        if (kept[QStringLiteral("kind")].toString() == QLatin1String(traitsOf(kind).word))
            settings.kind = kind;
    }
    for (const auto& [key, index] : kIndexKeys)
        settings.*index = indexOf(kept[QLatin1String(key)]);
    for (const QJsonValue value : kept[QStringLiteral("held")].toArray())
        settings.held.push_back(indexOf(value).value_or(0));
    const auto scale = std::ranges::find(kScaleWords, kept[QStringLiteral("scale")].toString(),
                                         [](const char* word) { return QString::fromLatin1(word); });
    if (scale != kScaleWords.end())
        settings.scale = static_cast<ValueScale>(scale - kScaleWords.begin());
    settings.published = kept[QStringLiteral("published")].toBool();
    return settings;
}

std::size_t rolesOf(ChartKind kind) { return traitsOf(kind).roles; }

bool hasPolicyPanels(ChartKind kind) { return traitsOf(kind).policyPanels; }

std::string_view wordOf(ChartKind kind) { return traitsOf(kind).word; }

QString nameOf(ChartKind kind) { return QCoreApplication::translate("ChartKind", traitsOf(kind).name); }

ChartKind defaultKind(const data::Sweep& sweep) {
    const std::optional<std::size_t> seeds = data::seedAxis(sweep);
    const std::size_t axes = sweep.axes.size() - (seeds ? 1 : 0);
    if (axes <= 1)
        return ChartKind::lines;
    if (axes >= 3)
        return ChartKind::smallMultiples;
    const std::size_t across = longestNumeric(sweep, seeds);
    std::size_t other = 0;
    while (other == across || other == seeds)
        ++other;
    const std::size_t second = sweep.axes[other].size();
    return second <= kMostColours && second * sweep.policies.size() <= kMostLines ? ChartKind::groupedLines
                                                                                  : ChartKind::heatMap;
}

bool isPossible(ChartKind kind, const data::SweepTable& table) {
    const std::size_t axes = table.sweep.axes.size();
    if (kind == ChartKind::parallel)
        return axes + table.metrics.size() >= 2;
    if (kind == ChartKind::pareto)
        return !table.metrics.empty() && measuresOf(table) >= 2;
    return axes >= traitsOf(kind).leastAxes;
}

ChartPlan planChart(const ChartSettings& settings, const data::SweepTable& table, std::size_t metric) {
    const data::Sweep& sweep = table.sweep;
    ChartPlan plan;
    plan.kind = settings.kind && isPossible(*settings.kind, table) ? *settings.kind : defaultKind(sweep);
    assignRoles(settings, sweep, plan);
    for (std::size_t axis = 0; axis < sweep.axes.size(); ++axis) {
        const std::size_t wanted = axis < settings.held.size() ? settings.held[axis] : 0;
        plan.held.push_back(wanted < sweep.axes[axis].size() ? wanted : 0);
    }
    const bool one = hasPolicyPanels(plan.kind) && settings.policy && *settings.policy < sweep.policies.size();
    for (std::size_t policy = 0; policy < sweep.policies.size(); ++policy) {
        if (!one || policy == *settings.policy)
            plan.policies.push_back(policy);
    }
    if (const std::size_t measures = measuresOf(table); measures >= 2) {
        const bool chosen = settings.against && *settings.against < measures && *settings.against != metric;
        plan.against = chosen ? *settings.against : metric == 0 ? 1 : 0;
    }
    return plan;
}

}  // namespace ui
