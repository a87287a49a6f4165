#include "engine/network/topology_builder.h"

#include "engine/api/parameters.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

namespace engine {

namespace {

void addGpus(Topology& topology, std::uint32_t gpus) {
    topology.gpus = gpus;
    for (std::uint32_t gpu = 0; gpu < gpus; ++gpu)
        topology.nodes.push_back({false, "GPU " + std::to_string(gpu), 0, gpu, 0});
}

// Adds both directions of one link.
void join(Topology& topology, std::uint32_t a, std::uint32_t b, Bandwidth bandwidth, Duration latency) {
    topology.links.push_back({a, b, bandwidth, latency});
    topology.links.push_back({b, a, bandwidth, latency});
}

void joinRing(Topology& topology, const LinkConfig& link) {
    const std::uint32_t last = topology.gpus - 1;
    for (std::uint32_t gpu = topology.gpus == 2 ? 1 : 0; gpu < topology.gpus; ++gpu)
        join(topology, gpu, gpu == 0 ? last : gpu - 1, packetBandwidth(link), link.latency);
}

void joinAll(Topology& topology, std::uint32_t from, std::uint32_t to, const LinkConfig& link) {
    for (std::uint32_t a = from; a < to; ++a)
        for (std::uint32_t b = from; b < a; ++b)
            join(topology, a, b, packetBandwidth(link), link.latency);
}

void joinBySwitch(Topology& topology, const LinkConfig& link) {
    const std::uint32_t centre = topology.gpus;
    topology.nodes.push_back({true, "switch 0", 0, 0, 0});
    for (std::uint32_t gpu = 0; gpu < topology.gpus; ++gpu)
        join(topology, gpu, centre, packetBandwidth(link), link.latency);
}

// Joins the rows before the columns: of several shortest routes the one whose links come first is taken, so a route
// goes along its row first.
void joinTorus(Topology& topology, std::uint32_t columns, const LinkConfig& link) {
    const std::uint32_t rows = topology.gpus / columns;
    const std::vector<std::uint32_t> cycle = torusCycle(rows, columns);
    // GPU i sends to GPU i-1: the cycle is walked downwards.
    std::vector<std::uint32_t> gpuAt(topology.gpus);
    for (std::uint32_t place = 0; place < topology.gpus; ++place) {
        const std::uint32_t gpu = (topology.gpus - place) % topology.gpus;
        gpuAt[cycle[place]] = gpu;
        topology.nodes[gpu].row = cycle[place] / columns;
        topology.nodes[gpu].column = cycle[place] % columns;
    }
    const auto along = [&](bool inRow) {
        const std::uint32_t length = inRow ? columns : rows;
        if (length == 1)
            return;
        for (std::uint32_t cell = 0; cell < topology.gpus; ++cell) {
            const std::uint32_t row = cell / columns, column = cell % columns;
            const std::uint32_t at = inRow ? column : row;
            if (length == 2 && at == 1)  // the way around is the same link
                continue;
            const std::uint32_t next = (at + 1) % length;
            join(topology, gpuAt[cell], gpuAt[inRow ? row * columns + next : next * columns + column],
                 packetBandwidth(link), link.latency);
        }
    };
    along(true);
    along(false);
}

// Joins GPU i of the first node to GPU N-1-i of the second: the ring goes around one node, then around the other.
void joinTwoNodes(Topology& topology, const Experiment& e) {
    const std::uint32_t half = topology.gpus / 2;
    joinAll(topology, 0, half, e.link);
    joinAll(topology, half, topology.gpus, e.link);
    for (std::uint32_t gpu = 0; gpu < topology.gpus; ++gpu) {
        topology.nodes[gpu].group = gpu < half ? 0 : 1;
        topology.nodes[gpu].column = gpu < half ? gpu : topology.gpus - 1 - gpu;
    }
    for (std::uint32_t gpu = 0; gpu < half; ++gpu)
        join(topology, gpu, topology.gpus - 1 - gpu, e.topology.nodeBandwidth, e.topology.nodeLatency);
}

/// Reads one entry of a list of links.
class LinkReader {
public:
    LinkReader(const Experiment& experiment, Topology& topology, Problems& problems)
        : m_experiment(experiment), m_topology(topology), m_problems(problems) {}

