#include "engine/memory/memory_controller.h"

#include "engine/api/dram_queue.h"
#include "engine/record/recorder.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace engine {

namespace {

// Returns one channel's queue entries for `bytes` of all channels together: whole entries, at least one.
std::int64_t entriesFor(const Experiment& experiment, Bytes bytes) {
    return std::max<std::int64_t>(1, bytes.count / experiment.detail.channels / experiment.detail.granule.count);
}

}  // namespace

void MemoryClient::dataReturned(FlowId, std::uint32_t, std::uint32_t) {}

std::uint32_t MemoryClient::address(FlowId, std::uint32_t id) const { return id; }

std::int64_t dramQueueEntries(const Experiment& experiment) { return entriesFor(experiment, experiment.memory.queue); }

MemoryController::MemoryController(const Experiment& experiment, EventPort arbitration, EventPort returned,
                                   Recorder* recorder, std::shared_ptr<const DramMapping> mapping)
    : m_arbitration(arbitration), m_returned(returned), m_recorder(recorder),
      m_mapping(mapping ? std::move(mapping) : std::make_shared<const DramMapping>(experiment)),
      m_timing(experiment.memory, experiment.detail.channels, experiment.detail.granule), m_passTiming(experiment),
      m_storeOrder(experiment.memory.storeOrder), m_latency(experiment.memory.latency),
      m_queueEntries(dramQueueEntries(experiment)),
      m_drainHigh(entriesFor(experiment, experiment.memory.writeDrainHigh)),
      m_drainLow(entriesFor(experiment, experiment.memory.writeDrainLow)),
      m_channels(static_cast<std::size_t>(experiment.detail.channels), Channel(experiment)),
      m_lookAhead(experiment.dram.lookAhead), m_camping(m_channels.size()) {
    if (experiment.memory.model == DramModel::banks) {
        m_banks.assign(m_channels.size(), DramBanks(experiment));
        if (m_lookAhead > 1)
            m_ahead.resize(m_channels.size());
    }
    m_hasBanks = !m_banks.empty();
    m_looksAhead = !m_ahead.empty();
    if (m_recorder) {
        m_recorder->fixedLimit(m_channels.front().arbiter.limit());
        m_recordsPlaces = m_hasBanks || m_recorder->keepsGranules();
    }
}

FlowId MemoryController::addFlow(const FlowConfig& flow) {
    m_flows.push_back(flow);
    m_hasPass = m_hasPass || flow.op == MemoryOp::pass;
    m_flowStats.emplace_back();
    return static_cast<FlowId>(m_flows.size() - 1);
}

inline void MemoryController::countWaiting(TimePoint now, Stream stream, std::int64_t change) {
    std::int64_t& waiting = m_waiting[static_cast<std::size_t>(stream)];
    waiting += change;
    if (m_recorder)
        m_recorder->sample(stream == Stream::compute ? CounterKind::computeBacklog : CounterKind::communicationBacklog,
                           now, waiting);
}

void MemoryController::enqueue(std::uint32_t index, FlowId flow, std::uint32_t id, std::uint32_t bytes) {
    Channel& channel = m_channels[index];
    const FlowConfig& config = m_flows[flow];
    const TimePoint now = m_arbitration.now();
    const Request request{id, bytes & 0xffffffu, flow, now};
    RingFifo<Request>& stream = config.stream == Stream::communication ? channel.communication
                                : m_storeOrder != StoreOrder::inOrder && config.op != MemoryOp::read
                                    ? channel.computeStores
                                    : channel.compute;
    stream.push(request);
    if (m_looksAhead)
        aheadOf(index, stream).places.push(m_mapping->place(config.client->address(flow, id)));
    countWaiting(now, config.stream, bytes);
    if (!m_firstLoad && config.stream == Stream::compute && config.op == MemoryOp::read && !config.background)
        m_firstLoad = now;

    const bool full = static_cast<std::int64_t>(channel.queue.size()) >= m_queueEntries && channel.queue.front() > now;
    const TimePoint earliest = full ? channel.queue.front() : now;
    if (channel.arbitrationAt <= earliest)
        return;
    channel.overtakenAt = channel.arbitrationAt;
    channel.arbitrationAt = earliest;
    m_arbitration.schedule(channel.arbitrationAt, index);
}

