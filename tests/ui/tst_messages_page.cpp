#include "tests/ui/window_test.h"

#include "data/figure/figure_document.h"
#include "ui/look/format.h"
#include "ui/look/value_table.h"
#include "ui/model/message_chart.h"
#include "ui/model/messages_page.h"

#include <QHelpEvent>
#include <QImage>
#include <QLabel>
#include <QToolTip>

using ui::MessageChart;
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

struct MessagesPageBench {
    explicit MessagesPageBench(const engine::Experiment& experiment = sendingModel(),
                               engine::ModelPhase phase = engine::ModelPhase::training) {
        page.resize(1000, 700);
        page.ask({experiment, phase, {}});
        page.show();
        QApplication::processEvents();  // lays out widgets that have just become visible
    }
    const std::vector<engine::MessageRow>& rows() { return page.chart().facts().messages.rows; }
    QString text(const char* label) const { return page.findChild<QLabel*>(QString::fromLatin1(label))->text(); }

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
        QCOMPARE(bench.page.chart().facts().messages.stage, std::int64_t{0});
        const engine::Messages messages = engine::messagesOf(sendingModel(), engine::ModelPhase::training);
        const QString most = ui::formatBytes(messages.mostInGroup[2].sent.count);
        QVERIFY2(headline.contains(QStringLiteral("Other stages send more: pipeline %1 (stage 1)").arg(most)),
                 qPrintable(headline));
        engine::Experiment single = sendingModel();
        single.division = {};
        QVERIFY(!MessagesPageBench(single).text("messagesHeadline").contains(QStringLiteral("which sends most")));
    }

    void marksStandAtTheLogarithmOfSizeCountAndBytes() {
        MessagesPageBench bench;
        const auto& rows = bench.rows();
        const auto at = [&](MessageChart::Panel panel, std::size_t row) {
            return bench.page.chart().markOf(panel, row);
        };
        const auto findRow = [&](engine::MessageGroup group) {
            return static_cast<std::size_t>(std::ranges::find(rows, group, &engine::MessageRow::group) - rows.begin());
        };
        const std::size_t small = findRow(engine::MessageGroup::control), large = findRow(engine::MessageGroup::tensor),
                          other = findRow(engine::MessageGroup::tied);
        const auto logarithm = [](std::int64_t value) { return std::log10(static_cast<double>(value)); };
        const double decade = (at(MessageChart::Panel::count, large).x() - at(MessageChart::Panel::count, small).x()) /
                              (logarithm(rows[large].bytes.count) - logarithm(rows[small].bytes.count));
        QVERIFY(decade > 10);
        const double expected = at(MessageChart::Panel::count, small).x() +
                                decade * (logarithm(rows[other].bytes.count) - logarithm(rows[small].bytes.count));
        QVERIFY(std::abs(at(MessageChart::Panel::count, other).x() - expected) < 1e-6);
        QVERIFY(rows[large].count > rows[other].count);
        QVERIFY(at(MessageChart::Panel::count, large).y() < at(MessageChart::Panel::count, other).y());
        QVERIFY(at(MessageChart::Panel::sent, small).y() > at(MessageChart::Panel::sent, large).y());
    }

    void everyMarkIsInsideThePicture() {
        MessagesPageBench bench;
        for (std::size_t row = 0; row < bench.rows().size(); ++row) {
            for (const auto panel : {MessageChart::Panel::count, MessageChart::Panel::sent})
                QVERIFY(bench.page.chart().rect().contains(bench.page.chart().markOf(panel, row).toPoint()));
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
        const std::size_t last = bench.rows().size() - 1;
        for (const auto panel : {MessageChart::Panel::count, MessageChart::Panel::sent}) {
            bench.page.chart().choose(std::nullopt);
            QTest::mouseClick(&bench.page.chart(), Qt::LeftButton, {},
                              bench.page.chart().markOf(panel, last).toPoint());
            QCOMPARE(bench.page.table().chosen(), std::optional(last));
        }
    }

    void aToolTipShowsTheRowAndItsSource() {
        MessagesPageBench bench;
        const QPoint place = bench.page.chart().markOf(MessageChart::Panel::count, 0).toPoint();
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

    void theFigureHasAPointForEachRowAndASeriesForEachGroup() {
        MessagesPageBench bench;
        const data::FigureSpec figure = bench.page.figure()->figure;
        QVERIFY(data::problemsOf(figure).empty());
        QCOMPARE(figure.panels.size(), std::size_t{2});
        for (const data::FigurePanel& panel : figure.panels) {
            QCOMPARE(panel.x.scale, data::FigureScale::logarithmic);
            QCOMPARE(panel.y.scale, data::FigureScale::logarithmic);
            const auto& points = std::get<data::LineMark>(panel.marks.front());
            QVERIFY(!points.joined);
            for (const double x : points.x)
                QVERIFY(x > *panel.x.from && x < *panel.x.to);
            std::size_t count = 0;
            for (const data::FigureSeries& series : points.series)
                count += static_cast<std::size_t>(
                    std::ranges::count_if(series.values, [](const auto& value) { return value.has_value(); }));
            QCOMPARE(count, bench.rows().size());
        }
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
