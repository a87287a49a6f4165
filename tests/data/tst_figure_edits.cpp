#include "data/figure/figure_document.h"
#include "data/figure/figure_edits.h"
#include "data/figure/figure_meaning.h"
#include "data/figure/figure_parts.h"
#include "data/figure/spelling.h"
#include "tests/data/figure_samples.h"
#include "tests/test_program.h"

#include <QTest>

using namespace data;

namespace {

/// A panel with three categories in two groups and two policies side by side.
FigureSpec twoPolicies() {
    FigureSpec figure;
    figure.name = "two-policies";
    FigurePanel panel;
    panel.categories = {{"OP", "FC-2", "Geomean"}, {{"T-NLG", 2}, {"All", 1}}};
    panel.y = {"Runtime", "µs", "", FigureScale::linear, {}, {}, {}};
    BarMark bars;
    bars.bars = {{"", {{"Sequential", "policy/sequential", {1.0, 2.0, 3.0}, {}, {}, 0}}},
                 {"", {{"T3", "policy/t3", {4.0, 5.0, 6.0}, {}, {}, 0}}},
                 {"", {{"T3-MCA", "policy/t3-mca", {7.0, 8.0, 9.0}, {}, {}, 0}}}};
    panel.marks = {bars};
    panel.references = {{5.5, "published", "published", 1, 1}, {8.5, "published", "published", 2, 2}};
    panel.annotations = {{1, 8, "here"}, {2, 9, "mean"}};
    figure.panels = {panel};
    return figure;
}

const BarMark& barsIn(const FigureSpec& figure) { return std::get<BarMark>(figure.panels.front().marks.front()); }

std::string said(const std::optional<engine::Problem>& problem) { return problem ? engine::describe(*problem) : ""; }

}  // namespace

class TestFigureEdits : public QObject {
    Q_OBJECT

    void applied(FigureSpec& figure, const std::string& edit) {
        const auto problem = applyEdit(figure, edit);
        QVERIFY2(!problem, said(problem).c_str());
        QVERIFY(problemsOf(figure).empty());
    }

    void refused(const FigureSpec& figure, const std::string& edit, const std::string& words) {
        FigureSpec same = figure;
        const auto problem = applyEdit(same, edit);
        QVERIFY2(problem && said(problem).find(words) != std::string::npos, (edit + " says: " + said(problem)).c_str());
        QVERIFY(same == figure);
    }

private Q_SLOTS:
    void aSeriesIsNamedAsInTheFigureInSmallLettersOrByItsMeaning() {
        for (const char* name : {"T3-MCA", "t3-mca", "policy/t3-mca"}) {
            FigureSpec figure = twoPolicies();
            applied(figure, "series." + std::string(name) + ".name=Ours");
            QCOMPARE(barsIn(figure).bars[2].stack.front().name, std::string("Ours"));
        }
        FigureSpec renamed = twoPolicies();
        applied(renamed, "series.T3-MCA.name=Ours");
        applied(renamed, "series.t3-mca.name=Mine");  // its meaning is still that of T3-MCA
        QCOMPARE(barsIn(renamed).bars[2].stack.front().name, std::string("Mine"));
        refused(twoPolicies(), "series.T4.name=Ours", "Sequential, T3 and T3-MCA");
    }

    void errorBarsAreLeftOutInAPanelOrEverywhere() {
        FigureSpec figure = twoPolicies();
        refused(figure, "errors=hidden", "there are no error bars");
        const FigureSpec plain = figure;
        FigureSeries& series = std::get<BarMark>(figure.panels[0].marks[0]).bars[1].stack.front();
        series.low.assign(series.values.size(), 0.5);
        series.high.assign(series.values.size(), 9);
        series.samples = 3;
        const FigureSpec barred = figure;
        refused(figure, "errors=true", "allowed: hidden");
        applied(figure, "panel.1.errors=hidden");
        QVERIFY(figure == plain);
        QVERIFY(editsBetween(barred, plain) == std::vector<std::string>{"panel.1.errors=hidden"});
        figure = barred;
        applied(figure, "errors=hidden");
        QVERIFY(figure == plain);
    }

