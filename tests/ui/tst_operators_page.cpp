#include "tests/small_model.h"
#include "tests/ui/window_test.h"

#include "data/figure/figure_document.h"
#include "ui/drawing/figure_canvas.h"
#include "ui/look/palette.h"
#include "ui/model/model_view.h"
#include "ui/model/operators_page.h"
#include "ui/model/roofline_chart.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QImage>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>

#include <set>

using engine::ModelPhase;
using engine::OperatorClass;
using engine::PolicyPreset;
using ui::ModelView;

namespace {

engine::Experiment modelOfAllClasses() { return tests::smallModel(engine::AttentionOperators::separate); }

/// Returns the number of model runs. A bench resets it to zero.
int& timedRuns() {
    static int runs = 0;
    return runs;
}

data::ModelRun countedRun(const engine::Experiment& experiment, const data::ModelRunOptions& options) {
    static std::map<std::pair<ModelPhase, std::int64_t>, data::ModelRun> kept;
    ++timedRuns();
    const std::pair key(options.phase, experiment.parallel.tp);
    if (!kept.contains(key))
        kept.emplace(key, data::modelRun(experiment, options));
    return kept.at(key);
}

struct OperatorsBench {
    explicit OperatorsBench(const engine::Experiment& experiment = modelOfAllClasses(), const QString& problem = {}) {
        timedRuns() = 0;
        view.resize(1200, 800);
        view.showPage(QStringLiteral("operators"));
        view.setExperiment(experiment, problem);
        view.show();
        if (answered.isEmpty())
            answered.wait();
        QApplication::processEvents();  // lays out widgets that have just become visible
    }
    ui::OperatorsPage& page() { return view.operators(); }
    ui::RooflineChart& chart() { return page().chart(); }
    const ui::OperatorFacts& facts() { return *page().facts(); }
    const std::vector<ui::RooflineMark>& marks() { return chart().rooflineLayout().marks(); }
    QString text(const char* label) { return page().findChild<QLabel*>(QString::fromLatin1(label))->text(); }
    void press(Qt::Key key) { QTest::keyClick(&chart(), key); }

    ModelView view{ui::ModelSessionConfig{.threads = 2, .run = countedRun}};
    QSignalSpy answered{&view, &ModelView::modelShown};
};

std::size_t rowOfClass(const ui::OperatorFacts& facts, OperatorClass wanted) {
    std::size_t row = 0;
    while (facts.at(row).operatorClass != wanted)
        ++row;
    return row;
}

}  // namespace

