#include "data/collectives/collective_log.h"
#include "engine/api/collective_table.h"
#include "tests/test_program.h"

#include <QTest>

using namespace data;
using engine::SubLayer;

namespace {

const std::string kHeading =
    "#       size         count      type   redop    root     time   algbw   busbw  #wrong     time "
    "  algbw   busbw  #wrong\n";
const std::string kRow =
    "     1048576        262144     float     sum      -1    40.00   26.21   45.88     N/A    39.60   "
    "26.48   46.34     N/A\n";

std::string ranks(int count) {
    std::string text;
    for (int i = 0; i < count; ++i)
        text += "#  Rank  " + std::to_string(i) + " Group  0 Pid 1 on node device 0 [0000:07:00] GPU\n";
    return text;
}

CollectiveLogReading readLog(const std::string& text, const CollectiveLogOptions& options = {}) {
    return readCollectiveLog(text, "log", options);
}

bool refuses(const std::string& text, const std::string& part, const CollectiveLogOptions& options = {}) {
    const CollectiveLogReading reading = readLog(text, options);
    return !reading.problems.empty() && engine::describe(reading.problems.front()).find(part) != std::string::npos;
}

CollectiveLogOptions with(std::optional<std::int64_t> gpus, std::optional<SubLayer> operation = {},
                          bool inPlace = false) {
    return {gpus, operation, inPlace};
}

}  // namespace

class TestCollectiveLog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLogOfNcclTestsNamesTestRanksAndTimes() {
        const std::string log = "# Collective test starting: all_reduce_perf\n" + ranks(8) + kHeading + kRow;
        QCOMPARE(readLog(log).times,
                 (std::vector<CollectiveTime>{{SubLayer::allReduce, 8, {1'048'576}, {40'000'000}}}));
        QCOMPARE(readLog(log, with({}, {}, true)).times.front().time.ps, std::int64_t{39'600'000});
        // Older logs do not name the test.
        const std::string old = ranks(8) + kHeading + kRow;
        QVERIFY(refuses(old, "--operation"));
        QCOMPARE(readLog(old, with({}, SubLayer::allReduce)).times, readLog(log).times);
        QVERIFY(refuses(kHeading + kRow, "--gpus", with({}, SubLayer::allReduce)));
        QCOMPARE(readLog(kHeading + kRow, with(8, SubLayer::allReduce)).times, readLog(log).times);
    }

    void theBandwidthsCheckTheNumberOfGpus() {
        QVERIFY(refuses(kHeading + kRow, "bus and algorithm bandwidth", with(4, SubLayer::allReduce)));
        QVERIFY(refuses(kHeading + kRow, "bus and algorithm bandwidth", with(8, SubLayer::allGather)));
    }

    void twoTestsInOneLogAreRefused() {
        const std::string log = "# all_reduce_perf\n" + ranks(8) + kHeading + kRow;
        QVERIFY(refuses(log + "# all_gather_perf\n", "a second test in one log"));
        QVERIFY(refuses(log + kHeading + kRow, "a second table in one log"));
    }

    void aLogOfOsuNeedsTheNumberOfGpus() {
        const std::string head = "\n# OSU MPI-CUDA Allreduce Latency Test v7.0\n# Size       Avg Latency(us)\n";
        QVERIFY(refuses(head + "4096 12.5\n", "--gpus"));
        QCOMPARE(readLog(head + "[node] ucc_coll.c:255 INFO\n0 3.0\n4096 12.5\n", with(4)).times,
                 (std::vector<CollectiveTime>{{SubLayer::allReduce, 4, {4096}, {12'500'000}}}));
        // Sizes are those of a rank.
        QCOMPARE(
            readLog("# OSU MPI Allgather Latency Test v5.9\n# Size Avg Latency(us)\n1024 3.5 3.1 3.9 100\n", with(4))
                .times,
            (std::vector<CollectiveTime>{{SubLayer::allGather, 4, {4096}, {3'500'000}}}));
        QVERIFY(refuses("# OSU MPI Broadcast Latency Test v7.0\n8 1.0\n", "another collective", with(4)));
        QVERIFY(refuses(head + "8 1.0\n# OSU MPI Alltoall Latency Test\n8 1.0\n", "a second test", with(4)));
    }

    void csvHasItsOwnColumnsOrThoseOfNcclsTuner() {
        QCOMPARE(readLog("operation,gpus,bytes,seconds\nall-to-all,8,1000,0.00002\n").times,
                 (std::vector<CollectiveTime>{{SubLayer::allToAll, 8, {1000}, {20'000'000}}}));
        // The fastest setting of a size counts.
        QCOMPARE(readLog("collective,size_bytes,algorithm,protocol,channels,nodes,ranks,latency_us\n"
                         "allreduce,1024,ring,simple,8,1,8,30\nallreduce,1024,tree,simple,8,1,8,20\n"
                         "broadcast,1024,ring,simple,8,1,8,10\n")
                     .times,
                 (std::vector<CollectiveTime>{{SubLayer::allReduce, 8, {1024}, {20'000'000}}}));
        QVERIFY(refuses("a,b\n1,2\n", "the column operation is missing"));
        QVERIFY(refuses("operation,gpus,bytes,seconds\nbroadcast,8,10,1\n", "no collective"));
        QVERIFY(refuses("operation,gpus,bytes,seconds\nall-reduce,1,10,1\n", "a number of GPUs from 2"));
        QVERIFY(refuses("operation,gpus,bytes,seconds\nall-reduce,8,10,-1\n", "no time"));
        QVERIFY(refuses("operation,gpus,bytes,seconds\nall-reduce,8,10,1\nall-reduce,8,10,2\n", "measured twice"));
        QVERIFY(refuses("operation,gpus,bytes,seconds\n", "at least one row"));
    }

    void theLinesReturnTheTimesToThePicosecond() {
        const std::vector<CollectiveTime> times{{SubLayer::allReduce, 8, {1'048'576}, {39'999'999}},
                                                {SubLayer::allReduce, 8, {65'536}, {21'400'000}},
                                                {SubLayer::allGather, 4, {1000}, {1}}};
        engine::Problems problems;
        const std::string lines = measuredLines(times, problems);
        QVERIFY(problems.empty());
        QCOMPARE(lines, std::string("all-reduce 8: measured 65536=21.4us 1048576=39.999999us\n"
                                    "all-gather 4: measured 1000=0.000001us\n"));
        const engine::CollectiveTableReading table = engine::readCollectiveTable(lines);
        QVERIFY(table.problems.empty());
        for (const CollectiveTime& each : times) {
            const engine::CollectiveRule* rule = table.table.find(each.operation, each.gpus, each.bytes);
            QCOMPARE(engine::measuredTime(*rule, each.bytes), each.time);
        }
        measuredLines({times[0], {SubLayer::allReduce, 8, {1'048'576}, {5}}}, problems);
        QCOMPARE(problems.size(), std::size_t{1});
    }
};

RINGSIDE_TEST(TestCollectiveLog)
#include "tst_collective_log.moc"
