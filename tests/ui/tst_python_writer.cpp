#include "tests/ui/sample_figure.h"
#include "tests/ui/sample_figures.h"
#include "tests/ui/window_test.h"

#include "ui/figure/figure_bundle.h"
#include "ui/figure/python_plot.h"

#include <QDir>
#include <QFile>
#include <QProcess>
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
        QVERIFY(text.contains("rows = read(\"breakdown.csv\")"));
        std::get<data::BarMark>(spec.panels[0].marks[0]).bars[1].stack[0].values[2] = 0.3;
        QCOMPARE(python(spec), text);
    }

    void floatingBarsBeginWhereTheTableSays() {
        data::FigureSpec spec = tests::waterfall();
        QVERIFY(python(spec).contains(", column(rows, 1)\ny = column(rows, 2)  # Change\n"));
        auto& bars = std::get<data::BarMark>(spec.panels[0].marks[0]).bars;
        bars[0].stack.push_back(tests::seriesOf("More", "series/1", {3.0, 5.0, 2.0}));
        QVERIFY(!python(spec).contains("read(\"waterfall.csv\")"));  // parts go both ways: drawn as shapes
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
        // DejaVu Sans is wider than the font that figures are laid out for.
        const QString check = "import runpy\n"
                              "from matplotlib import font_manager\n"
                              "fonts = font_manager.fontManager\n"
                              "fonts.ttflist = [one for one in fonts.ttflist if one.name == 'DejaVu Sans']\n"
                              "def check(script):\n"
                              "    made = runpy.run_path(script)\n"
                              "    figure, written = made['figure'], made['written']\n"
                              "    renderer, page = figure.canvas.get_renderer(), figure.bbox\n"
                              "    smaller = 1 / max(ratio for _, ratio in written)\n"
                              "    assert 0.7 < smaller <= 1, (script, smaller)\n"
                              "    for text, _ in written:\n"
                              "        box = text.get_window_extent(renderer)\n"
                              "        dot = figure.dpi / 72\n"
                              "        assert box.x0 > -dot and box.x1 < page.x1 + dot, (script, text)\n"
                              "        assert box.y0 > -dot and box.y1 < page.y1 + dot, (script, text)\n";
        const QString output = said(program, {"-c", check + all + "print(\"all done\")"}, folder.path());
        QVERIFY2(output.endsWith("all done\n"), qPrintable(output));
    }

    void everyFiguresScriptWritesAPageOfItsSizeWithoutType3() {
        const QString program = interpreter();
        if (program.isEmpty())
            QSKIP("no Python with matplotlib is installed");
        const QTemporaryDir folder;
        QString all;
        std::vector<ReadyFigure> figures{tests::sampleFigure()};
        for (const data::FigureSpec& spec : {tests::breakdown(), tests::errorBars(), tests::lines(), tests::areas(),
                                             tests::waterfall(), tests::boxes(), tests::heat(), tests::timeline()})
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
            QVERIFY2(said("pdfinfo", {pdf}, folder.path()).contains(size), qPrintable(pdf));
            QVERIFY2(!said("pdffonts", {pdf}, folder.path()).contains("Type 3"), qPrintable(pdf));
        }
    }
};

RINGSIDE_WINDOW_TEST(TestPythonWriter)
#include "tst_python_writer.moc"
