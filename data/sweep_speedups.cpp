#include "data/sweep_speedups.h"

#include <algorithm>
#include <array>

namespace data {
namespace {

constexpr std::string_view kSpeedup = "speedup_over_sequential", kTotal = "time_ps.total", kSequential = "sequential";

bool isPolicyPart(std::string_view path) {
    static constexpr std::array<std::string_view, 6> kParts{"policy.order",          "policy.mapping",
                                                            "policy.output_caching", "policy.start",
                                                            "collective.reduction",  "arbitration.policy"};
    return std::find(kParts.begin(), kParts.end(), path) != kParts.end();
}

bool setsPolicyParts(const Sweep& sweep) {
    const auto& base = sweep.base.explicitValues;
    if (std::any_of(base.begin(), base.end(), [](const auto& entry) { return isPolicyPart(entry.first); }))
        return true;
    return std::any_of(sweep.axes.begin(), sweep.axes.end(), [](const SweepAxis& axis) {
        return std::any_of(axis.columns.begin(), axis.columns.end(),
                           [](const AxisColumn& column) { return isPolicyPart(column.path); });
    });
}

std::size_t placeOf(const std::vector<std::string>& words, std::string_view word) {
    return static_cast<std::size_t>(std::find(words.begin(), words.end(), word) - words.begin());
}

}  // namespace

SweepSpeedups::SweepSpeedups(SweepTable& table)
    : m_table(table), m_metrics(table.metrics), m_speedup(placeOf(table.metrics, kSpeedup)) {
    const std::vector<std::string>& policies = table.sweep.policies;
    m_needed = m_speedup < table.metrics.size() && placeOf(policies, kSequential) < policies.size() &&
               setsPolicyParts(table.sweep);
    if (!m_needed)
        return;
    m_metrics.emplace_back(kTotal);
    for (SweepRow& row : table.rows)
        row.values.resize(m_metrics.size());
}

void SweepSpeedups::relate() {
    if (!m_needed)
        return;
    // Policies vary fastest: those of one point stand beside each other.
    const std::size_t policies = m_table.sweep.policies.size();
    const std::size_t sequential = placeOf(m_table.sweep.policies, kSequential);
    for (std::size_t first = 0; first + policies <= m_table.rows.size(); first += policies)
        relateGroup(first, first + sequential);
    for (SweepRow& row : m_table.rows)
        row.values.resize(m_table.metrics.size());
}

void SweepSpeedups::relateGroup(std::size_t first, std::size_t sequential) {
    const std::optional<double> total = m_table.rows[sequential].values.back();
    for (std::size_t i = first; total && i < first + m_table.sweep.policies.size(); ++i) {
        std::vector<std::optional<double>>& values = m_table.rows[i].values;
        if (values[m_speedup] && values.back())
            values[m_speedup] = *total / *values.back();
    }
}

}  // namespace data
