#include "engine/memory/arbiter.h"

namespace engine {

namespace {

constexpr std::size_t kRules = std::variant_size_v<AnyArbitrationRule>;
static_assert(kRules == kArbitrationPolicies.size());

template <std::size_t... Index>
AnyArbitrationRule ruleOf(const Experiment& experiment, std::index_sequence<Index...>) {
    using Make = AnyArbitrationRule (*)(const Experiment&);
    static constexpr Make kMake[]{
        [](const Experiment& e) { return AnyArbitrationRule(std::in_place_index<Index>, e); }...};
    return kMake[static_cast<std::size_t>(experiment.arbitration.policy)](experiment);
}

}  // namespace

Arbiter::Arbiter(const Experiment& experiment) : m_rule(ruleOf(experiment, std::make_index_sequence<kRules>())) {}

}  // namespace engine
