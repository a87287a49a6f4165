#include "data/document/bundled_json.h"
#include "data/evaluations/evaluation_rows.h"
#include "data/evaluations/reproduce.h"
#include "data/experiment/own_presets.h"
#include "data/lessons/lesson.h"
#include "data/store/store.h"
#include "data/sweep/sweep_plan.h"
#include "data/sweep/sweep_runner.h"
#include "data/sweep/sweep_store.h"
#include "engine/api/parameters.h"
#include "engine/api/runner.h"
#include "tests/data/said.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

using namespace data;

namespace {

const std::string kBase =
    R"("base": { "workload": { "model": "small", "sublayer": "fc-2", "hidden": 512, "sequence": 512,
    "batch": 1 }, "parallel": { "tp": 4 }, "detail": { "level": "interactive" } })";
const std::string kAxes = R"("axes": [ { "path": "link.bandwidth", "values": ["50 GB/s", "100 GB/s", "200 GB/s"] },
    { "path": "dma.block_tiles", "values": [1, 2] } ])";
/// Six places under two policies. Index 2 is 50 GB/s and blocks of 2 under the first policy.
const std::string kSweeps = "{ \"a\": { " + kBase + ", " + kAxes + R"(, "policies": ["sequential", "t3"] },
    "b": { )" + kBase + ", " +
                            kAxes + R"(, "policies": ["t3-mca"] },
    "c": { )" + kBase + R"(, "axes": [ { "path": "dma.block_tiles", "values": [1, 2] } ], "policies": ["t3"] } })";

std::string quoted(const std::string& text) { return "\"" + text + "\""; }

std::string documentWith(const std::string& items, const std::string& more = {}, const std::string& sweeps = kSweeps) {
    return R"({ "format": "ringside-evaluation", "version": 1, "title": "Small", "sweeps": )" + sweeps + ", " + more +
           R"("items": [ )" + items + " ] }";
}

/// Returns an item that reads from the first policy of sweep a, with more keys at its end.
std::string itemWith(const std::string& more, const std::string& role = "exact") {
    return R"({ "id": "x", "what": "a number", "of": "a", "policy": "sequential", "metric": "time_ps.total", "role": ")" +
           role + "\"" + (more.empty() ? "" : ", " + more) + " }";
}

Evaluation evaluationOf(const std::string& document) {
    EvaluationReading reading = readEvaluation(document, "test");
    if (!reading.problems.empty())
        qFatal("%s", engine::describe(reading.problems.front()).c_str());
    return std::move(reading.evaluation);
}

/// Returns tables whose points have ended with simple numbers: (100 x sweep + index + 1) times (1 + the position of the
/// metric).
std::vector<SweepTable> tablesOf(const Evaluation& evaluation) {
    std::vector<SweepTable> tables;
    for (std::size_t sweep = 0; sweep < evaluation.sweeps.size(); ++sweep) {
        SweepTable table{evaluation.sweeps[sweep].sweep, {}, metricsOf(evaluation, sweep), {}};
        table.rows.resize(pointCount(table.sweep));
        for (std::size_t index = 0; index < table.rows.size(); ++index) {
            PointPlace place = placeOf(table.sweep, index);
            table.rows[index] = {index, std::move(place.at), place.policy, PointState::done, {}, {}, {}};
            for (std::size_t metric = 0; metric < table.metrics.size(); ++metric)
                table.rows[index].values.emplace_back(static_cast<double>((100 * sweep + index + 1) * (metric + 1)));
        }
        tables.push_back(std::move(table));
    }
    return tables;
}

std::vector<ReproducedItem> rowsWith(const std::string& item, const std::string& more = {}, bool asWritten = true,
                                     const std::string& constants = "0123456789ab") {
    const Evaluation evaluation = evaluationOf(documentWith(item, more));
    return rowsOf(evaluation, tablesOf(evaluation), {}, asWritten, constants);
}

double valueWith(const std::string& more) { return rowsWith(itemWith(more, "context")).front().value; }

/// Returns whether reading the document finds a problem at this path with this text.
bool refusesEvaluation(const std::string& document, const std::string& path, const std::string& text) {
    return tests::saysAt(readEvaluation(document, "test").problems, path, text);
}

bool refusesItem(const std::string& more, const std::string& path, const std::string& text) {
    return refusesEvaluation(documentWith(itemWith(more)), "items[0]." + path, text);
}

const std::string kOnePoint = R"("where": "link.bandwidth=50GB/s dma.block_tiles=2")";

Reproduction ranOf(const std::string& document, const ReproduceOptions& options = {}) {
    return reproduce(evaluationOf(document), options);
}

}  // namespace

