#include "tests/ui/sample_path.h"
#include "tests/ui/window_test.h"

#include "ui/look/cause_style.h"
#include "ui/shared/view_state.h"
#include "ui/why/cause_table.h"
#include "ui/why/chain_list.h"
#include "ui/why/sensitivity_chips.h"
#include "ui/why/why_panel.h"

#include <QImage>
#include <QSignalSpy>

#include <algorithm>
#include <cmath>
#include <numeric>

using ui::WhyPanel;

class TestWhyPanel : public QObject {
    Q_OBJECT

    ui::ViewState m_state;
    std::unique_ptr<WhyPanel> m_panel;

    void show(std::shared_ptr<const data::ShownRun> run) {
        m_state.setRunEnd(1'000'000);
        m_state.showAll();
        m_state.setCursor(std::nullopt);
        m_state.clearSelection();
        ui::SensitivitySessionConfig quick{.threads = 1,
                                           .find = [](const auto&, const auto&) { return data::SensitivityReport{}; }};
        m_panel = std::make_unique<WhyPanel>(m_state, quick);
        m_panel->resize(420, 700);
        if (run)
            m_panel->showRun(std::make_shared<const ui::ReasonChain>(tests::flowOf(std::move(run))));
        m_panel->show();
    }
    QString cell(int row, int column) const { return m_panel->table().model()->index(row, column).data().toString(); }
    const std::vector<ui::ShareRow>& rows() const { return m_panel->table().shares(); }
    std::int64_t total() const {
        return std::accumulate(rows().begin(), rows().end(), std::int64_t{0},
                               [](std::int64_t sum, const ui::ShareRow& row) { return sum + row.total; });
    }
    QVariant spoken(int row, int role) const { return m_panel->table().model()->index(row, 0).data(role); }

private Q_SLOTS:
    void init() { show(tests::runOf(tests::chainTrace(), tests::chainPath())); }
    void cleanup() { m_panel.reset(); }

    void theTableShowsEveryCauseAndSumsToTheWhole() {
        QCOMPARE(rows().size(), engine::kCauses);
        QCOMPARE(cell(0, ui::CauseTable::nameColumn), QStringLiteral("compute"));
        QCOMPARE(cell(0, ui::CauseTable::shareColumn), QStringLiteral("25.0\u00a0%"));
        const int last = m_panel->table().model()->rowCount() - 1;
        QCOMPARE(cell(last, ui::CauseTable::nameColumn), QStringLiteral("total"));
        QCOMPARE(cell(last, ui::CauseTable::shareColumn), QStringLiteral("100.0\u00a0%"));
        QCOMPARE(total(), 1'000'000);
        QVERIFY(spoken(0, Qt::AccessibleTextRole).toString().contains(QStringLiteral("25.0")));
        QVERIFY(!m_panel->table().accessibleName().isEmpty());
    }

    void aScreenReaderAndTheToolTipExplainACause() {
        const QString meaning = ui::meaningOf(engine::Cause::compute);
        QCOMPARE(spoken(0, Qt::AccessibleDescriptionRole).toString(), meaning);
        const QString tip = spoken(0, Qt::ToolTipRole).toString();
        QVERIFY2(tip.startsWith(QStringLiteral("compute: ")) && tip.endsWith(QLatin1Char('\n') + meaning),
                 qPrintable(tip));
        QCOMPARE(spoken(m_panel->table().model()->rowCount() - 1, Qt::AccessibleDescriptionRole).toString(), QString());
        QVERIFY(m_panel->table().accessibleDescription().startsWith(QStringLiteral("total: ")));
    }