bool MemoryController::enqueueBehindLoads(std::uint32_t index, FlowId flow, std::uint32_t id) {
    Channel& channel = m_channels[index];
    if (channel.compute.empty())
        return false;
    channel.compute.push({id, 0, flow, m_arbitration.now()});
    if (m_looksAhead)
        m_ahead[index].compute.places.push({});
    return true;
}

void MemoryController::offerWrite(std::uint32_t index) {
    Channel& channel = m_channels[index];
    if (channel.arbitrationAt != kNever)
        return;  // the writer is asked when everything else has been served
    channel.arbitrationAt = std::max(m_arbitration.now(), channel.freeAt);
    m_arbitration.schedule(channel.arbitrationAt, index);
}

// Returns the queue of the compute stream whose head is next.
RingFifo<MemoryController::Request>& MemoryController::computeHead(Channel& channel) const {
    if (m_storeOrder == StoreOrder::inOrder || channel.computeStores.empty())
        return channel.compute;
    if (m_storeOrder == StoreOrder::writeDrain) {
        const auto stores = static_cast<std::int64_t>(channel.computeStores.size());
        channel.draining = channel.draining ? stores > m_drainLow : stores >= m_drainHigh;
        if (channel.draining)
            return channel.computeStores;
    }
    return channel.compute.empty() ? channel.computeStores : channel.compute;
}

// Inline, because they run for every request and have one caller each.
inline ArbiterView MemoryController::viewOf(const Channel& channel, const RingFifo<Request>& compute) {
    const auto headOf = [](const RingFifo<Request>& stream) { return stream.empty() ? nullptr : &stream.front(); };
    return {headOf(compute), headOf(channel.communication), channel.freeAt};
}

inline void MemoryController::pickUntilFull(std::uint32_t index, Channel& channel) {
    const TimePoint now = m_arbitration.now();
    while (static_cast<std::int64_t>(channel.queue.size()) < m_queueEntries) {
        RingFifo<Request>& compute = computeHead(channel);
        const ArbiterView view = viewOf(channel, compute);
        const Request* choice = channel.arbiter.pick(view, now);
        if (!choice)
            return;
        const Stream stream = choice == view.communication ? Stream::communication : Stream::compute;
        const Request request = *choice;
        if (stream == Stream::communication)
            channel.communication.pop();
        else
            popCompute(compute);
        countWaiting(now, stream, -static_cast<std::int64_t>(request.bytes));
        serve(index, channel, stream, request);
    }
}

// Removes the head of a compute stream, and with it the requests of zero bytes behind it, so that none of them is ever
// at the head.
inline void MemoryController::popCompute(RingFifo<Request>& stream) {
    stream.pop();
    while (!stream.empty() && stream.front().bytes == 0) {
        const Request passed = stream.front();
        stream.pop();
        m_flows[passed.flow].client->served(static_cast<FlowId>(passed.flow), passed.id, 0, m_arbitration.now());
    }
}

MemoryController::Ahead& MemoryController::aheadOf(std::uint32_t index, const RingFifo<Request>& stream) {
    const Channel& channel = m_channels[index];
    ChannelAhead& ahead = m_ahead[index];
    return &stream == &channel.communication   ? ahead.communication
           : &stream == &channel.computeStores ? ahead.computeStores
                                               : ahead.compute;
}

