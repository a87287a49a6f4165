#pragma once

#include "data/replay/gpu_inside.h"
#include "engine/api/trace.h"

#include <array>
#include <cstdint>
#include <vector>

namespace data {

/// Who waited in front of one memory channel, and in its DRAM queue, at any moment. A request waits in its stream until the
/// arbiter picks it, and stands in the DRAM queue until its service ends. Requests of no bytes, which hits wait by, are not
/// counted. The lane must outlive it.
class ChannelHistory {
public:
    explicit ChannelHistory(const engine::Lane& lane);

    /// All but the rates.
    GpuInside::Channel at(std::int64_t ps) const;
    const engine::Lane& lane() const { return *m_lane; }
    /// Returns the most requests that ever wait in one of the two streams.
    std::uint32_t mostWaiting() const;

private:
    /// Requests of a stream in one order, and the bytes of all before each.
    struct Line {
        std::vector<std::uint32_t> spans;
        std::vector<std::int64_t> bytesBefore{0};
        void add(std::uint32_t span, std::uint32_t bytes);
    };
    struct Stream {
        Line picked;
        Line asked;  // empty where requests are picked in the order in which they were asked
    };
    std::int64_t askedAt(std::uint32_t span) const;
    std::int64_t pickedAt(std::uint32_t span) const;
    void addAsked(Stream& stream) const;
    void addStream(engine::Stream which, std::int64_t ps, GpuInside::Channel& channel) const;

    const engine::Lane* m_lane;
    std::array<Stream, 2> m_streams;
};

}  // namespace data
