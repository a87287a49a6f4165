#include "data/questions/advice_moves.h"

#include "engine/api/footprint.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace data {
namespace {

using engine::Experiment;
using engine::ModelPhase;

constexpr const char* kHidden = "workload.hidden";
constexpr const char* kHeads = "workload.heads";
constexpr const char* kBatch = "workload.batch";
constexpr const char* kDegree = "parallel.tp";

std::int64_t mostOf(const char* path) { return static_cast<std::int64_t>(engine::findParameter(path)->maximum); }

double ratioOf(std::int64_t a, std::int64_t b) {
    return static_cast<double>(std::max(a, b)) / static_cast<double>(std::min(a, b));
}

/// A list of changes, sorted by size: the ratio of the values, or a product of such ratios. Changes that keep the
/// model's width and depth come before all others.
class Moves {
public:
    enum Group { keepsModel, changesModel };

    /// Adds a change of one value. `follows` are edits that must be made with it; they multiply its size by `alsoBy`.
    void add(Group group, const char* path, std::int64_t from, std::int64_t to, const AdviceChange& follows = {},
             double alsoBy = 1) {
        if (from == to)
            return;
        AdviceChange change{{path, to}};
        change.insert(change.end(), follows.begin(), follows.end());
        if (m_moves.empty() || m_moves.back().change.front().path != path)
            ++m_paths;
        m_moves.push_back({group, ratioOf(from, to) * alsoBy, m_paths, -to, std::move(change)});
    }

