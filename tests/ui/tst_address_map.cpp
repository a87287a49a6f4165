#include "tests/ui/machine_run.h"
#include "tests/ui/sample_trace.h"
#include "tests/ui/window_test.h"

#include "ui/machine/address_map.h"
#include "ui/shared/view_state.h"
#include "ui/workbench/moment_table.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QTableView>

namespace {

QStringList rowOf(const std::vector<ui::ValueRow>& rows, std::size_t row) { return rows[row].cells; }

engine::Experiment experimentOf(engine::PolicyPreset policy, engine::CollectiveAlgorithm algorithm,
                                engine::TopologyKind kind) {
    engine::Experiment experiment;
    experiment.collective.algorithm = algorithm;
    experiment.topology.kind = kind;
    engine::applyPolicyPreset(experiment, policy);
    return experiment;
}

}  // namespace

class TestAddressMap : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aFusedRingSendsTheFirstChunkKeepsTheLastAndPassesTheOthersOn() {
        const auto model = ui::addressMapRows(
            engine::routesOf(
                experimentOf(engine::PolicyPreset::t3, engine::CollectiveAlgorithm::ring, engine::TopologyKind::ring),
                2)
                .foremost());
        QCOMPARE(model.size(), std::size_t{8});
        QCOMPARE(rowOf(model, 0).mid(0, 2), (QStringList{"2", "GPU 1, updates"}));
        QCOMPARE(rowOf(model, 1), (QStringList{"3", "local, updates", "2, tracked", "updated", "GPU 1"}));
        QCOMPARE(rowOf(model, 7), (QStringList{"1", "local, updates", "2, tracked", "–", "–"}));
    }

    void aFusedDirectOneGoesStraightToTheOwnersAndNeedsNoDma() {
        const auto model = ui::addressMapRows(
            engine::routesOf(experimentOf(engine::PolicyPreset::t3, engine::CollectiveAlgorithm::direct,
                                          engine::TopologyKind::fullyConnected),
                             2)
                .foremost());
        for (std::size_t row = 0; row < model.size(); ++row) {
            const QStringList texts = rowOf(model, row);
            const bool own = texts[0] == QLatin1String("1");
            QCOMPARE(texts[1], own ? QStringLiteral("local, updates")
                                   : QStringLiteral("GPU %1, updates").arg((texts[0].toInt() + 1) % 8));
            QCOMPARE(texts[2], own ? QStringLiteral("8") : QStringLiteral("–"));
            QCOMPARE(texts[3], QStringLiteral("–"));
        }
    }

    void thePanelShowsTheGpuInFocusAndAClickFollowsTheChunk() {
        ui::ViewState state;
        ui::RingMoment moment(state);
        const std::unique_ptr<ui::MomentTable> made(ui::newAddressMap(state, moment));
        ui::MomentTable& panel = *made;
        auto* table = panel.findChild<QTableView*>();
        const QAbstractItemModelTester tester(table->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(table->model()->rowCount(), 0);
        tests::show(moment, tests::simulatedRun("t-nlg/fc-2/tp8", "t3"));
        panel.resize(420, 400);
        panel.show();
        QCOMPARE(table->model()->rowCount(), 8);
        state.setFocusedGpu(5);
        QVERIFY(panel.findChild<QLabel*>(QStringLiteral("addressMapTitle"))->text().contains(QStringLiteral("GPU 5")));
        QCOMPARE(table->model()->index(0, 0).data().toString(), QStringLiteral("5"));
        const QPoint third = table->visualRect(table->model()->index(2, 1)).center();
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, third);
        QCOMPARE(state.followedChunk(), std::optional(7u));
        QVERIFY(table->model()->index(2, 0).data(Qt::FontRole).value<QFont>().bold());
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, third);
        QVERIFY(!state.followedChunk());
    }

    void aBoundHasNoMapAndSaysWhy() {
        ui::ViewState state;
        ui::RingMoment moment(state);
        const std::unique_ptr<ui::MomentTable> made(ui::newAddressMap(state, moment));
        ui::MomentTable& panel = *made;
        tests::show(moment, tests::sampleBound());
        QCOMPARE(panel.findChild<QTableView*>()->model()->rowCount(), 0);
        QVERIFY(
            panel.findChild<QLabel*>(QStringLiteral("addressMapTitle"))->text().contains(QStringLiteral("calculated")));
    }
};

RINGSIDE_WINDOW_TEST(TestAddressMap)
#include "tst_address_map.moc"
