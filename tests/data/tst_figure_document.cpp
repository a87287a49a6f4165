#include "data/figure/figure_document.h"
#include "tests/data/figure_samples.h"
#include "tests/test_program.h"

#include <QTest>

#include <cmath>
#include <functional>
#include <limits>

using namespace data;

namespace {

std::string replaced(std::string text, const std::string& what, const std::string& with) {
    const auto at = text.find(what);
    return at == std::string::npos ? std::string() : text.replace(at, what.size(), with);
}

BarMark& barsOf(FigureSpec& figure) { return std::get<BarMark>(figure.panels[0].marks[0]); }

}  // namespace

class TestFigureDocument : public QObject {
    Q_OBJECT

    void refuses(const std::string& json, const std::string& path, const std::string& words) {
        QVERIFY(!json.empty());
        const FigureReading reading = readFigure(json, "spec.json");
        QVERIFY(!reading.figure);
        QVERIFY(!reading.problems.empty());
        const std::string said = engine::describe(reading.problems.front());
        QVERIFY2(reading.problems.front().path == path, said.c_str());
        QVERIFY2(said.find(words) != std::string::npos, said.c_str());
    }

private Q_SLOTS:
    void aFigureComesBackAsItWas() {
        const FigureSpec figure = everyKindOfMark();
        const FigureReading reading = readFigure(writeFigure(figure), "spec.json");
        for (const engine::Problem& problem : reading.problems)
            qWarning("%s", engine::describe(problem).c_str());
        QVERIFY(reading.figure);
        QVERIFY(*reading.figure == figure);
        QCOMPARE(writeFigure(*reading.figure), writeFigure(figure));
    }

    void numbersComeBackToTheBit() {
        FigureSpec figure = everyKindOfMark();
        barsOf(figure).bars[0].stack[0].values = {0.1, 1e-300, std::nextafter(1.0, 2.0)};
        QVERIFY(*readFigure(writeFigure(figure), "").figure == figure);
    }

    void whatIsAsItWouldBeAnywayIsNotWritten() {
        FigureSpec figure;
        figure.name = "empty";
        QCOMPARE(writeFigure(figure),
                 std::string("{\n  \"format\": \"ringside-figure\",\n  \"version\": 1,\n  \"name\": \"empty\"\n}\n"));
        QVERIFY(*readFigure(writeFigure(figure), "").figure == figure);
    }

    void otherDocumentsAreNotFigures() {
        refuses("{\"format\": \"ringside-experiment\", \"version\": 1}", "spec.json", "ringside-figure");
        refuses("{}", "spec.json", "ringside-figure");
        refuses("{\"format\": \"ringside-figure\", \"version\": 2, \"name\": \"a\"}", "version", "allowed: 1");
        QVERIFY(!readFigure("", "spec.json").problems.empty());
        QVERIFY(!readFigure("[1, 2", "spec.json").problems.empty());
    }

    void aKeyThatIsNotKnownIsNamedWithTheNearest() {
        const std::string json = writeFigure(everyKindOfMark());
        refuses(replaced(json, "\"caption\"", "\"captoin\""), "captoin", "caption");
        refuses(replaced(json, "\"stack\"", "\"stak\""), "panels[0].marks[0].bars[0].stak", "stack");
    }

    void aWrongTypeIsSaidWithItsPlace() {
        const std::string json = writeFigure(everyKindOfMark());
        refuses(replaced(json, "\"columns\": 2", "\"columns\": \"two\""), "columns", "a whole number");
        refuses(replaced(json, "\"columns\": 2", "\"columns\": 1e99"), "columns", "can be stored");
        refuses(replaced(json, "[1.0,0.5,null]", "[1.0,true,null]"), "panels[0].marks[0].bars[0].stack[0].values[1]",
                "a number");
        refuses(replaced(json, "\"kind\": \"bars\"", "\"kind\": \"pie\""), "panels[0].marks[0].kind", "heat-map");
        refuses(replaced(json, "\"size\": \"acm-text\"", "\"size\": \"acm\""), "size", "acm-column");
        refuses(replaced(json, "\"#80ff0000\"", "\"red\""), "panels[6].marks[0].items[0].fill", "#rrggbb");
    }

