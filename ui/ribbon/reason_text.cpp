#include "ui/ribbon/reason_text.h"

#include "ui/look/cause_style.h"
#include "ui/look/collective_words.h"
#include "ui/look/format.h"
#include "ui/look/span_name.h"
#include "ui/look/text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace ui {
namespace {

using engine::PathAct;
using engine::PathStep;
using engine::SpanKind;
using engine::WorkPhase;

constexpr std::uint32_t kLookedAt = 64;  // spans of a channel; by then both streams have been served

QString reasonTr(const char* text) { return QCoreApplication::translate("ReasonText", text); }

const engine::Span* spanOf(const ReasonChain& chain, const PathStep& step) {
    const data::SpanRef ref{step.gpu, step.lane, step.firstSpan};
    return chain.flow().contains(ref) ? &chain.flow().span(ref) : nullptr;
}

/// Numbers as the GPU's reader knows them.
class Told {
public:
    Told(const ReasonChain& chain, std::size_t link)
        : m_chain(chain), m_link(chain.links()[link]), m_step(chain.toldStep(link)), m_span(spanOf(chain, m_step)),
          m_elsewhere(m_step.gpu != chain.waiterOf(link)) {}

    bool isBehind() const { return m_step.act == PathAct::behindStream || m_step.act == PathAct::behindOther; }
    QString what() const;

private:
    QString workgroup() const;
    QString computed() const;
    QString loaded() const;
    QString stored() const;
    QString other() const;
    QString ahead() const;
    QString sent() const;
    QString block() const;
    QString phase() const;
    /// "chunk 5"; empty where the trace does not tell.
    QString chunk() const;
    QString onGpu() const { return m_elsewhere ? reasonTr(" on GPU %1").arg(m_step.gpu) : QString(); }

    const ReasonChain& m_chain;
    const ReasonLink& m_link;
    const PathStep& m_step;
    const engine::Span* m_span;
    bool m_elsewhere;
};

QString Told::workgroup() const {
    return m_link.subject.kind == ReasonSubject::Kind::tile ? reasonTr("workgroup %1").arg(m_link.subject.number)
                                                            : reasonTr("a workgroup");
}

QString Told::chunk() const {
    return m_link.subject.kind == ReasonSubject::Kind::chunk ? reasonTr("chunk %1").arg(m_link.subject.number)
                                                             : QString();
}

QString Told::block() const {
    return m_link.subject.kind == ReasonSubject::Kind::block ? reasonTr("DMA block %1").arg(m_link.subject.number)
                                                             : reasonTr("a DMA block");
}

QString Told::phase() const {
    return m_step.phase == WorkPhase::reduceScatter ? scatterWord(m_chain.flow().run().run.experiment)
                                                    : text(engine::name(m_step.phase));
}

QString Told::computed() const {
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

QString Told::loaded() const {
    if (m_link.subject.kind == ReasonSubject::Kind::block)
        return reasonTr("%1 to be read").arg(block()) + onGpu();
    if (m_step.phase == WorkPhase::gemm)
        return reasonTr("the loads of %1").arg(workgroup()) + onGpu();
    return reasonTr("%1 to be read").arg(chunk().isEmpty() ? reasonTr("the data") : chunk()) + onGpu();
}

QString Told::stored() const {
    if (m_step.phase == WorkPhase::gemm)
        return reasonTr("the stores of %1").arg(workgroup()) + onGpu();
    return reasonTr("%1 to be written").arg(chunk().isEmpty() ? reasonTr("the result") : chunk()) + onGpu();
}

// The other stream's first span that the channel served meanwhile says what it did.
QString Told::other() const {
    const engine::Lane& lane = m_chain.flow().lane({m_step.gpu, m_step.lane, 0});
    const engine::Span& own = lane.spans[m_step.lastSpan];
    const std::uint32_t until = std::min(m_step.lastSpan, m_step.firstSpan + kLookedAt);
    for (std::uint32_t i = m_step.firstSpan; i < until; ++i) {
        if (lane.spans[i].first != own.first)
            return lane.spans[i].kind == SpanKind::dramUpdate  ? reasonTr("updates")
                   : lane.spans[i].kind == SpanKind::dramWrite ? reasonTr("writes")
                                                               : reasonTr("reads");
    }
    return reasonTr("the other stream");
}

QString Told::ahead() const {
    QString whose = m_step.act == PathAct::behindOther ? reasonTr("the other stream") : reasonTr("its own stream");
    QString where;
    if (m_span != nullptr && m_chain.flow().lane({m_step.gpu, m_step.lane, 0}).kind == engine::LaneKind::dramChannel) {
        where = reasonTr(" in channel %1").arg(m_chain.flow().lane({m_step.gpu, m_step.lane, 0}).index);
        if (m_step.act == PathAct::behindOther)
            whose = other();
    }
    std::int64_t bytes = 0;
    for (std::size_t i = m_link.first; i <= m_link.last; ++i)
        bytes += m_chain.causes().steps()[i].bytes;
    const QString amount = bytes > 0 ? reasonTr("%1 of %2").arg(formatBytes(bytes), whose) : whose;
    return amount + where + onGpu();
}

// Packets that follow each other on a link are one step, of whatever chunks they are.
QString Told::sent() const {
    QString data = chunk().isEmpty() ? reasonTr("packets") : chunk();
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

QString Told::what() const {
    switch (m_step.act) {
    case PathAct::startsWorkgroup: return reasonTr("%1 to start").arg(workgroup()) + onGpu();
    case PathAct::computes: return computed();
    case PathAct::loads: return loaded();
    case PathAct::stores: return stored();
    case PathAct::behindStream:
    case PathAct::behindOther: return ahead();
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
    case PathAct::begins: return reasonTr("the kernel of the %1 to start").arg(phase()) + onGpu();
    case PathAct::waits: break;
    }
    return reasonTr("something that the trace does not tell") + onGpu();
}

}  // namespace

QString firstReason(const ReasonChain& chain, std::size_t link) {
    const Told told(chain, link);
    return (told.isBehind() ? reasonTr("GPU %1 stands behind %2") : reasonTr("GPU %1 waits for %2"))
        .arg(chain.waiterOf(link))
        .arg(told.what());
}

QString furtherReason(const ReasonChain& chain, std::size_t link) {
    const Told told(chain, link);
    return (told.isBehind() ? reasonTr("which stood behind %1") : reasonTr("which waited for %1")).arg(told.what());
}

QString reasonTimes(const ReasonChain& chain, std::size_t link) {
    const ReasonLink& told = chain.links()[link];
    const std::int64_t lasts = told.range.span();
    const QString until = formatTimeSteady(told.range.end, chain.causes().end());
    const engine::Cause most = told.cause();
    if (told.times[most].ps == lasts)
        return reasonTr("%1 of %2, until %3").arg(formatTime(lasts, 3), textOf(most), until);
    return reasonTr("%1, %2 of it %3, until %4")
        .arg(formatTime(lasts, 3), formatTime(told.times[most].ps, 3), textOf(most), until);
}

QString reasonInFull(const ReasonChain& chain, std::size_t link) {
    return firstReason(chain, link) + QLatin1Char('\n') + reasonTimes(chain, link);
}

QString reasonsInARow(const ReasonChain& chain, std::size_t link, std::size_t most) {
    QStringList told{firstReason(chain, link)};
    for (std::size_t i = 1; i < most && i <= link; ++i)
        told << furtherReason(chain, link - i);
    return told.join(QStringLiteral("; "));
}

}  // namespace ui