// Requests of zero bytes are neither counted nor chosen.
MemoryController::Candidate MemoryController::candidateOf(std::uint32_t index, const RingFifo<Request>& stream) {
    Candidate best;
    if (stream.empty())
        return best;
    best = {stream.front(), 0, true};
    const Ahead& ahead = aheadOf(index, stream);
    if (ahead.overtaken == m_lookAhead)
        return best;
    const TimePoint now = m_arbitration.now(), freeAt = m_channels[index].freeAt;
    TimePoint earliest = kNever;
    std::int64_t seen = 0;
    // No request starts before the bus is free.
    for (std::size_t place = 0; place < stream.size() && seen < m_lookAhead && earliest > std::max(now, freeAt);
         ++place) {
        const Request& request = stream.at(place);
        if (request.bytes == 0)
            continue;
        const MemoryOp op = m_flows[request.flow].op;
        if (op == MemoryOp::pass) {  // it needs no row; nothing overtakes it at the head, and it overtakes nothing
            if (place == 0)
                return best;
            continue;
        }
        ++seen;
        const TimePoint start = m_banks[index].startOf(op, ahead.places.at(place), now, freeAt);
        if (start >= earliest)
            continue;
        earliest = start;
        best = {request, place, true};
    }
    best.seen.arrival = stream.front().arrival;
    return best;
}

void MemoryController::pickAheadUntilFull(std::uint32_t index, Channel& channel) {
    const TimePoint now = m_arbitration.now();
    while (static_cast<std::int64_t>(channel.queue.size()) < m_queueEntries) {
        RingFifo<Request>& compute = computeHead(channel);
        const Candidate own = candidateOf(index, compute), other = candidateOf(index, channel.communication);
        const ArbiterView view{own.exists ? &own.seen : nullptr, other.exists ? &other.seen : nullptr, channel.freeAt};
        const Request* choice = channel.arbiter.pick(view, now);
        if (!choice)
            return;
        const bool communicates = choice == view.communication;
        const Stream stream = communicates ? Stream::communication : Stream::compute;
        RingFifo<Request>& requests = communicates ? channel.communication : compute;
        const std::size_t place = communicates ? other.place : own.place;
        const Request request = requests.at(place);
        const DramPlace where = aheadOf(index, requests).places.at(place);
        take(index, requests, place);
        countWaiting(now, stream, -static_cast<std::int64_t>(request.bytes));
        serve(index, channel, stream, request, 0, &where);
    }
}

// Removes a request from its stream, and with a head the requests of zero bytes behind it.
void MemoryController::take(std::uint32_t index, RingFifo<Request>& stream, std::size_t place) {
    Ahead& ahead = aheadOf(index, stream);
    ahead.overtaken = place == 0 ? 0 : ahead.overtaken + 1;
    ahead.places.removeAt(place);
    if (place != 0)
        return stream.removeAt(place);
    const std::size_t before = stream.size();
    popCompute(stream);
    for (std::size_t passed = before - stream.size(); passed > 1; --passed)
        ahead.places.pop();
}

void MemoryController::arbitrate(std::uint32_t index) {
    Channel& channel = m_channels[index];
    const TimePoint now = m_arbitration.now();
    if (channel.arbitrationAt != now)
        return;  // overtaken by an earlier arbitration, which has scheduled what follows
    channel.arbitrationAt = kNever;
    while (!channel.queue.empty() && channel.queue.front() <= now)
        channel.queue.pop();
    if (!m_looksAhead) [[likely]]
        pickUntilFull(index, channel);
    else
        pickAheadUntilFull(index, channel);

    const bool computeWaits = !channel.compute.empty() || !channel.computeStores.empty();
    if (!computeWaits && channel.communication.empty()) {
        if (m_idleWriter != nullptr)
            writeWhenIdle(index, channel);
        return;
    }
    assert(!computeWaits || !channel.queue.empty());
    channel.arbitrationAt = computeWaits ? channel.queue.front() : nextPick(channel);
    if (channel.arbitrationAt != channel.overtakenAt)
        m_arbitration.schedule(channel.arbitrationAt, index);
}

// Returns the time of the next pick while communication waits alone: when the DRAM queue has room and the arbiter
// allows it.
TimePoint MemoryController::nextPick(const Channel& channel) const {
    const bool full = static_cast<std::int64_t>(channel.queue.size()) >= m_queueEntries;
    const TimePoint room = full ? channel.queue.front() : m_arbitration.now() + Duration{1};
    return std::max(room, channel.arbiter.heldUntil(viewOf(channel, channel.compute)));
}

