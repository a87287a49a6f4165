#include "data/document/unpacked_text.h"
#include "data/document/whole_file.h"
#include "tests/data/kineto_text.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <string>

using namespace data;

namespace {

struct Unpacked {
    std::string text, damage;
};

/// Reads everything, `piece` bytes at once, from a source that gives `given` bytes at once.
Unpacked unpackedOf(std::string_view bytes, std::size_t piece = 1000, std::size_t given = 1'000'000) {
    const ByteSource all = bytesOfText(bytes);
    UnpackedText text([all, given](char* buffer, std::size_t size) { return all(buffer, std::min(size, given)); });
    Unpacked result;
    std::string buffer(piece, '\0');
    while (const std::size_t count = text.read(buffer.data(), buffer.size()))
        result.text.append(buffer, 0, count);
    result.damage = text.damage();
    return result;
}

}  // namespace

class TestUnpackedText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void plainTextIsPassedOn() {
        for (const std::string text : {"", "a", "ab", "{\"traceEvents\": []}"}) {
            QCOMPARE(unpackedOf(text).text, text);
            QCOMPARE(unpackedOf(text, 1, 1).text, text);
            QCOMPARE(unpackedOf(text).damage, std::string());
        }
    }

    void gzipIsUnpackedWhateverTheSizeOfThePieces() {
        std::string text;
        for (int i = 0; i < 50'000; ++i)
            text += std::to_string(i * 7919 % 10'007) + ",";
        const std::string bytes = tests::packed(text);
        for (const auto& [piece, given] :
             {std::pair{1, 1}, std::pair{1, 100'000}, std::pair{100'000, 1}, std::pair{70'000, 5'000}}) {
            const Unpacked result = unpackedOf(bytes, static_cast<std::size_t>(piece), static_cast<std::size_t>(given));
            QVERIFY(result.text == text);
            QCOMPARE(result.damage, std::string());
        }
    }

    void membersFollowEachOther() {
        const std::string bytes = tests::packed("one ") + tests::packed("") + tests::packed("two");
        QCOMPARE(unpackedOf(bytes).text, std::string("one two"));
        QCOMPARE(unpackedOf(bytes, 1, 1).text, std::string("one two"));
        QCOMPARE(unpackedOf(bytes + std::string(600, '\0')).damage, std::string());  // padding
    }

    void damageIsToldAndWhatPrecedesItIsKept() {
        const std::string text(300'000, 'x');
        std::string bytes = tests::packed(text);
        const Unpacked cut = unpackedOf(std::string_view(bytes).substr(0, bytes.size() / 2));
        QCOMPARE(cut.damage, std::string("the gzip data are cut off"));
        QVERIFY(!cut.text.empty() && cut.text.size() < text.size());
        // The text before the cut does not depend on the size of the pieces.
        QVERIFY(unpackedOf(std::string_view(bytes).substr(0, bytes.size() / 2), 1, 1).text == cut.text);
        QCOMPARE(unpackedOf(bytes + "more").damage, std::string("other bytes follow the gzip data"));
        QVERIFY(unpackedOf(bytes + "more").text == text);
        bytes[bytes.size() - 6] = static_cast<char>(bytes[bytes.size() - 6] ^ 1);  // of the checksum
        QCOMPARE(unpackedOf(bytes).damage, std::string("the gzip data are damaged"));
        QVERIFY(unpackedOf(bytes).text == text);
        QCOMPARE(unpackedOf("\x1f\x8b").damage, std::string("the gzip data are cut off"));
        QCOMPARE(unpackedOf("\x1f\x8b not gzip").damage, std::string("the gzip data are damaged"));
    }

    void theBeginningOfAFileIsUnpacked() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("text.gz").toStdString();
        writeWholeFile(path, tests::packed("0123456789"));
        QCOMPARE(beginningOfText(path, 4), std::string("0123"));
        QCOMPARE(beginningOfText(path, 40), std::string("0123456789"));
        QVERIFY_EXCEPTION_THROWN(beginningOfText(path + ".none", 4), FileError);
    }
};

RINGSIDE_TEST(TestUnpackedText)
#include "tst_unpacked_text.moc"