    std::vector<AdviceChange> sorted() && {
        const auto key = [](const Move& move) { return std::tuple(move.group, move.by, move.path, move.larger); };
        std::ranges::stable_sort(m_moves, [&](const Move& a, const Move& b) { return key(a) < key(b); });
        std::vector<AdviceChange> changes;
        changes.reserve(m_moves.size());
        for (Move& move : m_moves)
            changes.push_back(std::move(move.change));
        return changes;
    }

private:
    struct Move {
        Group group;
        double by;
        int path;             // orders changes of equal size: paths that were added first come first
        std::int64_t larger;  // orders changes of equal size and path: larger values come first
        AdviceChange change;
    };
    std::vector<Move> m_moves;
    int m_paths = 0;
};

/// Calls `take` with the multiples of `step` from half of `value` to twice `value`, and with the first one above that
/// range.
template <typename Take>
void forMultiplesNear(std::int64_t value, std::int64_t step, std::int64_t most, Take take) {
    const std::int64_t first = std::max<std::int64_t>(1, (value / 2 + step - 1) / step);
    const std::int64_t last = std::max(2 * value / step, value / step + 1);
    for (std::int64_t multiple = first; multiple <= last && multiple * step <= most; ++multiple)
        take(multiple * step);
}

/// Returns the edits that another number of query heads needs: if there are as many key heads as query heads, their
/// number changes as well. Returns an empty optional if the query heads could not be divided evenly among the key
/// heads.
std::optional<AdviceChange> headsFollow(const Experiment& e, std::int64_t heads) {
    const std::int64_t before = engine::queryHeads(e.workload);
    const auto keyHeads = e.workload.kvHeads;
    if (!keyHeads || (before % *keyHeads == 0 && heads % *keyHeads == 0 && *keyHeads != before))
        return AdviceChange{};
    if (*keyHeads == before)
        return AdviceChange{{"workload.kv_heads", heads}};
    return std::nullopt;
}

template <typename Take>
void forHeadsOf(std::int64_t hidden, Take take) {
    const std::int64_t most = std::min(hidden, mostOf(kHeads));
    for (std::int64_t heads = 1; heads <= most; ++heads) {
        if (hidden % heads == 0)
            take(heads);
    }
}

void addHeads(const Experiment& e, Moves& moves) {
    if (e.workload.headSize)
        return;  // heads of a fixed size: another number of heads would change the width of the queries
    forHeadsOf(e.workload.hidden, [&](std::int64_t heads) {
        if (const auto follows = headsFollow(e, heads))
            moves.add(Moves::keepsModel, kHeads, engine::queryHeads(e.workload), heads, *follows);
    });
}

/// Adds other widths, each with every number of heads that divides it.
void addWidths(const Experiment& e, std::int64_t step, Moves& moves) {
    const std::int64_t hidden = e.workload.hidden, before = engine::queryHeads(e.workload);
    forMultiplesNear(hidden, step, mostOf(kHidden), [&](std::int64_t width) {
        if (e.workload.headSize) {
            moves.add(Moves::changesModel, kHidden, hidden, width);
            return;
        }
        forHeadsOf(width, [&](std::int64_t heads) {
            auto follows = headsFollow(e, heads);
            if (!follows)
                return;
            if (heads != before || !e.workload.heads)  // automatic heads would follow the width
                follows->insert(follows->begin(), AdviceEdit{kHeads, heads});
            // The number of weights grows with the square of the width.
            moves.add(Moves::changesModel, kHidden, hidden, width, *follows,
                      ratioOf(hidden, width) * ratioOf(before, heads));
        });
    });
}

/// Adds the widths that the present number of heads divides.
void addWidthsOfHeads(const Experiment& e, Moves& moves) {
    const std::int64_t heads = engine::queryHeads(e.workload);
    // Automatic heads would follow the width.
    const AdviceChange follows = e.workload.heads ? AdviceChange{} : AdviceChange{{kHeads, heads}};
    forMultiplesNear(e.workload.hidden, heads, mostOf(kHidden), [&](std::int64_t width) {
        moves.add(Moves::changesModel, kHidden, e.workload.hidden, width, follows);
    });
}

void addHeadSizes(const Experiment& e, Moves& moves) {
    if (const auto size = e.workload.headSize) {
        forMultiplesNear(*size, kAlignedSide, mostOf("workload.head_size"),
                         [&](std::int64_t to) { moves.add(Moves::changesModel, "workload.head_size", *size, to); });
        return;
    }
    addHeads(e, moves);
    addWidths(e, kAlignedSide, moves);
}

void addTokens(const Experiment& e, ModelPhase phase, Moves& moves) {
    const std::int64_t batch = e.workload.batch, sequence = e.workload.sequence;
    const bool isOneEach = phase == ModelPhase::generation;
    const auto stepBeside = [](std::int64_t other) { return kAlignedSide / std::gcd(kAlignedSide, other); };
    forMultiplesNear(batch, stepBeside(isOneEach ? 1 : sequence), mostOf(kBatch),
                     [&](std::int64_t to) { moves.add(Moves::keepsModel, kBatch, batch, to); });
    if (!isOneEach)
        forMultiplesNear(sequence, stepBeside(batch), mostOf("workload.sequence"),
                         [&](std::int64_t to) { moves.add(Moves::keepsModel, "workload.sequence", sequence, to); });
}

/// Returns the degrees that divide a node evenly or span whole nodes, and the degree that is set, in rising order.
std::vector<std::int64_t> degreesOf(const Experiment& e) {
    const std::int64_t node = e.node.gpus, most = std::min(mostOf(kDegree), std::max(e.parallel.tp, node));
    std::vector<std::int64_t> degrees;
    for (std::int64_t tp = 1; tp <= most; ++tp) {
        if (node % tp == 0 || tp % node == 0 || tp == e.parallel.tp)
            degrees.push_back(tp);
    }
    return degrees;
}

void addDegrees(const Experiment& e, Moves& moves) {
    for (const std::int64_t tp : degreesOf(e))
        moves.add(Moves::keepsModel, kDegree, e.parallel.tp, tp);
}

void addBatches(const Experiment& e, std::int64_t step, Moves& moves) {
    forMultiplesNear(e.workload.batch, step, mostOf(kBatch),
                     [&](std::int64_t to) { moves.add(Moves::keepsModel, kBatch, e.workload.batch, to); });
}

void addStages(const Experiment& e, Moves& moves) {
    const std::int64_t stages = e.division.pp, layers = e.workload.layers;
    const std::int64_t most = std::min(layers, mostOf("division.pp"));
    for (std::int64_t to = 1; to <= most; ++to) {
        if (layers % to == 0)
            moves.add(Moves::keepsModel, "division.pp", stages, to);
    }
    forMultiplesNear(layers, stages, mostOf("workload.layers"),
                     [&](std::int64_t to) { moves.add(Moves::changesModel, "workload.layers", layers, to); });
}

/// Returns the experiment with another micro-batch. If a step has several micro-batches, their number changes so that
/// the step keeps its sequences.
Experiment withBatch(Experiment e, std::int64_t batch) {
    if (e.division.microbatches > 1)
        e.division.microbatches = e.workload.batch * e.division.microbatches / batch;
    e.workload.batch = batch;
    return e;
}

bool batchFits(const Experiment& e, ModelPhase phase, std::int64_t batch) {
    const Experiment changed = withBatch(e, batch);
    return engine::footprintProblems(changed, phase).empty() && fitsMemory(changed, phase).value_or(false);
}

/// Returns the largest number from 1 to `most` for which `fits` holds, or 0. Precondition: if `fits` holds for a
/// number, it holds for all smaller ones.
template <typename Fits>
std::int64_t largestThatFits(std::int64_t most, Fits fits) {
    std::int64_t known = 0, step = 1;
    while (known + step <= most && fits(known + step)) {
        known += step;
        step *= 2;
    }
    for (; step > 0; step /= 2) {
        if (known + step <= most && fits(known + step))
            known += step;
    }
    return known;
}

void addMicroBatch(const Experiment& e, ModelPhase phase, Moves& moves) {
    const auto best = bestMicroBatch(e, phase);
    if (!best)
        return;
    const std::int64_t microbatches = withBatch(e, *best).division.microbatches;
    AdviceChange follows;
    if (microbatches != e.division.microbatches)
        follows.push_back({"division.microbatches", microbatches});
    moves.add(Moves::keepsModel, kBatch, e.workload.batch, *best, follows);
}

}  // namespace

