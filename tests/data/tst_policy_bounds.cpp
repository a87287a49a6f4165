#include "data/laboratory/laboratory.h"
#include "data/presets/presets.h"
#include "engine/api/policy_bounds.h"
#include "tests/test_program.h"

#include <QtTest>

using namespace data;

namespace {

ExperimentDraft small(const std::vector<std::string>& settings, const char* name = "t-nlg/op/tp4") {
    ExperimentDraft draft = draftNamed(name).draft;
    engine::Problems problems;
    for (const char* setting : {"workload.sequence=512", "workload.batch=1", "detail.level=interactive"})
        applySetting(setting, draft, problems);
    for (const std::string& setting : settings)
        applySetting(setting, draft, problems);
    if (!problems.empty())
        qFatal("%s", engine::describe(problems.front()).c_str());
    return draft;
}

/// Runs `settings` under `policy` and returns its result, unless the combination is not allowed.
std::optional<engine::RunResult> run(std::vector<std::string> settings, const std::string& policy) {
    settings.push_back("policy=" + policy);
    const ExperimentDraft draft = small(settings);
    if (!expand(draft).problems.empty())
        return std::nullopt;
    engine::RunOptions options;
    options.baselines = false;
    return Laboratory().run(draft, options).result;
}

engine::BoundsResult boundsOf(std::vector<std::string> settings, const std::string& policy = "t3-mca") {
    settings.push_back("policy=" + policy);
    return engine::boundsOfAnyPolicy(expand(small(settings)).experiment);
}

}  // namespace

class TestPolicyBounds : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void noPolicyIsFasterOnAnyMachine_data() {
        QTest::addColumn<QString>("machine");
        for (const Preset& machine : machines())
            QTest::newRow(machine.name.c_str()) << QString::fromStdString(machine.name);
    }

    void noPolicyIsFasterOnAnyMachine() {
        QFETCH(const QString, machine);
        int compared = 0;
        for (const char* operation : {"all-reduce", "reduce-scatter", "all-to-all", "all-gather"}) {
            for (const char* algorithm : {"ring", "direct", "hierarchical"}) {
                const std::vector<std::string> settings{"machine=" + machine.toStdString(),
                                                        std::string("collective.operation=") + operation,
                                                        std::string("collective.algorithm=") + algorithm};
                for (const char* policy : {"sequential", "t3", "t3-mca", "ideal-overlap", "ideal-overlap-nmc"}) {
                    const auto result = run(settings, policy);
                    if (!result)
                        continue;
                    const engine::BoundsResult least = boundsOf(settings, policy);
                    const QString where =
                        QStringLiteral("%1 %2 %3")
                            .arg(QLatin1String(operation), QLatin1String(algorithm), QLatin1String(policy));
                    QVERIFY2(least.total.ps > 0 && result->last.time.total >= least.total, qPrintable(where));
                    QVERIFY(least.total >= std::max({least.compute, least.memory, least.link}));
                    ++compared;
                }
            }
        }
        QVERIFY(compared >= 20);
    }

    void itIsTheSameUnderEachPolicyButTheSplit() {
        const std::vector<std::string> settings{"machine=nvidia-h100"};
        const engine::BoundsResult least = boundsOf(settings);
        for (const char* policy : {"sequential", "t3", "ideal-overlap", "ideal-overlap-nmc"})
            QVERIFY2(boundsOf(settings, policy) == least, policy);
        QVERIFY(run(settings, "cu-split")->last.time.total >= boundsOf(settings, "cu-split").total);
    }

    // If one part limits the run, the bound is close to the total. (A bound of 0 would also hold, but would be
    // useless.)
    void itIsWithinReachWhereOnePartLimits() {
        const auto share = [](std::vector<std::string> settings) {
            const auto result = run(settings, "t3-mca");
            return static_cast<double>(boundsOf(settings).total.ps) / static_cast<double>(result->last.time.total.ps);
        };
        QVERIFY(share({"link.bandwidth=2GB/s"}) > 0.95);
        QVERIFY(share({"link.bandwidth=100TB/s", "memory.bandwidth=1000TB/s", "cu.clock=10MHz",
                       "cu.tensor_efficiency=1"}) > 0.8);
    }

    void slowerPartsRaiseIt() {
        const engine::BoundsResult usual = boundsOf({});
        QVERIFY(boundsOf({"link.bandwidth=10GB/s"}).link > usual.link);
        QVERIFY(boundsOf({"memory.bandwidth=10GB/s"}).memory > usual.memory);
        QVERIFY(boundsOf({"cu.clock=100MHz"}).compute > usual.compute);
    }

    void anExperimentThatCannotRunHasNone() {
        engine::Experiment broken = expand(small({})).experiment;
        broken.cu.count = 0;
        QVERIFY(engine::boundsOfAnyPolicy(broken) == engine::BoundsResult{});
    }
};

RINGSIDE_TEST(TestPolicyBounds)
#include "tst_policy_bounds.moc"
