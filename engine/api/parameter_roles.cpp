#include "engine/api/parameter_roles.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace engine {
namespace {

using enum ParameterRole;

/// The parameters whose role differs from that of their group.
constexpr std::array<std::pair<std::string_view, ParameterRole>, 24> kApart{{
    {"collective.operation", question},
    {"companion.by", method},
    {"companion.workgroups", method},
    {"companion.window", method},
    {"companion.issue", machine},
    {"collective.cu_bandwidth", machine},
    {"pass.rate", machine},
    {"pass.cost", machine},
    {"pass.switch", machine},
    {"pass.piece", machine},
    {"collective.start_latency", machine},
    {"collective.staging", machine},
    {"collective.piece", machine},
    {"gemm.epilogue", machine},
    {"gemm.multicast", machine},
    {"gemm.accumulators", machine},
    {"division.weights", question},
    {"operators.attention", method},
    {"operators.recompute", method},
    {"cache.write_back", method},
    {"dma.block_tiles", method},
    {"memory.store_order", method},
    {"memory.model", simulation},
    {"dram.look_ahead", method},
}};

ParameterRole roleOfGroup(ParameterGroup group) {
    switch (group) {
    case ParameterGroup::model:
    case ParameterGroup::sublayer:
    case ParameterGroup::matrix:
    case ParameterGroup::access:
    case ParameterGroup::companion:
    case ParameterGroup::parallelism:
    case ParameterGroup::operators:
    case ParameterGroup::training: return question;
    case ParameterGroup::division:
    case ParameterGroup::step:
    case ParameterGroup::gemm:
    case ParameterGroup::tiles:
    case ParameterGroup::dispatch:
    case ParameterGroup::address:
    case ParameterGroup::arbitration:
    case ParameterGroup::collective:
    case ParameterGroup::policy: return method;
    case ParameterGroup::detail: return simulation;
    default: return machine;
    }
}

}  // namespace

ParameterRole roleOf(const Parameter& parameter) {
    const auto* apart =
        std::find_if(kApart.begin(), kApart.end(), [&](const auto& entry) { return entry.first == parameter.path; });
    return apart == kApart.end() ? roleOfGroup(parameter.group) : apart->second;
}

}  // namespace engine
