#include "tests/ui/window_test.h"

#include "engine/api/runner.h"
#include "ui/look/value_table.h"
#include "ui/model/divisions_page.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>

#include <atomic>
#include <memory>
#include <thread>

using ui::DivisionsPage;

namespace {

engine::Experiment dividedModel() {
    engine::Experiment experiment;
    experiment.workload.layers = 8;
    experiment.division.pp = 2;
    experiment.division.dp = 2;
    experiment.division.microbatches = 4;
    experiment.node.memory = engine::Bytes{40'000'000'000};
    return experiment;
}

data::Divisions endlessSearch(const data::DivisionsQuestion& question) {
    while (!question.stop.stop_requested())
        std::this_thread::yield();
    throw engine::RunStopped();
}

struct DivisionsPageBench {
    explicit DivisionsPageBench(ui::DivisionsConfig config = {}, const engine::Experiment& experiment = dividedModel())
        : page(std::move(config)), answered(&page, &DivisionsPage::answered) {
        page.resize(1000, 600);
        ask(experiment);
        page.show();
    }
    void ask(const engine::Experiment& experiment) { page.ask({experiment, engine::ModelPhase::training, {}}); }
    void wait() {
        if (!page.isAnswered())
            QVERIFY(answered.wait(20'000));
    }
    void type(const char* field, const QString& text) {
        auto* edit = page.findChild<QLineEdit*>(QString::fromLatin1(field));
        edit->setText(text);
        QTest::keyClick(edit, Qt::Key_Return);
    }
    QString text(const char* label) const { return page.findChild<QLabel*>(QString::fromLatin1(label))->text(); }

    DivisionsPage page;
    QSignalSpy answered;
};

}  // namespace

class TestDivisionsPage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itStartsFromTheGpusAndSequencesOfTheExperiment() {
        DivisionsPageBench bench;
        QCOMPARE(bench.page.gpus(), 8 * 2 * 2);
        QCOMPARE(bench.page.sequences(), dividedModel().workload.batch * 4 * 2);
        bench.wait();
        const auto& rows = bench.page.found()->rows;
        QVERIFY(!rows.empty());
        QCOMPARE(bench.page.table().rows().size(), rows.size());
        for (const data::Division& row : rows) {
            QCOMPARE(row.tp * row.pp * row.dp, 32);
            QCOMPARE(row.batch * row.microbatches * row.dp, bench.page.sequences());
        }
    }

    void rowsSayWhatDoesNotFit() {
        const data::DivisionsQuestion unlimited{dividedModel(), 32, 128};
        std::vector<engine::Bytes> footprints;
        for (const data::Division& row : data::divisionsOf(unlimited).rows)
            footprints.push_back(row.footprint);
        std::ranges::sort(footprints);
        engine::Experiment limited = dividedModel();
        limited.node.memory = footprints[footprints.size() / 2];
        DivisionsPageBench bench({}, limited);
        bench.wait();
        const data::Divisions& found = *bench.page.found();
        QVERIFY(found.fitting > 0 && found.fitting < found.rows.size());
        const auto& lines = bench.page.table().rows();
        for (std::size_t i = 0; i < lines.size(); ++i)
            QCOMPARE(lines[i].cells[10].startsWith(QStringLiteral("fits")), i < found.fitting);
        QVERIFY(lines.back().cells[10].contains(QStringLiteral("does not fit")));
        QVERIFY(bench.text("divisionsHeadline").contains(QString::number(found.fitting)));
    }

    void theRowOfTheExperimentSaysThatItIsSet() {
        DivisionsPageBench bench;
        bench.wait();
        QStringList set;
        for (const ui::ValueRow& row : bench.page.table().rows()) {
            if (row.cells[10].contains(QStringLiteral("set now")))
                set << row.cells[0] + row.cells[1] + row.cells[2] + row.cells[6];
        }
        QCOMPARE(set, QStringList{QStringLiteral("822none")});
    }

    void whatASearchChoosesDoesNotStartAnother() {
        std::atomic<int> searches = 0;
        DivisionsPageBench bench({.search = [&](const data::DivisionsQuestion& question) {
            ++searches;
            return data::divisionsOf(question);
        }});
        bench.wait();
        engine::Experiment other = dividedModel();
        other.division.pp = 4;
        other.division.dp = 1;
        other.division.microbatches = 8;
        other.division.sharding = engine::Sharding::optimizer;
        bench.ask(other);
        QVERIFY(bench.page.isAnswered());
        QCOMPARE(searches.load(), 1);
        other.workload.layers = 16;
        bench.ask(other);
        bench.wait();
        QCOMPARE(searches.load(), 2);
    }

    void returnAndADoubleClickAskForTheDivision() {
        DivisionsPageBench bench;
        bench.wait();
        QSignalSpy applied(&bench.page, &DivisionsPage::applyRequested);
        bench.page.table().choose(std::size_t{1});
        QTest::keyClick(&bench.page.table(), Qt::Key_Return);
        QCOMPARE(applied.size(), 1);
        const auto division = applied.front()[0].value<data::Division>();
        QCOMPARE(division.estimate, bench.page.found()->rows[1].estimate);
        QCOMPARE(division.footprint, bench.page.found()->rows[1].footprint);
        Q_EMIT bench.page.table().doubleClicked(bench.page.table().model()->index(0, 3));
        QCOMPARE(applied.size(), 2);
    }

    void aTypedNumberStaysAndAClearedFieldFollowsTheExperiment() {
        DivisionsPageBench bench;
        bench.wait();
        bench.type("divisionGpus", QStringLiteral("1 024"));
        QCOMPARE(bench.page.gpus(), 1024);
        engine::Experiment other = dividedModel();
        other.division.pp = 1;
        bench.ask(other);
        QCOMPARE(bench.page.gpus(), 1024);
        bench.type("divisionGpus", {});
        QCOMPARE(bench.page.gpus(), 16);
        bench.wait();
        QCOMPARE(bench.page.findChild<QLineEdit*>(QStringLiteral("divisionGpus"))->text(), QStringLiteral("16"));
    }

    void whatIsNoNumberOrImpossibleIsNamedAndNothingIsSearched() {
        DivisionsPageBench bench;
        bench.wait();
        bench.type("divisionSequences", QStringLiteral("many"));
        QVERIFY(!bench.page.hasAnswer());
        QVERIFY2(bench.text("divisionsWords").contains(QStringLiteral("sequences: many")),
                 qPrintable(bench.text("divisionsWords")));
        bench.type("divisionSequences", QStringLiteral("0"));
        QVERIFY(bench.text("divisionsWords").contains(QStringLiteral("sequences: 0")));
        bench.type("divisionSequences", QStringLiteral("64"));
        bench.wait();
        QVERIFY(bench.page.hasAnswer());
        engine::Experiment bare = dividedModel();
        bare.division.weights = 1'000'000'000;
        bench.ask(bare);
        QVERIFY(bench.text("divisionsWords").contains(QStringLiteral("division.weights")));
    }

    void noDivisionIsSaidInWords() {
        DivisionsPageBench bench;
        bench.wait();
        bench.type("divisionGpus", QStringLiteral("1000003"));  // a prime number
        bench.wait();
        QVERIFY(bench.page.found()->rows.empty());
        QVERIFY(bench.text("divisionsHeadline").contains(QStringLiteral("no division is possible")));
    }

    void cancelEndsTheSearchAndSearchStartsItAgain() {
        std::atomic<bool> endless = true;
        DivisionsPageBench bench({.search = [&](const data::DivisionsQuestion& question) {
            return endless ? endlessSearch(question) : data::divisionsOf(question);
        }});
        QVERIFY(bench.page.isSearching());
        QVERIFY(!bench.page.isAnswered());
        QVERIFY(bench.page.stepOut());
        QVERIFY(!bench.page.isSearching());
        QVERIFY(bench.text("divisionsHeadline").contains(QStringLiteral("Cancelled")));
        endless = false;
        bench.page.findChild<QPushButton*>(QStringLiteral("divisionSearch"))->click();
        bench.wait();
        QVERIFY(bench.page.found());
    }

    void aFailedSearchSaysWhy() {
        DivisionsPageBench bench({.search = [](const data::DivisionsQuestion&) -> data::Divisions {
            throw std::runtime_error("no memory left");
        }});
        bench.wait();
        QVERIFY(bench.text("divisionsWords").contains(QStringLiteral("no memory left")));
    }

    void typedNumbersAreFoundAgain() {
        DivisionsPageBench bench({.search = endlessSearch});
        bench.type("divisionGpus", QStringLiteral("256"));
        QJsonObject kept;
        bench.page.save(kept);
        DivisionsPage other({.search = endlessSearch});
        other.restore(kept);
        QCOMPARE(other.gpus(), 256);
        other.restore({});
        QCOMPARE(other.gpus(), 1);
    }

    void closingWhileSearchingEndsAtOnce() {
        auto page = std::make_unique<DivisionsPage>(ui::DivisionsConfig{.search = endlessSearch});
        page->ask({dividedModel(), engine::ModelPhase::training, {}});
        page->show();
        QVERIFY(page->isSearching());
        page.reset();
        QVERIFY(!page);
    }
};

RINGSIDE_WINDOW_TEST(TestDivisionsPage)
#include "tst_divisions_page.moc"
