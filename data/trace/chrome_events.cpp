#include "data/trace/chrome_events.h"

#include <nlohmann/json.hpp>

#include <array>
#include <charconv>
#include <string>

namespace data {
namespace {

using engine::Duration;
using engine::Span;
using engine::SpanKind;

/// Returns the meanings of `first` and `second` of a span of this kind (engine/api/trace.h) as argument names; an empty
/// name: the number is not used.
std::array<std::string_view, 2> argumentNames(SpanKind kind) {
    switch (kind) {
    case SpanKind::gemmWave:
    case SpanKind::companionWave: return {"wave", "workgroups"};
    case SpanKind::workgroup: return {"tile", "position"};
    case SpanKind::collectiveWorkgroup: break;
    case SpanKind::load: return {"tile", "k_step"};
    case SpanKind::store:
    case SpanKind::trackedTile:
    case SpanKind::linkPacket:
    case SpanKind::copy:
    case SpanKind::companionPacket: return {"tile", "chunk"};
    case SpanKind::trigger:
    case SpanKind::dmaTransfer:
    case SpanKind::companionTransfer: return {"block", "chunk"};
    case SpanKind::dramRead:
    case SpanKind::dramWrite:
    case SpanKind::dramUpdate:
    case SpanKind::dramPass: return {"stream", "chunk"};
    case SpanKind::reduceScatterStep:
    case SpanKind::allGatherStep:
    case SpanKind::companionStep: return {"step", "chunk"};
    case SpanKind::storeLanded:
    case SpanKind::arrivalLanded:
    case SpanKind::sumLanded: return {"tile", "granule"};
    }
    return {};
}

}  // namespace

std::string quotedJson(std::string_view text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void ChromeEvents::open(std::string_view head) {
    m_text += head;
    handOver();
}

void ChromeEvents::close() {
    m_text += "\n]}\n";
    handOver();
}

void ChromeEvents::nameProcess(std::uint32_t pid, std::string_view name, std::uint32_t order) {
    nameRow("process", pid, 0, name, order);
}

void ChromeEvents::nameThread(std::uint32_t pid, std::uint32_t tid, std::string_view name) {
    nameRow("thread", pid, tid, name, tid);
}

template <class... Parts>
void ChromeEvents::begin(const Parts&... parts) {
    put(m_first ? "\n" : ",\n", parts...);
    m_first = false;
}

template <class... Parts>
void ChromeEvents::put(const Parts&... parts) {
    (add(parts), ...);
}

void ChromeEvents::nameRow(const std::string& what, std::uint32_t pid, std::uint32_t tid, std::string_view name,
                           std::uint32_t order) {
    begin(R"({"ph":"M","name":")", what, R"(_name","pid":)", pid, R"(,"tid":)", tid, R"(,"args":{"name":)",
          quotedJson(name), "}}");
    begin(R"({"ph":"M","name":")", what, R"(_sort_index","pid":)", pid, R"(,"tid":)", tid, R"(,"args":{"sort_index":)",
          order, "}}");
    end();
}

void ChromeEvents::beginSpan(std::uint32_t pid, std::uint32_t tid, std::string_view name, engine::TimePoint start,
                             engine::TimePoint end) {
    const bool instant = start == end;
    begin(instant ? R"({"ph":"i","s":"t","name":)" : R"({"ph":"X","name":)", name, R"(,"pid":)", pid, R"(,"tid":)", tid,
          R"(,"ts":)", Duration{start.ps});
    if (!instant)
        put(R"(,"dur":)", end - start);
}

void ChromeEvents::span(std::uint32_t pid, std::uint32_t tid, const Span& span) {
    beginSpan(pid, tid, quotedJson(engine::name(span.kind)), span.start, span.end);
    put(R"(,"args":{)");
    arguments(span);
    put("}}");
    end();
}

void ChromeEvents::piece(std::uint32_t pid, std::uint32_t tid, std::uint32_t number, const engine::PieceTimes& times) {
    beginSpan(pid, tid, quotedJson("piece " + std::to_string(number)), times.launched, times.landed);
    put(R"(,"args":{"piece":)", number, R"(,"workgroups":)", times.workgroups, "}}");
    end();
}

void ChromeEvents::named(std::uint32_t pid, std::uint32_t tid, std::string_view name, engine::TimePoint start,
                         engine::TimePoint end) {
    beginSpan(pid, tid, quotedJson(name), start, end);
    put("}");
    this->end();
}

// Writes the arguments of a span. A companion has numbers of its own, so its kernel is written as well.
void ChromeEvents::arguments(const Span& span) {
    const auto names = argumentNames(span.kind);
    const bool numbered = !names[0].empty();
    if (numbered) {
        argument(names[0], span.first, true);
        argument(names[1], span.second, false);
    }
    if (span.bytes != 0)
        put(R"(,"bytes":)", span.bytes);
    const bool beside = engine::kernelOf(span) != engine::kOwnKernel;
    if (beside || !numbered)
        put(numbered ? R"(,"kernel":)" : R"("kernel":)", engine::kernelOf(span));
}

void ChromeEvents::trigger(std::uint32_t pid, std::uint32_t tid, const Span& span, Duration lasts) {
    Span drawn = span;
    drawn.end = span.start + lasts;
    this->span(pid, tid, drawn);
}

void ChromeEvents::step(std::uint32_t pid, std::uint32_t tid, const engine::PathStep& step) {
    begin(R"({"ph":"X","name":")", engine::name(step.cause), R"(","pid":)", pid, R"(,"tid":)", tid, R"(,"ts":)",
          Duration{step.start.ps}, R"(,"dur":)", step.end - step.start, R"(,"args":{"gpu":)", step.gpu, R"(,"phase":")",
          engine::name(step.phase), R"(")");
    if (step.bytes != 0)
        put(R"(,"bytes":)", step.bytes);
    put("}}");
    end();
}

void ChromeEvents::sample(std::uint32_t pid, std::string_view name, const engine::CounterSample& sample) {
    begin(R"({"ph":"C","name":")", name, R"(","pid":)", pid, R"(,"ts":)", Duration{sample.time.ps},
          R"(,"args":{"value":)", sample.value, "}}");
    end();
}

void ChromeEvents::arrow(Arrow part, std::uint32_t id, std::uint32_t pid, std::uint32_t tid, std::int64_t ps) {
    const char letter = static_cast<char>(part);
    begin(R"({"ph":")", std::string_view(&letter, 1), part == Arrow::begins ? R"(")" : R"(","bp":"e")",
          R"(,"cat":"flow","name":"block","id":)", id, R"(,"pid":)", pid, R"(,"tid":)", tid, R"(,"ts":)", Duration{ps},
          "}");
    end();
}

