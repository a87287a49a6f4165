#include "engine/workload/network_graph.h"

#include "engine/api/parameters.h"
#include "engine/workload/network_text.h"
#include "engine/workload/optimizer_steps.h"
#include "engine/workload/transformer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace engine {
namespace {

constexpr const char* kNetworkSource = "workload.network";
constexpr const char* kDividedSource =
    "published, integrated model and batch parallelism (arXiv 1712.04432), section 2: what a division of the operators "
    "sends";
constexpr const char* kRowsSource =
    "derived: data that are divided by rows are exchanged with data that are divided by samples";

std::int64_t shareOf(std::int64_t whole, std::int64_t parts) { return (whole + parts - 1) / parts; }

/// The value of a name of the network, as a let gives it, or a problem.
struct NameValue {
    std::optional<std::int64_t> value;
    std::optional<Problem> problem;
};

/// Evaluates the expressions of a network for operators of one division.
class NetworkSymbols {
public:
    /// `samples`: what b stands for.
    NetworkSymbols(const NetworkText& network, const Experiment& experiment, std::int64_t samples)
        : m_network(network),
          m_values{{"B", experiment.workload.batch}, {"S", experiment.workload.sequence}, {"N", experiment.parallel.tp},
                   {"D", experiment.division.dp},    {"e", elementBytes(experiment)},     {"b", samples}} {}

    /// Returns the value; adds a problem and returns 0 if there is none.
    std::int64_t of(const PlacedExpression& expression, Problems& problems) {
        std::optional<Problem> nested;
        const auto lookUp = [&](std::string_view name) -> std::optional<std::int64_t> {
            NameValue found = valueOf(name);
            if (found.problem && !nested)
                nested = std::move(found.problem);
            return found.value;
        };
        const Expression::Result result = expression.expression.evaluate(lookUp);
        if (nested)
            problems.push_back(std::move(*nested));
        else if (result.error)
            problems.push_back(networkProblem(expression, *result.error));
        return nested || result.error ? 0 : result.value;
    }

private:
    NameValue valueOf(std::string_view name) {
        if (const auto known = m_values.find(name); known != m_values.end())
            return {known->second, {}};
        const NetworkLet* let = m_network.find(name);
        if (let == nullptr)
            return {};
        if (!let->expression)
            return {std::nullopt,
                    networkProblem(let->name.at, let->name.word, "names a division; allowed here: a number")};
        if (m_open.size() >= static_cast<std::size_t>(kDeepestExpression))
            return {std::nullopt, networkProblem(let->name.at, let->name.word,
                                                 "lets depend on each other over more than " +
                                                     std::to_string(kDeepestExpression) + " steps")};
        if (!m_open.insert(let).second)
            return {std::nullopt, networkProblem(let->name.at, let->name.word, "its value depends on itself")};
        Problems problems;
        const std::int64_t value = of(*let->expression, problems);
        m_open.erase(let);
        if (!problems.empty())
            return {std::nullopt, std::move(problems.front())};
        m_values.emplace(name, value);
        return {value, {}};
    }

    const NetworkText& m_network;
    std::map<std::string, std::int64_t, std::less<>> m_values;
    std::set<const NetworkLet*> m_open;  // whose values are being computed
};

/// A line with its sizes on one GPU, and those of its output over the tensor group.
struct SizedLine {
    const NetworkLine* line = nullptr;
    OperatorDivision division = OperatorDivision::samples;
    GemmSize gemm;
    std::int64_t columns = 0;  ///< of the GEMM, over all GPUs
    std::int64_t times = 1;
    double flops = 0;
    std::int64_t bytes = 0;    ///< of work: DRAM traffic; of a collective: the buffer
    std::int64_t weights = 0;  ///< elements on this GPU
    std::int64_t wholeWeights = 0;
    std::int64_t whole = 0;  ///< elements of the output of all GPUs together
    std::int64_t own = 0;    ///< of these, those that this GPU computes
    std::int64_t halo = 0;   ///< bytes
    std::vector<std::size_t> from;

