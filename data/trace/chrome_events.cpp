#include "data/trace/chrome_events.h"

#include <nlohmann/json.hpp>

#include <array>
#include <charconv>

namespace data {
namespace {

using engine::Span;
using engine::SpanKind;

/// What `first` and `second` of a span of this kind mean (engine/api/trace.h), as argument names; empty: nothing.
std::array<std::string_view, 2> argumentNames(SpanKind kind) {
    switch (kind) {
    case SpanKind::gemmWave: return {"wave", "workgroups"};
    case SpanKind::workgroup: return {"tile", "position"};
    case SpanKind::load: return {"tile", "k_step"};
    case SpanKind::store:
    case SpanKind::trackedTile:
    case SpanKind::linkPacket: return {"tile", "chunk"};
    case SpanKind::trigger:
    case SpanKind::dmaTransfer: return {"block", "chunk"};
    case SpanKind::dramRead:
    case SpanKind::dramWrite:
    case SpanKind::dramUpdate: return {"stream", "chunk"};
    case SpanKind::reduceScatterStep:
    case SpanKind::allGatherStep: return {"step", "chunk"};
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

void ChromeEvents::nameRow(const std::string& what, std::uint32_t pid, std::uint32_t tid, std::string_view name,
                           std::uint32_t order) {
    begin(R"({"ph":"M","name":")" + what + "_name\"");
    place(pid, tid);
    m_text += R"(,"args":{"name":)" + quotedJson(name) + "}}";
    begin(R"({"ph":"M","name":")" + what + "_sort_index\"");
    place(pid, tid);
    m_text += R"(,"args":{"sort_index":)";
    number(order);
    m_text += "}}";
    end();
}

void ChromeEvents::span(std::uint32_t pid, std::uint32_t tid, const Span& span) {
    const bool instant = span.start == span.end;
    begin(instant ? R"({"ph":"i","s":"t","name":")" : R"({"ph":"X","name":")");
    m_text += engine::name(span.kind);
    m_text += '"';
    place(pid, tid);
    m_text += ",\"ts\":";
    microseconds(span.start.ps);
    if (!instant) {
        m_text += ",\"dur\":";
        microseconds((span.end - span.start).ps);
    }
    arguments(span);
    end();
}

void ChromeEvents::trigger(std::uint32_t pid, std::uint32_t tid, const Span& span, engine::Duration lasts) {
    Span drawn = span;
    drawn.end = span.start + lasts;
    this->span(pid, tid, drawn);
}

void ChromeEvents::step(std::uint32_t pid, std::uint32_t tid, const engine::PathStep& step) {
    begin(R"({"ph":"X","name":")");
    m_text += engine::name(step.cause);
    m_text += '"';
    place(pid, tid);
    m_text += ",\"ts\":";
    microseconds(step.start.ps);
    m_text += ",\"dur\":";
    microseconds((step.end - step.start).ps);
    m_text += R"(,"args":{"gpu":)";
    number(step.gpu);
    m_text += R"(,"phase":")";
    m_text += engine::name(step.phase);
    m_text += '"';
    if (step.bytes != 0) {
        m_text += ",\"bytes\":";
        number(step.bytes);
    }
    m_text += "}}";
    end();
}

void ChromeEvents::sample(std::uint32_t pid, std::string_view name, const engine::CounterSample& sample) {
    begin(R"({"ph":"C","name":")");
    m_text += name;
    m_text += R"(","pid":)";
    number(pid);
    m_text += ",\"ts\":";
    microseconds(sample.time.ps);
    m_text += R"(,"args":{"value":)";
    number(sample.value);
    m_text += "}}";
    end();
}

void ChromeEvents::arrow(Arrow part, std::uint32_t id, std::uint32_t pid, std::uint32_t tid, std::int64_t ps) {
    begin(R"({"ph":")");
    m_text += static_cast<char>(part);
    m_text += part == Arrow::begins ? "\"" : R"(","bp":"e")";
    m_text += R"(,"cat":"flow","name":"block","id":)";
    number(id);
    place(pid, tid);
    m_text += ",\"ts\":";
    microseconds(ps);
    m_text += '}';
    end();
}

void ChromeEvents::begin(std::string_view opening) {
    m_text += m_first ? "\n" : ",\n";
    m_first = false;
    m_text += opening;
}

void ChromeEvents::end() {
    if (m_text.size() >= kPiece)
        handOver();
}

void ChromeEvents::number(std::int64_t value) {
    std::array<char, 24> digits{};
    const auto last = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    m_text.append(digits.data(), static_cast<std::size_t>(last - digits.data()));
}

// Picoseconds as microseconds: a double would lose picoseconds.
void ChromeEvents::microseconds(std::int64_t ps) {
    constexpr std::int64_t kPerMicrosecond = 1'000'000;
    number(ps / kPerMicrosecond);
    std::array<char, 7> fraction{'.', '0', '0', '0', '0', '0', '0'};
    std::int64_t rest = ps % kPerMicrosecond;
    for (std::size_t i = fraction.size() - 1; rest != 0; --i, rest /= 10)
        fraction[i] = static_cast<char>('0' + rest % 10);
    m_text.append(fraction.data(), fraction.size());
}

void ChromeEvents::place(std::uint32_t pid, std::uint32_t tid) {
    m_text += ",\"pid\":";
    number(pid);
    m_text += ",\"tid\":";
    number(tid);
}

void ChromeEvents::arguments(const Span& span) {
    const auto names = argumentNames(span.kind);
    m_text += ",\"args\":{";
    argument(names[0], span.first, true);
    argument(names[1], span.second, false);
    if (span.bytes != 0) {
        m_text += ",\"bytes\":";
        number(span.bytes);
    }
    m_text += "}}";
}

void ChromeEvents::argument(std::string_view name, std::uint32_t value, bool first) {
    if (value == engine::kNone && !first)
        return;
    m_text += first ? "\"" : ",\"";
    m_text += name;
    m_text += "\":";
    if (name == "stream") {
        const bool compute = value == static_cast<std::uint32_t>(engine::Stream::compute);
        m_text += compute ? "\"compute\"" : "\"communication\"";
    } else {
        number(value);
    }
}

void ChromeEvents::handOver() {
    m_handedOver += static_cast<std::int64_t>(m_text.size());
    m_sink(m_text);
    m_text.clear();
}

}  // namespace data
