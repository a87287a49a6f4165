#include "ui/timeline/timeline_model.h"

#include <QCoreApplication>

#include <algorithm>

namespace ui {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("TimelineModel", text); }

// A lane is sorted by start, so a span keeps its place in it.
CutLane cutAtNext(const PackedLane& lane) {
    if (lane.empty())
        return {};
    CutLane cut{lane.tracks.front().laneIndex, lane.tracks.front().lane->spans};
    for (std::size_t i = 0; i + 1 < cut.spans.size(); ++i)
        cut.spans[i].end = std::min(cut.spans[i].end, cut.spans[i + 1].start);
    return cut;
}

TimeRange joined(TimeRange range, const PackedLane& lane) {
    for (const Track& track : lane.tracks) {
        const SpanList spans = track.spans();
        const bool none = range.span() <= 0;
        range.start = none ? spans[0].start.ps : std::min(range.start, spans[0].start.ps);
        range.end = std::max(range.end, spans[spans.size() - 1].end.ps);
    }
    return range;
}

engine::Span spanOf(std::int64_t start, std::int64_t end, engine::SpanKind kind) {
    return {.start = {start}, .end = {end}, .first = 0, .second = engine::kNone, .bytes = 0, .kind = kind};
}

}  // namespace

std::vector<Phase> phasesOf(TimeRange gemm, TimeRange reduceScatter, TimeRange allGather) {
    std::vector<std::int64_t> edges{gemm.start,        gemm.end,        reduceScatter.start,
                                    reduceScatter.end, allGather.start, allGather.end};
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    std::vector<Phase> phases;
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
        const auto covers = [&](TimeRange range) {
            return range.start <= edges[i] && edges[i + 1] <= range.end && range.span() > 0;
        };
        const bool computes = covers(gemm);
        const bool reduces = covers(reduceScatter);
        const bool gathers = covers(allGather);
        Phase phase{edges[i], edges[i + 1], Role::neutral, tr("waiting"), tr("waiting")};
        if (computes && (reduces || gathers)) {
            phase = {edges[i], edges[i + 1], Role::overlapped,
                     reduces ? tr("GEMM and reduce-scatter overlap") : tr("GEMM and all-gather overlap"),
                     tr("overlap")};
        } else if (computes) {
            phase = {edges[i], edges[i + 1], Role::gemm, tr("GEMM alone"), tr("GEMM")};
        } else if (reduces || gathers) {
            phase = {edges[i], edges[i + 1], Role::exposed,
                     reduces ? tr("exposed reduce-scatter") : tr("exposed all-gather"), tr("exposed")};
        }
        phases.push_back(phase);
    }
    return phases;
}

TimelineModel::TimelineModel(std::shared_ptr<const ShownRun> run) : m_run(std::move(run)) {
    if (!m_run)
        return;
    m_end = std::max<std::int64_t>(1, m_run->run.result.last.time.total.ps);
    if (index() != nullptr) {
        readTrace();
    } else {
        readBound();
    }
}

void TimelineModel::readTrace() {
    const engine::Trace& trace = index()->trace();
    m_end = std::max(m_end, trace.end.ps);
    const std::uint32_t recorded = trace.mirrored ? 1 : std::max(1u, trace.gpus);
    for (std::uint32_t gpu = 0; gpu < recorded; ++gpu) {
        m_waves.push_back(cutAtNext(index()->gpu(gpu).waves));
        m_steps.push_back(cutAtNext(index()->gpu(gpu).reduceScatter));
    }
    // The trace's own moments are those of GPU 0. Where GPUs differ the ribbon speaks for all of them: a phase lasts
    // from the first that is in it to the last.
    TimeRange gemm{0, trace.gemmEnd.ps};
    TimeRange reduceScatter{trace.reduceScatterStart.ps, trace.reduceScatterEnd.ps};
    TimeRange allGather{trace.allGatherStart.ps, trace.allGatherEnd.ps};
    for (std::uint32_t gpu = 0; gpu < recorded && recorded > 1; ++gpu) {
        gemm.end = std::max(gemm.end, joined(gemm, index()->gpu(gpu).waves).end);
        reduceScatter = joined(reduceScatter, index()->gpu(gpu).reduceScatter);
        allGather = joined(allGather, index()->gpu(gpu).allGather);
    }
    m_phases = phasesOf(gemm, reduceScatter, allGather);
    if (gemm.span() > 0)
        m_markers.push_back({gemm.end, Role::gemm, tr("GEMM ends")});
    if (reduceScatter.span() > 0)
        m_markers.push_back({reduceScatter.end, Role::reduceScatter, tr("reduce-scatter ends")});
    if (allGather.span() > 0)
        m_markers.push_back({allGather.end, Role::allGather, tr("all-gather ends")});
    std::stable_sort(m_markers.begin(), m_markers.end(), [](const auto& a, const auto& b) { return a.ps < b.ps; });
}

