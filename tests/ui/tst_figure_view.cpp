#include "tests/least_time.h"
#include "tests/ui/sample_figures.h"
#include "tests/ui/window_test.h"

#include "data/figure/figure_document.h"
#include "data/figure/figure_edits.h"
#include "data/figure/figure_size.h"
#include "engine/api/runner.h"
#include "ui/figure/figure_bundle.h"
#include "ui/figure/figure_list.h"
#include "ui/figure/figure_options.h"
#include "ui/figure/figure_view.h"
#include "ui/figure/lint_panel.h"

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <atomic>
#include <chrono>
#include <thread>

using data::FigureSpec;
using ui::FigureFormat;
using ui::FigureView;
using ui::FigureZoom;

namespace {

/// Makes a figure at once, or only when the test allows it. Fails for one name.
class QuickMaker final : public ui::FigureMaker {
public:
    QuickMaker(std::stop_token stop, std::function<void(double)> progress, std::atomic<bool>& waits,
               std::atomic<int>& made)
        : m_stop(std::move(stop)), m_progress(std::move(progress)), m_waits(waits), m_made(made) {}

    FigureSpec make(const std::string& name) override {
        m_progress(0.5);
        while (m_waits && !m_stop.stop_requested())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (m_stop.stop_requested())
            throw engine::RunStopped();
        if (name == "cu-split")
            throw std::runtime_error("there is no such machine");
        ++m_made;
        FigureSpec figure = tests::speedups();
        figure.name = name;
        figure.title = "made of " + name;
        return figure;
    }

private:
    std::stop_token m_stop;
    std::function<void(double)> m_progress;
    std::atomic<bool>& m_waits;
    std::atomic<int>& m_made;
};

struct FigureViewBench {
    explicit FigureViewBench(bool waiting = false) : waits(waiting) {
        view.resize(1280, 760);
        view.show();
        QApplication::processEvents();
    }

    ui::FigureSessionConfig config() {
        ui::FigureSessionConfig config;
        config.maker = [this](std::stop_token stop, std::function<void(double)> progress) {
            return std::make_unique<QuickMaker>(std::move(stop), std::move(progress), waits, made);
        };
        config.again = [this](const FigureSpec& figure, const std::stop_token&) {
            if (figure.from.name == "split")
                throw std::runtime_error("the view shows nothing");
            ++made;
            FigureSpec other = tests::speedups(2);
            other.name = "as the source calls it";
            other.from = figure.from;
            return other;
        };
        return config;
    }
    template <class Widget>
    Widget* part(const char* name) {
        return view.findChild<Widget*>(QString::fromLatin1(name));
    }
    QAction* action(const char* id) {
        for (const auto& [command, action] : view.commands().all()) {
            if (command.id == QLatin1String(id))
                return action;
        }
        return nullptr;
    }
    void take(FigureSpec figure) { view.take({std::move(figure), {}}); }
    const FigureSpec& shown() { return view.shown()->spec; }
    void type(const char* field, const QString& text) {
        auto* line = part<QLineEdit>(field);
        line->setFocus();
        line->selectAll();
        QTest::keyClicks(line, text);
    }
    void choose(const char* field, int index) {
        auto* box = part<QComboBox>(field);
        box->setCurrentIndex(index);
        Q_EMIT box->activated(index);
    }

    std::atomic<bool> waits;
    std::atomic<int> made{0};
    FigureView view{config()};
};

bool finds(const FigureView& view, ui::LintRule rule) {
    const auto& findings = view.findChild<ui::LintPanel*>()->findings();
    return std::any_of(findings.begin(), findings.end(), [&](const auto& each) { return each.rule == rule; });
}

/// Returns the button that fixes the finding of this rule.
QPushButton* fixFor(const FigureView& view, ui::LintRule rule) {
    QString text;
    for (const ui::LintFinding& finding : view.findChild<ui::LintPanel*>()->findings()) {
        if (finding.rule == rule)
            text = finding.fixText;
    }
    for (QPushButton* button : view.findChildren<QPushButton*>(QStringLiteral("figureFix"))) {
        if (button->isVisible() && button->toolTip() == text)
            return button;
    }
    return nullptr;
}

/// Returns bars whose axis begins above zero, a finding with a fix.
FigureSpec barsFromHalf() {
    FigureSpec figure = tests::speedups();
    figure.panels.front().y.from = 0.5;
    return figure;
}

}  // namespace

