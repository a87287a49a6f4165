#pragma once

#include "data/replay/gpu_inside.h"
#include "engine/api/trace.h"

#include <array>
#include <cstdint>
#include <vector>

namespace data {

/// The requests of one memory channel at any moment: those that wait for the arbiter and those in the DRAM queue. A
/// request waits in its stream until the arbiter picks it, and is then in the DRAM queue until its service ends.
/// Requests of zero bytes, which cache hits use to wait in order, are not counted. The lane must outlive this object.
class ChannelHistory {
public:
    explicit ChannelHistory(const engine::Lane& lane);

    /// Returns the state of the channel at a moment, without the rates.
    GpuInside::Channel at(std::int64_t ps) const;
    const engine::Lane& lane() const { return *m_lane; }
    /// Returns the largest number of requests that ever wait in one of the two streams.
    std::uint32_t mostWaiting() const;

private:
    /// Requests of a stream in one order, with the bytes of all requests before each.
    struct Line {
        std::vector<std::uint32_t> spans;
        std::vector<std::int64_t> bytesBefore{0};
        void add(std::uint32_t span, std::uint32_t bytes);
    };
    struct Stream {
        Line picked;
        Line asked;  // by time of the request; empty if requests are picked in the order in which they were made
    };
    std::int64_t askedAt(std::uint32_t span) const;
    std::int64_t pickedAt(std::uint32_t span) const;
    void addAsked(Stream& stream) const;
    void addStream(engine::Stream which, std::int64_t ps, GpuInside::Channel& channel) const;

    const engine::Lane* m_lane;
    std::array<Stream, 2> m_streams;
};

}  // namespace data
