#include "data/questions/divisions.h"

#include "data/document/names.h"
#include "data/document/problem_list.h"
#include "data/model/model_memory.h"
#include "data/model/model_step.h"
#include "engine/api/baselines.h"
#include "engine/api/division.h"
#include "engine/api/footprint.h"
#include "engine/api/messages.h"
#include "engine/api/operator_graph.h"
#include "engine/api/parameters.h"
#include "engine/api/runner.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>

namespace data {
namespace {

using engine::Experiment;
using engine::Recompute;
using engine::Sharding;

constexpr engine::ModelPhase kSearchedPhase = engine::ModelPhase::training;

/// The parameters that the search chooses.
constexpr std::array kDivisionPaths{"parallel.tp",           "division.pp",         "division.dp",
                                    "division.microbatches", "division.interleave", "division.sharding",
                                    "workload.batch",        "operators.recompute"};

void applyDivision(const Division& division, Experiment& experiment) {
    experiment.parallel.tp = division.tp;
    experiment.division.pp = division.pp;
    experiment.division.dp = division.dp;
    experiment.division.microbatches = division.microbatches;
    experiment.division.interleave = division.interleave;
    experiment.division.sharding = division.sharding;
    experiment.workload.batch = division.batch;
    experiment.operators.recompute = division.recompute;
}

bool isAllowed(const char* path, std::int64_t value) {
    return !engine::check(*engine::findParameter(path), engine::ParameterValue(value));
}

std::vector<std::int64_t> divisorsUpTo(std::int64_t number, std::int64_t most, const char* path) {
    std::vector<std::int64_t> divisors;
    for (std::int64_t divisor = 1; divisor <= std::min(number, most); ++divisor) {
        if (number % divisor == 0 && isAllowed(path, divisor))
            divisors.push_back(divisor);
    }
    return divisors;
}

/// Returns the time, limited so that sums of absurdly long times stay within 63 bits.
engine::Duration clampedTime(double picoseconds) {
    return {static_cast<std::int64_t>(std::min(std::ceil(picoseconds), 9e18))};
}

engine::Duration messageTime(const Experiment& experiment, const engine::Messages& messages) {
    constexpr double kPicoseconds = 1e12;
    const auto seconds = [](engine::Bytes bytes, engine::Bandwidth bandwidth) {
        return static_cast<double>(bytes.count) / static_cast<double>(bandwidth.bytesPerSecond);
    };
    return clampedTime(kPicoseconds * (seconds(messages.sentWithinNode(), engine::packetBandwidth(experiment.link)) +
                                       seconds(messages.sentBetweenNodes(), experiment.topology.nodeBandwidth)));
}

bool isBefore(const Division& a, const Division& b) {
    const auto key = [](const Division& d) {
        return std::tuple(!d.fits, d.estimate, d.footprint, d.tp, d.pp, d.dp, d.batch, d.microbatches, d.interleave,
                          d.sharding, d.recompute);
    };
    return key(a) < key(b);
}

/// Returns the base with one GPU of one replica, where every sharding is possible that the model allows: its problems occur in every
/// division.
Experiment undivided(const Experiment& base) {
    Experiment experiment = base;
    Division plain;
    plain.sharding = engine::isNetwork(base) ? Sharding::none : Sharding::weights;
    applyDivision(plain, experiment);
    return experiment;
}

class DivisionSearch {
public:
    explicit DivisionSearch(const DivisionsQuestion& question) : m_question(question), m_experiment(question.base) {}

    Divisions search() {
        m_degrees = degrees();
        for (std::size_t i = 0; i < m_degrees.size(); ++i) {
            report(i);
            addDegree(m_degrees[i]);
        }
        report(m_degrees.size());
        std::sort(m_found.rows.begin(), m_found.rows.end(), isBefore);
        m_found.fitting = static_cast<std::size_t>(
            std::count_if(m_found.rows.begin(), m_found.rows.end(), [](const Division& row) { return row.fits; }));
        addNotices();
        return std::move(m_found);
    }

private:
    void poll() const {
        if (m_question.stop.stop_requested())
            throw engine::RunStopped();
    }

    void report(std::size_t degreesDone) const {
        poll();
        if (m_question.progress)
            m_question.progress(
                m_degrees.empty() ? 1 : static_cast<double>(degreesDone) / static_cast<double>(m_degrees.size()));
    }

    /// Returns the degrees of tensor parallelism that the model allows.
    std::vector<std::int64_t> degrees() {
        std::vector<std::int64_t> degrees = divisorsUpTo(m_question.gpus, m_question.base.node.gpus, "parallel.tp");
        std::erase_if(degrees, [&](std::int64_t tp) {
            m_experiment.parallel.tp = tp;
            return !engine::operatorGraphProblems(m_experiment, kSearchedPhase).empty();
        });
        return degrees;
    }

