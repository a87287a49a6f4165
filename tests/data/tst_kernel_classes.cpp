#include "data/measured/kernel_classes.h"
#include "tests/data/said.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <string>

using namespace data;

namespace {

struct Classed {
    KernelClass kernelClass = KernelClass::other;
    MeasuredOperation operation = MeasuredOperation::unknown;
    bool operator==(const Classed&) const = default;
};

Classed classOf(const std::string& name, const std::string& under = {}, const std::string& table = "kernel-classes") {
    const KernelClasses& classes = bundledKernelClasses(table);
    const KernelRule* rule = classes.firstOf(classes.rulesFor(name), classes.underSetOf(under));
    return rule == nullptr ? Classed{} : Classed{rule->kernelClass, rule->operation};
}

KernelClassesReading tableOf(const std::string& rules) {
    return readKernelClasses(R"({"format": "ringside-kernel-classes", "version": 1, "classes": [)" + rules + "]}", "t");
}

}  // namespace

class TestKernelClasses : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theBundledTablesCanBeRead() {
        for (const char* name : {"kernel-classes", "hta"})
            QVERIFY(!bundledKernelClasses(name).rules().empty());
    }

    void namesOfLibrariesHaveTheirClass() {
        const auto is = [](const char* name, KernelClass kernelClass) {
            if (classOf(name).kernelClass != kernelClass)
                qWarning("%s is %s", name, std::string(wordOf(classOf(name).kernelClass)).c_str());
            return classOf(name).kernelClass == kernelClass;
        };
        QVERIFY(is("nvjet_tst_144x128_64x5_2x1_v_bz_coopA_TNN", KernelClass::gemm));
        QVERIFY(is("ampere_bf16_s16816gemm_bf16_128x64_ldg8_f2f_stages_64x3_nn", KernelClass::gemm));
        QVERIFY(is("Cijk_Ailk_Bljk_HHS_BH_MT256x32x64_MI16x16x16x1_SN", KernelClass::gemm));
        QVERIFY(is("void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_256x64_32x4_tn_align8>",
                   KernelClass::gemm));
        QVERIFY(is("void flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128, 64, 4>>", KernelClass::attention));
        QVERIFY(is("fmha_cutlassF_bf16_aligned_64x128_rf_sm80", KernelClass::attention));
        QVERIFY(
            is("void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor>", KernelClass::elementWise));
        QVERIFY(is("triton_poi_fused_add_mul_0", KernelClass::elementWise));
        QVERIFY(is("void cublasLt::splitKreduce_kernel<32, 16, int>", KernelClass::elementWise));
        QVERIFY(is("Memcpy HtoD (Pinned -> Device)", KernelClass::copy));
        QVERIFY(is("CopyDeviceToDevice", KernelClass::copy));
        QVERIFY(is("Memset (Device)", KernelClass::fill));
        QVERIFY(is("Memcpy PtoP (Device -> Device)", KernelClass::communication));
        QVERIFY(is("my_own_kernel", KernelClass::other));
        QVERIFY(is("", KernelClass::other));
    }

    void anImplicitGemmIsAConvolutionUnlessItsOperatorMultiplies() {
        const char* name = "sm80_xmma_fprop_implicit_gemm_bf16bf16_bf16f32_f32_nhwckrsc_nhwc_tilesize128x128x64";
        QCOMPARE(classOf(name).kernelClass, KernelClass::convolution);
        QCOMPARE(classOf(name, "aten::cudnn_convolution").kernelClass, KernelClass::convolution);
        QCOMPARE(classOf(name, "aten::mm").kernelClass, KernelClass::gemm);
        // The operator beats the name in the other direction, too.
        QCOMPARE(classOf("ampere_sgemm_128x64_nn", "aten::cudnn_convolution").kernelClass, KernelClass::convolution);
    }

    void communicationHasItsOperation() {
        using enum MeasuredOperation;
        const auto operationOf = [](const char* name, const char* under = "") {
            const Classed classed = classOf(name, under);
            return classed.kernelClass == KernelClass::communication ? std::optional(classed.operation) : std::nullopt;
        };
        QVERIFY(operationOf("ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)") == allReduce);
        QVERIFY(operationOf("ncclKernel_ReduceScatter_RING_SIMPLE_Sum_float(ncclWorkElem)") == reduceScatter);
        QVERIFY(operationOf("ncclDevKernel_AllGather_RING_LL") == allGather);
        QVERIFY(operationOf("ncclDevKernel_SendRecv") == unknown);
        QVERIFY(operationOf("ncclDevKernel_Generic_4(ncclDevKernelArgsStorage<4096ul>)") == unknown);
        QVERIFY(operationOf("void multimem_all_reduce_kernel<c10::BFloat16, 16>") == allReduce);
        QVERIFY(operationOf("void sglang::cross_device_reduce_1stage<__nv_bfloat16, 8>") == allReduce);
        QVERIFY(operationOf("two_shot_all_reduce_kernel") == allReduce);
        QVERIFY(!operationOf("Memcpy DtoD (Device -> Device)"));
        QVERIFY(operationOf("Memcpy DtoD (Device -> Device)", "symm_mem::fused_all_gather_matmul") == unknown);
        QVERIFY(operationNamed("_allgather_base") == allGather &&
                operationNamed("reduce_scatter_tensor_coalesced") == reduceScatter);
        QVERIFY(operationNamed("nccl:_all_to_all") == allToAll && operationNamed("recv") == receive);
        QVERIFY(operationNamed("nccl:reduce") == reduce && operationNamed("all_to_allv") == allToAll);
        QVERIFY(operationNamed("wait") == unknown);
    }

    void htaKnowsThreeClassesOnly() {
        QCOMPARE(classOf("two_shot_all_reduce_kernel", {}, "hta").kernelClass, KernelClass::other);
        QCOMPARE(classOf("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", {}, "hta").kernelClass,
                 KernelClass::communication);
        QCOMPARE(classOf("Memcpy PtoP (Device -> Device)", {}, "hta").kernelClass, KernelClass::copy);
        QCOMPARE(classOf("Memset (Device)", {}, "hta").kernelClass, KernelClass::fill);
    }

    void wordsMatchAnywhereOrAtTheBeginningOfAWord() {
        const KernelClasses classes = tableOf(R"({"match": ["^mm"], "not": ["slow"], "class": "gemm"})").classes;
        QVERIFY(classes.rulesFor("mm_kernel").size() == 1 && classes.rulesFor("fast_MM").size() == 1);
        QVERIFY(classes.rulesFor("comm").empty() && classes.rulesFor("8mm").empty());
        QVERIFY(classes.rulesFor("mm_slow").empty());
    }

    void mistakesAreNamedWithTheirPlace() {
        QVERIFY(tests::saysAt(tableOf(R"({"match": ["a"], "class": "gem"})").problems, "classes[0].class",
                              "allowed: gemm"));
        QVERIFY(tests::saysAt(tableOf(R"({"match": ["a"]})").problems, "classes[0].class", "missing"));
        QVERIFY(tests::saysAt(tableOf(R"({"class": "gemm"})").problems, "classes[0]", "matches everything"));
        QVERIFY(tests::saysAt(tableOf(R"({"match": "a", "class": "gemm"})").problems, "classes[0].match",
                              "a list of words"));
        QVERIFY(
            tests::saysAt(tableOf(R"({"match": ["^"], "class": "gemm"})").problems, "classes[0].match[0]", "a word"));
        QVERIFY(tests::saysAt(tableOf(R"({"match": ["a"], "class": "gemm", "operation": "send"})").problems,
                              "classes[0].operation", "only communication"));
        QVERIFY(tests::saysAt(tableOf(R"({"match": ["a"], "class": "communication", "operation": "sum"})").problems,
                              "classes[0].operation", "all-reduce"));
        QVERIFY(tests::saysAt(tableOf(R"({"mach": ["a"], "class": "gemm"})").problems, "classes[0].mach",
                              "did you mean match"));
        QVERIFY(!readKernelClasses("{}", "t").problems.empty());
        std::string many;
        for (int i = 0; i < 65; ++i)
            many += std::string(i == 0 ? "" : ",") + R"({"under": ["a"], "class": "gemm"})";
        QVERIFY(tests::saysAt(tableOf(many).problems, "t", "too many"));
    }

    void ownRulesAreAskedFirst() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("kernel-classes.json").toStdString();
        std::ofstream(path)
            << R"({"format": "ringside-kernel-classes", "classes": [{"match": ["my_own"], "class": "gemm"}]})";
        const KernelClassesReading own = kernelClassesNamed("", folder.path().toStdString());
        QVERIFY(own.problems.empty());
        QCOMPARE(own.classes.rules().size(), bundledKernelClasses().rules().size() + 1);
        const auto* rule = own.classes.firstOf(own.classes.rulesFor("my_own_kernel"), 0);
        QVERIFY(rule != nullptr && rule->kernelClass == KernelClass::gemm);
        // A file by its name; a bundled table alone; no file at all.
        QCOMPARE(kernelClassesNamed(path, {}).classes.rules().size(), own.classes.rules().size());
        QCOMPARE(kernelClassesNamed("hta", folder.path().toStdString()).classes.rules().size(), std::size_t{3});
        QCOMPARE(kernelClassesNamed("", {}).classes.rules().size(), bundledKernelClasses().rules().size());
        QVERIFY(!kernelClassesNamed("no-such-file.json", {}).problems.empty());
    }
};

RINGSIDE_TEST(TestKernelClasses)
#include "tst_kernel_classes.moc"
