// Checks the page and the schema of figure documents against the reader, so that the three say the same.

#include "data/figure/figure_document.h"
#include "data/figure/figure_edits.h"
#include "data/figure/figure_fields.h"
#include "data/figure/figure_meaning.h"
#include "data/figure/figure_parts.h"
#include "tests/data/figure_samples.h"
#include "tests/data/json_schema.h"
#include "tests/test_program.h"

#include <QtTest>

#include <fstream>
#include <iterator>
#include <set>
#include <string>

using namespace data;

namespace {

using Words = std::set<std::string>;
using tests::keysOf;
using tests::wholeText;

const tests::JsonSchema& schema() {
    static const tests::JsonSchema kSchema(wholeText("resources/figures/figure.schema.json"));
    return kSchema;
}

std::string page() { return wholeText("resources/figures/README.md"); }

/// Returns the keys that the reader knows for an object, and further ones.
template <class T>
Words fieldKeys(Words others = {}) {
    const T object{};
    std::apply([&](const auto&... field) { (others.insert(field.key), ...); }, fieldsOf(object));
    return others;
}

}  // namespace

class TestFigurePage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theSchemaHasTheKeysOfTheReader() {
        const tests::JsonSchema& own = schema();
        QVERIFY(keysOf(own.root()) == fieldKeys<FigureSpec>({"format", "version"}));
        QVERIFY(keysOf(own.part("panel")) == fieldKeys<FigurePanel>());
        QVERIFY(keysOf(own.part("axis")) == fieldKeys<FigureAxis>());
        QVERIFY(keysOf(own.part("series")) == fieldKeys<FigureSeries>());
        QVERIFY(keysOf(own.part("bar")) == fieldKeys<FigureBar>());
        QVERIFY(keysOf(own.part("box")) == fieldKeys<FigureBox>());
        QVERIFY(keysOf(own.part("box_group")) == fieldKeys<BoxMark::Group>());
        QVERIFY(keysOf(own.part("lane")) == fieldKeys<TimelineMark::Lane>());
        QVERIFY(keysOf(own.part("reference")) == fieldKeys<FigureReference>());
        QVERIFY(keysOf(own.part("annotation")) == fieldKeys<FigureAnnotation>());
        QVERIFY(keysOf(own.part("categories")) == fieldKeys<FigureCategories>());
        QVERIFY(keysOf(own.part("provenance")) == fieldKeys<FigureProvenance>());
        QVERIFY(keysOf(own.part("source")) == fieldKeys<FigureSource>());
        QVERIFY(keysOf(own.part("bars")) == fieldKeys<BarMark>({"kind"}));
        QVERIFY(keysOf(own.part("lines")) == fieldKeys<LineMark>({"kind"}));
        QVERIFY(keysOf(own.part("areas")) == fieldKeys<AreaMark>({"kind"}));
        QVERIFY(keysOf(own.part("boxes")) == fieldKeys<BoxMark>({"kind"}));
        QVERIFY(keysOf(own.part("heat-map")) == fieldKeys<HeatMark>({"kind"}));
        QVERIFY(keysOf(own.part("timeline")) == fieldKeys<TimelineMark>({"kind"}));
        QVERIFY(keysOf(own.part("drawing")) == fieldKeys<DrawingMark>({"kind"}));
    }

    void theSchemaAcceptsAFigureWithEveryKindOfMark() {
        const auto document = nlohmann::json::parse(writeFigure(everyKindOfMark()));
        const std::string fault = schema().faultOf(document);
        QVERIFY2(fault.empty(), fault.c_str());
        nlohmann::json wrong = document;
        wrong["panels"][0]["form"] = 1;
        QVERIFY(!schema().faultOf(wrong).empty());
        wrong = document;
        wrong["from"]["kind"] = "nowhere";
        QVERIFY(!schema().faultOf(wrong).empty());
    }

    void theExampleOfThePageIsAFigure() {
        const std::string text = page();
        const std::size_t begin = text.find("```json\n"), end = text.find("\n```\n", begin);
        QVERIFY(begin != std::string::npos && end != std::string::npos);
        const std::string example = text.substr(begin + 8, end - begin - 8);
        const FigureReading reading = readFigure(example, "the page");
        QVERIFY2(reading.figure, reading.problems.empty() ? "" : engine::describe(reading.problems.front()).c_str());
        const std::string fault = schema().faultOf(nlohmann::json::parse(example));
        QVERIFY2(fault.empty(), fault.c_str());
        // Its edit was applied to the series that has this meaning, so that it can be applied again.
        FigureSpec again = *reading.figure;
        QVERIFY(applyEdits(again, reading.figure->edits).empty());
    }

    void thePageNamesEveryWord() {
        const std::string text = page();
        const auto named = [&](std::string_view word) {
            QVERIFY2(text.find(word) != std::string::npos, std::string(word).c_str());
        };
        for (const std::string_view word : kSourceWords)
            named("`" + std::string(word) + "`");
        for (const std::string_view word : kAnnotationWords)
            named(word);
        for (const std::string_view word : kPartWords)
            named(std::string(word) + ".NAME.");
        for (const OwnLook& look : ownLooks())
            named("." + std::string(look.key) + "=");
        // The words that the editor itself lists.
        FigureSpec figure = everyKindOfMark();
        for (const char* edit : {"nothing=1", "panel.1.nothing=1", "panel.1.y.nothing=1", "panel.1.note.1.nothing=1"}) {
            const auto problem = applyEdit(figure, edit);
            QVERIFY(problem);
            std::string allowed = problem->text.substr(problem->text.find("allowed: ") + 9);
            for (std::size_t at = 0; at < allowed.size();) {
                const std::size_t end = std::min(allowed.find_first_of(", ", at), allowed.size());
                const std::string word = allowed.substr(at, end - at);
                if (!word.empty() && word.find("...") == std::string::npos && word != "and" && word != "parts" &&
                    word != "such" && word != "as")
                    named(word + "=");
                at = end + 1;
            }
        }
    }
};

RINGSIDE_TEST(TestFigurePage)
#include "tst_figure_page.moc"
