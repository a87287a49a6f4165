#pragma once

#include "data/evaluations/reproduce.h"
#include "engine/api/baselines.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

namespace tests {

inline int threadsHere() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }

/// The published figures as simulated with some settings, by id.
class ReproducedItems {
public:
    /// `store` is the store that runs are read from and kept in; empty: in memory.
    explicit ReproducedItems(const data::Settings& settings = {}, const std::string& store = {}) {
        data::ReproduceOptions options;
        options.store = store;
        options.settings = settings;
        options.threads = threadsHere();
        options.traffic = false;
        // Baselines that a setting does not change are reused for the next setting.
        static const auto kBaselines = std::make_shared<engine::BaselineCache>();
        options.baselineCache = kBaselines;
        const data::Reproduction reproduction = data::reproduce(options);
        for (const data::ReproducedItem& item : reproduction.items)
            m_items.emplace(item.published.id, item);
        for (const data::ReproducedCase& one : reproduction.cases)
            m_times.emplace(keyOf({one.model, one.sublayer, one.tp}, one.policy), one.time);
    }

    /// Returns our value, the published value and the difference of several figures, in the order of a row. Fractions
    /// are in per
    /// cent, and their differences in percentage points.
    std::vector<double> row(const std::vector<std::string>& ids) const {
        std::vector<double> values;
        values.reserve(3 * ids.size());
        for (const std::string& id : ids)
            values.push_back(scale(id) * m_items.at(id).value);
        for (const std::string& id : ids)
            values.push_back(scale(id) * m_items.at(id).published.value);
        for (const std::string& id : ids)
            values.push_back(100 * m_items.at(id).difference);
        return values;
    }

    double ours(const std::string& id) const { return m_items.at(id).value; }
    double published(const std::string& id) const { return m_items.at(id).published.value; }

    /// The times of the run that the figures are made of.
    const engine::TimeResult& timeOf(const data::EvaluatedCase& one, const std::string& policy) const {
        return m_times.at(keyOf(one, policy));
    }

    /// Returns the distance of all our values from the published ones: the mean of |ln(ours / published)| over the
    /// ratios. Where a saving is published, 1 - saving takes the place of the ratio.
    double meanLogDifference() const {
        double sum = 0;
        for (const auto& [id, item] : m_items) {
            const double value = item.isFraction ? 1 - item.value : item.value;
            const double goal = item.isFraction ? 1 - item.published.value : item.published.value;
            sum += std::abs(std::log(value / goal));
        }
        return sum / static_cast<double>(m_items.size());
    }

private:
    using Key = std::tuple<std::string, std::string, std::int64_t, std::string>;
    static Key keyOf(const data::EvaluatedCase& one, const std::string& policy) {
        return {one.model, one.sublayer, one.tp, policy};
    }

    double scale(const std::string& id) const { return m_items.at(id).isFraction ? 100 : 1; }

    std::map<std::string, data::ReproducedItem> m_items;
    std::map<Key, engine::TimeResult> m_times;
};

}  // namespace tests
