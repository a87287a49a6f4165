// Shapes, waves and stretch of the GEMMs of a measured trace.

#include "tests/data/measured_samples.h"
#include "tests/test_program.h"

#include <QTest>

#include <cmath>

using namespace data;
using tests::KinetoText;
using tests::kUs;

namespace {

/// Returns the shape of an operator with these inputs as text, or why there is none.
std::string shapeOf(const std::string& name, const std::string& dims) {
    MeasuredTrace trace;
    trace.names = {name, dims};
    SpanFacts facts;
    facts.name = 0;
    facts.dims = dims.empty() ? kNoIndex : 1;
    const GemmShapeReading reading = gemmShapeOf(trace, facts);
    return reading.shape ? reading.shape->text() : reading.unknown;
}

const GemmShape kSquare{1, 4096, 4096, 1024};

MeasuredDevice h100() { return {0, "NVIDIA H100", 132, 2048, 65'536, 233'472, 0}; }

SpanLaunch launched(std::int64_t grid) {
    SpanLaunch launch;
    launch.grid = {grid, 1, 1};
    launch.block = {384, 1, 1};
    launch.registers = 168;
    launch.shared = 200'000;
    return launch;
}

GemmWaves wavesOf(const std::string& name, std::int64_t grid, const GemmShape& shape = kSquare) {
    const SpanLaunch launch = launched(grid);
    const MeasuredDevice device = h100();
    return gemmWavesOf(&shape, name, &launch, &device);
}

bool isNear(const std::optional<double>& value, double expected, double tolerance) {
    return value && std::abs(*value - expected) <= tolerance;
}

}  // namespace

