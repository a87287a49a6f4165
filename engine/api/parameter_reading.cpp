#include "engine/api/parameter_reading.h"

#include "engine/api/parameters.h"
#include "engine/api/run_parts.h"
#include "engine/api/tile_choice.h"

namespace engine::reading {
namespace {

bool ownSends(const Experiment& e) { return sendsData(e.workload.sublayer); }

std::string setTo(const Experiment& e, std::string_view path) {
    const Parameter& parameter = *findParameter(path);
    return std::string(path) + "=" + formatValue(parameter, parameter.read(e));
}

bool isCarriedByDma(const Experiment& e) {
    return hasCompanionCollective(e) && e.companion.by == CollectiveCarrier::dma;
}

/// Returns whether two kernels may need a CU at the same time.
bool hasKernelsSideBySide(const Experiment& e) {
    return hasKernelBesideGemm(e) || (hasCompanion(e) && !isCarriedByDma(e) && !hasInMemoryPass(e));
}

std::string whyNoKernels(const Experiment& e) {
    if (!isIdeal(e.policy.preset))
        return {};
    return std::string(name(e.policy.preset)) + " is a formula over the times of sequential, which has the whole GPU";
}

}  // namespace

bool never(const Experiment&) { return false; }
bool hasGemm(const Experiment& e) { return hasOwnGemm(e.workload.sublayer); }
bool isSubLayer(const Experiment& e) { return isPartOfModel(e.workload.sublayer); }
bool communicates(const Experiment& e) { return ownSends(e) || hasCompanionCollective(e); }
bool hasTwoStreams(const Experiment& e) {
    return communicates(e) || hasInMemoryPass(e) ||
           (e.workload.sublayer == SubLayer::access && e.access.communication > 0);
}
bool tracks(const Experiment& e) {
    return isCarriedByDma(e) || (ownSends(e) && e.policy.mapping == OutputMapping::remoteDma);
}
bool updates(const Experiment& e) {
    const bool isAccess = e.workload.sublayer == SubLayer::access;
    return !hasBanks(e) && (isAccess || (communicates(e) && e.collective.reduction == Reduction::nmc));
}
bool updatesBanks(const Experiment& e) {
    const bool isAccess = e.workload.sublayer == SubLayer::access;
    return hasBanks(e) && (isAccess || (communicates(e) && e.collective.reduction == Reduction::nmc));
}
bool hasBanks(const Experiment& e) { return e.memory.model == DramModel::banks; }
bool hasBanksOrMapping(const Experiment& e) { return hasBanks(e) || hasAddressMapping(e); }
bool hasBanksWithoutMapping(const Experiment& e) { return hasBanks(e) && !hasAddressMapping(e); }
bool mapsBanks(const Experiment& e) { return hasBanks(e) && hasAddressMapping(e); }
bool hasKernelCompanion(const Experiment& e) {
    return hasCompanionCollective(e) && e.companion.by == CollectiveCarrier::kernel;
}
bool addsOrSends(const Experiment& e) {
    return ownSends(e) && e.policy.mapping != OutputMapping::remoteDma &&
           (!copiesByDma(e) || runPartsOf(e).reduceScatter);
}
bool hasCollectiveKernels(const Experiment& e) { return hasKernelCompanion(e) || addsOrSends(e); }
bool takesPieces(const Experiment& e) {
    return hasKernelCompanion(e) || (ownSends(e) && e.policy.mapping != OutputMapping::remoteDma && !copiesByDma(e));
}
bool copies(const Experiment& e) { return tracks(e) || copiesByDma(e); }
bool mayCopy(const Experiment& e) {
    return isSubLayer(e) && e.policy.start == CommunicationStart::byPiece && e.policy.mapping == OutputMapping::local;
}
bool takesTurns(const Experiment& e) {
    return hasTwoStreams(e) && e.arbitration.policy == ArbitrationPolicy::roundRobin;
}
bool isMca(const Experiment& e) { return hasTwoStreams(e) && e.arbitration.policy == ArbitrationPolicy::mca; }
bool joinsNodes(const Experiment& e) { return communicates(e) && isTwoNodes(e); }
bool sumsInSwitch(const Experiment& e) { return communicates(e) && addsInSwitch(e); }

bool waitsForSignals(const Experiment& e) { return overlapsInSoftware(e); }

bool isTwoNodes(const Experiment& e) { return e.topology.kind == TopologyKind::twoNodes; }

std::string whyNoAccess(const Experiment& e) {
    return e.workload.sublayer == SubLayer::access ? std::string()
                                                   : "it applies to an access pattern (workload.sublayer=access)";
}

std::string whyNoMatrix(const Experiment& e, bool takenByCompanion) {
    const bool isOfCompanion = takenByCompanion && hasCompanionGemm(e) && isCollectiveAlone(e.workload.sublayer);
    if (e.workload.sublayer == SubLayer::gemm || isOfCompanion)
        return {};
    return "it applies to a GEMM alone (workload.sublayer=gemm)";
}

std::string whyNoTile(const Experiment& e) {
    if (!choosesTile(e))
        return {};
    return "the run chooses the tile (" + setTo(e, "tiles.choice") +
           (e.tiles.choice == TileChoice::automatic ? ", and the machine states llc.bandwidth" : "") +
           "); tiles.choice=fixed reads it";
}

std::string whyNoOwnGemm(const Experiment& e) {
    if (hasOwnGemm(e.workload.sublayer))
        return {};
    return "it applies to a GEMM, and " + setTo(e, "workload.sublayer") + " has none of its own";
}

// Tiles at the edge of a companion GEMM cost as much as whole tiles unless tiles.padding is `real`.
std::string whyNoPadding(const Experiment& e) { return hasCompanionGemm(e) ? std::string() : whyNoOwnGemm(e); }

std::string whyNoSharedLoads(const Experiment& e) {
    return e.llc.bandwidth ? std::string() : "it applies to loads that share llc.bandwidth, which is unlimited";
}

std::string whyNoMatrixClock(const Experiment& e) {
    if (hasOwnGemm(e.workload.sublayer) || hasCompanionGemm(e))
        return {};
    return "it applies while a GEMM is on the GPU, and " + setTo(e, "workload.sublayer") + " has none";
}

std::string whyNoLocalMemory(const Experiment& e) {
    if (!e.gemm.prefetch)
        return {};
    return "it applies with gemm.prefetch=auto, and " + setTo(e, "gemm.prefetch") + " is a number";
}

std::string whyNoCompanion(const Experiment& e) {
    return hasCompanion(e) ? std::string()
                           : "no companion runs beside the experiment's own work (companion.operation=none)";
}

std::string whyNoCompanionGemm(const Experiment& e) {
    return hasCompanion(e) && !hasCompanionGemm(e)
               ? "it applies to a companion GEMM, not to " + setTo(e, "companion.operation")
               : whyNoCompanion(e);
}

std::string whyNoCompanionCollective(const Experiment& e) {
    if (hasInMemoryPass(e))
        return "it applies to a collective, and the companion is a pass inside memory";
    return hasCompanionGemm(e) ? "it applies to a collective, and the companion is a GEMM" : whyNoCompanion(e);
}

std::string whyNoCompanionBytes(const Experiment& e) {
    return hasInMemoryPass(e) ? std::string() : whyNoCompanionCollective(e);
}

std::string whyNoPass(const Experiment& e) {
    return hasCompanion(e) && !hasInMemoryPass(e)
               ? "it applies to a pass inside memory, not to " + setTo(e, "companion.operation")
               : whyNoCompanion(e);
}

std::string whyNoCompanionKernel(const Experiment& e) {
    return isCarriedByDma(e) ? "DMA engines carry the companion and have no workgroups" : whyNoCompanionCollective(e);
}

std::string whyNoCompanionDma(const Experiment& e) {
    return hasKernelCompanion(e) ? "it applies to DMA copies, and a kernel carries the companion"
                                 : whyNoCompanionCollective(e);
}

std::string whyNoDispatch(const Experiment& e) {
    const std::string why = whyNoKernels(e);
    const bool isRead = dispatchRuleOf(e) == DispatchRule::reserved || hasKernelsSideBySide(e);
    return why.empty() && !isRead ? "no two kernels are on the GPU at the same time" : why;
}

std::string whyNoReservedCus(const Experiment& e) {
    const std::string why = whyNoKernels(e);
    const bool isRead = dispatchRuleOf(e) == DispatchRule::reserved;
    return why.empty() && !isRead ? "no CUs are reserved with " + setTo(e, "dispatch.rule") : why;
}

std::string whyNoPieces(const Experiment& e) {
    return launchesPieces(e) ? std::string()
                             : "the GEMM is one kernel with " + setTo(e, "policy.start") + ", only by-piece cuts it";
}

std::string whyNoCopies(const Experiment& e) {
    if (mayCopy(e))
        return e.collective.by == CollectiveCarrier::dma ? std::string()
                                                         : "a kernel carries the collective (collective.by=kernel)";
    return "only a GEMM in pieces (policy.start=by-piece) has a collective by copies";
}

std::string whyNoCarrier(const Experiment& e) {
    return mayCopy(e) ? std::string()
                      : "with " + setTo(e, "policy.start") + " a kernel, or tracker and DMA, carry the collective";
}

std::string whyNoSignals(const Experiment& e) {
    return waitsForSignals(e) ? std::string() : "nothing takes the output while the GEMM produces it";
}

std::string whyNoBankHash(const Experiment& e) {
    return hasBanks(e) ? std::string()
                       : "no banks are simulated with " + setTo(e, "memory.model") + ", only with banks";
}

// Parameters of the network that machines set for other experiments as well are not named.
std::string whyNoSumsInSwitch(const Experiment& e) {
    if (addsInSwitch(e))
        return {};
    return "no switch adds packets with " + setTo(e, "collective.algorithm") + ", only with in-switch";
}

}  // namespace engine::reading
