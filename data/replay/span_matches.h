#pragma once

#include "data/replay/flow.h"
#include "engine/api/trace.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace data {

/// A search for spans of a run. All given conditions must hold; of `kinds` one is enough.
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

/// The spans of a run that match a query, in the order of time. In a mirrored trace, if the query names no GPU, tile or
/// chunk, only the spans of GPU 0 are listed.
class SpanMatches {
public:
    /// Matches of one lane as one GPU shows them. Indices are ascending, and so are starts.
    struct Lane {
        std::uint32_t gpu = 0;
        std::uint32_t lane = 0;
        std::vector<std::uint32_t> spans;
    };

    SpanMatches(std::shared_ptr<const Flow> flow, const SpanQuery& query);

    std::size_t count() const { return m_count; }
    /// Returns whether every GPU has the same matches at the same times. Then only the matches of GPU 0 are listed.
    bool alikeOnAllGpus() const { return m_alike; }
    const std::vector<Lane>& lanes() const { return m_lanes; }
    const Flow& flow() const { return *m_flow; }

    std::optional<SpanRef> first() const;
    std::optional<SpanRef> last() const;
    /// Returns the nearest match after a span in the order of time, whether or not that span matches. After the last
    /// match it returns the first.
    std::optional<SpanRef> after(SpanRef span) const;
    std::optional<SpanRef> before(SpanRef span) const;
    /// Returns the first match that begins at `ps` or later; if there is none, the first of the run.
    std::optional<SpanRef> from(std::int64_t ps) const;
    /// Returns the position of a match, from 1, or an empty optional for a span that does not match.
    std::optional<std::size_t> position(SpanRef span) const;

private:
    struct Key {
        std::int64_t start;
        std::uint32_t gpu, lane, span;
        auto operator<=>(const Key&) const = default;
    };
    Key keyOf(const Lane& lane, std::size_t i) const;
    Key keyOf(SpanRef span) const;
    std::size_t firstFrom(const Lane& lane, const Key& key) const;  ///< the first match at or after `key`
    std::optional<SpanRef> nextFrom(const Key& key) const;
    void collect(const SpanQuery& query);

    std::shared_ptr<const Flow> m_flow;
    std::vector<Lane> m_lanes;
    std::size_t m_count = 0;
    bool m_alike = false;
};

}  // namespace data
