#include "data/questions/wait_for.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

namespace data {
namespace {

constexpr std::size_t kNoCall = static_cast<std::size_t>(-1);

/// The graph of waits. Its vertices are: each rank past each of its calls; the begin of each operation on each rank of
/// its group; the end of each operation. An edge leads from what waits to what it waits for.
class WaitGraph {
public:
    explicit WaitGraph(const CallProgram& program) : m_program(program) {
        std::size_t next = 0;
        for (const std::vector<Call>& calls : program.ranks) {
            m_firstPast.push_back(next);
            next += calls.size();
        }
        m_pasts = next;
        for (const CallOperation& operation : program.operations) {
            m_firstBegin.push_back(next);
            next += operation.group.size();
        }
        m_firstEnd = next;
        m_waitsFor.resize(next + program.operations.size());
        m_callAt.assign(m_firstEnd - m_pasts, kNoCall);
        addCalls();
        for (std::size_t operation = 0; operation < program.operations.size(); ++operation)
            for (std::size_t member = 0; member < program.operations[operation].group.size(); ++member)
                m_waitsFor[endOf(operation)].push_back(m_firstBegin[operation] + member);
    }

    WaitOutcome outcome() {
        findNever();
        WaitOutcome outcome;
        for (std::size_t rank = 0; rank < m_program.ranks.size(); ++rank)
            if (const auto call = firstNever(rank))
                outcome.never.push_back({rank, *call});
        for (std::size_t operation = 0; operation < m_program.operations.size(); ++operation) {
            const std::vector<std::size_t>& group = m_program.operations[operation].group;
            for (std::size_t member = 0; member < group.size(); ++member)
                if (m_callAt[m_firstBegin[operation] + member - m_pasts] == kNoCall)
                    outcome.missing.push_back({group[member], operation});
        }
        outcome.cycle = cycle();
        return outcome;
    }

private:
    std::size_t pastOf(std::size_t rank, std::size_t call) const { return m_firstPast[rank] + call; }
    std::size_t endOf(std::size_t operation) const { return m_firstEnd + operation; }
    std::size_t beginOf(std::size_t rank, std::size_t operation) const {
        const std::vector<std::size_t>& group = m_program.operations[operation].group;
        return m_firstBegin[operation] +
               static_cast<std::size_t>(std::ranges::lower_bound(group, rank) - group.begin());
    }

    void addCalls() {
        for (std::size_t rank = 0; rank < m_program.ranks.size(); ++rank) {
            std::vector<std::size_t> lastOfLibrary(m_program.libraries.size(), kNoCall);  // operations
            const std::vector<Call>& calls = m_program.ranks[rank];
            for (std::size_t i = 0; i < calls.size(); ++i) {
                std::vector<std::size_t>& past = m_waitsFor[pastOf(rank, i)];
                const Call& call = calls[i];
                const std::size_t library = m_program.operations[call.operation].library;
                const bool blocks = m_program.libraries[library].kind == CallKind::blocking;
                if (i > 0)
                    past.push_back(pastOf(rank, i - 1));
                if (call.waits || blocks)
                    past.push_back(endOf(call.operation));
                if (call.waits)
                    continue;
                const std::size_t begin = beginOf(rank, call.operation);
                m_callAt[begin - m_pasts] = i;
                if (i > 0)
                    m_waitsFor[begin].push_back(pastOf(rank, i - 1));
                if (blocks)
                    continue;
                const std::size_t before = std::exchange(lastOfLibrary[library], call.operation);
                if (before != kNoCall)
                    m_waitsFor[begin].push_back(endOf(before));
            }
        }
    }

    bool isMissing(std::size_t vertex) const {
        return vertex >= m_pasts && vertex < m_firstEnd && m_callAt[vertex - m_pasts] == kNoCall;
    }

    /// Lets everything happen that waits for nothing any more; what remains never happens.
    void findNever() {
        std::vector<std::uint32_t> waits(m_waitsFor.size());
        std::vector<std::vector<std::uint32_t>> waiters(m_waitsFor.size());
        std::vector<std::size_t> happens;
        for (std::size_t vertex = 0; vertex < m_waitsFor.size(); ++vertex) {
            waits[vertex] = static_cast<std::uint32_t>(m_waitsFor[vertex].size());
            for (const std::size_t other : m_waitsFor[vertex])
                waiters[other].push_back(static_cast<std::uint32_t>(vertex));
            if (waits[vertex] == 0 && !isMissing(vertex))
                happens.push_back(vertex);
        }
        m_never.assign(m_waitsFor.size(), true);
        while (!happens.empty()) {
            const std::size_t vertex = happens.back();
            happens.pop_back();
            m_never[vertex] = false;
            for (const std::uint32_t waiter : waiters[vertex])
                if (--waits[waiter] == 0)
                    happens.push_back(waiter);
        }
    }

