#include "tests/gallery_figures.h"
#include "tests/ui/latex.h"
#include "tests/ui/window_test.h"

#include "data/figure/figure_gallery.h"
#include "ui/figure/figure_bundle.h"

#include <QDir>
#include <QImage>
#include <QRegularExpression>
#include <QTemporaryDir>

using namespace tests;
using namespace ui;

namespace {

constexpr double kDpi = 75;
constexpr double kMostAway = 18;  // of 255: between the mean greys of two squares of the pages
constexpr int kSquare = 12;       // pixels

/// Returns the words that a figure shows, sorted.
QStringList sortedWords(const QString& text) {
    QStringList words =
        QString(text).replace(QChar(0x2212), u'-').split(QRegularExpression("[^A-Za-z0-9.%]+"), Qt::SkipEmptyParts);
    words.sort();
    return words;
}

QStringList wordsOf(const DisplayList& list) {
    QString all;
    for (const DisplayItem& item : list.items) {
        if (const auto* text = std::get_if<TextItem>(&item.shape))
            all += text->text + u' ';
    }
    return sortedWords(all);
}

/// Returns the mean difference between the greys of the squares of two pictures.
double awayFrom(const QImage& image, const QImage& wanted) {
    const QSize squares = wanted.size() / kSquare;
    const auto grey = [&](const QImage& picture) {
        return picture.convertToFormat(QImage::Format_RGB32)
            .scaled(squares, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    };
    const QImage a = grey(image), b = grey(wanted);
    double sum = 0;
    for (int y = 0; y < squares.height(); ++y) {
        for (int x = 0; x < squares.width(); ++x)
            sum += std::abs(qGray(a.pixel(x, y)) - qGray(b.pixel(x, y)));
    }
    return sum / squares.width() / squares.height();
}

}  // namespace

class TestGalleryTikz : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void inAPaperAFigureOfTheGalleryLooksAsItsPdf_data() {
        QTest::addColumn<QString>("paperClass");
        for (const char* paper : {"acmart", "IEEEtran", "article"})
            QTest::newRow(paper) << paper;
    }

    /// Compiles a sample of the gallery, a figure of each kind; all figures if $RINGSIDE_ALL_TIKZ is set (two minutes).
    void inAPaperAFigureOfTheGalleryLooksAsItsPdf() {
        QFETCH(QString, paperClass);
        if (!latexIsThere() || !isInstalled(paperClass + ".cls"))
            QSKIP(qPrintable("pdflatex with pgfplots and " + paperClass + " is not installed"));
        if (QStandardPaths::findExecutable("pdftoppm").isEmpty())
            QSKIP("pdftoppm of poppler-utils is not installed");
        GalleryFigures gallery(GalleryFigures::Use::reads);
        const QTemporaryDir folder;
        std::vector<ReadyFigure> figures;
        QByteArray pages;
        for (const data::GalleryEntry& entry : data::galleryEntries()) {
            static const QStringList kSample{"sublayer-speedup", "cu-split", "bank-groups"};
            if (!qEnvironmentVariableIsSet("RINGSIDE_ALL_TIKZ") &&
                !kSample.contains(QString::fromStdString(std::string(entry.name))))
                continue;
            figures.push_back(ready(gallery.figure(std::string(entry.name))));
            writeBundle(folder.path(), filesOf(figures.back(), {FigureFormat::tikz}));
            // A page is the figure's box, and nothing that the class puts onto pages.
            pages += "\\setbox0\\hbox{\\input{" + QByteArray::fromStdString(figures.back().spec.name) +
                     "-tikz.tex}}\\pdfpagewidth=\\wd0 \\pdfpageheight=\\dimexpr\\ht0+\\dp0\\relax\n"
                     "\\hoffset=-1in \\voffset=-1in \\shipout\\box0\n";
        }
        QVERIFY(figures.size() > 2);
        write(folder.filePath("paper.tex"), "\\documentclass{" + paperClass.toUtf8() + "}\n" +
                                                preambleFor(QString::fromUtf8(tikzOf(figures.front()))) +
                                                "\\begin{document}\n" + pages + "\\end{document}\n");
        QCOMPARE(complaintsOf(folder.path(), "paper.tex"), QString());
        const QString paper = folder.filePath("paper.pdf");
        saidBy("pdftoppm", {"-png", "-r", QString::number(kDpi), paper, folder.filePath("paper")});
        const QStringList pictures = QDir(folder.path()).entryList({"paper-*.png"}, QDir::Files, QDir::Name);
        QCOMPARE(pictures.size(), static_cast<qsizetype>(figures.size()));
        for (std::size_t i = 0; i < figures.size(); ++i) {
            const DisplayList& list = figures[i].laidOut.list;
            const char* name = figures[i].spec.name.c_str();
            const QImage image(folder.filePath(pictures[static_cast<qsizetype>(i)]));
            QVERIFY2(std::abs(image.width() - list.page.width() * kDpi / 72) < 2, name);
            QVERIFY2(std::abs(image.height() - list.page.height() * kDpi / 72) < 2, name);
            const double away = awayFrom(image, imageOf(figures[i], kDpi));
            QVERIFY2(away < kMostAway, qPrintable(QStringLiteral("%1: %2").arg(name).arg(away)));
            if (QStandardPaths::findExecutable("pdftotext").isEmpty())
                continue;
            const QString page = QString::number(i + 1);
            const QStringList shown = sortedWords(saidBy("pdftotext", {"-f", page, "-l", page, paper, "-"}));
            const QStringList wanted = wordsOf(list);
            QVERIFY2(std::abs(shown.size() - wanted.size()) <= 2 + wanted.size() / 20,
                     qPrintable(QStringLiteral("%1: %2 instead of %3").arg(name, shown.join(' '), wanted.join(' '))));
            if (qEnvironmentVariableIsSet("RINGSIDE_ALL_TIKZ"))
                qInfo("%s: %.1f, %d and %d words", name, away, int(shown.size()), int(wanted.size()));
        }
    }
};

RINGSIDE_WINDOW_TEST(TestGalleryTikz)
#include "tst_gallery_tikz.moc"
