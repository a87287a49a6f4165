#include "tests/ui/parameter.h"
#include "tests/ui/window_test.h"

#include "ui/editors/experiment_form.h"
#include "ui/editors/parameter_field.h"
#include "ui/shared/experiment_model.h"

#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QTemporaryDir>
#include <QToolButton>

#include <filesystem>
#include <fstream>

using data::OwnKind;
using ui::ExperimentModel;

namespace {

QAction* actionOf(QToolButton& button, const char* name) {
    auto* menu = button.findChild<QMenu*>();
    Q_EMIT menu->aboutToShow();
    return menu->findChild<QAction*>(QString::fromLatin1(name));
}

}  // namespace

class TestOwnPresetsInForm : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<ExperimentModel> m_model;

    void set(const char* path, const char* text) {
        m_model->setText(tests::parameter(path), QString::fromLatin1(text));
        m_model->finishEdit();
    }
    bool isChanged(const char* path) const { return m_model->fieldState(tests::parameter(path)).changed; }
    QString textOf(const char* path) const { return m_model->fieldState(tests::parameter(path)).text; }
    void saveMachine(const char* name, const char* path, const char* text) {
        set(path, text);
        m_model->savePreset(OwnKind::machine, QString::fromLatin1(name));
    }

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_model = std::make_unique<ExperimentModel>(m_folder->path().toStdString());
    }
    void cleanup() { m_model.reset(); }

    void whatWasSavedIsThePresetFromThenOnAndTheSameExperiment() {
        set("link.bandwidth", "448 GB/s");
        const engine::Experiment before = m_model->expansion().experiment;
        m_model->savePreset(OwnKind::machine, QStringLiteral("mine"));
        QVERIFY(!isChanged("link.bandwidth"));
        QCOMPARE(m_model->chosenPreset(OwnKind::machine), QStringLiteral("mine"));
        engine::Experiment after = m_model->expansion().experiment;
        after.machine = before.machine;
        QCOMPARE(after, before);
    }

    void aBundledPresetShowsTheSourceOfEachOfItsValues() {
        set("machine", "nvidia-b200");
        const QString bandwidth = m_model->presetSourceOf(tests::parameter("memory.bandwidth"));
        QVERIFY2(bandwidth.contains(QLatin1String("8 TB/s; published, NVIDIA HGX B200 data sheet")),
                 qPrintable(bandwidth));
        QVERIFY(m_model->presetSourceOf(tests::parameter("link.latency")).contains(QLatin1String("250 ns; assumed, ")));
        QVERIFY(m_model->presetSourceOf(tests::parameter("workload.heads"))
                    .contains(QLatin1String("28; second-hand, Microsoft")));
    }

    void aValueBesideAnOwnPresetIsBoldAndResettingGoesBackToIt() {
        saveMachine("mine", "link.bandwidth", "448 GB/s");
        set("link.bandwidth", "300 GB/s");
        QVERIFY(isChanged("link.bandwidth"));
        QVERIFY(m_model->differsFromPreset(OwnKind::machine));
        QVERIFY(!m_model->differsFromPreset(OwnKind::model));
        m_model->reset(tests::parameter("link.bandwidth"));
        QCOMPARE(textOf("link.bandwidth"), QStringLiteral("448 GB/s"));
        QVERIFY(!isChanged("link.bandwidth"));
    }

    void typingAnOwnPresetsValueAgainIsNoChangeAndStaysInTheDocument() {
        saveMachine("mine", "link.bandwidth", "448 GB/s");
        set("link.bandwidth", "1 GB/s");
        set("link.bandwidth", "448 GB/s");
        QVERIFY(!isChanged("link.bandwidth"));
        QVERIFY(m_model->draft().explicitValues.contains("link.bandwidth"));
    }

    void anotherMachineTakesThePlaceOfAnOwnOneAndLeavesWhatWasSetByHand() {
        saveMachine("mine", "cu.count", "120");
        set("llc.size", "64 MiB");
        set("machine", "t3-2x-cu");
        QCOMPARE(textOf("cu.count"), QStringLiteral("160"));
        QVERIFY(!isChanged("cu.count"));
        QCOMPARE(textOf("llc.size"), QStringLiteral("64 MiB"));
        QVERIFY(isChanged("llc.size"));
        set("machine", "mine");
        QCOMPARE(textOf("cu.count"), QStringLiteral("120"));
        QCOMPARE(textOf("llc.size"), QStringLiteral("64 MiB"));
    }

    void choosingAnOwnPresetIsOneStepBack() {
        saveMachine("mine", "cu.count", "120");
        set("machine", "t3-table-1");
        const data::ExperimentDraft before = m_model->draft();
        const int steps = m_model->undoStack().index();
        set("machine", "mine");
        QCOMPARE(m_model->undoStack().index(), steps + 1);
        m_model->undoStack().undo();
        QCOMPARE(m_model->draft(), before);
    }

    void savingRenamingAndDeletingAreUndoneWithTheirFiles() {
        const auto onDisk = [this] {
            const data::OwnPresets presets(m_folder->path().toStdString());
            QStringList found;
            for (const data::OwnPreset& preset : presets.all())
                found << QString::fromStdString(preset.name);
            return found.join(QLatin1Char(' '));
        };
        saveMachine("one", "cu.count", "120");
        m_model->renamePreset(OwnKind::machine, QStringLiteral("one"), QStringLiteral("two"));
        QCOMPARE(onDisk(), QStringLiteral("two"));
        QCOMPARE(textOf("machine"), QStringLiteral("two"));
        m_model->removePreset(OwnKind::machine, QStringLiteral("two"));
        QCOMPARE(onDisk(), QString());
        QCOMPARE(m_model->expansion().experiment.cu.count, std::int64_t{120});  // the shown experiment does not change
        QVERIFY(m_model->isRunnable());
        m_model->undoStack().undo();
        QCOMPARE(onDisk(), QStringLiteral("two"));
        m_model->undoStack().undo();
        QCOMPARE(onDisk(), QStringLiteral("one"));
        QCOMPARE(textOf("machine"), QStringLiteral("one"));
        m_model->undoStack().undo();
        QCOMPARE(onDisk(), QString());
        QCOMPARE(textOf("machine"), QStringLiteral("t3-table-1"));
        while (m_model->undoStack().canRedo())
            m_model->undoStack().redo();
        QCOMPARE(onDisk(), QString());
        m_model->undoStack().undo();
        QCOMPARE(onDisk(), QStringLiteral("two"));
    }

    void anOverwrittenPresetComesBackWithItsValues() {
        saveMachine("mine", "cu.count", "120");
        saveMachine("mine", "cu.count", "40");
        QCOMPARE(m_model->ownPresets().all().size(), std::size_t{1});
        m_model->undoStack().undo();
        const auto& values = m_model->ownPresets().find(OwnKind::machine, "mine")->values;
        QCOMPARE(std::get<std::int64_t>(values.at("cu.count")), std::int64_t{120});
    }

    void aRenameOntoAnotherPresetDoesNothing() {
        saveMachine("one", "cu.count", "120");
        saveMachine("two", "cu.count", "40");
        m_model->renamePreset(OwnKind::machine, QStringLiteral("one"), QStringLiteral("two"));
        QCOMPARE(m_model->ownPresets().all().size(), std::size_t{2});
    }

    void aDiskThatRefusesIsReportedAndLeavesNothingToUndo() {
        std::ofstream(m_folder->path().toStdString() + "/machines") << "a file where a folder should be";
        QSignalSpy failed(m_model.get(), &ExperimentModel::presetsFailed);
        m_model->savePreset(OwnKind::machine, QStringLiteral("mine"));
        QCOMPARE(failed.count(), 1);
        QVERIFY(failed.front().front().toString().contains(m_folder->path()));
        QVERIFY(!m_model->undoStack().canUndo());
        QCOMPARE(textOf("machine"), QStringLiteral("t3-table-1"));
    }

    void anOwnExperimentIsRecognisedWhenTheDraftEqualsIt() {
        set("link.bandwidth", "75 GB/s");
        m_model->savePreset(OwnKind::experiment, QStringLiteral("half"));
        QCOMPARE(m_model->chosenPreset(OwnKind::experiment), QStringLiteral("half"));
        set("link.bandwidth", "74 GB/s");
        QVERIFY(m_model->chosenPreset(OwnKind::experiment).isEmpty());
        set("link.bandwidth", "75 GB/s");
        QCOMPARE(m_model->chosenPreset(OwnKind::experiment), QStringLiteral("half"));
    }

    void aDocumentThatNamesAnOwnMachineGetsItsValues() {
        saveMachine("mine", "cu.count", "120");
        data::DraftReading reading = data::readDraft(R"({"machine": "mine", "cu": {"slots": 3}})", "a document");
        m_model->replaceDraft(reading.draft, QStringLiteral("opening"));
        QCOMPARE(textOf("cu.count"), QStringLiteral("120"));
        QVERIFY(!isChanged("cu.count"));
        QVERIFY(isChanged("cu.slots"));
    }

    void undoingAnOpeningGivesTheFileBeforeItBack() {
        const ui::DocumentOrigin a{QStringLiteral("/a.json")}, b{QStringLiteral("/b.json")};
        m_model->replaceDraft(data::openDraft("t-nlg/op/tp8").draft, QStringLiteral("opening"), a);
        m_model->replaceDraft(data::openDraft("palm/op/tp32").draft, QStringLiteral("opening"), b);
        QVERIFY(!m_model->differsFromFile());
        m_model->undoStack().undo();
        QCOMPARE(m_model->origin(), std::optional(a));
        QVERIFY(!m_model->differsFromFile());
        m_model->undoStack().undo();
        QVERIFY(!m_model->origin());
        m_model->undoStack().redo();
        QCOMPARE(m_model->origin(), std::optional(a));
    }

    void theFileDiffersAsLongAsItDoesAndNoLonger() {
        m_model->replaceDraft(data::openDraft("t-nlg/op/tp8").draft, QStringLiteral("opening"),
                              ui::DocumentOrigin{QStringLiteral("/a.json")});
        set("cu.count", "120");
        QVERIFY(m_model->differsFromFile());
        set("cu.count", "80");
        QVERIFY(!m_model->differsFromFile());
        set("cu.count", "nonsense");
        QVERIFY(m_model->differsFromFile());
        m_model->cancelEdit(*engine::findParameter("cu.count"));
        QVERIFY(!m_model->differsFromFile());
        set("cu.count", "120");
        m_model->setSaved(ui::DocumentOrigin{QStringLiteral("/b.json")}, m_model->draft());
        QVERIFY(!m_model->differsFromFile());
        m_model->undoStack().undo();
        QVERIFY(m_model->differsFromFile());
        QCOMPARE(m_model->origin()->file, QStringLiteral("/b.json"));
    }

    void openingTheSameExperimentFromAnotherFileIsAStep() {
        const data::ExperimentDraft draft = data::openDraft("t-nlg/op/tp8").draft;
        m_model->replaceDraft(draft, QStringLiteral("opening"), ui::DocumentOrigin{QStringLiteral("/a.json")});
        m_model->replaceDraft(draft, QStringLiteral("opening"), ui::DocumentOrigin{QStringLiteral("/b.json")});
        QCOMPARE(m_model->undoStack().count(), 2);
        m_model->undoStack().undo();
        QCOMPARE(m_model->origin()->file, QStringLiteral("/a.json"));
    }

    void theButtonSavesUnderTheNameThatIsTypedAndThePickerShowsIt() {
        ui::ExperimentForm form(*m_model);
        form.show();
        set("link.bandwidth", "448 GB/s");
        form.savePresetAs(OwnKind::machine);
        auto* dialog = form.findChild<QDialog*>(QStringLiteral("presetName"));
        QVERIFY(dialog != nullptr);
        auto* name = dialog->findChild<QLineEdit*>();
        auto* ok = dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
        QVERIFY(!ok->isEnabled());
        QTest::keyClicks(name, QStringLiteral("t3-table-1"));
        QVERIFY(!ok->isEnabled());  // bundled presets cannot be replaced
        QTest::keyClicks(name, QStringLiteral(" ours"));
        QVERIFY(ok->isEnabled());
        QTest::keyClick(name, Qt::Key_Return);
        QVERIFY(m_model->ownPresets().find(OwnKind::machine, "t3-table-1 ours") != nullptr);
        auto* combo = form.findChild<QComboBox*>(QStringLiteral("preset:machine"));
        QCOMPARE(combo->currentData().toString(), QStringLiteral("t3-table-1 ours"));
        QVERIFY(combo->currentText().contains(QStringLiteral("own")));
    }

    void theToolTipShowsMeaningDefaultSourceAndThePresetInForce() {
        ui::ExperimentForm form(*m_model);
        const auto tip = [&form](const char* path) {
            return form.findChild<ui::ParameterField*>(QStringLiteral("field:") + QLatin1String(path))->toolTip();
        };
        QVERIFY(tip("link.bandwidth").contains(QStringLiteral("(B)")));
        QVERIFY(tip("dram.activate").contains(QStringLiteral("(tRCD)")));
        QVERIFY(tip("link.bandwidth").contains(QStringLiteral("assumed")));
        QVERIFY(tip("link.bandwidth").contains(QStringLiteral("Preset T3, table 1: 150 GB/s; published")));
        set("machine", "t3-table-1-75");
        QVERIFY(tip("link.bandwidth").contains(QStringLiteral("75 GB/s per direction: 75 GB/s; assumed")));
        saveMachine("mine", "link.bandwidth", "448 GB/s");
        QVERIFY(tip("link.bandwidth").contains(QStringLiteral("Preset mine: 448 GB/s; your own")));
        QVERIFY(!tip("tracker.entries").contains(QStringLiteral("Preset")));
    }

    void twoChoicesAreTwoStepsAndSoAreTwoDrags() {
        ui::ExperimentForm form(*m_model);
        set("policy.preset", "t3");
        set("policy.preset", "sequential");
        QCOMPARE(m_model->undoStack().count(), 2);
        auto* slider =
            form.findChild<ui::ParameterField*>(QStringLiteral("field:link.bandwidth"))->findChild<QSlider*>();
        for (const int end : {80, 160}) {
            slider->setSliderDown(true);
            for (int step = 1; step <= 5; ++step)
                slider->setValue(end + step);
            slider->setSliderDown(false);
        }
        QCOMPARE(m_model->undoStack().count(), 4);
        m_model->undoStack().undo();
        QCOMPARE(slider->value(), 85);  // where the first drag ended
    }

    void aBundledPresetCanBeNeitherRenamedNorDeleted() {
        ui::ExperimentForm form(*m_model);
        auto& button = *form.findChild<QToolButton*>(QStringLiteral("own:machine"));
        QVERIFY(actionOf(button, "saveAs") != nullptr);
        QVERIFY(actionOf(button, "rename") == nullptr);
        QVERIFY(actionOf(button, "delete") == nullptr);
        saveMachine("mine", "cu.count", "120");
        QVERIFY(actionOf(button, "rename") != nullptr);
        QVERIFY(!actionOf(button, "update")->isEnabled());
        set("cu.count", "100");
        QVERIFY(actionOf(button, "update")->isEnabled());
        actionOf(button, "delete")->trigger();
        QVERIFY(m_model->ownPresets().all().empty());
    }

    void aNameThatOnlyTheDocumentKnowsIsShownAllTheSame() {
        ui::ExperimentForm form(*m_model);
        saveMachine("mine", "cu.count", "120");
        m_model->removePreset(OwnKind::machine, QStringLiteral("mine"));
        auto* combo = form.findChild<QComboBox*>(QStringLiteral("preset:machine"));
        QCOMPARE(combo->currentIndex(), -1);
        QCOMPARE(combo->placeholderText(), QStringLiteral("mine"));
    }

    void whatAMachineSetsBesidesNumbersIsSaidAndCanBeUndoneInOneStep() {
        ui::ExperimentForm form(*m_model);
        form.show();
        const auto* said = form.findChild<QLabel*>(QStringLiteral("machineChoices"));
        const auto algorithm = [this] { return m_model->expansion().experiment.collective.algorithm; };
        using enum engine::CollectiveAlgorithm;
        QVERIFY(said->isHidden());
        const int steps = m_model->undoStack().count();
        set("machine", "amd-mi300x");
        QVERIFY(!said->isHidden());
        QVERIFY(said->text().contains(QStringLiteral("algorithm direct")));
        QVERIFY(said->text().contains(QStringLiteral("topology fully-connected")));
        QVERIFY(algorithm() == direct);
        QCOMPARE(m_model->undoStack().count(), steps + 1);
        m_model->undoStack().undo();
        QVERIFY(said->isHidden());
        QVERIFY(algorithm() == ring);
        m_model->undoStack().redo();
        set("collective.algorithm", "ring");  // a ring can still be chosen
        QVERIFY(algorithm() == ring);
        QVERIFY(said->text().contains(QStringLiteral("algorithm direct, but ring was set by hand")));
        set("machine", "t3-table-1");
        set("machine", "amd-mi300x");
        QVERIFY(algorithm() == ring);
    }

    void withoutAFolderNothingOffersToKeepPresets() {
        ExperimentModel model;
        ui::ExperimentForm form(model);
        form.show();
        QVERIFY(form.findChild<QToolButton*>(QStringLiteral("own:machine"))->isHidden());
        QVERIFY(form.findChild<QComboBox*>(QStringLiteral("preset:experiment")) == nullptr);
    }
};

RINGSIDE_WINDOW_TEST(TestOwnPresetsInForm)
#include "tst_own_presets_in_form.moc"
