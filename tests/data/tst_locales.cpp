#include "data/document/names.h"
#include "data/evaluations/reference.h"
#include "data/experiment/canonical_form.h"
#include "data/experiment/link_text.h"
#include "data/experiment/own_presets.h"
#include "data/figure/figure_document.h"
#include "data/figure/figure_table.h"
#include "data/figure/gallery_words.h"
#include "data/laboratory/laboratory.h"
#include "data/lessons/lesson.h"
#include "data/measured/measured_report.h"
#include "data/measured/measured_report_json.h"
#include "data/measured/trace_reading.h"
#include "data/results/metrics.h"
#include "data/results/result_document.h"
#include "data/store/run_catalogue.h"
#include "data/store/store.h"
#include "data/sweep/results_table.h"
#include "data/sweep/sweep_runner.h"
#include "data/sweep/sweep_store.h"
#include "data/trace/chrome_trace.h"
#include "data/trace/trace_file.h"
#include "engine/api/quantity.h"
#include "tests/data/figure_samples.h"
#include "tests/data/sample_result.h"
#include "tests/data/small_sweep.h"
#include "tests/locales.h"
#include "tests/test_program.h"

#include <nlohmann/json.hpp>

#include <QTemporaryDir>
#include <QTest>

#include <clocale>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>

using namespace data;

namespace {

constexpr std::string_view kExperiment = R"({"format": "ringside-experiment", "version": 1,
    "memory": {"efficiency": 0.625, "update_cost": 1.5e0}, "link": {"bandwidth": "82.5 GB/s"},
    "cu": {"tensor_efficiency": "0.875"}, "detail": {"level": "interactive"}})";

constexpr std::string_view kLesson = R"({"format": "ringside-lesson", "version": 1, "title": "Efficiency",
    "experiment": {"memory": {"efficiency": 0.625}},
    "steps": [{"text": "{total} and {share}", "scene": {"moment": "40.5 %", "from": "1.5 us", "to": "2.5 us"},
               "claims": {"total": {"metric": "time_ps.total", "value": "2.4255 ms", "tolerance": "0.5 us"},
                          "share": {"parameter": "memory.efficiency", "value": "0.625"}}}]})";

std::string problemLines(const engine::Problems& problems) {
    std::string text;
    for (const engine::Problem& problem : problems)
        text += "problem: " + describe(problem) + "\n";
    return text;
}

