#include "ui/ribbon/reason_chain.h"

#include <algorithm>
#include <utility>

namespace ui {
namespace {

using engine::PathAct;
using engine::PathStep;
using Kind = ReasonSubject::Kind;

constexpr std::size_t kMostBetween = 6;  // steps without a subject that may lie within a link

// Acts that come again and again while one thing is done. The others are news, each in a link of its own.
bool repeats(PathAct act) {
    switch (act) {
    case PathAct::computes:
    case PathAct::loads:
    case PathAct::stores:
    case PathAct::behindStream:
    case PathAct::behindOther:
    case PathAct::sends:
    case PathAct::travels:
    case PathAct::paces: return true;
    default: return false;
    }
}

bool isOfWorkgroup(PathAct act) { return act == PathAct::computes || act == PathAct::loads; }

// Stores follow the K-steps of the same workgroup and are told apart from them.
bool tellAlike(const PathStep& a, const PathStep& b) {
    if (a.gpu != b.gpu || a.phase != b.phase || !repeats(a.act) || !repeats(b.act))
        return false;
    return a.phase != engine::WorkPhase::gemm || a.act == b.act || (isOfWorkgroup(a.act) && isOfWorkgroup(b.act));
}

// The act that a link is told by, where several are in it.
int weightOf(PathAct act) {
    switch (act) {
    case PathAct::computes: return 5;
    case PathAct::sends: return 4;
    case PathAct::paces: return 3;
    case PathAct::loads: return 2;
    case PathAct::stores: return 1;
    default: return 0;
    }
}

bool isBehind(PathAct act) { return act == PathAct::behindStream || act == PathAct::behindOther; }

}  // namespace

engine::Cause ReasonLink::cause() const {
    return static_cast<engine::Cause>(std::max_element(times.by.begin(), times.by.end()) - times.by.begin());
}

ReasonChain::ReasonChain(std::shared_ptr<const Flow> flow)
    : m_flow(std::move(flow)), m_causes(m_flow->run().run.result.path) {}

const std::vector<ReasonLink>& ReasonChain::links() const {
    if (!std::exchange(m_joined, true))
        join();
    return m_links;
}

ReasonSubject ReasonChain::subjectOf(const engine::Span& span, std::uint32_t gpu) const {
    const RingPlaces& places = m_flow->places();
    switch (span.kind) {
    case engine::SpanKind::trigger:
    case engine::SpanKind::dmaTransfer: return {Kind::block, span.first};
    case engine::SpanKind::gemmWave: return {};
    case engine::SpanKind::reduceScatterStep:
    case engine::SpanKind::allGatherStep:
    case engine::SpanKind::linkPacket:
    case engine::SpanKind::dramRead:
    case engine::SpanKind::dramWrite:
    case engine::SpanKind::dramUpdate:
        if (span.second == engine::kNone)
            return {};
        return {Kind::chunk, places.chunkOn(gpu, span.second)};
    default: return {Kind::tile, places.tileOn(gpu, span.first)};
    }
}

ReasonSubject ReasonChain::subjectOf(const PathStep& step) const {
    const auto& index = m_flow->run().index;
    if (!index || step.lane >= index->trace().lanes.size())
        return {};
    const engine::Lane& lane = index->trace().lanes[step.lane];
    // What waits behind others is the last of what the channel served.
    const std::uint32_t span = isBehind(step.act) ? step.lastSpan : step.firstSpan;
    return span < lane.spans.size() ? subjectOf(lane.spans[span], step.gpu) : ReasonSubject{};
}

// Steps without a subject, what DRAM did for others, belong to what they lie within.
void ReasonChain::join() const {
    const std::vector<PathStep>& steps = causes().steps();
    std::vector<std::size_t> between;
    const auto flush = [&] {
        for (const std::size_t step : between)
            append(step, {});
        between.clear();
    };
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const ReasonSubject subject = subjectOf(steps[i]);
        const bool open = !m_links.empty() && m_links.back().subject.kind != Kind::none;
        if (open && subject.kind == Kind::none && repeats(steps[i].act) && between.size() < kMostBetween) {
            between.push_back(i);
            continue;
        }
        if (open && subject == m_links.back().subject && tellAlike(steps[m_links.back().told], steps[i])) {
            const std::vector<std::size_t> within = std::exchange(between, {});
            for (const std::size_t step : within)
                append(step, subject);
        }
        flush();
        append(i, subject);
    }
    flush();
}