// Issues one write at a time, so that a request that arrives meanwhile waits for at most one write.
void MemoryController::writeWhenIdle(std::uint32_t index, Channel& channel) {
    if (channel.queue.empty())
        if (const auto write = m_idleWriter->takeWrite(index))
            serve(index, channel, Stream::compute, {write->id, write->bytes & 0xffffffu, write->flow, write->since},
                  kWrittenIdle);
    if (channel.queue.empty() || !m_idleWriter->hasWrite(index))
        return;
    channel.arbitrationAt = channel.freeAt;
    if (channel.arbitrationAt != channel.overtakenAt)
        m_arbitration.schedule(channel.arbitrationAt, index);
}

void MemoryController::serve(std::uint32_t index, Channel& channel, Stream stream, const Request& request,
                             std::uint16_t part, const DramPlace* known) {
    const FlowConfig& flow = m_flows[request.flow];
    if (m_hasPass) {
        if (flow.op == MemoryOp::pass)
            return servePass(index, channel, request);
        if (channel.inPass)
            switchMode(index, channel);
    }
    const TimePoint now = m_arbitration.now();
    TimePoint start = std::max(now, channel.freeAt);
    TimePoint finish;
    ServedPlace served;
    if (m_hasBanks) {
        const DramPlace place =
            known ? *known : m_mapping->place(flow.client->address(static_cast<FlowId>(request.flow), request.id));
        const DramBanks::Service service = m_banks[index].serve(flow.op, place, request.bytes, now, channel.freeAt);
        start = service.start;
        finish = service.finish;
        served = service.place;
    } else {
        const bool isRead = flow.op == MemoryOp::read;
        if (isRead != channel.lastWasRead) {
            start = start + m_timing.turnaround();
            channel.stats.turnaround += m_timing.turnaround();
            channel.lastWasRead = isRead;
        }
        finish = start + m_timing.service(flow.op, request.bytes);
    }
    const Duration service = finish - start;
    channel.freeAt = finish;
    if (flow.op != MemoryOp::read) {
        TimePoint& last = m_lastLanding[flow.kernel != kOwnKernel];
        last = std::max(last, finish + m_latency);
    }
    channel.queue.push(finish);
    channel.stats.busy += service;
    if (stream == Stream::compute && !flow.background)
        channel.stats.computeBusy += service;
    if (flow.background)
        channel.stats.backgroundBusy += service;
    FlowStats& stats = m_flowStats[request.flow];
    ++stats.requests;
    stats.bytes.count += request.bytes;
    m_camping.add(index, request.bytes);
    if (m_recorder) {
        record(index, request, start, finish, part);
        if (m_recordsPlaces)
            recordPlace(index, request, served);
    }
    if (flow.returnsData) {
        const TimePoint back = finish + m_latency;
        if (channel.returning.empty())
            m_returned.schedule(back, index);
        channel.returning.push({back, request.id, request.bytes, request.flow});
    }
    flow.client->served(static_cast<FlowId>(request.flow), request.id, request.bytes, finish);
}

// Serves a piece of a pass inside memory. The piece takes the channel for itself, and no data cross the bus.
void MemoryController::servePass(std::uint32_t index, Channel& channel, const Request& request) {
    if (!channel.inPass)
        switchMode(index, channel);
    const TimePoint start = channel.freeAt;
    const TimePoint finish = start + m_passTiming.service(channel.passed, request.bytes);
    channel.passed += request.bytes;
    channel.freeAt = finish;
    channel.queue.push(finish);
    channel.stats.pass += finish - start;
    if (m_recorder) {
        record(index, request, start, finish, 0);
        if (m_recordsPlaces)
            recordPlace(index, request, {});
    }
    m_flows[request.flow].client->served(static_cast<FlowId>(request.flow), request.id, request.bytes, finish);
}

// Switches a channel between requests and a pass inside memory. A pass leaves all rows closed.
void MemoryController::switchMode(std::uint32_t index, Channel& channel) {
    channel.inPass = !channel.inPass;
    channel.freeAt = std::max(m_arbitration.now(), channel.freeAt) + m_passTiming.switchTime();
    if (!channel.inPass && !m_banks.empty())
        m_banks[index].closeRows(channel.freeAt);
}