std::string textOfFile(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string experimentText() {
    const DraftReading reading = readDraft(kExperiment, "test");
    const engine::Experiment experiment = expand(reading.draft).experiment;
    const std::string complete = writeExperiment(experiment);
    const DraftReading again = readDraft(complete, "test");
    return problemLines(reading.problems) + writeDraft(reading.draft) + complete + experimentHash(experiment) +
           problemLines(again.problems) + experimentHash(expand(again.draft).experiment);
}

Sweep sweepOfReals() {
    Sweep sweep = tests::smallSweep(1);
    AxisColumn efficiency{"memory.efficiency", {0.5, 0.625}, {}};
    AxisColumn cost{"memory.update_cost", {}, AxisRange{1.25, 1.75, 3, false}};
    cost.values = {1.25, 1.5, 1.75};
    sweep.axes = {{{efficiency}}, {{cost}}};
    sweep.policies = {"sequential", "t3-mca"};
    return sweep;
}

std::string sweepText() {
    const SweepReading reading = readSweep(writeSweep(sweepOfReals()), "test");
    return problemLines(reading.problems) + writeSweep(reading.sweep) + sweepId(reading.sweep);
}

std::string figureText() {
    const FigureReading reading = readFigure(writeFigure(everyKindOfMark()), "test");
    std::string text = problemLines(reading.problems);
    if (!reading.figure)
        return text;
    text += writeFigure(*reading.figure);
    for (const FigureTable& table : tablesOf(*reading.figure))
        text += writeCsv(table);
    return text;
}

std::string lessonText() {
    const LessonReading reading = readLesson(kLesson, "test");
    std::string text = problemLines(reading.problems);
    for (const LessonStep& step : reading.lesson.steps) {
        text += writeDraft(step.draft) + writeScene(step.scene);
        for (const LessonClaim& claim : step.claims)
            text += claim.text + " = " + engine::shortestText(claim.value) + " within " +
                    engine::shortestText(claim.tolerance) + "\n";
    }
    return text;
}

std::string linkText() {
    Scene scene;
    scene.draft = readDraft(kExperiment, "test").draft;
    scene.view = "timeline";
    scene.moment = {0, 0.405, true};
    scene.selection = Scene::Selection{0, "DMA engine", 1, 182'004'512};
    const std::string link = writeLink(scene).value_or("no link");
    const SceneReading reading = readLink(link);
    return link + problemLines(reading.problems) + writeScene(reading.scene);
}

std::string resultText() {
    const engine::Experiment experiment = expand(readDraft(kExperiment, "test").draft).experiment;
    const std::string written = writeResult(experiment, tests::fullResult());
    return written + writeResult(experiment, readResult(written));
}

std::string traceText(const std::string& folder) {
    ExperimentDraft draft = tests::smallSweep(1).base;
    draft.explicitValues["memory.efficiency"] = 0.625;
    const LaboratoryRun run = Laboratory().run(draft, {.recordTrace = true, .baselines = false});
    const std::string path = folder + "/trace.json";
    writeTraceFile(run, path);
    const TraceReading reading = readTraceFile(path);
    return problemLines(reading.problems) + writeDraft(reading.head.draft) + reading.head.hash + textOfFile(path);
}

/// Runs a sweep into a store. Returns the points, runs and results of filters that are read from the store, as text.
std::string storeText(const std::string& folder) {
    const std::string path = folder + "/store.sqlite";
    const SweepPlan plan = planOf(sweepOfReals());
    runSweep(plan, path, {});
    Store store(path);
    const SweepTable table = SweepStore(store).table(plan.id);
    std::string text = writeSweep(table.sweep) + writeCsv(resultsOf(table)) + writeJson(resultsOf(table));
    std::string problem;
    const auto filter = RunFilter::parse("memory.efficiency<0.6 memory.update_cost>1.3", problem);
    CatalogueQuery query{{"memory.efficiency", "memory.update_cost", "speedup_over_sequential"}};
    std::map<std::string, std::string> accepted;  // sorted, because the order in time depends on the threads
    for (const CatalogueRow& row : RunCatalogue(store).rows(query)) {
        if (filter && filter->accepts(row, query.columns))
            accepted[store.runWithId(row.id)->experimentHash] = writeCsv(resultsOf({&row, 1}, query.columns));
    }
    for (const auto& [hash, cells] : accepted)
        text += hash + cells;
    for (const auto& [hash, row] : tests::rowsOf(path))
        text += row;
    return text + problem;
}

std::string presetText(const std::string& folder) {
    ExperimentDraft draft = readDraft(kExperiment, "test").draft;
    OwnPresets own(folder + "/presets");
    own.save({OwnKind::machine, "mine", ownValuesOf(OwnKind::machine, draft)});
    own.save({OwnKind::experiment, "all of it", draft.explicitValues});
    std::string text = problemLines(own.problems());
    for (const OwnPreset& preset : own.all())
        text += preset.name + writePreset({OwnKind::machine, preset.name, preset.values});
    return text;
}

std::string measuredText() {
    const std::string text = R"([{"ph": "X", "cat": "kernel", "name": "a_gemm", "ts": 1698765432123456.125, "dur": 2.5},
        {"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce_Sum", "ts": 1698765432123457.25, "dur": 1.5e0}])";
    const MeasuredReading reading = readMeasuredTrace(bytesOfText(text), "rank-0.json");
    std::string lines = problemLines(reading.problems) + reading.trace.endsEarly;
    const MeasuredReport report = measuredReportOf({&reading.trace, 1});
    for (const std::vector<std::string>& line : measuredReportLines(report))
        lines += joined(line, ",") + "\n";
    return lines + measuredReportJson(report).dump();
}