    void read(std::string_view entry) {
        m_entry = entry;
        const std::size_t at = entry.find('@');
        const std::string_view ends = entry.substr(0, at);
        const std::size_t joint = ends.find_first_of("->");
        if (joint == std::string_view::npos)
            return problem(
                "not a link; allowed: two ends joined by - (both directions) or > (one), such as 0-1 or 0>s0");
        const auto from = end(ends.substr(0, joint));
        const auto to = end(ends.substr(joint + 1));
        Bandwidth bandwidth = packetBandwidth(m_experiment.link);
        Duration latency = m_experiment.link.latency;
        if (at != std::string_view::npos && !readNumbers(entry.substr(at + 1), bandwidth, latency))
            return;
        if (!from || !to)
            return;
        if (*from == *to)
            return problem("joins a node to itself");
        const bool both = ends[joint] == '-';
        if (joined(*from, *to) || (both && joined(*to, *from)))
            return problem("this link exists already; give one link the bandwidth of both");
        m_topology.links.push_back({*from, *to, bandwidth, latency});
        if (both)
            m_topology.links.push_back({*to, *from, bandwidth, latency});
    }

private:
    static constexpr std::uint32_t kMostSwitches = 64;

    void problem(std::string text) { m_problems.push_back({"topology.links", std::string(m_entry), std::move(text)}); }

    // The index of a node, or the number of a switch above all GPUs; switches get their nodes later, by number.
    std::optional<std::uint32_t> end(std::string_view text) {
        const bool isSwitch = !text.empty() && text.front() == 's';
        const std::string_view digits = isSwitch ? text.substr(1) : text;
        std::uint32_t number = 0;
        const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        const std::uint32_t limit = isSwitch ? kMostSwitches : m_topology.gpus;
        if (error != std::errc() || stop != digits.data() + digits.size() || digits.empty() || number >= limit) {
            problem("\"" + std::string(text) + "\" is not a node; allowed: GPUs 0 to " +
                    std::to_string(m_topology.gpus - 1) + " (parallel.tp), switches s0 to s" +
                    std::to_string(kMostSwitches - 1));
            return std::nullopt;
        }
        return isSwitch ? m_topology.gpus + number : number;
    }

    bool readNumbers(std::string_view text, Bandwidth& bandwidth, Duration& latency) {
        const std::size_t comma = text.find(',');
        return (comma == 0 || readOne("link.bandwidth", text.substr(0, comma), bandwidth.bytesPerSecond)) &&
               (comma == std::string_view::npos || readOne("link.latency", text.substr(comma + 1), latency.ps));
    }

    bool readOne(const char* like, std::string_view text, std::int64_t& value) {
        Problems found;
        const Parameter& parameter = *findParameter(like);
        const auto read = parseValue(parameter, text, found);
        if (!read) {
            problem(found.empty() ? "not a number" : found.front().text);
            return false;
        }
        value = std::get<std::int64_t>(*read);
        return true;
    }

    bool joined(std::uint32_t from, std::uint32_t to) const {
        return std::any_of(m_topology.links.begin(), m_topology.links.end(),
                           [&](const TopologyLink& link) { return link.from == from && link.to == to; });
    }

