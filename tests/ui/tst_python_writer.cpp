#include "tests/ui/broken_figure.h"
#include "tests/ui/sample_figure.h"
#include "tests/ui/sample_figures.h"
#include "tests/ui/window_test.h"

#include "ui/figure/figure_bundle.h"
#include "ui/figure/python_plot.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>

using namespace ui;

namespace {

QString python(const data::FigureSpec& spec) { return QString::fromUtf8(pythonOf(ready(spec))); }

/// Returns the first Python that has matplotlib.
QString interpreter() {
    for (const char* candidate : {"python3", "/usr/bin/python3"}) {
        QProcess process;
        process.start(candidate, {"-c", "import matplotlib"});
        if (process.waitForFinished() && process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0)
            return candidate;
    }
    return {};
}

QString said(const QString& program, const QStringList& arguments, const QString& folder) {
    QProcess process;
    process.setWorkingDirectory(folder);
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(program, arguments);
    process.waitForFinished(60'000);
    return QString::fromUtf8(process.readAll());
}

/// Runs the script of a bundle and returns what its first axes show.
QString read(const QString& name, const QString& program, const QTemporaryDir& folder) {
    static const char* const kDriver =
        "import runpy, sys\n"
        "sys.stdout.reconfigure(encoding='utf-8')\n"
        "figure = runpy.run_path(sys.argv[1] + '.py')['figure']\n"
        "axes = figure.axes[0]\n"
        "def labels(axis):\n"
        "    low, high = sorted(axis.get_view_interval())\n"
        "    return ' | '.join(tick.label1.get_text().replace('\\n', ' ') for tick in axis.get_major_ticks()\n"
        "                      if low <= tick.get_loc() <= high)\n"
        "print('x:', labels(axes.xaxis))\n"
        "print('y:', labels(axes.yaxis))\n"
        "print('tops:', *(round(bar.get_y() + bar.get_height(), 6) for bars in axes.containers[::2] for bar in bars))\n"
        "places = dict(zip(axes.get_xticks(), (tick.get_text() for tick in axes.get_xticklabels())))\n"
        "for lines in axes.collections:\n"
        "    (left, value), (right, _) = lines.get_segments()[0]\n"
        "    print('marks:', value, 'at', places.get(round((left + right) / 2, 3)))\n"
        "print('legend:', ' | '.join(text.get_text() for one in figure.legends for text in one.get_texts()))\n";
    return said(program, {"-c", kDriver, name}, folder.path());
}

/// Replaces texts in a file; each must be there once.
void edit(const QString& path, const std::vector<std::pair<QString, QString>>& changes) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadWrite));
    QString text = QString::fromUtf8(file.readAll());
    for (const auto& [from, to] : changes) {
        QCOMPARE(text.count(from), 1);
        text.replace(from, to);
    }
    file.resize(0);
    file.write(text.toUtf8());
}

}  // namespace

