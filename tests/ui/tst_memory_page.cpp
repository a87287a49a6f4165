#include "tests/ui/window_test.h"

#include "data/figure/figure_document.h"
#include "engine/api/footprint.h"
#include "ui/drawing/figure_canvas.h"
#include "ui/look/value_table.h"
#include "ui/model/memory_page.h"

#include <QComboBox>
#include <QHelpEvent>
#include <QImage>
#include <QLabel>
#include <QSignalSpy>
#include <QToolTip>

#include <set>
#include <string>

using ui::MemoryBy;
using ui::MemoryPage;

namespace {

engine::Experiment pipelinedModel() {
    engine::Experiment experiment;
    experiment.workload.layers = 8;
    experiment.division.pp = 4;
    experiment.division.dp = 2;
    experiment.division.microbatches = 8;
    return experiment;
}

struct MemoryPageBench {
    explicit MemoryPageBench(const engine::Experiment& experiment = pipelinedModel(),
                             engine::ModelPhase phase = engine::ModelPhase::training) {
        page.resize(900, 700);
        page.ask({experiment, phase, {}});
        page.show();
        QApplication::processEvents();  // lays out widgets that have just become visible
    }
    QString text(const char* label) const { return page.findChild<QLabel*>(QString::fromLatin1(label))->text(); }
    QStringList names() const {
        QStringList names;
        for (const ui::MemoryBar& bar : page.facts().bars)
            names << bar.name;
        return names;
    }
    /// Returns the part of a holder in a bar; empty if the holder has no bytes.
    QRectF part(std::size_t bar, std::size_t holder) {
        const std::vector<std::size_t> holders = ui::holdersOf(page.facts());
        const auto series = static_cast<std::size_t>(std::ranges::find(holders, holder) - holders.begin());
        return page.bars().boxOf(0, bar, series).value_or(QRectF());
    }
    /// Returns the x coordinate of the capacity's line, if there is one.
    std::optional<double> capacityX() {
        std::optional<double> x;
        for (const ui::DisplayItem& item : page.bars().laidOut().list.items) {
            const auto* line = std::get_if<ui::PolylineItem>(&item.shape);
            if (line && item.part == ui::FigurePart::reference)
                x = line->points.front().x();
        }
        return x;
    }

    MemoryPage page;
};

engine::Footprint footprintOfPage(const engine::Experiment& experiment) {
    return engine::footprintOf(experiment, engine::ModelPhase::training);
}

}  // namespace

