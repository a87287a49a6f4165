#include "tests/data/measured_samples.h"
#include "tests/ui/open_window.h"
#include "tests/ui/window_test.h"

#include "ui/compare/compare_feature.h"
#include "ui/compare/compare_view.h"
#include "ui/look/value_table.h"
#include "ui/measured/measured_feature.h"
#include "ui/measured/measured_figure.h"
#include "ui/measured/measured_picture.h"
#include "ui/measured/measured_view.h"
#include "ui/measured/measured_words.h"
#include "ui/measured/pair_card.h"
#include "ui/shared/run_controller.h"
#include "ui/workbench/documents.h"
#include "ui/workbench/window_views.h"
#include "ui/workbench/workbench.h"

#include "data/figure/figure_document.h"

#include <QFile>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QUrl>

using namespace ui;
using tests::KinetoText;
using tests::kPsOfUs;
using tests::kUs;

// Traces of a real machine in the window: what is shown, chosen and simulated.

namespace {

/// A GEMM of 4096x4096x1024 and the all-reduce of its output, on one of eight H100.
std::string pairTrace() {
    KinetoText trace;
    trace.device();
    trace.rank(0, 8);
    trace.op(
        "aten::mm", 11 * kUs, 10 * kUs, 30,
        {{"Input Dims", "[[4096, 1024], [1024, 4096]]"}, {"Input type", "[\"c10::BFloat16\", \"c10::BFloat16\"]"}});
    trace.launch(12 * kUs, 100, 30);
    trace.kernel(tests::kGemmName, 1000 * kUs, 100 * kUs, tests::gemmLaunch(100));
    trace.kernel(tests::kAllReduceName, 1110 * kUs, 300 * kUs,
                 tests::collective("allreduce", 16'777'216, 16'777'216, "BFloat16", 8, "[0, 1, 2, 3, 4, 5, 6, 7]"), 8);
    return trace.text();
}

QString put(const QTemporaryDir& folder, const QString& name, const std::string& content) {
    const QString path = folder.filePath(name);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(QByteArray::fromStdString(content)) < 0)
        qFatal("a test file cannot be written");
    return path;
}

SharedMeasured setOf(const std::string& content) {
    std::vector<data::MeasuredTrace> traces;
    traces.push_back(tests::traceOf(content));
    return measuredSetOf(std::make_shared<const std::vector<data::MeasuredTrace>>(std::move(traces)), {});
}

QString cell(const MeasuredTable& table, std::size_t row, const QString& title) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (table.columns[i].title == title)
            return table.rows.at(row).cells.at(static_cast<qsizetype>(i));
    }
    return {};
}

}  // namespace