    void axesAreSharedUnlessTheAuthorSaysOtherwise() {
        FigureSpec figure = twoPolicies();
        applied(figure, "shared=false");
        QVERIFY(!figure.shared);
        QVERIFY(editsBetween(twoPolicies(), figure) == std::vector<std::string>{"shared=false"});
        refused(figure, "shared=perhaps", "true");
    }

    void titlesAndRangesAreSharedApartOrTogether() {
        const std::tuple<const char*, bool, bool> words[]{
            {"true", true, true}, {"titles", true, false}, {"ranges", false, true}, {"false", false, false}};
        for (const auto& [word, titles, ranges] : words) {
            FigureSpec figure = twoPolicies();
            figure.shared = !titles;
            figure.oneRange = !ranges;
            const FigureSpec before = figure;
            const std::string edit = std::string("shared=") + word;
            applied(figure, edit);
            QCOMPARE(figure.shared, titles);
            QCOMPARE(figure.oneRange, ranges);
            QVERIFY(editsBetween(before, figure) == std::vector<std::string>{edit});
        }
        QVERIFY(twoPolicies().shared && !twoPolicies().oneRange);
    }

    void anEditFromBeforeOneRangeStillMeansTitlesAlone() {
        FigureSpec figure = twoPolicies();
        figure.edits = {"shared=false", "letters=true", "shared=true"};
        const auto old = readFigure(writeFigure(figure), "old").figure;
        QVERIFY(old && old->panels == figure.panels && !old->oneRange);
        QVERIFY((old->edits == std::vector<std::string>{"shared=false", "letters=true", "shared=titles"}));
        figure.oneRange = true;
        const auto now = readFigure(writeFigure(figure), "now").figure;
        QVERIFY(now && now->edits == figure.edits && now->oneRange);
    }

    void ticksMayEndWithAComma() {
        FigureSpec figure = twoPolicies();
        applied(figure, "panel.1.y.ticks=0, 4, 8,");
        QVERIFY((figure.panels[0].y.ticks == std::vector<double>{0, 4, 8}));
        refused(figure, "panel.1.y.ticks=0,,8", "number");
        refused(figure, "panel.1.y.ticks=,", "number");
    }

    void withoutTheEditThatHidesAPanelLaterEditsCountItAgain() {
        const std::vector<std::string> edits{"letters=true", "panel.2.hidden=true", "panel.1.title=A",
                                             "panel.2.title=C"};
        QVERIFY((editsWithout("panel.2.hidden=true", edits) ==
                 std::vector<std::string>{"letters=true", "panel.1.title=A", "panel.3.title=C"}));
        QVERIFY((editsWithout("letters=true", edits) ==
                 std::vector<std::string>{"panel.2.hidden=true", "panel.1.title=A", "panel.2.title=C"}));
        QVERIFY((editsWithout("panel.1.title=A", edits) ==
                 std::vector<std::string>{"letters=true", "panel.2.hidden=true", "panel.2.title=C"}));
        QVERIFY(editsWithout("columns=2", edits) == edits);
    }

    void namesThatMayMeanTwoPartsAreRefused() {
        FigureSpec figure = twoPolicies();
        applied(figure, "series.T3.name=t3 mca");
        refused(figure, "series.t3-mca.name=Ours", "several parts");
        applied(figure, "series.T3-MCA.name=Ours");  // exact
    }

