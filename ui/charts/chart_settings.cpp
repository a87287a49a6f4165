#include "ui/charts/chart_settings.h"

#include "ui/charts/sweep_axes.h"

#include <QCoreApplication>

#include <algorithm>

namespace ui {
namespace {

constexpr std::size_t kMostLines = 16;   // more cannot be told apart
constexpr std::size_t kMostColours = 8;  // nor can more colours

/// The axis to draw along where nobody chose: of those with numbers the one with most values.
std::size_t longestNumeric(const data::Sweep& sweep) {
    std::size_t best = 0;
    for (std::size_t axis = 1; axis < sweep.axes.size(); ++axis) {
        const bool numbers = isNumeric(sweep.axes[axis]);
        const bool bestNumbers = isNumeric(sweep.axes[best]);
        if (numbers > bestNumbers || (numbers == bestNumbers && sweep.axes[axis].size() > sweep.axes[best].size()))
            best = axis;
    }
    return best;
}

/// Hands out axes to roles: first what was asked for, then the others in their order.
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

/// Metrics, and parameters as costs.
std::size_t measuresOf(const data::SweepTable& table) { return table.metrics.size() + costColumns(table.sweep).size(); }

void assignRoles(const ChartSettings& settings, const data::Sweep& sweep, ChartPlan& plan) {
    const std::size_t roles = rolesOf(plan.kind);
    Roles hands(sweep.axes.size());
    if (roles >= 1 && !sweep.axes.empty()) {
        hands.ask(plan.across, settings.across);
        if (roles >= 2)
            hands.ask(plan.second, settings.second);
        if (roles >= 3)
            hands.ask(plan.panels, settings.panels);
        hands.ask(plan.across, longestNumeric(sweep));
        hands.fill(plan.across);
        if (roles >= 2)
            hands.fill(plan.second);
        if (roles >= 3)
            hands.fill(plan.panels);
    }
    plan.heldAxes = roles == 0 ? std::vector<std::size_t>{} : hands.left();
}

}  // namespace

std::size_t rolesOf(ChartKind kind) {
    switch (kind) {
    case ChartKind::lines: return 1;
    case ChartKind::groupedLines:
    case ChartKind::heatMap: return 2;
    case ChartKind::smallMultiples: return 3;
    case ChartKind::parallel:
    case ChartKind::pareto:
    case ChartKind::tornado: break;
    }
    return 0;
}

bool hasPolicyPanels(ChartKind kind) { return kind == ChartKind::heatMap || kind == ChartKind::tornado; }

ChartKind defaultKind(const data::Sweep& sweep) {
    if (sweep.axes.size() <= 1)
        return ChartKind::lines;
    if (sweep.axes.size() >= 3)
        return ChartKind::smallMultiples;
    const std::size_t second = sweep.axes[1 - longestNumeric(sweep)].size();
    return second <= kMostColours && second * sweep.policies.size() <= kMostLines ? ChartKind::groupedLines
                                                                                  : ChartKind::heatMap;
}

bool isPossible(ChartKind kind, const data::SweepTable& table) {
    const std::size_t axes = table.sweep.axes.size();
    switch (kind) {
    case ChartKind::lines: return true;
    case ChartKind::groupedLines:
    case ChartKind::heatMap: return axes >= 2;
    case ChartKind::smallMultiples: return axes >= 3;
    case ChartKind::parallel: return axes + table.metrics.size() >= 2;
    case ChartKind::pareto: return !table.metrics.empty() && measuresOf(table) >= 2;
    case ChartKind::tornado: return axes >= 1;
    }
    return false;
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

QString nameOf(ChartKind kind) {
    switch (kind) {
    case ChartKind::lines: return QCoreApplication::translate("ChartKind", "Lines");
    case ChartKind::groupedLines: return QCoreApplication::translate("ChartKind", "Grouped lines");
    case ChartKind::heatMap: return QCoreApplication::translate("ChartKind", "Heat map");
    case ChartKind::smallMultiples: return QCoreApplication::translate("ChartKind", "Small multiples");
    case ChartKind::parallel: return QCoreApplication::translate("ChartKind", "Parallel coordinates");
    case ChartKind::pareto: return QCoreApplication::translate("ChartKind", "Pareto front");
    case ChartKind::tornado: return QCoreApplication::translate("ChartKind", "Tornado");
    }
    return {};
}

}  // namespace ui
