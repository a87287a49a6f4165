#include "engine/api/run_parts.h"
#include "engine/collective/algorithm.h"
#include "engine/run/validation_parts.h"
#include "engine/workload/gemm_shape.h"
#include "engine/workload/pass_timing.h"

#include <algorithm>
#include <vector>

namespace engine {
namespace {

constexpr std::int64_t kMostPieces = 1 << 24;      // of a pass inside memory, all channels together
constexpr std::int64_t kMostSlotsBesideGemm = 16;  // up to this number the room of a workgroup is exact

bool isByDma(const Experiment& e) { return hasCompanionCollective(e) && e.companion.by == CollectiveCarrier::dma; }

RunParts partsOfCompanion(const Experiment& e) {
    RunParts parts;
    switch (e.companion.operation) {
    case CompanionOperation::allGather: parts.allGather = true; break;
    case CompanionOperation::reduceScatter: parts.reduceScatter = true; break;
    case CompanionOperation::allReduce: parts.reduceScatter = parts.allGather = true; break;
    case CompanionOperation::allToAll: parts.allToAll = true; break;
    case CompanionOperation::none:
    case CompanionOperation::gemm:
    case CompanionOperation::inMemory: break;
    }
    parts.scatterByDma = parts.scatters() && isByDma(e);
    parts.gatherByDma = parts.allGather && isByDma(e);
    return parts;
}

void checkCollective(const Experiment& e, Problems& problems) {
    checkElements("companion.bytes", e.companion.bytes, e, problems);
    if (e.companion.copies > 1)
        problems.push_back(problemAt("companion.copies", e,
                                     "a companion collective has one copy; allowed: 1, or companion.operation=gemm"));
    if (!isByDma(e) && e.companion.workgroups > e.cu.count)
        problems.push_back(problemAt("companion.workgroups", e,
                                     "more than the GPU has CUs, of which each takes one; allowed: 1 to " +
                                         std::to_string(e.cu.count) + ", or companion.by=dma"));
    if (isByDma(e) && partsOfCompanion(e).reduceScatter && e.collective.reduction == Reduction::cu)
        problems.push_back(
            problemAt("companion.by", e,
                      "DMA engines cannot add, and collective.reduction=cu adds on CUs; allowed: kernel, "
                      "or collective.reduction=nmc, or another companion.operation"));
    if (e.companion.window && *e.companion.window < e.detail.granule)
        problems.push_back(
            problemAt("companion.window", e,
                      "smaller than one request (detail.granule = " + formatted("detail.granule", e) +
                          "), so that no data could ever be sent; allowed: at least that, or unlimited"));
}

void checkPass(const Experiment& e, Problems& problems) {
    if (e.companion.copies > 1)
        problems.push_back(problemAt("companion.copies", e,
                                     "a pass inside memory has one copy; allowed: 1, or companion.operation=gemm"));
    if (e.companion.by == CollectiveCarrier::dma)
        problems.push_back(problemAt("companion.by", e,
                                     "processors at the banks carry out a pass inside memory; allowed: kernel (which "
                                     "is not read), or a collective for companion.operation"));
    const PassTiming timing(e);
    const std::int64_t pieces = (timing.bytesOf(0) + timing.piece() - 1) / timing.piece() * e.detail.channels;
    if (pieces > kMostPieces)
        problems.push_back(problemAt("pass.piece", e,
                                     "cuts companion.bytes into " + std::to_string(pieces) +
                                         " pieces of one channel, allowed are " + std::to_string(kMostPieces) +
                                         "; choose larger pieces, fewer companion.bytes or a smaller "
                                         "detail.channels"));
}

/// Returns whether the slots of the own GEMM are read: by the own GEMM, or by a companion whose slots are `same`.
bool readsOwnSlots(const Experiment& e) { return hasOwnGemm(e.workload.sublayer) || !e.companion.slots; }

void checkGemm(const Experiment& e, Problems& problems) {
    const std::int64_t slots = residentWorkgroups(e);
    if (!readsOwnSlots(e) || slots <= kMostSlotsBesideGemm)
        return;
    const std::string most = std::to_string(kMostSlotsBesideGemm);
    if (e.cu.residency == Residency::slots)
        problems.push_back(problemAt("cu.slots", e,
                                     "beside a companion GEMM a CU is shared out into at most " + most +
                                         " parts; allowed: 1 to " + most + ", or companion.operation=none"));
    else
        problems.push_back(problemAt("cu.registers", e,
                                     "has room for " + std::to_string(slots) +
                                         " workgroups, and beside a companion GEMM a CU is shared out into at most " +
                                         most +
                                         " parts; choose less, larger gemm.tile_m or gemm.tile_n, or "
                                         "cu.residency=slots with a cu.slots of 1 to " +
                                         most));
}

}  // namespace

void checkCompanion(const Experiment& experiment, Problems& problems) {
    if (!hasCompanion(experiment))
        return;
    if (isIdeal(experiment.policy.preset))
        problems.push_back(problemAt("policy.preset", experiment,
                                     "a formula over runs without a companion; choose another policy, or "
                                     "companion.operation=none"));
    if (hasCompanionCollective(experiment))
        checkCollective(experiment, problems);
    else if (hasInMemoryPass(experiment))
        checkPass(experiment, problems);
    else
        checkGemm(experiment, problems);
}

void checkCompanionOperation(const Experiment& experiment, Problems& problems) {
    const auto refuse = algorithmOf(experiment.collective.algorithm).refuse;
    if (!refuse || !hasCompanionCollective(experiment))
        return;
    std::vector<std::string> reasons;
    refuse(experiment, partsOfCompanion(experiment), reasons);
    for (const std::string& reason : reasons) {
        Problem problem = problemAt("collective.algorithm", experiment, reason);
        // A problem of both parts is reported once.
        if (std::find(problems.begin(), problems.end(), problem) != problems.end())
            continue;
        problem.text += " for the companion (" + formatted("companion.operation", experiment) + ")";
        problems.push_back(std::move(problem));
    }
}

void checkReservedCus(const Experiment& e, Problems& problems) {
    if (dispatchRuleOf(e) != DispatchRule::reserved)
        return;
    const std::string allowed = e.cu.count > 1 ? "allowed: 1 to " + std::to_string(e.cu.count - 1)
                                               : "choose at least 2 for cu.count, or another dispatch.rule";
    if (!e.dispatch.reserved && isByDma(e)) {
        problems.push_back(problemAt("dispatch.reserved", e,
                                     "with companion.by=dma there is no collective kernel whose workgroups could be "
                                     "counted; " +
                                         allowed));
        return;
    }
    if (reservedCus(e) < e.cu.count)
        return;
    if (!e.dispatch.reserved && !hasCompanionCollective(e) && hasKernelBesideGemm(e)) {
        const std::string why = "with policy.start=" + formatted("policy.start", e) +
                                " the collective takes CUs from the GEMM, and both need ";
        if (e.cu.count == 1)
            problems.push_back(problemAt("cu.count", e, why + "one; allowed: at least 2, or another policy"));
        else
            problems.push_back(
                problemAt("collective.cu_count", e, why + "some; allowed: 1 to " + std::to_string(e.cu.count - 1)));
        return;
    }
    problems.push_back(
        problemAt("dispatch.reserved", e,
                  std::string(e.dispatch.reserved ? "leaves no CU for GEMMs"
                                                  : "the collective kernel has as many workgroups as there are CUs, or "
                                                    "there is none: no CU is left for GEMMs") +
                      " (cu.count = " + std::to_string(e.cu.count) + "); " + allowed));
}

}  // namespace engine
