#include "data/questions/wait_for.h"
#include "tests/test_program.h"

#include <QTest>

#include <algorithm>
#include <optional>
#include <random>
#include <set>

using namespace data;

namespace {

CallProgram programOf(const std::string& ranks, const std::string& groups = "{}") {
    const CallReading reading = readCalls(R"({"format": "ringside-calls", "version": 1,
        "libraries": {"mpi": "blocking", "nccl": "stream", "rccl": "stream"}, "ranks": )" +
                                              ranks + R"(, "groups": )" + groups + "}",
                                          "a test");
    if (!reading.problems.empty())
        qFatal("%s", engine::describe(reading.problems.front()).c_str());
    return reading.program;
}

std::string problemOf(const std::string& body) {
    const CallReading reading = readCalls(R"({"format": "ringside-calls", "version": 1, )" + body + "}", "a test");
    return reading.problems.empty() ? std::string() : engine::describe(reading.problems.front());
}

/// Lets the ranks go on step by step until nothing changes, and returns those that have not ended: what the graph must
/// find, by the rules themselves.
std::vector<std::size_t> stuckBySteps(const CallProgram& program) {
    const std::size_t ranks = program.ranks.size();
    std::vector<std::size_t> next(ranks, 0);
    std::vector<std::set<std::size_t>> begun(program.operations.size());
    std::vector<bool> ended(program.operations.size(), false), entered(ranks, false);
    std::vector<std::vector<std::vector<std::size_t>>> streams(
        ranks, std::vector<std::vector<std::size_t>>(program.libraries.size()));  // calls that have not ended
    bool changed = true;
    while (changed) {
        changed = false;
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            for (std::vector<std::size_t>& stream : streams[rank]) {
                while (!stream.empty() && ended[stream.front()]) {
                    stream.erase(stream.begin());
                    changed = true;
                }
                if (!stream.empty())
                    changed = begun[stream.front()].insert(rank).second || changed;
            }
            if (next[rank] == program.ranks[rank].size())
                continue;
            const Call& call = program.ranks[rank][next[rank]];
            const std::size_t library = program.operations[call.operation].library;
            const bool blocks = program.libraries[library].kind == CallKind::blocking;
            if (!call.waits && !entered[rank]) {
                entered[rank] = changed = true;
                if (blocks)
                    begun[call.operation].insert(rank);
                else
                    streams[rank][library].push_back(call.operation);
            }
            if ((call.waits || blocks) && !ended[call.operation])
                continue;
            ++next[rank];
            entered[rank] = false;
            changed = true;
        }
        for (std::size_t operation = 0; operation < program.operations.size(); ++operation) {
            const bool all = begun[operation].size() == program.operations[operation].group.size();
            changed = changed || (all && !ended[operation]);
            ended[operation] = all;
        }
    }
    std::vector<std::size_t> stuck;
    for (std::size_t rank = 0; rank < ranks; ++rank)
        if (next[rank] < program.ranks[rank].size())
            stuck.push_back(rank);
    return stuck;
}

std::vector<std::size_t> ranksOf(const WaitOutcome& outcome) {
    std::vector<std::size_t> ranks;
    for (const StuckRank& stuck : outcome.never)
        ranks.push_back(stuck.rank);
    return ranks;
}

/// Makes a program whose ranks call some operations, in one order for all or each in an order of its own.
CallProgram randomProgram(std::mt19937& random, bool oneOrder) {
    const auto below = [&](std::size_t count) {
        return std::uniform_int_distribution<std::size_t>(0, count - 1)(random);
    };
    CallProgram program;
    program.libraries = {{"mpi", CallKind::blocking}, {"nccl", CallKind::stream}, {"rccl", CallKind::stream}};
    const std::size_t ranks = 2 + below(4), operations = 1 + below(5);
    program.ranks.resize(ranks);
    for (std::size_t operation = 0; operation < operations; ++operation) {
        CallOperation made{std::string(1, static_cast<char>('a' + operation)), below(3), {}};
        for (std::size_t rank = 0; rank < ranks; ++rank)
            if (below(4) != 0)
                made.group.push_back(rank);
        if (made.group.empty())
            made.group.push_back(below(ranks));
        program.operations.push_back(made);
    }
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        std::vector<std::size_t> order;
        for (std::size_t operation = 0; operation < operations; ++operation)
            if (std::ranges::binary_search(program.operations[operation].group, rank) &&
                (oneOrder || below(20) != 0))  // a call may be missing
                order.push_back(operation);
        if (!oneOrder)
            std::ranges::shuffle(order, random);
        std::vector<std::size_t> waited;
        for (const std::size_t operation : order) {
            program.ranks[rank].push_back({operation, false});
            if (program.libraries[program.operations[operation].library].kind == CallKind::stream)
                waited.push_back(operation);
            if (!waited.empty() && below(2) == 0)
                program.ranks[rank].push_back({waited[below(waited.size())], true});
        }
    }
    return program;
}

}  // namespace

