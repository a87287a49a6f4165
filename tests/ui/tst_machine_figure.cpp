#include "tests/ui/machine_run.h"
#include "tests/ui/window_test.h"

#include "data/figure/figure_size.h"
#include "ui/chunks/chunk_view.h"
#include "ui/figure/figure_lint.h"
#include "ui/machine/machine_view.h"
#include "ui/shared/ring_moment.h"
#include "ui/shared/view_state.h"

#include <QSet>

using data::DrawingMark;
using data::DrawingShape;
using data::DrawingText;
using data::FigureSize;
using data::FigureTheme;
using ui::FigureOffer;

namespace {

struct MachineFigureBench {
    explicit MachineFigureBench(const std::string& experiment = "t-nlg/fc-2/tp8",
                                const std::string& policy = "t3-mca") {
        const auto run = tests::simulatedRun(experiment, policy);
        state.setRunEnd(run->run.result.last.time.total.ps);
        tests::show(moment, run);
        state.setCursor(state.runEnd() / 2);
    }
    ui::ViewState state;
    ui::RingMoment moment{state};
};

const DrawingMark& drawingOf(const FigureOffer& offer) {
    return std::get<DrawingMark>(offer.figure.panels.front().marks.front());
}

QStringList wordsOf(const DrawingMark& drawing) {
    QStringList words;
    for (const auto& item : drawing.items) {
        if (const auto* text = std::get_if<DrawingText>(&item))
            words << QString::fromStdString(text->text);
    }
    return words;
}

/// Returns the mean lightness of all filled shapes, weighted by area.
double meanLightness(const DrawingMark& drawing) {
    double area = 0;
    double light = 0;
    for (const auto& item : drawing.items) {
        const auto* shape = std::get_if<DrawingShape>(&item);
        if (shape == nullptr || !shape->fill)
            continue;
        QPolygonF points;
        for (const auto& [x, y] : shape->points)
            points << QPointF(x, y);
        const QRectF box = points.boundingRect();
        area += box.width() * box.height();
        light += box.width() * box.height() * QColor(*shape->fill).lightnessF();
    }
    return light / area;
}

}  // namespace

