#include "tests/ui/broken_figure.h"
#include "tests/ui/latex.h"
#include "tests/ui/sample_figure.h"
#include "tests/ui/sample_figures.h"
#include "tests/ui/window_test.h"

#include "ui/figure/figure_bundle.h"
#include "ui/figure/writer_parts.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>

using namespace ui;
using namespace tests;

namespace {

QString tikz(const data::FigureSpec& spec) { return QString::fromUtf8(tikzOf(ready(spec))); }

/// Returns areas with few points, because TeX takes long for each point.
data::FigureSpec shortAreas() {
    data::FigureSpec figure = tests::areas();
    figure.panels.resize(1);
    auto& mark = std::get<data::AreaMark>(figure.panels[0].marks[0]);
    mark.x.resize(6);
    for (data::FigureSeries& series : mark.series)
        series.values.resize(5);
    return figure;
}

/// Returns the mean colour of a picture in a box.
QColor meanIn(const QImage& image, const QRect& box) {
    qint64 sums[3]{}, count = 0;
    for (int y = box.top(); y <= box.bottom(); ++y) {
        for (int x = box.left(); x <= box.right(); ++x) {
            const QColor pixel = image.pixelColor(x, y);
            sums[0] += pixel.red();
            sums[1] += pixel.green();
            sums[2] += pixel.blue();
            ++count;
        }
    }
    return count == 0 ? QColor() : QColor(int(sums[0] / count), int(sums[1] / count), int(sums[2] / count));
}

/// Returns the bars whose colour in `image` is not that in the figure: "bar 3: #ffffff, not #6599c0".
QString wrongBars(const ReadyFigure& figure, const QImage& image, double dpi) {
    const QImage wanted = imageOf(figure, dpi);
    QStringList wrong;
    int number = 0;
    for (const DisplayItem& item : figure.laidOut.list.items) {
        const auto* bar = std::get_if<RectItem>(&item.shape);
        if (bar == nullptr || item.part != FigurePart::mark)
            continue;
        ++number;
        const double scale = dpi / 72;
        const QRectF box(bar->box.topLeft() * scale, bar->box.bottomRight() * scale);
        const QRect inside = box.toAlignedRect().adjusted(3, 3, -3, -3);
        if (inside.width() < 2 || inside.height() < 2)
            continue;
        const QColor a = meanIn(image, inside), b = meanIn(wanted, inside);
        const int away = std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue());
        if (away > 60)
            wrong << QStringLiteral("bar %1: %2, not %3").arg(number).arg(a.name(), b.name());
    }
    return number == 0 ? QStringLiteral("no bars") : wrong.join(QStringLiteral("; "));
}

}  // namespace

