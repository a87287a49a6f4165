#include "data/evaluations/evaluation.h"
#include "data/evaluations/reproduce.h"
#include "data/model/model_point.h"
#include "data/model/model_run.h"
#include "tests/data/kept_runs.h"
#include "tests/data/model_page.h"
#include "tests/test_program.h"

#include <QtTest>

#include <map>
#include <string>

// Checks the statements of MODEL.md about networks and tables of collectives: the evaluations integrated and mcr-dl, and
// what policies change in a network.

using namespace data;

namespace {

std::map<std::string, ReproducedItem> reproduced(const char* name, std::string* constants = nullptr) {
    ReproduceOptions options;
    options.threads = tests::threadsHere();
    static const tests::KeptRuns kKept("networks");
    options.store = kKept.storeFor(name);
    const Reproduction made = reproduceAll(*findEvaluation(name), options);
    if (constants != nullptr)
        *constants = made.constants;
    std::map<std::string, ReproducedItem> rows;
    for (const ReproducedItem& item : made.items)
        rows.emplace(item.published.id, item);
    return rows;
}

}  // namespace

class TestNetworkEvaluations : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theGridsOfAlexNetAreThoseOfThePage() {
        const auto rows = reproduced("integrated");
        for (const auto& [id, item] : rows)
            QVERIFY2(item.holds().value_or(false), id.c_str());
        const auto check = [&](const char* gpus, const char* row, const std::string& grid, const char* division) {
            const auto value = [&](const char* what) {
                return rows.at(std::string(what) + "-" + gpus + "[tp=" + row + "]").value;
            };
            m_page.check(QStringLiteral("| %1 | %2 | %3 | # | # | # ms |").arg(gpus, grid.c_str(), division),
                         {value("messages"), value("sent"), value("time") * 1e-9});
        };
        check("512", "1", "1 x 512", "samples");
        check("512", "4", "4 x 128", "columns");
        check("512", "32", "32 x 16", "convolutions in samples");
        check("512", "16", "16 x 32", "convolutions in samples");
        check("64", "1", "1 x 64", "samples");
        check("64", "2", "2 x 32", "columns");
        check("64", "8", "8 x 8", "convolutions in samples");
        m_page.checkEveryRowBelow(QStringLiteral("## Grids of a network (integrated)"));
        verify();
    }

    void theMixtureIsNoSlowerThanOneAlgorithmForAll() {
        std::string constants;
        const auto rows = reproduced("mcr-dl", &constants);
        QCOMPARE(constants, findEvaluation("mcr-dl")->frozen);
        QCOMPARE(rows.size(), std::size_t{9});
        for (const auto& [id, item] : rows) {
            QVERIFY(item.role == EvaluationRole::blind);
            QVERIFY2(item.value >= 1 - 1e-12, id.c_str());
        }
        const auto check = [&](const char* row, const std::string& model) {
            m_page.check(QStringLiteral("| %1 | # | # | # |").arg(row),
                         {rows.at(model + "-over-ring").value, rows.at(model + "-over-direct").value,
                          rows.at(model + "-over-halving").value});
        };
        check("GPT-3, 8 GPUs", "dense");
        check("Mixtral 8x7B, 8 GPUs", "moe");
        check("DLRM, 32 GPUs", "dlrm");
        m_page.checkEveryRowBelow(QStringLiteral("## Mixed back-ends (mcr-dl)"));
        m_page.check("DLRM's exchanges are small: rings are # % slower there.",
                     {100 * (rows.at("dlrm-over-ring").value - 1)});
        verify();
    }

    void policiesChangeANetworkOnlyWhereCollectivesAddNearMemory() {
        ExperimentDraft draft;
        draft.explicitValues = {{"workload.model", std::string("alexnet")},
                                {"parallel.tp", std::int64_t{8}},
                                {"detail.level", std::string("interactive")}};
        ModelRunOptions options;
        options.policies = {engine::PolicyPreset::t3, engine::PolicyPreset::idealOverlap};
        const ModelRun run = modelRun(wholeModelOf(draft), options);
        QCOMPARE(run.policies[1].time.total(), run.sequential.time.total());
        m_page.check("(# % of AlexNet's step on 8 GPUs)", {100 * (run.policies[0].speedupOverSequential - 1)});
        verify();
    }

private:
    void verify() {
        const QByteArray failures = m_page.takeFailures();
        QVERIFY2(failures.isEmpty(), failures.constData());
    }

    tests::ModelPage m_page{QStringLiteral(RINGSIDE_SOURCE "/MODEL.md")};
};

RINGSIDE_CORE_TEST(TestNetworkEvaluations)
#include "tst_network_evaluations.moc"
