#include "data/experiment/experiment_document.h"
#include "data/laboratory/laboratory.h"
#include "data/model/model_memory.h"
#include "data/model/model_run.h"
#include "data/model/model_step.h"
#include "data/model/projection.h"
#include "engine/api/footprint.h"
#include "engine/api/messages.h"
#include "engine/api/parameters.h"
#include "engine/api/run_times.h"
#include "engine/api/runner.h"
#include "tests/data/model_page.h"
#include "tests/data/reproduced_items.h"
#include "tests/test_program.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

// The measured numbers of MODEL.md that take seconds: published and simulated, where the time goes, whole models,
// footprint and messages. tst_model_page_slow has those that take minutes.

namespace {

engine::Experiment caseUnder(const std::string& name, const std::string& policy) {
    data::DraftReading reading = data::openDraft(name);
    reading.draft.explicitValues["policy.preset"] = policy;
    return data::expand(reading.draft).experiment;
}

double microseconds(engine::Duration time) { return static_cast<double>(time.ps) / 1e6; }

/// Returns the time of latency, bandwidth and cache slices together.
engine::Duration memoryOf(const engine::CauseTimes& causes) {
    using engine::Cause;
    return causes[Cause::latency] + causes[Cause::memory] + causes[Cause::cacheSlices];
}

/// Returns the causes of a run in per cent of its total, in the order of the table's columns.
std::vector<double> percents(const engine::CauseTimes& causes) {
    using engine::Cause;
    std::vector<double> values;
    for (const engine::Duration time : {causes[Cause::compute], memoryOf(causes), causes[Cause::contention],
                                        causes[Cause::link], causes[Cause::trackerDma], causes[Cause::dispatch]})
        values.push_back(100.0 * static_cast<double>(time.ps) / static_cast<double>(causes.total().ps));
    return values;
}

engine::CauseTimes causesOf(const engine::Experiment& experiment) {
    return engine::run(experiment, {.attribution = true, .baselines = false}).attribution.value().causes;
}

double totalOf(const engine::Experiment& experiment) {
    return microseconds(engine::run(experiment, {.baselines = false}).last.time.total);
}

/// Returns by how many per cent a tenth more link bandwidth shortens a case under T3-MCA.
double savedByFasterLinks(const std::string& name) {
    engine::Experiment faster = caseUnder(name, "t3-mca");
    faster.link.bandwidth = {faster.link.bandwidth.bytesPerSecond / 10 * 11};
    return 100 * (1 - totalOf(faster) / totalOf(caseUnder(name, "t3-mca")));
}

/// Runs a phase of a model at standard detail, under sequential and T3-MCA.
data::ModelRun phaseOf(const std::string& model, std::int64_t tp, engine::ModelPhase phase) {
    data::ExperimentDraft draft;
    draft.explicitValues = {{"workload.model", model}, {"parallel.tp", tp}};
    data::ModelRunOptions options;
    options.phase = phase;
    options.policies = {engine::PolicyPreset::t3Mca};
    options.threads = tests::threadsHere();
    return data::modelRun(data::expand(draft).experiment, options);
}

/// Runs a phase of both published models at both degrees, in the order of the text.
std::vector<data::ModelRun> phasesOf(engine::ModelPhase phase) {
    std::vector<data::ModelRun> runs;
    for (const char* model : {"mega-gpt-2", "t-nlg"})
        for (const std::int64_t tp : {8, 16})
            runs.push_back(phaseOf(model, tp, phase));
    return runs;
}

std::vector<double> speedups(const std::vector<data::ModelRun>& runs) {
    std::vector<double> values;
    values.reserve(runs.size());
    for (const data::ModelRun& run : runs)
        values.push_back(run.policies.back().speedupOverSequential);
    return values;
}

/// Returns by how many per cent the projected time of a phase differs from the simulated one, under sequential at
/// standard detail: from Mega-GPT-2 on 8 GPUs to T-NLG at both degrees, GPT-3, PaLM and MT-NLG.
std::vector<double> projectionErrors(engine::ModelPhase phase) {
    const auto experimentOf = [](const char* model, std::int64_t tp) {
        return data::expand({{{"workload.model", std::string(model)}, {"parallel.tp", tp}}}).experiment;
    };
    data::ModelRunOptions options;
    options.phase = phase;
    options.policies = {engine::PolicyPreset::sequential};
    options.threads = tests::threadsHere();
    options.memory = std::make_shared<data::ModelMemory>();
    std::vector<double> errors;
    for (const auto& [model, tp] :
         {std::pair{"t-nlg", 8}, {"t-nlg", 16}, {"gpt-3", 32}, {"palm", 32}, {"mt-nlg", 32}}) {
        const engine::Experiment target = experimentOf(model, tp);
        const auto projected = data::projectedRun(target, experimentOf("mega-gpt-2", 8), options).sequential.time;
        const auto simulated = data::modelRun(target, options).sequential.time;
        errors.push_back(100 *
                         (static_cast<double>(projected.total().ps) / static_cast<double>(simulated.total().ps) - 1));
    }
    return errors;
}

/// Returns the mean and the largest of the errors without their signs.
std::pair<double, double> meanAndMost(const std::vector<double>& errors) {
    double sum = 0, most = 0;
    for (const double error : errors) {
        sum += std::abs(error);
        most = std::max(most, std::abs(error));
    }
    return {sum / static_cast<double>(errors.size()), most};
}

/// Returns the smallest and the largest share of communication under sequential, in per cent.
std::vector<double> communication(const std::vector<data::ModelRun>& runs) {
    std::vector<double> shares;
    shares.reserve(runs.size());
    for (const data::ModelRun& run : runs)
        shares.push_back(100 * run.sequential.communicationShare);
    const auto [least, most] = std::minmax_element(shares.begin(), shares.end());
    return {*least, *most};
}

using DivisionSettings = std::vector<std::pair<const char*, engine::ParameterValue>>;

engine::Experiment dividedBy(const DivisionSettings& settings) {
    data::ExperimentDraft draft;
    for (const auto& [path, value] : settings)
        draft.explicitValues.insert_or_assign(path, value);
    return data::expand(draft).experiment;
}

engine::Footprint footprintBy(const DivisionSettings& settings) {
    return engine::footprintOf(dividedBy(settings), engine::ModelPhase::training);
}

DivisionSettings withMore(DivisionSettings settings, const DivisionSettings& more) {
    settings.insert(settings.end(), more.begin(), more.end());
    return settings;
}

DivisionSettings aloneOn64(std::int64_t weights, const std::string& sharding) {
    return {{"division.weights", weights},
            {"parallel.tp", std::int64_t{1}},
            {"division.dp", std::int64_t{64}},
            {"division.sharding", sharding}};
}

const DivisionSettings& asKorthikanti() {
    static const DivisionSettings kSettings{
        {"workload.sequence", std::int64_t{2048}}, {"workload.batch", std::int64_t{1}},
        {"parallel.tp", std::int64_t{8}},          {"operators.attention", std::string("separate")},
        {"operators.dropout", std::string("on")},  {"training.accounting", std::string("megatron")}};
    return kSettings;
}

DivisionSettings keeping(const std::string& operation, const std::string& recompute) {
    return {{"collective.operation", operation}, {"operators.recompute", recompute}};
}

/// Returns the time of a companion of 603 MiB alone, from a run with a tiny GEMM. The CUs do not limit its kernels.
double companionAlone(const std::vector<std::string>& settings) {
    data::ExperimentDraft draft = data::openDraft("gemm/128x128x128").draft;
    engine::Problems problems;
    const std::vector<std::string> node{"machine=amd-mi300x",
                                        "link.bandwidth=48GB/s",
                                        "link.efficiency=1",
                                        "launch.kernel=0",
                                        "collective.staging=1",
                                        "parallel.tp=8",
                                        "policy=sequential",
                                        "companion.bytes=603MiB",
                                        "topology.kind=fully-connected",
                                        "collective.cu_bandwidth=unlimited"};
    for (const std::vector<std::string>* all : {&node, &settings})
        for (const std::string& setting : *all)
            data::applySetting(setting, draft, problems);
    if (!problems.empty())
        qFatal("%s", problems.front().text.c_str());
    return microseconds(engine::run(data::expand(draft).experiment).companion->alone.value());
}

data::LaboratoryRun mappedRun(const std::string& policy, const std::vector<std::string>& settings) {
    data::ExperimentDraft draft = data::openDraft("t-nlg/fc-2/tp8").draft;
    engine::Problems problems;
    const std::vector<std::string> common{"memory.model=banks", "policy.preset=" + policy};
    for (const std::vector<std::string>* all : {&common, &settings})
        for (const std::string& setting : *all)
            data::applySetting(setting, draft, problems);
    if (!problems.empty())
        qFatal("%s", problems.front().text.c_str());
    return data::Laboratory().run(draft, {.attribution = true, .baselines = false, .threads = tests::threadsHere()});
}

/// Returns the share of the peak, in per cent, of two streams of updates that take turns.
double shareOfTwoStreams(std::vector<std::string> settings) {
    settings.insert(settings.end(), {"workload.sublayer=access", "access.reads=0", "access.updates=2"});
    return 100 * mappedRun("sequential", settings).result.access->shareOfPeak;
}

double gibibytes(engine::Bytes bytes) { return static_cast<double>(bytes.count) / (1024.0 * 1024 * 1024); }

double gigabytes(engine::Bytes bytes) { return static_cast<double>(bytes.count) / 1e9; }

}  // namespace