class TestTikzWriter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void lettersThatMeanSomethingToLatexAreEscaped() {
        QCOMPARE(latexText("100 % of $x_1^2 {a} & #3 ~ \\"),
                 "100 \\% of \\$x\\_1\\textasciicircum{}2 \\{a\\} \\& \\#3 \\textasciitilde{} \\textbackslash{}");
        QCOMPARE(latexText(QStringLiteral("T3-MCA × 1.3 – µs")), "T3{-}MCA $\\times$ 1.3 -- \\figuremicro{}s");
        QCOMPARE(latexText(QStringLiteral("é漢\n")), QStringLiteral("é??"));
    }

    void barsAreReadFromTheTableNotWrittenIntoTheDocument() {
        data::FigureSpec spec = tests::breakdown();
        const QString text = tikz(spec);
        QVERIFY(text.contains("\\figureread{breakdown.csv}"));
        QCOMPARE(text.count("\n\\addplot[ybar"), 8);  // two stacks of four
        std::get<data::BarMark>(spec.panels[0].marks[0]).bars[1].stack[0].values[2] = 0.3;
        QCOMPARE(tikz(spec), text);
    }

    void anAxisLiesExactlyWhereThePanelIs() {
        const ReadyFigure figure = ready(tests::errorBars());
        const QRectF plot = figure.laidOut.panels[0].plot;
        const QString text = QString::fromUtf8(tikzOf(figure));
        const QRegularExpression axis("at=\\{\\(([0-9.]+)bp,([0-9.]+)bp\\)\\},\\s*width=([0-9.]+)bp,"
                                      "\\s*height=([0-9.]+)bp");
        const QRegularExpressionMatch match = axis.match(text);
        QVERIFY(match.hasMatch());
        const double bottom = figure.laidOut.list.page.height() - plot.bottom();
        const QList<double> wanted{plot.left(), bottom, plot.width(), plot.height()};
        for (int i = 0; i < 4; ++i)
            QVERIFY(std::abs(match.captured(i + 1).toDouble() - wanted[i]) < 1e-3);
    }

    void whatFloatsHasBothSignsInAStackOrNoTableComesFromTheDisplayList() {
        data::FigureSpec spec = tests::breakdown();
        std::get<data::BarMark>(spec.panels[0].marks[0]).bars[0].stack[0].values[0] = -0.1;
        QVERIFY(!tikz(spec).contains("\\addplot"));
        for (const data::FigureSpec& drawn : {tests::drawing(), tests::waterfall()}) {
            QVERIFY(!tikz(drawn).contains("\\addplot"));
            QVERIFY(tikz(drawn).contains("\\path["));
        }
    }

    void aBrokenAxisIsAPlotOfItsTableWithTicksInItsUnits() {
        const ReadyFigure figure = ready(tests::broken());
        const QString text = QString::fromUtf8(tikzOf(figure));
        QVERIFY(text.contains("figure break={1.6}{7}{") && text.contains("\\figurebreak{"));
        QVERIFY(text.contains("\\figureread{broken.csv}") && text.contains("\\addplot[ybar"));
        QVERIFY(text.contains("ytick={0,8,10,12,"));  // and some for a longer axis
        QVERIFY(!text.contains("ytick distance"));
        // pgfplots draws bars from zero only where zero is not above the break.
        data::FigureSpec above = tests::broken();
        std::get<data::BarMark>(above.panels[0].marks[0]).bars[0].stack[0].values[2] = 1.3;
        above.panels[0].y.from = -10;
        above.panels[0].y.breakFrom = -9;
        above.panels[0].y.breakTo = -1;
        QVERIFY(!tikz(above).contains("\\addplot"));
        above.panels[0].y.breakFrom.reset();
        above.panels[0].y.breakTo.reset();
        QVERIFY(tikz(above).contains("\\addplot"));
    }

    void notesOfAnAuthorAreInTheUnitsOfTheAxes() {
        const QString text = tikz(tests::annotated());
        QVERIFY(text.contains("\\figureread{annotated.csv}") && text.count("\n\\addplot[ybar") == 2);
        // An arrow to a category follows the row of the category.
        QVERIFY2(text.contains("(figure note) -- (axis cs:{\\figureplace{150 GB/s}{}{1}},1.35);"), qPrintable(text));
        QVERIFY(text.contains("(axis cs:{\\figureplace{75 GB/s}{}{0}},1.5) -- (axis cs:"));
        QVERIFY(text.contains("\n\\figureband{") && text.contains("{memory}\n"));
        QCOMPARE(text.count("\n\\path["), 1);  // the page: nothing else is a shape
    }

    void aTimelineIsAnAxisWithTicksWhoseSpansComeFromTheTable() {
        data::FigureSpec spec = tests::timeline();
        const QString text = tikz(spec);
        QVERIFY(text.contains("\\figureread{timeline.csv}") && text.contains("\\figurespans{\\figuretableaa}"));
        QVERIFY(text.contains("yticklabels={{CUs},{DMA},{Link out},{CUs},{DMA},{Link out}}"));
        QVERIFY(text.contains("xtick distance=") && text.contains("\\figurelane{3}{GPU 1}{CUs}"));
        QVERIFY(!text.contains("rectangle (1"));
        std::get<data::TimelineMark>(spec.panels[0].marks[0]).spans[2].to = 77;
        QCOMPARE(tikz(spec), text);
    }

    void spansAndTicksOfATimelineFollowAnEditedTable() {
        if (!latexIsThere() || QStandardPaths::findExecutable("pdftoppm").isEmpty())
            QSKIP("pdflatex with standalone and pgfplots, or pdftoppm, is not installed");
        constexpr double kDpi = 150;
        const QTemporaryDir folder;
        data::FigureSpec spec = tests::timeline();
        writeBundle(folder.path(), filesOf(ready(spec), {FigureFormat::tikz}));
        // The last stage of GPU 1 takes three times as long, and the axis with it.
        auto& spans = std::get<data::TimelineMark>(spec.panels[0].marks[0]).spans;
        for (data::TimelineMark::Span& span : spans) {
            if (span.lane == 3 && span.from == 270)
                span.to = 510;
        }
        const ReadyFigure edited = ready(spec);
        writeBundle(folder.path(), filesOf(edited, {FigureFormat::csv}));
        QCOMPARE(complaintsOf(folder.path(), "timeline-tikz.tex"), QString());
        const QString pdf = folder.filePath("timeline-tikz.pdf");
        saidBy("pdftoppm", {"-png", "-singlefile", "-r", QString::number(kDpi), pdf, folder.filePath("edited")});
        QCOMPARE(wrongBars(edited, QImage(folder.filePath("edited.png")), kDpi), QString());
        QVERIFY(saidBy("pdftotext", {"-layout", pdf, "-"}).contains(QRegularExpression("400 +500")));
    }

    void aSpanWithoutALaneIsAnErrorThatNamesItsRow() {
        if (!latexIsThere())
            QSKIP("pdflatex with standalone and pgfplots is not installed");
        const QTemporaryDir folder;
        writeBundle(folder.path(), filesOf(ready(tests::timeline()), {FigureFormat::tikz}));
        QFile table(folder.filePath("timeline.csv"));
        QVERIFY(table.open(QIODevice::ReadOnly));
        QByteArray csv = table.readAll();
        table.close();
        write(table.fileName(), csv.replace("GPU 1,CUs,0,", "GPU 7,CUs,0,"));
        QCOMPARE(complaintsOf(folder.path(), "timeline-tikz.tex", {"-interaction=nonstopmode"}),
                 "! Package figure Error: Row 13 of the spans has no lane.");
    }

    void aTimelineTooLongForTexHasTheSpansThatPrintShows() {
        data::FigureSpec spec = tests::timeline();
        auto& mark = std::get<data::TimelineMark>(spec.panels[0].marks[0]);
        for (int i = 0; i < 20'000; ++i)
            mark.spans.push_back({1, 0.01 * i, 0.01 * i + 0.009, i % 300 < 200 ? "dma" : "link", ""});
        const ReadyFigure figure = ready(spec);
        const QString text = QString::fromUtf8(tikzOf(figure));
        QVERIFY(!text.contains("\\figureread{timeline.csv}") && text.contains("\\figurespans{\\figuretableaa}"));
        const auto drawn = std::ranges::count_if(figure.laidOut.list.items, [](const DisplayItem& item) {
            const auto* rect = std::get_if<RectItem>(&item.shape);
            return rect != nullptr && item.part == FigurePart::mark &&
                   (rect->pen || rect->box.width() < 3);  // no patch of a text
        });
        QCOMPARE(text.count("{GPU 0},{") + text.count("{GPU 1},{"), drawn);
        QVERIFY2(text.size() < 60'000, qPrintable(QString::number(text.size())));
        if (!latexIsThere())
            return;
        const QTemporaryDir folder;
        writeBundle(folder.path(), filesOf(figure, {FigureFormat::tikz}));
        QCOMPARE(complaintsOf(folder.path(), "timeline-tikz.tex"), QString());
    }

    void aTableWithACommaInACellStandsInTheDocumentBecauseTexCannotReadIt() {
        data::FigureSpec spec = tests::errorBars();
        QVERIFY(tikz(spec).contains("error-bars.csv}"));
        spec.panels[0].categories.labels[1] = "TP 8, fp16";
        const QString text = tikz(spec);
        QVERIFY(!text.contains("error-bars.csv}"));
        QVERIFY(text.contains("{TP 8, fp16},{8.2},{7.9},{8.6},{7.1}"));
    }

    void copiedLinesCompileInTheClassOfTheirSize() {
        struct Paper {
            const char *file, *options;
            data::FigureSize size;
        };
        for (const Paper& paper : {Paper{"acmart", "sigconf,nonacm", data::FigureSize::acmText},
                                   Paper{"IEEEtran", "conference", data::FigureSize::ieeeText},
                                   Paper{"article", "twocolumn", data::FigureSize::natureText}}) {
            QProcess process;
            process.start("kpsewhich", {QString(paper.file) + ".cls"});
            if (!latexIsThere() || !process.waitForFinished() || process.readAllStandardOutput().isEmpty())
                continue;
            const QTemporaryDir folder;
            data::FigureSpec spec = tests::speedups();
            spec.size = paper.size;
            spec.caption = "50 % in µs & more.";
            spec.alternative = "100 % of #1_a.";
            const ReadyFigure figure = ready(spec);
            writeBundle(folder.path(), filesOf(figure, {FigureFormat::pdf}));
            QFile file(folder.filePath("copied.tex"));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(
                QStringLiteral("\\documentclass[%1]{%2}\\usepackage{graphicx}\\begin{document}\n%3\\end{document}\n")
                    .arg(paper.options, paper.file, latexOf(spec, figure.laidOut.list.page.width()))
                    .toUtf8());
            file.close();
            QCOMPARE(complaintsOf(folder.path(), "copied.tex"), QString());
        }
    }

    void whereATableIsMissingTexSaysWhichAndEnds() {
        if (!latexIsThere())
            QSKIP("pdflatex with standalone and pgfplots is not installed");
        const QTemporaryDir folder;
        QFile figure(folder.filePath("error-bars-tikz.tex")), paper(folder.filePath("paper.tex"));
        QVERIFY(figure.open(QIODevice::WriteOnly) && paper.open(QIODevice::WriteOnly));
        figure.write(tikz(tests::errorBars()).toUtf8());
        paper.write("\\documentclass{article}\n" + preambleFor(tikz(tests::errorBars())) +
                    "\\begin{document}\n"
                    "\\def\\figurefolder{there/}\\input{error-bars-tikz.tex}\n"
                    "Behind.\\typeout{! the paper goes on}\n\\end{document}\n");
        figure.close();
        paper.close();
        const QString missing = "! Package figure error-bars Error: Its table '%1error-bars.csv' was not found.";
        // By default TeX asks questions after errors. At a terminal without a user it would wait for ever.
        for (const QStringList& how : {QStringList{}, QStringList{"-interaction=nonstopmode"}}) {
            QCOMPARE(complaintsOf(folder.path(), "error-bars-tikz.tex", how), missing.arg(QString()));
            QCOMPARE(complaintsOf(folder.path(), "paper.tex", how), missing.arg("there/") + "\n! the paper goes on");
        }
        QVERIFY(QDir(folder.path()).mkdir("there"));
        writeBundle(folder.filePath("there"), filesOf(ready(tests::errorBars()), {FigureFormat::csv}));
        QCOMPARE(complaintsOf(folder.path(), "paper.tex", {"-interaction=nonstopmode"}), "! the paper goes on");
    }

    void aFigureWithoutTablesNeedsNone() {
        QVERIFY(tikz(tests::errorBars()).contains("\\figureneeds{error-bars.csv}"));
        QVERIFY(!tikz(tests::drawing()).contains("figureneeds"));
    }

    // This test needs no LaTeX. Without a version, pgfplots reads the width of a bar in points: bars become hairlines.
    void aFigureBringsItsSettingsAndKeepsThemInItsGroup() {
        for (const data::FigureSpec& spec : {tests::breakdown(), tests::lines(), tests::drawing()}) {
            const QString text = tikz(spec);
            const qsizetype begin = text.indexOf("\\begin{tikzpicture}"), end = text.indexOf("\\end{tikzpicture}");
            const auto inGroup = [&](const char* setting) {
                const qsizetype at = text.indexOf(QLatin1String(setting));
                return text.count(QLatin1String(setting)) == 1 && at > begin && at < end;
            };
            QVERIFY(inGroup("\\pgfplotsset{compat=1.16}"));
            QVERIFY(inGroup("\\tikzset{figure text/.style="));
            QVERIFY(inGroup("\\def\\figuremicro{"));
            if (const qsizetype axis = text.indexOf("\\begin{axis}"); axis >= 0)
                QVERIFY(text.indexOf("compat=1.16") < axis);
            QVERIFY(!preambleFor(text).contains("compat"));
            QVERIFY(!text.contains("$\\mu$"));  // slanted
        }
    }

    void inAPaperWithTheLinesOfItsHeaderAFigureLooksAsItDoes_data() {
        QTest::addColumn<QString>("paperClass");
        for (const char* paper : {"acmart", "IEEEtran", "article"})
            QTest::newRow(paper) << paper;
    }
    void inAPaperWithTheLinesOfItsHeaderAFigureLooksAsItDoes() {
        QFETCH(QString, paperClass);
        if (!latexIsThere() || !isInstalled(paperClass + ".cls"))
            QSKIP(qPrintable("pdflatex with pgfplots and " + paperClass + " is not installed"));
        if (QStandardPaths::findExecutable("pdftoppm").isEmpty())
            QSKIP("pdftoppm of poppler-utils is not installed");
        constexpr double kDpi = 150;
        const QTemporaryDir folder;
        std::vector<ReadyFigure> figures;
        QByteArray pages;
        for (data::FigureSpec spec :
             {tests::breakdown(), tests::errorBars(), tests::speedups(1), tests::timeline(), tests::broken()}) {
            spec.panels[0].y.unit = "µs";
            figures.push_back(ready(spec));
            writeBundle(folder.path(), filesOf(figures.back(), {FigureFormat::tikz}));
            // A page is the figure's box, and nothing that the class puts onto pages.
            pages += "\\setbox0\\hbox{\\input{" + QByteArray::fromStdString(spec.name) +
                     "-tikz.tex}}\\pdfpagewidth=\\wd0 \\pdfpageheight=\\dimexpr\\ht0+\\dp0\\relax\n"
                     "\\hoffset=-1in \\voffset=-1in \\shipout\\box0\n";
        }
        write(folder.filePath("paper.tex"), "\\documentclass{" + paperClass.toUtf8() + "}\n" +
                                                preambleFor(tikz(figures.front().spec)) + "\\begin{document}\n" +
                                                pages + "\\end{document}\n");
        QCOMPARE(complaintsOf(folder.path(), "paper.tex"), QString());
        saidBy("pdftoppm",
               {"-png", "-r", QString::number(kDpi), folder.filePath("paper.pdf"), folder.filePath("paper")});
        for (std::size_t i = 0; i < figures.size(); ++i) {
            const QImage image(folder.filePath(QStringLiteral("paper-%1.png").arg(i + 1)));
            QVERIFY(std::abs(image.width() - figures[i].laidOut.list.page.width() * kDpi / 72) < 2);
            QCOMPARE(wrongBars(figures[i], image, kDpi), QString());
        }
        // The micro sign of mathematics, CMMI, is slanted.
        const QString fonts = saidBy("pdffonts", {folder.filePath("paper.pdf")});
        QVERIFY2(fonts.contains("Type 1") && !fonts.contains("CMMI"), qPrintable(fonts));
    }

    void thePlotsOfAPaperKeepTheSettingsOfThePaper() {
        if (!latexIsThere())
            QSKIP("pdflatex with standalone and pgfplots is not installed");
        const QTemporaryDir folder;
        writeBundle(folder.path(), filesOf(ready(tests::errorBars()), {FigureFormat::tikz}));
        const QByteArray told = "\\makeatletter\\typeout{! \\b@pgfplots@compat@bar@width@units, "
                                "\\meaning\\figuresize, \\meaning\\figuremicro}\\makeatother\n";
        write(folder.filePath("paper.tex"), "\\documentclass{article}\n" + preambleFor(tikz(tests::errorBars())) +
                                                "\\pgfplotsset{compat=1.3}\n\\begin{document}\n" + told +
                                                "\\input{error-bars-tikz.tex}\n" + told + "\\end{document}\n");
        QCOMPARE(complaintsOf(folder.path(), "paper.tex", {"-interaction=nonstopmode"}),
                 "! 1, undefined, undefined\n! 1, undefined, undefined");
    }

    void aColourHasTheNameOfWhatItMeans() {
        QVERIFY(tikz(tests::breakdown()).contains("\\definecolor{reduceScatter}{HTML}"));
        QVERIFY(tikz(tests::breakdown()).contains("\\definecolor{gemmLight}{HTML}"));
    }

    void labelsTicksAndRangesFollowAnEditedTable() {
        if (!latexIsThere() || QStandardPaths::findExecutable("pdftotext").isEmpty())
            QSKIP("pdflatex with standalone and pgfplots, or pdftotext, is not installed");
        const QTemporaryDir folder;
        const auto words = [&] {
            const QString complaints = complaintsOf(folder.path(), "links-tikz.tex");
            return complaints + saidBy("pdftotext", {"-layout", folder.filePath("links-tikz.pdf"), "-"});
        };
        writeBundle(folder.path(), filesOf(ready(links()), {FigureFormat::tikz}));
        static const QRegularExpression kBefore("75 GB/s +150 GB/s +300 GB/s"), kAfter("150 GB/s +300 GB/s +75 GB/s");
        QString text = words();
        QVERIFY2(text.contains(kBefore) && text.contains("1.5") && !text.contains("2.0"), qPrintable(text));
        // Two rows change places, and a value is larger than all before.
        QFile table(folder.filePath("links.csv"));
        QVERIFY(table.open(QIODevice::ReadOnly));
        QByteArray csv = table.readAll();
        table.close();
        csv.replace("75 GB/s,1.1,1.2\n", "").replace("300 GB/s,1.3,1.4\n", "300 GB/s,3.7,1.4\n75 GB/s,1.1,1.2\n");
        write(folder.filePath("links.csv"), csv);
        text = words();
        QVERIFY2(text.contains(kAfter) && text.contains("2.0") && !text.contains("1.5"), qPrintable(text));
        // A range that the author chose stays.
        data::FigureSpec fixed = links();
        fixed.panels[0].y.to = 1.5;
        writeBundle(folder.path(), filesOf(ready(fixed), {FigureFormat::tikz}));
        write(folder.filePath("links.csv"), csv);
        text = words();
        QVERIFY2(text.contains(kAfter) && text.contains("1.5") && !text.contains("2.0"), qPrintable(text));
    }

    void hostileTextsAreSetAsTheyAre() {
        if (!latexIsThere() || !isInstalled("lmodern.sty") || QStandardPaths::findExecutable("pdftotext").isEmpty())
            QSKIP("pdflatex with standalone, pgfplots and lmodern, or pdftotext, is not installed");
        for (const bool inFile : {true, false}) {
            const QTemporaryDir folder;
            data::FigureSpec spec = hostile();
            auto& labels = spec.panels[0].categories.labels;
            // A comma or a quote in any row puts the rows into the document.
            std::replace(labels.begin(), labels.end(), hostileTexts()[3],
                         std::string(inFile ? "<&;'|~^>" : "a,b;'c' d"));
            if (inFile)
                labels[1] = "=%s #1 open";
            writeBundle(folder.path(), filesOf(ready(spec), {FigureFormat::tikz}));
            QCOMPARE(tikz(spec).contains("\\figureread{hostile.csv}"), inFile);
            write(folder.filePath("paper.tex"),
                  "\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage{lmodern}\n" + preambleFor(tikz(spec)) +
                      "\\begin{document}\\noindent\n"
                      "\\input{hostile-tikz.tex}\n\\end{document}\n");
            QCOMPARE(complaintsOf(folder.path(), "paper.tex"), QString());
            const QString text = saidBy("pdftotext", {"-layout", folder.filePath("paper.pdf"), "-"});
            // Quotation marks become those of the language.
            static const QRegularExpression kLeftOut(QStringLiteral("[\\s'\"\u2018\u2019\u201c\u201d]"));
            QVERIFY2(!text.contains("'=") && !text.contains(QStringLiteral("\u2019=")), qPrintable(text));
            for (const std::string& label : labels)
                QVERIFY2(QString(text).remove(kLeftOut).contains(QString::fromStdString(label).remove(kLeftOut)),
                         (label + " is not in " + text.toStdString()).c_str());
        }
    }

    void onADarkPageTextsAreLight() {
        data::FigureSpec spec = breakdown();
        spec.theme = data::FigureTheme::darkSlide;
        const QString text = tikz(spec);
        QVERIFY(text.contains("/.style={inner sep=0pt,outer sep=0pt,font=\\figureface,text=ink}"));
        static const QRegularExpression kInk("\\\\definecolor\\{ink\\}\\{HTML\\}\\{([0-9A-F]{6})\\}");
        QVERIFY(QColor('#' + kInk.match(text).captured(1)).lightnessF() > 0.8);
    }

    void everyFigureCompilesOnPagesOfItsSize() {
        if (!latexIsThere())
            QSKIP("pdflatex with standalone and pgfplots is not installed");
        // One document contains all figures. Each is on a page of its own with \input, which is tested as well.
        const QTemporaryDir folder;
        QString pages;
        std::vector<data::FigureSpec> specs{tests::breakdown(), tests::errorBars(), tests::lines(),
                                            shortAreas(),       tests::boxes(),     tests::heat(),
                                            tests::timeline(),  tests::annotated()};
        specs[0].panels[0].categories.labels[0] = "100 % & #1_a, quoted";
        specs[1].panels[0].categories.labels[0] = "100 % & #1_a";
        for (const data::FigureSpec& spec : specs) {
            writeBundle(folder.path(), filesOf(ready(spec), {FigureFormat::tikz}));
            pages += "\\input{" + QString::fromStdString(spec.name) + "-tikz.tex}\n";
        }
        const ReadyFigure sample = tests::sampleFigure();
        writeBundle(folder.path(), filesOf(sample, {FigureFormat::tikz}));
        pages += "\\input{sample-tikz.tex}\n";
        QFile file(folder.filePath("paper.tex"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("\\documentclass[multi=tikzpicture,border=0pt]{standalone}\n" + preambleFor(tikz(specs[0])) +
                   "\\begin{document}\n" + pages.toUtf8() + "\\end{document}\n");
        file.close();
        QCOMPARE(complaintsOf(folder.path(), "paper.tex"), QString());
        QCOMPARE(complaintsOf(folder.path(), "sample-tikz.tex"), QString());
        if (QStandardPaths::findExecutable("pdfinfo").isEmpty())
            return;
        QProcess process;
        process.start("pdfinfo", {"-l", "100", folder.filePath("paper.pdf")});
        QVERIFY(process.waitForFinished());
        const QString info = QString::fromLatin1(process.readAllStandardOutput());
        QCOMPARE(info.count(QRegularExpression("Page +[0-9]+ size: +240 x ")), int(specs.size()) + 1);
        QVERIFY(info.contains(QRegularExpression("size: +240 x 120 pts")));
    }
};

RINGSIDE_WINDOW_TEST(TestTikzWriter)
#include "tst_tikz_writer.moc"
