#pragma once

#include "data/model/model_run.h"
#include "data/model/pair_rates.h"
#include "engine/api/pipeline.h"
#include "engine/api/timetable.h"

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace data {

/// A part of a pass: what comes before the layers, one layer, or what comes after them.
enum class SectionKind { begin, layer, end };

/// One operator in the timetable of a section.
struct SectionSpan {
    std::size_t op = 0;  ///< index in the graph
    bool isTensor = false;
    engine::Duration begin, end;  ///< from the beginning of the section
};

/// A section under one policy: its operators on two lanes, compute and tensor. A collective takes the tensor lane for
/// its exposed time, every other operator the compute lane.
struct SectionTime {
    engine::Duration total;
    engine::Duration compute;  ///< the compute lane is busy; in the rest of the total it waits for the tensor lane
    std::vector<SectionSpan> spans;  ///< in the order of the graph
};

/// Returns the rates of an operator and a collective of the graph, by index.
using OperatorPairRates = std::function<PairRates(std::size_t op, std::size_t collective)>;

/// The operators of the backward pass, recomputation included, whose results only the optimizer reads, directly or
/// through each other, within their section: those of a weight pass. By operator.
std::vector<bool> weightOperators(const engine::OperatorGraph& graph);

/// The times of all sections under one policy.
class SectionTimes {
public:
    /// Schedules each section once, with the experiment's look-ahead. `splits`: the backward pass has a weight pass of
    /// its own. Overlap from one section to the next is left out.
    SectionTimes(const ModelRun& run, const PolicyModelTime& policy, bool splits, const OperatorPairRates& rates = {});

    const SectionTime& of(engine::PassKind pass, SectionKind section) const {
        return m_times[static_cast<std::size_t>(pass)][static_cast<std::size_t>(section)];
    }

    /// Returns the times of a pass's sections, in the order in which it goes through them.
    std::vector<const SectionTime*> ofPass(engine::PassKind pass, const engine::StageChunk& chunk) const;

private:
    std::array<std::array<SectionTime, 3>, 3> m_times;
};

}  // namespace data
