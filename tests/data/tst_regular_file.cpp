#include "data/document/document_reader.h"
#include "data/document/regular_file.h"
#include "data/document/whole_file.h"
#include "data/experiment/own_presets.h"
#include "data/opening/document_kind.h"
#include "data/trace/trace_file.h"
#include "tests/test_program.h"

#include <QtTest>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

using namespace data;

namespace {

std::string firstProblem(const engine::Problems& problems) {
    return problems.empty() ? std::string() : engine::describe(problems.front());
}

bool has(const std::string& text, std::string_view words) { return text.find(words) != std::string::npos; }

}  // namespace

/// Nobody writes to or reads from the named pipes of these tests: a program that opened one would wait forever.
class TestRegularFile : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    std::string pathOf(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)).toStdString(); }
    std::string pipeNamed(const char* name) const {
        const std::string path = pathOf(name);
        std::filesystem::create_directories(std::filesystem::path(path).parent_path());
        if (::mkfifo(path.c_str(), 0600) != 0)
            qFatal("the named pipe cannot be created");
        return path;
    }
    static std::string readAt(const std::string& path) {
        engine::Problems problems;
        const std::string text = readText(path, problems);
        return problems.empty() ? text : firstProblem(problems);
    }
    static std::string whyNotWritten(const std::string& path) {
        try {
            writeWholeFile(path, "text");
        } catch (const FileError& error) { return error.what(); }
        return {};
    }

private Q_SLOTS:
    void aFileIsReadAndALinkToItAsWell() {
        std::ofstream(pathOf("a.json")) << "{}";
        std::filesystem::create_symlink(pathOf("a.json"), pathOf("link.json"));
        QCOMPARE(readAt(pathOf("a.json")), std::string("{}"));
        QCOMPARE(readAt(pathOf("link.json")), std::string("{}"));
    }

    void aNamedPipeIsRefusedWithoutWaiting() {
        const std::string pipe = pipeNamed("pipe.json");
        std::filesystem::create_symlink(pipe, pathOf("to-pipe.json"));
        QVERIFY2(has(readAt(pipe), "pipe.json: not a regular file"), readAt(pipe).c_str());
        QVERIFY(has(readAt(pathOf("to-pipe.json")), "not a regular file"));
        QVERIFY(has(firstProblem(readTraceFile(pipe).problems), "not a regular file"));
        QVERIFY(!isTraceFile(pipe));
        QCOMPARE(documentKind(pipe), DocumentKind::experiment);
    }

    void whatIsNoFileIsNamed() {
        QVERIFY(has(readAt(m_folder.path().toStdString()), "a folder, but a file is expected"));
        QVERIFY(has(readAt("/dev/zero"), "not a regular file"));
        QVERIFY(has(readAt(pathOf("none.json")), "cannot be opened: No such file"));
    }

    void aPipeThatThisProgramHasOpenIsRead() {
        int ends[2];
        QCOMPARE(::pipe(ends), 0);
        QCOMPARE(::write(ends[1], "{\"seed\": 1}", 11), ssize_t{11});
        ::close(ends[1]);
        QCOMPARE(readAt("/dev/fd/" + std::to_string(ends[0])), std::string("{\"seed\": 1}"));
        ::close(ends[0]);
    }

    void aNamedPipeAmongThePresetsCostsNoOtherPreset() {
        pipeNamed("presets/models/pipe.json");
        std::ofstream(pathOf("presets/models/mine.json"))
            << R"({"format": "ringside-preset", "version": 1, "kind": "model", "name": "mine",
                   "workload": {"hidden": 4096, "sequence": 2048, "batch": 1}})";
        const OwnPresets presets(pathOf("presets"));
        QVERIFY(presets.find(OwnKind::model, "mine") != nullptr);
        QCOMPARE(presets.all().size(), std::size_t{1});
        QCOMPARE(presets.problems().size(), std::size_t{1});
        QVERIFY(has(firstProblem(presets.problems()), "models/pipe.json"));
    }

    void aNamedPipeIsNoTarget() {
        const std::string pipe = pipeNamed("target");
        QVERIFY2(has(whyNotWritten(pipe), "target: cannot be written: it is a pipe"), whyNotWritten(pipe).c_str());
        QVERIFY(std::filesystem::is_fifo(pipe));
    }

    void aSocketIsNoTarget() {
        const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        const std::string path = pathOf("socket");
        QVERIFY(path.size() < sizeof address.sun_path);
        std::memcpy(address.sun_path, path.c_str(), path.size());
        QCOMPARE(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        QVERIFY(has(whyNotWritten(path), "a socket"));
        ::close(socket);
    }

    void aDeviceAndAPipeThatThisProgramHasOpenAreWrittenTo() {
        QCOMPARE(whyNotWritten("/dev/null"), std::string());
        int ends[2];
        QCOMPARE(::pipe(ends), 0);
        QCOMPARE(whyNotWritten("/dev/fd/" + std::to_string(ends[1])), std::string());
        char text[5] = {};
        QCOMPARE(::read(ends[0], text, 4), ssize_t{4});
        QCOMPARE(std::string(text), std::string("text"));
        ::close(ends[0]);
        ::close(ends[1]);
    }
};

RINGSIDE_TEST(TestRegularFile)
#include "tst_regular_file.moc"