    const Experiment& m_experiment;
    Topology& m_topology;
    Problems& m_problems;
    std::string_view m_entry;
};

// Gives each named switch a node, in the order of their numbers.
void numberSwitches(Topology& topology) {
    std::vector<std::uint32_t> used;
    for (const TopologyLink& link : topology.links)
        for (const std::uint32_t end : {link.from, link.to})
            if (end >= topology.gpus)
                used.push_back(end);
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    for (const std::uint32_t number : used)
        topology.nodes.push_back({true, "switch " + std::to_string(number - topology.gpus), 0, 0, 0});
    const auto nodeOf = [&](std::uint32_t& end) {
        if (end >= topology.gpus)
            end = topology.gpus +
                  static_cast<std::uint32_t>(std::lower_bound(used.begin(), used.end(), end) - used.begin());
    };
    for (TopologyLink& link : topology.links) {
        nodeOf(link.from);
        nodeOf(link.to);
    }
}

}  // namespace

std::uint32_t torusColumns(const Experiment& experiment) {
    if (experiment.topology.torusColumns)
        return static_cast<std::uint32_t>(*experiment.topology.torusColumns);
    const auto gpus = static_cast<std::uint32_t>(experiment.parallel.tp);
    std::uint32_t columns = 1;
    for (std::uint32_t rows = 1; rows * rows <= gpus; ++rows)
        if (gpus % rows == 0)
            columns = gpus / rows;
    return columns;
}

std::vector<std::uint32_t> torusCycle(std::uint32_t rows, std::uint32_t columns) {
    std::vector<std::uint32_t> cycle;
    const auto visit = [&](std::uint32_t row, std::uint32_t column) { cycle.push_back(row * columns + column); };
    const bool turned = rows > 1 && columns > 1 && (rows % 2 == 1 ? columns % 2 == 0 || columns > rows : false);
    if (turned) {  // the same along the other side
        for (const std::uint32_t cell : torusCycle(columns, rows))
            visit(cell % rows, cell / rows);
    } else if (rows == 1 || columns == 1) {
        for (std::uint32_t cell = 0; cell < rows * columns; ++cell)
            cycle.push_back(cell);
    } else if (rows % 2 == 0) {
        // To and fro through all columns but the first, and back through that.
        visit(0, 0);
        for (std::uint32_t row = 0; row < rows; ++row)
            for (std::uint32_t step = 1; step < columns; ++step)
                visit(row, row % 2 == 0 ? step : columns - step);
        for (std::uint32_t row = rows - 1; row > 0; --row)
            visit(row, 0);
    } else {
        // Both odd, columns <= rows: the cycle goes around each row completely, which ends one column before or after
        // the column where it began. There are as many more rows of one direction than of the other as there are
        // columns, so that the last cell meets the first.
        std::uint32_t column = 0;
        for (std::uint32_t row = 0; row < rows; ++row) {
            const bool upwards = row >= (rows + columns) / 2;
            for (std::uint32_t step = 0; step < columns; ++step)
                visit(row, (column + (upwards ? step : columns - step)) % columns);
            column = (column + (upwards ? columns - 1 : 1)) % columns;
        }
    }
    return cycle;
}

Topology parseLinks(const Experiment& experiment, Problems& problems) {
    Topology topology;
    topology.kind = TopologyKind::custom;
    addGpus(topology, static_cast<std::uint32_t>(experiment.parallel.tp));
    LinkReader reader(experiment, topology, problems);
    const std::string_view text = experiment.topology.links;
    for (std::size_t from = text.find_first_not_of(" \t\n"); from != std::string_view::npos;) {
        const std::size_t to = text.find_first_of(" \t\n", from);
        reader.read(text.substr(from, to - from));
        from = to == std::string_view::npos ? to : text.find_first_not_of(" \t\n", to);
    }
    numberSwitches(topology);
    return topology;
}

Topology buildTopology(const Experiment& e) {
    if (e.topology.kind == TopologyKind::custom) {
        Problems none;
        return parseLinks(e, none);
    }
    Topology topology;
    topology.kind = e.topology.kind;
    addGpus(topology, static_cast<std::uint32_t>(e.parallel.tp));
    switch (e.topology.kind) {
    case TopologyKind::ring: joinRing(topology, e.link); break;
    case TopologyKind::fullyConnected: joinAll(topology, 0, topology.gpus, e.link); break;
    case TopologyKind::switched: joinBySwitch(topology, e.link); break;
    case TopologyKind::torus: joinTorus(topology, torusColumns(e), e.link); break;
    case TopologyKind::twoNodes: joinTwoNodes(topology, e); break;
    case TopologyKind::custom: break;
    }
    return topology;
}

}  // namespace engine
