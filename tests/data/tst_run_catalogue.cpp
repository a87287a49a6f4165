#include "data/experiment/experiment_document.h"
#include "data/results/metrics.h"
#include "data/store/run_catalogue.h"
#include "data/store/run_seal.h"
#include "data/store/store.h"
#include "tests/data/sample_result.h"
#include "tests/test_program.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <QtTest>

#include <QTemporaryDir>

using namespace data;

namespace {

const std::string kDraft = writeDraft({});

engine::Experiment experimentWith(std::int64_t tp, engine::PolicyPreset policy) {
    engine::Experiment experiment;
    experiment.parallel.tp = tp;
    experiment.dma.window = tp > 8 ? std::optional(engine::Bytes{4096 * tp}) : std::nullopt;
    engine::applyPolicyPreset(experiment, policy);
    return experiment;
}

std::vector<std::string> namesOf(const std::vector<CatalogueRow>& rows) {
    std::vector<std::string> names;
    for (const CatalogueRow& row : rows)
        names.push_back(row.name);
    return names;
}

using Names = std::vector<std::string>;

}  // namespace

class TestRunCatalogue : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_files = 0;

    std::string newFile() { return m_folder.filePath(QString::number(++m_files) + ".ringside").toStdString(); }

    /// Keeps "a" on 8 GPUs under T3-MCA, "b" on 16 under sequential, "c" on 32 under T3, and a formula's result.
    std::vector<std::int64_t> fill(Store& store) {
        engine::RunResult slower = tests::sampleResult();
        slower.last.time.total = {3'000'000'000};
        slower.speedupOverSequential = 0.9;
        engine::RunResult formula = tests::sampleResult();
        formula.last = {};
        formula.last.time.total = {5000};
        formula.speedupOverSequential.reset();
        using enum engine::PolicyPreset;
        return {store.keep("a", kDraft, experimentWith(8, t3Mca), tests::sampleResult()),
                store.keep("b", kDraft, experimentWith(16, sequential), slower),
                store.keep("c", kDraft, experimentWith(32, t3), formula)};
    }

    Names accepted(const Store&, RunCatalogue& catalogue, const char* text) {
        std::string problem;
        const auto filter = RunFilter::parse(text, problem);
        if (!filter)
            return {problem};
        CatalogueQuery query;
        query.columns = filter->paths();
        Names names;
        for (const CatalogueRow& row : catalogue.rows(query)) {
            if (filter->accepts(row, query.columns))
                names.push_back(row.name);
        }
        return names;
    }

    static std::string refusal(const char* text) {
        std::string problem;
        return RunFilter::parse(text, problem) ? std::string() : problem;
    }

private Q_SLOTS:
    void aRowHasTheColumnsThatWereAskedForInTheirOrder() {
        Store store(newFile());
        fill(store);
        const auto rows = RunCatalogue(store).rows(
            {{"time_ps.total", "parallel.tp", "dma.window", "link.bandwidth", "dram_bytes.total", "parallel.tp",
              "memory.efficiency", "no.such", "speedup_over_sequential"}});
        QCOMPARE(namesOf(rows), (Names{"c", "b", "a"}));
        using Values = std::vector<CatalogueValue>;
        QVERIFY(rows[2].values == (Values{2000.0, 8.0, "unlimited", 150e9, 21.0, 8.0, 0.75, {}, 1.08}));
        QVERIFY(rows[1].values == (Values{3e9, 16.0, 65536.0, 150e9, 21.0, 16.0, 0.75, {}, 0.9}));
        QVERIFY(rows[0].values == (Values{5000.0, 32.0, 131072.0, 150e9, {}, 32.0, 0.75, {}, {}}));
        QCOMPARE(rows[1].policy, std::string("sequential"));
        QCOMPARE(rows[1].totalPs, 3'000'000'000);
        QCOMPARE(rows[1].speedup, std::optional(0.9));
        QVERIFY(!rows[0].speedup);
    }

    void everyMetricReadsAsItReadsFromTheResult() {
        Store store(newFile());
        const engine::RunResult result = tests::fullResult();
        store.keep("a", kDraft, {}, result);
        CatalogueQuery query;
        for (const Metric& metric : metrics())
            query.columns.push_back(metric.path);
        const auto row = RunCatalogue(store).rows(query).front();
        for (std::size_t i = 0; i < metrics().size(); ++i) {
            const Metric& metric = metrics()[i];
            QVERIFY2(metric.read(result).has_value(), metric.path.c_str());
            QVERIFY2(row.values[i] == CatalogueValue(*metric.read(result)), metric.path.c_str());
        }
    }

    void everyParameterReadsAsItStandsInTheExperiment() {
        Store store(newFile());
        const engine::Experiment experiment = experimentWith(32, engine::PolicyPreset::t3);
        store.keep("a", kDraft, experiment, tests::sampleResult());
        CatalogueQuery query;
        for (const engine::Parameter& parameter : engine::parameters())
            query.columns.push_back(parameter.path);
        const auto row = RunCatalogue(store).rows(query).front();
        for (std::size_t i = 0; i < query.columns.size(); ++i) {
            const engine::ParameterValue value = engine::parameters()[i].read(engine::withAutomaticValues(experiment));
            const CatalogueValue expected =
                std::holds_alternative<std::string>(value) ? CatalogueValue(std::get<std::string>(value))
                : std::holds_alternative<double>(value)    ? CatalogueValue(std::get<double>(value))
                                                           : static_cast<double>(std::get<std::int64_t>(value));
            QVERIFY2(row.values[i] == expected, query.columns[i].c_str());
        }
    }

    void aRunOfSchema1HasColumnsToo() {
        const std::string path = newFile();
        {
            Store store(path);
            fill(store);
        }
        {
            SQLite::Database database(path, SQLite::OPEN_READWRITE);
            database.exec("UPDATE run SET layout = NULL, result = '{\"time_ps\": {\"total\": 17}}' WHERE name = 'a'");
            sealRuns(database, ToSeal::all);
        }
        Store store(path);
        const auto rows = RunCatalogue(store).rows({{"time_ps.total", "time_ps", "time_ps.total.more", "parallel.tp"}});
        QVERIFY(rows[2].values == (std::vector<CatalogueValue>{17.0, {}, {}, 8.0}));
    }

    void aDamagedRunHasNoMetricsAndHidesNoOthers() {
        const std::string path = newFile();
        {
            Store store(path);
            fill(store);
        }
        {
            SQLite::Database database(path, SQLite::OPEN_READWRITE);
            database.exec("UPDATE run SET result = x'00' WHERE name = 'b'");
            sealRuns(database, ToSeal::all);
        }
        Store store(path);
        const auto rows = RunCatalogue(store).rows({{"time_ps.total", "parallel.tp"}});
        QVERIFY(rows[1].values == (std::vector<CatalogueValue>{{}, 16.0}));
        QVERIFY(rows[2].values == (std::vector<CatalogueValue>{2000.0, 8.0}));
    }

    void notesAndTagsStayWithTheirRun() {
        Store store(newFile());
        const auto ids = fill(store);
        RunCatalogue catalogue(store);
        catalogue.setNote(ids[0], "the one of figure 4");
        catalogue.setTags(ids, {"paper", "draft", "paper"});
        catalogue.setTags(std::vector{ids[2]}, {" two words "});
        auto rows = catalogue.rows({});
        QCOMPARE(rows[2].note, std::string("the one of figure 4"));
        QCOMPARE(rows[2].tags, (Names{"draft", "paper"}));
        QCOMPARE(rows[0].tags, (Names{"two", "words"}));
        QCOMPARE(catalogue.tagsInUse(), (Names{"draft", "paper", "two", "words"}));
        catalogue.setTags(ids, {});
        catalogue.setNote(ids[0], "");
        QVERIFY(catalogue.tagsInUse().empty());
        // Keeping a run again changes only its time.
        catalogue.setNote(ids[0], "stays");
        QTest::qSleep(5);
        store.keep("a", kDraft, experimentWith(8, engine::PolicyPreset::t3Mca), tests::sampleResult());
        rows = catalogue.rows({});
        QCOMPARE(rows.size(), std::size_t{3});
        QCOMPARE(rows.front().note, std::string("stays"));
    }

    void whatIsInTheTrashComesBackAsItWas() {
        Store store(newFile());
        const auto ids = fill(store);
        RunCatalogue catalogue(store);
        catalogue.setTags(ids, {"paper"});
        catalogue.trash(std::vector{ids[0], ids[1]});
        QCOMPARE(catalogue.count(), std::size_t{1});
        QCOMPARE(namesOf(catalogue.rows({})), Names{"c"});
        QCOMPARE(namesOf(catalogue.rows({.columns = {}, .trash = true})), (Names{"b", "a"}));
        QCOMPARE(store.runs().size(), std::size_t{1});
        catalogue.restore(std::vector{ids[1]});
        QCOMPARE(namesOf(catalogue.rows({})), (Names{"c", "b"}));
        QCOMPARE(catalogue.rows({})[1].tags, Names{"paper"});
        catalogue.emptyTrash();
        QVERIFY(catalogue.rows({.columns = {}, .trash = true}).empty());
        QVERIFY(!store.runWithId(ids[0]));
        QCOMPARE(catalogue.count(), std::size_t{2});
    }

    void aRunThatIsKeptAgainLeavesTheTrash() {
        Store store(newFile());
        const auto ids = fill(store);
        RunCatalogue catalogue(store);
        catalogue.trash(ids);
        const engine::Experiment first = experimentWith(8, engine::PolicyPreset::t3Mca);
        QCOMPARE(store.find(first), std::optional(ids[0]));
        QCOMPARE(store.keep("a", kDraft, first, tests::sampleResult()), ids[0]);
        QCOMPARE(namesOf(catalogue.rows({})), Names{"a"});
    }

    void wordsAreFoundInNamesNotesAndTags() {
        Store store(newFile());
        const auto ids = fill(store);
        RunCatalogue catalogue(store);
        catalogue.setNote(ids[0], "For the Talk");
        catalogue.setTags(std::vector{ids[1]}, {"talks", "paper"});
        QCOMPARE(accepted(store, catalogue, ""), (Names{"c", "b", "a"}));
        QCOMPARE(accepted(store, catalogue, "TALK"), (Names{"b", "a"}));
        QCOMPARE(accepted(store, catalogue, "talk tag:paper"), Names{"b"});
        QCOMPARE(accepted(store, catalogue, "tag:talk"), Names{});
        QCOMPARE(accepted(store, catalogue, "\"the talk\""), Names{"a"});
        QCOMPARE(accepted(store, catalogue, "the  talk"), Names{"a"});
    }

    void comparisonsTakeUnitsWordsAndMetrics() {
        Store store(newFile());
        fill(store);
        RunCatalogue catalogue(store);
        QCOMPARE(accepted(store, catalogue, "link.bandwidth>=150GB/s"), (Names{"c", "b", "a"}));
        QCOMPARE(accepted(store, catalogue, "link.bandwidth > 150 GB/s"), Names{});
        QCOMPARE(accepted(store, catalogue, "link.bandwidth=0.15TB/s a"), Names{"a"});
        QCOMPARE(accepted(store, catalogue, "dma.window<=64KiB"), Names{"b"});
        QCOMPARE(accepted(store, catalogue, "dma.window<64KiB"), Names{});
        QCOMPARE(accepted(store, catalogue, "dma.window=unlimited"), Names{"a"});
        QCOMPARE(accepted(store, catalogue, "dma.window!=65536"), (Names{"c", "a"}));
        QCOMPARE(accepted(store, catalogue, "policy=t3-mca"), Names{"a"});
        QCOMPARE(accepted(store, catalogue, "policy!=t3-mca parallel.tp<32"), Names{"b"});
        QCOMPARE(accepted(store, catalogue, "time_ps.total>2ms"), Names{"b"});
        QCOMPARE(accepted(store, catalogue, "time_ps.total=5 ns"), Names{"c"});
        QCOMPARE(accepted(store, catalogue, "machine=\"t3-table-1\""), (Names{"c", "b", "a"}));
        // A run without a speed-up matches none of <, > and !=.
        QCOMPARE(accepted(store, catalogue, "speedup_over_sequential<1"), Names{"b"});
        QCOMPARE(accepted(store, catalogue, "speedup_over_sequential!=1"), (Names{"b", "a"}));
    }

    void whatMakesNoSenseIsSaidWithWhatIsAllowed() {
        const auto says = [](const char* text, const char* words) {
            const std::string said = refusal(text);
            QVERIFY2(said.find(words) != std::string::npos, (std::string(text) + " says: " + said).c_str());
        };
        says("link.bandwith>1", "did you mean link.bandwidth");
        says("time_ps.totl<1", "did you mean time_ps.total");
        says("link.bandwidth>fast", "GB/s");
        says("link.bandwidth>10ns", "GB/s");
        says("dma.window=infinite", "or unlimited");
        says("parallel.tp=8GB", "a number without a unit");
        says("policy=t3mca", "allowed: one of sequential, t3, t3-mca");
        says("policy<t3", "words have no order");
        says("dma.window>unlimited", "words have no order");
        says("link.bandwidth>", "a value is missing");
        says("link.bandwidth> <1", "a value is missing");
        says(">5", "is missing before it");
        says("link.bandwidth=>5", "allowed: = != < <= > >=");
        says("tag:", "such as tag:paper");
        says("\"open", "quotation mark");
    }
};

RINGSIDE_TEST(TestRunCatalogue)
#include "tst_run_catalogue.moc"
