#include "data/experiment/canonical_form.h"
#include "data/experiment/experiment_document.h"
#include "data/results/result_document.h"
#include "tests/test_program.h"

#include <QtTest>
#include <algorithm>

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

/// Returns the table with two more parameters, as a later engine might have, one of them in a new group. They use
/// fields of existing parameters.
std::vector<engine::Parameter> withNewer() {
    std::vector<engine::Parameter> table(engine::parameters().begin(), engine::parameters().end());
    engine::Parameter colour = *engine::findParameter("seed");
    colour.path = "dma.colour";
    colour.since = "0.4";
    engine::Parameter size = *engine::findParameter("link.header");
    size.path = "zone.size";
    size.since = "1.0";
    table.insert(table.begin() + 3, size);
    table.push_back(colour);
    return table;
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
        CanonicalValues values = canonicalValues(unlikeTheDefault());
        addNewerDefaults(values);
        QCOMPARE(writeExperiment(values), writeExperiment(unlikeTheDefault()));
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

    void aNewerParameterIsLeftOutWhileItHasItsDefault() {
        const std::vector<engine::Parameter> known(engine::parameters().begin(), engine::parameters().end());
        const std::vector<engine::Parameter> table = withNewer();
        const engine::Experiment usual;
        QCOMPARE(CanonicalWriter(table).form(usual), canonicalForm(usual));
        QCOMPARE(CanonicalWriter(table).form(usual), CanonicalWriter(known).form(usual));
        QVERIFY(canonicalValues(usual, table) == canonicalValues(usual));
        QCOMPARE(differencesFromDefault(usual, table), std::string());
    }

    void aNewerParameterStandsInItsPlaceOnceItDiffers() {
        const std::vector<engine::Parameter> table = withNewer();
        engine::Experiment other;
        other.seed = 7;
        other.link.header = engine::Bytes{32};
        const std::string form = CanonicalWriter(table).form(other);
        QVERIFY(form != canonicalForm(other));
        QVERIFY(form.find("\"zone\":{\"size\":32}") != std::string::npos);
        QVERIFY(form.find("\"dma\":{\"block_tiles\":4,\"colour\":7,") != std::string::npos);
        QVERIFY(readCanonicalForm(form) == canonicalValues(other, table));
        QCOMPARE(canonicalForm(readCanonicalForm(form)), form);
        // Only the parameter that differs is written: the other one has its default.
        other.link.header = {};
        const std::string one = CanonicalWriter(table).form(other);
        QVERIFY(one.find("zone") == std::string::npos && one.find("\"colour\":7") != std::string::npos);
    }

    void whatIsAbsentHasItsDefault() {
        const std::vector<engine::Parameter> table = withNewer();
        CanonicalValues values = readCanonicalForm(canonicalForm(engine::Experiment{}));
        QVERIFY(values.count("zone.size") == 0);
        addNewerDefaults(values, table);
        QCOMPARE(values.at("zone.size"), std::string("0"));
        QCOMPARE(values.at("dma.colour"), std::string("1"));
        // A value that differs is not overwritten. Only defaults that an older program does not know are added.
        CanonicalValues seven{{"dma.colour", "7"}};
        addNewerDefaults(seven, table);
        QCOMPARE(seven.at("dma.colour"), std::string("7"));
        QCOMPARE(seven.size(),
                 static_cast<std::size_t>(std::count_if(table.begin(), table.end(), engine::isNewerThanPins)));
    }

    void differencesOfANewerParameterMakeTheExperimentAgain() {
        const std::vector<engine::Parameter> table = withNewer();
        engine::Experiment other = unlikeTheDefault();
        other.seed = 7;
        // The base values, which are kept beside the differences, do not have the newer parameter.
        CanonicalValues values = canonicalValues({});
        forEachDifference(differencesFromDefault(other, table), [&](std::string_view path, std::string_view value) {
            values.insert_or_assign(std::string(path), std::string(value));
        });
        QCOMPARE(canonicalForm(values), CanonicalWriter(table).form(other));
    }

    void everyParameterOfTodayIsInEveryForm() {
        const CanonicalValues values = readCanonicalForm(canonicalForm(engine::Experiment{}));
        for (const engine::Parameter& parameter : engine::parameters())
            QCOMPARE(values.count(parameter.path) == 0, isNewerThanPins(parameter));
    }

    void aTextThatIsNoCanonicalFormIsDamage() {
        QVERIFY_EXCEPTION_THROWN(readCanonicalForm("{\"link\":"), DamagedDocument);
        QVERIFY_EXCEPTION_THROWN(readCanonicalForm("[1]"), DamagedDocument);
        QVERIFY_EXCEPTION_THROWN(writeExperiment(CanonicalValues{{"link.bandwidth", "75 GB/s"}}), DamagedDocument);
    }
};

RINGSIDE_TEST(TestCanonicalForm)
#include "tst_canonical_form.moc"
