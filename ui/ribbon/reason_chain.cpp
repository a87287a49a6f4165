#include "ui/ribbon/reason_chain.h"

#include <algorithm>
#include <utility>

namespace ui {
namespace {

using engine::PathAct;
using engine::PathStep;
using Kind = ReasonSubject::Kind;

constexpr std::size_t kMostBetween = 6;  // steps without a subject that may lie within a run of alike ones
constexpr std::size_t kToldAlone = 12;   // steps of a run up to which each is worth a link of its own

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

ReasonChain::ReasonChain(std::shared_ptr<const data::Flow> flow)
    : m_flow(std::move(flow)), m_causes(m_flow->run().run.result.path) {}

const std::vector<ReasonLink>& ReasonChain::links() const {
    if (!std::exchange(m_joined, true))
        join();
    return m_links;
}

ReasonSubject ReasonChain::subjectOf(const engine::Span& span, std::uint32_t gpu) const {
    const data::RingPlaces& places = m_flow->places();
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

const engine::Lane* ReasonChain::laneOf(const PathStep& step) const {
    const auto& index = m_flow->run().index;
    return index && step.lane < index->trace().lanes.size() ? &index->trace().lanes[step.lane] : nullptr;
}

ReasonSubject ReasonChain::subjectOf(const PathStep& step) const {
    const engine::Lane* lane = laneOf(step);
    // What waits behind others is the last of what the channel served.
    const std::uint32_t span = isBehind(step.act) ? step.lastSpan : step.firstSpan;
    return lane != nullptr && span < lane->spans.size() ? subjectOf(lane->spans[span], step.gpu) : ReasonSubject{};
}

// DRAM does not know what it serves: what a collective reads it sends next, and what it writes has just arrived.
std::vector<ReasonSubject> ReasonChain::subjects() const {
    const std::vector<PathStep>& steps = causes().steps();
    std::vector<ReasonSubject> subjects;
    subjects.reserve(steps.size());
    for (const PathStep& step : steps)
        subjects.push_back(subjectOf(step));
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (subjects[i].kind != Kind::none || steps[i].phase == engine::WorkPhase::gemm)
            continue;
        if (steps[i].act == PathAct::loads && i + 1 < steps.size() && steps[i + 1].act == PathAct::sends)
            subjects[i] = subjects[i + 1];
        else if (steps[i].act == PathAct::stores && i > 0 && steps[i - 1].act == PathAct::travels)
            subjects[i] = subjects[i - 1];
    }
    return subjects;
}

// A run of alike steps goes on over steps without a subject, what DRAM did for others, that lie within it.
void ReasonChain::join() const {
    const std::vector<PathStep>& steps = causes().steps();
    const std::vector<ReasonSubject> about = subjects();
    for (std::size_t first = 0; first < steps.size();) {
        std::size_t last = first;
        for (std::size_t i = first + 1; i < steps.size() && i - last <= kMostBetween && repeats(steps[i].act); ++i) {
            if (about[i].kind == Kind::none)
                continue;
            if (about[i] != about[first] || !tellAlike(steps[first], steps[i]))
                break;
            last = i;
        }
        if (about[first].kind == Kind::none || last - first < kToldAlone) {
            // A packet's way along the wire is the end of its being sent.
            last = first;
            if (steps[first].act == PathAct::sends && first + 1 < steps.size() &&
                steps[first + 1].act == PathAct::travels)
                ++last;
        }
        m_links.push_back(linkOf(first, last, about[first]));
        first = last + 1;
    }
}

ReasonLink ReasonChain::linkOf(std::size_t first, std::size_t last, const ReasonSubject& subject) const {
    const std::vector<PathStep>& steps = causes().steps();
    ReasonLink link;
    link.first = link.told = first;
    link.last = last;
    link.range = {steps[first].start.ps, steps[last].end.ps};
    link.subject = subject;
    for (std::size_t i = first; i <= last; ++i) {
        link.times[steps[i].cause] += steps[i].end - steps[i].start;
        if (weightOf(steps[i].act) > weightOf(steps[link.told].act))
            link.told = i;
    }
    countWork(link);
    return link;
}

void ReasonChain::countWork(ReasonLink& link) const {
    const std::vector<PathStep>& steps = causes().steps();
    for (std::size_t i = link.first; i <= link.last; ++i) {
        const PathStep& step = steps[i];
        const engine::Lane* lane = laneOf(step);
        if (step.act != PathAct::computes || lane == nullptr || step.lastSpan >= lane->spans.size())
            continue;
        link.workgroups = std::max(link.workgroups, step.lastSpan - step.firstSpan + 1);
        const engine::Trace& trace = m_flow->run().index->trace();
        if (lane->gpu >= trace.computed.size())
            continue;
        const engine::ComputedSteps& computed = trace.computed[lane->gpu];
        for (std::uint32_t span = step.firstSpan; span <= step.lastSpan; ++span) {
            const std::size_t tile = std::size_t{lane->spans[span].first} * computed.steps;
            for (std::size_t k = tile; k < std::min(tile + computed.steps, computed.done.size()); ++k)
                link.kSteps += computed.done[k] > step.start && computed.done[k] <= step.end ? 1 : 0;
        }
    }
}

std::size_t ReasonChain::linkOfStep(std::size_t step) const {
    const auto after = std::upper_bound(links().begin(), links().end(), step,
                                        [](std::size_t at, const ReasonLink& link) { return at < link.first; });
    return static_cast<std::size_t>(after - links().begin()) - 1;
}

std::optional<data::SpanRef> ReasonChain::spanOf(std::size_t link) const {
    const ReasonLink& told = links()[link];
    const auto refOf = [&](std::size_t step) {
        const PathStep& at = causes().steps()[step];
        return data::SpanRef{at.gpu, at.lane, at.lastSpan == engine::kNone ? at.firstSpan : at.lastSpan};
    };
    if (const data::SpanRef ref = refOf(told.told); m_flow->contains(ref))
        return ref;
    for (std::size_t step = told.last + 1; step-- > told.first;) {
        if (const data::SpanRef ref = refOf(step); m_flow->contains(ref))
            return ref;
    }
    return std::nullopt;
}

std::uint32_t ReasonChain::waiterOf(std::size_t link) const {
    const std::size_t after = links()[link].last + 1;
    const std::vector<PathStep>& steps = causes().steps();
    return steps[after < steps.size() ? after : links()[link].last].gpu;
}

std::optional<std::size_t> ReasonChain::linkThrough(data::SpanRef ref) const {
    if (empty() || !m_flow->contains(ref))
        return std::nullopt;
    const engine::Span& span = m_flow->span(ref);
    const ReasonSubject subject = subjectOf(span, ref.gpu);
    const std::vector<PathStep>& steps = causes().steps();
    std::optional<std::size_t> itself, about;
    // What waited behind others ended when this began.
    const std::size_t first = causes().stepAt(std::max<std::int64_t>(0, span.start.ps - 1));
    for (std::size_t i = first; i < steps.size() && steps[i].start <= span.end; ++i) {
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
