// Checks the page and the schema of evaluation documents against the reader, so that the three say the same.

#include "data/document/bundled_json.h"
#include "data/evaluations/evaluation.h"
#include "data/experiment/own_presets.h"
#include "tests/data/json_schema.h"
#include "tests/data/said.h"
#include "tests/test_program.h"

#include <QtTest>

#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace data;

namespace {

using Words = std::set<std::string>;
using tests::keysOf;
using tests::wholeText;

const tests::JsonSchema& evaluationSchema() {
    static const tests::JsonSchema kSchema(wholeText("resources/evaluations/evaluation.schema.json"));
    return kSchema;
}

std::string evaluationPage() { return wholeText("resources/evaluations/README.md"); }

/// An example of the page: "json item" with the text in its fence.
struct PageExample {
    std::string kind, name, text;
};

std::vector<PageExample> examplesOfPage() {
    std::vector<PageExample> examples;
    std::istringstream lines(evaluationPage());
    bool isInside = false;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("```")) {
            isInside = !isInside;
            if (isInside) {
                std::istringstream words(line.substr(3));
                PageExample example;
                words >> example.kind >> example.name;
                if (example.kind == "json") {
                    example.kind = example.name;
                    example.name.clear();
                    words >> example.name;
                }
                examples.push_back(example);
            }
        } else if (isInside) {
            examples.back().text += line + "\n";
        }
    }
    return examples;
}

/// Returns the files beside the examples, by name.
std::map<std::string, std::string> filesOfPage() {
    std::map<std::string, std::string> files;
    for (const PageExample& example : examplesOfPage()) {
        if (example.kind == "csv" || example.kind == "sweep")
            files[example.name] = example.text;
    }
    return files;
}

EvaluationReading readOfPage(const std::string& document) {
    static const auto kPageFiles = filesOfPage();
    return readEvaluation(document, "example", nullptr, [](const std::string& file, engine::Problems& problems) {
        const auto found = kPageFiles.find(file);
        if (found == kPageFiles.end())
            problems.push_back({file, "", "is not on the page"});
        return found == kPageFiles.end() ? std::string() : found->second;
    });
}

/// Returns the documents of the page: those that are whole, one with all its items and figures, and one for each example
/// of sweeps.
std::vector<std::string> documentsOfPage() {
    std::vector<std::string> documents;
    std::string items, figures;
    const std::string head = R"({ "format": "ringside-evaluation", "version": 1, "title": "t", "sweeps": )";
    const std::string item = R"({ "id": "gain", "what": "w", "of": "SWEEP", "metric": "speedup_over_sequential",
        "policy": "POLICY", "as": "gain", "role": "context" })";
    for (const PageExample& example : examplesOfPage()) {
        if (example.kind == "evaluation")
            documents.push_back(example.text);
        else if (example.kind == "item")
            items += example.text + ", ";
        else if (example.kind == "figure")
            figures += (figures.empty() ? "" : ", ") + example.text;
        else if (example.kind == "sweeps")
            documents.push_back(
                head + example.text + R"(, "items": [ { "id": "x", "what": "w", "of": ")" +
                (example.text.find("\"links\"") == std::string::npos ? "steps" : "links") +
                R"(", "metric": "time_ps.total", "policy": "t3", "as": "max", "role": "context" } ] })");
    }
    documents.push_back(head + R"({ "links": { "of": "links.json" } }, "items": [ )" + items +
                        R"({ "id": "gain", "what": "w", "metric": "speedup_over_sequential", "policy": "t3-mca",
        "as": "gain", "role": "context" } ], "figures": [ )" +
                        figures + " ] }");
    return documents;
}

