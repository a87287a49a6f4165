#include "tests/ui/parameter.h"
#include "tests/ui/window_test.h"

#include "ui/editors/experiment_form.h"
#include "ui/editors/parameter_field.h"
#include "ui/shared/experiment_model.h"
#include "ui/shared/run_controller.h"

#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QToolButton>

class TestExperimentModel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anEditBecomesExplicitAndSaysSo() {
        ui::ExperimentModel model;
        QSignalSpy changes(&model, &ui::ExperimentModel::changed);
        model.setText(tests::parameter("link.bandwidth"), QStringLiteral("75 GB/s"));
        QCOMPARE(changes.count(), 1);
        const ui::FieldState state = model.fieldState(tests::parameter("link.bandwidth"));
        QVERIFY(state.changed);
        QVERIFY(state.problem.isEmpty());
        QCOMPARE(model.expansion().experiment.link.bandwidth.bytesPerSecond, 75'000'000'000);
        QVERIFY(model.isRunnable());
    }

    void typingThePresetsValueAgainIsNoChange() {
        ui::ExperimentModel model;
        model.setText(tests::parameter("link.bandwidth"), QStringLiteral("75 GB/s"));
        model.setText(tests::parameter("link.bandwidth"), QStringLiteral("150GB/s"));
        QVERIFY(!model.fieldState(tests::parameter("link.bandwidth")).changed);
        QVERIFY(!model.draft().explicitValues.contains("link.bandwidth"));
    }

    void aBadTextStaysWordForWordAndStopsTheRun() {
        ui::ExperimentModel model;
        for (const char* bad : {"", "-5 ns", "1e999", "nan", "fast", "12 parsec", "99999999999999999999999 s"}) {
            model.setText(tests::parameter("link.latency"), QString::fromLatin1(bad));
            const ui::FieldState state = model.fieldState(tests::parameter("link.latency"));
            QCOMPARE(state.text, QString::fromLatin1(bad));
            QVERIFY2(!state.problem.isEmpty(), bad);
            QVERIFY2(!model.isRunnable(), bad);
            QVERIFY(model.firstProblem().contains(QStringLiteral("link.latency")));
        }
        model.setText(tests::parameter("link.latency"), QStringLiteral("1 us"));
        QVERIFY(model.isRunnable());
    }

    void aProblemBetweenValuesStandsAtItsField() {
        ui::ExperimentModel model;
        model.setText(tests::parameter("parallel.tp"), QStringLiteral("31"));  // does not divide K = 4 x 4256
        QVERIFY(!model.isRunnable());
        QVERIFY(!model.fieldState(tests::parameter("parallel.tp")).problem.isEmpty());
    }

    void resettingFollowsThePresetAgain() {
        ui::ExperimentModel model;
        model.setText(tests::parameter("memory.update_cost"), QStringLiteral("2"));
        QVERIFY(model.fieldState(tests::parameter("memory.update_cost")).changed);
        model.reset(tests::parameter("memory.update_cost"));
        QVERIFY(!model.fieldState(tests::parameter("memory.update_cost")).changed);
        QCOMPARE(model.expansion().experiment.memory.updateCost, engine::Experiment{}.memory.updateCost);
    }

