#pragma once

#include "data/replay/flow.h"
#include "engine/api/trace.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace data {

/// What to look for in a run: everything that is given must hold; of kinds one.
struct SpanQuery {
    std::optional<std::uint32_t> gpu, tile, chunk, block;
    std::optional<std::uint32_t> wave;  ///< counted from 1
    std::uint32_t kinds = 0;            ///< bits by SpanKind; 0: any
    std::optional<std::int64_t> longerPs, shorterPs;

    bool allows(engine::SpanKind kind) const {
        return kinds == 0 || ((kinds >> static_cast<unsigned>(kind)) & 1u) != 0;
    }
    bool operator==(const SpanQuery&) const = default;
};

/// The spans of a run that a query is about, in the order of time.
/// Where one simulated GPU stands for all and the query does not tell them apart, those of GPU 0 speak for all.
class SpanMatches {
public:
    /// Matches of one lane as one GPU shows them; indices ascend, and so do starts.
    struct Lane {
        std::uint32_t gpu = 0;
        std::uint32_t lane = 0;
        std::vector<std::uint32_t> spans;
    };

    SpanMatches(std::shared_ptr<const Flow> flow, const SpanQuery& query);

    std::size_t count() const { return m_count; }
    /// Every GPU has as many at the same times, of which only GPU 0's are listed.
    bool alikeOnAllGpus() const { return m_alike; }
    const std::vector<Lane>& lanes() const { return m_lanes; }
    const Flow& flow() const { return *m_flow; }

    std::optional<SpanRef> first() const;
    std::optional<SpanRef> last() const;
    /// The nearest match after a span in the order of time, whether or not that is a match itself; around the end.
    std::optional<SpanRef> after(SpanRef span) const;
    std::optional<SpanRef> before(SpanRef span) const;
    /// The first that begins at `ps` or later; around the end.
    std::optional<SpanRef> from(std::int64_t ps) const;
    /// From 1; nothing for a span that is no match.
    std::optional<std::size_t> position(SpanRef span) const;

private:
    struct Key {
        std::int64_t start;
        std::uint32_t gpu, lane, span;
        auto operator<=>(const Key&) const = default;
    };
    Key keyOf(const Lane& lane, std::size_t i) const;
    Key keyOf(SpanRef span) const;
    std::size_t firstFrom(const Lane& lane, const Key& key) const;  ///< not before it
    std::optional<SpanRef> nextFrom(const Key& key) const;
    void collect(const SpanQuery& query);

    std::shared_ptr<const Flow> m_flow;
    std::vector<Lane> m_lanes;
    std::size_t m_count = 0;
    bool m_alike = false;
};

}  // namespace data
