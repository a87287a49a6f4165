#pragma once

#include "data/sweep/sweep_document.h"

#include <QJsonValue>
#include <QString>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ui {

enum class ChartKind : std::uint8_t { lines, groupedLines, heatMap, smallMultiples, parallel, pareto, tornado };
inline constexpr std::array kChartKinds{ChartKind::lines,          ChartKind::groupedLines, ChartKind::heatMap,
                                        ChartKind::smallMultiples, ChartKind::parallel,     ChartKind::pareto,
                                        ChartKind::tornado};

enum class ValueScale : std::uint8_t { automatic, linear, logarithmic };

/// The user's choices for charts; planChart() completes them with defaults. A choice that does not apply to a sweep is
/// kept for the next sweep to which it applies.
struct ChartSettings {
    std::optional<ChartKind> kind;
    std::optional<std::size_t> across, second, panels;  ///< the axes with these roles
    std::vector<std::size_t>
        held;  ///< for each axis, the index of the value to show if the chart does not show the axis
    std::optional<std::size_t> policy;   ///< for heat maps and tornados; empty: a panel for each policy
    std::optional<std::size_t> against;  ///< the cost of a Pareto front, as in SweepPoints::measures
    ValueScale scale = ValueScale::automatic;
    bool published = false;  ///< also draw published values
    bool points = false;     ///< also draw the points behind means over seeds
    bool operator==(const ChartSettings&) const = default;
};

/// Returns the settings for a session, which chartSettings() reads. chartSettings() returns the defaults in place of
/// values that it cannot read.
QJsonValue saved(const ChartSettings& settings);
ChartSettings chartSettings(const QJsonValue& kept);

/// The chart to draw: the user's choices, completed with defaults for the sweep. Always valid.
struct ChartPlan {
    ChartKind kind{};
    std::optional<std::size_t> across, second, panels;
    std::vector<std::size_t> held;       ///< a valid value for each axis
    std::vector<std::size_t> heldAxes;   ///< the axes that the chart does not show: each needs a chooser
    std::vector<std::size_t> policies;   ///< the policies that are drawn
    std::optional<std::size_t> seeds;    ///< the axis whose values give one mean with an interval: lines only
    std::optional<std::size_t> against;  ///< differs from the metric; set only if there is a cost
    bool operator==(const ChartPlan&) const = default;
};

/// Returns the default kind: lines for one axis; for two axes grouped lines if readers can distinguish so many lines,
/// else a heat map; small multiples from three axes on.
ChartKind defaultKind(const data::Sweep& sweep);
bool isPossible(ChartKind kind, const data::SweepTable& table);
ChartPlan planChart(const ChartSettings& settings, const data::SweepTable& table, std::size_t metric);

QString nameOf(ChartKind kind);           ///< "Heat map"
std::string_view wordOf(ChartKind kind);  ///< "heat-map"

/// Returns how many axes a kind shows by role: across, second, panels.
std::size_t rolesOf(ChartKind kind);
/// Returns whether a kind has a panel for each policy, so that the user can choose one: heat maps and tornados.
bool hasPolicyPanels(ChartKind kind);

}  // namespace ui
