#include "tests/ui/sample_figure.h"
#include "tests/ui/window_test.h"

#include "data/document/whole_file.h"
#include "data/figure/figure_document.h"
#include "ui/figure/embedded_text.h"
#include "ui/figure/figure_bundle.h"

#include <QBuffer>
#include <QFile>
#include <QTemporaryDir>
#include <QtEndian>

using namespace ui;

namespace {

constexpr std::size_t kLimit = 1024 * 1024;

FigureFile fileOf(const std::vector<FigureFile>& files, const QString& name) {
    const auto found =
        std::find_if(files.begin(), files.end(), [&](const FigureFile& file) { return file.name == name; });
    return found == files.end() ? FigureFile{} : *found;
}

std::vector<FigureFile> everyFile() {
    return filesOf(tests::sampleFigure(),
                   {FigureFormat::pdf, FigureFormat::svg, FigureFormat::png, FigureFormat::csv, FigureFormat::tikz,
                    FigureFormat::python, FigureFormat::spec, FigureFormat::caption, FigureFormat::alternative});
}

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

class TestFigureBundle : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::vector<FigureFile> m_files;

    QString written(const QString& name, const QByteArray& content) const {
        const QString path = m_folder.filePath(name);
        QFile file(path);
        if (file.open(QIODevice::WriteOnly))
            file.write(content);
        return path;
    }

    static void compareWithSample(const FigureOpening& opening) {
        QVERIFY2(opening.figure, opening.problems.empty() ? "" : engine::describe(opening.problems[0]).c_str());
        QVERIFY(*opening.figure == tests::sampleFigure().spec);
    }

    static void verifyRefused(const QString& path) {
        const FigureOpening opening = openFigure(path);
        QVERIFY2(!opening.figure, qPrintable(path));
        QVERIFY2(!opening.problems.empty(), qPrintable(path));
        QVERIFY(!opening.problems[0].text.empty());
    }

private Q_SLOTS:
    void initTestCase() { m_files = everyFile(); }

    void aBundleHasEveryFormatOnceAndItsTableOnce() {
        QStringList names;
        for (const FigureFile& file : m_files) {
            names << file.name;
            QVERIFY2(!file.content.isEmpty(), qPrintable(file.name));
        }
        names.sort();
        QCOMPARE(names, QStringList({"RingsideSans-OFL.txt", "RingsideSans-Regular.ttf", "RingsideSans-SemiBold.ttf",
                                     "alt.txt", "caption.txt", "sample-tikz.tex", "sample.csv", "sample.pdf",
                                     "sample.png", "sample.py", "sample.svg", "spec.json"}));
    }

    void theTableComesWithWhatReadsIt() {
        const auto files = filesOf(tests::sampleFigure(), {FigureFormat::tikz});
        QCOMPARE(files.size(), std::size_t{2});
        QCOMPARE(files[1].name, "sample.csv");
    }

    void aScriptComesWithTheFontOfTheFigureAndItsLicence() {
        QVERIFY(fileOf(m_files, "RingsideSans-OFL.txt").content.contains("SIL Open Font License"));
        for (const char* name : {"RingsideSans-Regular.ttf", "RingsideSans-SemiBold.ttf"})
            QVERIFY(fileOf(m_files, name).content.startsWith(QByteArray("\0\1\0\0", 4)));  // TrueType
        QVERIFY(filesOf(tests::sampleFigure(), {FigureFormat::tikz}).size() == 2);
    }

    void theCaptionSaysWhereReferenceValuesComeFrom() {
        QCOMPARE(QString::fromUtf8(fileOf(m_files, "caption.txt").content),
                 "What is hidden, and what is not.\n\nReference values are published: A paper, 2024\n");
    }

