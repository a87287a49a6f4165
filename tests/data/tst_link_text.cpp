#include "data/experiment/link_text.h"
#include "tests/test_program.h"

#include <QtTest>

#include <random>

using namespace data;

namespace {

Scene sceneOf(const char* policy) {
    Scene scene;
    scene.draft = draftNamed("t-nlg/fc-2/tp8").draft;
    scene.draft->explicitValues["policy.preset"] = std::string(policy);
    scene.draft->explicitValues["link.bandwidth"] = std::int64_t{100'000'000'000};
    scene.view = "timeline";
    scene.moment = {184'200'001, 0, false};
    scene.from = {0, 0, false};
    scene.to = {500'000'000, 0, false};
    scene.chunk = 3;
    scene.selection = Scene::Selection{0, "DMA engine", 1, 182'004'512};
    return scene;
}

std::string linkOf(const Scene& scene) { return writeLink(scene).value(); }

/// Returns why a link text cannot be opened, in one sentence; empty if it can be opened.
std::string reasonOf(std::string_view text) {
    const SceneReading reading = readLink(text);
    return reading.problems.empty() ? "" : describe(reading.problems.front());
}

bool linkSays(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

class TestLinkText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLinkOpensTheSceneThatItWasMadeOf();
    void oneSceneHasOneShortLinkThatNeedsNoQuoting();
    void everyBeginningOfALinkIsRefusedAsCutOff();
    void aLinkWithOneLetterChangedIsNeverOpenedAsAnother();
    void whatMailProgramsDoToATextDoesNotMatter();
    void aNewerVersionIsCalledSo();
    void aForeignTextIsCalledSo();
    void randomTextsAreRefusedWithAReason();
    void aTextThatUnpacksToMoreThanASceneIsRefused();
    void aSceneTooLargeForALinkHasNone();
    void aSceneThatIsWrongIsReportedByItsParts();
    void aLinkOpensALessonAtAStepByNameOrWhole();
    void aPlaceInALessonThatIsWrongIsReportedByItsParts();
};

void TestLinkText::aLinkOpensTheSceneThatItWasMadeOf() {
    for (const char* policy : {"sequential", "t3", "t3-mca"}) {
        const SceneReading reading = readLink(linkOf(sceneOf(policy)));
        QVERIFY(reading.problems.empty());
        QVERIFY(reading.scene == sceneOf(policy));
    }
    QVERIFY(readLink(linkOf(Scene())).scene == Scene());
}

void TestLinkText::oneSceneHasOneShortLinkThatNeedsNoQuoting() {
    const std::string link = linkOf(sceneOf("t3-mca"));
    QCOMPARE(link, linkOf(sceneOf("t3-mca")));
    QVERIFY2(link.size() < 500, std::to_string(link.size()).c_str());
    QVERIFY(link.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_:") ==
            std::string::npos);
}

void TestLinkText::everyBeginningOfALinkIsRefusedAsCutOff() {
    const std::string link = linkOf(sceneOf("t3-mca"));
    for (std::size_t length = 1; length < link.size(); ++length) {
        const std::string reason = reasonOf(link.substr(0, length));
        QVERIFY2(linkSays(reason, "cut off"), (std::to_string(length) + ": " + reason).c_str());
    }
    QVERIFY(linkSays(reasonOf(""), "begins with ringside:"));
}

void TestLinkText::aLinkWithOneLetterChangedIsNeverOpenedAsAnother() {
    const std::string link = linkOf(sceneOf("t3-mca"));
    for (std::size_t at = 0; at < link.size(); ++at) {
        for (const char letter : {'A', 'z', '0', ':', '-', '\x7f'}) {
            std::string changed = link;
            changed[at] = letter;
            if (changed != link)
                QVERIFY2(!reasonOf(changed).empty(), changed.c_str());
        }
        QVERIFY(!reasonOf(std::string(link).erase(at, 1)).empty());
        QVERIFY(!reasonOf(std::string(link).insert(at, "A")).empty());
    }
    QVERIFY(!reasonOf(link + "0").empty());
    QVERIFY(!reasonOf(link + link).empty());
}

void TestLinkText::whatMailProgramsDoToATextDoesNotMatter() {
    const std::string link = linkOf(sceneOf("t3"));
    std::string folded = "  <\"";
    for (std::size_t i = 0; i < link.size(); ++i)
        folded += (i % 40 == 39 ? "\r\n  " : "") + std::string(1, link[i]);
    folded += "\">\n";
    QCOMPARE(reasonOf(folded), std::string());
    QVERIFY(readLink(folded).scene == sceneOf("t3"));
    QVERIFY(looksLikeLink(folded));
    QVERIFY(!looksLikeLink("t-nlg/fc-2/tp8"));
}

void TestLinkText::aNewerVersionIsCalledSo() {
    std::string newer = linkOf(sceneOf("t3"));
    newer[kLinkScheme.size()] = '2';
    QVERIFY(linkSays(reasonOf(newer), "newer Ringside"));
    QVERIFY(linkSays(reasonOf("ringside:12:whatever it is then"), "its version is 12"));
}

void TestLinkText::aForeignTextIsCalledSo() {
    for (const char* text : {"https://example.org/", "{\"policy\": \"t3\"}", "t-nlg/fc-2/tp8", "RINGSIDE:1:a:b"})
        QVERIFY2(linkSays(reasonOf(text), "not a link of Ringside"), reasonOf(text).c_str());
    QVERIFY(linkSays(reasonOf("ringside:one:abc:00000000"), "altered"));
    QVERIFY(linkSays(reasonOf(std::string(1'000'000, 'a')), "too long"));
}

void TestLinkText::randomTextsAreRefusedWithAReason() {
    std::mt19937 random(7);
    for (int round = 0; round < 3000; ++round) {
        std::string text = round % 2 == 0 ? "ringside:1:" : "";
        const std::size_t length = random() % 200;
        for (std::size_t i = 0; i < length; ++i)
            text += static_cast<char>(random() % 256);
        QVERIFY(!reasonOf(text).empty());
    }
}

// Link texts that writeLink does not make: 70 MB of blanks, and data that is not zlib. Their checksums were computed
// with another program.
void TestLinkText::aTextThatUnpacksToMoreThanASceneIsRefused() {
    const auto linkWith = [](const QByteArray& packed) {
        const QByteArray text = packed.toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals);
        quint32 sum = 0xffffffffu;
        for (const char letter : text) {
            sum ^= static_cast<unsigned char>(letter);
            for (int bit = 0; bit < 8; ++bit)
                sum = (sum >> 1) ^ (0xedb88320u & (0u - (sum & 1u)));
        }
        return ("ringside:1:" + text + ":" + QByteArray::number(~sum, 16).rightJustified(8, '0')).toStdString();
    };
    const auto zlib = [](const QByteArray& text) { return qCompress(text, 9).mid(4); };
    QCOMPARE(reasonOf(linkWith(zlib("{}"))), std::string());
    const std::string bomb = linkWith(zlib("{" + QByteArray(40'000'000, ' ') + "}"));
    QVERIFY(bomb.size() < kLongestLink);
    QVERIFY(linkSays(reasonOf(bomb), "cannot be unpacked"));
    QVERIFY(linkSays(reasonOf(linkWith("no zlib")), "cannot be unpacked"));
    QVERIFY(linkSays(reasonOf(linkWith(zlib("{}") + "more")), "cannot be unpacked"));
    QVERIFY(linkSays(reasonOf(linkWith(zlib("{}").chopped(3))), "cannot be unpacked"));
}

void TestLinkText::aSceneTooLargeForALinkHasNone() {
    std::mt19937 random(7);
    Scene scene;
    for (int i = 0; i < 200'000; ++i)
        scene.view += static_cast<char>('a' + random() % 26);
    QVERIFY(!writeLink(scene));
}

void TestLinkText::aSceneThatIsWrongIsReportedByItsParts() {
    Scene scene = sceneOf("t3");
    scene.draft->explicitValues["link.bandwidth"] = std::int64_t{-1};
    QVERIFY(linkSays(reasonOf(linkOf(scene)), "link.bandwidth"));
}

void TestLinkText::aLinkOpensALessonAtAStepByNameOrWhole() {
    for (const Scene::LessonPlace& place : {Scene::LessonPlace{"ring-reduce-scatter", "", 3},
                                            Scene::LessonPlace{"", R"({"title":"Own \"one\"","steps":[]})", 0}}) {
        Scene scene;
        scene.lesson = place;
        const SceneReading reading = readLink(linkOf(scene));
        QVERIFY(reading.problems.empty());
        QVERIFY(reading.scene == scene);
    }
    Scene large;
    large.lesson = Scene::LessonPlace{};
    for (int i = 0; large.lesson->document.size() < 400'000; ++i)  // numbers that do not compress well
        large.lesson->document += std::to_string(i * 7'919LL % 1'000'003) + ",";
    QVERIFY(!data::writeLink(large));
}

void TestLinkText::aPlaceInALessonThatIsWrongIsReportedByItsParts() {
    const auto lessonReason = [](const std::string& lesson) {
        std::string lines;
        for (const engine::Problem& problem :
             data::readScene(R"({"format":"ringside-scene","version":1,)" + lesson + "}", "x").problems)
            lines += engine::describe(problem) + "\n";
        return lines;
    };
    QCOMPARE(lessonReason(R"("lesson":{"name":"a","step":1})"), std::string());
    QVERIFY(linkSays(lessonReason(R"("lesson":{"name":"a","document":"b"})"), "either \"name\" or \"document\""));
    QVERIFY(linkSays(lessonReason(R"("lesson":{"step":1})"), "either \"name\" or \"document\""));
    QVERIFY(linkSays(lessonReason(R"("lesson":{"name":"a","step":0})"), "lesson.step: 0: no such step"));
    QVERIFY(linkSays(lessonReason(R"("lesson":{"name":"a","step":"x"})"), "not a whole number from 0"));
    QVERIFY(linkSays(lessonReason(R"("lesson":{"name":"a"},"view":"timeline")"), "view"));
    QVERIFY(linkSays(lessonReason(R"("lesson":"a")"), "lesson: "));
}

RINGSIDE_TEST(TestLinkText)
#include "tst_link_text.moc"
