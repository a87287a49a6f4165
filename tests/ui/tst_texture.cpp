#include "tests/ui/window_test.h"

#include "ui/look/texture.h"
#include "ui/look/tile_style.h"

#include <QImage>
#include <QPainter>

#include <array>
#include <cmath>

using data::TileState;
using ui::Fill;
using ui::Texture;
using ui::Theme;

namespace {

constexpr std::array kTextures{Texture::falling, Texture::rising, Texture::crossed, Texture::rows, Texture::dots};

using Rgb = std::array<double, 3>;

Rgb linear(const QColor& color) {
    const auto channel = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return {channel(color.redF()), channel(color.greenF()), channel(color.blueF())};
}

// Machado, Oliveira, Fernandes 2009, severity 1.
Rgb seenBy(const std::array<Rgb, 3>& eye, const Rgb& rgb) {
    Rgb seen{};
    for (std::size_t i = 0; i < 3; ++i)
        seen[i] = std::clamp(eye[i][0] * rgb[0] + eye[i][1] * rgb[1] + eye[i][2] * rgb[2], 0.0, 1.0);
    return seen;
}

const std::array<std::array<Rgb, 3>, 3> kEyes{{
    {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
    {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
    {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}},
}};

Rgb lab(const Rgb& rgb) {
    const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
    const double x = f((0.4124 * rgb[0] + 0.3576 * rgb[1] + 0.1805 * rgb[2]) / 0.95047);
    const double y = f(0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]);
    const double z = f((0.0193 * rgb[0] + 0.1192 * rgb[1] + 0.9505 * rgb[2]) / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double difference(const Rgb& a, const Rgb& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

}  // namespace

class TestTexture : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void noLineLeavesItsBox() {
        const QRectF box(13.5, 7.25, 41, 22.5);
        for (const Texture texture : kTextures) {
            const auto lines = ui::textureLines(texture, box, 6);
            QVERIFY(!lines.empty());
            for (const QLineF& line : lines) {
                for (const QPointF& end : {line.p1(), line.p2()})
                    QVERIFY(box.adjusted(-1e-9, -1e-9, 1e-9, 1e-9).contains(end));
            }
        }
    }

    void plainAndEmptyBoxesHaveNoLines() {
        QVERIFY(ui::textureLines(Texture::plain, QRectF(0, 0, 50, 50), 6).empty());
        QVERIFY(ui::textureLines(Texture::crossed, QRectF(5, 5, 0, 50), 6).empty());
    }

    void neighbouringBoxesContinueEachOther() {
        // A texture that is drawn at once must be the same as one drawn in four boxes that meet at odd positions.
        for (const Texture texture : kTextures) {
            const Fill fill{Qt::white, Qt::black, texture};
            QImage whole(60, 40, QImage::Format_RGB32);
            QImage parts(60, 40, QImage::Format_RGB32);
            QPainter first(&whole);
            ui::paintFill(first, QRectF(0, 0, 60, 40), fill, 8);
            first.end();
            QPainter second(&parts);
            for (const QRectF& box :
                 {QRectF(0, 0, 23, 17), QRectF(23, 0, 37, 17), QRectF(0, 17, 23, 23), QRectF(23, 17, 37, 23)}) {
                second.setClipRect(box);
                ui::paintFill(second, box, fill, 8);
            }
            second.end();
            double off = 0;
            for (int y = 0; y < 40; ++y) {
                for (int x = 0; x < 60; ++x)
                    off += std::abs(qGray(whole.pixel(x, y)) - qGray(parts.pixel(x, y))) / 255.0;
            }
            QVERIFY2(off / (60 * 40) < 0.02, qPrintable(QString::number(off)));
        }
    }

    void aStampRepeatsWithoutASeam() {
        for (const Texture texture : kTextures) {
            const QImage stamp = ui::fillStamp({Qt::white, Qt::black, texture}, 12);
            QCOMPARE(stamp.size(), QSize(12, 12));
            QImage sheet(36, 36, QImage::Format_RGB32);
            QPainter painter(&sheet);
            ui::paintFill(painter, sheet.rect(), {Qt::white, Qt::black, texture}, 12);
            painter.end();
            for (int y = 12; y < 24; ++y) {
                for (int x = 12; x < 24; ++x)
                    QCOMPARE(sheet.pixel(x, y), stamp.pixel(x % 12, y % 12));
            }
        }
    }

    void inGreyNoTwoStatesOfATileAreAlike() {
        for (const Theme theme : {Theme::light, Theme::dark}) {
            const ui::Palette& colors = ui::paletteOf(theme);
            for (const data::TileState a : ui::kAllTileStates) {
                for (const data::TileState b : ui::kAllTileStates) {
                    if (a >= b)
                        continue;
                    const Fill one = ui::fillOf(a, colors);
                    const Fill other = ui::fillOf(b, colors);
                    const QString pair = ui::TileWords().nameOf(a) + QStringLiteral(" / ") + ui::TileWords().nameOf(b);
                    QVERIFY2(ui::contrast(one.color, other.color) >= 1.2, qPrintable(pair));
                    // Colours of similar lightness need different textures.
                    QVERIFY2(ui::contrast(one.color, other.color) >= 1.5 || one.texture != other.texture,
                             qPrintable(pair));
                }
            }
        }
    }

    void everyKindOfColourVisionDistinguishesStates() {
        for (const Theme theme : {Theme::light, Theme::dark}) {
            for (const auto& eye : kEyes) {
                for (const data::TileState a : ui::kAllTileStates) {
                    for (const data::TileState b : ui::kAllTileStates) {
                        if (a >= b)
                            continue;
                        const Rgb one = lab(seenBy(eye, linear(ui::fillOf(a, ui::paletteOf(theme)).color)));
                        const Rgb other = lab(seenBy(eye, linear(ui::fillOf(b, ui::paletteOf(theme)).color)));
                        QVERIFY2(difference(one, other) > 11,
                                 qPrintable(QStringLiteral("%1 / %2: %3")
                                                .arg(ui::TileWords().nameOf(a), ui::TileWords().nameOf(b))
                                                .arg(difference(one, other))));
                    }
                }
            }
        }
    }

    void texturesAreSeenOnTheirColour() {
        for (const Theme theme : {Theme::light, Theme::dark}) {
            for (const data::TileState state : ui::kAllTileStates) {
                const Fill fill = ui::fillOf(state, ui::paletteOf(theme));
                if (fill.texture != Texture::plain)
                    QVERIFY2(ui::contrast(fill.color, fill.ink) >= 1.4, qPrintable(ui::TileWords().nameOf(state)));
            }
        }
    }
};

RINGSIDE_WINDOW_TEST(TestTexture)
#include "tst_texture.moc"
