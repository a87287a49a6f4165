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

/// The published figures as the simulation makes them under some settings, by id.
class ReproducedItems {
public:
    explicit ReproducedItems(const data::Settings& settings = {}) {
        data::ReproduceOptions options;
        options.settings = settings;
        options.threads = threadsHere();
        options.traffic = false;
        // What one setting does not change of the baselines serves the next.
        static const auto kBaselines = std::make_shared<engine::BaselineCache>();
        options.baselineCache = kBaselines;
        const data::Reproduction reproduction = data::reproduce(options);
        for (const data::ReproducedItem& item : reproduction.items)
            m_items.emplace(item.published.id, item);
        for (const data::ReproducedCase& one : reproduction.cases)
            m_times.emplace(keyOf({one.model, one.sublayer, one.tp}, one.policy), one.time);
    }

    /// Ours, published and difference of several figures, as a row has them; fractions in per cent and in points.
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

    /// How far ours are from the published ones as a whole: the mean of |ln(ours / published)| over the ratios, and over
    /// what is left where a saving is published.
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
