#include "tests/ui/window_test.h"

#include "engine/api/policy_preset.h"
#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"

#include <QFontMetricsF>

using ui::Palette;
using ui::Role;
using ui::Theme;

class TestPalette : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void textReadsOnEveryBackgroundOfBothThemes() {
        for (const Theme theme : {Theme::light, Theme::dark}) {
            const Palette& colors = ui::paletteOf(theme);
            for (const QColor& background : {colors.window, colors.surface, colors.stripe}) {
                for (const QColor& ink : {colors.ink, colors.inkSoft, colors.inkFaint, colors.error, colors.better}) {
                    QVERIFY2(ui::contrast(ink, background) >= 4.5, qPrintable(ink.name() + " on " + background.name()));
                }
            }
            QVERIFY(ui::contrast(colors.ink, colors.notice) >= 4.5);
            const QColor link = ui::widgetPalette(theme).color(QPalette::Link);
            QVERIFY(ui::contrast(link, colors.window) >= 4.5 && ui::contrast(link, colors.stripe) >= 4.5);
        }
    }

    void wordsOnEveryBlockReadInBothTints() {
        for (const Theme theme : {Theme::light, Theme::dark}) {
            const Palette& colors = ui::paletteOf(theme);
            for (const Role role :
                 {Role::gemm, Role::reduceScatter, Role::allGather, Role::dma, Role::link, Role::exposed}) {
                const QColor ink = Palette::inkOn(colors.of(role));
                QVERIFY2(ui::contrast(ink, colors.of(role)) >= 4.5, qPrintable(colors.of(role).name()));
                QVERIFY2(ui::contrast(ink, colors.shaded(role)) >= 3, qPrintable(colors.shaded(role).name()));
            }
        }
    }

    void aColourMeansTheSameInBothThemes() {
        for (const Role role :
             {Role::gemm, Role::reduceScatter, Role::allGather, Role::dma, Role::link, Role::exposed}) {
            QCOMPARE(ui::paletteOf(Theme::light).of(role), ui::paletteOf(Theme::dark).of(role));
        }
    }

    void noTwoMeaningsShareAColour() {
        const Palette& colors = ui::paletteOf(Theme::light);
        const QList<Role> roles{Role::gemm, Role::reduceScatter, Role::allGather, Role::dma,
                                Role::link, Role::tracker,       Role::exposed};
        for (const Role a : roles) {
            for (const Role b : roles)
                QVERIFY(a == b || colors.of(a) != colors.of(b));
        }
    }

    void aThinLineOfEveryPolicyStandsOutAndIsNoOthers() {
        for (const Theme theme : {Theme::light, Theme::dark}) {
            const Palette& colors = ui::paletteOf(theme);
            for (const engine::PolicyRow& row : engine::kPolicyRows) {
                const std::string_view policy = row.word;
                QVERIFY2(ui::contrast(colors.ofPolicy(policy), colors.surface) >= 4.5, row.word.data());
                for (const engine::PolicyRow& other : engine::kPolicyRows)
                    QVERIFY(policy == other.word || colors.ofPolicy(policy) != colors.ofPolicy(other.word));
                for (const Role role : {Role::gemm, Role::reduceScatter, Role::allGather, Role::dma, Role::link})
                    QVERIFY(colors.ofPolicy(policy) != colors.of(role));
            }
        }
    }

    void theBundledFontIsUsedAndItsDigitsAreEquallyWide() {
        const QFontMetricsF metrics{QApplication::font()};
        QCOMPARE(QApplication::font().family(), QStringLiteral("Ringside Sans"));
        QVERIFY2(metrics.horizontalAdvance(QLatin1Char('i')) < metrics.horizontalAdvance(QLatin1Char('W')),
                 "glyphs are boxes");
        for (const char digit : {'0', '2', '3', '7', '8', '9'}) {
            QCOMPARE(metrics.horizontalAdvance(QLatin1Char(digit)), metrics.horizontalAdvance(QLatin1Char('1')));
        }
    }

    void everyIconIsDrawnInItsColour() {
        for (const char* name : {"play", "pause", "step-forward", "step-back", "to-start", "to-end", "loop", "reset",
                                 "search", "chevron-right", "chevron-down", "warning", "close", "more"}) {
            const QImage image = ui::tintedIcon(QString::fromLatin1(name), QColor(Qt::red)).pixmap(32, 32).toImage();
            bool red = false;
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x)
                    red = red || image.pixelColor(x, y) == QColor(Qt::red);
            }
            QVERIFY2(red, name);
        }
    }
};

RINGSIDE_WINDOW_TEST(TestPalette)
#include "tst_palette.moc"