class TestPythonWriter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void textBecomesALiteralThatPythonReadsBack() {
        QCOMPARE(pythonText(QStringLiteral("a \"b\" \\ µ\n")), QStringLiteral("\"a \\\"b\\\" \\\\ µ\\u000a\""));
        QCOMPARE(pythonNumber(std::numeric_limits<double>::quiet_NaN()), "math.nan");
    }

    void numbersAreReadFromTheTable() {
        data::FigureSpec spec = tests::breakdown();
        const QString text = python(spec);
        QVERIFY(text.contains("table = read(\"breakdown.csv\")"));
        std::get<data::BarMark>(spec.panels[0].marks[0]).bars[1].stack[0].values[2] = 0.3;
        QCOMPARE(python(spec), text);
    }

    void floatingBarsBeginWhereTheTableSays() {
        data::FigureSpec spec = tests::waterfall();
        QVERIFY(python(spec).contains(", column(table, 1))\nstack.add(column(table, 2), header(table, 2), "));
        auto& bars = std::get<data::BarMark>(spec.panels[0].marks[0]).bars;
        bars[0].stack.push_back(tests::seriesOf("More", "series/1", {3.0, 5.0, 2.0}));
        QVERIFY(python(spec).contains(
            "\nstack.add(column(table, 3), header(table, 3, \"Change: \"), "));  // parts go both ways
    }

    void aDrawingAndATableThatDoesNotTellTheOrderAreDrawnAsShapes() {
        QVERIFY(!python(tests::drawing()).contains("read("));
        QVERIFY(python(tests::drawing()).contains("\naxes = page()\n"));
        data::FigureSpec spec = tests::heat();
        QVERIFY(python(spec).contains("heat(axes, table, "));
        spec.panels[0].categories.labels[1] = spec.panels[0].categories.labels[0];
        QVERIFY(!python(spec).contains("heat(axes, table, "));
    }

    void notesOfAnAuthorAreInTheUnitsOfTheAxesAndFollowTheirCategories() {
        const QString text = python(tests::annotated());
        QVERIFY(text.contains("table = read(\"annotated.csv\")") && !text.contains("\naxes = page()\n"));
        QVERIFY(text.contains("\npointer(axes, \"link-bound\", ("));
        QVERIFY(text.contains(", head=4)") && text.contains("\nband(axes, ") &&
                text.contains("\npointer(axes, \"\", ("));
        const QString program = interpreter();
        if (program.isEmpty())
            QSKIP("no Python with matplotlib is installed");
        const QTemporaryDir folder;
        writeBundle(folder.path(), filesOf(ready(tests::annotated()), {FigureFormat::python}));
        const QString heads = "import runpy\nfigure = runpy.run_path('annotated.py')['figure']\n"
                              "print([(round(float(one.xy[0]), 3), round(one.xy[1], 3))\n"
                              "       for one in figure.axes[0].texts if getattr(one, 'arrow_patch', None)])\n";
        QCOMPARE(said(program, {"-c", heads}, folder.path()), "[(1.0, 1.35), (2.0, 1.6), (0.0, 1.15)]\n");
        // The row of the category that the arrow points at becomes the last one.
        edit(folder.filePath("annotated.csv"),
             {{"150 GB/s,1.2,1.3\n", ""}, {"300 GB/s,1.3,1.4\n", "300 GB/s,1.3,1.4\n150 GB/s,1.2,1.3\n"}});
        QCOMPARE(said(program, {"-c", heads}, folder.path()), "[(2.0, 1.35), (1.0, 1.6), (0.0, 1.15)]\n");
    }

    void aScriptHasTheFunctionsThatItNeedsAlone() {
        QVERIFY(python(tests::breakdown()).contains("\nclass Stack:") &&
                !python(tests::breakdown()).contains("def heat"));
        QVERIFY(python(tests::heat()).contains("\ndef heat(") && !python(tests::heat()).contains("class Stack"));
    }

    void coloursStandInOneDictionaryByWhatTheyMean() {
        const QString text = python(tests::breakdown());
        QVERIFY(text.contains(QRegularExpression("\n    \"reduceScatter\": \"#[0-9a-f]{6}\",\n")));
        QCOMPARE(text.count(QRegularExpression("#[0-9a-f]{6}\"")),
                 text.count(QRegularExpression("\n    \"[A-Za-z0-9]+\": \"#")));
    }

    void aSeriesNameWithALineBreakStaysInItsComment() {
        data::FigureSpec spec = tests::breakdown();
        std::get<data::BarMark>(spec.panels[0].marks[0]).bars[0].stack[0].name = "a\nimport os";
        spec.title = "b\r\nimport os";
        QVERIFY(!python(spec).contains(QRegularExpression("(^|[\r\n]) *import os")));
    }

    void inTheFontThatComesWithMatplotlibNothingIsCutOff() {
        const QString program = interpreter();
        if (program.isEmpty())
            QSKIP("no Python with matplotlib is installed");
        const QTemporaryDir folder;
        QString all;
        for (const ReadyFigure& figure : {tests::sampleFigure(), ready(tests::breakdown()), ready(tests::heat()),
                                          ready(tests::timeline()), ready(tests::speedups())}) {
            writeBundle(folder.path(), filesOf(figure, {FigureFormat::python}));
            all += QStringLiteral("check(\"%1.py\")\n").arg(QString::fromStdString(figure.spec.name));
        }
        QVERIFY(QFile::remove(folder.filePath("RingsideSans-Regular.ttf")));
        // DejaVu Sans is wider than the font that figures are laid out for.
        const QString check = "import runpy\n"
                              "from matplotlib import font_manager\n"
                              "fonts = font_manager.fontManager\n"
                              "fonts.ttflist = [one for one in fonts.ttflist if one.name == 'DejaVu Sans']\n"
                              "def check(script):\n"
                              "    made = runpy.run_path(script)\n"
                              "    figure, fit = made['figure'], made['FIT']\n"
                              "    box, wide, high = figure.get_tightbbox(figure.canvas.get_renderer()), "
                              "*figure.get_size_inches()\n"
                              "    assert 0.7 < fit < 1, (script, fit)\n"
                              "    assert box.x0 > -1 / 72 and box.y0 > -1 / 72, (script, box)\n"
                              "    assert box.x1 < wide + 1 / 72 and box.y1 < high + 1 / 72, (script, box)\n";
        const QString output = said(program, {"-c", check + all + "print(\"all done\")"}, folder.path());
        QVERIFY2(output.endsWith("all done\n"), qPrintable(output));
    }

    void labelsTicksAndRangesFollowAnEditedTable() {
        const QString program = interpreter();
        if (program.isEmpty())
            QSKIP("no Python with matplotlib is installed");
        const QTemporaryDir folder;
        data::FigureSpec links = tests::links();
        writeBundle(folder.path(), filesOf(ready(links), {FigureFormat::python}));
        QCOMPARE(read("links", program, folder),
                 "x: 75 GB/s | 150 GB/s | 300 GB/s\ny: 0 | 0.5 | 1.0 | 1.5\ntops: 1.1 1.2 1.3 1.2 1.3 1.4\n"
                 "marks: 1.25 at 300 GB/s\nlegend: T3 | T3-MCA | Published\n");
        // Two rows change places, a value is larger than all before, and a series has another name.
        edit(folder.filePath("links.csv"), {{"75 GB/s,1.1,1.2\n", ""},
                                            {"300 GB/s,1.3,1.4\n", "300 GB/s,3.7,1.4\n75 GB/s,1.1,1.2\n"},
                                            {"T3-MCA", "\"Ours, \"\"new\"\" $x$\""}});
        QCOMPARE(read("links", program, folder),
                 "x: 150 GB/s | 300 GB/s | 75 GB/s\ny: 0 | 2 | 4\ntops: 1.2 3.7 1.1 1.3 1.4 1.2\n"
                 "marks: 1.25 at 300 GB/s\nlegend: T3 | Ours, \"new\" $x$ | Published\n");
        // A range that the author chose stays.
        links.panels[0].y.to = 1.5;
        writeBundle(folder.path(), filesOf(ready(links), {FigureFormat::python}));
        edit(folder.filePath("links.csv"), {{"1.3,1.4", "3.7,1.4"}});
        QVERIFY(read("links", program, folder).contains("\ny: 0 | 0.5 | 1.0 | 1.5\n"));
    }

    void aBrokenAxisHasTheTicksAndHeightsOfThePage() {
        const ReadyFigure figure = ready(tests::broken());
        const QString text = QString::fromUtf8(pythonOf(figure));
        QVERIFY(text.contains("\nleave_out(axes, 1.6, 7, ") && text.contains("\nmark_break(axes, "));
        QVERIFY(text.contains("table = read(\"broken.csv\")") && !text.contains("\naxes = page()\n"));
        QVERIFY(!python(tests::links()).contains("leave_out"));
        const QString program = interpreter();
        if (program.isEmpty())
            QSKIP("no Python with matplotlib is installed");
        const QTemporaryDir folder;
        writeBundle(folder.path(), filesOf(figure, {FigureFormat::python}));
        const QString output = read("broken", program, folder);
        QVERIFY2(output.contains("\ny: 0 | ") && output.contains("\ntops: 1.1 1.2 8.3 1.2 1.3 1.4\n"),
                 qPrintable(output));
        const QString shares = "import runpy\naxes = runpy.run_path('broken.py')['figure'].axes[0]\n"
                               "for y in (0, 1.4, 1.6, 3, 7, 8.3):\n"
                               "    at = axes.transAxes.inverted().transform(axes.transData.transform((0, y)))\n"
                               "    print(round(at[1], 4))\n";
        QStringList wanted;
        for (const double y : {0.0, 1.4, 1.6, 3.0, 7.0, 8.3})
            wanted << QString::number(std::round(*shareOf(figure.laidOut.panels[0].y, y) * 1e4) / 1e4);
        QStringList found;
        for (const QString& line : said(program, {"-c", shares}, folder.path()).split('\n', Qt::SkipEmptyParts))
            found << QString::number(line.toDouble());
        QCOMPARE(found, wanted);
        // A higher bar makes the axis longer, and the ticks go on.
        edit(folder.filePath("broken.csv"), {{"8.3", "12.3"}});
        QVERIFY(read("broken", program, folder).contains(QRegularExpression("y: 0 [^\n]*\\| 12")));
    }

    void anotherRangeAlongXHasItsTicks() {
        const QString program = interpreter();
        if (program.isEmpty())
            QSKIP("no Python with matplotlib is installed");
        const QTemporaryDir folder;
        data::FigureSpec lines = tests::areas();
        lines.panels.resize(1);
        writeBundle(folder.path(), filesOf(ready(lines), {FigureFormat::python}));
        QVERIFY(read("areas", program, folder).startsWith("x: 0 | 50 | 100 | 150 | 200 | 250 | 300\n"));
        edit(folder.filePath("areas.csv"), {{"\n300,", "\n30000,"}});
        QVERIFY(read("areas", program, folder).startsWith("x: 0 | 5k | 10k | 15k | 20k | 25k | 30k\n"));
    }

    void aCellThatIsNoNumberIsNamedWithItsLine() {
        const QString program = interpreter();
        if (program.isEmpty())
            QSKIP("no Python with matplotlib is installed");
        const QTemporaryDir folder;
        writeBundle(folder.path(), filesOf(ready(tests::links()), {FigureFormat::python}));
        edit(folder.filePath("links.csv"), {{"150 GB/s,1.2", "150 GB/s,\"1,2\""}});
        const QString output = said(program, {"links.py"}, folder.path());
        QCOMPARE(output,
                 "links.csv, line 3: the column 'T3' takes numbers and empty cells: could not convert string to "
                 "float: '1,2'\n");
        QVERIFY(!QFile::exists(folder.filePath("links-matplotlib.pdf")));
    }

    void hostileTextsAreWrittenAsTheyAre() {
        const QString program = interpreter();
        if (program.isEmpty())
            QSKIP("no Python with matplotlib is installed");
        const QTemporaryDir folder;
        writeBundle(folder.path(), filesOf(ready(tests::hostile()), {FigureFormat::python}));
        const QString output = read("hostile", program, folder);
        const std::vector<std::string> texts = tests::hostileTexts();
        for (std::size_t i = 0; i < texts.size(); ++i) {
            const QString text = QString::fromStdString(texts[i]);
            const QString where = i == 5 ? QStringLiteral("legend: ") : QStringLiteral("x: ");
            const QStringList lines = output.split('\n').filter(QRegularExpression('^' + where));
            QVERIFY2(lines.size() == 1 && lines.front().mid(where.size()).split(" | ").contains(text),
                     qPrintable(text + " is not in " + output));
        }
        QVERIFY(!QFile::exists(folder.filePath("owned")));
    }

    void everyFiguresScriptWritesAPageOfItsSizeWithoutType3() {
        const QString program = interpreter();
        if (program.isEmpty())
            QSKIP("no Python with matplotlib is installed");
        const QTemporaryDir folder;
        QString all;
        std::vector<ReadyFigure> figures{tests::sampleFigure()};
        for (const data::FigureSpec& spec : {tests::breakdown(), tests::errorBars(), tests::lines(), tests::areas(),
                                             tests::waterfall(), tests::boxes(), tests::heat(), tests::timeline(),
                                             tests::speedups(), tests::drawing(), tests::annotated()})
            figures.push_back(ready(spec));
        for (const ReadyFigure& figure : figures) {
            writeBundle(folder.path(), filesOf(figure, {FigureFormat::python}));
            all += QStringLiteral("runpy.run_path(\"%1.py\")\n").arg(QString::fromStdString(figure.spec.name));
        }
        const QString output = said(program, {"-c", "import runpy\n" + all + "print(\"all done\")"}, folder.path());
        QVERIFY2(output.endsWith("all done\n") && !output.contains("Warning"), qPrintable(output));
        for (const ReadyFigure& figure : figures) {
            const QString pdf = QString::fromStdString(figure.spec.name) + "-matplotlib.pdf";
            QVERIFY2(QFile::exists(folder.filePath(pdf)), qPrintable(pdf));
            if (QStandardPaths::findExecutable("pdfinfo").isEmpty())
                continue;
            const QString size = QStringLiteral("%1 x %2 pts")
                                     .arg(figure.laidOut.list.page.width())
                                     .arg(figure.laidOut.list.page.height());
            if (figure.spec.name != "drawing")  // without texts that use it
                QVERIFY2(said("pdffonts", {pdf}, folder.path()).contains("+RingsideSans-Regular"), qPrintable(pdf));
            QVERIFY2(said("pdfinfo", {pdf}, folder.path()).contains(size), qPrintable(pdf));
            QVERIFY2(!said("pdffonts", {pdf}, folder.path()).contains("Type 3"), qPrintable(pdf));
        }
    }
};

RINGSIDE_WINDOW_TEST(TestPythonWriter)
#include "tst_python_writer.moc"
