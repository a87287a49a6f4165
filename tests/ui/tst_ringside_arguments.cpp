#include "app/ringside_arguments.h"
#include "tests/test_program.h"
#include "tests/ui/sample_evaluation.h"
#include "tests/ui/sample_figures.h"

#include "data/document/whole_file.h"
#include "data/experiment/link_text.h"
#include "data/figure/figure_document.h"
#include "data/laboratory/laboratory.h"
#include "data/trace/trace_file.h"

#include <QTemporaryDir>
#include <QTest>

class TestRingsideArguments : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void withoutArgumentsTheBundledExampleOpens() {
        const app::ArgumentsReading reading = app::readArguments({"ringside"});
        QVERIFY(reading.arguments);
        const auto expansion = data::expand(reading.arguments->draft);
        QVERIFY(expansion.runnable());
        QCOMPARE(expansion.experiment.workload.model, std::string("t-nlg"));
        QCOMPARE(expansion.experiment.parallel.tp, 8);
    }

    void whatCannotBeUnderstoodIsNamedWithExitCodeTwo() {
        const QList<QStringList> wrong{{"ringside", "--them", "dark"},
                                       {"ringside", "--theme", "purple"},
                                       {"ringside", "--scale", "nan"},
                                       {"ringside", "--scale", "0.5"},
                                       {"ringside", "--at", "noon"},
                                       {"ringside", "t-nlg/fc-9/tp8"},
                                       {"ringside", "t-nlg/fc-2/tp31"},
                                       {"ringside", "/nonexistent/experiment.json"},
                                       {"ringside", "a", "b"},
                                       {"ringside", "--store", "x", "--no-store"},
                                       {"ringside", "--phase", "dreams"},
                                       {"ringside", "--view", "model", "--page", "dreams"},
                                       {"ringside", "--page", "memory"},
                                       {"ringside", "--size", "wide"}};
        for (const QStringList& words : wrong) {
            const app::ArgumentsReading reading = app::readArguments(words);
            QVERIFY2(!reading.arguments, qPrintable(words.join(QLatin1Char(' '))));
            QCOMPARE(reading.exitCode, 2);
            QVERIFY(!reading.text.isEmpty());
        }
    }

    void aPictureHasASizeAndTheModelAPhase() {
        const app::ArgumentsReading reading =
            app::readArguments({"ringside", "--view", "model", "--phase", "prompt", "--size", "1280x800"});
        QVERIFY(reading.arguments);
        QCOMPARE(reading.arguments->phase, std::optional(engine::ModelPhase::prompt));
        QCOMPARE(reading.arguments->size, std::optional(QSize(1280, 800)));
    }

    void theModelHasPagesAndAnUnknownOneNamesThem() {
        const auto memory = app::readArguments({"ringside", "--view", "model", "--page", "memory"});
        QVERIFY(memory.arguments);
        QCOMPARE(memory.arguments->page, QStringLiteral("memory"));
        const auto unknown = app::readArguments({"ringside", "--view", "model", "--page", "dreams"});
        QVERIFY2(unknown.text.contains(QStringLiteral(
                     "dreams: no such page; allowed: one of graph, step, operators, memory, messages, divisions")),
                 qPrintable(unknown.text));
        QVERIFY(app::readArguments({"ringside", "--page", "memory"}).text.contains(QStringLiteral("--view model")));
    }

    void aDocumentOfTasksIsOpenedInTheViewModel() {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("loop.json"));
        const std::string head = R"({"format": "ringside-tasks", "version": 1, "title": "t",
            "unit": "us", "pools": {"cores": 2}, )";
        data::writeWholeFile(file.toStdString(), head + R"("tasks": [{"id": "a", "time": 7}]})");
        const auto opened = app::readArguments({"ringside", file});
        QVERIFY2(opened.arguments, qPrintable(opened.text));
        QCOMPARE(opened.arguments->tasks, file);
        QCOMPARE(opened.arguments->view, QStringLiteral("model"));
        QCOMPARE(app::readArguments({"ringside", file, "--view", "runs"}).arguments->view, QStringLiteral("runs"));
        data::writeWholeFile(file.toStdString(), head + R"("tasks": [{"id": "a", "time": -7}]})");
        const auto broken = app::readArguments({"ringside", file});
        QVERIFY(!broken.arguments);
        QVERIFY2(broken.text.contains(QStringLiteral("tasks[0].time: -7")), qPrintable(broken.text));
    }

    void anEvaluationIsOpenedByItsNameOrItsFileInItsView() {
        const auto byName = app::readArguments({"ringside", "--evaluation", "t3"});
        QVERIFY(byName.arguments);
        QCOMPARE(byName.arguments->evaluation, QStringLiteral("t3"));
        QCOMPARE(byName.arguments->view, QStringLiteral("evaluations"));
        QCOMPARE(app::readArguments({"ringside", "--evaluation", "t3", "--view", "runs"}).arguments->view,
                 QStringLiteral("runs"));
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("own.json"));
        data::writeWholeFile(file.toStdString(), tests::sampleEvaluation());
        QCOMPARE(app::readArguments({"ringside", file}).arguments->evaluation, file);
        QCOMPARE(app::readArguments({"ringside", "--evaluation", file}).arguments->view, QStringLiteral("evaluations"));
        data::writeWholeFile(file.toStdString(), R"({"format":"ringside-evaluation","version":1,"frozen":"x"})");
        const auto broken = app::readArguments({"ringside", file});
        QCOMPARE(broken.exitCode, 2);
        QVERIFY(broken.text.contains(QStringLiteral("title")) && broken.text.contains(QStringLiteral("frozen: x")));
        const auto unknown = app::readArguments({"ringside", "--evaluation", "t4"});
        QVERIFY(!unknown.arguments && unknown.text.contains(QStringLiteral("one of")));
        QVERIFY(unknown.text.contains(QStringLiteral("t3")));
    }

    void aLessonIsOpenedByItsNumberItsNameOrItsFile() {
        const auto byNumber = app::readArguments({"ringside", "--lesson", "7", "--step", "2", "--reveal"});
        QVERIFY(byNumber.arguments);
        QVERIFY(byNumber.arguments->lessonFile.endsWith(QStringLiteral("07-why-plain-t3-loses.json")));
        QCOMPARE(byNumber.arguments->lessonStep, std::size_t{1});
        QVERIFY(byNumber.arguments->lessonRevealed);
        const auto byName = app::readArguments({"ringside", "--lesson", "why-plain-t3-loses"});
        QCOMPARE(byName.arguments->lessonFile, byNumber.arguments->lessonFile);
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("own.json"));
        const auto write = [&](const char* text) { data::writeWholeFile(file.toStdString(), text); };
        write(R"({"format":"ringside-lesson","version":1,"title":"x","steps":[{"text":"x"}]})");
        QCOMPARE(app::readArguments({"ringside", file}).arguments->lessonFile, file);
        QCOMPARE(app::readArguments({"ringside", "--lesson", file}).arguments->lessonFile, file);
        write(R"({"format":"ringside-lesson","version":1,"title":"x","steps":[{"text":7},{"highlight":"nothing"}]})");
        const auto broken = app::readArguments({"ringside", file});
        QCOMPARE(broken.exitCode, 2);
        QVERIFY(broken.text.contains(QStringLiteral("steps[0].text: 7")));
        QVERIFY(broken.text.contains(QStringLiteral("steps[1].highlight: nothing")));
    }

    void aLessonThatIsNotThereIsAnsweredWithThoseThatAre() {
        QVERIFY(app::readArguments({"ringside", "--lesson", "99"}).text.contains(QStringLiteral("why-plain-t3-loses")));
        QVERIFY(
            app::readArguments({"ringside", "--lesson", "1", "--step", "99"}).text.contains(QStringLiteral("1 to ")));
        QVERIFY(!app::readArguments({"ringside", "--step", "2"}).arguments);
    }

    void aHandoutBelongsToALesson() {
        const auto given = app::readArguments({"ringside", "--lesson", "4", "--handout", "x.pdf", "--answers"});
        QVERIFY(given.arguments);
        QCOMPARE(given.arguments->handout, QStringLiteral("x.pdf"));
        QVERIFY(given.arguments->handoutAnswers);
        QVERIFY(!app::readArguments({"ringside", "--lesson", "4", "--handout", "x.pdf"}).arguments->handoutAnswers);
        QVERIFY(
            app::readArguments({"ringside", "--handout", "x.pdf"}).text.contains(QStringLiteral("belong to --lesson")));
        QVERIFY(
            app::readArguments({"ringside", "--lesson", "4", "--answers"}).text.contains(QStringLiteral("--handout")));
        QVERIFY(given.arguments->handoutDated);
        QVERIFY(!app::readArguments({"ringside", "--lesson", "4", "--handout", "x.pdf", "--no-date"})
                     .arguments->handoutDated);
        QVERIFY(app::readArguments({"ringside", "--lesson", "4", "--no-date"})
                    .text.contains(QStringLiteral("--no-date: only together with --handout")));
        QVERIFY(app::readArguments({"ringside", "--no-date"}).text.contains(QStringLiteral("belong to --lesson")));
        for (const char* other : {"--reveal", "--step=2", "--screenshot=x.png", "--frames=x"})
            QVERIFY(app::readArguments({"ringside", "--lesson", "4", "--handout", "x.pdf", QLatin1String(other)})
                        .text.contains(QStringLiteral("exclude")));
    }

    void aLinkOfALessonIsCheckedBeforeAWindowOpens() {
        const auto opened = [](const char* name, std::uint32_t step) {
            data::Scene scene;
            scene.lesson = data::Scene::LessonPlace{name, {}, step};
            return app::readArguments({"ringside", QString::fromStdString(data::writeLink(scene).value())});
        };
        QVERIFY(opened("ring-reduce-scatter", 1).arguments->scene->lesson);
        QVERIFY(opened("ring", 1).text.contains(QStringLiteral("lesson.name: ring: no such lesson")));
        QVERIFY(opened("ring-reduce-scatter", 59).text.contains(QStringLiteral("lesson.step: 60: no such step")));
    }

    void aFigureIsShownInItsView() {
        const app::ArgumentsReading reading = app::readArguments({"ringside", "--figure", "sublayer-speedup"});
        QVERIFY(reading.arguments);
        QCOMPARE(reading.arguments->figure, QStringLiteral("sublayer-speedup"));
        QCOMPARE(reading.arguments->view, QStringLiteral("figure"));
    }

    void aTraceOpensTheExperimentOfWhichItIs() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("t.json"));
        data::DraftReading draft = data::draftNamed("t-nlg/op/tp4");
        data::applySetting("detail.level=interactive", draft.draft, draft.problems);
        const data::LaboratoryRun run =
            data::Laboratory().run(draft.draft, {.recordTrace = true, .baselines = false, .threads = 2});
        data::writeTraceFile(run, file.toStdString());
        const app::ArgumentsReading reading = app::readArguments({"ringside", file});
        QVERIFY(reading.arguments);
        QCOMPARE(data::expand(reading.arguments->draft).experiment, run.experiment);
        QCOMPARE(reading.arguments->openedLater, file);
        QVERIFY(!reading.arguments->origin);
        data::writeWholeFile(file.toStdString(), R"({"traceEvents": [{"ph": "X", "pid": 1}]})");
        // A trace without an experiment is a measured one; the traces of several ranks open together.
        const app::ArgumentsReading measured = app::readArguments({"ringside", file, file});
        QVERIFY(measured.arguments);
        QCOMPARE(measured.arguments->measured, (QStringList{file, file}));
        QCOMPARE(measured.arguments->view, QStringLiteral("measured"));
        const app::ArgumentsReading mixed = app::readArguments({"ringside", file, "t-nlg/op/tp4"});
        QCOMPARE(mixed.exitCode, 2);
        QVERIFY(mixed.text.contains(QStringLiteral("only one EXPERIMENT can be opened")));
    }

    void aFileThatCarriesAFigureIsOpenedAsOne() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("spec.json"));
        data::writeWholeFile(file.toStdString(), data::writeFigure(tests::speedups()));
        const app::ArgumentsReading reading = app::readArguments({"ringside", file});
        QVERIFY(reading.arguments);
        QCOMPARE(reading.arguments->openedLater, file);
        const QString broken = folder.filePath(QStringLiteral("broken.pdf"));
        data::writeWholeFile(broken.toStdString(), "%PDF-1.4 of somebody else");
        QCOMPARE(app::readArguments({"ringside", broken}).exitCode, 2);
        QVERIFY(app::readArguments({"ringside", broken}).text.contains(QStringLiteral("broken.pdf")));
    }

    void aLinkTextOpensItsSceneAndIsRefusedWhenItIsCut() {
        data::Scene scene;
        scene.draft = data::draftNamed("t-nlg/op/tp16").draft;
        scene.view = "machine";
        scene.moment = data::Scene::Moment{0, 0.5, true};
        const QString link = QString::fromStdString(data::writeLink(scene).value());
        const app::ArgumentsReading reading = app::readArguments({"ringside", link});
        QVERIFY(reading.arguments && reading.arguments->asked);
        QVERIFY(*reading.arguments->scene == scene);
        QCOMPARE(data::expand(reading.arguments->draft).experiment.parallel.tp, 16);
        QCOMPARE(app::readArguments({"ringside", "--view", "chunks", link}).arguments->scene->view, std::string());
        const app::ArgumentsReading cut = app::readArguments({"ringside", link.chopped(20)});
        QCOMPARE(cut.exitCode, 2);
        QVERIFY2(cut.text.contains(QStringLiteral("cut off")), qPrintable(cut.text));
    }

    void helpAndVersionAreNoErrors() {
        QCOMPARE(app::readArguments({"ringside", "--help"}).exitCode, 0);
        QVERIFY(app::readArguments({"ringside", "--help"}).text.contains(QStringLiteral("--screenshot")));
        QVERIFY(app::readArguments({"ringside", "--version"}).text.startsWith(QStringLiteral("ringside ")));
    }

    void momentsAreTimesOrShares() {
        QCOMPARE(app::momentOf(QStringLiteral("1.2ms"))->in(0), 1'200'000'000);
        QCOMPARE(app::momentOf(QStringLiteral(" 350 us "))->in(0), 350'000'000);
        QCOMPARE(app::momentOf(QStringLiteral("40%"))->in(1'000), 400);
        QVERIFY(!app::momentOf(QStringLiteral("101%")));
        QVERIFY(!app::momentOf(QStringLiteral("-1ms")));
        QVERIFY(!app::momentOf(QStringLiteral("12")));
    }

    void theScaleIsReadBeforeQtStarts() {
        QCOMPARE(app::scaleOf({"ringside", "--scale", "2"}), 2.0);
        QCOMPARE(app::scaleOf({"ringside", "--scale=1.5"}), 1.5);
        QCOMPARE(app::scaleOf({"ringside"}), 1.0);
        QCOMPARE(app::scaleOf({"ringside", "--scale", "1e9"}), 1.0);
    }

    void helpNamesTheProgram() {
        const app::ArgumentsReading reading = app::readArguments({QStringLiteral("x"), QStringLiteral("--help")});
        QCOMPARE(reading.exitCode, 0);
        QVERIFY(reading.text.startsWith(QStringLiteral("Usage: ringside [options] [EXPERIMENT]\n")));
    }
};

RINGSIDE_CORE_TEST(TestRingsideArguments)
#include "tst_ringside_arguments.moc"
