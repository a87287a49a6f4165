// Tests the words with which an author states numbers of a paper: sweeps in files, differences, gains, best values,
// crossings, and claims.

#include "data/evaluations/evaluation.h"
#include "data/evaluations/evaluation_rows.h"
#include "data/evaluations/reproduce.h"
#include "data/experiment/own_presets.h"
#include "data/sweep/sweep_plan.h"
#include "tests/data/said.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <fstream>
#include <map>
#include <string>
#include <vector>

using namespace data;

namespace {

/// A sweep of four bandwidths under two policies: the point with index 2 k + p has bandwidth k and policy p.
const std::string kLinks =
    R"("base": { "workload": { "model": "small", "sublayer": "fc-2", "hidden": 512, "sequence": 512,
        "batch": 1 }, "parallel": { "tp": 4 }, "detail": { "level": "interactive" } },
    "axes": [ { "path": "link.bandwidth", "range": { "from": "50 GB/s", "to": "400 GB/s", "count": 4, "scale": "log" } } ],
    "policies": ["sequential", "t3"])";

using Files = std::map<std::string, std::string>;

const Files kFiles{{"links.json", R"({ "format": "ringside-sweep", "version": 1, )" + kLinks + " }"},
                   {"other.json", R"({ "format": "ringside-lesson", "title": "L" })"},
                   {"broken.json", "{ \"axes\": [\n  { \"path\" } ] }"},
                   {"wrong.json", R"({ "format": "ringside-sweep", "base": { "parallel": { "tp": 3.5 } },
                       "axes": [ { "path": "link.bandwidht", "values": ["1 GB/s"] } ] })"}};

EvaluationReading readWith(const std::string& rest, const Files& files = kFiles) {
    const std::string document = R"({ "format": "ringside-evaluation", "version": 1, "title": "Mine", )" + rest + " }";
    return readEvaluation(document, "test", nullptr, [&](const std::string& file, engine::Problems& problems) {
        const auto found = files.find(file);
        if (found == files.end())
            problems.push_back({file, "", "no such file"});
        return found == files.end() ? std::string() : found->second;
    });
}

std::string withItem(const std::string& more, const std::string& sweeps = R"("links": { "of": "links.json" })") {
    return R"("sweeps": { )" + sweeps + R"( }, "items": [ { "id": "x", "what": "a number", )" + more + " } ]";
}

/// Returns an item of T3's times or speed-ups at the four bandwidths.
std::string times(const std::string& more) { return withItem(R"("metric": "time_ps.total", "policy": "t3", )" + more); }
std::string speedups(const std::string& more) {
    return withItem(R"("metric": "speedup_over_sequential", "policy": "t3", )" + more);
}

bool refusesAuthor(const std::string& rest, const std::string& path, const std::string& text) {
    return tests::saysAt(readWith(rest).problems, path, text);
}

/// Returns the rows of an evaluation whose points have these values, for every metric.
std::vector<ReproducedItem> rowsFrom(const std::string& rest, const std::vector<double>& values,
                                     bool asWritten = true) {
    const EvaluationReading reading = readWith(rest);
    if (!reading.problems.empty())
        qFatal("%s", engine::describe(reading.problems.front()).c_str());
    std::vector<SweepTable> tables;
    for (std::size_t sweep = 0; sweep < reading.evaluation.sweeps.size(); ++sweep) {
        SweepTable table{reading.evaluation.sweeps[sweep].sweep, {}, metricsOf(reading.evaluation, sweep), {}};
        for (std::size_t index = 0; index < pointCount(table.sweep); ++index) {
            PointPlace place = placeOf(table.sweep, index);
            SweepRow row{index, std::move(place.at), place.policy, PointState::done, {}, {}, {}};
            row.values.assign(table.metrics.size(), values.at(index));
            table.rows.push_back(std::move(row));
        }
        tables.push_back(std::move(table));
    }
    return rowsOf(reading.evaluation, tables, {}, asWritten, "");
}