    bool isGemm() const { return line->kind == NetworkLine::Kind::gemm; }
    bool isCollective() const { return line->kind == NetworkLine::Kind::collective; }
};

/// Computes the sizes of all lines, with the problems on the way.
class NetworkSizes {
public:
    NetworkSizes(const NetworkText& network, const Experiment& experiment)
        : m_network(network), m_experiment(experiment), m_gpus(experiment.parallel.tp),
          m_whole(network, experiment, experiment.workload.batch),
          m_shared(network, experiment, experiment.workload.batch / experiment.parallel.tp) {
        for (const NetworkLine& line : network.lines)
            add(line);
    }

    const std::vector<SizedLine>& lines() const { return m_lines; }
    const Problems& problems() const { return m_problems; }

private:
    void report(const TextPlace& at, std::string value, std::string text) {
        m_problems.push_back(networkProblem(at, std::move(value), std::move(text)));
    }

    void add(const NetworkLine& line) {
        constexpr std::size_t kMost = 20;
        SizedLine sized;
        sized.line = &line;
        m_places.emplace(line.id.word, m_lines.size());
        if (line.from)
            for (const PlacedWord& from : *line.from)
                sized.from.push_back(m_places.at(from.word));
        else if (!m_lines.empty())
            sized.from.push_back(m_lines.size() - 1);
        if (m_problems.size() < kMost && readDivision(line, sized))
            readSizes(line, sized);
        m_lines.push_back(std::move(sized));
    }

    bool readDivision(const NetworkLine& line, SizedLine& sized) {
        if (line.division) {
            std::optional<OperatorDivision> division = operatorDivisionNamed(line.division->word);
            if (!division)
                if (const NetworkLet* let = m_network.find(line.division->word))
                    division = let->division;
            if (!division) {
                report(line.division->at, line.division->word,
                       "no division; allowed: samples, columns, rows, or the name of a let that has one");
                return false;
            }
            sized.division = *division;
        }
        const std::int64_t batch = m_experiment.workload.batch;
        if (sized.division == OperatorDivision::samples && batch % m_gpus != 0) {
            report(line.id.at, line.id.word,
                   std::to_string(m_gpus) + " GPUs do not divide workload.batch = " + std::to_string(batch) +
                       ", and each has its share of the samples; allowed: a batch that parallel.tp divides, or another "
                       "division");
            return false;
        }
        return true;
    }

    void readSizes(const NetworkLine& line, SizedLine& sized) {
        const bool shares = sized.division == OperatorDivision::samples,
                   cuts = sized.division == OperatorDivision::rows;
        NetworkSymbols& symbols = shares ? m_shared : m_whole;
        const auto valueOf = [&](const PlacedExpression& expression) { return symbols.of(expression, m_problems); };
        const auto optional = [&](const std::optional<PlacedExpression>& expression, std::int64_t usual) {
            return expression ? valueOf(*expression) : usual;
        };
        std::vector<std::int64_t> sizes;
        for (const PlacedExpression& size : line.sizes)
            sizes.push_back(valueOf(size));
        double written = 0;  // elements, as b counts the samples
        switch (line.kind) {
        case NetworkLine::Kind::gemm: {
            const auto [rows, columns, inner] = std::array{sizes[0], sizes[1], sizes[2]};
            sized.times = optional(line.times, 1);
            written = real(rows) * real(columns) * real(sized.times);
            const std::int64_t weights = optional(line.weights, saturated(real(columns) * real(inner)));
            sized.wholeWeights = weights;
            sized.weights = sized.division == OperatorDivision::columns ? shareOf(weights, m_gpus) : weights;
            sized.gemm = {cuts ? shareOf(rows, m_gpus) : rows,
                          sized.division == OperatorDivision::columns ? shareOf(columns, m_gpus) : columns, inner};
            sized.flops = 2 * real(sized.gemm.m) * real(sized.gemm.n) * real(sized.gemm.k) * real(sized.times);
            sized.columns = columns;
            checkGemm(line, sized);
            break;
        }
        case NetworkLine::Kind::work:
            sized.weights = sized.wholeWeights = optional(line.weights, 0);
            sized.flops = real(cuts ? shareOf(sizes[0], m_gpus) : sizes[0]);
            sized.bytes = cuts ? shareOf(sizes[1], m_gpus) : sizes[1];
            break;
        case NetworkLine::Kind::collective:
            sized.bytes = sizes[0];
            written = std::ceil(real(sizes[0]) / real(elementBytes(m_experiment)));
            break;
        }
        const std::int64_t output = line.output ? valueOf(*line.output) : saturated(written);
        sized.whole = shares && !sized.isCollective() ? saturated(real(output) * real(m_gpus)) : output;
        sized.own = shares ? output : shareOf(output, m_gpus);
        sized.halo = cuts ? optional(line.halo, 0) : 0;
        if (line.halo && !cuts)
            report(line.halo->at, line.halo->expression.text(),
                   "only an operator that is divided by rows has neighbours; allowed: in rows");
    }

