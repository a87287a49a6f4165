// Tests the line and the plate at the end of a run: the plate at the foot of the rows covers no label.

#include "tests/ui/sample_run.h"
#include "tests/ui/window_test.h"

#include "ui/shared/view_state.h"
#include "ui/timeline/ghost_overlay.h"
#include "ui/timeline/timeline_view.h"

#include <QImage>
#include <QPainter>

#include <algorithm>

using ui::EndMark;
using ui::TimelineModel;
using ui::TimelinePicture;

namespace {

constexpr QSize kPictureSize(600, 200);
constexpr std::int64_t kMarkedEnd = 1'000;

/// Returns the part of a picture that the plate of a mark covers. The mark is at the right edge, so that the plate is
/// to its left.
QRect plateOver(const std::vector<QRectF>& texts) {
    const TimelineModel model;
    TimelinePicture picture{{{0, kMarkedEnd}, 0, double(kPictureSize.width() - 1), 1},
                            {},
                            QRectF(QPointF(), kPictureSize),
                            16,
                            model,
                            ui::paletteOf(ui::Theme::light),
                            texts};
    QImage image(kPictureSize, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setFont(QApplication::font());
    ui::paintEndMark(painter, picture, {kMarkedEnd, {QStringLiteral("ends  1 ns")}, Qt::magenta, EndMark::Plate::foot});
    painter.end();
    QRect plate;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width() - 4; ++x) {  // without the line
            if (image.pixelColor(x, y) == QColor(Qt::magenta))
                plate |= QRect(x, y, 1, 1);
        }
    }
    return plate;
}

}  // namespace

class TestEndMark : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void thePlateIsAtTheFootIfNoLabelIsThere() {
        const QRect plate = plateOver({});
        QCOMPARE(plate.bottom(), kPictureSize.height() - 1);
        QCOMPARE(plateOver({QRectF(0, kPictureSize.height() - 20, 50, 20)}), plate);
    }

    void aPlateThatWouldCoverALabelIsAboveIt() {
        const QRect foot = plateOver({});
        const QRectF low(kPictureSize.width() - 60, kPictureSize.height() - 24, 40, 16);
        const QRect above = plateOver({low});
        QCOMPARE(above.size(), foot.size());
        QVERIFY(above.bottom() < foot.bottom());
        QVERIFY(!low.intersects(above));
        const QRectF next = low.translated(0, -20);
        QVERIFY(plateOver({low, next}).bottom() < above.bottom());
        QVERIFY(!next.intersects(plateOver({low, next})));
    }

    void aPlateThatCoversALabelEverywhereStaysAtTheFoot() {
        QCOMPARE(plateOver({QRectF(QPointF(), kPictureSize)}), plateOver({}));
    }

    void aTimelineTellsItsOverlaysWhereTheTextOfItsLabelsIs() {
        class Texts final : public ui::TimelineOverlay {
        public:
            void paint(QPainter&, const TimelinePicture& picture) const override { texts = picture.texts; }
            mutable std::vector<QRectF> texts;
        };
        ui::ViewState state;
        ui::TimelineView view(state);
        TimelineModel model(tests::simulated("t-nlg/fc-2/tp8", {"policy=t3"}));
        state.setRunEnd(model.end());
        view.resize(1'200, 500);
        view.show();
        view.showModel(std::move(model));
        const Texts overlay;
        view.addOverlay(overlay);
        view.grab();
        const QRectF clip = view.picture().clip;
        const auto isWithin = [&](const QRectF& text) {
            return text.left() >= clip.left() && text.right() <= clip.right();
        };
        QVERIFY(overlay.texts.size() > 20);
        QVERIFY(std::ranges::all_of(overlay.texts, isWithin));
        view.removeOverlay(overlay);
    }
};

RINGSIDE_WINDOW_TEST(TestEndMark)
#include "tst_end_mark.moc"