class TestFigureView : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsNotMadeSaysWhatItIsAndOffersToMakeIt() {
        FigureViewBench bench;
        QVERIFY(!bench.view.shown());
        QVERIFY(!bench.part<QLabel>("figureHeading")->text().isEmpty());
        QVERIFY(bench.part<QLabel>("figureWhat")->text().contains(QStringLiteral("Ctrl+E")));
        QVERIFY(bench.part<QPushButton>("figureMake")->isVisible());
        QVERIFY(!bench.action("figure.export")->isEnabled());
    }

    void aFigureIsMadeInTheBackgroundAndThenShown() {
        FigureViewBench bench;
        QSignalSpy shown(&bench.view, &FigureView::figureShown);
        QVERIFY(bench.view.open(QStringLiteral("sublayer-speedup")));
        QVERIFY(shown.wait(5000));
        QCOMPARE(bench.shown().name, std::string("sublayer-speedup"));
        QVERIFY(!bench.view.session().isRunning());
        QVERIFY(bench.action("figure.export")->isEnabled());
        QVERIFY(!bench.view.open(QStringLiteral("no-such-figure")));
    }

    void makingCanBeCancelledAtOnceAndNothingArrivesAfterwards() {
        FigureViewBench bench(true);
        bench.view.open(QStringLiteral("sublayer-speedup"));
        QTRY_VERIFY(bench.part<QLabel>("figureMaking")->isVisible());
        const auto taken =
            tests::processorTimeOf([&] { QTest::mouseClick(bench.part<QPushButton>("figureCancel"), Qt::LeftButton); });
        QVERIFY(!bench.view.session().isRunning());
        QVERIFY(taken < std::chrono::seconds(2));
        QVERIFY(!bench.part<QLabel>("figureMaking")->isVisible());
        bench.waits = false;
        QTest::qWait(50);
        QVERIFY(!bench.view.shown());
        QCOMPARE(bench.made.load(), 0);
        bench.view.open(QStringLiteral("sublayer-speedup"));  // the figure can be requested again
        QTRY_VERIFY(bench.view.shown());
    }

    void severalAreMadeOneAfterTheOther() {
        FigureViewBench bench;
        bench.view.session().make(
            {QStringLiteral("sublayer-speedup"), QStringLiteral("dram-access"), QStringLiteral("sublayer-speedup")});
        QTRY_VERIFY(!bench.view.session().isRunning());
        QCOMPARE(bench.made.load(), 2);
    }

    void whatCannotBeMadeSaysWhy() {
        FigureViewBench bench;
        QSignalSpy failed(&bench.view, &FigureView::failed);
        QVERIFY(bench.view.open(QStringLiteral("cu-split")));
        QVERIFY(failed.wait(5000));
        QVERIFY(failed.front().front().toString().contains(QStringLiteral("there is no such machine")));
        QVERIFY(bench.part<QLabel>("figureWhat")->text().contains(QStringLiteral("there is no such machine")));
    }

    void aFigureOfAViewIsMadeAgainWithItsEdits() {
        FigureViewBench bench;
        FigureSpec figure = tests::speedups(1);
        figure.from = {data::FigureSource::Kind::view, "timeline"};
        bench.take(figure);
        QVERIFY(bench.action("figure.make")->isEnabled());
        FigureSpec edited = bench.shown();
        QVERIFY(data::applyEdits(edited, {"series.T3-MCA.name=Ours"}).empty());
        const int id = bench.part<ui::FigureList>("figureList")->currentId();
        bench.view.collection().edit(id, edited, QStringLiteral("edit"));
        bench.action("figure.make")->trigger();
        QTRY_COMPARE(bench.shown().panels[0].categories.labels.size(), std::size_t{9});
        QCOMPARE(std::get<data::BarMark>(bench.shown().panels[0].marks[0]).bars[1].stack[0].name, std::string("Ours"));
        QCOMPARE(bench.shown().name, figure.name);
        QVERIFY(bench.shown().edits == edited.edits && bench.shown().from == figure.from);
        QVERIFY(bench.view.collection().find(id)->base->edits.empty());
        QVERIFY(bench.view.undoStack().undoText().contains(QStringLiteral("Again")));
        bench.view.undoStack().undo();
        QVERIFY(bench.shown().panels == edited.panels && bench.shown().edits == edited.edits);
    }

    void aFigureThatCannotBeMadeAgainSaysWhyAndStays() {
        FigureViewBench bench;
        FigureSpec figure = tests::speedups(1);
        bench.take(figure);
        QVERIFY(!bench.action("figure.make")->isEnabled());  // it does not say where its numbers come from
        figure.from = {data::FigureSource::Kind::view, "split"};
        bench.take(figure);
        QSignalSpy failed(&bench.view, &FigureView::failed);
        bench.action("figure.make")->trigger();
        QVERIFY(failed.wait(5000));
        QVERIFY(failed.front().front().toString().contains(QStringLiteral("the view shows nothing")));
        QVERIFY(bench.shown().panels == figure.panels);
    }

    void closingWhileAFigureIsMadeDoesNotWait() {
        using namespace std::chrono_literals;
        const auto least = tests::leastTime(1000ms, [] {
            auto bench = std::make_unique<FigureViewBench>(true);
            bench->view.open(QStringLiteral("sublayer-speedup"));
            return tests::timeOf([&] { bench.reset(); });
        });
        QVERIFY2(least < 1000ms, qPrintable(QString::number(least.count())));
    }

    void aFigureFromAViewIsInHandAtOnce() {
        FigureViewBench bench;
        QSignalSpy shown(&bench.view, &FigureView::figureShown);
        bench.take(tests::speedups());
        QCOMPARE(shown.count(), 1);
        QCOMPARE(bench.shown(), tests::speedups());
        QVERIFY(bench.part<QLabel>("figureMeasures")->text().startsWith(QStringLiteral("240 × ")));
    }

    void everyEditIsLaidOutAtOnceAndCanBeTakenBack() {
        FigureViewBench bench;
        bench.take(tests::speedups());
        const double before = bench.view.shown()->laidOut.list.page.width();
        bench.choose("figureSize", 1);
        QCOMPARE(bench.shown().size, data::FigureSize::acmText);
        QVERIFY(bench.view.shown()->laidOut.list.page.width() > before);
        bench.view.undoStack().undo();
        QCOMPARE(bench.shown(), tests::speedups());
        QCOMPARE(bench.part<QComboBox>("figureSize")->currentIndex(), 0);
        bench.view.undoStack().redo();
        QCOMPARE(bench.shown().size, data::FigureSize::acmText);
    }

    void anotherPrefixOfTheUnitConvertsTheFigureAsItIsTyped() {
        FigureViewBench bench;
        FigureSpec figure = tests::lines();
        figure.panels.front().x.unit = "TB/s";
        figure.panels.front().x.ticks.clear();
        figure.panels.front().x.to = 3;
        std::get<data::LineMark>(figure.panels.front().marks.front()).x = {0.3, 0.9, 1.8, 1.9, 2, 2.5};
        bench.take(figure);
        const int steps = bench.view.undoStack().count();
        auto* field = bench.part<QLineEdit>("figureXUnit");
        field->setFocus();
        field->setCursorPosition(1);
        QTest::keyClick(field, Qt::Key_Backspace);  // "B/s" on the way
        QTest::keyClicks(field, QStringLiteral("G"));
        QCOMPARE(bench.shown().panels.front().x.unit, std::string("GB/s"));
        QVERIFY(std::get<data::LineMark>(bench.shown().panels.front().marks.front()).x ==
                (std::vector<double>{300, 900, 1800, 1900, 2000, 2500}));
        QCOMPARE(bench.part<QLineEdit>("figureXTo")->text(), QStringLiteral("3000"));
        QVERIFY(bench.view.findChild<ui::FigureOptions*>()->problem().isEmpty());
        QCOMPARE(bench.view.undoStack().count(), steps + 1);
        bench.view.undoStack().undo();
        QCOMPARE(bench.shown(), figure);
        QCOMPARE(field->text(), QStringLiteral("TB/s"));
    }

    void aUnitOfAnotherQuantityIsRefusedWithThoseThatAreAllowed() {
        FigureViewBench bench;
        FigureSpec figure = tests::lines();
        figure.panels.front().x.unit = "TB/s";
        bench.take(figure);
        const auto problem = [&] { return bench.view.findChild<ui::FigureOptions*>()->problem(); };
        bench.type("figureXUnit", QStringLiteral("ms"));
        QCOMPARE(bench.shown(), figure);
        QVERIFY2(problem().contains(QStringLiteral("X axis: its values are in TB/s. “ms” is not a unit of the same "
                                                   "quantity; allowed: B/s, ")),
                 qPrintable(problem()));
        QVERIFY(problem().contains(QStringLiteral("GB/s")));
        QCOMPARE(bench.part<QLineEdit>("figureXUnit")->text(), QStringLiteral("ms"));
        bench.type("figureXUnit", QStringLiteral("TB/s"));
        QVERIFY(problem().isEmpty());
        QCOMPARE(bench.shown(), figure);
        bench.type("figureYUnit", QStringLiteral("ms"));  // µs
        QCOMPARE(bench.shown().panels.front().y.unit, std::string("ms"));
    }

    void aBurstOfTypingIsOneStep() {
        FigureViewBench bench;
        bench.take(tests::speedups());
        const int steps = bench.view.undoStack().count();
        bench.type("figureYTitle", QStringLiteral("Faster by"));
        QCOMPARE(bench.shown().panels.front().y.title, std::string("Faster by"));
        QCOMPARE(bench.view.undoStack().count(), steps + 1);
        bench.view.undoStack().undo();
        QCOMPARE(bench.shown(), tests::speedups());
    }

    void whatAFieldCannotHoldIsSaidAndChangesNothing() {
        FigureViewBench bench;
        bench.take(tests::speedups());
        const FigureSpec before = bench.shown();
        bench.type("figureYFrom", QStringLiteral("x"));
        QCOMPARE(bench.shown(), before);
        QVERIFY(bench.view.findChild<ui::FigureOptions*>()->problem().contains(QStringLiteral("not a number")));
        bench.type("figureYFrom", QStringLiteral("2"));
        bench.type("figureYTo", QStringLiteral("1"));  // an axis that runs backwards
        QVERIFY(bench.shown().panels.front().y.to != std::optional(1.0));
        QVERIFY(!bench.view.findChild<ui::FigureOptions*>()->problem().isEmpty());
    }

    void aFixMendsTheFigureAndItsFindingGoes() {
        FigureViewBench bench;
        bench.take(barsFromHalf());
        QVERIFY(finds(bench.view, ui::LintRule::barsNotFromZero));
        QPushButton* fix = fixFor(bench.view, ui::LintRule::barsNotFromZero);
        QVERIFY(fix != nullptr);
        QTest::mouseClick(fix, Qt::LeftButton);
        QVERIFY(!finds(bench.view, ui::LintRule::barsNotFromZero));
        QVERIFY(bench.shown() != barsFromHalf());
        bench.view.undoStack().undo();
        QVERIFY(finds(bench.view, ui::LintRule::barsNotFromZero));
    }

    void aFigureWithoutObjectionsIsReported() {
        FigureViewBench bench;
        FigureSpec figure = tests::speedups();
        figure.alternative = "Bars.";
        bench.take(figure);
        if (bench.view.findChild<ui::LintPanel*>()->findings().empty())
            QVERIFY(bench.view.findChild<ui::LintPanel*>()->headline().startsWith(QStringLiteral("No objections")));
    }

    void aPictureIsDrawnAgainForAnotherSizeAndTheme() {
        FigureViewBench bench;
        ui::FigureOffer offer;
        offer.figure = tests::speedups();
        offer.figure.panels.front().marks = {data::DrawingMark{240, 100, {}}};
        offer.figure.panels.front().categories = {};
        offer.figure.panels.front().references.clear();
        std::vector<data::FigureSize> asked;
        offer.redraw = [&](data::FigureSize size, data::FigureTheme) {
            asked.push_back(size);
            return data::DrawingMark{504, 200, {}};
        };
        bench.view.take(offer);
        bench.choose("figureSize", 1);
        QCOMPARE(asked, std::vector{data::FigureSize::acmText});
        QCOMPARE(std::get<data::DrawingMark>(bench.shown().panels.front().marks.front()).width, 504.0);
        bench.choose("figureLegend", 2);
        QCOMPARE(asked.size(), std::size_t{1});
    }

    void trueSizeIsTrueAndTwiceIsTwice() {
        const QSizeF page(240, 120);
        const auto at = [&](FigureZoom zoom) { return ui::previewPlaces(page, 20, false, zoom, 96, {900, 600}); };
        QCOMPARE(at(FigureZoom::trueSize).figure.width(), 320.0);  // 240/72 in at 96 dots each
        QCOMPARE(at(FigureZoom::twice).figure.width(), 640.0);
        QVERIFY(at(FigureZoom::fit).sheet.width() <= 900 && at(FigureZoom::fit).sheet.height() <= 600);
        QVERIFY(at(FigureZoom::trueSize).sheet.contains(at(FigureZoom::trueSize).caption));
        const auto slide = ui::previewPlaces({960, 540}, 0, true, FigureZoom::fit, 96, {900, 600});
        QCOMPARE(slide.sheet, slide.figure);
    }

    void exportsWriteWhatWasTicked() {
        QTemporaryDir folder;
        FigureViewBench bench;
        bench.take(tests::speedups());
        bench.view.findChild<ui::FigureFormats*>()->choose({FigureFormat::pdf, FigureFormat::svg, FigureFormat::spec});
        QSignalSpy said(&bench.view, &FigureView::said);
        bench.view.exportTo(folder.path());
        QCOMPARE(said.count(), 1);
        const QDir own(folder.filePath(QString::fromStdString(tests::speedups().name)));
        QCOMPARE(own.entryList(QDir::Files).size(), 3);
        QCOMPARE(own.entryList({QStringLiteral("*.pdf")}).size(), 1);
        QVERIFY(ui::openFigure(own.filePath(own.entryList({QStringLiteral("*.pdf")}).front())).figure);
    }

    void severalFiguresAreExportedInOneGoUnderNamesOfTheirOwn() {
        QTemporaryDir folder;
        FigureViewBench bench;
        bench.take(tests::speedups());
        bench.take(tests::speedups());
        bench.view.findChild<ui::FigureFormats*>()->choose({FigureFormat::pdf});
        auto* list = bench.view.findChild<ui::FigureList*>();
        list->selectAll();
        bench.view.exportTo(folder.path());
        QCOMPARE(QDir(folder.path()).entryList({QStringLiteral("*.pdf")}).size(), 2);
        bench.view.findChild<ui::FigureFormats*>()->setZipped(true);
        bench.view.exportTo(folder.path());
        QCOMPARE(QDir(folder.path()).entryList({QStringLiteral("*.zip")}).size(), 2);
    }

    void anExportThatCannotBeWrittenSaysWhyAndNothingIsLost() {
        FigureViewBench bench;
        bench.take(tests::speedups());
        QSignalSpy failed(&bench.view, &FigureView::failed);
        bench.view.exportTo(QStringLiteral("/proc/no/such/folder"));
        QCOMPARE(failed.count(), 1);
        QVERIFY(bench.view.shown());
        bench.view.findChild<ui::FigureFormats*>()->choose({});
        bench.view.exportTo(QDir::tempPath());
        QCOMPARE(failed.count(), 2);
    }

    void theClipboardHasVectorsAndAnImage() {
        FigureViewBench bench;
        bench.take(tests::speedups());
        const auto mime = ui::mimeOf(*bench.view.shown());
        QVERIFY(mime->data(QStringLiteral("image/svg+xml")).contains("<svg"));
        QVERIFY(mime->data(QStringLiteral("application/pdf")).startsWith("%PDF"));
        QVERIFY(mime->hasImage());
    }

    void latexHasTheExactWidthAndNothingThatTexWouldStumbleOver() {
        FigureSpec figure = tests::speedups();
        figure.name = "speed-up";
        figure.caption = "50 % of A_1 & B";
        figure.alternative = "Bars #1.";
        const QString latex = ui::latexOf(figure, 240);
        QVERIFY(latex.contains(QStringLiteral("\\includegraphics[width=240bp,alt={Bars \\#1.}]{speed-up.pdf}")));
        QVERIFY(latex.contains(QStringLiteral("\\caption{50 \\% of A\\_1 \\& B}")));
        QVERIFY(latex.contains(QStringLiteral("\\Description{Bars \\#1.}")));
        QVERIFY(latex.startsWith(QStringLiteral("\\begin{figure}\n")));
        QVERIFY(latex.endsWith(QStringLiteral("\\end{figure}\n")));
    }

    void latexOfAFullWidthStandsAcrossBothColumns() {
        FigureSpec figure = tests::speedups();
        for (const data::FigureSizePreset& preset : data::figureSizes()) {
            figure.size = preset.size;
            const bool across = preset.name.ends_with("-text");
            const QString latex = ui::latexOf(figure, preset.width);
            QCOMPARE(latex.contains(QStringLiteral("\\begin{figure*}")), across);
            QCOMPARE(latex.contains(QStringLiteral("\\end{figure*}")), across);
        }
        QVERIFY(ui::latexOf(figure, 960).contains(QStringLiteral("[width=\\linewidth")));  // the slide, last
    }

    void latexOfEverySizeHasAnAlternativeTextAndThatOfAcmACommandAsWell() {
        FigureSpec figure = tests::speedups();
        figure.alternative = "Bars 50 %.\nLines.";
        for (const data::FigureSizePreset& preset : data::figureSizes()) {
            figure.size = preset.size;
            const bool acm = preset.name.starts_with("acm-");
            const QString latex = ui::latexOf(figure, preset.width);
            QCOMPARE(latex.contains(QStringLiteral("\\Description{")), acm);
            QVERIFY(latex.contains(QStringLiteral(",alt={Bars 50 \\%. Lines.}]")));
        }
    }

    void whatIsRemovedComesBackByUndo() {
        FigureViewBench bench;
        bench.take(tests::speedups());
        const std::size_t count = bench.view.collection().figures().size();
        bench.action("figure.remove")->trigger();
        QCOMPARE(bench.view.collection().figures().size(), count - 1);
        bench.view.undoStack().undo();
        QCOMPARE(bench.view.collection().figures().size(), count);
    }

    void theNextStartFindsFiguresFormatsAndZoomAgain() {
        FigureViewBench first;
        first.take(barsFromHalf());
        first.view.findChild<ui::FigureFormats*>()->choose({FigureFormat::svg});
        first.view.preview().setZoom(FigureZoom::twice);
        const QJsonValue kept = first.view.save();
        FigureViewBench second;
        QVERIFY(second.view.restore(kept));
        QCOMPARE(second.view.preview().zoom(), FigureZoom::twice);
        QCOMPARE(second.view.findChild<ui::FigureFormats*>()->chosen(), std::vector{FigureFormat::svg});
        QCOMPARE(*second.view.collection().figures().back().spec, barsFromHalf());
        QVERIFY(!second.view.restore(QJsonValue(QStringLiteral("nonsense"))));
    }

    void everyFieldAndButtonHasANameForScreenReaders() {
        FigureViewBench bench;
        bench.take(tests::speedups());
        for (const QWidget* field : bench.view.findChildren<QWidget*>()) {
            const bool named = !field->accessibleName().isEmpty();
            const bool inner = field->objectName().startsWith(QStringLiteral("qt_"));
            if (!inner && (qobject_cast<const QLineEdit*>(field) || qobject_cast<const QComboBox*>(field) ||
                           qobject_cast<const QPlainTextEdit*>(field)))
                QVERIFY2(named, qPrintable(field->objectName()));
        }
        for (const auto& [command, action] : bench.view.commands().all())
            QVERIFY2(!command.hint.isEmpty(), qPrintable(command.id));
    }
};

RINGSIDE_WINDOW_TEST(TestFigureView)
#include "tst_figure_view.moc"
