#include "tests/test_program.h"
#include "ui/machine/machine_map.h"

#include <QTest>

#include <cmath>

using ui::RingLayout;

namespace {

constexpr double kLine = 17;
const QRectF kArea(10, 10, 1400, 620);

RingLayout ringOf(std::uint32_t gpus, const QRectF& area = kArea) {
    return ui::layoutRing(gpus, area, {1.9, kLine, kLine * 1.9, kLine * 1.1});
}

}  // namespace

class TestRingLayout : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyGpuHasACardInsideTheViewAndNoTwoMeet() {
        for (std::uint32_t gpus = 1; gpus <= 64; ++gpus) {
            const RingLayout ring = ringOf(gpus);
            QCOMPARE(ring.cards.size(), std::size_t(gpus));
            for (std::size_t i = 0; i < gpus; ++i) {
                QVERIFY(kArea.adjusted(-1, -1, 1, 1).contains(ring.cards[i]));
                QVERIFY2(!ring.cards[i].intersects(ring.centre), qPrintable(QString::number(gpus)));
                for (std::size_t j = 0; j < i; ++j)
                    QVERIFY2(!ring.cards[i].intersects(ring.cards[j]), qPrintable(QString::number(gpus)));
            }
        }
    }

    void whatIsInFocusIsLargerThanTheRest() {
        for (const std::uint32_t gpus : {2u, 4u, 8u, 16u, 32u, 64u}) {
            const RingLayout ring = ringOf(gpus);
            QVERIFY(ring.centre.width() > ring.cards[0].width() * 1.2);
            QVERIFY(ring.centre.height() > ring.cards[0].height() * 1.2);
        }
    }

    void gpusFollowEachOtherClockwiseFromTheTopLeft() {
        for (const std::uint32_t gpus : {2u, 3u, 4u, 5u, 8u, 13u, 16u, 32u, 64u}) {
            const RingLayout ring = ringOf(gpus);
            double around = 0;
            for (std::uint32_t gpu = 0; gpu < gpus; ++gpu)
                around += ring.wayLength(gpu);
            // The paths go around the ring once, not twice: each leads to the next GPU and passes no other.
            QVERIFY2(std::abs(around - ring.track.length()) < 1e-6, qPrintable(QString::number(gpus)));
            QVERIFY(ring.cards[0].center().x() <= kArea.center().x() + 1);  // the only card at the top is in the middle
        }
    }

    void aParcelLeavesAtItsSenderAndArrivesAtTheGpuBeforeIt() {
        const RingLayout ring = ringOf(8);
        for (std::uint32_t gpu = 0; gpu < 8; ++gpu) {
            const QPointF start = ring.onWay(gpu, 0) - ring.track.at(ring.ports[gpu]);
            const QPointF end = ring.onWay(gpu, 1) - ring.track.at(ring.ports[(gpu + 7) % 8]);
            QVERIFY(std::hypot(start.x(), start.y()) < 1e-6);
            QVERIFY(std::hypot(end.x(), end.y()) < 1e-6);
        }
    }

    void aWayIsAsLongAsItSays() {
        const RingLayout ring = ringOf(16);
        for (std::uint32_t gpu = 0; gpu < 16; ++gpu) {
            const std::vector<QPointF> way = ring.way(gpu);
            double length = 0;
            for (std::size_t i = 1; i < way.size(); ++i)
                length += std::hypot(way[i].x() - way[i - 1].x(), way[i].y() - way[i - 1].y());
            QVERIFY(std::abs(length - ring.wayLength(gpu)) < 1e-6);
            const QPointF half = ui::Way(way).at(0.5) - ring.onWay(gpu, 0.5);
            QVERIFY(std::hypot(half.x(), half.y()) < 1e-6);
        }
    }

    void noWayIsMuchShorterThanTheOthers() {
        for (const std::uint32_t gpus : {8u, 16u, 32u, 64u}) {
            const RingLayout ring = ringOf(gpus);
            const double mean = ring.track.length() / gpus;
            for (std::uint32_t gpu = 0; gpu < gpus; ++gpu)
                QVERIFY2(ring.wayLength(gpu) > mean * 0.4, qPrintable(QString::number(gpus)));
        }
    }

    void inALowViewEveryCardStillHoldsItsNumber() {
        for (const QSizeF size : {QSizeF(616, 130), QSizeF(1140, 150), QSizeF(1140, 620), QSizeF(616, 300)}) {
            const QRectF area(QPointF(10, 10), size);
            for (const std::uint32_t gpus : {2u, 4u, 8u, 16u, 32u, 64u}) {
                const RingLayout ring = ringOf(gpus, area);
                const QByteArray where = QStringLiteral("%1 on %2 x %3: %4 x %5")
                                             .arg(gpus)
                                             .arg(size.width())
                                             .arg(size.height())
                                             .arg(ring.cards[0].width())
                                             .arg(ring.cards[0].height())
                                             .toUtf8();
                QVERIFY2(ring.cards[0].width() >= kLine * 1.1 * ui::kLeastNumber, where.constData());
                QVERIFY2(ring.cards[0].height() >= kLine * 0.9, where.constData());
                QVERIFY2(ring.centre.height() >= kLine * 2, where.constData());
                for (std::size_t i = 0; i < gpus; ++i) {
                    QVERIFY2(area.adjusted(-1, -1, 1, 1).contains(ring.cards[i]), where.constData());
                    QVERIFY2(!ring.cards[i].intersects(ring.centre), where.constData());
                    for (std::size_t j = 0; j < i; ++j)
                        QVERIFY2(!ring.cards[i].intersects(ring.cards[j]), where.constData());
                }
            }
        }
    }

    void aSmallViewStillHasThemAll() {
        const RingLayout ring = ringOf(32, QRectF(0, 0, 480, 260));
        QCOMPARE(ring.cards.size(), std::size_t(32));
        QVERIFY(ring.cards[0].width() >= 8);
    }
};

RINGSIDE_CORE_TEST(TestRingLayout)
#include "tst_ring_layout.moc"
