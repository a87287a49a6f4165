// Collectives of several ranks: matching, clocks, waiting and bandwidth.

#include "tests/data/measured_samples.h"
#include "tests/test_program.h"

#include <QTest>

#include <cmath>

using namespace data;
using tests::collective;
using tests::KinetoText;
using tests::kPsOfUs;
using tests::kUs;

namespace {

const double kExpected = 223.696e9;

bool isNear(const std::optional<double>& value, double expected) {
    return value && std::abs(*value - expected) <= expected * 1e-5;
}

std::vector<MeasuredTrace> pairB(int without = -1, bool sequences = false, std::int64_t shift = 0) {
    KinetoText second = tests::exampleB(1, without, sequences);
    std::vector<MeasuredTrace> traces;
    traces.push_back(tests::traceB(tests::exampleB(0, -1, sequences), 0));
    if (shift == 0) {
        traces.push_back(tests::traceB(second, 1));
        return traces;
    }
    KinetoText shifted;
    shifted.rank(1, 2);
    shifted.shift(shift);
    for (const auto& [start, end] : {std::pair{300, 600}, {700, 800}, {900, 1000}})
        shifted.kernel(tests::kAllReduceName, start * kUs, (end - start) * kUs,
                       collective("allreduce", 16'777'216, 16'777'216, "Float", 2, "[0, 1]"), 8);
    traces.push_back(tests::traceB(shifted, 1));
    return traces;
}

/// A trace of one rank with these all-reduces, in microseconds.
KinetoText rankWith(int rank, int world, const std::vector<std::pair<int, int>>& times, const std::string& ranks,
                    int group = 2, const std::string& name = "0") {
    KinetoText trace;
    trace.rank(rank, world);
    for (const auto& [start, end] : times) {
        tests::KinetoArgs args = collective("allreduce", 1'048'576, 1'048'576, "Float", group, ranks);
        for (auto& [key, value] : args) {
            if (key == "Process Group Name")
                value = tests::jsonText(name);
        }
        trace.kernel(tests::kAllReduceName, start * kUs, (end - start) * kUs, args, 8);
    }
    return trace;
}

std::vector<MeasuredTrace> tracesOf(const std::vector<KinetoText>& texts) {
    std::vector<MeasuredTrace> traces;
    for (const KinetoText& text : texts)
        traces.push_back(tests::traceOf(text.text(), {}, "rank-" + std::to_string(traces.size()) + ".json"));
    return traces;
}

}  // namespace

