#include "tests/ui/window_test.h"

#include "ui/drawing/figure_canvas.h"
#include "ui/model/model_parts.h"
#include "ui/model/model_view.h"
#include "ui/model/operator_canvas.h"

#include <QComboBox>
#include <QImage>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>

using engine::ModelPhase;
using engine::PolicyPreset;
using ui::ModelView;

namespace {

engine::Experiment smallModel() {
    engine::Experiment experiment;
    engine::applyDetailLevel(experiment, engine::DetailLevel::interactive);
    experiment.workload.hidden = 2048;
    experiment.workload.batch = 2;
    experiment.workload.layers = 4;
    return experiment;
}

/// Returns the times of a model. Tests with the same model share one run, because each would take long.
data::ModelRun timed(const engine::Experiment& experiment, const data::ModelRunOptions& options) {
    static std::map<ModelPhase, data::ModelRun> kept;
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    if (experiment.parallel.tp != 8 || experiment.workload.layers != 4)
        return data::modelRun(experiment, options);
    if (!kept.contains(options.phase))
        kept.emplace(options.phase, data::modelRun(experiment, options));
    return kept.at(options.phase);
}

struct ModelViewBench {
    explicit ModelViewBench(engine::Experiment experiment = smallModel()) : shown(&view, &ModelView::modelShown) {
        view.resize(1200, 760);
        view.setExperiment(experiment, {});
        view.show();
        if (shown.isEmpty())
            shown.wait();
    }
    std::uint32_t indexOf(const char* id) const {
        const auto& graph = view.shown()->graph;
        return static_cast<std::uint32_t>(graph.find(id) - graph.operators.data());
    }
    QPoint at(const char* id) { return view.graph().operatorLayout().boxes[indexOf(id)].center().toPoint(); }
    QString text(const char* label) const { return view.findChild<QLabel*>(QString::fromLatin1(label))->text(); }

    ModelView view{ui::ModelSessionConfig{.threads = 2, .run = timed}};
    QSignalSpy shown;
};

}  // namespace