    void everyFileFormatOpensAsTheFigureThatWasWritten() {
        for (const char* name : {"sample.pdf", "sample.svg", "sample.png", "spec.json"})
            compareWithSample(openFigure(written(name, fileOf(m_files, name).content)));
        writeBundle(m_folder.filePath("sample.zip"), m_files);
        compareWithSample(openFigure(m_folder.filePath("sample.zip")));
    }

    void theFormatOfAFileIsRecognisedByItsBytesNotItsName() {
        compareWithSample(openFigure(written("sample.dat", fileOf(m_files, "sample.pdf").content)));
    }

    void aFolderHoldsTheFilesAsTheyAre() {
        const QString folder = m_folder.filePath("new/folder");
        writeBundle(folder, m_files);
        for (const FigureFile& file : m_files)
            QCOMPARE(contentOf(folder + '/' + file.name), file.content);
    }

    void filesOfSeveralFiguresStandInFoldersOfABundle() {
        const std::vector<FigureFile> files{{"a/spec.json", "1"}, {"b/spec.json", "2"}};
        writeBundle(m_folder.filePath("several"), files);
        QCOMPARE(contentOf(m_folder.filePath("several/b/spec.json")), "2");
        QCOMPARE(fileInZip(zipOf(files), "spec.json", kLimit).value_or(""), "1");
    }

    void aZipOfTheSameFilesIsTheSameToTheByte() {
        const QByteArray once = zipOf(m_files);
        QTest::qWait(1100);
        QCOMPARE(zipOf(m_files), once);
    }

    void whereAFileIsInTheWayItIsNamed() {
        const QString path = written("in-the-way", "x");
        try {
            writeBundle(path, m_files);
            QFAIL("a folder was made over a file");
        } catch (const data::FileError& error) { QVERIFY(QString(error.what()).contains("in-the-way")); }
        QCOMPARE(contentOf(path), "x");
    }

    void whatCarriesNoFigureSaysWhatItIsAndWhatIsAllowed() {
        QImage image(4, 4, QImage::Format_RGB32);
        image.fill(Qt::white);
        const QString png = m_folder.filePath("plain.png");
        QVERIFY(image.save(png));
        const FigureOpening opening = openFigure(png);
        QVERIFY(!opening.figure);
        QCOMPARE(opening.problems[0].path, png.toStdString());
        QCOMPARE(opening.problems[0].value, "a PNG image without a figure");
        QVERIFY(opening.problems[0].text.find("spec.json") != std::string::npos);
        verifyRefused(written("plain.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>"));
        verifyRefused(written("plain.pdf", "%PDF-1.4\n1 0 obj\n<<>>\nstream\nabc\nendstream\n"));
        verifyRefused(written("other.json", "{\"format\": \"ringside-sweep\"}"));
        verifyRefused(written("text.txt", "Hello"));
        verifyRefused(written("empty.pdf", ""));
    }

    void whatIsNotThereOrNoFileIsRefused() {
        verifyRefused(m_folder.filePath("absent.pdf"));
        verifyRefused(m_folder.path());
    }

    void aFileThatWasCutOffOrDamagedIsRefusedOrWholeNeverHalf() {
        writeBundle(m_folder.filePath("sample.zip"), m_files);
        QList<QByteArray> carriers{contentOf(m_folder.filePath("sample.zip"))};
        for (const char* name : {"sample.pdf", "sample.svg", "sample.png", "spec.json"})
            carriers << fileOf(m_files, name).content;
        quint32 random = 12345;  // the same damage each time
        for (const QByteArray& carrier : carriers) {
            for (int i = 0; i < 40; ++i) {
                QByteArray damaged = carrier.left(carrier.size() * i / 40);
                for (int byte = 0; byte < i % 4 && !damaged.isEmpty(); ++byte) {
                    random = random * 1664525 + 1013904223;
                    damaged[static_cast<qsizetype>(random >> 8) % damaged.size()] = static_cast<char>(random >> 4);
                }
                const FigureOpening opening = openFigure(written("damaged", damaged));
                QVERIFY(opening.figure.has_value() == opening.problems.empty());
            }
        }
    }