class TestMemoryPage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingIsComputedUntilThePageIsShown() {
        MemoryPage page;
        page.ask({pipelinedModel(), engine::ModelPhase::training, {}});
        QVERIFY(!page.hasAnswer());
        page.show();
        QVERIFY(page.hasAnswer());
    }

    void eachStageHasABarWhosePartsAddUpToItsTotal() {
        MemoryPageBench bench;
        const engine::Footprint footprint = footprintOfPage(pipelinedModel());
        const auto& bars = bench.page.facts().bars;
        QCOMPARE(bars.size(), footprint.stages.size());  // each stage has another number of micro-batches in flight
        double scale = 0;
        for (std::size_t bar = 0; bar < bars.size(); ++bar) {
            QVERIFY(bars[bar].stage.bytes == footprint.stages[bar].bytes);
            double width = 0;
            for (std::size_t holder = 0; holder < ui::kMemoryHolders; ++holder)
                width += bench.part(bar, holder).width();
            const double each = width / static_cast<double>(bars[bar].stage.bytes.total().count);
            QVERIFY(bar == 0 || std::abs(each - scale) < scale * 1e-9);  // all on one scale
            scale = each;
        }
    }

    void stagesThatHoldTheSameShareABar() {
        engine::Experiment experiment = pipelinedModel();
        experiment.division.weights = 4'000'000'000;
        MemoryPageBench bench(experiment);
        QCOMPARE(bench.names(), QStringList{QStringLiteral("stages 0–3")});
        QCOMPARE(bench.page.table().rows().front().cells[1],
                 QStringLiteral("–"));  // a model that is only a number of weights has no layers
    }

    void shardingsAreComparedAndWhatCannotBeComputedSaysWhy() {
        MemoryPageBench bench;
        bench.page.setBy(MemoryBy::sharding);
        QCOMPARE(bench.names(), (QStringList{QStringLiteral("none"), QStringLiteral("optimizer"),
                                             QStringLiteral("gradients"), QStringLiteral("weights")}));
        const auto& bars = bench.page.facts().bars;
        QVERIFY(bars[1].stage.bytes.total() < bars[0].stage.bytes.total());
        QVERIFY(bars[3].problem.contains(QStringLiteral("not modelled")));  // not modelled in a pipeline
        QVERIFY(bench.page.table().rows()[3].spoken.contains(QStringLiteral("not computed")));
        QCOMPARE(bench.page.facts().own, std::size_t{0});
    }

    void aTotalFitsUpToTheLastByteOfTheCapacity() {
        engine::Experiment experiment = pipelinedModel();
        const engine::Bytes total = footprintOfPage(experiment).bytes().total();
        experiment.node.memory = total;
        MemoryPageBench fits(experiment);
        QVERIFY(fits.text("memoryHeadline").contains(QStringLiteral("which fits into")));
        QCOMPARE(fits.page.table().rows().front().cells.back(), QStringLiteral("fits"));
        experiment.node.memory = engine::Bytes{total.count - 1};
        MemoryPageBench tooLarge(experiment);
        QVERIFY(tooLarge.text("memoryHeadline").contains(QStringLiteral("does not fit into")));
        QCOMPARE(tooLarge.page.table().rows().front().cells.back(), QStringLiteral("does not fit"));
        QCOMPARE(tooLarge.page.table().rows().back().cells.back(),
                 QStringLiteral("fits"));  // the last stage needs the least memory
    }

    void theCapacityIsALineAndFarBeyondTheBarsOnlyAWord() {
        engine::Experiment experiment = pipelinedModel();
        QVERIFY(!MemoryPageBench(experiment).capacityX());
        const engine::Bytes total = footprintOfPage(experiment).bytes().total();
        experiment.node.memory = engine::Bytes{total.count / 2};
        MemoryPageBench half(experiment);
        double end = 0;
        for (std::size_t holder = 0; holder < ui::kMemoryHolders; ++holder)
            end = std::max(end, half.part(0, holder).right());
        const double start = half.part(0, 0).left();
        QVERIFY(std::abs(*half.capacityX() - (start + end) / 2) < 1);
        experiment.node.memory = engine::Bytes{total.count * 10};
        QVERIFY(!MemoryPageBench(experiment).capacityX());
    }

    void itSaysWhatAFootprintLeavesOut() {
        MemoryPageBench bench;
        QVERIFY(
            bench.text("memoryNotes").contains(QStringLiteral("without the allocator, the context and workspaces")));
        QVERIFY(bench.text("memoryNotes")
                    .contains(QStringLiteral("node.memory")));  // explains how to find out whether it fits
        engine::Experiment bare = pipelinedModel();
        bare.division.weights = 1'000'000'000;
        QVERIFY(MemoryPageBench(bare).text("memoryNotes").contains(QStringLiteral("only model states")));
    }

    void arrowsAndClicksChooseABarAndItsLineOfTheTable() {
        MemoryPageBench bench;
        QTest::keyClick(&bench.page.bars(), Qt::Key_Down);
        QTest::keyClick(&bench.page.bars(), Qt::Key_Down);
        QCOMPARE(bench.page.bars().chosen(), std::optional(std::size_t{1}));
        QCOMPARE(bench.page.table().chosen(), std::optional(std::size_t{1}));
        QTest::keyClick(&bench.page.bars(), Qt::Key_End);
        QCOMPARE(bench.page.table().chosen(), std::optional(std::size_t{3}));
        bench.page.table().choose(std::size_t{2});
        QCOMPARE(bench.page.bars().chosen(), std::optional(std::size_t{2}));
        QTest::mouseClick(&bench.page.bars(), Qt::LeftButton, {}, bench.part(0, 0).center().toPoint());
        QCOMPARE(bench.page.table().chosen(), std::optional(std::size_t{0}));
        QVERIFY(bench.page.bars().accessibleDescription().startsWith(QStringLiteral("stage 0: ")));
        QVERIFY(bench.page.stepOut());
        QVERIFY(!bench.page.table().chosen());
        QVERIFY(!bench.page.stepOut());
    }

    void aChosenBarStaysChosenWhileNumbersChange() {
        MemoryPageBench bench;
        bench.page.bars().choose(std::size_t{2});
        engine::Experiment experiment = pipelinedModel();
        experiment.workload.batch = 2;
        bench.page.ask({experiment, engine::ModelPhase::training, {}});
        QCOMPARE(bench.page.bars().chosen(), std::optional(std::size_t{2}));
        QCOMPARE(bench.page.table().chosen(), std::optional(std::size_t{2}));
        experiment.division.pp = 2;
        bench.page.ask({experiment, engine::ModelPhase::training, {}});
        QVERIFY(!bench.page.bars().chosen());
        QVERIFY(!bench.page.table().chosen());
    }

    void aToolTipDescribesThePartUnderThePointer() {
        MemoryPageBench bench;
        const QPoint place = bench.part(0, 2).center().toPoint();
        QHelpEvent help(QEvent::ToolTip, place, bench.page.bars().mapToGlobal(place));
        QApplication::sendEvent(&bench.page.bars(), &help);
        QVERIFY2(QToolTip::text().startsWith(QStringLiteral("stage 0, optimizer: ")), qPrintable(QToolTip::text()));
    }

    void inferenceHoldsWeightsAndTheCacheOfKeysAndValues() {
        engine::Experiment experiment = pipelinedModel();
        experiment.division = {};
        MemoryPageBench bench(experiment, engine::ModelPhase::generation);
        QStringList titles;
        for (const std::size_t holder : ui::holdersOf(bench.page.facts()))
            titles << ui::titleOf(ui::memoryHolders()[holder]);
        QCOMPARE(titles, (QStringList{QStringLiteral("weights"), QStringLiteral("cache")}));
    }

    void whatIsWrongIsNamedByItsFieldAndGoesAwayWithIt() {
        engine::Experiment experiment = pipelinedModel();
        experiment.division.pp = 9;
        MemoryPageBench bench(experiment);
        QVERIFY(!bench.page.hasAnswer());
        QVERIFY(!bench.page.figure());
        QVERIFY2(bench.text("memoryWords").contains(QStringLiteral("division.pp")),
                 qPrintable(bench.text("memoryWords")));
        bench.page.ask(
            {pipelinedModel(), engine::ModelPhase::training, QStringLiteral("workload.layers: many: no number")});
        QVERIFY(bench.text("memoryWords").contains(QStringLiteral("no number")));
        bench.page.ask({pipelinedModel(), engine::ModelPhase::training, {}});
        QVERIFY(bench.page.hasAnswer());
        QVERIFY(bench.page.table().isVisible());
    }

    void theFigureHasAStackForEachBarAndTheCapacity() {
        engine::Experiment experiment = pipelinedModel();
        experiment.node.memory = engine::Bytes{80'000'000'000};
        MemoryPageBench bench(experiment);
        const data::FigureSpec figure = bench.page.figure()->figure;
        QVERIFY(data::problemsOf(figure).empty());
        const data::FigurePanel& panel = figure.panels.front();
        QCOMPARE(panel.categories.labels, (std::vector<std::string>{"0", "1", "2", "3"}));
        QCOMPARE(panel.references.size(), std::size_t{1});
        QCOMPARE(panel.references.front().value, 80.0);
        double sum = 0;
        std::set<std::string> meanings;
        for (const data::FigureSeries& series : std::get<data::BarMark>(panel.marks.front()).bars.front().stack) {
            sum += series.values[0].value();
            QVERIFY(meanings.insert(series.meaning).second);
        }
        const double total = static_cast<double>(footprintOfPage(experiment).bytes().total().count) / 1e9;
        QVERIFY(std::abs(sum - total) < 1e-9);
        QVERIFY(figure.caption.find("not included") != std::string::npos);
        QVERIFY(figure.alternative.find("stage 3") != std::string::npos);
    }

    void theChoiceOfBarsIsFoundAgain() {
        MemoryPageBench bench;
        bench.page.findChild<QComboBox*>(QStringLiteral("memoryBy"))->setCurrentIndex(1);
        QCOMPARE(bench.page.by(), MemoryBy::sharding);
        QJsonObject kept;
        bench.page.save(kept);
        MemoryPage other;
        other.restore(kept);
        QCOMPARE(other.by(), MemoryBy::sharding);
        other.restore({});
        QCOMPARE(other.by(), MemoryBy::stage);
    }

    void itCanBeDrawnInBothThemesAndAnySize() {
        MemoryPageBench bench;
        bench.page.bars().choose(std::size_t{1});
        QImage before;
        for (const ui::Theme theme : {ui::Theme::light, ui::Theme::dark}) {
            bench.page.setPalette(ui::widgetPalette(theme));
            for (const QSize size : {QSize(560, 420), QSize(2400, 1300)}) {
                bench.page.resize(size);
                const QImage now = bench.page.bars().grab().toImage();
                QVERIFY(now != before);
                before = now;
            }
        }
    }
};

RINGSIDE_WINDOW_TEST(TestMemoryPage)
#include "tst_memory_page.moc"
