#include "data/document/whole_file.h"
#include "data/trace/trace_file.h"
#include "tests/data/said.h"
#include "tests/test_program.h"

#include <QtTest>

#include <fstream>
#include <iterator>

using namespace data;

namespace {

LaboratoryRun ranWith(std::initializer_list<const char*> settings) {
    DraftReading reading = draftNamed("t-nlg/op/tp8");
    applySetting("detail.level=interactive", reading.draft, reading.problems);
    applySetting("workload.batch=1", reading.draft, reading.problems);
    for (const char* setting : settings)
        applySetting(setting, reading.draft, reading.problems);
    return Laboratory().run(reading.draft, {.recordTrace = true, .baselines = false});
}

std::string textOfFile(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string problemsOfFile(const std::string& path) {
    std::string text;
    for (const engine::Problem& problem : readTraceFile(path).problems)
        text += describe(problem) + "\n";
    return text;
}

std::string quoted(const std::string& word) { return '"' + word + '"'; }

}  // namespace

class TestTraceFile : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::string pathOf(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)).toStdString(); }
    QStringList files() const { return QDir(m_folder.path()).entryList(QDir::Files); }

private Q_SLOTS:
    void aTraceIsKnownAsOneHoweverManyLinksItsExperimentNames() {
        std::string links;
        for (int from = 0; from < 64; ++from) {
            for (int to = from + 1; to < 64; ++to)
                links += std::to_string(from) + "-" + std::to_string(to) + "@75GB/s,500ns ";
        }
        links.pop_back();
        const std::string setting = "topology.links=" + links;
        const LaboratoryRun run = ranWith({"workload.sublayer=fc-2", "parallel.tp=64", "workload.hidden=8192",
                                           "workload.sequence=64", "topology.kind=custom", setting.c_str()});
        const std::string path = pathOf("links.json");
        writeTraceFile(run, path);
        QVERIFY(isTraceFile(path));
        QCOMPARE(problemsOfFile(path), std::string());
        QVERIFY(readTraceFile(path).head.draft == run.draft);
    }
    void aTraceThatIsOpenedAgainIsThatOfItsExperiment() {
        const LaboratoryRun run = ranWith({"policy=t3", "link.bandwidth=100GB/s"});
        const std::string path = pathOf("run.json");
        writeTraceFile(run, path);
        QVERIFY(isTraceFile(path));
        const TraceReading reading = readTraceFile(path);
        QCOMPARE(problemsOfFile(path), std::string());
        QVERIFY(reading.head.draft == run.draft);
        QCOMPARE(reading.head.hash, run.hash);
        QCOMPARE(reading.head.engineVersion, std::string(engine::engineVersion()));
        const LaboratoryRun again =
            Laboratory().run(reading.head.draft, {.recordTrace = true, .baselines = false, .threads = 2});
        const TraceComparison comparison = compareTrace(again, path, reading.head.choice);
        QVERIFY2(comparison.same, (comparison.inFile + "\n" + comparison.here).c_str());
        QVERIFY(comparison.bytes > 100'000);
    }

    void whatWasLeftOutIsLeftOutOfTheComparisonToo() {
        const LaboratoryRun run = ranWith({});
        TraceChoice choice;
        for (const TracePart& part : traceParts())
            choose(choice, part, part.name != "loads" && part.name != "dram");
        choice.path = false;
        writeTraceFile(run, pathOf("small.json"), choice);
        const TraceReading reading = readTraceFile(pathOf("small.json"));
        QVERIFY(reading.head.choice == choice);
        QVERIFY(compareTrace(run, pathOf("small.json"), reading.head.choice).same);
        QVERIFY(!compareTrace(run, pathOf("small.json"), TraceChoice()).same);
    }

    void aTraceThatWasChangedIsReportedWithTheLine() {
        const LaboratoryRun run = ranWith({});
        const std::string path = pathOf("changed.json");
        writeTraceFile(run, path);
        std::string text = textOfFile(path);
        const std::size_t at = text.find("\"workgroup\"", text.find('\n'));
        const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
        text[at + 1] = 'W';
        writeWholeFile(path, text);
        const TraceReading reading = readTraceFile(path);
        const TraceComparison comparison = compareTrace(run, path, reading.head.choice);
        QVERIFY(!comparison.same);
        QCOMPARE(comparison.line, line);
        QVERIFY(tests::contains(comparison.inFile, "\"Workgroup\"") &&
                tests::contains(comparison.here, "\"workgroup\""));
        writeWholeFile(path, text.substr(0, text.size() - 100));
        QVERIFY(!compareTrace(run, path, reading.head.choice).same);
        text[at + 1] = 'w';
        writeWholeFile(path, text + "more");
        QVERIFY(!compareTrace(run, path, reading.head.choice).same);
        writeWholeFile(path, text);
        QVERIFY(compareTrace(run, path, reading.head.choice).same);
    }

    void foreignNewerAndDamagedTracesAreDistinguished() {
        const std::string path = pathOf("other.json");
        for (const char* foreign : {R"({"traceEvents":[{"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":1}]})",
                                    "[\n{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":1}]"}) {
            writeWholeFile(path, foreign);
            QVERIFY(isTraceFile(path));
            QVERIFY2(tests::contains(problemsOfFile(path), "does not carry an experiment"),
                     problemsOfFile(path).c_str());
        }
        writeTraceFile(ranWith({}), path);
        const std::string text = textOfFile(path);
        std::string newer = text;
        newer.replace(newer.find("\"version\":1"), 11, "\"version\":7");
        writeWholeFile(path, newer);
        QVERIFY2(tests::contains(problemsOfFile(path), "another version of Ringside"), problemsOfFile(path).c_str());
        writeWholeFile(path, text.substr(0, text.find('\n') / 2));
        QVERIFY2(tests::contains(problemsOfFile(path), "damaged"), problemsOfFile(path).c_str());
        std::string altered = text;
        altered.replace(altered.find("\"experiment_hash\":\"") + 19, 4, "0000");
        writeWholeFile(path, altered);
        QVERIFY2(tests::contains(problemsOfFile(path), "altered"), problemsOfFile(path).c_str());
        writeWholeFile(path, R"({"policy": "t3"})");
        QVERIFY(!isTraceFile(path));
        QVERIFY(!isTraceFile(pathOf("nothing.json")));
        QVERIFY(tests::contains(problemsOfFile(pathOf("nothing.json")), "cannot be opened"));
    }

    void aDraftWhosePresetsHaveChangedSinceGivesWayToTheCompleteExperiment() {
        const LaboratoryRun run = ranWith({"policy=t3"});
        const std::string path = pathOf("older.json");
        writeTraceFile(run, path);
        // Changes only the draft to sequential, as if the preset had another meaning when the file was written.
        std::string text = textOfFile(path);
        const std::size_t draft = text.find("\"draft\":");
        text.replace(text.find("\"t3\"", draft), 4, "\"sequential\"");
        writeWholeFile(path, text);
        const TraceReading reading = readTraceFile(path);
        QCOMPARE(problemsOfFile(path), std::string());
        QVERIFY(engine::withAutomaticValues(expand(reading.head.draft).experiment) ==
                engine::withAutomaticValues(run.experiment));
    }

    void aTraceOfAnotherEngineIsThatOfItsCompleteExperiment() {
        const LaboratoryRun run = ranWith({"policy=t3", "link.bandwidth=100GB/s"});
        const std::string path = pathOf("engine.json");
        writeTraceFile(run, path);
        std::string text = textOfFile(path);
        const std::string own(engine::engineVersion());
        text.replace(text.find(quoted(own)), own.size() + 2, "\"0.0.9\"");
        // An engine with one more parameter computed another hash for the same experiment.
        text.replace(text.find("\"experiment_hash\":\"") + 19, 4, "0000");
        text.insert(text.find("\"block_tiles\":", text.find("\"experiment\":")), "\"queue\":\"unlimited\",");
        writeWholeFile(path, text);
        QCOMPARE(problemsOfFile(path), std::string());
        const TraceReading reading = readTraceFile(path);
        QCOMPARE(reading.head.engineVersion, std::string("0.0.9"));
        QCOMPARE(reading.head.hash, run.hash);
        QVERIFY(engine::withAutomaticValues(expand(reading.head.draft).experiment) ==
                engine::withAutomaticValues(run.experiment));
        QCOMPARE(noticesOfRemoved(reading.head.draft).size(), std::size_t{1});
        QVERIFY(compareTrace(run, path, reading.head.choice).same);
    }

    void aFullDiskSaysSo() {
        const LaboratoryRun run = ranWith({});
        if (!QFile::exists(QStringLiteral("/dev/full")))
            QSKIP("no device that is always full");
        try {
            writeTraceFile(run, "/dev/full");
            QFAIL("written to a full disk");
        } catch (const FileError& error) { QVERIFY2(tests::contains(error.what(), "No space left"), error.what()); }
    }

    void aCancelledWritingLeavesWhatWasThereBefore() {
        const LaboratoryRun run = ranWith({});
        const std::string path = pathOf("kept.json");
        writeWholeFile(path, "before");
        std::stop_source stop;
        TraceWatch watch{stop.get_token(), [&](double) { stop.request_stop(); }};
        QVERIFY_EXCEPTION_THROWN(writeTraceFile(run, path, {}, watch), engine::RunStopped);
        QCOMPARE(textOfFile(path), std::string("before"));
        QVERIFY(!files().join(u' ').contains(QStringLiteral(".part")));
    }
};

RINGSIDE_CORE_TEST(TestTraceFile)
#include "tst_trace_file.moc"
