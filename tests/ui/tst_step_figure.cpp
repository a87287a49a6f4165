#include "tests/small_model.h"
#include "tests/ui/window_test.h"

#include "data/figure/figure_document.h"
#include "data/figure/step_figures.h"
#include "ui/drawing/figure_style.h"
#include "ui/model/model_view.h"
#include "ui/model/step_canvas.h"
#include "ui/model/step_page.h"

#include <QComboBox>
#include <QImage>
#include <QSet>
#include <QSignalSpy>

#include <algorithm>
#include <memory>

using ui::ModelView;

namespace {

/// The page Step of a small model on four stages.
struct StepFigureBench {
    explicit StepFigureBench(ui::Theme theme = ui::Theme::light) {
        QApplication::setPalette(ui::widgetPalette(theme));
        engine::Experiment base = tests::smallModel();
        base.workload.model = "t-nlg";
        base.workload.layers = 8;
        base.division.pp = 4;
        base.division.microbatches = 8;
        view = std::make_unique<ModelView>(ui::ModelSessionConfig{.threads = 2});
        QSignalSpy shown(view.get(), &ModelView::modelShown);
        view->resize(1200, 760);
        view->showPage(QStringLiteral("step"));
        view->setExperiment(base, {});
        view->show();
        if (shown.isEmpty())
            shown.wait();
    }
    ~StepFigureBench() { QApplication::setPalette(ui::widgetPalette(ui::Theme::light)); }
    StepFigureBench(const StepFigureBench&) = delete;
    StepFigureBench& operator=(const StepFigureBench&) = delete;

    void choose(const QString& schedule) const {
        auto* chooser = view->findChild<QComboBox*>(QStringLiteral("stepSchedule"));
        chooser->setCurrentIndex(chooser->findText(schedule));
    }
    data::FigureSpec figure() const { return view->figure()->figure; }

    std::unique_ptr<ModelView> view;
};

}  // namespace

class TestStepFigure : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void thePageOffersNoFigureBeforeItShowsAStep() {
        const ModelView view({.threads = 1});
        QVERIFY(!const_cast<ModelView&>(view).step().figure());
    }

    void theFigureIsTheShownStepUnderTheShownPolicy() {
        StepFigureBench bench;
        bench.view->setPolicy(engine::PolicyPreset::t3);
        const data::FigureSpec figure = bench.figure();
        QVERIFY(data::problemsOf(figure).empty());
        QCOMPARE(figure.panels.size(), std::size_t{1});
        QCOMPARE(figure.name, std::string("t-nlg-step-1f1b"));
        QCOMPARE(figure.title, std::string("Step of T-NLG: 1F1B"));
        QVERIFY2(figure.caption.starts_with("Training step of T-NLG, TP 4, under T3. Timetable of one step of 4 stages "
                                            "and 8 micro-batches under 1F1B: "),
                 figure.caption.c_str());
        QCOMPARE(figure.provenance.experiments.size(), std::size_t{1});
        bench.choose(QStringLiteral("ZB-H1"));
        QCOMPARE(bench.figure().title, std::string("Step of T-NLG: ZB-H1"));
        QVERIFY(bench.figure().provenance.experiments.front().hash != figure.provenance.experiments.front().hash);
    }

    void allSchedulesBecomeAPanelEachWithTheirExperiments() {
        const StepFigureBench bench;
        bench.choose(QStringLiteral("all"));
        const data::FigureSpec figure = bench.figure();
        QVERIFY(data::problemsOf(figure).empty());
        const auto& shown = bench.view->step().canvas().steps();
        QVERIFY(shown.size() > 3);
        QCOMPARE(figure.panels.size(), shown.size());
        QCOMPARE(figure.name, std::string("t-nlg-step-schedules"));
        QCOMPARE(figure.provenance.experiments.size(), shown.size());
        QSet<QString> hashes;
        for (const data::FigureProvenance::Experiment& experiment : figure.provenance.experiments)
            hashes.insert(QString::fromStdString(experiment.hash));
        QCOMPARE(static_cast<std::size_t>(hashes.size()), shown.size());
    }

    // What a user has seen in the window looks the same in the figure.
    void theWindowPaintsPassesInTheColoursOfFigures() {
        for (const ui::Theme theme : {ui::Theme::light, ui::Theme::dark}) {
            const StepFigureBench bench(theme);
            bench.choose(QStringLiteral("all"));
            const QImage image = bench.view->step().canvas().grab().toImage().convertToFormat(QImage::Format_RGB32);
            QSet<QRgb> colours;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    colours.insert(image.pixel(x, y));
            for (const char* meaning :
                 {"forward-pass", "forward-pass/light", "backward-pass", "backward-pass/light", "weight-pass"})
                QVERIFY2(colours.contains(ui::styleOf(meaning, theme).fill.colour.rgb()), meaning);
        }
    }
};

RINGSIDE_WINDOW_TEST(TestStepFigure)
#include "tst_step_figure.moc"
