#pragma once

#include "data/sweep/sweep_document.h"

#include <QString>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ui {

enum class ChartKind : std::uint8_t { lines, groupedLines, heatMap, smallMultiples, parallel, pareto, tornado };
inline constexpr std::array kChartKinds{ChartKind::lines,          ChartKind::groupedLines, ChartKind::heatMap,
                                        ChartKind::smallMultiples, ChartKind::parallel,     ChartKind::pareto,
                                        ChartKind::tornado};

enum class ValueScale : std::uint8_t { automatic, linear, logarithmic };

/// What a reader chose. What was not chosen follows the sweep, and a choice that a sweep has no room for is kept for the
/// next one that has.
struct ChartSettings {
    std::optional<ChartKind> kind;
    std::optional<std::size_t> across, second, panels;  ///< which axis has which role
    std::vector<std::size_t> held;                      ///< the value of each axis where the chart does not show it
    std::optional<std::size_t> policy;                  ///< of heat maps and tornados; nothing: a panel for each
    std::optional<std::size_t> against;                 ///< the cost of a Pareto front, by SweepPoints::measures
    ValueScale scale = ValueScale::automatic;
    bool published = false;  ///< draw what was published beside it
    bool operator==(const ChartSettings&) const = default;
};

/// What is drawn: the choice, and for the rest what the sweep suggests. Always possible.
struct ChartPlan {
    ChartKind kind{};
    std::optional<std::size_t> across, second, panels;
    std::vector<std::size_t> held;       ///< a valid value for each axis
    std::vector<std::size_t> heldAxes;   ///< those that the chart does not show: each needs a chooser
    std::vector<std::size_t> policies;   ///< those that are drawn
    std::optional<std::size_t> against;  ///< differs from the metric; only where there is a cost
    bool operator==(const ChartPlan&) const = default;
};

/// Lines for one axis, grouped lines for two while they can be told apart, else a heat map, small multiples from three on.
ChartKind defaultKind(const data::Sweep& sweep);
bool isPossible(ChartKind kind, const data::SweepTable& table);
ChartPlan planChart(const ChartSettings& settings, const data::SweepTable& table, std::size_t metric);

QString nameOf(ChartKind kind);  ///< "Heat map"

/// How many axes a kind shows by name: across, second, panels.
std::size_t rolesOf(ChartKind kind);
/// Heat maps and tornados give each policy a panel, and so let a reader choose one.
bool hasPolicyPanels(ChartKind kind);

}  // namespace ui
