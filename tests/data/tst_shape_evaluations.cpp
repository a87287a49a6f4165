#include "data/evaluations/evaluation.h"
#include "data/evaluations/reproduce.h"
#include "data/sweep/sweep_plan.h"
#include "engine/api/operator_graph.h"
#include "tests/data/kept_runs.h"
#include "tests/data/model_page.h"
#include "tests/data/reproduced_items.h"
#include "tests/gallery_figures.h"
#include "tests/test_program.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

// Checks the statements of the evaluations of shapes: gemms, codesign, bert and comp-vs-comm, with their tables in
// MODEL.md.

using namespace data;

namespace {

/// The rows of a bundled evaluation, by id.
class ShapeRows {
public:
    explicit ShapeRows(const char* name) {
        ReproduceOptions options;
        options.threads = tests::threadsHere();
        static const tests::KeptRuns kKept("shape_evaluations");
        options.store =
            std::string_view(name) == "gemms" ? tests::GalleryFigures::runsFor("gemms") : kKept.storeFor(name);
        m_made = reproduceAll(*findEvaluation(name), options);
        for (const ReproducedItem& item : m_made.items)
            m_rows[item.published.id] = &item;
    }
    ShapeRows(const ShapeRows&) = delete;
    ShapeRows& operator=(const ShapeRows&) = delete;

    const Reproduction& made() const { return m_made; }
    const ReproducedItem& at(const std::string& id) const { return *m_rows.at(id); }

    /// Returns what a measured table shows on a machine.
    const MeasuredAnswer& answer(const std::string& table, const std::string& machine) const {
        return *std::ranges::find_if(
            m_made.measured, [&](const MeasuredAnswer& one) { return one.table == table && one.machine == machine; });
    }

    /// Returns our value in `unit`; if there is a published one, also that and the difference in per cent.
    std::vector<double> row(const std::string& id, double unit) const {
        const ReproducedItem& item = at(id);
        if (std::isnan(item.published.value))
            return {item.value / unit};
        return {item.value / unit, item.published.value / unit, 100 * item.difference};
    }

private:
    Reproduction m_made;
    std::map<std::string, const ReproducedItem*> m_rows;
};

/// Returns the rows of comp-vs-comm, whose points are run once for all tests.
const ShapeRows& computeAndCommunication() {
    static const ShapeRows kRows("comp-vs-comm");
    return kRows;
}

void checkShapeRoles(const ShapeRows& rows, const char* name) {
    QVERIFY2(rows.made().failures.empty(), name);
    QCOMPARE(rows.made().constants, findEvaluation(name)->frozen);
    for (const ReproducedItem& item : rows.made().items) {
        QVERIFY2(item.holds().value_or(true), item.published.id.c_str());
        QVERIFY2(item.role != EvaluationRole::blind || std::isnan(item.published.value), item.published.id.c_str());
    }
}

double weightsOfPoint(const engine::Experiment& experiment) {
    return static_cast<double>(operatorGraphOf(experiment, engine::ModelPhase::prompt).weightsOfModel());
}

}  // namespace

