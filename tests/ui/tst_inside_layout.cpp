// Tests the positions of the parts of one GPU in the picture of its inside.
#include "tests/ui/window_test.h"
#include "ui/inside/flow_stroke.h"
#include "ui/inside/inside_layout.h"
#include "ui/look/direction.h"

#include <QTest>

#include <cmath>

namespace {

using data::GpuPart;

data::GpuInventory fullGpu() {
    data::GpuInventory gpu;
    gpu.computeUnits = 80;
    gpu.slots = 2;
    gpu.hasCache = true;
    gpu.cacheBytes = 16 << 20;
    gpu.channels = 32;
    gpu.dramQueue = 64;
    gpu.hasNearMemory = true;
    gpu.trackerSets = 256;
    gpu.trackerWays = 1;
    gpu.engines = 2;
    gpu.linksIn = {0};
    gpu.linksOut = {0};
    return gpu;
}

ui::InsideLayout layoutOf(const data::GpuInventory& gpu, QSizeF size, double line = 16) {
    return ui::layoutInside({QRectF(QPointF(0, 0), size), line, 8, gpu});
}

std::optional<data::GpuPartRef> refAt(const ui::InsideLayout& layout, QPointF position) {
    for (const ui::InsideLayout::Place& place : layout.places())
        if (place.box.contains(position))
            return place.ref;
    return std::nullopt;
}

QString faultOf(const ui::InsideLayout& layout, const QRectF& area) {
    for (std::size_t i = 0; i < data::kGpuParts; ++i) {
        if (layout.parts[i].isEmpty())
            continue;
        if (!area.adjusted(-0.01, -0.01, 0.01, 0.01).contains(layout.parts[i]))
            return QStringLiteral("part %1 leaves the picture").arg(i);
        for (std::size_t j = i + 1; j < data::kGpuParts; ++j)
            if (layout.parts[i].adjusted(0.01, 0.01, -0.01, -0.01).intersects(layout.parts[j]))
                return QStringLiteral("parts %1 and %2 overlap").arg(i).arg(j);
    }
    for (const ui::InsideLayout::Flow& flow : layout.flows)
        for (const QPointF point : flow.path)
            if (!area.adjusted(-0.01, -0.01, 0.01, 0.01).contains(point))
                return QStringLiteral("a flow leaves the picture");
    return {};
}

}  // namespace