/// Returns the words that a message allows: "…; allowed: a, b and c".
Words allowedIn(const engine::Problems& problems, const std::string& path) {
    for (const engine::Problem& problem : problems) {
        const std::size_t begin = problem.text.find("allowed: ");
        if (problem.path != path || begin == std::string::npos)
            continue;
        std::string list = problem.text.substr(begin + std::string("allowed: ").size());
        if (const std::size_t last = list.rfind(" and "); last != std::string::npos)
            list.replace(last, std::string(" and ").size(), ", ");
        Words words;
        for (std::size_t from = 0; from < list.size();) {
            const std::size_t end = std::min(list.find(", ", from), list.size());
            words.insert(list.substr(from, end - from));
            from = end + 2;
        }
        return words;
    }
    qWarning("%s", tests::described(problems).c_str());
    return {};
}

Words wordsOf(const nlohmann::json& schema) { return schema.at("enum").get<Words>(); }

constexpr const char* kNoKey = "zzzzzzzzzzzz";

/// Returns a document with sound sweeps and a rest.
std::string documentOf(const std::string& rest) {
    return R"({ "format": "ringside-evaluation", "version": 1, "title": "t", "sweeps": { "links": { "of": "links.json" } }, )" +
           rest + " }";
}

std::string soundItem(const std::string& more = {}) {
    return R"("items": [ { "id": "x", "what": "w", "metric": "time_ps.total", "policy": "t3", "as": "max" )" + more +
           " } ]";
}

Words keysThatAreRead(const std::string& document, const std::string& where) {
    return allowedIn(readOfPage(document).problems, where.empty() ? kNoKey : where + "." + kNoKey);
}

const std::string kUnknown = std::string("\"") + kNoKey + "\": 1";

}  // namespace

