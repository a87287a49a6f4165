#include "data/canonical_form.h"
#include "data/experiment_document.h"
#include "data/result_document.h"

#include <QtTest>

using namespace data;

namespace {

engine::Experiment unlikeTheDefault() {
    engine::Experiment experiment;
    experiment.machine = "two\nlines = \"quoted\"";
    experiment.parallel.tp = 16;
    experiment.cu.tensorEfficiency = 1.0;
    experiment.memory.updateCost = 4.0 / 3.0;
    experiment.link.bandwidth = {75'000'000'000};
    experiment.dma.window = engine::Bytes{65536};
    experiment.collective.cuBandwidth.reset();
    engine::applyPolicyPreset(experiment, engine::PolicyPreset::sequential);
    return experiment;
}

CanonicalValues defaultWith(const std::string& differences) {
    CanonicalValues values = canonicalValues({});
    forEachDifference(differences, [&](std::string_view path, std::string_view value) {
        values.insert_or_assign(std::string(path), std::string(value));
    });
    return values;
}

}  // namespace

class TestCanonicalForm : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theCanonicalFormReadsBackToItself() {
        for (const engine::Experiment& experiment : {engine::Experiment{}, unlikeTheDefault()}) {
            const std::string text = canonicalForm(experiment);
            QVERIFY(readCanonicalForm(text) == canonicalValues(experiment));
            QCOMPARE(canonicalForm(readCanonicalForm(text)), text);
        }
    }

    void defaultAndDifferencesMakeTheExperimentAgain() {
        QCOMPARE(differencesFromDefault({}), std::string());
        const std::string differences = differencesFromDefault(unlikeTheDefault());
        QCOMPARE(canonicalForm(defaultWith(differences)), canonicalForm(unlikeTheDefault()));
        QVERIFY(differences.find("link.bandwidth=75000000000\n") != std::string::npos);
        QVERIFY(differences.find("dma.engines") == std::string::npos);
    }

    void theDocumentIsTheOneThatIsWrittenFromTheExperiment() {
        QCOMPARE(writeExperiment(canonicalValues(unlikeTheDefault())), writeExperiment(unlikeTheDefault()));
    }

    void aParameterThatThisProgramDoesNotKnowIsKept() {
        CanonicalValues values = canonicalValues({});
        values["link.colour"] = "\"green\"";
        values["warp"] = "0.5";
        QVERIFY(readCanonicalForm(canonicalForm(values)) == values);
        const std::string document = writeExperiment(values);
        QVERIFY(document.find("\"colour\": \"green\"") != std::string::npos);
        QVERIFY(document.find("\"warp\": 0.5") != std::string::npos);
    }

    void aTextThatIsNoCanonicalFormIsDamage() {
        QVERIFY_EXCEPTION_THROWN(readCanonicalForm("{\"link\":"), DamagedDocument);
        QVERIFY_EXCEPTION_THROWN(readCanonicalForm("[1]"), DamagedDocument);
        QVERIFY_EXCEPTION_THROWN(writeExperiment(CanonicalValues{{"link.bandwidth", "75 GB/s"}}), DamagedDocument);
    }
};

QTEST_APPLESS_MAIN(TestCanonicalForm)
#include "tst_canonical_form.moc"