    void whatDoesNotFitTogetherIsAProblem() {
        struct Fault {
            std::function<void(FigureSpec&)> make;
            std::string path;
        };
        const double infinity = std::numeric_limits<double>::infinity();
        const std::vector<Fault> faults{
            {[](FigureSpec& f) { f.name = "../escape"; }, "name"},
            {[](FigureSpec& f) { f.name.clear(); }, "name"},
            {[](FigureSpec& f) { f.height = 10; }, "height"},
            {[](FigureSpec& f) { f.columns = -1; }, "columns"},
            {[](FigureSpec& f) { barsOf(f).bars[0].stack[0].values.pop_back(); },
             "panels[0].marks[0].bars[0].stack[0].values"},
            {[&](FigureSpec& f) { barsOf(f).bars[0].stack[0].values[1] = infinity; },
             "panels[0].marks[0].bars[0].stack[0].values[1]"},
            {[](FigureSpec& f) {
                 barsOf(f).bars[1].from = {1, 2};
             },
             "panels[0].marks[0].bars[1].from"},
            {[&](FigureSpec& f) {
                 barsOf(f).bars[1].from = {1, 2, infinity};
             },
             "panels[0].marks[0].bars[1].from[2]"},
            {[](FigureSpec& f) { f.panels[0].annotations[1].toX.reset(); }, "panels[0].annotations[1]"},
            {[&](FigureSpec& f) { f.panels[0].annotations[1].toY = infinity; }, "panels[0].annotations[1].to_y"},
            {[](FigureSpec& f) { barsOf(f).bars[0].stack[0].meaning = "mystery"; },
             "panels[0].marks[0].bars[0].stack[0].meaning"},
            {[](FigureSpec& f) { barsOf(f).bars[1].stack[0].high.clear(); }, "panels[0].marks[0].bars[1].stack[0]"},
            {[](FigureSpec& f) { f.panels[0].categories.groups[0].count = 1; }, "panels[0].categories.groups"},
            {[](FigureSpec& f) { f.panels[0].references[0].category = 3; }, "panels[0].references[0].category"},
            {[](FigureSpec& f) { f.panels[1].x.from = 0; }, "panels[1].x.from"},
            {[](FigureSpec& f) { f.panels[1].x.to = 1; }, "panels[1].x.to"},
            {[](FigureSpec& f) { f.panels[1].weight = 0; }, "panels[1].weight"},
            {[](FigureSpec& f) {
                 std::get<AreaMark>(f.panels[2].marks[0]).x = {3, 1, 0};
             },
             "panels[2].marks[0].x"},
            {[](FigureSpec& f) { std::get<BoxMark>(f.panels[3].marks[0]).groups[0].boxes[0]->upper = 9; },
             "panels[3].marks[0].groups[0].boxes[0]"},
            {[](FigureSpec& f) { std::get<HeatMark>(f.panels[4].marks[0]).values.pop_back(); },
             "panels[4].marks[0].values"},
            {[](FigureSpec& f) { std::get<TimelineMark>(f.panels[5].marks[0]).spans[1].lane = 2; },
             "panels[5].marks[0].spans[1]"},
            {[](FigureSpec& f) { std::get<DrawingMark>(f.panels[6].marks[0]).width = 0; }, "panels[6].marks[0].width"}};
        QVERIFY(problemsOf(everyKindOfMark()).empty());
        for (const Fault& fault : faults) {
            FigureSpec figure = everyKindOfMark();
            fault.make(figure);
            const engine::Problems problems = problemsOf(figure);
            QVERIFY2(problems.size() == 1, fault.path.c_str());
            QCOMPARE(problems.front().path, fault.path);
            QVERIFY(!problems.front().text.empty());
        }
    }

    void aFigureCutInHalfIsAProblemAndNothingElse() {
        const std::string json = writeFigure(everyKindOfMark());
        for (std::size_t length = 0; length + 2 < json.size(); length += 97)
            QVERIFY(!readFigure(json.substr(0, length), "spec.json").figure);
    }

    void manyProblemsAreCutShort() {
        FigureSpec figure = everyKindOfMark();
        auto& spans = std::get<TimelineMark>(figure.panels[5].marks[0]).spans;
        spans.assign(10'000, {7, 2, 1, "mystery", ""});
        QVERIFY(problemsOf(figure).size() <= 50);
    }
};

RINGSIDE_TEST(TestFigureDocument)
#include "tst_figure_document.moc"
