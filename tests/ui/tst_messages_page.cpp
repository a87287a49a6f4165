#include "tests/ui/window_test.h"

#include "data/figure/figure_document.h"
#include "ui/drawing/figure_canvas.h"
#include "ui/look/format.h"
#include "ui/look/value_table.h"
#include "ui/model/messages_page.h"

#include <QHelpEvent>
#include <QImage>
#include <QLabel>
#include <QToolTip>

using ui::MessagesPage;

namespace {

engine::Experiment sendingModel() {
    engine::Experiment experiment;
    experiment.workload.layers = 8;
    experiment.division.pp = 4;
    experiment.division.dp = 16;
    experiment.division.microbatches = 8;
    experiment.division.sharding = engine::Sharding::optimizer;
    return experiment;
}

constexpr std::size_t kCount = 0, kSent = 1;  // panels

struct MessagesPageBench {
    explicit MessagesPageBench(const engine::Experiment& experiment = sendingModel(),
                               engine::ModelPhase phase = engine::ModelPhase::training) {
        page.resize(1000, 700);
        page.ask({experiment, phase, {}});
        page.show();
        QApplication::processEvents();  // lays out widgets that have just become visible
    }
    const std::vector<engine::MessageRow>& rows() { return page.facts().messages.rows; }
    QString text(const char* label) const { return page.findChild<QLabel*>(QString::fromLatin1(label))->text(); }
    /// Returns the box of a row's mark or bar; an empty optional for a row that the panel does not show.
    std::optional<QRectF> boxOf(std::size_t panel, std::size_t row) {
        for (const ui::DisplayItem& item : page.chart().laidOut().list.items) {
            if (item.value && item.panel == panel && item.part == ui::FigurePart::mark &&
                page.chart().choiceOf({panel, item.value->row, item.value->series}) == row)
                return page.chart().boxOf(panel, item.value->row, item.value->series);
        }
        return std::nullopt;
    }
    /// Returns the middle of a row's mark, or the end of its bar.
    std::optional<QPointF> markOf(std::size_t panel, std::size_t row) {
        const auto box = boxOf(panel, row);
        if (!box)
            return std::nullopt;
        return panel == kCount ? box->center() : QPointF(box->right(), box->center().y());
    }

    MessagesPage page;
};

}  // namespace

