#pragma once

#include "engine/api/gemm.h"
#include "engine/api/results.h"

#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace data {

/// What whole models simulated before: a change of phase, of policies or of a link simulates only what it changes.
/// A GEMM by itself does not depend on how GPUs are joined, so that one is found again whatever the links are.
/// Bounded: what came first is forgotten first. Safe to share between threads.
class ModelMemory {
public:
    static constexpr std::size_t kMost = 256;  ///< of each kind

    /// A run of a sub-layer or of a collective.
    struct Run {
        engine::TimeResult time;
        engine::Notices notices;
    };

    std::optional<Run> run(const engine::Experiment& experiment) const;
    void keep(const engine::Experiment& experiment, Run run);

    std::optional<engine::Duration> gemm(const engine::Experiment& machine, const engine::GemmSize& size) const;
    void keep(const engine::Experiment& machine, const engine::GemmSize& size, engine::Duration time);

private:
    struct Gemm {
        engine::Experiment machine;
        engine::GemmSize size;
        engine::Duration time;
    };

    mutable std::mutex m_mutex;
    std::deque<std::pair<engine::Experiment, Run>> m_runs;
    std::deque<Gemm> m_gemms;
};

}  // namespace data
