#include "ui/inspector/area_statistics.h"

#include "ui/look/timeline_geometry.h"

#include <algorithm>

namespace ui {
namespace {

std::size_t classOf(const engine::Span& span) {
    const bool dram = span.kind == engine::SpanKind::dramRead || span.kind == engine::SpanKind::dramWrite ||
                      span.kind == engine::SpanKind::dramUpdate;
    return ui::classOf(span.kind, dram ? static_cast<engine::Stream>(span.first & 1) : engine::Stream::compute);
}

SpanSums sumsOf(const engine::Span& span) {
    const std::int64_t lasts = (span.end - span.start).ps;
    return {1, lasts, lasts, span.bytes};
}

using engine::LaneKind;

data::BusyCurve curveOf(const std::vector<data::TimeRange>& intervals) {
    data::BusyCurve curve;
    for (const data::TimeRange& interval : intervals)
        curve.add({interval.start}, {interval.end});
    return curve;
}

std::int64_t busyIn(const data::BusyCurve& curve, data::TimeRange range) {
    return curve.busyUntil(range.end) - curve.busyUntil(range.start);
}

void append(const engine::Lane& lane, std::vector<data::TimeRange>& intervals) {
    for (const engine::Span& span : lane.spans)
        intervals.push_back({span.start.ps, span.end.ps});
}

}  // namespace

void SpanSums::add(const SpanSums& other) {
    count += other.count;
    totalPs += other.totalPs;
    longestPs = std::max(longestPs, other.longestPs);
    bytes += other.bytes;
}

LaneSums::LaneSums(const engine::Lane& lane) : m_lane(lane) {
    constexpr auto kAbsent = static_cast<std::uint8_t>(kSpanClasses);
    std::array<std::uint8_t, kSpanClasses> placeOf;
    placeOf.fill(kAbsent);
    for (const engine::Span& span : lane.spans) {
        std::uint8_t& place = placeOf[classOf(span)];
        if (place == kAbsent) {
            place = static_cast<std::uint8_t>(m_classes.size());
            m_classes.push_back(classOf(span));
        }
    }
    const std::size_t blocks = lane.spans.size() / kBlock;
    const std::size_t classes = m_classes.size();
    m_blocks.resize(blocks * classes);
    m_before.resize((blocks + 1) * classes);
    for (std::size_t i = 0; i < blocks * kBlock; ++i)
        m_blocks[i / kBlock * classes + placeOf[classOf(lane.spans[i])]].add(sumsOf(lane.spans[i]));
    for (std::size_t i = 0; i < m_blocks.size(); ++i) {
        m_before[i + classes] = m_before[i];
        m_before[i + classes].add(m_blocks[i]);
    }
}

void LaneSums::addSpans(std::size_t from, std::size_t to, ClassSums& sums) const {
    for (std::size_t i = from; i < to; ++i)
        sums[classOf(m_lane.spans[i])].add(sumsOf(m_lane.spans[i]));
}

void LaneSums::addTo(data::TimeRange range, ClassSums& sums) const {
    const auto firstFrom = [this](std::int64_t ps) {
        const auto at =
            std::lower_bound(m_lane.spans.begin(), m_lane.spans.end(), ps,
                             [](const engine::Span& span, std::int64_t start) { return span.start.ps < start; });
        return static_cast<std::size_t>(at - m_lane.spans.begin());
    };
    const std::size_t from = firstFrom(range.start);
    const std::size_t to = firstFrom(range.end);
    const std::size_t firstBlock = (from + kBlock - 1) / kBlock;
    const std::size_t endBlock = to / kBlock;
    if (firstBlock >= endBlock) {
        addSpans(from, to, sums);
        return;
    }
    addSpans(from, firstBlock * kBlock, sums);
    addSpans(endBlock * kBlock, to, sums);
    const std::size_t classes = m_classes.size();
    for (std::size_t i = 0; i < classes; ++i) {
        const SpanSums& before = m_before[firstBlock * classes + i];
        const SpanSums& until = m_before[endBlock * classes + i];
        SpanSums inside{until.count - before.count, until.totalPs - before.totalPs, 0, until.bytes - before.bytes};
        for (std::size_t block = firstBlock; block < endBlock; ++block)
            inside.longestPs = std::max(inside.longestPs, m_blocks[block * classes + i].longestPs);
        sums[m_classes[i]].add(inside);
    }
}

std::vector<data::TimeRange> unionOf(std::vector<data::TimeRange> intervals) {
    std::sort(intervals.begin(), intervals.end(), [](const auto& a, const auto& b) { return a.start < b.start; });
    std::vector<data::TimeRange> joined;
    for (const data::TimeRange& interval : intervals) {
        if (interval.span() <= 0)
            continue;
        if (!joined.empty() && interval.start <= joined.back().end)
            joined.back().end = std::max(joined.back().end, interval.end);
        else
            joined.push_back(interval);
    }
    return joined;
}

std::int64_t AreaStatistics::linkBytes() const {
    return sums[classOf(engine::SpanKind::linkPacket)].bytes + sums[classOf(engine::SpanKind::companionPacket)].bytes;
}

std::int64_t AreaStatistics::dramBytes() const {
    std::int64_t bytes = 0;
    for (const auto kind : {engine::SpanKind::dramRead, engine::SpanKind::dramWrite, engine::SpanKind::dramUpdate}) {
        for (const auto stream : {engine::Stream::compute, engine::Stream::communication})
            bytes += sums[classOf(kind, stream)].bytes;
    }
    return bytes;
}

StatisticsIndex::StatisticsIndex(std::shared_ptr<const data::ShownRun> run) : m_run(std::move(run)) {
    const engine::Trace& trace = m_run->index->trace();
    m_gpus.resize(trace.recordedGpus());
    for (std::uint32_t gpu = 0; gpu < m_gpus.size(); ++gpu)
        readGpu(gpu);
}

// Compute is in progress while a workgroup runs; communication is in progress while a chunk is on its way, a block is
// being sent or a packet arrives. The rows of the picture show the same spans, so that the numbers can be checked
// against them. Workgroups of the own collective kernel may wait for output to send; its steps are counted instead.
void StatisticsIndex::readGpu(std::uint32_t number) {
    Gpu& gpu = m_gpus[number];
    std::vector<data::TimeRange> compute, communication, dma;
    for (const engine::Lane& lane : m_run->index->trace().lanes) {
        if (lane.gpu != number)
            continue;
        // A packet is counted on the link by which it leaves. Landings take no time and are not counted.
        if (lane.kind != LaneKind::linkIn && lane.kind != LaneKind::landings)
            gpu.lanes.emplace_back(lane);
        switch (lane.kind) {
        case LaneKind::workgroupSlot: {
            data::BusyCurve& slot = gpu.slots.addResource();
            for (const engine::Span& span : lane.spans) {
                slot.add(span.start, span.end);
                if (span.kind == engine::SpanKind::workgroup)
                    compute.push_back({span.start.ps, span.end.ps});
                else if (engine::kernelOf(span) != engine::kOwnKernel)
                    communication.push_back({span.start.ps, span.end.ps});
            }
            break;
        }
        case LaneKind::gemmWaves: append(lane, compute); break;
        case LaneKind::linkIn: {
            std::vector<data::TimeRange> arriving;
            append(lane, arriving);
            arriving = unionOf(std::move(arriving));
            gpu.linkIn.addResource() = curveOf(arriving);
            communication.insert(communication.end(), arriving.begin(), arriving.end());
            break;
        }
        case LaneKind::dma: append(lane, dma); break;
        case LaneKind::reduceScatter:
        case LaneKind::allGather: append(lane, communication); break;
        case LaneKind::companion: {
            const bool computes = !lane.spans.empty() && lane.spans.front().kind == engine::SpanKind::companionWave;
            append(lane, computes ? compute : communication);
            break;
        }
        case LaneKind::loads:
        case LaneKind::stores:
        case LaneKind::tracker:
        case LaneKind::linkOut:
        case LaneKind::dramChannel:
        case LaneKind::landings: break;
        }
    }
    dma = unionOf(std::move(dma));
    if (!dma.empty())
        gpu.dma.addResource() = curveOf(dma);
    communication.insert(communication.end(), dma.begin(), dma.end());
    compute = unionOf(std::move(compute));
    communication = unionOf(std::move(communication));
    gpu.compute = curveOf(compute);
    gpu.communication = curveOf(communication);
    compute.insert(compute.end(), communication.begin(), communication.end());
    gpu.active = curveOf(unionOf(std::move(compute)));
}

void StatisticsIndex::addKernels(const data::TraceIndex::Gpu& lanes, std::int64_t alike, AreaStatistics& facts) const {
    const engine::Trace& trace = m_run->index->trace();
    if (trace.companionCopies == 0 || facts.range.span() <= 0)
        return;
    facts.kernels.resize(data::kernelsOf(trace));
    const auto add = [&](const data::KernelGrids& grids, std::size_t resources, double KernelShares::*share) {
        const double all =
            static_cast<double>(facts.range.span()) * static_cast<double>(std::max<std::size_t>(1, resources));
        for (const data::KernelGrid& grid : grids)
            facts.kernels[grid.kernel].*share +=
                static_cast<double>(grid.busy.busyUntil(facts.range.end) - grid.busy.busyUntil(facts.range.start)) /
                all * static_cast<double>(alike);
    };
    add(lanes.slotKernels, lanes.slots.tracks.size(), &KernelShares::workgroupSlots);
    add(lanes.dramKernels, lanes.dramChannels.tracks.size(), &KernelShares::dram);
    add(lanes.linkOutKernels, lanes.linkOut.tracks.size(), &KernelShares::linkOut);
}

void StatisticsIndex::addGpu(std::uint32_t number, std::int64_t alike, AreaStatistics& facts) const {
    const Gpu& gpu = m_gpus[number];
    const data::TimeRange range = facts.range;
    facts.gpus += static_cast<std::uint32_t>(alike);
    facts.overlap.all += range.span() * alike;
    facts.overlap.compute += busyIn(gpu.compute, range) * alike;
    facts.overlap.communication += busyIn(gpu.communication, range) * alike;
    facts.overlap.active += busyIn(gpu.active, range) * alike;
    const data::TraceIndex::Gpu& lanes = m_run->index->gpu(number);
    const auto share = [&](std::optional<double>& total, const data::Utilisation& use) {
        if (!use.empty())
            total = total.value_or(0) + use.fraction(range.start, range.end) * static_cast<double>(alike);
    };
    share(facts.busy.workgroupSlots, gpu.slots);
    share(facts.busy.dramCompute, lanes.dramCompute);
    share(facts.busy.dramCommunication, lanes.dramCommunication);
    share(facts.busy.linkOut, lanes.link);
    share(facts.busy.linkIn, gpu.linkIn);
    share(facts.busy.dma, gpu.dma);
    addKernels(lanes, alike, facts);
    ClassSums sums{};
    for (const LaneSums& lane : gpu.lanes)
        lane.addTo(range, sums);
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const SpanSums& one = sums[i];
        facts.sums[i].add({one.count * alike, one.totalPs * alike, one.longestPs, one.bytes * alike});
    }
}

