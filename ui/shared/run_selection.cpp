#include "ui/shared/run_selection.h"

#include "data/replay/kernel_number.h"
#include "ui/look/run_words.h"

#include <algorithm>
#include <utility>

namespace ui {
namespace {

constexpr std::int64_t kRoom = 6;  // a revealed span gets a sixth of its length as room around it

bool alike(const engine::Span& a, const engine::Span& b) {
    return a.kind == b.kind && a.first == b.first && a.second == b.second;
}

}  // namespace

RunSelection::RunSelection(ViewState& viewState, QObject* parent) : QObject(parent), m_viewState(viewState) {}

// Keeps the selected span only if the new run has the same span at its place in the trace.
void RunSelection::showRun(std::shared_ptr<const data::ShownRun> run) {
    auto flow = std::make_shared<const data::Flow>(std::move(run));
    if (const auto span = m_viewState.selectedSpan()) {
        const bool same =
            m_flow && m_flow->contains(*span) && flow->contains(*span) && alike(m_flow->span(*span), flow->span(*span));
        if (!same)
            m_viewState.clearSelection();
    }
    m_flow = std::move(flow);
    Q_EMIT flowChanged(m_flow);
}

std::optional<data::TimeRange> RunSelection::range() const {
    if (const auto area = m_viewState.selectedArea())
        return area->range;
    const auto span = m_viewState.selectedSpan();
    if (!span || !m_flow || !m_flow->contains(*span))
        return std::nullopt;
    const engine::Span& facts = m_flow->span(*span);
    return data::TimeRange{facts.start.ps, facts.end.ps};
}

void RunSelection::selectAndReveal(data::SpanRef ref) {
    if (!m_flow || !m_flow->contains(ref))
        return;
    const engine::Span& span = m_flow->span(ref);
    const data::TimeRange range = m_viewState.range();
    const std::int64_t lasts = std::max<std::int64_t>((span.end - span.start).ps, 1);
    if (span.start.ps < range.start || span.end.ps > range.end) {
        // The zoom stays the same unless the span does not fit.
        const std::int64_t width = std::max(range.span(), lasts + lasts / kRoom);
        const std::int64_t middle = span.start.ps + lasts / 2;
        m_viewState.setRange({middle - width / 2, middle - width / 2 + width});
    }
    // The chunks of a companion cannot be followed.
    const std::uint32_t chunk = data::isOfCompanion(span) ? engine::kNone : chunkOf(*m_flow, ref);
    m_viewState.setFollowedChunk(chunk == engine::kNone ? std::nullopt : std::optional(chunk));
    m_viewState.selectSpan(ref);
    Q_EMIT revealed(ref);
}

}  // namespace ui