class TestMachineFigure : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void withoutARunThereIsNoFigure() {
        ui::ViewState state;
        ui::RingMoment moment(state);
        QVERIFY(!ui::figureOf<ui::MachineView>(state, moment));
        QVERIFY(!ui::figureOf<ui::ChunkView>(state, moment));
    }

    void theMachineIsDrawnAtThePresetsWidthWithinItsPage() {
        MachineFigureBench bench;
        for (const FigureOffer& offer : {*ui::figureOf<ui::MachineView>(bench.state, bench.moment),
                                         *ui::figureOf<ui::ChunkView>(bench.state, bench.moment)}) {
            const DrawingMark& drawing = drawingOf(offer);
            QVERIFY(std::abs(drawing.width - data::presetOf(offer.figure.size).width) < 1);
            QVERIFY(drawing.items.size() > 50);
            for (const auto& item : drawing.items) {
                const auto* shape = std::get_if<DrawingShape>(&item);
                for (const auto& [x, y] : shape != nullptr ? shape->points : std::vector<data::DrawingPoint>{})
                    QVERIFY(x >= -0.01 && y >= -0.01 && x <= drawing.width + 0.01 && y <= drawing.height + 0.01);
            }
        }
    }

    void atTheEndAllIsOneColourAndWithoutACursorItIsNot() {
        MachineFigureBench bench;
        const auto inOneColour = [&](const std::optional<FigureOffer>& offer) {
            const auto findings = ui::lint(offer->figure, ui::layOut(offer->figure));
            return std::any_of(findings.begin(), findings.end(),
                               [](const auto& finding) { return finding.rule == ui::LintRule::oneColour; });
        };
        bench.state.setCursor(bench.state.runEnd());
        QVERIFY(inOneColour(ui::figureOf<ui::MachineView>(bench.state, bench.moment)));
        bench.state.setCursor({});
        const auto machine = ui::figureOf<ui::MachineView>(bench.state, bench.moment);
        const auto chunks = ui::figureOf<ui::ChunkView>(bench.state, bench.moment);
        QVERIFY(!inOneColour(machine) && !inOneColour(chunks));
        QVERIFY2(machine->figure.caption.find("at the end") == std::string::npos, machine->figure.caption.c_str());
        QVERIFY(!bench.state.cursor());  // the cursor of the window
    }

    void everyGpuIsNamedInWords() {
        MachineFigureBench bench;
        const QStringList machine = wordsOf(drawingOf(*ui::figureOf<ui::MachineView>(bench.state, bench.moment)));
        const QStringList chunks = wordsOf(drawingOf(*ui::figureOf<ui::ChunkView>(bench.state, bench.moment)));
        for (int gpu = 0; gpu < 8; ++gpu) {
            QVERIFY(machine.contains(QStringLiteral("GPU %1").arg(gpu)));
            QVERIFY(chunks.contains(QStringLiteral("GPU %1").arg(gpu)));
        }
        QVERIFY(machine.contains(QStringLiteral("in flight")));
    }

    void wordsAreAsLargeAsThePresetSays() {
        MachineFigureBench bench;
        const DrawingMark drawing = drawingOf(*ui::figureOf<ui::MachineView>(bench.state, bench.moment));
        for (const auto& item : drawing.items) {
            if (const auto* text = std::get_if<DrawingText>(&item))
                QVERIFY2(text->size >= 6, text->text.c_str());
        }
    }

    void aFigureHasTheColoursOfPaperInADarkWindow() {
        MachineFigureBench bench;
        const auto light = drawingOf(*ui::figureOf<ui::MachineView>(bench.state, bench.moment));
        const auto chunks = drawingOf(*ui::figureOf<ui::ChunkView>(bench.state, bench.moment));
        QApplication::setPalette(ui::widgetPalette(ui::Theme::dark));
        const auto dark = drawingOf(*ui::figureOf<ui::MachineView>(bench.state, bench.moment));
        const auto darkChunks = drawingOf(*ui::figureOf<ui::ChunkView>(bench.state, bench.moment));
        QApplication::setPalette(ui::widgetPalette(ui::Theme::light));
        QCOMPARE(dark, light);
        QCOMPARE(darkChunks, chunks);
        QVERIFY(meanLightness(light) > 0.5);
    }

    void aSlideIsDrawnDarkAndGreyPrintHasNoHue() {
        MachineFigureBench bench;
        const FigureOffer offer = *ui::figureOf<ui::ChunkView>(bench.state, bench.moment);
        QVERIFY(meanLightness(offer.redraw(FigureSize::slide, FigureTheme::darkSlide)) <
                meanLightness(offer.redraw(FigureSize::slide, FigureTheme::paper)));
        const DrawingMark grey = offer.redraw(FigureSize::acmColumn, FigureTheme::greyPrint);
        for (const auto& item : grey.items) {
            const auto* shape = std::get_if<DrawingShape>(&item);
            if (shape != nullptr && shape->fill)
                QVERIFY(qRed(*shape->fill) == qGreen(*shape->fill) && qRed(*shape->fill) == qBlue(*shape->fill));
        }
    }

    void itKeepsItsMomentWhileTheWindowGoesOn() {
        MachineFigureBench bench;
        const FigureOffer offer = *ui::figureOf<ui::MachineView>(bench.state, bench.moment);
        bench.state.setCursor(bench.state.runEnd() / 5);
        bench.state.setFocusedGpu(3);
        QCOMPARE(offer.redraw(offer.figure.size, offer.figure.theme), drawingOf(offer));
    }

    void itSaysWhatMadeIt() {
        MachineFigureBench bench;
        const FigureOffer offer = *ui::figureOf<ui::MachineView>(bench.state, bench.moment);
        const data::FigureProvenance& made = offer.figure.provenance;
        QCOMPARE(made.experiments.size(), std::size_t{1});
        QCOMPARE(made.experiments.front().hash, bench.moment.run()->run.hash);
        const data::DraftReading reading = data::readDraft(made.experiments.front().document, "provenance");
        QVERIFY(reading.problems.empty());
        QCOMPARE(data::experimentHash(data::expand(reading.draft).experiment), made.experiments.front().hash);
        QVERIFY(made.moment.starts_with("at "));
        QVERIFY(QString::fromStdString(offer.figure.alternative).contains(QStringLiteral("GPU 7:")));
    }

    void sixteenGpusStayLightEnoughForAPaper() {
        MachineFigureBench bench("t-nlg/fc-2/tp16");
        QVERIFY(drawingOf(*ui::figureOf<ui::MachineView>(bench.state, bench.moment)).items.size() < 20'000);
        QVERIFY(drawingOf(*ui::figureOf<ui::ChunkView>(bench.state, bench.moment)).items.size() < 20'000);
    }
};

RINGSIDE_WINDOW_TEST(TestMachineFigure)
#include "tst_machine_figure.moc"
