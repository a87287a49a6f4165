#pragma once

#include "data/results/metrics.h"
#include "data/sweep/sweep_document.h"
#include "ui/charts/axis_scale.h"
#include "ui/charts/sweep_axes.h"

#include <QString>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ui {

/// What a chart can draw of a point.
enum class Outcome : std::uint8_t {
    value,
    without,  ///< done, but this metric does not apply to it
    failed,
    missing  ///< not run yet
};

struct PointValue {
    Outcome outcome = Outcome::missing;
    double value = 0;  ///< only of Outcome::value, and then finite
};

QString metricTitle(const std::string& path);  ///< "Total time"
bool isSpeedup(const std::string& path);       ///< a ratio that is 1 where nothing was gained

/// A table asked by place instead of by row, and in words. Holds the table for as long as it is drawn.
class SweepPoints {
public:
    explicit SweepPoints(std::shared_ptr<const data::SweepTable> table);

    const data::SweepTable& table() const { return *m_table; }
    const data::Sweep& sweep() const { return m_table->sweep; }
    /// No rows, or an axis without values: there is nothing to draw.
    bool isEmpty() const { return m_rowAt.empty(); }
    /// The row of a place; nothing where the table has none.
    std::optional<std::size_t> rowAt(const std::vector<std::size_t>& at, std::size_t policy) const;
    /// Places behind the metrics are those of the parameters that vary, as costColumns has them: so is every `metric`
    /// below.
    PointValue value(std::size_t row, std::size_t metric) const;
    /// Returns the values of a metric that there are, by row.
    std::vector<double> values(std::size_t metric) const;
    std::size_t measures() const { return m_table->metrics.size() + m_costs.size(); }

    QString metricTitle(std::size_t metric) const;
    QString metricText(std::size_t metric, double value) const;
    AxisMeasure metricMeasure(std::size_t metric) const;
    data::Better better(std::size_t metric) const;
    /// As a cost: of what is neither good nor bad less is better, of a time that the machine takes more.
    data::Better betterAsCost(std::size_t metric) const;
    bool isSpeedup(std::size_t metric) const;

    /// Everything that is known of a point, a line each: for tooltips and for screen readers.
    QString describe(std::size_t row) const;

private:
    /// Null for a metric.
    const data::AxisColumn* costOf(std::size_t metric) const;
    std::size_t placeOf(const std::vector<std::size_t>& at, std::size_t policy) const;

    std::shared_ptr<const data::SweepTable> m_table;
    std::vector<CostColumn> m_costs;
    std::vector<std::uint32_t> m_rowAt;  // by place, one more than the row; 0 where there is none
};

}  // namespace ui
