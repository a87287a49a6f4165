#include "ui/timeline/timeline_model.h"

#include "ui/look/run_words.h"

#include <QCoreApplication>

#include <algorithm>

namespace ui {
namespace {

QString rowTr(const char* text) { return QCoreApplication::translate("TimelineModel", text); }

// Cuts each span where the next begins. The lane is sorted by start, so each span keeps its index.
CutLane cutAtNext(const data::Track& track) {
    CutLane cut{track.laneIndex, track.lane->spans};
    for (std::size_t i = 0; i + 1 < cut.spans.size(); ++i)
        cut.spans[i].end = std::min(cut.spans[i].end, cut.spans[i + 1].start);
    return cut;
}

CutLane cutAtNext(const data::PackedLane& lane) { return lane.empty() ? CutLane{} : cutAtNext(lane.tracks.front()); }

bool showsWaves(const data::Track& track) { return track.lane->spans.front().kind == engine::SpanKind::companionWave; }

// Returns the lanes of waves, each once. A lane whose spans overlap has several tracks, which all refer to that lane.
std::vector<CutLane> companionWaves(const data::PackedLane& companion) {
    std::vector<CutLane> waves;
    for (const data::Track& track : companion.tracks) {
        if (showsWaves(track) && (waves.empty() || waves.back().lane != track.laneIndex))
            waves.push_back(cutAtNext(track));
    }
    return waves;
}

// Returns when a companion's first span on this GPU begins, or `end` if none begins before. A kernel that was launched
// and waits for room does not run yet.
std::int64_t companionBegin(const data::TraceIndex::Gpu& gpu, std::int64_t end) {
    for (const std::vector<data::Track>* tracks : {&gpu.slots.tracks, &gpu.companion.tracks}) {
        for (const data::Track& track : *tracks) {
            const data::SpanList spans = track.spans();
            for (std::size_t i = 0; i < spans.size() && spans[i].start.ps < end; ++i) {
                if (data::isOfCompanion(spans[i]))
                    end = spans[i].start.ps;
            }
        }
    }
    return end;
}

data::TimeRange rangeOf(engine::Duration start, engine::Duration time) { return {start.ps, (start + time).ps}; }

data::TimeRange joined(data::TimeRange range, const data::PackedLane& lane) {
    for (const data::Track& track : lane.tracks) {
        const data::SpanList spans = track.spans();
        const bool none = range.span() <= 0;
        range.start = none ? spans[0].start.ps : std::min(range.start, spans[0].start.ps);
        range.end = std::max(range.end, spans[spans.size() - 1].end.ps);
    }
    return range;
}

engine::Span spanOf(std::int64_t start, std::int64_t end, engine::SpanKind kind) {
    return {.start = {start}, .end = {end}, .first = 0, .second = engine::kNone, .bytes = 0, .kind = kind};
}

QString labelOf(LaneKey key, const engine::Experiment& experiment) {
    const char* label = traitsOf(key.kind).label;
    if (label == nullptr)
        return scatterWord(experiment);
    return key.kind == RowKind::dramChannel ? rowTr(label).arg(key.index) : rowTr(label);
}

}  // namespace

std::vector<Phase> phasesOf(data::TimeRange gemm, data::TimeRange reduceScatter, data::TimeRange allGather,
                            const QString& scatter, data::TimeRange companion) {
    std::vector<std::int64_t> edges{gemm.start,      gemm.end,      reduceScatter.start, reduceScatter.end,
                                    allGather.start, allGather.end, companion.start,     companion.end};
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    std::vector<Phase> phases;
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
        const auto covers = [&](data::TimeRange range) {
            return range.start <= edges[i] && edges[i + 1] <= range.end && range.span() > 0;
        };
        const bool computes = covers(gemm);
        const bool reduces = covers(reduceScatter);
        const bool gathers = covers(allGather);
        const bool inCompany = covers(companion);
        const auto add = [&](Role role, const QString& label, const QString& brief) {
            phases.push_back({edges[i], edges[i + 1], role,
                              inCompany ? rowTr("%1, beside the companion").arg(label) : label, brief, inCompany});
        };
        if (computes && (reduces || gathers))
            add(Role::overlapped,
                reduces ? rowTr("GEMM and %1 at once").arg(scatter) : rowTr("GEMM and all-gather at once"),
                rowTr("at once"));
        else if (computes)
            add(Role::gemm, inCompany ? rowTr("GEMM") : rowTr("GEMM only"), rowTr("GEMM"));
        else if (reduces || gathers)
            add(Role::exposed,
                inCompany ? (reduces ? scatter : rowTr("all-gather"))
                : reduces ? rowTr("%1 only").arg(scatter)
                          : rowTr("all-gather only"),
                rowTr("no GEMM"));
        else if (inCompany)
            phases.push_back(
                {edges[i], edges[i + 1], Role::neutral, rowTr("companion only"), rowTr("companion"), true});
        else
            add(Role::neutral, rowTr("waiting"), rowTr("waiting"));
    }
    return phases;
}