std::string wordsText() {
    const bool isBundled = checkOwnName(OwnKind::machine, "AMD-MI300X").has_value();
    return sublayerTitle("ip") + (isBundled ? ", a bundled name\n" : ", not a bundled name\n");
}

std::string publishedText() {
    std::string text;
    for (const PublishedItem& item : publishedItems())
        text += item.id + " " + engine::shortestText(item.value) + "\n";
    return text;
}

/// Returns everything that the library reads and writes, as text by name. If a reader throws, the message is its text,
/// so that the others are still compared.
std::map<std::string, std::string> everything() {
    QTemporaryDir temporary;
    const std::string folder = temporary.path().toStdString();
    const std::vector<std::pair<const char*, std::function<std::string()>>> parts{
        {"experiment", experimentText},
        {"sweep", sweepText},
        {"figure", figureText},
        {"lesson", lessonText},
        {"link text", linkText},
        {"result", resultText},
        {"trace", [&] { return traceText(folder); }},
        {"store", [&] { return storeText(folder); }},
        {"preset", [&] { return presetText(folder); }},
        {"measured trace", measuredText},
        {"words", wordsText},
        {"published numbers", publishedText}};
    std::map<std::string, std::string> texts;
    for (const auto& [name, text] : parts) {
        try {
            texts[name] = text();
        } catch (const std::exception& error) { texts[name] = std::string("problem: ") + error.what(); }
    }
    return texts;
}

/// Returns 0.5 in the format of the current locale: "0,5" or "0.5".
std::string halfInThisLocale() {
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "%.1f", 0.5);
    return text.data();
}

}  // namespace

class TestLocales : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::map<std::string, std::string> m_plain;

private Q_SLOTS:
    void initTestCase() {
        if (const std::string why = tests::makeLocales(m_folder.path().toStdString()); !why.empty())
            QSKIP(why.c_str());
        qputenv("LOCPATH", m_folder.path().toLocal8Bit());
        // The published numbers are read only once, so they are read under the locale that is most difficult for a
        // parser.
        QVERIFY(std::setlocale(LC_ALL, "ps_AF.UTF-8") != nullptr);
        publishedItems();
        std::setlocale(LC_ALL, "C");
        m_plain = everything();
        QVERIFY(!m_plain.empty());
    }

    void cleanup() { std::setlocale(LC_ALL, "C"); }

    void noPublishedNumberLosesItsFraction() {
        QVERIFY(std::any_of(publishedItems().begin(), publishedItems().end(),
                            [](const PublishedItem& item) { return item.value != std::floor(item.value); }));
    }

    void whatIsReadAndWrittenIsWithoutAProblem() {
        for (const auto& [name, text] : m_plain)
            QVERIFY2(text.find("problem: ") == std::string::npos, (name + ": " + text).c_str());
    }

    void everythingIsReadAndWrittenAsInC_data() {
        QTest::addColumn<std::string>("locale");
        for (const char* locale : tests::kLocales)
            QTest::newRow(locale) << locale + std::string(".UTF-8");
    }
    void everythingIsReadAndWrittenAsInC() {
        QFETCH(std::string, locale);
        QVERIFY(std::setlocale(LC_ALL, locale.c_str()) != nullptr);
        if (locale != "ar_EG.UTF-8")
            QVERIFY2(halfInThisLocale() != "0.5", "the locale is not in force");
        const auto found = everything();
        for (const auto& [name, text] : m_plain)
            QVERIFY2(found.at(name) == text, (name + ":\n" + found.at(name).substr(0, 2000)).c_str());
        QVERIFY2(locale == "ar_EG.UTF-8" || halfInThisLocale() != "0.5", "a reader has changed the locale");
    }
};

RINGSIDE_CORE_TEST(TestLocales)

#include "tst_locales.moc"
