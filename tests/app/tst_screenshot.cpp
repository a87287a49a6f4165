#include <QDir>
#include <QImage>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <utility>
#include <vector>

namespace {

QString g_program;

struct Outcome {
    int code = -1;
    QString said;
};

using Variables = std::vector<std::pair<const char*, QString>>;

/// Starts the program with these environment variables; an empty value leaves the variable as it is.
Outcome ringside(const QStringList& arguments, const Variables& variables = {}) {
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const auto& [name, value] : variables) {
        if (!value.isEmpty())
            environment.insert(QString::fromLatin1(name), value);
    }
    process.setProcessEnvironment(environment);
    process.start(g_program, arguments);
    if (!process.waitForFinished(60'000))
        return {};
    return {process.exitCode(), QString::fromLocal8Bit(process.readAllStandardError())};
}

/// Sends a signal to a process unless it has ended: its id is then 0, and kill() would signal the whole process group.
void send(const QProcess& process, int signal) {
    if (process.processId() > 0)
        ::kill(static_cast<pid_t>(process.processId()), signal);
}

/// Returns how many different colours a grid of 32 x 32 points has: many if the picture shows something, few if it is
/// empty.
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

    /// Writes a lesson of two steps into a folder. Returns its path.
    static QString smallLesson(const QTemporaryDir& folder) {
        QFile document(folder.filePath(QStringLiteral("lesson.json")));
        const QByteArray text = R"({"format":"ringside-lesson","version":1,"title":"Small","experiment":
            {"detail":{"level":"interactive"}},"steps":[{"text":"One."},{"text":"Two.","scene":{"view":"tracker",
            "moment":"40 %"},"question":{"text":"Which?","choices":["A","B"],"answer":"B"},"reveal":"B."}]})";
        return document.open(QIODevice::WriteOnly) && document.write(text) == text.size() ? document.fileName()
                                                                                          : QString();
    }

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
        // The form and the kept runs take the left side of the window. A picture of a view alone has other contents
        // there.
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

    void aDocumentOfTasksIsInThePicture() {
        const QTemporaryDir folder;
        const auto upperHalfOf = [&](const char* times) {
            QFile document(folder.filePath(QStringLiteral("tasks.json")));
            if (!document.open(QIODevice::WriteOnly))
                return QImage();
            document.write(R"({"format": "ringside-tasks", "version": 1, "title": "Two", "unit": "us",
                "pools": {"cores": 1}, "tasks": [)" +
                           QByteArray(times) + "]}");
            document.close();
            QFile::remove(m_file);
            const Outcome outcome = ringside({document.fileName(), "--screenshot", m_file});
            const QImage image(m_file);
            return outcome.code == 0 ? image.copy(0, 0, image.width(), image.height() / 2) : QImage();
        };
        const QImage first = upperHalfOf(R"({"id": "a", "time": 7}, {"id": "b", "time": 1})");
        QVERIFY(!first.isNull());
        QCOMPARE(upperHalfOf(R"({"id": "a", "time": 7}, {"id": "b", "time": 1})"), first);
        QVERIFY(upperHalfOf(R"({"id": "a", "time": 6}, {"id": "b", "time": 2})") != first);
        QVERIFY(upperHalfOf(R"({"id": "a", "time": -7})").isNull());
    }

    void anEvaluationIsRunBeforeItsPictureIsTaken() {
        // The row that is not selected changes from grey text to a verdict in the colour for "better".
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("own.json"));
        QFile document(file);
        QVERIFY(document.open(QIODevice::WriteOnly));
        document.write(R"({"format": "ringside-evaluation", "version": 1, "title": "One", "sweeps": {"a": {"base":
            {"workload": {"model": "small", "sublayer": "fc-2", "hidden": 512, "sequence": 512, "batch": 1},
             "parallel": {"tp": 4}, "detail": {"level": "interactive"}}, "axes": [], "policies": ["t3"]}},
            "items": [{"id": "selected", "what": "a time", "metric": "time_ps.total", "role": "context"},
            {"id": "x", "what": "itself", "metric": "time_ps.total", "over": {"metric": "time_ps.total"},
            "published": "1.0", "label": "derived", "role": "exact"}]})");
        document.close();
        const Outcome outcome = ringside({"--evaluation", file, "--screenshot", m_file});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.said));
        const QImage image(m_file);
        const QRgb better = qRgb(0x00, 0x6b, 0x4e);
        int found = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                found += image.pixel(x, y) == better ? 1 : 0;
        QVERIFY(found > 0);
        QCOMPARE(ringside({"--evaluation", "t4", "--screenshot", m_file}).code, 2);
    }

    void aLessonsStepIsDrawnBeforeAndWithItsAnswer() {
        const QStringList step{"--lesson", "7", "--step", "4", "--screenshot", m_file};
        QCOMPARE(ringside(step).code, 0);
        const QImage asked(m_file);
        QCOMPARE(ringside(step + QStringList{"--reveal"}).code, 0);
        const QImage reported(m_file);
        QVERIFY(!asked.isNull() && asked.size() == reported.size());
        const QRect panel(1240, 60, 340, 600), picture(540, 240, 600, 400);
        QVERIFY(asked.copy(panel) != reported.copy(panel));
        QVERIFY(asked.copy(picture) != reported.copy(picture));  // the run is shown with the answer
        QCOMPARE(ringside({"--lesson", "99", "--screenshot", m_file}).code, 2);
    }

    void aLessonIsPrintedWithoutADisplay() {
        const QTemporaryDir folder;
        const QString lesson = smallLesson(folder);
        const QString file = folder.filePath(QStringLiteral("handout.pdf"));
        QList<qsizetype> pages;
        for (const bool answers : {false, true}) {
            const Outcome outcome = ringside(QStringList{"--lesson", lesson, "--handout", file} +
                                             (answers ? QStringList{"--answers"} : QStringList{}));
            QVERIFY2(outcome.code == 0, qPrintable(outcome.said));
            QFile pdf(file);
            QVERIFY(pdf.open(QIODevice::ReadOnly));
            const QByteArray bytes = pdf.readAll();
            QVERIFY(bytes.startsWith("%PDF-"));
            pages << bytes.count("/Type /Page\n");
            QVERIFY(pdf.remove());
        }
        QCOMPARE(pages[0], pages[1] + 1);  // the answers are on a page of their own, not below each question
        QCOMPARE(ringside({"--lesson", lesson, "--handout", folder.filePath(QStringLiteral("no/where.pdf"))}).code, 3);
    }

    void aLessonIsPrintedWithTheSameBytesInEveryTimeZone() {
        const QTemporaryDir folder;
        const QString lesson = smallLesson(folder), file = folder.filePath(QStringLiteral("handout.pdf"));
        const auto printed = [&](const QString& zone, const QString& epoch, const QStringList& more) {
            const Outcome outcome = ringside(QStringList{"--lesson", lesson, "--handout", file} + more,
                                             {{"TZ", zone}, {"SOURCE_DATE_EPOCH", epoch}});
            QFile pdf(file);
            const bool opened = pdf.open(QIODevice::ReadOnly);
            return outcome.code == 0 && opened ? pdf.readAll() : outcome.said.toUtf8();
        };
        const QByteArray plain = printed("UTC0", {}, {"--no-date"});
        QVERIFY2(plain.startsWith("%PDF-"), plain.left(200));
        QVERIFY(!plain.contains("/CreationDate"));
        QVERIFY(printed("EAST-05:30", {}, {"--no-date"}) == plain);
        const QByteArray dated = printed("UTC0", "86400", {});
        QVERIFY(dated.contains("/CreationDate (D:19700102000000Z)"));
        QVERIFY(printed("WEST+03:30", "86400", {}) == dated);
        QVERIFY(printed("UTC0", {}, {}).contains("/CreationDate (D:20"));  // today
    }

    void aViewThatIsNotThereIsNamedWithThoseThatAre() {
        const Outcome outcome = ringside({"--screenshot", m_file, "--view", "everything", "t-nlg/fc-2/tp8"});
        QCOMPARE(outcome.code, 2);
        QVERIFY(outcome.said.contains(QStringLiteral("everything: no such view; allowed: one of explore, compare")));
        QVERIFY(!QFile::exists(m_file));
    }

    void withoutADisplayOneSentenceSaysSo() {
        for (const char* display : {"", ":7777"}) {
            QProcess process;
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.remove(QStringLiteral("WAYLAND_DISPLAY"));
            environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("xcb"));
            environment.insert(QStringLiteral("DISPLAY"), QString::fromLatin1(display));
            process.setProcessEnvironment(environment);
            process.start(g_program, {"--safe-mode"});
            QVERIFY(process.waitForFinished(30'000));
            QCOMPARE(process.exitStatus(), QProcess::NormalExit);
            QCOMPARE(process.exitCode(), 3);
            const QByteArray said = process.readAllStandardError();
            QVERIFY2(said.startsWith("ringside: no window can be opened here"), said.constData());
            QCOMPARE(said.count('\n'), 1);
        }
    }

    void anInterruptedPictureLeavesNothing() {
        const QString experiment = m_folder.filePath(QStringLiteral("long.json"));
        QFile document(experiment);
        QVERIFY(document.open(QIODevice::WriteOnly));
        document.write(R"({"workload": {"model": "t-nlg", "sublayer": "fc-2", "batch": 4096}, "parallel": {"tp": 8}})");
        document.close();
        for (const int signal : {SIGINT, SIGTERM}) {
            QProcess process;
            process.start(g_program, {"--screenshot", m_file, experiment});
            QVERIFY(process.waitForStarted());
            QVERIFY(!process.waitForFinished(1'000));
            send(process, signal);
            QVERIFY(process.waitForFinished(30'000));
            QCOMPARE(process.exitStatus(), QProcess::NormalExit);
            QCOMPARE(process.exitCode(), 130);
            QCOMPARE(QDir(m_folder.path()).entryList(QDir::Files), QStringList{"long.json"});
        }
    }

    void aWindowThatIsAskedToEndKeepsItsSession() {
        QTemporaryDir home;
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("HOME"), home.path());
        for (const char* variable : {"XDG_CONFIG_HOME", "XDG_DATA_HOME"})
            environment.insert(QString::fromLatin1(variable), home.path());
        process.setProcessEnvironment(environment);
        process.start(g_program, {"--no-store", "t-nlg/op/tp16"});
        const QString session = home.filePath(QStringLiteral("ringside/session.json"));
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(session), 20'000);  // written soon after the first run
        QFile::remove(session);
        send(process, SIGTERM);
        QVERIFY(process.waitForFinished(30'000));
        QCOMPARE(process.exitCode(), 130);
        QFile kept(session);
        QVERIFY(kept.open(QIODevice::ReadOnly));
        QVERIFY(kept.readAll().contains("\"tp\": 16"));
        QVERIFY(!QFile::exists(session + QStringLiteral(".starting")));
    }

    void whatCannotBeShownHasTheExitCodesOfTheCommandLine() {
        const QString experiment = m_folder.filePath(QStringLiteral("stands-still.json"));
        QFile document(experiment);
        QVERIFY(document.open(QIODevice::WriteOnly));
        document.write(R"({"workload": {"model": "t-nlg", "sublayer": "op"}, "parallel": {"tp": 8},
            "policy": {"preset": "t3"}, "tracker": {"ways": 0}, "detail": {"level": "interactive"}})");
        document.close();
        const Outcome still = ringside({"--screenshot", m_file, experiment});
        QCOMPARE(still.code, 2);
        QVERIFY2(still.said.contains(QStringLiteral("deadlocked")), qPrintable(still.said));
        QCOMPARE(ringside({"--frames", m_folder.filePath(QStringLiteral("frames")), experiment}).code, 2);
        const Outcome nothing = ringside({"--screenshot", m_file, "--figure", "nothing"});
        QCOMPARE(nothing.code, 2);
        QVERIFY(nothing.said.contains(QStringLiteral("nothing: no such figure")));
        QVERIFY2(nothing.said.contains(QStringLiteral("allowed: one of sublayer-runtime, ")), qPrintable(nothing.said));
        QVERIFY2(nothing.said.contains(QStringLiteral("or a view that shows one: explore, compare, ")),
                 qPrintable(nothing.said));
        QVERIFY(!QFile::exists(m_file));
        QFile::remove(experiment);
    }

    void aSuffixThatIsNoPictureIsRefusedBeforeAnythingIsRun() {
        const Outcome outcome = ringside({"--screenshot", m_folder.filePath(QStringLiteral("x.foo"))});
        QCOMPARE(outcome.code, 2);
        QVERIFY(outcome.said.contains(QStringLiteral("foo: not a picture format, allowed: ")));
    }

    void aSweepThatNamesAnOwnMachineIsShown() {
        const QTemporaryDir home;
        const QDir machines(home.filePath(QStringLiteral("ringside/presets/machines")));
        QVERIFY(QDir().mkpath(machines.path()));
        const auto put = [](const QString& path, const QByteArray& text) {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        };
        put(machines.filePath(QStringLiteral("mine.json")),
            R"({"format": "ringside-preset", "version": 1, "kind": "machine",
                "cu": {"count": 120, "clock": "1.4 GHz", "tensor_efficiency": 0.8}, "llc": {"size": "16 MiB"},
                "link": {"bandwidth": "150 GB/s", "latency": "500 ns"}, "memory": {"bandwidth": "1 TB/s"}})");
        const QString base = QStringLiteral(R"("base": {"machine": "mine", "parallel": {"tp": 4},
            "detail": {"level": "interactive"}}, "policies": ["t3"])");
        const QString sweep = home.filePath(QStringLiteral("sweep.json"));
        put(sweep, (QStringLiteral(R"({"format": "ringside-sweep", "version": 1, "axes": [{"path": "tracker.entries",
            "values": [64, 128]}], )") +
                    base + u'}')
                       .toUtf8());
        const QString evaluation = home.filePath(QStringLiteral("evaluation.json"));
        put(evaluation, (QStringLiteral(R"({"format": "ringside-evaluation", "version": 1, "title": "One", "sweeps":
            {"a": {)") + base +
                         QStringLiteral(R"(}}, "items": [{"id": "x", "what": "a time", "metric": "time_ps.total",
            "role": "context"}]})"))
                            .toUtf8());
        for (const QString& file : {sweep, evaluation}) {
            const Outcome unknown = ringside({"--screenshot", m_file, file});
            QCOMPARE(unknown.code, 2);
            QVERIFY2(unknown.said.contains(QStringLiteral("machine: mine: unknown")), qPrintable(unknown.said));
            const Outcome shown = ringside({"--screenshot", m_file, file}, {{"XDG_DATA_HOME", home.path()}});
            QVERIFY2(shown.code == 0, qPrintable(shown.said));
        }
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
