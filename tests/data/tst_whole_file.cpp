#include "data/document/whole_file.h"
#include "tests/test_program.h"

#include <QtTest>

#include <filesystem>
#include <fstream>
#include <iterator>

using namespace data;

class TestWholeFile : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    std::string pathOf(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)).toStdString(); }
    static std::string textOf(const std::string& path) {
        std::ifstream file(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    }

private Q_SLOTS:
    void aFileHoldsTheNewTextAndNothingElseIsLeftInItsFolder() {
        const std::string path = pathOf("a.json");
        writeWholeFile(path, "a long first text");
        writeWholeFile(path, "short");
        QCOMPARE(textOf(path), std::string("short"));
        QCOMPARE(QDir(m_folder.path()).entryList(QDir::Files), QStringList{QStringLiteral("a.json")});
    }

    void aLinkStaysALinkAndItsFileIsWritten() {
        writeWholeFile(pathOf("behind.json"), "old");
        std::filesystem::create_symlink(pathOf("behind.json"), pathOf("link.json"));
        writeWholeFile(pathOf("link.json"), "new");
        QVERIFY(std::filesystem::is_symlink(pathOf("link.json")));
        QCOMPARE(textOf(pathOf("behind.json")), std::string("new"));
    }

    void whatCannotBeWrittenIsNamedWithTheReason() {
        const std::string nowhere = pathOf("no/such/folder/a.json");
        QVERIFY_EXCEPTION_THROWN(writeWholeFile(nowhere, "text"), FileError);
        try {
            writeWholeFile(nowhere, "text");
        } catch (const FileError& error) {
            QVERIFY(QString::fromUtf8(error.what()).startsWith(QString::fromStdString(nowhere)));
        }
        QVERIFY_EXCEPTION_THROWN(writeWholeFile(m_folder.path().toStdString(), "text"), FileError);
        QVERIFY(QFileInfo(m_folder.path()).isDir());
    }
};

RINGSIDE_TEST(TestWholeFile)
#include "tst_whole_file.moc"
