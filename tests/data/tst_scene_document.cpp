#include "data/experiment/scene_document.h"
#include "engine/api/trace.h"
#include "tests/data/said.h"
#include "tests/test_program.h"

#include <QtTest>

using namespace data;

namespace {

std::string problemsIn(std::string_view json) {
    std::string text;
    for (const engine::Problem& problem : readScene(json, "test").problems)
        text += describe(problem) + "\n";
    return text;
}

Scene fullScene() {
    Scene scene;
    scene.draft = draftNamed("t-nlg/fc-2/tp8").draft;
    scene.draft->explicitValues["policy.preset"] = std::string("t3-mca");
    scene.view = "timeline";
    scene.page = "memory";
    scene.moment = {0, 0.4123, true};
    scene.from = {1, 0, false};
    scene.to = {184'200'001'000, 0, false};
    scene.chunk = 3;
    scene.selection = Scene::Selection{2, "DMA engine", 1, 182'004'512};
    return scene;
}

}  // namespace

class TestSceneDocument : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSceneReadsBackAsItWas();
    void aSpanOfEveryLaneCanBeSelected();
    void aPartOfAGpuCanBeSelectedInPlaceOfASpan();
    void anEmptySceneChangesNothing();
    void momentsAreExactToThePicosecondAndTheBit();
    void aMomentIsAtMostTheEndOfTheRun();
    void anExperimentMayBeNamedOrWrittenOut();
    void aSettingOfEarlierVersionsIsNoMistake();
    void everyMistakeIsSaidByItsPath();
    void aSceneInsideALessonSaysWhereItStands();
    void anotherDocumentAndANewerVersionAreRefused();
};

void TestSceneDocument::aSceneReadsBackAsItWas() {
    const Scene scene = fullScene();
    for (const bool pretty : {true, false}) {
        const SceneReading reading = readScene(writeScene(scene, pretty), "test");
        QCOMPARE(reading.problems.size(), std::size_t{0});
        QVERIFY(reading.scene == scene);
    }
    QVERIFY(!tests::contains(writeScene(scene, false), "\n"));
}

void TestSceneDocument::aSpanOfEveryLaneCanBeSelected() {
    Scene scene = fullScene();
    for (std::size_t kind = 0; kind < engine::kLaneKinds; ++kind) {
        scene.selection->lane = engine::name(static_cast<engine::LaneKind>(kind));
        const SceneReading reading = readScene(writeScene(scene), "test");
        QVERIFY2(reading.problems.empty(), scene.selection->lane.c_str());
        QVERIFY(reading.scene == scene);
    }
}

void TestSceneDocument::aPartOfAGpuCanBeSelectedInPlaceOfASpan() {
    Scene scene = fullScene();
    scene.selection.reset();
    scene.gpu = 5;
    for (const std::string& word : data::gpuPartWords())
        for (const char* unit : {"", "/3"}) {
            scene.part = data::gpuPartOf(word + unit);
            QVERIFY(scene.part && data::textOf(*scene.part) == word + unit);
            QVERIFY(readScene(writeScene(scene), "test").scene == scene);
        }
    for (const char* no : {"trackers", "tracker/", "tracker/-1", "tracker/x", "channels/99999999999", "", "/3"}) {
        QVERIFY(!data::gpuPartOf(no));
        const std::string text = problemsIn(R"({"part": ")" + std::string(no) + R"("})");
        QVERIFY2(tests::contains(text, "part: ") && tests::contains(text, "links-out"), no);
    }
    QVERIFY(tests::contains(problemsIn(R"({"part": 3})"), "part: 3: not a part of a GPU"));
    const std::string both = R"({"part": "tracker", "selection": {"gpu": 0, "lane": "DMA engine", "index": 0,
        "start": "1 us"}})";
    QVERIFY2(tests::contains(problemsIn(both), "beside \"selection\""), problemsIn(both).c_str());
    QVERIFY(tests::contains(problemsIn(R"({"gpu": -1})"), "gpu: -1"));
}

void TestSceneDocument::anEmptySceneChangesNothing() {
    const SceneReading reading = readScene("{}", "test");
    QVERIFY(reading.problems.empty());
    QVERIFY(reading.scene == Scene());
}