    void addDegree(std::int64_t tp) {
        Division division;
        division.tp = tp;
        const std::int64_t groups = m_question.gpus / tp, layers = engine::layersOfModel(m_question.base);
        std::vector<Division> meshes;
        for (const std::int64_t pp : divisorsUpTo(groups, layers, "division.pp")) {
            division.pp = pp;
            division.dp = groups / pp;
            if (layers % pp == 0 && m_question.sequences % division.dp == 0 && isAllowed("division.dp", division.dp))
                meshes.push_back(division);
        }
        for (std::int64_t batch = 1; batch <= m_question.sequences && isAllowed("workload.batch", batch); batch *= 2) {
            std::vector<Division> dealt;
            for (Division mesh : meshes) {
                const std::int64_t ofReplica = m_question.sequences / mesh.dp;
                mesh.batch = batch;
                mesh.microbatches = ofReplica / batch;
                if (ofReplica % batch == 0 && isAllowed("division.microbatches", mesh.microbatches))
                    dealt.push_back(mesh);
            }
            if (!dealt.empty())
                addBatch(dealt);
        }
    }

    /// Adds the divisions of one tp and batch, with one graph for each recompute word that changes the graph.
    void addBatch(const std::vector<Division>& meshes) {
        engine::OperatorGraph before;
        for (const Recompute word : {Recompute::none, Recompute::gathers, Recompute::attention, Recompute::layer}) {
            Division first = meshes.front();
            first.recompute = word;
            applyDivision(first, m_experiment);
            if (!engine::operatorGraphProblems(m_experiment, kSearchedPhase).empty())
                return;  // GPUs that do not divide the samples of a network
            engine::OperatorGraph graph = engine::operatorGraphOf(m_experiment, kSearchedPhase);
            if (graph.operators == before.operators && graph.edges == before.edges)
                continue;
            for (Division mesh : meshes) {
                mesh.recompute = word;
                addMesh(mesh, graph);
            }
            before = std::move(graph);
        }
    }

    void addMesh(Division division, const engine::OperatorGraph& graph) {
        const double flops =
            graph.flopsWithRecompute() * static_cast<double>(division.microbatches) / static_cast<double>(division.pp);
        division.compute = engine::rooflineTime(m_question.base, flops, {});
        for (const std::int64_t interleave : {1, 2, 4}) {
            if (interleave > 1 && division.pp == 1)
                break;  // a single stage has all layers, so its number of chunks makes no difference
            division.interleave = interleave;
            division.bubble = static_cast<double>(division.pp - 1) /
                              (static_cast<double>(interleave) * static_cast<double>(division.microbatches));
            addShardings(division, graph);
        }
    }

    void addShardings(Division division, const engine::OperatorGraph& graph) {
        for (const Sharding sharding : {Sharding::none, Sharding::optimizer, Sharding::gradients, Sharding::weights}) {
            poll();
            division.sharding = sharding;
            applyDivision(division, m_experiment);
            if (!engine::divisionProblems(m_experiment).empty())
                continue;
            add(division, graph);
            if (division.dp == 1)
                break;  // a single replica has no other replica to divide its states with
        }
    }

    void add(Division& division, const engine::OperatorGraph& graph) {
        const engine::Footprint footprint = engine::footprintOf(m_experiment, graph);
        division.footprint = footprint.bytes().total();
        division.fits = footprint.fits.value_or(true);
        division.messages = messageTime(m_experiment, engine::messagesOf(m_experiment, graph));
        division.estimate = clampedTime(static_cast<double>(division.compute.ps) * (1 + division.bubble) +
                                        static_cast<double>(division.messages.ps));
        m_found.rows.push_back(division);
        for (const engine::Notice& notice : footprint.notices)
            addOnce(m_met, notice);
    }

    /// Adds the notices of rows. Notices about one parameter differ only in the degree, so only the first is added.
    void addNoticesOfRows() {
        for (const engine::Notice& notice : m_met) {
            if (findNamed(m_found.notices, &engine::Notice::path, notice.path) != nullptr)
                continue;
            m_found.notices.push_back(notice);
            const auto alike = std::ranges::count(m_met, notice.path, &engine::Notice::path);
            if (alike > 1)
                m_found.notices.back().text += "; the same holds at other degrees";
        }
    }

