#include "data/figure/gallery_runs.h"

#include "data/document/names.h"
#include "data/experiment/experiment_document.h"
#include "data/figure/gallery_words.h"
#include "data/laboratory/laboratory.h"
#include "data/laboratory/run_outcome.h"
#include "data/model/model_memory.h"
#include "data/model/model_point.h"
#include "data/model/model_run.h"
#include "data/presets/presets.h"
#include "data/results/shared_notices.h"
#include "engine/api/baselines.h"
#include "engine/api/dram_place.h"
#include "engine/api/parameters.h"
#include "engine/api/runner.h"
#include "engine/api/trace.h"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <span>
#include <utility>

namespace data {
namespace {

using engine::Experiment;

constexpr std::array<std::int64_t, 7> kSplits{4, 8, 12, 16, 24, 32, 40};
constexpr std::array<std::int64_t, 9> kSizesMiB{1, 2, 5, 10, 20, 50, 100, 200, 500};
constexpr std::array<std::int64_t, 5> kTrafficMiB{16, 32, 64, 128, 256};
constexpr std::size_t kTrafficCases = 4;  // sub-layers
constexpr std::int64_t kCollectiveGpus = 8;
constexpr std::array<std::int64_t, 6> kPieces{1, 2, 4, 8, 16, 32};
constexpr std::array<const char*, 3> kWholePolicies{"sequential", "signals", "t3-mca"};
// Assumed: T3 does not state the time of a launch, and machines that do state 2 us and more.
constexpr engine::Duration kLaunch{2'000'000};
constexpr std::int64_t kSawtoothStep = 128;  // columns
constexpr std::int64_t kSawtoothMost = 8192;
constexpr std::array<std::pair<const char*, std::int64_t>, 4> kSchedules{
    {{"all-forward", 1}, {"1f1b", 1}, {"1f1b", 2}, {"zb-h1", 1}}};  // with chunks of a stage
constexpr std::array<std::int64_t, 5> kEighthsOfBandwidth{1, 2, 4, 8, 16};
constexpr std::array<std::int64_t, 1> kFewerStages{1};
constexpr std::array<std::int64_t, 2> kFewerReplicas{1, 8};
constexpr std::int64_t kMostStages = 8, kMostReplicas = 64, kMicrobatchesOfStage = 8;

// Parameters that figures compare or vary. Settings must not have them.
constexpr std::array kOwnPaths{
    "workload.model",    "workload.sublayer",   "workload.bytes",     "parallel.tp",           "matrix.n",
    "policy.preset",     "policy.order",        "policy.mapping",     "policy.output_caching", "policy.start",
    "policy.pieces",     "policy.queues",       "arbitration.policy", "collective.cu_count",   "collective.reduction",
    "collective.by",     "companion.operation", "companion.by",       "companion.bytes",       "dispatch.rule",
    "division.schedule", "division.interleave"};

engine::Problems foreignSettings(const Settings& settings) {
    engine::Problems problems;
    for (const char* path : kOwnPaths) {
        if (const auto found = settings.find(path); found != settings.end())
            problems.push_back({path, engine::formatValue(*engine::findParameter(path), found->second),
                                "the figures of the gallery compare or vary this parameter; leave it out"});
    }
    return problems;
}

std::string nameOf(const Experiment& experiment) {
    return caseName(experiment) + " " + std::string(engine::name(experiment.policy.preset));
}

GalleryRun withMappingInName(GalleryRun run) {
    run.name += ", mapping " + run.experiment.address.mapping;
    return run;
}

std::string lettersOf(char letter, std::uint32_t count) { return std::string(count, letter); }

/// Returns the letters of a mapping whose bank groups are above a request.
std::string groupsAboveRequest(const engine::AddressBits& bits) {
    return lettersOf(engine::kBankLetter, bits.bank) + lettersOf(engine::kGroupLetter, bits.group) +
           lettersOf(engine::kColumnLetter, bits.column - std::min(bits.column, bits.granule)) +
           lettersOf(engine::kChannelLetter, bits.channel) +
           lettersOf(engine::kColumnLetter, std::min(bits.column, bits.granule));
}

/// Returns the usual letters with those of the channel above all others.
std::string channelsAboveAll(const engine::AddressBits& bits) {
    std::string others = engine::usualLetters(bits);
    std::erase(others, engine::kChannelLetter);
    return lettersOf(engine::kChannelLetter, bits.channel) + others;
}

Settings caseSettings(const EvaluatedCase& one, const char* policy) {
    return {{"workload.model", one.model},
            {"workload.sublayer", one.sublayer},
            {"parallel.tp", one.tp},
            {"policy.preset", std::string(policy)}};
}

/// Returns the numbers of `fewer` that are below `most`, and `most`.
std::vector<std::int64_t> upTo(std::int64_t most, std::span<const std::int64_t> fewer) {
    std::vector<std::int64_t> counts;
    std::ranges::copy_if(fewer, std::back_inserter(counts), [&](std::int64_t count) { return count < most; });
    counts.push_back(most);
    return counts;
}

}  // namespace

GalleryRuns::GalleryRuns(const GalleryOptions& options)
    : m_options(options), m_baselines(std::make_shared<engine::BaselineCache>()),
      m_memory(std::make_shared<ModelMemory>()) {
    if (engine::Problems problems = foreignSettings(options.settings); !problems.empty())
        throw engine::InvalidExperiment(std::move(problems));
    m_level = experimentWith({}).detail.level;
}

GalleryRuns::~GalleryRuns() = default;

Experiment GalleryRuns::experimentWith(const Settings& values) const {
    const auto sublayer = values.find("workload.sublayer");
    const bool isGemm = sublayer != values.end() && sublayer->second == engine::ParameterValue("gemm");
    const bool alone = isGemm || values.contains("workload.bytes");  // neither has a model
    ExperimentDraft draft{alone ? settingsOfCollective(m_options.settings) : m_options.settings};
    for (const auto& [path, value] : values)
        draft.explicitValues.insert_or_assign(path, value);
    return runnableExperiment(draft);
}

std::function<void(double)> GalleryRuns::progressFrom(double from, double to) const {
    if (!m_options.progress)
        return {};
    return [this, from, to](double done) { m_options.progress(from + (to - from) * done); };
}

void GalleryRuns::simulate(std::vector<GalleryRun>& runs, bool traces) {
    std::vector<const Experiment*> experiments;
    experiments.reserve(runs.size());
    for (const GalleryRun& run : runs)
        experiments.push_back(&run.experiment);
    engine::RunManyOptions many;
    many.each.baselines = false;
    many.each.recordTrace = traces;
    many.each.baselineCache = m_baselines;
    many.threads = m_options.threads;
    many.stop = m_options.stop;
    many.finished = [&](std::size_t, const engine::RunOutcome&, std::size_t count) {
        if (m_options.progress)
            m_options.progress(static_cast<double>(count) / static_cast<double>(runs.size()));
    };
    std::vector<engine::RunOutcome> outcomes = engine::runMany(experiments, many);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        runs[i].name = nameOf(runs[i].experiment);
        runs[i].result = resultOf(std::move(outcomes[i]), runs[i].name);
        m_notices.insert_or_assign(experimentHash(runs[i].experiment), runs[i].result.notices);
    }
}

