#pragma once

#include "engine/api/gemm.h"
#include "engine/api/results.h"

#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace data {

/// Keeps the results of simulations for whole models, so that after a change of phase, policies or a link only the
/// affected parts are simulated. The time of a GEMM alone does not depend on the topology, so it is found under any
/// links. The size is bounded: the oldest entries are removed first. Thread-safe.
class ModelMemory {
public:
    static constexpr std::size_t kMost = 4096;  ///< of each kind

    /// A run of a sub-layer or of a collective.
    struct Run {
        engine::TimeResult time;
        engine::Notices notices;
        std::optional<engine::WhileBoth> whileBoth{};  ///< of a run with a companion
    };

    std::optional<Run> run(const engine::Experiment& experiment) const;
    /// Keeps the run in place of an earlier one of the same experiment.
    void keep(const engine::Experiment& experiment, Run run);

    std::optional<engine::Duration> gemm(const engine::Experiment& machine, const engine::GemmSize& size) const;
    void keep(const engine::Experiment& machine, const engine::GemmSize& size, engine::Duration time);

    /// Returns a text that is equal for two GEMMs if and only if they have the same key here.
    static std::string identityOf(const engine::Experiment& machine, const engine::GemmSize& size);

private:
    /// Values by experiment and GEMM size (empty for runs). The oldest entry is removed when there are more than kMost.
    template <class Value>
    class Kept {
    public:
        struct Key {
            engine::Experiment experiment;
            engine::GemmSize size;
            std::size_t hash = 0;
            bool operator==(const Key& other) const {
                return hash == other.hash && size == other.size && experiment == other.experiment;
            }
        };

        std::optional<Value> find(const Key& key) const {
            const auto found = m_values.find(key);
            return found == m_values.end() ? std::nullopt : std::optional(found->second);
        }

        void keep(Key key, Value value) {
            const auto [place, isNew] = m_values.insert_or_assign(std::move(key), std::move(value));
            if (!isNew)
                return;
            m_order.push_back(&place->first);
            if (m_order.size() <= kMost)
                return;
            m_values.erase(m_values.find(*m_order.front()));
            m_order.pop_front();
        }

    private:
        struct Hash {
            std::size_t operator()(const Key& key) const { return key.hash; }
        };

        std::unordered_map<Key, Value, Hash> m_values;
        std::deque<const Key*> m_order;  // pointers to the keys of m_values, which do not move; the oldest is first
    };
    using Runs = Kept<Run>;
    using Gemms = Kept<engine::Duration>;

    mutable std::mutex m_mutex;
    Runs m_runs;
    Gemms m_gemms;
};

}  // namespace data
