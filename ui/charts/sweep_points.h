#pragma once

#include "data/results/metrics.h"
#include "data/sweep/sweep_document.h"
#include "ui/charts/sweep_axes.h"

#include <QString>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ui {

/// The outcome of a point as a chart shows it.
enum class Outcome : std::uint8_t {
    value,
    without,  ///< done, but this metric does not apply to the point
    failed,
    missing  ///< not run yet
};

struct PointValue {
    Outcome outcome = Outcome::missing;
    double value = 0;  ///< valid for Outcome::value only, and then finite
};

QString metricTitle(const std::string& path);  ///< "Total time"
bool isSpeedup(const std::string& path);       ///< a ratio that is 1 if nothing was gained

/// Gives access to a SweepTable by the position of a point on the axes, and to texts about points. Keeps the table
/// alive while it is drawn.
class SweepPoints {
public:
    explicit SweepPoints(std::shared_ptr<const data::SweepTable> table);

    const data::SweepTable& table() const { return *m_table; }
    const data::Sweep& sweep() const { return m_table->sweep; }
    /// Returns whether there are no points to draw: the table has no rows, or an axis has no values.
    bool isEmpty() const { return m_rowAt.empty(); }
    /// Returns the row of a position; an empty optional if the table has none.
    std::optional<std::size_t> rowAt(const std::vector<std::size_t>& at, std::size_t policy) const;
    /// Returns the value of a metric. Indices after the metrics mean the varying parameters in the order of
    /// costColumns(); this applies to every `metric` below.
    PointValue value(std::size_t row, std::size_t metric) const;
    /// Returns the existing values of a metric, by row. They are collected once. Not thread-safe.
    const std::vector<double>& values(std::size_t metric) const;
    std::size_t measures() const { return m_table->metrics.size() + m_costs.size(); }

    QString metricTitle(std::size_t metric) const;
    QString metricText(std::size_t metric, double value) const;
    /// Returns the unit for all numbers of an axis of this metric.
    const ScaledUnit& unitOf(std::size_t metric) const;
    data::Better better(std::size_t metric) const;
    /// Returns which direction is better if the value is used as a cost: that of the metric if it has one, else larger
    /// for a parameter that is a time, because a shorter time costs more, and smaller for everything else.
    data::Better betterAsCost(std::size_t metric) const;
    bool isSpeedup(std::size_t metric) const;

    /// Describes a point for tool tips and screen readers: policy, axes and metrics, one in each line.
    QString describe(std::size_t row) const;

private:
    /// Returns the varying parameter with this index, or null if the index is that of a metric.
    const data::AxisColumn* costOf(std::size_t metric) const;
    std::size_t placeOf(const std::vector<std::size_t>& at, std::size_t policy) const;

    std::shared_ptr<const data::SweepTable> m_table;
    std::vector<CostColumn> m_costs;
    std::vector<std::uint32_t> m_rowAt;                           // by position: the row plus one; 0 if there is none
    mutable std::map<std::size_t, std::vector<double>> m_values;  // by metric
};

}  // namespace ui
