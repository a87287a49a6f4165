#include "ui/charts/sweep_points.h"

#include "data/document/value_places.h"
#include "data/questions/best_of.h"
#include "data/results/shared_notices.h"
#include "engine/api/parameters.h"
#include "ui/look/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui {
namespace {

QString pointTr(const char* text) { return QCoreApplication::translate("SweepPoints", text); }

}  // namespace

QString metricTitle(const std::string& path) {
    const data::Metric* found = data::findMetric(path);
    return QString::fromStdString(found != nullptr ? found->label : path);
}

bool isSpeedup(const std::string& path) { return path.starts_with("speedup"); }

SweepPoints::SweepPoints(std::shared_ptr<const data::SweepTable> table)
    : m_table(std::move(table)), m_costs(costColumns(m_table->sweep)) {
    std::size_t places = sweep().policies.size();
    for (const data::SweepAxis& axis : sweep().axes)
        places *= axis.size();
    if (m_table->rows.empty() || places == 0 || places > data::kMostPoints)
        return;
    m_rowAt.assign(places, 0);
    for (std::size_t row = 0; row < m_table->rows.size(); ++row) {
        const data::SweepRow& point = m_table->rows[row];
        if (const std::size_t place = placeOf(point.at, point.policy); place < places)
            m_rowAt[place] = static_cast<std::uint32_t>(row + 1);
    }
}

std::size_t SweepPoints::placeOf(const std::vector<std::size_t>& at, std::size_t policy) const {
    if (at.size() != sweep().axes.size() || policy >= sweep().policies.size())
        return m_rowAt.size();
    std::size_t place = 0;
    for (std::size_t axis = 0; axis < at.size(); ++axis) {
        if (at[axis] >= sweep().axes[axis].size())
            return m_rowAt.size();
        place = place * sweep().axes[axis].size() + at[axis];
    }
    return place * sweep().policies.size() + policy;
}

std::optional<std::size_t> SweepPoints::rowAt(const std::vector<std::size_t>& at, std::size_t policy) const {
    const std::size_t place = placeOf(at, policy);
    if (place >= m_rowAt.size() || m_rowAt[place] == 0)
        return std::nullopt;
    return m_rowAt[place] - 1;
}

const data::AxisColumn* SweepPoints::costOf(std::size_t metric) const {
    const std::size_t metrics = m_table->metrics.size();
    if (metric < metrics || metric >= measures())
        return nullptr;
    const CostColumn& cost = m_costs[metric - metrics];
    return &sweep().axes[cost.axis].columns[cost.column];
}

PointValue SweepPoints::value(std::size_t row, std::size_t metric) const {
    const data::SweepRow& point = m_table->rows[row];
    if (point.state == data::PointState::missing)
        return {Outcome::missing};
    if (point.state == data::PointState::failed)
        return {Outcome::failed};
    if (const data::AxisColumn* cost = costOf(metric))
        return {Outcome::value,
                *data::numberOf(cost->values[point.at[m_costs[metric - m_table->metrics.size()].axis]])};
    if (metric >= point.values.size() || !point.values[metric] || !std::isfinite(*point.values[metric]))
        return {Outcome::without};
    return {Outcome::value, *point.values[metric]};
}

const std::vector<double>& SweepPoints::values(std::size_t metric) const {
    const auto [kept, isNew] = m_values.try_emplace(metric);
    std::vector<double>& values = kept->second;
    if (!isNew)
        return values;
    for (std::size_t row = 0; row < m_table->rows.size(); ++row) {
        if (const PointValue point = value(row, metric); point.outcome == Outcome::value)
            values.push_back(point.value);
    }
    return values;
}

QString SweepPoints::metricTitle(std::size_t metric) const {
    const data::AxisColumn* cost = costOf(metric);
    return cost != nullptr ? columnTitle(*cost) : ui::metricTitle(m_table->metrics.at(metric));
}

QString SweepPoints::metricText(std::size_t metric, double value) const {
    const data::Metric* found = data::findMetric(m_table->metrics.at(metric));
    if (found == nullptr)
        return QString::number(value, 'g', 4);
    return QString::fromStdString(data::formatMetric(*found, value)).replace(u' ', QChar(0x00a0));
}

const ScaledUnit& SweepPoints::unitOf(std::size_t metric) const {
    double largest = 0;
    for (const double value : values(metric))
        largest = std::max(largest, std::abs(value));
    if (const data::AxisColumn* cost = costOf(metric))
        return unitOfColumn(*cost, largest);
    const data::Metric* found = data::findMetric(m_table->metrics.at(metric));
    return axisUnitFor(found != nullptr ? found->unit : engine::ParameterUnit::none, true, largest);
}

data::Better SweepPoints::better(std::size_t metric) const {
    const data::Metric* found = costOf(metric) == nullptr ? data::findMetric(m_table->metrics.at(metric)) : nullptr;
    return found != nullptr ? found->better : data::Better::neither;
}

data::Better SweepPoints::betterAsCost(std::size_t metric) const {
    if (const data::Better wanted = better(metric); wanted != data::Better::neither)
        return wanted;
    const data::AxisColumn* cost = costOf(metric);
    return cost != nullptr ? data::cheaperValues(*engine::findParameter(cost->path)) : data::Better::smaller;
}

bool SweepPoints::isSpeedup(std::size_t metric) const {
    return costOf(metric) == nullptr && ui::isSpeedup(m_table->metrics.at(metric));
}

QString SweepPoints::describe(std::size_t row) const {
    const data::SweepRow& point = m_table->rows[row];
    QStringList lines;
    if (data::isTimed(sweep().of))
        lines << (point.policy < sweep().policies.size() ? titleOfPolicy(sweep().policies[point.policy]) : QString());
    for (std::size_t axis = 0; axis < std::min(point.at.size(), sweep().axes.size()); ++axis)
        lines << axisSetting(sweep().axes[axis], point.at[axis]);
    if (point.state == data::PointState::missing) {
        lines << pointTr("Not run yet");
        return lines.join(u'\n');
    }
    if (point.state == data::PointState::failed) {
        lines << pointTr("Failed: %1").arg(QString::fromStdString(point.reason));
        return lines.join(u'\n');
    }
    for (std::size_t metric = 0; metric < m_table->metrics.size(); ++metric) {
        const PointValue number = value(row, metric);
        lines << metricTitle(metric) + QStringLiteral(": ") +
                     (number.outcome == Outcome::value ? metricText(metric, number.value) : pointTr("no value"));
    }
    for (const engine::Notice& notice : point.notices) {
        if (data::qualifiesNumbers(notice))
            lines << pointTr("Notice: %1").arg(QString::fromStdString(notice.text));
    }
    return lines.join(u'\n');
}

}  // namespace ui