    static std::int64_t saturated(double value) { return clamped(value).count; }

    void checkGemm(const NetworkLine& line, const SizedLine& sized) {
        constexpr std::array kWhat{"rows", "columns", "the inner side"};
        const std::array sides{sized.gemm.m, sized.gemm.n, sized.gemm.k};
        const std::array paths{"matrix.m", "matrix.n", "matrix.k"};
        for (std::size_t i = 0; i < sides.size(); ++i) {
            const auto most = static_cast<std::int64_t>(findParameter(paths[i])->maximum);
            if (sides[i] < 1 || sides[i] > most)
                report(line.sizes[i].at, line.sizes[i].expression.text(),
                       std::string(kWhat[i]) + " of the GEMM on one GPU are " + std::to_string(sides[i]) +
                           "; allowed: 1 to " + std::to_string(most));
        }
        if (sized.times < 1)
            report(line.times ? line.times->at : line.id.at, line.id.word, "it runs never; allowed: at least once");
        if (sized.division == OperatorDivision::columns && sized.columns < m_gpus)
            report(line.sizes[1].at, line.sizes[1].expression.text(),
                   "fewer columns than the " + std::to_string(m_gpus) +
                       " GPUs over which they are divided; allowed: at least parallel.tp");
    }

    const NetworkText& m_network;
    const Experiment& m_experiment;
    std::int64_t m_gpus;
    NetworkSymbols m_whole, m_shared;
    std::map<std::string, std::size_t, std::less<>> m_places;
    std::vector<SizedLine> m_lines;
    Problems m_problems;
};

/// Builds the operators: forward, then backward, then the optimizer.
class NetworkBuilder {
public:
    NetworkBuilder(const NetworkText& network, const Experiment& experiment, ModelPhase phase)
        : m_experiment(experiment), m_sizes(network, experiment), m_lines(m_sizes.lines()),
          m_gpus(experiment.parallel.tp), m_element(elementBytes(experiment)) {
        m_graph.phase = phase;
        m_graph.gpus = m_gpus;
        m_graph.layers = 1;
        m_graph.symbols = {{"B", experiment.workload.batch, "samples of one replica"},
                           {"S", experiment.workload.sequence, "steps of one sequence"},
                           {"N", m_gpus, "GPUs of the tensor-parallel group"},
                           {"D", experiment.division.dp, "replicas"},
                           {"e", m_element, "bytes of an element"}};
    }

    OperatorGraph graph() {
        const bool trains = m_graph.phase == ModelPhase::training;
        for (std::size_t i = 0; i < m_lines.size(); ++i)
            addForward(i);
        if (trains) {
            m_gradients.resize(m_lines.size());
            for (std::size_t i = m_lines.size(); i-- > 0;)
                addBackward(i);
            addOptimizer();
        }
        m_builder.finish(m_graph);
        addNotices();
        m_graph.network = std::move(m_messages);
        return std::move(m_graph);
    }

private:
    using enum OperatorPass;
    using Node = OperatorGraphBuilder::Node;

    /// Where the output of a line is: each GPU has its share of the samples or rows, or everything.
    enum class Layout : std::uint8_t { samples, rows, whole };

    Layout layoutOf(const SizedLine& line) const {
        switch (line.division) {
        case OperatorDivision::samples: return Layout::samples;
        case OperatorDivision::rows: return Layout::rows;
        case OperatorDivision::columns: break;
        }
        return Layout::whole;
    }

    Bytes bytesOf(double elements) const { return clamped(elements * real(m_element)); }