class TestEvaluation : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void noItemOfT3HasTheNameOfAnEvaluation() {
        // The first argument of `reproduce` is the name of an evaluation or an item of T3, so the two must differ.
        for (const EvaluationItem& item : publishedEvaluation().items) {
            QVERIFY2(findEvaluation(item.id) == nullptr, item.id.c_str());
            QVERIFY2(!item.id.ends_with(".json"), item.id.c_str());
        }
        QVERIFY(findEvaluation("t3") == &publishedEvaluation());
    }

    void everyBundledEvaluationNamesALessonThatIsThere() {
        for (const Evaluation& evaluation : evaluations()) {
            if (evaluation.lesson.empty())
                continue;
            std::string path = RINGSIDE_SOURCE "/resources/lessons/";
            path += evaluation.lesson + ".json";
            QVERIFY2(readLessonFile(path).problems.empty(), path.c_str());
        }
    }

    void sizesOfAModelAreNotSetOfCollectivesAlone() {
        ReproduceOptions options;
        options.settings["workload.hidden"] = std::int64_t{1024};
        const Evaluation* zero = findEvaluation("zero");
        const Reproduction reproduction = reproduce(*zero, options);
        for (const ReproducedItem& row : reproduction.items)
            if (row.published.id.starts_with("all-reduce"))
                QVERIFY2(row.value >= 1 && !row.holds(), row.published.id.c_str());
        // Sizes out of range are rejected, both for sub-layers with a GEMM and for a collective alone.
        options.settings["workload.hidden"] = std::int64_t{0};
        QVERIFY_THROWS_EXCEPTION(engine::InvalidExperiment, reproduce(*findEvaluation("t3"), options));
        options.settings = {{"workload.bytes", std::int64_t{-1}}};
        QVERIFY_THROWS_EXCEPTION(engine::InvalidExperiment, reproduce(*zero, options));
    }

    // These evaluations simulate only one short all-reduce. Each of their published numbers must hold.
    void zeroMessagesAndActivationsAreReproducedExactly() {
        for (const char* name : {"zero", "messages", "activations"}) {
            const Evaluation* evaluation = findEvaluation(name);
            QVERIFY2(evaluation != nullptr, name);
            const Reproduction reproduction = reproduce(*evaluation, {});
            QVERIFY(reproduction.failures.empty());
            std::set<std::string> ids;
            for (const ReproducedItem& item : reproduction.items) {
                QVERIFY2(item.holds() == std::optional(true), (item.published.id + " " + item.valueText).c_str());
                QVERIFY2(ids.insert(item.published.id).second, item.published.id.c_str());
                QVERIFY(item.role == EvaluationRole::exact);
            }
        }
    }

    // A user adds a published number that was unknown when the document was written.
    void aPublishedValueAddedToACopyIsCompared() {
        std::ifstream file(RINGSIDE_SOURCE "/resources/evaluations/messages.json");
        std::string text((std::istreambuf_iterator<char>(file)), {});
        const std::string items = "\"items\": [";
        text.replace(text.find(items), items.size(),
                     items + R"( { "id": "mine", "what": "w", "of": "s-2048", "metric": "messages.layers.count",
                                  "published": "24", "label": "published", "role": "context", "tolerance": "1" },)");
        QVERIFY(refusesEvaluation(text, "items[0].tolerance", "has no difference; leave it out"));
        const auto replace = [&](const std::string& from, const std::string& to) {
            text.replace(text.find(from), from.size(), to);
        };
        replace(R"("context", "tolerance": "1")", R"("exact")");
        const Evaluation evaluation = evaluationOf(text);
        ReproduceOptions options;
        options.items = {"mine"};
        const ReproducedItem mine = reproduce(evaluation, options).items.front();
        QCOMPARE(mine.value, 4.0 * 6);  // 4 l m, 24 layers on 4 stages
        QCOMPARE(mine.difference, 0.0);
        QVERIFY(mine.holds() == std::optional(true));
    }

    void metricsAndPoliciesOfASweepAreThoseOfItsSubject() {
        const std::string sweeps = R"({ "held": { "of": "footprint", "base": { "workload": { "model": "t-nlg" } },
            "axes": [ { "path": "parallel.tp", "values": [8, 16] } ] }, "runs": { )" +
                                   kBase +
                                   R"(, "axes": [ { "path": "parallel.tp", "values": [8, 16] } ],
            "policies": ["sequential", "t3"] } })";
        const auto refuses = [&](const std::string& item, const std::string& path, const std::string& text) {
            const std::string whole = R"({ "id": "a", "what": "w", "as": "max", "role": "context", )" + item + " }";
            return refusesEvaluation(documentWith(whole, {}, sweeps), "items[0]." + path, text);
        };
        QVERIFY(
            refuses(R"("of": "held", "metric": "time_ps.total")", "metric", "not a number of footprint but of run"));
        QVERIFY(refuses(R"("of": "held", "metric": "model_ps.total")", "metric", "but of training, prompt and"));
        QVERIFY(
            refuses(R"("of": "runs", "policy": "t3", "metric": "messages.count")", "metric", "not a number of run"));
        QVERIFY(refuses(R"("of": "held", "metric": "footprint_bytes.totl")", "metric", "footprint_bytes.total"));
        QVERIFY(refuses(R"("of": "held", "policy": "t3-mca", "metric": "messages.count")", "policy", "no policy"));
        QVERIFY(refuses(R"("of": "held", "metric": "messages.count", "over": { "policy": "t3-mca" })", "over.policy",
                        "no policy"));
        QVERIFY(refuses(
            R"("of": "held", "metric": "messages.sent_bytes", "over": { "of": "runs", "metric": "dram_bytes.total" })",
            "over.policy", "a policy is expected; allowed: sequential, t3"));
        QVERIFY(refuses(R"("of": "held", "metric": "messages.sent_bytes", "over": { "of": "runs", "policy": "t3" })",
                        "over.metric", "not a number of run"));
        const std::string item = R"({ "id": "a", "what": "w", "of": "held", "as": "max", "metric": "messages.count",
                                     "role": "context" })";
        QVERIFY(refusesEvaluation(documentWith(item, R"("traffic": { "of": "held", "slices": 4 }, )", sweeps),
                                  "traffic.of", "has no runs"));
        QVERIFY(refusesEvaluation(documentWith(item, {}, R"({ "held": { "of": "memory", "base": {} } })"),
                                  "sweeps.held.of", "allowed: run, footprint"));
    }

    void pointsOfModelsAreNoCasesAndTheirRowsComeFromAStore() {
        const QTemporaryDir folder;
        ReproduceOptions options;
        options.store = folder.filePath("models.db").toStdString();
        const Evaluation& messages = *findEvaluation("messages");
        const Reproduction first = reproduce(messages, options);
        QVERIFY(first.cases.empty());
        QVERIFY(Store(options.store).runs().empty());
        QCOMPARE(writeReproduction(reproduce(messages, options)), writeReproduction(first));
    }

    void everyItemOfT3HasItsNumberAndItsCalibratedParametersAreThoseOfTheTable() {
        for (const EvaluationItem& item : publishedEvaluation().items)
            QCOMPARE(item.published.size(), std::size_t{1});
        std::vector<std::string> said, labelled;
        for (const CalibratedParameter& one : publishedEvaluation().calibrated)
            said.push_back(one.parameter);
        for (const engine::Parameter& parameter : engine::parameters())
            if (parameter.sourceLabel == engine::SourceLabel::calibrated)
                labelled.push_back(parameter.path);
        std::sort(said.begin(), said.end());
        std::sort(labelled.begin(), labelled.end());
        QCOMPARE(said, labelled);
    }

    void pointsAreChosenByPolicyAndFilter() {
        const Evaluation evaluation =
            evaluationOf(documentWith(itemWith(R"("as": "mean", "where": "link.bandwidth>=100GB/s")")));
        QCOMPARE(evaluation.items.front().points, (std::vector<std::size_t>{4, 6, 8, 10}));
        QCOMPARE(valueWith(kOnePoint), 3.0);
    }

    void manyPointsBecomeOneNumber() {
        // The values of the sequential points are 1, 3, 5, 7, 9, 11.
        QCOMPARE(valueWith(R"("as": "mean")"), 6.0);
        QCOMPARE(valueWith(R"("as": "median")"), 6.0);
        QCOMPARE(valueWith(R"("as": "median", "where": "link.bandwidth>=100GB/s")"), 8.0);
        QCOMPARE(valueWith(R"("as": "min")"), 1.0);
        QCOMPARE(valueWith(R"("as": "max")"), 11.0);
        QVERIFY(std::abs(valueWith(R"("as": "geomean")") - std::pow(1.0 * 3 * 5 * 7 * 9 * 11, 1.0 / 6)) < 1e-12);
    }

    void metricsAreSummed() {
        const std::string item =
            R"({ "id": "x", "what": "sum", "of": "a", "policy": "sequential", "role": "context", "metric": ["time_ps.gemm", "time_ps.total"], "as": "max" })";
        QCOMPARE(rowsWith(item).front().value, 11.0 + 22.0);
    }

    void aRatioIsTakenPointByPoint() {
        // Each value over that of the same place under the other policy: 1/2, 3/4, 5/6 ...
        QCOMPARE(valueWith(R"("over": { "policy": "t3" }, "as": "max")"), 11.0 / 12);
        QCOMPARE(valueWith(R"("over": { "policy": "t3" }, "as": "min")"), 0.5);
        QCOMPARE(valueWith(R"("over": { "policy": "t3" }, "as": "min", "saving": true)"), 0.5);
        QCOMPARE(valueWith(R"("over": { "policy": "t3" }, "as": "max", "saving": true)"), 1 - 11.0 / 12);
        // Sweep b has one policy: the values of its points are 101 to 106.
        QCOMPARE(valueWith(R"("over": { "of": "b" }, "as": "max")"), 11.0 / 106);
        QCOMPARE(valueWith(R"("over": { "metric": "time_ps.gemm" }, "as": "min")"), 0.5);
    }

    void onePointMayDivideAll() {
        // 50 GB/s and blocks of one tile: the value is 1 under sequential and 2 under t3.
        const std::string one = R"("where": "link.bandwidth=50GB/s dma.block_tiles=1")";
        QCOMPARE(valueWith(R"("as": "max", "over": { )" + one + " }"), 11.0);
        QCOMPARE(valueWith(R"("as": "max", "over": { "policy": "t3", )" + one + " }"), 5.5);
        // The same place may exist in a sweep with other axes.
        QCOMPARE(valueWith(R"("as": "min", "over": { "of": "b", )" + one + " }"), 1.0 / 101);
    }

    void eachPointMayHaveItsRow() {
        const auto rows = rowsWith(itemWith(
            R"("as": "each", "where": "dma.block_tiles=1", "published": ["1 ps", "5 ps", "10 ps"], "label": "published")"));
        QCOMPARE(rows.size(), std::size_t{3});
        QCOMPARE(rows[0].published.id, std::string("x[bandwidth=50GB/s,block_tiles=1]"));
        QCOMPARE(rows[2].published.id, std::string("x[bandwidth=200GB/s,block_tiles=1]"));
        QCOMPARE(rows[2].value, 9.0);
        QCOMPARE(rows[0].holds(), std::optional(true));
        QCOMPARE(rows[1].difference, 0.0);
        QCOMPARE(rows[2].holds(), std::optional(true));  // the last digit may differ by one
    }

    void anExactRowHoldsWithinOneOfTheLastPrintedDigit() {
        const auto holds = [](const std::string& published) {
            return rowsWith(itemWith(kOnePoint + R"(, "over": { "policy": "t3" }, "published": )" + quoted(published) +
                                     R"(, "label": "published")"))
                .front()
                .holds();
        };
        QCOMPARE(holds("0.75"), std::optional(true));  // our value is 3/4
        QCOMPARE(holds("0.76"), std::optional(true));
        QCOMPARE(holds("0.77"), std::optional(false));
        QCOMPARE(holds("0.8"), std::optional(true));
        QCOMPARE(holds("0.9"), std::optional(false));
        QCOMPARE(holds("74 %"), std::optional(true));
        QCOMPARE(holds("73 %"), std::optional(false));
    }

    void aToleranceTakesThePlaceOfTheDigit() {
        const auto holds = [](const std::string& tolerance, const std::string& role) {
            return rowsWith(
                       itemWith(
                           kOnePoint +
                               R"(, "over": { "policy": "t3" }, "published": "0.8", "label": "published", "tolerance": )" +
                               quoted(tolerance),
                           role))
                .front()
                .holds();
        };
        QCOMPARE(holds("7 %", "exact"), std::optional(true));
        QCOMPARE(holds("6 %", "exact"), std::optional(false));
        QCOMPARE(holds("0.05", "calibrated"), std::optional(true));
        QCOMPARE(holds("0.04", "calibrated"), std::optional(false));
    }

    void rolesSayWhatIsComparedAndJudged() {
        const std::string published = kOnePoint + R"(, "published": "4 ps", "label": "derived")";
        const auto rowAs = [&](const std::string& role) {
            return rowsWith(itemWith(published, role), R"("frozen": "0123456789ab", )").front();
        };
        QCOMPARE(rowAs("exact").holds(), std::optional(true));
        QCOMPARE(rowAs("calibrated").difference, -0.25);
        QVERIFY(!rowAs("calibrated").holds());
        QCOMPARE(rowAs("blind").difference, -0.25);
        QVERIFY(std::isnan(rowAs("context").difference));
        QCOMPARE(rowAs("context").value, 3.0);
        QCOMPARE(rowAs("context").published.value, 4.0);
    }

    void aBlindRowIsComparedUnderTheFrozenConstantsOnly() {
        const std::string item = itemWith(kOnePoint + R"(, "published": "4 ps", "label": "derived")", "blind");
        const std::string frozen = R"("frozen": "0123456789ab", )";
        QVERIFY(!std::isnan(rowsWith(item, frozen).front().difference));
        for (const auto& rows : {rowsWith(item, frozen, true, "0123456789ac"), rowsWith(item, frozen, false)}) {
            QVERIFY(std::isnan(rows.front().difference));
            QCOMPARE(rows.front().value, 3.0);
            QVERIFY(rows.front().note == "constants changed: frozen 0123456789ab, now 0123456789ac" ||
                    rows.front().note == "constants changed by settings");
            QVERIFY(rows.front().verdict == RowVerdict::constantsChanged);
        }
    }

    void valuesSetOverThePointsEndEveryVerdict() {
        const std::string item = itemWith(kOnePoint + R"(, "published": "9 ps", "label": "derived")");
        QCOMPARE(rowsWith(item).front().holds(), std::optional(false));
        QCOMPARE(rowsWith(item).front().allowedText, std::string("8.0 ps to 10.0 ps"));
        QVERIFY(!rowsWith(item, {}, false).front().holds());
        QVERIFY(!std::isnan(rowsWith(item, {}, false).front().difference));
    }

    void aRowWithoutItsNumberSaysWhy() {
        const Evaluation evaluation =
            evaluationOf(documentWith(itemWith(R"("as": "max", "published": "11 ps", "label": "published")")));
        std::vector<SweepTable> tables = tablesOf(evaluation);
        const auto row = [&] { return rowsOf(evaluation, tables, {}, true, "").front(); };
        tables[0].rows[1].state = PointState::missing;  // a point of the other policy
        QCOMPARE(row().value, 11.0);
        tables[0].rows[2].state = PointState::missing;
        QCOMPARE(row().note, std::string("not run"));
        QVERIFY(std::isnan(row().value) && row().verdict == RowVerdict::notRun);
        tables[0].rows[2].state = PointState::failed;
        tables[0].rows[2].reason = "deadlock\nof much";
        QCOMPARE(row().note, std::string("failed: deadlock"));
        QCOMPARE(row().holds(), std::optional(false));
        tables[0].rows[2].state = PointState::done;
        tables[0].rows[2].values[0].reset();
        QCOMPARE(row().note, std::string("a run has no time_ps.total under sequential"));
    }

    void nothingIsDividedByZero() {
        const Evaluation evaluation =
            evaluationOf(documentWith(itemWith(R"("over": { "policy": "t3" }, "as": "max")", "context")));
        std::vector<SweepTable> tables = tablesOf(evaluation);
        tables[0].rows[3].values[0] = 0;
        QVERIFY(rowsOf(evaluation, tables, {}, true, "").front().note.find("is 0") != std::string::npos);
    }

    void unknownWordsAreRefusedWithWhatIsAllowed() {
        QVERIFY(refusesEvaluation(documentWith(itemWith("", "right")), "items[0].role",
                                  "exact, calibrated, visible, blind, context"));
        QVERIFY(refusesItem(R"("as": "middle")", "as", "value, each, geomean, mean, median, min, max"));
        QVERIFY(refusesItem(R"("published": "1 ps", "label": "heard")", "label", "published, second-hand"));
        QVERIFY(refusesItem(R"("published": "1 ps")", "label", "missing"));
        QVERIFY(refusesItem(R"("whom": "x")", "whom", "unknown key"));
        const auto with = [](const std::string& from, const std::string& to) {
            std::string document = documentWith(itemWith(R"("as": "max")"));
            return document.replace(document.find(from), from.size(), to);
        };
        QVERIFY(readEvaluation(with("\"a\"", "\"a\""), "test").problems.empty());
        QVERIFY(refusesEvaluation(with(R"("of": "a")", R"("of": "d")"), "items[0].of", "allowed: a, b, c"));
        QVERIFY(refusesEvaluation(with(R"("of": "a",)", ""), "items[0].of", "missing; the name of a sweep"));
        QVERIFY(
            refusesEvaluation(with("time_ps.total", "time_ps.totl"), "items[0].metric", "did you mean time_ps.total"));
        QVERIFY(refusesEvaluation(with(R"("policy": "sequential")", R"("policy": "t3-mca")"), "items[0].policy",
                                  "allowed: sequential, t3"));
        QVERIFY(refusesEvaluation(with(R"("policy": "sequential",)", ""), "items[0].policy",
                                  "missing; a policy is expected"));
        QVERIFY(refusesEvaluation(with(R"("id": "x")", R"("id": "x y")"), "items[0].id", "not a valid id"));
        QVERIFY(refusesEvaluation(documentWith(itemWith(R"("as": "max")") + ", " + itemWith(R"("as": "min")")),
                                  "items[1].id", "two items have this id"));
        QVERIFY(refusesEvaluation(
            documentWith(itemWith(R"("as": "max")"), R"("calibrated": [ { "parameter": "memory.update_cots" } ], )"),
            "calibrated[0].parameter", "memory.update_cost"));
        QVERIFY(
            refusesEvaluation(documentWith(itemWith(R"("as": "max")"),
                                           R"("calibrated": [ { "parameter": "memory.update_cost", "on": ["y"] } ], )"),
                              "calibrated[0].on[0]", "not an item"));
        QVERIFY(refusesEvaluation(R"({ "format": "ringside-sweep" })", "format", "not an evaluation"));
        QVERIFY(refusesEvaluation("{}", "test", "not an evaluation"));
        QVERIFY(refusesEvaluation("[1", "test", ""));
    }

    void subjectsThatNothingComputesAreRefused() {
        const auto about = [](const std::string& subject) {
            return documentWith(itemWith(R"("as": "max")"), {},
                                R"({ "a": { "of": ")" + subject + R"(", )" + kBase + ", " + kAxes +
                                    R"(, "policies": ["sequential"] } })");
        };
        QVERIFY(readEvaluation(about("run"), "test").problems.empty());
        QVERIFY(refusesEvaluation(about("runs"), "sweeps.a.of", "allowed: run"));
    }

    void sweepsAreReadAsSweepsAre() {
        const auto with = [](const std::string& sweeps) {
            return documentWith(itemWith(R"("as": "max")"), {}, sweeps);
        };
        QVERIFY(refusesEvaluation(with(R"({ "a": { "axes": [ { "path": "link.bandwidht", "values": [1] } ] } })"),
                                  "sweeps.a.axes[0].path", "did you mean link.bandwidth"));
        QVERIFY(refusesEvaluation(with("{}"), "sweeps", "at least one sweep"));
        QVERIFY(refusesEvaluation(with(R"({ "a": 5 })"), "sweeps.a", "a sweep {...} is expected"));
        QVERIFY(refusesEvaluation(with(R"({ "../a": { "policies": ["t3"] } })"), "sweeps.../a", "not a valid name"));
    }

    void pointsThatAreNotThereAreRefused() {
        QVERIFY(refusesItem("", "as", "6 points are selected"));
        QVERIFY(refusesItem(R"("where": "parallel.tp=8", "as": "max")", "where", "selects no point"));
        QVERIFY(refusesItem(R"("where": "policy=t3", "as": "max")", "where", "no point under sequential"));
        QVERIFY(refusesItem(R"("where": "parallel.tp=", "as": "max")", "where", "a value is missing"));
        QVERIFY(refusesItem(R"("where": "time_ps.total>1ms", "as": "max")", "where", "is a metric"));
    }

    void aDivisorNeedsEqualAxesAndAnEqualUnit() {
        QVERIFY(refusesItem(R"("as": "max", "over": { "of": "c" })", "over.of", "other axes"));
        QVERIFY(refusesItem(R"("as": "max", "over": { "metric": "dram_bytes.total" })", "over.metric", "another unit"));
        QVERIFY(refusesItem(R"("as": "max", "over": {})", "over", "would divide a number by itself"));
        QVERIFY(refusesItem(R"("as": "max", "over": { "policy": "ideal-overlap" })", "over.policy",
                            "allowed: sequential, t3"));
        QVERIFY(refusesItem(R"("as": "max", "saving": true)", "saving", "\"over\" is expected"));
        QVERIFY(refusesItem(R"("as": "max", "over": { "where": "dma.block_tiles=1" })", "over.where",
                            "3 points are selected; allowed: one"));
        QVERIFY(refusesItem(R"("as": "max", "over": { "where": "parallel.tp=8" })", "over.where", "selects no point"));
    }

    void publishedNumbersAreOfTheItemsKindAndCount() {
        const std::string each = R"("as": "each", "label": "published", "where": "dma.block_tiles=1", "published": )";
        QVERIFY(refusesItem(each + R"(["1 ps", "2 ps"])", "published", "allowed: 3, one for each point"));
        QVERIFY(refusesItem(each + R"(["1 ps", "2 ps", "3 ps", "4 ps"])", "published", "another length"));
        QVERIFY(refusesItem(each + R"(["1 ps", "2 GB", "3 ps"])", "published[1]", "not a number of this kind"));
        QVERIFY(refusesItem(each + R"("1 ps")", "published", "a list with a number for each point"));
        const std::string one = kOnePoint + R"(, "label": "published", "published": )";
        QVERIFY(refusesItem(one + "1.5", "published", "as its source prints it"));
        QVERIFY(refusesItem(one + R"("fast")", "published", "not a number of this kind"));
        QVERIFY(refusesItem(one + R"("1e308 us")", "published", "or too large"));
        QVERIFY(refusesItem(one + R"("0e308 us")", "published", "or too large"));
        QVERIFY(refusesItem(one + R"("2e300 ps", "tolerance": "1e10 %")", "tolerance", "must be finite"));
        QVERIFY(refusesItem(one + R"("1 ps", "tolerance": "-1 ps")", "tolerance", "not a tolerance"));
        QVERIFY(refusesEvaluation(documentWith(itemWith(one + R"("1 ps", "tolerance": "1 %")", "context")),
                                  "items[0].tolerance", "has no difference; leave it out"));
    }

    void blindRowsNeedFrozenConstants() {
        QVERIFY(refusesEvaluation(documentWith(itemWith(R"("as": "max")", "blind")), "items[0].role",
                                  "needs the \"frozen\" constants"));
        QVERIFY(refusesEvaluation(documentWith(itemWith(R"("as": "max")"), R"("frozen": "0123", )"), "frozen",
                                  "12 hexadecimal"));
    }

    void nothingOutsideTheDocumentIsNamed() {
        for (const char* name : {"../lesson", "/etc/passwd", ".hidden", "a/b"})
            QVERIFY(refusesEvaluation(
                documentWith(itemWith(R"("as": "max")"), R"("lesson": ")" + std::string(name) + R"(", )"), "lesson",
                "without a folder"));
        // A machine of one's own lies in a folder of one's own: other people's documents do not reach it.
        QVERIFY(refusesEvaluation(
            documentWith(itemWith(R"("as": "max")"), {},
                         R"({ "a": { "base": { "machine": "my-own" }, "policies": ["sequential"] } })"),
            "sweeps.a.base.machine", ""));
    }

    void thereAreNoMoreItemsAndPointsThanAllowed() {
        const auto withItems = [](std::size_t count) {
            std::string items;
            for (std::size_t i = 0; i < count; ++i)
                items += std::string(i == 0 ? "" : ", ") + R"({ "id": )" + quoted("x" + std::to_string(i)) +
                         R"(, "what": "w", "of": "c", "metric": "time_ps.total", "as": "max", "role": "context" })";
            return documentWith(items);
        };
        QVERIFY(readEvaluation(withItems(kMostEvaluationItems), "test").problems.empty());
        QVERIFY(refusesEvaluation(withItems(kMostEvaluationItems + 1), "items", "allowed: up to 2000"));
        const auto withPoints = [](std::size_t count) {
            return documentWith(
                itemWith(R"("as": "max")"), {},
                R"({ "a": { "axes": [ { "path": "link.bandwidth", "range": { "from": "1 GB/s", "to": "2 TB/s", "count": )" +
                    std::to_string(count) + R"( } } ], "policies": ["sequential"] } })");
        };
        QVERIFY(readEvaluation(withPoints(kMostEvaluationPoints), "test").problems.empty());
        QVERIFY(refusesEvaluation(withPoints(kMostEvaluationPoints + 1), "sweeps.a", "allowed: up to 5000"));
    }

    void workThatWouldTakeDaysIsRefused() {
        const std::string sweeps =
            R"({ "a": { "base": { "workload": { "model": "gpt-3", "sublayer": "fc-2" }, "parallel": { "tp": 8 }, "detail": { "level": "fine", "mode": "full" } }, "axes": [ { "path": "link.bandwidth", "range": { "from": "1 GB/s", "to": "2 TB/s", "count": 2000 } } ], "policies": ["sequential", "t3"] } })";
        try {
            ranOf(documentWith(itemWith(R"("as": "max")"), {}, sweeps));
            QFAIL("it was run");
        } catch (const engine::InvalidExperiment& error) {
            QCOMPARE(error.problems().front().path, std::string("sweeps"));
            QVERIFY(error.problems().front().text.find("too many events to simulate") != std::string::npos);
        }
    }

    void aPublishedValueThatIsAddedToACopyShowsItsDifference() {
        const std::string before = itemWith(kOnePoint, "calibrated");
        const Reproduction without = ranOf(documentWith(before));
        QCOMPARE(without.items.front().note, std::string("no published value yet"));
        QVERIFY(without.items.front().value > 0 && std::isnan(without.items.front().difference));
        const double picoseconds = without.items.front().value;
        std::string document = documentWith(before);
        const std::string role = R"("role": "calibrated")";
        document.replace(document.find(role), role.size(),
                         role + R"(, "label": "published", "published": ")" +
                             std::to_string(static_cast<std::int64_t>(picoseconds) * 2) + R"( ps")");
        const Reproduction with = ranOf(document);
        QCOMPARE(with.items.front().value, picoseconds);
        QCOMPARE(with.items.front().difference, -0.5);
        QCOMPARE(with.constants, without.constants);  // published values do not count as constants
    }

    void constantsAreThoseOfThePointsAndTheCalibratedParameters() {
        const std::string item = itemWith(R"("as": "max")");
        const std::string plain = ranOf(documentWith(item)).constants;
        QCOMPARE(plain.size(), std::size_t{12});
        QCOMPARE(ranOf(documentWith(item)).constants, plain);
        QVERIFY(ranOf(documentWith(item, R"("calibrated": [ { "parameter": "memory.update_cost" } ], )")).constants !=
                plain);
        ReproduceOptions changed;
        changed.settings["memory.update_cost"] = 1.3;
        QVERIFY(ranOf(documentWith(item), changed).constants != plain);
        // An item is compared while the constants are those of the frozen document. After a change of a constant it is
        // not.
        const std::string blind = itemWith(kOnePoint + R"(, "published": "1 us", "label": "published")", "blind");
        const std::string frozen = R"("frozen": )" + quoted(plain) + ", ";
        QVERIFY(!std::isnan(ranOf(documentWith(blind, frozen)).items.front().difference));
        const Reproduction other = ranOf(documentWith(blind, frozen), changed);
        QCOMPARE(other.items.front().note, "constants changed: frozen " + plain + ", now " + other.constants);
    }

    void aStopKeepsTheRowsThatAreThere() {
        const std::string one = R"({ "one": { )" + kBase + R"(, "policies": ["t3"] }, "a": { )" + kBase + ", " + kAxes +
                                R"(, "policies": ["sequential"] } })";
        const std::string items =
            R"({ "id": "first", "what": "w", "of": "one", "metric": "time_ps.total", "role": "context" }, )" +
            itemWith(R"("as": "max")");
        std::stop_source stop;
        ReproduceOptions options;
        options.stop = stop.get_token();
        options.progress = [&](double) { stop.request_stop(); };
        const Reproduction partial = ranOf(documentWith(items, {}, one), options);
        QVERIFY(partial.stopped);
        QCOMPARE(partial.items.size(), std::size_t{2});
        QVERIFY(partial.items[0].value > 0);
        QVERIFY(std::isnan(partial.items[1].value));
        QCOMPARE(partial.items[1].note, std::string("not run"));
        const Reproduction whole = ranOf(documentWith(items, {}, one));
        QVERIFY(!whole.stopped && whole.items[1].value > 0);
        QCOMPARE(whole.items[0].value, partial.items[0].value);
    }

    void runsAreKeptInAStoreAndTakenFromIt() {
        const QTemporaryDir folder;
        ReproduceOptions options;
        options.store = folder.filePath("runs.db").toStdString();
        const std::string document = documentWith(itemWith(R"("as": "geomean")"));
        const Reproduction first = ranOf(document, options);
        QCOMPARE(Store(options.store).runs().size(), std::size_t{12 + 6 + 2});
        int reported = 0;
        options.progress = [&](double) { ++reported; };
        const Reproduction again = ranOf(document, options);
        QCOMPARE(Store(options.store).runs().size(), std::size_t{12 + 6 + 2});
        QCOMPARE(writeReproduction(again), writeReproduction(first));
        QCOMPARE(writeReproduction(ranOf(document)), writeReproduction(first));
    }

    void aUsersSweepOfTheSamePointsKeepsItsName() {
        const QTemporaryDir folder;
        ReproduceOptions options;
        options.store = folder.filePath("runs.db").toStdString();
        const std::string document = documentWith(itemWith(R"("as": "geomean")"));
        const auto labels = [&] {
            Store store(options.store);
            std::set<std::string> all;
            for (const StoredSweep& sweep : SweepStore(store).sweeps())
                all.insert(sweep.label);
            return all;
        };
        Sweep mine = evaluationOf(document).sweeps[2].sweep;
        mine.texts["label"] = "My blocks";
        Store store(options.store);
        runSweep(planOf(mine), store, {});
        QCOMPARE(labels(), std::set<std::string>{"My blocks"});
        ranOf(document, options);
        QCOMPARE(labels().size(), std::size_t{3});  // the evaluation names its other two sweeps
        QCOMPARE(labels().count("My blocks"), std::size_t{1});
    }

    void aPointThatCannotBeRunIsRefusedBeforeTheFirstRun() {
        const std::string sweeps =
            R"({ "a": { )" + kBase +
            R"(, "axes": [ { "path": "parallel.tp", "values": [4, 7] } ], "policies": ["sequential"] } })";
        QVERIFY_THROWS_EXCEPTION(engine::InvalidExperiment,
                                 ranOf(documentWith(itemWith(R"("as": "max")"), {}, sweeps)));
    }

    void aParameterThatIsCalibratedSeveralTimesIsOneEntry() {
        const auto calibrated = [](const std::string& list) {
            return evaluationOf(documentWith(itemWith(R"("as": "max")"), R"("calibrated": [ )" + list + " ], "))
                .calibrated;
        };
        const std::string onItem = R"({ "parameter": "memory.update_cost", "on": ["x"] })";
        std::string many = onItem;
        for (int i = 0; i < 1000; ++i)
            many += ", " + onItem;
        QCOMPARE(calibrated(many).size(), std::size_t{1});
        QCOMPARE(calibrated(many).front().on, std::vector<std::string>{"x"});
        // Without items an entry is about all of them.
        QVERIFY(calibrated(onItem + R"(, { "parameter": "memory.update_cost" })").front().on.empty());
        const auto two = calibrated(onItem + R"(, { "parameter": "gemm.tile_m", "on": ["x"] }, )" + onItem);
        QCOMPARE(two.size(), std::size_t{2});
        QCOMPARE(two.back().parameter, std::string("gemm.tile_m"));
    }

    void anEvaluationMayNameAnOwnMachine() {
        const QTemporaryDir folder;
        OwnPresets own(folder.filePath("presets").toStdString());
        ExperimentDraft draft;
        draft.explicitValues["cu.count"] = std::int64_t{16};
        own.save({OwnKind::machine, "mine", ownValuesOf(OwnKind::machine, draft)});
        const std::string path = folder.filePath("mine.json").toStdString();
        const std::string sweeps =
            R"({ "a": { "base": { "machine": "mine", "workload": { "hidden": 512, "sequence": 256,
            "batch": 1 }, "gemm": { "tile_m": 64, "tile_n": 64 }, "parallel": { "tp": 4 } },
            "policies": ["sequential"] } })";
        std::ofstream(path) << documentWith(itemWith({}), {}, sweeps);
        const EvaluationReading reading = readEvaluationFile(path, own);
        QVERIFY(reading.problems.empty());
        QCOMPARE(reading.evaluation.sweeps.front().sweep.base.explicitValues.at("cu.count"),
                 engine::ParameterValue(std::int64_t{16}));
        QVERIFY(!readEvaluationFile(path, OwnPresets("")).problems.empty());
    }

    void aFileIsReadUnderItsName() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("mine.json").toStdString();
        std::ofstream(path) << documentWith(itemWith(R"("as": "max")"));
        const EvaluationReading reading = readEvaluationFile(path, OwnPresets(""));
        QVERIFY(reading.problems.empty());
        QCOMPARE(reading.evaluation.name, std::string("mine"));
        QCOMPARE(readEvaluationFile(folder.filePath("none.json").toStdString(), OwnPresets("")).problems.size(),
                 std::size_t{1});
    }

    void severalEvaluationsAreOneDocument() {
        const Reproduction one = ranOf(documentWith(itemWith(R"("as": "max")")));
        const std::string json = writeReproductions({{"small", one}, {"again", one}});
        for (const char* words :
             {"\"evaluations\"", "\"evaluation\": \"small\"", "\"evaluation\": \"again\"", "\"items\""})
            QVERIFY2(json.find(words) != std::string::npos, words);
    }

    void aSweepRunsIntoAStoreInMemory() {
        const Evaluation evaluation = evaluationOf(documentWith(itemWith(R"("as": "max")")));
        Store store(":memory:");
        const SweepPlan plan = planOf(evaluation.sweeps[2].sweep);
        QCOMPARE(runSweep(plan, store, {}).ran, std::size_t{2});
        const SweepSummary again = runSweep(plan, store, {});
        QCOMPARE(again.ran, std::size_t{0});
        QCOMPARE(again.reused, std::size_t{2});
        QCOMPARE(SweepStore(store).sweeps().size(), std::size_t{1});
    }
};

RINGSIDE_TEST(TestEvaluation)
#include "tst_evaluation.moc"