class TestEvaluationDocuments : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyBundledEvaluationFitsTheSchema() {
        std::size_t count = 0;
        for (const BundledText& bundled : bundledEvaluationTexts()) {
            ++count;
            const std::string fault = evaluationSchema().faultOf(nlohmann::json::parse(bundled.text));
            QVERIFY2(fault.empty(), (std::string(bundled.name) + ": " + fault).c_str());
        }
        QVERIFY(count > 20);
    }

    void everyExampleOfThePageIsAcceptedAndFitsTheSchema() {
        const std::vector<std::string> documents = documentsOfPage();
        QVERIFY(documents.size() >= 6);
        for (const std::string& document : documents) {
            const engine::Problems problems = readOfPage(document).problems;
            QVERIFY2(problems.empty(), (tests::described(problems) + document).c_str());
            const std::string fault = evaluationSchema().faultOf(nlohmann::json::parse(document));
            QVERIFY2(fault.empty(), (fault + "\n" + document).c_str());
        }
    }

    void theExampleOfAPaperIsReadWithTheFilesBesideIt() {
        const std::string path = "resources/examples/paper/overlap-evaluation.json";
        const EvaluationReading reading = readEvaluationFile(RINGSIDE_SOURCE "/" + path, OwnPresets(""));
        QVERIFY2(reading.problems.empty(), tests::described(reading.problems).c_str());
        QCOMPARE(evaluationSchema().faultOf(nlohmann::json::parse(wholeText(path))), std::string());
        QCOMPARE(reading.evaluation.measured.size(), std::size_t{2});
        QCOMPARE(reading.evaluation.figures.size(), std::size_t{3});  // one of its own, and one for each table
        // Every measured number says where it is from.
        for (const EvaluationItem& item : reading.evaluation.items)
            QVERIFY2(item.published.empty() || !item.label.empty(), item.id.c_str());
        for (const char* table : {"overlap-sequential.csv", "overlap-fused.csv"}) {
            const std::string text = wholeText(std::string("resources/examples/paper/") + table);
            QVERIFY(text.starts_with("# ") && text.find("# Source: ") < text.find("parallel.tp,"));
            QVERIFY(tests::contains(text, "Label: second-hand"));
        }
        // The gains are those of the tables.
        const auto measured = [&](std::size_t table, std::size_t row) {
            return reading.evaluation.items[reading.evaluation.measured[table].item].published[row].value;
        };
        for (std::size_t row = 0; row < 3; ++row)
            QVERIFY(std::abs(measured(0, row) / measured(1, row) - 1 -
                             reading.evaluation.items[0].published[row].value) < 0.0005);
    }

    void whatTheReaderRefusesDoesNotFitTheSchemaEither() {
        const auto refuses = [](const std::string& document) {
            return !readOfPage(document).problems.empty() &&
                   !evaluationSchema().faultOf(nlohmann::json::parse(document)).empty();
        };
        const std::string sound = documentOf(soundItem(R"(, "role": "context")"));
        QVERIFY(readOfPage(sound).problems.empty() && evaluationSchema().faultOf(nlohmann::json::parse(sound)).empty());
        QVERIFY(refuses(documentOf(soundItem(R"(, "role": "right")"))));
        QVERIFY(refuses(documentOf(soundItem(R"(, "at_least": 3)"))));
        QVERIFY(refuses(documentOf(soundItem(R"(, "between": ["1 us"])"))));
        QVERIFY(refuses(documentOf(soundItem(R"(, "role": "context", "colour": "red")"))));
        QVERIFY(refuses(documentOf(soundItem(R"(, "role": "context", "over": {})"))));
        QVERIFY(refuses(documentOf(R"("items": [])")));
        QVERIFY(refuses(documentOf(soundItem(R"(, "role": "context")") + R"(, "frozen": "x")")));
        QVERIFY(
            refuses(documentOf(soundItem(R"(, "role": "context")") + R"(, "figures": [ { "name": "A b", "mark": "bars",
            "x": "link.bandwidth", "y": "time_ps.total" } ])")));
    }

    void theSchemaHasTheKeysOfTheReader() {
        const tests::JsonSchema& schema = evaluationSchema();
        const auto part = [&](const char* name) { return keysOf(schema.part(name)); };
        QCOMPARE(keysThatAreRead(documentOf(soundItem() + ", " + kUnknown), ""), keysOf(schema.root()));
        Words item = keysThatAreRead(documentOf(soundItem(", " + kUnknown)), "items[0]");
        item.insert("set");  // of an item of tasks
        QCOMPARE(item, part("item"));
        const std::string over = R"(, "role": "context", "over": { )" + kUnknown + " }";
        QCOMPARE(keysThatAreRead(documentOf(soundItem(over)), "items[0].over"), part("operand"));
        const std::string minus = R"(, "role": "context", "minus": { )" + kUnknown + " }";
        QCOMPARE(keysThatAreRead(documentOf(soundItem(minus)), "items[0].minus"), part("operand"));
        const std::string figure =
            R"("figures": [ { "name": "f", "mark": "bars", "x": "link.bandwidth", "y": "time_ps.total", )";
        const std::string good = soundItem(R"(, "role": "context")") + ", ";
        QCOMPARE(keysThatAreRead(documentOf(good + figure + kUnknown + " } ]"), "figures[0]"), part("figure"));
        QCOMPARE(
            keysThatAreRead(documentOf(good + figure + R"("labels": { )" + kUnknown + " } } ]"), "figures[0].labels"),
            part("labels"));
        QCOMPARE(
            keysThatAreRead(documentOf(good + R"("calibrated": [ { "parameter": "gemm.group", )" + kUnknown + " } ]"),
                            "calibrated[0]"),
            part("calibrated"));
        QCOMPARE(keysThatAreRead(documentOf(good + R"("traffic": { )" + kUnknown + " }"), "traffic"), part("traffic"));
        const std::string measured =
            R"("measured": [ { "id": "m", "file": "gemms.csv", "metric": "time_ps.total", "unit": "us",
            "base": { "machine": "nvidia-a100", "workload": { "sublayer": "gemm" } }, "policy": "sequential",
            "label": "derived", "role": "visible", )";
        QCOMPARE(keysThatAreRead(documentOf(good + measured + kUnknown + " } ]"), "measured[0]"), part("measured"));
        QCOMPARE(keysThatAreRead(documentOf(good + measured + R"("targets": [ { )" + kUnknown + " } ] } ]"),
                                 "measured[0].targets[0]"),
                 part("target"));
    }

    void theSchemaHasTheKeysOfSweeps() {
        const auto read = [](const std::string& sweep, const std::string& where) {
            return keysThatAreRead(R"({ "format": "ringside-evaluation", "title": "t", "sweeps": { "a": )" + sweep +
                                       " }, " + soundItem() + " }",
                                   where);
        };
        const tests::JsonSchema& schema = evaluationSchema();
        QCOMPARE(read(R"({ "policies": ["t3"], )" + kUnknown + " }", "sweeps.a"), keysOf(schema.part("sweep")));
        Words axis =
            read(R"({ "axes": [ { "path": "parallel.tp", "values": [2], )" + kUnknown + " } ] }", "sweeps.a.axes[0]");
        QVERIFY(axis.erase("zip") == 1);
        QCOMPARE(axis, keysOf(schema.part("axis").at("anyOf").at(0)));
        QCOMPARE(read(R"({ "axes": [ { "path": "parallel.tp", "range": { "from": 2, "to": 4, "count": 2, )" + kUnknown +
                          " } } ] }",
                      "sweeps.a.axes[0].range"),
                 keysOf(schema.part("range")));
        QCOMPARE(read(R"({ "axes": [ { "csv": "steps.csv", "key": "id", "columns": { "parallel.tp": "gpus" }, )" +
                          kUnknown + " } ] }",
                      "sweeps.a.axes[0]"),
                 keysOf(schema.part("rows")));
    }

    void theSchemaHasTheWordsOfTheReader() {
        const auto allowed = [](const std::string& rest, const std::string& path) {
            return allowedIn(readOfPage(documentOf(rest)).problems, path);
        };
        const nlohmann::json& item = evaluationSchema().part("item").at("properties");
        const std::string head = R"("items": [ { "id": "x", "what": "w", "metric": "time_ps.total", "policy": "t3", )";
        QCOMPARE(allowed(head + R"("as": "zzzzzz", "role": "context" } ])", "items[0].as"), wordsOf(item.at("as")));
        QCOMPARE(allowed(head + R"("as": "max", "role": "zzzzzz" } ])", "items[0].role"), wordsOf(item.at("role")));
        QCOMPARE(allowed(head + R"("as": "max", "role": "context", "published": "1 us", "label": "zzzzz" } ])",
                         "items[0].label"),
                 wordsOf(item.at("label")));
        QCOMPARE(allowed(head + R"("as": "best-at", "axis": "link.bandwidth", "role": "context", "best": "zzzzz" } ])",
                         "items[0].best"),
                 wordsOf(item.at("best")));
        const nlohmann::json& figure = evaluationSchema().part("figure").at("properties");
        const std::string figures = soundItem(R"(, "role": "context")") +
                                    R"(, "figures": [ { "name": "f", "x": "link.bandwidth", "y": "time_ps.total", )";
        QCOMPARE(allowed(figures + R"("mark": "zzzzz" } ])", "figures[0].mark"), wordsOf(figure.at("mark")));
        QCOMPARE(allowed(figures + R"("mark": "bars", "as": "zzzzz" } ])", "figures[0].as"), wordsOf(figure.at("as")));
    }

    void thePageExplainsEveryKeyAndEveryWord() {
        const std::string page = evaluationPage();
        const auto isExplained = [&](const std::string& word) {
            return page.find("`" + word + "`") != std::string::npos;
        };
        const tests::JsonSchema& schema = evaluationSchema();
        Words words = keysOf(schema.root());
        for (const char* name : {"sweep", "rows", "operand", "against", "item", "target", "measured", "figure"})
            words.merge(keysOf(schema.part(name)));
        for (const char* key : {"as", "role", "label", "best"})
            words.merge(wordsOf(schema.part("item").at("properties").at(key)));
        words.merge(wordsOf(schema.part("figure").at("properties").at("mark")));
        for (const char* inside : {"column", "unit", "key"})  // in the example beside their key
            words.erase(inside);
        for (const std::string& word : words)
            QVERIFY2(isExplained(word), word.c_str());
    }
};

RINGSIDE_TEST(TestEvaluationDocuments)
#include "tst_evaluation_documents.moc"