const Reproduction& GalleryRuns::evaluation() { return evaluation(publishedEvaluation()); }

const Reproduction& GalleryRuns::evaluation(const Evaluation& bundled) { return reproduced(bundled, std::nullopt); }

const Reproduction& GalleryRuns::evaluation(const Evaluation& bundled, const EvaluationFigure& figure) {
    const bool needsAll =
        figure.mark != EvaluationMark::correlation || m_evaluations.contains({bundled.name, std::nullopt});
    return reproduced(bundled, needsAll ? std::nullopt : std::optional(figure.sweep));
}

const Reproduction& GalleryRuns::reproduced(const Evaluation& bundled, std::optional<std::size_t> sweep) {
    const std::pair key(bundled.name, sweep);
    if (const auto made = m_evaluations.find(key); made != m_evaluations.end())
        return made->second;
    ReproduceOptions options{
        {}, m_options.settings, m_options.threads, m_options.stop, progressFrom(0, 1), m_options.store};
    options.sweep = sweep;
    Reproduction made = reproduceAll(bundled, options);
    for (const ReproducedCase& one : made.cases)
        m_notices.insert_or_assign(experimentHash(one.experiment), one.notices);
    return m_evaluations.emplace(key, std::move(made)).first->second;
}

const ModelSurvey& GalleryRuns::models(engine::ModelPhase phase, bool everyPolicy) {
    auto found = m_models.find({phase, everyPolicy});
    if (found == m_models.end())
        found = m_models.emplace(std::pair(phase, everyPolicy), simulatedModels(phase, everyPolicy)).first;
    for (const ModelRun& run : found->second.runs)
        keepNotices(run);
    return found->second;
}

