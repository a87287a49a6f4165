#include "data/document/visible_text.h"
#include "tests/test_program.h"

#include <nlohmann/json.hpp>

#include <QtTest>

#include <string>

using namespace data;

class TestVisibleText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void controlCharactersAreEscaped() {
        QCOMPARE(visibleText("a\x1b[31mb"), std::string("a\\u001b[31mb"));
        QCOMPARE(visibleText("a\rb\ac"), std::string("a\\u000db\\u0007c"));
        QCOMPARE(visibleText(std::string_view("a\0b", 3)), std::string("a\\u0000b"));
        QCOMPARE(visibleText("\x7f"), std::string("\\u007f"));
        QCOMPARE(visibleText("\u0080 \u009b \u009f"), std::string("\\u0080 \\u009b \\u009f"));
    }

    void tabsAndLineBreaksStay() { QCOMPARE(visibleText("a\tb\nc"), std::string("a\tb\nc")); }

    void marksOfTheDirectionOfWritingAreEscaped() {
        QCOMPARE(visibleText("\u202e\u202a\u2066\u2069"), std::string("\\u202e\\u202a\\u2066\\u2069"));
        QCOMPARE(visibleText("\u200e\u200f\u061c"), std::string("\\u200e\\u200f\\u061c"));
        QCOMPARE(visibleText("\u2029 \u202f \u2065 \u206a"), std::string("\u2029 \u202f \u2065 \u206a"));
    }

    void otherTextStays() {
        const std::string text = "T-NLG FC-2 × 8 “µs” 中文 \U0001F600 \u00a0 \u200d";
        QCOMPARE(visibleText(text), text);
    }

    void bytesThatAreNoTextAreEscapedIfATerminalCouldObeyThem() {
        QCOMPARE(visibleText("\x9b"
                             "31m"),
                 std::string("\\x9b31m"));
        QCOMPARE(visibleText("caf\xe9"), std::string("caf\xe9"));
        QCOMPARE(visibleText("\xc2"), std::string("\xc2"));
        QCOMPARE(visibleText("\xe2\x80"), std::string("\xe2\\x80"));
    }

    void aDocumentMeansTheSameWithTheEscapes() {
        const std::string title = "a\\\u202e\u009b\"\x1b\n";
        const std::string json = nlohmann::json{{"title", title}}.dump();
        QVERIFY(visibleText(json) != json);
        QCOMPARE(nlohmann::json::parse(visibleText(json))["title"].get<std::string>(), title);
    }

    void aTextInPiecesIsCutBetweenCharacters() {
        const std::string text = "a\u009b中\U0001F600z";
        for (std::size_t cut = 0; cut <= text.size(); ++cut) {
            const std::string first = text.substr(0, cut);
            const std::size_t left = incompleteAtEnd(first);
            QCOMPARE(visibleText(text.substr(0, cut - left)) + visibleText(text.substr(cut - left)), visibleText(text));
        }
        QCOMPARE(incompleteAtEnd("\xe2\x80"), std::size_t{2});
        QCOMPARE(incompleteAtEnd("\xe2\x80\xae"), std::size_t{0});
        QCOMPARE(incompleteAtEnd("\x80\x80\x80\x80"), std::size_t{0});
    }
};

RINGSIDE_TEST(TestVisibleText)
#include "tst_visible_text.moc"