class TestMeasuredGemms : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void exampleCHasItsExactNumbers() {
        const MeasuredTrace trace = tests::traceOf(tests::exampleC().text());
        const MeasuredReport report = measuredReportOf({&trace, 1});
        QCOMPARE(report.gemms.size(), std::size_t{2});
        const KernelRow& row = report.gemms[0];
        QVERIFY(row.shape == kSquare);
        QCOMPARE(row.type, std::string("c10::BFloat16"));
        QCOMPARE(row.count, std::size_t{2});
        QCOMPARE(*row.alone, 100 * tests::kPsOfUs);
        QCOMPARE(*row.beside, 125 * tests::kPsOfUs);
        QCOMPARE(*row.stretch(), 1.25);
        QVERIFY(isNear(row.flopRate(), 343.597e12, 0.001e12));
        QCOMPARE(*row.waves.perMultiprocessor, std::int64_t{1});
        QCOMPARE(*row.waves.slots, std::int64_t{132});
        QCOMPARE(*row.waves.tiles, std::int64_t{1024});
        QCOMPARE(*row.waves.waves, std::int64_t{8});
        QVERIFY(isNear(row.waves.efficiency(), 0.9697, 0.00005));
        QVERIFY(!row.waves.assumed);
        // The third GEMM is of a graph.
        const KernelRow& graph = report.gemms[1];
        QVERIFY(!graph.shape && graph.shapeUnknown == "kernel of a graph launch" && !graph.flopRate());
        QVERIFY(!graph.waves.tiles && !graph.waves.unknown.empty());
        bool told = false;
        for (const MeasuredUnknown& unknown : report.unknowns)
            told = told || textOf(unknown) == "1 GEMM kernel has no shape: kernel of a graph launch";
        QVERIFY(told);
    }

    void inputsGiveTheShape() {
        QCOMPARE(shapeOf("aten::mm", "[[2,3],[3,5]]"), std::string("2x5x3"));
        QCOMPARE(shapeOf("aten::_scaled_mm", "[[16,32],[32,8],[],[]]"), std::string("16x8x32"));
        QCOMPARE(shapeOf("aten::linear", "[[4,7,3],[5,3],[5]]"), std::string("28x5x3"));
        QCOMPARE(shapeOf("aten::addmm", "[[5],[2,3],[3,5],[],[]]"), std::string("2x5x3"));
        QCOMPARE(shapeOf("aten::bmm", "[[9,2,3],[9,3,5]]"), std::string("9x2x5x3"));
        QCOMPARE(shapeOf("aten::baddbmm", "[[9,2,5],[9,2,3],[9,3,5],[],[]]"), std::string("9x2x5x3"));
        QVERIFY(tests::contains(shapeOf("aten::mm", ""), "record_shapes=True"));
        QVERIFY(tests::contains(shapeOf("my::op", "[[2,3],[3,5]]"), "my::op"));
        for (const char* dims : {"[[2,3],[4,5]]", "[[2,3]]", "[]", "[[2,3],[3,5]", "[[2,3],[3,...", "2",
                                 "[[0,3],[3,5]]", "[[2,-3],[-3,5]]", "[[[2,3]],[3,5]]", "[[4294967296,4],[4,5]]"})
            QVERIFY2(tests::contains(shapeOf("aten::mm", dims), "are not those of aten::mm"), dims);
        QVERIFY(
            tests::contains(shapeOf("aten::bmm", "[[2000000000,2000000000,3],[2000000000,3,2000000000]]"), "are not"));
    }

    void typesHaveTheirBytes() {
        for (const auto& [type, bytes] :
             {std::pair{"c10::BFloat16", 2}, std::pair{"float", 4}, std::pair{"Half", 2},
              std::pair{"c10::Float8_e4m3fn", 1}, std::pair{"Long", 8}, std::pair{"bool", 1}})
            QCOMPARE(*elementBytesOf(type), std::int64_t{bytes});
        QVERIFY(!elementBytesOf("") && !elementBytesOf("Scalar"));
    }

    void namesOfKernelsHaveTheirTile() {
        const auto tile = [](const char* name) { return tileInName(name).value_or(NamedTile{}); };
        QVERIFY(tile("sm80_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x64x32_stage4") == (NamedTile{128, 64}));
        QVERIFY(tile("ampere_bf16_s16816gemm_256x64_16x4_tn") == (NamedTile{256, 64}));
        QVERIFY(tile("nvjet_tst_144x128_64x5_2x1_v_bz_coopA_TNN") == (NamedTile{144, 128}));
        QVERIFY(tile("Cijk_Ailk_Bljk_HHS_BH_MT256x32x64_MI16x16x16x1_SN") == (NamedTile{256, 32}));
        QVERIFY(tile("volta_sgemm_128x64_nn") == (NamedTile{128, 64}));
        for (const char* name :
             {"", "gemm", "gemm_2x3", "x128x128", "_128x", "_128x99999999999999999999", "s16816gemm"})
            QVERIFY2(!tileInName(name), name);
    }

    void theFirstNumberOfATileRunsAlongN() {
        const GemmShape wide{1, 128, 4096, 64};
        // 256 along N and 64 along M: 16 x 2 tiles. The other order: 64 x 1.
        QCOMPARE(*wavesOf("gemm_256x64_16x4", 32, wide).tiles, std::int64_t{32});
        QCOMPARE(*wavesOf("gemm_256x64_16x4", 32, wide).tileN, std::int64_t{256});
        // A grid that fits only the other order decides.
        const GemmWaves other = wavesOf("gemm_96x64_16x4", 128, {1, 192, 4096, 64});
        QCOMPARE(*other.tiles, std::int64_t{128});  // 64 along N, 96 along M
        QCOMPARE(*other.tileN, std::int64_t{64});
        QCOMPARE(*other.tileM, std::int64_t{96});
    }

    void splitKCountsItsWorkgroupsAndPersistentKernelsTheirTiles() {
        QCOMPARE(*wavesOf("gemm_tilesize128x128x64", 1024).tiles, std::int64_t{1024});
        QCOMPARE(*wavesOf("gemm_tilesize128x128x64", 4096).tiles, std::int64_t{4096});
        QCOMPARE(*wavesOf("gemm_tilesize128x128x64", 132).tiles, std::int64_t{1024});
        QCOMPARE(*wavesOf("a_gemm", 4000).tiles, std::int64_t{4000});
        const GemmWaves persistent = wavesOf("a_gemm", 132);
        QVERIFY(!persistent.tiles && tests::contains(persistent.unknown, "persistent"));
        QCOMPARE(*wavesOf("gemm_tilesize128x128x64", 8192, {8, 4096, 4096, 1024}).tiles, std::int64_t{8192});
    }

    void slotsComeFromThreeLimitsOrAreAssumed() {
        const MeasuredDevice device = h100();
        SpanLaunch launch = launched(1024);
        launch.shared = 100'000;
        launch.registers = 32;
        const auto each = [&] {
            return *gemmWavesOf(&kSquare, "gemm_tilesize128x128x64", &launch, &device).perMultiprocessor;
        };
        QCOMPARE(each(), std::int64_t{2});  // 233,472 / 101,024
        launch.shared = 0;
        QCOMPARE(each(), std::int64_t{5});  // 2,048 / 384, and 65,536 / (32 x 384) is 5 as well
        launch.registers = 64;
        QCOMPARE(each(), std::int64_t{2});
        launch.registers = -1;
        const GemmWaves assumed = gemmWavesOf(&kSquare, "gemm_tilesize128x128x64", &launch, &device);
        QVERIFY(assumed.assumed);
        QCOMPARE(*assumed.slots, std::int64_t{132});
        const GemmWaves unknown = gemmWavesOf(&kSquare, "gemm_tilesize128x128x64", &launch, nullptr);
        QVERIFY(unknown.tiles && !unknown.waves && !unknown.efficiency());
        QVERIFY(tests::contains(unknown.unknown, "how many SMs"));
    }

    void aGemmBesideCommunicationForLessThanHalfOfItsTimeIsPartlyBeside() {
        KinetoText trace;
        trace.kernel("gemm", 0, 100 * kUs);
        trace.kernel("gemm", 200 * kUs, 110 * kUs);
        trace.kernel("gemm", 400 * kUs, 120 * kUs);
        trace.kernel("ncclDevKernel_AllGather", 255 * kUs, 60 * kUs, {}, 8);   // exactly half of the second
        trace.kernel("ncclDevKernel_AllGather", 461 * kUs, 100 * kUs, {}, 8);  // 59 of 120 of the third
        const MeasuredTrace read = tests::traceOf(trace.text());
        const MeasuredReport report = measuredReportOf({&read, 1});
        const KernelRow& row = report.gemms.at(0);
        QCOMPARE(row.aloneCount, std::size_t{1});
        QCOMPARE(row.besideCount, std::size_t{1});
        QCOMPARE(row.partlyCount(), std::size_t{1});
        QCOMPARE(*row.stretch(), 1.1);
    }

    void anOperatorWithSeveralGemmKernelsGivesNoShape() {
        const auto shapesWith = [](const std::string& second) {
            KinetoText text;
            text.op("aten::mm", 0, 10 * kUs, 3, {{"Input Dims", "[[64, 32], [32, 16]]"}});
            text.launch(kUs, 1, 3);
            text.launch(2 * kUs, 2, 3);
            text.kernel("gemm_a", 20 * kUs, kUs, tests::correlated(1));
            text.kernel(second, 30 * kUs, kUs, tests::correlated(2));
            const MeasuredTrace trace = tests::traceOf(text.text());
            return gemmShapeOf(trace, trace.spans[0]);
        };
        QVERIFY(tests::contains(shapesWith("gemm_b").unknown, "several GEMM kernels"));
        // A kernel that sums up the parts of a split K is none.
        QVERIFY(shapesWith("cublasLt::splitKreduce_kernel").shape == (GemmShape{1, 64, 16, 32}));
    }

    void mediansAreOfTheMiddleTwo() {
        QVERIFY(!data::medianOf(std::vector<std::int64_t>{}));
        QCOMPARE(*data::medianOf(std::vector<std::int64_t>{3, 1, 2}), std::int64_t{2});
        QCOMPARE(*data::medianOf(std::vector<std::int64_t>{4, 1, 2, 10}), std::int64_t{3});
        QCOMPARE(*data::medianOf(std::vector<std::int64_t>{-5}), std::int64_t{-5});
    }

    void theLongestNamesWithoutAClassAreListed() {
        KinetoText trace;
        for (int i = 0; i < 15; ++i)
            trace.kernel("mystery_" + std::to_string(i), i * 100 * kUs, (i + 1) * kUs);
        const MeasuredTrace read = tests::traceOf(trace.text());
        const MeasuredReport report = measuredReportOf({&read, 1});
        QCOMPARE(report.unclassed.size(), std::size_t{10});
        QCOMPARE(report.unclassed[0].name, std::string("mystery_14"));
        QCOMPARE(report.unclassed[0].total, 15 * tests::kPsOfUs);
    }
};

RINGSIDE_TEST(TestMeasuredGemms)
#include "tst_measured_gemms.moc"