void ChromeEvents::end() {
    if (m_text.size() >= kPiece)
        handOver();
}

void ChromeEvents::add(std::int64_t value) {
    std::array<char, 24> digits{};
    const auto last = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    m_text.append(digits.data(), static_cast<std::size_t>(last - digits.data()));
}

// Writes picoseconds as microseconds with integer arithmetic, because a double would lose picoseconds.
void ChromeEvents::add(Duration time) {
    constexpr std::int64_t kPerMicrosecond = 1'000'000;
    add(time.ps / kPerMicrosecond);
    std::array<char, 7> fraction{'.', '0', '0', '0', '0', '0', '0'};
    std::int64_t rest = time.ps % kPerMicrosecond;
    for (std::size_t i = fraction.size() - 1; rest != 0; --i, rest /= 10)
        fraction[i] = static_cast<char>('0' + rest % 10);
    m_text.append(fraction.data(), fraction.size());
}

void ChromeEvents::argument(std::string_view name, std::uint32_t value, bool first) {
    if (value == engine::kNone && !first)
        return;
    put(first ? "\"" : ",\"", name, "\":");
    if (name == "stream")
        put(value == static_cast<std::uint32_t>(engine::Stream::compute) ? R"("compute")" : R"("communication")");
    else
        put(value);
}

void ChromeEvents::handOver() {
    m_handedOver += static_cast<std::int64_t>(m_text.size());
    m_sink(m_text);
    m_text.clear();
}

}  // namespace data
