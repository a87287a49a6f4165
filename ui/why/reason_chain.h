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

/// The subject of steps of a critical path: the tile, chunk or block that is computed, waits or is sent.
struct ReasonSubject {
    enum class Kind : std::uint8_t { none, tile, chunk, block };
    Kind kind{};
    std::uint32_t number = engine::kNone;  ///< the number that users see, counted on its GPU
    bool operator==(const ReasonSubject&) const = default;
};

/// A link of the cause chain. It joins the steps of the critical path that a person would describe together: a
/// single step, a packet's transmission and propagation, or a long run of similar steps, such as the K-steps of a
/// workgroup with their loads.
struct ReasonLink {
    std::size_t first = 0, last = 0;  ///< indices of the steps, both included
    std::size_t shown = 0;            ///< index of the step that the description is taken from
    data::TimeRange range;
    engine::CauseTimes times;
    ReasonSubject subject;
    std::uint32_t workgroups = 0;  ///< workgroups that computed in this link
    std::uint32_t kSteps = 0;      ///< K-steps that they computed; 0 if unknown

    engine::Cause cause() const;  ///< the cause that took most of the link's time
};

/// The cause chain: a critical path as a chain of links, each of which waited for the one before it. The links cover
/// the path without gaps and do not depend on the time at which one begins to read. Steps are joined into links on
/// first use, so that this costs nothing for a run that is only drawn. Not thread-safe.
class ReasonChain {
public:
    /// Makes the chain of a run. If the run has no critical path, there are no links.
    explicit ReasonChain(std::shared_ptr<const data::Flow> flow);

    const data::Flow& flow() const { return *m_flow; }
    const data::ShownRun& run() const { return m_flow->run(); }
    const data::CauseIndex& causes() const { return m_causes; }
    bool empty() const { return m_causes.empty(); }
    const std::vector<ReasonLink>& links() const;
    /// Returns the link that ended at the time `ps` or was in progress just before it: what the run waited for until
    /// then. Precondition of this and the following functions: the chain is not empty, and a step or link
    /// that is passed belongs to it.
    std::size_t linkAt(std::int64_t ps) const { return linkOfStep(m_causes.stepAt(ps > 0 ? ps - 1 : 0)); }
    std::size_t linkOfStep(std::size_t step) const;
    const engine::PathStep& shownStep(std::size_t link) const { return m_causes.steps()[links()[link].shown]; }
    /// Returns the span that the timeline can show for a link; an empty optional if no lane shows it.
    std::optional<data::SpanRef> spanOf(std::size_t link) const;
    /// Returns the GPU that waited, which is the one that continued afterwards.
    std::uint32_t waiterOf(std::size_t link) const;
    /// Returns the last link in which a span takes part during its time, by itself or by its tile, chunk or block.
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

/// The following functions return the sentences of a cause chain. They depend on the links alone.

/// Returns the sentence of the first link: "GPU 3 waits for chunk 5 from GPU 4".
QString firstReason(const ReasonChain& chain, std::size_t link);
/// Returns the sentence of a further link: "which waited for its tracker to trigger DMA block 17", "which was queued
/// behind 2.1 MB of updates in channel 6".
QString furtherReason(const ReasonChain& chain, std::size_t link);
/// Returns the duration and the end of a link: "12.4 µs, until 184.2 µs"; with several causes: "12.4 µs, 9.0 µs of it
/// memory, until 184.2 µs".
QString reasonTimes(const ReasonChain& chain, std::size_t link);
/// Returns sentence, cause and times, for tool tips and screen readers.
QString reasonInFull(const ReasonChain& chain, std::size_t link);

}  // namespace ui