    void barsAreAsLongAsTheTimesOfTheirRows() {
        ui::CauseTable table;
        table.resize(500, 300);
        std::vector<ui::ShareRow> shares(3);
        shares[0].times[engine::Cause::compute] = engine::Duration{1'000'000};
        shares[1].times[engine::Cause::link] = engine::Duration{250'000};
        for (std::size_t i = 0; i < engine::kCauses; ++i)  // parts of less than a pixel
            shares[2].times[static_cast<engine::Cause>(i)] = engine::Duration{1};
        for (ui::ShareRow& row : shares) {
            for (std::size_t i = 0; i < engine::kCauses; ++i)
                row.total += row.times[static_cast<engine::Cause>(i)].ps;
        }
        table.showShares(shares, QStringLiteral("shares"));
        table.show();
        QCoreApplication::processEvents();
        const QImage picture = table.viewport()->grab().toImage();
        const auto colourAt = [&picture](int x, int y) {
            return picture.pixelColor(QPoint(x, y) * picture.devicePixelRatio());
        };
        for (std::size_t i = 0; i < shares.size(); ++i) {
            const QRect cell = table.visualRect(table.model()->index(static_cast<int>(i), ui::CauseTable::barColumn));
            int end = cell.right();
            while (end > cell.left() && colourAt(end, cell.center().y()) == colourAt(cell.right(), cell.top()))
                --end;
            const double wanted = static_cast<double>(shares[i].total) / 1e6 * (cell.width() - 8);
            QVERIFY2(std::abs(end - cell.left() - wanted) <= 3, qPrintable(QString::number(end - cell.left())));
        }
    }

    void rowsAndColumnsGrowWithTheText() {
        auto& table = *m_panel->findChild<ui::CauseTable*>();
        const int high = table.rowHeight(0), wide = table.columnWidth(ui::CauseTable::nameColumn);
        QFont font = table.font();
        font.setPointSizeF(font.pointSizeF() * 2);
        m_panel->setFont(font);
        QCoreApplication::processEvents();
        QVERIFY(table.rowHeight(0) > high * 3 / 2);
        QCOMPARE(table.rowHeight(0), static_cast<int>(table.fontMetrics().height() * 1.45));
        QVERIFY(table.columnWidth(ui::CauseTable::nameColumn) > wide * 3 / 2);
    }

    void theCopyHasNoColumnForTheBars() {
        const QStringList lines = m_panel->table().copied().split(QLatin1Char('\n'));
        QCOMPARE(lines.front(), QStringLiteral("name\ttime\tshare"));
        QVERIFY(lines[1].startsWith(QStringLiteral("compute\t")) && lines[1].endsWith(QStringLiteral("\t25.0 %")));
    }

    void sharesStayInSightHoweverNarrowThePanelIs() {
        for (const int width : {700, 420, 330, 260}) {
            m_panel->resize(width, 700);
            QCoreApplication::processEvents();
            const ui::CauseTable& table = m_panel->table();
            const int share = ui::CauseTable::shareColumn;
            QVERIFY(!table.isColumnHidden(share));
            QVERIFY2(table.columnViewportPosition(share) + table.columnWidth(share) <= table.viewport()->width(),
                     qPrintable(QString::number(width)));
        }
    }

    void itDescribesTheVisibleRangeTheSelectionOrTheWholeRun() {
        m_state.setRange({500'000, 650'000});
        QTRY_COMPARE(total(), 150'000);
        m_state.selectArea({{900'000, 950'000}, 0, 1});
        QTRY_COMPARE(total(), 50'000);
        m_panel->setWholeRun(true);
        QCOMPARE(total(), 1'000'000);
    }

    void itIsSplitByGpuAndByPhaseAsWell() {
        m_panel->setShareKind(ui::ShareKind::gpu);
        QCOMPARE(rows().size(), 2u);
        QCOMPARE(cell(1, ui::CauseTable::nameColumn), QStringLiteral("GPU 1"));
        QCOMPARE(rows()[1].total, 650'000);
        m_panel->setShareKind(ui::ShareKind::phase);
        QCOMPARE(cell(0, ui::CauseTable::nameColumn), QStringLiteral("GEMM"));
        QCOMPARE(rows()[0].total, 450'000);
    }

    void atTheCursorTheReasonStandsInASentence() {
        QVERIFY(m_panel->now().contains(QStringLiteral("bound by memory contention: 27")));
        m_state.setCursor(600'000);
        QTRY_VERIFY(m_panel->now().contains(QStringLiteral("GPU 0 waits for chunk 1 from GPU 1")));
        m_state.setCursor(std::nullopt);
        QTRY_VERIFY(m_panel->now().contains(QStringLiteral("bound by")));
    }

    void aChainIsFollowedWithTheKeyboardAndEachLinkIsShown() {
        QSignalSpy spans(m_panel.get(), &WhyPanel::spanRequested);
        QSignalSpy moments(m_panel.get(), &WhyPanel::momentRequested);
        QSignalSpy links(m_panel.get(), &WhyPanel::linkShown);
        QVERIFY(m_panel->showChainAt(620'000));
        ui::ChainList& list = m_panel->chainList();
        QCOMPARE(list.count(), 10);
        QCOMPARE(list.currentRow(), 0);
        QCOMPARE(links.size(), 1);
        QCOMPARE(moments.size(), 0);  // the cursor stays where the user has set it
        QTest::keyClick(&list, Qt::Key_Down);
        QCOMPARE(spans.last().first().value<data::SpanRef>(), (data::SpanRef{1, 5, 0}));
        QCOMPARE(moments.last().first().toLongLong(), 500'000);
        QTest::keyClick(&list, Qt::Key_Up);
        QCOMPARE(spans.last().first().value<data::SpanRef>(), (data::SpanRef{1, 6, 0}));
        QVERIFY(!list.item(0)->data(Qt::AccessibleTextRole).toString().isEmpty());
    }

    void aLongChainGoesOnWhenAskedFor() {
        auto path = std::make_shared<engine::CriticalPath>();
        for (int i = 0; i < 40; ++i)
            path->steps.push_back(tests::step(i % 2 == 0 ? engine::Cause::dependency : engine::Cause::trackerDma,
                                              i * 25'000, (i + 1) * 25'000,
                                              i % 2 == 0 ? engine::PathAct::barrier : engine::PathAct::waitsForSet));
        show(tests::runOf(tests::chainTrace(), path));
        QVERIFY(m_panel->showChainAt(1'000'000));
        ui::ChainList& list = m_panel->chainList();
        QCOMPARE(list.count(), ui::ChainList::kLinks + 1);
        QVERIFY(list.item(ui::ChainList::kLinks)->text().contains(QStringLiteral("28 earlier")));
        list.setCurrentRow(ui::ChainList::kLinks);
        QVERIFY(!list.currentLink());
        QTest::keyClick(&list, Qt::Key_Return);
        QCOMPARE(list.count(), 2 * ui::ChainList::kLinks + 1);
        QCOMPARE(list.currentLink().value_or(99), 27u);
    }

    void aSelectedSpanSaysWhetherItIsOnThePath() {
        m_state.selectSpan({1, 6, 0});
        QTRY_VERIFY(m_panel->selected().contains(QStringLiteral("Why did it wait?")));
        QVERIFY(m_panel->showChainThrough({1, 6, 0}));
        QCOMPARE(m_panel->chainList().currentLink().value_or(99), 9u);
        m_state.selectSpan({0, 0, 0});
        QTRY_VERIFY(m_panel->selected().contains(QStringLiteral("did not wait for it")));
        QVERIFY(!m_panel->showChainThrough({0, 0, 0}));
    }

    void whereThereIsNoPathItSaysWhyAndWhatToDo() {
        show(nullptr);
        QVERIFY(m_panel->now().contains(QStringLiteral("run it (Ctrl+Return)")));
        show(tests::sampleBound());
        QVERIFY(m_panel->now().contains(QStringLiteral("T3-MCA")));
        QVERIFY(!m_panel->table().isVisible());
        QVERIFY(!m_panel->showChainAt(5));
        show(tests::sampleRun());
        QVERIFY(m_panel->now().contains(QStringLiteral("Run it again")));
    }
};

RINGSIDE_WINDOW_TEST(TestWhyPanel)
#include "tst_why_panel.moc"