void TestSceneDocument::momentsAreExactToThePicosecondAndTheBit() {
    for (const std::int64_t ps : {0LL, 1LL, 999LL, 1'000LL, 184'200'001LL, 5'000'000'000LL, 1'234'567'890'123'456LL}) {
        const auto read = readMoment(writeMoment({ps, 0, false}));
        QVERIFY(read && !read->relative);
        QCOMPARE(read->ps, ps);
    }
    for (const double share : {0.0, 1.0, 0.4, 0.1 + 0.2, 1.0 / 3, 1e-7, 0.07}) {
        const auto read = readMoment(writeMoment({0, share, true}));
        QVERIFY2(read && read->relative, writeMoment({0, share, true}).c_str());
        QVERIFY(read->share == share);
    }
    QCOMPARE(writeMoment({0, 0.4, true}), std::string("40 %"));
    QCOMPARE(writeMoment({0, 0.07, true}), std::string("7 %"));
    QCOMPARE(writeMoment({184'200'000, 0, false}), std::string("184.2 us"));
    QVERIFY(readMoment("184.2µs") == readMoment("184200 ns"));
    for (const char* wrong : {"", "%", "101 %", "-1 us", "1 h", "1 us us", "1e30 s", "nan", "0x10"})
        QVERIFY2(!readMoment(wrong), wrong);
}

void TestSceneDocument::aMomentIsAtMostTheEndOfTheRun() {
    QCOMPARE(timeOf({0, 0.5, true}, 1000), std::int64_t{500});
    QCOMPARE(timeOf({400, 0, false}, 1000), std::int64_t{400});
    QCOMPARE(timeOf({4000, 0, false}, 1000), std::int64_t{1000});
}

void TestSceneDocument::anExperimentMayBeNamedOrWrittenOut() {
    const auto named = readScene(R"({"experiment": "t-nlg/fc-2/tp8"})", "test");
    QVERIFY(named.problems.empty());
    QVERIFY(named.scene.draft == draftNamed("t-nlg/fc-2/tp8").draft);
    const auto written = readScene(R"({"experiment": {"policy": "t3", "link": {"bandwidth": "100 GB/s"}}})", "test");
    QVERIFY(written.problems.empty());
    QVERIFY(written.scene.draft->explicitValues.at("link.bandwidth") == engine::ParameterValue(100'000'000'000));
}

void TestSceneDocument::aSettingOfEarlierVersionsIsNoMistake() {
    const SceneReading reading = readScene(R"({"experiment": {"dma": {"queue": 4, "engines": 2}}})", "test");
    QVERIFY(reading.problems.empty());
    QCOMPARE(reading.scene.draft->explicitValues.size(), std::size_t{1});
    QCOMPARE(noticesOfRemoved(*reading.scene.draft).size(), std::size_t{1});
}

void TestSceneDocument::everyMistakeIsSaidByItsPath() {
    const std::string text =
        problemsIn(R"({"experiment": {"link": {"bandwith": 1}}, "veiw": "timeline", "moment": "soon",
        "from": "20 us", "to": "10 us", "chunk": -1, "selection": {"lane": "DMA", "start": "10 %", "gpu": 1.5}})");
    for (const char* part :
         {"experiment.link.bandwith", "veiw", "did you mean view?", "moment: \"soon\"", "to: 10 us", "chunk: -1",
          "selection.lane: DMA: no such lane", "selection.start: 10 %", "selection.gpu: 1.5"})
        QVERIFY2(tests::contains(text, part), (std::string(part) + " in\n" + text).c_str());
    QVERIFY(tests::contains(problemsIn(R"({"from": "20 us"})"), "to: "));
    QVERIFY(tests::contains(problemsIn(R"({"experiment": "t-nlg/fc-3/tp8"})"), "experiment: t-nlg/fc-3/tp8"));
    QVERIFY(tests::contains(problemsIn(R"({"experiment": [1]})"), "experiment: [...]"));
    QVERIFY(tests::contains(problemsIn(R"({"selection": {}})"), "selection.lane: missing"));
    QVERIFY(tests::contains(problemsIn(R"({"selection": {}})"), "selection.start"));
    QVERIFY(tests::contains(problemsIn(R"({"view": ""})"), "view: not the name of a view"));
    QVERIFY(tests::contains(problemsIn(R"({"view": "nonsense"})"),
                            "view: nonsense: no such view; allowed: one of explore, "));
    QVERIFY(tests::contains(problemsIn(R"({"view": "timelin"})"), "did you mean timeline?"));
    for (const std::string& view : sceneViews())
        QVERIFY(problemsIn("{\"view\": \"" + view + "\"}").empty());
    QVERIFY(problemsIn(R"({"page": ")" + std::string(60, 'p') + R"("})").empty());
    QVERIFY(tests::contains(problemsIn(R"({"page": ")" + std::string(61, 'p') + R"("})"), "not the name of a page"));
    QVERIFY(tests::contains(problemsIn(R"({"page": 1})"), "page: 1: wrong type, a page's name is expected"));
    QVERIFY(!problemsIn("{").empty());
    QVERIFY(!problemsIn("[]").empty());
}

void TestSceneDocument::aSceneInsideALessonSaysWhereItStands() {
    const DocumentTree tree =
        readTree(R"({"scene": {"chunk": "x", "experiment": {"policy": "t9"}, "version": 1}})", "test");
    const SceneReading reading = readScene(*tree.root->find("scene"), "steps[2].scene");
    QCOMPARE(reading.problems.size(), std::size_t{3});
    for (const engine::Problem& problem : reading.problems)
        QVERIFY2(tests::contains(problem.path, "steps[2].scene."), problem.path.c_str());
    const DocumentTree number = readTree(R"({"scene": 3})", "test");
    QCOMPARE(readScene(*number.root->find("scene"), "steps[2].scene").problems.front().path,
             std::string("steps[2].scene"));
}

void TestSceneDocument::anotherDocumentAndANewerVersionAreRefused() {
    QVERIFY(tests::contains(problemsIn(R"({"format": "ringside-sweep", "axes": []})"), "not a scene"));
    QVERIFY(tests::contains(problemsIn(R"({"version": 2, "camera": 1})"), "version: 2"));
}

RINGSIDE_TEST(TestSceneDocument)
#include "tst_scene_document.moc"