class TestOperatorsPage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theTableHasARowForEachOperatorLongestFirst() {
        OperatorsBench bench;
        const auto& rows = bench.page().table().rows();
        QCOMPARE(rows.size(), bench.view.shown()->graph.operators.size());
        std::set<QString> ids;
        for (std::size_t row = 0; row < rows.size(); ++row) {
            ids.insert(rows[row].cells[0]);
            QCOMPARE(rows[row].cells[0].toStdString(), bench.facts().at(row).id);
            QVERIFY(row == 0 || bench.facts().points[row].time <= bench.facts().points[row - 1].time);
        }
        QCOMPARE(ids.size(), rows.size());
    }

    void theClassesAddUpToTheTotalUnderEveryPolicyAndInEveryPhase() {
        OperatorsBench bench;
        for (const ModelPhase phase : {ModelPhase::training, ModelPhase::prompt, ModelPhase::generation}) {
            bench.view.setPhase(phase);
            if (bench.view.shown()->graph.phase != phase)
                QVERIFY(bench.answered.wait());
            for (const PolicyPreset policy : ui::ModelTimes::policies()) {
                bench.view.setPolicy(policy);
                engine::Duration sum;
                for (const data::ClassTime& time : bench.facts().classes)
                    sum = sum + time.work.time;
                QCOMPARE(bench.facts().times().policy, policy);
                QCOMPARE(sum, bench.facts().times().time.total());
            }
        }
    }

    void aBarIsAsLongAsTheShareOfItsClass() {
        OperatorsBench bench;
        const auto& classes = bench.facts().classes;
        QCOMPARE(classes.size(), std::size_t{6});
        const auto widthOf = [&](std::size_t i) { return bench.page().bars().boxOf(0, i, i)->width(); };
        const double perShare = widthOf(0) / classes[0].share;
        for (std::size_t i = 1; i < classes.size(); ++i)
            QVERIFY(std::abs(widthOf(i) - perShare * classes[i].share) < 1e-6);
    }

    void everyOperatorWithFlopsHasAMarkAndNoCollectiveDoes() {
        OperatorsBench bench;
        std::size_t withFlops = 0, collectives = 0;
        for (std::size_t row = 0; row < bench.facts().points.size(); ++row) {
            const bool collective = bench.facts().at(row).operatorClass == OperatorClass::collective;
            const bool marked = bench.chart().rooflineLayout().markOf(row) != nullptr;
            QCOMPARE(marked, !collective && bench.facts().at(row).flops > 0);
            withFlops += marked ? 1 : 0;
            collectives += collective ? 1 : 0;
        }
        QCOMPARE(bench.marks().size(), withFlops);
        QVERIFY(withFlops > 10);
        QVERIFY(collectives > 0);
    }

    void oneGpuHasNoCollectives() {
        engine::Experiment alone = modelOfAllClasses();
        alone.parallel.tp = 1;
        OperatorsBench bench(alone);
        QCOMPARE(bench.facts().classes.size(), std::size_t{5});
        QVERIFY(std::ranges::find(bench.facts().classes, OperatorClass::collective, &data::ClassTime::operatorClass) ==
                bench.facts().classes.end());
        QVERIFY(bench.text("operatorsHeadline").contains(QStringLiteral("on 1 GPU under")));
    }

    // Marks that would hide each other are moved sideways, so only their heights are exact.
    void aMarkStandsAtTheLogarithmOfItsRateAndNeverOverTheRoofByTime() {
        OperatorsBench bench;
        const ui::RooflineLayout& layout = bench.chart().rooflineLayout();
        for (const ui::RooflineMark& mark : bench.marks()) {
            const data::OperatorWork& work = bench.facts().points[mark.row].work;
            const QPointF exact = layout.at(work.intensity(), work.rate());
            QCOMPARE(mark.centre.y(), exact.y());
            QVERIFY(std::abs(mark.centre.x() - exact.x()) < layout.plot().width() / 8);
            QVERIFY(layout.plot().contains(mark.centre));
        }
        const double decade = layout.at(10, 1e12).x() - layout.at(1, 1e12).x();
        QVERIFY(std::abs(layout.at(100, 1e12).x() - layout.at(10, 1e12).x() - decade) < 1e-9);
        const QPolygonF roof = layout.roof();
        QCOMPARE(roof[1].y(), roof[2].y());
        QVERIFY(roof[0].y() > roof[1].y());
    }

    // An operator that memory limits takes bytes / bandwidth, rounded up to a picosecond. Its mark is on the slope.
    void anOperatorOfAFormulaStandsOnTheRoof() {
        OperatorsBench bench;
        const std::size_t row = rowOfClass(bench.facts(), OperatorClass::elementWise);
        QVERIFY(std::abs(bench.facts().points[row].shareOfRoof - 1) < 1e-3);
    }

    void theAreaOfAMarkIsItsTimeUnlessItWouldBeTooSmall() {
        OperatorsBench bench;
        const auto areaPerTime = [&](const ui::RooflineMark& mark) {
            return mark.radius * mark.radius / static_cast<double>(bench.facts().points[mark.row].time.ps);
        };
        const double smallest = std::ranges::min_element(bench.marks(), {}, &ui::RooflineMark::radius)->radius;
        const double usual = areaPerTime(bench.marks().front());
        int exact = 0;
        for (const ui::RooflineMark& mark : bench.marks()) {
            if (mark.radius > smallest) {
                QVERIFY(std::abs(areaPerTime(mark) / usual - 1) < 1e-9);
                ++exact;
            } else {
                QVERIFY(areaPerTime(mark) >= usual * (1 - 1e-9));
            }
        }
        QVERIFY(exact > 3);
    }

    void noTwoMarksHideEachOther() {
        OperatorsBench bench;
        const double line = QFontMetricsF(bench.chart().font()).height();
        const auto& marks = bench.marks();
        for (std::size_t i = 0; i < marks.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                const QPointF away = marks[i].centre - marks[j].centre;
                QVERIFY(std::hypot(away.x(), away.y()) > line * 0.15 ||
                        std::abs(marks[i].radius - marks[j].radius) > line * 0.15);
            }
        }
    }

    void labelsCoverNeitherEachOtherNorWhatIsTaken() {
        OperatorsBench bench;
        const ui::RooflineLayout& layout = bench.chart().rooflineLayout();
        const QRectF taken(layout.plot().topLeft(), layout.plot().size() / 3);
        const auto labels = layout.labels(bench.facts(), std::nullopt, bench.chart().font(), {taken});
        QVERIFY(labels.size() > 4);
        for (std::size_t i = 0; i < labels.size(); ++i) {
            QVERIFY(layout.plot().contains(labels[i].box));
            QVERIFY(!labels[i].box.intersects(taken));
            for (std::size_t j = 0; j < i; ++j)
                QVERIFY(!labels[i].box.intersects(labels[j].box));
        }
    }

    void theArrowsGoThroughTheMarksByTime() {
        OperatorsBench bench;
        bench.chart().setFocus();
        bench.press(Qt::Key_Right);
        QCOMPARE(bench.chart().chosen(), std::optional(bench.marks().front().row));
        bench.press(Qt::Key_Down);
        QCOMPARE(bench.chart().chosen(), std::optional(bench.marks()[1].row));
        bench.press(Qt::Key_Left);
        bench.press(Qt::Key_Up);  // no operator is before the longest
        QCOMPARE(bench.chart().chosen(), std::optional(bench.marks().front().row));
        bench.press(Qt::Key_End);
        QCOMPARE(bench.chart().chosen(), std::optional(bench.marks().back().row));
        bench.press(Qt::Key_Right);
        QCOMPARE(bench.chart().chosen(), std::optional(bench.marks().back().row));
        bench.press(Qt::Key_Home);
        QCOMPARE(bench.chart().chosen(), std::optional(bench.marks().front().row));
        QVERIFY(bench.view.stepOut());
        QVERIFY(!bench.chart().chosen());
        QVERIFY(!bench.view.stepOut());
    }

    void fromACollectiveTheArrowsGoOnAtItsPlaceInTheOrder() {
        OperatorsBench bench;
        const std::size_t collective = rowOfClass(bench.facts(), OperatorClass::collective);
        bench.page().table().choose(collective);
        QCOMPARE(bench.chart().chosen(), std::optional(collective));
        bench.press(Qt::Key_Right);
        QVERIFY(*bench.chart().chosen() > collective);
        bench.page().table().choose(collective);
        bench.press(Qt::Key_Left);
        QVERIFY(*bench.chart().chosen() < collective);
    }

    void whatIsChosenInOnePlaceIsShownEverywhere() {
        OperatorsBench bench;
        const ui::RooflineMark& mark = bench.marks()[2];
        QTest::mouseClick(&bench.chart(), Qt::LeftButton, {}, mark.centre.toPoint());
        const std::size_t row = *bench.chart().chosen();
        QCOMPARE(bench.page().table().chosen(), std::optional(row));
        const QString reported = bench.text("operatorsDetails");
        const engine::Operator& op = bench.facts().at(row);
        for (const QString& part :
             {QString::fromStdString(op.title), QString::fromStdString(op.id), ui::titleOf(op.operatorClass),
              QStringLiteral("of the roof"), QStringLiteral("FLOP/s"), QStringLiteral("DRAM traffic")})
            QVERIFY2(reported.contains(part), qPrintable(part));
        QVERIFY(bench.chart().accessibleDescription().startsWith(QString::fromStdString(op.title)));
        QTest::mouseClick(&bench.chart(), Qt::LeftButton, {}, {2, 2});
        QVERIFY(!bench.page().table().chosen());
    }

    void theChosenOperatorStaysChosenUnderAnotherPolicy() {
        OperatorsBench bench;
        const std::string id = bench.facts().at(bench.marks()[3].row).id;
        bench.chart().choose(bench.marks()[3].row);
        bench.view.setPolicy(PolicyPreset::sequential);
        QCOMPARE(bench.facts().at(*bench.chart().chosen()).id, id);
        QCOMPARE(bench.page().table().chosen(), bench.chart().chosen());
    }

    void graphAndOperatorsShareOneRunAndOnePolicy() {
        OperatorsBench bench;
        QCOMPARE(timedRuns(), 1);
        bench.page().findChild<QComboBox*>(QStringLiteral("operatorsPolicy"))->setCurrentIndex(0);
        bench.view.showPage(QStringLiteral("graph"));
        QCOMPARE(timedRuns(), 1);
        QCOMPARE(bench.view.policy(), PolicyPreset::sequential);
        QCOMPARE(bench.view.findChild<QComboBox*>(QStringLiteral("modelPolicy"))->currentIndex(), 0);
        bench.view.setPhase(ModelPhase::prompt);
        QVERIFY(bench.answered.wait());
        bench.view.showPage(QStringLiteral("operators"));
        QCOMPARE(timedRuns(), 2);
        QVERIFY(bench.text("operatorsHeadline")
                    .startsWith(QStringLiteral("Prompt (prefill) of small on 4 GPUs under Sequential")));
        QCOMPARE(bench.facts().run, bench.view.shown());
    }

    void nothingIsTimedUntilThePageIsShown() {
        timedRuns() = 0;
        ModelView view({.threads = 1, .run = countedRun});
        view.showPage(QStringLiteral("operators"));
        view.setExperiment(modelOfAllClasses(), {});
        QTest::qWait(250);
        QCOMPARE(timedRuns(), 0);
        QVERIFY(!view.figure());
    }

    void problemsStandInPlaceOfThePicture() {
        engine::Experiment uneven = modelOfAllClasses();
        uneven.parallel.tp = 3;
        OperatorsBench refused(uneven);
        QVERIFY2(refused.text("operatorsWords").contains(QStringLiteral("parallel.tp")),
                 qPrintable(refused.text("operatorsWords")));
        QVERIFY(!refused.chart().isVisible());
        QVERIFY(!refused.view.figure());
        OperatorsBench unread(modelOfAllClasses(), QStringLiteral("workload.hidden: many: not a number"));
        QVERIFY(unread.text("operatorsWords").contains(QStringLiteral("not a number")));
    }

    void whileItIsTimedProgressAndCancelAreShownAndCancellingSaysHowToGoOn() {
        ModelView view({.threads = 1, .run = [](const engine::Experiment&, const data::ModelRunOptions& options) {
                            while (!options.stop.stop_requested())
                                QThread::msleep(1);
                            throw engine::RunStopped();
                            return data::ModelRun();
                        }});
        view.showPage(QStringLiteral("operators"));
        view.setExperiment(modelOfAllClasses(), {});
        view.show();
        auto* cancel = view.operators().findChild<QPushButton*>(QStringLiteral("operatorsCancel"));
        auto* words = view.operators().findChild<QLabel*>(QStringLiteral("operatorsHeadline"));
        QVERIFY(cancel->isVisible());
        QVERIFY(words->text().startsWith(QStringLiteral("Timing")));
        QTest::mouseClick(cancel, Qt::LeftButton);
        QCOMPARE(words->text(), QStringLiteral("Cancelled"));
        QVERIFY(!cancel->isVisible());
    }

    void theTableIsCopiedWithItsTitles() {
        OperatorsBench bench;
        QTest::mouseClick(bench.page().findChild<QPushButton*>(QStringLiteral("operatorsCopy")), Qt::LeftButton);
        const QStringList lines = QGuiApplication::clipboard()->text().trimmed().split(QLatin1Char('\n'));
        QCOMPARE(static_cast<std::size_t>(lines.size()), bench.facts().points.size() + 1);
        QVERIFY(lines[0].startsWith(QStringLiteral("operator\tclass\teach")));
        for (const QString& line : lines)
            QCOMPARE(line.count(QLatin1Char('\t')), lines[0].count(QLatin1Char('\t')));
    }

    void itOffersItsPictureAsAFigure() {
        OperatorsBench bench;
        const auto offer = bench.view.figure();
        QVERIFY(offer);
        QVERIFY(data::problemsOf(offer->figure).empty());
        QCOMPARE(offer->figure.panels.size(), std::size_t{2});
        QVERIFY(data::readFigure(data::writeFigure(offer->figure), "offer").figure == offer->figure);
        QVERIFY(offer->figure.alternative.size() > 100);
    }

    void everyClassHasAShapeOfItsOwn() {
        std::set<ui::MarkOutline> shapes;
        for (const OperatorClass each : engine::kOperatorClasses)
            shapes.insert(ui::shapeOf(each));
        QCOMPARE(shapes.size(), engine::kOperatorClasses.size());
    }

    void itCanBeDrawnInAnySizeAndBothThemes() {
        OperatorsBench bench;
        for (const QSize size : {QSize(600, 420), QSize(1280, 620), QSize(3600, 1900)}) {
            bench.view.resize(size);
            for (const ui::Theme theme : {ui::Theme::light, ui::Theme::dark}) {
                bench.view.setPalette(ui::widgetPalette(theme));
                const QImage image = bench.view.grab().toImage();
                QVERIFY(!image.isNull());
            }
        }
    }
};

RINGSIDE_WINDOW_TEST(TestOperatorsPage)
#include "tst_operators_page.moc"
