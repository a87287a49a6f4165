#include "tests/ui/window_test.h"

#include "ui/look/drawing_recorder.h"

#include <QPainter>
#include <QPainterPath>

using data::DrawingMark;
using data::DrawingShape;
using data::DrawingText;
using ui::DrawingRecorder;

namespace {

/// Returns the display list of a painting on a page of 96 x 72 points.
template <class Paint>
DrawingMark drawn(Paint paint) {
    const double dots = DrawingRecorder::dotsPerInch() / 72;
    DrawingRecorder recorder(QSizeF(96 * dots, 72 * dots));
    QPainter painter(&recorder);
    painter.scale(dots, dots);
    paint(painter);
    painter.end();
    return recorder.drawing();
}

QRectF boxOf(const DrawingShape& shape) {
    QPolygonF points;
    for (const auto& [x, y] : shape.points)
        points << QPointF(x, y);
    return points.boundingRect();
}

const DrawingShape& shapeAt(const DrawingMark& mark, std::size_t i) { return std::get<DrawingShape>(mark.items.at(i)); }

bool near(const QRectF& a, const QRectF& b) {
    return std::abs(a.left() - b.left()) + std::abs(a.top() - b.top()) + std::abs(a.right() - b.right()) +
               std::abs(a.bottom() - b.bottom()) <
           0.02;
}

}  // namespace