AreaStatistics StatisticsIndex::of(const data::Area& area) const {
    AreaStatistics facts;
    const engine::Trace& trace = m_run->index->trace();
    facts.range =
        withinRun(area.range, std::max(trace.end, engine::TimePoint{} + m_run->run.result.last.time.total).ps);
    const std::uint32_t last = std::min(area.lastGpu, std::max(1u, trace.gpus) - 1);
    if (trace.mirrored) {
        addGpu(0, std::int64_t{last} - area.firstGpu + 1, facts);
    } else {
        for (std::uint32_t gpu = area.firstGpu; gpu <= last; ++gpu)
            addGpu(gpu, 1, facts);
    }
    BusyShares& busy = facts.busy;
    for (std::optional<double>* total :
         {&busy.workgroupSlots, &busy.dramCompute, &busy.dramCommunication, &busy.linkOut, &busy.linkIn, &busy.dma}) {
        if (*total)
            **total /= facts.gpus;
    }
    for (std::size_t i = 0; i < facts.kernels.size(); ++i) {
        KernelShares& kernel = facts.kernels[i];
        kernel.kernel = static_cast<data::KernelNumber>(i);
        kernel.workgroupSlots /= facts.gpus;
        kernel.dram /= facts.gpus;
        kernel.linkOut /= facts.gpus;
    }
    return facts;
}

}  // namespace ui
