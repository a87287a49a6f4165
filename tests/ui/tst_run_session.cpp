#include "tests/least_time.h"
#include "tests/ui/sample_trace.h"
#include "tests/ui/window_test.h"

#include "ui/shared/catalogue_session.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <atomic>
#include <chrono>
#include <thread>

using ui::CatalogueSession;
using ui::RunSession;

namespace {

data::ExperimentDraft draftOf(const char* policy) {
    data::ExperimentDraft draft;
    draft.explicitValues["policy.preset"] = std::string(policy);
    draft.explicitValues["detail.level"] = std::string("interactive");
    return draft;
}

// A run that ends shortly after it is asked to stop.
data::LaboratoryRun endless(const data::ExperimentDraft&, const engine::RunOptions& options) {
    while (!options.stop.stop_requested()) {
        options.progress(0.5);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    throw engine::RunStopped();
}

data::LaboratoryRun named(const data::ExperimentDraft& draft, const engine::RunOptions&) {
    data::LaboratoryRun run = tests::sampleRun()->run;
    run.name = std::get<std::string>(draft.explicitValues.at("policy.preset"));
    return run;
}

/// A session that keeps its runs in a temporary folder, as the window keeps them.
struct KeepingBench {
    explicit KeepingBench(const QString& file = QStringLiteral("runs.sqlite"))
        : path(folder.filePath(file).toStdString()), catalogue(path) {
        QObject::connect(&session, &RunSession::runToKeep, &catalogue, &CatalogueSession::keep);
        QObject::connect(&catalogue, &CatalogueSession::newestListed, [this](const auto& runs) {
            listed.clear();
            for (const data::StoredRun& run : *runs)
                listed << QString::fromStdString(run.name).section(QLatin1Char(' '), 1);
        });
    }

    const QTemporaryDir folder;
    std::string path;
    QStringList listed;
    CatalogueSession catalogue;
    RunSession session{{}};
};

}  // namespace

class TestRunSession : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRunArrivesWithItsTraceIndexedOnTheWindowsThread() {
        RunSession session({});
        std::shared_ptr<const data::ShownRun> arrived;
        QThread* arrivedOn = nullptr;
        connect(&session, &RunSession::runFinished, this, [&](const auto& run) {
            arrived = run;
            arrivedOn = QThread::currentThread();
        });
        session.start(draftOf("t3"));
        QVERIFY(session.isRunning());
        QTRY_VERIFY(arrived);
        QCOMPARE(arrivedOn, thread());
        QVERIFY(arrived->index.has_value());
        QVERIFY(arrived->run.result.speedupOverSequential.has_value());
        QVERIFY(!session.isRunning());
    }

    void onlyTheNewestRequestArrives() {
        RunSession session({.storePath = std::nullopt, .simulate = named});
        QStringList names;
        connect(&session, &RunSession::runFinished, this,
                [&](const auto& run) { names << QString::fromStdString(run->run.name); });
        session.start(draftOf("sequential"));
        session.start(draftOf("t3"));
        session.start(draftOf("t3-mca"));
        QTRY_VERIFY(!names.isEmpty());
        QTest::qWait(50);
        QCOMPARE(names, QStringList{QStringLiteral("t3-mca")});
    }

    void ofPreviewsTheFirstAndTheNewestAreRunAndNoneIsCutShort() {
        std::atomic<int> runs{0};
        std::atomic<bool> hold{true};
        RunSession session({.storePath = std::nullopt, .simulate = [&](const auto& draft, const auto& options) {
                                ++runs;
                                while (hold && !options.stop.stop_requested())
                                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                                if (options.stop.stop_requested())
                                    throw engine::RunStopped();
                                return named(draft, options);
                            }});
        QStringList names;
        connect(&session, &RunSession::runFinished, this, [&](const auto& run) {
            QVERIFY(run->preview);
            names << QString::fromStdString(run->run.name);
        });
        session.preview(draftOf("sequential"));
        QTRY_COMPARE(runs.load(), 1);
        for (const char* policy : {"t3", "ideal-overlap", "t3-mca"})
            session.preview(draftOf(policy));
        hold = false;
        QTRY_COMPARE(names, (QStringList{QStringLiteral("sequential"), QStringLiteral("t3-mca")}));
        QCOMPARE(runs.load(), 2);
        QVERIFY(!session.isRunning());
    }