    void aSeriesThatIsLeftOutTakesItsMarksAlong() {
        FigureSpec figure = twoPolicies();
        applied(figure, "series.t3.hidden=true");
        QCOMPARE(barsIn(figure).bars.size(), std::size_t{2});
        QCOMPARE(figure.panels[0].references.size(), std::size_t{1});
        QVERIFY(figure.panels[0].references[0].bar == 1U);  // of T3-MCA, which was the third bar
        refused(figure, "series.t3.hidden=true", "no series has this name");
        applied(figure, "series.sequential.hidden=true");
        refused(figure, "series.t3-mca.hidden=true", "nothing else would be left");
        refused(figure, "series.t3-mca.hidden=false", "leave out the edit");
    }

    void theOrderOfSeriesMovesBarsAndTheirMarks() {
        FigureSpec figure = twoPolicies();
        applied(figure, "series.t3-mca.place=1");
        QCOMPARE(barsIn(figure).bars[0].stack.front().name, std::string("T3-MCA"));
        QCOMPARE(barsIn(figure).bars[1].stack.front().name, std::string("Sequential"));
        QVERIFY(figure.panels[0].references[1].bar == 0U && figure.panels[0].references[0].bar == 2U);
        refused(figure, "series.t3-mca.place=4", "no such place");
        refused(figure, "series.t3-mca.place=0", "places 1 to");
    }

    void aCategoryTakesItsValuesMarksAndNotesAlong() {
        FigureSpec figure = twoPolicies();
        applied(figure, "category.OP.hidden=true");
        QVERIFY(figure.panels[0].categories.labels == (std::vector<std::string>{"FC-2", "Geomean"}));
        QCOMPARE(figure.panels[0].categories.groups[0].count, std::size_t{1});
        QVERIFY(barsIn(figure).bars[1].stack.front().values == (FigureValues{5.0, 6.0}));
        QVERIFY(figure.panels[0].references[0].category == 0U);
        QCOMPARE(figure.panels[0].annotations[0].x, 0.0);
        applied(figure, "group.All.hidden=true");
        QVERIFY(figure.panels[0].categories.labels == std::vector<std::string>{"FC-2"});
        QCOMPARE(figure.panels[0].annotations.size(), std::size_t{1});
    }

    void categoriesMoveWithinTheirGroup() {
        FigureSpec figure = twoPolicies();
        applied(figure, "category.FC-2.place=1");
        QVERIFY(figure.panels[0].categories.labels == (std::vector<std::string>{"FC-2", "OP", "Geomean"}));
        QVERIFY(barsIn(figure).bars[0].stack.front().values == (FigureValues{2.0, 1.0, 3.0}));
        QCOMPARE(figure.panels[0].annotations[0].x, 0.0);
        refused(figure, "category.FC-2.place=3", "its group");
    }

    void looksAreWordsThatAMeaningKeeps() {
        FigureSpec figure = twoPolicies();
        applied(figure, "series.t3.marker=square");
        applied(figure, "series.t3.hatch=dots");
        applied(figure, "series.t3.colour=vermillion");
        QCOMPARE(barsIn(figure).bars[1].stack.front().meaning, std::string("series/5;marker=square;hatch=dots"));
        applied(figure, "series.T3.marker=automatic");
        QCOMPARE(barsIn(figure).bars[1].stack.front().meaning, std::string("series/5;hatch=dots"));
        refused(figure, "series.T3.marker=heart", "circle");
        refused(figure, "series.T3.colour=#ff0000", "blue");
        QVERIFY(!isMeaning("gemm;marker=square;marker=circle"));
        QVERIFY(!isMeaning("gemm;colour=red"));
    }

    void rowsLanesAndTheirGroupsCanBeLeftOut() {
        FigureSpec figure = everyKindOfMark();
        applied(figure, "row.8.hidden=true");
        applied(figure, "lane.CU.hidden=true");
        for (const FigurePanel& panel : figure.panels) {
            for (const FigureMark& mark : panel.marks) {
                if (const auto* heat = std::get_if<HeatMark>(&mark))
                    QVERIFY(heat->values == (FigureValues{3.0, 4.5}));
                if (const auto* timeline = std::get_if<TimelineMark>(&mark)) {
                    QCOMPARE(timeline->spans.size(), std::size_t{1});
                    QCOMPARE(timeline->spans[0].lane, std::size_t{0});
                }
            }
        }
        refused(figure, "lane.Link.hidden=true", "nothing else");
        refused(figure, "group.\"GPU 0\".place=1", "cannot be moved");
    }

