#include "tests/ui/sample_figure.h"
#include "tests/ui/window_test.h"

#include "ui/figure/writer_parts.h"

#include <QPainter>

using namespace ui;

namespace {

constexpr double kScale = 4;

QImage painted(const DisplayList& list) {
    QImage image((list.page * kScale).toSize(), QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.scale(kScale, kScale);
    paint(painter, list);
    return image;
}

/// Returns the bounds of all pixels that are not white, in points.
QRectF inked(const QImage& image, const QRectF& within) {
    QRect box;
    const QRect area = QRectF(within.topLeft() * kScale, within.size() * kScale).toRect().intersected(image.rect());
    for (int y = area.top(); y <= area.bottom(); ++y) {
        for (int x = area.left(); x <= area.right(); ++x) {
            if (qGray(image.pixel(x, y)) < 128)
                box |= QRect(x, y, 1, 1);
        }
    }
    return {QPointF(box.topLeft()) / kScale, QSizeF(box.size()) / kScale};
}

DisplayList only(std::variant<RectItem, PolylineItem, PolygonItem, EllipseItem, TextItem, ImageItem> shape) {
    return {QSizeF(100, 100), {{std::move(shape), FigurePart::mark, {}, {}, {}, {}}}};
}

constexpr Texture kTextures[]{Texture::rising, Texture::falling, Texture::crossed, Texture::rows, Texture::dots};

}  // namespace

class TestFigurePainter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingIsDrawnOutsideAnItemsClip() {
        const FigurePen pen{QColor(Qt::black), 2, {}};
        DisplayList list = only(PolylineItem{QPolygonF({QPointF(0, 0), QPointF(100, 100)}), pen});
        list.items[0].clip = QRectF(25, 25, 50, 50);
        const QRectF ink = inked(painted(list), QRectF(0, 0, 100, 100));
        QVERIFY(QRectF(25, 25, 50, 50).contains(ink));
        QVERIFY(ink.width() > 45);
    }

    void aClipEndsWithItsItem() {
        DisplayList list = only(RectItem{QRectF(0, 0, 10, 10), FigureFill{QColor(Qt::black)}, {}});
        list.items[0].clip = QRectF(0, 0, 5, 5);
        list.items.push_back(list.items[0]);
        list.items[1].clip.reset();
        QCOMPARE(inked(painted(list), QRectF(0, 0, 100, 100)), QRectF(0, 0, 10, 10));
    }

    void textStandsWhereItsEndOrMiddleIsSaidToBe() {
        const QRectF page(0, 0, 100, 100);
        const QRectF left = inked(painted(only(tests::text({50, 50}, "HIH"))), page);
        const QRectF middle = inked(painted(only(tests::text({50, 50}, "HIH", TextAlign::centre))), page);
        const QRectF right = inked(painted(only(tests::text({50, 50}, "HIH", TextAlign::right))), page);
        QVERIFY(left.left() >= 50 && left.left() < 51);
        QVERIFY(std::abs(middle.center().x() - 50) < 0.5);
        QVERIFY(right.right() <= 50 && right.right() > 49);
        QVERIFY(std::abs(left.bottom() - 50) < 0.5);
    }

    void textTurnedByMinusNinetyReadsUpwards() {
        const QRectF ink =
            inked(painted(only(tests::text({50, 50}, "HIH", TextAlign::left, -90))), QRectF(0, 0, 100, 100));
        QVERIFY(ink.height() > ink.width());
        QVERIFY(std::abs(ink.right() - 50) < 0.5);
        QVERIFY(ink.bottom() <= 50 && ink.bottom() > 49);
    }

    void textIsAsWideAsItWasMeasured() {
        // Kerned letters at positions between pixels: with a hinted font each letter would be off by a pixel.
        const QString words = QStringLiteral("AVAVAV 111.1 µs");
        const TextItem item = tests::text({5, 50}, words);
        const QRectF ink = inked(painted(only(item)), QRectF(0, 0, 100, 100));
        QVERIFY2(std::abs(ink.width() - item.width) < 1, qPrintable(QString::number(ink.width() - item.width)));
    }

    void everyTextureStaysInsideItsBox() {
        const QRectF box(3.3, 4.7, 17.1, 11.9);
        for (const Texture texture : kTextures) {
            const FigureFill fill{QColor(Qt::white), texture, QColor(Qt::black)};
            const std::vector<QLineF> lines = fillLines(fill, box);
            QVERIFY(!lines.empty());
            for (const QLineF& line : lines)
                QVERIFY(box.contains(line.p1()) && box.contains(line.p2()));
        }
    }

    void everyTextureStaysInsideAPolygonWithADent() {
        const QPolygonF polygon({QPointF(0, 0), QPointF(40, 0), QPointF(40, 30), QPointF(20, 10), QPointF(0, 30)});
        for (const Texture texture : kTextures) {
            const FigureFill fill{QColor(Qt::white), texture, QColor(Qt::black)};
            const std::vector<QLineF> lines = fillLines(fill, polygon);
            QVERIFY(!lines.empty());
            for (const QLineF& line : lines)
                QVERIFY(polygon.containsPoint(line.center(), Qt::OddEvenFill));
        }
    }

    void cellsOfAnImageKeepTheirEdges() {
        QImage cells(2, 1, QImage::Format_RGB32);
        cells.setPixel(0, 0, 0xff000000);
        cells.setPixel(1, 0, 0xffffffff);
        const QImage image = painted(only(ImageItem{QRectF(10, 10, 20, 10), cells}));
        const int y = static_cast<int>(15 * kScale);
        for (int x = static_cast<int>(10 * kScale); x < static_cast<int>(30 * kScale); ++x) {
            const bool left = x < static_cast<int>(20 * kScale);
            QCOMPARE(qGray(image.pixel(x, y)), left ? 0 : 255);
        }
    }
};

RINGSIDE_WINDOW_TEST(TestFigurePainter)
#include "tst_figure_painter.moc"
