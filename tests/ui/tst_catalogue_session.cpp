#include "tests/test_program.h"
#include "tests/ui/kept_runs.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <optional>

using ui::CatalogueSession;

namespace {

/// A store of three runs in a temporary folder, and a record of the session's signals.
struct CatalogueSessionBench {
    QTemporaryDir folder;
    std::string path = folder.filePath(QStringLiteral("runs.sqlite")).toStdString();
    std::vector<std::int64_t> ids;
    std::shared_ptr<const ui::CatalogueSnapshot> snapshot;
    std::optional<CatalogueSession> session;

    CatalogueSessionBench() {
        data::Store store(path);
        for (const char* bandwidth : {"100GB/s", "150GB/s", "200GB/s"})
            ids.push_back(tests::keepRun(store, bandwidth, 1'000 + static_cast<std::int64_t>(ids.size())));
        open();
    }
    void open() {
        session.emplace(path);
        QObject::connect(&*session, &CatalogueSession::arrived, [this](const auto& arrived) { snapshot = arrived; });
        session->setWatching(true);
    }
};

const data::CatalogueRow* rowOf(const ui::CatalogueSnapshot& snapshot, std::int64_t id) {
    for (const data::CatalogueRow& row : snapshot.rows) {
        if (row.id == id)
            return &row;
    }
    return nullptr;
}

}  // namespace

class TestCatalogueSession : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void deliversRunsWithTheColumnsThatWereAskedFor() {
        CatalogueSessionBench bench;
        bench.session->ask({{"link.bandwidth", "time_ps.total"}});
        QTRY_VERIFY(bench.snapshot);
        QCOMPARE(bench.snapshot->rows.size(), std::size_t{3});
        const auto* row = rowOf(*bench.snapshot, bench.ids[1]);
        QCOMPARE(row->values.at(0), data::CatalogueValue(150e9));
        QCOMPARE(row->values.at(1), data::CatalogueValue(1'001.0));
    }

    void onlyTheNewestQuestionIsAnswered() {
        CatalogueSessionBench bench;
        QSignalSpy arrived(&*bench.session, &CatalogueSession::arrived);
        for (int i = 0; i < 20; ++i)
            bench.session->ask({{"time_ps.total"}});
        bench.session->ask({{"link.bandwidth"}});
        QTRY_VERIFY(bench.snapshot);
        QTest::qWait(50);
        QCOMPARE(arrived.size(), 1);
        QCOMPARE(bench.snapshot->query.columns, std::vector<std::string>{"link.bandwidth"});
    }

    void aChangeIsInTheNextSnapshotTogetherWithItsNumber() {
        CatalogueSessionBench bench;
        bench.session->ask({});
        QTRY_VERIFY(bench.snapshot);
        const auto number = bench.session->change(
            [&](data::Store& store) { data::RunCatalogue(store).setNote(bench.ids[0], "the good one"); });
        QTRY_VERIFY(bench.snapshot->changes == number);
        QCOMPARE(rowOf(*bench.snapshot, bench.ids[0])->note, std::string("the good one"));
    }

    void whatAnotherProgramKeepsIsNoticed() {
        CatalogueSessionBench bench;
        bench.session->ask({});
        QTRY_VERIFY(bench.snapshot);
        {
            data::Store other(bench.path);
            tests::keepRun(other, "250GB/s", 5);
        }
        QTRY_COMPARE_WITH_TIMEOUT(bench.snapshot->rows.size(), std::size_t{4}, 5'000);
    }

    void nothingIsReadWhileItIsNotWatching() {
        CatalogueSessionBench bench;
        bench.session->ask({});
        QTRY_VERIFY(bench.snapshot);
        bench.session->setWatching(false);
        bench.snapshot.reset();
        bench.session->refresh();
        QTest::qWait(500);
        QVERIFY(!bench.snapshot);
        bench.session->setWatching(true);
        QTRY_VERIFY(bench.snapshot);
    }

    void describesRunsInTheOrderAskedAndLeavesOutWhatIsGone() {
        CatalogueSessionBench bench;
        QSignalSpy described(&*bench.session, &CatalogueSession::described);
        bench.session->describe({bench.ids[2], 999, bench.ids[0]});
        QTRY_COMPARE(described.size(), 1);
        const auto runs = described.front().front().value<std::shared_ptr<const std::vector<ui::KeptRun>>>();
        QCOMPARE(runs->size(), std::size_t{2});
        QCOMPARE(runs->front().stored.id, bench.ids[2]);
        QCOMPARE(runs->front().result.last.time.total.ps, std::int64_t{1'002});
        QCOMPARE(runs->back().experiment.link.bandwidth, engine::Bandwidth{100'000'000'000});
    }

    void aDamagedStoreIsReportedOnceAndHealsWhenItIsReplaced() {
        CatalogueSessionBench bench;
        bench.session.reset();
        const QString path = QString::fromStdString(bench.path);
        for (const char* part : {"-wal", "-shm"})
            QFile::remove(path + QLatin1String(part));
        QFile::rename(path, path + QStringLiteral(".good"));
        QFile broken(path);
        QVERIFY(broken.open(QIODevice::WriteOnly));
        broken.write(QByteArray(4'096, 'x'));
        broken.close();
        bench.open();
        QSignalSpy failed(&*bench.session, &CatalogueSession::readFailed);
        bench.session->ask({});
        QTRY_COMPARE(failed.size(), 1);
        QVERIFY(failed.front().front().toString().contains(QLatin1String("not a Ringside store")));
        bench.session->refresh();
        QTest::qWait(500);
        QCOMPARE(failed.size(), 1);
        QFile::remove(path);
        QFile::rename(path + QStringLiteral(".good"), path);
        QTRY_VERIFY_WITH_TIMEOUT(bench.snapshot, 5'000);
        QCOMPARE(bench.snapshot->rows.size(), std::size_t{3});
    }

    void aChangeThatTheStoreRefusesIsReported() {
        CatalogueSessionBench bench;
        bench.session->ask({});
        QTRY_VERIFY(bench.snapshot);
        QSignalSpy failed(&*bench.session, &CatalogueSession::changeFailed);
        const auto number = bench.session->change([](data::Store&) { throw data::StoreError("the disk is full"); });
        QTRY_COMPARE(failed.size(), 1);
        QCOMPARE(failed.front().at(0).toULongLong(), number);
        QCOMPARE(failed.front().at(1).toString(), QStringLiteral("the disk is full"));
    }

    void withoutAPathNothingEverComes() {
        CatalogueSession session(std::nullopt);
        QSignalSpy arrived(&session, &CatalogueSession::arrived);
        session.setWatching(true);
        session.ask({});
        session.describe({1});
        session.change([](data::Store&) {});
        session.refresh();
        QTest::qWait(50);
        QCOMPARE(arrived.size(), 0);
    }

    void aStoreThatIsNotThereYetIsWaitedFor() {
        CatalogueSessionBench bench;
        bench.session.reset();
        const std::string path = bench.path;
        bench.path += ".new";
        bench.open();
        QSignalSpy failed(&*bench.session, &CatalogueSession::readFailed);
        bench.session->ask({});
        {
            data::Store store(bench.path);
            tests::keepRun(store, "100GB/s", 1);
        }
        QTRY_VERIFY_WITH_TIMEOUT(bench.snapshot, 5'000);
        QCOMPARE(failed.size(), 0);
    }

    void changesAskedForBeforeTheEndAreMade() {
        CatalogueSessionBench bench;
        bench.session->change(
            [&](data::Store& store) { data::RunCatalogue(store).setNote(bench.ids[0], "last words"); });
        bench.session.reset();
        data::Store store(bench.path);
        const auto rows = data::RunCatalogue(store).rows({});
        QVERIFY(std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.note == "last words"; }));
    }
};

RINGSIDE_CORE_TEST(TestCatalogueSession)
#include "tst_catalogue_session.moc"
