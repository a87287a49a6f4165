#pragma once

#include "engine/api/attribution.h"
#include "engine/api/trace.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace data {

/// Writes single events of the Chrome Trace Event format as text, without a JSON library, because a trace has millions.
/// Times are microseconds with six decimals, so that no picosecond is lost. The text is passed to the sink in large
/// pieces.
class ChromeEvents {
public:
    using Sink = std::function<void(std::string_view)>;

    explicit ChromeEvents(Sink sink) : m_sink(std::move(sink)) { m_text.reserve(kPiece + kLongest); }

    /// Writes `head`, the beginning of the object up to its list of events.
    void open(std::string_view head);
    void close();

    void nameProcess(std::uint32_t pid, std::string_view name, std::uint32_t order);
    void nameThread(std::uint32_t pid, std::uint32_t tid, std::string_view name);

    void span(std::uint32_t pid, std::uint32_t tid, const engine::Span& span);
    /// Writes a trigger with a duration, although it takes no time: viewers draw no arrow from an event without a
    /// duration.
    void trigger(std::uint32_t pid, std::uint32_t tid, const engine::Span& span, engine::Duration lasts);
    /// Writes a piece of a GEMM; `number` counts from 1.
    void piece(std::uint32_t pid, std::uint32_t tid, std::uint32_t number, const engine::PieceTimes& times);
    /// Writes a span with a name of its own.
    void named(std::uint32_t pid, std::uint32_t tid, std::string_view name, engine::TimePoint start,
               engine::TimePoint end);
    void step(std::uint32_t pid, std::uint32_t tid, const engine::PathStep& step);
    void sample(std::uint32_t pid, std::string_view name, const engine::CounterSample& sample);

    enum class Arrow : char { begins = 's', passes = 't', ends = 'f' };
    /// Writes a part of an arrow between slices. The part belongs to the slice that encloses the time on that thread.
    void arrow(Arrow part, std::uint32_t id, std::uint32_t pid, std::uint32_t tid, std::int64_t ps);

    /// Returns the bytes written so far.
    std::int64_t size() const { return m_handedOver + static_cast<std::int64_t>(m_text.size()); }

private:
    static constexpr std::size_t kPiece = std::size_t{1} << 20;
    static constexpr std::size_t kLongest = 4096;  // more than the longest event

    void nameRow(const std::string& what, std::uint32_t pid, std::uint32_t tid, std::string_view name,
                 std::uint32_t order);
    /// Begins an event. Each part is a text, a number or a time.
    template <class... Parts>
    void begin(const Parts&... parts);
    template <class... Parts>
    void put(const Parts&... parts);
    /// Begins a span, up to its arguments. `name` is a JSON string.
    void beginSpan(std::uint32_t pid, std::uint32_t tid, std::string_view name, engine::TimePoint start,
                   engine::TimePoint end);
    void end();
    void add(std::string_view text) { m_text += text; }
    void add(std::int64_t value);
    void add(engine::Duration time);
    void arguments(const engine::Span& span);
    void argument(std::string_view name, std::uint32_t value, bool first);
    void handOver();

    Sink m_sink;
    std::string m_text;
    std::int64_t m_handedOver = 0;
    bool m_first = true;
};

/// Returns a text as a JSON string with quotes.
std::string quotedJson(std::string_view text);

}  // namespace data
