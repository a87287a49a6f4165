// Double binary tree (Sanders, Speck and Träff 2009): two binary trees over all GPUs. The second tree is the first one
// mirrored, or shifted by one if the number of GPUs is odd, so that a GPU with children in one tree is a leaf of the
// other (of an odd number one GPU is not). Even chunks are summed up towards the root of the first tree and spread from
// there; odd chunks use the second tree. Chunks follow each other step by step: in each step a GPU takes one chunk of
// each tree one level further.
#include "engine/api/experiment.h"
#include "engine/api/run_parts.h"
#include "engine/collective/algorithm.h"

#include <algorithm>
#include <bit>
#include <optional>

namespace engine {

namespace {

struct TreePlace {
    std::optional<std::uint32_t> parent;
    std::vector<std::uint32_t> children;
    std::uint32_t depth = 0;
};

// Returns the parent of a GPU in the first tree; empty for GPU 0, the root. Odd GPUs are the leaves, GPUs with one zero
// bit at the end are their parents, and so on. A parent beyond the last GPU is skipped.
std::optional<std::uint32_t> parentOf(std::uint32_t gpu, std::uint32_t gpus) {
    if (gpu == 0)
        return std::nullopt;
    const std::uint32_t bit = gpu & (~gpu + 1);
    const std::uint32_t parent = (gpu ^ bit) | (bit << 1);
    return parent < gpus ? parent : gpu ^ bit;
}

std::vector<TreePlace> treeOf(std::uint32_t gpus, bool turned) {
    const auto turn = [&](std::uint32_t gpu) {
        return !turned ? gpu : gpus % 2 == 0 ? gpus - 1 - gpu : (gpu + 1) % gpus;
    };
    std::vector<TreePlace> tree(gpus);
    for (std::uint32_t gpu = 1; gpu < gpus; ++gpu) {
        TreePlace& place = tree[turn(gpu)];
        place.parent = turn(*parentOf(gpu, gpus));
        tree[*place.parent].children.push_back(turn(gpu));
        for (auto above = parentOf(gpu, gpus); above; above = parentOf(*above, gpus))
            ++place.depth;
    }
    return tree;
}

// The k-th chunk of a tree leaves a GPU of depth d upwards in step k + height - d, and downwards in step k + d, from 0.
std::vector<CollectiveStep> doubleTreeSteps(CollectiveKind kind, const RingSchedule& ring) {
    std::vector<CollectiveStep> steps;
    const auto at = [&](std::uint32_t step) -> CollectiveStep& {
        steps.resize(std::max<std::size_t>(steps.size(), std::size_t{step} + 1));
        return steps[step];
    };
    for (std::uint32_t which = 0; which < 2; ++which) {
        const std::vector<TreePlace> tree = treeOf(ring.gpus, which == 1);
        std::uint32_t height = 0;
        for (const TreePlace& place : tree)
            height = std::max(height, place.depth);
        const TreePlace& own = tree[ring.gpu];
        std::uint32_t k = 0;
        for (std::uint32_t chunk = which; chunk < ring.gpus; chunk += 2, ++k) {
            if (kind == CollectiveKind::allGather) {
                if (own.parent)
                    at(k + own.depth - 1).receives.push_back({*own.parent, chunk});
                if (!own.children.empty())
                    at(k + own.depth).sends.push_back({chunk, own.children});
                continue;
            }
            for (const std::uint32_t child : own.children)
                at(k + height - own.depth - 1).receives.push_back({child, chunk});
            if (own.parent)
                at(k + height - own.depth).sends.push_back({chunk, {*own.parent}});
        }
    }
    return steps;
}

void refuseDoubleTree(const Experiment&, const RunParts& parts, std::vector<std::string>& reasons) {
    if (!parts.reduceScatter || !parts.allGather)
        reasons.emplace_back(
            "sums end at the roots of its trees, so that it runs all-reduces only; choose ring or direct");
}

// Trees sum up chunk by chunk, so that all GPUs begin with the same chunk.
std::uint32_t firstOfAll(const RingSchedule&) { return 0; }

}  // namespace

extern const Algorithm kDoubleTreeAlgorithm;
const Algorithm kDoubleTreeAlgorithm{.steps = doubleTreeSteps, .refuse = refuseDoubleTree, .firstChunk = firstOfAll};

}  // namespace engine
