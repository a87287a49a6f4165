// Checks the page and the schema of sweep documents against the reader, so that the three say the same.

#include "data/sweep/sweep_document.h"
#include "tests/data/json_schema.h"
#include "tests/test_program.h"

#include <QtTest>

#include <filesystem>
#include <string>
#include <vector>

using namespace data;

namespace {

const tests::JsonSchema& sweepSchema() {
    static const tests::JsonSchema kSchema(tests::wholeText("resources/sweeps/sweep.schema.json"));
    return kSchema;
}

std::vector<std::string> examplesOfSweepPage() {
    const std::string text = tests::wholeText("resources/sweeps/README.md");
    std::vector<std::string> examples;
    for (std::size_t at = text.find("```json\n"); at != std::string::npos; at = text.find("```json\n", at)) {
        at += 8;
        examples.push_back(text.substr(at, text.find("\n```", at) - at));
    }
    return examples;
}

}  // namespace

class TestSweepPage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyExampleOfThePageIsASweep() {
        const std::vector<std::string> examples = examplesOfSweepPage();
        QCOMPARE(examples.size(), std::size_t{2});
        for (const std::string& example : examples) {
            const SweepReading reading = readSweep(example, "the page");
            QVERIFY2(reading.problems.empty(),
                     reading.problems.empty() ? "" : engine::describe(reading.problems.front()).c_str());
            const std::string fault = sweepSchema().faultOf(nlohmann::json::parse(example));
            QVERIFY2(fault.empty(), fault.c_str());
        }
    }

    void theSchemaAcceptsEveryBundledSweep() {
        std::size_t sweeps = 0;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(RINGSIDE_SOURCE "/resources/examples")) {
            if (entry.path().extension() != ".json")
                continue;
            const auto path = std::filesystem::relative(entry.path(), RINGSIDE_SOURCE).string();
            const nlohmann::json document = nlohmann::json::parse(tests::wholeText(path));
            if (document.value("format", "") != "ringside-sweep")
                continue;
            ++sweeps;
            const std::string fault = sweepSchema().faultOf(document);
            QVERIFY2(fault.empty(), (path + ": " + fault).c_str());
        }
        QVERIFY(sweeps > 5);
    }

    void aKeyOfTheSchemaIsAKeyOfTheReaderAndOnThePage() {
        const std::string page = tests::wholeText("resources/sweeps/README.md");
        const auto keys = tests::keysOf(sweepSchema().root());
        for (const std::string& key : keys)
            QVERIFY2(page.find("`" + key + "`") != std::string::npos, key.c_str());
        // The reader lists its keys where one is unknown.
        const SweepReading reading = readSweep(
            R"({"format": "ringside-sweep", "version": 1, "policies": ["t3"], "no_such_key": 1,
                "axes": [{"path": "seed", "values": [1, 2]}]})",
            "document");
        QVERIFY(!reading.problems.empty());
        const std::string text = reading.problems.front().text;
        for (const std::string& key : keys)
            QVERIFY2(text.find(key) != std::string::npos || key == "format" || key == "version",
                     (key + ": " + text).c_str());
    }
};

RINGSIDE_TEST(TestSweepPage)
#include "tst_sweep_page.moc"