class TestModelView : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingIsTimedUntilThePageIsShown() {
        ModelView view({.threads = 1, .run = timed});
        QSignalSpy started(&view.session(), &ui::ModelSession::runStarted);
        view.setExperiment(smallModel(), {});
        QTest::qWait(250);
        QCOMPARE(started.size(), 0);
        view.show();
        QCOMPARE(started.size(), 1);
    }

    void theHeadlineShowsPhasePolicyTotalAndSpeedUp() {
        ModelViewBench bench;
        QVERIFY(bench.view.shown());
        const QString headline = bench.text("modelHeadline");
        QVERIFY2(headline.startsWith(QStringLiteral("Training step of T-NLG on 8 GPUs under T3-MCA")),
                 qPrintable(headline));
        QVERIFY(headline.contains(QStringLiteral("as fast as sequential")));
        QVERIFY(headline.contains(QStringLiteral("communication")));
    }

    void everyBarIsAsLongAsItsPartsTogether() {
        ModelViewBench bench;
        auto* bars = bench.view.findChild<ui::FigureCanvas*>(QStringLiteral("modelBreakdown"));
        for (std::size_t row = 0; row < bench.view.shown()->policies.size(); ++row) {
            double sum = 0;
            QRectF all;
            for (std::size_t part = 0; part < ui::kModelParts.size(); ++part) {
                if (const auto box = bars->boxOf(0, row, part)) {
                    sum += box->width();
                    all = all.united(*box);
                }
            }
            QVERIFY(sum > 0);
            QVERIFY(std::abs(all.width() - sum) < 1e-6);
        }
    }

    void anotherPhaseHasAnotherGraphAndComingBackTimesNothing() {
        ModelViewBench bench;
        QSignalSpy started(&bench.view.session(), &ui::ModelSession::runStarted);
        const std::size_t operators = bench.view.shown()->graph.operators.size();
        bench.view.setPhase(ModelPhase::prompt);
        QVERIFY(bench.shown.wait());
        QVERIFY(bench.view.shown()->graph.operators.size() < operators);
        bench.view.setPhase(ModelPhase::training);
        QCOMPARE(bench.view.shown()->graph.operators.size(), operators);
        QCOMPARE(started.size(), 1);
    }

    void arrowsWalkAndEnterOpensASubLayerUnderTheChosenPolicy() {
        ModelViewBench bench;
        QSignalSpy opened(&bench.view, &ModelView::openRequested);
        bench.view.setPolicy(PolicyPreset::t3);
        bench.view.graph().select(bench.indexOf("forward/activation"));
        QTest::keyClick(&bench.view.graph(), Qt::Key_Right);
        QCOMPARE(bench.view.graph().selected(), std::optional(bench.indexOf("forward/fc-2")));
        QTest::keyClick(&bench.view.graph(), Qt::Key_Return);
        QCOMPARE(opened.size(), 1);
        QCOMPARE(opened.first()[0].value<engine::Experiment>().workload.sublayer, engine::SubLayer::fc2);
        QCOMPARE(opened.first()[1].value<PolicyPreset>(), PolicyPreset::t3);
    }

    void aDoubleClickOnACollectiveOpensTheSubLayerThatFeedsIt() {
        ModelViewBench bench;
        QSignalSpy opened(&bench.view, &ModelView::openRequested);
        const auto& graph = bench.view.shown()->graph;
        for (std::uint32_t i = 0; i < graph.operators.size(); ++i) {
            if (graph.operators[i].feeder == bench.indexOf("backward/fc-1"))
                QTest::mouseDClick(&bench.view.graph(), Qt::LeftButton, {},
                                   bench.view.graph().operatorLayout().boxes[i].center().toPoint());
        }
        QCOMPARE(opened.size(), 1);
        QCOMPARE(opened.first()[0].value<engine::Experiment>().workload.sublayer, engine::SubLayer::fc1);
    }

    void whatIsFoundAtABoxIsItsOperator() {
        ModelViewBench bench;
        ui::OperatorCanvas& graph = bench.view.graph();
        for (std::uint32_t i = 0; i < graph.operatorLayout().boxes.size(); ++i) {
            QTest::mouseClick(&graph, Qt::LeftButton, {}, graph.operatorLayout().boxes[i].center().toPoint());
            QCOMPARE(graph.selected(), std::optional(i));
        }
        QTest::mouseClick(&graph, Qt::LeftButton, {}, {1, 1});
        QVERIFY(!graph.selected());
    }

    void aFormulaShowsItsSourceInsteadOfOpening() {
        ModelViewBench bench;
        QSignalSpy opened(&bench.view, &ModelView::openRequested);
        QSignalSpy reason(&bench.view, &ModelView::notOpened);
        QTest::mouseClick(&bench.view.graph(), Qt::LeftButton, {}, bench.at("forward/attention"));
        QVERIFY(bench.text("modelDetails").contains(QStringLiteral("Formula")));
        QVERIFY(bench.text("modelDetails").contains(QStringLiteral("Source")));
        QVERIFY(!bench.view.findChild<QPushButton*>(QStringLiteral("modelOpen"))->isVisible());
        QTest::keyClick(&bench.view.graph(), Qt::Key_Return);
        QCOMPARE(opened.size(), 0);
        QCOMPARE(reason.size(), 1);
    }

    void aDegreeThatDoesNotDivideTheModelIsNamedWithTheSubLayer() {
        engine::Experiment experiment = smallModel();
        experiment.parallel.tp = 7;
        ModelViewBench bench(experiment);
        QVERIFY(!bench.view.shown());
        const QString words = bench.text("modelWords");
        QVERIFY2(words.contains(QStringLiteral("parallel.tp")), qPrintable(words));
        QVERIFY2(words.contains(QStringLiteral("fc-2")) || words.contains(QStringLiteral("op")), qPrintable(words));
    }

    void whatConcernsOneSubLayerAloneAsksForNothing() {
        ModelViewBench bench;
        QSignalSpy started(&bench.view.session(), &ui::ModelSession::runStarted);
        engine::Experiment experiment = smallModel();
        experiment.workload.sublayer = engine::SubLayer::op;
        engine::applyPolicyPreset(experiment, PolicyPreset::sequential);
        bench.view.setExperiment(experiment, {});
        QTest::qWait(250);
        QCOMPARE(started.size(), 0);
        experiment.workload.layers = 8;
        bench.view.setExperiment(experiment, {});
        QVERIFY(started.wait());
    }

    void textThatCannotBeReadIsSaidInsteadOfAnotherModel() {
        ModelViewBench bench;
        bench.view.setExperiment(smallModel(), QStringLiteral("workload.layers: many: not a number"));
        QVERIFY(bench.shown.wait());
        QVERIFY(bench.text("modelWords").contains(QStringLiteral("not a number")));
    }

    void theChosenPolicyIsDrawnAndHeard() {
        ModelViewBench bench;
        const QImage before = bench.view.graph().grab().toImage();
        auto* bars = bench.view.findChild<ui::FigureCanvas*>(QStringLiteral("modelBreakdown"));
        QTest::keyClick(bars, Qt::Key_Up);
        QTest::keyClick(bars, Qt::Key_Up);
        QCOMPARE(bench.view.policy(), PolicyPreset::sequential);
        QVERIFY(bench.view.graph().grab().toImage() != before);
        QVERIFY(bench.view.graph().accessibleDescription().contains(QStringLiteral("Sequential")));
        bench.view.findChild<QComboBox*>(QStringLiteral("modelColour"))->setCurrentIndex(1);
        QVERIFY(!bench.view.graph().grab().isNull());
    }

    void phaseAndPolicyAreFoundAgain() {
        ModelViewBench bench;
        bench.view.setPhase(ModelPhase::prompt);
        bench.view.setPolicy(PolicyPreset::t3);
        const QJsonValue kept = bench.view.save();
        ModelView other({.threads = 1, .run = timed});
        QVERIFY(other.restore(kept));
        QCOMPARE(other.phase(), ModelPhase::prompt);
        QCOMPARE(other.policy(), PolicyPreset::t3);
        QVERIFY(!other.restore(QJsonValue(QStringLiteral("nonsense"))));
        QCOMPARE(other.phase(), ModelPhase::prompt);
    }

    void itCanBeDrawnInAnySize() {
        ModelViewBench bench;
        for (const QSize size : {QSize(700, 520), QSize(2200, 1200)}) {
            bench.view.resize(size);
            QVERIFY(!bench.view.grab().isNull());
        }
    }

    void closingWhileTheModelIsTimedEndsAtOnce() {
        auto view = std::make_unique<ModelView>(ui::ModelSessionConfig{.threads = 1});
        view->setExperiment(smallModel(), {});
        view->show();
        view.reset();
        QVERIFY(!view);
    }
};

RINGSIDE_WINDOW_TEST(TestModelView)
#include "tst_model_view.moc"