const data::PackedLane* laneOf(const data::TraceIndex::Gpu& gpu, RowKind kind) {
    switch (kind) {
    case RowKind::waves: return &gpu.waves;
    case RowKind::slots: return &gpu.slots;
    case RowKind::loads: return &gpu.loads;
    case RowKind::stores: return &gpu.stores;
    case RowKind::reduceScatter: return &gpu.reduceScatter;
    case RowKind::allGather: return &gpu.allGather;
    case RowKind::companion: return &gpu.companion;
    case RowKind::tracker: return &gpu.trackedTiles;
    case RowKind::dma: return &gpu.dma;
    case RowKind::link: return &gpu.linkOut;
    case RowKind::linkIn: return &gpu.linkIn;
    case RowKind::dram: return &gpu.dramChannels;
    default: return nullptr;
    }
}

TimelineModel::TimelineModel(std::shared_ptr<const data::ShownRun> run) : m_run(std::move(run)) {
    if (!m_run)
        return;
    m_end = data::endOf(*m_run);
    if (index() != nullptr) {
        readTrace();
    } else {
        readBound();
    }
}

void TimelineModel::readTrace() {
    const engine::Trace& trace = index()->trace();
    const std::uint32_t recorded = trace.recordedGpus();
    for (std::uint32_t gpu = 0; gpu < recorded; ++gpu) {
        m_waves.push_back(cutAtNext(index()->gpu(gpu).waves));
        m_steps.push_back(cutAtNext(index()->gpu(gpu).reduceScatter));
        m_lastWaves.push_back(data::lastWaveOf(*m_run, gpu));
        m_pieces.push_back(data::gemmPiecesOf(trace, gpu));
        m_companionWaves.push_back(companionWaves(index()->gpu(gpu).companion));
    }
    // The trace's own times are those of GPU 0. If GPUs differ, the phases cover all of them: a phase lasts from the
    // first GPU that begins it to the last that ends it.
    data::TimeRange gemm{trace.phases.empty() ? 0 : trace.phases.front().start.ps, trace.gemmEnd.ps};
    data::TimeRange reduceScatter{trace.reduceScatterStart.ps, trace.reduceScatterEnd.ps};
    data::TimeRange allGather{trace.allGatherStart.ps, trace.allGatherEnd.ps};
    if (const auto& whole = m_run->run.result.whole) {
        gemm = rangeOf(whole->gemmStart, whole->time.gemm);
        reduceScatter = rangeOf(whole->scatterStart, whole->time.reduceScatter + whole->time.allToAll);
        allGather = rangeOf(whole->gatherStart, whole->time.allGather);
    }
    for (std::uint32_t gpu = 0; gpu < recorded && recorded > 1 && !m_run->run.result.whole; ++gpu) {
        gemm.end = std::max(gemm.end, joined(gemm, index()->gpu(gpu).waves).end);
        reduceScatter = joined(reduceScatter, index()->gpu(gpu).reduceScatter);
        allGather = joined(allGather, index()->gpu(gpu).allGather);
    }
    const QString scatter = scatterWord(m_run->run.experiment);
    data::TimeRange companion{0, 0};
    for (const engine::PhaseTimes& times : trace.phases)
        companion.end = std::max(companion.end, trace.companionCopies > 0 ? times.companionEnd.ps : 0);
    companion.start = companion.end;
    for (std::uint32_t gpu = 0; gpu < recorded && companion.end > 0; ++gpu)
        companion.start = std::min(companion.start, companionBegin(index()->gpu(gpu), companion.end));
    m_phases = phasesOf(gemm, reduceScatter, allGather, scatter, companion);
    if (m_run->run.experiment.workload.sublayer == engine::SubLayer::access)
        m_phases = {{0, trace.end.ps, Role::neutral, rowTr("requests to memory"), rowTr("requests"), false}};
    if (gemm.span() > 0)
        m_markers.push_back({gemm.end, Role::gemm, rowTr("GEMM ends")});
    if (reduceScatter.span() > 0)
        m_markers.push_back({reduceScatter.end, Role::reduceScatter, rowTr("%1 ends").arg(scatter)});
    if (allGather.span() > 0)
        m_markers.push_back({allGather.end, Role::allGather, rowTr("all-gather ends")});
    if (companion.span() > 0)
        m_markers.push_back({companion.end, Role::neutral, rowTr("companion ends"), data::kFirstCopy});
    std::stable_sort(m_markers.begin(), m_markers.end(), [](const auto& a, const auto& b) { return a.ps < b.ps; });
}

