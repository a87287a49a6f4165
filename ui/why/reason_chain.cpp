#include "ui/why/reason_chain.h"

#include "data/replay/kernel_number.h"
#include "ui/look/cause_style.h"
#include "ui/look/format.h"
#include "ui/look/kernel_style.h"
#include "ui/look/run_words.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <utility>

namespace ui {
namespace {

using engine::PathAct;
using engine::PathStep;
using engine::SpanKind;
using engine::WorkPhase;
using Kind = ReasonSubject::Kind;

constexpr std::size_t kMostBetween = 6;      // steps without a subject that may interrupt a series of similar steps
constexpr std::size_t kListedOneByOne = 12;  // in a series of up to so many steps, each step has its own link

// Acts that are repeated while one subject is worked on. Each step with another act has its own link.
constexpr std::array kRepeating{PathAct::computes, PathAct::loads,        PathAct::passesCache,
                                PathAct::stores,   PathAct::behindStream, PathAct::behindOther,
                                PathAct::sends,    PathAct::travels,      PathAct::paces};

bool repeats(PathAct act) { return std::find(kRepeating.begin(), kRepeating.end(), act) != kRepeating.end(); }

bool isOfWorkgroup(PathAct act) {
    return act == PathAct::computes || act == PathAct::loads || act == PathAct::passesCache;
}

// Returns whether two steps can be joined into one link. Stores follow the K-steps of the same workgroup and are not
// joined with them.
bool areSimilar(const PathStep& a, const PathStep& b) {
    if (a.gpu != b.gpu || a.phase != b.phase || !repeats(a.act) || !repeats(b.act))
        return false;
    return a.phase != WorkPhase::gemm || a.act == b.act || (isOfWorkgroup(a.act) && isOfWorkgroup(b.act));
}

// Returns a weight by which one act of a link's steps is chosen for its description.
int weightOf(PathAct act) {
    switch (act) {
    case PathAct::computes: return 5;
    case PathAct::sends: return 4;
    case PathAct::paces: return 3;
    case PathAct::loads:
    case PathAct::passesCache: return 2;
    case PathAct::stores: return 1;
    default: return 0;
    }
}

bool isBehind(PathAct act) { return act == PathAct::behindStream || act == PathAct::behindOther; }

constexpr std::uint32_t kMostSearched = 64;  // spans of a channel, among which both streams are served

QString reasonTr(const char* text) { return QCoreApplication::translate("ReasonText", text); }

const engine::Span* spanOf(const ReasonChain& chain, const PathStep& step) {
    const data::SpanRef ref{step.gpu, step.lane, step.firstSpan};
    return chain.flow().contains(ref) ? &chain.flow().span(ref) : nullptr;
}

/// Describes a link, with numbers as users see them on its GPU.
class LinkText {
public:
    LinkText(const ReasonChain& chain, std::size_t link)
        : m_chain(chain), m_link(chain.links()[link]), m_step(chain.shownStep(link)), m_span(spanOf(chain, m_step)),
          m_elsewhere(m_step.gpu != chain.waiterOf(link)) {}

    bool isBehind() const { return ui::isBehind(m_step.act); }
    /// Returns what was waited for: "the loads of workgroup 1".
    QString description() const;

private:
    QString workgroup() const;
    /// Returns "companion copy 2"; empty for the run's own work.
    QString companion() const;
    /// Returns "the data" or, for a companion, "the data of companion copy 2".
    QString withOwner(const QString& data) const;
    QString computed() const;
    QString loaded() const;
    QString stored() const;
    QString started() const;
    QString begun() const;
    std::vector<data::GemmPiece> pieces() const;
    QString servedMeanwhile() const;
    QString queueAhead() const;
    QString sent() const;
    QString block() const;
    QString phase() const;
    /// Returns "chunk 5"; empty if the trace does not record it.
    QString chunk() const;
    QString onGpu() const { return m_elsewhere ? reasonTr(" on GPU %1").arg(m_step.gpu) : QString(); }