    void whatWasNotSetByHandFollowsThePreset() {
        ui::ExperimentModel model;
        model.setText(tests::parameter("cu.count"), QStringLiteral("40"));
        model.setText(tests::parameter("machine"), QStringLiteral("t3-table-1-75"));
        QCOMPARE(model.expansion().experiment.cu.count, 40);
        QCOMPARE(model.expansion().experiment.link.bandwidth.bytesPerSecond, 75'000'000'000);
    }

    void everyParameterHasAFieldWithAToolTipAndAName() {
        ui::ExperimentModel model;
        ui::ExperimentForm form(model);
        for (const engine::Parameter& entry : engine::parameters()) {
            if (ui::ExperimentModel::isPreset(entry.path))
                continue;
            const auto* field =
                form.findChild<ui::ParameterField*>(QStringLiteral("field:") + QString::fromStdString(entry.path));
            QVERIFY2(field != nullptr, entry.path.c_str());
            QVERIFY(field->toolTip().contains(QString::fromStdString(entry.meaning).toHtmlEscaped()));
            QVERIFY(field->toolTip().contains(QStringLiteral("Allowed")));
        }
    }

    void typingIsTakenInWhenTheFieldIsLeft() {
        ui::ExperimentModel model;
        ui::ExperimentForm form(model);
        form.show();
        auto* field = form.findChild<ui::ParameterField*>(QStringLiteral("field:link.latency"));
        auto* edit = field->findChild<QLineEdit*>();
        edit->selectAll();
        QTest::keyClicks(edit, QStringLiteral("2us"));
        QTest::keyClick(edit, Qt::Key_Return);
        QCOMPARE(model.expansion().experiment.link.latency.ps, 2'000'000);
        QVERIFY(form.findChild<QPushButton*>(QStringLiteral("run"))->isEnabled());
    }

    void theFilterFindsByMeaningAndPath() {
        ui::ExperimentModel model;
        ui::ExperimentForm form(model);
        const auto* field = form.findChild<ui::ParameterField*>(QStringLiteral("field:tracker.entries"));
        QVERIFY(field->matches(QStringLiteral("TRACKER")));
        QVERIFY(field->matches(QStringLiteral("tracker.ent")));
        QVERIFY(!field->matches(QStringLiteral("bandwidth")));
    }

    void aBurstOfTypingIsOneStepBackAndTheNextIsAnother() {
        ui::ExperimentModel model;
        const engine::Parameter& latency = tests::parameter("link.latency");
        for (const char* text : {"7", "75", "75 n", "75 ns"})
            model.setText(latency, QString::fromLatin1(text));
        model.finishEdit();
        QCOMPARE(model.undoStack().count(), 1);
        model.setText(latency, QStringLiteral("80 ns"));
        model.finishEdit();
        model.setText(latency, QStringLiteral("80 ns"));  // leaving a field is not an edit
        QCOMPARE(model.undoStack().count(), 2);
        model.undoStack().undo();
        QCOMPARE(model.fieldState(latency).text, QStringLiteral("75 ns"));
        model.undoStack().undo();
        QVERIFY(!model.fieldState(latency).changed);
        QVERIFY(model.isRunnable());
        model.undoStack().redo();
        model.undoStack().redo();
        QCOMPARE(model.fieldState(latency).text, QStringLiteral("80 ns"));
    }

    void editsOfTwoParametersAreTwoStepsAlsoInOneBurst() {
        ui::ExperimentModel model;
        model.setText(tests::parameter("link.latency"), QStringLiteral("75 ns"));
        model.setText(tests::parameter("cu.count"), QStringLiteral("40"));
        QCOMPARE(model.undoStack().count(), 2);
    }

    void anEditThatEndsWhereItBeganLeavesNothingToUndo() {
        ui::ExperimentModel model;
        model.setText(tests::parameter("cu.count"), QStringLiteral("40"));
        model.setText(tests::parameter("cu.count"), QStringLiteral("80"));
        QCOMPARE(model.undoStack().count(), 0);
    }

    void aTextThatCannotBeReadIsNoStepBackAndChangesNoValue() {
        ui::ExperimentModel model;
        const engine::Parameter& latency = tests::parameter("link.latency");
        model.setText(tests::parameter("cu.count"), QStringLiteral("40"));
        model.finishEdit();
        for (const char* text : {"7", "75", "75 parsec"})  // "75" was only an intermediate text
            model.setText(latency, QString::fromLatin1(text));
        model.finishEdit();
        QCOMPARE(model.undoStack().count(), 1);
        QVERIFY(!model.undoStack().canRedo());
        QVERIFY(!model.draft().explicitValues.contains("link.latency"));
        QCOMPARE(model.fieldState(latency).text, QStringLiteral("75 parsec"));
        QCOMPARE(model.problemPath(), std::string("link.latency"));
        // A step of another field can be undone and redone independently.
        model.undoStack().undo();
        QVERIFY(!model.fieldState(tests::parameter("cu.count")).changed);
        QCOMPARE(model.fieldState(latency).text, QStringLiteral("75 parsec"));
        model.undoStack().redo();
        QCOMPARE(model.fieldState(latency).text, QStringLiteral("75 parsec"));
        QCOMPARE(model.expansion().experiment.cu.count, 40);
        model.setText(latency, QStringLiteral("75 ns"));
        model.finishEdit();
        model.undoStack().undo();
        QVERIFY(model.isRunnable());  // back to the value, not to the invalid text
        QVERIFY(!model.fieldState(latency).changed);
    }

    void anEditUnderWayIsCancelledWhole() {
        ui::ExperimentModel model;
        const engine::Parameter& latency = tests::parameter("link.latency");
        model.setText(latency, QStringLiteral("80 ns"));
        model.finishEdit();
        for (const char* text : {"7", "75", "75 ns"})
            model.setText(latency, QString::fromLatin1(text));
        model.cancelEdit(latency);
        QCOMPARE(model.fieldState(latency).text, QStringLiteral("80 ns"));
        model.setText(latency, QStringLiteral("fast"));
        model.cancelEdit(latency);
        QCOMPARE(model.fieldState(latency).text, QStringLiteral("80 ns"));
        model.cancelEdit(latency);  // a finished edit stays
        QCOMPARE(model.fieldState(latency).text, QStringLiteral("80 ns"));
        QVERIFY(model.isRunnable());
    }

    void undoingAResetBringsBackABadTextWordForWord() {
        ui::ExperimentModel model;
        model.setText(tests::parameter("link.latency"), QStringLiteral("fast"));
        model.finishEdit();
        model.reset(tests::parameter("link.latency"));
        QVERIFY(model.isRunnable());
        model.undoStack().undo();
        QCOMPARE(model.fieldState(tests::parameter("link.latency")).text, QStringLiteral("fast"));
        QVERIFY(!model.isRunnable());
    }

    void anyMixOfUndoAndRedoComesBackToTheSameDrafts() {
        ui::ExperimentModel model;
        std::vector<data::ExperimentDraft> drafts{model.draft()};
        const std::vector<std::pair<const char*, const char*>> edits{{"link.latency", "75 ns"},
                                                                     {"cu.count", "40"},
                                                                     {"policy.preset", "t3"},
                                                                     {"cu.count", "80"},
                                                                     {"machine", "t3-table-1-75"}};
        for (const auto& [path, text] : edits) {
            model.setText(tests::parameter(path), QString::fromLatin1(text));
            model.finishEdit();
            drafts.push_back(model.draft());
        }
        model.replaceDraft({}, QStringLiteral("opening"));
        drafts.push_back(model.draft());
        for (int i = static_cast<int>(drafts.size()) - 1; i >= 0; --i) {
            model.undoStack().setIndex(i);
            QCOMPARE(model.draft(), drafts[static_cast<std::size_t>(i)]);
        }
        for (const int i : {3, 1, 6, 0, 5, 2}) {
            model.undoStack().setIndex(i);
            QCOMPARE(model.draft(), drafts[static_cast<std::size_t>(i)]);
        }
    }

    void aSliderMovesTheValueAndADragIsOneStepBack() {
        ui::ExperimentModel model;
        ui::ExperimentForm form(model);
        form.show();
        const engine::Parameter& bandwidth = tests::parameter("link.bandwidth");
        auto* field = form.findChild<ui::ParameterField*>(QStringLiteral("field:link.bandwidth"));
        auto* slider = field->findChild<QSlider*>();
        QCOMPARE(slider->value(), slider->maximum() / 2);  // the position of the preset's value
        for (const int drag : {0, 1}) {
            slider->setSliderDown(true);
            for (int i = 1; i <= 20; ++i)
                slider->setValue(slider->maximum() / 2 - 20 * drag - i);
            slider->setSliderDown(false);
            QCOMPARE(model.undoStack().count(), drag + 1);
        }
        const std::int64_t slow = std::get<std::int64_t>(model.valueOf(bandwidth));
        QVERIFY(slow < 150'000'000'000);
        QCOMPARE(field->findChild<QLineEdit*>()->text(), model.fieldState(bandwidth).text);
        form.undo();
        QVERIFY(std::get<std::int64_t>(model.valueOf(bandwidth)) > slow);
        form.undo();
        QCOMPARE(slider->value(), slider->maximum() / 2);
        QVERIFY(!model.fieldState(bandwidth).changed);
    }

    void anEditExpandsOnceForTheFormAndOnceForTheRun() {
        ui::ExperimentModel model;
        ui::RunController runs(model, {});
        const engine::Parameter& bandwidth = tests::parameter("link.bandwidth");
        runs.setFollowsEdits(true);
        const auto editTo = [&](std::int64_t bytesPerSecond) {
            const std::uint64_t before = data::expansionsSoFar();
            model.setValue(bandwidth, bytesPerSecond);
            runs.answerEdit(true);
            return QTest::qWaitFor([&] { return runs.shown() && !runs.isRunning(); }) ? data::expansionsSoFar() - before
                                                                                      : 0;
        };
        editTo(100'000'000'000);  // also expands the presets for the name of the run
        const std::uint64_t expansions = editTo(120'000'000'000);
        QCOMPARE(expansions, std::uint64_t{2});
    }

    void theValueOfASliderIsTheOneThatItsTextStandsFor() {
        for (const engine::Parameter& parameter : engine::parameters()) {
            if (parameter.kind != engine::ParameterKind::integer && parameter.kind != engine::ParameterKind::real)
                continue;
            const ui::SliderScale scale = ui::sliderScale(parameter, parameter.defaultValue, parameter.defaultValue);
            for (int position = 0; position <= ui::SliderScale::kPositions; position += 7) {
                const engine::ParameterValue value = scale.parameterValueAt(position);
                engine::Problems problems;
                QVERIFY2(!engine::check(parameter, value), parameter.path.c_str());
                QVERIFY2(engine::parseValue(parameter, engine::formatValue(parameter, value), problems) == value,
                         parameter.path.c_str());
            }
        }
    }

    void aSliderLeavesWordsAloneUntilItIsMoved() {
        ui::ExperimentModel model;
        ui::ExperimentForm form(model);
        auto* field = form.findChild<ui::ParameterField*>(QStringLiteral("field:dma.window"));
        auto* slider = field->findChild<QSlider*>();
        QCOMPARE(field->findChild<QLineEdit*>()->text(), QStringLiteral("unlimited"));
        QCOMPARE(slider->value(), slider->maximum());
        slider->setValue(slider->maximum() / 2);
        QVERIFY(std::holds_alternative<std::int64_t>(model.valueOf(field->parameter())));
        model.setText(field->parameter(), QStringLiteral("unlimited"));
        QCOMPARE(slider->value(), slider->maximum());
    }

    void onlyTheChangedAreShownWhenAskedFor() {
        ui::ExperimentModel model;
        ui::ExperimentForm form(model);
        form.show();
        auto* only = form.findChild<QToolButton*>(QStringLiteral("onlyChanged"));
        const auto fieldOf = [&](const char* path) {
            return form.findChild<ui::ParameterField*>(QStringLiteral("field:") + QString::fromLatin1(path));
        };
        model.setText(tests::parameter("dram.burst"), QStringLiteral("64 B"));
        QVERIFY(!fieldOf("dram.burst")->isVisible());  // its group is folded
        only->click();
        QVERIFY(fieldOf("dram.burst")->isVisible());
        QVERIFY(!fieldOf("link.bandwidth")->isVisible());
        QVERIFY(only->text().contains(QLatin1Char('1')));
        model.reset(tests::parameter("dram.burst"));
        QVERIFY(!fieldOf("dram.burst")->isVisible());
        only->click();
        QVERIFY(fieldOf("link.bandwidth")->isVisible());
        QVERIFY(!fieldOf("dram.burst")->isVisible());
    }
};

RINGSIDE_WINDOW_TEST(TestExperimentModel)
#include "tst_experiment_model.moc"