void ReasonChain::append(std::size_t step, const ReasonSubject& subject) const {
    const std::vector<PathStep>& steps = causes().steps();
    const PathStep& added = steps[step];
    const auto goesOn = [&] {
        if (m_links.empty())
            return false;
        const ReasonLink& link = m_links.back();
        const PathStep& told = steps[link.told];
        // A packet's way along the wire is the end of its being sent.
        if (added.act == PathAct::travels && told.act == PathAct::sends)
            return steps[step - 1].act == PathAct::sends;
        if (subject.kind != Kind::none && subject == link.subject && repeats(added.act) && repeats(told.act))
            return added.act == told.act || weightOf(added.act) == 0 || tellAlike(told, added);
        return subject == link.subject && told.act == added.act && told.cause == added.cause && told.gpu == added.gpu &&
               told.lane == added.lane;
    };
    if (!goesOn())
        m_links.push_back({step, step, step, {added.start.ps, added.end.ps}, {}, subject, 0});
    ReasonLink& link = m_links.back();
    link.last = step;
    link.range.end = added.end.ps;
    link.times[added.cause] += added.end - added.start;
    if (weightOf(added.act) > weightOf(steps[link.told].act))
        link.told = step;
    if (added.act == PathAct::computes && added.firstSpan <= added.lastSpan && added.lastSpan != engine::kNone)
        link.workgroups = std::max(link.workgroups, added.lastSpan - added.firstSpan + 1);
}

std::size_t ReasonChain::linkOfStep(std::size_t step) const {
    const auto after = std::upper_bound(links().begin(), links().end(), step,
                                        [](std::size_t at, const ReasonLink& link) { return at < link.first; });
    return static_cast<std::size_t>(after - links().begin()) - 1;
}

std::optional<SpanRef> ReasonChain::spanOf(std::size_t link) const {
    const ReasonLink& told = links()[link];
    const auto refOf = [&](std::size_t step) {
        const PathStep& at = causes().steps()[step];
        return SpanRef{at.gpu, at.lane, at.lastSpan == engine::kNone ? at.firstSpan : at.lastSpan};
    };
    if (const SpanRef ref = refOf(told.told); m_flow->contains(ref))
        return ref;
    for (std::size_t step = told.last + 1; step-- > told.first;) {
        if (const SpanRef ref = refOf(step); m_flow->contains(ref))
            return ref;
    }
    return std::nullopt;
}

std::uint32_t ReasonChain::waiterOf(std::size_t link) const {
    const std::size_t after = links()[link].last + 1;
    const std::vector<PathStep>& steps = causes().steps();
    return steps[after < steps.size() ? after : links()[link].last].gpu;
}

std::optional<std::size_t> ReasonChain::linkThrough(SpanRef ref) const {
    if (empty() || !m_flow->contains(ref))
        return std::nullopt;
    const engine::Span& span = m_flow->span(ref);
    const ReasonSubject subject = subjectOf(span, ref.gpu);
    const std::vector<PathStep>& steps = causes().steps();
    std::optional<std::size_t> itself, about;
    for (std::size_t i = causes().stepAt(span.start.ps); i < steps.size() && steps[i].start <= span.end; ++i) {
        const PathStep& step = steps[i];
        if (step.gpu != ref.gpu || step.end < span.start)
            continue;
        if (step.lane == ref.lane && step.firstSpan <= ref.span && ref.span <= step.lastSpan)
            itself = i;
        if (subject.kind != Kind::none && step.start < span.end && step.end > span.start && subjectOf(step) == subject)
            about = i;
    }
    if (!itself && !about)
        return std::nullopt;
    return linkOfStep(itself ? *itself : *about);
}

}  // namespace ui