    void whatUnpacksToMoreThanADocumentIsRefusedAndNotUnpacked() {
        const QByteArray large(8 * 1024 * 1024, ' ');
        QVERIFY(!fileInZip(zipOf({{"spec.json", large}}), "spec.json", kLimit));
        QByteArray packed = qCompress("{" + large);
        packed.remove(0, 4);  // the length that Qt writes before it
        QVERIFY(!figureInPdf("%PDF-1.4\nstream\n" + packed + "\nendstream", kLimit));
    }

    void aPngThatUnpacksToMoreThanADocumentIsRefused() {
        QByteArray packed = qCompress(QByteArray(8 * 1024 * 1024, ' '));
        packed.remove(0, 4);
        const QByteArray body = QByteArray("zTXtRingside-Spec\0\0", 19) + packed;
        const auto number = [](quint32 value) {
            QByteArray bytes(4, '\0');
            qToBigEndian(value, bytes.data());
            return bytes;
        };
        const QByteArray png = QByteArray("\x89PNG\r\n\x1a\n") + number(static_cast<quint32>(body.size() - 4)) + body +
                               number(checksumOf(body));
        QVERIFY(!textInPng(png, "Ringside-Spec", kLimit));
        QVERIFY(textInPng(png, "Ringside-Spec", 9 * kLimit));
    }

    void textOfAPngIsReadInEachWayOfWritingIt() {
        for (const QString& text : {QStringLiteral("{short}"), QString(2000, u'a'), QStringLiteral("{µ → 漢}"),
                                    QStringLiteral("{→ 漢}").repeated(300)}) {
            QImage image(2, 2, QImage::Format_RGB32);
            image.fill(Qt::white);
            image.setText("Key", text);
            image.setText("Key 2", "another");
            QByteArray png;
            QBuffer buffer(&png);
            buffer.open(QIODevice::WriteOnly);
            image.save(&buffer, "PNG");
            QCOMPARE(QString::fromUtf8(textInPng(png, "Key", kLimit).value_or("")), text);
            QVERIFY(!textInPng(png, "Ke", kLimit));
        }
    }

    void aDocumentInAPdfIsFoundPackedOrPlain() {
        const QByteArray document = "{\"format\": \"ringside-figure\"}";
        QByteArray packed = qCompress(document);
        packed.remove(0, 4);
        QCOMPARE(figureInPdf("%PDF-1.4\n<<>>stream\r\n" + packed + "\r\nendstream", kLimit).value_or(""), document);
        const QByteArray plain = figureInPdf("%PDF-1.4\n<<>>stream\n" + document + "\nendstream", kLimit).value_or("");
        QCOMPARE(plain.trimmed(), document);
    }

    void aPlainDocumentEndsWithItsObjectAndNotWithTheWordThatEndsAStream() {
        const QByteArray document =
            "{\"format\": \"ringside-figure\", \"title\": \"a } \\\" endstream\", \"x\": {\"\\\\\": \"{\"}}";
        QCOMPARE(figureInPdf("%PDF-1.4\nstream\n" + document + "endstream\nendobj", kLimit).value_or(""), document);
        QVERIFY(!figureInPdf("%PDF-1.4\nstream\n" + document.chopped(1) + "\nendstream", kLimit));
        QVERIFY(!figureInPdf("%PDF-1.4\nstream\n{\"format\": \"ringside-figure\\", kLimit));
    }

    void namesThatCouldHoldAFigureAreRecognisedByTheirEnd() {
        for (const char* name : {"a.pdf", "b.SVG", "c.png", "d.zip", "e.json"})
            QVERIFY(mayCarryFigure(name));
        for (const char* name : {"a.txt", "pdf", "c.jpg", ""})
            QVERIFY(!mayCarryFigure(name));
    }
};

RINGSIDE_WINDOW_TEST(TestFigureBundle)
#include "tst_figure_bundle.moc"
