#include "tests/ui/window_test.h"
#include "ui/drawing/figure_style.h"

#include "data/figure/figure_meaning.h"
#include "engine/api/attribution.h"
#include "engine/api/policy_preset.h"
#include "ui/look/cause_style.h"
#include "ui/look/colour_map.h"
#include "ui/look/palette.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace {

using data::FigureTheme;

std::vector<std::string> meanings() {
    std::vector<std::string> names;
    for (const std::string_view word : data::kMeanings)
        names.emplace_back(word);
    for (const engine::PolicyRow& row : engine::kPolicyRows)
        names.push_back(std::string("policy/").append(row.word));
    for (std::size_t i = 0; i < engine::kCauses; ++i)
        names.push_back(std::string("cause/").append(engine::name(static_cast<engine::Cause>(i))));
    return names;
}

/// Returns all colour meanings, with the lighter variants and the colours of series without a meaning.
std::vector<std::string> drawn() {
    std::vector<std::string> names = meanings();
    for (const std::string& name : meanings())
        names.push_back(name + "/light");
    for (int i = 0; i < 8; ++i) {
        names.push_back("series/" + std::to_string(i));
        names.push_back("level/" + std::to_string(i) + "/8/0");
    }
    return names;
}

/// Returns groups of meanings that one figure may show together.
const std::vector<std::vector<std::string>>& company() {
    static const std::vector<std::vector<std::string>> kTogether{
        {"gemm", "reduce-scatter", "all-gather", "dma", "link", "tracker", "exposed"},
        {"gemm", "gemm/light", "reduce-scatter", "reduce-scatter/light", "all-gather", "all-gather/light",
         "empty-slots"},
        {"gemm", "gemm/light", "attention", "element-wise", "neutral", "reduce-scatter", "all-gather", "all-to-all"},
        {"cause/compute", "cause/memory latency", "cause/memory bandwidth", "cause/cache slices",
         "cause/memory contention", "cause/collective kernel", "cause/link", "cause/tracker and DMA",
         "cause/dependency", "cause/dispatch", "cause/companion"},
        {"gemm", "batched-gemm", "attention-element-wise", "element-wise", "optimizer", "collective"},
        {"forward-pass", "forward-pass/light", "backward-pass", "backward-pass/light", "weight-pass",
         "weight-pass/light", "optimizer"},
        {"gemm", "exposed", "reduce-scatter", "link", "empty-slots"},
        {"policy/sequential", "policy/t3", "policy/t3-mca", "policy/ideal-overlap", "policy/ideal-overlap-nmc",
         "policy/cu-split", "policy/chunked", "policy/signals"},
        {"series/0", "series/1", "series/2", "series/3", "series/4", "series/5", "series/6", "series/7"}};
    return kTogether;
}

QColor lineOf(int series, FigureTheme theme) {
    return ui::styleOf("series/" + std::to_string(series), theme).fill.colour;
}

double linear(double part) { return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4); }
double coded(double part) {
    part = std::clamp(part, 0.0, 1.0);
    return part <= 0.0031308 ? part * 12.92 : 1.055 * std::pow(part, 1 / 2.4) - 0.055;
}

/// Returns a colour as a reader with deuteranopia sees it: Machado, Oliveira and Fernandes, IEEE TVCG 15(6), 2009, with
/// severity 1.
QColor seenWithDeuteranopia(const QColor& colour) {
    const double r = linear(colour.redF()), g = linear(colour.greenF()), b = linear(colour.blueF());
    return QColor::fromRgbF(static_cast<float>(coded(0.367322 * r + 0.860646 * g - 0.227968 * b)),
                            static_cast<float>(coded(0.280085 * r + 0.672501 * g + 0.047413 * b)),
                            static_cast<float>(coded(-0.011820 * r + 0.042940 * g + 0.968881 * b)));
}

/// Returns the CIE 1976 colour difference.
double distanceOf(const QColor& a, const QColor& b) {
    const auto lab = [](const QColor& colour) {
        const double r = linear(colour.redF()), g = linear(colour.greenF()), blue = linear(colour.blueF());
        const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
        const double x = f((0.4124 * r + 0.3576 * g + 0.1805 * blue) / 0.95047);
        const double y = f(0.2126 * r + 0.7152 * g + 0.0722 * blue);
        const double z = f((0.0193 * r + 0.1192 * g + 0.9505 * blue) / 1.08883);
        return std::array{116 * y - 16, 500 * (x - y), 200 * (y - z)};
    };
    const auto p = lab(a), q = lab(b);
    return std::sqrt(std::pow(p[0] - q[0], 2) + std::pow(p[1] - q[1], 2) + std::pow(p[2] - q[2], 2));
}

}  // namespace

