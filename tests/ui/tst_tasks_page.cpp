// Tests documents of tasks on the page Step of the Model view.
#include "tests/small_model.h"
#include "tests/ui/window_test.h"

#include "data/tasks/task_text.h"
#include "ui/look/value_table.h"
#include "ui/model/model_view.h"
#include "ui/model/opened_tasks.h"
#include "ui/model/step_canvas.h"
#include "ui/model/step_page.h"
#include "ui/model/task_facts.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>

#include <memory>
#include <string>

using ui::ModelView;
using ui::OpenedTasks;
using ui::StepCanvas;
using ui::StepPage;

namespace {

std::shared_ptr<const OpenedTasks> openedTasks(const std::string& members) {
    data::TaskReading reading = data::readTasks(
        R"({"format": "ringside-tasks", "version": 1, "title": "A <b>title</b>", "unit": "cycles", )" + members + "}",
        "test");
    if (!reading.problems.empty())
        qFatal("%s", engine::describe(reading.problems.front()).c_str());
    return std::make_shared<const OpenedTasks>(std::move(reading.document));
}

std::shared_ptr<const OpenedTasks> loopOf(int iterations) {
    return openedTasks(R"("pools": {"cores": 4}, "loop": {"iterations": )" + std::to_string(iterations) +
                       R"(, "pieces": [{"parallel": 30}, {"sequential": 5}], "latency": 10})");
}

std::shared_ptr<const OpenedTasks> fourStages(const std::string& schedule = "1f1b", int microbatches = 8) {
    return openedTasks(R"("pipeline": {"stages": 4, "forward": 10, "backward": 20, "weights": 10, "schedule": ")" +
                       schedule + R"(", "micro_batches": )" + std::to_string(microbatches) + "}");
}

/// "r" waits for "a" and its latency; "w" waits for its place; "n" reads "r".
std::shared_ptr<const OpenedTasks> namedTasks() {
    return openedTasks(R"("pools": {"compute": 1, "links": 2}, "lookahead": "unlimited", "tasks": [
        {"id": "a", "on": "compute", "time": 10},
        {"id": "r", "on": "links[1]", "time": 6, "after": [{"task": "a", "latency": 3}]},
        {"id": "w", "on": "compute", "time": 10},
        {"id": "n", "on": "compute", "time": 1, "after": ["r"]}])");
}

struct TasksBench {
    explicit TasksBench(std::shared_ptr<const OpenedTasks> tasks, QSize size = {1280, 800}) {
        view.resize(size);
        view.setExperiment(tests::smallModel(), {});
        view.showTasks(std::move(tasks));
        view.show();
        QApplication::processEvents();
    }
    StepPage& page() { return view.step(); }
    StepCanvas& canvas() { return page().canvas(); }
    QLabel& label(const char* name) { return *page().findChild<QLabel*>(QString::fromLatin1(name)); }
    QString details() { return label("stepDetails").text(); }
    bool isShown(const char* name) { return page().findChild<QWidget*>(QString::fromLatin1(name))->isVisible(); }
    void key(int key) { QTest::keyClick(&canvas(), static_cast<Qt::Key>(key)); }
    QImage picture() { return canvas().grab().toImage(); }
    engine::TaskIndex chosenTask() {
        return canvas().rows()[canvas().chosen()->row].passes[canvas().chosen()->pass].pass;
    }

    ModelView view;
};

QString cellAt(StepPage& page, std::size_t row, const char* title) {
    const QModelIndex first = page.table().model()->index(0, 0);
    for (int column = 0; column < page.table().model()->columnCount(first.parent()); ++column) {
        if (page.table().model()->headerData(column, Qt::Horizontal).toString() == QLatin1String(title))
            return page.table().rows()[row].cells[column];
    }
    return {};
}

}  // namespace