class TestModelPage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void mappingsForNearMemoryUpdates() {
        std::map<std::string, data::LaboratoryRun> mca;
        const auto timesWith = [&](const std::string& mapping) {
            const std::string setting = "address.mapping=" + mapping;
            const data::LaboratoryRun sequential = mappedRun("sequential", {setting}), t3 = mappedRun("t3", {setting});
            mca[mapping] = mappedRun("t3-mca", {setting});
            const auto totalOf = [](const data::LaboratoryRun& run) { return engine::timesOfRun(run.result).total; };
            return std::vector<double>{microseconds(engine::timesOfRun(sequential.result).gemm),
                                       microseconds(totalOf(sequential)), microseconds(totalOf(t3)),
                                       microseconds(totalOf(mca[mapping]))};
        };
        const std::vector<double> usual = timesWith("usual"), oneGroup = timesWith("BBGGCDDDCCCC"),
                                  above = timesWith("DDDBBCCCCCGG");
        m_page.check("| `usual`: a request covers four bank groups | # µs | # µs | # µs | # µs |", usual);
        m_page.check("| `BBGGCDDDCCCC`: a request lies in one group | # µs | # µs | # µs | # µs |", oneGroup);
        m_page.check("| `DDDBBCCCCCGG`: two tiles lie in one channel | # µs | # µs | # µs | # µs |", above);
        m_page.check("One group in a request costs the sequential GEMM # % and T3's run # %.",
                     {100 * (oneGroup[0] / usual[0] - 1), 100 * (oneGroup[2] / usual[2] - 1)});
        const auto waitsOf = [](const data::LaboratoryRun& run) {
            const engine::CauseTimes& causes = run.result.attribution->causes;
            return microseconds(memoryOf(causes) + causes[engine::Cause::contention] +
                                causes[engine::Cause::collectiveKernel]);
        };
        const data::LaboratoryRun& high = mca["DDDBBCCCCCGG"];
        const auto campingOf = [](const data::LaboratoryRun& run) { return run.result.last.memory.value(); };
        m_page.check(
            "the busiest channel has # times the mean within windows of 16 requests a channel, and # times with "
            "`usual`; over the whole run it has # times. The run waits # µs for memory and # µs with `usual`",
            {campingOf(high).campingWindow, campingOf(mca["usual"]).campingWindow, campingOf(high).camping,
             waitsOf(high), waitsOf(mca["usual"])});
        const data::LaboratoryRun blocks = mappedRun("t3-mca", {"address.mapping=DDDBBCCCCCGG", "dma.block_tiles=16"});
        m_page.check("Blocks of sixteen tiles change little: # times the mean.", {campingOf(blocks).campingWindow});
        const data::LaboratoryRun hashed = mappedRun("t3-mca", {"address.mapping=usual", "address.bank_hash=xor"});
        m_page.check("a row apart, reach # % of the peak; with `address.bank_hash=xor` # %, with turns of 256 KiB # %. "
                     "If they are a multiple of many rows apart, the hash changes nothing: # %. In the whole run of "
                     "T3-MCA the hash saves # %.",
                     {shareOfTwoStreams({"address.mapping=usual", "access.skew=1MiB"}),
                      shareOfTwoStreams({"address.mapping=usual", "access.skew=1MiB", "address.bank_hash=xor"}),
                      shareOfTwoStreams({"address.mapping=usual", "access.skew=1MiB", "access.turn=256KiB"}),
                      shareOfTwoStreams({"address.mapping=usual", "address.bank_hash=xor"}),
                      100 * (1 - microseconds(engine::timesOfRun(hashed.result).total) / usual[3])});
        m_page.checkEveryRowBelow("## Which mapping near-memory updates want");
        verify();
    }

    void thePublishedAndTheSimulatedFigures() {
        const tests::ReproducedItems items;
        const auto pair = [&](const char* row, const std::vector<std::string>& ids) {
            m_page.check(row, items.row(ids));
        };
        pair("| ideal overlap, geomean / max | # / # | # / # | # % / # % |",
             {"ideal-overlap-geomean", "ideal-overlap-max"});
        pair("| T3, geomean / max | # / # | # / # | # % / # % |", {"t3-geomean", "t3-max"});
        pair("| T3-MCA, geomean / max | # / # | # / # | # % / # % |", {"t3-mca-geomean", "t3-mca-max"});
        pair("| T3-MCA over T3 | # | # | # % |", {"t3-mca-over-t3-geomean"});
        pair("| RS faster with NMC, TP 8 / 16 | # / # | # / # | # % / # % |", {"rs-nmc-tp8", "rs-nmc-tp16"});
        pair("| gain of the ideal by NMC, best | # | # | # % |", {"ideal-nmc-gain-max"});
        pair("| DRAM traffic saved, geomean / best | # % / # % | # % / # % | # / # points |",
             {"dram-reduction-geomean", "dram-reduction-max"});
        pair("| RS reads, times fewer, TP 8 / 16 | # / # | # / # | # / # % |",
             {"rs-read-reduction-tp8", "rs-read-reduction-tp16"});
        pair("| writes saved | # % | # % | # points |", {"write-reduction-geomean"});
        pair("| GEMM reads, times fewer | # | # | # % |", {"gemm-read-reduction-geomean"});
        m_page.check("The published # does not follow from the published # and #, which give #; ours is #.",
                     {items.published("t3-mca-over-t3-geomean"), items.published("t3-mca-geomean"),
                      items.published("t3-geomean"), items.published("t3-mca-geomean") / items.published("t3-geomean"),
                      items.ours("t3-mca-over-t3-geomean")});
        m_page.checkEveryRowBelow("## Published and simulated");
        verify();
    }

    void whereTheTimeGoes() {
        const auto row = [&](const char* text, const char* name) {
            m_page.check(text, percents(causesOf(caseUnder(name, "t3-mca"))));
        };
        row("| Mega-GPT-2 OP | 8 | # | # | # | # | # | # |", "mega-gpt-2/op/tp8");
        row("| Mega-GPT-2 FC-2, FC-1 | 8 | # | # | # | # | # | # |", "mega-gpt-2/fc-2/tp8");
        row("| Mega-GPT-2 FC-2, FC-1 | 8 | # | # | # | # | # | # |", "mega-gpt-2/fc-1/tp8");
        row("| Mega-GPT-2 IP | 8 | # | # | # | # | # | # |", "mega-gpt-2/ip/tp8");
        row("| Mega-GPT-2 OP | 16 | # | # | # | # | # | # |", "mega-gpt-2/op/tp16");
        row("| Mega-GPT-2 FC-2, FC-1 | 16 | # | # | # | # | # | # |", "mega-gpt-2/fc-2/tp16");
        row("| Mega-GPT-2 FC-2, FC-1 | 16 | # | # | # | # | # | # |", "mega-gpt-2/fc-1/tp16");
        row("| Mega-GPT-2 IP | 16 | # | # | # | # | # | # |", "mega-gpt-2/ip/tp16");
        row("| T-NLG OP | 8 | # | # | # | # | # | # |", "t-nlg/op/tp8");
        row("| T-NLG FC-2, FC-1 | 8 | # | # | # | # | # | # |", "t-nlg/fc-2/tp8");
        row("| T-NLG FC-2, FC-1 | 8 | # | # | # | # | # | # |", "t-nlg/fc-1/tp8");
        row("| T-NLG IP | 8 | # | # | # | # | # | # |", "t-nlg/ip/tp8");
        row("| T-NLG OP | 16 | # | # | # | # | # | # |", "t-nlg/op/tp16");
        row("| T-NLG FC-2, FC-1 | 16 | # | # | # | # | # | # |", "t-nlg/fc-2/tp16");
        row("| T-NLG FC-2, FC-1 | 16 | # | # | # | # | # | # |", "t-nlg/fc-1/tp16");
        row("| T-NLG IP | 16 | # | # | # | # | # | # |", "t-nlg/ip/tp16");
        m_page.checkEveryRowBelow("## Where the time goes");
        verify();
    }

    void whatMcaSavesOnTNlgFc2() {
        using engine::Cause;
        const engine::CauseTimes t3 = causesOf(caseUnder("t-nlg/fc-2/tp8", "t3"));
        const engine::CauseTimes mca = causesOf(caseUnder("t-nlg/fc-2/tp8", "t3-mca"));
        const std::vector<double> of = percents(t3);
        m_page.check("Plain T3 on T-NLG FC-2 (TP 8): compute #, memory #, contention #, link #.",
                     {of[0], of[1], of[2], of[3]});
        m_page.check(
            "MCA saves # us, of which # us are contention and # us memory; compute on the path changes by # us.",
            {microseconds(t3.total() - mca.total()), microseconds(t3[Cause::contention] - mca[Cause::contention]),
             microseconds(memoryOf(t3) - memoryOf(mca)), microseconds(mca[Cause::compute] - t3[Cause::compute])});
        const double fc2 = percents(mca)[3];
        const double op = percents(causesOf(caseUnder("mega-gpt-2/op/tp8", "t3-mca")))[3];
        m_page.check("Under T3-MCA link is # % of T-NLG FC-2 (TP 8) and # % of Mega-GPT-2 OP (TP 8); 10 % more link "
                     "bandwidth saves # % and # % (share x 0.1/1.1: # % and # %).",
                     {fc2, op, savedByFasterLinks("t-nlg/fc-2/tp8"), savedByFasterLinks("mega-gpt-2/op/tp8"),
                      fc2 * 0.1 / 1.1, op * 0.1 / 1.1});
        verify();
    }

    void theDirectReduceScatterBesideTheRings() {
        engine::Experiment direct = caseUnder("t-nlg/fc-2/tp8", "t3");
        direct.topology.kind = engine::TopologyKind::fullyConnected;
        direct.collective.algorithm = engine::CollectiveAlgorithm::direct;
        m_page.check("the GEMM of T-NLG FC-2 (TP 8) as fast as alone: # us in all against # us of the ring.",
                     {totalOf(direct), totalOf(caseUnder("t-nlg/fc-2/tp8", "t3"))});
        verify();
    }

    void aCompanionAloneTakesWhatItsLinksNeed() {
        for (const auto& [operation, algorithm] : {std::pair<std::string, std::string>{"all-gather", "direct"},
                                                   {"all-to-all", "direct"},
                                                   {"all-gather", "ring"}}) {
            const std::string what = "companion.operation=" + operation, how = "collective.algorithm=" + algorithm;
            const double bytes = 603.0 * 1024 * 1024 / 8 * (algorithm == "ring" ? 7 : 1);
            const std::vector<double> times{bytes / 48e3, companionAlone({what, how}),
                                            companionAlone({what, how, "companion.by=dma"}),
                                            companionAlone({what, how, "companion.by=dma", "dma.block_tiles=16"})};
            for (const double time : times)
                QVERIFY(time >= times.front() && time < 1.01 * times.front());
            m_page.check(QString::fromStdString("| " + operation + ", " + algorithm + " | # | # | # | # |"), times);
        }
        verify();
    }

    void t3BesideAnAllReduceInTheSwitch() {
        const auto onH100 = [](const std::string& name, const std::vector<std::string>& settings) {
            data::ExperimentDraft draft = data::draftNamed(name).draft;
            engine::Problems problems;
            data::applySetting("machine=nvidia-h100", draft, problems);
            for (const std::string& setting : settings)
                data::applySetting(setting, draft, problems);
            if (!problems.empty())
                qFatal("%s", problems.front().text.c_str());
            return data::expand(draft).experiment;
        };
        const std::string sequential = "policy=sequential", inSwitch = "collective.algorithm=in-switch";
        for (const auto& [name, row] : {std::pair<std::string, QString>{"op", "| OP | # | # | # | # |"},
                                        {"fc-2", "| FC-2 | # | # | # | # |"},
                                        {"fc-1", "| FC-1 | # | # | # | # |"},
                                        {"ip", "| IP | # | # | # | # |"}}) {
            const std::string whole = "t-nlg/" + name + "/tp8";
            m_page.check(row, {totalOf(onH100(whole, {sequential})), totalOf(onH100(whole, {"policy=t3-mca"})),
                               totalOf(onH100(whole, {sequential, inSwitch})),
                               totalOf(onH100(whole, {sequential, inSwitch, "switch.reduce_bandwidth=263GB/s"}))});
        }
        m_page.check("would take # us on FC-2 (`ideal-overlap`)",
                     {totalOf(onH100("t-nlg/fc-2/tp8", {"policy=ideal-overlap", inSwitch}))});
        m_page.checkEveryRowBelow("## T3 where the switch adds");
        verify();
    }

    void wholeModels() {
        const auto training = phasesOf(engine::ModelPhase::training), prompt = phasesOf(engine::ModelPhase::prompt),
                   generation = phasesOf(engine::ModelPhase::generation);
        std::vector<double> values = speedups(training);
        for (const double speedup : speedups(prompt))
            values.push_back(speedup);
        m_page.check(
            "At standard detail T3-MCA is # and # times as fast as `sequential` in a training step of Mega-GPT-2 "
            "(TP 8, 16), # and # of T-NLG; in a prompt #, #, # and #.",
            values);
        std::vector<double> shares = communication(training);
        for (const double share : communication(prompt))
            shares.push_back(share);
        m_page.check("Communication is # to # % of a step and # to # % of a prompt.", shares);
        const std::vector<double> alike = speedups(generation);
        const auto [least, most] = std::minmax_element(alike.begin(), alike.end());
        m_page.check("T3 takes as long as `sequential` (# to #).", {*least, *most});
        verify();
    }

    void overlapInSoftwareBesideT3Mca() {
        const std::string name = "t-nlg/fc-2/tp8";
        const auto launched = [&](const std::string& policy, std::int64_t pieces, std::int64_t queues) {
            data::DraftReading reading = data::openDraft(name);
            auto& values = reading.draft.explicitValues;
            values["policy.preset"] = policy;
            values["launch.kernel"] = std::int64_t{2'000'000};
            if (pieces > 0)
                values["policy.pieces"] = pieces;
            values["policy.queues"] = queues;
            return engine::run(data::expand(reading.draft).experiment, {.baselines = false});
        };
        const engine::Duration sequential = launched("sequential", 0, 2).last.time.total;
        const auto row = [&](const char* shown, const std::string& policy, std::int64_t pieces = 0,
                             std::int64_t queues = 2) {
            const engine::RunResult run = launched(policy, pieces, queues);
            const engine::Duration total = run.last.time.total;
            m_page.check(QStringLiteral("| %1 | # | # | # | # | # |").arg(QLatin1String(shown)),
                         {static_cast<double>(run.gemm->waves), microseconds(total), microseconds(run.last.time.gemm),
                          microseconds(sequential - total),
                          static_cast<double>(sequential.ps) / static_cast<double>(total.ps)});
        };
        row("`sequential`", "sequential");
        row("`chunked`, 8 pieces", "chunked", 8);
        row("`chunked`, 32 pieces", "chunked", 32);
        row("`chunked`, 8 pieces, one queue", "chunked", 8, 1);
        row("`signals`", "signals");
        row("`t3-mca`", "t3-mca");
        verify();
    }

    void copiesByDmaBesideOtherOverlap() {
        const auto launched = [&](const std::string& policy, std::int64_t engines, std::int64_t pieces) {
            data::DraftReading reading = data::openDraft("t-nlg/fc-2/tp8");
            auto& values = reading.draft.explicitValues;
            values["policy.preset"] = policy;
            values["launch.kernel"] = std::int64_t{2'000'000};
            values["topology.kind"] = std::string("fully-connected");
            values["collective.algorithm"] = std::string("direct");
            values["policy.pieces"] = pieces;
            values["dma.engines"] = engines;
            return engine::run(data::expand(reading.draft).experiment, {.threads = 2});
        };
        engine::Duration sequential;
        std::vector<double> decomposition, contention;
        const auto row = [&](const char* shown, const std::string& policy, std::int64_t engines = 1,
                             std::int64_t pieces = 8) {
            const engine::RunResult run = launched(policy, engines, pieces);
            const engine::Duration total = run.last.time.total;
            if (policy == "sequential")
                sequential = total;
            if (run.gemm->decomposition && engines > 1) {
                decomposition.push_back(microseconds(*run.gemm->decomposition));
                contention.push_back(microseconds(*run.gemm->contention));
            }
            m_page.check(QStringLiteral("| %1 | # | # | # | # | # |").arg(QLatin1String(shown)),
                         {static_cast<double>(run.gemm->waves), microseconds(total), microseconds(run.last.time.gemm),
                          microseconds(sequential - total),
                          static_cast<double>(sequential.ps) / static_cast<double>(total.ps)});
        };
        row("`sequential`, direct", "sequential");
        row("`chunked`, direct", "chunked");
        row("`chunked-dma`, 1 engine", "chunked-dma");
        row("`chunked-dma`, 4 engines", "chunked-dma", 4);
        row("`chunked-dma`, 4 engines, 16 pieces", "chunked-dma", 4, 16);
        row("`chunked-dma`, 4 engines, 32 pieces", "chunked-dma", 4, 32);
        row("`signals`, direct", "signals");
        row("`t3-mca`, direct", "t3-mca");
        decomposition.insert(decomposition.end(), contention.begin(), contention.end());
        m_page.check("the decomposition is #, # and # µs, the contention #, # and # µs.", decomposition);
        verify();
    }

    void theGainOfT3McaInAStep() {
        const auto memory = std::make_shared<data::ModelMemory>();
        double geomean = 0;
        const auto row = [&](std::int64_t dp, std::int64_t pp, std::int64_t lookahead) {
            data::ExperimentDraft draft;
            draft.explicitValues = {{"workload.model", std::string("gpt-3")},
                                    {"parallel.tp", std::int64_t{8}},
                                    {"division.dp", dp},
                                    {"division.pp", pp},
                                    {"division.microbatches", 8 * pp},
                                    {"step.lookahead", lookahead},
                                    {"detail.level", std::string("interactive")}};
            data::ModelRunOptions options;
            options.policies = {engine::PolicyPreset::sequential, engine::PolicyPreset::t3Mca};
            options.threads = 2;
            options.memory = memory;
            const data::ModelRun run = data::modelRun(data::expand(draft).experiment, options);
            const data::ModelStep before = data::stepOf(run, run.policies[0]),
                                  after = data::stepOf(run, run.policies[1]);
            geomean = run.policies[1].sublayerGeomean;
            const auto seconds = [](engine::Duration time) { return static_cast<double>(time.ps) / 1e12; };
            std::vector<double> numbers{
                seconds(before.total),       seconds(after.total),       seconds(before.total) / seconds(after.total),
                seconds(before.time.tensor), seconds(after.time.tensor), seconds(before.time.data),
                seconds(after.time.data)};
            m_page.check(QStringLiteral("| %1 | %2 | %3 | # | # | # | #, # | #, # |").arg(dp).arg(pp).arg(lookahead),
                         numbers);
        };
        row(1, 1, 1);
        row(8, 1, 1);
        row(64, 1, 1);
        row(1, 8, 1);
        row(64, 8, 1);
        row(64, 8, 2);
        m_page.check("T3-MCA makes the sub-layers # times as fast (geometric mean)", {geomean});
        verify();
    }

    void projectionsOfLargerModelsAreNear() {
        const std::vector<double> step = projectionErrors(engine::ModelPhase::training);
        const double mean = meanAndMost(step).first;
        QVERIFY2(mean < 15, qPrintable(QString::number(mean)));
        m_page.check(
            "the time of a training step is off by # % for T-NLG at TP 8, by # % at TP 16, and by # %, # % and "
            "# % for GPT-3, PaLM and MT-NLG at TP 32.",
            step);
        const auto [meanOfPrompt, mostOfPrompt] = meanAndMost(projectionErrors(engine::ModelPhase::prompt));
        m_page.check("The mean error is # % in a step, and # % in a prompt, where the largest is # %.",
                     {mean, meanOfPrompt, mostOfPrompt});
        verify();
    }

    void statesOfADivisionAreThoseOfZero() {
        std::vector<double> totals;
        for (const char* sharding : {"none", "optimizer", "gradients", "weights"})
            totals.push_back(gigabytes(footprintBy(aloneOn64(7'500'000'000, sharding)).bytes().total()));
        m_page.check(QStringLiteral("take #, #, # and # GB (`none`, `optimizer`"), totals);
        verify();
    }

    void activationsOfADivisionAreThoseOfKorthikanti() {
        const DivisionSettings gpt3 = withMore(asKorthikanti(), {{"workload.model", std::string("gpt-3")},
                                                                 {"division.pp", std::int64_t{8}},
                                                                 {"division.interleave", std::int64_t{3}},
                                                                 {"division.microbatches", std::int64_t{64}}});
        const engine::StageFootprint plain = footprintBy(gpt3).stages.front();
        const engine::StageFootprint less =
            footprintBy(withMore(gpt3, keeping("reduce-scatter", "attention"))).stages.front();
        m_page.check(
            QStringLiteral("hold # GiB of states and # GiB of activations; # GiB with"),
            {gibibytes(plain.layerStates), gibibytes(plain.layerActivations), gibibytes(less.layerActivations)});
        const DivisionSettings large = withMore(asKorthikanti(), {{"workload.hidden", std::int64_t{6144}},
                                                                  {"workload.heads", std::int64_t{64}},
                                                                  {"workload.layers", std::int64_t{48}}});
        const double whole = gibibytes(footprintBy(large).stage().layerActivations);
        const auto percent = [&](const char* operation, const char* recompute) {
            const engine::Footprint footprint = footprintBy(withMore(large, keeping(operation, recompute)));
            return 100 * gibibytes(footprint.stage().layerActivations) / whole;
        };
        m_page.check(QStringLiteral("keeps # %, attention computed again # %, both # %, whole layers # %"),
                     {percent("reduce-scatter", "gathers"), percent("all-reduce", "attention"),
                      percent("reduce-scatter", "attention"), percent("all-reduce", "layer")});
        verify();
    }

    void messagesOfADivisionAreThePublishedOnes() {
        const auto volume = [](const char* sharding) {
            return gigabytes(
                engine::messagesOf(dividedBy(aloneOn64(1'310'000'000, sharding)), engine::ModelPhase::training)
                    .volume());
        };
        m_page.check(QStringLiteral("make # GB of messages, # GB with sharded weights"),
                     {volume("none"), volume("weights")});
        verify();
    }

private:
    void verify() {
        const QByteArray failures = m_page.takeFailures();
        QVERIFY2(failures.isEmpty(), failures.constData());
    }

    tests::ModelPage m_page{QStringLiteral(RINGSIDE_SOURCE "/MODEL.md")};
};

RINGSIDE_CORE_TEST(TestModelPage)
#include "tst_model_page.moc"
