#include "tests/small_model.h"
#include "tests/ui/window_test.h"

#include "data/figure/figure_document.h"
#include "data/figure/operator_figures.h"
#include "ui/drawing/figure_canvas.h"
#include "ui/drawing/figure_style.h"
#include "ui/look/palette.h"
#include "ui/model/model_view.h"
#include "ui/model/operators_page.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QImage>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>

#include <cmath>
#include <numbers>
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

struct RooflineMark {
    std::size_t row = 0;
    QPointF centre;
    double radius = 0;  ///< of a circle of the same area
};

double radiusOf(const QPolygonF& shape) {
    double twice = 0;
    for (qsizetype i = 0; i < shape.size(); ++i) {
        const QPointF& from = shape[i];
        const QPointF& to = shape[(i + 1) % shape.size()];
        twice += from.x() * to.y() - to.x() * from.y();
    }
    return std::sqrt(std::abs(twice) / 2 / std::numbers::pi);
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
    ui::FigureCanvas& chart() { return page().chart(); }
    const ui::OperatorFacts& facts() { return *page().facts(); }
    /// Returns the marks as they are painted: the longest operators first.
    std::vector<RooflineMark> marks() {
        std::vector<RooflineMark> marks;
        for (const ui::DisplayItem& item : chart().laidOut().list.items) {
            if (!item.value || item.part != ui::FigurePart::mark)
                continue;
            const std::size_t row = *chart().choiceOf({*item.panel, item.value->row, item.value->series});
            if (const auto* circle = std::get_if<ui::EllipseItem>(&item.shape))
                marks.push_back({row, circle->box.center(), circle->box.width() / 2});
            else if (const auto* shape = std::get_if<ui::PolygonItem>(&item.shape))
                marks.push_back({row, shape->points.boundingRect().center(), radiusOf(shape->points)});
        }
        return marks;
    }
    bool isMarked(std::size_t row) { return std::ranges::count(marks(), row, &RooflineMark::row) == 1; }
    const ui::PanelPlace& place() { return chart().laidOut().panels.front(); }
    double heightAt(double rate) {
        const ui::AxisPlace& axis = place().y;
        return place().plot.bottom() -
               place().plot.height() * std::log(rate / 1e12 / axis.from) / std::log(axis.to / axis.from);
    }
    double acrossAt(double intensity) {
        const ui::AxisPlace& axis = place().x;
        return place().plot.left() +
               place().plot.width() * std::log(intensity / axis.from) / std::log(axis.to / axis.from);
    }
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
            const bool marked = bench.isMarked(row);
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
        for (const RooflineMark& mark : bench.marks()) {
            const data::OperatorWork& work = bench.facts().points[mark.row].work;
            // A triangle's box reaches a little further up than down.
            QVERIFY(std::abs(mark.centre.y() - bench.heightAt(work.rate())) < mark.radius * 0.2);
            QVERIFY(std::abs(mark.centre.x() - bench.acrossAt(work.intensity())) < bench.place().plot.width() / 8);
            QVERIFY(bench.place().plot.contains(mark.centre));
        }
        QVERIFY(bench.place().x.logarithmic && bench.place().y.logarithmic);
        const engine::Roofline& roof = bench.facts().roof;
        std::vector<QPolygonF> lines;
        for (const ui::DisplayItem& item : bench.chart().laidOut().list.items) {
            const auto* line = std::get_if<ui::PolylineItem>(&item.shape);
            if (line && item.part == ui::FigurePart::mark && line->points.size() == 3)
                lines.push_back(line->points);
        }
        QCOMPARE(lines.size(), std::size_t{1});
        QVERIFY(std::abs(lines[0][1].x() - bench.acrossAt(roof.ridge())) < 1e-6);
        QVERIFY(std::abs(lines[0][1].y() - bench.heightAt(roof.flopsPerSecond)) < 1e-6);
        QCOMPARE(lines[0][1].y(), lines[0][2].y());
        QVERIFY(lines[0][0].y() > lines[0][1].y());
    }

    // An operator that memory limits takes bytes / bandwidth, rounded up to a picosecond. Its mark is on the slope.
    void anOperatorOfAFormulaStandsOnTheRoof() {
        OperatorsBench bench;
        const std::size_t row = rowOfClass(bench.facts(), OperatorClass::elementWise);
        QVERIFY(std::abs(bench.facts().points[row].shareOfRoof - 1) < 1e-3);
    }

    void theAreaOfAMarkIsItsTimeUnlessItWouldBeTooSmall() {
        OperatorsBench bench;
        const auto areaPerTime = [&](const RooflineMark& mark) {
            return mark.radius * mark.radius / static_cast<double>(bench.facts().points[mark.row].time.ps);
        };
        const std::vector<RooflineMark> marks = bench.marks();
        const double smallest = std::ranges::min_element(marks, {}, &RooflineMark::radius)->radius;
        const double usual = areaPerTime(bench.marks().front());
        int exact = 0;
        for (const RooflineMark& mark : bench.marks()) {
            if (mark.radius > smallest * (1 + 1e-9)) {
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

    void labelsCoverNeitherEachOtherNorMarksAndTheSlopeHasItsOwn() {
        OperatorsBench bench;
        std::vector<QRectF> boxes;
        double slope = 0;
        for (const ui::DisplayItem& item : bench.chart().laidOut().list.items) {
            const auto* text = std::get_if<ui::TextItem>(&item.shape);
            if (!text || item.part != ui::FigurePart::annotation)
                continue;
            QVERIFY2(QRectF(bench.chart().rect()).contains(text->box()), qPrintable(text->text));
            if (text->angle == 0)
                boxes.push_back(text->box());
            else
                slope = text->angle;
        }
        QVERIFY(boxes.size() > 4);
        QVERIFY(slope < -10 && slope > -80);
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j)
                QVERIFY(!boxes[i].intersects(boxes[j]));
            for (const RooflineMark& mark : bench.marks())
                QVERIFY(!boxes[i].contains(mark.centre));
        }
    }

    void theNamesOfTheChosenAndTheLongestOperatorsComeFirst() {
        OperatorsBench bench;
        const auto names = [&] {
            std::vector<std::string> texts;
            for (const data::FigureAnnotation& label : bench.chart().figure().panels.front().annotations)
                texts.push_back(label.text);
            texts.erase(texts.begin(), texts.begin() + 3);  // of the roof
            return texts;
        };
        const auto nameOf = [&](std::size_t row) { return ui::labelOf(bench.facts().at(row)).toStdString(); };
        const std::size_t longest = bench.marks().front().row, shortest = bench.marks().back().row;
        QCOMPARE(names().front(), nameOf(longest));
        QCOMPARE(names().back(), nameOf(shortest));
        bench.chart().choose(shortest);
        QCOMPARE(names()[0], nameOf(shortest));
        QCOMPARE(names()[1], nameOf(longest));
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
        const RooflineMark mark = bench.marks()[2];
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
        std::set<ui::Marker> shapes;
        for (const OperatorClass each : engine::kOperatorClasses)
            shapes.insert(ui::styleOf(data::meaningOf(each), ui::Theme::light).marker);
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