    void theUnitOfAnAxisConvertsItsValues() {
        FigureSpec figure = twoPolicies();
        applied(figure, "panel.1.y.unit=ms");
        QCOMPARE(*barsIn(figure).bars[0].stack.front().values[1], 0.002);
        refused(figure, "panel.1.y.unit=GiB", "same quantity");
    }

    void aBreakLeavesNoValueOut() {
        FigureSpec figure = twoPolicies();
        applied(figure, "panel.1.y.to=12");
        applied(figure, "panel.1.y.break=9.5,11");
        QVERIFY(figure.panels[0].y.breakFrom == 9.5);
        refused(figure, "panel.1.y.break=2", "two values");
        QCOMPARE(applyEdits(figure, {"panel.1.y.break=6.5,7.5"}).size(), std::size_t{1});  // T3-MCA's 7 is inside
        QCOMPARE(applyEdits(figure, {"panel.1.y.break=11,13"}).size(), std::size_t{1});
        QVERIFY(figure.panels[0].y.breakFrom == 9.5);
        applied(figure, "panel.1.y.break=automatic");
        QVERIFY(!figure.panels[0].y.breakFrom);
    }

    void notesAreAddedChangedAndTakenAway() {
        FigureSpec figure = twoPolicies();
        applied(figure, "panel.1.note.3.text=gain");
        applied(figure, "panel.1.note.3.kind=arrow");
        applied(figure, "panel.1.note.3.to=2,3.5");
        QCOMPARE(figure.panels[0].annotations[2].toY.value(), 3.5);
        refused(figure, "panel.1.note.5.text=gain", "annotation 1 to 3");
        applied(figure, "panel.1.note.1.hidden=true");
        QCOMPARE(figure.panels[0].annotations.size(), std::size_t{2});
        refused(figure, "panel.2.title=x", "panel 1 to 1");
    }

    void whatIsNotThereIsSaidAndTheRestIsApplied() {
        FigureSpec figure = twoPolicies();
        const engine::Problems problems =
            applyEdits(figure, {"size=slide", "series.T4.name=Ours", "panel.1.y.form=1", "columns=99", "no edit"});
        QCOMPARE(problems.size(), std::size_t{4});
        QVERIFY(figure.size == FigureSize::slide);
        QVERIFY(figure.edits == std::vector<std::string>{"size=slide"});
        QCOMPARE(problems[0].path, std::string("series.T4.name"));
    }

    void consecutiveEditsOfOneThingAreOne() {
        std::vector<std::string> edits;
        for (const char* edit : {"panel.1.y.to=1", "panel.1.y.to=16", "series.T3.name=O", "series.O.name=Ou",
                                 "series.Ou.name=Ours", "series.T3-MCA.hidden=true", "series.T3-MCA.hidden=true"})
            addEdit(edits, edit);
        QVERIFY(edits == (std::vector<std::string>{"panel.1.y.to=16", "series.T3.name=Ours",
                                                   "series.T3-MCA.hidden=true", "series.T3-MCA.hidden=true"}));
    }

    void namesWithDotsAndQuotesComeBack() {
        for (const std::string name : {"T3.5", "a=b", "say \"hi\"", "C:\\x", "", "plain"}) {
            const FigureEdit edit{{"series", name, "name"}, "a=\"b\".c"};
            const auto read = readEdit(editText(edit));
            QVERIFY(read && read->path == edit.path && read->value == edit.value);
        }
        QVERIFY(!readEdit("series.\"T3.name=Ours"));
        QVERIFY(!readEdit("series.T3.name"));
    }

