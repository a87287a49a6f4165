#include "tests/ui/window_test.h"

#include "ui/lessons/lesson_handout.h"

#include <QPainter>

namespace {

/// Returns a lesson of three steps. The second one `holds` until its answer is shown.
data::Lesson printedLesson() {
    return data::readLesson(
               R"x({"format":"ringside-lesson","version":1,"title":"Printed","summary":"On paper.","steps":[
        {"text":"One {a}. See [the tracker](part:tracker).","claims":{"a":{"metric":"time_ps.total","value":"2 ms"}}},
        {"text":"Two.","holds":true,"experiment":{"policy":"t3"},"question":{"text":"How long?","answer":"a"},"reveal":"So."},
        {"text":"Three.","scene":{"moment":"20 %"},"question":{"text":"?","choices":["x","y"],"answer":"y"},"reveal":"y."}]})x",
               "printed")
        .lesson;
}

/// The positions of the painted pictures, in points of the page.
struct Painted {
    int step = 0;
    QRectF box;
};

QByteArray printed(const data::Lesson& lesson, bool answers, std::vector<Painted>& painted, QSizeF size = {800, 400}) {
    std::vector<std::optional<ui::LessonPicture>> pictures;
    for (int step = 0; step < static_cast<int>(lesson.steps.size()); ++step)
        pictures.emplace_back(
            ui::LessonPicture{size, [&painted, size, step](QPainter& painter) {
                                  painted.push_back({step, painter.transform().mapRect(QRectF(QPointF(), size))});
                              }});
    return ui::lessonHandout(lesson, pictures, answers, {});
}

qsizetype pagesOf(const QByteArray& pdf) { return pdf.count("/Type /Page\n"); }

}  // namespace

class TestLessonHandout : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPictureIsWholeWithinTheMarginsOfAPage() {
        for (const QSizeF size : {QSizeF(800, 400), QSizeF(300, 900), QSizeF(2000, 100)}) {
            std::vector<Painted> painted;
            const QByteArray pdf = printed(printedLesson(), true, painted, size);
            QVERIFY(pdf.startsWith("%PDF-"));
            QCOMPARE(painted.size(), std::size_t{3});
            for (const Painted& one : painted) {
                QVERIFY(QRectF(56, 56, 484, 730).contains(one.box));
                QVERIFY(std::abs(one.box.width() / one.box.height() - size.width() / size.height()) < 0.01);
            }
        }
    }

    void whatGivesAnAnswerAwayComesWithTheAnswers() {
        std::vector<Painted> painted;
        const QByteArray asked = printed(printedLesson(), false, painted);
        QCOMPARE(painted.size(), std::size_t{3});
        QCOMPARE(painted.back().step, 1);  // on the last page, after the third step's page
        painted.clear();
        const QByteArray reported = printed(printedLesson(), true, painted);
        QCOMPARE(painted.back().step, 2);
        QVERIFY(pagesOf(asked) > 1 && pagesOf(asked) >= pagesOf(reported));
    }

    void aLongLessonIsBrokenOntoPages() {
        data::Lesson lesson = printedLesson();
        std::vector<Painted> painted;
        const qsizetype few = pagesOf(printed(lesson, true, painted));
        for (int i = 0; i < 12; ++i)
            lesson.steps.push_back(lesson.steps[2]);
        lesson.steps[4].text = std::string(20'000, 'x') + " " + std::string(20'000, 'y');  // more than a page
        painted.clear();
        QVERIFY(pagesOf(printed(lesson, true, painted)) > few + 4);
        QCOMPARE(painted.size(), std::size_t{15});
    }

    void aStepThatShowsWhatTheOneBeforeShowsNeedsNoPicture() {
        const data::Lesson lesson = data::readLesson(R"({"format":"ringside-lesson","version":1,"title":"x","steps":[
            {"text":"a","scene":{"view":"machine"}},{"text":"b"},{"text":"c","scene":{"moment":"20 %"}},
            {"text":"d","scene":{"moment":"20 %"},"experiment":{"policy":"t3"}},
            {"text":"e","scene":{"moment":"20 %"},"compare":["t3"]}]})",
                                                     "x")
                                        .lesson;
        const bool own[] = {true, false, true, true, true};
        for (std::size_t i = 0; i < lesson.steps.size(); ++i)
            QCOMPARE(ui::hasPictureOfItsOwn(lesson, i), own[i]);
    }
};

RINGSIDE_WINDOW_TEST(TestLessonHandout)
#include "tst_lesson_handout.moc"
