#pragma once

#include "data/replay/span_ref.h"

#include <cstdint>
#include <optional>

namespace engine {
struct Trace;
}

namespace ui {

/// The span for which the tracker of `gpu` held an entry for `tile` from `sincePs` on; `tile` as `gpu` numbers it.
std::optional<data::SpanRef> trackedSpan(const engine::Trace& trace, std::uint32_t gpu, std::uint32_t tile,
                                         std::int64_t sincePs);

/// The tile that a span is about, as the span's GPU numbers it; nothing for other spans.
std::optional<std::uint32_t> tileOf(const engine::Trace& trace, data::SpanRef span);

}  // namespace ui
