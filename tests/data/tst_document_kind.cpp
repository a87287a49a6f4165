#include "data/document/whole_file.h"
#include "data/opening/document_kind.h"
#include "tests/data/kineto_text.h"
#include "tests/test_program.h"

#include <QtTest>

using data::DocumentKind;
using data::documentKind;

namespace {

std::string quoted(const char* word) { return '"' + std::string(word) + '"'; }

}  // namespace

class TestDocumentKind : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    DocumentKind kindOf(const char* name, const std::string& text) const {
        const std::string path = m_folder.filePath(QString::fromLatin1(name)).toStdString();
        data::writeWholeFile(path, text);
        return documentKind(path);
    }

private Q_SLOTS:
    void aRequestFileIsKnownByItsFirstRequest() {
        for (const char* line : {"0x40 READ 0\n", "LD 0x40\n", "ST 64\n", "0x40 W\r\n"}) {
            QVERIFY2(kindOf("memory.txt", line) == DocumentKind::requests, line);
            QVERIFY2(kindOf("memory.txt", std::string("# a comment\n\n") + line) == DocumentKind::requests, line);
        }
        for (const char* text : {"", "# READ\n", "0x40 READ\n", "LD 0x40 0\n", "READ 0x40 0\n", "{\n0x40 READ 0\n"})
            QVERIFY2(kindOf("memory.txt", text) == DocumentKind::experiment, text);
    }

    void aDocumentIsWhatItsFormatSaysWhateverTheFileIsCalled() {
        for (const auto& [format, kind] :
             {std::pair{"ringside-experiment", DocumentKind::experiment},
              std::pair{"ringside-evaluation", DocumentKind::evaluation},
              std::pair{"ringside-preset", DocumentKind::preset}, std::pair{"ringside-sweep", DocumentKind::sweep},
              std::pair{"ringside-lesson", DocumentKind::lesson}, std::pair{"ringside-figure", DocumentKind::figure},
              std::pair{"ringside-tasks", DocumentKind::tasks}}) {
            const std::string text =
                R"({"version": 1, "other": {"format": "ringside-trace"}, "format": )" + quoted(format) + "}";
            QVERIFY2(kindOf("document.json", text) == kind, format);
            QVERIFY2(kindOf("document.txt", text) == kind, format);
        }
    }

    void aTraceIsKnownByItsEvents() {
        QVERIFY(kindOf("t.json", R"({"otherData":{"format":"ringside-trace"},"traceEvents":[]})") ==
                DocumentKind::trace);
    }

    void aTraceWithoutAnExperimentIsMeasured() {
        QVERIFY(kindOf("t.json", R"({"traceEvents": []})") == DocumentKind::measured);
        QVERIFY(kindOf("t.json", R"([{"ph": "X", "pid": 1}])") == DocumentKind::measured);
        QVERIFY(kindOf("t.json.gz", tests::packed(R"({"traceEvents": []})")) == DocumentKind::measured);
        // Process groups push the events of a large job far behind the beginning.
        std::string groups = "{\"schemaVersion\": 1, \"distributedInfo\": {\"pg_config\": [";
        for (int i = 0; i < 5'000; ++i)
            groups += R"({"pg_name": "7", "ranks": [0, 1]}, )";
        groups += "{}]}, \"traceEvents\": []}";
        QVERIFY(kindOf("t.json", groups) == DocumentKind::measured);
        QVERIFY(kindOf("t.pt.trace.json.gz", tests::packed(groups)) == DocumentKind::measured);
    }

    void picturesAndArchivesMayCarryAFigure() {
        for (const char* name : {"f.pdf", "f.SVG", "f.png", "f.zip"})
            QVERIFY2(kindOf(name, "anything") == DocumentKind::figure, name);
        QVERIFY(kindOf("pdf", "anything") == DocumentKind::experiment);
    }

    void whatSaysNothingIsLeftToTheReaderOfExperiments() {
        QVERIFY(kindOf("d.json", "{}") == DocumentKind::experiment);
        QVERIFY(kindOf("d.json", "{\"format\": \"ringside-sweep\"") == DocumentKind::experiment);  // not JSON
        QVERIFY(kindOf("d.json", "\xff\xfe") == DocumentKind::experiment);
        QVERIFY(documentKind(m_folder.filePath(QStringLiteral("nothing.json")).toStdString()) ==
                DocumentKind::experiment);
        QVERIFY(documentKind(m_folder.path().toStdString()) == DocumentKind::experiment);
        QVERIFY(documentKind("t-nlg/fc-2/tp8") == DocumentKind::experiment);
    }
};

RINGSIDE_TEST(TestDocumentKind)
#include "tst_document_kind.moc"
