#include "data/document/document_reader.h"
#include "data/document/text_hash.h"
#include "data/document/whole_file.h"
#include "data/trace/request_file.h"
#include "tests/data/said.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QtTest>

#include <filesystem>
#include <string>
#include <vector>

using namespace data;

namespace {

constexpr engine::Bytes kRequestGranule{256};

using Requests = std::vector<engine::AccessRequest>;

RequestReading readingOf(const std::string& text, engine::Bytes granule = kRequestGranule) {
    return readRequests(text, "a.trace", granule);
}

Requests requestsIn(const std::string& text, engine::Bytes granule = kRequestGranule) {
    const RequestReading reading = readingOf(text, granule);
    if (!reading.problems.empty())
        qFatal("%s", tests::described(reading.problems).c_str());
    return reading.requests;
}

/// Returns whether the only problem of the text is at this line, with this value and text.
bool refusesOnly(const std::string& text, int line, const std::string& value, const std::string& what) {
    const RequestReading reading = readingOf(text);
    const bool only = reading.requests.empty() && reading.problems.size() == 1 &&
                      reading.problems.front().path == "a.trace:" + std::to_string(line) &&
                      reading.problems.front().value == value && tests::contains(reading.problems.front().text, what);
    if (!only)
        qWarning("%s", tests::described(reading.problems).c_str());
    return only;
}

std::string linesOf(std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i)
        text += "0x0 R\n";
    return text;
}

}  // namespace

class TestRequestFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void allFormsReadToTheSameRequests() {
        const Requests expected{{0, 0, false}, {0x1a3f000, 0, true}, {4096, 0, false}};
        const RequestReading dramsim3 = readingOf("0x0 READ 0\n0x1a3f000 WRITE 0\n0x1000 READ 0\n");
        const RequestReading ramulator2 = readingOf("LD 0x0\nST 0x1A3F000\nLD 4096\n");
        const RequestReading ramulator = readingOf("0x0 R\n0x1a3f000 W\n0x1000 R\n");
        QCOMPARE(dramsim3.form, RequestForm::dramsim3);
        QCOMPARE(ramulator2.form, RequestForm::ramulator2);
        QCOMPARE(ramulator.form, RequestForm::ramulator);
        for (const RequestReading& reading : {dramsim3, ramulator2, ramulator}) {
            QVERIFY2(reading.problems.empty(), tests::described(reading.problems).c_str());
            QVERIFY(reading.requests == expected);
        }
    }

    void onlyDramsim3HasCycles() {
        QVERIFY(requestsIn("0x40 READ 7\n0x80 WRITE 7\n0x80 READ 1000000000000\n") ==
                (Requests{{0x40, 7, false}, {0x80, 7, true}, {0x80, 1'000'000'000'000, false}}));
    }

    void emptyLinesCommentsBlanksAndEndsOfLinesDoNotMatter() {
        const Requests expected{{0x40, 0, false}, {0x80, 0, true}};
        QVERIFY(requestsIn("# LD 1\n\n  \t\nLD 0x40\r\n  # comment ST 2\n \tST \t 0x80 ") == expected);
        QVERIFY(requestsIn("LD 0x40\nST 0x80") == expected);
    }

    void aMalformedLineIsNamedByItsNumberAndText_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("what");
        const auto row = [](const char* line, const char* value, const char* what) {
            QTest::addRow("%s", line) << QString(line) << QString(value) << QString(what);
        };
        row("0x40 READ", "\"0x40 READ\"", "2 parts instead of 3; allowed: 0xADDRESS READ|WRITE CYCLE");
        row("0x40", "\"0x40\"", "1 part instead of 3");
        row("0x40 READ 9 9", "\"0x40 READ 9 9\"", "4 parts instead of 3");
        row("0x40 R 9", "\"R\"", "no kind of request; allowed: READ, WRITE");
        row("0x40 read 9", "\"read\"", "no kind of request; allowed: READ, WRITE");
        row("64 READ 9", "\"64\"", "no address; allowed: 0x and hexadecimal digits");
        row("0x READ 9", "\"0x\"", "no address");
        row("0x4g READ 9", "\"0x4g\"", "no address");
        row("0x-4 READ 9", "\"0x-4\"", "no address");
        row("0x40 READ 9.5", "\"9.5\"", "no cycle; allowed: a whole number");
        row("0x40 READ -9", "\"-9\"", "no cycle");
        row("0x40 READ 7", "\"7\"", "before the cycle 8 of an earlier line");
        row("0x40 READ 1000000000001", "\"1000000000001\"", "too late; allowed: cycles up to 1000000000000");
        row("0x40 READ 99999999999999999999", "\"99999999999999999999\"", "too late");
        row("0x8000000000 READ 9", "\"0x8000000000\"", "too high; allowed: below 0x8000000000");
        row("0xfffffffffffffffff READ 9", "\"0xfffffffffffffffff\"", "2^31 granules of 256 B");
    }

    void aMalformedLineIsNamedByItsNumberAndText() {
        QFETCH(QString, line);
        QFETCH(QString, value);
        QFETCH(QString, what);
        QVERIFY(refusesOnly("# a comment\n0x0 READ 8\n" + line.toStdString() + "\n0x0 READ 8\n", 3, value.toStdString(),
                            what.toStdString()));
    }

    void theFirstRequestDecidesTheForm() {
        QVERIFY(refusesOnly("LD 0x40\n0x40 R\n", 2, "\"0x40\"", "allowed: LD, ST, as in the first request"));
        QVERIFY(refusesOnly("0x40 W\nST 0x40\n", 2, "\"0x40\"", "allowed: R, W, as in the first request"));
        QVERIFY(refusesOnly("LD 4x\n", 1, "\"4x\"", "allowed: a decimal number, or 0x and hexadecimal digits"));
        QVERIFY(refusesOnly("\nLOAD 4\nLD 5x\n", 2, "\"LOAD 4\"",
                            "no request; allowed: 0xADDRESS READ|WRITE CYCLE, LD|ST ADDRESS or 0xADDRESS R|W"));
    }

    void aTextWithoutRequestsIsRefused() {
        for (const std::string text : {"", "# only a comment\n\n"}) {
            const RequestReading reading = readingOf(text);
            QVERIFY(tests::saysAt(reading.problems, "a.trace", "at least one is expected"));
        }
    }

    void theHighestAddressFollowsFromTheGranule() {
        QCOMPARE(requestsIn("0x7fffffffff R\n").front().address, quint64{0x7fffffffff});
        QCOMPARE(requestsIn("0x7ffffffffff R\n", engine::Bytes{4096}).front().address, quint64{0x7ffffffffff});
        QCOMPARE(readingOf("0x80000000000 R\n", engine::Bytes{4096}).problems.size(), std::size_t{1});
    }

    void aLineMayHave256Bytes() {
        const std::string longest = "0x40 R" + std::string(kLongestRequestLine - 6, ' ');
        QCOMPARE(requestsIn(longest + "\r\n").size(), std::size_t{1});
        QVERIFY(refusesOnly("0x0 R\n" + longest + " \n", 2, "257 bytes", "a line may have 256"));
    }

    void requestsAreLimited() {
        QCOMPARE(requestsIn(linesOf(kMostRequests)).size(), kMostRequests);
        QVERIFY(refusesOnly(linesOf(kMostRequests + 2), kMostRequests + 1, "\"0x0 R\"", "allowed: up to 4194304"));
    }

    void aWrongFileHasFewProblems() {
        std::string text = "0x0 R\n";
        for (int i = 0; i < 1000; ++i)
            text += "0x0 X\n";
        QCOMPARE(readingOf(text).problems.size(), kMostProblems);
        QCOMPARE(readingOf("\x7f"
                           "ELF\n" +
                           text)
                     .problems.size(),
                 std::size_t{1});
    }

    void writtenRequestsAreReadAgain() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("written.trace").toStdString();
        Requests requests;
        for (std::uint64_t i = 0; i < 10'000; ++i)  // longer than a piece of the writer
            requests.push_back({i * 0x3456789 % 0x7fffffffff, i / 3, i % 3 == 0});
        for (std::size_t i = 0; i < kRequestForms.size(); ++i) {
            const auto form = static_cast<RequestForm>(i);
            writeRequestFile(requests, form, path);
            const RequestReading again = readRequestFile(path, kRequestGranule);
            QVERIFY2(again.problems.empty(), tests::described(again.problems).c_str());
            QCOMPARE(again.form, form);
            Requests expected = requests;
            for (engine::AccessRequest& request : expected)
                request.cycle = form == RequestForm::dramsim3 ? request.cycle : 0;
            QVERIFY(again.requests == expected);
        }
    }

    void theDigestIsThatOfTheText() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("a.trace").toStdString();
        const std::string text = "# comment\n0x0 R\n";
        writeWholeFile(path, text);
        QCOMPARE(readRequestFile(path, kRequestGranule).digest, sha256(text));
        QVERIFY(readingOf("0x0 R\n").digest != sha256(text));
    }

    void aFileThatCannotBeReadIsNamed() {
        const QTemporaryDir folder;
        const std::string folderPath = folder.path().toStdString();
        QVERIFY(tests::saysAt(readRequestFile(folderPath, kRequestGranule).problems, folderPath, "a folder"));
        const std::string missing = folderPath + "/missing.trace";
        QVERIFY(!readRequestFile(missing, kRequestGranule).problems.empty());
        const std::string large = folderPath + "/large.trace";
        writeWholeFile(large, "0x0 R\n");
        std::filesystem::resize_file(large, kLargestRequestFile + 1);  // takes no room on the disk
        QVERIFY(tests::saysAt(readRequestFile(large, kRequestGranule).problems, large,
                              "larger than the 256 MiB that a request file may have"));
    }
};

RINGSIDE_TEST(TestRequestFile)
#include "tst_request_file.moc"
