#include "tests/ui/machine_run.h"
#include "tests/ui/window_test.h"

#include "ui/look/format.h"
#include "ui/memory/memory_figure.h"
#include "ui/memory/memory_view.h"
#include "ui/memory/memory_words.h"
#include "ui/shared/view_state.h"

#include <QComboBox>
#include <QSignalSpy>
#include <QWheelEvent>

#include <cmath>

using ui::DramPage;
using ui::Heat;
using ui::MemoryLayout;
using ui::MemoryNeeds;
using ui::MemoryView;

namespace {

data::Settings withBanks(std::int64_t channels = 8) {
    return {{"memory.model", std::string("banks")}, {"detail.channels", channels}};
}

struct MemoryBench {
    explicit MemoryBench(const data::Settings& settings = withBanks(), const std::string& policy = "t3-mca",
                         QSize size = {1100, 620}) {
        const auto run = tests::simulatedRun("t-nlg/op/tp8", policy, settings);
        if (run->run.result.trace)
            state.setRunEnd(run->run.result.trace->end.ps);
        tests::show(moment, run);
        QObject::connect(&view, &MemoryView::cursorRequested, [this](qint64 ps) { state.setCursor(ps); });
        view.resize(size);
        view.show();
        QApplication::processEvents();
    }
    void press(QPointF at) { QTest::mouseClick(&view, Qt::LeftButton, {}, at.toPoint()); }
    QPointF inHeat(std::size_t row, double share) const {
        const QRectF box = view.memoryLayout().row(row);
        return {box.left() + box.width() * share, box.center().y()};
    }

    ui::ViewState state;
    ui::RingMoment moment{state};
    MemoryView view{state, moment};
};

MemoryNeeds needsOf(QSizeF size, std::size_t rows, double line = 17) {
    MemoryNeeds needs;
    needs.area = QRectF(QPointF(0, 0), size);
    needs.line = line;
    needs.left = line * 8;
    needs.rows = rows;
    needs.hasRowHits = needs.hasUnits = true;
    needs.key = line * 1.2;
    needs.bar = line * 4.6;
    return needs;
}

std::vector<QRectF> boxesOf(const MemoryLayout& layout) {
    return {layout.header,  layout.bar,   layout.utilisation, layout.hits, layout.heat,
            layout.camping, layout.units, layout.axis,        layout.key};
}

}  // namespace

