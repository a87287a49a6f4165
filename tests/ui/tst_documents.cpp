#include "tests/ui/window_test.h"

#include "data/presets/preset_document.h"
#include "data/presets/presets.h"
#include "tests/ui/window_parts.h"
#include "ui/editors/parameter_field.h"
#include "ui/model/model_feature.h"
#include "ui/model/model_view.h"
#include "ui/model/step_page.h"
#include "ui/ringside_window.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/message_bar.h"

#include <QDir>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <memory>

using ui::RingsideWindow;

class TestDocuments : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RingsideWindow> m_window;

    QString fileWith(const char* name, const QByteArray& text) const {
        const QString path = m_folder->filePath(QString::fromLatin1(name));
        QFile file(path);
        file.open(QIODevice::WriteOnly);
        file.write(text);
        return path;
    }
    static QByteArray textOf(const QString& path) {
        QFile file(path);
        file.open(QIODevice::ReadOnly);
        return file.readAll();
    }
    QString experimentFile(const char* name = "one.json") const {
        return fileWith(name, R"({"format":"ringside-experiment","version":1,"notes":"for the talk",
            "workload":{"model":"t-nlg","sublayer":"op"},"parallel":{"tp":16},"detail":{"level":"interactive"},
            "link":{"bandwidth":"75 GB/s"}})");
    }
    std::string hash() const { return data::experimentHash(m_window->experiment().expansion().experiment); }
    QString message() const { return m_window->findChild<ui::MessageBar*>()->text(); }
    void edit(const char* path, const char* text) {
        m_window->experiment().setText(*engine::findParameter(path), QString::fromLatin1(text));
        m_window->experiment().finishEdit();
    }
    /// Drops files on a widget as the window system does: drags them over the window, then releases them.
    void drop(QWidget& target, const QList<QUrl>& urls) {
        QMimeData mime;
        mime.setUrls(urls);
        const QPoint place = target.rect().center();
        QDragEnterEvent enter(place, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&target, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent let(place, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&target, &let);
    }

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        ui::RingsideWindowConfig config;
        config.draft = data::openDraft("t-nlg/fc-2/tp8").draft;
        config.draft.explicitValues["detail.level"] = std::string("interactive");
        config.runsWhileEditing = false;
        config.settingsFile = m_folder->filePath(QStringLiteral("window.ini"));
        config.presetFolder = m_folder->filePath(QStringLiteral("presets")).toStdString();
        m_window = std::make_unique<RingsideWindow>(std::move(config));
        QSignalSpy shown(&m_window->runs(), &ui::RunController::settled);
        m_window->show();
        QVERIFY(shown.wait(10'000));
    }
    void cleanup() { m_window.reset(); }

    void anExperimentThatIsSavedAndOpenedAgainIsTheSame() {
        edit("link.latency", "725 ns");
        edit("memory.efficiency", "0.1234567890123");
        edit("seed", "987654321");
        const std::string before = hash();
        const QString file = m_folder->filePath(QStringLiteral("saved.json"));
        m_window->editor().saveAs(file);
        m_window->workbench().documents().open(experimentFile());
        QVERIFY(hash() != before);
        m_window->workbench().documents().open(file);
        QCOMPARE(hash(), before);
    }

    void aDocumentOfTasksIsShownByTheModelViewUntilTheFormChanges() {
        const std::string before = hash();
        ui::ModelView& model = m_window->model().view();
        const QString file = fileWith("firing.json", R"({"format": "ringside-tasks", "version": 1, "title": "One task",
            "unit": "us", "pools": {"cores": 2}, "tasks": [{"id": "a", "time": 7}]})");
        drop(*m_window, {QUrl::fromLocalFile(file)});
        QVERIFY(message().isEmpty());
        QVERIFY(model.isVisible() && model.step().showsTasks());
        QVERIFY(model.step()
                    .findChild<QLabel*>(QStringLiteral("stepHeadline"))
                    ->text()
                    .startsWith(QStringLiteral("One task\n1 task, look-ahead 1: 7 us")));
        QCOMPARE(hash(), before);
        edit("link.latency", "725 ns");
        QVERIFY(!model.step().showsTasks());
        m_window->workbench().documents().open(file);
        QVERIFY(model.step().showsTasks());
        m_window->workbench().documents().open(experimentFile());
        QVERIFY(!model.step().showsTasks());
    }

    void aBrokenDocumentOfTasksIsRefusedWithPlaceAndReasonAndLeavesThePageAsItWas() {
        ui::ModelView& model = m_window->model().view();
        const char* const kText = R"({"format": "ringside-tasks", "version": 1, "title": "One task",
            "unit": "us", "pools": {"cores": 2}, "tasks": [{"id": "a", "time": %1}]})";
        const auto open = [&](const char* name, const char* time) {
            const QString text = QString::fromLatin1(kText).arg(QString::fromLatin1(time));
            m_window->workbench().documents().open(fileWith(name, text.toLatin1()));
        };
        open("wrong.json", "-1");
        QVERIFY2(message().contains(QStringLiteral("wrong.json cannot be opened:")), qPrintable(message()));
        QVERIFY2(message().contains(QStringLiteral("tasks[0].time: -1")), qPrintable(message()));
        QVERIFY(!model.isVisible() && !model.step().showsTasks());
        open("right.json", "1");
        QVERIFY(message().isEmpty());
        const QString shown = model.step().findChild<QLabel*>(QStringLiteral("stepHeadline"))->text();
        open("wrong.json", "-1");
        QVERIFY(model.step().showsTasks());
        QCOMPARE(model.step().findChild<QLabel*>(QStringLiteral("stepHeadline"))->text(), shown);
    }

    void anExportedExperimentIsTheSameAndSaysEverything() {
        edit("link.latency", "725 ns");
        const std::string before = hash();
        const QString file = m_folder->filePath(QStringLiteral("complete.json"));
        m_window->editor().exportComplete(file);
        const data::DraftReading reading = data::readDraftFile(file.toStdString());
        QCOMPARE(reading.draft.explicitValues.size(), engine::parameters().size());
        m_window->workbench().documents().open(file);
        QCOMPARE(hash(), before);
    }

    void aDroppedDocumentIsOpenedAndRunAndCanBeUndone() {
        const std::string before = hash();
        QSignalSpy shown(&m_window->runs(), &ui::RunController::settled);
        drop(*m_window, {QUrl::fromLocalFile(experimentFile())});
        QVERIFY(shown.wait(10'000));
        QCOMPARE(m_window->runs().shown()->run.experiment.parallel.tp, std::int64_t{16});
        QVERIFY(message().isEmpty());
        m_window->experiment().undoStack().undo();
        QCOMPARE(hash(), before);
        QVERIFY(!m_window->experiment().origin());
    }

    void aDocumentDroppedOnAFieldIsOpenedToo() {
        auto* field = m_window->findChild<ui::ParameterField*>(QStringLiteral("field:link.bandwidth"));
        QVERIFY(!field->findChild<QLineEdit*>()->acceptDrops());
    }

    void theFileOfAModelOpensTheExampleWithThatModel() {
        const data::Preset& bundled = data::models().front();
        data::OwnPreset own{data::OwnKind::model, "mine", bundled.settings};
        own.values["workload.hidden"] = std::int64_t{6144};
        const QString file = fileWith("mine.json", QByteArray::fromStdString(data::writePreset(own)));
        drop(*m_window, {QUrl::fromLocalFile(file)});
        QVERIFY2(message().isEmpty(), qPrintable(message()));
        QCOMPARE(m_window->experiment().expansion().experiment.workload.hidden, 6144);
        QVERIFY(!m_window->experiment().origin());  // saving must not replace the model by an experiment
    }

    void severalFilesAndThingsThatAreNoFilesAreRefusedInWords() {
        const std::string before = hash();
        drop(*m_window, {QUrl::fromLocalFile(experimentFile()), QUrl::fromLocalFile(experimentFile("two.json"))});
        QVERIFY2(message().contains(QStringLiteral("2 files")), qPrintable(message()));
        drop(*m_window, {QUrl(QStringLiteral("https://example.org/a.json"))});
        QVERIFY2(message().contains(QStringLiteral("example.org")), qPrintable(message()));
        drop(*m_window, {QUrl::fromLocalFile(m_folder->path())});
        QVERIFY2(message().contains(QStringLiteral("a folder")), qPrintable(message()));
        QCOMPARE(hash(), before);
    }

    void whatIsWrongWithAFileIsReportedWithItsNamePlaceAndWhatIsAllowed_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QStringList>("reported");
        QTest::newRow("a result") << QByteArray(R"({"engine_version":"1","experiment":{"seed":1},"shape":{"m":1}})")
                                  << QStringList{"the result of a run", "under the key \"experiment\""};
        QTest::newRow("a list") << QByteArray("[{}]") << QStringList{"a list", "an object"};
        QTest::newRow("no JSON") << QByteArray("{\n  \"link\": }") << QStringList{"line 2"};
        QTest::newRow("bad value") << QByteArray(R"({"link":{"latency":"-1 ns"}})")
                                   << QStringList{"link.latency", "-1 ns", "allowed: 0"};
        QTest::newRow("unknown key") << QByteArray(R"({"link":{"latencey":1}})") << QStringList{"link.latency", "mean"};
        QTest::newRow("does not go together")
            << QByteArray(R"({"parallel":{"tp":31}})") << QStringList{"parallel.tp", "31"};
        QTest::newRow("a preset of nothing")
            << QByteArray(R"({"format":"ringside-preset"})") << QStringList{"kind", "model or machine"};
        QTest::newRow("two problems") << QByteArray(R"({"link":{"latency":"-1 ns"},"seed":"x"})")
                                      << QStringList{"link.latency", "seed"};
    }
    void whatIsWrongWithAFileIsReportedWithItsNamePlaceAndWhatIsAllowed() {
        QFETCH(QByteArray, text);
        QFETCH(QStringList, reported);
        const std::string before = hash();
        drop(*m_window, {QUrl::fromLocalFile(fileWith("wrong.json", text))});
        QVERIFY2(message().contains(QStringLiteral("wrong.json")), qPrintable(message()));
        for (const QString& words : reported)
            QVERIFY2(message().contains(words), qPrintable(message()));
        QCOMPARE(hash(), before);
        QVERIFY(!m_window->experiment().origin());
    }

    void theTitleShowsTheFileAndWhetherItDiffers() {
        const QString file = experimentFile();
        m_window->workbench().documents().open(file);
        QVERIFY(m_window->windowTitle().startsWith(QStringLiteral("one.json[*]")));
        QVERIFY(!m_window->isWindowModified());
        edit("cu.count", "120");
        QVERIFY(m_window->isWindowModified());
        m_window->experiment().undoStack().undo();
        QVERIFY(!m_window->isWindowModified());
        edit("cu.count", "120");
        QTest::keyClick(m_window.get(), Qt::Key_S, Qt::ControlModifier);
        QVERIFY(!m_window->isWindowModified());
        QVERIFY(textOf(file).contains("120"));
    }

    void savingKeepsTheNotesOfTheDocument() {
        const QString file = experimentFile();
        m_window->workbench().documents().open(file);
        edit("cu.count", "120");
        m_window->editor().saveAs(file);
        QVERIFY(textOf(file).contains("for the talk"));
    }

    void anUnreadableTextIsNotSavedOverAFile() {
        const QString file = experimentFile();
        const QByteArray before = textOf(file);
        m_window->workbench().documents().open(file);
        edit("link.latency", "soon");
        m_window->editor().saveAs(file);
        QCOMPARE(textOf(file), before);
        QVERIFY2(message().contains(QStringLiteral("link.latency")), qPrintable(message()));
        QVERIFY(m_window->isWindowModified());
    }

    void aFolderThatRefusesIsReportedAndTheExperimentStaysUnsaved() {
        m_window->editor().saveAs(m_folder->filePath(QStringLiteral("no/such/place.json")));
        QVERIFY2(message().contains(QStringLiteral("place.json")), qPrintable(message()));
        QVERIFY(!m_window->experiment().origin());
    }

    void recentFilesStandLastFirstAndOpen() {
        const QString one = experimentFile("one.json"), two = experimentFile("two.json");
        m_window->workbench().documents().open(one);
        m_window->workbench().documents().open(two);
        m_window->workbench().documents().open(one);
        const auto recent = [this](int i) {
            return m_window->workbench().commands().find(QStringLiteral("file.recent-%1").arg(i))->action;
        };
        QVERIFY(recent(1)->text().contains(QStringLiteral("one.json")));
        QVERIFY(recent(2)->text().contains(QStringLiteral("two.json")));
        QVERIFY(!recent(3)->isVisible());
        recent(2)->trigger();
        QCOMPARE(m_window->experiment().origin()->file, two);
        QVERIFY(recent(1)->text().contains(QStringLiteral("two.json")));
    }

    void brokenPresetsAreReportedAtTheStartAndLeftAlone() {
        QDir(m_folder->path()).mkpath(QStringLiteral("presets/models"));
        const QString file = fileWith("presets/models/odd.json", "{");
        m_window.reset();
        ui::RingsideWindowConfig config;
        config.draft = data::openDraft("t-nlg/fc-2/tp8").draft;
        config.presetFolder = m_folder->filePath(QStringLiteral("presets")).toStdString();
        m_window = std::make_unique<RingsideWindow>(std::move(config));
        QSignalSpy shown(&m_window->runs(), &ui::RunController::settled);
        QVERIFY(shown.wait(10'000));
        QVERIFY2(message().contains(QStringLiteral("odd.json")), qPrintable(message()));
        QCOMPARE(textOf(file), QByteArray("{"));
    }
};

RINGSIDE_WINDOW_TEST(TestDocuments)
#include "tst_documents.moc"