    Operator base(OperatorPass pass, const SizedLine& line, const std::string& suffix, const std::string& title) const {
        Operator op;
        op.id = std::string(name(pass)) + "/" + line.line->id.word + suffix;
        op.title = title;
        op.pass = pass;
        op.division = name(line.division);
        op.source = kNetworkSource;
        return op;
    }

    Node add(Operator op, const std::vector<Node>& reads, const std::vector<Node>& saved = {}) {
        return m_builder.add(std::move(op), reads, saved);
    }

    /// Adds a collective among the GPUs of the group. On one GPU adds nothing and returns the first of `reads`.
    Node collective(OperatorPass pass, const SizedLine& line, const std::string& suffix, const std::string& title,
                    SubLayer which, Bytes bytes, const std::vector<Node>& reads, const char* source) {
        if (m_gpus == 1 || bytes.count == 0)
            return reads.front();
        Operator op = base(pass, line, suffix, title);
        op.kind = OperatorKind::collective;
        op.operatorClass = OperatorClass::collective;
        op.bytes = bytes;
        op.output = which == SubLayer::reduceScatter ? Bytes{shareOf(bytes.count, m_gpus)} : bytes;
        op.workload.emplace();
        op.workload->sublayer = which;
        op.workload->bytes = bytes;
        op.formula = std::to_string(bytes.count) + " bytes";
        op.source = source;
        return add(std::move(op), reads);
    }

    /// Returns the output of a line in the layout in which an operator reads it.
    Node inputOf(std::size_t from, const SizedLine& reader) {
        const SizedLine& made = m_lines[from];
        const Layout has = layoutOf(made), needs = layoutOf(reader);
        if (has == needs || has == Layout::whole)
            return m_made[from];
        if (const auto known = m_converted.find({from, needs}); known != m_converted.end())
            return known->second;
        const Node node =
            needs == Layout::whole
                ? collective(forward, made, "/all-gather", "All-gather of " + made.line->id.word, SubLayer::allGather,
                             bytesOf(real(made.whole)), {m_made[from]}, kDividedSource)
                : collective(forward, made, "/all-to-all", "Exchange of " + made.line->id.word, SubLayer::allToAll,
                             bytesOf(real(made.own)), {m_made[from]}, kRowsSource);
        m_converted.emplace(std::pair(from, needs), node);
        return node;
    }

    void addForward(std::size_t index) {
        const SizedLine& line = m_lines[index];
        std::vector<Node> reads;
        for (const std::size_t from : line.from)
            reads.push_back(inputOf(from, line));
        Node node = line.isGemm() ? gemm(forward, line, "", line.line->id.word, line.gemm, line.times, reads, {})
                    : line.isCollective() ? ownCollective(forward, line, line.line->operation, reads)
                                          : work(forward, line, line.line->id.word, reads, {});
        m_reads.push_back(std::move(reads));
        m_computed.push_back(node);
        if (line.isGemm() && line.division == OperatorDivision::columns)
            node = collective(forward, line, "/all-gather", "All-gather of its output", SubLayer::allGather,
                              bytesOf(real(line.whole)), {node}, kDividedSource);
        m_made.push_back(node);
        if (line.weights > 0) {
            m_builder.at(m_computed.back()).weights = line.weights;
            const std::int64_t replicas = m_experiment.division.dp;
            const bool isDivided = line.isGemm() && line.division == OperatorDivision::columns;
            m_messages.weights.push_back(
                {line.line->id.word, line.weights, line.wholeWeights, isDivided ? replicas : m_gpus * replicas});
        }
        if (line.halo > 0 && m_gpus > 1)
            m_messages.halos.push_back({line.line->id.word, {line.halo}, m_gpus == 2 ? 1 : 2});
    }

    Node gemm(OperatorPass pass, const SizedLine& line, const std::string& suffix, const std::string& title,
              const GemmSize& size, std::int64_t times, const std::vector<Node>& reads,
              const std::vector<Node>& saved) {
        Operator op = base(pass, line, suffix, title);
        op.kind = OperatorKind::gemm;
        op.operatorClass = OperatorClass::gemm;
        op.gemm = size;
        op.gemms = times;
        op.flops = 2 * real(size.m) * real(size.n) * real(size.k) * real(times);
        op.output = bytesOf(pass == forward ? real(line.own) : real(size.m) * real(size.n) * real(times));
        op.formula = "GEMM " + std::to_string(size.m) + " x " + std::to_string(size.n) + " x " +
                     std::to_string(size.k) + ", 2 m n k flops";
        return add(std::move(op), reads, saved);
    }