void GalleryRuns::keepNotices(const ModelRun& run) {
    engine::Notices& notices = m_modelNotices[experimentHash(run.base)];
    for (const engine::Notice& notice : run.notices)  // of a training step and of a prompt
        addOnce(notices, notice);
}

ModelRunOptions GalleryRuns::modelOptions(std::vector<engine::PolicyPreset> policies, double from, double to) const {
    ModelRunOptions options;
    options.policies = std::move(policies);
    options.threads = m_options.threads;
    options.stop = m_options.stop;
    options.progress = progressFrom(from, to);
    options.baselineCache = m_baselines;
    options.memory = m_memory;
    return options;
}

ModelSurvey GalleryRuns::simulatedModels(engine::ModelPhase phase, bool everyPolicy) const {
    using enum engine::PolicyPreset;
    // A training step takes about three times as long to simulate as a prompt.
    const bool training = phase == engine::ModelPhase::training;
    ModelRunOptions options = modelOptions(everyPolicy ? std::vector{t3, t3Mca, idealOverlap} : std::vector{sequential},
                                           training ? 0 : 0.75, training ? 0.75 : 1);
    options.phase = phase;
    std::vector<Experiment> bases;
    for (const Preset& model : data::models()) {
        for (const std::int64_t tp : model.tps) {
            bases.push_back(experimentWith({{"workload.model", model.name}, {"parallel.tp", tp}}));
            if (engine::Problems problems = modelRunProblems(bases.back(), options); !problems.empty())
                throw engine::InvalidExperiment(std::move(problems));
        }
    }
    return surveyModels(bases, options);
}

engine::Notices GalleryRuns::noticesOf(const std::vector<FigureProvenance::Experiment>& experiments) const {
    static const engine::Notices kNone;
    const auto notices = [&](std::size_t i) -> const engine::Notices& {
        if (const auto ofModel = m_modelNotices.find(experiments[i].hash); ofModel != m_modelNotices.end())
            return ofModel->second;
        const auto found = m_notices.find(experiments[i].hash);
        return found == m_notices.end() ? kNone : found->second;
    };
    return qualifying(
        sharedNotices({experiments.size(), notices, [&](std::size_t i) { return experiments[i].name; }, "runs"}));
}

const ModelRun& GalleryRuns::bert() {
    if (m_bert)
        return *m_bert;
    const Experiment base = trainingWith({{"workload.model", "bert-large"}, {"parallel.tp", std::int64_t{1}}},
                                         {{"operators.attention", "separate"}});
    return m_bert.emplace(modelRun(base, modelOptions({engine::PolicyPreset::sequential}, 0, 1)));
}

/// Returns the experiment of a training step with the gallery's settings, `own` over them, and `defaults` for what
/// neither has. It is expanded as a whole model, because a sub-layer would need a second GPU.
Experiment GalleryRuns::trainingWith(const Settings& own, const Settings& defaults) const {
    ExperimentDraft draft{m_options.settings};
    for (const auto& [path, value] : own)
        draft.explicitValues.insert_or_assign(path, value);
    draft.explicitValues.insert(defaults.begin(), defaults.end());
    draft.explicitValues.emplace("detail.level", std::string(engine::name(m_level)));
    Expansion base = expandModelPoint(std::move(draft), ResultSubject::training);
    if (!base.problems.empty())
        throw engine::InvalidExperiment(std::move(base.problems));
    return base.experiment;
}

/// Times a training step of GPT-3 with each of the variants, unless `kept` has them.
const std::vector<ModelRun>& GalleryRuns::dividedSteps(std::vector<ModelRun>& kept,
                                                       const std::vector<Settings>& variants, const Settings& defaults,
                                                       const std::vector<engine::PolicyPreset>& policies) {
    std::vector<ModelRun> runs;
    const auto count = static_cast<double>(variants.size());
    for (std::size_t i = 0; kept.empty() && i < variants.size(); ++i) {
        Settings own = variants[i];
        own.insert({{"workload.model", "gpt-3"}, {"parallel.tp", std::int64_t{8}}});
        const double done = static_cast<double>(i);
        runs.push_back(modelRun(trainingWith(own, defaults), modelOptions(policies, done / count, (done + 1) / count)));
    }
    if (kept.empty())
        kept = std::move(runs);
    for (const ModelRun& run : kept)
        keepNotices(run);
    return kept;
}