class TestMessagesPage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theTableHasTheRowsOfTheEngine() {
        MessagesPageBench bench;
        const engine::Messages messages = engine::messagesOf(sendingModel(), engine::ModelPhase::training);
        QCOMPARE(bench.page.table().rows().size(), messages.rows.size());
        for (std::size_t i = 0; i < messages.rows.size(); ++i) {
            const QStringList& cells = bench.page.table().rows()[i].cells;
            QCOMPARE(cells[0].toStdString(), std::string(engine::name(messages.rows[i].group)));
            QCOMPARE(cells[1].toStdString(), std::string(engine::name(messages.rows[i].operation)));
            QCOMPARE(cells[7].contains(QStringLiteral("between nodes")), messages.rows[i].betweenNodes);
            QCOMPARE(cells[8].toStdString(), messages.rows[i].source);
        }
    }

    void theHeadlineShowsWhoSendsHowMuchAndWhatLeavesTheNode() {
        MessagesPageBench bench;
        const QString headline = bench.text("messagesHeadline");
        QVERIFY2(headline.contains(QStringLiteral("which sends most")), qPrintable(headline));
        QVERIFY2(headline.contains(QStringLiteral("between nodes")), qPrintable(headline));
        // A middle stage sends to both sides, and the stage that sends most in total, the first, to one.
        QCOMPARE(bench.page.facts().messages.stage, std::int64_t{0});
        const engine::Messages messages = engine::messagesOf(sendingModel(), engine::ModelPhase::training);
        const QString most = ui::formatBytes(messages.mostInGroup[2].sent.count);
        QVERIFY2(headline.contains(QStringLiteral("Other stages send more: pipeline %1 (stage 1)").arg(most)),
                 qPrintable(headline));
        engine::Experiment single = sendingModel();
        single.division = {};
        QVERIFY(!MessagesPageBench(single).text("messagesHeadline").contains(QStringLiteral("which sends most")));
    }

    void marksStandAtTheLogarithmOfSizeAndCount() {
        MessagesPageBench bench;
        const auto& rows = bench.rows();
        const auto at = [&](std::size_t row) { return *bench.markOf(kCount, row); };
        const auto logarithm = [](std::int64_t value) { return std::log10(static_cast<double>(value)); };
        std::vector<std::size_t> drawn = bench.page.facts().rowsBySize();
        QVERIFY(drawn.size() >= 4);
        std::ranges::sort(drawn, {}, [&](std::size_t row) { return rows[row].bytes.count; });
        const std::size_t small = drawn.front(), large = drawn.back();
        const double decade =
            (at(large).x() - at(small).x()) / (logarithm(rows[large].bytes.count) - logarithm(rows[small].bytes.count));
        QVERIFY(decade > 10);
        for (const std::size_t row : drawn) {
            const double expected =
                at(small).x() + decade * (logarithm(rows[row].bytes.count) - logarithm(rows[small].bytes.count));
            QVERIFY(std::abs(at(row).x() - expected) < 1e-6);
            QCOMPARE(rows[row].count > rows[large].count, at(row).y() < at(large).y());
        }
    }

    void aMessageOfFourBytesStretchesNoAxis() {
        MessagesPageBench bench;
        const auto& rows = bench.rows();
        const auto control = static_cast<std::size_t>(
            std::ranges::find(rows, engine::MessageGroup::control, &engine::MessageRow::group) - rows.begin());
        QVERIFY(control < rows.size());
        QVERIFY(!bench.markOf(kCount, control));
        QCOMPARE(bench.page.facts().notDrawn(), QStringLiteral("Not drawn: control all-reduce, 3 times 4\u00a0B"));
        double least = 1e9, most = 0;
        for (const std::size_t row : bench.page.facts().rowsBySize()) {
            least = std::min(least, bench.markOf(kCount, row)->x());
            most = std::max(most, bench.markOf(kCount, row)->x());
        }
        QVERIFY(most - least > bench.page.chart().width() * 0.12);  // the other marks fill the axis
        // A row that sends a millionth of all bytes is still drawn.
        ui::MessageFacts facts;
        facts.messages.rows.resize(2);
        facts.messages.rows[0].sent = engine::Bytes{999'999};
        facts.messages.rows[1].sent = engine::Bytes{1};
        QCOMPARE(facts.rowsBySize().size(), std::size_t{2});
        facts.messages.rows[0].sent = engine::Bytes{1'000'001};
        QCOMPARE(facts.rowsBySize(), std::vector<std::size_t>{0});
    }

    void barsOfTheSentBytesStartAtZeroSoThatAFactorLooksLikeOne() {
        engine::Experiment whole = sendingModel();
        whole.division.pp = 1;
        whole.division.sharding = engine::Sharding::weights;
        MessagesPageBench bench(whole);
        const ui::MessageFacts& facts = bench.page.facts();
        QVERIFY(bench.rows().size() >= 3);
        for (std::size_t row = 1; row < bench.rows().size(); ++row) {
            const QRectF first = *bench.boxOf(kSent, 0), other = *bench.boxOf(kSent, row);
            QCOMPARE(first.left(), other.left());
            const double factor =
                static_cast<double>(bench.rows()[row].sent.count) / static_cast<double>(bench.rows()[0].sent.count);
            QVERIFY(std::abs(other.width() / first.width() - factor) < 1e-9);
        }
        whole.division.sharding = engine::Sharding::none;
        QCOMPARE(facts.unsharded->count, engine::messagesOf(whole, engine::ModelPhase::training).sent().count);
        QVERIFY(!MessagesPageBench(whole).page.facts().unsharded);
        QVERIFY2(bench.page.chart().accessibleDescription().contains(QStringLiteral("without sharding: ")),
                 qPrintable(bench.page.chart().accessibleDescription()));
    }

    void everyMarkIsInsideThePicture() {
        MessagesPageBench bench;
        for (std::size_t row = 0; row < bench.rows().size(); ++row) {
            for (const auto panel : {kCount, kSent}) {
                if (const auto mark = bench.markOf(panel, row))
                    QVERIFY(bench.page.chart().rect().contains(mark->toPoint()));
            }
        }
    }

    void arrowsWalkThroughTheSizesAndTheTableFollows() {
        MessagesPageBench bench;
        std::vector<std::int64_t> sizes;
        QTest::keyClick(&bench.page.chart(), Qt::Key_Home);
        for (std::size_t i = 0; i < bench.rows().size(); ++i) {
            QCOMPARE(bench.page.table().chosen(), bench.page.chart().chosen());
            sizes.push_back(bench.rows()[*bench.page.chart().chosen()].bytes.count);
            QTest::keyClick(&bench.page.chart(), Qt::Key_Right);
        }
        QVERIFY(std::ranges::is_sorted(sizes));
        QVERIFY(sizes.front() < sizes.back());
        bench.page.table().choose(std::size_t{0});
        QCOMPARE(bench.page.chart().chosen(), std::optional(std::size_t{0}));
        QCOMPARE(bench.page.chart().accessibleDescription(), ui::spokenOf(bench.rows().front()));
        QVERIFY(bench.page.stepOut());
        QVERIFY(!bench.page.table().chosen());
    }

    void aClickInEitherPanelChoosesTheRow() {
        MessagesPageBench bench;
        const std::size_t drawn = bench.page.facts().rowsBySize().back();
        for (const auto panel : {kCount, kSent}) {
            bench.page.chart().choose(std::nullopt);
            QTest::mouseClick(&bench.page.chart(), Qt::LeftButton, {}, bench.markOf(panel, drawn)->toPoint());
            QCOMPARE(bench.page.table().chosen(), std::optional(drawn));
        }
        // The bar of a row that has no mark can be clicked as well.
        const std::size_t control = bench.rows().size() - 1;
        QTest::mouseClick(&bench.page.chart(), Qt::LeftButton, {}, bench.markOf(kSent, control)->toPoint());
        QCOMPARE(bench.page.table().chosen(), std::optional(control));
    }

    void aToolTipShowsTheRowAndItsSource() {
        MessagesPageBench bench;
        const QPoint place = bench.markOf(kSent, 0)->toPoint();
        QHelpEvent help(QEvent::ToolTip, place, bench.page.chart().mapToGlobal(place));
        QApplication::sendEvent(&bench.page.chart(), &help);
        QVERIFY2(QToolTip::text().contains(QStringLiteral("source: ")), qPrintable(QToolTip::text()));
    }

    void aSingleGpuSendsNothingAndSaysSo() {
        engine::Experiment alone = sendingModel();
        alone.parallel.tp = 1;
        alone.division = {};
        MessagesPageBench bench(alone, engine::ModelPhase::prompt);
        QVERIFY(bench.rows().empty());
        QVERIFY(bench.text("messagesHeadline").contains(QStringLiteral("no messages")));
        QVERIFY(!bench.page.figure());
        QTest::keyClick(&bench.page.chart(), Qt::Key_Right);
        QVERIFY(!bench.page.chart().chosen());
    }

    void whatIsWrongIsNamedByItsField() {
        engine::Experiment experiment = sendingModel();
        experiment.division.sharding = engine::Sharding::weights;
        MessagesPageBench bench(experiment);
        QVERIFY(!bench.page.hasAnswer());
        QVERIFY(bench.text("messagesWords").contains(QStringLiteral("division.sharding")));
    }

    void theFigureHasAPointForEachRowThatIsDrawnAndABarForEachRow() {
        MessagesPageBench bench;
        const data::FigureSpec figure = bench.page.figure()->figure;
        QVERIFY(data::problemsOf(figure).empty());
        QCOMPARE(figure.panels.size(), std::size_t{2});
        const data::FigurePanel& counts = figure.panels[0];
        QVERIFY(counts.x.scale == data::FigureScale::logarithmic && counts.y.scale == data::FigureScale::logarithmic);
        const auto& points = std::get<data::LineMark>(counts.marks.front());
        QVERIFY(!points.joined);
        for (const double x : points.x)
            QVERIFY(x > *counts.x.from && x < *counts.x.to);
        QCOMPARE(points.x.size(), bench.rows().size() - 1);
        QVERIFY2(figure.caption.find("Not drawn: control all-reduce") != std::string::npos, figure.caption.c_str());
        const data::FigurePanel& sent = figure.panels[1];
        QCOMPARE(sent.categories.labels.size(), bench.rows().size() + 1);
        QVERIFY(sent.y.scale == data::FigureScale::linear && sent.y.from == 0.0);
        double all = 0, each = 0;
        for (const data::FigureSeries& series : std::get<data::BarMark>(sent.marks.front()).bars.front().stack) {
            all += *series.values.back();
            for (std::size_t i = 0; i + 1 < series.values.size(); ++i)
                each += series.values[i].value_or(0);
        }
        QVERIFY(std::abs(all - each) < all * 1e-9);
        QCOMPARE(sent.references.size(), std::size_t{1});
        QVERIFY(sent.references.front().text.starts_with("without sharding: "));
    }

    void itCanBeDrawnInBothThemesAndAnySize() {
        MessagesPageBench bench;
        bench.page.chart().choose(std::size_t{1});
        QImage before;
        for (const ui::Theme theme : {ui::Theme::light, ui::Theme::dark}) {
            bench.page.setPalette(ui::widgetPalette(theme));
            for (const QSize size : {QSize(560, 420), QSize(2400, 1300)}) {
                bench.page.resize(size);
                const QImage now = bench.page.chart().grab().toImage();
                QVERIFY(now != before);
                before = now;
            }
        }
    }
};

RINGSIDE_WINDOW_TEST(TestMessagesPage)
#include "tst_messages_page.moc"