void MemoryController::returnData(std::uint32_t index) {
    Channel& channel = m_channels[index];
    const Returning head = channel.returning.front();
    channel.returning.pop();
    if (!channel.returning.empty())
        m_returned.schedule(channel.returning.front().time, index);
    m_flows[head.flow].client->dataReturned(static_cast<FlowId>(head.flow), head.id, head.bytes);
}

void MemoryController::fixThreshold() {
    Duration served;
    for (const Channel& channel : m_channels)
        served += channel.stats.computeBusy;
    const Duration elapsed = m_arbitration.now() - m_firstLoad.value_or(TimePoint{});
    for (Channel& channel : m_channels)
        channel.arbiter.fixThreshold(served, elapsed * channels());
    if (m_recorder)
        m_recorder->fixedLimit(m_channels.front().arbiter.limit());
}

Bytes MemoryController::servedBytes() const {
    Bytes served;
    for (std::size_t flow = 0; flow < m_flows.size(); ++flow)
        if (!m_flows[flow].background)
            served += m_flowStats[flow].bytes;
    return served;
}

Bytes MemoryController::passedBytes() const {
    Bytes passed;
    for (const Channel& channel : m_channels)
        passed.count += channel.passed;
    return passed;
}

bool MemoryController::idle() const {
    return std::all_of(m_channels.begin(), m_channels.end(), [](const Channel& channel) {
        return channel.compute.empty() && channel.computeStores.empty() && channel.communication.empty() &&
               channel.returning.empty();
    });
}

std::optional<DramOutcome> MemoryController::dramOutcome() const {
    if (m_banks.empty())
        return std::nullopt;
    DramBanks::Stats sum;
    for (const DramBanks& banks : m_banks) {
        const DramBanks::Stats& own = banks.stats();
        sum.bursts += own.bursts;
        sum.activations += own.activations;
        sum.plainBus += own.plainBus;
        sum.plainTaken += own.plainTaken;
        sum.updateBus += own.updateBus;
        sum.updateTaken += own.updateTaken;
        sum.turnaround += own.turnaround;
        sum.refresh += own.refresh;
    }
    const auto ratio = [](double a, double b) { return b == 0 ? 0 : a / b; };
    const auto ps = [](Duration duration) { return static_cast<double>(duration.ps); };
    DramOutcome outcome;
    outcome.efficiency = ratio(ps(sum.plainBus), ps(sum.plainTaken));
    outcome.updateCost =
        ratio(ratio(ps(sum.updateTaken), ps(sum.updateBus)), ratio(ps(sum.plainTaken), ps(sum.plainBus)));
    outcome.rowHitRate =
        sum.bursts == 0 ? 0 : 1 - static_cast<double>(sum.activations) / static_cast<double>(sum.bursts);
    outcome.activations = sum.activations;
    outcome.turnaround = sum.turnaround;
    outcome.refresh = sum.refresh;
    return outcome;
}

void MemoryController::record(std::uint32_t index, const Request& request, TimePoint start, TimePoint finish,
                              std::uint16_t part) {
    static constexpr SpanKind kKinds[] = {SpanKind::dramRead, SpanKind::dramWrite, SpanKind::dramUpdate,
                                          SpanKind::dramUpdate, SpanKind::dramPass};  // by MemoryOp
    const FlowConfig& flow = m_flows[request.flow];
    m_recorder->served(index,
                       {start, finish, static_cast<std::uint32_t>(flow.stream), kNone, request.bytes,
                        kKinds[static_cast<std::size_t>(flow.op)], flow.kernel, part},
                       request.arrival, m_arbitration.now());
}

void MemoryController::recordPlace(std::uint32_t index, const Request& request, const ServedPlace& place) {
    const FlowConfig& flow = m_flows[request.flow];
    if (m_hasBanks)
        m_recorder->servedAt(index, place);
    if (m_recorder->keepsGranules())
        m_recorder->servedGranule(
            index, flow.op == MemoryOp::pass
                       ? kNone
                       : m_mapping->granuleAt(flow.client->address(static_cast<FlowId>(request.flow), request.id)));
}

}  // namespace engine