std::optional<bool> fitsMemory(const Experiment& experiment, ModelPhase phase) {
    return experiment.node.memory ? engine::footprintOf(experiment, phase).fits : std::nullopt;
}

std::optional<std::int64_t> bestMicroBatch(const Experiment& e, ModelPhase phase) {
    const std::int64_t batch = e.workload.batch, sequences = batch * e.division.microbatches;
    const bool fitsNow = batchFits(e, phase, batch);
    if (e.division.microbatches == 1) {
        const std::int64_t unit = fitsNow ? batch : 1;
        const std::int64_t most = fitsNow ? mostOf(kBatch) / batch : batch - 1;
        const std::int64_t best =
            unit * largestThatFits(most, [&](std::int64_t count) { return batchFits(e, phase, unit * count); });
        return best > 0 ? std::optional(best) : std::nullopt;
    }
    for (std::int64_t to = std::min(fitsNow ? sequences : batch - 1, mostOf(kBatch)); to > 0; --to) {
        if (sequences % to == 0 && (!fitsNow || to % batch == 0) && batchFits(e, phase, to))
            return to;
    }
    return std::nullopt;
}

std::optional<std::int64_t> smallestDegree(const Experiment& e, ModelPhase phase) {
    Experiment changed = e;
    for (const std::int64_t tp : degreesOf(e)) {
        changed.parallel.tp = tp;
        if (engine::footprintProblems(changed, phase).empty() && fitsMemory(changed, phase).value_or(false))
            return tp;
    }
    return std::nullopt;
}

std::vector<AdviceChange> movesFor(const Experiment& e, ModelPhase phase, ShapeRule rule) {
    Moves moves;
    const std::int64_t vocabulary = e.workload.vocabulary;
    switch (rule) {
    case ShapeRule::headsDivideWidth:
        addHeads(e, moves);
        addWidthsOfHeads(e, moves);
        break;
        // Changes the vocabulary instead of operators.embedding_rows, because models are published with a padded
        // vocabulary, and runs, footprints and documents all read it.
    case ShapeRule::vocabulary:
        moves.add(Moves::keepsModel, "workload.vocabulary", vocabulary,
                  (vocabulary + kAlignedSide - 1) / kAlignedSide * kAlignedSide);
        break;
    case ShapeRule::microBatch: addMicroBatch(e, phase, moves); break;
    case ShapeRule::tokens: addTokens(e, phase, moves); break;
    case ShapeRule::headSize: addHeadSizes(e, moves); break;
    case ShapeRule::widthOfGpu:
        addDegrees(e, moves);
        addWidths(e, kAlignedSide * e.parallel.tp, moves);
        break;
    case ShapeRule::headsOfGpu:
        addBatches(e, e.parallel.tp / std::gcd(e.parallel.tp, engine::queryHeads(e.workload)), moves);
        addDegrees(e, moves);
        addHeads(e, moves);
        break;
    case ShapeRule::degree:
        if (const auto best = smallestDegree(e, phase))
            moves.add(Moves::keepsModel, kDegree, e.parallel.tp, *best);
        break;
    case ShapeRule::stagesDivideLayers: addStages(e, moves); break;
    }
    return std::move(moves).sorted();
}

}  // namespace data
