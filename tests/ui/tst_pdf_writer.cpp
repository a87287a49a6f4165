#include "tests/ui/sample_figure.h"
#include "tests/ui/window_test.h"

#include "data/figure/figure_document.h"

#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QXmlStreamReader>

using namespace ui;

/// Checks with poppler's programs what publishers require of a camera-ready PDF.
class TestPdfWriter : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_path;

    QString said(const QString& program, const QStringList& arguments) const {
        QProcess process;
        process.start(program, arguments);
        process.waitForFinished();
        return QString::fromUtf8(process.readAllStandardOutput());
    }

    static QString valueOf(const QString& lines, const QString& key) {
        for (const QString& line : lines.split('\n')) {
            if (line.startsWith(key + ':'))
                return line.mid(key.size() + 1).trimmed();
        }
        return {};
    }

private Q_SLOTS:
    void initTestCase() {
        for (const char* program : {"pdfinfo", "pdffonts", "pdfimages", "pdfdetach", "pdftotext"}) {
            if (QStandardPaths::findExecutable(program).isEmpty())
                QSKIP("poppler-utils is not installed");
        }
        m_path = m_folder.filePath("sample.pdf");
        QFile file(m_path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(pdfOf(tests::sampleFigure()));
    }

    void itHasOnePageOfExactlyTheFiguresSize() {
        const QString info = said("pdfinfo", {m_path});
        QCOMPARE(valueOf(info, "Pages"), "1");
        QCOMPARE(valueOf(info, "Page size"), "240 x 120 pts");
    }

    void itSaysItsTitleAndWhatMadeIt() {
        const QString info = said("pdfinfo", {"-enc", "UTF-8", m_path});
        QCOMPARE(valueOf(info, "Title"), QStringLiteral("Sub-layers & policies <µs>"));
        QCOMPARE(valueOf(info, "Creator"), "Ringside 0.1.0");
    }

    void itWasMadeWhenItsProvenanceSaysNotWhenItWasWritten() {
        QVERIFY(valueOf(said("pdfinfo", {"-rawdates", m_path}), "CreationDate").startsWith("D:20260102030405"));
        ReadyFigure undated = tests::sampleFigure();
        undated.spec.provenance.made.clear();
        const QByteArray once = pdfOf(undated);
        QVERIFY(!once.contains("/CreationDate"));
        QTest::qWait(1100);
        QCOMPARE(pdfOf(undated), once);
    }

    void everyFontIsEmbeddedAndNoneIsType3() {
        const QStringList lines = said("pdffonts", {m_path}).split('\n', Qt::SkipEmptyParts).mid(2);
        QVERIFY(!lines.isEmpty());
        for (const QString& line : lines) {
            QVERIFY2(line.startsWith("RingsideSans"), qPrintable(line));
            QVERIFY2(!line.contains("Type 3"), qPrintable(line));
            QVERIFY2(line.contains(QRegularExpression("Identity-H\\s+yes ")), qPrintable(line));
        }
    }

    void itHoldsNoImage() { QCOMPARE(said("pdfimages", {"-list", m_path}).split('\n', Qt::SkipEmptyParts).size(), 2); }

    void anImageIsThereWhereTheListHasOne() {
        ReadyFigure figure = tests::sampleFigure();
        QImage cells(3, 2, QImage::Format_RGB32);
        cells.fill(Qt::red);
        figure.laidOut.list.items.push_back({ImageItem{QRectF(0, 0, 30, 20), cells}, FigurePart::mark, {}, {}, {}, {}});
        const QString path = m_folder.filePath("image.pdf");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(pdfOf(figure));
        file.close();
        QCOMPARE(said("pdfimages", {"-list", path}).split('\n', Qt::SkipEmptyParts).size(), 3);
    }

    void itsTextCanBeFoundAndCopied() {
        const QString text = said("pdftotext", {m_path, "-"});
        QVERIFY(text.contains(QStringLiteral("Run & time <µs> 100 % of $x_1^2 {a} #3 ~ \\ \"q\"")));
        QVERIFY(text.contains(QStringLiteral("T3-MCA × 1.30 – geomean")));
    }

    void theFiguresDocumentAndItsNumbersAreAttached() {
        const QString folder = m_folder.filePath("attached");
        QDir().mkpath(folder);
        said("pdfdetach", {"-saveall", "-o", folder, m_path});
        QFile spec(folder + "/spec.json");
        QVERIFY(spec.open(QIODevice::ReadOnly));
        QCOMPARE(spec.readAll(), QByteArray::fromStdString(data::writeFigure(tests::sampleFigure().spec)));
        QFile table(folder + "/sample.csv");
        QVERIFY(table.open(QIODevice::ReadOnly));
        QCOMPARE(table.readAll(), QByteArray("category,time\na,1.5\nb,2\n"));
    }

    void itsMetadataNameExperimentsHashesAndPublishedLabels() {
        const QString xmp = said("pdfinfo", {"-meta", m_path});
        QXmlStreamReader reader(xmp);
        QString text;
        while (!reader.atEnd()) {
            if (reader.readNext() == QXmlStreamReader::Characters)
                text += reader.text();
        }
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        for (const char* words : {"t-nlg fc-2 0123456789abcdef", "t3.speedup = 1.3 (published)", "engine 1.2",
                                  "A paper, 2024", "ringside figure sample"})
            QVERIFY2(text.contains(words), words);
    }
};

RINGSIDE_WINDOW_TEST(TestPdfWriter)
#include "tst_pdf_writer.moc"
