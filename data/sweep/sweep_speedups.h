#pragma once

#include "data/sweep/sweep_table.h"

namespace data {

/// Relates the speed-ups of a sweep's points, and what they hide, to the point beside them that has the policy
/// `sequential`, where the sweep sets parts of the policy by hand: that point has them too, which no run can know from
/// its own experiment. Everywhere else the two are the same, and this does nothing.
class SweepSpeedups {
public:
    explicit SweepSpeedups(SweepTable& table);

    /// Returns the metrics to read for each row: the table's, with what relating needs behind them.
    const std::vector<std::string>& metrics() const { return m_metrics; }
    /// Call when each row has a value for each of metrics(). Leaves those of the table.
    void relate();

private:
    void relateGroup(std::size_t first, std::size_t sequential);
    void set(SweepRow& row, const char* metric, double number) const;

    SweepTable& m_table;
    std::vector<std::string> m_metrics;
    bool m_needed = false;
};

}  // namespace data
