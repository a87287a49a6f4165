#include "data/document/document_tree.h"
#include "tests/data/said.h"
#include "tests/test_program.h"

#include <QtTest>

using namespace data;
using Kind = DocumentNode::Kind;

namespace {

using tests::contains;
using tests::described;

std::string problemsOf(std::string_view json) { return described(readTree(json, "test").problems); }

}  // namespace

class TestDocumentTree : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everythingStandsWhereItWasWritten() {
        const DocumentTree tree = readTree(R"({"a": [1, "x", {"b": 2.50}], "c": null})", "test");
        QVERIFY2(tree.problems.empty(), described(tree.problems).c_str());
        const DocumentNode* list = tree.root->find("a");
        QVERIFY(list->kind == Kind::list);
        QCOMPARE(list->children.size(), std::size_t{3});
        QVERIFY(list->children[0].kind == Kind::number && list->children[0].text == "1");
        QVERIFY(list->children[1].kind == Kind::string && list->children[1].text == "x");
        QCOMPARE(list->children[2].find("b")->text, std::string("2.50"));
        QVERIFY(tree.root->find("c")->kind == Kind::other);
        QVERIFY(tree.root->find("d") == nullptr);
    }

    void aKeyGivenTwiceIsNamedWithItsPlaceAlsoInsideLists() {
        QCOMPARE(problemsOf(R"({"a": 1, "b": [0, {"c": 1, "c": {"c": 2, "c": 3}}], "a": {"x": [1]}})"),
                 std::string("b[1].c: given twice; keep one of the two\n"
                             "b[1].c.c: given twice; keep one of the two\n"
                             "a: given twice; keep one of the two\n"));
    }

    void badJsonIsNamedByLineAndColumn() {
        const std::string text = problemsOf("{\"a\": [1,\n 2,, 3]}");
        QVERIFY2(contains(text, "test: not valid JSON at line 2, column 4"), text.c_str());
        QVERIFY(!readTree("{\"a\": [1,\n 2,, 3]}", "test").root);
        QVERIFY(!readTree("", "test").root);
        QVERIFY(!problemsOf("").empty());
    }

    void whatIsNoObjectIsRefused() {
        QCOMPARE(problemsOf("[1, 2]"), std::string("test: [...]: a list, but an object {...} is expected\n"));
        QCOMPARE(problemsOf("7"), std::string("test: 7: one value, but an object {...} is expected\n"));
    }

    void depthIsLimited() {
        const auto levels = [](std::size_t count) {
            return "{\"a\":" + std::string(count - 1, '[') + "1" + std::string(count - 1, ']') + "}";
        };
        QCOMPARE(problemsOf(levels(12)), std::string());
        QCOMPARE(problemsOf(levels(13)),
                 std::string("a[0][0][0][0][0][0][0][0][0][0][0]: nested too deeply; allowed are 12 levels\n"));
        const std::string abyss = "{\"a\":" + std::string(1'000'000, '[');
        QVERIFY(contains(problemsOf(abyss), "nested too deeply"));
    }

    void sizeIsLimited() {
        QVERIFY(contains(problemsOf(std::string(kLargestDocument + 1, ' ')), "larger than the 16 MiB"));
        std::string many = "{\"a\":[0";
        for (std::size_t i = 0; i < kMostTreeValues; ++i)
            many += ",0";
        const DocumentTree tree = readTree(many + "]}", "test");
        QVERIFY(!tree.root);
        QVERIFY(contains(described(tree.problems), "more than the 1100000 values"));
    }

    void noMoreProblemsAreListedThanAnybodyReads() {
        std::string twice = "{\"a\":0";
        for (int i = 0; i < 1000; ++i)
            twice += ",\"a\":0";
        QCOMPARE(readTree(twice + "}", "test").problems.size(), kMostProblems);
    }

    void aPartIsADocumentOfItsOwn() {
        const DocumentTree tree = readTree(R"({"base": {"x": 1, "link": {"y": "2"}, "l": [1], "d.e": 1}})", "test");
        const FlatDocument flat = flatten(*tree.root->find("base"));
        QCOMPARE(flat.values.size(), std::size_t{2});
        QCOMPARE(flat.values[1].path, std::string("link.y"));
        QVERIFY(flat.values[1].kind == DocumentValue::Kind::string);
        QCOMPARE(flat.objects, std::vector<std::string>{"link"});
        QCOMPARE(described(flat.problems),
                 std::string("l: [...]: a list, but one value is expected\n"
                             "d.e: keys nest at the dots: {\"link\": {\"bandwidth\": ...}}\n"));
    }
};

RINGSIDE_TEST(TestDocumentTree)
#include "tst_document_tree.moc"