    Node work(OperatorPass pass, const SizedLine& line, const std::string& title, const std::vector<Node>& reads,
              const std::vector<Node>& saved) {
        Operator op = base(pass, line, "", title);
        op.kind = OperatorKind::elementWise;
        op.operatorClass = OperatorClass::elementWise;
        op.flops = line.flops;
        op.bytes = {line.bytes};
        op.output = bytesOf(real(line.division == OperatorDivision::columns ? line.whole : line.own));
        op.formula = std::to_string(line.bytes) + " bytes of memory";
        return add(std::move(op), reads, saved);
    }

    Node ownCollective(OperatorPass pass, const SizedLine& line, CollectiveOperation operation,
                       std::vector<Node> reads) {
        if (reads.empty())  // the first operator: it moves data that come from outside
            reads.push_back(work(pass, line, "Input of " + line.line->id.word, {}, {}));
        return collective(pass, line, "/" + std::string(name(collectiveAlone(operation))), line.line->id.word,
                          collectiveAlone(operation), {line.bytes}, reads, kNetworkSource);
    }

    static CollectiveOperation mirrored(CollectiveOperation operation) {
        switch (operation) {
        case CollectiveOperation::reduceScatter: return CollectiveOperation::allGather;
        case CollectiveOperation::allGather: return CollectiveOperation::reduceScatter;
        default: return operation;
        }
    }

    /// Adds the gradients of a line's weights and of its inputs. The last lines read their own output, from which the
    /// backward pass begins.
    void addBackward(std::size_t index) {
        const SizedLine& line = m_lines[index];
        std::vector<Node> reads = m_gradients[index];
        if (reads.empty())
            reads.push_back(m_made[index]);
        const std::string& id = line.line->id.word;
        Node gradient = 0;
        if (line.isGemm()) {
            if (!line.from.empty())
                gradient = gemm(backward, line, "", "Input gradient of " + id, {line.gemm.m, line.gemm.k, line.gemm.n},
                                line.times, reads, {});
            const GemmSize size{line.gemm.n, line.gemm.k, saturatedRows(line)};
            m_weightGradients.push_back(
                gemm(backward, line, "/weights", "Weight gradient of " + id, size, 1, reads, m_reads[index]));
        } else if (line.isCollective()) {
            gradient = ownCollective(backward, line, mirrored(line.line->operation), reads);
        } else {
            gradient = work(backward, line, "Gradient of " + id, reads, m_reads[index]);
            if (line.weights > 0)
                m_weightGradients.push_back(gradient);
        }
        for (const std::size_t from : line.from)
            m_gradients[from].push_back(returned(from, line, gradient));
    }

    static std::int64_t saturatedRows(const SizedLine& line) {
        return clamped(real(line.gemm.m) * real(line.times)).count;
    }

    /// Returns the gradient of an input in the layout of the line that made the input.
    Node returned(std::size_t from, const SizedLine& reader, Node gradient) {
        const SizedLine& made = m_lines[from];
        const Layout to = layoutOf(made), has = layoutOf(reader);
        const Bytes whole = bytesOf(real(made.whole));
        const std::string suffix = m_lines[from].line->id.word;
        // Each GPU has computed a part of the sum over all columns.
        const bool isPartial = reader.isGemm() && reader.division == OperatorDivision::columns;
        if (isPartial && to == Layout::whole)
            return collective(backward, reader, "/" + suffix + "/all-reduce", "All-reduce of the gradient of " + suffix,
                              SubLayer::allReduce, whole, {gradient}, kDividedSource);
        if (isPartial)
            return collective(backward, reader, "/" + suffix + "/reduce-scatter",
                              "Reduce-scatter of the gradient of " + suffix, SubLayer::reduceScatter, whole, {gradient},
                              kDividedSource);
        if (has == to || has == Layout::whole)
            return gradient;
        if (to == Layout::whole)
            return collective(backward, reader, "/" + suffix + "/all-gather", "All-gather of the gradient of " + suffix,
                              SubLayer::allGather, whole, {gradient}, kDividedSource);
        return collective(backward, reader, "/" + suffix + "/all-to-all", "Exchange of the gradient of " + suffix,
                          SubLayer::allToAll, bytesOf(real(made.own)), {gradient}, kRowsSource);
    }