class TestWaitFor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void twoLibrariesInAnotherOrderWaitForEachOther() {
        const WaitOutcome outcome = waitOutcomeOf(programOf(R"([["mpi:a", "nccl:b"], ["nccl:b", "wait b", "mpi:a"]])"));
        QCOMPARE(ranksOf(outcome), (std::vector<std::size_t>{0, 1}));
        QCOMPARE(outcome.cycle, (std::vector<WaitStep>{{0, 0, 1}, {1, 1, 0}}));
        QVERIFY(outcome.missing.empty());
        // Without the wait, rank 1 reaches its call of a.
        QVERIFY(!waitOutcomeOf(programOf(R"([["mpi:a", "nccl:b"], ["nccl:b", "mpi:a"]])")).isDeadlock());
    }

    void streamsInAnotherOrderWaitOnlyForWhoAsks() {
        // Both operations wait behind the other one, and nobody waits for them.
        QVERIFY(!waitOutcomeOf(programOf(R"([["nccl:a", "nccl:b"], ["nccl:b", "nccl:a"]])")).isDeadlock());
        const WaitOutcome asked = waitOutcomeOf(programOf(R"([["nccl:a", "nccl:b", "wait b"], ["nccl:b", "nccl:a"]])"));
        QCOMPARE(ranksOf(asked), (std::vector<std::size_t>{0}));
        QVERIFY(asked.cycle.size() == 2);
        // Two libraries have two streams.
        QVERIFY(!waitOutcomeOf(programOf(R"([["nccl:a", "rccl:b", "wait b"], ["rccl:b", "nccl:a"]])")).isDeadlock());
    }

    void aCallThatARankNeverMakesIsNamed() {
        const WaitOutcome outcome = waitOutcomeOf(programOf(R"([["mpi:a"], ["mpi:a"], []])"));
        QCOMPARE(ranksOf(outcome), (std::vector<std::size_t>{0, 1}));
        QCOMPARE(outcome.missing, (std::vector<MissingCall>{{2, 0}}));
        QVERIFY(outcome.cycle.empty());
        QVERIFY(!waitOutcomeOf(programOf(R"([["mpi:a"], ["mpi:a"], []])", R"({"a": [0, 1]})")).isDeadlock());
    }

    void theGraphAgreesWithTheSimulationStepByStep() {
        std::mt19937 random(1);
        int deadlocks = 0;
        for (int i = 0; i < 20'000; ++i) {
            const CallProgram program = randomProgram(random, false);
            const WaitOutcome outcome = waitOutcomeOf(program);
            QCOMPARE(ranksOf(outcome), stuckBySteps(program));
            deadlocks += outcome.isDeadlock() ? 1 : 0;
            if (outcome.isDeadlock())
                QVERIFY(!outcome.cycle.empty() || !outcome.missing.empty());
            // The circle is one: each step waits for the rank of the next, or goes on within that rank.
            for (std::size_t step = 0; step < outcome.cycle.size(); ++step) {
                const WaitStep& next = outcome.cycle[(step + 1) % outcome.cycle.size()];
                QCOMPARE(outcome.cycle[step].waitsFor, next.rank);
            }
        }
        QVERIFY2(deadlocks > 2'000 && deadlocks < 18'000, qPrintable(QString::number(deadlocks)));
    }

    void whereAllRanksShareOneOrderThereIsNoDeadlock() {
        std::mt19937 random(2);
        for (int i = 0; i < 2'000; ++i)
            QVERIFY(!waitOutcomeOf(randomProgram(random, true)).isDeadlock());
    }

    void mistakesAreNamedWithTheirPlace() {
        const std::string libraries = R"("libraries": {"mpi": "blocking", "nccl": "stream"}, )";
        const auto expect = [&](const std::string& ranks, const std::string& where, const std::string& what) {
            const std::string problem = problemOf(libraries + R"("ranks": )" + ranks);
            QVERIFY2(problem.starts_with(where) && problem.find(what) != std::string::npos, problem.c_str());
        };
        expect(R"([["ib:a"]])", "ranks[0][0]: ib:a", "no such library; allowed: mpi, nccl");
        expect(R"([[], ["a"]])", "ranks[1][0]: a", "LIBRARY:OPERATION, or wait OPERATION");
        expect(R"([["wait a", "nccl:a"]])", "ranks[0][0]: wait a", "not called it before");
        expect(R"([["mpi:a", "wait a"]])", "ranks[0][1]: wait a", "blocking");
        expect(R"([["mpi:a", "mpi:a"]])", "ranks[0][1]: mpi:a", "once");
        expect(R"([["mpi:a"], ["nccl:a"]])", "ranks[1][0]: nccl:a", "by the library mpi");
        expect(R"([["mpi:a"]], "groups": {"b": [0]})", "groups.b", "no rank calls");
        expect(R"([["mpi:a"]], "groups": {"a": [1]})", "groups.a[0]: 1", "0 to 0");
        expect(R"([["mpi:a"], ["mpi:a"]], "groups": {"a": [0]})", "ranks[1][0]: mpi:a", "not in the operation's group");
        expect("[]", "ranks", "at least one rank");
        QVERIFY(
            problemOf(R"("libraries": {"mpi": "sometimes"}, "ranks": [["mpi:a"]])").find("\"blocking\", \"stream\"") !=
            std::string::npos);
    }
};

RINGSIDE_CORE_TEST(TestWaitFor)
#include "tst_wait_for.moc"
