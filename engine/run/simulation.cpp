#include "engine/run/simulation.h"

#include "engine/api/parameters.h"
#include "engine/api/trace.h"
#include "engine/record/recorder.h"
#include "engine/run/network_facts.h"
#include "engine/run/trace_assembly.h"

#include <algorithm>

namespace engine {

Simulation::Simulation(const Experiment& experiment, const Plan& plan, const SimulationOptions& options)
    : m_experiment(experiment), m_plan(plan),
      m_mirrored(mirrors(experiment, plan, {options.gemm, options.collectives, options.companion})),
      m_program(programOf(experiment, {options.gemm, options.collectives, options.companion})),
      m_accesses(options.accesses), m_synchronisation(m_experiment, plan, m_program, m_mirrored) {
    const TileGrid* const grid = options.gemm && plan.grid ? &*plan.grid : nullptr;
    const std::uint32_t simulated = m_mirrored ? 1 : static_cast<std::uint32_t>(experiment.parallel.tp);
    for (std::uint32_t gpu = 0; gpu < simulated; ++gpu)
        m_experiments.push_back(asOnGpu(experiment, gpu));
    const auto mapping =
        hasAddressMapping(experiment) && experiment.workload.sublayer != SubLayer::access
            ? std::make_shared<const DramMapping>(experiment, addressRoomsOf(experiment, plan, m_program))
            : std::make_shared<const DramMapping>(experiment);
    for (const Experiment& own : m_experiments)
        m_places.push_back({own, m_program, plan.layout, plan.output, grid, plan.walk, plan.gemm, plan.topology,
                            plan.companion ? &*plan.companion : nullptr, mapping, options.workgroups.value_or(kNone),
                            m_accesses.get()});
    const Recorder::Expected expected = options.recordTrace ? expectedSpans(experiment, plan) : Recorder::Expected{};
    const bool records = options.recordTrace || options.ledgers.any();
    for (std::uint32_t gpu = 0; gpu < simulated; ++gpu) {
        m_recorders.push_back(records ? std::make_unique<Recorder>(gpu, options.recordTrace, options.ledgers, expected,
                                                                   options.recordGranules)
                                      : nullptr);
        m_gpus.push_back(
            std::make_unique<Gpu>(m_places[gpu], gpu, m_synchronisation.attachment(gpu), m_recorders.back().get()));
    }
    m_synchronisation.connect(m_gpus);
}

Simulation::~Simulation() = default;

void Simulation::run(int threads, const std::stop_token& stop, const std::function<void(double)>& progress) {
    try {
        for (const auto& gpu : m_gpus)
            gpu->begin();
        m_synchronisation.run(threads, stop, progress);
    } catch (const TimeOverflow& overflow) {
        // Validation keeps the sums of service times far below this limit; only slow settings of the DRAM banks can
        // still exceed it.
        throw InvalidExperiment(
            {{"detail.level", std::string(name(m_experiment.detail.level)),
              std::string(overflow.what()) + ": the experiment takes too much simulated time; raise memory.bandwidth, "
                                             "link.bandwidth or cu.clock, or choose a smaller workload"}});
    }
    if (!finished())
        reportDeadlock();
    for (const auto& gpu : m_gpus)
        gpu->settle();
}

bool Simulation::finished() const {
    return std::all_of(m_gpus.begin(), m_gpus.end(), [](const auto& gpu) { return gpu->finished(); });
}

void Simulation::reportDeadlock() const {
    const std::string text = "deadlock: no event is left, but the run has not ended: ";
    for (const auto& gpu : m_gpus)
        if (!gpu->finished())
            throw Deadlock(text + gpu->describeWaiting());
    throw Deadlock(text);
}

std::int64_t Simulation::events() const {
    std::int64_t events = m_synchronisation.switchEvents();
    for (const auto& gpu : m_gpus)
        events += gpu->queue().processed();
    return events;
}

RunFacts Simulation::facts() const {
    RunFacts facts;
    facts.mirrored = m_mirrored;
    facts.network = networkFactsOf(m_experiment, m_plan.topology);
    for (const auto& gpu : m_gpus) {
        GpuFacts own;
        own.result = gpu->result();
        own.received = gpu->receivedBytes();
        own.served = gpu->memory().servedBytes();
        own.passed = gpu->memory().passedBytes();
        own.drained = gpu->drained();
        own.surplusUpdates = gpu->surplusUpdates();
        own.promise = gpu->memory().arbiter(0).promise();
        facts.eventsInThePast += gpu->queue().scheduledInThePast();
        for (std::uint32_t channel = 0; channel < gpu->memory().channels(); ++channel) {
            const ChannelStats stats = gpu->memory().channelStats(channel);
            own.busiestChannel = std::max(own.busiestChannel, stats.busy - stats.backgroundBusy + stats.pass);
            own.picksAgainstRule += gpu->memory().arbiter(channel).picksAgainstRule();
        }
        facts.gpus.push_back(own);
    }
    facts.eventsInThePast += m_synchronisation.switchEventsInThePast();
    facts.whole = wholeRun(facts.gpus);
    return facts;
}

Duration Simulation::longestTotal() const {
    Duration longest;
    for (const auto& gpu : m_gpus)
        longest = std::max(longest, gpu->result().time.total);
    return longest;
}

std::optional<WholeRun> Simulation::wholeRun(const std::vector<GpuFacts>& gpus) const {
    std::vector<GpuTimes> each;
    each.reserve(m_gpus.size());
    for (const auto& gpu : m_gpus)
        each.push_back(gpu->times());
    const GpuTimes all = joined(each);
    const auto begins = [&](std::optional<StageId> stage) {
        return stage ? all.stages[*stage].start - TimePoint{} : Duration{};
    };
    const WholeRun whole{timesOf(all, m_program), begins(m_program.gemm()), begins(m_program.scatter()),
                         begins(m_program.gather())};
    const bool alike =
        std::all_of(gpus.begin(), gpus.end(), [&](const GpuFacts& gpu) { return gpu.result.time == whole.time; });
    return alike ? std::nullopt : std::optional(whole);
}

std::shared_ptr<const Trace> Simulation::takeTrace() {
    return assembleTrace(m_experiment, m_plan, m_program, m_mirrored, m_gpus, m_recorders);
}

}  // namespace engine
