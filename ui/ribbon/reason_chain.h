#pragma once

#include "data/replay/cause_index.h"
#include "data/replay/flow.h"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ui {

/// What the steps of a path are about.
struct ReasonSubject {
    enum class Kind : std::uint8_t { none, tile, chunk, block };
    Kind kind{};
    std::uint32_t number = engine::kNone;  ///< as the reader of its GPU knows it
    bool operator==(const ReasonSubject&) const = default;
};

/// What a person tells as one: a step of the critical path, a packet's sending with its way along the wire, or a long run
/// of alike steps, such as the K-steps of a workgroup with their loads.
struct ReasonLink {
    std::size_t first = 0, last = 0;  ///< steps, both included
    std::size_t told = 0;             ///< the step that gives it its words
    data::TimeRange range;
    engine::CauseTimes times;
    ReasonSubject subject;
    std::uint32_t workgroups = 0;  ///< that computed in it
    std::uint32_t kSteps = 0;      ///< that they did in it; 0 where nobody knows

    engine::Cause cause() const;  ///< that took most of it
};

/// A critical path as a chain of reasons, from the end of the run backwards: each link waited for the one before it.
/// The links are the same wherever one begins to read, and cover the path without a gap. Steps are joined when links are
/// first asked for, so that a run that is only drawn costs its sums. Not for several threads.
class ReasonChain {
public:
    /// Where the run has no path there are no links.
    explicit ReasonChain(std::shared_ptr<const data::Flow> flow);

    const data::Flow& flow() const { return *m_flow; }
    const data::ShownRun& run() const { return m_flow->run(); }
    const data::CauseIndex& causes() const { return m_causes; }
    bool empty() const { return m_causes.empty(); }
    const std::vector<ReasonLink>& links() const;
    /// Preconditions from here on: not empty; a step of the path, a link of the chain.
    /// What ended at a moment, or was under way: what somebody who stands there has been waiting for.
    std::size_t linkAt(std::int64_t ps) const { return linkOfStep(m_causes.stepAt(ps > 0 ? ps - 1 : 0)); }
    std::size_t linkOfStep(std::size_t step) const;
    const engine::PathStep& toldStep(std::size_t link) const { return m_causes.steps()[links()[link].told]; }
    /// What the timeline can show of it; nothing where no lane does.
    std::optional<data::SpanRef> spanOf(std::size_t link) const;
    /// The GPU that waited: the one that went on afterwards.
    std::uint32_t waiterOf(std::size_t link) const;
    /// The last link that a span, or the tile, chunk or block that it is about, has a part in while it lasts.
    std::optional<std::size_t> linkThrough(data::SpanRef span) const;

private:
    const engine::Lane* laneOf(const engine::PathStep& step) const;
    ReasonSubject subjectOf(const engine::Span& span, std::uint32_t gpu) const;
    ReasonSubject subjectOf(const engine::PathStep& step) const;
    std::vector<ReasonSubject> subjects() const;
    void join() const;
    ReasonLink linkOf(std::size_t first, std::size_t last, const ReasonSubject& subject) const;
    void countWork(ReasonLink& link) const;

    std::shared_ptr<const data::Flow> m_flow;
    data::CauseIndex m_causes;
    mutable bool m_joined = false;
    mutable std::vector<ReasonLink> m_links;
};

/// The sentences of a chain of reasons, made from its links alone.

/// "GPU 3 waits for chunk 5 from GPU 4"
QString firstReason(const ReasonChain& chain, std::size_t link);
/// "which waited for its tracker to trigger DMA block 17", "which stood behind 2.1 MB of updates in channel 6"
QString furtherReason(const ReasonChain& chain, std::size_t link);
/// "12.4 µs, until 184.2 µs"; where several causes have a part: "12.4 µs, 9.0 µs of it memory, until 184.2 µs".
QString reasonTimes(const ReasonChain& chain, std::size_t link);
/// Sentence, cause and times: for tooltips and screen readers.
QString reasonInFull(const ReasonChain& chain, std::size_t link);

}  // namespace ui