class TestTasksPage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLoopHasARowForEachCoreAndTheSentencesOfTheCommandLine() {
        const auto loop = loopOf(40);
        TasksBench bench(loop);
        QCOMPARE(bench.view.page(), QStringLiteral("step"));
        QCOMPARE(bench.canvas().rows().size(), std::size_t{4});
        QCOMPARE(bench.canvas().rows()[3].label, QStringLiteral("cores 3"));
        QCOMPARE(bench.canvas().rows()[3].passes.size(), std::size_t{20});
        const QStringList lines = bench.label("stepHeadline").text().split(u'\n');
        QCOMPARE(lines.front(), QStringLiteral("A <b>title</b>"));
        QCOMPARE(bench.label("stepHeadline").textFormat(), Qt::PlainText);
        const std::vector<std::string> sentences = data::taskSentences(loop->document(), loop->result());
        QCOMPARE(lines.size(), static_cast<qsizetype>(sentences.size() + 1));
        for (std::size_t i = 0; i < sentences.size(); ++i)
            QCOMPARE(lines[static_cast<qsizetype>(i + 1)].toStdString(), sentences[i]);
        QVERIFY(sentences.front().starts_with("40 iterations of 35 cycles on 4 cores: "));
        QCOMPARE(ui::boxText(*loop, 2 * 12 + 1), QStringLiteral("12"));
        QCOMPARE(cellAt(bench.page(), 0, "Parallel"), QStringLiteral("300 cycles"));
        QCOMPARE(cellAt(bench.page(), 0, "Sequential"), QStringLiteral("50 cycles"));
    }

    void aPipelineIsDrawnAsTheStepOfAModelIs() {
        TasksBench bench(fourStages());
        QCOMPARE(bench.canvas().rows().size(), std::size_t{4});
        for (const ui::StageRow& row : bench.canvas().rows())
            QCOMPARE(row.passes.size(), std::size_t{16});
        QCOMPARE(bench.canvas().rows()[0].label, QStringLiteral("Stage 0"));
        QVERIFY(std::abs(bench.canvas().rows()[0].idleShare - 90.0 / 330) < 1e-12);
        QCOMPARE(cellAt(bench.page(), 1, "Bubble"), QStringLiteral("90 cycles"));
        QCOMPARE(cellAt(bench.page(), 1, "In flight"), QStringLiteral("3"));
        QVERIFY(cellAt(bench.page(), 1, "Weights").isEmpty());
        bench.key(Qt::Key_Right);
        QVERIFY(bench.details().contains(
            QStringLiteral("Forward pass of micro-batch 1 on stage 0: 10 cycles, from 0 to 10")));
        bench.key(Qt::Key_Down);  // the same micro-batch on the next stage
        QVERIFY(bench.details().contains(
            QStringLiteral("Forward pass of micro-batch 1 on stage 1: 10 cycles, from 10 to 20")));
        QVERIFY(bench.details().contains(
            QStringLiteral("It waited last for the result of F 1 on stage 0, which ended at 10.")));
        TasksBench split(fourStages("zb-h1"));
        QCOMPARE(cellAt(split.page(), 1, "Weights"), QStringLiteral("80 cycles"));
        QVERIFY(split.picture() != bench.picture());
    }

    void namedTasksStandOnTheirPlacesAndSayWhatTheyWaitedFor() {
        const auto named = namedTasks();
        TasksBench bench(named);
        QCOMPARE(bench.canvas().rows().size(), std::size_t{3});
        QCOMPARE(bench.canvas().rows()[0].label, QStringLiteral("compute"));
        QCOMPARE(bench.canvas().rows()[2].label, QStringLiteral("links 1"));
        QVERIFY(bench.canvas().rows()[1].passes.empty());
        QCOMPARE(ui::boxText(*named, 1), QStringLiteral("r"));
        QVERIFY(bench.label("stepHeadline").text().contains(QStringLiteral("\ncritical chain: a, w, n")));
        bench.key(Qt::Key_Home);
        QVERIFY(bench.details().contains(QStringLiteral("a on compute: 10 cycles, from 0 to 10")));
        QVERIFY(bench.details().contains(QStringLiteral("It waited for nothing.")));
        bench.key(Qt::Key_Right);
        QVERIFY(
            bench.details().contains(QStringLiteral("It waited last for its place, until a on compute ended at 10.")));
        bench.page().table().choose(2);
        QCOMPARE(bench.chosenTask(), engine::TaskIndex{1});
        QVERIFY(bench.details().contains(QStringLiteral(
            "It waited last for the result of a on compute, which ended at 10; the result arrived 3 cycles later.")));
        QVERIFY(bench.canvas().accessibleDescription().contains(QStringLiteral("r on links 1")) ||
                bench.canvas().accessibleName().contains(QStringLiteral("r on links 1")));
    }

    void aTaskThatTheLookAheadHoldsBackSaysSo() {
        TasksBench bench(openedTasks(
            R"("pools": {"cores": 2}, "tasks": [{"id": "a", "time": 7}, {"id": "b", "on": "cores[1]", "time": 1}])"));
        bench.page().table().choose(1);
        QCOMPARE(bench.chosenTask(), engine::TaskIndex{1});
        QVERIFY(bench.details().contains(
            QStringLiteral("It waited last for the look-ahead to reach it, until a on cores 0 ended at 7.")));
    }

    void returnZoomsToATaskAndEscapeGoesBackUp() {
        const auto loop = loopOf(10'000);
        TasksBench bench(loop);
        const data::TimeRange whole = bench.canvas().range();
        QCOMPARE(whole.end, loop->fine(loop->result().timetable.makespan));
        bench.key(Qt::Key_End);
        bench.key(Qt::Key_Return);
        const data::TimeRange task = bench.canvas().range();
        QVERIFY(task.span() < loop->fine(40));
        QVERIFY(!bench.canvas().chosen()->section);
        bench.key(Qt::Key_Return);
        QVERIFY(bench.canvas().range() == task && !bench.canvas().chosen()->section);
        for (int i = 0; i < 20; ++i)
            bench.key(Qt::Key_W);
        QCOMPARE(bench.canvas().range().span(), loop->fine(1));
        QVERIFY(bench.view.stepOut());
        QVERIFY(bench.canvas().range() == whole);
        QVERIFY(bench.view.stepOut());
        QVERIFY(!bench.canvas().chosen());
        QVERIFY(!bench.view.stepOut());
    }

    void keysMoveTheVisibleTimeToTheTaskThatTheyChoose() {
        const auto loop = loopOf(10'000);
        TasksBench bench(loop);
        bench.key(Qt::Key_Home);
        bench.key(Qt::Key_Return);
        const data::TimeRange first = bench.canvas().range();
        bench.key(Qt::Key_Right);  // the sequential piece is next to the parallel one, at the end of the visible time
        bench.key(Qt::Key_Right);
        const engine::TaskSpan& span = loop->span(bench.chosenTask());
        QVERIFY(loop->fine(span.begin) > first.end);
        QVERIFY(loop->fine(span.begin) < bench.canvas().range().end);
        QCOMPARE(bench.canvas().range().span(), first.span());
        bench.key(Qt::Key_End);
        QVERIFY(loop->fine(loop->span(bench.chosenTask()).end) <= bench.canvas().range().end);
        QVERIFY(loop->fine(loop->span(bench.chosenTask()).end) > bench.canvas().range().start);
    }

    void aClickChoosesTheTaskUnderThePointer() {
        TasksBench bench(namedTasks());
        for (int y = 0; y < bench.canvas().height() / 4 && !bench.canvas().chosen(); y += 8)
            QTest::mouseClick(&bench.canvas(), Qt::LeftButton, {}, {bench.canvas().width() / 4, y});
        QVERIFY(bench.canvas().chosen());
        QCOMPARE(bench.chosenTask(), engine::TaskIndex{0});
    }

    void theCriticalChainIsShownAndHidden() {
        TasksBench bench(namedTasks());
        const QImage before = bench.picture();
        bench.key(Qt::Key_Y);
        QVERIFY(bench.canvas().isChainShown());
        QVERIFY(bench.picture() != before);
        bench.key(Qt::Key_Y);
        QVERIFY(bench.picture() == before);
    }

    void aChainOfVeryManyTasksIsALineInEachRowThatItVisits() {
        TasksBench bench(loopOf(10'000));
        const QImage before = bench.picture();
        bench.key(Qt::Key_Y);
        const QImage after = bench.picture();
        int lines = 0;
        bool isInLine = false;
        for (int y = 0; y < before.height(); ++y) {
            const bool differs = before.pixel(before.width() / 2, y) != after.pixel(before.width() / 2, y);
            lines += differs && !isInLine ? 1 : 0;
            isInLine = differs;
        }
        QCOMPARE(lines, 4);
    }

    void whereTasksAreNarrowColumnsShowTheirShares() {
        const auto loop = loopOf(10'000);
        TasksBench bench(loop, {500, 300});
        const ui::StageRow& row = bench.canvas().rows()[1];
        const std::int64_t end = bench.canvas().range().end;
        const ui::StepShares all = ui::columnsOf(row, {0, end}).front();
        QVERIFY(std::abs(all.bubble - row.idleShare) < 1e-6);
        QVERIFY(std::abs(all.forward / all.backward - 6) < 1e-6);  // 30 and 5 cycles
        const ui::StepShares middle = ui::columnsOf(row, {end / 2, end / 2 + end / 100}).front();
        QVERIFY(std::abs(middle.bubble - row.idleShare) < 0.05);
        QVERIFY(!bench.picture().isNull());
    }

    void aPoolOfVeryManyPlacesShowsTheFirstOnesAndSaysHowManyAreLeftOut() {
        const auto tasksOn = [](int places) {
            return openedTasks(R"("pools": {"cores": )" + std::to_string(places) +
                               R"(}, "tasks": [{"id": "a", "on": "cores[)" + std::to_string(places - 1) +
                               R"(]", "time": 7}])");
        };
        TasksBench most(tasksOn(256));
        QCOMPARE(most.canvas().rows().size(), std::size_t{256});
        QVERIFY(!most.details().contains(QStringLiteral("not drawn")));
        QCOMPARE(most.canvas().rows().back().passes.size(), std::size_t{1});
        TasksBench more(tasksOn(1'000'000));
        QCOMPARE(more.canvas().rows().size(), std::size_t{256});
        QVERIFY(
            more.details().contains(QStringLiteral("The first 256 places have a row; 999,744 more are not drawn.")));
        more.key(Qt::Key_Y);  // the only task of the chain has no row
        QVERIFY(!more.picture().isNull());
    }

    void aDocumentHasNeitherChoosersNorAFigureUntilTheModelIsShownAgain() {
        TasksBench bench(fourStages());
        QVERIFY(!bench.isShown("stepPolicy") && !bench.isShown("stepSchedule") && !bench.isShown("stepLookahead"));
        QVERIFY(bench.isShown("stepLeaveTasks"));
        QVERIFY(!bench.isShown("stepTry"));
        QVERIFY(!bench.view.figure());
        QVERIFY(bench.page().isAnswered());
        bench.key(Qt::Key_G);  // pins a step of a model only
        QSignalSpy answered(&bench.view, &ModelView::modelShown);
        bench.page().findChild<QPushButton*>(QStringLiteral("stepLeaveTasks"))->click();
        QVERIFY(!bench.page().showsTasks());
        QVERIFY(bench.isShown("stepPolicy") && !bench.isShown("stepLeaveTasks"));
        QVERIFY(!answered.isEmpty() || answered.wait());
        QVERIFY(bench.canvas().steps().front().step != nullptr);
        QVERIFY(bench.view.figure().has_value());
        QVERIFY(!bench.label("stepHeadline").text().contains(QStringLiteral("pinned")));
    }

    void anotherExperimentShowsTheStepOfTheModel() {
        TasksBench bench(fourStages());
        engine::Experiment other = tests::smallModel();
        other.workload.layers += 1;
        bench.view.setExperiment(other, {});
        QVERIFY(!bench.page().showsTasks());
        QVERIFY(bench.isShown("stepPolicy"));
    }

    void aDocumentIsDrawnWhateverItsLengthInAnyWindow() {
        const auto longest = openedTasks(
            R"("pools": {"cores": 1}, "tasks": [{"id": "a", "time": 4611686018427387904}, {"id": "b", "time": 0}])");
        const auto nothing = openedTasks(R"("pools": {"cores": 1}, "tasks": [{"id": "a", "time": 0}])");
        QCOMPARE(longest->fineness(), std::int64_t{1});
        for (const auto& tasks : {longest, nothing, loopOf(1000), fourStages("delayed", 1)}) {
            for (const QSize size : {QSize(500, 300), QSize(2400, 1400)}) {
                TasksBench bench(tasks, size);
                bench.key(Qt::Key_Right);
                QVERIFY(bench.canvas().chosen().has_value());
                bench.key(Qt::Key_Return);
                bench.key(Qt::Key_Y);
                QVERIFY(!bench.picture().isNull());
            }
        }
    }
};

RINGSIDE_WINDOW_TEST(TestTasksPage)
#include "tst_tasks_page.moc"
