#include "data/sweep/sweep_speedups.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace data {
namespace {

constexpr const char* kSpeedup = "speedup_over_sequential";
constexpr const char* kHidden = "time_ps.hidden";
constexpr const char* kExposed = "time_ps.exposed";
constexpr const char* kStretch = "gemm_stretch";
constexpr std::string_view kSequential = "sequential";
constexpr std::array<const char*, 3> kBehind{"time_ps.total", kExposed, kStretch};  // what relating needs

/// The times of one row, as whole numbers of picoseconds in doubles.
struct RowTimes {
    double total = 0, gemm = 0, gemmAlone = 0;
};

std::optional<RowTimes> timesOf(const SweepRow& row) {
    const auto behind = row.values.end() - std::ssize(kBehind);
    if (!behind[0] || !behind[1] || !behind[2])
        return std::nullopt;
    const double alone = *behind[0] - *behind[1];
    return RowTimes{*behind[0], std::round(*behind[2] * alone), alone};
}

bool dependsOnSequential(std::string_view metric) {
    return metric == kSpeedup || metric == kHidden || metric == kExposed || metric == kStretch;
}

bool isPolicyPart(std::string_view path) {
    static constexpr std::array<std::string_view, 6> kParts{"policy.order",          "policy.mapping",
                                                            "policy.output_caching", "policy.start",
                                                            "collective.reduction",  "arbitration.policy"};
    return std::find(kParts.begin(), kParts.end(), path) != kParts.end();
}

bool setsPolicyParts(const Sweep& sweep) {
    const auto& base = sweep.base.explicitValues;
    return std::any_of(base.begin(), base.end(), [](const auto& entry) { return isPolicyPart(entry.first); }) ||
           std::ranges::any_of(axisPaths(sweep), isPolicyPart);
}

std::size_t placeOf(const std::vector<std::string>& words, std::string_view word) {
    return static_cast<std::size_t>(std::find(words.begin(), words.end(), word) - words.begin());
}

}  // namespace

SweepSpeedups::SweepSpeedups(SweepTable& table) : m_table(table), m_metrics(table.metrics) {
    const std::vector<std::string>& policies = table.sweep.policies;
    m_needed = std::any_of(m_metrics.begin(), m_metrics.end(), dependsOnSequential) &&
               placeOf(policies, kSequential) < policies.size() && setsPolicyParts(table.sweep);
    if (!m_needed)
        return;
    m_metrics.insert(m_metrics.end(), kBehind.begin(), kBehind.end());
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
    const std::optional<RowTimes> baseline = timesOf(m_table.rows[sequential]);
    for (std::size_t i = first; baseline && i < first + m_table.sweep.policies.size(); ++i) {
        SweepRow& row = m_table.rows[i];
        const std::optional<RowTimes> times = timesOf(row);
        if (!times)
            continue;
        set(row, kSpeedup, baseline->total / times->total);
        set(row, kHidden, baseline->total - times->total);
        set(row, kExposed, times->total - baseline->gemm);
        set(row, kStretch, times->gemm / baseline->gemm);
    }
}

void SweepSpeedups::set(SweepRow& row, const char* metric, double number) const {
    const std::size_t place = placeOf(m_table.metrics, metric);
    if (place < m_table.metrics.size())
        row.values[place] = number;
}

}  // namespace data