const std::vector<ModelRun>& GalleryRuns::schedules() {
    std::vector<Settings> variants;
    variants.reserve(kSchedules.size());
    for (const auto& [schedule, chunks] : kSchedules)
        variants.push_back({{"division.schedule", schedule}, {"division.interleave", chunks}});
    return dividedSteps(m_schedules, variants,
                        {{"division.pp", std::int64_t{4}}, {"division.microbatches", std::int64_t{8}}},
                        {engine::PolicyPreset::sequential});
}

const std::vector<ModelRun>& GalleryRuns::stepsByBandwidth() {
    const std::int64_t usual = experimentWith({}).link.bandwidth.bytesPerSecond;
    std::vector<Settings> variants;
    variants.reserve(kEighthsOfBandwidth.size());
    for (const std::int64_t eighths : kEighthsOfBandwidth)
        variants.push_back({{"link.bandwidth", usual / 8 * eighths}});
    return dividedSteps(m_stepsByBandwidth, variants,
                        {{"division.pp", std::int64_t{4}},
                         {"division.dp", std::int64_t{8}},
                         {"division.microbatches", std::int64_t{8}}},
                        {engine::PolicyPreset::sequential, engine::PolicyPreset::t3Mca});
}

const std::vector<ModelRun>& GalleryRuns::stepsByDivision() {
    const engine::DivisionConfig set = experimentWith({}).division;
    const auto most = [&](const char* path, std::int64_t own, std::int64_t usual) {
        return m_options.settings.contains(path) ? own : usual;
    };
    std::vector<Settings> variants;
    for (const std::int64_t stages : upTo(most("division.pp", set.pp, kMostStages), kFewerStages)) {
        for (const std::int64_t replicas : upTo(most("division.dp", set.dp, kMostReplicas), kFewerReplicas)) {
            const std::int64_t microbatches =
                most("division.microbatches", set.microbatches, stages * kMicrobatchesOfStage);
            variants.push_back(
                {{"division.pp", stages}, {"division.dp", replicas}, {"division.microbatches", microbatches}});
        }
    }
    return dividedSteps(m_stepsByDivision, variants, {},
                        {engine::PolicyPreset::sequential, engine::PolicyPreset::t3Mca});
}

const std::vector<GalleryRun>& GalleryRuns::traced() {
    if (!m_traced.empty())
        return m_traced;
    std::vector<GalleryRun> runs;
    for (const char* policy : {"sequential", "t3-mca"})
        runs.push_back({{},
                        experimentWith({{"workload.model", "t-nlg"},
                                        {"workload.sublayer", "fc-2"},
                                        {"parallel.tp", std::int64_t{8}},
                                        {"policy.preset", policy}}),
                        {}});
    simulate(runs, true);
    return m_traced = std::move(runs);
}

const CuSplitStudy& GalleryRuns::cuSplits() {
    if (m_cuSplits)
        return *m_cuSplits;
    std::vector<GalleryRun> runs;
    const std::int64_t all = experimentWith({}).cu.count;
    for (const EvaluatedCase& one : evaluatedCases()) {
        runs.push_back({{}, experimentWith(caseSettings(one, "sequential")), {}});
        for (const std::int64_t cus : kSplits) {
            Settings together = caseSettings(one, "cu-split");
            together.emplace("collective.cu_count", cus);
            runs.push_back({{}, experimentWith(together), {}});
            Settings apart = caseSettings(one, "sequential");
            apart.emplace("collective.cu_count", cus);
            apart.emplace("cu.count", all - cus);
            runs.push_back({{}, experimentWith(apart), {}});
        }
    }
    simulate(runs, false);
    CuSplitStudy study;
    study.cus.assign(kSplits.begin(), kSplits.end());
    for (auto run = runs.begin(); run != runs.end();) {
        CuSplitStudy::Case one{std::move(*run++), {}};
        for (std::size_t i = 0; i < kSplits.size(); ++i, run += 2)
            one.splits.push_back({run->experiment, run->result.last.time, (run + 1)->result.last.time});
        study.cases.push_back(std::move(one));
    }
    return m_cuSplits.emplace(std::move(study));
}