class TestMemoryView : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void noTwoStripsMeetAtAnySizeAndNumberOfRows() {
        for (const QSizeF size : {QSizeF(900, 420), QSizeF(1280, 720), QSizeF(1600, 900), QSizeF(3840, 2160)})
            for (const std::size_t rows : {1u, 2u, 8u, 32u, 64u, 256u, 4096u}) {
                const MemoryLayout layout = ui::layoutMemory(needsOf(size, rows));
                const std::vector<QRectF> boxes = boxesOf(layout);
                for (std::size_t i = 0; i < boxes.size(); ++i) {
                    QVERIFY(boxes[i].isEmpty() ||
                            QRectF(QPointF(0, 0), size).adjusted(-1, -1, 1, 1).contains(boxes[i]));
                    for (std::size_t j = 0; j < i; ++j)
                        QVERIFY2(
                            boxes[i].isEmpty() || boxes[j].isEmpty() || !boxes[i].intersects(boxes[j]),
                            qPrintable(
                                QStringLiteral("%1 and %2 at %3, %4 rows").arg(i).arg(j).arg(size.height()).arg(rows)));
                }
                QVERIFY(!layout.heat.isEmpty() && layout.shownRows >= 1 && layout.shownRows <= 256);
                QVERIFY(layout.shownRows * layout.rowsTogether >= rows);
                QVERIFY((layout.shownRows - 1) * layout.rowsTogether < rows);
                QVERIFY(layout.row(0).height() <= 3 * 17 + 1);
            }
    }

    void stripsWithoutRoomGoInTheirOrder() {
        // Units go first, then row hits, then camping, then the address bar; utilisation and the heat map stay.
        int gone = 0;
        for (double height = 900; height > 200; height -= 5) {
            const MemoryLayout layout = ui::layoutMemory(needsOf({1000, height}, 32));
            const bool units = layout.units.isEmpty(), hits = layout.hits.isEmpty(), camping = layout.camping.isEmpty();
            QVERIFY(units || !hits);
            QVERIFY(hits || !camping);
            QVERIFY(camping || !layout.bar.isEmpty());
            const int now = int(units) + int(hits) + int(camping) + int(layout.bar.isEmpty());
            QVERIFY(now >= gone);
            gone = now;
            QVERIFY(!layout.utilisation.isEmpty() && !layout.heat.isEmpty());
        }
        QCOMPARE(gone, 4);
    }

    void theHeatMapHasARowForEachChannelOrBank() {
        MemoryBench bench;
        QCOMPARE(bench.view.lapse().memory().rows(), std::size_t{8});
        QVERIFY(bench.view.showPage(DramPage::banks(3)));
        const auto& dram = bench.moment.run()->run.experiment.dram;
        QCOMPARE(bench.view.lapse().memory().rows(), static_cast<std::size_t>(dram.bankGroups * dram.banksPerGroup));
        QVERIFY(bench.view.headerWords().startsWith(QStringLiteral("Channel 3 of GPU 0")));
        QVERIFY(!bench.view.showPage(DramPage::banks(8)));
        QCOMPARE(bench.view.page(), DramPage::banks(3));
    }

    void withoutBanksThereAreNoRowHitsAndNoPageOfBanks() {
        MemoryBench bench({{"detail.channels", std::int64_t{8}}});
        QVERIFY(bench.view.memoryLayout().hits.isEmpty());
        QVERIFY(!bench.view.memoryLayout().camping.isEmpty());
        QVERIFY(!bench.view.showPage(DramPage::banks(0)));
        QVERIFY(!MemoryBench().view.memoryLayout().hits.isEmpty());
    }

    void oneChannelHasNoCamping() {
        MemoryBench bench(withBanks(1));
        QVERIFY(bench.view.memoryLayout().camping.isEmpty());
        QCOMPARE(bench.view.memoryLayout().shownRows, std::size_t{1});
        QVERIFY(!bench.view.headerWords().contains(QStringLiteral("camping")));
    }

    void aClickSetsTheCursorAndSelectsTheChannelInAllViews() {
        MemoryBench bench;
        const QPointF at = bench.inHeat(5, 0.5);
        bench.press(at);
        QCOMPARE(bench.state.selectedPart(), (data::GpuPartRef{data::GpuPart::channels, 5}));
        const double off = bench.view.geometry().xOf(*bench.state.cursor()) - at.x();
        QVERIFY2(std::abs(off) <= 1.5, qPrintable(QString::number(off)));
        bench.press(bench.view.memoryLayout().utilisation.center());
        QCOMPARE(bench.state.selectedPart(), (data::GpuPartRef{data::GpuPart::channels, 5}));  // no row was clicked
    }

    void aDoubleClickOpensTheBanksAndEscapeLeadsBack() {
        MemoryBench bench;
        const QPointF at = bench.inHeat(2, 0.3);
        bench.press(at);
        QTest::mouseDClick(&bench.view, Qt::LeftButton, {}, at.toPoint());
        QCOMPARE(bench.view.page(), DramPage::banks(2));
        QTest::keyClick(&bench.view, Qt::Key_Escape);
        QCOMPARE(bench.view.page(), DramPage{});
        QTest::keyClick(&bench.view, Qt::Key_Return);
        QCOMPARE(bench.view.page(), DramPage::banks(2));
    }

    void keysGoFromRowToRowAndFromPeriodToPeriod() {
        MemoryBench bench;
        QTest::keyClick(&bench.view, Qt::Key_Down);
        QCOMPARE(bench.view.selectedRow(), std::optional<std::size_t>(0));
        QTest::keyClick(&bench.view, Qt::Key_Down);
        QCOMPARE(bench.view.selectedRow(), std::optional<std::size_t>(1));
        QTest::keyClick(&bench.view, Qt::Key_Up);
        QTest::keyClick(&bench.view, Qt::Key_Up);  // the first row stays
        QCOMPARE(bench.view.selectedRow(), std::optional<std::size_t>(0));
        const std::int64_t period = bench.view.lapse().periods().length;
        bench.state.setCursor(10 * period);
        QTest::keyClick(&bench.view, Qt::Key_Right);
        QCOMPARE(bench.state.cursor(), std::optional<std::int64_t>(11 * period));
        QTest::keyClick(&bench.view, Qt::Key_Left);
        QTest::keyClick(&bench.view, Qt::Key_Left);
        QCOMPARE(bench.state.cursor(), std::optional<std::int64_t>(9 * period));
        QVERIFY(bench.view.showPage(DramPage::banks(1)));
        QTest::keyClick(&bench.view, Qt::Key_Down);
        QCOMPARE(bench.view.selectedRow(), std::optional<std::size_t>(0));
        QCOMPARE(bench.state.selectedPart(), (data::GpuPartRef{data::GpuPart::channels, 0}));  // of the page before
    }

    void theWheelZoomsAroundThePointer() {
        MemoryBench bench;
        const QPointF at = bench.inHeat(0, 0.25);
        const std::int64_t there = bench.view.geometry().timeAt(at.x());
        const std::int64_t before = bench.state.range().span();
        QWheelEvent wheel(at, bench.view.mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                          false);
        QApplication::sendEvent(&bench.view, &wheel);
        QVERIFY(bench.state.range().span() < before);
        QVERIFY(std::abs(bench.view.geometry().xOf(there) - at.x()) < 1.5);
        QVERIFY(wheel.isAccepted());
    }

    void aShorterRangeHasShorterPeriodsAndTheSameBytes() {
        MemoryBench bench;
        const std::int64_t whole = bench.view.lapse().periods().length;
        const auto bytesWithin = [&](data::TimeRange range) {
            const auto [first, end] = bench.view.lapse().within(range);
            std::int64_t bytes = 0;
            for (std::size_t period = first; period < end; ++period)
                bytes += bench.view.lapse().memory().sumAt(period).bytes;
            return bytes;
        };
        const data::TimeRange range{20 * whole, 40 * whole};
        const std::int64_t bytes = bytesWithin(range);
        QVERIFY(bytes > 0);
        bench.state.setRange(range);
        QVERIFY(bench.view.lapse().periods().length < whole);
        QCOMPARE(bytesWithin(range), bytes);
        QVERIFY(bench.view.lapse().periods().begin(bench.view.lapse().within(range).first) == range.start);
    }

    void periodsAreOneTwoOrFiveTimesAPowerOfTen() {
        QCOMPARE(ui::periodFor(1'000'000, 100), std::int64_t{10'000});
        QCOMPARE(ui::periodFor(1'000'001, 100), std::int64_t{20'000});
        QCOMPARE(ui::periodFor(4'100'000, 200), std::int64_t{50'000});
        QCOMPARE(ui::periodFor(10, 1000), std::int64_t{1000});  // a nanosecond at least
    }

    void theTipHasAllNumbersOfTheCell() {
        MemoryBench bench;
        const auto part = bench.view.partAt(bench.inHeat(4, 0.5));
        QVERIFY(part.has_value());
        const QString tip = part->tip(bench.inHeat(4, 0.5));
        for (const char* word : {"channel 4", "requests: ", "bytes: ", "utilisation: ", "efficiency: ", "row hits: ",
                                 "rows opened: ", "waiting requests: "})
            QVERIFY2(tip.contains(QLatin1String(word)), qPrintable(tip));
        const QPointF strip = bench.view.memoryLayout().utilisation.center();
        QVERIFY(bench.view.partAt(strip)->tip(strip).contains(QStringLiteral("camping: ")));
    }

    void theHeaderHasTheValuesOfStripsThatHaveNoRoom() {
        MemoryBench bench(withBanks(), "t3-mca", {1100, 400});
        QVERIFY(bench.view.memoryLayout().units.isEmpty());
        QVERIFY(bench.view.headerWords().contains(QStringLiteral("compute units: computing")));
        bench.view.resize(1100, 900);
        QApplication::processEvents();
        QVERIFY(!bench.view.memoryLayout().units.isEmpty());
        QVERIFY(!bench.view.headerWords().contains(QStringLiteral("compute units")));
    }

    void theTableHasARowForEachPeriodAndChoosesTheCursor() {
        MemoryBench bench;
        const ui::MomentTable::Content table = bench.view.table();
        const auto [first, end] = bench.view.lapse().within(bench.state.range());
        QCOMPARE(table.rows.size(), end - first);
        QCOMPARE(table.rows.front().cells.size(), static_cast<qsizetype>(table.columns.size()));
        bench.view.chooseTableRow(7);
        QCOMPARE(bench.view.currentPeriod(), std::optional<std::size_t>(first + 7));
    }

    void theColoursStandForWhatIsChosen() {
        MemoryBench bench;
        const QImage bytes = bench.view.grab().toImage();
        bench.view.setHeat(Heat::rowsOpened);
        QCOMPARE(bench.view.heat(), Heat::rowsOpened);
        QVERIFY(bench.view.grab().toImage() != bytes);
        bench.view.setHeat(Heat::bytes);
        QCOMPARE(bench.view.grab().toImage(), bytes);
    }

    void pagesHaveNames() {
        QCOMPARE(ui::dramPageOf(QStringLiteral("channels")), std::optional(DramPage{}));
        QCOMPARE(ui::dramPageOf(QStringLiteral("banks/5")), std::optional(DramPage::banks(5)));
        QVERIFY(!ui::dramPageOf(QStringLiteral("banks/")));
        QVERIFY(!ui::dramPageOf(QStringLiteral("banks/x")));
        QVERIFY(!ui::dramPageOf(QStringLiteral("rows")));
        QCOMPARE(ui::nameOf(DramPage::banks(5)), QStringLiteral("banks/5"));
    }

    void theFigureHasTheNumbersOfThePicture() {
        MemoryBench bench;
        const auto offer = ui::memoryFigure(bench.view, bench.state, bench.moment);
        QVERIFY(offer.has_value());
        QCOMPARE(offer->figure.panels.size(), std::size_t{4});
        const auto* heat = std::get_if<data::HeatMark>(&offer->figure.panels[2].marks.front());
        QVERIFY(heat != nullptr && heat->asImage);
        QCOMPARE(heat->rows.size(), std::size_t{8});
        QVERIFY(heat->values.size() / heat->rows.size() <= 400);
        double kib = 0;
        for (const auto& value : heat->values)
            kib += value.value_or(0);
        const auto& result = bench.moment.run()->run.result;
        const auto& gpu = result.perGpu.empty() ? result.last : result.perGpu.front();
        QVERIFY(std::abs(kib * 1024 - static_cast<double>(gpu.dram->total.count)) < 1);
        MemoryBench sustained({{"detail.channels", std::int64_t{8}}});
        QCOMPARE(ui::memoryFigure(sustained.view, sustained.state, sustained.moment)->figure.panels.size(),
                 std::size_t{3});
        MemoryBench bound({}, "ideal-overlap");
        QVERIFY(!ui::memoryFigure(bound.view, bound.state, bound.moment));
    }

    void aBoundSaysWhyItHasNoPicture() {
        MemoryBench bound({}, "ideal-overlap");
        QVERIFY(!bound.view.drawing());
        QVERIFY(bound.view.accessibleDescription().isEmpty());
    }
};

RINGSIDE_WINDOW_TEST(TestMemoryView)
#include "tst_memory_view.moc"