    void addNotices() {
        const Experiment& base = m_question.base;
        if (m_found.rows.empty()) {
            m_found.notices = {{"divisions", whyNone()}};
            return;
        }
        addNoticesOfRows();
        const auto valueOf = [&](const char* path) {
            const engine::Parameter& parameter = *engine::findParameter(path);
            return engine::formatValue(parameter, parameter.read(base)) + " (" + path + ")";
        };
        const engine::Parameter& link = *engine::findParameter("link.bandwidth");
        const std::string within = base.link.efficiency == 1
                                       ? valueOf("link.bandwidth")
                                       : engine::formatValue(link, engine::packetBandwidth(base.link).bytesPerSecond) +
                                             " (link.bandwidth x link.efficiency)";
        m_found.notices.push_back({"estimate", "messages are sent at " + within + " inside a node and at " +
                                                   valueOf("topology.node_bandwidth") +
                                                   " between nodes, without overlap and latency: the estimate ranks "
                                                   "divisions and does not predict the time of a step"});
        using enum engine::TopologyKind;
        if (isAmong(std::array{fullyConnected, torus, custom}, base.topology.kind) &&
            base.topology.egress == engine::TopologyEgress::perLink)
            m_found.notices.push_back({"link.bandwidth", "the estimate sends everything inside a node over one link of "
                                                         "a GPU, although it has several"});
    }

    std::string whyNone() const {
        const Experiment& base = m_question.base;
        std::string allowed;
        for (const std::int64_t tp : m_degrees)
            allowed += (allowed.empty() ? "" : ", ") + std::to_string(tp);
        const auto range = [](const char* path) { return engine::describeAllowed(*engine::findParameter(path)); };
        return std::to_string(m_question.gpus) +
               " GPUs cannot be divided into tp x dp x pp; allowed: tp up to node.gpus = " +
               std::to_string(base.node.gpus) + " that the model allows (" + allowed + "), pp that divides its " +
               std::to_string(engine::layersOfModel(base)) + " layers, dp (" + range("division.dp") +
               ") that divides " + std::to_string(m_question.sequences) + " sequences, and micro-batches (" +
               range("division.microbatches") + ") whose number of sequences is a power of two";
    }

    const DivisionsQuestion& m_question;
    Experiment m_experiment;
    std::vector<std::int64_t> m_degrees;
    Divisions m_found;
    engine::Notices m_met;  // notices of all rows, each once
};

}  // namespace

engine::Problems divisionsProblems(const DivisionsQuestion& question) {
    engine::Problems problems;
    const auto checkPositive = [&](const char* path, std::int64_t value) {
        if (value < 1)
            problems.push_back({path, std::to_string(value), "nothing to divide; allowed: 1 or more"});
    };
    checkPositive("gpus", question.gpus);
    checkPositive("sequences", question.sequences);
    if (const auto weights = question.base.division.weights) {
        problems.push_back({"division.weights", std::to_string(*weights),
                            "a number of weights alone has no layers to divide; allowed: model"});
        return problems;
    }
    append(problems, engine::footprintProblems(undivided(question.base), kSearchedPhase));
    return problems;
}

Divisions divisionsOf(const DivisionsQuestion& question) {
    refuseAny(divisionsProblems(question));
    return DivisionSearch(question).search();
}

void simulateBest(const DivisionsQuestion& question, std::size_t count, int threads, Divisions& divisions) {
    ModelRunOptions options;
    options.policies = {engine::PolicyPreset::sequential};
    options.threads = threads;
    options.stop = question.stop;
    options.memory = std::make_shared<ModelMemory>();
    options.baselineCache = std::make_shared<engine::BaselineCache>();
    const std::size_t best = std::min(count, divisions.rows.size());
    for (std::size_t i = 0; i < best; ++i) {
        Experiment experiment = question.base;
        applyDivision(divisions.rows[i], experiment);
        if (const engine::Problems problems = modelRunProblems(experiment, options); !problems.empty()) {
            addOnce(divisions.notices,
                    engine::Notice{"step", "not every division can be timed; " + engine::describe(problems.front())});
            continue;
        }
        if (question.progress)
            options.progress = [&](double done) {
                question.progress((static_cast<double>(i) + done) / static_cast<double>(best));
            };
        const ModelRun run = modelRun(experiment, options);
        divisions.rows[i].step = stepOf(run, run.policies.front()).total;
    }
    std::stable_sort(divisions.rows.begin(), divisions.rows.begin() + static_cast<std::ptrdiff_t>(best),
                     [](const Division& a, const Division& b) { return a.step && (!b.step || *a.step < *b.step); });
    divisions.notices.push_back({"step", "simulated under sequential, for the first " + std::to_string(best) +
                                             " divisions by estimate, which are ordered by it"});
}

Settings settingsOf(const Division& division) {
    Experiment experiment;
    applyDivision(division, experiment);
    Settings settings;
    for (const char* path : kDivisionPaths)
        settings.emplace(path, engine::findParameter(path)->read(experiment));
    return settings;
}

}  // namespace data