class TestMeasuredView : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    /// Opens files in a view and waits until they are read.
    void open(MeasuredView& view, const QStringList& files) {
        QSignalSpy changed(&view, &MeasuredView::changed), failed(&view, &MeasuredView::failed);
        view.open(files);
        QVERIFY(QTest::qWaitFor([&] { return changed.count() + failed.count() > 0; }, 10'000));
    }

private Q_SLOTS:
    void theStripOfExampleAHasTheTimesOfItsReport() {
        const SharedMeasured set = setOf(tests::exampleA().text());
        std::map<StripPart, std::int64_t> sums;
        for (const StripPiece& piece : set->rows.front().strip)
            sums[piece.part] += piece.end - piece.start;
        QCOMPARE(sums[StripPart::overlapped], 30 * kPsOfUs);
        QCOMPARE(sums[StripPart::exposed], 20 * kPsOfUs);
        QCOMPARE(sums[StripPart::compute], 80 * kPsOfUs);
        QCOMPARE(sums[StripPart::memory], 15 * kPsOfUs);
        QCOMPARE(set->end, 150 * kPsOfUs);
        // Compute overlaps on its stream nowhere; one row for each of three streams, and the strip.
        QCOMPARE(set->rows.size(), std::size_t{4});
    }

    void tablesSayTheNumbersOfTheReport() {
        const SharedMeasured set = setOf(tests::exampleA().text());
        const MeasuredTable ranks = rankTable(*set);
        QCOMPARE(cell(ranks, 0, "Overlap"), formatPercent(0.6));
        QCOMPARE(cell(ranks, 0, "Exposed"), formatTime(20 * kPsOfUs));
        QCOMPARE(cell(ranks, 0, "Waiting"), QStringLiteral("unknown"));
        QVERIFY(measuredHeadline(*set).startsWith(QLatin1String("One rank: it cannot tell transfer from waiting")));
        QVERIFY(measuredHeadline(*set).contains(formatPercent(0.6)));
        const SharedMeasured gemms = setOf(tests::exampleC().text());
        const MeasuredTable table = gemmTable(*gemms);
        QCOMPARE(cell(table, 0, "GEMM"), QStringLiteral("4096x4096x1024"));
        QCOMPARE(cell(table, 0, "Stretch"), QStringLiteral("1.250"));
        QCOMPARE(cell(table, 0, "TFLOP/s"), QStringLiteral("343.6"));
        QCOMPARE(cell(table, 0, "Waves"), QStringLiteral("8"));
        QVERIFY(!unknownTable(*gemms).rows.empty());
    }

    void overlappingSpansOfAStreamHaveRowsOfTheirOwn() {
        KinetoText trace;
        trace.kernel("a", 100 * kUs, 50 * kUs);
        trace.kernel("b", 120 * kUs, 50 * kUs);
        trace.kernel("c", 160 * kUs, 50 * kUs);
        const SharedMeasured set = setOf(trace.text());
        QCOMPARE(set->rows.size(), std::size_t{3});
        QCOMPARE(set->rows[1].spans.size(), std::size_t{2});  // a and c
        QCOMPARE(set->rows[2].spans.size(), std::size_t{1});
    }

    void aFileIsReadAndItsFirstKernelIsSelectedByKeys() {
        MeasuredView view({});
        view.resize(1000, 700);
        view.show();
        open(view, {put(m_folder, "rank-0.json", pairTrace())});
        QVERIFY(view.set());
        QVERIFY(!view.choice().gemm);
        QTest::keyClick(&view.picture(), Qt::Key_Right);
        QVERIFY(view.choice().gemm && view.choice().collective);
        QVERIFY(view.card().pair().kind == data::PairKind::dependent);
        QVERIFY(view.picture().accessibleDescription().contains(QLatin1String("4096x4096x1024")));
        QCOMPARE(view.card().findChild<ValueTable*>("pairValues")->rows().size(), view.card().pair().values.size());
        QVERIFY(view.card().findChild<QPushButton*>("pairSimulate")->isEnabled());
        QVERIFY(!view.card().findChild<QPushButton*>("pairFit")->isEnabled());
        view.card().findChild<QPushButton*>("pairClear")->click();
        QVERIFY(!view.choice().gemm && view.card().pair().kind == data::PairKind::nothing);
    }

    void aRankHasItsNameHoweverLowItsRowsAre() {
        auto traces = std::make_shared<std::vector<data::MeasuredTrace>>();
        for (int rank = 0; rank < 8; ++rank) {
            KinetoText trace = tests::exampleA();
            trace.rank(rank, 8);
            traces->push_back(tests::traceOf(trace.text()));
        }
        MeasuredPicture row(true);
        row.resize(900, 220);
        row.showSet(measuredSetOf(traces, {}));
        QStringList texts;
        const auto drawing = row.drawing();
        QVERIFY(drawing);
        for (const data::DrawingMark::Item& item : drawing->items) {
            if (const auto* text = std::get_if<data::DrawingText>(&item))
                texts << QString::fromStdString(text->text);
        }
        for (int rank = 0; rank < 8; ++rank)
            QVERIFY2(texts.contains(QStringLiteral("rank %1").arg(rank)), qPrintable(texts.join(u' ')));
        QVERIFY(!texts.contains(QStringLiteral("stream 7")));  // there is no room for them
        MeasuredPicture picture(false);
        picture.showSet(row.set());
        QVERIFY(picture.minimumSizeHint().height() >
                32 * picture.fontMetrics().height() * 8 / 10);  // it scrolls instead
    }

    void aSelectedRowIsScrolledIntoView() {
        QStringList files;
        for (int rank = 0; rank < 8; ++rank) {
            KinetoText trace = tests::exampleA();
            trace.rank(rank, 8);
            files << put(m_folder, QStringLiteral("scroll-rank-%1.json").arg(rank), trace.text());
        }
        MeasuredView view({});
        view.resize(900, 420);
        view.show();
        open(view, files);
        tests::settleLayouts();
        for (int i = 0; i < 40; ++i)
            QTest::keyClick(&view.picture(), Qt::Key_Down);
        QCOMPARE(view.picture().selected()->trace, std::size_t{7});
        QVERIFY(view.picture().visibleRegion().contains(QPoint(10, static_cast<int>(*view.picture().selectedY()))));
    }

    void zoomAndPanStayWithinTheTrace() {
        MeasuredPicture picture(false);
        picture.resize(900, 400);
        picture.showSet(setOf(pairTrace()));
        picture.show();
        const data::TimeRange whole = picture.range();
        QTest::keyClick(&picture, Qt::Key_Plus);
        QVERIFY(picture.range().span() < whole.span());
        for (int i = 0; i < 30; ++i)
            QTest::keyClick(&picture, Qt::Key_D);
        QCOMPARE(picture.range().end, whole.end);
        QTest::keyClick(&picture, Qt::Key_0);
        QVERIFY(picture.range() == whole);
        QVERIFY(picture.drawing());  // the picture can be a figure
    }

    void whatCannotBeReadIsSaidAndTheOldTraceStays() {
        MeasuredView view({});
        open(view, {put(m_folder, "good.json", pairTrace())});
        const SharedMeasured before = view.set();
        QSignalSpy failed(&view, &MeasuredView::failed);
        open(view, {put(m_folder, "bad.json", R"({"traceEvents": []})")});
        QCOMPARE(failed.count(), 1);
        QVERIFY(failed.front().front().toString().contains(QLatin1String("no GPU kernels")));
        QCOMPARE(view.set(), before);
    }

    void theFigureHasAStackForEachRankThatAddsUpToItsSpan() {
        const data::FigureSpec figure = measuredFigure(*setOf(tests::exampleA().text())).figure;
        QVERIFY2(data::problemsOf(figure).empty(), qPrintable(text(data::problemsOf(figure))));
        double sum = 0;
        for (const data::FigureSeries& series : std::get<data::BarMark>(figure.panels[0].marks[0]).bars[0].stack)
            sum += *series.values[0];
        QCOMPARE(sum, 150.0);  // in µs
        QCOMPARE(figure.panels[0].y.unit, std::string("µs"));
    }

    void droppedRanksOpenTogetherAndAPairIsSimulatedAndExplained() {
        const auto window = tests::openWindow();
        QMimeData dropped;
        dropped.setUrls({QUrl::fromLocalFile(put(m_folder, "rank-0-b.json", tests::exampleB(0).text())),
                         QUrl::fromLocalFile(put(m_folder, "rank-1-b.json", tests::exampleB(1).text()))});
        MeasuredView& view = window->measured().view();
        QSignalSpy changed(&view, &MeasuredView::changed);
        window->workbench().documents().drop(dropped);
        QVERIFY(QTest::qWaitFor([&] { return changed.count() > 0; }, 10'000));
        QCOMPARE(view.set()->traces.size(), std::size_t{2});
        QCOMPARE(window->workbench().views().current(), QStringLiteral("measured"));

        open(view, {put(m_folder, "rank-0.json", pairTrace())});
        QTest::keyClick(&view.picture(), Qt::Key_Right);
        QVERIFY(view.card().pair().runnable());
        CompareView& compare = window->compare().view();
        QSignalSpy shown(&compare, &CompareView::compareShown);
        view.card().findChild<QPushButton*>("pairSimulate")->click();
        QVERIFY(QTest::qWaitFor([&] { return !view.card().difference().isEmpty(); }, 60'000));
        QVERIFY(QTest::qWaitFor([&] { return shown.count() > 0; }, 60'000));
        QCOMPARE(window->workbench().views().current(), QStringLiteral("compare"));
        QCOMPARE(compare.rowCount(), std::size_t{2});  // sequential and T3-MCA
        const auto* row = compare.findChild<MeasuredPicture*>("measuredRow");
        QVERIFY(row != nullptr && row->isVisible());
        QVERIFY(row->range().start == view.set()->startOf(*view.choice().gemm));  // both begin with the GEMM
        const auto& run = window->runs().shown();
        const data::PairDifference difference =
            data::differenceOf(view.card().pair().measured,
                               data::simulatedTimes(run->run.result, view.card().pair().kind), view.card().pair().kind);
        QCOMPARE(view.card().difference(), differenceText(difference));
        const auto figure = view.figure();
        QVERIFY(figure && figure->figure.panels.size() == 2);
        QVERIFY2(data::problemsOf(figure->figure).empty(), qPrintable(text(data::problemsOf(figure->figure))));
        QVERIFY(figure->figure.caption.find(differenceText(difference).toStdString()) != std::string::npos);

        QVERIFY(window->measured().useIn(m_folder.filePath("mine.json")));
        QCOMPARE(window->workbench().views().current(), QStringLiteral("evaluations"));
        QVERIFY(!window->measured().useIn(m_folder.filePath("rank-0.json")));  // a trace is no evaluation
    }
};

RINGSIDE_WINDOW_TEST(TestMeasuredView)
#include "tst_measured_view.moc"
