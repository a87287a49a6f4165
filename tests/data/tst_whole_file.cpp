#include "data/document/whole_file.h"
#include "tests/test_program.h"

#include <QtTest>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
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

    void aLinkUnderTheNameOfADraftIsNotFollowed() {
        const std::string target = pathOf("out.json"), other = pathOf("precious.txt");
        writeWholeFile(other, "precious");
        // The name of drafts in the first version.
        std::filesystem::create_symlink(other, target + ".part" + std::to_string(::getpid()));
        writeWholeFile(target, "new");
        QCOMPARE(textOf(other), std::string("precious"));
        QCOMPARE(textOf(target), std::string("new"));
    }

    void anEmptyFileIsWritten() {
        writeWholeFile(pathOf("empty"), {});
        QCOMPARE(std::filesystem::file_size(pathOf("empty")), std::uintmax_t{0});
    }

    void twoWritersOfOneFileDoNotDisturbEachOther() {
        const std::string path = pathOf("both.json");
        WholeFile first(path), second(path);
        first.write("first");
        second.write("second");
        first.keep();
        QCOMPARE(textOf(path), std::string("first"));
        second.keep();
        QCOMPARE(textOf(path), std::string("second"));
    }

    void aFileHasThePermissionsThatNewFilesHave() {
        const mode_t before = ::umask(027);
        writeWholeFile(pathOf("mode.json"), "text");
        ::umask(before);
        QCOMPARE(std::filesystem::status(pathOf("mode.json")).permissions(), std::filesystem::perms(0640));
    }

    void aNewFileIsCreatedOnlyOnce() {
        const std::string path = pathOf("new.json");
        WholeFile first(path), second(path);
        first.write("first");
        second.write("second");
        second.keepNew();
        QVERIFY_THROWS_EXCEPTION(FileExists, first.keepNew());
        QVERIFY_THROWS_EXCEPTION(FileExists, writeNewFile(path, "third"));
        QCOMPARE(textOf(path), std::string("second"));
    }

    void aFullDiskSaysSoAndLeavesNoHalfFile() {
        // A file may not grow beyond this size, as on a disk that has no more room.
        rlimit before{};
        QCOMPARE(::getrlimit(RLIMIT_FSIZE, &before), 0);
        const auto handler = std::signal(SIGXFSZ, SIG_IGN);
        const rlimit small{4096, before.rlim_max};
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &small), 0);
        std::string said;
        try {
            writeWholeFile(pathOf("full.json"), std::string(100'000, 'x'));
        } catch (const FileError& error) { said = error.what(); }
        ::setrlimit(RLIMIT_FSIZE, &before);
        std::signal(SIGXFSZ, handler);
        QVERIFY2(said.find("full.json: cannot be written: File too large") != std::string::npos, said.c_str());
        QVERIFY(QDir(m_folder.path()).entryList({QStringLiteral("full.json*")}).isEmpty());
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
