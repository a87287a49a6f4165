// Tests the picture of the inside of one GPU: its texts, its use, and the parts that it does not show.
#include "tests/ui/machine_run.h"
#include "tests/ui/window_test.h"

#include "data/figure/figure_spec.h"
#include "ui/inside/inside_paint.h"
#include "ui/inside/inside_view.h"
#include "ui/inside/inside_words.h"
#include "ui/machine/machine_view.h"
#include "ui/shared/view_state.h"
#include "ui/workbench/moment_table.h"

#include <QApplication>
#include <QSignalSpy>
#include <QTest>

#include <set>

namespace {

using data::GpuPart;

const data::Settings kEightChannels{{"detail.channels", std::int64_t{8}}};

struct InsideBench {
    explicit InsideBench(const std::string& policy = "t3-mca", const data::Settings& settings = {},
                         const std::string& experiment = "t-nlg/fc-2/tp8")
        : run(tests::simulatedRun(experiment, policy, settings)) {
        state.setRunEnd(run->run.result.last.time.total.ps);
        tests::show(moment, run);
        view.resize(1600, 900);
        view.show();
        panel->show();
        QApplication::processEvents();
    }
    void seek(double share) { state.setCursor(static_cast<std::int64_t>(share * static_cast<double>(state.runEnd()))); }
    QString valueOf(GpuPart part, const QString& name) const {
        for (const ui::PartFact& fact : ui::partFacts(moment, 0, {part, std::nullopt}))
            if (fact.name == name)
                return fact.value;
        return {};
    }

    std::shared_ptr<const data::ShownRun> run;
    ui::ViewState state;
    ui::RingMoment moment{state};
    ui::InsideView view{state, moment};
    std::unique_ptr<ui::MomentTable> panel{ui::newPartTable(state, moment)};
    ui::ValueTable& table = panel->table();
};

}  // namespace