class TestInsideLayout final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void partsLieInThePictureAndApart_data() {
        QTest::addColumn<QSizeF>("size");
        for (const QSizeF size : {QSizeF(420, 540), QSizeF(480, 300), QSizeF(1150, 290), QSizeF(640, 400),
                                  QSizeF(1280, 720), QSizeF(1900, 1000), QSizeF(3840, 2160), QSizeF(900, 1200)})
            QTest::addRow("%gx%g", size.width(), size.height()) << size;
    }
    void partsLieInThePictureAndApart() {
        QFETCH(QSizeF, size);
        for (const std::uint32_t channels : {1u, 2u, 32u, 128u})
            for (const std::uint32_t engines : {0u, 1u, 16u})
                for (const std::uint32_t ways : {0u, 1u, 4u}) {
                    data::GpuInventory gpu = fullGpu();
                    gpu.channels = channels;
                    gpu.engines = engines;
                    gpu.trackerWays = ways;
                    const QString fault = faultOf(layoutOf(gpu, size), QRectF(QPointF(0, 0), size));
                    QVERIFY2(fault.isEmpty(), qPrintable(fault));
                }
    }

    void noWordsStandOnAStreamOrOnAPart() {
        for (const QSizeF size : {QSizeF(1270, 560), QSizeF(1590, 740), QSizeF(1900, 900), QSizeF(3830, 1950)}) {
            const ui::InsideLayout layout = layoutOf(fullGpu(), size);
            QVERIFY(layout.roomy);
            const double half = layout.widest * 0.75;  // of the widest stream
            for (const ui::InsideLayout::Flow& words : layout.flows) {
                for (const ui::InsideLayout::Flow& flow : layout.flows)
                    for (std::size_t i = 1; i < flow.path.size() && flow.kind != words.kind; ++i) {
                        const QRectF piece = QRectF(flow.path[i - 1], flow.path[i]).normalized();
                        QVERIFY2(!piece.adjusted(-half, -half, half, half).intersects(words.label),
                                 (std::to_string(static_cast<int>(words.kind)) + " on " +
                                  std::to_string(static_cast<int>(flow.kind)))
                                     .c_str());
                    }
                for (const QRectF& part : layout.parts)
                    QVERIFY(part.isEmpty() || words.labelRight || !part.intersects(words.label));
            }
        }
    }

    void everyUnitOfAPartLiesInItAndIsFoundThere() {
        data::GpuInventory gpu = fullGpu();
        gpu.engines = 16;
        gpu.linksIn = gpu.linksOut = {0, 1, 2, 3, 4, 5, 6};
        const ui::InsideLayout layout = layoutOf(gpu, QSizeF(1280, 720));
        for (const auto& [part, units] : {std::pair{GpuPart::computeUnits, 80u},
                                          {GpuPart::tracker, 256u},
                                          {GpuPart::channels, 32u},
                                          {GpuPart::nearMemory, 32u},
                                          {GpuPart::dma, 16u},
                                          {GpuPart::linksIn, 7u},
                                          {GpuPart::addressMap, 8u}})
            for (std::uint32_t unit = 0; unit < units; ++unit) {
                const data::GpuPartRef ref{part, unit};
                QVERIFY(layout.box(part).adjusted(-0.01, -0.01, 0.01, 0.01).contains(layout.boxOf(ref)));
                QVERIFY(refAt(layout, layout.boxOf(ref).center()) == ref);
            }
        QVERIFY(layout.boxOf({GpuPart::channels, 32}).isEmpty());
        QVERIFY(layout.boxOf({GpuPart::dma, 16}).isEmpty());
    }

    void theRowsOfTheChannelsHaveNamesWhereThereIsRoomBesideThem() {
        data::GpuInventory gpu = fullGpu();
        gpu.channels = 8;
        const ui::InsideLayout usual = layoutOf(gpu, QSizeF(820, 500));  // beside panels on a screen of 1600 x 900
        QVERIFY(!usual.roomy);
        QVERIFY(usual.rowNames > 0);
        const QRectF controller = usual.box(GpuPart::arbiter);
        QVERIFY(usual.channels.front().queue.left() >= controller.left() + usual.rowNames);
        QVERIFY(usual.channels.back().queue.right() <= controller.right());
        gpu.channels = 256;
        QCOMPARE(layoutOf(gpu, QSizeF(820, 500)).rowNames, 0.0);
        gpu.channels = 8;
        QCOMPARE(layoutOf(gpu, QSizeF(820, 180)).rowNames, 0.0);
    }

    void partsWithoutRoomHaveNoBoxAndATooSmallPictureHasNoParts() {
        const ui::InsideLayout low = layoutOf(fullGpu(), QSizeF(900, 110));
        for (const QRectF& part : low.parts)
            QVERIFY(!part.isValid() || part.height() > 0);
        for (const QSizeF size : {QSizeF(0, 0), QSizeF(900, 8), QSizeF(4, 600), QSizeF(-50, -50)}) {
            const ui::InsideLayout none = layoutOf(fullGpu(), size);
            for (std::size_t i = 0; i < data::kGpuParts; ++i)
                QVERIFY(!none.has(static_cast<GpuPart>(i)));
            QVERIFY(none.flows.empty());
        }
    }

    void whatTheRunDoesNotHaveHasNoRoom() {
        data::GpuInventory gpu = fullGpu();
        gpu.trackerSets = gpu.trackerWays = gpu.engines = 0;
        gpu.hasNearMemory = false;
        const ui::InsideLayout layout = layoutOf(gpu, QSizeF(1280, 720));
        for (const GpuPart part : {GpuPart::tracker, GpuPart::dma, GpuPart::nearMemory})
            QVERIFY(!layout.has(part));
        QVERIFY(layout.has(GpuPart::channels));
        QVERIFY(layout.flow(ui::FlowKind::trigger) == nullptr);
        QVERIFY(layout.flow(ui::FlowKind::blockReads) == nullptr);
        QVERIFY(layout.flow(ui::FlowKind::arrivals) != nullptr);
    }

    void alikeCellsFillTheirRoomRowByRow() {
        const ui::CellGrid grid = ui::gridWithin(QRectF(10, 20, 300, 100), 11, 1);
        QVERIFY(grid.columns * grid.rows >= 11);
        QCOMPARE(grid.cell(0).topLeft(), QPointF(10, 20));
        for (std::uint32_t i = 0; i < 11; ++i)
            QVERIFY(grid.cells()[i] == grid.cell(i) && grid.box.contains(grid.cell(i).center()));
        QVERIFY(grid.cell(11).isEmpty());
        QVERIFY(grid.cell(grid.count).isEmpty());
    }

    void aStreamIsAsWideAsItsRate() {
        const ui::StreamLook look{ui::paletteOf(ui::Theme::light), 16, 40, 1e12, 0};
        QCOMPARE(ui::streamWidth(0, look), 0.0);
        QCOMPARE(ui::streamWidth(0.5e12, look), 20.0);
        QCOMPARE(ui::streamWidth(1e12, look), 40.0);
        QVERIFY(ui::streamWidth(1, look) > 1);        // it never disappears
        QCOMPARE(ui::streamWidth(9e12, look), 60.0);  // it never covers its neighbours
    }

    void aBandBesideAPathKeepsItsDistanceAroundCorners() {
        const std::vector<QPointF> path{{0, 0}, {0, 100}, {100, 100}};
        const std::vector<QPointF> beside = ui::besidePath(path, 5);
        QCOMPARE(beside[0], QPointF(-5, 0));
        QCOMPARE(beside[1], QPointF(-5, 105));
        QCOMPARE(beside[2], QPointF(100, 105));
    }

    void anArrowLeadsToTheNearestPlaceInItsDirection() {
        const double nan = std::nan("");
        const std::vector<QPointF> places{{0, 0}, {10, 0}, {30, 1}, {nan, nan}, {0, 20}};
        QVERIFY(ui::nearestTowards(Qt::Key_Right, places[0], places) == 1u);
        QVERIFY(ui::nearestTowards(Qt::Key_Right, places[1], places) == 2u);
        QVERIFY(!ui::nearestTowards(Qt::Key_Right, places[2], places));
        QVERIFY(ui::nearestTowards(Qt::Key_Down, places[0], places) == 4u);
        QVERIFY(!ui::nearestTowards(Qt::Key_Up, places[0], places));
    }
};

RINGSIDE_WINDOW_TEST(TestInsideLayout)
#include "tst_inside_layout.moc"