    const ReasonChain& m_chain;
    const ReasonLink& m_link;
    const PathStep& m_step;
    const engine::Span* m_span;
    bool m_elsewhere;
};

QString LinkText::companion() const {
    const bool known = m_span != nullptr && data::isOfCompanion(*m_span);
    if (!known)
        return m_step.phase == WorkPhase::companion ? reasonTr("the companion") : QString();
    return kernelName(m_chain.flow().run().run.experiment, data::kernelNumberOf(*m_span));
}

QString LinkText::withOwner(const QString& data) const {
    const QString owner = companion();
    return owner.isEmpty() ? data : reasonTr("%1 of %2").arg(data, owner);
}

QString LinkText::workgroup() const {
    const bool known = m_span != nullptr && data::isOfCompanion(*m_span);
    if (known && (m_span->kind == SpanKind::workgroup || m_span->kind == SpanKind::load))
        return withOwner(reasonTr("workgroup %1").arg(m_span->first));
    if (m_step.phase == WorkPhase::companion)
        return withOwner(reasonTr("a workgroup"));
    return m_link.subject.kind == Kind::tile ? reasonTr("workgroup %1").arg(m_link.subject.number)
                                             : reasonTr("a workgroup");
}

QString LinkText::chunk() const {
    return m_link.subject.kind == Kind::chunk ? reasonTr("chunk %1").arg(m_link.subject.number) : QString();
}

QString LinkText::block() const {
    return m_link.subject.kind == Kind::block ? reasonTr("DMA block %1").arg(m_link.subject.number)
                                              : reasonTr("a DMA block");
}

QString LinkText::phase() const {
    return m_step.phase == WorkPhase::reduceScatter ? scatterWord(m_chain.flow().run().run.experiment)
                                                    : text(engine::name(m_step.phase));
}

QString LinkText::computed() const {
    if (m_link.workgroups > 1 && m_link.kSteps > 0)
        return reasonTr("%1 K-steps of %2 workgroups, one after the other from %3 on")
                   .arg(m_link.kSteps)
                   .arg(m_link.workgroups)
                   .arg(workgroup()) +
               onGpu();
    if (m_link.kSteps > 1)
        return reasonTr("%1 K-steps of %2").arg(m_link.kSteps).arg(workgroup()) + onGpu();
    if (m_link.kSteps == 1)
        return reasonTr("a K-step of %1").arg(workgroup()) + onGpu();
    return reasonTr("%1 to compute").arg(workgroup()) + onGpu();
}

QString LinkText::loaded() const {
    if (m_link.subject.kind == Kind::block)
        return reasonTr("%1 to be read").arg(block()) + onGpu();
    if (m_step.phase == WorkPhase::gemm)
        return reasonTr("the loads of %1").arg(workgroup()) + onGpu();
    return reasonTr("%1 to be read").arg(chunk().isEmpty() ? withOwner(reasonTr("the data")) : chunk()) + onGpu();
}

std::vector<data::GemmPiece> LinkText::pieces() const {
    const auto& index = m_chain.flow().run().index;
    return index ? data::gemmPiecesOf(index->trace(), index->trace().recorded(m_step.gpu))
                 : std::vector<data::GemmPiece>{};
}

// The first workgroups of a piece wait for its launch, which comes after the end of the piece before in its queue.
QString LinkText::started() const {
    const std::vector<data::GemmPiece> all = pieces();
    const data::GemmPiece* piece = m_span != nullptr ? data::pieceOf(all, *m_span) : nullptr;
    const auto queues = static_cast<std::uint32_t>(m_chain.flow().run().run.experiment.policy.queues);
    if (piece == nullptr || piece->number < queues || piece->time.start != m_span->start.ps)
        return reasonTr("%1 to start").arg(workgroup()) + onGpu();
    return reasonTr("piece %1 to be launched after the end of piece %2")
               .arg(piece->number + 1)
               .arg(piece->number + 1 - queues) +
           onGpu();
}

// A collective kernel beside the GEMM learns later that data are in memory if signals take time.
QString LinkText::begun() const {
    const engine::Experiment& experiment = m_chain.flow().run().run.experiment;
    const engine::Duration signal = experiment.policy.signalLatency;
    if (engine::overlapsInSoftware(experiment) && signal.ps > 0 && m_step.end - m_step.start == signal)
        return reasonTr("the signal that data of the %1 are in memory").arg(phase()) + onGpu();
    return reasonTr("the kernel of the %1 to start").arg(phase()) + onGpu();
}

QString LinkText::stored() const {
    if (m_span != nullptr && m_span->kind == SpanKind::dramPass)
        return reasonTr("the pass inside memory") + onGpu();
    if (m_step.phase == WorkPhase::gemm) {
        const QString stores = reasonTr("the stores of %1").arg(workgroup()) + onGpu();
        const std::vector<data::GemmPiece> all = pieces();
        const auto piece =
            std::ranges::find_if(all, [&](const data::GemmPiece& one) { return one.time.end == m_step.end.ps; });
        return piece == all.end() ? stores : reasonTr("%1, which end piece %2").arg(stores).arg(piece->number + 1);
    }
    return reasonTr("%1 to be written").arg(chunk().isEmpty() ? withOwner(reasonTr("the result")) : chunk()) + onGpu();
}

// Describes the first span of the other stream or of another kernel that the channel served meanwhile.
QString LinkText::servedMeanwhile() const {
    const engine::Lane& lane = m_chain.flow().lane({m_step.gpu, m_step.lane, 0});
    const engine::Span& own = lane.spans[m_step.lastSpan];
    const std::uint32_t until = std::min(m_step.lastSpan, m_step.firstSpan + kMostSearched);
    for (std::uint32_t i = m_step.firstSpan; i < until; ++i) {
        const engine::Span& served = lane.spans[i];
        const bool ofOther = engine::kernelOf(served) != engine::kernelOf(own);
        if (served.first == own.first && !ofOther)
            continue;
        if (served.kind == SpanKind::dramPass)
            return reasonTr("the pass inside memory");
        const QString what = served.kind == SpanKind::dramUpdate  ? reasonTr("updates")
                             : served.kind == SpanKind::dramWrite ? reasonTr("writes")
                                                                  : reasonTr("reads");
        return ofOther ? reasonTr("%1 of the %2")
                             .arg(what, kernelName(m_chain.flow().run().run.experiment, data::kernelNumberOf(served)))
                       : what;
    }
    return reasonTr("the other stream");
}

QString LinkText::queueAhead() const {
    QString whose = m_step.act == PathAct::behindOther ? reasonTr("the other stream") : reasonTr("its own stream");
    QString where;
    if (m_span != nullptr && m_chain.flow().lane({m_step.gpu, m_step.lane, 0}).kind == engine::LaneKind::dramChannel) {
        where = reasonTr(" in channel %1").arg(m_chain.flow().lane({m_step.gpu, m_step.lane, 0}).index);
        if (m_step.act == PathAct::behindOther)
            whose = servedMeanwhile();
    }
    std::int64_t bytes = 0;
    for (std::size_t i = m_link.first; i <= m_link.last; ++i)
        bytes += m_chain.causes().steps()[i].bytes;
    const QString amount = bytes > 0 ? reasonTr("%1 of %2").arg(formatBytes(bytes), whose) : whose;
    return amount + where + onGpu();
}

// Successive packets on a link are one step, even if they belong to different chunks, so the text may name the first
// and the last chunk.
QString LinkText::sent() const {
    QString data = chunk().isEmpty() ? withOwner(reasonTr("packets")) : chunk();
    const data::SpanRef last{m_step.gpu, m_step.lane, m_step.lastSpan};
    if (m_chain.flow().contains(last) && !chunk().isEmpty()) {
        const std::uint32_t until = chunkOf(m_chain.flow(), last);
        if (until != m_link.subject.number && until != engine::kNone)
            data = reasonTr("packets of %1 to chunk %2").arg(data).arg(until);
    }
    const QString bytes = m_step.bytes > 0 ? formatBytes(m_step.bytes) : QString();
    if (!m_elsewhere)
        return bytes.isEmpty() ? reasonTr("%1 to leave on its link").arg(data)
                               : reasonTr("%1 to leave on its link, %2 in all").arg(data, bytes);
    const QString from = reasonTr("%1 from GPU %2").arg(data).arg(m_step.gpu);
    return bytes.isEmpty() ? from : reasonTr("%1, %2 on the link").arg(from, bytes);
}

QString LinkText::description() const {
    switch (m_step.act) {
    case PathAct::startsWorkgroup: return started();
    case PathAct::computes: return computed();
    case PathAct::loads:
    case PathAct::passesCache: return loaded();
    case PathAct::stores: return stored();
    case PathAct::behindStream:
    case PathAct::behindOther: return queueAhead();
    case PathAct::sends: return sent();
    case PathAct::travels:
        return m_elsewhere ? reasonTr("the latency of the link from GPU %1").arg(m_step.gpu)
                           : reasonTr("the latency of the link");
    case PathAct::waitsForSet: return reasonTr("a free set of its tracker") + onGpu();
    case PathAct::triggers: return reasonTr("its tracker to trigger %1").arg(block()) + onGpu();
    case PathAct::waitsForEngine: return reasonTr("a DMA engine for %1").arg(block()) + onGpu();
    case PathAct::paces:
        return reasonTr("the CUs that move %1")
                   .arg(chunk().isEmpty() ? reasonTr("the data of the %1").arg(phase()) : chunk()) +
               onGpu();
    case PathAct::barrier: return reasonTr("the barrier before a step of the %1").arg(phase()) + onGpu();
    case PathAct::begins: return begun();
    case PathAct::waits: break;
    }
    return reasonTr("something that the trace does not record") + onGpu();
}

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
    if (data::isOfCompanion(span))
        return {};
    switch (span.kind) {
    case SpanKind::trigger:
    case SpanKind::dmaTransfer: return {Kind::block, span.first};
    case SpanKind::gemmWave: return {};
    case SpanKind::reduceScatterStep:
    case SpanKind::allGatherStep:
    case SpanKind::copy:
    case SpanKind::linkPacket:
    case SpanKind::dramRead:
    case SpanKind::dramWrite:
    case SpanKind::dramUpdate:
    case SpanKind::dramPass:
        if (span.second == engine::kNone)
            return {};
        return {Kind::chunk, places.chunkOn(gpu, span.second)};
    // The picture does not show the tiles, blocks and chunks of a companion.
    case SpanKind::companionStep:
    case SpanKind::companionTransfer:
    case SpanKind::companionPacket:
    case SpanKind::companionWave:
    case SpanKind::collectiveWorkgroup: return {};
    case SpanKind::workgroup:
    case SpanKind::load:
    case SpanKind::store:
    case SpanKind::trackedTile:
    case SpanKind::storeLanded:
    case SpanKind::arrivalLanded:
    case SpanKind::sumLanded: break;
    }
    return {Kind::tile, places.tileOn(gpu, span.first)};
}

const engine::Lane* ReasonChain::laneOf(const PathStep& step) const {
    const auto& index = m_flow->run().index;
    return index && step.lane < index->trace().lanes.size() ? &index->trace().lanes[step.lane] : nullptr;
}

ReasonSubject ReasonChain::subjectOf(const PathStep& step) const {
    const engine::Lane* lane = laneOf(step);
    // In a step queued behind others, the channel served the waiting request last.
    const std::uint32_t span = isBehind(step.act) ? step.lastSpan : step.firstSpan;
    return lane != nullptr && span < lane->spans.size() ? subjectOf(lane->spans[span], step.gpu) : ReasonSubject{};
}

// Returns the subject of each step. DRAM does not know which chunk it serves, so a collective's read has the subject of
// the send that follows, and its write that of the arrival before it.
std::vector<ReasonSubject> ReasonChain::subjects() const {
    const std::vector<PathStep>& steps = causes().steps();
    std::vector<ReasonSubject> subjects;
    subjects.reserve(steps.size());
    for (const PathStep& step : steps)
        subjects.push_back(subjectOf(step));
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (subjects[i].kind != Kind::none || steps[i].phase == WorkPhase::gemm)
            continue;
        if (steps[i].act == PathAct::loads && i + 1 < steps.size() && steps[i + 1].act == PathAct::sends)
            subjects[i] = subjects[i + 1];
        else if (steps[i].act == PathAct::stores && i > 0 && steps[i - 1].act == PathAct::travels)
            subjects[i] = subjects[i - 1];
    }
    return subjects;
}