const ReduceScatterTimes& GalleryRuns::reduceScatters() {
    if (m_reduceScatters)
        return *m_reduceScatters;
    ReduceScatterTimes times;
    std::vector<GalleryRun> runs;
    for (const char* policy : {"sequential", "t3"})
        for (const std::int64_t size : kSizesMiB)
            runs.push_back({{},
                            experimentWith({{"workload.sublayer", "reduce-scatter"},
                                            {"workload.bytes", size * 1024 * 1024},
                                            {"parallel.tp", kCollectiveGpus},
                                            {"policy.preset", policy}}),
                            {}});
    simulate(runs, false);
    for (std::size_t i = 0; i < kSizesMiB.size(); ++i) {
        const Experiment& experiment = runs[i].experiment;
        const engine::Bytes chunk = runs[i].result.shape.chunkBytes.front();
        times.sizes.push_back(experiment.workload.bytes);
        // In seconds the product of bytes and picoseconds would overflow.
        const double seconds = static_cast<double>((kCollectiveGpus - 1) * chunk.count) /
                               static_cast<double>(engine::packetBandwidth(experiment.link).bytesPerSecond);
        times.bounds.push_back({static_cast<std::int64_t>(seconds * 1e12)});
    }
    const auto half = runs.begin() + static_cast<std::ptrdiff_t>(kSizesMiB.size());
    times.kernels.assign(std::make_move_iterator(runs.begin()), std::make_move_iterator(half));
    times.nearMemory.assign(std::make_move_iterator(half), std::make_move_iterator(runs.end()));
    return m_reduceScatters.emplace(std::move(times));
}

const PieceStudy& GalleryRuns::pieces() {
    if (m_pieces)
        return *m_pieces;
    std::vector<GalleryRun> runs;
    const auto add = [&](const char* policy, Settings values) {
        values.insert({{"workload.model", "t-nlg"},
                       {"workload.sublayer", "fc-2"},
                       {"parallel.tp", std::int64_t{8}},
                       {"policy.preset", policy}});
        if (!m_options.settings.contains("launch.kernel") && experimentWith({}).launch.kernel == engine::Duration{})
            values.emplace("launch.kernel", kLaunch.ps);
        runs.push_back({{}, experimentWith(values), {}});
    };
    for (const std::int64_t queues : {1, 2})
        for (const std::int64_t pieces : kPieces)
            add("chunked", {{"policy.pieces", pieces}, {"policy.queues", queues}});
    for (const char* policy : kWholePolicies)
        add(policy, {});
    simulate(runs, false);
    PieceStudy study;
    study.pieces.assign(kPieces.begin(), kPieces.end());
    auto run = runs.begin();
    const auto take = [&](std::size_t count, std::vector<GalleryRun>& taken) {
        const auto end = run + static_cast<std::ptrdiff_t>(count);
        taken.assign(std::make_move_iterator(run), std::make_move_iterator(end));
        run = end;
    };
    take(kPieces.size(), study.oneQueue);
    take(kPieces.size(), study.twoQueues);
    take(kWholePolicies.size(), study.whole);
    return m_pieces.emplace(std::move(study));
}

engine::DetailLevel GalleryRuns::levelOfMappings() const {
    return m_level == engine::DetailLevel::interactive ? engine::DetailLevel::standard : m_level;
}

std::int64_t GalleryRuns::channelsOfMachine() const { return experimentWith({}).dram.pseudoChannels; }

Experiment GalleryRuns::mappedExperiment(const char* policy, const std::string& mapping) const {
    return experimentWith({{"workload.model", "t-nlg"},
                           {"workload.sublayer", "fc-2"},
                           {"parallel.tp", std::int64_t{8}},
                           {"policy.preset", policy},
                           {"memory.model", "banks"},
                           {"dram.pseudo_channels",
                            static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(channelsOfMachine())))},
                           {"detail.level", std::string(engine::name(levelOfMappings()))},
                           {"address.mapping", mapping}});
}

