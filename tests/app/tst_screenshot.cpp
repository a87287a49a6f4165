#include <QImage>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

namespace {

QString g_program;

struct Outcome {
    int code = -1;
    QString said;
};

Outcome ringside(const QStringList& arguments) {
    QProcess process;
    process.start(g_program, arguments);
    if (!process.waitForFinished(60'000))
        return {};
    return {process.exitCode(), QString::fromLocal8Bit(process.readAllStandardError())};
}

/// How many of 32 x 32 places have a colour of their own: a picture has many, an empty one few.
int coloursOf(const QImage& image) {
    QSet<QRgb> colours;
    for (int x = 0; x < 32; ++x) {
        for (int y = 0; y < 32; ++y)
            colours << image.pixel(image.width() * x / 32, image.height() * y / 32);
    }
    return static_cast<int>(colours.size());
}

}  // namespace

class TestScreenshot : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_file = m_folder.filePath(QStringLiteral("picture.png"));

private Q_SLOTS:
    void cleanup() { QFile::remove(m_file); }

    void aPictureIsDrawnWithoutADisplayAndOfTheSizeAsked() {
        for (const int scale : {1, 2}) {
            const Outcome outcome = ringside({"--screenshot", m_file, "--scale", QString::number(scale), "--at", "40%",
                                              "--theme", "dark", "t-nlg/fc-2/tp8"});
            QCOMPARE(outcome.code, 0);
            const QImage image(m_file);
            QCOMPARE(image.size(), QSize(1600, 900) * scale);
            QVERIFY(coloursOf(image) > 6);
            QVERIFY(image.pixelColor(4, image.height() - 4).lightness() < 100);
        }
    }

    void aViewAloneHasNoPanelsAroundIt() {
        // Where the form and the kept runs stand, a view alone has something else.
        const auto leftOf = [this](const QString& view) {
            if (ringside({"--screenshot", m_file, "--view", view, "t-nlg/fc-2/tp8"}).code != 0)
                return QImage();
            return QImage(m_file).copy(0, 100, 300, 700);
        };
        const QImage explore = leftOf(QStringLiteral("explore"));
        for (const char* view : {"timeline", "machine", "chunks", "tracker"}) {
            const QImage alone = leftOf(QString::fromLatin1(view));
            QVERIFY2(!alone.isNull() && alone != explore, view);
        }
    }

    void aLessonsStepIsDrawnBeforeAndWithItsAnswer() {
        const QStringList step{"--lesson", "7", "--step", "4", "--screenshot", m_file};
        QCOMPARE(ringside(step).code, 0);
        const QImage asked(m_file);
        QCOMPARE(ringside(step + QStringList{"--reveal"}).code, 0);
        const QImage told(m_file);
        QVERIFY(!asked.isNull() && asked.size() == told.size());
        const QRect panel(1240, 60, 340, 600), picture(540, 240, 600, 400);
        QVERIFY(asked.copy(panel) != told.copy(panel));
        QVERIFY(asked.copy(picture) != told.copy(picture));  // its run comes with the answer
        QCOMPARE(ringside({"--lesson", "99", "--screenshot", m_file}).code, 2);
    }

    void aViewThatIsNotThereIsNamedWithThoseThatAre() {
        const Outcome outcome = ringside({"--screenshot", m_file, "--view", "everything", "t-nlg/fc-2/tp8"});
        QCOMPARE(outcome.code, 2);
        QVERIFY(outcome.said.contains(QStringLiteral("everything: no such view, one of explore, compare")));
        QVERIFY(!QFile::exists(m_file));
    }

    void aFileThatCannotBeWrittenIsSaid() {
        const Outcome outcome = ringside({"--screenshot", "/nonexistent/picture.png", "t-nlg/fc-2/tp8"});
        QCOMPARE(outcome.code, 3);
        QVERIFY(outcome.said.contains(QStringLiteral("cannot be written")));
    }
};

int main(int count, char** values) {
    QCoreApplication application(count, values);
    g_program = QString::fromLocal8Bit(values[count - 1]);
    TestScreenshot test;
    return QTest::qExec(&test, count - 1, values);
}

#include "tst_screenshot.moc"