class TestShapeEvaluations : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneGemmIsFittedAndTheOthersAreWithinATenth() {
        const ShapeRows rows("gemms");
        checkShapeRoles(rows, "gemms");
        QVERIFY(std::abs(rows.at("qkv").difference) < 1e-3);
        const auto tera = [&](const char* passage, const char* id) { m_page.check(passage, rows.row(id, 1e12)); };
        tera("| queries, keys and values | 8192 x 12288 x 4096 | # | # | # % |", "qkv");
        tera("| output projection | 8192 x 4096 x 4096 | # | # | # % |", "output");
        tera("| h to 4h | 8192 x 16384 x 4096 | # | # | # % |", "h-to-4h");
        tera("| 4h to h | 8192 x 4096 x 16384 | # | # | # % |", "4h-to-h");
        tera("| logits | 8192 x 4096 x 51200 | # | # | # % |", "logits");
        tera("| scores | 64 of 2048 x 2048 x 256 | # | blind | |", "scores");
        tera("| attention over value | 64 of 2048 x 256 x 2048 | # | blind | |", "value");
        for (const char* gpus : {"2", "4", "8"})
            m_page.check(
                QStringLiteral("| GEMM and reduce-scatter on %1 H100, ms | 8192 x 8192 x 29568 / %1 | # | # | # % |")
                    .arg(QLatin1String(gpus)),
                rows.row(std::string("gemm-reduce-scatter[tp=") + gpus + "]", 1e9));
        const auto after = [&](const char* target, const char* machine, const char* before) {
            const MeasuredAnswer& answer = rows.answer("visible", machine);
            m_page.check(QStringLiteral("| `gemms`, visible | %1 | 60 | %2 | median # %, bias # % | 8 %, 5 %")
                             .arg(QLatin1String(target), QLatin1String(before)),
                         {100 * answer.median, 100 * (answer.bias - 1)});
            return answer;
        };
        const MeasuredAnswer a100 = after("A100", "nvidia-a100", "median 28.7 %, bias +50.6 %");
        const MeasuredAnswer h100 = after("H100", "nvidia-h100", "median 57.9 %, bias +85.8 %");
        m_page.check("| all | # % | # % | # % | # % |",
                     {100 * a100.median, 100 * (a100.bias - 1), 100 * h100.median, 100 * (h100.bias - 1)});
        verify();
    }

    void collectivesAndOverlapAreAsNearAsTheTableSays() {
        const ShapeRows collectives("collectives");
        const auto within = [&](const char* machine, bool large, double allowed) {
            const EvaluationMeasured& measured = findEvaluation("collectives")->measured.front();
            const MeasuredTarget& target = measured.targets[large ? 0 : 1];
            double count = 0;
            for (const ReproducedItem& item : collectives.made().items)
                count += item.published.id.find(machine) != std::string::npos &&
                                 std::ranges::find(target.points, item.points.front()) != target.points.end() &&
                                 std::abs(item.difference) <= allowed
                             ? 1
                             : 0;
            return count;
        };
        m_page.check("| A100 | 16 | 0 within 15 % | # within 15 %", {within("nvidia-a100", true, 0.15)});
        m_page.check("| H100 | 16 | 4 within 15 % | # within 15 %", {within("nvidia-h100", true, 0.15)});
        m_page.check("| A100 | 32 | 1 within 25 % | # within 25 %", {within("nvidia-a100", false, 0.25)});
        m_page.check("| H100 | 32 | 5 within 25 % | # within 25 %", {within("nvidia-h100", false, 0.25)});
        const ShapeRows overlap("overlap");
        const MeasuredAnswer& h100 = overlap.answer("h100", "nvidia-h100");
        m_page.check("| median 15.7 %, worst +67.8 % | median # %, worst # %", {100 * h100.median, 100 * h100.worst});
        m_page.check("| A800 | 1 | -6.2 % | # %", {100 * overlap.answer("a800-after", "nvidia-a100").worst});
        m_page.check("| A800 | 1 | -2.3 % | # %", {100 * overlap.answer("a800-before", "nvidia-a100").worst});
        verify();
    }

    void everyShapeOfCodesignHasTheSizeOfTheDefaultOne() {
        const Sweep& shapes = findEvaluation("codesign")->sweeps.back().sweep;
        const engine::Experiment first = detailsOf(shapes, 0).experiment;
        QCOMPARE(first.workload.hidden, std::int64_t{2560});
        QCOMPARE(first.workload.heads, std::optional<std::int64_t>(32));
        QCOMPARE(pointCount(shapes), std::size_t{17});
        for (std::size_t index = 1; index < pointCount(shapes); ++index) {
            const engine::Experiment shape = detailsOf(shapes, index).experiment;
            QVERIFY(shape.workload.hidden % *shape.workload.heads == 0);
            const double ratio = weightsOfPoint(shape) / weightsOfPoint(first);
            QVERIFY2(std::abs(ratio - 1) < 0.02, qPrintable(QString::number(ratio)));
        }
    }

    void wavesAreCountedAsPublishedAndTheBestShapeGains() {
        const ShapeRows rows("codesign");
        checkShapeRoles(rows, "codesign");
        for (const ReproducedItem& item : rows.made().items)
            QVERIFY(item.role == EvaluationRole::blind || item.holds());
        QVERIFY(rows.at("largest-gain").value > 1);
        m_page.check("the best of them does # times as many useful operations in a second as the default shape",
                     rows.row("largest-gain", 1));
        m_page.check("The best does # times as many as the worst.", rows.row("best-over-worst", 1));
        m_page.check("| `codesign`, largest gain | A100 | 17 | 1.139 | #", rows.row("largest-gain", 1));
        verify();
    }

    void theGemmsOfBertTakeTheShareThatTheyWereFittedTo() {
        const ShapeRows rows("bert");
        checkShapeRoles(rows, "bert");
        QVERIFY(std::abs(rows.at("gemm-share").difference) < 5e-4);
        m_page.check("GEMMs take # % of the step in 32 bits, published # % (second-hand",
                     {100 * rows.at("gemm-share").value, 100 * rows.at("gemm-share").published.value});
        m_page.check("In mixed precision they take # %; operators bound by memory # % and # %.",
                     {100 * rows.at("gemm-share-mixed").value, 100 * rows.at("memory-bound").value,
                      100 * rows.at("memory-bound-mixed").value});
        m_page.check("Without the optimizer # % and # %.",
                     {100 * rows.at("memory-bound-without-optimizer").value,
                      100 * rows.at("memory-bound-without-optimizer-mixed").value});
        m_page.check("| `bert`, share of GEMMs in mixed precision | MI100 | 1 | 47.6 % | # %",
                     {100 * rows.at("gemm-share-mixed").value});
        verify();
    }

    void serialisedSharesAreTheFormulaAndSimulatedLayersAreNear() {
        const ShapeRows& rows = computeAndCommunication();
        checkShapeRoles(rows, "comp-vs-comm");
        for (const int gpus : {8, 16}) {
            for (const int link : {100, 50, 25}) {
                const std::string place =
                    QStringLiteral("-tp%1[tp=%1,bandwidth=%2GB/s]").arg(gpus).arg(link).toStdString();
                const ReproducedItem &share = rows.at("share" + place), &simulated = rows.at("layers" + place);
                QVERIFY2(share.holds() == true && simulated.holds() == true, place.c_str());
                QCOMPARE(share.published.value, simulated.published.value);
                QVERIFY2(simulated.value < share.value, place.c_str());
                m_page.check(QStringLiteral("| %1 | %2 | # | # |").arg(gpus).arg(link),
                             {100 * share.value, 100 * simulated.value});
            }
        }
        const auto percent = [&](const char* id) { return 100 * rows.at(id).value; };
        m_page.check(
            "share goes from # to # %. On the links of 50 and 25 GB/s communication takes # to # % of a whole "
            "step.",
            {percent("grid-least"), percent("grid-greatest"), percent("abstract-least"), percent("abstract-greatest")});
        m_page.check(
            "At most # % of a training step and # % of a prompt of Mega-GPT-2 and T-NLG are communication, # and "
            "# % for GPT-3, PaLM and MT-NLG, and # and # % for all five with twice the CUs.",
            {percent("step-small"), percent("prompt-small"), percent("step-large"), percent("prompt-large"),
             percent("step-twice-the-cus"), percent("prompt-twice-the-cus")});
        m_page.checkEveryRowBelow("## Compute and communication (comp-vs-comm)");
        verify();
    }

    void projectedStepsAreNearAndSaveTheirSimulations() {
        const ShapeRows& rows = computeAndCommunication();
        double errors = 0;
        int count = 0;
        for (const ReproducedItem& item : rows.made().items) {
            if (itemIdOf(item) != "projected-step")
                continue;
            QVERIFY2(item.holds() == true && item.value != 1, item.published.id.c_str());
            errors += std::abs(item.difference);
            ++count;
        }
        QCOMPARE(count, 5);
        QVERIFY(errors / count < 0.15);
        QVERIFY(rows.at("saved-events").value > 100'000);
    }

private:
    void verify() {
        const QByteArray failures = m_page.takeFailures();
        QVERIFY2(failures.isEmpty(), failures.constData());
    }

    tests::ModelPage m_page{QStringLiteral(RINGSIDE_SOURCE "/MODEL.md")};
};

RINGSIDE_CORE_TEST(TestShapeEvaluations)
#include "tst_shape_evaluations.moc"
