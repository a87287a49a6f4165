#include "tests/ui/sample_figures.h"
#include "tests/ui/sample_sweep.h"
#include "tests/ui/window_test.h"

#include "data/figure/figure_document.h"
#include "tests/ui/window_parts.h"
#include "ui/figure/figure_bundle.h"
#include "ui/figure/figure_options.h"
#include "ui/figure/figure_view.h"
#include "ui/ringside_window.h"
#include "ui/shared/sweep_state.h"
#include "ui/timeline/timeline_view.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/message_bar.h"
#include "ui/workbench/pictures.h"
#include "ui/workbench/window_views.h"

#include <QClipboard>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QMimeData>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <QUndoStack>

#include <memory>

using ui::RingsideWindow;

class TestWindowFigure : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RingsideWindow> m_window;

    QString message() const { return m_window->findChild<ui::MessageBar*>()->text(); }
    QString view() const { return m_window->workbench().views().current(); }
    std::string hash() const { return data::experimentHash(m_window->experiment().expansion().experiment); }
    QAction* action(const char* id) const {
        return m_window->workbench().commands().find(QString::fromLatin1(id))->action;
    }
    const data::FigureSpec& inHand() const { return m_window->figures().view().shown()->spec; }
    void drop(const QString& file) {
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(file)});
        const QPoint place = m_window->rect().center();
        QDragEnterEvent enter(place, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent let(place, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_window.get(), &let);
    }
    QString fileWith(const char* name, const QByteArray& text) const {
        const QString path = m_folder->filePath(QString::fromLatin1(name));
        QFile file(path);
        file.open(QIODevice::WriteOnly);
        file.write(text);
        return path;
    }
    void changeExperiment() {
        m_window->experiment().setText(*engine::findParameter("link.latency"), QStringLiteral("725 ns"));
        m_window->experiment().finishEdit();
    }

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        ui::RingsideWindowConfig config;
        config.draft = data::openDraft("t-nlg/fc-2/tp8").draft;
        config.draft.explicitValues["detail.level"] = std::string("interactive");
        config.runsWhileEditing = false;
        config.size = QSize(1400, 850);
        config.settingsFile = m_folder->filePath(QStringLiteral("window.ini"));
        m_window = std::make_unique<RingsideWindow>(std::move(config));
        QSignalSpy shown(&m_window->logs(), &ui::RunLogBuilder::settled);
        m_window->show();
        QVERIFY(shown.wait(10'000));
    }
    void cleanup() { m_window.reset(); }

    void theFigureViewHasF5AndRunKeepsItsOtherKeys() {
        QVERIFY(action("view.figure")->shortcuts().contains(QKeySequence(Qt::Key_F5)));
        QVERIFY(!action("run.start")->shortcuts().contains(QKeySequence(Qt::Key_F5)));
        QVERIFY(action("run.start")->shortcuts().contains(QKeySequence(Qt::CTRL | Qt::Key_R)));
        QVERIFY(action("file.export-figure")->shortcuts().contains(QKeySequence(Qt::CTRL | Qt::Key_E)));
        QVERIFY(action("file.copy-figure")->shortcuts().contains(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C)));
    }

    void everyPictureOfTheRunButTheTrackerGoesToTheFigureView() {
        for (const char* picture : {"timeline", "machine", "chunks"}) {
            m_window->workbench().views().showView(QStringLiteral("explore"));
            m_window->workbench().pictures().showView(QString::fromLatin1(picture));
            m_window->viewState().setCursor(m_window->viewState().runEnd() / 2);
            action("file.export-figure")->trigger();
            QCOMPARE(view(), QStringLiteral("figure"));
            const engine::Problems problems = data::problemsOf(inHand());
            QVERIFY2(problems.empty(), problems.empty() ? "" : engine::describe(problems.front()).c_str());
            QCOMPARE(inHand().provenance.experiments.front().hash, m_window->runs().shown()->run.hash);
            QCOMPARE(inHand().theme, data::FigureTheme::paper);
        }
    }

    void theTimelinesSelectedStretchIsWhatIsTaken() {
        const std::int64_t end = m_window->viewState().runEnd();
        m_window->viewState().selectArea({{end / 4, end / 2}, 0, 7});
        const auto offer = m_window->figures().figureOfView();
        QVERIFY(offer);
        QVERIFY(QString::fromStdString(offer->figure.provenance.moment).startsWith(QStringLiteral("from ")));
    }

    void aTimelineSaysWhichGpusAreHiddenAndHasNoSourceWithOtherLanes() {
        ui::LaneEditor& lanes = m_window->findChild<ui::TimelineView*>()->lanes();
        const auto source = [&] { return m_window->figures().figureOfView()->figure.from; };
        QVERIFY(source().kind == data::FigureSource::Kind::view);
        const std::vector<std::string> before = source().choices;
        lanes.hideGpu(1);
        lanes.hideGpu(3);
        std::vector<std::string> wanted = before;
        wanted.emplace_back("gpus=0,2,4,5,6,7");
        QVERIFY(source().choices == wanted);
        lanes.toggleGpu(2);
        QVERIFY(source().kind == data::FigureSource::Kind::unknown);
        lanes.setArrangement({});
        QVERIFY(source().kind == data::FigureSource::Kind::view && source().choices == before);
    }

    void aChartOfASweepGoesThereToo() {
        m_window->workbench().views().showView(QStringLiteral("sweep"));
        QVERIFY(!m_window->figures().figureOfView());
        action("file.export-figure")->trigger();
        QCOMPARE(view(), QStringLiteral("sweep"));
        QVERIFY(message().contains(QStringLiteral("nothing here that could be a figure")));
        m_window->sweepState().setTable(tests::shared(tests::sweepOver({tests::bandwidths({50, 75, 100})})));
        action("file.export-figure")->trigger();
        QCOMPARE(view(), QStringLiteral("figure"));
        QVERIFY(data::problemsOf(inHand()).empty());
    }

    void aDarkWindowGivesTheSameFigure() {
        const auto light = m_window->figures().figureOfView()->figure;
        m_window->workbench().setTheme(ui::Theme::dark);
        const auto dark = m_window->figures().figureOfView()->figure;
        m_window->workbench().pictures().showView(QStringLiteral("machine"));
        const auto darkMachine = m_window->figures().figureOfView()->figure;
        m_window->workbench().setTheme(ui::Theme::light);
        QCOMPARE(dark, light);
        QCOMPARE(darkMachine, m_window->figures().figureOfView()->figure);
    }

    void copyingLeavesTheViewAsItIs() {
        m_window->workbench().pictures().showView(QStringLiteral("chunks"));
        action("file.copy-figure")->trigger();
        QCOMPARE(view(), QStringLiteral("explore"));
        const QMimeData* mime = QApplication::clipboard()->mimeData();
        QVERIFY(mime->data(QStringLiteral("application/pdf")).startsWith("%PDF"));
        QVERIFY(message().contains(QStringLiteral("clipboard")));
    }

    void aDroppedPdfOpensItsFigureAndTheExperimentThatMadeIt() {
        const std::string made = m_window->runs().shown()->run.hash;
        action("file.export-figure")->trigger();
        const data::FigureSpec figure = inHand();
        m_window->figures().view().findChild<ui::FigureFormats*>()->choose(
            {ui::FigureFormat::pdf, ui::FigureFormat::spec});
        m_window->figures().view().exportTo(m_folder->path());
        const QDir own(m_folder->filePath(QString::fromStdString(figure.name)));
        changeExperiment();
        QVERIFY(hash() != made);
        for (const char* filter : {"*.pdf", "*.json"}) {
            const QStringList files = own.entryList({QString::fromLatin1(filter)});
            QCOMPARE(files.size(), 1);
            drop(own.filePath(files.front()));
            QCOMPARE(view(), QStringLiteral("figure"));
            QCOMPARE(inHand(), figure);
            QCOMPARE(hash(), made);
            QVERIFY(message().contains(QStringLiteral("The experiment from which it was made")));
            auto* back = m_window->findChild<ui::MessageBar*>()->findChild<QToolButton*>(QStringLiteral("remedy"));
            QVERIFY(back != nullptr && back->isVisible());
            back->click();  // no change is lost
            QVERIFY(hash() != made);
        }
    }

    void aFileThatIsNoFigureIsAMessageAndNothingIsLost() {
        const std::string before = hash();
        for (const QString& file : {fileWith("a.pdf", "%PDF-1.4 of somebody else"), fileWith("b.zip", "no zip"),
                                    fileWith("c.json", R"({"format":"ringside-figure","version":1,"panels":7})"),
                                    m_folder->filePath(QStringLiteral("not-there.svg"))}) {
            drop(file);
            QVERIFY2(message().contains(QStringLiteral("cannot be opened")), qPrintable(message()));
            QCOMPARE(view(), QStringLiteral("explore"));
            QCOMPARE(hash(), before);
        }
    }

    void aFigureWithoutAnExperimentSaysSo() {
        const std::string before = hash();
        const QString file = fileWith("spec.json", QByteArray::fromStdString(data::writeFigure(tests::speedups())));
        m_window->workbench().documents().open(file);
        QCOMPARE(view(), QStringLiteral("figure"));
        QVERIFY(message().contains(QStringLiteral("does not contain the experiment")));
        QCOMPARE(hash(), before);
    }

    void undoIsThatOfTheFigureWhileItsViewIsShown() {
        changeExperiment();
        const std::string changed = hash();
        action("file.export-figure")->trigger();
        const std::size_t figures = m_window->figures().view().collection().figures().size();
        action("edit.undo")->trigger();
        QCOMPARE(m_window->figures().view().collection().figures().size(), figures - 1);
        QCOMPARE(hash(), changed);
        m_window->workbench().views().showView(QStringLiteral("explore"));
        action("edit.undo")->trigger();
        QVERIFY(hash() != changed);
    }
};

RINGSIDE_WINDOW_TEST(TestWindowFigure)
#include "tst_window_figure.moc"