void TimelineModel::readBound() {
    const engine::TimeResult& time = m_run->run.result.last.time;
    const std::int64_t gather = std::max(time.gemm, time.reduceScatter).ps;
    m_phases = phasesOf({0, time.gemm.ps}, {0, time.reduceScatter.ps}, {gather, gather + time.allGather.ps});
}

std::vector<Row> TimelineModel::rows(const std::set<std::uint32_t>& expanded) const {
    std::vector<Row> rows;
    if (!hasRun())
        return rows;
    if (isBound()) {
        rows.push_back({RowKind::boundGemm, 0, true, false, tr("GEMM"), 3});
        rows.push_back({RowKind::boundReduceScatter, 0, false, false, tr("reduce-scatter"), 3});
        rows.push_back({RowKind::boundAllGather, 0, false, false, tr("all-gather"), 3});
        return rows;
    }
    for (std::uint32_t gpu = 0; gpu < gpus(); ++gpu) {
        if (expanded.contains(gpu)) {
            appendExpanded(gpu, rows);
        } else {
            appendCompact(gpu, rows);
        }
    }
    return rows;
}

void TimelineModel::appendExpanded(std::uint32_t gpu, std::vector<Row>& rows) const {
    const TraceIndex::Gpu& lanes = index()->gpu(gpu);
    const std::size_t first = rows.size();
    const auto weightOf = [](const PackedLane& lane) {
        return 0.75 + 0.55 * static_cast<double>(std::min<std::size_t>(lane.tracks.size(), 4));
    };
    if (!lanes.waves.empty())
        rows.push_back({RowKind::waves, gpu, false, false, tr("compute"), 2.8});
    if (!lanes.reduceScatter.empty()) {
        rows.push_back(
            {RowKind::reduceScatter, gpu, false, false, tr("reduce-scatter"), weightOf(lanes.reduceScatter)});
    }
    if (!lanes.allGather.empty())
        rows.push_back({RowKind::allGather, gpu, false, false, tr("all-gather"), 1.3});
    if (!lanes.dma.empty())
        rows.push_back({RowKind::dma, gpu, false, false, tr("DMA blocks"), 1.4});
    if (!lanes.link.empty())
        rows.push_back({RowKind::link, gpu, false, false, tr("link out"), 1.6});
    if (!lanes.dramCompute.empty())
        rows.push_back({RowKind::dram, gpu, false, false, tr("DRAM"), 2.8});
    if (first < rows.size())
        rows[first].opensGroup = true;
}

void TimelineModel::appendCompact(std::uint32_t gpu, std::vector<Row>& rows) const {
    const TraceIndex::Gpu& lanes = index()->gpu(gpu);
    const std::size_t first = rows.size();
    if (!lanes.waves.empty())
        rows.push_back({RowKind::waves, gpu, false, true, QString(), 1.15});
    if (!lanes.reduceScatter.empty() || !lanes.allGather.empty()) {
        rows.push_back({RowKind::collective, gpu, false, true, QString(), 1.05});
    }
    if (first < rows.size())
        rows[first].opensGroup = true;
}

const CutLane& TimelineModel::of(const std::vector<CutLane>& perGpu, std::uint32_t gpu) const {
    static const CutLane kNone;
    const std::size_t recorded = index() != nullptr && !index()->trace().mirrored ? gpu : 0;
    return recorded < perGpu.size() ? perGpu[recorded] : kNone;
}

const CutLane& TimelineModel::waves(std::uint32_t gpu) const { return of(m_waves, gpu); }

const CutLane& TimelineModel::steps(std::uint32_t gpu) const { return of(m_steps, gpu); }

engine::Span TimelineModel::boundSpan(RowKind kind) const {
    const engine::TimeResult& time = m_run->run.result.last.time;
    if (kind == RowKind::boundGemm)
        return spanOf(0, time.gemm.ps, engine::SpanKind::gemmWave);
    if (kind == RowKind::boundReduceScatter)
        return spanOf(0, time.reduceScatter.ps, engine::SpanKind::reduceScatterStep);
    const std::int64_t start = std::max(time.gemm, time.reduceScatter).ps;
    return spanOf(start, start + time.allGather.ps, engine::SpanKind::allGatherStep);
}

}  // namespace ui