    void americanSpellingChangesWordsAndNothingElse() {
        QCOMPARE(americanSpelling("Normalised colours, optimistic metres; centred"),
                 std::string("Normalized colors, optimistic meters; centered"));
        FigureSpec figure = twoPolicies();
        figure.panels[0].y = {"Speed-up", "", "Sequential", FigureScale::linear, {}, {}, {}};
        applied(figure, "spelling=us");
        QCOMPARE(figure.panels[0].y.unit, std::string("normalized to Sequential"));
        refused(figure, "spelling=uk", "us");
    }

    void theEditsBetweenTwoFiguresLeadFromOneToTheOther_data() {
        QTest::addColumn<QStringList>("edits");
        QTest::newRow("words") << QStringList{"caption=A caption", "panel.1.title=A title", "panel.1.y.title=Time"};
        QTest::newRow("look") << QStringList{"size=slide", "theme=dark-slide", "legend=right",
                                             "height=200", "width=300",        "letters=true"};
        QTest::newRow("axis") << QStringList{"panel.1.y.unit=ms", "panel.1.y.from=0.0005",
                                             "panel.1.y.ticks=0.001,0.002", "panel.1.y.scale=logarithmic"};
        QTest::newRow("series") << QStringList{"series.t3.name=Theirs", "series.t3-mca.colour=sky",
                                               "series.t3-mca.marker=plus"};
        QTest::newRow("order") << QStringList{"series.t3-mca.place=1", "category.FC-2.place=1"};
        QTest::newRow("values") << QStringList{"values=true", "decimals=1", "published=hidden"};
        QTest::newRow("notes") << QStringList{"panel.1.note.3.text=gain", "panel.1.note.3.x=1.5",
                                              "panel.1.note.3.kind=line", "panel.1.note.3.to=2,4",
                                              "panel.1.note.1.hidden=true"};
        QTest::newRow("categories") << QStringList{"category.OP.name=Out", "group.All.name=Mean"};
    }
    void theEditsBetweenTwoFiguresLeadFromOneToTheOther() {
        QFETCH(QStringList, edits);
        FigureSpec after = twoPolicies();
        for (const QString& edit : edits)
            applied(after, edit.toStdString());
        const auto found = editsBetween(twoPolicies(), after);
        QVERIFY(found);
        FigureSpec again = twoPolicies();
        QVERIFY(applyEdits(again, *found).empty());
        again.edits.clear();
        QVERIFY(again == after);
    }

    void anotherNumberIsNoEdit() {
        FigureSpec after = twoPolicies();
        std::get<BarMark>(after.panels[0].marks[0]).bars[0].stack[0].values[0] = 1.25;
        QVERIFY(!editsBetween(twoPolicies(), after));
    }

    void brokenAndHostileEditsAreRefusedOrApplied() {
        const std::vector<std::string> seeds{"series.t3-mca.name=\\input{/etc/passwd}",
                                             "panel.1.note.3.text=<b>\"'",
                                             "category.OP.place=2",
                                             "panel.1.y.break=1,2",
                                             "panel.1.y.ticks=1,2,3",
                                             "group.All.hidden=true",
                                             "size=slide",
                                             "series.\"T3\".colour=gemm"};
        const std::string letters = "\"=.\\,\n0;-\x80";
        std::size_t tried = 0;
        for (const std::string& seed : seeds) {
            for (std::size_t at = 0; at <= seed.size(); ++at) {
                for (const char letter : letters) {
                    std::string edit = seed;
                    edit.insert(at, 1, letter);
                    FigureSpec figure = twoPolicies();
                    applyEdits(figure, {edit, seed});
                    QVERIFY(problemsOf(figure).empty());
                    ++tried;
                }
            }
        }
        QVERIFY(tried > 200);
    }
};

RINGSIDE_TEST(TestFigureEdits)
#include "tst_figure_edits.moc"
