#pragma once

#include "engine/memory/arbiter_compute_first.h"
#include "engine/memory/arbiter_mca.h"
#include "engine/memory/arbiter_round_robin.h"

#include <optional>
#include <variant>

namespace engine {

/// The arbitration rules, in the order of ArbitrationPolicy. A new rule is added in three files of the engine:
/// enumerator, word and meaning in engine/api/arbitration_policy.h; its class in a header of its own, as
/// arbitration_rule.h describes; and, in this file, its include and its class in this list. A rule that reads the
/// parameters of another rule is also added to conditions in `data` (ARCHITECTURE.md, "A rule of arbitration").
using AnyArbitrationRule = std::variant<ArbiterRoundRobin, ArbiterMca, ArbiterComputeFirst>;

/// Lets `rule` choose, and adds 1 to `against` if the choice breaks the rule's promise. Always inline, because it runs
/// for every request.
template <typename Rule>
[[gnu::always_inline]] inline const MemoryRequest* watchedPick(Rule& rule, const ArbiterView& view, TimePoint now,
                                                               std::int64_t& against) {
    const MemoryRequest* choice = rule.pick(view, now);
    if (choice && rule.breaksPromise(choice, view, now))
        ++against;
    return choice;
}

/// Chooses the stream of one channel whose head request goes to the DRAM queue next, by the rule of the experiment. The
/// functions forward to those of ArbitrationRule; they are in the header because they run for every request.
class Arbiter {
public:
    explicit Arbiter(const Experiment& experiment);

    /// Returns the chosen request and counts it as served; null if neither stream may be served now.
    const MemoryRequest* pick(const ArbiterView& view, TimePoint now) {
        if (!view.compute && !view.communication)
            return nullptr;
        return std::visit([&](auto& rule) { return watchedPick(rule, view, now, m_picksAgainstRule); }, m_rule);
    }
    TimePoint heldUntil(const ArbiterView& view) const {
        return std::visit([&](const auto& rule) { return rule.heldUntil(view); }, m_rule);
    }
    void fixThreshold(Duration served, Duration elapsed) {
        std::visit([&](auto& rule) { rule.fixThreshold(served, elapsed); }, m_rule);
    }
    /// Returns the bytes in one channel's DRAM queue below which communication may be served; empty: no limit.
    std::optional<Bytes> limit() const {
        return std::visit([](const auto& rule) { return rule.limit(); }, m_rule);
    }
    std::string_view promise() const {
        return std::visit([](const auto& rule) { return rule.kPromise; }, m_rule);
    }
    /// Returns how often a choice broke the promise; must stay 0.
    std::int64_t picksAgainstRule() const { return m_picksAgainstRule; }

private:
    AnyArbitrationRule m_rule;
    std::int64_t m_picksAgainstRule = 0;
};

}  // namespace engine