/// Returns the only row if the points under `sequential` and under `t3` have these values.
ReproducedItem rowFrom(const std::string& rest, const std::vector<double>& sequential, const std::vector<double>& t3) {
    std::vector<double> values;
    for (std::size_t i = 0; i < sequential.size(); ++i)
        values.insert(values.end(), {sequential[i], t3[i]});
    return rowsFrom(rest, values).front();
}

bool isNear(double value, double expected) { return std::abs(value - expected) <= 1e-9 * std::abs(expected); }

constexpr double kGB = 1e9;

}  // namespace

class TestAuthorEvaluation : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSweepMayBeAFileBesideTheDocument() {
        const EvaluationReading reading = readWith(speedups(R"("as": "max", "role": "context")"));
        QVERIFY2(reading.problems.empty(), tests::described(reading.problems).c_str());
        const EvaluationSweep& sweep = reading.evaluation.sweeps.front();
        QCOMPARE(sweep.name, std::string("links"));
        QVERIFY(sweep.sweep.policies == (std::vector<std::string>{"sequential", "t3"}));
        // The same points as the sweep itself, so that a store has them already.
        QCOMPARE(sweepId(sweep.sweep), sweepId(readSweep(kFiles.at("links.json"), "links.json").sweep));
    }

    void valuesOfTheEntryReplaceThoseOfTheFileOneByOne() {
        const auto sweepWith = [](const std::string& more) {
            const EvaluationReading reading =
                readWith(withItem(R"("metric": "time_ps.total", "as": "max", "role": "context", "policy": "t3")",
                                  R"("links": { "of": "links.json", )" + more + " }"));
            if (!reading.problems.empty())
                qFatal("%s", engine::describe(reading.problems.front()).c_str());
            return reading.evaluation.sweeps.front().sweep;
        };
        const engine::Experiment changed =
            detailsOf(sweepWith(R"("base": { "parallel": { "tp": 8 }, "link": { "latency": "1 us" } })"), 0).experiment;
        QCOMPARE(changed.parallel.tp, std::int64_t{8});
        QCOMPARE(changed.workload.hidden, std::int64_t{512});  // of the file
        const Sweep others =
            sweepWith(R"("policies": ["t3"], "axes": [ { "path": "dma.block_tiles", "values": [1, 2] } ])");
        QCOMPARE(others.policies.size(), std::size_t{1});
        QCOMPARE(others.axes.front().columns.front().path, std::string("dma.block_tiles"));
    }

    void anItemMayNameTheFileItself() {
        const std::string item =
            R"({ "id": "x", "what": "w", "of": "links.json", "metric": "time_ps.total", "policy": "t3", "as": "max", )";
        const EvaluationReading reading = readWith(
            R"("items": [ )" + item + R"("over": { "of": "links.json", "policy": "sequential" }, "role": "context" } ],
            "figures": [ { "name": "f", "of": "links.json", "mark": "lines", "x": "link.bandwidth", "y": "time_ps.total" } ])");
        QVERIFY2(reading.problems.empty(), tests::described(reading.problems).c_str());
        QCOMPARE(reading.evaluation.sweeps.size(), std::size_t{1});
        QCOMPARE(reading.evaluation.sweeps.front().name, std::string("links.json"));
    }

    void filesThatAreNotSweepsAreNamedWithThePathInThem() {
        const auto refuses = [](const std::string& entry, const std::string& path, const std::string& text) {
            return refusesAuthor(
                withItem(R"("metric": "time_ps.total", "as": "max", "role": "context")", R"("links": )" + entry), path,
                text);
        };
        QVERIFY(refuses(R"({ "of": "nowhere.json" })", "nowhere.json", "no such file"));
        QVERIFY(refuses(R"({ "of": "other.json" })", "other.json format", "not a sweep; allowed: ringside-sweep"));
        QVERIFY(refuses(R"({ "of": "../links.json" })", "sweeps.links.of", "without a folder"));
        QVERIFY(refuses(R"({ "of": "/etc/links.json" })", "sweeps.links.of", "not a file beside the document"));
        QVERIFY(refuses(R"({ "of": "wrong.json" })", "wrong.json axes[0].path", "did you mean link.bandwidth"));
        QVERIFY(refuses(R"({ "of": "wrong.json" })", "wrong.json base.parallel.tp", ""));
        // A value that the document sets is named in the document.
        QVERIFY(refuses(R"({ "of": "links.json", "policies": ["t4"] })", "sweeps.links.policies[0]", "t3"));
        QVERIFY(refuses(R"({ "of": "links.json", "base": { "parallel": { "tp": 0.5 } } })",
                        "sweeps.links.base.parallel.tp", ""));
        const engine::Problems broken =
            readWith(withItem(R"("metric": "time_ps.total", "role": "context")", R"("links": { "of": "broken.json" })"))
                .problems;
        QVERIFY(!broken.empty() && broken.front().path.starts_with("broken.json"));
        QVERIFY(tests::contains(engine::describe(broken.front()), "line 2"));
        QVERIFY(refusesAuthor(R"("items": [ { "id": "x", "what": "w", "of": "nowhere.json", "metric": "time_ps.total",
                                  "role": "context" } ])",
                              "nowhere.json", "no such file"));
        QVERIFY(refusesAuthor(R"("items": [ { "id": "x", "what": "w", "of": "a/links.json", "metric": "time_ps.total",
                                  "role": "context" } ])",
                              "items[0].of", "without a folder"));
        // A bundled evaluation has no file beside it.
        QVERIFY(tests::saysAt(readEvaluation(R"({ "format": "ringside-evaluation", "title": "t", "sweeps": { "a": {
            "of": "links.json" } }, "items": [ { "id": "x", "what": "w", "metric": "time_ps.total", "role": "context" } ] })",
                                             "test")
                                  .problems,
                              "sweeps.a.of", "no file beside it"));
    }

    void theFileIsInTheFolderOfTheDocument() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("mine.json").toStdString();
        std::ofstream(folder.filePath("links.json").toStdString()) << kFiles.at("links.json");
        std::ofstream(path) << R"({ "format": "ringside-evaluation", "version": 1, "title": "Mine", )" +
                                   speedups(R"("as": "max", "role": "context")") + " }";
        QVERIFY(readEvaluationFile(path, OwnPresets("")).problems.empty());
        std::filesystem::remove(folder.filePath("links.json").toStdString());
        const engine::Problems problems = readEvaluationFile(path, OwnPresets("")).problems;
        QVERIFY(!problems.empty() && tests::contains(problems.front().path, "links.json"));
    }

    void aDifferenceIsTakenPointByPointBeforeARatio() {
        const auto value = [](const std::string& more) {
            return rowFrom(times(more + R"(, "role": "context")"), {10, 20, 30, 40}, {8, 15, 20, 30}).value;
        };
        QCOMPARE(value(R"("as": "max", "minus": { "policy": "sequential" })"), -2.0);
        QCOMPARE(value(R"("as": "min", "minus": { "policy": "sequential" })"), -10.0);
        QCOMPARE(value(R"("as": "max", "minus": { "where": "link.bandwidth=50GB/s" })"), 22.0);
        QCOMPARE(value(R"("as": "min", "minus": { "policy": "sequential" }, "over": { "policy": "sequential" })"),
                 -10.0 / 30);
        QVERIFY(refusesAuthor(times(R"("as": "max", "role": "context", "minus": {})"), "items[0].minus",
                              "would subtract a number from itself"));
        QVERIFY(refusesAuthor(times(R"("as": "max", "role": "context", "minus": { "metric": "dram_bytes.total" })"),
                              "items[0].minus.metric", "a difference is of metrics with the same unit"));
    }

    void aGainIsARatioMinusOneInPerCent() {
        const ReproducedItem mean =
            rowFrom(speedups(R"("as": "gain", "role": "context")"), {1, 1, 1, 1}, {1.2, 1.2, 1.2, 1.2});
        QVERIFY(isNear(mean.value, 0.2) && mean.isFraction);
        QCOMPARE(mean.valueText, std::string("20.0 %"));
        // Of several points it is the gain of the geometric mean.
        QVERIFY(isNear(rowFrom(speedups(R"("as": "gain", "role": "context")"), {1, 1, 1, 1}, {1, 4, 1, 4}).value, 1.0));
        const std::string over = R"("as": "gain", "over": { "policy": "t3" }, "policy": "sequential", )";
        const ReproducedItem time = rowFrom(withItem(over + R"("metric": "time_ps.total", "published": "25 %",
            "label": "derived", "role": "visible")"),
                                            {10, 10, 10, 10}, {8, 8, 8, 8});
        QVERIFY(isNear(time.value, 0.25));
        QVERIFY(std::abs(time.difference) < 1e-9);  // in percentage points
        const std::vector<ReproducedItem> each =
            rowsFrom(speedups(R"("as": "each", "gain": true, "role": "context")"), {1, 1.1, 1, 1.2, 1, 0.9, 1, 1});
        QCOMPARE(each[0].valueText, std::string("10.0 %"));
        QCOMPARE(each[2].valueText, std::string("-10.0 %"));
        QVERIFY(refusesAuthor(times(R"("as": "gain", "role": "context")"), "items[0].as",
                              "\"over\" is expected beside it"));
        QVERIFY(refusesAuthor(times(R"("as": "max", "gain": true, "saving": true, "over": { "policy": "sequential" },
                                       "role": "context")"),
                              "items[0].gain", "leave out one of both"));
    }

    void theBestValueOfAnAxisFollowsTheMetric() {
        const std::string best = R"("as": "best-at", "role": "context")";
        const ReproducedItem most = rowFrom(speedups(best), {1, 1, 1, 1}, {1.1, 1.3, 1.2, 1.3});
        QVERIFY(isNear(most.value, 100 * kGB));  // the first of equal ones
        QCOMPARE(most.valueText, std::string("100 GB/s"));
        QVERIFY(isNear(rowFrom(times(best), {1, 1, 1, 1}, {8, 9, 5, 7}).value, 200 * kGB));
        QVERIFY(isNear(rowFrom(times(best + R"(, "best": "largest")"), {1, 1, 1, 1}, {8, 9, 5, 7}).value, 100 * kGB));
        // A ratio may be best either way.
        const std::string ratio = R"("as": "best-at", "over": { "policy": "sequential" }, "role": "context")";
        QVERIFY(refusesAuthor(times(ratio), "items[0].best", "missing"));
        QVERIFY(isNear(rowFrom(times(ratio + R"(, "best": "smallest")"), {10, 10, 20, 40}, {8, 9, 10, 30}).value,
                       200 * kGB));
        QVERIFY(refusesAuthor(times(best + R"(, "best": "nicest")"), "items[0].best", "allowed: smallest, largest"));
        QVERIFY(refusesAuthor(times(best + R"(, "axis": "parallel.tp")"), "items[0].axis", "allowed: link.bandwidth"));
        QVERIFY(refusesAuthor(times(best + R"(, "level": "1")"), "items[0].level", "does not belong to best-at"));
        QVERIFY(refusesAuthor(times(R"("as": "max", "role": "context", "axis": "link.bandwidth")"), "items[0].axis",
                              "belongs to \"as\" with best-at or crossing"));
        QVERIFY(refusesAuthor(times(best + R"(, "where": "link.bandwidth=50GB/s")"), "items[0].axis", "at least two"));
    }

    void aCrossingIsInterpolatedByTheScaleOfTheAxis() {
        // Between 100 and 200 GB/s the speed-up falls from 1.2 to 1.0: 1.1 is in the middle, here of a logarithmic axis.
        const std::string level = R"("as": "crossing", "level": "1.1", "role": "context")";
        const ReproducedItem log = rowFrom(speedups(level), {1, 1, 1, 1}, {1.4, 1.2, 1.0, 0.9});
        QVERIFY(isNear(log.value, std::sqrt(100 * kGB * 200 * kGB)));
        QCOMPARE(log.valueText, std::string("141.4 GB/s"));
        const std::string even = R"("links": { "of": "links.json", "axes": [ { "path": "link.bandwidth",
            "values": ["100 GB/s", "200 GB/s", "300 GB/s", "400 GB/s"] } ] })";
        const std::string item = R"("metric": "speedup_over_sequential", "policy": "t3", )" + level;
        QVERIFY(isNear(rowFrom(withItem(item, even), {1, 1, 1, 1}, {1.4, 1.2, 1.0, 0.9}).value, 250 * kGB));
        // A number that equals the level is the crossing itself.
        QVERIFY(isNear(rowFrom(speedups(level), {1, 1, 1, 1}, {1.4, 1.1, 1.0, 0.9}).value, 100 * kGB));
    }

    void onePolicyMayOvertakeAnother() {
        const std::string other =
            R"("as": "crossing", "axis": "link.bandwidth", "other": { "policy": "sequential" }, "role": "context")";
        // 12 over 10, then 9 under 10: after two thirds of the step.
        const ReproducedItem row = rowFrom(times(other), {10, 10, 10, 10}, {14, 12, 9, 8});
        QVERIFY(isNear(row.value, 100 * kGB * std::pow(2.0, 2.0 / 3)));
        QVERIFY(refusesAuthor(times(R"("as": "crossing", "role": "context")"), "items[0].level",
                              "missing; a number to cross"));
        QVERIFY(refusesAuthor(
            times(R"("as": "crossing", "level": "1 us", "other": { "policy": "sequential" }, "role": "context")"),
            "items[0].other", "a second number"));
        QVERIFY(refusesAuthor(times(R"("as": "crossing", "level": "1 GB", "role": "context")"), "items[0].level",
                              "not a number of this kind"));
        QVERIFY(refusesAuthor(
            times(R"("as": "crossing", "other": { "policy": "sequential" }, "over": { "policy": "sequential" },
                                       "role": "context")"),
            "items[0].other", "a \"level\" is expected"));
    }

    void noCrossingIsAnOutcomeAndNotANumber() {
        const std::string level = R"("as": "crossing", "level": "1.1")";
        const ReproducedItem none =
            rowFrom(speedups(level + R"(, "role": "context")"), {1, 1, 1, 1}, {1.4, 1.3, 1.2, 1.1});
        QVERIFY(std::isnan(none.value) && none.valueText.empty());
        QCOMPARE(none.note, std::string("no crossing: never below 1.1 from 50 GB/s to 400 GB/s"));
        QVERIFY(!none.holds());
        const ReproducedItem below =
            rowFrom(speedups(level + R"(, "at_least": "100 GB/s")"), {1, 1, 1, 1}, {1.0, 1.0, 1.0, 1.0});
        QVERIFY(tests::contains(below.note, "always below 1.1"));
        QCOMPARE(below.holds(), std::optional(false));  // a claim without its number does not hold
        const ReproducedItem twice =
            rowFrom(speedups(level + R"(, "role": "context")"), {1, 1, 1, 1}, {1.4, 1.0, 1.2, 1.0});
        QVERIFY(twice.value > 50 * kGB && twice.value < 100 * kGB);
        QCOMPARE(twice.note, std::string("crosses 3 times; this is the first"));
    }

    void anAxisOfWordsHasNoBestValue() {
        const std::string sweeps =
            R"("links": { "of": "links.json", "axes": [ { "path": "machine", "values": ["t3-table-1", "t3-2x-cu"] } ] })";
        QVERIFY(refusesAuthor(
            withItem(R"("metric": "time_ps.total", "policy": "t3", "as": "best-at", "role": "context")", sweeps),
            "items[0].axis", "an axis of numbers is expected"));
    }

    void severalPointsAtOneValueHaveTheirGeometricMean() {
        const std::string sweeps = R"("links": { "of": "links.json", "policies": ["t3"], "axes": [
            { "path": "link.bandwidth", "values": ["50 GB/s", "100 GB/s"] }, { "path": "dma.block_tiles", "values": [1, 2] } ] })";
        const auto value = [&](const std::string& axis) {
            return rowsFrom(
                       withItem(R"("metric": "time_ps.total", "as": "best-at", "role": "context", "axis": )" + axis,
                                sweeps),
                       {4, 9, 5, 5})
                .front()
                .value;
        };
        QVERIFY(isNear(value(R"("link.bandwidth")"), 100 * kGB));  // 6 and 5
        QCOMPARE(value(R"("dma.block_tiles")"), 1.0);              // 4.5 and 6.7
        QVERIFY(refusesAuthor(withItem(R"("metric": "time_ps.total", "as": "best-at", "role": "context")", sweeps),
                              "items[0].axis", "missing"));
    }

    void aClaimHoldsUpToItsBound() {
        const auto row = [](const std::string& claim, double value) {
            return rowFrom(speedups(R"("as": "max", )" + claim), {1, 1, 1, 1}, {1, 1, 1, value});
        };
        QCOMPARE(row(R"("at_least": "1.3")", 1.3).holds(), std::optional(true));
        QCOMPARE(row(R"("at_least": "1.3")", 1.299).holds(), std::optional(false));
        QCOMPARE(row(R"("at_most": "1.3")", 1.3).holds(), std::optional(true));
        QCOMPARE(row(R"("at_most": "1.3")", 1.301).holds(), std::optional(false));
        QCOMPARE(row(R"("between": ["1.1", "1.3"])", 1.1).holds(), std::optional(true));
        QCOMPARE(row(R"("between": ["1.1", "1.3"])", 1.099).holds(), std::optional(false));
        QCOMPARE(row(R"("between": ["1.1", "1.3"])", 1.301).holds(), std::optional(false));
        const ReproducedItem broken = row(R"("between": ["1.1", "1.3"])", 1.4);
        QVERIFY(broken.role == EvaluationRole::between && name(broken.role) == "between");
        QCOMPARE(broken.boundText, std::string("between 1.1 and 1.3"));
        QCOMPARE(broken.allowedText, broken.boundText);
        QVERIFY(broken.publishedText.empty() && std::isnan(broken.difference) && broken.note.empty());
    }

    void aClaimIsNotJudgedUnderOtherSettings() {
        const auto rows = rowsFrom(speedups(R"("as": "max", "at_least": "9")"), {1, 1, 1, 1, 1, 1, 1, 1}, false);
        QVERIFY(!rows.front().holds());
    }

    void aClaimMayStandBesideAPublishedNumber() {
        const ReproducedItem row =
            rowFrom(speedups(R"("as": "max", "at_least": "1.2", "published": "1.5", "label": "published")"),
                    {1, 1, 1, 1}, {1, 1, 1, 1.35});
        QVERIFY(isNear(row.difference, -0.1));
        QCOMPARE(row.holds(), std::optional(true));
    }

    void claimsAreCheckedBeforeARun() {
        const auto refuses = [](const std::string& claim, const std::string& key, const std::string& text) {
            return refusesAuthor(speedups(R"("as": "max", )" + claim), "items[0]." + key, text);
        };
        QVERIFY(refuses(R"("at_least": 1.3)", "at_least", "as its source prints it"));
        QVERIFY(refuses(R"("at_least": "1 ms")", "at_least", "not a number of this kind"));
        QVERIFY(refuses(R"("at_least": "1", "at_most": "2")", "at_most", "a second claim"));
        QVERIFY(refuses(R"("between": ["1.3", "1.1"])", "between", "must be above the first"));
        QVERIFY(refuses(R"("between": ["1.1"])", "between", "a list of two numbers"));
        QVERIFY(refuses(R"("at_least": "1", "role": "exact")", "role", "leave out one of both"));
        QVERIFY(refuses(R"("at_least": "1", "tolerance": "1 %")", "tolerance", "a claim has no tolerance"));
        QVERIFY(refuses(R"("role": "at_least")", "role", "unknown role; allowed: exact"));
    }
};

RINGSIDE_TEST(TestAuthorEvaluation)
#include "tst_author_evaluation.moc"
