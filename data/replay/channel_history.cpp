#include "data/replay/channel_history.h"

#include "data/replay/span_list.h"

#include <algorithm>

namespace data {
namespace {

/// Returns how many of `spans`, ordered by `time`, are not after `ps`.
template <class Time>
std::size_t countUntil(const std::vector<std::uint32_t>& spans, std::int64_t ps, const Time& time) {
    const auto after =
        std::partition_point(spans.begin(), spans.end(), [&](std::uint32_t span) { return time(span) <= ps; });
    return static_cast<std::size_t>(after - spans.begin());
}

}  // namespace

void ChannelHistory::Line::add(std::uint32_t span, std::uint32_t bytes) {
    spans.push_back(span);
    bytesBefore.push_back(bytesBefore.back() + bytes);
}

ChannelHistory::ChannelHistory(const engine::Lane& lane) : m_lane(&lane) {
    for (std::uint32_t i = 0; i < lane.spans.size(); ++i) {
        const engine::Span& span = lane.spans[i];
        if (span.part != engine::kWrittenIdle && span.first < m_streams.size())
            m_streams[span.first].picked.add(i, span.bytes);
    }
    for (Stream& stream : m_streams)
        addAsked(stream);
}

// Returns when a request was made. A trace without these times has services only: then no request waits.
std::int64_t ChannelHistory::askedAt(std::uint32_t span) const {
    return span < m_lane->askedAt.size() ? m_lane->askedAt[span].ps : m_lane->spans[span].start.ps;
}

std::int64_t ChannelHistory::pickedAt(std::uint32_t span) const {
    return m_lane->spans[span].start.ps - (span < m_lane->queuedFor.size() ? m_lane->queuedFor[span] : 0);
}

void ChannelHistory::addAsked(Stream& stream) const {
    const auto earlier = [this](std::uint32_t a, std::uint32_t b) { return askedAt(a) < askedAt(b); };
    std::vector<std::uint32_t> order = stream.picked.spans;
    if (std::is_sorted(order.begin(), order.end(), earlier))
        return;
    std::stable_sort(order.begin(), order.end(), earlier);
    for (const std::uint32_t span : order)
        stream.asked.add(span, m_lane->spans[span].bytes);
}

void ChannelHistory::addStream(engine::Stream which, std::int64_t ps, GpuInside::Channel& channel) const {
    const auto place = static_cast<std::size_t>(which);
    const Stream& stream = m_streams[place];
    const Line& picks = stream.picked;
    const Line& asks = stream.asked.spans.empty() ? picks : stream.asked;
    const std::size_t asked = countUntil(asks.spans, ps, [this](std::uint32_t span) { return askedAt(span); });
    const std::size_t picked = countUntil(picks.spans, ps, [this](std::uint32_t span) { return pickedAt(span); });
    const std::size_t served =
        countUntil(picks.spans, ps, [this](std::uint32_t span) { return m_lane->spans[span].end.ps; });
    channel.waiting[place] = static_cast<std::uint32_t>(asked - std::min(asked, picked));
    channel.waitingBytes[place] = asks.bytesBefore[asked] - picks.bytesBefore[picked];
    channel.queuedOf[place] = static_cast<std::uint32_t>(picked - std::min(picked, served));
    if (picked == 0)
        return;
    const std::int64_t latest = pickedAt(picks.spans[picked - 1]);
    if (!channel.lastPick || latest >= channel.lastPickPs) {
        channel.lastPick = which;
        channel.lastPickPs = latest;
    }
}

std::uint32_t ChannelHistory::mostWaiting() const {
    std::size_t most = 0;
    for (const Stream& stream : m_streams) {
        const std::vector<std::uint32_t>& picks = stream.picked.spans;
        const std::vector<std::uint32_t>& asks = stream.asked.spans.empty() ? picks : stream.asked.spans;
        std::size_t picked = 0;
        for (std::size_t asked = 0; asked < asks.size(); ++asked) {
            while (picked < picks.size() && pickedAt(picks[picked]) <= askedAt(asks[asked]))
                ++picked;
            most = std::max(most, asked + 1 - std::min(asked + 1, picked));
        }
    }
    return static_cast<std::uint32_t>(most);
}

GpuInside::Channel ChannelHistory::at(std::int64_t ps) const {
    GpuInside::Channel channel;
    addStream(engine::Stream::compute, ps, channel);
    addStream(engine::Stream::communication, ps, channel);
    if (const engine::Span* span = spanAt(m_lane->spans, ps)) {
        const auto done = static_cast<double>(ps - span->start.ps);
        const auto all = static_cast<double>(std::max<std::int64_t>(1, span->end.ps - span->start.ps));
        channel.serving = {trafficOwnerOf(*span), trafficKindOf(*span), engine::kNone, span->bytes, done / all};
        if (span->part == engine::kWrittenIdle && span->first < channel.queuedOf.size())
            ++channel.queuedOf[span->first];
    }
    channel.queued = channel.queuedOf[0] + channel.queuedOf[1];
    return channel;
}

}  // namespace data
