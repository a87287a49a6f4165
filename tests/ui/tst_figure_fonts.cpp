#include "tests/ui/sample_figures.h"
#include "tests/ui/window_test.h"

#include "data/figure/figure_document.h"
#include "data/figure/figure_edits.h"
#include "data/figure/figure_size.h"
#include "ui/drawing/figure_layout.h"
#include "ui/drawing/figure_text.h"
#include "ui/figure/figure_bundle.h"
#include "ui/figure/figure_lint.h"
#include "ui/figure/figure_writers.h"

#include <QFile>
#include <QFontInfo>
#include <QProcess>
#include <QRawFont>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <set>

using namespace ui;
using data::FigureFont;

// A figure in the font of its paper: measured, drawn and embedded.

namespace {

data::FigureSpec inFont(data::FigureSpec figure, FigureFont font) {
    figure.font = font;
    return figure;
}

}  // namespace

class TestFigureFonts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyFontIsBundledInAllWeightsAndNeverReplaced() {
        for (const data::FigureFontPreset& preset : data::figureFonts()) {
            for (const TextWeight weight : {TextWeight::regular, TextWeight::semiBold, TextWeight::bold}) {
                const QFont font = figureFont(preset.font, weight);
                QCOMPARE(QFontInfo(font).family().toStdString(), std::string(preset.family));
                QVERIFY(!figureFontFile(preset.font, weight).isEmpty());
                QVERIFY(!trueTypeFile(preset.font, weight).isEmpty());
            }
        }
    }

    void everyFontHasTheLettersOfFigures() {
        const QString letters = QStringLiteral("AZaz09ÄÖÜäöüßéñ.,:;()[]%&/+=<>\u2212±×·µΔσ–—‘’“”…≈≠≤≥→←↑↓∞√°²³");
        for (const data::FigureFontPreset& preset : data::figureFonts()) {
            for (const TextWeight weight : {TextWeight::regular, TextWeight::semiBold, TextWeight::bold}) {
                const QRawFont font = QRawFont::fromFont(figureFont(preset.font, weight));
                for (const uint letter : letters.toUcs4())
                    QVERIFY2(font.supportsCharacter(letter),
                             qPrintable(QString::fromUcs4(reinterpret_cast<const char32_t*>(&letter), 1)));
            }
        }
    }

    void widthsAreThoseOfTheFontsOfPapers() {
        // Adobe's metrics of Times-Roman and Helvetica, and those of Linux Libertine O; in thousandths of the size.
        const auto width = [](FigureFont font, const char* text, TextWeight weight = TextWeight::regular) {
            return textWidth(QString::fromUtf8(text), {1000, font}, weight);
        };
        const auto equal = [](double a, double b) { return std::abs(a - b) < 1.5; };
        QVERIFY(equal(width(FigureFont::times, "0"), 500));
        QVERIFY(equal(width(FigureFont::times, "a"), 444));
        QVERIFY(equal(width(FigureFont::times, "M"), 889));
        QVERIFY(equal(width(FigureFont::times, "a", TextWeight::bold), 500));
        QVERIFY(equal(width(FigureFont::helvetica, "0"), 556));
        QVERIFY(equal(width(FigureFont::helvetica, "a"), 556));
        QVERIFY(equal(width(FigureFont::helvetica, "M"), 833));
        QVERIFY(equal(width(FigureFont::helvetica, "m", TextWeight::semiBold), 889));  // that of Helvetica Bold
        QVERIFY(equal(width(FigureFont::libertine, "0"), 465));
        QVERIFY(equal(width(FigureFont::libertine, "a"), 457));
        QVERIFY(width(FigureFont::times, "Speed-up over sequential") <
                width(FigureFont::ringsideSans, "Speed-up over sequential"));
    }

    void aFigureIsLaidOutInItsFontAndNothingLeavesThePage() {
        for (const data::FigureFontPreset& preset : data::figureFonts()) {
            for (const data::FigureSpec& sample : tests::sampleFigures()) {
                const LaidOutFigure laidOut = layOut(inFont(sample, preset.font));
                const QRectF page(QPointF(0, 0), laidOut.list.page);
                for (const DisplayItem& item : laidOut.list.items) {
                    const auto* text = std::get_if<TextItem>(&item.shape);
                    if (text == nullptr || sample.name == "hostile")
                        continue;
                    const bool drawn = item.part == FigurePart::mark && sample.name == "drawing";
                    QCOMPARE(text->size.font, drawn ? FigureFont::ringsideSans : preset.font);
                    QVERIFY2(page.adjusted(-0.1, -0.1, 0.1, 0.1).contains(text->box()),
                             qPrintable(QString::fromStdString(sample.name) + ": " + text->text));
                }
            }
        }
    }

    void theFontIsAnEditThatTheDocumentKeeps() {
        const data::FigureSpec plain = tests::speedups();
        const data::FigureSpec changed = inFont(plain, FigureFont::libertine);
        QVERIFY(data::editsBetween(plain, changed) == std::vector<std::string>{"font=libertine"});
        const data::FigureReading again = data::readFigure(data::writeFigure(changed), "spec.json");
        QVERIFY(again.figure && again.problems.empty());
        QCOMPARE(again.figure->font, FigureFont::libertine);
        QVERIFY(data::writeFigure(plain).find("\"font\"") == std::string::npos);  // as files of today
    }

    void filesEmbedTheFontAndNoOther() {
        const ReadyFigure figure = ready(inFont(tests::speedups(), FigureFont::times));
        const QString svg = QString::fromUtf8(svgOf(figure));
        QVERIFY(svg.contains("Ringside Serif&quot;; font-weight: 400; src: url(data:font/ttf;base64,") ||
                svg.contains("Ringside Serif\"; font-weight: 400; src: url(data:font/ttf;base64,"));
        QVERIFY(!svg.contains("Ringside Sans"));
        QStringList names;
        for (const FigureFile& file : filesOf(figure, {FigureFormat::python}))
            names << file.name;
        QVERIFY2(names.contains("RingsideSerif-Regular.ttf") && names.contains("RingsideSerif-OFL.txt"),
                 qPrintable(names.join(u' ')));
        QVERIFY(!names.join(u' ').contains("RingsideSans"));
        if (QStandardPaths::findExecutable("pdffonts").isEmpty())
            QSKIP("pdffonts is not installed");
        QTemporaryDir folder;
        QFile file(folder.filePath("figure.pdf"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(pdfOf(figure));
        file.close();
        QProcess reader;
        reader.start(QStringLiteral("pdffonts"), {file.fileName()});
        QVERIFY(reader.waitForFinished());
        const QStringList lines =
            QString::fromUtf8(reader.readAllStandardOutput()).split('\n', Qt::SkipEmptyParts).mid(2);
        QVERIFY(!lines.isEmpty());
        for (const QString& line : lines)
            QVERIFY2(line.startsWith("RingsideSerif"), qPrintable(line));
    }

    void texUsesTheSerifOrTheSansSerifOfThePaper() {
        const auto face = [](FigureFont font) {
            const QByteArray tex = tikzOf(ready(inFont(tests::speedups(), font)));
            return tex.contains("\\def\\figureface{\\rmfamily}")   ? "rm"
                   : tex.contains("\\def\\figureface{\\sffamily}") ? "sf"
                                                                   : "";
        };
        QCOMPARE(face(FigureFont::ringsideSans), "sf");
        QCOMPARE(face(FigureFont::helvetica), "sf");
        QCOMPARE(face(FigureFont::libertine), "rm");
        QCOMPARE(face(FigureFont::times), "rm");
    }

    void aCaptionMaySpeakOfErrorBarsOnlyIfThereAreSome() {
        data::FigureSpec figure = tests::errorBars();
        figure.caption = "Error bars are 95 % intervals.";
        const auto says = [](const data::FigureSpec& one) {
            const std::vector<LintFinding> findings = lint(one, layOut(one));
            return std::any_of(findings.begin(), findings.end(),
                               [](const LintFinding& finding) { return finding.rule == LintRule::noErrorBars; });
        };
        QVERIFY(!says(figure));
        QVERIFY(!data::applyEdit(figure, "errors=hidden"));
        QVERIFY(says(figure));
        figure.caption = "Means.";
        QVERIFY(!says(figure));
    }

    void axesThatAreNotSharedAreNamedInEveryPanel() {
        data::FigureSpec figure = tests::speedups();
        figure.panels = {figure.panels.front(), figure.panels.front()};
        figure.columns = 1;
        const auto titles = [&] {
            std::set<std::size_t> panels;
            for (const DisplayItem& item : layOut(figure).list.items) {
                const auto* text = std::get_if<TextItem>(&item.shape);
                if (text != nullptr && item.part == FigurePart::title && text->angle != 0)
                    panels.insert(item.panel.value_or(0));
            }
            return panels.size();
        };
        QCOMPARE(titles(), std::size_t{1});
        figure.shared = false;
        QCOMPARE(titles(), std::size_t{2});
    }

    void thePictureOfAViewKeepsItsFontAndTheLintSaysSo() {
        const auto says = [](FigureFont font) {
            const data::FigureSpec figure = inFont(tests::drawing(), font);
            const std::vector<LintFinding> findings = lint(figure, layOut(figure));
            return std::any_of(findings.begin(), findings.end(),
                               [](const LintFinding& finding) { return finding.rule == LintRule::mixedFonts; });
        };
        QVERIFY(!says(FigureFont::ringsideSans));
        QVERIFY(says(FigureFont::times));
    }
};

RINGSIDE_WINDOW_TEST(TestFigureFonts)
#include "tst_figure_fonts.moc"
