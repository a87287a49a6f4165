#include "tests/ui/open_window.h"
#include "tests/ui/window_test.h"

#include "data/document/whole_file.h"
#include "data/trace/trace_file.h"
#include "tests/ui/window_parts.h"
#include "ui/compare/compare_feature.h"
#include "ui/compare/compare_view.h"
#include "ui/compare/comparison.h"
#include "ui/export/export_dialogs.h"
#include "ui/export/frame_export.h"
#include "ui/ringside_window.h"
#include "ui/workbench/message_bar.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileInfo>
#include <QImage>
#include <QProgressDialog>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTimer>

#include <algorithm>
#include <memory>
#include <string>

using ui::RingsideWindow;

namespace {

class ExportWindow {
public:
    explicit ExportWindow(const char* policy = "t3-mca") {
        ui::RingsideWindowConfig config = tests::interactiveConfig("t-nlg/op/tp8");
        config.draft.explicitValues["workload.batch"] = std::int64_t{1};
        config.draft.explicitValues["policy.preset"] = std::string(policy);
        m_window = tests::openWindow(std::move(config), {1280, 720});
    }
    RingsideWindow* operator->() { return m_window.get(); }
    RingsideWindow& operator*() { return *m_window; }
    QString message() { return m_window->findChild<ui::MessageBar*>()->text(); }

private:
    std::unique_ptr<RingsideWindow> m_window;
};

int differingPixels(const QImage& a, const QImage& b) {
    int count = 0;
    for (int y = 0; y < std::min(a.height(), b.height()); ++y) {
        for (int x = 0; x < std::min(a.width(), b.width()); ++x)
            count += a.pixel(x, y) != b.pixel(x, y);
    }
    return count;
}

}  // namespace

class TestWindowExport : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString at(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }

private Q_SLOTS:
    void aWebPageHasTheShownRunAndItsScene() {
        ExportWindow window;
        window->viewState().setCursor(1'000'000);
        window->exports().exportPage(at("run.html"));
        QTRY_VERIFY_WITH_TIMEOUT(window.message().contains(QStringLiteral("run.html is written")), 20'000);
        QVERIFY2(window.message().contains(QStringLiteral("every span exact")), qPrintable(window.message()));
        QFile file(at("run.html"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString page = QString::fromUtf8(file.readAll());
        QVERIFY(page.contains(QStringLiteral("<h1>t-nlg/op/tp8 t3-mca")));
        QVERIFY(page.contains(QStringLiteral("\"kind\":\"run\"")));
        QVERIFY(page.contains(QStringLiteral("\"scene\":{\"at\":1000000")));
    }

    void aWebPageOfTheViewCompareHasItsRuns() {
        ExportWindow window;
        window->compare().compareWith({"sequential", "t3-mca", "ideal-overlap"});
        const auto& runs = window->compare().view().comparison().runs();
        QTRY_VERIFY_WITH_TIMEOUT(
            runs.size() == 3 && std::ranges::all_of(runs, [](const auto& one) { return one.run != nullptr; }), 30'000);
        window->exports().exportPage(at("compare.html"));
        QTRY_VERIFY_WITH_TIMEOUT(window.message().contains(QStringLiteral("compare.html is written")), 30'000);
        QFile file(at("compare.html"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString page = QString::fromUtf8(file.readAll());
        QVERIFY(page.contains(QStringLiteral("\"kind\":\"compare\"")));
        QCOMPARE(page.count(QStringLiteral("<section class=\"run\"")), 3);
    }

    void framesShowTheRunFromItsBeginningToItsEnd() {
        ExportWindow window;
        for (const char* view : {"timeline", "machine", "chunks", "split", "tracker"}) {
            QVERIFY(window->showAlone(QString::fromLatin1(view)));
            ui::FrameExport frames(window->frameStage(), {at(view), 3, 1, {}, {}});
            QSignalSpy done(&frames, &ui::FrameExport::finished);
            QCOMPARE(frames.start(), QString());
            QVERIFY(done.wait(10'000));
            QCOMPARE(QDir(at(view)).entryList({QStringLiteral("*.png")}).size(), 3);
            const QImage first(at(view) + QStringLiteral("/frame-000001.png"));
            const QImage last(at(view) + QStringLiteral("/frame-000003.png"));
            QCOMPARE(first.size(), window->size() * window->devicePixelRatioF());
            QVERIFY(first != last);
            // The frame must be the picture of the window at that moment, except for the keyboard focus, which has
            // moved.
            window->viewState().setCursor(window->viewState().runEnd());
            QApplication::processEvents();
            QVERIFY2(differingPixels(last, window->grab().toImage()) < last.width() * last.height() / 200, view);
        }
    }

    void aStopKeepsWhatIsFinished() {
        ExportWindow window;
        ui::FrameExport frames(window->frameStage(), {at("stopped"), 30, 10, data::Scene::Moment{0, 0.5, true}, {}});
        QSignalSpy stopped(&frames, &ui::FrameExport::stopped);
        connect(&frames, &ui::FrameExport::progressed, &frames, [&](int done) {
            if (done == 4)
                frames.cancel();
        });
        QCOMPARE(frames.start(), QString());
        QVERIFY(stopped.wait(10'000));
        QCOMPARE(frames.finishedFrames(), 4);
        QCOMPARE(QDir(at("stopped")).entryList({QStringLiteral("*.png")}).size(), 4);
        QVERIFY(QFileInfo::exists(at("stopped/frames.json")));
    }

    void theWindowStaysAsItIsWhileItsFramesAreWritten() {
        ExportWindow window;
        window->viewState().setCursor(12'345);
        window->exports().exportFrames({at("aside"), 2, 1, {}, {}}, QSize(1280, 720));
        QTRY_VERIFY_WITH_TIMEOUT(window.message().contains(QStringLiteral("2 frames")), 15'000);
        QCOMPARE(window->viewState().cursor(), std::optional<std::int64_t>(12'345));
        QCOMPARE(QImage(at("aside/frame-000002.png")).size(), QSize(1280, 720) * window->devicePixelRatioF());
    }

    void aFilmIsMadeOfTheFramesAndACancelledOneLeavesNothing() {
        // Two shell scripts with the name ffmpeg: the first writes a word to the file of the last argument, the second
        // takes long.
        for (const char* lines : {"echo film > \"${last#file:}\"\n", "exec sleep 60\n"}) {
            data::writeWholeFile(at("ffmpeg").toStdString(), std::string("#!/bin/sh\nfor last; do :; done\n") + lines);
            QFile::setPermissions(at("ffmpeg"), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
            const QByteArray path = qgetenv("PATH");
            qputenv("PATH", QFile::encodeName(m_folder.path()) + ':' + path);
            ExportWindow window;
            ui::FrameExport frames(window->frameStage(), {at("film.mp4"), 3, 1, {}, {}});
            QSignalSpy finished(&frames, &ui::FrameExport::finished);
            QSignalSpy stopped(&frames, &ui::FrameExport::stopped);
            const bool slow = QByteArray(lines).startsWith("exec");
            connect(&frames, &ui::FrameExport::filmed, &frames, [&] {
                if (slow)
                    QTimer::singleShot(50, &frames, &ui::FrameExport::cancel);
            });
            QCOMPARE(frames.start(), QString());
            QTRY_VERIFY_WITH_TIMEOUT(finished.size() + stopped.size() == 1, 10'000);
            qputenv("PATH", path);
            QCOMPARE(stopped.size(), slow ? 1 : 0);
            QCOMPARE(frames.finishedFrames(), 3);
            QCOMPARE(QFile::remove(at("film.mp4")), !slow);
            QVERIFY(QDir(m_folder.path()).entryList({QStringLiteral("*.part*")}).isEmpty());
        }
    }

    void aForeignFolderIsRefused() {
        ExportWindow window;
        QDir().mkpath(at("theirs"));
        data::writeWholeFile(at("theirs/a.txt").toStdString(), "x");
        ui::FrameExport frames(window->frameStage(), {at("theirs"), 2, 1, {}, {}});
        QVERIFY(frames.start().contains(QStringLiteral("a.txt")));
    }

    void aBoundHasNoFramesAndNoTrace() {
        ExportWindow window("ideal-overlap");
        ui::FrameExport frames(window->frameStage(), {at("bound"), 2, 1, {}, {}});
        QVERIFY(!frames.start().isEmpty());
        QVERIFY(!QFileInfo::exists(at("bound")));
    }

    void aTraceIsWrittenAndOpenedAgainAsTheSameRun() {
        ExportWindow window;
        const QString file = at("trace.json");
        data::TraceChoice choice;
        for (const data::TracePart& part : data::traceParts())
            data::choose(choice, part, part.name != "loads");
        window->exports().exportTrace(file, choice);
        QTRY_VERIFY_WITH_TIMEOUT(window.message().contains(QStringLiteral("is written")), 10'000);
        ExportWindow other("sequential");
        other->workbench().documents().open(file);
        QTRY_VERIFY_WITH_TIMEOUT(other.message().contains(QStringLiteral("byte for byte")), 10'000);
        QVERIFY(other->runs().shown()->run.experiment == window->runs().shown()->run.experiment);
        // If one letter of an event changes, the window reports it.
        QFile changed(file);
        QVERIFY(changed.open(QIODevice::ReadWrite));
        changed.seek(changed.size() - 20);
        const char was = changed.read(1).at(0);
        changed.seek(changed.size() - 20);
        changed.putChar(was == '7' ? '8' : '7');
        changed.close();
        other->workbench().documents().open(file);
        QTRY_VERIFY_WITH_TIMEOUT(other.message().contains(QStringLiteral("not what this run gives")), 10'000);
    }

    void aForeignTraceIsDistinguishedAndChangesNothing() {
        ExportWindow window;
        const data::ExperimentDraft before = window->experiment().draft();
        data::writeWholeFile(at("foreign.json").toStdString(),
                             R"({"traceEvents":[{"ph":"X","pid":1,"tid":1,"ts":0,"dur":1}]})");
        window->workbench().documents().open(at("foreign.json"));
        // It opens as a measured trace, and has nothing that a profiler measures on a GPU.
        QTRY_VERIFY_WITH_TIMEOUT(window.message().contains(QStringLiteral("no GPU kernels")), 10'000);
        QVERIFY(window->experiment().draft() == before);
    }

    void theDialogShowsTheSizeOfEveryPartAndOfTheWhole() {
        ExportWindow window;
        ui::TraceDialog dialog(window->runs().shown());
        QSignalSpy chosen(&dialog, &ui::TraceDialog::chosen);
        auto* write = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save);
        QVERIFY(write->isEnabled());
        dialog.findChild<QCheckBox*>(QStringLiteral("loads"))->setChecked(false);
        QVERIFY(!dialog.choice().lanes[static_cast<std::size_t>(engine::LaneKind::loads)]);
        for (QCheckBox* box : dialog.findChildren<QCheckBox*>())
            box->setChecked(false);
        QVERIFY(!write->isEnabled());
        dialog.findChild<QCheckBox*>(QStringLiteral("dma"))->setChecked(true);
        write->click();
        QCOMPARE(chosen.size(), 1);
        ui::FramesDialog frames;
        QCOMPARE(frames.size(), QSize(1920, 1080));
    }

    void aTraceThatCannotBeWrittenIsReportedAndItsDialogGoes() {
        ExportWindow window;
        window->exports().exportTrace(at("missing/trace.json"), {});
        QTRY_VERIFY_WITH_TIMEOUT(window.message().contains(QStringLiteral("missing/trace.json")), 10'000);
        QTRY_VERIFY(!window->findChild<QProgressDialog*>(QStringLiteral("exportProgress")));
    }
};

RINGSIDE_WINDOW_TEST(TestWindowExport)
#include "tst_window_export.moc"