// Joins a series of similar steps into one link. A few steps without a subject, in which DRAM served others, do not end
// the series.
void ReasonChain::join() const {
    const std::vector<PathStep>& steps = causes().steps();
    const std::vector<ReasonSubject> subject = subjects();
    for (std::size_t first = 0; first < steps.size();) {
        std::size_t last = first;
        for (std::size_t i = first + 1; i < steps.size() && i - last <= kMostBetween && repeats(steps[i].act); ++i) {
            if (subject[i].kind == Kind::none)
                continue;
            if (subject[i] != subject[first] || !areSimilar(steps[first], steps[i]))
                break;
            last = i;
        }
        if (subject[first].kind == Kind::none || last - first < kListedOneByOne) {
            // A packet's propagation along the link is joined with its transmission.
            last = first;
            if (steps[first].act == PathAct::sends && first + 1 < steps.size() &&
                steps[first + 1].act == PathAct::travels)
                ++last;
        }
        m_links.push_back(linkOf(first, last, subject[first]));
        first = last + 1;
    }
}

ReasonLink ReasonChain::linkOf(std::size_t first, std::size_t last, const ReasonSubject& subject) const {
    const std::vector<PathStep>& steps = causes().steps();
    ReasonLink link;
    link.first = link.shown = first;
    link.last = last;
    link.range = {steps[first].start.ps, steps[last].end.ps};
    link.subject = subject;
    for (std::size_t i = first; i <= last; ++i) {
        link.times[steps[i].cause] += steps[i].end - steps[i].start;
        if (weightOf(steps[i].act) > weightOf(steps[link.shown].act))
            link.shown = i;
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
    const ReasonLink& shown = links()[link];
    const auto refOf = [&](std::size_t step) {
        const PathStep& at = causes().steps()[step];
        return data::SpanRef{at.gpu, at.lane, at.lastSpan == engine::kNone ? at.firstSpan : at.lastSpan};
    };
    if (const data::SpanRef ref = refOf(shown.shown); m_flow->contains(ref))
        return ref;
    for (std::size_t step = shown.last + 1; step-- > shown.first;) {
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
    std::optional<std::size_t> ofSpan, ofSubject;
    // A step that was queued behind others ended when the span began.
    const std::size_t first = causes().stepAt(std::max<std::int64_t>(0, span.start.ps - 1));
    for (std::size_t i = first; i < steps.size() && steps[i].start <= span.end; ++i) {
        const PathStep& step = steps[i];
        if (step.gpu != ref.gpu || step.end < span.start)
            continue;
        if (step.lane == ref.lane && step.firstSpan <= ref.span && ref.span <= step.lastSpan)
            ofSpan = i;
        if (subject.kind != Kind::none && step.start < span.end && step.end > span.start && subjectOf(step) == subject)
            ofSubject = i;
    }
    if (!ofSpan && !ofSubject)
        return std::nullopt;
    return linkOfStep(ofSpan ? *ofSpan : *ofSubject);
}

QString firstReason(const ReasonChain& chain, std::size_t link) {
    const LinkText shown(chain, link);
    return (shown.isBehind() ? reasonTr("GPU %1 is queued behind %2") : reasonTr("GPU %1 waits for %2"))
        .arg(chain.waiterOf(link))
        .arg(shown.description());
}

QString furtherReason(const ReasonChain& chain, std::size_t link) {
    const LinkText shown(chain, link);
    return (shown.isBehind() ? reasonTr("which was queued behind %1") : reasonTr("which waited for %1"))
        .arg(shown.description());
}

QString reasonTimes(const ReasonChain& chain, std::size_t link) {
    const ReasonLink& shown = chain.links()[link];
    const std::int64_t lasts = shown.range.span();
    const QString until = formatTimeSteady(shown.range.end, chain.causes().end());
    const engine::Cause most = shown.cause();
    if (shown.times[most].ps == lasts)
        return reasonTr("%1 of %2, until %3").arg(formatTime(lasts, 3), textOf(most), until);
    return reasonTr("%1, %2 of it %3, until %4")
        .arg(formatTime(lasts, 3), formatTime(shown.times[most].ps, 3), textOf(most), until);
}

QString reasonInFull(const ReasonChain& chain, std::size_t link) {
    return firstReason(chain, link) + QLatin1Char('\n') + reasonTimes(chain, link);
}

}  // namespace ui
