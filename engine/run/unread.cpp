#include "engine/run/unread.h"

#include "engine/api/parameters.h"
#include "engine/api/unread.h"
#include "engine/workload/tile_choice.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>

namespace engine {
namespace {

using Paths = std::span<const std::string_view>;

constexpr std::array<std::string_view, 6> kOfGemm{"companion.m",      "companion.n",      "companion.k",
                                                  "companion.tile_m", "companion.tile_n", "companion.slots"};
constexpr std::array<std::string_view, 5> kOfCollective{"companion.bytes", "companion.by", "companion.workgroups",
                                                        "companion.window", "companion.issue"};

bool isAmong(Paths paths, std::string_view path) { return std::find(paths.begin(), paths.end(), path) != paths.end(); }

std::string setTo(const Experiment& e, std::string_view path) {
    const Parameter& parameter = *findParameter(path);
    return std::string(path) + "=" + formatValue(parameter, parameter.read(e));
}

/// Returns whether the companion GEMM takes a side from `matrix`: it does if the side is `same` as that of the own GEMM
/// and there is no own GEMM.
bool isSideOfCompanion(const Experiment& e, std::string_view path) {
    if (e.companion.operation != CompanionOperation::gemm || !isCollectiveAlone(e.workload.sublayer))
        return false;
    const CompanionConfig& of = e.companion;
    if (path == "matrix.batch")
        return true;
    return path == "matrix.m" ? !of.m : path == "matrix.n" ? !of.n : !of.k;
}

std::string whyMatrix(const Experiment& e, std::string_view path) {
    if (e.workload.sublayer == SubLayer::gemm || isSideOfCompanion(e, path))
        return {};
    return "it applies to a GEMM alone (workload.sublayer=gemm)";
}

/// Returns why a parameter of tiles is not read. A companion GEMM reads tiles.padding, too: its tiles at the edge cost
/// as much as whole tiles unless it is `real`.
std::string whyTiles(const Experiment& e, std::string_view path) {
    const bool readsPadding = path == "tiles.padding" && e.companion.operation == CompanionOperation::gemm;
    if (!isCollectiveAlone(e.workload.sublayer) || readsPadding)
        return {};
    return "it applies to a GEMM, and " + setTo(e, "workload.sublayer") + " has none of its own";
}

std::string whyGemm(const Experiment& e, std::string_view path) {
    const bool isTile = path == "gemm.tile_m" || path == "gemm.tile_n";
    if (isTile && choosesTile(e))
        return "the run chooses the tile (" +
               (e.tiles.choice == TileChoice::best ? std::string("tiles.choice=best")
                                                   : "tiles.choice=auto, and the machine states llc.bandwidth") +
               "); tiles.choice=fixed reads it";
    if (path == "gemm.multicast" && !e.llc.bandwidth)
        return "it applies to loads that share llc.bandwidth, which is unlimited";
    return {};
}

std::string whyCu(const Experiment& e, std::string_view path) {
    if (path == "cu.matrix_clock" && isCollectiveAlone(e.workload.sublayer) &&
        e.companion.operation != CompanionOperation::gemm)
        return "it applies while a GEMM is on the GPU, and " + setTo(e, "workload.sublayer") + " has none";
    if (path != "cu.local_memory" || !e.gemm.prefetch)
        return {};
    return "it applies with gemm.prefetch=auto, and " + setTo(e, "gemm.prefetch") + " is a number";
}

std::string whyCompanion(const Experiment& e, std::string_view path) {
    if (path == "companion.operation")
        return {};
    if (!hasCompanion(e))
        return "no companion runs beside the experiment's own work (companion.operation=none)";
    if (!hasCompanionCollective(e))
        return isAmong(kOfCollective, path) ? "it applies to a collective, and the companion is a GEMM" : std::string();
    if (isAmong(kOfGemm, path))
        return "it applies to a companion GEMM, not to " + setTo(e, "companion.operation");
    const bool byDma = e.companion.by == CompanionCarrier::dma;
    if (path == "companion.workgroups" && byDma)
        return "DMA engines carry the companion and have no workgroups";
    if (path == "companion.issue" && !byDma)
        return "it applies to DMA copies, and a kernel carries the companion";
    return {};
}

/// Returns whether two kernels may need a CU at the same time.
bool hasKernelsSideBySide(const Experiment& e) {
    const bool byDma = hasCompanionCollective(e) && e.companion.by == CompanionCarrier::dma;
    return e.policy.start == CommunicationStart::concurrent || (hasCompanion(e) && !byDma);
}

std::string whyDispatch(const Experiment& e, std::string_view path) {
    if (isIdeal(e.policy.preset))
        return std::string(name(e.policy.preset)) +
               " is a formula over the times of sequential, which has the whole GPU";
    const bool isReserved = dispatchRuleOf(e) == DispatchRule::reserved;
    if (path == "dispatch.rule")
        return isReserved || hasKernelsSideBySide(e) ? std::string() : "no two kernels are on the GPU at the same time";
    return isReserved ? std::string() : "no CUs are reserved with " + setTo(e, "dispatch.rule");
}

/// Returns why a parameter of the network is not read. Parameters that machines set for other experiments as well are
/// not named.
std::string whyNetwork(const Experiment& e, std::string_view path) {
    if (!path.starts_with("switch.") || addsInSwitch(e))
        return {};
    return "no switch adds packets with " + setTo(e, "collective.algorithm") + ", only with in-switch";
}

}  // namespace

std::string whyUnread(const Experiment& experiment, const Parameter& parameter) {
    switch (parameter.group) {
    case ParameterGroup::matrix: return whyMatrix(experiment, parameter.path);
    case ParameterGroup::gemm: return whyGemm(experiment, parameter.path);
    case ParameterGroup::tiles: return whyTiles(experiment, parameter.path);
    case ParameterGroup::cu: return whyCu(experiment, parameter.path);
    case ParameterGroup::companion: return whyCompanion(experiment, parameter.path);
    case ParameterGroup::dispatch: return whyDispatch(experiment, parameter.path);
    case ParameterGroup::topology: return whyNetwork(experiment, parameter.path);
    default: return {};
    }
}

void addUnreadParallelWork(const Experiment& experiment, Notices& notices) {
    for (const Parameter& parameter : parameters()) {
        const ParameterValue value = parameter.read(experiment);
        if (value == parameter.defaultValue || value == parameter.leftOutValue)
            continue;
        if (const std::string why = whyUnread(experiment, parameter); !why.empty())
            notices.push_back({parameter.path, "not read: " + why});
    }
}

}  // namespace engine
