#include "tests/ui/open_window.h"
#include "tests/ui/window_test.h"

#include "data/document/whole_file.h"
#include "data/trace/request_file.h"
#include "ui/workbench/documents.h"
#include "ui/workbench/message_bar.h"
#include "ui/workbench/workbench.h"

#include <QTemporaryDir>

class TestRequestFeature : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString fileOf(const char* name, const std::string& text) const {
        const QString path = m_folder.filePath(QString::fromLatin1(name));
        data::writeWholeFile(path.toStdString(), text);
        return path;
    }

private Q_SLOTS:
    void theWindowRunsTheRequestsOfAFile() {
        const auto window = tests::openWindow();
        QSignalSpy shown(&window->logs(), &ui::RunLogBuilder::settled);
        window->workbench().documents().open(
            fileOf("four.trace", "0x0 READ 0\n0x8000 WRITE 5\n0x0 READ 7\n0x40 READ 9\n"));
        QVERIFY(shown.count() > 0 || shown.wait(20'000));
        const data::LaboratoryRun& run = window->runs().shown()->run;
        QCOMPARE(run.result.access->requests, std::int64_t{4});
        QCOMPARE(run.experiment.access.trace.size(), std::size_t{64});
        // The name has the beginning of the digest only.
        QVERIFY2(run.name.find(run.experiment.access.trace.substr(0, 12)) != std::string::npos &&
                     run.name.find(run.experiment.access.trace) == std::string::npos,
                 run.name.c_str());
        QCOMPARE(window->experiment().undoStack().undoText(), QStringLiteral("Open four.trace"));
        window->experiment().undoStack().undo();
        QVERIFY(window->experiment().expansion().experiment.workload.sublayer == engine::SubLayer::fc2);
        QVERIFY(window->experiment().isRunnable());
    }

    void aFileWithAWrongLineChangesNothingAndNamesTheLine() {
        const auto window = tests::openWindow();
        const data::ExperimentDraft before = window->experiment().draft();
        window->workbench().documents().open(fileOf("wrong.trace", "0x0 READ 0\n0x40 REED 1\n"));
        QVERIFY(window->experiment().draft() == before);
        QVERIFY(!window->experiment().undoStack().canUndo());
        QVERIFY2(window->workbench().messages().text().contains(QStringLiteral("wrong.trace:2")),
                 qPrintable(window->workbench().messages().text()));
    }
};

RINGSIDE_WINDOW_TEST(TestRequestFeature)
#include "tst_request_feature.moc"