class TestInsideView final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theLettersAndTheLineOfMemoryAreExplained() {
        InsideBench bench;
        const QString letters = bench.view.textOf({GpuPart::channels, std::nullopt});
        QVERIFY2(letters.contains(QStringLiteral("R: read, W: write, U: update")), qPrintable(letters));
        QVERIFY(bench.view.textOf({GpuPart::arbiter, std::nullopt}).contains(QStringLiteral("Dashed line")));
        const InsideBench plain("t3");  // this arbiter has no threshold, so there is no line
        QVERIFY(!plain.view.textOf({GpuPart::arbiter, std::nullopt}).contains(QStringLiteral("Dashed line")));
    }

    void arrowsReachEveryPart() {
        InsideBench bench;
        std::set<GpuPart> reached;
        for (const int key : {Qt::Key_Right, Qt::Key_Up,   Qt::Key_Up,   Qt::Key_Up,   Qt::Key_Right, Qt::Key_Right,
                              Qt::Key_Down,  Qt::Key_Left, Qt::Key_Left, Qt::Key_Left, Qt::Key_Left,  Qt::Key_Right,
                              Qt::Key_Right, Qt::Key_Down, Qt::Key_Down, Qt::Key_Up,   Qt::Key_Right, Qt::Key_Up,
                              Qt::Key_Left,  Qt::Key_Down, Qt::Key_Down, Qt::Key_Down}) {
            QTest::keyClick(&bench.view, static_cast<Qt::Key>(key));
            reached.insert(bench.state.selectedPart()->part);
        }
        for (std::size_t part = 0; part < data::kGpuParts; ++part)
            QVERIFY2(reached.contains(static_cast<GpuPart>(part)), std::to_string(part).c_str());
    }

    void enterGoesInToTheUnitsOfAPartAndOutAgain() {
        InsideBench bench("t3-mca", kEightChannels);
        bench.state.selectPart({GpuPart::channels, std::nullopt});
        QTest::keyClick(&bench.view, Qt::Key_Return);
        QVERIFY(bench.state.selectedPart()->unit == 0u);
        QTest::keyClick(&bench.view, Qt::Key_Right);
        QVERIFY(bench.state.selectedPart()->unit == 1u);
        QTest::keyClick(&bench.view, Qt::Key_Left);
        QTest::keyClick(&bench.view, Qt::Key_Left);
        QVERIFY(bench.state.selectedPart()->unit == 0u);
        QTest::keyClick(&bench.view, Qt::Key_Return);
        QVERIFY(!bench.state.selectedPart()->unit);
        bench.state.selectPart({GpuPart::cache, std::nullopt});
        QTest::keyClick(&bench.view, Qt::Key_Return);  // one cache has no units
        QVERIFY(!bench.state.selectedPart()->unit);
    }

    void pageKeysChooseTheGpu() {
        InsideBench bench;
        QTest::keyClick(&bench.view, Qt::Key_PageDown);
        QCOMPARE(bench.view.focusedGpu(), 1u);
        QTest::keyClick(&bench.view, Qt::Key_PageUp);
        QTest::keyClick(&bench.view, Qt::Key_PageUp);
        QCOMPARE(bench.view.focusedGpu(), 7u);
    }

    void aClickSelectsThePartOrItsUnit() {
        InsideBench bench("t3-mca", kEightChannels);
        const ui::InsideLayout& layout = bench.view.insideLayout();
        QTest::mouseClick(&bench.view, Qt::LeftButton, {}, layout.box(GpuPart::cache).center().toPoint());
        QVERIFY((bench.state.selectedPart() == data::GpuPartRef{GpuPart::cache, std::nullopt}));
        QTest::mouseClick(&bench.view, Qt::LeftButton, {}, layout.boxOf({GpuPart::channels, 3}).center().toPoint());
        QVERIFY((bench.state.selectedPart() == data::GpuPartRef{GpuPart::channels, 3}));
        QTest::mouseClick(&bench.view, Qt::LeftButton, {}, QPoint(2, 2));
        QVERIFY(!bench.state.selectedPart());
    }

    void theTableHasTheNumbersOfEveryPartAndSelectsWithThePicture() {
        InsideBench bench;
        bench.seek(0.41);
        std::set<QString> parts;
        for (const ui::ValueRow& row : bench.table.rows())
            parts.insert(row.cells.front());
        for (std::size_t part = 0; part < data::kGpuParts; ++part)
            QVERIFY(parts.contains(ui::nameOf(static_cast<GpuPart>(part))));
        bench.table.choose(0);
        QVERIFY(bench.state.selectedPart()->part == GpuPart::computeUnits);
        bench.state.selectPart({GpuPart::dma, std::nullopt});
        const auto chosen = bench.table.chosen();
        QVERIFY(chosen && bench.table.rows()[*chosen].cells.front() == ui::nameOf(GpuPart::dma));
    }

    void aSelectedUnitHasItsOwnNumbersInTheTable() {
        InsideBench bench("t3-mca", kEightChannels);
        bench.seek(0.41);
        bench.state.selectPart({GpuPart::channels, 2});
        QCOMPARE(bench.table.rows().front().cells.front(), ui::titleOf({GpuPart::channels, 2}));
    }

    void whatIsNotInTheRunIsSaidAndLeftOut() {
        InsideBench bench("sequential");
        QVERIFY(!bench.view.insideLayout().has(GpuPart::tracker));
        QVERIFY(!bench.view.insideLayout().has(GpuPart::dma));
        QVERIFY(!bench.view.insideLayout().has(GpuPart::nearMemory));
        QCOMPARE(ui::absentParts(bench.moment, 0).size(), 3);
        QVERIFY(ui::partFacts(bench.moment, 0, {GpuPart::tracker, std::nullopt}).empty());
        bench.state.selectPart({GpuPart::tracker, std::nullopt});  // a part that was selected in an earlier run
        QApplication::processEvents();
        QTest::keyClick(&bench.view, Qt::Key_Right);
        QVERIFY(bench.view.insideLayout().has(bench.state.selectedPart()->part));
        InsideBench direct("t3-mca", {{"topology.kind", std::string("fully-connected")},
                                      {"collective.algorithm", std::string("direct")}});
        QVERIFY(!direct.view.insideLayout().has(GpuPart::tracker));
        QVERIFY(direct.view.insideLayout().has(GpuPart::nearMemory));
        QCOMPARE(direct.view.insideLayout().linksOut.size(), 7u);
    }

    // DMA engines may carry a companion while a kernel moves the run's own data.
    void whatMovesTheOwnDataWithoutATrackerIsSaid() {
        const data::Settings direct{{"topology.kind", std::string("fully-connected")},
                                    {"collective.algorithm", std::string("direct")}};
        data::Settings beside = direct;
        beside["companion.operation"] = std::string("all-gather");
        beside["companion.by"] = std::string("dma");
        const auto says = [](const InsideBench& bench, const char* words) {
            return ui::absentParts(bench.moment, 0).contains(QString::fromLatin1(words));
        };
        QVERIFY(says(InsideBench("chunked-dma", direct), "no tracker: the host hands copies to the DMA engines"));
        QVERIFY(says(InsideBench("sequential", beside), "no tracker: kernels of the collective move the data"));
    }

    void oneOrManyChannelsAndEnginesArePainted() {
        for (const std::int64_t channels : {1, 64})
            for (const std::int64_t engines : {1, 16}) {
                InsideBench bench("t3-mca", {{"detail.channels", channels}, {"dma.engines", engines}});
                bench.seek(0.5);
                QCOMPARE(bench.view.insideLayout().channels.size(), static_cast<std::size_t>(channels));
                QCOMPARE(bench.view.insideLayout().engines.size(), static_cast<std::size_t>(engines));
                QVERIFY(!bench.view.grab().isNull());
            }
    }

    void noPartChangesWithTheTimeThatIsNotAsked() {
        InsideBench bench;
        bench.seek(0.3);
        const auto facts = ui::partFacts(bench.moment, 0);
        bench.seek(0.7);
        QVERIFY(ui::partFacts(bench.moment, 0) != facts);
        bench.seek(0.3);  // back at the same moment, the texts are the same
        QVERIFY(ui::partFacts(bench.moment, 0) == facts);
    }

    void commandsInTheTableAddUpToThoseOfTheAddressMap() {
        InsideBench bench;
        for (const double share : {0.05, 0.114, 0.25, 0.41, 0.6, 1.0}) {
            bench.seek(share);
            std::uint32_t commands = 0;
            for (const ui::PartFact& fact : ui::partFacts(bench.moment, 0, {GpuPart::dma, std::nullopt}))
                commands += fact.value.toUInt();
            QCOMPARE(commands, bench.moment.insideIndex().inventory(0).commands);
        }
    }

    void entriesOfOneSetStandSideBySide() {
        std::vector<data::TrackerEntry> entries(5);
        for (std::size_t i = 0; i < entries.size(); ++i)
            entries[i].set = std::vector<std::uint32_t>{0, 2, 2, 2, 7}[i];
        QVERIFY((ui::entryCells(entries, 4) == std::vector<std::uint32_t>{0, 8, 9, 10, 28}));
        QVERIFY(ui::entryCells({}, 1).empty());
    }

    void policiesDifferAtTheArbiter() {
        InsideBench plain("t3"), mca("t3-mca");
        const QString name = QStringLiteral("threshold for communication");
        QVERIFY(plain.valueOf(GpuPart::arbiter, name).startsWith(QStringLiteral("none")));
        QVERIFY(mca.valueOf(GpuPart::arbiter, name).startsWith(QStringLiteral("fewer than")));
    }

    void everyPartHasASentenceAndParameters() {
        InsideBench bench;
        bench.seek(0.41);
        for (std::size_t i = 0; i < data::kGpuParts; ++i) {
            const data::GpuPartRef ref{static_cast<GpuPart>(i), std::nullopt};
            QVERIFY(bench.view.textOf(ref).split(u'\n').size() >= 3);
            QVERIFY(!ui::parametersOf(ref.part).empty());
            QVERIFY(!ui::laneOf(ref.part).isEmpty());
        }
    }

    void theFigureSaysWhatItShows() {
        InsideBench bench;
        bench.seek(0.41);
        const auto offer = ui::figureOf<ui::InsideView>(bench.state, bench.moment);
        QVERIFY(offer);
        QVERIFY(QString::fromStdString(offer->figure.alternative).contains(ui::nameOf(GpuPart::tracker)));
        QVERIFY(QString::fromStdString(offer->figure.caption).contains(QStringLiteral("GPU 0")));
        const ui::RingMoment nothing(bench.state);
        QVERIFY(!ui::figureOf<ui::InsideView>(bench.state, nothing));
    }

    void theMachineShowsTheInsideInItsMiddle() {
        InsideBench bench;
        ui::MachineView machine(bench.state, bench.moment);
        machine.setInside(new ui::InsideView(bench.state, bench.moment, &machine));
        machine.resize(1100, 700);
        machine.show();
        QVERIFY(!machine.showsInside());
        QSignalSpy shown(&machine, &ui::MachineView::insideShown);
        QTest::keyClick(&machine, Qt::Key_Return);
        QVERIFY(machine.showsInside());
        QCOMPARE(shown.size(), 1);
        auto* inside = machine.findChild<ui::InsideView*>();
        QCOMPARE(inside->geometry(), machine.map().centre.toAlignedRect());
        const QPointF gpu = machine.map().cards[3].center();
        QTest::mouseClick(&machine, Qt::LeftButton, {}, gpu.toPoint());
        QCOMPARE(inside->focusedGpu(), 3u);
        QTest::mouseDClick(&machine, Qt::LeftButton, {}, gpu.toPoint());
        QVERIFY(!machine.showsInside());
    }
};

RINGSIDE_WINDOW_TEST(TestInsideView)
#include "tst_inside_view.moc"