const BankGroupRuns& GalleryRuns::bankGroups() {
    if (m_bankGroups)
        return *m_bankGroups;
    const engine::AddressBits bits = engine::addressBitsOf(mappedExperiment("t3", engine::kUsualMapping));
    const std::array mappings{engine::usualLetters(bits), groupsAboveRequest(bits)};
    std::vector<GalleryRun> runs;
    for (const char* policy : {"sequential", "t3", "t3-mca"})
        for (const std::string& mapping : mappings)
            runs.push_back({{}, mappedExperiment(policy, mapping), {}});
    simulate(runs, false);
    BankGroupRuns study;
    for (std::size_t i = 0; i < mappings.size(); ++i)
        study.groups[i] = engine::DramPlaces(runs[i].experiment).groupsOfGranule();
    for (std::size_t i = 0; i < runs.size(); i += mappings.size())
        study.byPolicy.push_back({{withMappingInName(std::move(runs[i])), withMappingInName(std::move(runs[i + 1]))}});
    return m_bankGroups.emplace(std::move(study));
}

const std::vector<GalleryRun>& GalleryRuns::channelHeat() {
    if (!m_channelHeat.empty())
        return m_channelHeat;
    const engine::AddressBits bits = engine::addressBitsOf(mappedExperiment("t3-mca", engine::kUsualMapping));
    std::vector<GalleryRun> runs;
    for (const std::string& mapping : {engine::usualLetters(bits), channelsAboveAll(bits)})
        runs.push_back({{}, mappedExperiment("t3-mca", mapping), {}});
    simulate(runs, true);
    for (GalleryRun& run : runs)
        m_channelHeat.push_back(withMappingInName(std::move(run)));
    return m_channelHeat;
}

const std::vector<GalleryRun>& GalleryRuns::sawtooth() {
    if (!m_sawtooth.empty())
        return m_sawtooth;
    std::vector<GalleryRun> runs;
    for (std::int64_t n = kSawtoothStep; n <= kSawtoothMost; n += kSawtoothStep)
        runs.push_back({{},
                        experimentWith({{"workload.sublayer", std::string("gemm")},
                                        {"matrix.n", n},
                                        {"tiles.choice", std::string("fixed")},
                                        {"policy.preset", std::string("sequential")}}),
                        {}});
    simulate(runs, false);
    return m_sawtooth = std::move(runs);
}

const TrafficStudy& GalleryRuns::traffic() {
    if (m_traffic)
        return *m_traffic;
    TrafficStudy study;
    study.traffics = {{"All-gather by DMA", "dma", {}},
                      {"All-gather by a kernel", "all-gather", {}},
                      {"Reduce-scatter by a kernel", "reduce-scatter", {}}};
    const Settings ofTraffic[]{{{"companion.operation", "all-gather"}, {"companion.by", "dma"}},
                               {{"companion.operation", "all-gather"}, {"dispatch.rule", "companion-first"}},
                               {{"companion.operation", "reduce-scatter"}, {"dispatch.rule", "companion-first"}}};
    for (const std::int64_t size : kTrafficMiB)
        study.sizes.push_back({size * 1024 * 1024});
    std::vector<GalleryRun> runs;
    const auto addCases = [&](const Settings& company) {
        for (const char* sublayer : {"op", "fc-2", "fc-1", "ip"})
            for (const char* policy : {"sequential", "t3-mca"}) {
                Settings values = company;
                values.insert({{"workload.model", "t-nlg"},
                               {"workload.sublayer", sublayer},
                               {"parallel.tp", std::int64_t{8}},
                               {"policy.preset", policy}});
                runs.push_back({{}, experimentWith(values), {}});
            }
    };
    addCases({});
    for (const Settings& company : ofTraffic)
        for (const engine::Bytes size : study.sizes) {
            Settings values = company;
            values.emplace("companion.bytes", size.count);
            addCases(values);
        }
    simulate(runs, false);
    auto run = runs.begin();
    const auto takeCases = [&] {
        std::vector<TrafficStudy::Pair> cases;
        for (std::size_t i = 0; i < kTrafficCases; ++i, run += 2)
            cases.push_back({std::move(*run), std::move(*(run + 1))});
        return cases;
    };
    study.without = takeCases();
    for (TrafficStudy::Traffic& traffic : study.traffics)
        for (std::size_t size = 0; size < study.sizes.size(); ++size)
            traffic.bySize.push_back(takeCases());
    return m_traffic.emplace(std::move(study));
}

}  // namespace data