void TimelineModel::readBound() {
    const auto range = [this](RowKind kind) {
        const engine::Span span = boundSpan(kind);
        return data::TimeRange{span.start.ps, span.end.ps};
    };
    m_phases = phasesOf(range(RowKind::boundGemm), range(RowKind::boundReduceScatter), range(RowKind::boundAllGather),
                        scatterWord(m_run->run.experiment));
}

bool TimelineModel::hasBound(RowKind kind) const {
    return ui::isBound(kind) && boundSpan(kind).end > boundSpan(kind).start;
}

bool TimelineModel::has(LaneKey key) const {
    if (isBound())
        return hasBound(key.kind);
    if (index() == nullptr || key.gpu >= gpus())
        return false;
    const data::TraceIndex::Gpu& gpu = index()->gpu(key.gpu);
    switch (key.kind) {
    case RowKind::collective: return !gpu.reduceScatter.empty() || !gpu.allGather.empty();
    case RowKind::dramChannel: return key.index < gpu.dramChannels.tracks.size();
    case RowKind::queues:
        return gpu.mostOf(engine::CounterKind::computeBacklog) > 0 ||
               gpu.mostOf(engine::CounterKind::communicationBacklog) > 0;
    default: break;
    }
    const data::PackedLane* lane = laneOf(gpu, key.kind);
    return lane != nullptr && !lane->empty();
}

Row TimelineModel::rowOf(LaneKey key, const LaneArrangement& arrangement) const {
    Row row{key.kind, key.gpu, false, false, labelOf(key, m_run->run.experiment), traitsOf(key.kind).weight, key.index};
    const data::TraceIndex::Gpu& gpu = index()->gpu(key.gpu);
    if (key.kind == RowKind::reduceScatter)
        row.weight = 0.6 + 0.75 * static_cast<double>(std::min<std::size_t>(gpu.reduceScatter.tracks.size(), 4));
    if (key.kind == RowKind::companion)
        row.weight = 0.6 + 0.7 * static_cast<double>(std::min<std::size_t>(companion(key.gpu).size(), 6));
    row.pinned = arrangement.isPinned(key);
    row.open = arrangement.opened.contains(key);
    for (const RowKind detail : LaneArrangement::detailsOf(key.kind))
        row.openable = row.openable || has({key.gpu, detail, 0});
    return row;
}

std::vector<Row> TimelineModel::rows(const LaneArrangement& arrangement) const {
    std::vector<Row> rows;
    if (!hasRun())
        return rows;
    if (isBound()) {
        for (const RowKind kind : {RowKind::boundGemm, RowKind::boundReduceScatter, RowKind::boundAllGather}) {
            if (rows.empty() || hasBound(kind))
                rows.push_back(
                    {kind, 0, rows.empty(), false, labelOf({0, kind}, m_run->run.experiment), traitsOf(kind).weight});
        }
        return rows;
    }
    for (const LaneKey& key : arrangement.pinned) {
        if (!has(key))
            continue;
        rows.push_back(rowOf(key, arrangement));
        rows.back().opensGroup = rows.size() == 1 || rows[rows.size() - 2].gpu != key.gpu;
        rows.back().openable = false;
    }
    for (const std::uint32_t gpu : arrangement.gpusInOrder(gpus())) {
        if (!arrangement.hiddenGpus.contains(gpu))
            appendGpu(gpu, arrangement, rows);
    }
    return rows;
}

