#include "tests/ui/window_test.h"

#include "ui/look/application_style.h"

#include <QCheckBox>
#include <QRadioButton>

namespace {

/// Returns the highest contrast between a pixel of the unticked button's mark and its surroundings.
double contrastOf(QAbstractButton& button, ui::Theme theme, QStyle* style) {
    button.setStyle(style);
    button.setPalette(ui::widgetPalette(theme));
    button.resize(button.sizeHint());
    QPixmap picture(button.size());
    picture.fill(button.palette().color(QPalette::Window));
    button.render(&picture, {}, {}, QWidget::DrawChildren);
    const QImage image = picture.toImage();
    double strongest = 1;
    for (int x = 0; x < image.width(); ++x)
        for (int y = 0; y < image.height(); ++y)
            strongest = std::max(strongest, ui::contrast(image.pixelColor(x, y), ui::paletteOf(theme).window));
    return strongest;
}

}  // namespace

class TestWindowStyle : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // WCAG requires a contrast of 3 for marks that show that a control can be used.
    void whatCanBeTickedIsSeenInTheDarkTheme() {
        ui::WindowStyle style;
        QRadioButton radio;
        QCheckBox box;
        QVERIFY(contrastOf(radio, ui::Theme::dark, &style) >= 3);
        QVERIFY(contrastOf(box, ui::Theme::dark, &style) >= 3);
    }
    void theLightThemeIsLeftAsItIs() {
        ui::WindowStyle style;
        QProxyStyle fusion(QStringLiteral("Fusion"));
        QRadioButton radio;
        QCOMPARE(contrastOf(radio, ui::Theme::light, &style), contrastOf(radio, ui::Theme::light, &fusion));
    }
};

RINGSIDE_WINDOW_TEST(TestWindowStyle)
#include "tst_window_style.moc"
