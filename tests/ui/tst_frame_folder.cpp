#include "data/document/whole_file.h"
#include "tests/test_program.h"
#include "ui/export/frame_export.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

using ui::FrameFolder;

class TestFrameFolder : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString at(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    static void put(const QString& file) {
        QFile made(file);
        QVERIFY(made.open(QIODevice::WriteOnly));
        made.write("x");
    }
    static QStringList in(const QString& folder) { return QDir(folder).entryList(QDir::Files); }

private Q_SLOTS:
    void theFirstFrameShowsTheBeginningAndTheLastOneTheEnd() {
        const auto moments = ui::frameMoments(1'000, 2'000, 30, 10);
        QCOMPARE(moments.size(), std::size_t{300});
        QCOMPARE(moments.front(), 1'000);
        QCOMPARE(moments.back(), 2'000);
        QVERIFY(std::is_sorted(moments.begin(), moments.end()));
        // Even the shortest film has a first and a last frame.
        QCOMPARE(ui::frameMoments(0, 7, 1, 0.1), (std::vector<std::int64_t>{0, 7}));
    }

    void aFolderIsMadeAndItsFramesGiveWayToNewOnes() {
        FrameFolder folder(at("new/one"));
        QCOMPARE(folder.prepare(), QString());
        QVERIFY(folder.frame(1).endsWith(QStringLiteral("new/one/frame-000001.png")));
        QVERIFY(folder.write({{QStringLiteral("fps"), 30}}, {0, 5, 10}, 2));
        put(folder.frame(1));
        put(folder.frame(2));
        QCOMPARE(folder.prepare(), QString());
        QCOMPARE(in(at("new/one")), QStringList{QStringLiteral("frames.json")});
    }

    void theRecordDescribesTheFrames() {
        FrameFolder folder(at("told"));
        QCOMPARE(folder.prepare(), QString());
        QVERIFY(folder.write({{QStringLiteral("fps"), 30}, {QStringLiteral("experiment"), QStringLiteral("a")}}, {0, 5},
                             1));
        QFile file(folder.record());
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonObject record = QJsonDocument::fromJson(file.readAll()).object();
        QCOMPARE(record[QStringLiteral("format")].toString(), QStringLiteral("ringside-frames"));
        QCOMPARE(record[QStringLiteral("frames")].toInt(), 2);
        QCOMPARE(record[QStringLiteral("finished")].toInt(), 1);
        QCOMPARE(record[QStringLiteral("moments_ps")][1].toInt(), 5);
        QCOMPARE(record[QStringLiteral("fps")].toInt(), 30);
    }

    void foreignFilesAreNeverOverwritten() {
        FrameFolder others(at("others"));
        QDir().mkpath(at("others"));
        put(at("others/thesis.tex"));
        QVERIFY2(others.prepare().contains(QStringLiteral("thesis.tex")), qPrintable(others.prepare()));
        QDir().mkpath(at("foreign"));
        put(at("foreign/frame-000001.png"));
        FrameFolder foreign(at("foreign"));
        QVERIFY2(foreign.prepare().contains(QStringLiteral("frames.json")), qPrintable(foreign.prepare()));
        QCOMPARE(in(at("foreign")).size(), 1);
        // A folder of frames that also holds another file.
        FrameFolder mixed(at("mixed"));
        QCOMPARE(mixed.prepare(), QString());
        QVERIFY(mixed.write({}, {0, 1}, 0));
        put(mixed.frame(1));
        put(at("mixed/.notes"));
        QVERIFY(mixed.prepare().contains(QStringLiteral(".notes")));
        QCOMPARE(in(at("mixed")).size(), 2);
        put(at("file"));
        QVERIFY(FrameFolder(at("file")).prepare().contains(QStringLiteral("is a file")));
        QVERIFY_THROWS_EXCEPTION(data::FileError, FrameFolder(at("file/inside")).prepare());
    }
};

RINGSIDE_CORE_TEST(TestFrameFolder)
#include "tst_frame_folder.moc"