    void aFullRunTakesThePlaceOfPreviewsAndOfThoseThatWait() {
        RunSession session({.storePath = std::nullopt, .simulate = named});
        QStringList names;
        connect(&session, &RunSession::runFinished, this,
                [&](const auto& run) { names << QString::fromStdString(run->run.name); });
        session.preview(draftOf("sequential"));
        session.preview(draftOf("t3"));
        session.start(draftOf("t3-mca"));
        QTRY_VERIFY(!names.isEmpty());
        QTest::qWait(50);
        QCOMPARE(names, QStringList{QStringLiteral("t3-mca")});
    }

    void previewsAreNotKept() {
        KeepingBench bench;
        bench.catalogue.prepare();
        QSignalSpy finished(&bench.session, &RunSession::runFinished);
        bench.session.preview(draftOf("t3"));
        QTRY_COMPARE(finished.count(), 1);
        bench.session.start(draftOf("t3-mca"));
        QTRY_COMPARE(finished.count(), 2);
        QTRY_COMPARE(bench.listed, QStringList{"t3-mca"});
    }

    void ofAnswersToEditsTheLastIsKeptAndWhatWasAskedForStays() {
        KeepingBench bench;
        RunSession& session = bench.session;
        QStringList& listed = bench.listed;
        std::shared_ptr<const data::ShownRun> shown;
        connect(&session, &RunSession::runFinished, this, [&](const auto& run) { shown = run; });
        const auto after = [&](auto order, const char* policy) {
            shown.reset();
            listed.clear();
            (session.*order)(draftOf(policy));
            return QTest::qWaitFor([&] { return shown && !listed.isEmpty(); }, 10'000);
        };
        QVERIFY(after(&RunSession::start, "sequential"));
        QVERIFY(after(&RunSession::answer, "t3"));
        QTRY_COMPARE(listed, (QStringList{"t3", "sequential"}));
        QVERIFY(after(&RunSession::answer, "t3-mca"));
        QTRY_COMPARE(listed, (QStringList{"t3-mca", "sequential"}));  // all runs of a burst of edits share one entry
        QVERIFY(after(&RunSession::answer, "sequential"));
        QTRY_COMPARE(listed, QStringList{"sequential"});  // this run was kept before, so it stays
        QVERIFY(after(&RunSession::answer, "t3"));
        listed.clear();
        bench.catalogue.keep(shown, ui::KeptFor::pinned);
        QTRY_VERIFY(!listed.isEmpty());
        QVERIFY(after(&RunSession::answer, "t3-mca"));
        QTRY_COMPARE(listed, (QStringList{"t3-mca", "t3", "sequential"}));
        QVERIFY(after(&RunSession::start, "cu-split"));  // ends the burst of edits, whose last run stays
        QVERIFY(after(&RunSession::answer, "ideal-overlap"));
        QTRY_COMPARE(listed.size(), 5);
    }

    void cancellingStopsAtOnceAndNothingArrives() {
        RunSession session({.storePath = std::nullopt, .simulate = endless});
        QSignalSpy stopped(&session, &RunSession::runStopped);
        QSignalSpy progress(&session, &RunSession::progressChanged);
        session.start(draftOf("t3"));
        QTRY_VERIFY(progress.count() > 1);
        QCOMPARE(progress.last().first().toDouble(), 0.5);
        session.cancel();
        QCOMPARE(stopped.count(), 1);
        QVERIFY(!session.isRunning());
        QTest::qWait(30);
        QCOMPARE(stopped.count(), 1);
    }

    void leavingDuringARunTakesNoTime() {
        using namespace std::chrono_literals;
        const auto least = tests::leastTime(200ms, [] {
            auto session =
                std::make_unique<RunSession>(ui::RunSessionConfig{.storePath = std::nullopt, .simulate = endless});
            QSignalSpy progress(session.get(), &RunSession::progressChanged);
            session->start(draftOf("t3"));
            if (!progress.wait())
                qFatal("the run made no progress in time");
            return tests::timeOf([&] { session.reset(); });
        });
        QVERIFY2(least < 200ms, qPrintable(QString::number(least.count())));
    }

    void whateverARunThrowsArrivesAsWords() {
        const std::vector<std::function<void()>> accidents{
            [] { throw engine::Deadlock("tracker waits for set 3"); }, [] { throw std::bad_alloc(); },
            [] { throw std::runtime_error("the moon is in the way"); },
            [] {
                throw engine::InvalidExperiment({{"parallel.tp", "1", "must be at least 2"}});
            }};
        for (const auto& accident : accidents) {
            RunSession session(
                {.storePath = std::nullopt, .simulate = [&](const auto&, const auto&) -> data::LaboratoryRun {
                     accident();
                     return {};
                 }});
            QString text;
            connect(&session, &RunSession::runFailed, this,
                    [&](const ui::RunFailure& failure) { text = failure.text; });
            session.start(draftOf("t3"));
            QTRY_VERIFY(!text.isEmpty());
            QVERIFY(!session.isRunning());
        }
    }

    void finishedRunsAreKeptAndOpenedAgain() {
        KeepingBench bench;
        bench.session.start(draftOf("t3"));
        QTRY_COMPARE(bench.listed, QStringList{"t3"});
        CatalogueSession other(bench.path);
        std::int64_t id = 0;
        connect(&other, &CatalogueSession::newestListed, this,
                [&](const auto& runs) { id = runs->empty() ? 0 : runs->front().id; });
        other.prepare();
        QTRY_VERIFY(id != 0);
        std::optional<ui::KeptRun> opened;
        other.open(id, [&](const ui::KeptRun& run) { opened = run; });
        QTRY_VERIFY(opened);
        QCOMPARE(data::expand(opened->draft).experiment, data::expand(draftOf("t3")).experiment);
        QCOMPARE(opened->result.last.time.total.ps, opened->stored.totalPs);
    }

    void aRunThatIsGoneCannotBeOpenedAndThatIsSaid() {
        KeepingBench bench;
        bench.catalogue.prepare();
        QSignalSpy failed(&bench.catalogue, &CatalogueSession::openFailed);
        bench.catalogue.open(17, [](const ui::KeptRun&) { QFAIL("there is no such run"); });
        QTRY_COMPARE(failed.count(), 1);
        QCOMPARE(failed.front().front().toString(), QStringLiteral("This run is no longer in the store."));
    }

    void aForeignFileIsReportedOnceAndLeftAlone() {
        KeepingBench bench(QStringLiteral("notes.txt"));
        QFile file(QString::fromStdString(bench.path));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("these are my notes, not a database");
        file.close();
        QSignalSpy failed(&bench.catalogue, &CatalogueSession::storeFailed);
        QSignalSpy finished(&bench.session, &RunSession::runFinished);
        bench.session.start(draftOf("t3"));
        QTRY_COMPARE(finished.count(), 1);
        QTRY_COMPARE(failed.count(), 1);
        bench.session.start(draftOf("sequential"));
        QTRY_COMPARE(finished.count(), 2);
        QTest::qWait(30);
        QCOMPARE(failed.count(), 1);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("these are my notes, not a database"));
    }

    void aRunThatWasAskedToBeKeptIsKeptWhenTheWindowCloses() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("runs.sqlite")).toStdString();
        {
            CatalogueSession catalogue(path);
            catalogue.keep(tests::sampleRun(), ui::KeptFor::asked);
        }
        QCOMPARE(data::Store(path, data::Store::Mode::readOnly).runs().size(), std::size_t{1});
    }
};

RINGSIDE_WINDOW_TEST(TestRunSession)
#include "tst_run_session.moc"