class TestFigureStyle : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // The set from which an author chooses the colours of series.
    void theColoursOfAnAuthorStayApartForReadersWithDeuteranopia() {
        for (const FigureTheme theme : {FigureTheme::paper, FigureTheme::darkSlide}) {
            for (int i = 0; i < 8; ++i) {
                for (int j = 0; j < i; ++j) {
                    const QColor a = seenWithDeuteranopia(lineOf(i, theme)), b = seenWithDeuteranopia(lineOf(j, theme));
                    const bool apart = distanceOf(a, b) >= 10;
                    const ui::MarkStyle x = ui::styleOf("series/" + std::to_string(i), theme);
                    const ui::MarkStyle y = ui::styleOf("series/" + std::to_string(j), theme);
                    const bool shaped = x.fill.texture != y.fill.texture && x.marker != y.marker;
                    QVERIFY2(apart || shaped, qPrintable(QStringLiteral("%1 and %2 in theme %3: %4")
                                                             .arg(i)
                                                             .arg(j)
                                                             .arg(static_cast<int>(theme))
                                                             .arg(distanceOf(a, b))));
                }
            }
        }
    }

    void whatStandsTogetherDiffersWithoutItsColour() {
        for (const FigureTheme theme : {FigureTheme::paper, FigureTheme::greyPrint}) {
            for (const auto& together : company()) {
                for (std::size_t i = 0; i < together.size(); ++i) {
                    for (std::size_t j = 0; j < i; ++j) {
                        const auto a = ui::styleOf(together[i], theme).fill;
                        const auto b = ui::styleOf(together[j], theme).fill;
                        const double distance = std::abs(ui::greyOf(a.colour) - ui::greyOf(b.colour));
                        QVERIFY2(a.texture != b.texture || distance > 0.08,
                                 qPrintable(QStringLiteral("%1 and %2: same texture, %3 apart in grey")
                                                .arg(together[i].c_str(), together[j].c_str())
                                                .arg(distance)));
                    }
                }
            }
        }
    }

    // More than eight hues cannot be distinguished, so further series differ in texture.
    void noTwoOfFortyEightSeriesLookTheSame() {
        for (int i = 0; i < 48; ++i) {
            for (int j = 0; j < i; ++j)
                QVERIFY2(ui::styleOf("series/" + std::to_string(i), FigureTheme::paper).fill !=
                             ui::styleOf("series/" + std::to_string(j), FigureTheme::paper).fill,
                         std::to_string(i).c_str());
        }
    }

    void linesThatStandTogetherDifferByDashOrMarker() {
        for (const auto& together : company()) {
            for (std::size_t i = 0; i < together.size(); ++i) {
                for (std::size_t j = 0; j < i; ++j) {
                    if (together[i] == together[j] + "/light")
                        continue;  // lines are never drawn in a pale colour
                    const auto a = ui::styleOf(together[i], FigureTheme::greyPrint);
                    const auto b = ui::styleOf(together[j], FigureTheme::greyPrint);
                    QVERIFY2(a.line.dash != b.line.dash || a.marker != b.marker,
                             (together[i] + " and " + together[j]).c_str());
                }
            }
        }
    }

    void aMeaningHasTheWindowsHue() {
        const ui::Palette& light = ui::paletteOf(ui::Theme::light);
        const ui::Palette& dark = ui::paletteOf(ui::Theme::dark);
        QCOMPARE(ui::styleOf("gemm", FigureTheme::paper).fill.colour, light.of(ui::Role::gemm));
        QCOMPARE(ui::styleOf("policy/t3", FigureTheme::paper).line.colour, light.ofPolicy("t3"));
        QCOMPARE(ui::styleOf("cause/memory bandwidth", FigureTheme::paper).fill.colour,
                 ui::colourOf(engine::Cause::memory, light));
        QCOMPARE(ui::styleOf("policy/t3", FigureTheme::darkSlide).line.colour, dark.ofPolicy("t3"));
    }

    void greyPrintHasNoHueAtAll() {
        for (const std::string& name : meanings()) {
            const ui::MarkStyle style = ui::styleOf(name, FigureTheme::greyPrint);
            for (const QColor& colour : {style.fill.colour, style.fill.textureInk, style.line.colour})
                QVERIFY2(colour.saturation() <= 0, name.c_str());
        }
        QVERIFY(ui::heatColour(0.3, FigureTheme::greyPrint).saturation() <= 0);
    }

    void linesAreNeverThinnerThanPrintShows() {
        for (const FigureTheme theme : {FigureTheme::paper, FigureTheme::greyPrint, FigureTheme::darkSlide}) {
            QVERIFY(ui::styleOf(theme).axis.width >= 0.5);
            QVERIFY(ui::styleOf(theme).gridLine.width >= 0.5);
            for (const std::string& name : meanings())
                QVERIFY2(ui::styleOf(name, theme).line.width >= 0.5, name.c_str());
        }
    }

    void linesStandOutFromEveryBackground() {
        for (const FigureTheme theme : {FigureTheme::paper, FigureTheme::greyPrint, FigureTheme::darkSlide}) {
            const QColor page = ui::styleOf(theme).background;
            QVERIFY(ui::contrast(ui::styleOf(theme).ink, page) >= 12);
            for (const std::string& name : drawn())
                QVERIFY2(ui::contrast(ui::styleOf(name, theme).line.colour, page) >= 3, name.c_str());
        }
    }

    // Outlines have the colour of ink on paper, and the colour of the background on a slide.
    void whatIsFilledStandsOutFromEveryBackground() {
        for (const FigureTheme theme : {FigureTheme::paper, FigureTheme::greyPrint, FigureTheme::darkSlide}) {
            const QColor page = ui::styleOf(theme).background;
            for (const std::string& name : drawn()) {
                const ui::MarkStyle style = ui::styleOf(name, theme);
                QVERIFY2(ui::contrast(style.fill.colour, page) >= 3 || ui::contrast(style.outline.colour, page) >= 3,
                         name.c_str());
            }
        }
    }

    void levelsHaveTheColoursOfTheirOrderAndTheDashOfTheirPolicy() {
        const auto line = [](const char* name) { return ui::styleOf(name, FigureTheme::paper).line; };
        const auto colours = ui::orderedColours(5, Qt::white);
        QCOMPARE(line("level/0/5/0").colour, colours[0]);
        QCOMPARE(line("level/4/5/0").colour, colours[4]);
        QCOMPARE(line("level/4/5/1").colour, colours[4]);
        QVERIFY(line("level/4/5/1").dash != line("level/4/5/0").dash);
    }

    void heatGetsLighterOrDarkerAllTheWay() {
        for (int i = 1; i <= 100; ++i) {
            QVERIFY(ui::greyOf(ui::heatColour(i / 100.0, FigureTheme::paper)) >
                    ui::greyOf(ui::heatColour((i - 1) / 100.0, FigureTheme::paper)));
            QVERIFY(ui::greyOf(ui::heatColour(i / 100.0, FigureTheme::greyPrint)) <
                    ui::greyOf(ui::heatColour((i - 1) / 100.0, FigureTheme::greyPrint)));
        }
    }

    void lightIsTheSameThingPaler() {
        const QColor full = ui::styleOf("gemm", FigureTheme::paper).fill.colour;
        const QColor light = ui::styleOf("gemm/light", FigureTheme::paper).fill.colour;
        QVERIFY(ui::greyOf(light) > ui::greyOf(full) + 0.2);
        QVERIFY(std::abs(light.hsvHueF() - full.hsvHueF()) < 0.02);
    }

    // Slides and the dark theme of the window have the order of paper, so that one sentence describes all of them.
    void passesAreTintsOfTheGemmsHueFromDarkToLightOnEveryPage() {
        using ui::Theme;
        for (const ui::Ground ground :
             {ui::Ground(FigureTheme::paper), ui::Ground(FigureTheme::greyPrint), ui::Ground(FigureTheme::darkSlide),
              ui::Ground(Theme::light), ui::Ground(Theme::dark)}) {
            const auto greyOf = [&](const char* name) { return ui::greyOf(ui::styleOf(name, ground).fill.colour); };
            double before = 0;
            for (const char* name : {"backward-pass", "backward-pass/light", "forward-pass", "forward-pass/light"}) {
                QVERIFY2(greyOf(name) > before + 0.08, name);
                before = greyOf(name);
            }
            QCOMPARE(greyOf("weight-pass"), greyOf("backward-pass"));
            if (!ground.isGrey())
                QCOMPARE(ui::styleOf("backward-pass", ground).fill.colour, ui::styleOf("gemm", ground).fill.colour);
        }
    }

    void anUnknownMeaningLooksNeutral() {
        QCOMPARE(ui::styleOf("policy/none-such", FigureTheme::paper).fill,
                 ui::styleOf("neutral", FigureTheme::paper).fill);
    }
};

RINGSIDE_WINDOW_TEST(TestFigureStyle)
#include "tst_figure_style.moc"
