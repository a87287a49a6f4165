#include "engine/api/parameters.h"
#include "tests/test_program.h"

#include <QtTest>

#include <clocale>
#include <cmath>
#include <limits>
#include <set>

using namespace engine;

namespace {

const Parameter& at(std::string_view path) {
    const Parameter* parameter = findParameter(path);
    if (!parameter)
        qFatal("no parameter %s", std::string(path).c_str());
    return *parameter;
}

/// The value that text stands for, or nothing when it is refused.
std::optional<ParameterValue> parsed(std::string_view path, std::string_view text) {
    Problems problems;
    return parseValue(at(path), text, problems);
}

std::string refusal(std::string_view path, std::string_view text) {
    Problems problems;
    const auto value = parseValue(at(path), text, problems);
    return value || problems.size() != 1 ? "" : describe(problems.front());
}

std::optional<ParameterValue> whole(std::int64_t value) { return ParameterValue{value}; }

}  // namespace

class TestParameters : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPathOfTheCommandLinesPageExists() {
        for (const char* path : {"machine",
                                 "workload.model",
                                 "workload.sublayer",
                                 "workload.hidden",
                                 "workload.sequence",
                                 "workload.batch",
                                 "workload.bytes",
                                 "matrix.m",
                                 "matrix.n",
                                 "matrix.k",
                                 "companion.operation",
                                 "companion.bytes",
                                 "companion.m",
                                 "companion.n",
                                 "companion.k",
                                 "companion.tile_m",
                                 "companion.tile_n",
                                 "companion.slots",
                                 "companion.copies",
                                 "companion.by",
                                 "companion.workgroups",
                                 "companion.window",
                                 "companion.issue",
                                 "dispatch.rule",
                                 "dispatch.reserved",
                                 "launch.kernel",
                                 "parallel.tp",
                                 "gemm.tile_m",
                                 "gemm.tile_n",
                                 "gemm.k_step",
                                 "gemm.prefetch",
                                 "gemm.epilogue",
                                 "cu.count",
                                 "cu.clock",
                                 "cu.flops_per_cycle",
                                 "cu.slots",
                                 "cu.tensor_efficiency",
                                 "cu.start_jitter",
                                 "llc.size",
                                 "llc.latency",
                                 "memory.bandwidth",
                                 "memory.efficiency",
                                 "memory.latency",
                                 "memory.update_cost",
                                 "memory.queue",
                                 "memory.store_order",
                                 "memory.turnaround",
                                 "arbitration.policy",
                                 "arbitration.share",
                                 "arbitration.turn",
                                 "arbitration.threshold",
                                 "arbitration.starvation_limit",
                                 "tracker.entries",
                                 "tracker.ways",
                                 "tracker.wf_per_wg",
                                 "tracker.trigger_latency",
                                 "dma.engines",
                                 "dma.block_tiles",
                                 "dma.window",
                                 "dma.startup_latency",
                                 "link.bandwidth",
                                 "link.latency",
                                 "link.packet",
                                 "link.header",
                                 "collective.algorithm",
                                 "collective.reduction",
                                 "collective.cu_count",
                                 "collective.cu_bandwidth",
                                 "collective.start_latency",
                                 "topology.kind",
                                 "topology.egress",
                                 "policy.preset",
                                 "policy.order",
                                 "policy.mapping",
                                 "policy.output_caching",
                                 "policy.start",
                                 "detail.level",
                                 "detail.granule",
                                 "detail.channels",
                                 "detail.mode",
                                 "seed"})
            QVERIFY2(findParameter(path), path);
    }

    void everyEntryIsCompleteAndItsDefaultIsAllowed() {
        std::set<std::string> paths;
        for (const Parameter& p : parameters()) {
            QVERIFY2(paths.insert(p.path).second, p.path.c_str());
            QVERIFY2(!p.label.empty() && p.meaning.size() > 20 && !p.source.empty(), p.path.c_str());
            QVERIFY2(p.meaning.back() == '.', p.path.c_str());
            QVERIFY2(p.read(Experiment{}) == p.defaultValue, p.path.c_str());
            const auto problem = check(p, p.defaultValue);
            QVERIFY2(!problem, problem ? describe(*problem).c_str() : "");
        }
    }

    void whatIsWrittenIsReadBackAndChangesNothingElse() {
        for (const Parameter& p : parameters()) {
            // Another allowed value than the default: a bound, or another word.
            ParameterValue other = p.defaultValue;
            if (p.kind == ParameterKind::integer)
                other = static_cast<std::int64_t>(p.minimum);
            if (p.kind == ParameterKind::real)
                other = p.minimum;
            if (p.kind == ParameterKind::choice)
                other = p.words.front();
            if (p.kind == ParameterKind::text)
                other = std::string("another");
            Experiment experiment;
            p.write(experiment, other);
            QVERIFY2(p.read(experiment) == other, p.path.c_str());
            for (const std::string& word : p.words) {
                p.write(experiment, word);
                QVERIFY2(p.read(experiment) == ParameterValue{word}, (p.path + " " + word).c_str());
            }
            p.write(experiment, p.defaultValue);
            QVERIFY2(experiment == Experiment{}, p.path.c_str());
        }
    }

    void everyFormattedValueReadsBackToTheSameValue() {
        for (const Parameter& p : parameters()) {
            std::vector<ParameterValue> values{p.defaultValue};
            for (const std::string& word : p.words)
                values.emplace_back(word);
            if (p.kind == ParameterKind::integer) {
                for (const double bound : {p.minimum, p.maximum})
                    values.emplace_back(static_cast<std::int64_t>(bound));
            }
            if (p.kind == ParameterKind::real)
                values.insert(values.end(), {p.minimum, p.maximum});
            for (const ParameterValue& value : values) {
                Problems problems;
                const auto again = parseValue(p, formatValue(p, value), problems);
                QVERIFY2(again == value, (p.path + " " + formatValue(p, value)).c_str());
            }
        }
    }

    void unitsAreExact() {
        QCOMPARE(parsed("link.bandwidth", "75GB/s"), whole(75'000'000'000));
        QCOMPARE(parsed("link.bandwidth", " 70 GiB/s "), whole(70LL << 30));
        QCOMPARE(parsed("link.bandwidth", "13.3 GB/s"), whole(13'300'000'000));
        QCOMPARE(parsed("link.bandwidth", "1.5e11"), whole(150'000'000'000));
        QCOMPARE(parsed("link.latency", "500 ns"), whole(500'000));
        QCOMPARE(parsed("link.latency", "0.5 µs"), whole(500'000));
        QCOMPARE(parsed("link.latency", "0.5us"), whole(500'000));
        QCOMPARE(parsed("link.latency", "7"), whole(7));
        QCOMPARE(parsed("memory.queue", "64 KiB"), whole(65536));
        QCOMPARE(parsed("memory.queue", "64 kB"), whole(64000));
        QCOMPARE(parsed("cu.clock", "1.755 GHz"), whole(1'755'000'000));
        QCOMPARE(parsed("arbitration.share", "4:1"), whole(4));
        QCOMPARE(parsed("arbitration.share", "2"), whole(2));
        // 0.1 GiB are 107374182.4 bytes: the nearest whole number, since nobody means a fraction of a byte.
        QCOMPARE(parsed("llc.size", "0.1 GiB"), whole(107374182));
    }

    void bitsAreEighthsOfBytes() {
        for (const char* text :
             {"400 Gbit/s", "400 Gb/s", "400Gbps", "400 gbit/s", "400 GBIT/S", "0.4 Tb/s", "0.4 Tbit/s"})
            QCOMPARE(parsed("link.bandwidth", text), whole(50'000'000'000));
        QCOMPARE(parsed("link.bandwidth", "8 Gib/s"), whole(1LL << 30));
        QCOMPARE(parsed("memory.queue", "64 kbit"), whole(8'000));
        QCOMPARE(parsed("memory.queue", "64 Kb"), whole(8'000));
        QVERIFY(!parsed("memory.queue", "65536 bit"));  // an eighth of a byte is no whole number
    }

    void theLetterCaseOfAUnitIsFreeWhereItLeavesNoDoubt() {
        for (const char* text : {"50 GB/S", "50 gB/s", "50000 mB/s", "50 GBps", "0.05 TB/S"})
            QCOMPARE(parsed("link.bandwidth", text), whole(50'000'000'000));
        for (const char* text : {"500 NS", "500 Ns", "0.5 US", "0.0005 MS"})
            QCOMPARE(parsed("link.latency", text), whole(500'000));
        QCOMPARE(parsed("cu.clock", "1.4 ghz"), whole(1'400'000'000));
        QCOMPARE(parsed("memory.queue", "64 KIB"), whole(65'536));
    }

    void aSmallBIsRefusedWhereItCouldMeanEither() {
        QCOMPARE(refusal("link.bandwidth", "400 gb/s"),
                 std::string("link.bandwidth: 400 gb/s: \"gb/s\" could mean bytes or bits, write GB/s or Gbit/s; "
                             "allowed: 100 MB/s to 1000 TB/s"));
        for (const char* text : {"400 gbps", "400 tb/s", "400 kb/s", "400 gib/s"})
            QVERIFY2(refusal("link.bandwidth", text).find("could mean bytes or bits") != std::string::npos, text);
        QVERIFY(refusal("memory.queue", "64 kb").find("write kB or kbit") != std::string::npos);
        QVERIFY(refusal("memory.queue", "64 b").find("write B;") != std::string::npos);
    }

    void wordsStandBesideNumbers() {
        QCOMPARE(parsed("arbitration.turn", "granule"), std::optional(ParameterValue{std::string("granule")}));
        QCOMPARE(parsed("arbitration.threshold", "none"), std::optional(ParameterValue{std::string("none")}));
        QCOMPARE(parsed("arbitration.threshold", "10 KiB"), whole(10240));
        QCOMPARE(parsed("collective.cu_count", "all"), std::optional(ParameterValue{std::string("all")}));
        QVERIFY(!parsed("tracker.entries", "unlimited"));
    }

    void valuesAreShownWithTheUnitThatMakesThemShortest() {
        const auto text = [](std::string_view path, std::int64_t value) { return formatValue(at(path), value); };
        QCOMPARE(text("link.bandwidth", 75'000'000'000), std::string("75 GB/s"));
        QCOMPARE(text("link.latency", 500'000), std::string("500 ns"));
        QCOMPARE(text("link.latency", 1'500'000), std::string("1.5 µs"));
        QCOMPARE(text("memory.queue", 65536), std::string("64 KiB"));
        QCOMPARE(text("workload.bytes", 192'000'000), std::string("192 MB"));
        QCOMPARE(text("cu.clock", 1'400'000'000), std::string("1.4 GHz"));
        QCOMPARE(text("arbitration.share", 4), std::string("4:1"));
        QCOMPARE(text("link.header", 0), std::string("0 B"));
        QCOMPARE(text("memory.latency", 123'456'789), std::string("123456789 ps"));
    }

    void refusalsNamePathValueAndWhatIsAllowed() {
        QCOMPARE(refusal("link.bandwidth", "-3"),
                 std::string("link.bandwidth: -3: below the minimum; allowed: 100 MB/s to 1000 TB/s"));
        QCOMPARE(refusal("link.bandwidth", "1e400"),
                 std::string("link.bandwidth: 1e400: above the maximum; allowed: 100 MB/s to 1000 TB/s"));
        QVERIFY(refusal("link.bandwidth", "75 Gbit").find("unknown unit \"Gbit\"") != std::string::npos);
        QVERIFY(refusal("link.bandwidth", "75 ns").find("allowed units: B/s, kB/s") != std::string::npos);
        QVERIFY(refusal("link.bandwidth", "nan").find("not a number") != std::string::npos);
        QVERIFY(refusal("cu.count", "2.5").find("not a whole number") != std::string::npos);
        QVERIFY(refusal("cu.count", "80 CUs").find("a number without a unit is expected") != std::string::npos);
        QVERIFY(refusal("cu.count", "").find("empty") != std::string::npos);
        QVERIFY(refusal("cu.count", "0x50").find("a number without a unit is expected") != std::string::npos);
        QVERIFY(refusal("detail.granule", "4000").find("not a power of two") != std::string::npos);
        QVERIFY(refusal("memory.efficiency", "inf").find("not a finite number") != std::string::npos);
        QVERIFY(refusal("memory.efficiency", "0,75").find("not a number") != std::string::npos);
        QVERIFY(refusal("policy.preset", "t3-mac").find("did you mean t3-mca") != std::string::npos);
    }

    void theBoundsThemselvesAreAllowedAndOneBeyondIsNot() {
        for (const Parameter& p : parameters()) {
            if (p.kind != ParameterKind::integer)
                continue;
            const auto least = static_cast<std::int64_t>(p.minimum), most = static_cast<std::int64_t>(p.maximum);
            QVERIFY2(!check(p, least) && !check(p, most), p.path.c_str());
            QVERIFY2(check(p, least - 1) && check(p, most + 1), p.path.c_str());
        }
    }

    void valuesOfTheWrongKindAreRefused() {
        QVERIFY(check(at("cu.count"), ParameterValue{80.0}));
        QVERIFY(check(at("cu.count"), ParameterValue{std::string("many")}));
        QVERIFY(check(at("policy.preset"), ParameterValue{std::int64_t{3}}));
        QVERIFY(check(at("memory.efficiency"), ParameterValue{std::numeric_limits<double>::quiet_NaN()}));
        QVERIFY(check(at("memory.efficiency"), ParameterValue{std::numeric_limits<double>::infinity()}));
        QVERIFY(!check(at("memory.efficiency"), ParameterValue{std::int64_t{1}}));
    }

    void aProblemIsOneLineWhateverWasTyped() {
        const std::string line = refusal("cu.count", "8\n\x1b[31m0" + std::string(100000, 'x'));
        QVERIFY(line.find('\n') == std::string::npos && line.find('\x1b') == std::string::npos);
        QVERIFY(line.size() < 300);
    }

    void nearNamesAreSuggestedAndFarOnesAreNot() {
        QCOMPARE(nearestParameters("link.bandwith").front(), std::string("link.bandwidth"));
        QCOMPARE(nearestParameters("links.latency").front(), std::string("link.latency"));
        QCOMPARE(nearestParameters("tp").front(), std::string("parallel.tp"));
        QCOMPARE(nearestParameters("bandwidth").size(), std::size_t{3});
        QVERIFY(nearestParameters("xyzzy").empty());
        QVERIFY(nearestParameters(std::string(1 << 20, 'a')).empty());
    }

    void theLocalePlaysNoPart() {
        // German writes 0,75. Where that locale is not installed this checks nothing more than the others.
        std::setlocale(LC_ALL, "de_DE.UTF-8");
        QCOMPARE(parsed("memory.efficiency", "0.75"), std::optional(ParameterValue{0.75}));
        QCOMPARE(formatValue(at("memory.efficiency"), 0.75), std::string("0.75"));
        QCOMPARE(parsed("link.bandwidth", "13.3 GB/s"), whole(13'300'000'000));
        std::setlocale(LC_ALL, "C");
    }
};

// QCOMPARE prints values that differ.
RINGSIDE_TEST(TestParameters)
#include "tst_parameters.moc"