class TestMeasuredRanks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void exampleBHasItsExactNumbers() {
        const std::vector<MeasuredTrace> traces = pairB();
        const RankMatch match = matchRanks(traces, {});
        QCOMPARE(match.series.size(), std::size_t{1});
        QCOMPARE(match.series[0].unmatched, std::string());
        QCOMPARE(*match.series[0].bytes, std::int64_t{67'108'864});
        QCOMPARE(match.collectives.size(), std::size_t{3});
        const MeasuredCollective& first = match.collectives[0];
        QCOMPARE(first.time, 300 * kPsOfUs);
        QCOMPARE(*first.skew, 200 * kPsOfUs);
        QVERIFY(!first.lowerBound);
        const MeasuredReport report = measuredReportOf(traces, {}, match);
        QCOMPARE(*report.ranks[0].waiting, 200 * kPsOfUs);
        QCOMPARE(*report.ranks[1].waiting, std::int64_t{0});
        QCOMPARE(*match.collectives[1].skew, std::int64_t{0});
        QVERIFY(!match.clocks[1].applied && match.clocks[1].collectives == 3);
        QCOMPARE(microsecondsText(*match.clocks[1].offset), std::string("0"));
    }

    void theFirstCollectiveOfExampleBHasItsBandwidth() {
        std::vector<KinetoText> texts;
        for (const int rank : {0, 1}) {
            KinetoText text;
            text.rank(rank, 2);
            const int start = rank == 0 ? 100 : 300;
            text.kernel(tests::kAllReduceName, start * kUs, (600 - start) * kUs,
                        collective("allreduce", 16'777'216, 16'777'216, "Float", 2, "[0, 1]"), 8);
            texts.push_back(text);
        }
        const std::vector<MeasuredTrace> traces = tracesOf(texts);
        const MeasuredReport report = measuredReportOf(traces);
        QCOMPARE(report.collectives.size(), std::size_t{1});
        const CollectiveRow& row = report.collectives[0];
        QVERIFY(isNear(row.algbw, kExpected) && isNear(row.busbw, kExpected));
        QCOMPARE(row.least, 300 * kPsOfUs);
        QCOMPARE(*row.skew, 200 * kPsOfUs);
        QCOMPARE(*row.waiting, 200 * kPsOfUs);
        QVERIFY(!row.lowerBound && row.group == "0,1");
        // Two ranks are too few collectives for an offset of clocks.
        QVERIFY(!report.clocks[1].offset);
    }

    void aClockThatIsAheadIsCorrected() {
        const std::vector<MeasuredTrace> traces = pairB(-1, false, 1'000'000);
        const RankMatch match = matchRanks(traces, {});
        QCOMPARE(microsecondsText(*match.clocks[1].offset), std::string("1000000"));
        QCOMPARE(*match.clocks[1].deviation, std::int64_t{0});
        QVERIFY(match.clocks[1].applied);
        QCOMPARE(match.collectives[0].time, 300 * kPsOfUs);
        QCOMPARE(*match.collectives[0].skew, 200 * kPsOfUs);
        const MeasuredReport report = measuredReportOf(traces, {}, match);
        QVERIFY(std::ranges::any_of(report.notices, [](const std::string& notice) {
            return tests::contains(notice, "rank 1: its clock is 1000000 µs after that of rank 0") &&
                   tests::contains(notice, "corrected");
        }));
    }

    void clocksOfDifferentEpochsAreCorrectedToo() {
        std::vector<MeasuredTrace> traces = pairB();
        traces[1].baseNanoseconds = 1'700'000'000'000'000'007;  // µs since 1970 and ps do not fit into 64 bits
        const RankMatch match = matchRanks(traces, {});
        QCOMPARE(microsecondsText(*match.clocks[1].offset), std::string("1700000000000000.007"));
        QVERIFY(match.clocks[1].applied);
        QCOMPARE(*match.collectives[0].skew, 200 * kPsOfUs);
    }

    void aRankAloneHasALowerBound() {
        std::vector<MeasuredTrace> traces;
        traces.push_back(tests::traceB(tests::exampleB(1), 1));
        const MeasuredReport report = measuredReportOf(traces);
        const CollectiveRow& row = report.collectives.at(0);
        QVERIFY(row.lowerBound && !row.skew && !row.waiting);
        QCOMPARE(row.unmatched, std::string("one rank of 2"));
        QCOMPARE(textOf(report.unknowns.at(0)),
                 std::string("3 collectives have only a lower bound of their bandwidth: one rank of 2"));
        QVERIFY(!report.ranks[0].waiting);
    }

    void aMissingCollectiveLeavesTheSeriesUnmatchedWithoutSeq() {
        const MeasuredReport report = measuredReportOf(pairB(0));
        const CollectiveRow& row = report.collectives.at(0);
        QVERIFY(!row.skew && row.lowerBound);
        QCOMPARE(row.unmatched, std::string("3 in rank 0, 2 in rank 1, and they have no Seq"));
        QCOMPARE(row.count, std::size_t{5});
        // With Seq, the two that both ranks have are matched.
        const RankMatch match = matchRanks(pairB(0, true), {});
        QCOMPARE(match.series[0].unmatched, std::string());
        QCOMPARE(match.collectives.size(), std::size_t{3});
        QVERIFY(!match.collectives[0].skew && match.collectives[0].lowerBound);
        QVERIFY(match.collectives[1].skew && !match.collectives[1].lowerBound);
    }

    void aMatchThatIsImpossibleUnmatchesItsSeries() {
        // The second rank's collectives lie beside those of the first, with distances that no offset explains.
        const std::vector<MeasuredTrace> traces =
            tracesOf({rankWith(0, 2, {{100, 110}, {300, 310}, {500, 510}}, "[0, 1]"),
                      rankWith(1, 2, {{200, 210}, {340, 350}, {900, 910}}, "[0, 1]")});
        const RankMatch match = matchRanks(traces, {});
        QVERIFY(tests::contains(match.series[0].unmatched, "no common time"));
        QCOMPARE(match.collectives.size(), std::size_t{6});
        for (const MeasuredCollective& each : match.collectives)
            QVERIFY(each.members.size() == 1 && !each.skew);
    }

    void stepsThatDifferLeaveTheSeriesUnmatched() {
        // Sampled traces: the steps 4 and 5 of rank 0, the steps 5 and 6 of rank 1.
        std::vector<KinetoText> texts;
        for (const int rank : {0, 1}) {
            KinetoText text;
            text.rank(rank, 2);
            for (int i = 0; i < 2; ++i) {
                text.step(4 + rank + i, i * 100 * kUs, 90 * kUs);
                text.launch((i * 100 + 5) * kUs, 10 + i);
                tests::KinetoArgs args = collective("allreduce", 64, 64, "Float", 2, "[0, 1]");
                text.kernel(tests::kAllReduceName, (i * 100 + 20) * kUs, 10 * kUs, tests::correlated(10 + i, args));
            }
            texts.push_back(text);
        }
        QVERIFY(tests::contains(matchRanks(tracesOf(texts), {}).series[0].unmatched,
                                "the steps of rank 0 and rank 1 differ"));
    }

    void groupsMatchByTheirRanksNotByTheirName() {
        // Two groups of two ranks, which all ranks call "1": 0 with 1, and 2 with 3.
        std::vector<KinetoText> texts;
        for (int rank = 0; rank < 4; ++rank) {
            const int start = 100 + rank % 2 * 20;
            texts.push_back(rankWith(rank, 4, {{start, 200}}, rank < 2 ? "[0, 1]" : "[2, 3]", 2, "1"));
        }
        const RankMatch match = matchRanks(tracesOf(texts), {});
        QCOMPARE(match.series.size(), std::size_t{2});
        for (const MeasuredCollective& each : match.collectives) {
            QCOMPARE(each.members.size(), std::size_t{2});
            QCOMPARE(*each.skew, 20 * kPsOfUs);
        }
        // Names that differ do not matter either.
        const RankMatch named = matchRanks(
            tracesOf({rankWith(0, 2, {{100, 200}}, "[0, 1]", 2, "7"), rankWith(1, 2, {{100, 200}}, "[0, 1]", 2, "9")}),
            {});
        QCOMPARE(named.collectives.size(), std::size_t{1});
    }

    void aCutListOfRanksMatchesByTheSizeOfTheGroup() {
        const RankMatch match = matchRanks(
            tracesOf({rankWith(0, 2, {{100, 200}}, "[0, 1, ...", 2), rankWith(1, 2, {{150, 200}}, "[0, 1, ...", 2)}),
            {});
        QCOMPARE(match.collectives.size(), std::size_t{1});
        QCOMPARE(match.series[0].groupText(), std::string("size 2"));
        // More ranks than the group has cannot be one group.
        std::vector<KinetoText> four;
        for (int rank = 0; rank < 4; ++rank)
            four.push_back(rankWith(rank, 4, {{100, 200}}, "[0, 1, ...", 2));
        QVERIFY(tests::contains(matchRanks(tracesOf(four), {}).series[0].unmatched, "4 ranks have it"));
        // pg_config gives the ranks of a group whose list was cut.
        KinetoText known;
        known.top("distributedInfo",
                  R"({"rank": 0, "world_size": 2, "pg_config": [{"pg_name": "0", "pg_size": 2, "ranks": [0, 1]}]})");
        known.kernel(tests::kAllReduceName, 0, kUs, collective("allreduce", 64, 64, "Float", 2, "[0, 1, ..."));
        QCOMPARE(matchRanks(tracesOf({known}), {}).series[0].groupText(), std::string("0,1"));
    }

    void sizesFollowTheConventionOfNcclTests() {
        const auto rowOf = [](const std::string& name, std::int64_t in, std::int64_t out) {
            KinetoText text;
            text.kernel("ncclDevKernel_Generic", 0, 1'000 * kUs,
                        collective(name, in, out, "BFloat16", 8, "[0,1,2,3,4,5,6,7]"));
            const std::vector<MeasuredTrace> traces = tracesOf({text});
            return measuredReportOf(traces).collectives.at(0);
        };
        const std::int64_t million = 1'000'000;
        const CollectiveRow gather = rowOf("_allgather_base", million, 8 * million);
        QCOMPARE(*gather.bytes, 16 * million);
        QVERIFY(isNear(gather.algbw, 16e9) && isNear(gather.busbw, 14e9));
        const CollectiveRow scatter = rowOf("_reduce_scatter_base", 8 * million, million);
        QCOMPARE(*scatter.bytes, 16 * million);
        QVERIFY(isNear(scatter.busbw, 14e9));
        QVERIFY(isNear(rowOf("allreduce", million, million).busbw, 3.5e9));
        QVERIFY(isNear(rowOf("all_to_all", million, million).busbw, 1.75e9));
        QVERIFY(isNear(rowOf("broadcast", million, million).busbw, 2e9));
        QVERIFY(isNear(rowOf("send", million, 0).busbw, 2e9));
        const CollectiveRow unknown = rowOf("wait", million, million);
        QVERIFY(!unknown.bytes && unknown.bytesUnknown == "the operation is unknown");
    }

    void ownAllReducesTakeTheirSizeFromTheOperatorAndTheirGroupFromTheOthers() {
        KinetoText text;
        text.op("_C_custom_ar::all_reduce", 0, 9 * kUs, 5,
                {{"Input Dims", "[[], [64, 1024], [64, 1024]]"},
                 {"Input type", "[\"Scalar\", \"c10::BFloat16\", \"c10::BFloat16\"]"}});
        text.launch(kUs, 1, 5);
        text.kernel("cross_device_reduce_1stage", 20 * kUs, 10 * kUs, tests::correlated(1));
        text.kernel(tests::kAllReduceName, 50 * kUs, 10 * kUs,
                    collective("allreduce", 64, 64, "Float", 8, "[0, 1, ..."));
        const std::vector<MeasuredTrace> traces = tracesOf({text});
        const RankMatch match = matchRanks(traces, {});
        const auto own =
            std::ranges::find_if(match.series, [](const CollectiveSeries& series) { return series.groupAssumed; });
        QVERIFY(own != match.series.end());
        QCOMPARE(*own->groupSize, std::int64_t{8});
        QCOMPARE(*own->bytes, std::int64_t{131'072});
        // With groups of two sizes, the group is unknown.
        text.kernel(tests::kAllReduceName, 70 * kUs, 10 * kUs, collective("allreduce", 64, 64, "Float", 2, "[0, 1]"));
        const std::vector<MeasuredTrace> more = tracesOf({text});
        const MeasuredReport report = measuredReportOf(more);
        QVERIFY(std::ranges::any_of(report.unknowns, [](const MeasuredUnknown& unknown) {
            return unknown.what == "collectives have no group size";
        }));
    }

    void copiesHaveTheirOwnBytesAndAreNotMatched() {
        std::vector<KinetoText> texts;
        for (int rank = 0; rank < 2; ++rank) {
            KinetoText text = rankWith(rank, 2, {{100, 200}}, "[0, 1]");
            text.copy("Memcpy PtoP (Device -> Device)", 300 * kUs, 10 * kUs, {{"bytes", "1000000"}});
            texts.push_back(text);
        }
        const std::vector<MeasuredTrace> traces = tracesOf(texts);
        const MeasuredReport report = measuredReportOf(traces);
        const auto copy = std::ranges::find(report.collectives, SpanKind::copy, &CollectiveRow::carrier);
        QVERIFY(copy != report.collectives.end());
        QVERIFY(copy->count == 2 && !copy->skew && *copy->bytes == 1'000'000);
        QVERIFY(isNear(copy->busbw, 1e11));
    }

    void ranksAreOrderedAndRefusedIfTheyCannotBelongTogether() {
        const auto traceWith = [](std::optional<int> rank, int world, const std::string& file) {
            KinetoText text = tests::exampleA();
            if (rank)
                text.rank(*rank, world);
            return tests::traceOf(text.text(), {}, file);
        };
        std::vector<MeasuredTrace> traces{traceWith(1, 2, "b.json"), traceWith(0, 2, "a.json")};
        QVERIFY(orderRanks(traces).empty());
        QCOMPARE(traces[0].file, std::string("a.json"));
        traces = {traceWith(1, 2, "a.json"), traceWith(1, 2, "b.json")};
        QVERIFY(tests::saysAt(orderRanks(traces), "b.json", "the same rank as a.json"));
        traces = {traceWith(0, 2, "a.json"), traceWith(1, 4, "b.json")};
        QVERIFY(tests::saysAt(orderRanks(traces), "b.json", "a.json is of a world of 2"));
        traces = {traceWith(0, 2, "a.json"), traceWith({}, 0, "b.json")};
        QVERIFY(tests::saysAt(orderRanks(traces), "b.json", "FILE:RANK"));
        traces = {traceWith({}, 0, "a.json")};
        QVERIFY(orderRanks(traces).empty());
    }
};

RINGSIDE_TEST(TestMeasuredRanks)
#include "tst_measured_ranks.moc"
