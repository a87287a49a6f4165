// What is read of a trace, whatever its layout, and where its time goes.

#include "tests/data/measured_samples.h"
#include "tests/test_program.h"

#include <QTest>

#include <filesystem>
#include <random>

using namespace data;
using tests::intervalsOf;
using tests::KinetoLayout;
using tests::KinetoText;
using tests::kPsOfUs;
using tests::kUs;

namespace {

const IntervalReport kA{150 * kPsOfUs, 110 * kPsOfUs, 50 * kPsOfUs, 30 * kPsOfUs,
                        20 * kPsOfUs,  15 * kPsOfUs,  5 * kPsOfUs};

bool addsUp(const IntervalReport& report) {
    return report.span == report.compute + report.exposed + report.memory + report.idle &&
           report.communication == report.overlapped + report.exposed;
}

/// Returns the notices of a report of one trace, one on each line.
std::string noticesOf(const MeasuredTrace& trace) {
    std::string text;
    for (const std::string& notice : measuredReportOf({&trace, 1}).notices)
        text += notice + "\n";
    return text;
}

}  // namespace

class TestMeasuredTrace : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void exampleAHasItsExactNumbersInEveryLayout() {
        for (const bool old : {false, true}) {
            for (const bool pretty : {false, true}) {
                for (const bool oneLine : {false, true}) {
                    for (const bool bareList : {false, true}) {
                        const std::string text = tests::exampleA({old, pretty, oneLine, bareList, false}).text();
                        const MeasuredTrace trace = tests::traceOf(text);
                        QCOMPARE(trace.spans.size(), std::size_t{6});
                        QVERIFY(intervalsOf(trace) == kA);
                        QCOMPARE(*intervalsOf(trace).overlap(), 0.6);
                        QVERIFY(intervalsOf(tests::traceOf(tests::packed(text))) == kA);
                    }
                }
            }
        }
    }

    void aTraceFedByteByByteIsTheSame() {
        for (const std::string& text : {tests::exampleC().text(), tests::packed(tests::exampleC().text())}) {
            const MeasuredTrace whole = tests::traceOf(text);
            for (const bool ahead : {false, true}) {
                MeasuredOptions options;
                options.piece = 1;
                options.readAhead = ahead;
                const ByteSource all = bytesOfText(text);
                const MeasuredTrace bytewise =
                    readMeasuredTrace(
                        [all](char* buffer, std::size_t size) { return all(buffer, std::min<std::size_t>(size, 1)); },
                        "trace.json", options)
                        .trace;
                QVERIFY(bytewise.names == whole.names && bytewise.spans.size() == whole.spans.size());
                QVERIFY(intervalsOf(bytewise) == intervalsOf(whole));
            }
        }
    }

    void timesOfUnixKeepTheirNanoseconds() {
        KinetoText trace;
        trace.shift(1'698'765'432'123'456);
        trace.kernel("a_kernel", 0, 1);
        trace.kernel("a_kernel", 3, 1);
        const MeasuredTrace read = tests::traceOf(trace.text());
        QVERIFY(read.origin == (TraceInstant{1'698'765'432'123'456, 0}));
        QCOMPARE(read.spans[1].start, std::int64_t{3'000});
        QCOMPARE(intervalsOf(read).span, std::int64_t{4'000});
        QCOMPARE(intervalsOf(read).idle, std::int64_t{2'000});
    }

    void displayTimeUnitChangesNothing() {
        KinetoText trace = tests::exampleA();
        trace.top("displayTimeUnit", "\"ns\"");
        QVERIFY(intervalsOf(tests::traceOf(trace.text())) == kA);
    }

    void fieldsOfTheTopLevelMayFollowTheEvents() {
        for (const bool after : {false, true}) {
            KinetoText trace = tests::exampleA({.topAfter = after});
            trace.top("distributedInfo",
                      R"({"backend": "nccl", "rank": 3, "world_size": 8, "pg_config": [{"pg_name": "0",
                "pg_desc": "default_pg", "pg_size": 8, "ranks": [0, 1, 2, 3, 4, 5, 6, 7]}, {"pg_name": "5", "pg_size": 2, "ranks": [3, 7]}]})");
            trace.device();
            trace.top("baseTimeNanoseconds", "1700000000000000001");
            trace.top("record_shapes", "1");
            trace.top("other", R"({"rank": 9, "deep": [[{"numSms": 1}]]})");
            const MeasuredTrace read = tests::traceOf(trace.text());
            QCOMPARE(*read.rank, std::int64_t{3});
            QCOMPARE(*read.worldSize, std::int64_t{8});
            QCOMPARE(read.devices.size(), std::size_t{1});
            QCOMPARE(read.devices[0].multiprocessors, std::int64_t{132});
            QCOMPARE(read.baseNanoseconds, std::int64_t{1'700'000'000'000'000'001});
            QVERIFY(read.groupNamed("5") != nullptr &&
                    read.groupNamed("5")->ranks == std::vector<std::int64_t>({3, 7}));
        }
    }

    void theRankComesFromTheFileElseFromItsName() {
        const std::string text = tests::exampleA().text();
        QCOMPARE(*tests::traceOf(text, {}, "runs/rank-12.pt.trace.json.gz").rank, std::int64_t{12});
        QVERIFY(!tests::traceOf(text, {}, "trace-12.json").rank);
        QCOMPARE(*rankInName("a/rank3_trace.json"), std::int64_t{3});
        QCOMPARE(*rankInName("worker_Rank_07.json"), std::int64_t{7});
        QVERIFY(!rankInName("frank3.json") && !rankInName("rank-7/trace.json") && !rankInName("ranks.json"));
        KinetoText own = tests::exampleA();
        own.rank(1, 2);
        QCOMPARE(*tests::traceOf(own.text(), {}, "rank-12.json").rank, std::int64_t{1});
    }

    void oldTracesAreJoinedByTimeAndSayThatTheyAreRounded() {
        // Correlations of kernels stand as External ids. An operator with such an id would be the wrong one.
        KinetoText trace(KinetoLayout{.old = true});
        trace.op("aten::mm", 10 * kUs, 20 * kUs, 0, {{"Input Dims", "[[64, 32], [32, 16]]"}});
        trace.op("aten::addmm", 50 * kUs, 20 * kUs, 0,
                 {{"External id", "501"}, {"Input Dims", "[[9], [8, 8], [8, 8]]"}});
        trace.launch(12 * kUs, 501);
        trace.kernel("volta_sgemm_128x64_nn", 100 * kUs, 10 * kUs, tests::correlated(501));
        const MeasuredTrace read = tests::traceOf(trace.text());
        const SpanFacts* facts = read.factsOf(read.spans[0]);
        QVERIFY(facts != nullptr && read.nameOf(facts->name) == "aten::mm");
        QVERIFY(read.wholeMicroseconds);
        QVERIFY(tests::contains(noticesOf(read), "times are rounded to 1 µs"));
        QVERIFY(!tests::contains(noticesOf(tests::traceOf(tests::exampleC().text())), "1 µs") ||
                tests::traceOf(tests::exampleC().text()).wholeMicroseconds);
    }

    void aKernelIsJoinedByItsExternalIdThenByThatOfItsLaunchCallThenByTime() {
        KinetoText trace;
        trace.op("aten::first", 10 * kUs, 5 * kUs, 1);
        trace.op("aten::second", 20 * kUs, 5 * kUs, 2);
        trace.op("aten::outer", 30 * kUs, 30 * kUs, 3);
        trace.op("aten::inner", 35 * kUs, 5 * kUs, 4);
        trace.op("aten::other_thread", 36 * kUs, 2 * kUs, 5, {}, 2);
        trace.launch(36 * kUs, 100, 2);
        trace.launch(37 * kUs, 101);
        trace.launch(50 * kUs, 102);
        trace.launch(90 * kUs, 103);
        trace.kernel("k0", 100 * kUs, kUs, tests::correlated(100, {{"External id", "1"}}));
        trace.kernel("k1", 110 * kUs, kUs, tests::correlated(100 + 1));
        trace.kernel("k2", 120 * kUs, kUs, tests::correlated(102));
        trace.kernel("k3", 130 * kUs, kUs, tests::correlated(103));
        trace.kernel("k4", 140 * kUs, kUs, tests::correlated(999));
        trace.launch(38 * kUs, 104, 2);
        trace.kernel("k5", 150 * kUs, kUs, tests::correlated(104));
        const MeasuredTrace read = tests::traceOf(trace.text());
        std::vector<std::string> names;
        for (const MeasuredSpan& span : read.spans) {
            const SpanFacts* facts = read.factsOf(span);
            names.emplace_back(facts == nullptr ? "-" : read.nameOf(facts->name));
        }
        QCOMPARE(names,
                 (std::vector<std::string>{"aten::first", "aten::inner", "aten::outer", "-", "-", "aten::second"}));
        QVERIFY(read.spans[4].has(kNoLaunchCall) && !read.spans[3].has(kNoLaunchCall));
    }

    void kernelsOfAGraphHaveAClassAndNoOperator() {
        // A graph launch by its name, and one whose call has another name but launches two kernels.
        for (const char* call : {"cudaGraphLaunch", "hipGraphLaunch", "cudaLaunchKernel"}) {
            KinetoText trace;
            trace.op("aten::mm", 10 * kUs, 20 * kUs, 3, {{"Input Dims", "[[64, 32], [32, 16]]"}});
            trace.launch(12 * kUs, 7, 3, call);
            trace.kernel("ampere_sgemm_128x64_nn", 100 * kUs, 10 * kUs, tests::correlated(7));
            trace.kernel("ampere_sgemm_128x64_nn", 120 * kUs, 10 * kUs, tests::correlated(7));
            const MeasuredTrace read = tests::traceOf(trace.text());
            for (const MeasuredSpan& span : read.spans) {
                QVERIFY(span.has(kOfGraph) && read.factsOf(span) == nullptr);
                QCOMPARE(span.kernelClass, KernelClass::gemm);
            }
        }
    }

    void spansBelongToTheStepInWhichTheyWereLaunched() {
        KinetoText trace;
        for (int i = 0; i < 3; ++i) {
            trace.step(4 + i, i * 100 * kUs, 90 * kUs);
            trace.launch((i * 100 + 80) * kUs, 50 + i);
            // The kernel itself runs in the next step.
            trace.kernel("k", (i * 100 + 130) * kUs, 40 * kUs, tests::correlated(50 + i));
        }
        trace.kernel("k", 500 * kUs, 10 * kUs, tests::correlated(99));
        const MeasuredTrace read = tests::traceOf(trace.text());
        QCOMPARE(read.steps.size(), std::size_t{3});
        QCOMPARE(intervalsOf(read).compute, 130 * kPsOfUs);
        QCOMPARE(intervalsOf(read, *stepChoiceOf("4-5")).span, 140 * kPsOfUs);
        QCOMPARE(intervalsOf(read, *stepChoiceOf("all-but-last")).span, 140 * kPsOfUs);
        QCOMPARE(intervalsOf(read, *stepChoiceOf("6")).span, 40 * kPsOfUs);
        const MeasuredReport report = measuredReportOf({&read, 1});
        QCOMPARE(textOf(report.unknowns.at(1)),
                 std::string("1 span belongs to no step: their launch call is not in the trace"));
        QVERIFY(tests::saysAt(checkSteps({&read, 1}, *stepChoiceOf("8-9")), "trace.json", "the steps 4 to 6"));
        QVERIFY(checkSteps({&read, 1}, {}).empty());
        const MeasuredTrace none = tests::traceOf(tests::exampleA().text());
        QVERIFY(tests::saysAt(checkSteps({&none, 1}, *stepChoiceOf("all-but-last")), "trace.json", "no steps"));
        for (const char* text : {"", "some", "6-4", "-1", "4-", "1-2-3", "all-but"})
            QVERIFY2(!stepChoiceOf(text), text);
        for (const char* text : {"all", "all-but-last", "4", "4-6"})
            QCOMPARE(textOf(*stepChoiceOf(text)), std::string(text));
    }

    void genericKernelsOfRcclTakeTheirOperationFromFields() {
        KinetoText trace;
        trace.kernel("ncclDevKernel_Generic_4", 0, kUs,
                     tests::collective("_reduce_scatter_base", 64, 32, "BFloat16", 2, "[0, 1]"));
        trace.kernel("ncclDevKernel_Generic_4", 10 * kUs, kUs);
        trace.kernel("ncclDevKernel_Generic_4", 20 * kUs, kUs);
        trace.annotation("nccl:all_gather", 19 * kUs, 3 * kUs);
        // From the operators around the launch.
        trace.op("c10d::allreduce_", 30 * kUs, 9 * kUs, 7);
        trace.op("record_param_comms", 31 * kUs, 7 * kUs, 8,
                 tests::collective("allreduce", 128, 128, "Float", 4, "[0, 1, ...", 5));
        trace.launch(32 * kUs, 40, 8);
        trace.kernel("ncclDevKernel_Generic_4", 40 * kUs, kUs, tests::correlated(40));
        const MeasuredTrace read = tests::traceOf(trace.text());
        std::vector<MeasuredOperation> operations;
        for (const MeasuredSpan& span : read.spans)
            operations.push_back(span.operation);
        using enum MeasuredOperation;
        QVERIFY(operations == (std::vector{reduceScatter, unknown, allGather, allReduce}));
        QCOMPARE(read.factsOf(read.spans[3])->sequence, std::int64_t{5});
        QCOMPARE(read.factsOf(read.spans[3])->groupSize, std::int64_t{4});
    }

    void copiesCommunicateIfTheyGoToAPeerOrBelowSymmetricMemory() {
        KinetoText trace;
        trace.op("symm_mem::fused_all_gather_matmul", 0, 90 * kUs, 1);
        trace.op("aten::copy_", 10 * kUs, 20 * kUs, 2);
        trace.launch(12 * kUs, 10, 2, "cudaMemcpyAsync");
        trace.launch(200 * kUs, 11, 0, "cudaMemcpyAsync");
        trace.copy("Memcpy DtoD (Device -> Device)", 100 * kUs, 10 * kUs, tests::correlated(10, {{"bytes", "4096"}}));
        trace.copy("Memcpy DtoD (Device -> Device)", 210 * kUs, 10 * kUs, tests::correlated(11));
        trace.copy("Memcpy PtoP (Device -> Device)", 230 * kUs, 10 * kUs);
        trace.fill(250 * kUs, kUs);
        const MeasuredTrace read = tests::traceOf(trace.text());
        QVERIFY(read.spans[0].isCommunication() && read.spans[0].has(kAssumedClass));
        QVERIFY(read.spans[1].isMemory());
        QVERIFY(read.spans[2].isCommunication() && !read.spans[2].has(kAssumedClass));
        QCOMPARE(read.spans[3].kernelClass, KernelClass::fill);
        QCOMPARE(read.launchOf(read.spans[0])->bytes, std::int64_t{4096});
    }

    void gridsOfAmdCountWorkItemsAndDevicesAreAgents() {
        KinetoText trace;
        trace.top(
            "deviceProperties",
            R"([{"id": 0, "name": "AMD Instinct MI300X", "numSms": 304}, {"id": 1, "name": "AMD Instinct MI300X", "numSms": 304}])");
        trace.launch(0, 1, 0, "hipExtModuleLaunchKernel");
        trace.raw(R"({"ph": "X", "cat": "kernel", "name": "", "pid": 5, "tid": 0, "ts": 10.5, "dur": 2.25,
            "args": {"device": 5, "stream": 0, "correlation": 1, "grid": [25600, 8, 1], "block": [256, 1, 1]}})");
        const MeasuredTrace read = tests::traceOf(trace.text());
        QVERIFY(read.isAmd);
        QCOMPARE(*read.launchOf(read.spans[0])->workgroups(), std::int64_t{800});
        QVERIFY(read.deviceOf(read.spans[0]) != nullptr);
        QCOMPARE(read.deviceOf(read.spans[0])->multiprocessors, std::int64_t{304});
        QCOMPARE(read.spans[0].kernelClass, KernelClass::other);
    }

    void overlapsOnOneStreamCountOnce() {
        KinetoText trace;
        trace.kernel("a", 0, 10 * kUs);
        trace.kernel("b", 5 * kUs, 10 * kUs);
        trace.kernel("c", 6 * kUs, 2 * kUs);
        trace.kernel("d", 15 * kUs, 5 * kUs);
        QCOMPARE(intervalsOf(tests::traceOf(trace.text())).compute, 20 * kPsOfUs);
    }

    void theIdentityHoldsForAnyTrace() {
        std::mt19937 random(7);
        const std::vector<std::string> names{"gemm", "ncclDevKernel_AllReduce_Sum", "layer_norm"};
        for (int round = 0; round < 60; ++round) {
            KinetoText trace;
            for (int i = 0; i < 40; ++i) {
                const auto start = static_cast<std::int64_t>(random() % 400'000);
                const auto duration = static_cast<std::int64_t>(random() % 30'000);
                if (random() % 4 == 0)
                    trace.copy("Memcpy HtoD", start, duration);
                else
                    trace.kernel(names[random() % names.size()], start, duration, {}, static_cast<int>(random() % 3));
            }
            const IntervalReport report = intervalsOf(tests::traceOf(trace.text()));
            QVERIFY(addsUp(report));
            QVERIFY(report.idle >= 0 && report.memory >= 0 && report.exposed >= 0);
        }
    }

    void damagedFilesKeepWhatWasRead() {
        const std::string text = tests::exampleA().text();
        const std::size_t second = text.find("vectorized");
        const MeasuredTrace cut = tests::traceOf(text.substr(0, second));
        QCOMPARE(cut.spans.size(), std::size_t{1});
        QVERIFY(tests::contains(cut.endsEarly, "ends at event 1, byte "));
        QVERIFY(tests::contains(cut.endsEarly, "the text is cut off"));
        std::string nan = text;
        nan.replace(nan.find("150.000"), 7, "NaN");
        QCOMPARE(tests::traceOf(nan).spans.size(), std::size_t{1});
        QVERIFY(tests::contains(tests::traceOf(nan).endsEarly, "ends at event 1, byte "));
        KinetoText large;
        for (int i = 0; i < 20'000; ++i)
            large.kernel("k" + std::to_string(i * 7919 % 10'007), i * 11, 10);
        const std::string bytes = tests::packed(large.text());
        const MeasuredTrace half = tests::traceOf(bytes.substr(0, bytes.size() / 2));
        QVERIFY(half.spans.size() > 1'000 && half.spans.size() < 20'000);
        QVERIFY(tests::contains(half.endsEarly, "the gzip data are cut off"));
        QCOMPARE(tests::traceOf(text + "x").spans.size(), std::size_t{6});
        QVERIFY(!tests::traceOf(text + "x").endsEarly.empty());
        QVERIFY(tests::traceOf(text).endsEarly.empty());
    }

    void filesThatAreNoTraceAreRefused() {
        const auto says = [](const std::string& text, const char* what) {
            return tests::saysAt(tests::readTrace(text).problems, "trace.json", what);
        };
        QVERIFY(says("", "not a trace: it is empty"));
        QVERIFY(says("{}", "no list traceEvents"));
        QVERIFY(says("hello", "not a trace"));
        QVERIFY(says("\"text\"", "not a trace"));
        QVERIFY(says("{\"traceEvents\": {}}", "not a trace"));
        QVERIFY(says("{\"traceEvents\": []}", "no GPU kernels among 0 events: recorded without CUDA activity?"));
        QVERIFY(says("[]", "recorded without CUDA activity?"));
        KinetoText cpu;
        cpu.op("aten::mm", 0, 10);
        QVERIFY(says(cpu.text(), "no GPU kernels among 1 events"));
        // Another tool's trace.
        QVERIFY(says(R"([{"name": "f", "cat": "function", "ph": "X", "pid": 1, "tid": 1, "ts": 1, "dur": 1}])",
                     "no GPU kernels"));
        QVERIFY(!readMeasuredFile("no-such-file.json").problems.empty());
        QVERIFY(tests::saysAt(readMeasuredFile(std::filesystem::temp_directory_path().string()).problems,
                              std::filesystem::temp_directory_path().string(), "a folder"));
    }

    void spansWithoutATimeAreLeftOutAndCounted() {
        KinetoText trace = tests::exampleA();
        const auto add = [&](const std::string& fields) {
            trace.raw(R"({"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, )" + fields +
                      R"("args": {"device": 0}})");
        };
        add(R"("ts": 100, )");
        add(R"("ts": 100, "dur": -1, )");
        add(R"("ts": 100, "dur": "5", )");
        add(R"("ts": "100", "dur": 5, )");
        add(R"("dur": 5, )");
        add(R"("ts": true, "dur": 5, )");
        add(R"("ts": 1e300, "dur": 5, )");
        const MeasuredTrace read = tests::traceOf(trace.text());
        QVERIFY(intervalsOf(read) == kA);
        QCOMPARE(read.counts.badDuration, std::uint64_t{3});
        QCOMPARE(read.counts.badTime, std::uint64_t{4});
        QVERIFY(tests::contains(noticesOf(read), "4 spans are left out: ts"));
        QVERIFY(tests::contains(noticesOf(read), "3 spans are left out: dur"));
    }

    void aTraceLongerThanADayIsDoubted() {
        KinetoText trace;
        trace.kernel("k", 0, kUs);
        trace.kernel("k", std::int64_t{25} * 3600 * 1'000'000 * kUs, kUs);
        QVERIFY(tests::contains(noticesOf(tests::traceOf(trace.text())), "longer than a day"));
        QVERIFY(!tests::contains(noticesOf(tests::traceOf(tests::exampleA().text())), "day"));
    }

    void readingStopsAtItsLimits() {
        const std::string text = tests::exampleA().text();
        MeasuredOptions options;
        options.limits.events = 3;
        QCOMPARE(tests::traceOf(text, options).spans.size(), std::size_t{3});
        QVERIFY(tests::contains(tests::traceOf(text, options).endsEarly, "more than 3 events"));
        options = {};
        options.limits.spans = 2;
        QCOMPARE(tests::traceOf(text, options).spans.size(), std::size_t{2});
        QVERIFY(tests::contains(tests::traceOf(text, options).endsEarly, "more than 2 kernels"));
        options = {};
        options.piece = 100;
        options.limits.text = 500;
        QVERIFY(tests::contains(tests::traceOf(text, options).endsEarly, "more than 500 bytes of text"));
        options.limits = {};
        options.limits.token = 1'000;
        KinetoText longText = tests::exampleA();
        longText.kernel(std::string(5'000, 'x'), 400 * kUs, kUs);
        QVERIFY(tests::contains(tests::traceOf(longText.text(), options).endsEarly, "a text of more than 1000 bytes"));
        // A long name is cut, so that names never take more memory than they are worth.
        QCOMPARE(tests::traceOf(longText.text()).names.back().size(), std::size_t{4'096});
    }

    void readingCanBeStoppedAndReportsItsProgress() {
        const std::string text = tests::exampleA().text();
        std::stop_source stop;
        std::vector<double> progress;
        MeasuredOptions options;
        options.piece = 200;
        options.stop = stop.get_token();
        options.progress = [&](double done) {
            progress.push_back(done);
            if (progress.size() == 4)
                stop.request_stop();
        };
        const MeasuredReading reading = readMeasuredTrace(bytesOfText(text), "trace.json", options, text.size());
        QVERIFY(tests::contains(reading.trace.endsEarly, "stopped"));
        QCOMPARE(progress.size(), std::size_t{4});
        QVERIFY(std::ranges::is_sorted(progress) && progress.back() <= 1);
        QVERIFY(!reading.trace.spans.empty() && reading.trace.spans.size() < 6);
    }

    void pythonFramesAndOtherEventsArePassedOver() {
        KinetoText trace = tests::exampleA();
        for (int i = 0; i < 50; ++i)
            trace.python(i * kUs, kUs);
        trace.raw(
            R"({"ph": "M", "cat": "kernel", "name": "process_name", "pid": 0, "tid": 0, "ts": 5, "args": {"name": "python", "labels": ["GPU 0", {"a": [1]}]}})");
        trace.raw(R"({"ph": "s", "id": 4, "cat": "ac2g", "name": "ac2g", "pid": 1, "tid": 1, "ts": 3.0})");
        trace.raw(
            R"({"ph": "i", "s": "t", "name": "[memory]", "args": {"Bytes": 512, "nested": {"grid": [1, 2, 3]}}})");
        trace.raw("[1, 2]");
        trace.raw("null");
        const MeasuredTrace read = tests::traceOf(trace.text());
        QVERIFY(intervalsOf(read) == kA);
        QCOMPARE(read.counts.events, std::uint64_t{59});
    }

    void fieldsMayStandInAnyOrder() {
        const MeasuredTrace read = tests::traceOf(
            R"([{"args": {"stream": 20, "device": 1, "grid": [4, 2, 1], "note": {"grid": [9]}}, "dur": 3, "ts": 10, "name": "gemm", "cat": "kernel", "ph": "X"}])");
        QCOMPARE(read.spans.size(), std::size_t{1});
        QCOMPARE(*read.launchOf(read.spans[0])->workgroups(), std::int64_t{8});
        QVERIFY(read.streams[0] == (MeasuredStream{1, 20}));
    }

    void rowsOfAPictureAreSortedByDeviceAndStream() {
        KinetoText trace;
        for (const int stream : {20, 7, 13})
            trace.kernel("k", stream * kUs, kUs, {}, stream);
        const MeasuredTrace read = tests::traceOf(trace.text());
        QVERIFY(read.streams == (std::vector<MeasuredStream>{{0, 7}, {0, 13}, {0, 20}}));
        QCOMPARE(read.spans[0].stream, std::uint32_t{0});
        QCOMPARE(read.spans[2].stream, std::uint32_t{2});
    }

    /// Traces of real jobs are not shipped; RINGSIDE_TRACES names a folder with some.
    void theIdentityHoldsForTracesOfAFolder() {
        const char* folder = std::getenv("RINGSIDE_TRACES");
        if (folder == nullptr)
            QSKIP("RINGSIDE_TRACES names no folder");
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
            const MeasuredReading reading = readMeasuredFile(entry.path().string());
            QVERIFY2(reading.problems.empty(), tests::described(reading.problems).c_str());
            QVERIFY(addsUp(intervalsOf(reading.trace)));
        }
    }
};

RINGSIDE_TEST(TestMeasuredTrace)
#include "tst_measured_trace.moc"