void TimelineModel::appendGpu(std::uint32_t gpu, const LaneArrangement& arrangement, std::vector<Row>& rows) const {
    const std::size_t first = rows.size();
    if (!arrangement.expanded.contains(gpu)) {
        if (has({gpu, RowKind::waves}))
            rows.push_back({RowKind::waves, gpu, false, true, QString(), 0.95});
        if (has({gpu, RowKind::collective}))
            rows.push_back({RowKind::collective, gpu, false, true, QString(), 1.05});
        if (has({gpu, RowKind::companion}))
            rows.push_back({RowKind::companion, gpu, false, true, QString(), 1.05});
    } else {
        for (const RowKind kind : arrangement.order) {
            const LaneKey key{gpu, kind};
            if (!has(key))
                continue;
            const Row row = rowOf(key, arrangement);
            if (arrangement.showsInGroup(key))
                rows.push_back(row);
            if (row.open)
                appendDetails(row, arrangement, rows);
        }
    }
    if (first < rows.size())
        rows[first].opensGroup = true;
}

void TimelineModel::appendDetails(const Row& row, const LaneArrangement& arrangement, std::vector<Row>& rows) const {
    for (const RowKind kind : LaneArrangement::detailsOf(row.kind)) {
        for (LaneKey key{row.gpu, kind, 0}; has(key); ++key.index) {
            if (arrangement.showsInGroup(key))
                rows.push_back(rowOf(key, arrangement));
            if (kind != RowKind::dramChannel)
                break;
        }
    }
}

int TimelineModel::hiddenRows(const LaneArrangement& arrangement) const {
    const auto hidden = std::count_if(arrangement.hidden.begin(), arrangement.hidden.end(), [&](const LaneKey& key) {
        return has(key) && !arrangement.hiddenGpus.contains(key.gpu);
    });
    const auto gone = std::count_if(arrangement.hiddenGpus.begin(), arrangement.hiddenGpus.end(),
                                    [&](std::uint32_t gpu) { return index() != nullptr && gpu < gpus(); });
    return static_cast<int>(hidden + gone);
}

template <class T>
const T& TimelineModel::of(const std::vector<T>& perGpu, std::uint32_t gpu) const {
    static const T kNone;
    const std::size_t recorded = index() != nullptr ? index()->trace().recorded(gpu) : 0;
    return recorded < perGpu.size() ? perGpu[recorded] : kNone;
}

const CutLane& TimelineModel::waves(std::uint32_t gpu) const { return of(m_waves, gpu); }

const data::LastWave& TimelineModel::lastWave(std::uint32_t gpu) const { return of(m_lastWaves, gpu); }

const std::vector<data::GemmPiece>& TimelineModel::pieces(std::uint32_t gpu) const { return of(m_pieces, gpu); }

std::size_t TimelineModel::slots(std::uint32_t gpu) const {
    const auto ofGemm = static_cast<std::size_t>(lastWave(gpu).slots);
    const std::vector<data::Track>& tracks = index()->gpu(gpu).slots.tracks;
    if (ofGemm == 0 || tracks.empty())
        return std::max(ofGemm, tracks.size());
    return std::max<std::size_t>(ofGemm, std::size_t{tracks.back().lane->index} + 1);
}

std::size_t TimelineModel::slotPlace(std::uint32_t gpu, std::size_t track) const {
    return lastWave(gpu).slots > 0 ? index()->gpu(gpu).slots.tracks[track].lane->index : track;
}

const CutLane& TimelineModel::steps(std::uint32_t gpu) const { return of(m_steps, gpu); }

std::vector<CompanionTrack> TimelineModel::companion(std::uint32_t gpu) const {
    std::vector<CompanionTrack> tracks;
    const std::size_t recorded = index()->trace().recorded(gpu);
    if (recorded < m_companionWaves.size()) {
        for (const CutLane& waves : m_companionWaves[recorded])
            tracks.push_back({waves.lane, waves.spans});
    }
    for (const data::Track& track : index()->gpu(gpu).companion.tracks) {
        if (!showsWaves(track))
            tracks.push_back({track.laneIndex, track.spans()});
    }
    return tracks;
}

engine::Span TimelineModel::boundSpan(RowKind kind) const {
    const engine::TimeResult& time = m_run->run.result.last.time;
    const engine::Duration scatter = time.reduceScatter + time.allToAll;
    if (kind == RowKind::boundGemm)
        return spanOf(0, time.gemm.ps, engine::SpanKind::gemmWave);
    if (kind == RowKind::boundReduceScatter)
        return spanOf(0, scatter.ps, engine::SpanKind::reduceScatterStep);
    // An all-gather whose data the GEMM consumes runs beside the GEMM.
    const bool feeds = engine::consumesAllGather(m_run->run.experiment);
    const std::int64_t start = feeds ? 0 : std::max(time.gemm, scatter).ps;
    return spanOf(start, start + time.allGather.ps, engine::SpanKind::allGatherStep);
}

}  // namespace ui