    std::optional<std::size_t> firstNever(std::size_t rank) const {
        for (std::size_t call = 0; call < m_program.ranks[rank].size(); ++call)
            if (m_never[pastOf(rank, call)])
                return call;
        return std::nullopt;
    }

    /// Returns a shortest circle of waits through a vertex of one.
    std::vector<WaitStep> cycle() const {
        using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
        Graph graph(m_waitsFor.size());
        for (std::size_t vertex = 0; vertex < m_waitsFor.size(); ++vertex)
            for (const std::size_t other : m_waitsFor[vertex])
                if (m_never[vertex] && m_never[other])
                    boost::add_edge(vertex, other, graph);
        std::vector<std::size_t> component(m_waitsFor.size());
        const std::size_t count = boost::strong_components(
            graph, boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, graph)));
        std::vector<std::size_t> members(count, 0);
        for (std::size_t vertex = 0; vertex < component.size(); ++vertex)
            ++members[component[vertex]];
        for (std::size_t vertex = 0; vertex < component.size(); ++vertex)
            if (m_never[vertex] && members[component[vertex]] > 1)
                return stepsOf(circleThrough(vertex, component));
        return {};
    }

    std::vector<std::size_t> circleThrough(std::size_t from, const std::vector<std::size_t>& component) const {
        std::map<std::size_t, std::size_t> reachedFrom;
        std::vector<std::size_t> front{from};
        for (std::size_t i = 0; i < front.size(); ++i)
            for (const std::size_t other : m_waitsFor[front[i]]) {
                if (component[other] != component[from])
                    continue;
                if (other == from) {
                    std::vector<std::size_t> circle;
                    for (std::size_t at = front[i]; at != from; at = reachedFrom.at(at))
                        circle.push_back(at);
                    circle.push_back(from);
                    std::ranges::reverse(circle);
                    return circle;
                }
                if (reachedFrom.emplace(other, front[i]).second)
                    front.push_back(other);
            }
        return {};
    }

    /// Returns rank and call of a vertex that is no end.
    std::pair<std::size_t, std::size_t> callOf(std::size_t vertex) const {
        if (vertex < m_pasts) {
            const auto rank =
                static_cast<std::size_t>(std::ranges::upper_bound(m_firstPast, vertex) - m_firstPast.begin()) - 1;
            // Ranks without calls have the same first vertex as the next rank.
            return {rank, vertex - m_firstPast[rank]};
        }
        const auto operation =
            static_cast<std::size_t>(std::ranges::upper_bound(m_firstBegin, vertex) - m_firstBegin.begin()) - 1;
        return {m_program.operations[operation].group[vertex - m_firstBegin[operation]], m_callAt[vertex - m_pasts]};
    }

    /// Returns a step for each wait of the circle for the end of an operation, which another rank has not begun.
    std::vector<WaitStep> stepsOf(const std::vector<std::size_t>& circle) const {
        std::vector<WaitStep> steps;
        for (std::size_t i = 0; i < circle.size(); ++i) {
            const std::size_t end = circle[(i + 1) % circle.size()];
            if (circle[i] >= m_firstEnd || end < m_firstEnd)
                continue;
            const auto [rank, call] = callOf(circle[i]);
            steps.push_back({rank, call, callOf(circle[(i + 2) % circle.size()]).first});
        }
        const auto first =
            std::ranges::min_element(steps, {}, [](const WaitStep& step) { return std::pair(step.rank, step.call); });
        std::ranges::rotate(steps, first);
        return steps;
    }

    const CallProgram& m_program;
    std::vector<std::size_t> m_firstPast, m_firstBegin;
    std::size_t m_pasts = 0, m_firstEnd = 0;
    std::vector<std::vector<std::size_t>> m_waitsFor;
    std::vector<std::size_t> m_callAt;  // by begin: the number of its call in its rank; kNoCall: there is none
    std::vector<bool> m_never;
};

}  // namespace

WaitOutcome waitOutcomeOf(const CallProgram& program) { return WaitGraph(program).outcome(); }

}  // namespace data