class TestDrawingRecorder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aFilledRectangleIsOneClosedShapeInPoints() {
        const DrawingMark mark =
            drawn([](QPainter& painter) { painter.fillRect(QRectF(10, 20, 30, 5), QColor(0x12, 0x34, 0x56)); });
        QCOMPARE(mark.width, 96.0);
        QCOMPARE(mark.height, 72.0);
        QCOMPARE(mark.items.size(), std::size_t{1});
        QVERIFY(near(boxOf(shapeAt(mark, 0)), QRectF(10, 20, 30, 5)));
        QVERIFY(shapeAt(mark, 0).closed);
        QCOMPARE(*shapeAt(mark, 0).fill, 0xff123456u);
        QVERIFY(!shapeAt(mark, 0).pen);
        QCOMPARE(shapeAt(mark, 0).points.size(), std::size_t{4});
    }

    void nothingLiesOutsideThePage() {
        const DrawingMark mark = drawn([](QPainter& painter) {
            painter.fillRect(QRectF(80, -20, 100, 60), Qt::red);
            painter.setPen(QPen(Qt::black, 1));
            painter.drawLine(QPointF(-50, 10), QPointF(200, 10));
            painter.setBrush(Qt::blue);
            painter.drawEllipse(QPointF(0, 72), 20, 20);
            painter.drawText(QPointF(300, 10), QStringLiteral("far away"));
        });
        QVERIFY(mark.items.size() >= 4);
        for (const auto& item : mark.items) {
            QVERIFY(std::holds_alternative<DrawingShape>(item));
            for (const auto& [x, y] : std::get<DrawingShape>(item).points)
                QVERIFY(x > -0.01 && y > -0.01 && x < 96.01 && y < 72.01);
        }
    }

    void aClipCutsFillsAndLinesAndDropsWords() {
        const DrawingMark mark = drawn([](QPainter& painter) {
            painter.setClipRect(QRectF(20, 20, 20, 20));
            painter.fillRect(QRectF(0, 0, 30, 30), Qt::red);
            painter.setPen(QPen(Qt::black, 1));
            painter.drawLine(QPointF(0, 35), QPointF(90, 35));
            painter.drawText(QPointF(60, 60), QStringLiteral("outside"));
        });
        QCOMPARE(mark.items.size(), std::size_t{2});
        QVERIFY(near(boxOf(shapeAt(mark, 0)), QRectF(20, 20, 10, 10)));
        QVERIFY(near(boxOf(shapeAt(mark, 1)), QRectF(20, 35, 20, 0)));
    }

    void aLineThatLeavesAndReturnsIsCutInTwo() {
        const DrawingMark mark = drawn([](QPainter& painter) {
            painter.setClipRect(QRectF(0, 0, 96, 30));
            painter.setPen(QPen(Qt::black, 1));
            painter.drawPolyline(QPolygonF({{10, 10}, {30, 50}, {50, 10}}));
        });
        QCOMPARE(mark.items.size(), std::size_t{2});
        QVERIFY(std::abs(shapeAt(mark, 0).points.back().second - 30) < 0.01);
        QVERIFY(!shapeAt(mark, 0).closed);
    }

    void textStaysTextWithItsSizeWeightAndPlace() {
        const DrawingMark mark = drawn([](QPainter& painter) {
            painter.scale(1 / (DrawingRecorder::dotsPerInch() / 72), 1 / (DrawingRecorder::dotsPerInch() / 72));
            QFont font = QApplication::font();
            font.setPointSizeF(7);
            font.setWeight(QFont::DemiBold);
            painter.setFont(font);
            painter.setPen(QColor(0x22, 0x44, 0x66));
            painter.drawText(QPointF(16, 32), QStringLiteral("412.3 µs"));
        });
        QCOMPARE(mark.items.size(), std::size_t{1});
        const auto& text = std::get<DrawingText>(mark.items.front());
        QCOMPARE(text.text, std::string("412.3 µs"));
        QVERIFY(std::abs(text.size - 7) < 0.01);
        QCOMPARE(text.weight, DrawingText::Weight::semiBold);
        QVERIFY(std::abs(text.x - 12 * 96 / DrawingRecorder::dotsPerInch()) < 0.1);
        QCOMPARE(text.colour, 0xff224466u);
        QCOMPARE(text.angle, 0.0);
    }

    void turnedTextKeepsItsAngle() {
        const DrawingMark mark = drawn([](QPainter& painter) {
            painter.translate(40, 60);
            painter.rotate(-90);
            painter.drawText(QPointF(0, 0), QStringLiteral("up"));
        });
        const auto& text = std::get<DrawingText>(mark.items.front());
        QVERIFY(std::abs(text.angle + 90) < 0.01);
        QVERIFY(std::abs(text.x - 40) < 0.01 && std::abs(text.y - 60) < 0.01);
    }

    void dashesAndWidthsAreInPoints() {
        const DrawingMark mark = drawn([](QPainter& painter) {
            QPen pen(Qt::black, 2);
            pen.setDashPattern({3, 1});
            painter.setPen(pen);
            painter.drawLine(QPointF(10, 10), QPointF(50, 10));
        });
        const auto& pen = shapeAt(mark, 0).pen;
        QVERIFY(pen);
        QVERIFY(std::abs(pen->width - 2) < 1e-6);
        QCOMPARE(pen->dash.size(), std::size_t{2});
        QVERIFY(std::abs(pen->dash[0] - 6) < 1e-6 && std::abs(pen->dash[1] - 2) < 1e-6);
    }

    void opacityIsInTheColours() {
        const DrawingMark mark = drawn([](QPainter& painter) {
            painter.setOpacity(0.5);
            painter.fillRect(QRectF(0, 0, 10, 10), QColor(0, 0, 0, 128));
        });
        QVERIFY(std::abs(static_cast<int>(*shapeAt(mark, 0).fill >> 24) - 64) <= 1);
    }

    void anImageBecomesRectanglesOfOneColourEach() {
        QImage image(4, 2, QImage::Format_RGB32);
        image.fill(Qt::red);
        image.setPixelColor(3, 1, Qt::blue);
        const DrawingMark mark = drawn([&](QPainter& painter) { painter.drawImage(QRectF(10, 10, 40, 20), image); });
        QCOMPARE(mark.items.size(), std::size_t{3});
        QVERIFY(near(boxOf(shapeAt(mark, 0)), QRectF(10, 10, 40, 10)));
        QVERIFY(near(boxOf(shapeAt(mark, 2)), QRectF(40, 20, 10, 10)));
        QCOMPARE(*shapeAt(mark, 2).fill, 0xff0000ffu);
    }
};

RINGSIDE_WINDOW_TEST(TestDrawingRecorder)
#include "tst_drawing_recorder.moc"