    void addOptimizer() {
        std::int64_t weights = 0;
        for (const NetworkWeights& each : m_messages.weights)
            weights += each.weights;
        std::vector<Node> reads = m_weightGradients;
        for (const OptimizerStep& step : optimizerSteps(m_experiment.training.optimizer, real(m_element))) {
            Operator op;
            op.id = std::string(name(optimizer)) + "/weights" + step.suffix;
            op.title = step.title + " on all weights";
            op.pass = optimizer;
            op.kind = OperatorKind::elementWise;
            op.operatorClass = OperatorClass::optimizer;
            op.bytes = clamped((step.read + step.written) * real(weights));
            op.output = clamped(step.written * real(weights));
            op.flops = step.flops * real(weights);
            op.formula = step.formula("the GPU's weights");
            op.source = step.source;
            reads = {add(std::move(op), reads)};
        }
    }

    void addNotices() {
        Notices& notices = m_graph.notices;
        std::string rounded;
        for (const SizedLine& line : m_lines)
            if (line.isGemm() && line.division == OperatorDivision::columns && line.gemm.n * m_gpus != line.columns)
                rounded += (rounded.empty() ? "" : ", ") + line.line->id.word;
        if (!rounded.empty())
            notices.push_back({"parallel.tp", std::to_string(m_gpus) + " GPUs do not divide the columns of " + rounded +
                                                  ": each GPU computes a rounded-up share"});
        for (const Parameter& parameter : parameters()) {
            static constexpr std::array kUnread{"operators.attention",      "operators.dropout",
                                                "operators.recompute",      "operators.passes",
                                                "operators.embedding_rows", "collective.operation"};
            const bool ofTransformer = parameter.group == ParameterGroup::model &&
                                       parameter.reading.whyNot != nullptr &&
                                       !parameter.reading.whyNot(m_experiment).empty();
            if ((ofTransformer || std::ranges::count(kUnread, parameter.path) != 0) &&
                parameter.read(m_experiment) != parameter.defaultValue)
                notices.push_back({parameter.path, "not read: a network says its operators itself"});
        }
        if (!m_messages.halos.empty())
            notices.push_back({"workload.network", "the halos of operators that are divided by rows are counted as "
                                                   "messages, and their time is left out"});
    }

    const Experiment& m_experiment;
    NetworkSizes m_sizes;
    const std::vector<SizedLine>& m_lines;
    std::int64_t m_gpus, m_element;
    OperatorGraph m_graph;
    NetworkMessages m_messages;
    OperatorGraphBuilder m_builder;
    std::vector<Node> m_computed, m_made;                        // by line: the operator, and its output for others
    std::map<std::pair<std::size_t, Layout>, Node> m_converted;  // outputs in another layout
    std::vector<std::vector<Node>> m_reads, m_gradients;         // by line
    std::vector<Node> m_weightGradients;
};

/// A network with its values, and what is wrong with either.
NetworkReading networkOf(const Experiment& experiment) {
    NetworkReading reading = readNetwork(experiment.workload.network);
    if (reading.problems.empty())
        replaceSymbols(experiment.workload.symbols, reading.network, reading.problems);
    return reading;
}

}  // namespace

Problems networkProblems(const Experiment& experiment, ModelPhase phase) {
    NetworkReading reading = networkOf(experiment);
    Problems problems = std::move(reading.problems);
    if (problems.empty())
        problems = NetworkSizes(reading.network, experiment).problems();
    if (phase == ModelPhase::generation)
        problems.push_back({"phase", "generation", "a network has no cached keys; allowed: training, prompt"});
    return problems;
}

OperatorGraph networkGraphOf(const Experiment& experiment, ModelPhase phase) {
    return NetworkBuilder(networkOf(experiment).network, experiment, phase).graph();
}

}  // namespace engine
